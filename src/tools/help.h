/* help.h - what is made from a tool's table of options: help for people, parts of its man page, and
 * completion for shells. */
#ifndef PROFPIPE_HELP_H
#define PROFPIPE_HELP_H

#include "tools/tool.h"

/* Prints the options of TOOL to standard output in FORMAT: "text", "mdoc-synopsis", "mdoc-options",
 * "bash", "zsh" or "fish".  False where FORMAT is none of these. */
bool help_print(const struct tool *tool, const char *format);

/* Whether the argument of O may be left out. */
bool help_argument_is_optional(const struct option_row *o);

#endif

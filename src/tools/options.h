/* options.h - the command line of a tool, by its table of options (tool.h). */
#ifndef PROFPIPE_OPTIONS_H
#define PROFPIPE_OPTIONS_H

#include "tools/tool.h"

/* Applies the options among ARGV, ARGC words of which the first is the tool's name, and moves the
 * operands behind them.  Returns the place of the first operand.  Ends the process on --help and
 * --version, and the tool (STATUS_USAGE) at what is wrong. */
int options_parse(const struct tool *tool, int argc, char **argv);

#endif

/* help.h - what is made from a tool's table of options: help for people, parts of its man page, and
 * completion for shells. */
#ifndef PROFPIPE_HELP_H
#define PROFPIPE_HELP_H

#include "tools/tool.h"

/* Prints the options of TOOL to standard output in FORMAT:
 *   text           for people, in 80 columns
 *   tsv            a line for each option: own or common, short form, long form, argument, help
 *   examples       the two examples, a line each
 *   mdoc-synopsis, mdoc-options, mdoc-common
 *                  for man pages: man/fill says where they go
 *   bash, zsh, fish
 *                  completion
 * False where FORMAT is none of these. */
bool help_print(const struct tool *tool, const char *format);

/* These print one of them (help_print). */
void help_print_mdoc_synopsis(const struct tool *tool);
void help_print_mdoc_options(const struct tool *tool);
void help_print_mdoc_common(const struct tool *tool);
void help_print_bash(const struct tool *tool);
void help_print_zsh(const struct tool *tool);
void help_print_fish(const struct tool *tool);

/* What is in the brackets of an argument that may be left out. */
struct str help_optional_argument(const struct option_row *o);

/* Whether such an argument is a word by itself, and not a name for what it stands for. */
bool help_is_word(struct str argument);

#endif

/* options.h - the command line of a tool, by its table of options (tool.h). */
#ifndef PROFPIPE_OPTIONS_H
#define PROFPIPE_OPTIONS_H

#include "tools/tool.h"

enum { OPTIONS_MAX = 64 };

/* All options of a tool, without headings: its own, then those that tools of all kinds have, then those of converters. */
struct options {
    const struct option_row *rows[OPTIONS_MAX];
    size_t own, everywhere, count;
};
struct options options_of(const struct tool *tool);

/* Applies the options among ARGV, ARGC words of which the first is the tool's name, and moves the
 * operands behind them.  Returns the place of the first operand.  Ends the process on --help and
 * --version, and the tool (STATUS_USAGE) at what is wrong. */
int options_parse(const struct tool *tool, int argc, char **argv);

/* Whether WORD is an option of TOOL whose argument is the next word. */
bool options_take_next(const struct tool *tool, const char *word);

/* What --help, --version, --quiet and --verbose do; the argument of all but --help, which names a format (help.h), is
 * NULL.  The first two end the process. */
void options_show_help(const char *format);
void options_show_version(const char *none);
void options_be_quiet(const char *none);
void options_be_verbose(const char *none);

#endif

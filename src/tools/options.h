/* options.h - parses the command line of a tool, by its table of options (tool.h). */
#ifndef PROFPIPE_OPTIONS_H
#define PROFPIPE_OPTIONS_H

#include "tools/tool.h"

enum { OPTIONS_MAX = 64 };

/* All options of a tool, without headings: its own, then those shared by all kinds of tools,
 * then those of converters. */
struct options {
    const struct option_row *rows[OPTIONS_MAX];
    size_t own, everywhere, count;
};
struct options options_of(const struct tool *tool);

/* Applies the options in ARGV, ARGC words starting with the tool's name, and moves the operands
 * after them.  Returns the index of the first operand.  Ends the process on --help and
 * --version, and on errors with STATUS_USAGE. */
int options_parse(const struct tool *tool, int argc, char **argv);

/* Whether WORD is an option of TOOL whose argument is the next word. */
bool options_take_next(const struct tool *tool, const char *word);

/* Looks for --errors=json in ARGV, ARGC words, since it concerns messages on all of them. */
void options_find_errors(int argc, char **argv);

/* The actions of --help, --version, --quiet, --verbose and --errors.  FORMAT is one of help.h; NONE is
 * NULL.  The first two end the process. */
void options_show_help(const char *format);
void options_show_version(const char *none);
void options_set_errors(const char *format);
void options_be_quiet(const char *none);
void options_be_verbose(const char *none);

#endif

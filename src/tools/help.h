/* help.h - text generated from a tool's table of options: --help, parts of its man page, and
 * shell completion. */
#ifndef PROFPIPE_HELP_H
#define PROFPIPE_HELP_H

#include "tools/tool.h"

/* Prints the options of TOOL to standard output in FORMAT:
 *   text           for terminals, in 80 columns
 *   tsv            one line per option: own or common, short form, long form, argument, help
 *   examples       the two examples, one line each
 *   mdoc-synopsis, mdoc-options, mdoc-common
 *                  for man pages: man/fill says where they go
 *   codes          one line per code of messages: word, exit status, meaning
 *   messages-schema
 *                  the JSON Schema of messages with --errors=json
 *   columns        one line per column of tables: name, type, unit, meaning
 *   table-schema, row-schema, answer-schema, description-schema
 *                  the JSON Schemas of tables in json and ndjson, of answers of profsql in json, and
 *                  of what profinfo says in json
 *   bash, zsh, fish
 *                  shell completion
 * False if FORMAT is none of these. */
bool help_print(const struct tool *tool, const char *format);

/* Writes out what was printed to standard output; ends the tool (STATUS_SYSTEM) if that fails. */
void help_flush(void);

/* One function for each of these formats. */
void help_print_mdoc_synopsis(const struct tool *tool);
void help_print_mdoc_options(const struct tool *tool);
void help_print_mdoc_common(const struct tool *tool);
void help_print_codes(const struct tool *tool);
void help_print_messages_schema(const struct tool *tool);
void help_print_columns(const struct tool *tool);
void help_print_table_schema(const struct tool *tool);
void help_print_row_schema(const struct tool *tool);
void help_print_answer_schema(const struct tool *tool);
void help_print_description_schema(const struct tool *tool);
void help_print_bash(const struct tool *tool);
void help_print_zsh(const struct tool *tool);
void help_print_fish(const struct tool *tool);

/* The text inside the brackets of an optional argument. */
struct str help_optional_argument(const struct option_row *o);

/* Whether ARGUMENT is a literal word, not a placeholder. */
bool help_is_word(struct str argument);

#endif

/* request.h - parses options of a table: what rows are about, their order, and the format.
 *
 * Each function ends the tool (STATUS_USAGE) if its argument is not valid. NULL: option not
 * given. */
#ifndef PROFPIPE_REQUEST_H
#define PROFPIPE_REQUEST_H

#include "summary/collect.h"
#include "table/sheet.h"

/* The values of --by, in the order of enum collect_by: the last is only a level. And of --sort. */
extern const char *const request_by_words[COLLECT_BY_TIME + 1];
extern const char *const request_sort_words[2];

/* What BY is called for people, in the singular. */
struct str request_by_name(enum collect_by by);

/* What --by asks for. */
struct request_rows {
    enum collect_by by; /* with levels COLLECT_BY_LEVELS */
    struct str label;   /* for COLLECT_BY_LABEL: its key */
    struct collect_level levels[COLLECT_LEVELS];
    size_t level_count;
};

/* --by: one thing, several levels with commas between, or all keys of labels. */
struct request_rows request_rows(const char *text);

/* Sets what C, which is about to be opened, is about. */
void request_set_rows(const struct request_rows *rows, struct collect *c);

/* --sort: whether to sort by total. */
bool request_sort(const char *text);

/* --format, the max number of rows (the argument of OPTION), and --min-share. */
struct sheet_request request_sheet(const char *format, const char *option, const char *max,
                                   const char *min_share, bool is_about);

/* The number TEXT, argument of OPTION: finite and not below 0. EXPECTED describes it for
 * messages. */
double request_number(const char *option, const char *text, const char *expected);

/* The same for a whole number. */
size_t request_count(const char *option, const char *text, const char *expected);

#endif

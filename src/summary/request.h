/* request.h - what options say of a table: what its rows are about, their order, and how it is written.
 *
 * Each ends the tool (STATUS_USAGE) where its argument is wrong; NULL is an option that was not given. */
#ifndef PROFPIPE_REQUEST_H
#define PROFPIPE_REQUEST_H

#include "summary/collect.h"
#include "summary/sheet.h"

/* What --by and --sort can be; --by has them in the order of enum collect_by. */
extern const char *const request_by_words[COLLECT_BY_SOURCE + 1];
extern const char *const request_sort_words[2];

/* --by; of labels their key goes to *LABEL. */
enum collect_by request_by(const char *text, struct str *label);

/* --sort: whether the total comes first. */
bool request_sort(const char *text);

/* --format, how many rows at most, which is the argument of OPTION, and --min-share. */
struct sheet_request request_sheet(const char *format, const char *option, const char *max,
                                   const char *min_share);

/* The number TEXT, the argument of OPTION: EXPECTED says what it is.  It is finite, and not below 0. */
double request_number(const char *option, const char *text, const char *expected);

/* The same, whole. */
size_t request_count(const char *option, const char *text, const char *expected);

#endif

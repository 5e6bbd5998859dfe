/* option.h - what an option of a tool is.  Tables of these make its command line, --help, the lists on its man page,
 * and completion in shells. */
#ifndef PROFPIPE_OPTION_H
#define PROFPIPE_OPTION_H

#include "base/buf.h"

/* One option; or, where only `heading` is set, the title of the options that follow.  One of `flag`, `text`, `level` and
 * `each` is set. */
struct option_row {
    const char *name; /* the long form, without its dashes */
    const char
        *argument; /* what help calls the argument; NULL: none; "[=auto]": it may be left out */
    const char
        *help; /* 15 words at most, no full stop; %s stands for the values, which else come last */
    char letter; /* the short form; 0: none */

    bool *flag;                 /* set to true */
    const char **text;          /* set to the argument; the option may come once */
    int *level;                 /* set to 1 to 9: -1 to -9, or the argument of the long form */
    void (*each)(const char *); /* called with the argument, each time */

    const char *const *values; /* what the argument can be, by OPTION_VALUES; NULL: anything */
    size_t value_count;
    const char *preset; /* the one of `values` that holds without the option; NULL: it depends */

    const char *heading;
    bool is_old; /* still understood, but not listed: another name has taken its place */
};

/* For a row: what the argument can be is in the array WORDS. */
#define OPTION_VALUES(words) .values = (words), .value_count = sizeof(words) / sizeof *(words)

/* Whether the argument of O may be left out. */
bool option_argument_is_optional(const struct option_row *o);

/* Adds the help of O to TEXT, with its values. */
void option_explain(struct buf *text, const struct option_row *o);

#endif

/* option.h - one option of a tool.  Tables of these define the command line, --help, the option
 * lists on man pages, and shell completion. */
#ifndef PROFPIPE_OPTION_H
#define PROFPIPE_OPTION_H

#include "base/buf.h"

/* One option; or, if only `heading` is set, the heading of the options after it.  Exactly one of
 * `flag`, `text`, `level` and `each` is set. */
struct option_row {
    const char *name; /* the long form, without its dashes */
    /* The placeholder of the argument in help; NULL: no argument; "[=auto]": it is optional. */
    const char *argument;
    /* At most 15 words, no full stop; %s stands for the values, which otherwise come last. */
    const char *help;
    char letter; /* the short form; 0: none */

    bool *flag;                 /* set to true */
    const char **text;          /* set to the argument; the option may come once */
    int *level;                 /* set to 1 to 9, by -1 to -9 or by the argument */
    void (*each)(const char *); /* called with each argument */

    const char *const *values; /* the allowed arguments, by OPTION_VALUES; NULL: any */
    size_t value_count;
    const char *preset; /* the one of `values` that is the default; NULL: it depends */
    bool is_of_output;  /* without the option, the value that the output's name ends in, */
    const bool *unless; /* but not if this is set; may be NULL */

    const char *heading;
    /* Still accepted but not listed: another name has replaced it. */
    bool is_old;
};

/* For a row: the array WORDS has the allowed arguments. */
#define OPTION_VALUES(words) .values = (words), .value_count = sizeof(words) / sizeof *(words)

/* Whether the argument of O is optional. */
bool option_argument_is_optional(const struct option_row *o);

/* Appends the help of O to TEXT, including its values. */
void option_explain(struct buf *text, const struct option_row *o);

#endif

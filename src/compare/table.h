/* table.h - the table of two sides: what each function cost in a run of each, and whether the
 * difference means anything. */
#ifndef PROFPIPE_TABLE_H
#define PROFPIPE_TABLE_H

#include "compare/sides.h"
#include "table/sheet.h"

struct table_request {
    struct sheet_request sheet;
    bool is_total;    /* compare total; false: self */
    bool are_shares;  /* compare shares of a run; false: cost */
    bool is_own;      /* show only functions in a file of the user's own */
    bool is_second;   /* the cost of runs has been printed already */
    double min_share; /* min share for tests */
};

/* Writes the table of S to OUT. */
void table_write(const struct sides *s, const struct table_request *request, struct out *out);

#endif

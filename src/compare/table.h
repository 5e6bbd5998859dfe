/* table.h - the table of two sides: what each function had in a run of either, and what that tells. */
#ifndef PROFPIPE_TABLE_H
#define PROFPIPE_TABLE_H

#include "compare/sides.h"
#include "summary/sheet.h"

struct table_request {
    struct sheet_request sheet;
    bool is_total;    /* it is about what functions had in all, not themselves */
    bool are_shares;  /* it is about shares of a run, not about cost */
    bool is_own;      /* functions that have a file of one's own are shown, no others */
    bool is_second;   /* the cost of runs has been said */
    double min_share; /* of what is tested */
};

/* Writes the table of S to OUT. */
void table_write(const struct sides *s, const struct table_request *request, struct out *out);

#endif

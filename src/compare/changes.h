/* changes.h - the rows of a table of two sides, and how their figures are written. */
#ifndef PROFPIPE_CHANGES_H
#define PROFPIPE_CHANGES_H

#include "compare/sides.h"
#include "compare/table.h"

/* A row: of an item or, for programs, of whole runs. */
struct change {
    uint32_t item; /* 0: whole runs */
    struct str name;
    const struct sides_verdict *verdict;
    double base, new;             /* what a run had, a second or an operation */
    double base_share, new_share; /* of a run */
    enum { MARK_NONE, MARK_NEW, MARK_GONE, MARK_MOVED, MARK_SHARE } mark;
    uint32_t beside; /* the item that its cost has gone to, or come from; 0: none */
};

struct changes {
    const struct sides *s;
    const struct table_request *request;
    bool is_json, is_human;
    struct str unit;
    bool is_scaled;    /* people see values of this unit in one that fits */
    bool has_decimals; /* some amount below 1000 has: then all such have */
    struct sides_verdict cost, *verdicts;
    /* Of cost in a table of shares, and the other way round; NULL: nothing is tested. */
    struct sides_verdict *others;
    uint32_t *beside; /* moved.h */
    struct change *items;
    size_t count;
    struct arena names;
};

/* Makes T the rows that REQUEST asks for: for programs whole runs come first, and then what has changed most. */
void changes_make(struct changes *t, const struct sides *s, const struct table_request *request);
void changes_free(struct changes *t);

/* What whole runs are, as a row. */
struct change changes_of_runs(const struct changes *t);

/* By how much the cost of CHANGE has grown, in percent of what it was; NAN where that was nothing, or a side has no
 * run. */
double changes_growth(const struct changes *t, const struct change *change);

/* Appends what FORMAT says, less than 1024 bytes, to TO. */
void changes_print(struct buf *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends VALUE as FORMAT, that of a double, says it to TO; where there is none, what JSON or people have for that. */
void changes_add_number(struct buf *to, const struct changes *t, const char *format, double value);

/* An amount in the unit of values: for programs seconds of time; what is whole is exact. */
void changes_add_amount(struct buf *to, const struct changes *t, double value);

/* A probability. */
void changes_add_probability(struct buf *to, const struct changes *t, double p);

#endif

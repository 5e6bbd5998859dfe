/* changes.h - the rows of a table of two sides, and the format of their numbers. */
#ifndef PROFPIPE_CHANGES_H
#define PROFPIPE_CHANGES_H

#include "compare/sides.h"
#include "compare/table.h"

/* A row: an item, or whole runs. */
struct change {
    uint32_t item; /* 0: whole runs */
    struct str name;
    const struct sides_verdict *verdict;
    double base, new;             /* per run, second or operation */
    double base_share, new_share; /* fraction of a run */
    enum { MARK_NONE, MARK_NEW, MARK_GONE, MARK_MOVED, MARK_SHARE } mark;
    uint32_t beside; /* the item that its cost moved to or from; 0: none */
};

struct changes {
    const struct sides *s;
    const struct table_request *request;
    bool is_json, is_human;
    struct str unit;
    bool is_scaled;    /* values of this unit are scaled for people */
    bool has_decimals; /* some amount below 1000 has decimals: then all such amounts show them */
    struct sides_verdict cost, *verdicts;
    /* Verdicts of cost in a table of shares, and of shares in a table of cost. NULL: not tested. */
    struct sides_verdict *others;
    uint32_t *beside; /* see moved.h */
    struct change *items;
    size_t count;
    struct arena names;
};

/* Sets T to the rows that REQUEST asks for: items, largest change first. */
void changes_make(struct changes *t, const struct sides *s, const struct table_request *request);
void changes_free(struct changes *t);

/* The change of whole runs, which no row shows; without a name. */
struct change changes_of_runs(const struct changes *t);

/* The growth of the cost of CHANGE in percent of base; NAN if base is 0 or a side has no run. */
double changes_growth(const struct changes *t, const struct change *change);

/* Appends formatted text of less than 1024 bytes to TO. */
void changes_print(struct buf *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends VALUE to TO, formatted with FORMAT, for a double. A missing value is written as JSON or
 * people expect it. */
void changes_add_number(struct buf *to, const struct changes *t, const char *format, double value);

/* Appends an amount in the unit of values. Whole numbers are exact. */
void changes_add_amount(struct buf *to, const struct changes *t, double value);

/* Appends a probability. */
void changes_add_probability(struct buf *to, const struct changes *t, double p);

#endif

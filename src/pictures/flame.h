/* flame.h - what a flame graph is drawn from: the distinct stacks of a profile, outermost frame first and sorted, so
 * that what calls the same stands together, and what the samples of each had.
 *
 * Frames are told apart by function, file and the line where that starts, or by the line that was running.  Samples
 * that share a stack are told apart by source and labels: a cell is what those of one source and set of labels
 * had.  Sums are made when they are asked for (flame_values.h): there is no table of cells and types. */
#ifndef PROFPIPE_FLAME_H
#define PROFPIPE_FLAME_H

#include "compare/sides.h"
#include "pictures/flame_sort.h"

/* Strings are bytes, not text. */
struct flame_frame {
    struct str name, file; /* the file is empty where it is not known */
    int64_t line;          /* 0: unknown */
    uint32_t entry;        /* in the collection; 0: it stands for what was pruned */
};

/* A type of values that may be added up, as canonical text.  Sums are in units of 10 to the POWER, 0 at most. */
struct flame_type {
    struct str type, unit;
    int power;
};

/* How a type of the flow is taken: as a type from 0, times a factor. */
struct flame_column {
    uint32_t type;
    int64_t times; /* 0: not at all */
};

struct flame_stack {
    uint64_t begin; /* of its frames among PATHS */
    uint32_t depth;
    uint32_t shared; /* so many frames are those of the stack before */
    uint32_t cell;   /* its first one; the next stack's is behind its last */
};

struct flame_cell {
    uint32_t
        first; /* its first stack of the collection, as a place in ORDER; the next cell's is behind its last */
    uint32_t source, labels; /* the source from 1, and a set of labels of the profile */
};

/* Which side a weight is of; of a profile alone all are of the second. */
enum { FLAME_BASE, FLAME_NEW, FLAME_SIDES };

/* What profdiff's test says of the totals of a frame.  Where there are runs enough, what has too little to be tested is
 * noise. */
enum flame_test { FLAME_UNTESTED, FLAME_NOISE, FLAME_SIGNIFICANT };

struct flame {
    const struct sides *sides; /* what was collected */
    bool has_base;             /* there are two sides */
    bool is_inverted;          /* the innermost frame stands first */

    struct flame_frame *frames; /* in their order; frame 1 is the first */
    size_t frame_count;
    uint32_t other;       /* the frame for what was pruned; 0: nothing was */
    unsigned char *tests; /* by frame - 1: an enum flame_test */

    uint32_t *paths; /* frames */
    struct flame_path
        *records;    /* by number of the stack in the collection: its frames and its set */
    uint32_t *order; /* these numbers, sorted */
    size_t record_count;

    struct flame_stack *stacks; /* one more stands behind the last, and so of cells */
    struct flame_cell *cells;
    size_t stack_count, cell_count;
    size_t depth; /* of the deepest one */

    struct flame_type *types;
    struct flame_column *columns; /* by number of a type of the flow - 1 */
    size_t type_count, column_count;
    size_t shown; /* the type that is drawn; there may be no types at all */

    int64_t *weights[FLAME_SIDES]; /* by stack: what it has of that, at least 0; of no base: NULL */
    struct wide all[FLAME_SIDES];  /* all of these together */
    uint64_t below;                /* how many were below 0 */
};

/* How a flame is made. */
struct flame_plan {
    bool is_inverted;
    double
        prune; /* what is less than this share of all, of every type, becomes part of a frame of its parent's */
};

/* Makes F, all zero, of what SIDES, which must be settled and outlive it, has collected of frames and sets of labels; HAS_BASE: of two sides.
 * Counts weights that are below 0, and drawn as nothing (loss.h).  Ends the tool (STATUS_INPUT) where a sum
 * passes 64 bits. */
void flame_make(struct flame *f, const struct sides *sides, bool has_base,
                const struct flame_plan *plan);

/* Turns all stacks around, which costs as much as making F. */
void flame_invert(struct flame *f);

/* Frees what F holds. */
void flame_free(struct flame *f);

#endif

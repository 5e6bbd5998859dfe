/* flame.h - the data of a flame graph: the distinct stacks of a profile with their sums. Stacks are
 * outermost frame first and sorted, so that equal callers are adjacent.
 *
 * Frames differ by function, file and start line, or by the line that was running. Samples with the
 * same stack differ by source and labels: a cell holds those of one source and one set of labels.
 * Sums are computed when needed (flame_values.h); there is no table of cells and types. */
#ifndef PROFPIPE_FLAME_H
#define PROFPIPE_FLAME_H

#include "compare/sides.h"
#include "pictures/flame_sort.h"

/* Strings are bytes, not text. */
struct flame_frame {
    struct str name, file, package; /* empty if not known */
    int64_t line;                   /* 0: unknown */
    uint32_t entry;                 /* in the collection; 0: the frame for pruned ones */
};

/* A type of values that may be added up, as canonical text. Sums are in UNIT times 10 to POWER,
 * which is 0 or less. */
struct flame_type {
    struct str type, unit;
    int power;
};

/* How a type of the flow is converted: to TYPE, from 0, times a factor. */
struct flame_column {
    uint32_t type;
    int64_t times; /* 0: not used */
};

struct flame_stack {
    uint64_t begin; /* of its frames in PATHS */
    uint32_t depth;
    uint32_t shared; /* number of frames shared with the stack before */
    uint32_t cell;   /* its first cell; its cells end where those of the next stack begin */
};

struct flame_cell {
    /* its first stack in the collection, as an index in ORDER; they end where those of the next
     * cell begin */
    uint32_t first;
    uint32_t source, labels; /* source from 1, and a set of LABELS */
};

/* The side of a weight. A single profile is the second. */
enum { FLAME_BASE, FLAME_NEW, FLAME_SIDES };

/* The result of profdiff's test of a frame's total. If there are enough runs, a frame too small to
 * be tested is noise. */
enum flame_test { FLAME_UNTESTED, FLAME_NOISE, FLAME_SIGNIFICANT };

struct flame {
    const struct sides *sides; /* what was collected */
    bool has_base;             /* there are two sides */
    bool is_inverted;          /* the innermost frame comes first */

    struct flame_frame *frames; /* in order; frame 1 is the first */
    size_t frame_count;
    uint32_t other;       /* the frame for pruned ones; 0: nothing was pruned */
    unsigned char *tests; /* by frame - 1: an enum flame_test */

    struct labels labels; /* what a page lets choose: strings are those of the profile */
    struct intern sets;   /* struct collect_set, with sets of LABELS; run 0: they are not told apart */

    uint32_t *paths; /* frames */
    /* by number of the stack in the collection: its frames and its set */
    struct flame_path *records;
    uint32_t *order; /* those numbers, sorted */
    size_t record_count;

    struct flame_stack *stacks; /* with one more at the end, as have the cells */
    struct flame_cell *cells;
    size_t stack_count, cell_count;
    size_t depth; /* of the deepest stack */

    struct flame_type *types;
    struct flame_column *columns; /* by number of a type of the flow - 1 */
    size_t type_count, column_count;
    size_t shown; /* the type that is drawn; there may be no types at all */
                  /* by stack: its value of that type, at least 0; NULL for base if there is none */

    int64_t *weights[FLAME_SIDES];
    struct wide all[FLAME_SIDES]; /* sum of the weights */
    uint64_t below;               /* number of weights below 0 */
};

/* How to make a flame graph. */
struct flame_plan {
    bool is_inverted;
    /* frames with a smaller share of every type are merged into one child of their parent */
    double prune;
    const uint32_t *packages; /* of entries (packages_of) */
};

/* Makes F, all zero, of the frames and sets of labels in SIDES, which must be finished and must
 * outlive F. HAS_BASE: SIDES has two sides. Weights below 0 are drawn as 0 and counted as a loss
 * (loss.h). Ends the tool (STATUS_INPUT) if a sum exceeds 64 bits. */
void flame_make(struct flame *f, const struct sides *sides, bool has_base,
                const struct flame_plan *plan);

/* Reverses all stacks. This costs as much as making F. */
void flame_invert(struct flame *f);

/* Frees what F holds. */
void flame_free(struct flame *f);

#endif

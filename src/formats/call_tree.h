/* call_tree.h - rows of a call tree that is written line by line: each function stands below the one
 * that calls it, with what it cost by itself. */
#ifndef PROFPIPE_CALL_TREE_H
#define PROFPIPE_CALL_TREE_H

#include "base/decimal.h"
#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"

/* All zero but SINK is an empty tree. */
struct call_tree {
    struct sink *sink; /* set: where rows are pushed */
    size_t depth;      /* of the last line, from 1; 0: there was none */

    struct intern functions, modules, locations;
    int64_t *open; /* the locations of the functions that the last one is below, and its own */
    int64_t *stack;
    size_t open_capacity, stack_capacity;
    int64_t sample_id;
    struct bytes_rows rows;
    struct buf extra;
};

/* Pushes the row of the only source, of TYPE, which is IN as REQUEST has it. VALUE_TYPES is the text
 * of its `.value_types`. */
void call_tree_source(struct call_tree *t, struct in *in, const struct read_request *request,
                      struct str type, struct str value_types);

/* Goes to the line of the function NAME in MODULE, bytes (empty: unknown), and pushes those of its rows
 * that are new. DEPTH is from 1, and at most one more than that of the line before. */
void call_tree_enter(struct call_tree *t, size_t depth, struct str name, struct str module);

/* Pushes a sample of that line, which is at WHERE, with the COUNT VALUES and the dotted columns
 * EXTRA. */
void call_tree_sample(struct call_tree *t, struct place where, struct sample_value *values,
                      size_t count, struct str extra);

/* Frees what T holds. */
void call_tree_free(struct call_tree *t);

/* Whether an outermost line and those below it have by themselves what it has with all of them:
 * less shows that lines are missing. All zero but the request: there was no line. */
struct call_tree_sums {
    const struct read_request *request;
    struct place where; /* of the outermost line */
    const char *unit;   /* in messages; NULL: it has no total */
    struct decimal total, sum;
    struct decimal rounding; /* by which the sum may be too low */
};

/* Begins with the outermost line at WHERE, after the one before has been closed. TOTAL, digits
 * (decimal_take), is how many times SIZE it has with all below, in units called UNIT, a literal;
 * empty: the file does not say. */
void call_tree_sums_open(struct call_tree_sums *s, struct place where, struct str total,
                         int64_t size, const char *unit);

/* The line, or one below, has DIGITS times SIZE of UNIT by itself. If that is another unit than
 * that of the total, nothing can be said. */
void call_tree_sums_add(struct call_tree_sums *s, struct str digits, int64_t size,
                        const char *unit);

/* No more lines are below: warns if they have too little, or with `strict` ends the tool
 * (STATUS_INPUT). */
void call_tree_sums_close(struct call_tree_sums *s);

/* Warns of a file at WHERE that has no line but the one with the names, or with `strict` ends
 * the tool (STATUS_INPUT). */
void call_tree_empty(const struct read_request *request, struct place where);

#endif

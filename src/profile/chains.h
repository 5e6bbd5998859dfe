/* chains.h - stacks of rows as stacks of locations, for formats in which a location is a list of
 * lines, each inlined into the next.
 *
 * In rows each line is a location of its own, with the next in its column `.inlined_into`. Where such
 * rows follow each other in a stack they become one location again. */
#ifndef PROFPIPE_CHAINS_H
#define PROFPIPE_CHAINS_H

#include <stddef.h>
#include <stdint.h>

/* What is known of a location row. */
struct chains_row {
    /* in the file: the chain of inlined lines that begins here; 0: not made yet */
    uint32_t location;
    uint32_t into; /* the row that it is inlined into; 0: none */
};

/* All zero, except what the user sets, is empty. */
struct chains {
    /* Set. Makes the location that begins with the row FIRST and has COUNT rows; 0: all rows of the
     * chain. Returns its number, which is not 0. */
    uint32_t (*make)(void *user, uint32_t first, uint32_t count);
    void *user;

    struct chains_row *rows; /* by id - 1 */
    size_t capacity;
    uint32_t *stack; /* the locations of the last stack, innermost first */
    size_t depth, stack_capacity;
};

/* The row ID, from 1, with room made for it; valid until the next call. */
struct chains_row *chains_at(struct chains *c, size_t id);

/* Sets c->stack to that of the DEPTH location rows IDS, innermost first. */
void chains_read(struct chains *c, const int64_t *ids, size_t depth);

/* Frees what C holds. */
void chains_free(struct chains *c);

#endif

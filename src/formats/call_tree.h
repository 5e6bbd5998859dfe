/* call_tree.h - rows of a call tree that is written line by line: each function stands below the one
 * that calls it, with what it cost by itself. */
#ifndef PROFPIPE_CALL_TREE_H
#define PROFPIPE_CALL_TREE_H

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

#endif

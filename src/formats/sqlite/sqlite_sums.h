/* sqlite_sums.h - the sums that a database stores beside its stacks. For each source: the values of
 * samples whose stack ends in a node, or passes through it. The same by the names of frames. */
#ifndef PROFPIPE_SQLITE_SUMS_H
#define PROFPIPE_SQLITE_SUMS_H

#include "base/idmap.h"
#include "base/sums.h"
#include "formats/sqlite/sqlite_db.h"
#include "formats/sqlite/sqlite_stacks.h"

/* A value type in a source. */
struct sqlite_pair {
    uint32_t type, source; /* ids in the database */
};

/* A sum that is not an integer, or has parts that are not. */
struct sqlite_real {
    uint32_t end, pair;
    double sum;
};

/* All zero is empty. */
struct sqlite_sums {
    struct sums sums;     /* of integers, by number of the end - 1 and of the pair - 1 */
    struct idmap numbers; /* of pairs */
    struct sqlite_pair *pairs;
    size_t pair_count, pair_capacity;
    struct idmap real_numbers;
    struct sqlite_real *reals;
    size_t real_count, real_capacity;
};

/* Adds a value to the stacks that end in the node with number END. TYPE and SOURCE are ids in the
 * database. The value is an integer, or a real. */
void sqlite_sums_add(struct sqlite_sums *s, uint32_t end, uint32_t type, uint32_t source,
                     int64_t value);
void sqlite_sums_add_real(struct sqlite_sums *s, uint32_t end, uint32_t type, uint32_t source,
                          double value);

/* Writes the nodes of STACKS and the sums of S to D, which must have all rows that samples refer
 * to. */
void sqlite_sums_write(struct sqlite_sums *s, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d);

/* Frees what S holds. */
void sqlite_sums_free(struct sqlite_sums *s);

#endif

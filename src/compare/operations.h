/* operations.h - how many operations each run did, as results of benchmarks say (--per-op-from). */
#ifndef PROFPIPE_OPERATIONS_H
#define PROFPIPE_OPERATIONS_H

#include "compare/sides.h"
#include "feed/feed.h"

/* What a file says, a result for each of its runs. All zero is empty. */
struct operations {
    struct intern names; /* of the files that results are from, without their endings; bytes */
    struct operations_result {
        uint32_t name; /* the number of that of its file */
        double count;  /* of operations; 0: it says none */
    } * results;
    size_t count, capacity;
};

/* Reads FILE, "-" for standard input, into O, all zero. Its format is any that has values of the
 * type operations, a level, such as those of bench2ndjson(1). Ends the tool (STATUS_INPUT) if a run
 * has results of several benchmarks, or if there is no result. */
void operations_read(struct operations *o, const char *file, const struct read_request *read);

/* The number of operations of each run that S knows, by number - 1; the caller frees it. Where each
 * run's file is called as one file of results, but for what follows a '.' (and the folder, if that
 * is clear), they are those of its results together. Otherwise the n-th result is of the n-th run.
 * Ends the tool (STATUS_USAGE) if there are not as many results as runs, or if only some files are
 * called alike. */
double *operations_of_runs(const struct operations *o, const struct sides *s);

/* Frees what O holds. */
void operations_free(struct operations *o);

#endif

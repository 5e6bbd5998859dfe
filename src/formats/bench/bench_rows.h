/* bench_rows.h - results of benchmarks, collected for rows, whatever text they come from.
 *
 * Sources come before samples, and how many runs there are is known only at the end: results wait
 * in a spool. */
#ifndef PROFPIPE_BENCH_ROWS_H
#define PROFPIPE_BENCH_ROWS_H

#include "base/spool.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"

/* The most values of a result, with how often it was run: far more than there are. */
enum { BENCH_VALUES = 64 };

struct bench {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;

    struct intern keys;
    struct buf *settings; /* by key - 1: bytes; empty: it holds no longer */
    size_t setting_capacity;

    struct intern functions;
    uint32_t *runs; /* by function - 1: how many results it has */
    uint32_t most_runs;
    size_t run_capacity;
    struct intern labels; /* lists of labels: settings, and those of results */
    uint32_t set;         /* the one of the settings now; 0: not known */
    bool *is_listed;      /* by number of a type in the flow - 1 */
    size_t type_count, type_capacity;
    struct buf listed; /* types as `.value_types` has them */
    struct buf last;   /* the last of these: the one that is shown, as in pprof */

    struct spool *results;
    uint64_t result_count;

    /* The result that is being added. */
    uint32_t types[BENCH_VALUES];
    uint32_t value_count;
    struct buf values; /* as the spool has them */
    struct buf extra;  /* its labels */

    struct bytes_rows rows;
    struct buf text, scratch;
};

/* Opens B, which collects results of IN. */
void bench_open(struct bench *b, struct in *in, const struct read_request *request,
                struct sink *sink);

/* From now on each result has the label KEY with VALUE, bytes; none if that is empty. */
void bench_set(struct bench *b, struct str key, struct str value);

/* The setting KEY; empty if there is none. */
struct str bench_setting(const struct bench *b, struct str key);

/* Begins a result. */
void bench_begin(struct bench *b);

/* Adds the label KEY to it: VALUE, bytes, or digits if IS_NUMBER. */
void bench_label(struct bench *b, struct str key, struct str value, bool is_number);

/* Adds the value TEXT, a number, of the type TYPE in UNIT. */
enum bench_added {
    BENCH_ADDED,
    BENCH_NO_NUMBER, /* TEXT is no finite number */
    BENCH_TWICE,     /* the result has a value of this type in this unit */
    BENCH_FULL,      /* it has BENCH_VALUES */
} bench_value(struct bench *b, struct str type, struct str unit, struct str text);

/* Ends the result: it is the next run of the benchmark NAME, bytes. */
void bench_end(struct bench *b, struct str name);

/* Pushes the rows of all results. */
void bench_push(struct bench *b);

/* Frees what B holds. */
void bench_close(struct bench *b);

#endif

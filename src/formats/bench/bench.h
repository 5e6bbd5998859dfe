/* bench.h - results of benchmarks, in each text that there is of them. */
#ifndef PROFPIPE_BENCH_H
#define PROFPIPE_BENCH_H

#include "formats/bench/bench_rows.h"

/* Adds the labels of NAME, which has parts between '/': the first is `name`, and each other that is
 * a key, BETWEEN and a value is a label. */
void bench_name_labels(struct bench *b, struct str name, char between);

/* Reads the results of all of b->in: the text of Go, and JSON of Google's library or of
 * hyperfine. */
void bench_text_read(struct bench *b);
void bench_json_read(struct bench *b);

/* Bids for such inputs (format.h). */
enum bid bench_text_bid(struct str head);
enum bid bench_json_bid(struct str head);

#endif

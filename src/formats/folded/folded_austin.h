/* folded_austin.h - what Austin, a profiler for Python, writes beyond folded stacks:
 *
 *     # austin: 3.4.1
 *     # interval: 1000
 *     # mode: wall
 *     P8374;T0:8375;/x/a.py:main:25;<frozen importlib._bootstrap>:_find_and_load:991 1907
 *
 * Metrics are microseconds, or bytes in mode memory; in mode full "TIME,IDLE,BYTES". */
#ifndef PROFPIPE_FOLDED_AUSTIN_H
#define PROFPIPE_FOLDED_AUSTIN_H

#include "base/buf.h"
#include "rows/row.h"

enum { FOLDED_AUSTIN_VALUES = 3 };

/* What the comments of a file say. All zero: it is not Austin's. */
struct folded_austin {
    bool is_on;
    enum { AUSTIN_WALL, AUSTIN_CPU, AUSTIN_MEMORY, AUSTIN_FULL } mode;
    int64_t interval;  /* of samples, in microseconds; 0: unknown */
    struct buf header; /* comments in front of the stacks, as items of a JSON list */
    struct buf scratch;
};

/* Whether LINE, trimmed, is the comment with which a file of Austin begins. */
bool folded_austin_begins(struct str line);

/* Takes LINE, a comment in front of the stacks; false: the file is not Austin's so far. */
bool folded_austin_take(struct folded_austin *a, struct str line);

/* A value of each line. */
struct folded_austin_type {
    struct str name, unit;
};

/* The types of values in mode a->mode; their number is in *COUNT. */
const struct folded_austin_type *folded_austin_types(const struct folded_austin *a, size_t *count);

/* Moves the metric off the end of *LINE, and stores its values.  False: it has none.  CPU time in mode
 * full is the time if the thread was not idle. */
bool folded_austin_take_values(const struct folded_austin *a, struct str *line,
                               int64_t values[FOLDED_AUSTIN_VALUES]);

/* Moves "P8374;T0:8375", and the ';' behind it, off the start of *STACK to *THREAD; without a process and a
 * thread, nothing. */
void folded_austin_take_thread(struct str *stack, struct str *thread);

/* Appends the column of labels for THREAD: pid, tid, and the interpreter that runs it. */
void folded_austin_add_labels(struct folded_austin *a, struct str thread, struct buf *to);

/* Splits FRAME, "file:function:line"; false if it is no such frame. */
bool folded_austin_split(struct str frame, struct str *file, struct str *function, int64_t *line);

void folded_austin_free(struct folded_austin *a);

#endif

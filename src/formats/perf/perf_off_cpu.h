/* perf_off_cpu.h - waits of threads, from the events of the scheduler that perf has recorded. A
 * thread waits from the switch away from it to the next switch to it. */
#ifndef PROFPIPE_PERF_OFF_CPU_H
#define PROFPIPE_PERF_OFF_CPU_H

#include "base/buf.h"
#include "base/in.h"

#include <stddef.h>
#include <stdint.h>

/* How to record what is needed. */
#define PERF_OFF_CPU_RECORD "perf record -a -e sched:sched_switch -g"

/* An event of the scheduler. Thread 0 is the idle one, which does not wait. */
struct perf_switch {
    bool is_waking;   /* it makes TO ready to run, no more */
    int64_t from, to; /* threads; FROM is not set if it is waking */
    struct str state; /* of FROM, such as S or R+; borrowed from the text */
};

/* Parses the TEXT that perf prints behind EVENT; false if it is no event of the scheduler. */
bool perf_take_switch(struct str event, struct str text, struct perf_switch *s);

/* A wait. */
struct perf_wait {
    bool is_open;
    int64_t start;
    struct buf columns; /* the dotted columns of its sample, with an open list of labels */
    struct buf waker;   /* the name of the thread that ended it, as canonical text; may be empty */
    int64_t *stack;     /* ids of locations, innermost first */
    size_t depth, capacity;
};

struct perf_off_cpu *perf_off_cpu_open(void);

/* Begins a wait of THREAD, which the caller sets. One that is still open has no end. Valid until
 * the next call. */
struct perf_wait *perf_off_cpu_begin(struct perf_off_cpu *o, int64_t thread);

/* The open wait of THREAD, valid until the next call of perf_off_cpu_begin; NULL: there is none. */
struct perf_wait *perf_off_cpu_find(struct perf_off_cpu *o, int64_t thread);

/* Counts an event of the scheduler. */
void perf_off_cpu_count(struct perf_off_cpu *o);

/* Reports waits in IN without an end, and frees O. Ends the tool (STATUS_INPUT) if there were
 * samples (HAS_SAMPLES), but none of the scheduler. */
void perf_off_cpu_close(struct perf_off_cpu *o, const struct in *in, bool has_samples);

#endif

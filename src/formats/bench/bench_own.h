/* bench_own.h - what results of benchmarks have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_BENCH_OWN_H
#define PROFPIPE_BENCH_OWN_H

#define OWN_BENCH(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(bench, IN_ORDER, false, true, false, NULL)

#endif

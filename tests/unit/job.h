/* job.h - the stages of the tools, wired from memory to memory, for tests and fuzzers. */
#ifndef PROFPIPE_JOB_H
#define PROFPIPE_JOB_H

#include "base/buf.h"
#include "compare/compare.h"
#include "filters/agg.h"
#include "filters/select.h"
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/firefox/firefox.h"
#include "formats/folded/folded.h"
#include "formats/formats.h"
#include "formats/otlp/otlp_format.h"
#include "formats/perun/perun.h"
#include "formats/pprof/pprof.h"
#include "formats/rprof/rprof.h"
#include "formats/speedscope/speedscope.h"
#include "formats/sqlite/sqlite.h"
#include "pictures/flame_draw.h"
#include "summary/summary.h"
#include "survive.h"

/* What goes in, how, and what came out. */
struct job {
    struct str input;
    struct str other; /* of job_profdiff: the second input; p NULL: the same again */
    size_t block;     /* most bytes of a read; 0: all at once */
    struct read_request read;
    const struct format *only;                         /* for job_read: what reads the input */
    const struct pprof_write_options *write;           /* for job_pprof; NULL: none are set */
    const struct folded_write_options *folded;         /* for job_to_folded; the same */
    const struct speedscope_write_options *speedscope; /* for job_to_speedscope; the same */
    const struct perun_write_options *perun;           /* for job_to_perun; the same */
    const struct sqlite_write_options *sqlite;         /* for job_to_sqlite; the same */
    bool uses_sqlite;                                  /* which may do without some memory */
    const struct summary_options *summary;             /* for job_profsum; the same */
    const struct compare_options *compare;             /* for job_profdiff; the same */
    const struct flame_options *flame;                 /* for job_profflame; the same */
    const struct otlp_write_options *otlp;             /* for job_to_otlp; the same */
    const struct agg_options *agg;                     /* for job_profagg; the same */
    const struct select_options *select;               /* for job_proffilter; the same */
    struct str rules;                                  /* lines for --rules; empty: none */
    struct buf out;                                    /* until tidy() */
};

/* For survive(): the tools of these names on the struct job JOB, job_read the converter of its format, job_pprof being ndjson2pprof,
 * job_to_rprof ndjson2rprof, job_to_folded ndjson2folded, job_to_speedscope ndjson2speedscope,
 * job_to_cpuprofile ndjson2cpuprofile, job_to_firefox ndjson2firefox, job_to_otlp ndjson2otlp, job_to_perun ndjson2perun, job_to_sqlite ndjson2sqlite, job_sqlite sqlite2ndjson, job_from_pprof pprof2ndjson; job_profdiff compares the input with itself; and the other
 * six rprof2ndjson, rprofmem2ndjson, folded2ndjson, perf2ndjson, speedscope2ndjson and perun2ndjson. */
void job_read(void *job);
void job_rprof(void *job);
void job_rprofmem(void *job);
void job_folded(void *job);
void job_perf(void *job);
void job_speedscope(void *job);
void job_perun(void *job);
void job_sqlite(void *job);
void job_from_pprof(void *job);
void job_profcat(void *job);
void job_proffilter(void *job);
void job_prof1to2(void *job);
void job_prof2to1(void *job);
void job_profsort(void *job);
void job_pprof(void *job);
void job_to_rprof(void *job);
void job_to_folded(void *job);
void job_to_speedscope(void *job);
void job_to_cpuprofile(void *job);
void job_to_firefox(void *job);
void job_to_otlp(void *job);
void job_to_perun(void *job);
void job_to_sqlite(void *job);
void job_profsum(void *job);
void job_profagg(void *job);
void job_profdiff(void *job);
void job_profflame(void *job);

/* For survive(): profvalidate --pass, and in any order, without the rules that the merge does not
 * ask for in all that it takes (job.c lists them); ends with STATUS_INPUT where there is a finding. */
void job_profvalidate(void *job);
void job_profvalidate_any_order(void *job);

/* For survive(): profvalidate --pass by all rules. */
void job_profvalidate_all(void *job);

/* Runs STAGE on JOB to its end and returns a copy of what came out, which the caller frees by
 * str_free.  Ends the test where the stage dies. */
struct str job_result(void (*stage)(void *), struct job *job);

/* A copy of S from malloc, for str_free; exactly as long, so that AddressSanitizer sees a read
 * beyond it. */
struct str str_copy(struct str s);
void str_free(struct str s);

/* BYTES as one gzip member, from zlib itself; for str_free. */
struct str gzipped(struct str bytes);

/* What the gzip members BYTES hold, from zlib itself; for str_free.  p is NULL where they are not
 * whole. */
struct str gunzipped(struct str bytes);

/* One file of samples, without gzip, and its rows by the library's own reader. */
struct sample_file {
    char name[64];
    struct str text, rows;
};

/* All of samples/rprof, in the order of their names; ends the test where there is none. */
const struct sample_file *samples(size_t *count);

/* The same of samples/pprof, and of what the fuzzers of pprof begin with. */
const struct sample_file *pprof_samples(size_t *count);

/* The next of a sequence of numbers that depends on *STATE alone (splitmix64). */
uint64_t random_next(uint64_t *state);

#endif

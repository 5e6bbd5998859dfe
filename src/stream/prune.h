/* prune.h - the sink for filters that drop samples or frames: it also drops what is then unused.
 *
 * Push all rows that define something, with ids as the merge makes them (STAGE_TAKES_MERGED or
 * STAGE_TAKES_NUMBERED in stage.h).  Functions, locations, sources, and rows of dotted tables
 * about a source wait until a sample that stays uses them (define.h).  Rows of dotted tables
 * about a dropped sample are dropped.  The rest gets new ids, dense and in order of appearance.
 * All mappings stay, in order: the first one may be the program itself.  Memory is proportional
 * to the distinct rows. */
#ifndef PROFPIPE_PRUNE_H
#define PROFPIPE_PRUNE_H

#include "stream/define.h"
#include "stream/samplemap.h"
#include "stream/sink.h"

struct prune {
    struct sink sink;
    struct sink *next;
    struct define define;
    struct samplemap samples;      /* from the old ids to the new ones */
    struct prune_source *sources;  /* by id - 1 */
    struct prune_waiting *waiting; /* rows of dotted tables about a source that waits */
    size_t source_count, source_capacity, waiting_count, waiting_capacity;
    struct arena waiting_texts;
    struct buf extra;
};

/* A sink that pushes what is left to NEXT.  A sample that is pushed to it stays, with its whole
 * stack. */
struct prune prune_of(struct sink *next);

/* Keeps SAMPLE with the COUNT frames of its stack at the indexes PLACES, from 0 and rising. */
void prune_sample(struct prune *p, struct sample *sample, const uint32_t *positions, size_t count);

/* Notes that SAMPLE was dropped.  A source that has lost all its samples is dropped, too; one
 * that never had any stays. */
void prune_leave_out(struct prune *p, const struct sample *sample);

/* Drops the source that was pushed last, and all rows about it; none of its samples may be
 * pushed. */
void prune_leave_out_source(struct prune *p);

/* Keeps the source that was pushed last, even if all its samples are dropped. */
void prune_keep_source(struct prune *p);

/* The row of TABLE, functions or locations, that arrived with ID. */
const struct row *prune_row(const struct prune *p, enum table table, int64_t id);

/* Frees what P holds. */
void prune_free(struct prune *p);

#endif

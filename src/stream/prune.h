/* prune.h - the sink of a filter that leaves samples or frames out: what nothing refers to any more goes, too.
 *
 * Rows come with ids as the merge gives them (STAGE_TAKES_MERGED or STAGE_TAKES_NUMBERED in stage.h), and
 * all that define something come.  Functions, locations and sources wait until a sample that stays uses them
 * (define.h), and so do rows of dotted tables about a source.  Rows of dotted tables that refer to a sample
 * that did not come go.  What is left has new ids, dense and in order of appearance.  Mappings all stay, in
 * their order: the first one may stand for the program itself.  Memory: what is distinct. */
#ifndef PROFPIPE_PRUNE_H
#define PROFPIPE_PRUNE_H

#include "stream/define.h"
#include "stream/samplemap.h"
#include "stream/sink.h"

struct prune {
    struct sink sink;
    struct sink *next;
    struct define define;
    struct samplemap samples;      /* from the ids that come to those that go out */
    struct prune_source *sources;  /* by id - 1 */
    struct prune_waiting *waiting; /* rows of dotted tables about a source that waits */
    size_t source_count, source_capacity, waiting_count, waiting_capacity;
    struct arena waiting_texts;
    struct buf extra;
};

/* A sink that pushes to NEXT what is left.  A sample that is pushed to it stays, with its whole stack. */
struct prune prune_of(struct sink *next);

/* SAMPLE stays, with the COUNT frames of its stack at PLACES, from 0 and rising. */
void prune_sample(struct prune *p, struct sample *sample, const uint32_t *places, size_t count);

/* SAMPLE has been left out.  A source of which nothing is left then goes; one that never had a sample stays. */
void prune_leave_out(struct prune *p, const struct sample *sample);

/* The source that was pushed last has been left out, with all rows about it; none of its samples may be pushed. */
void prune_leave_out_source(struct prune *p);

/* The source that was pushed last stays, even where none of its samples does. */
void prune_keep_source(struct prune *p);

/* The row of TABLE, functions or locations, that came with ID. */
const struct row *prune_row(const struct prune *p, enum table table, int64_t id);

/* Frees what P holds. */
void prune_free(struct prune *p);

#endif

/* split.h - which run a sample belongs to: that of its file, or one that its labels say.
 *
 * A run is of one side. Without options each source is a run, of the side where its file was named.
 * Labels may say the side instead (--sides), the run (--runs), or both. */
#ifndef PROFPIPE_SPLIT_H
#define PROFPIPE_SPLIT_H

#include "profile/label_key.h"
#include "rows/sample.h"

/* What says the side and the run. All zero: files. */
struct split_how {
    struct str texts[2]; /* what the side is called: base, new; bytes */
    struct split_by {
        bool is_set;          /* else the source says it */
        bool is_source;       /* the name of the source does */
        struct label_key key; /* else this label */
    } side, run;
};

/* A source that is a run, or part of one. No padding: equal parts are equal bytes. */
struct split_part {
    uint32_t run, source; /* from 1 */
};

/* All zero, except for how, is empty. */
struct split {
    struct split_how how;
    struct intern runs;  /* what distinguishes them */
    struct intern parts; /* struct split_part */
    bool has_samples;
    bool has_side[2];     /* some sample is of base, of new */
    struct intern others; /* some values of the key that say neither side */
    struct buf text;
};

/* Parses the arguments of --sides, KEY:BASE,NEW, and --runs, KEY; NULL: not given. A KEY is that
 * of a label, which may begin with "label:", or "source". Ends the tool (STATUS_USAGE) if one is
 * not valid. */
struct split_how split_parse(const char *sides, const char *runs);

/* The part that SAMPLE, merged, belongs to, a number from 1; 0: it is of neither side. P has its
 * sources and takes strings; IS_NEW is the side where its source was named. A part that is new, or
 * a run, has the largest number so far. */
uint32_t split_find(struct split *s, struct profile *p, const struct sample *sample, bool is_new,
                    struct place where);

/* The part of the source number SOURCE, which is a run by itself. */
uint32_t split_add_source(struct split *s, uint32_t source, bool is_new);

/* Part NUMBER. */
static inline struct split_part split_part_of(const struct split *s, uint32_t number)
{
    struct split_part part;
    memcpy(&part, intern_get(&s->parts, number).p, sizeof part);
    return part;
}

/* Whether labels say something: else each source is a run. */
static inline bool split_is_on(const struct split *s)
{
    return s->how.side.is_set || s->how.run.is_set;
}

/* Whether RUN is of new. */
bool split_is_new(const struct split *s, uint32_t run);

/* Appends to TO the name of RUN, canonical text: that of its source, with the label that says the
 * side, if one does, or the label that says the run. */
void split_add_name(const struct split *s, const struct profile *p, uint32_t run, struct buf *to);

/* Ends the tool if no sample has the key or a value of --sides: with the status of a failed check
 * if IS_GATE, else of a bad input. Warns if none has the key of --runs. Without samples nothing is
 * missed. */
void split_check(struct split *s, bool is_gate);

/* Frees what S holds. */
void split_free(struct split *s);

#endif

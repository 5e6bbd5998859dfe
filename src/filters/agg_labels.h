/* agg_labels.h - frames made of labels, of the source and of the types of samples, at the root or at
 * the leaf of stacks.
 *
 * Each distinct text is one function with one location. Their rows are pushed after all others, so
 * until then a frame has a number of its own, from the top of the range. */
#ifndef PROFPIPE_AGG_LABELS_H
#define PROFPIPE_AGG_LABELS_H

#include "filters/agg.h"
#include "filters/agg_names.h"
#include "profile/label_key.h"
#include "profile/naming.h"

/* What a frame is made of. */
struct agg_label {
    enum { AGG_LABEL_KEY, AGG_LABEL_SOURCE, AGG_LABEL_TYPE } kind;
    struct label_key key; /* of AGG_LABEL_KEY */
};

/* All zero is empty. */
struct agg_labels {
    struct agg_label *items; /* roots, then leaves, each with the outermost first */
    size_t root_count, count;
    bool has_type; /* a frame of a stack is the type, so each type has a stack of its own */
    struct profile profile;
    struct naming_sources names;
    uint32_t *sources; /* by source - 1: its name, a string of the profile */
    size_t source_capacity;
    struct intern frames; /* their texts, bytes */
    int64_t base;         /* once rows are pushed: the location before the first of theirs */
    struct buf text;
};

/* Sets L, which is all zero, to what ROOTS and LEAVES ask for. */
void agg_labels_open(struct agg_labels *l, const struct agg_keys *roots,
                     const struct agg_keys *leaves);

/* Takes ROW, of sources, at WHERE. */
void agg_labels_source(struct agg_labels *l, const struct row *row, struct place where);

/* Puts the frames of SAMPLE around its stack: FRAMES has the DEPTH frames of the stack, innermost
 * first, after room for the leaves, and has room for the roots after them. TYPE is canonical text,
 * if has_type. Returns the new depth. */
size_t agg_labels_wrap(struct agg_labels *l, const struct sample *sample, struct str type,
                       struct place where, int64_t *frames, size_t depth);

/* Pushes the rows of all frames to NAMES, after those of all others. */
void agg_labels_push(struct agg_labels *l, struct agg_names *names);

/* The location of FRAME of a stack: one of L's own, or FRAME itself. */
static inline int64_t agg_labels_location(const struct agg_labels *l, uint32_t frame)
{
    const uint32_t number = UINT32_MAX - frame;
    return number < l->frames.count ? l->base + 1 + number : frame;
}

/* Warns of each label that no sample has. */
void agg_labels_finish(const struct agg_labels *l);

/* Frees what L holds. */
void agg_labels_free(struct agg_labels *l);

#endif

/* folded_write.h - shared by the parts of the writer of folded stacks: folded_write.c reads rows
 * and samples, folded_write_sources.c reads sources, folded_write_frames.c turns functions and
 * locations into text, folded_write_lines.c writes the lines. */
#ifndef PROFPIPE_FOLDED_WRITE_H
#define PROFPIPE_FOLDED_WRITE_H

#include "base/amount.h"
#include "base/buf.h"
#include "base/spool.h"
#include "formats/folded/folded.h"
#include "formats/folded/folded_text.h"
#include "profile/choice.h"

/* The columns of a line. Sums have three columns per type: two for these sides, and one that counts
 * the values that were 0. Without that count a line of zeros would look like no line at all.
 * (amount.h knows of values that cancel out.) */
enum { FOLDED_SIDES = 2, FOLDED_ZEROS = FOLDED_SIDES, FOLDED_SUMS };

struct folded_source {
    unsigned column; /* the column of a two-column file, from 1; 0: not known */
    unsigned side;
};

struct folded_location {
    /* Numbers of texts: of the frame itself, and of the frame when inlined into location INTO. 0:
     * none. */
    uint32_t text, inlined, into;
    enum folded_kind seems; /* a reader would take TEXT for this kind, wrongly; FOLDED_PLAIN: no */
};

struct folded_writer {
    struct sink sink;
    struct folded_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the type to write */
    uint32_t counts;      /* the type samples/count */
    int power;            /* lines are in units of choice.unit times 10 to this power */

    struct folded_source *sources;
    size_t source_capacity;
    struct folded_source read; /* the part of the row being read that is kept */

    enum folded_kind *mapped; /* by mapping - 1 */
    uint32_t *names;          /* by function - 1: number of its text */
    struct folded_location *locations;
    size_t mapped_capacity, name_capacity, location_capacity;

    struct intern texts; /* of frames, as written */
    struct folded_ends { /* by number - 1; 0: not known yet */
        uint32_t as_root, as_leaf;
    } * ends;
    size_t end_capacity;

    /* The sample being read. */
    uint32_t *stack; /* texts, outermost first */
    size_t depth, stack_capacity;
    struct sums_part *parts;
    struct amount_columns digits;
    size_t part_count, part_capacity;

    struct spool *spool; /* samples, where each gets a line */
    struct buf text, scratch;
};

static inline struct place folded_place(const struct folded_writer *w)
{
    return w->sink.flow->where;
}

/* --- folded_write_sources.c --- */

/* Reads a row of sources. */
void folded_read_source(struct folded_writer *w, const struct row *row);

/* Keeps MEMBER of the row of sources being read (profile.h). */
bool folded_keep(void *writer, const struct row *row, const struct member *member, uint32_t *other);

/* --- folded_write_frames.c --- */

/* Read a row of .mappings, functions, locations. */
void folded_read_mapping(struct folded_writer *w, const struct row *row);
void folded_read_function(struct folded_writer *w, const struct row *row);
void folded_read_location(struct folded_writer *w, const struct row *row);

/* Sets the stack of the sample to the DEPTH locations IDS, innermost first. */
void folded_read_stack(struct folded_writer *w, const int64_t *ids, size_t depth);

/* --- folded_write_lines.c --- */

/* Stores the sample for its line. */
void folded_keep_sample(struct folded_writer *w);

/* Writes all lines. */
void folded_write_lines(struct folded_writer *w);

#endif

/* folded_write.h - what the parts of the writer of folded stacks share: folded_write.c reads rows and
 * samples, folded_write_sources.c what sources say, folded_write_frames.c functions and locations,
 * which become text, and folded_write_lines.c writes the lines. */
#ifndef PROFPIPE_FOLDED_WRITE_H
#define PROFPIPE_FOLDED_WRITE_H

#include "base/amount.h"
#include "base/buf.h"
#include "base/spool.h"
#include "formats/folded/folded.h"
#include "formats/folded/folded_text.h"
#include "profile/choice.h"

/* The columns of a line.  Sums have three for each type: one for each of these, and how many values
 * were 0, so that a line is there which nobody could tell from none otherwise.  (Those that cancel out are told by
 * amount.h.) */
enum { FOLDED_SIDES = 2, FOLDED_ZEROS = FOLDED_SIDES, FOLDED_SUMS };

struct folded_source {
    unsigned column; /* of a file with two, from 1; 0: it says of none */
    unsigned side;
};

struct folded_location {
    /* Numbers of text: by itself, and behind the location INTO that it is inlined into; 0: none. */
    uint32_t text, inlined, into;
    enum folded_kind seems; /* what TEXT reads as and is not; FOLDED_PLAIN: nothing */
};

struct folded_writer {
    struct sink sink;
    struct folded_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the type that is written */
    uint32_t counts;      /* the type samples/count */
    int power;            /* lines are in units of 10 to this of choice.unit */

    struct folded_source *sources;
    size_t source_capacity;
    struct folded_source read; /* what is kept of the row being read */

    enum folded_kind *mapped; /* by mapping - 1 */
    uint32_t *names;          /* by function - 1: number of the text */
    struct folded_location *locations;
    size_t mapped_capacity, name_capacity, location_capacity;

    struct intern texts; /* of frames, as they are written */
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

    struct spool *spool; /* samples, where each is a line */
    struct buf text, scratch;
};

static inline struct place folded_place(const struct folded_writer *w)
{
    return w->sink.flow->where;
}

/* --- folded_write_sources.c --- */

/* Reads a row of sources. */
void folded_read_source(struct folded_writer *w, const struct row *row);

/* Keeps MEMBER, of the row of sources that is being read (profile.h). */
bool folded_keep(void *writer, const struct row *row, const struct member *member, uint32_t *other);

/* --- folded_write_frames.c --- */

/* Read a row of .mappings, functions, locations. */
void folded_read_mapping(struct folded_writer *w, const struct row *row);
void folded_read_function(struct folded_writer *w, const struct row *row);
void folded_read_location(struct folded_writer *w, const struct row *row);

/* Makes the DEPTH locations IDS, innermost first, the stack of the sample. */
void folded_read_stack(struct folded_writer *w, const int64_t *ids, size_t depth);

/* --- folded_write_lines.c --- */

/* Keeps the sample for its line. */
void folded_keep_sample(struct folded_writer *w);

/* Writes all lines. */
void folded_write_lines(struct folded_writer *w);

#endif

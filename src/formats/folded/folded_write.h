/* folded_write.h - what the parts of the writer of folded stacks share: folded_write.c reads rows and
 * samples, folded_write_types.c what sources say and which of their types is written,
 * folded_write_frames.c functions and locations, which become text, and folded_write_lines.c writes
 * the lines. */
#ifndef PROFPIPE_FOLDED_WRITE_H
#define PROFPIPE_FOLDED_WRITE_H

#include "base/buf.h"
#include "base/spool.h"
#include "formats/folded/folded.h"
#include "formats/folded/folded_text.h"
#include "profile/shown.h"

/* The columns of a line.  Sums have three for each type: one for each of these, and how many values
 * were 0, so that a line is there which nobody could tell from none otherwise. */
enum { FOLDED_SIDES = 2, FOLDED_ZEROS = FOLDED_SIDES, FOLDED_SUMS };

/* A type of values, by its number in the flow - 1. */
struct folded_type {
    uint64_t count;  /* of its values, but for levels */
    uint64_t levels; /* those of sources where it is a gauge */
    size_t source;   /* the last one that was seen to have it, from 1 */
    bool is_used;    /* some source has it, and as no gauge */
    bool is_gauge;   /* it is one in some source */
    int64_t
        times; /* once types are settled: what one is in the unit that is written; 0: it is not */
    bool misfits; /* it would be written, but its unit does not convert */
};

struct folded_source {
    struct shown shown;
    uint32_t *gauges; /* numbers of its types that are levels */
    size_t gauge_count, gauge_capacity;
    bool is_listed;  /* its types are those of its `.value_types` */
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
    struct arena arena;
    struct str wanted_type, wanted_unit; /* --type, canonical text; empty: none */
    struct buf wanted[2];

    struct folded_source *sources;
    size_t source_count, source_capacity;
    struct folded_source read; /* what is kept of the row being read */
    struct folded_type *types;
    size_t type_capacity;
    uint32_t shown; /* once types are settled: the number of one that is written */

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
    size_t part_count, part_capacity;

    struct spool *spool; /* samples, where each is a line */
    struct buf text, scratch;
};

static inline struct place folded_place(const struct folded_writer *w)
{
    return w->sink.flow->where;
}

/* --- folded_write_types.c --- */

/* Reads --type. */
void folded_want_type(struct folded_writer *w);

/* Reads a row of sources. */
void folded_read_source(struct folded_writer *w, const struct row *row);

/* Keeps MEMBER, of the row of sources that is being read (profile.h). */
bool folded_keep(void *writer, const struct row *row, const struct member *member, uint32_t *other);

/* Whether values of the type NUMBER are levels in SOURCE: then this one is left out, and counted. */
bool folded_leave_level(struct folded_writer *w, const struct folded_source *source,
                        uint32_t number);

/* Notes that SOURCE has a value of the type NUMBER. */
void folded_note_value(struct folded_writer *w, struct folded_source *source, uint32_t number);

/* After the last row: decides which types are written, and counts the values of others.  Ends the tool
 * (STATUS_INPUT) where what --type asks for cannot be had. */
void folded_settle_types(struct folded_writer *w);

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

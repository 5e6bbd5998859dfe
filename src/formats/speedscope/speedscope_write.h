/* speedscope_write.h - what the parts of the writer of speedscope's format share: speedscope_write.c reads
 * samples, speedscope_write_sources.c what sources say and which profiles come of that,
 * speedscope_write_frames.c functions and locations, which become frames, speedscope_write_sums.c adds samples
 * up, and speedscope_write_file.c writes the file. */
#ifndef PROFPIPE_SPEEDSCOPE_WRITE_H
#define PROFPIPE_SPEEDSCOPE_WRITE_H

#include "base/amount.h"
#include "base/spools.h"
#include "base/wide.h"
#include "formats/speedscope/speedscope.h"
#include "profile/default_type.h"
#include "rows/loss.h"

/* Numbers are doubles there: above this an integer may not be one. */
#define SPEEDSCOPE_EXACT_MAX (INT64_C(1) << 53)

/* What a source that was read from such a file says of one of its profiles. */
struct speedscope_facts {
    struct str name, unit; /* text of a JSON string; p is NULL where none is said */
    struct str start, end; /* numbers; the same */
    bool active;           /* it is the one that is shown first */
    bool evented;          /* it had events, of which samples were made */
    int64_t marked; /* the number of its source, where it said what its values are; 0: it did not */
};

/* A profile of the file: the values of one type that a source has. */
struct speedscope_entry {
    size_t source;  /* from 1 */
    uint32_t type;  /* a number in the flow */
    bool is_listed; /* the source lists it in `.value_types` */
    uint64_t count; /* of its values other than 0 */
    bool is_gauge;  /* it is none, since its values must not be added up: they are left out, */
    enum loss dropped_as; /* as this; and so are values below 0 of others */
    bool is_known;        /* its source was read from a file that says FACTS of it */
    struct speedscope_facts facts;
    uint32_t samples, weights; /* their runs; of an evented one the first has the events */
    uint64_t left_out;         /* values of a gauge, or below 0 */

    struct wide whole;    /* the sum of its integers */
    struct decimal parts; /* and of others */

    /* The stack of the sample before, where there are events: frames, outermost first. */
    uint32_t *open;
    size_t depth, open_capacity;
    struct decimal at; /* when its events stop so far */

    struct amount sum; /* of a stack, while sums are written */
    bool is_summed;
};

struct speedscope_source {
    struct str kind, uri;      /* text of a JSON string; p is NULL where there is none */
    bool is_own;               /* it was read from such a file, whose name and exporter these are */
    struct str name, exporter; /* the same */
    struct speedscope_facts *facts; /* of its types, in the order of its `.value_types` */
    size_t facts_count, facts_capacity;
    struct default_type shown;
    uint32_t
        time; /* the type of what its samples/count stand for, which is written instead; 0: none */
    int64_t period; /* how much of it each does */
};

/* A frame: its name and file are strings of the profile.  All zero but for these before it is read. */
struct speedscope_frame {
    uint32_t name, file;
    int64_t line, col;                 /* 0: none, or it has several */
    bool has_file, has_line, has_col;  /* they are to be written, be they empty or 0 */
    bool is_read;                      /* a location has become this frame */
    bool is_split;                     /* its locations differ in line or column */
    uint64_t line_count, column_count; /* of its locations that have one */
};

/* Where the values of a type went last. */
struct speedscope_known {
    size_t source;
    uint32_t entry; /* from 0 */
};

struct speedscope_writer {
    struct sink sink;
    struct speedscope_write_options options;
    struct out *out;
    struct profile profile;
    struct arena arena;
    struct spools *spools;

    struct speedscope_source *sources;
    size_t source_count, source_capacity;
    struct speedscope_entry *entries;
    size_t entry_count, entry_capacity;
    struct intern entry_keys; /* source and type; the number is the place in entries, plus 1 */
    struct speedscope_known *known; /* by type - 1 */
    size_t known_capacity;
    struct speedscope_source read; /* what is kept of the row of sources that is being read */

    struct speedscope_frame *frames;
    size_t frame_count, frame_capacity;
    struct intern frame_keys; /* what tells them apart; the number is the place in frames, plus 1 */
    uint32_t *frame_of;       /* by location - 1 */
    size_t frame_of_capacity;
    struct speedscope_own { /* what is kept of the row of locations that is being read */
        int64_t copy, line, col;
        bool has_file, has_line, has_col;
    } own;

    /* The stack of the sample: frames, outermost first; and its text, in which frames end at ENDS. */
    uint32_t *stack;
    size_t depth, stack_capacity;
    struct buf text;
    size_t *ends;
    size_t end_capacity;
    bool has_text;
    uint32_t counts; /* the type samples/count */
    struct buf number, scratch;
    uint64_t inexact; /* values that speedscope rounds */

    /* Sums, where they are asked for. */
    struct amount_columns digits;
    struct sums_part *parts;
    size_t part_count, part_capacity;
};

static inline struct place speedscope_place(const struct speedscope_writer *w)
{
    return w->sink.flow->where;
}

/* Whether ENTRY is written as events. */
static inline bool speedscope_is_evented(const struct speedscope_writer *w,
                                         const struct speedscope_entry *entry)
{
    return entry->facts.evented && !w->options.aggregate;
}

/* --- speedscope_write.c --- */

/* Makes w->text the text of w->stack, of DEPTH frames, SAME of which stand there already. */
void speedscope_spell(struct speedscope_writer *w, size_t same, size_t depth);

/* Appends the sample in w->text with the weight WEIGHT, text, to ENTRY. */
void speedscope_add_sample(struct speedscope_writer *w, struct speedscope_entry *entry,
                           struct str weight);

/* --- speedscope_write_sources.c --- */

/* Reads a row of sources. */
void speedscope_read_source(struct speedscope_writer *w, const struct row *row);

/* Keeps MEMBER, of the row of sources that is being read (profile.h). */
bool speedscope_keep_of_source(struct speedscope_writer *w, const struct row *row,
                               const struct member *member);

/* The entry that values of TYPE, a number in the flow, of source number SOURCE belong to; valid until the
 * next one is asked for. */
struct speedscope_entry *speedscope_entry_of(struct speedscope_writer *w, size_t source,
                                             uint32_t type);

/* --- speedscope_write_frames.c --- */

/* Keeps MEMBER, of the row of locations that is being read (profile.h). */
bool speedscope_keep_of_location(struct speedscope_writer *w, const struct member *member);

/* Read a row of functions, locations. */
void speedscope_read_function(struct speedscope_writer *w, const struct row *row);
void speedscope_read_location(struct speedscope_writer *w, const struct row *row);

/* Makes the DEPTH locations IDS, innermost first, the stack of the sample, and its text, unless that
 * is not NEEDED. */
void speedscope_read_stack(struct speedscope_writer *w, const int64_t *ids, size_t depth,
                           bool needed);

/* Writes the list of frames. */
void speedscope_write_frames(struct speedscope_writer *w);

/* --- speedscope_write_sums.c --- */

/* Adds X, a value of ENTRY, to the sample that is going to be added up. */
void speedscope_add_part(struct speedscope_writer *w, const struct speedscope_entry *entry,
                         struct decimal x);

/* Adds the sample up. */
void speedscope_keep_sample(struct speedscope_writer *w);

/* After the last row: makes samples of the sums, in the order of the names of their frames. */
void speedscope_finish_sums(struct speedscope_writer *w);

/* --- speedscope_write_file.c --- */

/* Writes the file. */
void speedscope_write_file(struct speedscope_writer *w);

#endif

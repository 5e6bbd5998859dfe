/* speedscope_write.h - profile rows to the format of speedscope: see ndjson2speedscope(1). */
#ifndef PROFPIPE_SPEEDSCOPE_WRITE_H
#define PROFPIPE_SPEEDSCOPE_WRITE_H

#include "base/amount.h"
#include "base/spools.h"
#include "base/wide.h"
#include "formats/speedscope/speedscope.h"
#include "profile/default_type.h"
#include "profile/profile.h"
#include "rows/loss.h"

/* speedscope's numbers are doubles: integers above this may not be exact. */
#define SPEEDSCOPE_EXACT_MAX (INT64_C(1) << 53)

/* What is known of a profile in the speedscope file that a source was read from. */
struct speedscope_facts {
    struct str name, unit; /* text of a JSON string; null p: not given */
    struct str start, end; /* numbers; null p: not given */
    bool active;           /* the profile shown first */
    bool evented;          /* it had events, from which the samples were made */
    int64_t marked;        /* the number of its source, if it has our mark; 0: no mark */
};

/* A profile of the file: the values of one type in one source. */
struct speedscope_entry {
    size_t source;        /* from 1 */
    uint32_t type;        /* number in the flow */
    bool is_listed;       /* the source lists it in `.value_types` */
    uint64_t count;       /* number of values other than 0 */
    bool is_gauge;        /* its values must not be added up, so it is not written; */
    enum loss dropped_as; /* they are counted as this loss, as are values below 0 of other types */
    bool is_known;        /* its source comes from a speedscope file with FACTS about it */
    struct speedscope_facts facts;
    uint32_t samples, weights; /* their runs; with events the first holds the events */
    uint64_t left_out;         /* number of values not written: of a gauge, or below 0 */

    struct wide whole;    /* sum of its integers */
    struct decimal parts; /* sum of its other values */

    /* For events: the stack of the sample before, frames outermost first. */
    uint32_t *open;
    size_t depth, open_capacity;
    struct decimal at; /* end of its events so far */

    struct amount sum; /* of a stack, while sums are written */
    bool is_summed;
};

struct speedscope_source {
    struct str kind, uri; /* text of a JSON string; null p: none */
    /* it was read from a speedscope file, which gives name and exporter */
    bool is_own;
    struct str name, exporter;      /* text of a JSON string; null p: none */
    struct speedscope_facts *facts; /* by its types, in the order of its `.value_types` */
    size_t facts_count, facts_capacity;
    struct default_type shown;
    uint32_t time;  /* the type derived from samples/count and written instead; 0: none */
    int64_t period; /* the amount of it per sample */
};

/* A frame. NAME and FILE are strings of the profile. All else is zero until the frame is read. */
struct speedscope_frame {
    uint32_t name, file;
    int64_t line, col;                 /* 0: none, or several */
    bool has_file, has_line, has_col;  /* write it even if empty or 0 */
    bool is_read;                      /* a location uses this frame */
    bool is_split;                     /* its locations differ in line or column */
    uint64_t line_count, column_count; /* number of its locations that have one */
};

/* The entry of the last value of a type. */
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
    struct intern entry_keys;       /* source and type; the number is the index in entries + 1 */
    struct speedscope_known *known; /* by type - 1 */
    size_t known_capacity;
    struct speedscope_source read; /* the part of the row of sources being read that is kept */

    struct speedscope_frame *frames;
    size_t frame_count, frame_capacity;
    struct intern frame_keys; /* the number is the index in frames + 1 */
    uint32_t *frame_of;       /* by location - 1 */
    size_t frame_of_capacity;
    struct speedscope_own { /* the part of the row of locations being read that is kept */
        int64_t copy, line, col;
        bool has_file, has_line, has_col;
    } own;

    /* The stack of the sample: frames, outermost first, and its text. ENDS are the offsets at which
     * frames end in the text. */
    uint32_t *stack;
    size_t depth, stack_capacity;
    struct buf text;
    size_t *ends;
    size_t end_capacity;
    bool has_text;
    uint32_t counts; /* the type samples/count */
    struct buf number, scratch;
    uint64_t inexact; /* number of values that speedscope rounds */

    /* Sums, if requested. */
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

/* --- sources (speedscope_write_sources.c) --- */

/* Keeps MEMBER of the row of sources being read (profile.h). */
bool speedscope_keep_of_source(struct speedscope_writer *w, const struct row *row,
                               const struct member *member);

/* The entry for values of TYPE, a number in the flow, in source number SOURCE; valid until the next
 * call. */
struct speedscope_entry *speedscope_entry_of(struct speedscope_writer *w, size_t source,
                                             uint32_t type);

/* Reads a row of sources. */
void speedscope_read_source(struct speedscope_writer *w, const struct row *row);

/* --- frames (speedscope_write_frames.c) --- */

/* Keeps MEMBER of the row of locations being read (profile.h). */
bool speedscope_keep_of_location(struct speedscope_writer *w, const struct member *member);

/* Reads a row of functions. */
void speedscope_read_function(struct speedscope_writer *w, const struct row *row);

/* The same for a row of locations. */
void speedscope_read_location(struct speedscope_writer *w, const struct row *row);

/* Writes the list of frames. */
void speedscope_write_frames(struct speedscope_writer *w);

/* --- samples (speedscope_write.c) --- */

/* Sets w->text to the text of w->stack, DEPTH frames. The text of the first SAME frames is already
 * there. */
void speedscope_spell_stack(struct speedscope_writer *w, size_t same, size_t depth);

/* Appends to ENTRY the sample in w->text with the weight WEIGHT, text. */
void speedscope_add_sample(struct speedscope_writer *w, struct speedscope_entry *entry,
                           struct str weight);

/* --- sums by stack (speedscope_write_sums.c) --- */

/* Adds X, a value of ENTRY, to the sample that speedscope_keep_sample will add up. */
void speedscope_add_part(struct speedscope_writer *w, const struct speedscope_entry *entry,
                         struct decimal x);

/* Adds the sample to the sums. */
void speedscope_keep_sample(struct speedscope_writer *w);

/* After the last row: turns the sums into samples, ordered by the names of their frames. */
void speedscope_finish_sums(struct speedscope_writer *w);

/* --- the file (speedscope_write_file.c) --- */

/* Writes the file, once all rows have come and the spools have all samples. */
void speedscope_write_file(struct speedscope_writer *w);

#endif

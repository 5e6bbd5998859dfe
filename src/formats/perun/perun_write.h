/* perun_write.h - a file of Perun that is being written: perun_write.c takes rows,
 * perun_write_own.c keeps what a file of Perun said, perun_write_again.c writes that file again,
 * perun_write_sums.c sums by stack, and perun_write_object.c stores the text in a repository. See
 * ndjson2perun(1) for the rules.
 *
 * Only at the end is it known whether there is a single, unchanged source from Perun. So the writer
 * keeps both: sums by stack, and the text of each sample in a spool, until the rows differ from the
 * file. */
#ifndef PROFPIPE_PERUN_WRITE_H
#define PROFPIPE_PERUN_WRITE_H

#include "base/amount.h"
#include "base/spool.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "formats/perun/perun_lookup.h"
#include "formats/perun/perun_print.h"
#include "profile/choice.h"

/* A row of .perun_types. Texts are as spelled in the file. */
struct perun_own_type {
    struct str key;                     /* with quotes; null p: of resources in lists */
    struct str members, columns, tails; /* null p: none */
    uint32_t place;
    uint32_t kinds[2]; /* value types of a sample: amount, exclusive; 0: none */
    bool is_checked;   /* LOCATIONS have been checked against its stack */
    uint32_t depth;
    uint32_t *locations;
};

/* A row of .perun_snapshots. The first is the file itself. */
struct perun_own_snapshot {
    struct str members;
    bool is_global;
    uint32_t rank;             /* its index among all snapshots of the file */
    uint64_t samples;          /* samples read so far */
    size_t model, model_count; /* index of its first model; its models are adjacent */
};

/* A row of .perun_models or .perun_chunks. */
struct perun_own_item {
    uint32_t snapshot;
    struct str key, value;
};

struct perun_own_items {
    struct perun_own_item *items;
    size_t count, capacity;
};

/* What a file of Perun said. */
struct perun_own {
    bool is_there; /* the first source comes from such a file, and so far nothing else was seen */
    bool is_indented;
    struct str layout, stored; /* null p: none */
    struct str members;
    int64_t samples; /* number of samples in the file */

    struct perun_own_type *types; /* by number - 1; a missing row has no members */
    size_t type_count, type_capacity;
    struct perun_own_snapshot *snapshots; /* by number; 0 is the file */
    size_t snapshot_count, snapshot_capacity;
    struct perun_own_items models, chunks;
    uint32_t *by_place; /* numbers of types */
    size_t place_count, place_capacity;
    uint64_t rows; /* rows of dotted tables of all sources */

    struct perun_file file;
    bool is_finished;     /* FILE is complete, since the first sample has come */
    uint32_t rank, place; /* of the last sample */
    uint64_t taken;
    struct spool *spool;
    struct buf text;            /* members of one sample */
    struct perun_lookup lookup; /* in TEXT */
};

/* Precedes the text of each sample in the spool. The text is that of each column, each after a line
 * feed, or that of an object. */
struct perun_own_sample {
    uint32_t type, snapshot;
    uint64_t size;
};

/* What is kept of a location besides the profile. */
struct perun_location {
    struct str others; /* members of a frame of Perun, each after a comma; null p: none */
    uint32_t frame;    /* text when not innermost: a number in w->frames; 0: not known yet */
    uint32_t leaf;     /* text when innermost; the same */
};

struct perun_writer {
    struct sink sink;
    struct perun_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice;
    struct arena arena;
    struct perun_own own;

    struct perun_location *places; /* by location - 1 */
    size_t place_capacity;
    struct str others; /* of the row of locations being read */
    struct intern frames;

    /* The sample being read: numbers of frames, innermost first, and parts of sums. The columns of
     * the sums are numbers of KINDS: pairs of a source and a type. */
    uint32_t *stack;
    size_t stack_capacity;
    struct intern kinds;
    uint32_t counts; /* the type samples/count */
    struct amount_columns digits;
    struct sums_part *parts;
    size_t part_count, part_capacity;

    uint64_t own_samples; /* samples that came from a file of Perun */
    uint64_t nameless;    /* locations without a function, written with a placeholder name */
    /* innermost locations with a file, or a line, that is not written */
    uint64_t leaf_files, leaf_lines;
    struct str kind; /* of the file that was written: memory, mixed or time */
    struct buf text, scratch;
};

/* Where the row or the sample is that W takes, for messages. */
static inline struct place perun_place(const struct perun_writer *w)
{
    return w->sink.flow->where;
}

/* --- perun_write.c --- */

/* Appends the string BYTES to TO in quotes. What Perun cannot hold is counted as a
 * loss. */
void perun_add_string(struct buf *to, struct str bytes);

/* Whether location ID is the frame F of a file of Perun. */
bool perun_is_frame(const struct perun_writer *w, uint32_t id, const struct perun_frame *f);

/* --- perun_write_own.c: what a file of Perun said ---
 *
 * Its rows may have passed filters. So each sample must still have the stack, values and place that
 * the reader gave it, and none may be missing. */

/* Keeps MEMBER, the `.perun` of ROW, the first source. */
void perun_own_begin(struct perun_writer *w, const struct row *row, const struct member *member);

/* Keeps ROW; false if it is not of a dotted table of Perun. */
bool perun_own_row(struct perun_writer *w, const struct row *row);

/* Takes SAMPLE, with its locations as they were pushed. If it differs from the file, the file is
 * given up and sums are written instead. */
void perun_own_take(struct perun_writer *w, const struct sample *sample);

/* Whether all samples of the file have come, in their places. */
bool perun_own_is_whole(struct perun_writer *w);

/* Frees what W holds of the file. */
void perun_own_free(struct perun_writer *w);

/* --- perun_write_again.c --- */

/* Writes that file, which is whole, to P, and sets w->kind. */
void perun_own_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_sums.c: sums by stack ---
 *
 * They have the form of Perun's collector kperf: each list has one item for each source (run) that
 * has the stack. */

/* Adds up SAMPLE, whose stack is in w->stack. */
void perun_sums_take(struct perun_writer *w, struct sample *sample);

/* Writes all sums to P, and sets w->kind. */
void perun_sums_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_object.c --- */

/* Stores TEXT as an object, in a file named by the checksum of its content, and writes that name to
 * w->out. TEXT is a profile of w->kind, in one line, without origin. */
void perun_store(struct perun_writer *w, struct str text);

#endif

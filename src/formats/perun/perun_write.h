/* perun_write.h - shared by the parts of the writer of Perun's files. perun_write.c reads rows and
 * samples, perun_write_frames.c functions and locations. For samples that came from a file of
 * Perun, perun_write_own.c keeps what that file said and checks that the rows still agree,
 * perun_write_own_lookup.c finds its members by name, and perun_write_own_file.c writes it again.
 * For any other profile perun_write_sums.c adds up the samples and writes the sums.
 * perun_write_store.c packs an object.
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

/* Finds members of an object by name. Mostly they are asked for in their order. All zero is
 * none. */
struct perun_own_lookup {
    struct str members, rest; /* null p: no members; the part after the last one found */
    bool is_indexed;          /* set at the first request out of order */
    struct intern names;      /* the number is the index in VALUES + 1 */
    struct str *values;
    size_t capacity;
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
    struct buf text;                /* members of one sample */
    struct perun_own_lookup lookup; /* in TEXT */
};

/* Precedes the text of each sample in the spool. The text is that of each column, each after a line
 * feed, or that of an object. */
struct perun_own_sample {
    uint32_t type, snapshot;
    uint64_t size;
};

/* What is kept of a location besides the profile. */
struct perun_place {
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

    struct perun_place *places; /* by location - 1 */
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

static inline struct place perun_place(const struct perun_writer *w)
{
    return w->sink.flow->where;
}

/* --- perun_write_own.c --- */

/* Keeps MEMBER, the `.perun` of the first source. */
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

/* --- perun_write_own_lookup.c --- */

/* Opens LOOKUP on the object MEMBERS, which must stay valid while it is used. A null p has no
 * members. */
void perun_own_look(struct perun_own_lookup *lookup, struct str members);

/* The value of the member NAME; null p if there is none. The time does not grow with the number of
 * members. */
struct str perun_own_find(struct perun_own_lookup *lookup, struct str name);

/* Frees what LOOKUP holds. */
void perun_own_lookup_free(struct perun_own_lookup *lookup);

/* Whether the value NAME of MEMBERS is null because other rows hold it. */
bool perun_own_has_hole(struct str members, struct str name);

/* --- perun_write_own_file.c --- */

/* Writes the file to P. */
void perun_own_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_frames.c --- */

/* Keeps MEMBER of the row of locations being read (profile.h). */
bool perun_keep_of_location(struct perun_writer *w, const struct member *member);

/* Appends the string BYTES to TO in quotes. What Perun cannot hold is counted as a loss
 * (loss.h). */
void perun_add_string(struct buf *to, struct str bytes);

/* Read a row of functions, locations. */
void perun_read_function(struct perun_writer *w, const struct row *row);
void perun_read_location(struct perun_writer *w, const struct row *row);

/* Sets w->stack to the frames of the DEPTH locations IDS. */
void perun_read_stack(struct perun_writer *w, const int64_t *ids, size_t depth);

/* Whether location ID is the frame F of a file of Perun. */
bool perun_is_frame(const struct perun_writer *w, uint32_t id, const struct perun_frame *f);

/* --- perun_write_sums.c --- */

/* Adds up SAMPLE, whose stack has been read. */
void perun_sums_take(struct perun_writer *w, struct sample *sample);

/* Writes all sums to P. */
void perun_sums_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_store.c --- */

/* Stores TEXT as an object and writes its name to w->out. TEXT is a profile of w->kind, in one
 * line, without origin. */
void perun_store(struct perun_writer *w, struct str text);

#endif

/* perun_write.h - what the parts of the writer of Perun's files share: perun_write.c reads rows and samples;
 * perun_write_own.c keeps what a file of Perun said and checks that the rows still say the same,
 * perun_write_own_lookup.c finds members of that by name, and perun_write_own_file.c writes it again;
 * perun_write_sums.c adds up the samples of any other profile, and writes these; perun_write_frames.c reads functions
 * and locations; perun_write_store.c packs what has been written.
 *
 * Whether there is one source, of Perun and as it was, shows at the end alone.  So both is kept: sums by stack, and
 * as long as nothing speaks against it the text of each sample in a spool. */
#ifndef PROFPIPE_PERUN_WRITE_H
#define PROFPIPE_PERUN_WRITE_H

#include "base/amount.h"
#include "base/spool.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "formats/perun/perun_print.h"
#include "profile/choice.h"

/* A row of .perun_types; texts are as the file spells them. */
struct perun_own_type {
    struct str key;                     /* with its quotes; p is NULL: of resources in lists */
    struct str members, columns, tails; /* p is NULL where there is none */
    uint32_t place;
    uint32_t kinds[2]; /* types of the values that a sample has: of amount, exclusive; 0: none */
    bool is_checked;   /* LOCATIONS are those of its stack */
    uint32_t depth;
    uint32_t *locations;
};

/* A row of .perun_snapshots.  The first stands for the file itself. */
struct perun_own_snapshot {
    struct str members;
    bool is_global;
    uint32_t rank;             /* its place among all in the file */
    uint64_t samples;          /* that it has got */
    size_t model, model_count; /* those in it stand together: the first, as a place among all */
};

/* A row of .perun_models or .perun_chunks. */
struct perun_own_item {
    uint32_t snapshot;
    struct str key, value;
};

/* Members of an object, which are asked for by name, most often in their order.  All zero is none. */
struct perun_own_lookup {
    struct str members, rest; /* p is NULL: there are none; behind the last that was found */
    bool is_indexed;          /* something was asked for out of order */
    struct intern names;      /* the number is the place in VALUES, plus 1 */
    struct str *values;
    size_t capacity;
};

struct perun_own_items {
    struct perun_own_item *items;
    size_t count, capacity;
};

/* What a file of Perun said. */
struct perun_own {
    bool is_there; /* the first source is of such a file, and nothing else has been seen so far */
    bool is_indented;
    struct str layout, stored; /* p is NULL where there is none */
    struct str members;
    int64_t samples; /* how many it had */

    struct perun_own_type
        *types; /* by number - 1; the number of a row that is missing has no members */
    size_t type_count, type_capacity;
    struct perun_own_snapshot *snapshots; /* by number; 0 is the file */
    size_t snapshot_count, snapshot_capacity;
    struct perun_own_items models, chunks;
    uint32_t *by_place; /* numbers of types */
    size_t place_count, place_capacity;
    uint64_t rows; /* of its dotted tables, of any source */

    struct perun_file file;
    bool is_finished;     /* that is known, since the first sample has come */
    uint32_t rank, place; /* of the last sample */
    uint64_t taken;
    struct spool *spool;
    struct buf text;                /* of the members of one sample */
    struct perun_own_lookup lookup; /* of these */
};

/* In front of the text of each sample in the spool: that of each column, each behind a line feed, or of an object. */
struct perun_own_sample {
    uint32_t type, snapshot;
    uint64_t size;
};

/* What is known of a location besides the profile. */
struct perun_place {
    struct str
        others;     /* members of a frame of Perun, each with a comma in front; p is NULL: none */
    uint32_t frame; /* further out in a stack, as text: a number in w->frames; 0: not known yet */
    uint32_t leaf;  /* innermost; the same */
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
    struct str others; /* of the row of locations that is being read */
    struct intern frames;

    /* The sample being read: numbers of frames, the innermost first; and parts of sums, whose columns are numbers of
     * KINDS: of a source and a type. */
    uint32_t *stack;
    size_t stack_capacity;
    struct intern kinds;
    uint32_t counts; /* the type samples/count */
    struct amount_columns digits;
    struct sums_part *parts;
    size_t part_count, part_capacity;

    uint64_t own_samples; /* that said what they were in a file of Perun */
    uint64_t
        nameless; /* locations without a function, which are written with a name that stands for one */
    uint64_t leaf_files, leaf_lines; /* of innermost locations, which are written without */
    struct str kind;                 /* of the file that has been written: memory, mixed or time */
    struct buf text, scratch;
};

static inline struct place perun_place(const struct perun_writer *w)
{
    return w->sink.flow->where;
}

/* --- perun_write_own.c --- */

/* Keeps MEMBER, the `.perun` of the first source. */
void perun_own_begin(struct perun_writer *w, const struct row *row, const struct member *member);

/* Keeps ROW, of a dotted table of Perun; false where it is none of these. */
bool perun_own_row(struct perun_writer *w, const struct row *row);

/* Takes SAMPLE, with its locations as they were pushed.  What is not as the file had it ends all of that. */
void perun_own_take(struct perun_writer *w, const struct sample *sample);

/* Whether all samples of the file have come, and stand where they did. */
bool perun_own_is_whole(struct perun_writer *w);

/* Frees what W holds of it. */
void perun_own_free(struct perun_writer *w);

/* --- perun_write_own_lookup.c --- */

/* Makes LOOKUP that of MEMBERS, an object that stays as long as it is asked; a null p is none. */
void perun_own_look(struct perun_own_lookup *lookup, struct str members);

/* The value of the member NAME; p is NULL where there is none.  It takes no longer where there are many. */
struct str perun_own_find(struct perun_own_lookup *lookup, struct str name);

/* Frees what LOOKUP holds. */
void perun_own_lookup_free(struct perun_own_lookup *lookup);

/* Whether the value NAME of MEMBERS is null, in place of what other rows have. */
bool perun_own_has_hole(struct str members, struct str name);

/* --- perun_write_own_file.c --- */

/* Writes the file to P. */
void perun_own_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_frames.c --- */

/* Keeps MEMBER of the row of locations that is being read (profile.h). */
bool perun_keep_of_location(struct perun_writer *w, const struct member *member);

/* Appends the string BYTES in quotes to TO; what Perun cannot hold is counted (loss.h). */
void perun_add_string(struct buf *to, struct str bytes);

/* Read a row of functions, locations. */
void perun_read_function(struct perun_writer *w, const struct row *row);
void perun_read_location(struct perun_writer *w, const struct row *row);

/* Makes w->stack the frames of the DEPTH locations IDS. */
void perun_read_stack(struct perun_writer *w, const int64_t *ids, size_t depth);

/* Whether the location ID is F, which a file of Perun spells so. */
bool perun_is_frame(const struct perun_writer *w, uint32_t id, const struct perun_frame *f);

/* --- perun_write_sums.c --- */

/* Adds SAMPLE, whose stack has been read, up. */
void perun_sums_take(struct perun_writer *w, struct sample *sample);

/* Writes all sums to P. */
void perun_sums_write(struct perun_writer *w, struct perun_printer *p);

/* --- perun_write_store.c --- */

/* Writes TEXT, a profile of w->kind as one line without origin, as an object, and its name to w->out. */
void perun_store(struct perun_writer *w, struct str text);

#endif

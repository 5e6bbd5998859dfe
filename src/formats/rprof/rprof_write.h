/* rprof_write.h - what the parts of the Rprof writer share: rprof_write.c reads rows and
 * writes samples, rprof_write_values.c weighs their values, rprof_write_frames.c spells frames. */
#ifndef PROFPIPE_RPROF_WRITE_H
#define PROFPIPE_RPROF_WRITE_H

#include "base/buf.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "formats/rprof/rprof.h"
#include "formats/rprof/rprof_spell.h"
#include "formats/rprof/rprof_text.h"

/* A #File line that waits for its run. */
struct rprof_waiting {
    struct rprof_waiting *next;
    int64_t number;
    uint32_t path;
    struct str line;
};

/* A style that runs have been written in.  It is kept, since sources may alternate. */
struct rprof_used_style {
    struct rprof_used_style *next;
    const char *encoding;
    struct rprof_style style;
};

/* What a source says. */
struct rprof_source {
    bool is_rprof;    /* it has a `.rprof`: its samples stand for one line each */
    bool is_appended; /* to the run before it in its file */
    struct str uri;   /* canonical text; p is NULL where it has none */
    struct rprof_header header;
    const char *encoding;                    /* as rprof_encoding gives it; NULL: UTF-8 */
    struct rprof_style *style;               /* of its runs; NULL: it has had none */
    bool is_timed;                           /* its period is a time */
    bool begun;                              /* it has had a header */
    struct rprof_waiting *files, *last_file; /* the first is NULL: none */
};

/* What a value type means here. */
struct rprof_type {
    struct str type; /* canonical text */
    enum rprof_role {
        ROLE_UNKNOWN, /* none of its values has come */
        ROLE_SAMPLES, /* samples/count */
        ROLE_SMALL,   /* the levels of a memory profile, in this order */
        ROLE_LARGE,
        ROLE_NODES,
        ROLE_DUPLICATIONS,
        ROLE_ALLOC, /* what follows from those */
        ROLE_DEALLOC,
        ROLE_TIME,
        ROLE_COUNT, /* of something else */
        ROLE_OTHER,
    } role;
    int64_t nanoseconds; /* in one unit of a ROLE_TIME */
    uint64_t dropped;    /* values without a place */
};

/* A value of the sample being read. */
struct rprof_value {
    uint32_t type; /* its place in types */
    bool is_rounded;
    int64_t value;
    struct decimal exact; /* if it is */
};

/* A row of functions, of locations; the bytes live in the arena. */
struct rprof_function {
    struct str name;
    uint32_t path;
};
struct rprof_location {
    struct rprof_frame frame;
    struct str odd; /* `.rprof_text`; empty where there is none */

    /* As it was spelled last, with a space behind it; in that style, that is still right as long as
     * its file has that number. */
    char *text;
    uint32_t n, capacity;
    const struct rprof_style *style;
    int64_t number; /* 0: it has no position */
    bool is_odd;    /* as ODD says */
    uint64_t epoch; /* when that was last known to be right */
};

struct rprof_writer {
    struct sink sink;
    struct rprof_write_options options;
    struct out *out;
    struct arena arena;
    struct buf scratch, raw, spelled;

    struct rprof_source *sources;
    size_t source_count, source_capacity;
    bool assumes_interval; /* of one that says none */
    size_t headed;         /* sources up to this one need no header of their own any more */

    /* The run that is being written. */
    size_t run;     /* number of its source; 0: none yet */
    bool is_shared; /* its header stands for runs of other sources, too */
    struct rprof_style *style;
    struct rprof_files files;
    bool has_previous;
    struct rprof_memory previous;
    uint64_t epoch; /* changes where frames may have to be spelled otherwise */
    struct rprof_used_style *styles;

    /* By id in the rows. */
    struct rprof_function *functions;
    size_t function_capacity;
    struct rprof_location *locations;
    size_t location_capacity;
    struct intern paths; /* but for the empty one, which is 0 */

    struct rprof_type *types; /* by number in the flow, from 0 */
    size_t type_capacity;

    /* The sample being read. */
    struct rprof_source *source; /* NULL: none */
    struct rprof_value *values;
    size_t value_count, value_capacity;
    bool truncated, has_tail;
    struct buf tail, line, prefix;
    size_t depth;
    bool ends_unnamed; /* the outermost frame so far has no name */
};

/* The place of the row being read. */
static inline struct place rprof_place(const struct rprof_writer *w)
{
    return w->sink.flow->where;
}

/* The bytes of the string TEXT in the column NAME, in w->scratch, valid until the next call; BYTES
 * is the value of `.bytes`. */
struct str rprof_bytes(struct rprof_writer *w, struct str name, struct str text, struct str bytes);

/* --- rprof_write_values.c --- */

/* Reads a value of the sample. */
void rprof_read_value(struct rprof_writer *w, const struct sample_value *v);

/* Reckons what the sample's values come to: how many lines it is, and in a memory profile the
 * numbers in front of the first, in *MEMORY.  Counts what has no place. */
uint64_t rprof_weigh(struct rprof_writer *w, struct rprof_memory *memory);

/* Reports what rprof_weigh has counted. */
void rprof_count_losses(const struct rprof_writer *w);

/* --- rprof_write_frames.c --- */

/* Read a row of functions, locations. */
void rprof_read_function(struct rprof_writer *w, const struct row *row);
void rprof_read_location(struct rprof_writer *w, const struct row *row);

/* The number of the path BYTES. */
uint32_t rprof_path(struct rprof_writer *w, struct str bytes);

/* Writes a `#File` line that gives NUMBER the meaning PATH. */
void rprof_write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line);

/* Sees to it that L is spelled for the run being written; this may write a `#File` line. */
void rprof_spell(struct rprof_writer *w, struct rprof_location *l);

/* Whether the sample's tail reads, behind its frames, as what it was: an unusual end of a line, or a
 * frame that was cut; *IS_CUT tells.  In a line that IS_FULL such a frame may be a whole position. */
bool rprof_check_tail(struct rprof_writer *w, bool is_full, bool *is_cut);

#endif

/* rprof_write.h - profile rows to Rprof text: see ndjson2rprof(1). */
#ifndef PROFPIPE_RPROF_WRITE_H
#define PROFPIPE_RPROF_WRITE_H

#include "base/decimal.h"
#include "base/intern.h"
#include "formats/rprof/rprof.h"
#include "formats/rprof/rprof_spell.h"
#include "formats/rprof/rprof_text.h"

/* A #File line that is written when its run begins. */
struct rprof_waiting {
    struct rprof_waiting *next;
    int64_t number;
    uint32_t path;
    struct str line;
};

/* A style of earlier runs. It is kept because sources may alternate. */
struct rprof_used_style {
    struct rprof_used_style *next;
    const char *encoding;
    struct rprof_style style;
};

/* What is known of a source. */
struct rprof_source {
    bool is_rprof;    /* it has a `.rprof`: each of its samples is one line */
    bool is_appended; /* to the previous run in its file */
    struct str uri;   /* canonical text; null p: none */
    struct rprof_header header;
    const char *encoding;      /* from rprof_encoding; NULL: UTF-8 */
    struct rprof_style *style; /* of its runs; NULL: no run so far */
    bool is_timed;             /* its period is a time */
    bool counts_samples;       /* it lists samples/count: what has none is no sample */
    bool begun;                /* its header has been written */
    struct rprof_waiting *files, *last_file; /* the first is NULL: none */
};

/* The meaning of a value type here. */
struct rprof_type {
    struct str type; /* canonical text */
    enum rprof_role {
        ROLE_UNKNOWN, /* no value has come yet */
        ROLE_SAMPLES, /* samples/count */
        ROLE_SMALL,   /* the levels of a memory profile, in this order */
        ROLE_LARGE,
        ROLE_NODES,
        ROLE_DUPLICATIONS,
        ROLE_ALLOC, /* derived from the levels */
        ROLE_DEALLOC,
        ROLE_TIME,
        ROLE_COUNT, /* a count of something else */
        ROLE_OTHER,
    } role;
    int64_t nanoseconds; /* per unit of a ROLE_TIME */
    uint64_t dropped;    /* values that are not written */
};

/* A value of the sample being read. */
struct rprof_value {
    uint32_t type; /* index in types */
    bool is_rounded;
    int64_t value;
    struct decimal exact; /* if it is not an integer */
};

/* A row of functions, a row of locations. Their bytes are in the arena. */
struct rprof_function {
    struct str name;
    uint32_t path;
};
struct rprof_location {
    struct rprof_frame frame;
    struct str odd; /* `.rprof_text`; empty: none */

    /* The last spelling, with a space after it. It is still valid in the same style if its file
     * still has the same number. */
    char *text;
    uint32_t n, capacity;
    const struct rprof_style *style;
    int64_t number; /* 0: no position */
    bool is_odd;    /* spelled as ODD */
    uint64_t epoch; /* when the spelling was last checked */
};

struct rprof_writer {
    struct sink sink;
    struct rprof_write_options options;
    struct out *out;
    struct arena arena;
    struct buf scratch, raw, spelled;

    struct rprof_source *sources;
    size_t source_count, source_capacity;
    bool assumes_interval; /* for a source without an interval */
    size_t headed;         /* sources up to this number need no header of their own */

    /* The run being written. */
    size_t run;     /* number of its source; 0: none yet */
    bool is_shared; /* its header is also used for runs of other sources */
    struct rprof_style *style;
    struct rprof_files files;
    bool has_previous;
    struct rprof_memory previous;
    uint64_t epoch; /* changes when spellings may become invalid */
    struct rprof_used_style *styles;

    /* By id in the rows. */
    struct rprof_function *functions;
    size_t function_capacity;
    struct rprof_location *locations;
    size_t location_capacity;
    struct intern paths; /* the empty path is 0 */

    struct rprof_type *types; /* by number in the flow, from 0 */
    size_t type_capacity;

    /* The sample being read. */
    struct rprof_source *source; /* NULL: none */
    struct rprof_value *values;
    size_t value_count, value_capacity;
    bool truncated, has_tail;
    struct buf tail, line, prefix;
    size_t depth;
    bool ends_unnamed; /* the outermost frame read so far has no name */
};

/* The place of the row being read. */
static inline struct place rprof_place(const struct rprof_writer *w)
{
    return w->sink.flow->where;
}

/* --- frames (rprof_write_frames.c) --- */

/* The bytes of TEXT, a string in the column NAME, in w->scratch, valid until the next call. BYTES
 * is the value of `.bytes`. */
struct str rprof_bytes(struct rprof_writer *w, struct str name, struct str text, struct str bytes);

/* The number of the path BYTES. */
uint32_t rprof_path(struct rprof_writer *w, struct str bytes);

/* Reads a row of functions. */
void rprof_read_function(struct rprof_writer *w, const struct row *row);

/* Reads a row of locations. */
void rprof_read_location(struct rprof_writer *w, const struct row *row);

/* Makes sure that the spelling of L is valid in the run being written. May write a `#File` line. */
void rprof_spell(struct rprof_writer *w, struct rprof_location *l);

/* Writes a `#File` line that assigns PATH to NUMBER. */
void rprof_write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line);

/* Whether the sample's tail can be read again after its frames: an unusual line end, or a cut
 * frame; *IS_CUT says which. In a line that IS_FULL the cut frame may be a whole position. */
bool rprof_check_tail(struct rprof_writer *w, bool is_full, bool *is_cut);

/* --- values (rprof_write_values.c) --- */

/* Reads a value of the sample. */
void rprof_read_value(struct rprof_writer *w, const struct sample_value *v);

/* Computes from the values of the sample how many lines it becomes. For a memory profile also sets
 * *MEMORY, the numbers at the start of the first line. Values that cannot be written are
 * counted. */
uint64_t rprof_weigh(struct rprof_writer *w, struct rprof_memory *memory);

/* Reports the values counted by rprof_weigh. */
void rprof_count_losses(const struct rprof_writer *w);

/* --- sources and runs (rprof_write_runs.c) --- */

/* Reads a row of sources. */
void rprof_read_source(struct rprof_writer *w, const struct row *row);

/* Makes the current run one of source number ID. Runs of Rprof that had only a header are written
 * first. */
void rprof_enter_run(struct rprof_writer *w, size_t id);

/* Reads ROW, one of .rprof_files. */
void rprof_read_file(struct rprof_writer *w, const struct row *row);

/* Ends the last run. Runs with only a header come after it; a file always has a header. */
void rprof_end_runs(struct rprof_writer *w);

#endif

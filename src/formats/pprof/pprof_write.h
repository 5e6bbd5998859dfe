/* pprof_write.h - what the parts of the writer of pprof share: pprof_write.c has rows and samples,
 * pprof_write_types.c value types, pprof_write_sources.c sources and what they say of the file. */
#ifndef PROFPIPE_PPROF_WRITE_H
#define PROFPIPE_PPROF_WRITE_H

#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/spool.h"
#include "base/wide.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_file.h"
#include "profile/chains.h"
#include "profile/naming.h"
#include "rows/members.h"

#include <protobuf-c/protobuf-c.h>

#define PPROF_COLUMN_NONE UINT32_MAX

/* A value type of one source. */
struct pprof_source_type {
    struct str type, unit; /* canonical text, as in the rows */
    bool gauge;            /* a level: not written, since its values must not be added up */
    bool inclusive;        /* includes the cost of called frames: not written for the same reason */
    bool is_count;         /* samples/count, from which other types may be derived */
    bool is_time;          /* the type that would be derived from samples/count */
    /* the file has the type, but in a unit to which this one cannot be converted */
    bool misfits;
    uint32_t column;  /* in the file, from 0; PPROF_COLUMN_NONE: not in the file */
    uint64_t dropped; /* number of values that are not written */
    uint64_t count;   /* number of values other than 0 */
};

/* Strings are bytes, not text. A missing string has a null p. */
struct pprof_source {
    struct str uri, kind;
    string_id label; /* of --label-source: the name of the source; 0: none */
    struct pprof_source_type *types;
    struct intern type_keys; /* type and unit as text; the number is the index in types + 1 */
    size_t type_count, type_capacity;
    size_t listed_count; /* the first of them: those listed in `.value_types` */

    bool has_period, has_period_type;
    struct str period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    bool derives;                  /* values of the period's type are derived from samples/count */
    uint32_t derived;              /* column of the derived values, or PPROF_COLUMN_NONE */
    struct wide counted;           /* sum of the counts they were derived from */
    struct decimal counted_digits; /* the same for fractions */
    int64_t duration;              /* stated by the source, in nanoseconds */

    bool is_pprof;
    struct str default_type, drop_frames, keep_frames, doc_url;
};

/* How often a comment occurs in the file, and in source number SOURCE. */
struct pprof_comment_count {
    size_t in_file, in_source, source;
};

/* The other fields of a location row that the profile does not store in the form the file needs. */
struct pprof_row_line {
    int64_t line;                     /* 0: none or unknown */
    uint32_t function;                /* in the file; 0: none */
    unknown_id unknown, line_unknown; /* of the location, if it begins here, and of the line */
    bool has_line;
};

/* Dotted columns that only pprof has; cleared before the next row. */
struct pprof_row_own {
    unknown_id unknown, line_unknown;
    bool has_time, is_outer, no_lines, has_number;
    int64_t number; /* a negative line number */
};

/* Where the type of a value was found last: at index POSITION in the types of source number SOURCE,
 * from 1. */
struct pprof_known_type {
    size_t source, position;
};

struct pprof_writer {
    struct sink sink;
    struct pprof_write_options options;
    struct out *out;
    struct pprof_file file;
    struct buf scratch, key;
    struct idmap type_numbers; /* string id of a type + 1 -> its index in the file + 1 */

    struct pprof_source *sources; /* of the current input */
    size_t source_count, source_capacity;
    size_t input;           /* its number */
    size_t ended;           /* how many sources came before */
    struct intern alike;    /* of these: what they say, once for all that say the same, */
    uint64_t *alike_counts; /* and how many do */
    size_t alike_capacity;
    struct intern texts; /* strings of sources and types */
    struct intern names; /* URIs of sources that do not come from pprof */
    size_t *seen;        /* by type of the file: the last source that has it */
    size_t seen_capacity;
    struct intern listed; /* their types, with --types */
    struct buf listed_text;
    struct wide durations;
    bool has_long_duration; /* one does not fit 64 bits */
    uint64_t with_duration;
    bool has_file_time;
    struct pprof_comment_count *comments; /* by string */
    size_t comment_capacity;
    struct provenance_sum provenance; /* of all inputs, if wanted */
    uint64_t merged_sources; /* sources that say where they came from, if that is not wanted */

    /* By row id. */
    struct pprof_row_own own;       /* of the row being read */
    uint32_t *mappings, *functions; /* numbers in the file */
    size_t mapping_capacity, function_capacity;
    struct chains chains;
    struct pprof_row_line *lines;
    size_t line_capacity;
    uint64_t line_total; /* lines in all locations of the file */
    uint32_t serial;     /* counts mappings, functions and locations if equal ones stay apart */

    struct pprof_known_type *known; /* by the type's number in the flow */
    size_t known_capacity;

    /* The sample being read. */
    struct pprof_source *source; /* NULL: none */
    struct sums_part *parts;     /* its values other than 0 */
    size_t part_count, part_capacity;
    struct decimal count; /* samples/count */
    bool has_count, has_time;
    uint64_t tallied;  /* for how many samples it counts */
    bool is_added;     /* its values are added up */
    struct buf labels; /* struct label */
    /* number of its labels in the file, unless samples are written one by one */
    uint32_t label_set;
    string_id source_key;               /* of --label-source; 0: none */
    struct naming_sources labels_given; /* labels given to sources */
    bool has_open_types;                /* a type of --types has no unit */

    struct pprof_values values; /* of a sample written on its own */
    struct spool *spool;        /* not NULL: single samples, which wait until all types are known */
};

/* The place of the row being read. */
static inline struct place pprof_write_place(const struct pprof_writer *w)
{
    return w->sink.flow->where;
}

/* --- pprof_write.c --- */

/* Stores HEX, fields that a message of TYPE does not define, in the file's table of them. Other
 * fields are counted as a loss; the result is 0 then. */
unknown_id pprof_write_unknown(struct pprof_writer *w, struct str hex,
                               const ProtobufCMessageDescriptor *type);

/* --- pprof_write_types.c --- */

/* Sets the types of the file to those of --types. Ends the tool (STATUS_USAGE) where that is none. */
void pprof_write_fix_types(struct pprof_writer *w);

/* Whether the file has TYPE, bytes. */
bool pprof_write_has_type(const struct pprof_writer *w, struct str type);

/* Adds a type, which the file must not have, in UNIT; returns its index. */
int pprof_write_add_file_type(struct pprof_writer *w, string_id type, string_id unit);

/* Adds the types listed in OF to SOURCE. Ends the tool (STATUS_INPUT) where --types wants one whose
 * values cannot be added up, or units do not convert. */
void pprof_write_add_types(struct pprof_writer *w, struct pprof_source *source,
                           const struct profile_source *of);

/* The index of a type in those of SOURCE, or their count if it is not there. TYPE and UNIT are
 * canonical text. */
size_t pprof_write_find_type(struct pprof_writer *w, const struct pprof_source *source,
                             struct str type, struct str unit);

/* The type in its source of V, a value of the sample being read; valid until the next is added. */
struct pprof_source_type *pprof_write_type(struct pprof_writer *w, const struct sample_value *v);

/* BYTES, and the canonical text of BYTES, kept until the end. */
struct str pprof_write_kept(struct pprof_writer *w, struct str bytes);
struct str pprof_write_kept_text(struct pprof_writer *w, struct str bytes);

/* --- pprof_write_sources.c --- */

/* Reads ROW, of sources. Ends the tool (STATUS_INPUT) where it does not fit pprof. */
void pprof_write_source(struct pprof_writer *w, const struct row *row);

/* Keeps M of the row of sources being read (profile.h); false: the writer has no place for it. */
bool pprof_write_keep_source(struct pprof_writer *w, const struct row *row, const struct member *m,
                             uint32_t *other);

/* After the last row: sets what the file says of all its sources: its types, which of them pprof
 * shows first, period, duration, and the mapping of sources without one. */
void pprof_write_finish(struct pprof_writer *w);

/* Frees what W holds of sources. */
void pprof_write_free_sources(struct pprof_writer *w);

#endif

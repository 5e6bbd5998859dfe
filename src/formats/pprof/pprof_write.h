/* pprof_write.h - shared by the parts of the pprof writer: pprof_write.c reads rows and samples,
 * pprof_write_sources.c reads sources, pprof_write_types.c finds the types of the file,
 * pprof_write_agree.c its other fields, pprof_write_frames.c handles mappings, functions, locations
 * and stacks, pprof_write_strings.c has helpers for all. */
#ifndef PROFPIPE_PPROF_WRITE_H
#define PROFPIPE_PPROF_WRITE_H

#include "base/buf.h"
#include "base/idmap.h"
#include "base/spool.h"
#include "base/wide.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_file.h"
#include "profile/default_type.h"
#include "rows/members.h"

#include <protobuf-c/protobuf-c.h>

#define COLUMN_NONE UINT32_MAX

/* A value type of one source. */
struct source_type {
    struct str type, unit; /* canonical text, as in the rows */
    bool gauge;            /* a level: not written, since its values must not be added up */
    bool inclusive;        /* includes the cost of called frames: not written for the same reason */
    bool is_count;         /* samples/count, from which other types may be derived */
    bool is_time;          /* the type that would be derived from samples/count */
    /* the file has the type, but in a unit to which this one cannot be converted */
    bool misfits;
    uint32_t column;  /* in the file, from 0; COLUMN_NONE: not in the file */
    uint64_t dropped; /* number of values that are not written */
    uint64_t count;   /* number of values other than 0 */
};

/* Strings are bytes, not text. A missing string has a null p. */
struct source {
    struct str uri, kind;
    string_id label; /* of --label-source: the name of the source; 0: none */
    struct source_type *types;
    struct intern type_keys; /* type and unit as text; the number is the index in types + 1 */
    size_t type_count, type_capacity;
    size_t listed_count; /* the first of them: those listed in `.value_types` */

    bool has_period, has_period_type;
    struct str period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    bool derives;                  /* values of the period's type are derived from samples/count */
    uint32_t derived;              /* column of the derived values, or COLUMN_NONE */
    struct wide counted;           /* sum of the counts they were derived from */
    struct decimal counted_digits; /* the same for fractions */
    int64_t duration;              /* stated by the source, in nanoseconds */

    bool is_pprof;
    struct str default_type, drop_frames, keep_frames, doc_url;
};

/* What the hot path needs of a location row. */
struct row_frame {
    /* in the file: the chain of inlined lines that begins here; 0: not made yet */
    uint32_t location;
    uint32_t into; /* the row that it is inlined into; 0: none */
};

/* How often a comment occurs in the file, and in source number SOURCE. */
struct comment_count {
    size_t in_file, in_source, source;
};

/* The other fields of a location row that the profile does not store in the form the file needs. */
struct row_line {
    int64_t line;                     /* 0: none or unknown */
    uint32_t function;                /* in the file; 0: none */
    unknown_id unknown, line_unknown; /* of the location, if it begins here, and of the line */
    bool has_line;
};

/* Dotted columns that only pprof has; cleared before the next row. */
struct row_own {
    unknown_id unknown, line_unknown;
    bool has_time, is_outer, no_lines, has_number;
    int64_t number; /* a negative line number */
};

/* Where the type of a value was found last: at index PLACE in the types of source number SOURCE,
 * from 1. */
struct known_type {
    size_t source, place;
};

struct writer {
    struct sink sink;
    struct pprof_write_options options;
    struct out *out;
    struct arena arena;
    struct pprof_file file;
    struct buf scratch, key;
    struct idmap type_numbers; /* string id of a type + 1 -> its index in the file + 1 */

    struct source *sources;
    size_t source_count, source_capacity;
    bool has_file_time;
    struct comment_count *comments; /* by string */
    size_t comment_capacity;

    /* By row id. */
    struct row_own own;             /* of the row being read */
    uint32_t *mappings, *functions; /* numbers in the file */
    size_t mapping_capacity, function_capacity;
    struct row_frame *frames;
    struct row_line *lines;
    size_t frame_capacity, line_capacity;
    uint64_t line_total; /* lines in all locations of the file */
    uint32_t serial;     /* counts mappings, functions and locations if equal ones stay apart */

    struct known_type *known; /* by the type's number in the flow */
    size_t known_capacity;

    /* The sample being read. */
    struct source *source;   /* NULL: none */
    struct sums_part *parts; /* its values other than 0 */
    size_t part_count, part_capacity;
    struct decimal count; /* samples/count */
    bool has_count, has_time;
    struct buf labels; /* struct label */
    /* number of its labels in the file, unless samples are written one by one */
    uint32_t label_set;
    string_id source_key;       /* of --label-source; 0: none */
    struct intern labels_given; /* labels given to sources */
    bool has_open_types;        /* a type of --types has no unit */
    uint32_t *stack;            /* locations of the file, innermost first */
    size_t depth, stack_capacity;

    struct pprof_values values; /* of a sample written on its own */
    struct spool *spool;        /* not NULL: single samples, which wait until all types are known */
};

/* The place of the row being read. */
static inline struct place pprof_writer_place(const struct writer *w)
{
    return w->sink.flow->where;
}

/* --- pprof_write_strings.c: errors, strings --- */

/* A copy of the bytes of M, a MEMBER_STRING, kept until the end. */
struct str pprof_writer_inner_copy(struct writer *w, const struct member *m);

/* Stores HEX, fields that a message of TYPE does not define, in the file's table of them. Other
 * fields are counted as a loss; the result is 0 then. */
unknown_id pprof_writer_unknown(struct writer *w, struct str hex,
                                const ProtobufCMessageDescriptor *type);

/* --- pprof_write_sources.c --- */

/* Reads a row of sources. */
void pprof_writer_source(struct writer *w, const struct row *row);

/* Keeps M of the row of sources being read (profile.h). */
bool pprof_writer_keep_of_source(struct writer *w, const struct row *row, const struct member *m,
                                 uint32_t *other);

/* The type in its source of V, a value of the sample being read. */
struct source_type *pprof_writer_value_type(struct writer *w, const struct sample_value *v);

/* --- pprof_write_types.c --- */

/* Sets the types of the file to those of --types. */
void pprof_writer_fix_types(struct writer *w);

/* Whether the file has TYPE. */
bool pprof_writer_has_type(const struct writer *w, struct str type);

/* The index of a type in those of SOURCE, or their count if it is not there. TYPE and UNIT are
 * canonical text. */
size_t pprof_writer_find_type(struct writer *w, const struct source *source, struct str type,
                              struct str unit);

/* Adds a value type to SOURCE. After samples/count it also adds the type derived from it. TYPE and
 * UNIT are bytes. Returns the first, valid until the next is added. */
struct source_type *pprof_writer_add_type(struct writer *w, struct source *source, struct str type,
                                          struct str unit, bool gauge);

/* Sets the unknown fields of the file's type for TYPE to ID. Where sources differ, the smallest by
 * bytes are kept. */
void pprof_writer_type_unknown(struct writer *w, const struct source_type *type, unknown_id id);

/* After the last row: fixes the types of the file, and which of them pprof shows first. */
void pprof_writer_finish_types(struct writer *w);

/* --- pprof_write_agree.c --- */

/* After the last row: sets the other fields of the file. */
void pprof_writer_agree(struct writer *w);

/* --- pprof_write_frames.c --- */

/* Makes the profile keep the columns that only pprof has. */
void pprof_writer_keep_own(struct writer *w);

/* Read a row of .mappings, functions, locations. */
void pprof_writer_mapping(struct writer *w, const struct row *row);
void pprof_writer_function(struct writer *w, const struct row *row);
void pprof_writer_location(struct writer *w, const struct row *row);

/* Sets the stack of the sample to the DEPTH location rows IDS. Rows inlined into each other become
 * one location. */
void pprof_writer_stack(struct writer *w, const int64_t *ids, size_t depth);

#endif

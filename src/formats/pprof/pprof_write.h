/* pprof_write.h - what the parts of the pprof writer share: pprof_write.c reads rows and
 * samples, pprof_write_sources.c what sources say, of which pprof_write_types.c makes types and
 * pprof_write_agree.c what is said of the whole file, pprof_write_frames.c mappings, functions,
 * locations and stacks, pprof_write_strings.c what all these use. */
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

/* A value type as one source has it. */
struct source_type {
    struct str type, unit; /* canonical text, as in its rows */
    bool gauge;       /* its values are left out, since they must not be added up: a level, or */
    bool inclusive;   /* what a frame called has too */
    bool is_count;    /* samples/count, which others may be derived from */
    bool is_time;     /* what would be derived from that */
    bool misfits;     /* the file has the type, but in a unit that this does not convert to */
    uint32_t column;  /* in the file, from 0; COLUMN_NONE: it has no place there */
    uint64_t dropped; /* values without a place */
    uint64_t count;   /* values other than 0 */
};

/* Strings are bytes, not text; those that may be missing have a null p. */
struct source {
    struct str uri, kind;
    string_id label; /* of --label-source: what tells it from others; 0: none */
    struct source_type *types;
    struct intern type_keys; /* type and unit as text; the number is the place in types, plus 1 */
    size_t type_count, type_capacity;
    size_t listed_count; /* of them: those in its `.value_types`, which come first */

    bool has_period, has_period_type;
    struct str period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    bool derives;                  /* values of the period's type come from samples/count */
    uint32_t derived;              /* their column, or COLUMN_NONE */
    struct wide counted;           /* the sum of what they were derived from, */
    struct decimal counted_digits; /* and of fractions */
    int64_t duration;              /* that it says it has, in nanoseconds */

    bool is_pprof;
    struct str default_type, drop_frames, keep_frames, doc_url;
};

/* What the hot path needs to know of a location row. */
struct row_frame {
    uint32_t location; /* in the file: the stack of lines that begins with it; 0: not made yet */
    uint32_t into;     /* the row that it is inlined into, 0: none */
};

/* How often a comment stands in the file, and in source number SOURCE. */
struct comment_count {
    size_t in_file, in_source, source;
};

/* The rest of it that the profile does not have as the file wants it. */
struct row_line {
    int64_t line;                     /* 0: none, or unknown */
    uint32_t function;                /* of the file, 0: none */
    unknown_id unknown, line_unknown; /* of the location, if it begins here, and of the line */
    bool has_line;
};

/* What the dotted columns of a row say that have no place in a profile; all zero before the next row. */
struct row_own {
    unknown_id unknown, line_unknown;
    bool has_time, is_outer, no_lines, has_number;
    int64_t number; /* of a line that is negative */
};

/* Where the type of a value stood last: in source number SOURCE, from 1, at PLACE of its types. */
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
    struct idmap type_numbers; /* string of a type, plus 1 -> its place in the file, plus 1 */

    struct source *sources;
    size_t source_count, source_capacity;
    bool has_file_time;
    struct comment_count *comments; /* by string */
    size_t comment_capacity;

    /* By id in the rows. */
    struct row_own own;             /* of the row being read */
    uint32_t *mappings, *functions; /* their numbers in the file */
    size_t mapping_capacity, function_capacity;
    struct row_frame *frames;
    struct row_line *lines;
    size_t frame_capacity, line_capacity;
    uint64_t line_total; /* of all locations of the file */
    uint32_t serial;     /* counts mappings, functions and locations, where equal ones stay apart */

    struct known_type *known; /* by number in the flow */
    size_t known_capacity;

    /* The sample being read. */
    struct source *source;   /* NULL: none */
    struct sums_part *parts; /* its values that are not 0 */
    size_t part_count, part_capacity;
    struct decimal count; /* samples/count */
    bool has_count, has_time;
    struct buf labels;    /* struct label */
    uint32_t label_set;   /* the number of these in the file, unless they are written one by one */
    string_id source_key; /* of --label-source, 0: none */
    struct intern labels_given; /* to sources */
    bool has_open_types;        /* --types leaves units open */
    uint32_t *stack;            /* locations of the file, innermost first */
    size_t depth, stack_capacity;

    struct pprof_values values; /* of a sample that is written by itself */
    struct spool *spool;        /* not NULL: samples one by one, until all types are known */
};

/* The place of the row being read. */
static inline struct place pprof_writer_place(const struct writer *w)
{
    return w->sink.flow->where;
}

/* --- pprof_write_strings.c: errors, strings --- */

/* The bytes of M, of a MEMBER_STRING, kept until the end. */
struct str pprof_writer_inner_copy(struct writer *w, const struct member *m);

/* The bytes of HEX, fields that a message of TYPE does not define, in the file's table of them.  Others
 * are a loss, and 0. */
unknown_id pprof_writer_unknown(struct writer *w, struct str hex,
                                const ProtobufCMessageDescriptor *type);

/* --- pprof_write_sources.c --- */

/* Reads a row of sources. */
void pprof_writer_source(struct writer *w, const struct row *row);

/* Keeps M, of the row of sources that is being read (profile.h). */
bool pprof_writer_keep_of_source(struct writer *w, const struct row *row, const struct member *m,
                                 uint32_t *other);

/* The type that V, a value of the sample being read, has in its source. */
struct source_type *pprof_writer_value_type(struct writer *w, const struct sample_value *v);

/* --- pprof_write_types.c --- */

/* Makes the types of --types the only ones of the file. */
void pprof_writer_fix_types(struct writer *w);

/* Whether the file has TYPE. */
bool pprof_writer_has_type(const struct writer *w, struct str type);

/* The place of a type among those of SOURCE, or their number where it is not there; TYPE and UNIT
 * are canonical text. */
size_t pprof_writer_find_type(struct writer *w, const struct source *source, struct str type,
                              struct str unit);

/* Adds a value type to SOURCE and, behind samples/count, the one that is derived from it; TYPE and
 * UNIT are bytes.  Returns the first, valid until the next is added. */
struct source_type *pprof_writer_add_type(struct writer *w, struct source *source, struct str type,
                                          struct str unit, bool gauge);

/* Gives the file's type that TYPE became the unknown fields ID; where sources differ in them the
 * least stand, by bytes. */
void pprof_writer_type_unknown(struct writer *w, const struct source_type *type, unknown_id id);

/* After the last row: settles the types of the file, and which of them pprof is to show first. */
void pprof_writer_finish_types(struct writer *w);

/* --- pprof_write_agree.c --- */

/* After the last row: settles what else is said of the whole file. */
void pprof_writer_agree(struct writer *w);

/* --- pprof_write_frames.c --- */

/* Has the profile's rows tell what only pprof keeps of them. */
void pprof_writer_keep_own(struct writer *w);

/* Read a row of .mappings, functions, locations. */
void pprof_writer_mapping(struct writer *w, const struct row *row);
void pprof_writer_function(struct writer *w, const struct row *row);
void pprof_writer_location(struct writer *w, const struct row *row);

/* Makes the DEPTH location rows IDS the stack of the sample; rows inlined into each other become one
 * location. */
void pprof_writer_stack(struct writer *w, const int64_t *ids, size_t depth);

#endif

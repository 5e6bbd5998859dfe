/* otlp_write.h - what the parts of the writer of OTLP profiles share. */
#ifndef PROFPIPE_OTLP_WRITE_H
#define PROFPIPE_OTLP_WRITE_H

#include "base/amount.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/spools.h"
#include "formats/otlp/otlp_messages.h"
#include "formats/otlp/otlp_out.h"
#include "profile/chains.h"
#include "profile/default_type.h"
#include "profile/profile.h"

/* A type of values of a source. The same name in units that do not convert is another type. */
struct otlp_type {
    struct str name, unit; /* canonical text; the finest unit that its values come in */
    bool is_listed, is_time;
    bool is_level, is_inclusive; /* its values are left out */
    bool is_written;             /* some group has it */
    uint64_t count;              /* how many values other than 0 it has */
    uint64_t dropped;
};

/* How values come in: those of TYPE, an index in the types of the source, in UNIT, and each counts
 * TIMES: the period for a time that is derived from samples/count. */
struct otlp_column {
    uint32_t type;
    struct str unit;
    int64_t times;
    int64_t factor; /* at the end: how many of the unit of its type one of it is; 0: too many */
};

/* A source, as messages: bytes in the arena. */
struct otlp_source {
    struct str resource, resource_schema, scope, scope_schema;
    struct str facts; /* the fields of a profile that come after its samples */
    struct str ids;   /* a list in JSON; null p: none */
    size_t payload_size;
    bool drops_payload;
    bool is_own, is_pprof; /* it comes from OTLP; or from pprof */
    int64_t zero;          /* what .time counts from, since 1970 */

    struct default_type shown;
    bool derives;     /* values of the period's type are derived from samples/count, */
    uint32_t derived; /* their column, plus 1; 0: none */
    struct str period_type, period_unit; /* canonical text */
    int64_t period;

    struct otlp_type *types;
    size_t type_count, type_capacity;
    struct otlp_column *columns;
    size_t column_count, column_capacity;
    uint32_t first_group, last_group; /* from 1; 0: none */
};

/* The samples of a source that have values of the same types. */
struct otlp_group {
    uint32_t source;      /* from 1 */
    uint32_t next;        /* the next group of that source, from 1; 0: none */
    size_t first, count;  /* of its types in w->group_types */
    size_t samples, from; /* those that are added up: how many, and the first in w->order */
    uint32_t strand;      /* of samples with times, plus 1; values of its types follow. 0: none */
};

/* What a set of labels is in the file. */
struct otlp_set {
    bool is_made;
    uint32_t link;
    struct str attributes; /* indexes, packed */
};

/* Marks of the row being read. */
struct otlp_marks {
    bool is_outer, no_lines, has_number;
    int64_t number; /* a line, or that where a function starts, below 0 */
    struct str build_id;
    struct buf attributes; /* indexes, packed */
};

struct otlp_writer {
    struct sink sink;
    struct out *out;
    bool is_json;
    struct profile profile;
    struct chains chains;
    struct arena arena;
    struct spools *spools; /* NULL: no sample has a time */
    /* By number of the field: what the tables of the dictionary have, from 1. Index 0 is empty. */
    struct intern tables[OTLP_DICTIONARY_STACKS + 1];
    uint32_t *strings; /* by string of the profile: its index, 0: not known yet */
    size_t string_capacity;
    struct intern kinds; /* of labels */

    uint32_t *mappings, *functions; /* by id - 1 */
    struct otlp_line {
        uint32_t function;
        struct str attributes;
        int64_t line;
        bool has_line;
    } * lines;
    size_t mapping_capacity, function_capacity, line_capacity;
    uint64_t line_total; /* in all locations */
    struct otlp_marks marks;

    struct otlp_source *sources;
    size_t source_count, source_capacity;
    struct otlp_facts { /* of the row of a source being read */
        bool has_time, has_zero, is_own, is_pprof;
        int64_t time, zero, period;
        struct buf resource, scope, attributes, payload; /* messages, indexes, bytes */
        struct str resource_schema, scope_schema, payload_format, ids;
        uint64_t dropped;
    } facts;

    struct otlp_known { /* by type in the flow - 1: where it was found last */
        uint32_t source, column;
    } * known;
    size_t known_capacity;
    struct intern type_keys, column_keys, group_keys;
    uint32_t *type_of, *column_of; /* by number of such a key - 1 */
    size_t type_of_capacity, column_of_capacity;
    struct otlp_group *groups;
    size_t group_count, group_capacity;
    uint32_t *group_order; /* their numbers, by source; once all samples have been read */
    uint32_t *group_types; /* indexes in the types of sources, in order */
    size_t group_type_count, group_type_capacity;

    /* The sample being read. */
    struct otlp_value {
        uint32_t column;
        struct decimal number;
    } * values;
    size_t value_count, value_capacity;
    bool has_time;
    int64_t time;
    uint32_t *signature, last_group; /* the types of its values, and of the sample before */
    size_t signature_count, signature_capacity;

    struct intern samples; /* struct otlp_key */
    struct amount_columns digits;
    struct sums sums;      /* by sample - 1 and column */
    uint32_t *order;       /* of samples - 1: by group */
    struct amount *totals; /* of a sample, by type of its source; all zero between samples */
    size_t total_capacity;
    struct otlp_set *sets;
    size_t set_capacity;
    bool counts_fractions; /* each is written twice */
    struct buf text, scratch, key, message;
};

/* A sample that is added up. There is no padding. */
struct otlp_key {
    uint32_t group, stack, labels;
};

/* A sample with a time, as in a spool. */
struct otlp_timed {
    uint32_t stack, labels;
    int64_t time;
};

/* --- messages --- */

/* Append the field NUMBER to TO: a varint unless it is 0, with or without a sign; 8 bytes; and bytes,
 * a message or a string, even if there are none. */
void otlp_put(struct buf *to, unsigned number, uint64_t value);
void otlp_put_fixed(struct buf *to, unsigned number, uint64_t value);
void otlp_put_bytes(struct buf *to, unsigned number, struct str bytes);

/* Appends BYTES as the field NUMBER unless there are none. */
static inline void otlp_put_any(struct buf *to, unsigned number, struct str bytes)
{
    if (bytes.n > 0)
        otlp_put_bytes(to, number, bytes);
}

/* --- otlp_write_rows.c --- */

/* BYTES, a string, or a copy in ROOM where what is not UTF-8 is replaced, and counted as lost. */
struct str otlp_valid(struct buf *room, struct str bytes);

/* The index of BYTES, a string; what is not UTF-8 is replaced, and counted as lost. */
uint32_t otlp_put_string(struct otlp_writer *w, struct str bytes);

/* The same of canonical TEXT. */
uint32_t otlp_put_text(struct otlp_writer *w, struct str text);

/* The index in the table of attributes of KEY with VALUE, an AnyValue. */
uint32_t otlp_put_attribute(struct otlp_writer *w, struct str key, struct str value,
                            struct str unit);

/* Appends BYTES to TO as an AnyValue, a string. */
void otlp_put_text_value(struct buf *to, struct str bytes);

/* Appends the indexes of the attributes in TEXT, a list in COLUMN, to TO. */
void otlp_put_attributes(struct otlp_writer *w, struct str text, const char *column,
                         struct buf *to);

/* How text of rows becomes messages. */
struct otlp_conversion otlp_conversion_of(struct otlp_writer *w);

/* Read rows. */
void otlp_write_mapping(struct otlp_writer *w, const struct row *row);
void otlp_write_function(struct otlp_writer *w, const struct row *row);
void otlp_write_location(struct otlp_writer *w, const struct row *row);

/* For chains.h. */
uint32_t otlp_make_location(void *writer, uint32_t first, uint32_t count);

/* Keeps M of a row that is no source's, or of a label (profile.h). */
bool otlp_keep_mark(struct otlp_writer *w, const struct row *row, const struct member *m,
                    uint32_t *other);

/* The attributes and the link of the set of labels ID. */
const struct otlp_set *otlp_set_of(struct otlp_writer *w, uint32_t id);

/* --- otlp_write_sources.c --- */

/* Reads the row of a source. */
void otlp_write_source(struct otlp_writer *w, const struct row *row);

/* Keeps M of such a row (profile.h). */
bool otlp_keep_fact(struct otlp_writer *w, const struct row *row, const struct member *m);

/* The type that S shows by default, of those that are written; NULL: there is none. */
const struct otlp_type *otlp_shown_type(const struct otlp_source *s);

/* Adds to the scope of SOURCE which of its types is shown, and their order. */
void otlp_finish_scope(struct otlp_writer *w, struct otlp_source *source);

/* The place of the row being read. */
static inline struct place otlp_place(const struct otlp_writer *w)
{
    return w->sink.flow->where;
}

#endif

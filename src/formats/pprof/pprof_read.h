/* pprof_read.h - a file of pprof to profile rows: see pprof2ndjson(1). */
#ifndef PROFPIPE_PPROF_READ_H
#define PROFPIPE_PPROF_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "formats/format.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"

/* Field numbers of Profile. */
enum pprof_field {
    FIELD_SAMPLE_TYPE = 1,
    FIELD_SAMPLE,
    FIELD_MAPPING,
    FIELD_LOCATION,
    FIELD_FUNCTION,
    FIELD_STRING,
    FIELD_DROP_FRAMES,
    FIELD_KEEP_FRAMES,
    FIELD_TIME,
    FIELD_DURATION,
    FIELD_PERIOD_TYPE,
    FIELD_PERIOD,
    FIELD_COMMENT,
    FIELD_DEFAULT_TYPE,
    FIELD_DOC_URL,
    FIELD_COUNT,
};

/* The fields of Profile by number. */
struct pprof_field_kind {
    const char *name;
    enum wire_type type;
    bool repeated; /* numbers may also be packed */
};

extern const struct pprof_field_kind pprof_field_kinds[FIELD_COUNT];

/* A string of the file's table. */
struct pprof_string {
    struct str bytes;
    struct str text; /* canonical */
    bool exact;      /* the text is the exact string */
};

/* A field of the outer message, kept for the second pass. */
struct pprof_part {
    struct str bytes;
    size_t offset;
};

struct pprof_parts {
    struct pprof_part *items;
    size_t count, capacity;
};

struct pprof_numbers {
    uint64_t *items;
    size_t count, capacity;
};

struct pprof_label_message {
    int64_t key, str, num, num_unit;
    const ProtobufCMessage *base; /* with its unknown fields; NULL: none */
};

/* A sample as in the file. */
struct pprof_sample_message {
    struct pprof_numbers locations, values; /* values are int64_t */
    struct pprof_label_message *labels;
    size_t label_count, label_capacity;
    const ProtobufCMessage *base; /* as in a label */
};

/* A function, a line and a location as in the file. */
struct pprof_function_message {
    uint64_t id;
    int64_t name, system_name, filename, start_line;
    const ProtobufCMessage *base; /* as in a label */
};

struct pprof_line_message {
    uint64_t function_id;
    int64_t line, column;
    const ProtobufCMessage *base;
};

struct pprof_location_message {
    uint64_t id, mapping_id, address;
    bool is_folded;
    struct pprof_line_message *lines; /* innermost first */
    size_t line_count, line_capacity;
    const ProtobufCMessage *base;
};

/* The rows of a location that has one or two. INNER is 0 if it has more, or if no location has this
 * id. OUTER is 0 if it has one. */
struct pprof_pair {
    uint32_t inner, outer;
};

/* COUNT items from number FIRST. */
struct pprof_span {
    uint32_t first, count;
};

/* A file being read. */
struct pprof_reader {
    struct in *in;
    const struct read_request *request;
    bool expand; /* the option */
    struct sink *sink;
    struct str data;       /* the whole file */
    struct arena messages; /* what protobuf-c unpacks, one message at a time */
    struct arena texts;

    struct pprof_string *strings;
    size_t string_count, string_capacity;
    struct pprof_parts types, mappings, functions, locations, period_types, comments;
    size_t samples_from, samples_to; /* offsets of the first sample and of the end of the last */
    uint32_t *type_numbers;          /* numbers of the types in the flow */
    struct str *type_extras;         /* dotted columns of the values of each type */
    int64_t numbers[FIELD_COUNT];    /* fields of the file itself, and their offsets */
    size_t number_offsets[FIELD_COUNT];

    struct idmap mapping_ids, function_ids, location_ids; /* id in the file -> index + 1 */
    struct pprof_span *spans; /* by index of a location: its rows, one per line */
    uint32_t *rows;           /* of all locations, innermost first */
    size_t row_count, row_capacity;
    struct pprof_pair *pairs; /* by location id */
    size_t pair_count;
    uint32_t location_rows;          /* number of distinct location rows */
    struct intern seen[TABLE_COUNT]; /* keys of rows, to detect copies */
    uint32_t *notes[TABLE_COUNT];    /* by key: see note_of */
    size_t note_capacity[TABLE_COUNT];
    int64_t count_type; /* index of samples/count in the types; -1: none */

    int64_t sample_id;
    struct pprof_sample_message sample;
    struct pprof_location_message location;
    struct sample_value *values; /* of a sample, one per type */
    int64_t *stack;              /* ids of location rows, innermost first */
    size_t depth, stack_capacity;
    struct buf unknown; /* fields of the file itself that profile.proto does not define */
    struct buf extra, inexact, key;
};

/* --- the file (pprof_read_file.c) --- */

/* The byte at OFFSET in the decompressed file, for messages. */
struct place pprof_place_at(const struct pprof_reader *r, size_t offset);

/* Ends the tool with WHAT, a path and an error, about PART, number PLACE of KIND. */
_Noreturn void pprof_die_in_part(const struct pprof_reader *r, const struct pprof_part *part,
                                 enum pprof_field kind, size_t place, const char *what);

/* Returns string number INDEX. For messages: the field PATH ("": the part itself) of PART, which is
 * number PLACE of KIND, refers to it. Ends the tool if there is no such string. */
const struct pprof_string *pprof_find_string(const struct pprof_reader *r,
                                             const struct pprof_part *part, enum pprof_field kind,
                                             size_t place, const char *path, int64_t index);

/* The string that FIELD of the file itself refers to. Ends the tool if there is none. */
const struct pprof_string *pprof_file_string(const struct pprof_reader *r, enum pprof_field field);

/* Unpacks PART, number PLACE of KIND, as a message of TYPE; valid until the next call. Ends the
 * tool if it is none. */
const ProtobufCMessage *pprof_unpack_part(struct pprof_reader *r,
                                          const ProtobufCMessageDescriptor *type,
                                          const struct pprof_part *part, enum pprof_field kind,
                                          size_t place);

/* The first pass: stores everything except samples in R. */
void pprof_collect_parts(struct pprof_reader *r);

/* --- members of rows (pprof_read_members.c) --- */

/* The text of S for COLUMN. If the text is not exact, pprof_finish_extra adds the bytes. */
struct str pprof_column_text(struct pprof_reader *r, struct str column,
                             const struct pprof_string *s);

/* Finishes the dotted columns of a row, r->extra, and returns them. */
struct str pprof_finish_extra(struct pprof_reader *r);

/* Append to r->extra the string S as "text", or as {"bytes":"hex"} if it is not exact text; or a
 * member NAME whose value is a string, a number, `true` (nothing is appended for false), a 64-bit
 * number as "0x...", or BYTES in hexadecimal. */
void pprof_add_string_value(struct pprof_reader *r, const struct pprof_string *s);
void pprof_add_string(struct pprof_reader *r, struct str name, const struct pprof_string *s);
void pprof_add_number(struct pprof_reader *r, struct str name, int64_t value);
void pprof_add_true(struct pprof_reader *r, struct str name, bool value);
void pprof_add_address(struct pprof_reader *r, struct str name, uint64_t value);
void pprof_add_hex(struct pprof_reader *r, struct str name, struct str bytes);

/* Appends a member NAME with the fields of M that profile.proto does not define, in hexadecimal.
 * Appends nothing if there are none or M is NULL. */
void pprof_add_unknown(struct pprof_reader *r, struct str name, const ProtobufCMessage *m);

/* Begins a member NAME that is an object; its members are appended next. Returns its start, for
 * pprof_close_object. An object in a list starts at r->extra.n. */
size_t pprof_open_object(struct pprof_reader *r, struct str name);
void pprof_close_object(struct pprof_reader *r, size_t start);

/* --- messages (pprof_read_messages.c) --- */

/* Decodes PART, sample number PLACE, into r->sample; valid until the next call. Ends the tool if
 * it is none; so do the next two. */
void pprof_decode_sample(struct pprof_reader *r, const struct pprof_part *part, size_t place);

/* Decodes PART, function number PLACE. */
struct pprof_function_message pprof_decode_function(struct pprof_reader *r,
                                                    const struct pprof_part *part, size_t place);

/* Decodes PART, location number PLACE, into r->location; valid until the next call. */
const struct pprof_location_message *
pprof_decode_location(struct pprof_reader *r, const struct pprof_part *part, size_t place);

/* Frees what r->sample and r->location hold. */
void pprof_free_messages(struct pprof_reader *r);

/* --- rows (pprof_read_rows.c, pprof_read_samples.c) --- */

/* Push the row of the source; the rows of mappings, functions and locations; those of the
 * samples. */
void pprof_push_source(struct pprof_reader *r);
void pprof_push_definitions(struct pprof_reader *r);
void pprof_push_samples(struct pprof_reader *r);

#endif

/* pprof_read.h - shared by the parts of the pprof reader: pprof_read_file.c walks the file and
 * builds dotted columns, pprof_read_rows.c writes the rows that come before samples, pprof_read.c
 * the samples. A bad file ends the tool (STATUS_INPUT). */
#ifndef PROFPIPE_PPROF_READ_H
#define PROFPIPE_PPROF_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_wire.h"
#include "formats/pprof/profile.pb-c.h"

/* Field numbers of Profile. */
enum field {
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

/* The field number of the labels in Sample. */
enum { FIELD_SAMPLE_LABEL = 3 };

/* A string of the file's table. */
struct string {
    struct str bytes;
    struct str text; /* canonical */
    bool exact;      /* the text is the exact string */
};

/* A field of the outer message, kept for the second pass. */
struct part {
    struct str bytes;
    size_t offset;
};

struct parts {
    struct part *items;
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
struct reader {
    struct in *in;
    const struct read_request *request;
    bool expand; /* the option */
    struct sink *sink;
    struct str data;       /* the whole file */
    struct arena messages; /* what protobuf-c unpacks, one message at a time */
    struct arena texts;

    struct string *strings;
    size_t string_count, string_capacity;
    struct parts types, mappings, functions, locations, period_types, comments;
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

/* The fields of Profile by number. */
struct reader_field {
    const char *name;
    enum wire_type type;
    bool repeated; /* numbers may also be packed */
};
extern const struct reader_field pprof_reader_fields[FIELD_COUNT];

/* --- pprof_read_file.c: the file --- */

/* The byte at OFFSET in the decompressed file, for messages. */
struct place pprof_reader_place(const struct reader *r, size_t offset);

/* The first pass: stores everything except samples in R. */
void pprof_reader_collect(struct reader *r);

/* Returns string number INDEX. For messages: the field PATH ("": the part itself) of PART, which is
 * number PLACE of KIND, refers to it. */
const struct string *pprof_reader_string(const struct reader *r, const struct part *part,
                                         enum field kind, size_t place, const char *path,
                                         int64_t index);

/* The string that FIELD of the file itself refers to. */
const struct string *pprof_reader_file_string(const struct reader *r, enum field field);

/* Unpacks PART, number PLACE of KIND, as a message of TYPE; valid until the next call. */
const ProtobufCMessage *pprof_reader_unpack(struct reader *r,
                                            const ProtobufCMessageDescriptor *type,
                                            const struct part *part, enum field kind, size_t place);

/* --- pprof_read_file.c: columns, collected in r->extra --- */

/* The text of S for COLUMN. If the text is not exact, pprof_reader_finish_extra adds the bytes. */
struct str pprof_reader_column_text(struct reader *r, struct str column, const struct string *s);

/* Finishes the dotted columns of a row and returns them. */
struct str pprof_reader_finish_extra(struct reader *r);

/* Append the string S as "text", or as {"bytes":"hex"} if it is not exact text; or a member NAME
 * whose value is a string, a number, `true` (nothing is appended for false), or a 64-bit number as
 * "0x...". */
void pprof_reader_add_string_value(struct reader *r, const struct string *s);
void pprof_reader_add_string(struct reader *r, struct str name, const struct string *s);
void pprof_reader_add_number(struct reader *r, struct str name, int64_t value);
void pprof_reader_add_true(struct reader *r, struct str name, bool value);
void pprof_reader_add_address(struct reader *r, struct str name, uint64_t value);

/* Appends a member NAME with the fields of M that profile.proto does not define, in hexadecimal.
 * Appends nothing if there are none or M is NULL. */
void pprof_reader_add_unknown(struct reader *r, struct str name, const ProtobufCMessage *m);

/* Appends a member NAME with BYTES in hexadecimal. */
void pprof_reader_add_hex(struct reader *r, struct str name, struct str bytes);

/* Begins a member NAME that is an object; its members are appended next. Returns its start, for
 * pprof_reader_close. An object in a list starts at r->extra.n. */
size_t pprof_reader_open(struct reader *r, struct str name);
void pprof_reader_close(struct reader *r, size_t start);

/* --- pprof_read_message.c --- */

/* Decodes PART, sample number PLACE, into r->sample; valid until the next call. */
void pprof_reader_decode_sample(struct reader *r, const struct part *part, size_t place);

/* Decodes PART, function number PLACE. */
struct pprof_function_message pprof_reader_decode_function(struct reader *r,
                                                           const struct part *part, size_t place);

/* Decodes PART, location number PLACE, into r->location; valid until the next call. */
const struct pprof_location_message *
pprof_reader_decode_location(struct reader *r, const struct part *part, size_t place);

/* Frees what r->sample and r->location hold. */
void pprof_reader_free_messages(struct reader *r);

/* --- pprof_read_rows.c --- */

/* Write the row of the source; the rows of mappings, functions and locations. */
void pprof_reader_emit_source(struct reader *r);
void pprof_reader_emit_definitions(struct reader *r);

#endif

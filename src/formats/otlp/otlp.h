/* otlp.h - what the parts of the reader of OTLP profiles share. */
#ifndef PROFPIPE_OTLP_H
#define PROFPIPE_OTLP_H

#include "base/arena.h"
#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"
#include "formats/otlp/otlp_messages.h"
#include "rows/tokens.h"

/* An entry of a table of the dictionary. */
struct otlp_entry {
    struct str bytes; /* the message, or the string */
    uint32_t made;    /* the number of what was made of it, or of the string; 0: nothing so far */
    bool is_used;
};

struct otlp_table {
    struct otlp_entry *items;
    size_t count, capacity;
    bool has_null; /* the first is empty, as it should be: it stands for none */
};

/* From OFFSET on, the message was made of JSON from LINE on. */
struct otlp_mark {
    uint64_t offset, line;
};

/* What is being read, for messages. */
struct otlp_path {
    enum otlp_message message; /* OTLP_SCALAR: an entry of a table, TABLE */
    unsigned table;
    uint64_t number; /* of the sample in its profile, from 1; of the entry, from 0 */
    size_t offset;   /* in r->data */
};

struct otlp_numbers {
    uint64_t *items;
    size_t count, capacity;
};

struct otlp_sample {
    uint64_t stack, link;
    struct otlp_numbers attributes, values, times;
};

/* One of the profiles of a scope that become a source together. */
struct otlp_profile {
    struct str bytes, id;
    struct str type, unit; /* bytes */
    uint32_t type_number;
    struct str type_extra; /* dotted columns of its values */
    struct wire samples;   /* a walk over the fields of the profile */
    struct otlp_sample sample;
};

/* COUNT rows of locations from FIRST on. */
struct otlp_span {
    size_t first, count;
};

struct otlp {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct str data;         /* the message, or the whole file that it is in */
    struct otlp_mark *marks; /* of a message that was made of JSON */
    size_t mark_count, mark_capacity;
    bool is_json;
    struct otlp_path path;
    uint64_t profiles; /* so far */

    struct otlp_table tables[OTLP_DICTIONARY_STACKS + 1]; /* by number of the field */
    struct intern seen[TABLE_COUNT];                      /* keys of rows, over all messages */
    struct intern strings;                                /* of functions and mappings, the same */
    struct otlp_span *spans;                              /* of locations of this message */
    size_t span_count, span_capacity;
    uint32_t *rows; /* ids of rows of locations, innermost first */
    size_t row_count, row_capacity;
    struct str *texts; /* labels of attributes and links of this message */
    size_t text_count, text_capacity;
    struct arena arena; /* holds them */

    struct otlp_profile *group; /* has its arrays as long as the reader */
    size_t group_count, group_capacity;
    struct sample_value *values; /* of a sample, one for each of the group */
    size_t value_capacity;
    int64_t *kept, *stack; /* ids of rows, innermost first; what a sink may change */
    size_t depth, kept_capacity, stack_capacity;
    const struct otlp_entry *kept_stack; /* whose rows these are */
    bool looks_ahead;                    /* what is unknown is counted when it is read again */
    int64_t zero;                        /* what .time counts from, since 1970 */
    int64_t source_id, sample_id;
    struct otlp_numbers numbers;
    struct bytes_rows bytes_rows;
    struct buf labels, extra, name, system, file, inexact, scratch, rest, comments, pprof;
    struct buf resource, scope; /* of the sources to come, as OTLP/JSON */
    struct str resource_schema, scope_schema, default_type;
    bool is_pprof; /* the scope says how a file of pprof was */
};

/* --- otlp_read.c --- */

/* Ends the tool (STATUS_INPUT) at what is being read: `profile 2, sample 5: stack_index: ...`. FIELD
 * is as in JSON; NULL: none. */
_Noreturn void otlp_die(const struct otlp *r, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A walk over BYTES, a part of r->data. */
struct wire otlp_walk(const struct otlp *r, struct str bytes);

/* Reads the next field of MESSAGE that is known; false at the end. Others are counted as lost; a wrong
 * type ends the tool. */
bool otlp_next(struct otlp *r, enum otlp_message message, struct wire *wire, struct wire_field *f,
               const struct otlp_field **field);

/* Takes the next number of a field, as otlp_next has read it, packed or not, off *F; false if there
 * is none. */
bool otlp_take(struct otlp *r, const struct otlp_field *field, struct wire_field *f,
               uint64_t *number);

/* The string INDEX of the table, which FIELD refers to. */
struct str otlp_string(struct otlp *r, uint64_t index, const char *field);

/* The entry INDEX of TABLE, the number of its field; NULL if that stands for none. */
struct otlp_entry *otlp_entry(struct otlp *r, unsigned table, uint64_t index, const char *field);

/* Sets what is read now, for messages; returns what it was. */
struct otlp_path otlp_at(struct otlp *r, struct otlp_path path);

/* The path of ENTRY, of TABLE. */
struct otlp_path otlp_path_of(const struct otlp *r, unsigned table, const struct otlp_entry *entry);

/* Appends the numbers of the field that otlp_next has read to TO. */
void otlp_add_numbers(struct otlp *r, const struct otlp_field *field, struct wire_field *f,
                      struct otlp_numbers *to);

/* NUMBER, nanoseconds in FIELD, as an integer with a sign. */
int64_t otlp_nanoseconds(const struct otlp *r, uint64_t number, const char *field);

/* The earliest time of a sample of the group; -1: none has one. */
int64_t otlp_first_time(struct otlp *r);

/* --- otlp_labels.c --- */

/* An attribute of the dictionary. */
struct otlp_attribute {
    struct str bytes; /* the message */
    struct str key, unit;
    struct wire_field value; /* the field of the AnyValue that is set; number 0: none */
};

/* The attribute that ENTRY is. */
struct otlp_attribute otlp_attribute(struct otlp *r, const struct otlp_entry *entry);

/* The field of BYTES, an AnyValue, that is set: its last one, with the bytes of a string in any case.
 * Number 0: none. */
struct wire_field otlp_value(struct otlp *r, struct str bytes);

/* Whether VALUE, of an AnyValue, is a string; whether A is one. */
static inline bool otlp_is_text(const struct wire_field *value)
{
    return value->number == OTLP_ANY_STRING || value->number == OTLP_ANY_INDEX;
}

static inline bool otlp_is_string(const struct otlp_attribute *a)
{
    return otlp_is_text(&a->value);
}

/* Appends A to the list of those that no column has, r->rest, as OTLP/JSON. */
void otlp_keep(struct otlp *r, const struct otlp_attribute *a);

/* Appends the member NAME with TEXT, bytes, as a string of a dotted column to r->extra. */
void otlp_add_text(struct otlp *r, struct str name, struct str text);

/* The labels, without brackets, of the attributes and the link of SAMPLE: into r->labels. */
void otlp_label(struct otlp *r, const struct otlp_sample *sample);

/* --- otlp_definitions.c --- */

/* Pushes the rows of all entries of the dictionary. */
void otlp_push_definitions(struct otlp *r);

/* Pushes the row of the location that stands for none, where a stack refers to it. */
void otlp_push_null_location(struct otlp *r);

/* --- otlp_sources.c --- */

/* Reads the type of values, BYTES, of PROFILE. */
void otlp_read_type(struct otlp *r, struct otlp_profile *profile, struct str bytes);

/* Pushes the row of the source that r->group is, and sets r->zero. */
void otlp_push_source(struct otlp *r);

/* Sets r->default_type and r->is_pprof by BYTES, a scope. */
void otlp_read_scope(struct otlp *r, struct str bytes);

/* --- otlp_json.c --- */

/* Appends BYTES, a MESSAGE, to TO as OTLP/JSON, with strings in place of their indexes. Nothing is
 * written of empty fields. */
void otlp_print(struct otlp *r, struct buf *to, enum otlp_message message, struct str bytes);

/* Appends NUMBER as JSON, always as a real; "NaN", "Infinity" or "-Infinity" without quotes. */
void otlp_print_double(struct buf *to, double number);

/* Sets *BITS to those of the double that TEXT is as OTLP/JSON has it; false if it is none. */
bool otlp_take_double(struct str text, uint64_t *bits);

/* The double that the 8 BYTES are. */
double otlp_double(struct str bytes);

/* Appends BYTES to TO in base64. */
void otlp_print_base64(struct buf *to, struct str bytes);

/* Appends BYTES to TO as JSON, with its quotes. Counts what is not UTF-8 as lost. */
void otlp_print_string(struct buf *to, struct str bytes);

/* Appends F, of FIELD, which is no message, to TO as JSON; a list that is packed, only its first. */
void otlp_print_scalar(struct buf *to, const struct otlp_field *field, const struct wire_field *f);

/* Appends what TEXT, base64, stands for to TO; false if it is none. */
bool otlp_take_base64(struct buf *to, struct str text);

/* How JSON becomes messages: a file, or text that otlp_print has made, with strings in place of their
 * indexes. */
struct otlp_conversion {
    struct otlp *reader; /* of the file: its marks are made, and its size is limited; NULL: text */
    uint32_t (*string)(void *user, struct str bytes); /* text: the index of a string */
    void *user;
};

/* Appends the object that J is in to TO, as a binary MESSAGE. */
void otlp_convert(const struct otlp_conversion *c, struct tokens *j, enum otlp_message message,
                  struct buf *to);

/* The same for TEXT, in COLUMN of the row at WHERE. Ends the tool if it is no such object. */
void otlp_convert_text(const struct otlp_conversion *c, enum otlp_message message, struct str text,
                       struct place where, const char *column, struct buf *to);

/* Such text being read. */
struct otlp_text {
    struct tokens json;
    struct in *in;
    char name[512];
};

/* Opens TEXT and reads its first token; closes it after its last, which nothing may follow. */
void otlp_text_open(struct otlp_text *t, struct str text, struct place where, const char *column);
void otlp_text_close(struct otlp_text *t);

#endif

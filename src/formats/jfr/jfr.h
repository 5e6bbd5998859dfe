/* jfr.h - what the parts of the reader of Java Flight Recorder share.
 *
 * A recording is a row of chunks, each whole in itself. The metadata of a chunk describes the types
 * of its events and constants, field by field; all fields are found by their names there. An event
 * refers to constants (threads, stacks, names) by their type and a number. They stand in a chain
 * of checkpoints, mostly behind the events, so that a chunk is looked at several times. */
#ifndef PROFPIPE_JFR_H
#define PROFPIPE_JFR_H

#include "base/idmap.h"
#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"

enum {
    JFR_HEADER = 68,       /* bytes in front of the events of a chunk */
    JFR_TYPE_METADATA = 0, /* types of events that every chunk has */
    JFR_TYPE_CHECKPOINT = 1,
    JFR_NONE = -1,     /* no such leaf, or no such type */
    JFR_LEAVES = 1024, /* the most that a type may have */
    JFR_FACT_EVENTS =
        3,            /* types of events about the whole process; the first tells it from others */
    JFR_NESTING = 16, /* how deep types may stand in types, and constants refer to others */
};

/* How a field is stored. */
enum jfr_kind {
    JFR_BYTE,    /* also a boolean */
    JFR_INTEGER, /* 7 bits in each byte */
    JFR_FLOAT,
    JFR_DOUBLE,
    JFR_STRING,
    JFR_CONSTANT, /* the number of a constant, as an integer */
    JFR_LIST,     /* a count, and so many values */
};

/* What a number means, by an annotation of its field. */
enum jfr_unit {
    JFR_NUMBER,
    JFR_TICKS, /* of the clock of the chunk */
    JFR_NANOSECONDS,
    JFR_MICROSECONDS,
    JFR_MILLISECONDS,
    JFR_SECONDS,
    JFR_BYTES,
    JFR_ADDRESS,
    JFR_TIMESTAMP, /* in ticks */
    JFR_BOOLEAN,
};

/* What is done with a string. */
enum jfr_strings {
    JFR_PASS, /* it is not read: only its end is looked for */
    /* It is read, unless it refers to a constant: the metadata come before these, and one that is a
     * string refers to no other. */
    JFR_OWN,
    JFR_FOLLOW, /* it is read, from a constant, too */
};

/* A field, as the metadata have it. */
struct jfr_field {
    struct str name;
    uint64_t type_id;
    enum jfr_unit unit;
    bool is_constant, is_list;
};

/* A field of a type, or one of a type that stands within it. */
struct jfr_leaf {
    struct str name; /* as "heapSpace.start" */
    enum jfr_kind kind;
    enum jfr_unit unit;
    unsigned bits;      /* of an integer: 16, 32 or 64, with a sign */
    int type;           /* of a constant, or of the items of a list: its index */
    bool has_constants; /* of a list: these are numbers of constants */
};

/* A constant: its bytes, and what was made of it; 0: nothing so far. */
struct jfr_constant {
    const char *p;
    uint32_t n;
    uint32_t text;   /* the number of its text in `texts`; 0: not known yet */
    uint32_t dotted; /* that of the same as the name of a class */
    uint32_t made;   /* of a stack, method, thread or kind of frame: the number of what it became */
    uint32_t location; /* of a frame: its row */
    uint32_t name;     /* of a method: the number in `texts` of its name with its class */
};

struct jfr_type {
    struct str name;
    uint64_t id;
    size_t field, field_count;
    size_t leaf, leaf_count;
    enum { JFR_FIELDS, JFR_OPEN, JFR_LEVEL } state; /* JFR_LEVEL: its leaves are known */
    unsigned height; /* how deep types stand in it, itself included; lists count, too */
    bool is_primitive;
    enum jfr_kind kind; /* of a primitive */
    unsigned bits;      /* of an integer */
    int shown;          /* the leaf whose text stands for all of a constant */

    struct idmap ids; /* constants: from their number + 1 */
    uint32_t last;    /* that with the largest number, for which there is no id */
    struct jfr_constant *constants;
    size_t constant_count, constant_capacity;

    struct jfr_plan *plan; /* of an event that becomes samples; NULL: none */
    bool is_planned;
    bool occurs;     /* the chunk has such events */
    uint64_t others; /* how many events of this type were left out */
};

/* The value of a leaf. */
struct jfr_value {
    int64_t number; /* of a constant its number, of a list its count */
    double real;
    struct str text; /* of a string, as bytes; a null p: null. Of a list what its items are in. */
};

/* A method: its rows. */
struct jfr_method {
    int64_t function, mapping; /* mapping 0: none */
};

/* A stack, in `frames` from FIRST. */
struct jfr_stack {
    size_t first, depth;
    bool is_truncated;
};

/* Bytes being read, and where they end. */
struct jfr_cursor {
    struct jfr *r;
    const char *p, *end;
};

struct jfr {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct place where;

    /* The chunk. */
    uint64_t start;      /* its offset in the input */
    uint64_t size;       /* up to its end, or that of the input */
    bool is_open;        /* it was not finished: it is read as far as it goes */
    bool is_of_nine;     /* version 1, of JDK 9 or 10 */
    int64_t nanoseconds; /* when it began, since 1970-01-01 UTC */
    int64_t ticks;       /* the same by its clock */
    double ticks_in_nanosecond;
    const char *bytes; /* all of it; NULL: it is read from FD, a block at a time */
    int fd;            /* -1: none */
    char *block;
    size_t block_size, block_capacity;
    uint64_t block_at, consumed; /* offsets in the chunk */
    uint64_t kept;               /* bytes of it that are held, if it is not */
    uint64_t ids_held;           /* bytes of maps of ids that count as growth until its end */
    uint64_t rest;               /* of an open one: bytes at its end that are no whole event */

    struct arena arena; /* freed with the chunk; the other one with each event */
    struct arena event_arena, *strings;

    struct str *words; /* of the metadata */
    size_t word_count, word_capacity;
    struct jfr_type *types;
    size_t type_count, type_capacity;
    struct idmap type_ids; /* from id + 1 to index + 1 */
    struct jfr_field *fields;
    size_t field_count, field_capacity;
    struct jfr_leaf *leaves;
    size_t leaf_count, leaf_capacity;
    int string_type, stack_type, frame_type, method_type, thread_type, class_type;
    int frames_leaf, truncated_leaf; /* of a stack */
    bool has_frame_constants; /* the former has their numbers, as Mission Control writes it */
    int frame_method, frame_line, frame_bytecode, frame_kind; /* leaves of a frame */

    struct str *texts; /* by number - 1; a null p: there is none */
    size_t text_count, text_capacity;
    struct jfr_stack *stacks;
    int64_t *frames;
    size_t stack_count, stack_capacity, frame_count, frame_capacity;
    struct jfr_method *methods;
    size_t method_count, method_capacity;
    struct jfr_value values[JFR_LEAVES], frame_values[JFR_LEAVES]; /* of an event, of a frame */

    /* The whole recording. */
    struct intern sources; /* their facts */
    int64_t *source_starts;
    size_t source_start_capacity;
    int64_t source_id;
    struct buf gathered[JFR_FACT_EVENTS]; /* facts that events of the chunk have given */
    unsigned has_gathered;                /* which of them, as bits */
    int64_t source_start;                 /* when it began, in nanoseconds */
    struct intern functions, locations, mappings, names, settings;
    struct bytes_rows rows;
    uint32_t *types_of_values;
    int64_t sample_id;
    int64_t *stack;
    size_t stack_room;
    struct buf facts, key, name, labels, extra, text;
};

/* --- bytes --- */

/* Up to N bytes of the chunk from AT on, fewer at its end. Valid until the next call. */
struct str jfr_at(struct jfr *r, uint64_t at, size_t n);

/* The same, valid until the chunk ends. */
struct str jfr_keep(struct jfr *r, uint64_t at, size_t n);

/* Ends the tool (STATUS_INPUT): the bytes of C end within a value. */
_Noreturn void jfr_overrun(const struct jfr_cursor *c);

static inline unsigned char jfr_byte(struct jfr_cursor *c)
{
    if (c->p == c->end)
        jfr_overrun(c);
    return (unsigned char)*c->p++;
}

/* An integer of up to 64 bits: 7 in each byte, the lowest first, and 8 in a ninth. */
static inline uint64_t jfr_integer(struct jfr_cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        const unsigned char byte = jfr_byte(c);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    return value | (uint64_t)jfr_byte(c) << 56;
}

/* A number of items, each of which has at least a byte. Ends the tool (STATUS_INPUT) if C has
 * fewer. */
size_t jfr_count(struct jfr_cursor *c);

/* A string as bytes; a null p: null. One with another coding than UTF-8 goes to r->strings, unless
 * it is passed: then what is returned is of no use. */
struct str jfr_string(struct jfr_cursor *c, enum jfr_strings strings);

/* Takes the size and the type off an event at AT; false if there is none, as at the end. */
bool jfr_event_at(struct jfr *r, uint64_t at, uint64_t *size, uint64_t *type);

/* --- metadata --- */

/* Reads the types of the chunk from the event BYTES. */
void jfr_read_metadata(struct jfr *r, struct str bytes);

/* The index of the type with ID; JFR_NONE: there is none. */
int jfr_type_of(const struct jfr *r, uint64_t id);

/* The leaves of TYPE, an index: first has them made. */
const struct jfr_leaf *jfr_leaves(struct jfr *r, int type);

/* The index among these of NAME; JFR_NONE. */
int jfr_leaf_named(struct jfr *r, int type, struct str name);

/* Reads a value of TYPE: its leaves to VALUES, or nowhere (NULL), as which STRINGS are passed. */
void jfr_decode(struct jfr_cursor *c, int type, enum jfr_strings strings, struct jfr_value *values);

/* The value of one LEAF of CONSTANT, of TYPE. */
struct jfr_value jfr_leaf_of(struct jfr *r, int type, const struct jfr_constant *constant,
                             int leaf);

/* --- constants --- */

/* Reads a checkpoint, the event BYTES; a constant that is known already stays. */
void jfr_read_checkpoint(struct jfr *r, struct str bytes);

/* The constant NUMBER of TYPE; NULL: there is none. */
struct jfr_constant *jfr_constant(struct jfr *r, int type, int64_t number);

/* Keeps TEXT, which lives as long as the chunk; returns its number in r->texts. */
uint32_t jfr_keep_text(struct jfr *r, struct str text);

/* What people call that constant, as bytes; a null p: nothing. */
struct str jfr_text(struct jfr *r, int type, int64_t number);

/* --- rows --- */

/* Pushes the source whose facts are in r->gathered, if it is new, and makes it the current one. */
void jfr_begin_source(struct jfr *r, int64_t start);

/* The labels of the thread NUMBER, as items of a list; empty: there is no such thread. */
struct str jfr_thread(struct jfr *r, int64_t number);

/* Appends a label to LABELS. UNIT may be empty. */
void jfr_add_text(struct jfr *r, struct buf *labels, struct str key, struct str text);
void jfr_add_number(struct jfr *r, struct buf *labels, struct str key, int64_t number,
                    struct str unit);

/* The name of the method NUMBER, with its class, until the chunk ends; empty: there is none. */
struct str jfr_method_name(struct jfr *r, int64_t number);

/* The stack NUMBER, with its locations pushed; NULL: there is none. */
const struct jfr_stack *jfr_stack(struct jfr *r, int64_t number);

/* Keeps a setting of EVENT, NAME with VALUE, bytes. */
void jfr_setting(struct jfr *r, struct str event, struct str name, struct str value);

/* --- events --- */

/* Numbers the types of values. */
void jfr_add_types(struct jfr *r);

/* Adds what the event BYTES of TYPE, an index, says of the source to r->gathered; true: it says
 * which process that is. */
bool jfr_gather(struct jfr *r, int type, struct str bytes);

/* Pushes the sample that the event is, or counts it. */
void jfr_push_event(struct jfr *r, int type, struct str bytes);

/* Appends the list of types of values to r->extra, the columns of a source. */
void jfr_list_types(struct jfr *r);

/* Counts the events of the chunk that became no samples. */
void jfr_count_others(struct jfr *r);

/* Frees the plans of events. */
void jfr_free_plans(struct jfr *r);

/* Ends the tool (STATUS_INPUT): the time NUMBER, in the unit of its field, does not fit 64 bits. */
_Noreturn void jfr_die_time(const struct jfr *r, int64_t number);

/* TICKS by the chunk's clock as nanoseconds, rounded as the JDK does: the same figures. */
int64_t jfr_nanoseconds(const struct jfr *r, int64_t ticks);

/* When the chunk's clock showed TICKS, in nanoseconds after the start of the source. */
int64_t jfr_time(const struct jfr *r, int64_t ticks);

#endif

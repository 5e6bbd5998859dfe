/* wire.h - walks a protobuf message field by field, so that a whole file is never unpacked into a
 * tree. */
#ifndef PROFPIPE_WIRE_H
#define PROFPIPE_WIRE_H

#include "base/buf.h"
#include "base/diag.h"

/* A message being walked. */
struct wire {
    const char *file;   /* for messages */
    const char *format; /* the same: "pprof" */
    struct str data;    /* the whole message */
    size_t at;          /* offset of the next field */
};

/* Wire types of protobuf. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire_field {
    uint64_t number;
    enum wire_type type;
    uint64_t value;   /* of WIRE_VARINT; the length of WIRE_BYTES */
    struct str bytes; /* of all others; borrowed */
    size_t offset;    /* where the field begins */
    struct str whole; /* the field including its key */
};

/* Reads the next field; false at the end. Ends the tool (STATUS_INPUT) if the message is truncated
 * or malformed. */
bool wire_next(struct wire *w, struct wire_field *field);

/* The size of VALUE as a varint, in bytes. */
static inline size_t wire_varint_size(uint64_t value)
{
    return (70 - (size_t)__builtin_clzll(value | 1)) / 7;
}

/* Writes VALUE as a varint to TO, which has room for it, and returns the end. */
static inline char *wire_write_varint(char *to, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        *to++ = (char)(value | 0x80);
    *to++ = (char)value;
    return to;
}

/* Append to TO a varint; 8 bytes, the lowest first; the key of field NUMBER with TYPE. */
void wire_put_varint(struct buf *to, uint64_t value);
void wire_put_fixed(struct buf *to, uint64_t value);
void wire_put_key(struct buf *to, uint64_t number, enum wire_type type);

/* Whether BYTES is a sequence of whole fields. */
bool wire_is_fields(struct str bytes);

/* Whether a field in BYTES has a number from FIRST to LAST. */
bool wire_has_number(struct str bytes, uint64_t first, uint64_t last);

/* The count of leading fields in BYTES that have NUMBER. */
size_t wire_count(struct str bytes, uint64_t number);

/* Slow path of wire_take_varint. */
bool wire_take_long_varint(struct str *bytes, uint64_t *value);

/* Takes a varint off *BYTES; false if there is none that fits in 64 bits. */
static inline bool wire_take_varint(struct str *bytes, uint64_t *value)
{
    if (bytes->n == 0 || (unsigned char)*bytes->p >= 0x80)
        return wire_take_long_varint(bytes, value);
    *value = (unsigned char)*bytes->p++;
    bytes->n--;
    return true;
}

#endif

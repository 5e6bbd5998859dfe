/* pprof_wire.h - walks the outer message of a pprof file field by field, so that the whole profile
 * is never unpacked into a tree. protobuf-c decodes the content of the fields, one message at a
 * time. */
#ifndef PROFPIPE_PPROF_WIRE_H
#define PROFPIPE_PPROF_WIRE_H

#include "base/buf.h"
#include "base/diag.h"

/* A message being walked. */
struct wire {
    const char *file; /* for messages */
    struct str data;  /* the whole message */
    size_t at;        /* offset of the next field */
};

/* Wire types of protobuf. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire_field {
    uint64_t number;
    enum wire_type type;
    uint64_t value;   /* of WIRE_VARINT; the length of WIRE_BYTES */
    struct str bytes; /* of WIRE_BYTES; borrowed */
    size_t offset;    /* where the field begins */
    struct str whole; /* the field including its key */
};

/* Reads the next field; false at the end. Ends the tool (STATUS_INPUT) if the message is truncated
 * or malformed. */
bool pprof_wire_next(struct wire *w, struct wire_field *field);

/* Appends to TO the key of field NUMBER with TYPE. */
void pprof_wire_put_key(struct buf *to, uint64_t number, enum wire_type type);

/* Whether BYTES is a sequence of whole fields. */
bool pprof_wire_is_fields(struct str bytes);

/* Whether a field in BYTES has a number from FIRST to LAST. */
bool pprof_wire_has_number(struct str bytes, uint64_t first, uint64_t last);

/* The count of leading fields in BYTES that have NUMBER. */
size_t pprof_wire_count(struct str bytes, uint64_t number);

/* Slow path of pprof_wire_take_varint. */
bool pprof_wire_take_long_varint(struct str *bytes, uint64_t *value);

/* Takes a varint off *BYTES; false if there is none that fits in 64 bits. */
static inline bool pprof_wire_take_varint(struct str *bytes, uint64_t *value)
{
    if (bytes->n == 0 || (unsigned char)*bytes->p >= 0x80)
        return pprof_wire_take_long_varint(bytes, value);
    *value = (unsigned char)*bytes->p++;
    bytes->n--;
    return true;
}

#endif

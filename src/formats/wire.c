#include "formats/wire.h"

#include <inttypes.h>

/* Max bytes of a varint. */
enum { VARINT_MAX = 10 };

bool wire_take_long_varint(struct str *bytes, uint64_t *value)
{
    uint64_t v = 0;
    for (size_t i = 0; i < bytes->n && i < VARINT_MAX; i++) {
        unsigned char c = (unsigned char)bytes->p[i];
        v |= (uint64_t)(c & 0x7f) << (7 * i);
        if (c >= 0x80)
            continue;
        *value = v;
        bytes->p += i + 1;
        bytes->n -= i + 1;
        return true;
    }
    return false;
}

void wire_put_varint(struct buf *to, uint64_t value)
{
    char *end = wire_write_varint(buf_reserve(to, VARINT_MAX), value);
    to->n = (size_t)(end - to->p);
}

void wire_put_fixed(struct buf *to, uint64_t value)
{
    char *p = buf_reserve(to, 8);
    for (unsigned i = 0; i < 8; i++)
        p[i] = (char)(value >> 8 * i);
    to->n += 8;
}

void wire_put_key(struct buf *to, uint64_t number, enum wire_type type)
{
    wire_put_varint(to, number << 3 | (uint64_t)type);
}

static struct place place_at(const struct wire *w, size_t offset)
{
    return (struct place){w->file, PLACE_OFFSET, offset};
}

/* Takes N bytes off *REST. */
static bool take(struct str *rest, uint64_t n, struct str *bytes)
{
    if (n > rest->n)
        return false;
    *bytes = (struct str){rest->p, (size_t)n};
    rest->p += n;
    rest->n -= (size_t)n;
    return true;
}

enum step { STEP_FIELD, STEP_END, STEP_BAD_KEY, STEP_BAD_TYPE, STEP_LONG, STEP_CUT };

static enum step step(struct wire *w, struct wire_field *f)
{
    struct str rest = {w->data.p + w->at, w->data.n - w->at};
    uint64_t key;
    if (rest.n == 0)
        return STEP_END;
    f->offset = w->at;
    if (!wire_take_varint(&rest, &key))
        return STEP_BAD_KEY;
    f->number = key >> 3;
    f->type = (enum wire_type)(key & 7);
    bool whole = true;
    switch (f->type) {
    case WIRE_VARINT:
    case WIRE_BYTES:
        if (!wire_take_varint(&rest, &f->value))
            return rest.n < VARINT_MAX ? STEP_CUT : STEP_LONG;
        whole = f->type == WIRE_VARINT || take(&rest, f->value, &f->bytes);
        break;
    case WIRE_FIXED64: whole = take(&rest, 8, &f->bytes); break;
    case WIRE_FIXED32: whole = take(&rest, 4, &f->bytes); break;
    default: return STEP_BAD_TYPE;
    }
    if (!whole)
        return STEP_CUT;
    w->at = (size_t)(rest.p - w->data.p);
    f->whole = (struct str){w->data.p + f->offset, w->at - f->offset};
    return STEP_FIELD;
}

bool wire_next(struct wire *w, struct wire_field *f)
{
    switch (step(w, f)) {
    case STEP_FIELD: return true;
    case STEP_END: return false;
    case STEP_BAD_KEY:
        die_as(CODE_TORN, place_at(w, w->at),
               "expected the key of a field, found a varint that does not end");
    case STEP_BAD_TYPE:
        die_at(place_at(w, w->at), "field %" PRIu64 ": wire type %d does not occur in %s files",
               f->number, (int)f->type, w->format);
    case STEP_LONG:
        die_at(place_at(w, w->at),
               "field %" PRIu64 ": expected a varint of at most %d bytes, found a longer one",
               f->number, VARINT_MAX);
    case STEP_CUT:
        die_as(CODE_TORN, place_at(w, w->at),
               "field %" PRIu64 " is cut off: expected more bytes, found the end", f->number);
    }
    return false;
}

bool wire_is_fields(struct str bytes)
{
    struct wire w = {.data = bytes};
    struct wire_field f;
    enum step end;
    while ((end = step(&w, &f)) == STEP_FIELD) {
    }
    return end == STEP_END;
}

bool wire_has_number(struct str bytes, uint64_t first, uint64_t last)
{
    struct wire w = {.data = bytes};
    struct wire_field f;
    while (step(&w, &f) == STEP_FIELD)
        if (f.number >= first && f.number <= last)
            return true;
    return false;
}

size_t wire_count(struct str bytes, uint64_t number)
{
    struct wire w = {.data = bytes};
    struct wire_field f;
    size_t count = 0;
    while (step(&w, &f) == STEP_FIELD)
        count += f.number == number;
    return count;
}

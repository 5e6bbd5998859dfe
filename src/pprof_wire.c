#include "pprof_wire.h"

#include <inttypes.h>

bool wire_take_varint(struct str *bytes, uint64_t *value)
{
    uint64_t v = 0;
    for (size_t i = 0; i < bytes->n && i < 10; i++) {
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

bool wire_next(struct wire *w, struct wire_field *f)
{
    struct str rest = {w->data.p + w->at, w->data.n - w->at};
    if (rest.n == 0)
        return false;
    uint64_t key, length;
    f->offset = w->at;
    if (!wire_take_varint(&rest, &key))
        die_at(place_at(w, w->at), "expected the key of a field, found a varint that does not end");
    f->number = key >> 3;
    f->type = (enum wire_type)(key & 7);
    bool whole = true;
    switch (f->type) {
    case WIRE_VARINT: whole = wire_take_varint(&rest, &f->value); break;
    case WIRE_FIXED64: whole = take(&rest, 8, &f->bytes); break;
    case WIRE_FIXED32: whole = take(&rest, 4, &f->bytes); break;
    case WIRE_BYTES:
        whole = wire_take_varint(&rest, &length) && take(&rest, length, &f->bytes);
        break;
    default:
        die_at(place_at(w, w->at), "field %" PRIu64 ": wire type %d does not occur in pprof files",
               f->number, (int)f->type);
    }
    if (!whole)
        die_at(place_at(w, w->at),
               "field %" PRIu64 " is cut off: expected more bytes, found the end", f->number);
    w->at = (size_t)(rest.p - w->data.p);
    f->content = w->at - f->bytes.n;
    return true;
}

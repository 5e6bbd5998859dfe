#include "loss.h"
#include "pprof_wire.h"
#include "pprof_write.h"
#include "text.h"

struct str writer_bytes(struct writer *w, struct str name, struct str text, struct str bytes)
{
    w->scratch.n = 0;
    text_exact(&w->scratch, text, bytes, name);
    return buf_str(&w->scratch);
}

string_id writer_string(struct writer *w, struct str name, struct str text, struct str bytes)
{
    return pprof_string(&w->file, writer_bytes(w, name, text, bytes));
}

struct str writer_inner_bytes(struct writer *w, struct str value)
{
    struct str text;
    w->scratch.n = 0;
    if (text_is_string(value, &text))
        text_unescape(&w->scratch, text);
    else if (text_is_string(text_member(value, STR("bytes")), &text))
        text_unhex(&w->scratch, text);
    return buf_str(&w->scratch);
}

struct str writer_inner_copy(struct writer *w, const struct member *m)
{
    return arena_copy(&w->arena, writer_inner_bytes(w, m->value));
}

string_id writer_inner_string(struct writer *w, const struct member *m)
{
    return pprof_string(&w->file, writer_inner_bytes(w, m->value));
}

unknown_id writer_unknown(struct writer *w, struct str hex, const ProtobufCMessageDescriptor *type)
{
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str fields = buf_str(&w->scratch);
    uint64_t known = type->fields[type->n_fields - 1].id;
    if (!wire_is_fields(fields) || wire_has_number(fields, 0, known) ||
        wire_has_number(fields, (uint64_t)UINT32_MAX + 1, UINT64_MAX)) { /* what protobuf-c takes */
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(type->short_name), 1);
        return 0;
    }
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

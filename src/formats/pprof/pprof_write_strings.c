#include "base/buf.h"
#include "formats/pprof/pprof_wire.h"
#include "formats/pprof/pprof_write.h"
#include "rows/loss.h"
#include "rows/text.h"

struct str pprof_writer_bytes(struct writer *w, struct str name, struct str text, struct str bytes)
{
    w->scratch.n = 0;
    text_exact(&w->scratch, text, bytes, name);
    return buf_str(&w->scratch);
}

string_id pprof_writer_string(struct writer *w, struct str name, struct str text, struct str bytes)
{
    return pprof_string(&w->file, pprof_writer_bytes(w, name, text, bytes));
}

struct str pprof_writer_inner_bytes(struct writer *w, struct str value)
{
    struct str text;
    w->scratch.n = 0;
    if (text_is_string(value, &text))
        text_unescape(&w->scratch, text);
    else if (text_is_string(text_member(value, STR("bytes")), &text))
        text_unhex(&w->scratch, text);
    return buf_str(&w->scratch);
}

struct str pprof_writer_inner_copy(struct writer *w, const struct member *m)
{
    return arena_copy(&w->arena, pprof_writer_inner_bytes(w, m->value));
}

string_id pprof_writer_inner_string(struct writer *w, const struct member *m)
{
    return pprof_string(&w->file, pprof_writer_inner_bytes(w, m->value));
}

unknown_id pprof_writer_unknown(struct writer *w, struct str hex,
                                const ProtobufCMessageDescriptor *type)
{
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str fields = buf_str(&w->scratch);
    uint64_t known = type->fields[type->n_fields - 1].id;
    if (!pprof_wire_is_fields(fields) || pprof_wire_has_number(fields, 0, known) ||
        pprof_wire_has_number(fields, (uint64_t)UINT32_MAX + 1,
                              UINT64_MAX)) { /* what protobuf-c takes */
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(type->short_name), 1);
        return 0;
    }
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

#include "base/buf.h"
#include "formats/pprof/pprof_wire.h"
#include "formats/pprof/pprof_write.h"
#include "rows/loss.h"
#include "rows/text.h"

struct str pprof_writer_inner_copy(struct writer *w, const struct member *m)
{
    return arena_copy(&w->arena, profile_inner_bytes(&w->file.profile, m->value));
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
                              UINT64_MAX)) { /* the max that protobuf-c accepts */
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(type->short_name), 1);
        return 0;
    }
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

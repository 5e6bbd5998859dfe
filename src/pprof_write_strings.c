#include "loss.h"
#include "pprof_wire.h"
#include "pprof_write.h"
#include "text.h"

/* Name of the innermost function of the sample being read; p is NULL where there is none. */
static struct str innermost(const struct writer *w)
{
    const struct pprof_location *l =
        w->source == NULL || w->depth == 0 ? NULL : pprof_location(&w->file, w->stack[1]);
    if (l == NULL || l->line_count == 0)
        return (struct str){NULL, 0};
    string_id name = pprof_function(&w->file, l->lines[0].function)->name;
    return name == 0 ? STR("<?>") : intern_get(&w->file.strings, name);
}

void writer_die_overflow(const struct writer *w, int index)
{
    struct buf type = {0}, function = {0};
    string_id id = w->file.types[index].type;
    text_escape(&type, id == 0 ? STR("") : intern_get(&w->file.strings, id));
    if (innermost(w).p == NULL)
        die_at(writer_place(w), "the sum of \"%.*s\" passes 64 bits", STR_ARG(buf_str(&type)));
    text_escape(&function, innermost(w));
    die_at(writer_place(w), "the sum of \"%.*s\" in function \"%.*s\" passes 64 bits",
           STR_ARG(buf_str(&type)), STR_ARG(buf_str(&function)));
}

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

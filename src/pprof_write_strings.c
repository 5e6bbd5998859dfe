#include "pprof_wire.h"
#include "pprof_write.h"
#include "text.h"

void writer_die_malformed(const struct writer *w, const char *column, const char *expected)
{
    die_at(writer_place(w), "%s: expected %s", column, expected);
}

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
    if (!text_exact(&w->scratch, text, bytes, name))
        die_at(writer_place(w), ".bytes.%.*s: expected hexadecimal digits in a string",
               STR_ARG(name));
    return buf_str(&w->scratch);
}

string_id writer_string(struct writer *w, struct str name, struct str text, struct str bytes)
{
    return pprof_string(&w->file, writer_bytes(w, name, text, bytes));
}

bool writer_inner_bytes(struct writer *w, struct str value, struct str *bytes)
{
    struct str text;
    w->scratch.n = 0;
    if (text_is_string(value, &text))
        text_unescape(&w->scratch, text);
    else if (!text_is_string(text_member(value, STR("bytes")), &text) ||
             !text_unhex(&w->scratch, text))
        return false;
    *bytes = buf_str(&w->scratch);
    return true;
}

bool writer_inner_copy(struct writer *w, struct str value, struct str *bytes)
{
    if (!writer_inner_bytes(w, value, bytes))
        return false;
    *bytes = arena_copy(&w->arena, *bytes);
    return true;
}

bool writer_inner_string(struct writer *w, struct str value, string_id *id)
{
    struct str bytes;
    if (!writer_inner_bytes(w, value, &bytes))
        return false;
    *id = pprof_string(&w->file, bytes);
    return true;
}

struct str writer_unknown_fields(struct writer *w, struct str value, uint64_t first, uint64_t last)
{
    struct str hex;
    w->scratch.n = 0;
    if (!text_is_string(value, &hex) || !text_unhex(&w->scratch, hex) ||
        !wire_is_fields(buf_str(&w->scratch), first, last))
        writer_die_malformed(w, "unknown", "protobuf fields in hexadecimal in a string");
    return buf_str(&w->scratch);
}

unknown_id writer_unknown(struct writer *w, struct str value)
{
    struct str fields = writer_unknown_fields(w, value, 1, UINT32_MAX); /* what protobuf-c takes */
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

/* Strings, numbers and unknown fields of a file of pprof as members of rows. */
#include "formats/pprof/pprof_read.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

struct str pprof_column_text(struct pprof_reader *r, struct str column,
                             const struct pprof_string *s)
{
    if (!s->exact)
        emit_bytes(&r->inexact, column, s->bytes);
    return s->text;
}

struct str pprof_finish_extra(struct pprof_reader *r)
{
    emit_bytes_column(&r->extra, &r->inexact);
    return buf_str(&r->extra);
}

void pprof_add_string_value(struct pprof_reader *r, const struct pprof_string *s)
{
    if (s->exact)
        emit_string(&r->extra, s->text);
    else
        emit_bytes_object(&r->extra, s->bytes);
}

void pprof_add_string(struct pprof_reader *r, struct str name, const struct pprof_string *s)
{
    emit_member(&r->extra, name);
    pprof_add_string_value(r, s);
}

void pprof_add_number(struct pprof_reader *r, struct str name, int64_t value)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, value);
}

void pprof_add_true(struct pprof_reader *r, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("true"));
}

void pprof_add_address(struct pprof_reader *r, struct str name, uint64_t value)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, value);
    buf_add(&r->extra, STR("\""));
}

void pprof_add_hex(struct pprof_reader *r, struct str name, struct str bytes)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    text_hex(&r->extra, bytes);
    buf_add(&r->extra, STR("\""));
}

void pprof_add_unknown(struct pprof_reader *r, struct str name, const ProtobufCMessage *m)
{
    if (m == NULL || m->n_unknown_fields == 0)
        return;
    r->key.n = 0;
    for (unsigned i = 0; i < m->n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *f = &m->unknown_fields[i];
        if (f->tag == 0) { /* invalid field number; only its long spellings get here */
            loss_add(LOSS_UNKNOWN_FIELDS, STR("0"), 1);
            continue;
        }
        wire_put_key(&r->key, f->tag, (enum wire_type)f->wire_type);
        buf_add(&r->key, (struct str){(const char *)f->data, f->len});
    }
    if (r->key.n > 0)
        pprof_add_hex(r, name, buf_str(&r->key));
}

size_t pprof_open_object(struct pprof_reader *r, struct str name)
{
    emit_member(&r->extra, name);
    return r->extra.n;
}

void pprof_close_object(struct pprof_reader *r, size_t start)
{
    emit_make_object(&r->extra, start);
}

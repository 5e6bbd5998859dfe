#include "rows/emit.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/in.h"
#include "rows/site.h"
#include "rows/text.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Any number, or a literal with its quotes. */
enum { INTEGER_MAX = 20 };

static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

static ALWAYS_INLINE unsigned digit_count(uint64_t v)
{
    static const uint64_t powers[] = {
        0,
        10u,
        100u,
        1000u,
        10000u,
        100000u,
        1000000u,
        10000000u,
        100000000u,
        1000000000u,
        10000000000u,
        100000000000u,
        1000000000000u,
        10000000000000u,
        100000000000000u,
        1000000000000000u,
        10000000000000000u,
        100000000000000000u,
        1000000000000000000u,
        10000000000000000000u,
    };
    /* bits * log10(2), rounded down: at most one too low */
    unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);
    unsigned n = bits * 1233 >> 12;
    return n + (v >= powers[n]);
}

static ALWAYS_INLINE char *put_integer(char *p, int64_t value)
{
    uint64_t v = (uint64_t)value;
    if (value < 0) {
        *p++ = '-';
        v = 0 - v;
    }
    unsigned n = digit_count(v);
    char *end = p + n;
    char *q = end;
    while (v >= 100) {
        q -= 2;
        memcpy(q, pairs + 2 * (v % 100), 2);
        v /= 100;
    }
    if (v >= 10)
        memcpy(q - 2, pairs + 2 * v, 2);
    else
        q[-1] = (char)('0' + v);
    return end;
}

static ALWAYS_INLINE char *put(char *p, struct str s)
{
    memcpy(p, s.p, s.n);
    return p + s.n;
}

static ALWAYS_INLINE char *put_string(char *p, struct str s)
{
    if (s.p == NULL)
        return put(p, STR("null"));
    *p++ = '"';
    p = put(p, s);
    *p++ = '"';
    return p;
}

static ALWAYS_INLINE char *put_number(char *p, const struct number *number)
{
    return number->kind == NUMBER_INTEGER ? put_integer(p, number->integer)
           : number->kind == NUMBER_REAL  ? put(p, number->real)
                                          : put(p, STR("null"));
}

static ALWAYS_INLINE char *put_column(char *p, const struct row *row,
                                      const struct schema_column *column)
{
    const struct schema_kind *kind = &schema_kinds[column->kind];
    switch (kind->shape) {
    case SHAPE_INTEGER:
        if (kind->nullable && *row_integer(row, column) == ROW_NULL)
            return put(p, STR("null"));
        return put_integer(p, *row_integer(row, column));
    case SHAPE_STRING: return put_string(p, *row_string(row, column));
    case SHAPE_NUMBER: return put_number(p, row_number(row, column));
    case SHAPE_STACK: return put(p, *row_string(row, column));
    }
    return p;
}

/* The maximum size in bytes of the columns of ROW. */
static ALWAYS_INLINE size_t columns_size(const struct row *row, const struct schema_table *t)
{
    size_t size = t->head.n + 2;
#pragma GCC unroll 8
    for (unsigned i = 0; i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        size += column->lead.n + INTEGER_MAX;
        switch (schema_kinds[column->kind].shape) {
        case SHAPE_INTEGER: break;
        case SHAPE_STRING:
        case SHAPE_STACK: size += row_string(row, column)->n; break;
        case SHAPE_NUMBER:
            if (row_number(row, column)->kind == NUMBER_REAL)
                size += row_number(row, column)->real.n;
        }
    }
    return size;
}

static ALWAYS_INLINE char *put_columns(char *p, const struct row *row, const struct schema_table *t)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < t->column_count; i++) {
        p = put(p, t->columns[i].lead);
        p = put_column(p, row, &t->columns[i]);
    }
    return p;
}

void emit_check_length(struct str table, size_t n)
{
    if (n > LIMITS_LINE)
        die(CODE_TOO_LARGE, "a row of \"%.*s\" would be longer than %zu MiB", STR_ARG(table),
            LIMITS_LINE >> 20);
}

static char *put_hex(char *p, uint64_t v)
{
    unsigned digits = (67 - (unsigned)__builtin_clzll(v | 1)) / 4;
    for (unsigned i = digits; i-- > 0; v >>= 4)
        p[i] = "0123456789abcdef"[v & 15];
    return p + digits;
}

static char *put_site(char *p, const struct row_site *s)
{
    if (s->mapping_id != 0)
        p = put_integer(put(p, SITE_MAPPING), s->mapping_id);
    if (s->address != 0) {
        p = put_hex(put(p, SITE_ADDRESS), s->address);
        *p++ = '"';
    }
    if (s->column != 0)
        p = put_integer(put(p, SITE_COLUMN), s->column);
    if (s->is_folded)
        p = put(p, SITE_FOLDED);
    if (s->inlined_into != 0)
        p = put_integer(put(p, SITE_INTO), s->inlined_into);
    return p;
}

static ALWAYS_INLINE void emit_table(struct out *out, const struct row *row, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    bool has_site = table == TABLE_LOCATIONS && row_has_site(row);
    size_t size = columns_size(row, t) + row->extra.n + (has_site ? SITE_MAX : 0);
    char *start = out_reserve(out, size), *p = start;
    p = put(p, t->head);
    p = put_columns(p, row, t);
    if (has_site)
        p = put_site(p, &row->site);
    if (row->extra.n != 0)
        p = put(p, row->extra);
    if (__builtin_expect(size > LIMITS_LINE, 0))
        emit_check_length(t->name, (size_t)(p - start) + 1);
    out_advance(out, put(p, STR("}\n")));
}

static void emit_dotted(struct out *out, const struct row *row)
{
    static const struct str head = STR("{\"table\":");
    emit_check_length(row->dotted.name, head.n + row->dotted.name.n + row->extra.n + 3);
    char *p = out_reserve(out, head.n + row->dotted.name.n + row->extra.n + 4);
    p = put(p, head);
    p = put_string(p, row->dotted.name);
    if (row->extra.n != 0)
        p = put(p, row->extra);
    out_advance(out, put(p, STR("}\n")));
}

void emit_row(struct out *out, const struct row *row)
{
    switch (row->table) {
#define CASE(constant, name, versions, key)                                                        \
    case TABLE_##constant: emit_table(out, row, TABLE_##constant); break;
        TABLES(CASE)
#undef CASE
    default: emit_dotted(out, row);
    }
}

/* --- samples --- */

/* The rows of a sample's values and locations, written like rows of any table, except that the
 * digits of the id are made once. */
#define VALUE_HEAD STR("{\"table\":\"sample_values\",\"sample_id\":")
#define LOCATION_HEAD STR("{\"table\":\"sample_locations\",\"sample_id\":")
#define DEPTH_LEAD STR(",\"depth\":")
#define LOCATION_LEAD STR(",\"location_id\":")

/* How many locations one reservation is for. */
enum { LOCATIONS_AT_ONCE = 256 };

static void emit_value(struct out *out, const struct value_types *types, struct str id,
                       const struct sample_value *value, int64_t sample_id)
{
    const struct value_type *type = value_types_get(types, value->type);
    if (__builtin_expect(value->value.kind != NUMBER_INTEGER || value->extra.n > 0, 0)) {
        emit_row(out,
                 &(struct row){.table = TABLE_SAMPLE_VALUES,
                               .sample_value = {sample_id, type->type, type->unit, value->value},
                               .extra = value->extra});
        return;
    }
    char *p = out_reserve(out, VALUE_HEAD.n + id.n + type->lead.n + INTEGER_MAX + 2);
    p = put(p, VALUE_HEAD);
    p = put(p, id);
    p = put(p, type->lead);
    p = put_integer(p, value->value.integer);
    out_advance(out, put(p, STR("}\n")));
}

static void emit_locations(struct out *out, struct str id, const struct sample *sample)
{
    char head[64] = {0};
    size_t head_size = LOCATION_HEAD.n + id.n;
    put(put(head, LOCATION_HEAD), id);
    size_t size = sizeof head + DEPTH_LEAD.n + LOCATION_LEAD.n + 2 * INTEGER_MAX + 2;
    for (size_t i = 0; i < sample->depth;) {
        size_t n = sample->depth - i < LOCATIONS_AT_ONCE ? sample->depth - i : LOCATIONS_AT_ONCE;
        char *p = out_reserve(out, n * size);
        for (; n > 0; n--, i++) {
            memcpy(p, head, sizeof head); /* the whole array: a constant size needs no call */
            p = put(p + head_size, DEPTH_LEAD);
            p = put_integer(p, (int64_t)i + 1);
            p = put(p, LOCATION_LEAD);
            p = put_integer(p, sample->locations[i]);
            p = put(p, STR("}\n"));
        }
        out_advance(out, p);
    }
}

void emit_sample(struct out *out, const struct value_types *types, const struct sample *sample)
{
    char digits[INTEGER_MAX];
    struct str id = {digits, (size_t)(put_integer(digits, sample->sample_id) - digits)};
    emit_row(out, &(struct row){.table = TABLE_SAMPLES,
                                .sample = {sample->sample_id, sample->source_id},
                                .extra = sample->extra});
    for (size_t i = 0; i < sample->value_count; i++)
        emit_value(out, types, id, &sample->values[i], sample->sample_id);
    if (__builtin_expect(sample->location_extras == NULL, 1)) {
        emit_locations(out, id, sample);
        return;
    }
    for (size_t i = 0; i < sample->depth; i++)
        emit_row(out, &(struct row){.table = TABLE_SAMPLE_LOCATIONS,
                                    .sample_location = {sample->sample_id, (int64_t)i + 1,
                                                        sample->locations[i]},
                                    .extra = sample->location_extras[i]});
}

/* --- the borders of a profile --- */

void emit_begin(struct out *out)
{
    struct row row = row_begin();
    emit_row(out, &row);
}

void emit_owe(struct out *out)
{
    struct buf line = {0};
    struct out *to = out_open_buf(&line);
    emit_begin(to);
    out_close(to);
    out_owe(out, buf_str(&line));
    buf_free(&line);
}

void emit_end(struct out *out, bool more)
{
    struct row row = row_end(more);
    emit_row(out, &row);
}

/* --- keys: many are kept, so they are no text --- */

/* V in as few bytes as possible, 7 bits in each. */
static char *put_varint(char *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (char)(v | 0x80);
    *p++ = (char)v;
    return p;
}

/* The first byte of a string in a key: one of these, or its length plus KEY_STRING. */
enum { KEY_NULL, KEY_SAME, KEY_STRING };

/* S, or KEY_SAME if it equals the string *LAST before it: many functions have one name twice. */
static char *put_key_string(char *p, struct str s, struct str *last)
{
    if (s.p == NULL)
        return put_varint(p, KEY_NULL);
    if (last->p != NULL && str_equal(s, *last))
        return put_varint(p, KEY_SAME);
    *last = s;
    return put(put_varint(p, s.n + KEY_STRING), s);
}

static char *put_key_number(char *p, const struct number *n, struct str *last)
{
    *p++ = (char)n->kind;
    if (n->kind == NUMBER_REAL)
        return put_key_string(p, n->real, last);
    return n->kind == NUMBER_INTEGER ? put_varint(p, (uint64_t)n->integer) : p;
}

static char *put_key_site(char *p, const struct row_site *s)
{
    *p++ = (char)s->is_folded;
    p = put_varint(p, (uint64_t)s->mapping_id);
    p = put_varint(p, s->address);
    p = put_varint(p, (uint64_t)s->column);
    return put_varint(p, (uint64_t)s->inlined_into);
}

static ALWAYS_INLINE void add_key(struct buf *to, const struct row *row, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    struct str last = {NULL, 0};
    char *p = buf_reserve(to, columns_size(row, t) + SITE_MAX + row->extra.n);
#pragma GCC unroll 8
    for (unsigned i = 1; i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        switch (schema_kinds[column->kind].shape) {
        case SHAPE_INTEGER: p = put_varint(p, (uint64_t)*row_integer(row, column) + 1); break;
        case SHAPE_STRING:
        case SHAPE_STACK: p = put_key_string(p, *row_string(row, column), &last); break;
        case SHAPE_NUMBER: p = put_key_number(p, row_number(row, column), &last); break;
        }
    }
    if (table == TABLE_LOCATIONS)
        p = put_key_site(p, &row->site);
    if (row->extra.n != 0)
        p = put(p, row->extra);
    to->n = (size_t)(p - to->p);
}

void emit_key(struct buf *to, const struct row *row)
{
    switch (row->table) {
#define CASE(constant, name, versions, key)                                                        \
    case TABLE_##constant: add_key(to, row, TABLE_##constant); break;
        TABLES(CASE)
#undef CASE
    default: break;
    }
}

/* --- parts of rows --- */

void emit_site(struct buf *to, const struct row_site *site)
{
    to->n = (size_t)(put_site(buf_reserve(to, SITE_MAX), site) - to->p);
}

void emit_member(struct buf *to, struct str name)
{
    char *p = buf_reserve(to, name.n + 4);
    *p++ = ',';
    p = put_string(p, name);
    *p++ = ':';
    to->n = (size_t)(p - to->p);
}

void emit_object(struct buf *to, struct str name, struct str members)
{
    emit_member(to, name);
    const size_t at = to->n;
    buf_add(to, members);
    emit_make_object(to, at);
}

void emit_make_object(struct buf *to, size_t at)
{
    if (to->n > at)
        to->p[at] = '{'; /* replaces the comma before the first member */
    else
        buf_add(to, STR("{"));
    buf_add(to, STR("}"));
}

void emit_string(struct buf *to, struct str text)
{
    char *p = put_string(buf_reserve(to, text.n + 4), text);
    to->n = (size_t)(p - to->p);
}

void emit_number(struct buf *to, int64_t v)
{
    char *p = put_integer(buf_reserve(to, INTEGER_MAX), v);
    to->n = (size_t)(p - to->p);
}

void emit_address(struct buf *to, uint64_t v)
{
    char *p = put_hex(put(buf_reserve(to, INTEGER_MAX), STR("0x")), v);
    to->n = (size_t)(p - to->p);
}

void emit_bytes(struct buf *inexact, struct str column, struct str bytes)
{
    emit_member(inexact, column);
    buf_add(inexact, STR("\""));
    text_hex(inexact, bytes);
    buf_add(inexact, STR("\""));
}

struct str emit_text(struct buf *to, struct buf *inexact, struct str column, struct str bytes)
{
    to->n = 0;
    if (!text_escape(to, bytes))
        emit_bytes(inexact, column, bytes);
    return buf_str(to);
}

void emit_bytes_object(struct buf *to, struct str bytes)
{
    buf_add(to, STR("{\"bytes\":\""));
    text_hex(to, bytes);
    buf_add(to, STR("\"}"));
}

void emit_inner_string(struct buf *to, struct buf *scratch, struct str bytes)
{
    scratch->n = 0;
    if (text_escape(scratch, bytes))
        emit_string(to, buf_str(scratch));
    else
        emit_bytes_object(to, bytes);
}

void emit_bytes_column(struct buf *extra, struct buf *inexact)
{
    if (inexact->n == 0)
        return;
    buf_add(extra, STR(",\".bytes\":{"));
    buf_add(extra, (struct str){inexact->p + 1, inexact->n - 1}); /* without the first comma */
    buf_add(extra, STR("}"));
    inexact->n = 0;
}

void emit_others(struct buf *to, struct str columns, struct str but)
{
    struct str name, value;
    while (text_next_member(&columns, &name, &value)) {
        if (str_equal(name, but))
            continue;
        emit_member(to, name);
        buf_add(to, value);
    }
}

void emit_promise(struct buf *to, struct str columns)
{
    buf_add(to, STR(",\".ends\":true"));
    emit_others(to, columns, STR(".ends"));
}

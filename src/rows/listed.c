#include "rows/listed.h"

#include "rows/emit.h"
#include "rows/text.h"

/* --- writing --- */

void listed_begin(struct buf *to)
{
    buf_add(to, STR(",\".value_types\":["));
}

void listed_end(struct buf *to)
{
    buf_add(to, STR("]"));
}

/* Appends an object, without its end. If SCRATCH is NULL, TYPE and UNIT are canonical text. */
static void add_object(struct buf *to, struct buf *scratch, struct str type, struct str unit)
{
    buf_add(to, STR("{\"type\":"));
    if (scratch == NULL)
        emit_string(to, type);
    else
        emit_inner_string(to, scratch, type);
    buf_add(to, STR(",\"unit\":"));
    if (scratch == NULL)
        emit_string(to, unit);
    else
        emit_inner_string(to, scratch, unit);
}

static void add(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                enum listed_kind kind)
{
    buf_add(to, to->n > 0 && to->p[to->n - 1] == '}' ? STR(",") : STR(""));
    add_object(to, scratch, type, unit);
    buf_add(to, kind == LISTED_GAUGE       ? STR(",\"gauge\":true}")
                : kind == LISTED_INCLUSIVE ? STR(",\"inclusive\":true}")
                                           : STR("}"));
}

void listed_add(struct buf *to, struct str type, struct str unit, enum listed_kind kind)
{
    add(to, NULL, type, unit, kind);
}

void listed_add_bytes(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                      enum listed_kind kind)
{
    add(to, scratch, type, unit, kind);
}

static void add_period(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                       int64_t value)
{
    buf_add(to, STR(",\".period\":"));
    add_object(to, scratch, type, unit);
    buf_add(to, STR(",\"value\":"));
    emit_number(to, value);
    buf_add(to, STR("}"));
}

void listed_period(struct buf *to, struct str type, struct str unit, int64_t value)
{
    add_period(to, NULL, type, unit, value);
}

void listed_period_bytes(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                         int64_t value)
{
    add_period(to, scratch, type, unit, value);
}

/* --- walking --- */

struct listed listed_of(const struct members *walk, const struct member *column)
{
    return (struct listed){.walk = walk, .column = column, .rest = text_inside(column->value)};
}

bool listed_next(struct listed *l)
{
    struct member m;
    if (!text_next_item(&l->rest, &l->text))
        return false;
    struct members item = members_inside(l->walk, l->column, l->text);
    l->type.n = l->unit.n = 0;
    l->gauge = l->inclusive = false;
    while (members_next(&item, &m))
        switch (m.id) {
        case MEMBER_ID_TYPE: text_inner_bytes(&l->type, m.value); break;
        case MEMBER_ID_UNIT: text_inner_bytes(&l->unit, m.value); break;
        case MEMBER_ID_GAUGE: l->gauge = m.flag; break;
        case MEMBER_ID_INCLUSIVE: l->inclusive = m.flag; break;
        default:
            if (l->other != NULL)
                l->other(l->with, item.column, &m);
        }
    return true;
}

void listed_free(struct listed *l)
{
    buf_free(&l->type);
    buf_free(&l->unit);
}

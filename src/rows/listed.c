#include "rows/listed.h"

#include "rows/text.h"

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

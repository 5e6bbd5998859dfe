#include "rows/left_out.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

void left_out_add(struct left_out *l, uint32_t number, struct decimal x)
{
    l->sums = mem_array_zeroed(l->sums, &l->capacity, number, sizeof *l->sums);
    decimal_add(&l->sums[number - 1], x);
}

bool left_out_read(struct left_out *l, const struct row *row, struct value_types *types,
                   struct place where)
{
    if (row->table != TABLE_DOTTED || !str_equal(row->dotted.name, LEFT_OUT_TABLE))
        return false;
    struct members walk = members_of(row, where, NULL);
    struct buf type = {0}, unit = {0};
    struct decimal sum = {0};
    struct member m;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_TYPE: text_inner_bytes(&type, m.value); break;
        case MEMBER_ID_UNIT: text_inner_bytes(&unit, m.value); break;
        case MEMBER_ID_SUM: sum = decimal_read(m.value); break;
        default: break;
        }
    left_out_add(l, value_types_add_bytes(types, buf_str(&type), buf_str(&unit)), sum);
    buf_free(&type);
    buf_free(&unit);
    return true;
}

/* Appends X as a value is written: a real where it is no integer of 64 bits. */
static void add_number(struct buf *to, struct decimal x)
{
    int64_t integer;
    if (decimal_is_integer(x, &integer)) {
        emit_number(to, integer);
        return;
    }
    decimal_write_real(to, x);
    to->n--; /* its NUL */
}

struct row left_out_row(const struct left_out *l, uint32_t number, const struct value_types *types,
                        struct buf *text)
{
    const struct value_type *type = value_types_get(types, number);
    text->n = 0;
    emit_member(text, STR("type"));
    emit_string(text, type->type);
    emit_member(text, STR("unit"));
    emit_string(text, type->unit);
    emit_member(text, STR("value"));
    add_number(text, l->sums[number - 1]);
    return (struct row){
        .table = TABLE_DOTTED, .dotted = {.name = LEFT_OUT_TABLE}, .extra = buf_str(text)};
}

void left_out_free(struct left_out *l)
{
    mem_free(l->sums);
    *l = (struct left_out){0};
}

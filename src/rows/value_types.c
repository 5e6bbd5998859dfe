#include "rows/value_types.h"

#include "base/buf.h"
#include "base/mem.h"
#include "rows/text.h"

uint32_t value_types_add(struct value_types *types, struct str type, struct str unit)
{
    static const struct str type_lead = STR(",\"type\":\""), unit_lead = STR("\",\"unit\":\""),
                            value_lead = STR("\",\"value\":");
    struct buf text = {0};
    bool is_new;
    buf_add(&text, type_lead);
    buf_add(&text, type);
    buf_add(&text, unit_lead);
    buf_add(&text, unit);
    buf_add(&text, value_lead);
    uint32_t number = intern_add(&types->leads, buf_str(&text), &is_new);
    buf_free(&text);
    if (!is_new)
        return number;
    types->items = mem_array(types->items, &types->capacity, number, sizeof *types->items);
    struct str lead = intern_get(&types->leads, number);
    types->items[number - 1] = (struct value_type){
        .type = {lead.p + type_lead.n, type.n},
        .unit = {lead.p + type_lead.n + type.n + unit_lead.n, unit.n},
        .lead = lead,
        .name = intern_add(&types->names, type, NULL),
    };
    return number;
}

uint32_t value_types_add_bytes(struct value_types *types, struct str type, struct str unit)
{
    struct buf type_text = {0}, unit_text = {0};
    text_escape(&type_text, type);
    text_escape(&unit_text, unit);
    uint32_t number = value_types_add(types, buf_str(&type_text), buf_str(&unit_text));
    buf_free(&type_text);
    buf_free(&unit_text);
    return number;
}

uint32_t value_types_in_nanoseconds(struct value_types *types, uint32_t number)
{
    if (types->items[number - 1].finest == 0) {
        uint32_t finest = value_types_add(types, types->items[number - 1].type, STR("nanoseconds"));
        types->items[number - 1].finest = finest;
    }
    return types->items[number - 1].finest;
}

void value_types_free(struct value_types *types)
{
    intern_free(&types->leads);
    intern_free(&types->names);
    mem_free(types->items);
    *types = (struct value_types){0};
}

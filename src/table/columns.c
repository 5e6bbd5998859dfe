#include "table/columns.h"

const struct columns_entry columns_known[COLUMN_IDS] = {
#define COLUMN(id, name, type, unit, meaning)                                                      \
    [COLUMN_##id] = {STR(name), COLUMN_TYPE_##type, STR(unit), STR(meaning), COLUMNS_PLAIN},
#define FACT(id, name, type, unit, meaning)                                                        \
    [COLUMN_##id] = {STR(name), COLUMN_TYPE_##type, STR(unit), STR(meaning), COLUMNS_FACT},
#define FAMILY(id, name, type, unit, meaning)                                                      \
    [COLUMN_##id] = {STR(name), COLUMN_TYPE_##type, STR(unit), STR(meaning), COLUMNS_FAMILY},
#include "table/columns.list"
#undef COLUMN
#undef FACT
#undef FAMILY
};

struct str columns_type_name(enum column_type type)
{
    static const struct str names[] = {
        [COLUMN_TYPE_TEXT] = STR("text"),     [COLUMN_TYPE_INTEGER] = STR("integer"),
        [COLUMN_TYPE_NUMBER] = STR("number"), [COLUMN_TYPE_PERCENT] = STR("percent"),
        [COLUMN_TYPE_FLAG] = STR("flag"),     [COLUMN_TYPE_LIST] = STR("list"),
        [COLUMN_TYPE_TIME] = STR("time"),     [COLUMN_TYPE_ANY] = STR("any"),
    };
    return names[type];
}

struct str columns_prefix(enum column_id id)
{
    struct str name = columns_known[id].name;
    size_t n = 0;
    while (n < name.n && (name.p[n] < 'A' || name.p[n] > 'Z'))
        n++;
    return (struct str){name.p, n};
}

void columns_add_name(struct buf *to, enum column_id id, struct str words)
{
    buf_add(to, columns_prefix(id));
    buf_add(to, words);
}

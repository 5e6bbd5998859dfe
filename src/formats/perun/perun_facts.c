#include "formats/perun/perun_facts.h"

#include "rows/text.h"

/* The tables, and the member with the value of a row. */
static const struct {
    struct str name, value;
} tables[PERUN_TABLES] = {
    [PERUN_TYPES] = {STR(".perun_types"), STR("members")},
    [PERUN_SNAPSHOTS] = {STR(".perun_snapshots"), STR("members")},
    [PERUN_MODELS] = {STR(".perun_models"), STR("model")},
    [PERUN_CHUNKS] = {STR(".perun_chunks"), STR("chunk")},
};

enum perun_table perun_table_of(const struct row *row)
{
    enum perun_table table = 0;
    while (table < PERUN_TABLES && !str_equal(row_table_name(row), tables[table].name))
        table++;
    return table;
}

static bool read_number(struct str value, int64_t *number)
{
    enum { MAX = 1 << 30 };
    return text_is_integer(value, number) && *number >= 1 && *number <= MAX;
}

bool perun_facts_read(const struct row *row, enum perun_table table, struct perun_facts *f)
{
    struct str rest = row->extra, name, value;
    bool good = true;
    *f = (struct perun_facts){
        .key = {NULL, 0}, .value = {NULL, 0}, .columns = {NULL, 0}, .tails = {NULL, 0}};
    while (good && text_next_member(&rest, &name, &value)) {
        if (str_equal(name, STR("source_id")))
            good = read_number(value, &f->source);
        else if (str_equal(name, STR("number")))
            good = read_number(value, &f->number);
        else if (str_equal(name, STR("place")))
            good = read_number(value, &f->place);
        else if (str_equal(name, STR("snapshot")))
            good = read_number(value, &f->snapshot);
        else if (str_equal(name, STR("of")))
            f->is_global = str_equal(value, STR("\"global\""));
        else if (str_equal(name, STR("key")))
            f->key = value;
        else if (str_equal(name, STR("columns")))
            f->columns = value;
        else if (str_equal(name, STR("tails")))
            f->tails = value;
        else if (str_equal(name, tables[table].value))
            f->value = value;
    }
    return good && f->source > 0 && f->number > 0 && f->value.p != NULL;
}

/* The model as tables with checks: the constraint that rejects a row has the name of
 * profvalidate's rule.  All columns accept any value, because a database accepts 1.0 for an
 * INTEGER.  A column that is required defaults to an empty blob, which its check rejects. */
#include "model/model.h"
#include "model/model_parts.h"
#include "rows/members.h"

static void begin_check(struct buf *to, struct str rule, struct str before, struct str column)
{
    MODEL_PUT(to, STR("\n    CONSTRAINT \""), rule, STR("\" CHECK ("), before);
    model_parts_name(to, column);
}

/* Appends the checks of COLUMN, of KIND. */
static void add_checks(struct buf *to, struct str column, const struct schema_kind *kind)
{
    begin_check(to, STR("type"), STR("typeof("), column);
    MODEL_PUT(to,
              kind->shape == SHAPE_STRING    ? STR(") IN ('text'")
              : kind->shape == SHAPE_INTEGER ? STR(") IN ('integer'")
                                             : STR(") IN ('integer', 'real'"),
              kind->nullable ? STR(", 'null'))") : STR("))"));
    if (kind->shape == SHAPE_INTEGER) {
        buf_add(to, STR("\n    CONSTRAINT \"range\""));
        model_parts_range(to, column, kind);
    }
    if (kind->shape == SHAPE_STRING && kind->min > 0) {
        begin_check(to, STR("name"), STR(""), column);
        buf_add(to, STR(" <> '')"));
    }
}

static void add_column(struct buf *to, const struct schema_column *column, bool is_key)
{
    MODEL_PUT(to, STR("  "), column->name, STR(" ANY DEFAULT X''"),
              is_key ? STR(" PRIMARY KEY") : STR(""));
    if (column->kind != KIND_ID && column->refers != TABLE_NONE)
        model_parts_reference(to, column->refers);
    begin_check(to, STR("column"), STR(""), column->name);
    buf_add(to, STR(" IS NOT X'')"));
    add_checks(to, column->name, &schema_kinds[column->kind]);
}

static bool is_column(enum table table, struct str name)
{
    for (unsigned i = 0; table < TABLE_COUNT && i < schema_tables[table].column_count; i++)
        if (str_equal(schema_tables[table].columns[i].name, name))
            return true;
    return false;
}

/* Appends the members of TABLE that refer to other rows and are not its columns. */
static void add_references(struct buf *to, enum table table)
{
    bool is_first = table == TABLE_DOTTED;
    for (enum member_id id = 0; id < MEMBER_ID_COUNT; id++) {
        const struct schema_member *m = members_known(id);
        if (m->kind != MEMBER_REF || (m->in & UINT64_C(1) << members_object(table)) == 0 ||
            is_column(table, m->name))
            continue;
        buf_add(to, is_first ? STR("  ") : STR(",\n  "));
        model_parts_name(to, m->name);
        buf_add(to, STR(" ANY"));
        model_parts_reference(to, (enum table)m->inside);
        add_checks(to, m->name, &schema_kinds[KIND_REF_NULL]);
        is_first = false;
    }
}

static void add_table(struct buf *to, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    /* a second row of meta starts another profile, which breaks no rule */
    bool has_key = t->key_count == 1 && table != TABLE_META;
    buf_add(to, STR("CREATE TABLE "));
    model_parts_name(to, t->name);
    buf_add(to, STR(" (\n"));
    for (unsigned i = 0; i < t->column_count; i++) {
        buf_add(to, i > 0 ? STR(",\n") : STR(""));
        add_column(to, &t->columns[i], i == 0 && has_key);
    }
    add_references(to, table);
    model_parts_key(to, t);
    buf_add(to, STR("\n) STRICT;\n"));
}

void model_add_checks(struct buf *to)
{
    buf_add(to, STR("PRAGMA foreign_keys = OFF; -- foreign_key_check tells what dangles\n"));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        add_table(to, model_tables[i]);
    buf_add(to, STR("CREATE TABLE \".dotted\" (\n"));
    add_references(to, TABLE_DOTTED);
    buf_add(to, STR("\n) STRICT;\n"));
}

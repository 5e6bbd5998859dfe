/* The model as tables of a database. */
#include "base/port.h"
#include "model/model.h"
#include "model/model_parts.h"
#include "model/model_texts.h"
#include "rows/members.h"

/* --- columns --- */

/* The SQL type of a column of KIND. */
static struct str type_of(const struct schema_kind *kind)
{
    return kind->shape == SHAPE_INTEGER  ? STR("INTEGER")
           : kind->shape == SHAPE_STRING ? STR("TEXT")
                                         : STR("ANY"); /* integers of 64 bits, and reals */
}

/* Appends the check of COLUMN for what its type does not say. */
static void add_check(struct buf *to, const struct schema_column *column)
{
    const struct schema_kind *kind = &schema_kinds[column->kind];
    bool is_own = column->kind == KIND_REF || column->kind == KIND_REF_NULL;
    if (kind->shape == SHAPE_INTEGER && !is_own) /* the target of a reference is in range */
        model_parts_range(to, column->name, kind);
    if (kind->shape == SHAPE_STRING && kind->min > 0)
        MODEL_PUT(to, STR(" CHECK ("), column->name, STR(" <> '')"));
    if (kind->shape == SHAPE_NUMBER)
        MODEL_PUT(to, STR("\n    CHECK (typeof("), column->name, STR(") IN ('integer', 'real'"),
                  kind->nullable ? STR(", 'null'") : STR(""), STR(") AND\n      abs(CAST("),
                  column->name, STR(" AS REAL)) <= 1.7976931348623157e308)"));
}

static void add_column(struct buf *to, const struct schema_table *t, unsigned i)
{
    const struct schema_column *column = &t->columns[i];
    const struct schema_kind *kind = &schema_kinds[column->kind];
    bool is_key = t->key_count == 1 && i == 0;
    MODEL_PUT(to, STR("  "), column->name, STR(" "), type_of(kind));
    buf_add(to, kind->nullable ? STR("") : STR(" NOT NULL"));
    buf_add(to, is_key ? STR(" PRIMARY KEY") : STR(""));
    add_check(to, column);
    if (column->kind != KIND_ID && column->refers != TABLE_NONE)
        model_parts_reference(to, column->refers);
}

/* Appends the dotted columns of TABLE that are columns: references, so that the database checks
 * them, and times, so that it sorts by them. */
static void add_known(struct buf *to, enum table table)
{
    for (enum member_id id = 0; model_next_column(table, &id); id++) {
        const struct schema_member *m = members_known(id);
        buf_add(to, STR(",\n  "));
        model_parts_name(to, m->name);
        buf_add(to, STR(" INTEGER"));
        if (m->kind == MEMBER_REF)
            model_parts_reference(to, (enum table)m->inside);
    }
}

/* Appends the dotted columns of TABLE: all that are not known are in one.  No JSON function checks
 * that one: before its version 3.41 the library does not allow these in a table definition. */
static void add_dotted(struct buf *to, enum table table)
{
    struct str column = model_dotted_column(table);
    bool is_all = table == TABLE_MAPPINGS || table == TABLE_DOTTED;
    add_known(to, table);
    MODEL_PUT(to, STR(",\n  "), column, is_all ? STR(" TEXT NOT NULL") : STR(" TEXT"),
              STR(" CHECK ("), column, STR(" GLOB '{*}')"));
}

/* --- tables --- */

/* Ends a table.  A table whose key is several columns of integers and numbers needs no rowid. */
static void add_end(struct buf *to, const struct schema_table *t)
{
    model_parts_key(to, t);
    buf_add(to, t->key_count > 1 ? STR("\n) STRICT, WITHOUT ROWID;\n") : STR("\n) STRICT;\n"));
}

static void add_create(struct buf *to, enum table table, bool plain)
{
    const struct schema_table *t = &schema_tables[table];
    buf_add(to, STR("CREATE TABLE "));
    model_parts_name(to, schema_tables[table].name);
    buf_add(to, STR(" (\n"));
    for (unsigned i = 0; i < t->column_count; i++) {
        buf_add(to, i > 0 ? STR(",\n") : STR(""));
        add_column(to, t, i);
    }
    if (table == TABLE_SAMPLES && !plain) {
        buf_add(to, STR(",\n  node_id INTEGER REFERENCES nodes"));
        add_known(to, table);
        buf_add(to, STR(",\n  labels_id INTEGER"
                        ",\n  dotted_id INTEGER REFERENCES stored_dotted"));
    } else if (model_has_dotted(table)) {
        add_dotted(to, table);
    }
    add_end(to, t);
}

/* Appends a separate table for the dotted columns of TABLE, of which rows rarely have any. */
static void add_dotted_table(struct buf *to, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    MODEL_PUT(to, STR("CREATE TABLE "), t->name, MODEL_DOTTED_SUFFIX, STR(" (\n"));
    for (unsigned i = 0; i < t->key_count; i++) {
        buf_add(to, i > 0 ? STR(",\n") : STR(""));
        add_column(to, t, i);
    }
    add_dotted(to, table);
    add_end(to, t);
}

/* Appends what the tables of the model do not hold: rows of other dotted tables, the order of
 * value types in samples, the order of rows in the stream, and packages. */
static void add_others(struct buf *to)
{
    buf_add(to,
            STR("CREATE TABLE dotted_rows (\n  row_id INTEGER PRIMARY KEY CHECK (row_id >= 1),\n"
                "  table_name TEXT NOT NULL CHECK (table_name GLOB '.?*')"));
    add_dotted(to, TABLE_DOTTED);
    buf_add(to, STR("\n) STRICT;\n"));
    buf_add(
        to,
        STR("CREATE TABLE value_types (\n  type_id INTEGER PRIMARY KEY CHECK (type_id >= 1),\n"
            "  type TEXT NOT NULL,\n  unit TEXT NOT NULL,\n  UNIQUE (type, unit)\n) STRICT;\n"));
    buf_add(to, STR("-- Rows of a table up to the id LAST stand in a stream behind those of the "
                    "run before.\n"
                    "CREATE TABLE row_runs (\n  run_id INTEGER PRIMARY KEY CHECK (run_id >= 1),\n"
                    "  table_name TEXT NOT NULL,\n  last INTEGER NOT NULL\n) STRICT;\n"
                    "-- What SQL cannot find out: the package of the frame of a location.\n"
                    "CREATE TABLE stored_packages (\n"
                    "  location_id INTEGER PRIMARY KEY REFERENCES locations ON DELETE CASCADE,\n"
                    "  package TEXT NOT NULL\n) STRICT;\n"));
}

/* Appends VIEWS, statements that start lines, as temporary ones of this connection. */
static void add_temporary(struct buf *to, struct str views)
{
    static const struct str create = STR("CREATE VIEW ");
    const char *from = views.p, *end = views.p + views.n, *next;
    while ((next = port_memmem(from, (size_t)(end - from), create.p, create.n)) != NULL) {
        MODEL_PUT(to, (struct str){from, (size_t)(next - from)}, STR("CREATE TEMP VIEW "));
        from = next + create.n;
    }
    buf_add(to, (struct str){from, (size_t)(end - from)});
}

void model_add_views(struct buf *to, bool plain, bool temporary)
{
    const struct str views[] = {model_views, plain ? model_views_plain : model_views_stacks};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (temporary)
            add_temporary(to, views[i]);
        else
            buf_add(to, views[i]);
}

void model_add_tables(struct buf *to, bool plain)
{
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++) {
        enum table table = model_tables[i];
        if (plain || model_has_dotted(table))
            add_create(to, table, plain);
    }
    add_others(to);
    buf_add(to, plain ? STR("") : model_stacks);
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        if (!model_has_dotted(model_tables[i]))
            add_dotted_table(to, model_tables[i]);
}

void model_add_indexes(struct buf *to, bool plain)
{
    buf_add(to, plain ? STR("") : model_indexes_stacks);
}

void model_add_sql(struct buf *to, bool plain)
{
    model_add_tables(to, plain);
    model_add_views(to, plain, false);
    model_add_indexes(to, plain);
}

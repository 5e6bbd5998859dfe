/* The model for humans: text, and pictures for GraphViz and Mermaid, with keys and references as
 * R's dm_draw() shows them. */
#include "model/model.h"
#include "model/model_parts.h"
#include "rows/emit.h"
#include "rows/members.h"

static void add_count(struct buf *to, enum table table, const uint64_t *counts, struct str before,
                      struct str behind)
{
    if (counts == NULL)
        return;
    buf_add(to, before);
    emit_number(to, (int64_t)counts[table]);
    MODEL_PUT(to, counts[table] == 1 ? STR(" row") : STR(" rows"), behind);
}

static bool is_foreign(const struct schema_column *column)
{
    return column->kind != KIND_ID && column->refers != TABLE_NONE;
}

/* model_next_column for columns that refer to other rows. */
static bool next_reference(enum table table, enum member_id *id)
{
    for (; model_next_column(table, id); ++*id)
        if (members_known(*id)->kind == MEMBER_REF)
            return true;
    return false;
}

/* The word for the type of COLUMN. */
static struct str type_of(const struct schema_column *column)
{
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER: return STR("integer");
    case SHAPE_STRING: return STR("string");
    default: return STR("number");
    }
}

/* --- text --- */

static void add_padded(struct buf *to, struct str name)
{
    enum { WIDTH = 18 };
    MODEL_PUT(to, STR("  "), name);
    for (size_t n = name.n; n < WIDTH; n++)
        buf_add(to, STR(" "));
}

static void add_text_reference(struct buf *to, enum table table)
{
    MODEL_PUT(to, STR("; refers to "), schema_tables[table].name);
}

/* Appends the dotted column M. */
static void add_text_member(struct buf *to, const struct schema_member *m)
{
    add_padded(to, m->name);
    if (m->kind == MEMBER_REF) {
        buf_add(to, STR("an id, or null, or not there"));
        add_text_reference(to, (enum table)m->inside);
    } else {
        buf_add(to, STR("an integer of 64 bits, or not there"));
    }
    buf_add(to, STR("\n"));
}

void model_add_text(struct buf *to, const uint64_t *counts)
{
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++) {
        const struct schema_table *t = &schema_tables[model_tables[i]];
        MODEL_PUT(to, i > 0 ? STR("\n") : STR(""), t->name);
        add_count(to, model_tables[i], counts, STR(": "), STR(""));
        buf_add(to, STR("\n"));
        for (unsigned k = 0; k < t->column_count; k++) {
            const struct schema_column *column = &t->columns[k];
            add_padded(to, column->name);
            buf_add(to, str_of(schema_kinds[column->kind].expected));
            if (k < t->key_count)
                buf_add(to, t->key_count > 1 ? STR("; part of the key") : STR("; the key"));
            if (is_foreign(column))
                add_text_reference(to, column->refers);
            buf_add(to, STR("\n"));
        }
        for (enum member_id id = 0; model_next_column(model_tables[i], &id); id++)
            add_text_member(to, members_known(id));
    }
}

/* --- GraphViz --- */

/* Appends a row to the box of a table. */
static void add_dot_row(struct buf *to, struct str name, struct str type, bool is_null, bool is_key)
{
    MODEL_PUT(to, STR("      <tr><td align=\"left\" port=\""), name, STR("\">"),
              is_key ? STR("<u>") : STR(""), name, is_key ? STR("</u>") : STR(""),
              STR("</td><td align=\"left\" port=\"of "), name, STR("\"><font color=\"#666666\">"),
              type, is_null ? STR(" or null") : STR(""), STR("</font></td></tr>\n"));
}

static void add_dot_table(struct buf *to, enum table table, const uint64_t *counts)
{
    const struct schema_table *t = &schema_tables[table];
    MODEL_PUT(to, STR("  \""), t->name,
              STR("\" [label=<\n    <table border=\"0\" cellborder=\"1\" cellspacing=\"0\" "
                  "cellpadding=\"4\" color=\"#7f7f7f\">\n"
                  "      <tr><td colspan=\"2\" bgcolor=\"#dce6f2\"><b>"),
              t->name, STR("</b>"));
    add_count(to, table, counts, STR(" <font color=\"#444444\">"), STR("</font>"));
    buf_add(to, STR("</td></tr>\n"));
    for (unsigned i = 0; i < t->column_count; i++)
        add_dot_row(to, t->columns[i].name, type_of(&t->columns[i]),
                    schema_kinds[t->columns[i].kind].nullable, i < t->key_count);
    for (enum member_id id = 0; model_next_column(table, &id); id++)
        add_dot_row(to, members_known(id)->name, STR("integer"), true, false);
    buf_add(to, STR("    </table>>];\n"));
}

static void add_dot_edge(struct buf *to, struct str table, struct str column, enum table refers,
                         struct str style)
{
    const struct schema_table *t = &schema_tables[refers];
    bool is_own = str_equal(t->name, table); /* the line then leaves on the side where it arrives */
    MODEL_PUT(to, STR("  \""), table, is_own ? STR("\":\"") : STR("\":\"of "), column,
              is_own ? STR("\":w -> \"") : STR("\":e -> \""), t->name, STR("\":\""),
              t->columns[0].name, STR("\":w"), style, STR(";\n"));
}

void model_add_dot(struct buf *to, const uint64_t *counts)
{
    /* without an edge, meta would take the place of the loop of locations */
    buf_add(to, STR("digraph profstream {\n  graph [rankdir=LR, nodesep=0.4, ranksep=1.6];\n"
                    "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];\n"
                    "  edge [color=\"#555555\", arrowsize=0.7];\n"
                    "  {rank=same; \"meta\"; \"sources\"}\n"));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        add_dot_table(to, model_tables[i], counts);
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++) {
        const struct schema_table *t = &schema_tables[model_tables[i]];
        for (unsigned k = 0; k < t->column_count; k++)
            if (is_foreign(&t->columns[k]))
                add_dot_edge(to, t->name, t->columns[k].name, t->columns[k].refers, STR(""));
        for (enum member_id id = 0; next_reference(model_tables[i], &id); id++)
            add_dot_edge(to, t->name, members_known(id)->name,
                         (enum table)members_known(id)->inside, STR(" [style=dashed]"));
    }
    buf_add(to, STR("}\n"));
}

/* --- Mermaid --- */

static void add_mermaid_table(struct buf *to, enum table table, const uint64_t *counts)
{
    const struct schema_table *t = &schema_tables[table];
    MODEL_PUT(to, STR("    \""), t->name);
    add_count(to, table, counts, STR("\"[\""), STR(""));
    if (counts != NULL)
        MODEL_PUT(to, STR(" of "), t->name, STR("\"] {\n"));
    else
        buf_add(to, STR("\" {\n"));
    for (unsigned i = 0; i < t->column_count; i++) {
        bool is_key = i < t->key_count, refers = is_foreign(&t->columns[i]);
        MODEL_PUT(to, STR("        "), type_of(&t->columns[i]), STR(" "), t->columns[i].name,
                  is_key ? STR(" PK") : STR(""), is_key && refers ? STR(",") : STR(""),
                  refers ? STR(" FK") : STR(""),
                  schema_kinds[t->columns[i].kind].nullable ? STR(" \"or null\"") : STR(""),
                  STR("\n"));
    }
    buf_add(to, STR("    }\n"));
}

/* Appends an edge: TABLE refers to another by COLUMN, which may be null if IS_NULL. */
static void add_mermaid_edge(struct buf *to, struct str table, struct str column, enum table refers,
                             bool is_null)
{
    MODEL_PUT(to, STR("    \""), schema_tables[refers].name,
              is_null ? STR("\" |o--o{ \"") : STR("\" ||--o{ \""), table, STR("\" : \""), column,
              STR("\"\n"));
}

void model_add_mermaid(struct buf *to, const uint64_t *counts)
{
    buf_add(to, STR("erDiagram\n"));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        add_mermaid_table(to, model_tables[i], counts);
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++) {
        const struct schema_table *t = &schema_tables[model_tables[i]];
        for (unsigned k = 0; k < t->column_count; k++)
            if (is_foreign(&t->columns[k]))
                add_mermaid_edge(to, t->name, t->columns[k].name, t->columns[k].refers,
                                 schema_kinds[t->columns[k].kind].nullable);
        for (enum member_id id = 0; next_reference(model_tables[i], &id); id++)
            add_mermaid_edge(to, t->name, members_known(id)->name,
                             (enum table)members_known(id)->inside, true);
    }
}

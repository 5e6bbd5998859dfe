/* The views of databases, for profmodel: the list says what SQL cannot. */
#include "model/model.h"

#include "base/mem.h"
#include "model/model_parts.h"
#include "table/about.h"

/* A view, or a column of the view before. */
struct entry {
    enum { IN_COMPACT, IN_PLAIN, IN_BOTH, OF_VIEW } kind;
    enum column_id known;        /* COLUMN_FOREIGN: it is described here */
    struct columns_entry column; /* of a view: its name and meaning */
};

static const struct entry entries[] = {
#define VIEW(called, where, text)                                                                  \
    {IN_##where, COLUMN_FOREIGN, {STR(called), COLUMN_TYPE_ANY, STR(""), STR(text), COLUMNS_PLAIN}},
#define KNOWN(id)                                                                                  \
    {OF_VIEW, COLUMN_##id, {{NULL, 0}, COLUMN_TYPE_ANY, {NULL, 0}, {NULL, 0}, COLUMNS_PLAIN}},
#define COLUMN(called, what, measure, text)                                                        \
    {OF_VIEW,                                                                                      \
     COLUMN_FOREIGN,                                                                               \
     {STR(called), COLUMN_TYPE_##what, STR(measure), STR(text), COLUMNS_PLAIN}},
#include "model/views.list"
#undef VIEW
#undef KNOWN
#undef COLUMN
};

static void add_view(struct buf *to, const struct entry *e)
{
    MODEL_PUT(to, STR("\n"), e->column.name, STR(": "), e->column.meaning,
              e->kind == IN_COMPACT ? STR("; not with --plain\n")
              : e->kind == IN_PLAIN ? STR("; only with --plain\n")
                                    : STR("\n"));
}

static void add_column(struct buf *to, const struct columns_entry *column)
{
    enum { NAME = 18 };
    bool is_of_values = str_equal(column->unit, COLUMNS_OF_VALUES);
    MODEL_PUT(to, STR("  "), column->name);
    for (size_t n = column->name.n; n < NAME; n++)
        buf_add(to, STR(" "));
    MODEL_PUT(to, columns_type_name(column->type),
              column->unit.n == 0 ? STR("")
              : is_of_values      ? STR(" ")
                                  : STR(" in "),
              column->unit, STR("; "), column->meaning, STR("\n"));
}

void model_add_text_views(struct buf *to)
{
    buf_add(to, STR("\nViews of databases\n"));
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entries[i].kind != OF_VIEW)
            add_view(to, &entries[i]);
        else if (entries[i].known == COLUMN_FOREIGN)
            add_column(to, &entries[i].column);
        else
            add_column(to, &columns_known[entries[i].known]);
}

void model_write_views(const struct sheet_request *request, struct out *out)
{
    struct str view = {NULL, 0};
    struct about_row *rows = mem_alloc_zeroed(sizeof entries / sizeof *entries * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct entry *e = &entries[i];
        if (e->kind != OF_VIEW)
            view = e->column.name;
        else
            rows[count++] = (struct about_row){
                view, e->known == COLUMN_FOREIGN ? &e->column : &columns_known[e->known]};
    }
    about_write(rows, count, request, out);
    mem_free(rows);
}

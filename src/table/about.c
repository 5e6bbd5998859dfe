#include "table/about.h"

#include "base/mem.h"
#include "base/order.h"

enum { MEANING, NAME, TYPE, UNIT, VIEW, COLUMNS };

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct about_row *of = &((const struct about_row *)from)[row];
    const struct str texts[COLUMNS] = {[MEANING] = of->column->meaning,
                                       [NAME] = of->column->name,
                                       [TYPE] = columns_type_name(of->column->type),
                                       [UNIT] = of->column->unit,
                                       [VIEW] = of->view};
    return (struct sheet_cell){.text = texts[column]};
}

void about_write(const struct about_row *rows, size_t count, const struct sheet_request *request,
                 struct out *out)
{
    static const struct sheet_column columns[COLUMNS] = {
        [MEANING] = {COLUMN_MEANING, STR("meaning"), SHEET_TEXT, STR(""), 0},
        [NAME] = {COLUMN_NAME, STR("name"), SHEET_MIXED, STR(""), 0},
        [TYPE] = {COLUMN_TYPE, STR("type"), SHEET_MIXED, STR(""), 0},
        [UNIT] = {COLUMN_UNIT, STR("unit"), SHEET_MIXED, STR(""), 0},
        [VIEW] = {COLUMN_VIEW, STR("view"), SHEET_MIXED, STR(""), 0},
    };
    const struct sheet_request all = {.format = request->format, .max = SIZE_MAX};
    const struct sheet sheet = {
        .title = STR("columns of the table"),
        .columns = columns,
        .column_count = count > 0 && rows->view.n > 0 ? COLUMNS : VIEW,
        .row_count = count,
        .cell = cell_of,
        .from = rows,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, &all, out);
}

static int compare(const void *a, const void *b)
{
    const enum column_id x = *(const enum column_id *)a, y = *(const enum column_id *)b;
    return (x > y) - (x < y);
}

void about_write_ids(enum column_id *ids, size_t count, const struct sheet_request *request,
                     struct out *out)
{
    struct about_row *rows = mem_alloc_zeroed((count + 1) * sizeof *rows);
    order_items(ids, count, sizeof *ids, compare);
    for (size_t i = 0; i < count; i++)
        rows[i].column = &columns_known[ids[i]];
    about_write(rows, count, request, out);
    mem_free(rows);
}

void about_write_sheet(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    size_t families = 0, count = 0;
    while (t->families != NULL && t->families[families] != COLUMN_NONE)
        families++;
    enum column_id *ids = mem_alloc((t->column_count + t->fact_count + families + 1) * sizeof *ids);
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].id < COLUMN_IDS && columns_known[t->columns[i].id].kind != COLUMNS_FAMILY)
            ids[count++] = t->columns[i].id;
    for (size_t i = 0; i < t->fact_count; i++)
        ids[count++] = t->facts[i].id;
    if (t->fact_count > 0)
        ids[count++] = COLUMN_ROWS_LEFT_OUT;
    for (size_t i = 0; i < families; i++)
        ids[count++] = t->families[i];
    about_write_ids(ids, count, request, out);
    mem_free(ids);
}

/* A description as an object: the input, and a list of objects for each of the other lists. */
#include "info/info_parts.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>

static void add_name(struct buf *to, bool is_first, struct str name)
{
    buf_add(to, is_first ? STR("\"") : STR(",\""));
    buf_add(to, name);
    buf_add(to, STR("\":"));
}

static void add_cell(struct buf *to, struct buf *scratch, enum column_id id,
                     const struct sheet_cell *cell)
{
    char text[32];
    scratch->n = 0;
    if (cell->is_none || isnan(cell->share)) {
        buf_add(to, STR("null"));
        return;
    }
    switch (describe_kind(id)) {
    case SHEET_COUNT: sheet_add_number(to, cell->number); break;
    case SHEET_FLAG: buf_add(to, wide_sign(cell->number) != 0 ? STR("true") : STR("false")); break;
    case SHEET_SHARE:
        buf_add(to, (struct str){text,
                                 (size_t)snprintf(text, sizeof text, "%.10g", 100 * cell->share)});
        break;
    default:
        if (cell->is_json) {
            buf_add(to, cell->text);
        } else {
            text_escape(scratch, cell->text);
            emit_string(to, buf_str(scratch));
        }
    }
}

static void add_row(struct buf *to, struct buf *scratch, struct describe *d,
                    enum describe_list list, size_t row)
{
    const enum column_id *ids = describe_columns[list].ids;
    buf_add(to, STR("{"));
    for (size_t i = 0; ids[i] != COLUMN_NONE; i++) {
        const struct sheet_cell cell = describe_cell(d, list, row, ids[i]);
        add_name(to, i == 0, columns_known[ids[i]].name);
        add_cell(to, scratch, ids[i], &cell);
    }
    buf_add(to, STR("}"));
}

void info_write_json(struct describe *d, size_t max, struct out *out)
{
    struct buf line = {0}, scratch = {0};
    for (enum describe_list list = 0; list < DESCRIBE_LISTS; list++) {
        buf_add(&line, list == 0 ? STR("{") : STR(""));
        add_name(&line, list == 0, describe_columns[list].name);
        buf_add(&line, list == DESCRIBE_INPUT ? STR("") : STR("["));
        for (size_t row = 0; row < describe_count(d, list) && row < max; row++) {
            buf_add(&line, row > 0 ? STR(",") : STR(""));
            add_row(&line, &scratch, d, list, row);
            out_write(out, buf_str(&line));
            line.n = 0;
        }
        buf_add(&line, list == DESCRIBE_INPUT ? STR("") : STR("]"));
    }
    buf_add(&line, STR("}"));
    out_write(out, buf_str(&line));
    buf_free(&line);
    buf_free(&scratch);
}

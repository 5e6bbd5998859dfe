/* Functions and locations. */
#include "base/mem.h"
#include "formats/perun/perun_read.h"
#include "rows/emit.h"
#include "rows/text.h"

/* Appends the string S to the key TO, so that different strings give different keys. */
static void add_to_key(struct buf *to, struct str s)
{
    uint64_t size = s.p == NULL ? UINT64_MAX : s.n;
    buf_add(to, (struct str){(const char *)&size, sizeof size});
    buf_add(to, s);
}

/* The id of the function of F. Writes the row of a new one. */
static uint32_t function_of(struct perun_reader *r, const struct perun_frame *f)
{
    bool is_new;
    r->text.n = 0;
    add_to_key(&r->text, f->function);
    buf_add(&r->text, f->file);
    uint32_t id = intern_add(&r->functions, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, f->function, f->file);
    return id;
}

/* The id of the location of F. Writes the row of a new one. */
static uint32_t location_of(struct perun_reader *r, const struct perun_frame *f)
{
    bool is_new, has_function = f->function.p != NULL;
    uint32_t function = has_function ? function_of(r, f) : 0;
    int64_t numbers[3] = {function, f->line, f->column};
    r->text.n = 0;
    buf_add(&r->text, (struct str){(const char *)numbers, sizeof numbers});
    add_to_key(&r->text, f->others);
    buf_add(&r->text, has_function ? STR("") : f->file);
    uint32_t id = intern_add(&r->locations, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {.location_id = id,
                                   .function_id = has_function ? function : ROW_NULL,
                                   .line = f->line}};
    row.site.column = f->column;
    r->extra.n = 0;
    if (!has_function && f->file.n > 0) {
        emit_member(&r->extra, STR(".filename"));
        emit_string(&r->extra, emit_text(&r->name, &r->rows.inexact, STR(".filename"), f->file));
    }
    if (f->others.n > 0) {
        r->text.n = 0;
        buf_add(&r->text, STR("{"));
        buf_add(&r->text, (struct str){f->others.p + 1, f->others.n - 1});
        buf_add(&r->text, STR("}"));
        emit_member(&r->extra, STR(".perun_frame"));
        perun_carry(&r->extra, buf_str(&r->text));
    }
    emit_bytes_column(&r->extra, &r->rows.inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    return id;
}

int64_t *perun_push_stack(struct perun_reader *r)
{
    int64_t *ids = arena_alloc(&r->arena, (r->stack.depth + 1) * sizeof *ids);
    for (size_t i = 0; i < r->stack.depth; i++)
        ids[i] = location_of(r, &r->stack.frames[i]);
    return ids;
}

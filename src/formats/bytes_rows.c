#include "formats/bytes_rows.h"

#include "rows/emit.h"

void bytes_rows_function(struct bytes_rows *b, struct sink *sink, uint32_t id, struct str name,
                         struct str file, int64_t start_line, struct str extra)
{
    struct row row = {.table = TABLE_FUNCTIONS,
                      .function = {.function_id = id, .start_line = start_line}};
    b->extra.n = 0;
    buf_add(&b->extra, STR(",\".unmangled\":true"));
    row.function.name = emit_text(&b->name, &b->inexact, STR("name"), name);
    if (name.n == 0) {
        row.function.name = ROW_NO_NAME;
        buf_add(&b->extra, STR(",\".no_name\":true"));
    } else if (b->inexact.n != 0) {
        b->odd_names++;
        emit_text(&b->name, &b->inexact, STR("system_name"), name);
    }
    row.function.system_name = row.function.name;
    row.function.filename = emit_text(&b->file, &b->inexact, STR("filename"), file);
    buf_add(&b->extra, extra);
    emit_bytes_column(&b->extra, &b->inexact);
    row.extra = buf_str(&b->extra);
    sink_row(sink, &row);
}

uint32_t bytes_rows_find_function(struct bytes_rows *b, struct sink *sink, struct intern *functions,
                                  struct str name, struct str file, int64_t start_line,
                                  bool *is_new)
{
    const uint64_t numbers[] = {(uint64_t)start_line, name.n};
    bool is_first;
    b->extra.n = 0;
    buf_add(&b->extra, (struct str){(const char *)numbers, sizeof numbers});
    buf_add(&b->extra, name);
    buf_add(&b->extra, file);
    const uint32_t id = intern_add(functions, buf_str(&b->extra), &is_first);
    if (is_first)
        bytes_rows_function(b, sink, id, name, file, start_line, STR(""));
    if (is_new != NULL)
        *is_new = is_first;
    return id;
}

void bytes_rows_source(struct bytes_rows *b, struct sink *sink, int64_t id, struct str type,
                       const char *uri, struct number timestamp, struct buf *extra)
{
    const struct str text = bytes_rows_uri(b, uri, extra);
    sink_row(sink, &(struct row){.table = TABLE_SOURCES,
                                 .source = {id, type, text, timestamp},
                                 .extra = buf_str(extra)});
}

struct str bytes_rows_uri(struct bytes_rows *b, const char *uri, struct buf *extra)
{
    if (uri == NULL)
        return (struct str){NULL, 0};
    struct str text = emit_text(&b->name, &b->inexact, STR("source_uri"), str_of(uri));
    emit_bytes_column(extra, &b->inexact);
    return text;
}

void bytes_rows_free(struct bytes_rows *b)
{
    buf_free(&b->name);
    buf_free(&b->file);
    buf_free(&b->extra);
    buf_free(&b->inexact);
}

#include "formats/call_tree.h"

#include "base/mem.h"
#include "rows/emit.h"

void call_tree_source(struct call_tree *t, struct in *in, const struct read_request *request,
                      struct str type, struct str value_types)
{
    struct row row = {
        .table = TABLE_SOURCES,
        .source = {.source_id = 1, .source_type = type, .source_timestamp = request->timestamp}};
    t->extra.n = 0;
    emit_member(&t->extra, STR(".value_types"));
    buf_add(&t->extra, value_types);
    row.source.source_uri = bytes_rows_uri(&t->rows, format_source_uri(request, in), &t->extra);
    row.extra = buf_str(&t->extra);
    sink_row(t->sink, &row);
}

static uint32_t mapping_of(struct call_tree *t, struct str module)
{
    bool is_new;
    if (module.n == 0)
        return 0;
    const uint32_t id = intern_add(&t->modules, module, &is_new);
    if (is_new) {
        t->extra.n = 0;
        emit_member(&t->extra, STR("filename"));
        emit_inner_string(&t->extra, &t->rows.name, module);
        sink_row(
            t->sink,
            &(struct row){.table = TABLE_MAPPINGS, .mapping = {id}, .extra = buf_str(&t->extra)});
    }
    return id;
}

static uint32_t location_of(struct call_tree *t, struct str name, struct str module)
{
    bool is_new;
    const uint32_t mapping = mapping_of(t, module);
    const uint32_t function = intern_add(&t->functions, name, &is_new);
    const uint32_t key[] = {function, mapping};
    if (is_new)
        bytes_rows_function(&t->rows, t->sink, function, name, STR(""), 0, STR(""));
    const uint32_t id =
        intern_add(&t->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        sink_row(t->sink, &(struct row){.table = TABLE_LOCATIONS,
                                        .location = {id, function, 0},
                                        .site = {.mapping_id = mapping}});
    return id;
}

void call_tree_enter(struct call_tree *t, size_t depth, struct str name, struct str module)
{
    t->open = mem_array(t->open, &t->open_capacity, depth, sizeof *t->open);
    t->open[depth - 1] = location_of(t, name, module);
    t->depth = depth;
}

void call_tree_sample(struct call_tree *t, struct place where, struct sample_value *values,
                      size_t count, struct str extra)
{
    t->stack = mem_array(t->stack, &t->stack_capacity, t->depth, sizeof *t->stack);
    for (size_t i = 0; i < t->depth; i++)
        t->stack[i] = t->open[t->depth - 1 - i];
    t->sink->flow->where = where;
    sink_sample(t->sink, &(struct sample){.sample_id = ++t->sample_id,
                                          .source_id = 1,
                                          .extra = extra,
                                          .values = values,
                                          .value_count = count,
                                          .locations = t->stack,
                                          .depth = t->depth});
}

void call_tree_free(struct call_tree *t)
{
    intern_free(&t->functions);
    intern_free(&t->modules);
    intern_free(&t->locations);
    mem_free(t->open);
    mem_free(t->stack);
    bytes_rows_free(&t->rows);
    buf_free(&t->extra);
}

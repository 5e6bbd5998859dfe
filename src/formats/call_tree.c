#include "formats/call_tree.h"

#include "base/mem.h"
#include "rows/emit.h"

void call_tree_source(struct call_tree *t, struct in *in, const struct read_request *request,
                      struct str type, struct str value_types)
{
    t->extra.n = 0;
    emit_member(&t->extra, STR(".value_types"));
    buf_add(&t->extra, value_types);
    bytes_rows_source(&t->rows, t->sink, 1, type, format_source_uri(request, in),
                      request->timestamp, &t->extra);
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

/* --- sums --- */

/* By how much DIGITS times SIZE may have been rounded: one in the last digit. 0 is exact. */
static struct decimal rounding_of(struct str digits, int64_t size)
{
    const char *point = digits.n == 0 ? NULL : memchr(digits.p, '.', digits.n);
    struct decimal last = decimal_of(size);
    if (decimal_sign(decimal_read(digits)) == 0)
        return (struct decimal){0};
    last.exponent -= point == NULL ? 0 : (int)(digits.p + digits.n - point - 1);
    return last;
}

void call_tree_sums_open(struct call_tree_sums *s, struct place where, struct str total,
                         int64_t size, const char *unit)
{
    *s = (struct call_tree_sums){.request = s->request, .where = where};
    if (total.n == 0 || total.n > DECIMAL_EXACT)
        return;
    s->unit = unit;
    s->total = decimal_multiply(decimal_read(total), decimal_of(size));
    s->rounding = rounding_of(total, size);
}

void call_tree_sums_add(struct call_tree_sums *s, struct str digits, int64_t size, const char *unit)
{
    if (s->unit == NULL || strcmp(s->unit, unit) != 0) {
        s->unit = NULL;
        return;
    }
    decimal_add(&s->sum, decimal_multiply(decimal_read(digits), decimal_of(size)));
    decimal_add(&s->rounding, rounding_of(digits, size));
}

void call_tree_sums_close(struct call_tree_sums *s)
{
    static const char message[] =
        "%sthis line has %.*s %s with those below, and they have only %.*s: lines may be missing";
    struct decimal most = s->sum;
    struct buf total = {0}, sum = {0};
    decimal_add(&most, s->rounding);
    if (s->unit == NULL || decimal_compare(most, s->total) >= 0)
        return;
    decimal_write(&total, s->total);
    decimal_write(&sum, s->sum);
    if (s->request->strict)
        die_as(CODE_TORN, s->where, message, "--strict: ", STR_ARG(buf_str(&total)), s->unit,
               STR_ARG(buf_str(&sum)));
    warn_at(CODE_TORN, s->where, message, "", STR_ARG(buf_str(&total)), s->unit,
            STR_ARG(buf_str(&sum)));
    buf_free(&total);
    buf_free(&sum);
}

void call_tree_empty(const struct read_request *request, struct place where)
{
    if (request->strict)
        die_as(CODE_TORN, where, "--strict: expected lines behind the names of cells, found none");
    warn_at(CODE_TORN, where, "expected lines behind the names of cells, found none");
}

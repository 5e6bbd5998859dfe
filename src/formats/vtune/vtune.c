/* Call trees that Intel's VTune prints as CSV: a function in each line, below the one that calls it
 * by blanks before its name. See vtune2ndjson(1) for the rules. */
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/csv.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "stream/growth.h"

#define FIRST STR("Function Stack")
#define UNKNOWN STR("[Unknown]")

struct reader {
    struct place where;
    struct sink *sink;
    size_t time, module; /* which cells these are, from 0, the first; module 0: none */
    struct intern names; /* of columns */
    struct intern functions, modules, locations;
    int64_t *open; /* the locations of the functions that the last one is below, and its own */
    int64_t *stack;
    size_t depth, open_capacity, stack_capacity;
    uint32_t cpu_type;
    int64_t sample_id;
    struct bytes_rows rows;
    struct buf extra, scratch, name, module_name;
};

/* Takes the next cell off *LINE; false if there is none. */
static bool take_cell(struct reader *r, struct str *line, struct str *cell)
{
    const enum csv_found found = csv_take(line, cell, &r->scratch);
    if (found == CSV_BAD)
        die_at(r->where, "expected a comma or the end of the line behind a quoted cell");
    return found == CSV_CELL;
}

/* Finds the cells by their names in the first LINE. */
static void read_names(struct reader *r, struct str line)
{
    struct str cell;
    for (size_t i = 0; take_cell(r, &line, &cell); i++) {
        if (str_equal(cell, STR("CPU Time:Self")))
            r->time = i;
        else if (str_equal(cell, STR("Module")))
            r->module = i;
        if (intern_add(&r->names, cell, NULL) <= i)
            die_at(r->where, "the column \"%.*s\" stands there twice", STR_ARG(cell));
    }
    if (r->time == 0)
        die_at(r->where, "expected a column \"CPU Time:Self\", found none");
}

/* The nanoseconds in TEXT, which has seconds. Digits beyond them are cut off. */
static int64_t nanoseconds_of(const struct reader *r, struct str text)
{
    int64_t value = 0;
    unsigned after = 0;
    bool has_point = false;
    const struct str whole = text = str_trim(text);
    for (; text.n > 0; text.p++, text.n--) {
        const bool is_point = *text.p == '.' && !has_point && text.p > whole.p;
        has_point |= is_point;
        if (is_point)
            continue;
        if (!str_is_digit(*text.p))
            break;
        if (has_point && ++after > 9)
            continue;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text.p - '0', &value))
            die_at(r->where, "expected less than 2^63 nanoseconds, found \"%.*s\" seconds",
                   STR_ARG(whole));
    }
    if (text.n > 0 || whole.n == 0)
        die_at(r->where, "expected seconds, as 1.5, found \"%.*s\"", STR_ARG(whole));
    for (; after < 9; after++)
        if (__builtin_mul_overflow(value, 10, &value))
            die_at(r->where, "expected less than 2^63 nanoseconds, found \"%.*s\" seconds",
                   STR_ARG(whole));
    return value;
}

/* --- rows --- */

static uint32_t mapping_of(struct reader *r, struct str module)
{
    bool is_new;
    if (module.n == 0 || str_equal(module, UNKNOWN))
        return 0;
    const uint32_t id = intern_add(&r->modules, module, &is_new);
    if (is_new) {
        r->extra.n = 0;
        emit_member(&r->extra, STR("filename"));
        emit_inner_string(&r->extra, &r->rows.name, module);
        sink_row(
            r->sink,
            &(struct row){.table = TABLE_MAPPINGS, .mapping = {id}, .extra = buf_str(&r->extra)});
    }
    return id;
}

/* The location of the function NAME in MODULE. */
static uint32_t location_of(struct reader *r, struct str name, struct str module)
{
    bool is_new;
    const uint32_t mapping = mapping_of(r, module);
    const uint32_t function = intern_add(&r->functions, name, &is_new);
    const uint32_t key[] = {function, mapping};
    if (is_new)
        bytes_rows_function(&r->rows, r->sink, function, name, STR(""), 0, STR(""));
    const uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS,
                                        .location = {id, function, 0},
                                        .site = {.mapping_id = mapping}});
    return id;
}

static void push_sample(struct reader *r, int64_t time)
{
    struct sample_value value = {r->cpu_type, number_of(time), STR("")};
    if (time == 0)
        return;
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth, sizeof *r->stack);
    for (size_t i = 0; i < r->depth; i++)
        r->stack[i] = r->open[r->depth - 1 - i];
    r->sink->flow->where = r->where;
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .values = &value,
                                          .value_count = 1,
                                          .locations = r->stack,
                                          .depth = r->depth});
}

static void read_line(struct reader *r, struct str line)
{
    struct str cell;
    size_t depth = 1, count = 0;
    int64_t time = 0;
    line = line.n > 0 && line.p[line.n - 1] == '\r' ? (struct str){line.p, line.n - 1} : line;
    while (str_take(&line, STR(" ")))
        depth++;
    if (line.n == 0)
        return;
    r->module_name.n = 0;
    if (depth > r->depth + 1)
        die_at(r->where, "expected %zu blanks or fewer before the function, found %zu", r->depth,
               depth - 1);
    growth_check_depth(depth, r->where);
    for (; take_cell(r, &line, &cell); count++) {
        if (count == 0) {
            r->name.n = 0;
            buf_add(&r->name, cell);
        } else if (count == r->time) {
            time = nanoseconds_of(r, cell);
        } else if (count == r->module) {
            r->module_name.n = 0;
            buf_add(&r->module_name, cell);
        } else if (cell.n > 0) {
            loss_add(LOSS_VTUNE_CELLS, STR(""), 1);
        }
    }
    if (count != r->names.count)
        die_at(r->where, "expected %u cells, as many as there are columns, found %zu",
               r->names.count, count);
    r->open = mem_array(r->open, &r->open_capacity, depth, sizeof *r->open);
    r->open[depth - 1] = location_of(r, buf_str(&r->name), buf_str(&r->module_name));
    r->depth = depth;
    push_sample(r, time);
}

static void push_source(struct reader *r, struct in *in, const struct read_request *request)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("vtune"),
                                 .source_timestamp = request->timestamp}};
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".value_types\":[{\"type\":\"cpu\",\"unit\":\"nanoseconds\"}]"));
    row.source.source_uri = bytes_rows_uri(&r->rows, format_source_uri(request, in), &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

static void read_vtune(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.where = {in_name(in), PLACE_LINE, 0}, .sink = sink};
    r.cpu_type = value_types_add(&sink->flow->types, STR("cpu"), STR("nanoseconds"));
    for (struct str lines, line; (lines = in_lines(in, 0, r.where.at + 1)).n > 0;
         in_consume(in, lines.n))
        for (struct str rest = lines; str_next_line(&rest, &line);)
            if (++r.where.at == 1) {
                read_names(&r, str_trim(line));
                push_source(&r, in, request);
            } else {
                read_line(&r, line);
            }
    intern_free(&r.names);
    intern_free(&r.functions);
    intern_free(&r.modules);
    intern_free(&r.locations);
    mem_free(r.open);
    mem_free(r.stack);
    bytes_rows_free(&r.rows);
    struct buf *bufs[] = {&r.extra, &r.scratch, &r.name, &r.module_name};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

static enum bid bid_vtune(struct str head)
{
    return str_take(&head, FIRST) && str_starts(head, STR(",")) ? BID_SURE : BID_NONE;
}

const struct format format_vtune = {
    .name = "a VTune file",
    .converter = "vtune2ndjson",
    .bid = bid_vtune,
    .read = read_vtune,
};

/* Call trees of Visual Studio's profiler as CSV (CallTreeSummary): a function in each line, with its
 * level in the tree. See vsprof2ndjson(1) for the rules. */
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/csv.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "stream/growth.h"

#include <inttypes.h>

#define BOM STR("\xef\xbb\xbf")
#define FIRST STR("Level,Function Name,")

/* The columns that are known. A file may have others. */
enum column {
    LEVEL,
    NAME,
    CALLS,
    INCLUSIVE,
    EXCLUSIVE,
    AVERAGE_INCLUSIVE,
    AVERAGE_EXCLUSIVE,
    MODULE,
    COLUMNS
};

static const struct str columns[COLUMNS] = {STR("Level"),
                                            STR("Function Name"),
                                            STR("Number of Calls"),
                                            STR("Elapsed Inclusive Time %"),
                                            STR("Elapsed Exclusive Time %"),
                                            STR("Avg Elapsed Inclusive Time"),
                                            STR("Avg Elapsed Exclusive Time"),
                                            STR("Module Name")};

struct reader {
    struct place where;
    struct sink *sink;
    enum column *names; /* of each cell; COLUMNS: another */
    size_t name_count, name_capacity;
    struct buf cells[COLUMNS]; /* of the line */
    struct intern functions, modules, locations;
    int64_t *open; /* the locations of the functions that the last one is below, and its own */
    int64_t *stack;
    size_t depth, open_capacity, stack_capacity;
    uint32_t calls_type, elapsed_type;
    int64_t sample_id;
    struct bytes_rows rows;
    struct buf extra, scratch;
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
    unsigned seen = 0;
    while (take_cell(r, &line, &cell)) {
        enum column i = LEVEL;
        while (i < COLUMNS && !str_equal(columns[i], cell))
            i++;
        if (i < COLUMNS && (seen & 1u << i) != 0)
            die_at(r->where, "the column \"%.*s\" stands there twice", STR_ARG(cell));
        seen |= 1u << i;
        r->names = mem_array(r->names, &r->name_capacity, r->name_count + 1, sizeof *r->names);
        r->names[r->name_count++] = i;
    }
    if ((seen & (1u << CALLS | 1u << EXCLUSIVE)) != (1u << CALLS | 1u << EXCLUSIVE))
        die_at(r->where, "expected columns \"%s\" and \"%s\", found others", columns[CALLS].p,
               columns[EXCLUSIVE].p);
}

/* The integer in the cell of COLUMN, whose digits may have commas between groups. */
static int64_t integer_of(const struct reader *r, enum column column)
{
    const struct str text = buf_str(&r->cells[column]);
    int64_t value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == ',' && i > 0)
            continue;
        if (!str_is_digit(text.p[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text.p[i] - '0', &value))
            die_at(r->where, "%.*s: expected an integer from 0, found \"%.*s\"",
                   STR_ARG(columns[column]), STR_ARG(text));
    }
    return value;
}

/* The number in the cell of COLUMN: sets TO to it as rows spell it, without zeros at its end. Returns
 * whether it is not 0. */
static bool decimal_of_cell(struct reader *r, enum column column, struct buf *to)
{
    const struct str text = buf_str(&r->cells[column]);
    bool has_point = false, is_zero = true;
    enum { LONGEST = 40 }; /* far more than are printed, and a finite number */
    to->n = 0;
    if (text.n > LONGEST)
        die_at(r->where, "%.*s: expected a number of at most %d characters, found \"%.*s\"",
               STR_ARG(columns[column]), LONGEST, STR_ARG(text));
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        if (c == ',' && i > 0 && !has_point)
            continue;
        if (!str_is_digit(c) && (c != '.' || has_point || i == 0 || i + 1 == text.n))
            die_at(r->where, "%.*s: expected a number from 0, as 1.5, found \"%.*s\"",
                   STR_ARG(columns[column]), STR_ARG(text));
        has_point |= c == '.';
        is_zero &= c == '0' || c == '.';
        if (c != '0' || to->n != 1 || *to->p != '0')
            buf_add(to, (struct str){&c, 1});
    }
    while (has_point && to->n > 0 && to->p[to->n - 1] == '0')
        to->n--;
    if (has_point && to->n > 0 && to->p[to->n - 1] == '.')
        to->n--;
    return !is_zero;
}

/* --- rows --- */

static uint32_t mapping_of(struct reader *r, struct str module)
{
    bool is_new;
    if (module.n == 0)
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

/* The location of the function of the line. */
static uint32_t location_of(struct reader *r)
{
    bool is_new;
    const struct str name = buf_str(&r->cells[NAME]);
    const uint32_t mapping = mapping_of(r, buf_str(&r->cells[MODULE]));
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

/* Adds the average in the cell of COLUMN as the column NAME of a sample. */
static void add_average(struct reader *r, enum column column, struct str name)
{
    if (!decimal_of_cell(r, column, &r->scratch))
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, buf_str(&r->scratch));
}

static void push_sample(struct reader *r)
{
    struct sample_value values[2];
    struct buf share = {0};
    size_t count = 0;
    const int64_t calls = integer_of(r, CALLS);
    const bool has_share = decimal_of_cell(r, EXCLUSIVE, &share);
    r->extra.n = 0;
    add_average(r, AVERAGE_INCLUSIVE, STR(".vsprof_average_inclusive"));
    add_average(r, AVERAGE_EXCLUSIVE, STR(".vsprof_average_exclusive"));
    if (calls != 0)
        values[count++] = (struct sample_value){r->calls_type, number_of(calls), STR("")};
    if (has_share) {
        struct number number = {.kind = NUMBER_REAL, .real = buf_str(&share)};
        int64_t integer;
        if (decimal_is_integer(decimal_read(number.real), &integer))
            number = number_of(integer);
        values[count++] = (struct sample_value){r->elapsed_type, number, STR("")};
    }
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth, sizeof *r->stack);
    for (size_t i = 0; i < r->depth; i++)
        r->stack[i] = r->open[r->depth - 1 - i];
    r->sink->flow->where = r->where;
    if (count > 0)
        sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                              .source_id = 1,
                                              .extra = buf_str(&r->extra),
                                              .values = values,
                                              .value_count = count,
                                              .locations = r->stack,
                                              .depth = r->depth});
    buf_free(&share);
}

static void read_line(struct reader *r, struct str line)
{
    struct str cell;
    size_t count = 0;
    line = str_trim(line);
    if (line.n == 0)
        return;
    for (enum column i = LEVEL; i < COLUMNS; i++)
        r->cells[i].n = 0;
    for (; take_cell(r, &line, &cell); count++) {
        const enum column column = count < r->name_count ? r->names[count] : COLUMNS;
        if (column < COLUMNS)
            buf_add(&r->cells[column], cell);
        else if (cell.n > 0)
            loss_add(LOSS_VSPROF_CELLS, STR(""), 1);
    }
    if (count != r->name_count)
        die_at(r->where, "expected %zu cells, as many as there are columns, found %zu",
               r->name_count, count);
    const int64_t level = integer_of(r, LEVEL);
    if (level > (int64_t)r->depth)
        die_at(r->where, "expected a level from 0 to %zu, found %" PRId64, r->depth, level);
    growth_check_depth((size_t)level + 1, r->where);
    r->depth = (size_t)level + 1;
    r->open = mem_array(r->open, &r->open_capacity, r->depth, sizeof *r->open);
    r->open[level] = location_of(r);
    push_sample(r);
}

static void push_source(struct reader *r, struct in *in, const struct read_request *request)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("vsprof"),
                                 .source_timestamp = request->timestamp}};
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".value_types\":[{\"type\":\"calls\",\"unit\":\"count\"},"
                           "{\"type\":\"elapsed\",\"unit\":\"percent\"}]"));
    row.source.source_uri = bytes_rows_uri(&r->rows, format_source_uri(request, in), &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

static void read_vsprof(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.where = {in_name(in), PLACE_LINE, 0}, .sink = sink};
    r.calls_type = value_types_add(&sink->flow->types, STR("calls"), STR("count"));
    r.elapsed_type = value_types_add(&sink->flow->types, STR("elapsed"), STR("percent"));
    struct str rest = format_whole(in, request), line;
    while (str_next_line(&rest, &line))
        if (++r.where.at == 1) {
            str_take(&line, BOM);
            read_names(&r, str_trim(line));
            push_source(&r, in, request);
        } else {
            read_line(&r, line);
        }
    for (enum column i = LEVEL; i < COLUMNS; i++)
        buf_free(&r.cells[i]);
    intern_free(&r.functions);
    intern_free(&r.modules);
    intern_free(&r.locations);
    mem_free(r.names);
    mem_free(r.open);
    mem_free(r.stack);
    bytes_rows_free(&r.rows);
    buf_free(&r.extra);
    buf_free(&r.scratch);
}

static enum bid bid_vsprof(struct str head)
{
    str_take(&head, BOM);
    return str_starts(head, FIRST) ? BID_SURE : BID_NONE;
}

const struct format format_vsprof = {
    .name = "a Visual Studio file",
    .converter = "vsprof2ndjson",
    .bid = bid_vsprof,
    .read = read_vsprof,
    .is_document = true, /* a level in a few digits stands for a stack */
};

/* Call trees that Intel's VTune prints as CSV: a function in each line, below the one that calls it
 * by blanks before its name. See vtune2ndjson(1) for the rules. */
#include "formats/call_tree.h"
#include "formats/csv.h"
#include "formats/formats.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#define BOM STR("\xef\xbb\xbf")
#define FIRST STR("Function Stack")
#define UNKNOWN STR("[Unknown]")

struct reader {
    struct place where;
    char mark;                  /* between cells */
    size_t time, total, module; /* which cells these are, from 0, the first; 0: none */
    struct intern names;        /* of columns */
    uint32_t cpu_type;
    struct call_tree tree;
    struct call_tree_sums sums;
    struct buf scratch, name, module_name;
};

/* What stands between the cells of a file that begins with HEAD, as -csv-delimiter says; 0: it is
 * another file. */
static char mark_of(struct str head)
{
    str_take(&head, BOM);
    if (!str_take(&head, FIRST) || head.n == 0)
        return 0;
    return *head.p == ',' || *head.p == ';' || *head.p == '\t' ? *head.p : 0;
}

/* LINE without the carriage return at its end. */
static struct str without_return(struct str line)
{
    return line.n > 0 && line.p[line.n - 1] == '\r' ? (struct str){line.p, line.n - 1} : line;
}

/* Finds the cells by their names in the first LINE. */
static void read_names(struct reader *r, struct str line)
{
    struct str cell;
    const char mark = mark_of(line);
    r->mark = mark == 0 ? ',' : mark;
    str_take(&line, BOM);
    line = without_return(line);
    while (line.n > 0 && line.p[line.n - 1] == ' ')
        line.n--;
    for (size_t i = 0; csv_take(&line, r->mark, &cell, &r->scratch, r->where); i++) {
        if (str_equal(cell, STR("CPU Time:Self")))
            r->time = i;
        else if (str_equal(cell, STR("CPU Time:Total")))
            r->total = i;
        else if (str_equal(cell, STR("Module")))
            r->module = i;
        if (intern_add(&r->names, cell, NULL) <= i)
            text_die(r->where, STR(""), "each column once", cell);
    }
    if (r->time == 0)
        die_at(r->where, "expected a column \"CPU Time:Self\", found none");
}

enum { SECOND = 1000000000 }; /* in nanoseconds */

/* The digits of the cell TEXT, which has seconds. */
static struct str seconds_of(const struct reader *r, struct str text)
{
    const struct str whole = text = str_trim(text);
    const struct str digits = decimal_take(&text);
    if (text.n > 0 || digits.n == 0)
        text_die(r->where, STR(""), "seconds, as 1.5", whole);
    return digits;
}

static int64_t nanoseconds_of(const struct reader *r, struct str digits)
{
    int64_t value;
    if (digits.n > DECIMAL_EXACT ||
        !loss_round(STR("cpu"), decimal_multiply(decimal_read(digits), decimal_of(SECOND)), &value))
        text_die(r->where, STR(""), "seconds of at most 37 digits, below 2^63 nanoseconds", digits);
    return value;
}

/* Adds the line, which has SELF by itself and TOTAL with those below (empty: the file does not
 * say). */
static void add_up(struct reader *r, struct str self, struct str total)
{
    if (r->tree.depth == 1) {
        call_tree_sums_close(&r->sums);
        call_tree_sums_open(&r->sums, r->where, total, SECOND, "nanoseconds");
    }
    call_tree_sums_add(&r->sums, self, SECOND, "nanoseconds");
}

static void read_line(struct reader *r, struct str line)
{
    struct str cell;
    size_t depth = 1, count = 0;
    struct str self = STR(""), total = STR("");
    line = without_return(line);
    while (str_take(&line, STR(" ")))
        depth++;
    if (line.n == 0)
        return;
    r->module_name.n = 0;
    if (depth > r->tree.depth + 1)
        die_at(r->where, "expected %zu blanks or fewer before the function, found %zu",
               r->tree.depth, depth - 1);
    growth_check_depth(depth, r->where);
    for (; csv_take(&line, r->mark, &cell, &r->scratch, r->where); count++) {
        if (count == 0) {
            r->name.n = 0;
            buf_add(&r->name, cell);
        } else if (count == r->time) {
            self = seconds_of(r, cell);
        } else if (count == r->total) {
            total = decimal_take(&cell);
            if (cell.n > 0)
                total.n = 0;
        } else if (count == r->module) {
            buf_add(&r->module_name, str_equal(cell, UNKNOWN) ? STR("") : cell);
        } else if (cell.n > 0) {
            loss_add(LOSS_VTUNE_CELLS, STR(""), 1);
        }
    }
    if (count != r->names.count)
        die_at(r->where, "expected %u cells, as many as there are columns, found %zu",
               r->names.count, count);
    const int64_t time = nanoseconds_of(r, self);
    call_tree_enter(&r->tree, depth, buf_str(&r->name), buf_str(&r->module_name));
    add_up(r, self, total);
    if (time != 0)
        call_tree_sample(&r->tree, r->where,
                         &(struct sample_value){r->cpu_type, number_of(time), STR("")}, 1, STR(""));
}

static void read_vtune(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.where = {in_name(in), PLACE_LINE, 0},
                       .tree = {.sink = sink},
                       .sums = {.request = request}};
    r.cpu_type = value_types_add(&sink->flow->types, STR("cpu"), STR("nanoseconds"));
    for (struct str lines, line; (lines = in_lines(in, 0, r.where.at + 1)).n > 0;
         in_consume(in, lines.n))
        for (struct str rest = lines; str_next_line(&rest, &line);)
            if (++r.where.at == 1) {
                read_names(&r, line);
                call_tree_source(&r.tree, in, request, STR("vtune"),
                                 STR("[{\"type\":\"cpu\",\"unit\":\"nanoseconds\"}]"));
            } else {
                read_line(&r, line);
            }
    if (r.tree.depth == 0)
        call_tree_empty(request, r.where);
    call_tree_sums_close(&r.sums);
    call_tree_free(&r.tree);
    intern_free(&r.names);
    buf_free(&r.scratch);
    buf_free(&r.name);
    buf_free(&r.module_name);
}

static enum bid bid_vtune(struct str head)
{
    return mark_of(head) != 0 ? BID_SURE : BID_NONE;
}

const struct format format_vtune = {
    .name = "a VTune file",
    .converter = "vtune2ndjson",
    .bid = bid_vtune,
    .read = read_vtune,
};

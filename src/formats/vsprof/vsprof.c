/* Call trees of Visual Studio's profiler as CSV (CallTreeSummary): a function in each line, with its
 * level in the tree. See vsprof2ndjson(1) for the rules. */
#include "base/mem.h"
#include "formats/call_tree.h"
#include "formats/csv.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
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
    enum column *names; /* of each cell; COLUMNS: another */
    size_t name_count, name_capacity;
    unsigned seen;             /* the columns that the file has, bits */
    struct buf cells[COLUMNS]; /* of the line */
    uint32_t calls_type, elapsed_type;
    struct call_tree tree;
    struct buf extra, scratch, number;
};

/* Finds the cells by their names in the first LINE. */
static void read_names(struct reader *r, struct str line)
{
    static const enum column needed[] = {CALLS, EXCLUSIVE}; /* and those of FIRST */
    struct str cell;
    while (csv_take(&line, ',', &cell, &r->scratch, r->where)) {
        enum column i = LEVEL;
        while (i < COLUMNS && !str_equal(columns[i], cell))
            i++;
        if (i < COLUMNS && (r->seen & 1u << i) != 0)
            text_die(r->where, STR(""), "each column once", cell);
        r->seen |= 1u << i;
        r->names = mem_array(r->names, &r->name_capacity, r->name_count + 1, sizeof *r->names);
        r->names[r->name_count++] = i;
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if ((r->seen & 1u << needed[i]) == 0)
            die_at(r->where, "expected a column \"%s\", found none", columns[needed[i]].p);
}

_Noreturn static void die_comma(struct reader *r, enum column column)
{
    r->scratch.n = 0;
    text_escape(&r->scratch, buf_str(&r->cells[column]));
    die_at(r->where,
           "%s: expected three digits behind each comma, found \"%.*s\"" HINT
           "export it again with decimal points",
           columns[column].p, STR_ARG(buf_str(&r->scratch)));
}

/* Sets r->scratch to the cell of COLUMN without the commas between its groups of digits. A comma
 * with other than three digits behind it is a decimal one: that is refused. */
static struct str digits_of(struct reader *r, enum column column)
{
    enum { GROUP = 3 };
    const struct str text = buf_str(&r->cells[column]);
    size_t digits = 0; /* since the last comma; more than GROUP: none may follow */
    bool is_grouped = false;
    r->scratch.n = 0;
    for (size_t i = 0; i <= text.n; i++) {
        const bool is_comma = i < text.n && text.p[i] == ',';
        const bool is_digit = i < text.n && str_is_digit(text.p[i]);
        if ((is_comma && (digits == 0 || digits > GROUP)) ||
            (is_grouped && !is_digit && digits != GROUP))
            die_comma(r, column);
        digits = is_digit ? digits + 1 : is_comma ? 0 : GROUP + 1;
        is_grouped = is_comma || (is_grouped && is_digit);
        if (i < text.n && !is_comma)
            buf_add(&r->scratch, (struct str){&text.p[i], 1});
    }
    return buf_str(&r->scratch);
}

/* The integer in the cell of COLUMN, whose digits may have commas between groups. */
static int64_t integer_of(struct reader *r, enum column column)
{
    const struct str text = digits_of(r, column);
    int64_t value = 0;
    bool is_good = text.n > 0;
    for (size_t i = 0; i < text.n && is_good; i++)
        is_good = str_is_digit(text.p[i]) && !__builtin_mul_overflow(value, 10, &value) &&
                  !__builtin_add_overflow(value, text.p[i] - '0', &value);
    if (!is_good)
        text_die(r->where, columns[column], "an integer from 0", buf_str(&r->cells[column]));
    return value;
}

/* How many digits NUMBER has in front of its point. */
static size_t whole_digits(struct str number)
{
    const char *point = number.n == 0 ? NULL : memchr(number.p, '.', number.n);
    return point == NULL ? number.n : (size_t)(point - number.p);
}

/* The number in the cell of COLUMN: sets TO to it as rows spell it, without zeros at its end. Returns
 * whether it is not 0. */
static bool decimal_of_cell(struct reader *r, enum column column, struct buf *to)
{
    const struct str cell = buf_str(&r->cells[column]);
    bool has_point = false, is_zero = true;
    enum { LONGEST = 40, WHOLE = 18 }; /* far more than are printed; an integer of 64 bits */
    to->n = 0;
    if (cell.n > LONGEST)
        text_die(r->where, columns[column], "a number of at most 40 characters", cell);
    const struct str text = digits_of(r, column);
    if (text.n == 0)
        text_die(r->where, columns[column], "a number from 0, as 1.5", cell);
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        if (!str_is_digit(c) && (c != '.' || has_point || i == 0 || i + 1 == text.n))
            text_die(r->where, columns[column], "a number from 0, as 1.5", cell);
        has_point |= c == '.';
        is_zero &= c == '0' || c == '.';
        if (c != '.' && to->n == 1 && *to->p == '0')
            to->n = 0; /* 06.25 is 6.25 */
        buf_add(to, (struct str){&c, 1});
    }
    if (whole_digits(buf_str(to)) > WHOLE)
        text_die(r->where, columns[column], "a number below 10^18", cell);
    while (has_point && to->n > 0 && to->p[to->n - 1] == '0')
        to->n--;
    if (has_point && to->n > 0 && to->p[to->n - 1] == '.')
        to->n--;
    return !is_zero;
}

/* --- rows --- */

/* Adds the average in the cell of COLUMN, if the file has that, as the column NAME of a sample. */
static void add_average(struct reader *r, enum column column, struct str name)
{
    if ((r->seen & 1u << column) == 0 || !decimal_of_cell(r, column, &r->number))
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, buf_str(&r->number));
}

static void push_sample(struct reader *r)
{
    struct sample_value values[2];
    size_t count = 0;
    const int64_t calls = integer_of(r, CALLS);
    r->extra.n = 0;
    add_average(r, AVERAGE_INCLUSIVE, STR(".vsprof_average_inclusive"));
    add_average(r, AVERAGE_EXCLUSIVE, STR(".vsprof_average_exclusive"));
    const bool has_share = decimal_of_cell(r, EXCLUSIVE, &r->number);
    if (calls != 0)
        values[count++] = (struct sample_value){r->calls_type, number_of(calls), STR("")};
    if (has_share) {
        struct number number = {.kind = NUMBER_REAL, .real = buf_str(&r->number)};
        int64_t integer;
        if (decimal_is_integer(decimal_read(number.real), &integer))
            number = number_of(integer);
        values[count++] = (struct sample_value){r->elapsed_type, number, STR("")};
    }
    if (count > 0)
        call_tree_sample(&r->tree, r->where, values, count, buf_str(&r->extra));
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
    for (; csv_take(&line, ',', &cell, &r->scratch, r->where); count++) {
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
    if (level > (int64_t)r->tree.depth)
        die_at(r->where, "expected a level from 0 to %zu, found %" PRId64, r->tree.depth, level);
    growth_check_depth((size_t)level + 1, r->where);
    call_tree_enter(&r->tree, (size_t)level + 1, buf_str(&r->cells[NAME]),
                    buf_str(&r->cells[MODULE]));
    push_sample(r);
}

static void read_vsprof(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.where = {in_name(in), PLACE_LINE, 0}, .tree = {.sink = sink}};
    r.calls_type = value_types_add(&sink->flow->types, STR("calls"), STR("count"));
    r.elapsed_type = value_types_add(&sink->flow->types, STR("elapsed"), STR("percent"));
    struct str rest = format_whole(in, request), line;
    while (str_next_line(&rest, &line))
        if (++r.where.at == 1) {
            str_take(&line, BOM);
            read_names(&r, str_trim(line));
            call_tree_source(&r.tree, in, request, STR("vsprof"),
                             STR("[{\"type\":\"calls\",\"unit\":\"count\"},"
                                 "{\"type\":\"elapsed\",\"unit\":\"percent\"}]"));
        } else {
            read_line(&r, line);
        }
    if (r.tree.depth == 0)
        call_tree_empty(request, r.where);
    for (enum column i = LEVEL; i < COLUMNS; i++)
        buf_free(&r.cells[i]);
    call_tree_free(&r.tree);
    mem_free(r.names);
    buf_free(&r.extra);
    buf_free(&r.scratch);
    buf_free(&r.number);
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

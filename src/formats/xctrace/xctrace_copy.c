/* Trees that people copy from Instruments ("Deep Copy") to rows: lines of cells between tabs. The
 * first line names the cells; blanks before a symbol say how deep it is. */
#include "base/intern.h"
#include "base/mem.h"
#include "formats/call_tree.h"
#include "formats/formats.h"
#include "formats/xctrace/xctrace.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* Units of weights; how many nanoseconds or cycles each is. */
static const struct {
    struct str name;
    int64_t size;
    bool is_cycles;
} units[] = {
    {STR("ns"), 1, false},
    {STR("us"), 1000, false},
    {STR("\xc2\xb5s"), 1000, false}, /* with a sign for micro, or a letter of Greek */
    {STR("\xce\xbcs"), 1000, false},
    {STR("ms"), 1000000, false},
    {STR("s"), 1000000000, false},
    {STR("min"), 60000000000, false},
    {STR("h"), 3600000000000, false},
    {STR("cycles"), 1, true},
    {STR("Kc"), 1000, true},
    {STR("Mc"), 1000000, true},
    {STR("Gc"), 1000000000, true},
    {STR("Tc"), 1000000000000, true},
};

enum { UNITS = sizeof units / sizeof *units };

struct node {
    uint32_t parent, depth; /* a number, 0: none; from 1 */
    uint32_t function;
    bool is_cycles;
    int64_t value; /* by itself */
};

struct reader {
    struct place where;
    struct sink *sink;
    size_t symbol, path; /* which cells these are, from 0; path 0: none */
    struct str unit;     /* of weights without one */
    size_t indent;       /* blanks before the outermost symbols */
    struct intern functions;
    struct node *nodes;
    size_t node_count, node_capacity;
    uint32_t *open; /* the nodes that the last one is below, and itself, by depth - 1 */
    size_t open_count, open_capacity;
    int64_t *stack;
    size_t stack_capacity;
    bool has_time, has_cycles;
    struct call_tree_sums sums;
    struct bytes_rows rows;
    struct buf key, extra;
};

bool xctrace_copy_is(struct str head)
{
    return str_starts(head, STR("Weight\tSelf Weight\t")) ||
           str_starts(head, STR("Running Time\tSelf"));
}

/* Takes the next cell off *LINE; false if there is none. */
static bool take_cell(struct str *line, struct str *cell)
{
    if (line->p == NULL)
        return false;
    const char *tab = line->n == 0 ? NULL : memchr(line->p, '\t', line->n);
    *cell = (struct str){line->p, tab == NULL ? line->n : (size_t)(tab - line->p)};
    *line = tab == NULL ? (struct str){NULL, 0} : (struct str){tab + 1, line->n - cell->n - 1};
    return true;
}

/* Finds the cells by their names in the first LINE. */
static void read_names(struct reader *r, struct str line)
{
    struct str cell;
    for (size_t i = 0; take_cell(&line, &cell); i++) {
        if (str_equal(cell, STR("Symbol Name")) || str_equal(cell, STR("Symbol Names")))
            r->symbol = i;
        else if (str_equal(cell, STR("Source Path")))
            r->path = i;
        else if (str_equal(cell, STR("Self (ms)")))
            r->unit = STR("ms");
    }
    if (r->symbol < 2)
        die_at(r->where, "expected a cell \"Symbol Name\" behind those of weights");
}

/* --- weights --- */

/* Takes a weight off *TEXT: returns its digits, empty if there are none, and sets *UNIT to its
 * place in units, or to UNITS if it has no unit that is known. */
static struct str take_weight(const struct reader *r, struct str *text, unsigned *unit)
{
    const struct str digits = decimal_take(text);
    *text = str_trim(*text);
    struct str rest = *text, word = {rest.p, 0};
    while (word.n < rest.n && !str_is_blank(rest.p[word.n]))
        word.n++;
    *text = (struct str){rest.p + word.n, rest.n - word.n};
    if (word.n == 0)
        word = r->unit;
    *unit = 0;
    while (*unit < UNITS && !str_equal(units[*unit].name, word))
        ++*unit;
    return digits;
}

/* Reads the weight TEXT into NODE; returns its digits, and sets *UNIT. */
static struct str read_weight(struct reader *r, struct node *node, struct str text, unsigned *unit)
{
    const struct str whole = text = str_trim(text);
    if (str_equal(text, STR("-")))
        return STR("");
    const struct str digits = take_weight(r, &text, unit);
    if (digits.n == 0)
        text_die(r->where, STR(""), "a weight, as 1.50 ms", whole);
    if (*unit == UNITS || text.n > 0)
        text_die(r->where, STR(""), "a weight in ms, s, Kc or the like", whole);
    node->is_cycles = units[*unit].is_cycles;
    const struct decimal exact =
        decimal_multiply(decimal_read(digits), decimal_of(units[*unit].size));
    if (digits.n > DECIMAL_EXACT ||
        !loss_round(node->is_cycles ? STR("cycles") : STR("cpu"), exact, &node->value))
        text_die(r->where, STR(""), "a weight of at most 37 digits, below 2^63", whole);
    *(node->is_cycles ? &r->has_cycles : &r->has_time) = true;
    return digits;
}

static const char *unit_name(unsigned unit)
{
    return units[unit].is_cycles ? "cycles" : "nanoseconds";
}

/* Adds NODE, whose line has SELF times UNIT by itself (empty: nothing), and with those below the
 * weight TOTAL and perhaps a share. */
static void add_up(struct reader *r, const struct node *node, struct str self, unsigned unit,
                   struct str total)
{
    unsigned of;
    if (node->depth == 1) {
        const struct str digits = take_weight(r, &total, &of);
        call_tree_sums_close(&r->sums);
        if (of < UNITS)
            call_tree_sums_open(&r->sums, r->where, digits, units[of].size, unit_name(of));
        else
            call_tree_sums_open(&r->sums, r->where, STR(""), 1, NULL);
    }
    if (self.n > 0)
        call_tree_sums_add(&r->sums, self, units[unit].size, unit_name(unit));
}

/* --- lines --- */

/* Finds how deep SYMBOL is, takes the blanks off it, and puts NODE below the one that it is in. */
static void place_node(struct reader *r, struct node *node, struct str *symbol)
{
    size_t blanks = 0;
    while (blanks < symbol->n && symbol->p[blanks] == ' ')
        blanks++;
    *symbol = str_trim(*symbol);
    if (r->node_count == 0)
        r->indent = blanks;
    if (blanks < r->indent || blanks > r->indent + r->open_count)
        die_at(r->where, "expected %zu to %zu blanks before the symbol, found %zu", r->indent,
               r->indent + r->open_count, blanks);
    const size_t depth = blanks - r->indent + 1;
    growth_check_depth(depth, r->where);
    node->depth = (uint32_t)depth;
    node->parent = depth == 1 ? 0 : r->open[depth - 2];
    r->open = mem_array(r->open, &r->open_capacity, depth, sizeof *r->open);
    r->open[depth - 1] = (uint32_t)r->node_count + 1;
    r->open_count = depth;
}

static uint32_t function_of(struct reader *r, struct str name, struct str path)
{
    const uint64_t size = name.n;
    r->key.n = 0;
    buf_add(&r->key, (struct str){(const char *)&size, sizeof size});
    buf_add(&r->key, name);
    buf_add(&r->key, path);
    return intern_add(&r->functions, buf_str(&r->key), NULL);
}

static void read_line(struct reader *r, struct str line)
{
    struct node node = {0};
    struct str cell, symbol = {NULL, 0}, path = STR(""), self = STR(""), total = STR("");
    unsigned unit = 0;
    if (str_trim(line).n == 0)
        return;
    for (size_t i = 0; take_cell(&line, &cell); i++)
        if (i == r->symbol)
            symbol = cell;
        else if (i == 0)
            total = str_trim(cell);
        else if (i == 1)
            self = read_weight(r, &node, cell, &unit);
        else if (i == r->path && i > 0)
            path = str_trim(cell);
    if (symbol.p == NULL)
        die_at(r->where, "expected %zu cells or more between tabs, found fewer", r->symbol + 1);
    place_node(r, &node, &symbol);
    add_up(r, &node, self, unit, total);
    node.function = function_of(r, symbol, path);
    r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count + 1, sizeof *r->nodes);
    r->nodes[r->node_count++] = node;
}

/* --- rows --- */

static void push_source(struct reader *r, struct in *in, const struct read_request *request)
{
    listed_begin(&r->extra);
    if (r->has_cycles)
        listed_add(&r->extra, STR("cycles"), STR("count"), LISTED_SUM);
    if (r->has_time)
        listed_add(&r->extra, STR("cpu"), STR("nanoseconds"), LISTED_SUM);
    listed_end(&r->extra);
    bytes_rows_source(&r->rows, r->sink, 1, STR("xctrace"), format_source_uri(request, in),
                      request->timestamp, &r->extra);
}

static void push_functions(struct reader *r)
{
    uint64_t size;
    for (uint32_t i = 1; i <= r->functions.count; i++) {
        struct str key = intern_get(&r->functions, i);
        memcpy(&size, key.p, sizeof size);
        const struct str name = {key.p + sizeof size, (size_t)size};
        const struct str path = {name.p + name.n, key.n - sizeof size - name.n};
        bytes_rows_function(&r->rows, r->sink, i, name, path, 0, STR(""));
        sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS, .location = {i, i, 0}});
    }
}

static void push_nodes(struct reader *r)
{
    struct value_types *types = &r->sink->flow->types;
    const uint32_t cycles = value_types_add(types, STR("cycles"), STR("count"));
    const uint32_t cpu = value_types_add(types, STR("cpu"), STR("nanoseconds"));
    int64_t id = 0;
    for (size_t i = 0; i < r->node_count; i++) {
        const struct node *node = &r->nodes[i];
        struct sample_value value = {node->is_cycles ? cycles : cpu, number_of(node->value),
                                     STR("")};
        size_t depth = 0;
        if (node->value == 0)
            continue;
        r->stack = mem_array(r->stack, &r->stack_capacity, node->depth, sizeof *r->stack);
        for (uint32_t n = (uint32_t)i + 1; n != 0; n = r->nodes[n - 1].parent)
            r->stack[depth++] = r->nodes[n - 1].function;
        sink_sample(r->sink, &(struct sample){.sample_id = ++id,
                                              .source_id = 1,
                                              .values = &value,
                                              .value_count = 1,
                                              .locations = r->stack,
                                              .depth = depth});
    }
}

void xctrace_copy_read(struct in *in, struct str whole, const struct read_request *request,
                       struct sink *sink)
{
    struct reader r = {
        .where = {in_name(in), PLACE_LINE, 1}, .sink = sink, .sums = {.request = request}};
    struct str line = {NULL, 0};
    str_next_line(&whole, &line);
    read_names(&r, str_trim(line));
    for (; str_next_line(&whole, &line);) {
        r.where.at++;
        read_line(&r, line);
    }
    if (r.node_count == 0)
        call_tree_empty(request, r.where);
    call_tree_sums_close(&r.sums);
    push_source(&r, in, request);
    push_functions(&r);
    push_nodes(&r);
    intern_free(&r.functions);
    mem_free(r.nodes);
    mem_free(r.open);
    mem_free(r.stack);
    bytes_rows_free(&r.rows);
    buf_free(&r.key);
    buf_free(&r.extra);
}

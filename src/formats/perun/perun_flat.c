#include "formats/perun/perun_flat.h"

#include "base/mem.h"
#include "base/order.h"
#include "formats/perun/perun_text.h"
#include "rows/text.h"

#include <stdio.h>

enum {
    DEPTH_MAX = 16, /* deeper values are kept as JSON text: */
    NAME_BYTES_MAX =
        4096, /* each level repeats the text of all levels below, and their names include its own */
    TEXT_MAX = 1 << 20,
    CELLS_MAX = 4096, /* more columns than any table has */
};

static void add_cells(struct perun_flat *flat, struct str prefix, struct str object,
                      unsigned depth);

/* --- the order of members --- */

/* Appends the rank of the member NAME to TO in decimal digits: from the largest part of a program
 * to the smallest. Other names rank by their characters. */
static void add_rank(struct buf *to, struct str name)
{
    static const struct {
        const char *name;
        char rank;
    } known[] = {{"bin", '0'},      {"file", '1'},       {"source", '1'}, {"package", '1'},
                 {"module", '2'},   {"class", '3'},      {"struct", '3'}, {"structure", '3'},
                 {"function", '4'}, {"func", '4'},       {"method", '4'}, {"procedure", '4'},
                 {"line", '5'},     {"instruction", '6'}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(name, str_of(known[i].name))) {
            buf_add(to, (struct str){&known[i].rank, 1});
            return;
        }
    for (size_t i = 0, n; i < name.n; i += n) {
        enum { LAST = 6 }; /* the largest rank in the table */
        char digits[16];
        unsigned code = perun_code((struct str){name.p + i, name.n - i}, &n);
        int length = snprintf(digits, sizeof digits, "%u", code + LAST);
        buf_add(to, (struct str){digits, (size_t)length});
    }
}

struct ranked {
    struct str rank;
    size_t place; /* ties keep their order */
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank.n != y->rank.n)
        return x->rank.n < y->rank.n ? -1 : 1;
    int order = memcmp(x->rank.p, y->rank.p, x->rank.n);
    return order != 0 ? order : x->place < y->place ? -1 : x->place > y->place;
}

/* --- text of values --- */

/* Appends the value of CELL to TO, as part of a longer value, spelled as in Python. */
static void add_text(struct buf *to, const struct perun_cell *cell)
{
    static const struct {
        struct str json, python;
    } words[] = {{STR("true"), STR("True")},
                 {STR("false"), STR("False")},
                 {STR("NaN"), STR("nan")},
                 {STR("Infinity"), STR("inf")},
                 {STR("-Infinity"), STR("-inf")}};
    struct str text = cell->text.p == NULL ? STR("None") : cell->text;
    for (size_t i = 0; cell->kind != PERUN_CELL_BYTES && i < sizeof words / sizeof *words; i++)
        if (str_equal(text, words[i].json))
            text = words[i].python;
    buf_add(to, text);
}

/* Joins the text of COUNT cells from FIRST on with ':', in the order of PLACES; NULL: in their own
 * order. */
static struct str join(struct perun_flat *flat, size_t first, size_t count,
                       const struct ranked *places)
{
    struct buf text = {0};
    for (size_t i = 0; i < count && text.n <= TEXT_MAX; i++) {
        buf_add(&text, i == 0 ? STR("") : STR(":"));
        add_text(&text, &flat->cells[first + (places == NULL ? i : places[i].place)]);
    }
    struct str kept =
        text.n > TEXT_MAX ? (struct str){NULL, 0} : arena_copy(&flat->arena, buf_str(&text));
    buf_free(&text);
    return kept;
}

/* The same for all cells from FIRST on, whose names begin with PREFIX, in the order of the rest of
 * their names. */
static struct str join_ranked(struct perun_flat *flat, size_t first, struct str prefix)
{
    const size_t count = flat->count - first;
    struct ranked *ranks = mem_alloc((count + 1) * sizeof *ranks);
    struct buf text = {0};
    for (size_t i = 0; i < count; i++) {
        struct str name = flat->cells[first + i].name;
        text.n = 0;
        add_rank(&text, (struct str){name.p + prefix.n + 1, name.n - prefix.n - 1});
        ranks[i] = (struct ranked){arena_copy(&flat->arena, buf_str(&text)), i};
    }
    order_items(ranks, count, sizeof *ranks, compare_ranked);
    struct str joined = join(flat, first, count, ranks);
    mem_free(ranks);
    buf_free(&text);
    return joined;
}

/* --- cells --- */

static void add_cell(struct perun_flat *flat, struct perun_cell cell)
{
    if (flat->count == CELLS_MAX)
        return;
    flat->cells = mem_array(flat->cells, &flat->capacity, flat->count + 1, sizeof *flat->cells);
    flat->cells[flat->count++] = cell;
}

/* Joins PREFIX, ':' if PREFIX is not empty, and the bytes of NAME, as spelled in the file. */
static struct str name_of(struct perun_flat *flat, struct str prefix, struct str name)
{
    struct buf text = {0};
    buf_add(&text, prefix);
    buf_add(&text, prefix.n > 0 ? STR(":") : STR(""));
    text_unescape(&text, name);
    struct str kept = arena_copy(&flat->arena, buf_str(&text));
    buf_free(&text);
    return kept;
}

/* Whether LIST is treated as an object: each of its items has just a name and a value. */
static bool is_of_names(struct str list)
{
    struct str rest = text_inside(list), item, name, value, text;
    size_t count = 0;
    for (; text_next_item(&rest, &item); count++) {
        struct str inside = text_inside(item);
        size_t members = 0;
        if (*item.p != '{')
            return false;
        for (; text_next_member(&inside, &name, &value); members++)
            if (!str_equal(name, STR("value")) &&
                !(str_equal(name, STR("name")) && text_is_string(value, &text)))
                return false;
        if (members != 2 || text_member(item, STR("value")).p == NULL)
            return false;
    }
    return count > 0;
}

/* Appends to TO an object with one member for each item of LIST. */
static void add_object(struct buf *to, struct str list)
{
    struct str rest = text_inside(list), item;
    for (bool more = false; text_next_item(&rest, &item); more = true) {
        buf_add(to, more ? STR(",") : STR("{"));
        buf_add(to, text_member(item, STR("name")));
        buf_add(to, STR(":"));
        buf_add(to, text_member(item, STR("value")));
    }
    buf_add(to, STR("}"));
}

static struct str text_of_items(struct perun_flat *flat, struct str list, unsigned depth);

/* The cell NAME with VALUE, which is not an object. */
static struct perun_cell cell_of(struct perun_flat *flat, struct str name, struct str value,
                                 unsigned depth)
{
    struct perun_cell cell = {name, {NULL, 0}, PERUN_CELL_BYTES};
    struct buf bytes = {0};
    if (*value.p == '[') {
        cell.text = text_of_items(flat, value, depth);
    } else if (perun_bytes(&bytes, value)) {
        cell.text = arena_copy(&flat->arena, buf_str(&bytes));
    } else if (!str_equal(value, STR("null"))) {
        const bool is_word = value.p[value.n - 1] == 'N' || value.p[value.n - 1] == 'y';
        cell.kind = is_word ? PERUN_CELL_WORD : PERUN_CELL_JSON;
        cell.text = arena_copy(&flat->arena, value);
    }
    buf_free(&bytes);
    return cell;
}

/* Appends the text of ITEM, an item of a list, to TO. */
static void add_item(struct perun_flat *flat, struct buf *to, struct str item, unsigned depth)
{
    const size_t first = flat->count;
    struct buf object = {0};
    struct perun_cell cell = {0};
    if (*item.p == '[' && depth < DEPTH_MAX && is_of_names(item)) {
        add_object(&object, item);
        item = buf_str(&object);
    }
    if (*item.p == '{' && depth < DEPTH_MAX) {
        add_cells(flat, STR("-"), item, depth + 1);
        cell.text = join(flat, first, flat->count - first, NULL);
        flat->count = first;
    } else if (*item.p != '{') {
        cell = cell_of(flat, STR(""), item, depth + 1);
    }
    if (*item.p == '{' && cell.text.p == NULL)
        cell.text = item;
    add_text(to, &cell);
    buf_free(&object);
}

/* The text of the items of LIST, separated by ','. */
static struct str text_of_items(struct perun_flat *flat, struct str list, unsigned depth)
{
    struct str rest = text_inside(list), item;
    struct buf text = {0};
    for (bool more = false; depth < DEPTH_MAX && text.n <= TEXT_MAX && text_next_item(&rest, &item);
         more = true) {
        buf_add(&text, more ? STR(",") : STR(""));
        add_item(flat, &text, item, depth);
    }
    bool is_whole = depth < DEPTH_MAX && text.n <= TEXT_MAX;
    struct str kept = arena_copy(&flat->arena, is_whole ? buf_str(&text) : list);
    buf_free(&text);
    return kept;
}

/* Adds the cells of VALUE, an object called NAME: its members, and the whole object. */
static void add_nested(struct perun_flat *flat, struct str name, struct str value, unsigned depth)
{
    const size_t first = flat->count;
    struct str all = {NULL, 0};
    if (depth < DEPTH_MAX && name.n <= NAME_BYTES_MAX) {
        add_cells(flat, name, value, depth + 1);
        all = join_ranked(flat, first, name);
    }
    add_cell(flat, (struct perun_cell){name, all.p != NULL ? all : arena_copy(&flat->arena, value),
                                       PERUN_CELL_BYTES});
}

/* Adds cells for the members of OBJECT; their names begin with PREFIX. */
static void add_cells(struct perun_flat *flat, struct str prefix, struct str object, unsigned depth)
{
    struct str rest = text_inside(object), spelled, value;
    struct buf made = {0};
    while (flat->count < CELLS_MAX && text_next_member(&rest, &spelled, &value)) {
        struct str name = name_of(flat, prefix, spelled);
        made.n = 0;
        if (*value.p == '[' && is_of_names(value)) {
            add_object(&made, value);
            value = buf_str(&made);
        }
        if (*value.p == '{') {
            add_nested(flat, name, value, depth);
        } else {
            add_cell(flat, cell_of(flat, name, value, depth));
        }
    }
    buf_free(&made);
}

/* Keeps one cell per name: the last one, in the position of the first. */
static void keep_last(struct perun_flat *flat)
{
    size_t kept = 0;
    for (size_t i = 0, same; i < flat->count; i++) {
        for (same = 0; same < kept; same++)
            if (str_equal(flat->cells[same].name, flat->cells[i].name))
                break;
        flat->cells[same] = flat->cells[i];
        kept += same == kept;
    }
    flat->count = kept;
}

void perun_flatten(struct perun_flat *flat, struct str object)
{
    flat->count = 0;
    arena_clear(&flat->arena);
    if (object.n > 0 && *object.p == '{')
        add_cells(flat, STR(""), object, 0);
    keep_last(flat);
}

const struct perun_cell *perun_flat_find(const struct perun_flat *flat, struct str name)
{
    for (size_t i = 0; i < flat->count; i++)
        if (str_equal(flat->cells[i].name, name))
            return &flat->cells[i];
    return NULL;
}

void perun_flat_free(struct perun_flat *flat)
{
    mem_free(flat->cells);
    arena_free(&flat->arena);
    *flat = (struct perun_flat){0};
}

/* The functions and locations of the frames of a file of the Firefox Profiler. */
#include "base/mem.h"
#include "formats/firefox/firefox_read.h"
#include "rows/emit.h"
#include "rows/loss.h"

#include <inttypes.h>

struct function {
    uint32_t name, file;
    int64_t line, column, is_js;
};

/* A location. There is no padding, so that it can be a key. */
struct spot {
    uint32_t function, mapping, into;
    uint32_t category, part;
    uint32_t zero;
    uint64_t address;
    int64_t line, column;
};

/* Ends the tool: INDEX in the column NAME, at I, is none of a WHAT. */
static _Noreturn void die_index(const struct firefox_reader *r, const struct firefox_column *c,
                                size_t i, const char *what)
{
    tokens_die(&r->json, c->where, "[%zu]: there is no %s %" PRId64, i, what, c->values[i]);
}

/* The value I of the COLUMN of T; FIREFOX_NONE if it has no such column. */
static int64_t at(const struct firefox_tables *t, int column, size_t i)
{
    const struct firefox_column *c = &t->columns[column];
    return i < c->count ? c->values[i] : FIREFOX_NONE;
}

/* The same for an index below COUNT of a WHAT; ends the tool if it is another. IS_OPTIONAL:
 * FIREFOX_NONE and -1 are none, which is FIREFOX_NONE. */
static int64_t index_at(const struct firefox_reader *r, const struct firefox_tables *t, int column,
                        size_t i, size_t count, const char *what, bool is_optional)
{
    int64_t index = at(t, column, i);
    if (is_optional && (index == FIREFOX_NONE || index == -1))
        return FIREFOX_NONE;
    if (index == FIREFOX_NONE && i < t->columns[column].count)
        tokens_die(&r->json, t->columns[column].where, "[%zu]: expected a %s, found null", i, what);
    if (index == FIREFOX_NONE)
        tokens_die(&r->json, t->where, "a table has no list of indexes of a %s", what);
    if (index < 0 || (uint64_t)index >= count)
        die_index(r, &t->columns[column], i, what);
    return index;
}

/* The string, a number in r->texts, that the value I of the COLUMN of T names; 0: none. */
static uint32_t string_at(const struct firefox_reader *r, const struct firefox_tables *t,
                          int column, size_t i, bool is_optional)
{
    const struct firefox_tables *of = t->string_count > 0 ? t : &r->tables[0];
    int64_t index = index_at(r, t, column, i, of->string_count, "string", is_optional);
    return index == FIREFOX_NONE ? 0 : of->strings[index];
}

/* The library, from 1, of frame I of T whose function is FUNC; 0: none. */
static uint32_t lib_of(const struct firefox_reader *r, const struct firefox_tables *t, size_t i,
                       size_t func)
{
    int64_t lib = at(t, FIREFOX_FRAME_LIB, i) == FIREFOX_NONE
                      ? FIREFOX_NONE
                      : index_at(r, t, FIREFOX_FRAME_LIB, i, r->lib_count, "library", true);
    if (t->columns[FIREFOX_FRAME_LIB].count == 0 && t->columns[FIREFOX_RESOURCE_LIB].count > 0) {
        int64_t resource = index_at(r, t, FIREFOX_FUNC_RESOURCE, func,
                                    t->columns[FIREFOX_RESOURCE_LIB].count, "resource", true);
        if (resource != FIREFOX_NONE)
            lib = index_at(r, t, FIREFOX_RESOURCE_LIB, (size_t)resource, r->lib_count, "library",
                           true);
    }
    return lib == FIREFOX_NONE ? 0 : (uint32_t)(lib + 1);
}

/* Appends the columns that PLACE has no fields of rows for to r->extra. */
static void add_place(struct firefox_reader *r, const struct spot *place)
{
    const struct {
        struct str name;
        uint32_t text;
    } columns[] = {{STR(".firefox_category"), place->category},
                   {STR(".firefox_subcategory"), place->part}};
    r->extra.n = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (columns[i].text == 0)
            continue;
        struct str text =
            emit_text(&r->text, &r->inexact, columns[i].name, firefox_text(r, columns[i].text));
        emit_member(&r->extra, columns[i].name);
        emit_string(&r->extra, text);
    }
    emit_bytes_column(&r->extra, &r->inexact);
}

/* The id of the location PLACE, whose row is pushed if it is new. */
static uint32_t location_of(struct firefox_reader *r, const struct spot *place)
{
    bool is_new;
    uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)place, sizeof *place}, &is_new);
    if (!is_new)
        return id;
    add_place(r, place);
    sink_row(r->sink,
             &(struct row){
                 .table = TABLE_LOCATIONS,
                 .location = {id, place->function == 0 ? ROW_NULL : place->function,
                              place->function == 0 && place->line == 0 ? ROW_NULL : place->line},
                 .extra = buf_str(&r->extra),
                 .site = {.mapping_id = place->mapping,
                          .address = place->address,
                          .column = place->column,
                          .inlined_into = place->into}});
    return id;
}

/* The id of the function F, whose row is pushed if it is new. */
static uint32_t function_of(struct firefox_reader *r, const struct function *f)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, (struct str){(const char *)f, sizeof *f}, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    if (f->is_js)
        buf_add(&r->extra, STR(",\".firefox_js\":true"));
    if (f->column != 0) {
        emit_member(&r->extra, STR(".firefox_column"));
        emit_number(&r->extra, f->column);
    }
    bytes_rows_function(&r->rows, r->sink, id, firefox_text(r, f->name), firefox_text(r, f->file),
                        f->line, buf_str(&r->extra));
    return id;
}

/* The value I, a line or a column of text, of the COLUMN of T, whose name is NAME; 0: not known.
 * One below 0 is none; -1 is how some say that. */
static int64_t line_at(const struct firefox_tables *t, int column, size_t i, const char *name)
{
    int64_t line = at(t, column, i);
    if (line != FIREFOX_NONE && line < -1)
        loss_add(LOSS_OWN, str_of(name), 1);
    return line == FIREFOX_NONE || line < 0 ? 0 : line;
}

/* The function I of T. */
static struct function read_function(const struct firefox_reader *r, const struct firefox_tables *t,
                                     size_t i)
{
    const struct firefox_tables *sources =
        t->columns[FIREFOX_SOURCE_FILE].count > 0 ? t : &r->tables[0];
    struct function f = {
        .name = string_at(r, t, FIREFOX_FUNC_NAME, i, false),
        .line = line_at(t, FIREFOX_FUNC_LINE, i, "lineNumber"),
        .column = line_at(t, FIREFOX_FUNC_COLUMN, i, "columnNumber"),
        .is_js = at(t, FIREFOX_FUNC_JS, i) == 1,
    };
    int64_t source = index_at(r, t, FIREFOX_FUNC_SOURCE, i,
                              sources->columns[FIREFOX_SOURCE_FILE].count, "source", true);
    if (source != FIREFOX_NONE)
        f.file = string_at(r, sources, FIREFOX_SOURCE_FILE, (size_t)source, true);
    else
        f.file = string_at(r, t, FIREFOX_FUNC_FILE, i, true);
    return f;
}

/* Stores the category of frame I of T in PLACE: none for the one that all others have. */
static void read_category_of(const struct firefox_reader *r, const struct firefox_tables *t,
                             size_t i, struct spot *place)
{
    int64_t index = index_at(r, t, FIREFOX_FRAME_CATEGORY, i, r->category_count, "category", true);
    if (index == FIREFOX_NONE)
        return;
    const struct firefox_category *c = &r->categories[index];
    int64_t part =
        index_at(r, t, FIREFOX_FRAME_PART, i, c->count > 0 ? c->count : 1, "subcategory", true);
    place->part = part == FIREFOX_NONE || part == 0 ? 0 : r->parts[c->first + (size_t)part];
    if (place->part != 0 || !str_equal(firefox_text(r, c->name), STR("Other")))
        place->category = c->name;
}

/* The location of frame I of T, as if it were not inlined. */
static struct spot read_frame(struct firefox_reader *r, const struct firefox_tables *t, size_t i)
{
    size_t func = (size_t)index_at(r, t, FIREFOX_FRAME_FUNC, i, t->columns[FIREFOX_FUNC_NAME].count,
                                   "function", false);
    struct function f = read_function(r, t, func);
    struct spot place = {
        .mapping = lib_of(r, t, i, func),
        .line = line_at(t, FIREFOX_FRAME_LINE, i, "line"),
        .column = line_at(t, FIREFOX_FRAME_COLUMN, i, "column"),
    };
    int64_t address = at(t, FIREFOX_FRAME_ADDRESS, i);
    bool has_address = address != FIREFOX_NONE;
    read_category_of(r, t, i, &place);
    r->text.n = 0;
    if (has_address) {
        place.address = (uint64_t)address;
        emit_address(&r->text, place.address);
    }
    if (has_address && place.mapping != 0)
        place.address += r->libs[place.mapping - 1].start - r->libs[place.mapping - 1].offset;
    /* the Profiler names code by its address where it knows no function, or no name of it */
    bool is_nameless = has_address && str_equal(buf_str(&r->text), firefox_text(r, f.name));
    bool has_function = !is_nameless || f.file != 0;
    if (is_nameless)
        f.name = intern_add(&r->texts, STR(""), NULL);
    if (firefox_text(r, f.file).n == 0)
        f.file = 0;
    if (has_function)
        place.function = function_of(r, &f);
    return place;
}

/* Checks that the columns from FIRST to LAST have as many values as KEY, if any. */
static void check_lengths(const struct firefox_reader *r, const struct firefox_tables *t, int key,
                          int first, int last)
{
    for (int i = first; i <= last; i++)
        if (t->columns[i].count != 0 && t->columns[i].count != t->columns[key].count)
            tokens_die(&r->json, t->columns[i].where,
                       "expected a list of %zu, as others of this table, found %zu",
                       t->columns[key].count, t->columns[i].count);
}

/* The stack above I in T, from 1; 0: none. */
static uint32_t above_of(const struct firefox_reader *r, const struct firefox_tables *t, size_t i)
{
    int column =
        t->columns[FIREFOX_STACK_OFFSET].count > 0 ? FIREFOX_STACK_OFFSET : FIREFOX_STACK_PREFIX;
    int64_t value = at(t, column, i);
    if (value == FIREFOX_NONE || (column == FIREFOX_STACK_OFFSET && value == 0))
        return 0;
    if (value < 0 || (uint64_t)value > i ||
        (column == FIREFOX_STACK_PREFIX && (uint64_t)value == i))
        tokens_die(&r->json, t->columns[column].where,
                   "[%zu]: expected a stack before this one, found %" PRId64, i, value);
    return (uint32_t)(column == FIREFOX_STACK_OFFSET ? i - (size_t)value : (size_t)value) + 1;
}

void firefox_link_stacks(struct firefox_reader *r, struct firefox_tables *t)
{
    size_t count = t->columns[FIREFOX_STACK_FRAME].count,
           frames = t->columns[FIREFOX_FRAME_FUNC].count;
    uint32_t *plain = mem_alloc_zeroed((frames + 1) * sizeof *plain);
    struct spot *places = mem_alloc((frames + 1) * sizeof *places);
    check_lengths(r, t, FIREFOX_STACK_FRAME, FIREFOX_STACK_FRAME, FIREFOX_STACK_OFFSET);
    check_lengths(r, t, FIREFOX_FRAME_FUNC, FIREFOX_FRAME_ADDRESS, FIREFOX_FRAME_COLUMN);
    check_lengths(r, t, FIREFOX_FUNC_NAME, FIREFOX_FUNC_NAME, FIREFOX_FUNC_COLUMN);
    for (size_t i = 0; i < frames; i++)
        places[i] = read_frame(r, t, i);
    t->stacks = mem_alloc((count + 1) * sizeof *t->stacks);
    t->stacks[0] = (struct firefox_link){0};
    for (size_t i = 0; i < count; i++) {
        size_t frame = (size_t)index_at(r, t, FIREFOX_STACK_FRAME, i, frames, "frame", false);
        uint32_t above = above_of(r, t, i);
        struct firefox_link *link = &t->stacks[i + 1];
        *link = (struct firefox_link){.above = above, .depth = t->stacks[above].depth + 1};
        int64_t depth = at(t, FIREFOX_FRAME_DEPTH, frame);
        if (depth > 0 && above != 0 &&
            at(t, FIREFOX_FRAME_DEPTH, (size_t)t->columns[FIREFOX_STACK_FRAME].values[above - 1]) ==
                depth - 1) {
            struct spot place = places[frame];
            place.into = t->stacks[above].location;
            link->location = location_of(r, &place);
        } else {
            if (plain[frame] == 0)
                plain[frame] = location_of(r, &places[frame]);
            link->location = plain[frame];
        }
    }
    mem_free(plain);
    mem_free(places);
    t->is_linked = true;
}

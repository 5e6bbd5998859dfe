#include "stream/define.h"

#include "base/mem.h"
#include "rows/members.h"
#include "stream/references.h"

static struct define_rows *rows_of(struct define *d, enum table table)
{
    return &d->tables[table == TABLE_SOURCES     ? DEFINE_SOURCES
                      : table == TABLE_FUNCTIONS ? DEFINE_FUNCTIONS
                                                 : DEFINE_LOCATIONS];
}

struct define define_of(struct sink *next)
{
    return (struct define){.next = next};
}

/* --- rows that wait --- */

void define_own(struct row *row, struct arena *arena)
{
    const struct schema_table *t = row->table == TABLE_DOTTED ? NULL : &schema_tables[row->table];
    row->extra = arena_copy(arena, row->extra);
    if (t == NULL)
        row->dotted.name = arena_copy(arena, row->dotted.name);
    for (unsigned i = 0; t != NULL && i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        unsigned shape = schema_kinds[column->kind].shape;
        if (shape == SHAPE_STRING && row_string(row, column)->p != NULL)
            *row_string(row, column) = arena_copy(arena, *row_string(row, column));
        if (shape == SHAPE_NUMBER && row_number(row, column)->kind == NUMBER_REAL)
            row_number(row, column)->real = arena_copy(arena, row_number(row, column)->real);
    }
}

static void note_into(struct define *d, const struct row *row, uint32_t count)
{
    struct member m;
    bool is_inlined = members_get(row, MEMBER_ID_INLINED_INTO, &m) && m.integer != ROW_NULL;
    d->into = mem_array(d->into, &d->into_capacity, count, sizeof *d->into);
    d->into[count - 1] = is_inlined ? (uint32_t)m.integer : 0;
}

void define_keep(struct define *d, const struct row *row)
{
    struct define_rows *t = rows_of(d, row->table);
    t->count++;
    t->rows = mem_array(t->rows, &t->row_capacity, t->count, sizeof *t->rows);
    t->ids = mem_array(t->ids, &t->id_capacity, t->count, sizeof *t->ids);
    t->rows[t->count - 1] = *row;
    t->ids[t->count - 1] = 0;
    define_own(&t->rows[t->count - 1], &d->arena);
    if (row->table == TABLE_LOCATIONS)
        note_into(d, row, t->count);
}

const struct row *define_row(const struct define *d, enum table table, int64_t id)
{
    return &rows_of((struct define *)(uintptr_t)d, table)->rows[id - 1];
}

/* --- rows that are used --- */

/* Maps the references in the text of a location; WITH is the new id of what it is inlined into. */
static int64_t map_reference(void *with, const struct row *row, struct str column,
                             enum table refers, int64_t id)
{
    (void)row, (void)column;
    return refers == TABLE_LOCATIONS ? *(const int64_t *)with : id;
}

/* Pushes a copy of the location ID inlined into INTO. */
static uint32_t push_location(struct define *d, int64_t id, int64_t into)
{
    struct define_rows *t = &d->tables[DEFINE_LOCATIONS];
    struct row row = t->rows[id - 1];
    if (row.location.function_id != ROW_NULL)
        row.location.function_id = define_use(d, TABLE_FUNCTIONS, row.location.function_id);
    if (row.site.inlined_into != 0)
        row.site.inlined_into = into;
    if (row.extra.n != 0) {
        d->extra.n = 0;
        references_map(&d->extra, &row, d->next->flow->where, map_reference, &into);
        row.extra = buf_str(&d->extra);
    }
    row.location.location_id = ++t->pushed;
    sink_row(d->next, &row);
    return t->pushed;
}

/* The new id of the location ID inlined into the location with the new id INTO, or into none
 * (0). */
static int64_t use_inlined(struct define *d, int64_t id, int64_t into)
{
    uint64_t key = (uint64_t)id << 32 | (uint64_t)into;
    uint32_t number = idmap_get(&d->inlined, key);
    if (number == 0) {
        number = push_location(d, id, into);
        idmap_put(&d->inlined, key, number);
    }
    return number;
}

/* Pushes the location ID unchanged, after those that it is inlined into.  Not recursive: the
 * length of that chain is up to the input. */
static void push_chain(struct define *d, int64_t id)
{
    uint32_t *ids = d->tables[DEFINE_LOCATIONS].ids;
    size_t count = 0;
    for (uint32_t at = (uint32_t)id; at != 0 && ids[at - 1] == 0; at = d->into[at - 1]) {
        d->chain = mem_array(d->chain, &d->chain_capacity, count + 1, sizeof *d->chain);
        d->chain[count++] = at;
    }
    while (count > 0) {
        uint32_t at = d->chain[--count], into = d->into[at - 1];
        ids[at - 1] =
            into == 0 ? push_location(d, at, 0) : (uint32_t)use_inlined(d, at, ids[into - 1]);
    }
}

int64_t define_use(struct define *d, enum table table, int64_t id)
{
    struct define_rows *t = rows_of(d, table);
    if (t->ids[id - 1] != 0)
        return t->ids[id - 1];
    if (table == TABLE_LOCATIONS) {
        push_chain(d, id);
        return t->ids[id - 1];
    }
    struct row row = t->rows[id - 1];
    t->ids[id - 1] = ++t->pushed;
    *row_integer(&row, &schema_tables[table].columns[0]) = t->pushed;
    sink_row(d->next, &row);
    return t->pushed;
}

void define_use_all(struct define *d, int64_t *ids, size_t count)
{
    const uint32_t *numbers = d->tables[DEFINE_LOCATIONS].ids;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = numbers[ids[i] - 1];
        ids[i] = __builtin_expect(number != 0, 1) ? number : define_use(d, TABLE_LOCATIONS, ids[i]);
    }
}

/* --- stacks with dropped frames --- */

/* Whether each frame of LOCATIONS from FROM to before TO is inlined into the next. */
static bool is_chain(const struct define *d, const int64_t *locations, size_t from, size_t to)
{
    while (from < to && d->into[locations[from] - 1] == locations[from + 1])
        from++;
    return from == to;
}

/* The new id of the frame of SAMPLE at PLACE.  The next frame that is left is at NEXT and has
 * the new id OUTER. */
static int64_t use_frame(struct define *d, const struct sample *sample, size_t position,
                         size_t next, int64_t outer)
{
    int64_t id = sample->locations[position], into = d->into[id - 1];
    bool is_last = position + 1 == sample->depth;
    if (into == 0 || is_last || into != sample->locations[position + 1])
        return define_use(d, TABLE_LOCATIONS,
                          id); /* it is not inlined, or the next frame is still there */
    bool has_outer = next < sample->depth && is_chain(d, sample->locations, position, next);
    return use_inlined(d, id, has_outer ? outer : 0);
}

void define_use_left(struct define *d, struct sample *sample, const uint32_t *positions,
                     size_t count)
{
    size_t next = sample->depth;
    int64_t outer = 0;
    d->left = mem_array(d->left, &d->left_capacity, count, sizeof *d->left);
    /* from the outermost: a frame needs the new id of what it is inlined into */
    for (size_t i = count; i > 0; i--) {
        outer = d->left[i - 1] = use_frame(d, sample, positions[i - 1], next, outer);
        next = positions[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        sample->locations[i] = d->left[i];
        if (sample->location_extras != NULL)
            sample->location_extras[i] = sample->location_extras[positions[i]];
    }
    sample->depth = count;
}

/* --- the end --- */

void define_clear(struct define *d)
{
    for (unsigned i = 0; i < DEFINE_COUNT; i++)
        d->tables[i].count = d->tables[i].pushed = 0;
    idmap_clear(&d->inlined);
    arena_clear(&d->arena);
}

void define_free(struct define *d)
{
    for (unsigned i = 0; i < DEFINE_COUNT; i++) {
        mem_free(d->tables[i].rows);
        mem_free(d->tables[i].ids);
    }
    mem_free(d->into);
    mem_free(d->chain);
    mem_free(d->left);
    idmap_free(&d->inlined);
    buf_free(&d->extra);
    arena_free(&d->arena);
    *d = (struct define){0};
}

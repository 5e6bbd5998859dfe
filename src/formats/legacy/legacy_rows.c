/* The rows of a file that has been read. */
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/legacy/legacy.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "stream/growth.h"

#include <stdlib.h>

static bool is_used(const struct legacy *l, size_t type)
{
    return type >= l->value_count || (l->unused & 1U << type) == 0;
}

/* Appends the types of values, which are all that there are. */
static void add_types(struct legacy *l, struct buf *to)
{
    listed_begin(to);
    for (size_t i = 0; i < l->type_count; i++)
        if (is_used(l, i))
            listed_add(to, l->types[i].name, l->types[i].unit,
                       l->types[i].is_level ? LISTED_GAUGE : LISTED_SUM);
    listed_end(to);
}

/* Appends what else the file says of itself. */
static void add_facts(struct legacy *l, struct buf *to)
{
    if (l->duration == 0 && l->lines.n == 0)
        return;
    buf_add(to, STR(",\".legacy\":{"));
    if (l->duration != 0) {
        buf_add(to, STR("\"duration\":"));
        emit_number(to, l->duration);
    }
    if (l->lines.n > 0) {
        buf_add(to, l->duration != 0 ? STR(",\"lines\":[") : STR("\"lines\":["));
        buf_add(to, buf_str(&l->lines));
        buf_add(to, STR("]"));
    }
    buf_add(to, STR("}"));
}

static void push_source(struct legacy *l, struct bytes_rows *rows)
{
    struct buf extra = {0};
    add_types(l, &extra);
    if (l->period_type.name.n > 0)
        listed_period(&extra, l->period_type.name, l->period_type.unit, l->period);
    add_facts(l, &extra);
    bytes_rows_source(rows, l->sink, 1, STR("legacy"), format_source_uri(l->request, l->in),
                      l->request->timestamp, &extra);
    buf_free(&extra);
}

static int compare_maps(const void *a, const void *b)
{
    const struct legacy_map *x = a, *y = b;
    const uint64_t xs[] = {x->start, x->limit, x->offset}, ys[] = {y->start, y->limit, y->offset};
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++)
        if (xs[i] != ys[i])
            return xs[i] < ys[i] ? -1 : 1;
    const int order = str_compare(x->file, y->file);
    return order != 0 ? order : str_compare(x->build_id, y->build_id);
}

/* Sorts maps by address, and drops those that are there before. */
static void sort_maps(struct legacy *l)
{
    size_t kept = 0;
    if (l->map_count > 0)
        qsort(l->maps, l->map_count, sizeof *l->maps, compare_maps);
    for (size_t i = 0; i < l->map_count; i++)
        if (i == 0 || compare_maps(&l->maps[i], &l->maps[kept - 1]) != 0)
            l->maps[kept++] = l->maps[i];
    l->map_count = kept;
}

static void add_address_member(struct buf *to, struct str lead, uint64_t address)
{
    buf_add(to, lead);
    emit_address(to, address);
}

static void push_maps(struct legacy *l)
{
    sort_maps(l);
    for (size_t i = 0; i < l->map_count; i++) {
        const struct legacy_map *m = &l->maps[i];
        struct buf *to = &l->scratch;
        to->n = 0;
        add_address_member(to, STR(",\"memory_start\":\""), m->start);
        add_address_member(to, STR("\",\"memory_limit\":\""), m->limit);
        add_address_member(to, STR("\",\"file_offset\":\""), m->offset);
        buf_add(to, STR("\",\"filename\":"));
        emit_inner_string(to, &l->text, m->file);
        buf_add(to, STR(",\"build_id\":"));
        emit_inner_string(to, &l->text, m->build_id);
        sink_row(l->sink, &(struct row){.table = TABLE_MAPPINGS,
                                        .mapping = {.mapping_id = (int64_t)i + 1},
                                        .extra = buf_str(to)});
    }
}

/* The id of the mapping that ADDRESS is in; 0: none. */
static uint32_t mapping_of(const struct legacy *l, uint64_t address)
{
    size_t from = 0, to = l->map_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (l->maps[middle].start <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 && address < l->maps[from - 1].limit ? (uint32_t)from : 0;
}

static void push_functions(struct legacy *l, struct bytes_rows *rows)
{
    for (uint32_t id = 1; id <= l->functions.count; id++) {
        uint32_t key[2];
        memcpy(key, intern_get(&l->functions, id).p, sizeof key);
        bytes_rows_function(rows, l->sink, id, intern_get(&l->texts, key[0]),
                            intern_get(&l->texts, key[1]), 0, STR(""));
    }
}

/* What tells locations apart. */
struct location {
    int64_t function, line;
    uint64_t address;
    uint64_t into; /* the location that it is inlined into; 0: none */
};

/* The location KEY; pushes its row when it is new. */
static uint32_t location_of(struct legacy *l, const struct location *key)
{
    bool is_new;
    const uint32_t id =
        intern_add(&l->locations, (struct str){(const char *)key, sizeof *key}, &is_new);
    struct row row = {.table = TABLE_LOCATIONS, .location = {id, key->function, key->line}};
    row.site.address = key->address;
    row.site.mapping_id = key->address != 0 ? mapping_of(l, key->address) : 0;
    row.site.inlined_into = (int64_t)key->into;
    if (is_new)
        sink_row(l->sink, &row);
    return id;
}

/* Pushes the locations of STEP: one for each frame, or one for an address without. */
static void push_step(struct legacy *l, struct legacy_step *step)
{
    struct location key = {ROW_NULL, ROW_NULL, step->address, 0};
    if (step->frame_count == 0) {
        step->location = location_of(l, &key);
        return;
    }
    if (l->keeps_no_address)
        key.address = 0;
    for (size_t i = step->frame_count; i-- > 0;) { /* what others are inlined into comes first */
        struct legacy_frame *f = &l->frames[step->frame + i];
        key.function = f->function;
        key.line = f->line;
        f->location = location_of(l, &key);
        key.into = f->location;
    }
}

/* What samples are pushed with. */
struct pusher {
    struct legacy *l;
    uint32_t types[LEGACY_TYPES]; /* their numbers in the table of types */
    int64_t *stack;
    size_t depth, capacity;
    int64_t sample_id;
};

static void add_location(struct pusher *p, uint32_t number)
{
    const struct legacy_step *step = &p->l->step[number - 1];
    const size_t count = step->frame_count > 0 ? step->frame_count : 1;
    growth_check_depth(p->depth + count, p->l->where);
    p->stack = mem_array(p->stack, &p->capacity, p->depth + count, sizeof *p->stack);
    if (step->frame_count == 0)
        p->stack[p->depth++] = step->location;
    for (size_t i = 0; i < step->frame_count; i++)
        p->stack[p->depth++] = p->l->frames[step->frame + i].location;
}

/* Reads the labels of R from the spool, and returns its columns. */
static struct str read_columns(struct legacy *l, const struct legacy_record *r)
{
    l->scratch.n = 0;
    if (r->label_bytes > 0) {
        buf_add(&l->scratch, STR(",\".labels\":["));
        spool_read(l->samples, buf_reserve(&l->scratch, r->label_bytes), r->label_bytes);
        l->scratch.n += r->label_bytes;
        buf_add(&l->scratch, STR("]"));
    }
    if (r->is_cut)
        buf_add(&l->scratch, STR(",\".truncated\":true"));
    return buf_str(&l->scratch);
}

static void push_sample(struct pusher *p, const struct legacy_record *r)
{
    struct legacy *l = p->l;
    struct sample_value values[LEGACY_VALUES];
    struct sample sample = {.sample_id = ++p->sample_id, .source_id = 1, .values = values};
    p->depth = 0;
    for (uint64_t i = 0; i < r->depth; i++) {
        uint32_t number;
        spool_read(l->samples, &number, sizeof number);
        add_location(p, number);
    }
    sample.extra = read_columns(l, r);
    for (size_t i = 0; i < l->value_count; i++)
        if (is_used(l, i))
            values[sample.value_count++] =
                (struct sample_value){p->types[i], number_of(r->values[i]), STR("")};
    sample.locations = p->stack;
    sample.depth = p->depth;
    sink_sample(l->sink, &sample);
}

/* Levels are one sample, which has no stack. */
static void push_levels(struct pusher *p)
{
    struct legacy *l = p->l;
    struct sample_value values[LEGACY_TYPES];
    size_t count = 0;
    for (size_t i = l->value_count; i < l->type_count; i++)
        values[count++] = (struct sample_value){p->types[i], number_of(l->types[i].level), STR("")};
    if (count > 0)
        sink_sample(l->sink, &(struct sample){.sample_id = ++p->sample_id,
                                              .source_id = 1,
                                              .values = values,
                                              .value_count = count});
}

void legacy_push(struct legacy *l)
{
    struct bytes_rows rows = {0};
    struct pusher p = {.l = l};
    legacy_finish_sample(l);
    push_source(l, &rows);
    push_maps(l);
    push_functions(l, &rows);
    for (uint32_t i = 0; i < l->steps.count; i++)
        push_step(l, &l->step[i]);
    for (size_t i = 0; i < l->type_count; i++)
        p.types[i] = value_types_add(&l->sink->flow->types, l->types[i].name, l->types[i].unit);
    spool_rewind(l->samples);
    for (struct legacy_record r; spool_read(l->samples, &r, sizeof r);)
        push_sample(&p, &r);
    push_levels(&p);
    mem_free(p.stack);
    bytes_rows_free(&rows);
}

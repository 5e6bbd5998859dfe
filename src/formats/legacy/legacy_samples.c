/* Samples, the steps of their stacks, and the rows that are made of them at the end. */
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/legacy/legacy.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <math.h>
#include <stdlib.h>

/* What stands in the spool in front of the steps and the labels of a sample. */
struct record {
    uint64_t depth, label_bytes;
    int64_t values[LEGACY_VALUES];
};

/* --- while the file is read --- */

static uint32_t step_of(struct legacy *l, struct str key, uint64_t address)
{
    bool is_new;
    const uint32_t number = intern_add(&l->steps, key, &is_new);
    if (is_new) {
        l->step = mem_array(l->step, &l->step_capacity, number, sizeof *l->step);
        l->step[number - 1] = (struct legacy_step){.address = address};
    }
    return number;
}

static void add_step(struct legacy *l, uint32_t number)
{
    growth_check_depth(l->stack.n / sizeof number + 1, l->where);
    buf_add(&l->stack, (struct str){(const char *)&number, sizeof number});
}

void legacy_add_address(struct legacy *l, uint64_t address)
{
    add_step(l, step_of(l, (struct str){(const char *)&address, sizeof address}, address));
}

static uint32_t function_of(struct legacy *l, struct str name, struct str file)
{
    const uint32_t key[] = {intern_add(&l->texts, name, NULL), intern_add(&l->texts, file, NULL)};
    return intern_add(&l->functions, (struct str){(const char *)key, sizeof key}, NULL);
}

/* The frame that N names. */
static struct legacy_frame frame_of(struct legacy *l, const struct legacy_named *n)
{
    const uint32_t key[] = {n->name, n->file};
    return (struct legacy_frame){
        n->line, intern_add(&l->functions, (struct str){(const char *)key, sizeof key}, NULL), 0};
}

static void add_name(struct legacy *l, struct legacy_frame frame)
{
    l->frames = mem_array(l->frames, &l->frame_capacity, ++l->frame_count, sizeof *l->frames);
    l->frames[l->frame_count - 1] = frame;
}

/* Gives STEP its only frame, unless it has one. */
static void name(struct legacy *l, uint32_t step, struct legacy_frame frame)
{
    if (l->step[step - 1].frame_count > 0)
        return;
    l->step[step - 1].frame = l->frame_count;
    l->step[step - 1].frame_count = 1;
    add_name(l, frame);
}

void legacy_add_frame(struct legacy *l, struct str text, struct str file, int64_t line)
{
    const int64_t key[] = {function_of(l, text, file), line};
    const uint32_t number = step_of(l, (struct str){(const char *)key, sizeof key}, 0);
    name(l, number, (struct legacy_frame){line, (uint32_t)key[0], 0});
    add_step(l, number);
}

/* The number of the step ADDRESS; 0: no sample has it. */
static uint32_t find_step(const struct legacy *l, uint64_t address)
{
    return intern_find(&l->steps, (struct str){(const char *)&address, sizeof address});
}

void legacy_name(struct legacy *l, uint64_t address, struct str text, struct str file, int64_t line)
{
    const uint32_t number = find_step(l, address);
    if (number != 0)
        name(l, number, (struct legacy_frame){line, function_of(l, text, file), 0});
    else
        loss_add(LOSS_OWN, STR("names of addresses in no stack"), 1);
}

void legacy_name_step(struct legacy *l, uint64_t address, struct str text, struct str file,
                      int64_t line)
{
    l->named = mem_array(l->named, &l->named_capacity, ++l->named_count, sizeof *l->named);
    l->named[l->named_count - 1] = (struct legacy_named){
        address, line, intern_add(&l->texts, text, NULL), intern_add(&l->texts, file, NULL)};
}

/* Counts how often the last sample has each step, and how many lines name it. */
static void count_names(struct legacy *l)
{
    const uint32_t *stack = (const uint32_t *)(const void *)l->stack.p;
    for (size_t i = 0; i < l->stack.n / sizeof *stack; i++) {
        struct legacy_step *step = &l->step[stack[i] - 1];
        if (step->sample != l->sample_count)
            step->times = step->lines = 0;
        step->sample = l->sample_count;
        step->times++;
    }
    for (size_t i = 0; i < l->named_count; i++) {
        const uint32_t number = find_step(l, l->named[i].address);
        if (number != 0)
            l->step[number - 1].lines++;
    }
}

/* Gives steps of the last sample the names behind it.  Where a stack has a step as often as lines name it,
 * it is one that calls itself. */
static void take_names(struct legacy *l)
{
    count_names(l);
    for (size_t i = 0; i < l->named_count; i++) {
        const uint64_t address = l->named[i].address;
        const uint32_t number = find_step(l, address);
        struct legacy_step *step = number == 0 ? NULL : &l->step[number - 1];
        if (step == NULL || step->sample != l->sample_count || step->frame_count > 0) {
            if (step == NULL)
                loss_add(LOSS_OWN, STR("names of addresses in no stack"), 1);
            continue;
        }
        const size_t most = step->lines > step->times ? step->lines / step->times : 1;
        step->frame = l->frame_count;
        for (size_t k = i; k < l->named_count && k < i + most && l->named[k].address == address;
             k++) {
            add_name(l, frame_of(l, &l->named[k]));
            step->frame_count++;
        }
    }
    l->named_count = 0;
}

/* Puts the last sample to the others. */
static void finish_sample(struct legacy *l)
{
    if (l->sample_count == 0)
        return;
    struct record r = {.depth = l->stack.n / sizeof(uint32_t), .label_bytes = l->labels.n};
    take_names(l);
    memcpy(r.values, l->values, sizeof r.values);
    spool_write(l->samples, (struct str){(const char *)&r, sizeof r});
    spool_write(l->samples, buf_str(&l->stack));
    spool_write(l->samples, buf_str(&l->labels));
    l->stack.n = l->labels.n = 0;
}

void legacy_begin_sample(struct legacy *l, const int64_t values[LEGACY_VALUES])
{
    finish_sample(l);
    l->sample_count++;
    memcpy(l->values, values, sizeof l->values);
}

void legacy_label(struct legacy *l, struct str key, struct str text, int64_t number,
                  struct str unit)
{
    buf_add(&l->labels, l->labels.n > 0 ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(&l->labels, &l->text, key);
    if (text.p != NULL) {
        buf_add(&l->labels, STR(",\"str\":"));
        emit_inner_string(&l->labels, &l->text, text);
    } else {
        buf_add(&l->labels, STR(",\"num\":"));
        emit_number(&l->labels, number);
    }
    if (text.p == NULL && unit.n > 0) {
        buf_add(&l->labels, STR(",\"unit\":"));
        emit_inner_string(&l->labels, &l->text, unit);
    }
    buf_add(&l->labels, STR("}"));
}

void legacy_set_types(struct legacy *l, const struct legacy_type *types, size_t count)
{
    memcpy(l->types, types, count * sizeof *types);
    l->type_count = l->value_count = count;
}

struct str legacy_canonical(struct legacy *l, struct str bytes)
{
    l->text.n = 0;
    text_escape(&l->text, bytes);
    return arena_copy(&l->arena, buf_str(&l->text));
}

bool legacy_add_level(struct legacy *l, struct str name, struct str unit, int64_t value)
{
    for (size_t i = 0; i < l->type_count; i++)
        if (str_equal(l->types[i].name, name) && str_equal(l->types[i].unit, unit))
            return false;
    if (l->type_count == LEGACY_TYPES)
        return false;
    l->types[l->type_count++] = (struct legacy_type){name, unit, true, value};
    return true;
}

/* N times SCALE. */
static int64_t scaled(const struct legacy *l, int64_t n, double scale, bool is_rounded)
{
    const double product = (double)n * scale;
    const double result = is_rounded ? round(product) : trunc(product);
    if (!(fabs(result) < 0x1p63))
        die_at(l->where, "what these samples stand for does not fit into 64 bits");
    return (int64_t)result;
}

void legacy_unsample(const struct legacy *l, int64_t *count, int64_t *size, int64_t rate,
                     bool is_rounded)
{
    if (*count == 0 || *size == 0) {
        *count = *size = 0;
        return;
    }
    if (rate < 2)
        return;
    const double average = (double)*size / (double)*count;
    const double scale = 1 / (1 - exp(-average / (double)rate));
    *count = scaled(l, *count, scale, is_rounded);
    *size = scaled(l, *size, scale, is_rounded);
}

/* --- rows --- */

static bool is_used(const struct legacy *l, size_t type)
{
    return type >= l->value_count || (l->unused & 1U << type) == 0;
}

/* Appends LEAD and the type of values that T is. */
static void add_type(struct buf *to, struct str lead, const struct legacy_type *t)
{
    buf_add(to, lead);
    buf_add(to, STR("{\"type\":"));
    emit_string(to, t->name);
    buf_add(to, STR(",\"unit\":"));
    emit_string(to, t->unit);
}

/* Appends the types of values, which are all that there are. */
static void add_types(struct legacy *l, struct buf *to)
{
    struct str lead = STR(",\".value_types\":[");
    for (size_t i = 0; i < l->type_count; i++) {
        if (!is_used(l, i))
            continue;
        add_type(to, lead, &l->types[i]);
        buf_add(to, l->types[i].is_level ? STR(",\"gauge\":true}") : STR("}"));
        lead = STR(",");
    }
    buf_add(to, STR("]"));
}

static void add_period(struct legacy *l, struct buf *to)
{
    if (l->period_type.name.n == 0)
        return;
    add_type(to, STR(",\".period\":"), &l->period_type);
    buf_add(to, STR(",\"value\":"));
    emit_number(to, l->period);
    buf_add(to, STR("}"));
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
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("legacy"),
                                 .source_timestamp = l->request->timestamp}};
    struct buf extra = {0};
    add_types(l, &extra);
    add_period(l, &extra);
    add_facts(l, &extra);
    row.source.source_uri = bytes_rows_uri(rows, format_source_uri(l->request, l->in), &extra);
    row.extra = buf_str(&extra);
    sink_row(l->sink, &row);
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

/* Reads the labels of R from the spool, and returns the column. */
static struct str read_labels(struct legacy *l, const struct record *r)
{
    if (r->label_bytes == 0)
        return STR("");
    l->scratch.n = 0;
    buf_add(&l->scratch, STR(",\".labels\":["));
    spool_read(l->samples, buf_reserve(&l->scratch, r->label_bytes), r->label_bytes);
    l->scratch.n += r->label_bytes;
    buf_add(&l->scratch, STR("]"));
    return buf_str(&l->scratch);
}

static void push_sample(struct pusher *p, const struct record *r)
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
    sample.extra = read_labels(l, r);
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
    finish_sample(l);
    push_source(l, &rows);
    push_maps(l);
    push_functions(l, &rows);
    for (uint32_t i = 0; i < l->steps.count; i++)
        push_step(l, &l->step[i]);
    for (size_t i = 0; i < l->type_count; i++)
        p.types[i] = value_types_add(&l->sink->flow->types, l->types[i].name, l->types[i].unit);
    spool_rewind(l->samples);
    for (struct record r; spool_read(l->samples, &r, sizeof r);)
        push_sample(&p, &r);
    push_levels(&p);
    mem_free(p.stack);
    bytes_rows_free(&rows);
}

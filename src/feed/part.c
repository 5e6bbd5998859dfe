#include "feed/part.h"

#include "base/mem.h"
#include "profile/stacks.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/define.h"
#include "stream/growth.h"
#include "stream/references.h"

/* The max bytes of samples that cannot be added up, and of labels and value types of others. */
enum { KEPT_MAX = 32 << 20 };

/* Samples with more values are not added up. */
enum { VALUES_MAX = 64 };

/* Where rows and samples came from. */
struct context {
    const char *file;
    unsigned kind; /* of the place */
    size_t input;
    struct str format;
    bool has_lines; /* samples have line numbers (sample.lines) */
};

/* What came, but for samples that were added up. */
struct event {
    enum {
        EVENT_META,     /* a version row, and all that are equal to it */
        EVENT_ROW,      /* another row */
        EVENT_TYPES,    /* value types, up to the number `index` */
        EVENT_SAMPLE,   /* a sample that cannot be added up */
        EVENT_TALLY,    /* samples of a source with the same types of values: `index` */
        EVENT_LOSS,     /* a loss, and all that are equal to it: `index` */
        EVENT_ROUNDING, /* a value that was rounded: `index` */
    } kind;
    uint32_t before; /* how many of the stacks came before it */
    uint32_t context;
    uint32_t index;
    uint64_t at; /* of its place */
    union {
        struct row *row;
        struct sample *sample;
    };
};

/* A value that was rounded (loss_add_fraction). */
struct rounding {
    struct str name;
    struct decimal more;
};

/* The key of a loss; the name follows. */
struct loss_key {
    uint32_t loss;
};

/* The key of a tally. */
struct tally_key {
    uint32_t source, values; /* numbers of the source, and of the values */
    uint32_t has_stack;
};

/* The key of what samples with one stack have in common; the labels follow, without a time. */
struct head_key {
    uint32_t class, values;
    uint32_t has_time;
};

/* The values of a sample are an array of these. */
struct value_key {
    uint32_t type;
    bool is_zero;
};

struct part {
    struct sink sink; /* takes what the feed pushes */
    struct merge merge;
    struct {
        struct sink sink; /* takes what the merge pushes */
    } last;
    struct flow flow;
    struct loss_diversion losses;

    struct arena arena; /* for what events have */
    size_t kept;        /* bytes, see KEPT_MAX */
    struct event *events;
    size_t event_count, event_capacity;
    struct rounding *roundings; /* not in the arena: a decimal is aligned to 16 */
    size_t rounding_count, rounding_capacity;
    bool has_lines; /* the current sample has line numbers */
    struct context *contexts;
    size_t context_count, context_capacity;

    struct intern metas, loss_keys; /* their counts are by number - 1 */
    uint64_t *meta_counts, *loss_counts;
    size_t meta_capacity, loss_capacity;
    uint32_t type_count; /* the value types that have an event */

    struct intern class_keys;
    uint32_t *classes; /* by source - 1 */
    size_t class_capacity;

    struct intern values;     /* keys of struct value_key */
    struct intern tally_keys; /* numbers of tallies */
    struct sums tallies;      /* rows are tallies; columns see `columns` below */
    struct intern heads;
    struct stacks stacks; /* with numbers of heads as labels */
    uint64_t held;        /* what of stacks.held has counted as growth */
    size_t held_input;    /* the input for which that was last */

    /* Working memory. */
    struct buf key, head;
    uint32_t *frames;
    size_t frame_capacity;
    struct sums_part parts[VALUES_MAX + 1];
    uint32_t last_values, last_head; /* numbers of what `key` and `head` hold; 0: nothing */
};

/* In sums a column has the number of samples, the next ones have their values. */
enum { COLUMN_TIMES, COLUMN_VALUES };

/* --- events --- */

static uint32_t context_now(struct part *p)
{
    const struct flow *f = &p->flow;
    struct context *last = p->context_count == 0 ? NULL : &p->contexts[p->context_count - 1];
    if (last == NULL || last->file != f->where.file || last->kind != f->where.kind ||
        last->input != f->input || last->format.p != f->format.p ||
        last->has_lines != p->has_lines) {
        p->contexts =
            mem_array(p->contexts, &p->context_capacity, p->context_count + 1, sizeof *p->contexts);
        last = &p->contexts[p->context_count++];
        *last = (struct context){f->where.file, f->where.kind, f->input, f->format, p->has_lines};
    }
    return (uint32_t)(p->context_count - 1);
}

/* Adds E, which comes after all samples so far. */
static struct event *add_event(struct part *p, struct event e)
{
    stacks_finish(&p->stacks);
    e.before = p->stacks.count;
    e.context = context_now(p);
    e.at = p->flow.where.at;
    p->events = mem_array(p->events, &p->event_capacity, p->event_count + 1, sizeof *p->events);
    p->events[p->event_count] = e;
    return &p->events[p->event_count++];
}

/* Adds TIMES to the count of number ID in COUNTS; returns whether it is the first. */
static bool count(uint64_t **counts, size_t *capacity, uint32_t id, uint64_t times, bool is_new)
{
    *counts = mem_array(*counts, capacity, id, sizeof **counts);
    (*counts)[id - 1] = (is_new ? 0 : (*counts)[id - 1]) + times;
    return is_new;
}

static void take_loss(struct loss_diversion *to, enum loss loss, struct str name, uint64_t times,
                      const struct decimal *more)
{
    struct part *p = (struct part *)(void *)((char *)to - offsetof(struct part, losses));
    bool is_new;
    if (more != NULL) {
        size_t n = p->rounding_count++;
        p->roundings = mem_array(p->roundings, &p->rounding_capacity, n + 1, sizeof *p->roundings);
        p->roundings[n] = (struct rounding){arena_copy(&p->arena, name), *more};
        p->kept += sizeof *p->roundings + name.n;
        add_event(p, (struct event){.kind = EVENT_ROUNDING, .index = (uint32_t)n});
        return;
    }
    struct buf key = {0};
    buf_add(&key, (struct str){(char *)&(struct loss_key){loss}, sizeof(struct loss_key)});
    buf_add(&key, name);
    uint32_t id = intern_add(&p->loss_keys, buf_str(&key), &is_new);
    buf_free(&key);
    if (count(&p->loss_counts, &p->loss_capacity, id, times, is_new))
        add_event(p, (struct event){.kind = EVENT_LOSS, .index = id});
}

static struct row *copy_row(struct part *p, const struct row *row)
{
    struct row *copy = arena_alloc(&p->arena, sizeof *copy);
    *copy = *row;
    define_own(copy, &p->arena);
    return copy;
}

/* Notes value types that are new. */
static void note_types(struct part *p)
{
    uint32_t types = p->flow.types.leads.count;
    if (__builtin_expect(types == p->type_count, 1))
        return;
    p->type_count = types;
    add_event(p, (struct event){.kind = EVENT_TYPES, .index = types});
}

/* --- rows --- */

/* Notes TIMES version rows ROW. */
static void note_meta(struct part *p, const struct row *row, uint64_t times)
{
    bool is_new;
    struct buf text = {0};
    emit_others(&text, row->extra, STR(".ends"));
    uint32_t id = intern_add(&p->metas, buf_str(&text), &is_new);
    buf_free(&text);
    if (count(&p->meta_counts, &p->meta_capacity, id, times, is_new))
        add_event(p, (struct event){.kind = EVENT_META, .index = id, .row = copy_row(p, row)});
}

static void take_row(struct sink *to, struct row *row)
{
    struct part *p = (struct part *)to;
    if (row->table == TABLE_META) {
        note_meta(p, row, 1);
        row->extra = STR(",\".ends\":true");
    }
    sink_row(&p->merge.sink, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(&((struct part *)to)->merge.sink, sample);
}

/* The samples that a row refers to are not there when it is pushed. */
static int64_t find_sample(void *with, const struct row *row, struct str column, enum table refers,
                           int64_t id)
{
    (void)with, (void)row, (void)column;
    if (refers == TABLE_SAMPLES)
        diag_main_only();
    return id;
}

/* The class of a source ROW: sources of one class have the same kind, value types and period. */
static uint32_t class_of(struct part *p, const struct row *row)
{
    struct buf key = {0};
    struct str rest = row->extra, name, value;
    buf_add(&key, row->source.source_type);
    while (text_next_member(&rest, &name, &value)) {
        buf_add(&key, STR(","));
        buf_add(&key, name);
        if (source_kind_object(name) == NULL) /* those say nothing about samples */
            buf_add(&key, value);
    }
    uint32_t class = intern_add(&p->class_keys, buf_str(&key), NULL);
    buf_free(&key);
    return class;
}

static void keep_row(struct sink *to, struct row *row)
{
    struct part *p = ((struct part *)(void *)((char *)to - offsetof(struct part, last)));
    if (row->table == TABLE_META)
        return;
    note_types(p);
    if (row->extra.n > 0) {
        struct buf ignored = {0};
        references_map(&ignored, row, p->flow.where, find_sample, p);
        buf_free(&ignored);
    }
    if (row->table == TABLE_SOURCES) {
        size_t id = (size_t)row->source.source_id;
        p->classes = mem_array(p->classes, &p->class_capacity, id, sizeof *p->classes);
        p->classes[id - 1] = class_of(p, row);
    }
    if (row->table == TABLE_DOTTED)
        p->kept += row->extra.n;
    if (p->kept > KEPT_MAX)
        diag_main_only();
    add_event(p, (struct event){.kind = EVENT_ROW, .row = copy_row(p, row)});
}

/* --- samples --- */

/* Whether the line numbers of S follow each other, from that of its first row. */
static bool has_plain_lines(const struct sample *s, struct place where)
{
    for (size_t i = 0; s->lines != NULL && i < s->value_count + s->depth; i++)
        if (s->lines[i] != where.at + 1 + i)
            return false;
    return true;
}

static bool can_be_added(const struct sample *s, struct place where)
{
    bool can_be = s->location_extras == NULL && s->value_count <= VALUES_MAX;
    for (size_t i = 0; can_be && i < s->value_count; i++)
        can_be = s->values[i].extra.n == 0 && s->values[i].value.kind == NUMBER_INTEGER &&
                 s->values[i].value.integer >= 0;
    return can_be && has_plain_lines(s, where);
}

static void *copy(struct part *p, const void *items, size_t size)
{
    return memcpy(arena_alloc(&p->arena, size + 1), items, size);
}

static struct sample *copy_sample(struct part *p, const struct sample *s)
{
    struct arena *a = &p->arena;
    struct sample *own = copy(p, s, sizeof *s);
    own->extra = arena_copy(a, s->extra);
    if (s->value_count > 0)
        own->values = copy(p, s->values, s->value_count * sizeof *s->values);
    for (size_t i = 0; i < s->value_count; i++) {
        own->values[i].extra = arena_copy(a, s->values[i].extra);
        if (s->values[i].value.kind == NUMBER_REAL) /* with a byte that ends it */
            own->values[i].value.real = arena_copy(a, s->values[i].value.real);
    }
    if (s->depth > 0)
        own->locations = copy(p, s->locations, s->depth * sizeof *s->locations);
    if (s->location_extras != NULL && s->depth > 0)
        own->location_extras = copy(p, s->location_extras, s->depth * sizeof *s->location_extras);
    for (size_t i = 0; s->location_extras != NULL && i < s->depth; i++)
        own->location_extras[i] = arena_copy(a, s->location_extras[i]);
    if (s->lines != NULL)
        own->lines = copy(p, s->lines, (s->value_count + s->depth) * sizeof *s->lines);
    p->kept += sizeof *s + s->extra.n + s->depth * sizeof *s->locations +
               s->value_count * sizeof *s->values;
    if (p->kept > KEPT_MAX)
        diag_main_only();
    return own;
}

/* Whether TO already has the N bytes ITEM; otherwise it gets them. */
static bool repeats(struct buf *to, const void *item, size_t n)
{
    if (str_equal(buf_str(to), (struct str){item, n}))
        return true;
    to->n = 0;
    buf_add(to, (struct str){item, n});
    return false;
}

/* The number of the types of the values of S, and which are 0. */
static uint32_t values_of(struct part *p, const struct sample *s)
{
    struct value_key keys[VALUES_MAX];
    size_t n = s->value_count * sizeof *keys;
    memset(keys, 0, n);
    for (size_t i = 0; i < s->value_count; i++) {
        keys[i].type = s->values[i].type;
        keys[i].is_zero = s->values[i].value.integer == 0;
    }
    if (!repeats(&p->key, keys, n) || p->last_values == 0)
        p->last_values = intern_add(&p->values, (struct str){(char *)keys, n}, NULL);
    return p->last_values;
}

/* The number of what S, with VALUES, has in common with all that can be added to it. */
static uint32_t head_of(struct part *p, const struct sample *s, uint32_t values)
{
    struct str labels = s->extra;
    int64_t time;
    struct head_key key = {p->classes[s->source_id - 1], values, sample_take_time(&labels, &time)};
    struct buf *head = &p->head;
    if (p->last_head != 0 && head->n == sizeof key + labels.n &&
        memcmp(head->p, &key, sizeof key) == 0 &&
        str_equal((struct str){head->p + sizeof key, labels.n}, labels))
        return p->last_head;
    bool is_new;
    head->n = 0;
    buf_add(head, (struct str){(char *)&key, sizeof key});
    buf_add(head, labels);
    p->last_head = intern_add(&p->heads, buf_str(head), &is_new);
    p->kept += is_new ? labels.n + sizeof key + sizeof(struct str) : 0;
    if (p->kept > KEPT_MAX)
        diag_main_only();
    return p->last_head;
}

/* Sets p->parts to TIMES samples S; returns how many they are. */
static size_t parts_of(struct part *p, const struct sample *s, uint64_t times)
{
    size_t n = 0;
    p->parts[n++] = (struct sums_part){.column = COLUMN_TIMES, .n = (int64_t)times};
    for (size_t i = 0; i < s->value_count; i++)
        if (s->values[i].value.integer != 0)
            p->parts[n++] = (struct sums_part){.column = COLUMN_VALUES + (uint32_t)i,
                                               .n = s->values[i].value.integer};
    return n;
}

static void add_to_tally(struct part *p, const struct sample *s, uint32_t values, uint64_t times)
{
    struct tally_key key = {(uint32_t)s->source_id, values, s->depth > 0};
    bool is_new;
    uint32_t id = intern_add(&p->tally_keys, (struct str){(char *)&key, sizeof key}, &is_new);
    if (is_new)
        add_event(p, (struct event){.kind = EVENT_TALLY, .index = id, .sample = copy_sample(p, s)});
    size_t n = parts_of(p, s, times);
    for (size_t i = 0; i < n; i++)
        sums_add_part(&p->tallies, id - 1, &p->parts[i]);
}

static void add_to_stack(struct part *p, const struct sample *s, uint32_t values, uint64_t times)
{
    struct stacks *t = &p->stacks;
    uint32_t head = head_of(p, s, values);
    if (p->held_input != p->flow.input) /* for stacks of the one before that wait in the stage */
        growth_hold(&p->flow, (uint64_t)1 << 20);
    p->held_input = p->flow.input;
    p->frames = mem_array(p->frames, &p->frame_capacity, s->depth + 1, sizeof *p->frames);
    for (size_t i = 0; i < s->depth; i++)
        p->frames[i] = (uint32_t)s->locations[i];
    t->note = (struct stacks_note){p->flow.where.at, context_now(p), (uint32_t)s->source_id};
    stacks_add(t, head, p->frames, s->depth, p->parts, parts_of(p, s, times));
    /* A stage holds no more stacks than these, and of no more frames; but it may need more bytes
     * for each, though not twice as many. */
    growth_hold(&p->flow, 2 * (t->held - p->held));
    p->held = t->held;
}

static void keep_sample(struct sink *to, struct sample *s)
{
    struct part *p = ((struct part *)(void *)((char *)to - offsetof(struct part, last)));
    p->has_lines = s->lines != NULL;
    note_types(p);
    if (!can_be_added(s, p->flow.where)) {
        add_event(p, (struct event){.kind = EVENT_SAMPLE, .sample = copy_sample(p, s)});
        return;
    }
    uint32_t values = values_of(p, s);
    if (sample_tallied(s) > 0)
        add_to_tally(p, s, values, sample_tallied(s));
    if (sample_added(s) > 0)
        add_to_stack(p, s, values, sample_added(s));
}

/* --- pushing a part --- */

/* A part that is pushed, and to where. */
struct push {
    struct part *from, *into; /* INTO may be NULL */
    struct merge *to;
    bool begun;
    uint32_t *types; /* by type of FROM - 1: that of TO */
    uint32_t type_count;
    size_t type_capacity;
    int64_t sample_id;
    uint32_t context; /* plus 1; 0: none yet */
    /* Working memory. */
    struct sample_value values[VALUES_MAX];
    int64_t *locations;
    size_t location_capacity;
    uint64_t *lines;
    size_t line_capacity;
};

/* Sets the place where the next thing came from. */
static void set_place(struct push *x, uint32_t context, uint64_t at)
{
    struct flow *flow = x->to->sink.flow;
    const struct context *c = &x->from->contexts[context];
    flow->where.at = at;
    if (x->context == context + 1)
        return;
    x->context = context + 1;
    flow->where = (struct place){c->file, c->kind, at};
    flow->input = c->input;
    flow->format = c->format;
}

static void push_meta(struct push *x, const struct event *e)
{
    struct row row = *e->row;
    uint64_t times = x->from->meta_counts[e->index - 1];
    if (x->into != NULL)
        note_meta(x->into, &row, times);
    if (x->into != NULL && !x->begun) {
        row.extra = STR(",\".ends\":true");
        sink_row(&x->to->sink, &row);
    } else if (x->into == NULL) {
        loss_repeat(times);
        if (x->begun)
            merge_note_meta(x->to, &row);
        else
            sink_row(&x->to->sink, &row);
        loss_repeat(1);
    }
    x->begun = true;
}

/* Adds the value types up to the number LAST. */
static void push_types(struct push *x, uint32_t last)
{
    for (; x->type_count < last; x->type_count++) {
        const struct value_type *t = value_types_get(&x->from->flow.types, x->type_count + 1);
        x->types = mem_array(x->types, &x->type_capacity, last, sizeof *x->types);
        x->types[x->type_count] = value_types_add(&x->to->sink.flow->types, t->type, t->unit);
    }
    if (x->into != NULL)
        note_types(x->into);
}

static void push_loss(const struct part *p, uint32_t id)
{
    struct str key = intern_get(&p->loss_keys, id);
    struct loss_key loss;
    memcpy(&loss, key.p, sizeof loss);
    loss_add((enum loss)loss.loss, (struct str){key.p + sizeof loss, key.n - sizeof loss},
             p->loss_counts[id - 1]);
}

static void push_rounding(const struct rounding *r)
{
    loss_add_fraction(r->name, r->more);
}

static void push_sample(struct push *x, struct sample *s)
{
    s->sample_id = ++x->sample_id;
    sink_sample(&x->to->sink, s);
}

static void push_whole(struct push *x, struct sample *s)
{
    for (size_t i = 0; i < s->value_count; i++)
        s->values[i].type = x->types[s->values[i].type - 1];
    push_sample(x, s);
}

/* Sets the values of S to the types VALUES with the sums in ROW of SUMS, and how many samples it
 * stands for. */
static void set_values(struct push *x, struct sample *s, uint32_t values, const struct sums *sums,
                       uint32_t row)
{
    const struct str keys = intern_get(&x->from->values, values);
    struct sums_walk walk = {.row = row};
    struct sums_part part;
    s->values = x->values;
    s->value_count = keys.n / sizeof(struct value_key);
    for (size_t i = 0; i < s->value_count; i++) {
        struct value_key key;
        memcpy(&key, keys.p + i * sizeof key, sizeof key);
        x->values[i] = (struct sample_value){x->types[key.type - 1], number_of(0), STR("")};
    }
    while (sums_next(sums, &walk, &part))
        if (part.column == COLUMN_TIMES)
            s->times = (uint64_t)part.n;
        else
            x->values[part.column - COLUMN_VALUES].value.integer = part.n;
}

/* Sets the line numbers of S, from its first row on, as those of what it stands for. */
static void set_lines(struct push *x, struct sample *s)
{
    struct place where = x->to->sink.flow->where;
    if (!x->from->contexts[x->context - 1].has_lines)
        return;
    size_t n = s->value_count + s->depth;
    x->lines = mem_array(x->lines, &x->line_capacity, n + 1, sizeof *x->lines);
    for (size_t i = 0; i < n; i++)
        x->lines[i] = where.at + 1 + i;
    s->lines = x->lines;
}

static void push_tally(struct push *x, const struct event *e)
{
    struct tally_key key;
    struct sample s = *e->sample;
    memcpy(&key, intern_get(&x->from->tally_keys, e->index).p, sizeof key);
    s.role = SAMPLE_TALLY;
    s.source_id = key.source;
    set_values(x, &s, key.values, &x->from->tallies, e->index - 1);
    set_lines(x, &s);
    loss_repeat(0);
    push_sample(x, &s);
    loss_repeat(1);
}

static void push_stack(struct push *x, stacks_offset offset)
{
    struct part *p = x->from;
    const struct stacks_stack stack = stacks_at(&p->stacks, offset);
    const struct stacks_note note = p->stacks.notes[stack.number];
    const struct str head = intern_get(&p->heads, stack.labels);
    struct head_key key;
    struct sample s = {.role = SAMPLE_SUM, .source_id = note.source, .depth = stack.depth};
    memcpy(&key, head.p, sizeof key);
    s.extra = (struct str){head.p + sizeof key, head.n - sizeof key};
    if (key.has_time) { /* whose time, no stage asks */
        p->head.n = 0;
        buf_add(&p->head, STR(",\".time\":0"));
        buf_add(&p->head, s.extra);
        s.extra = buf_str(&p->head);
    }
    set_place(x, note.context, note.at);
    set_values(x, &s, key.values, &p->stacks.sums, stack.number);
    x->locations =
        mem_array(x->locations, &x->location_capacity, stack.depth + 1, sizeof *x->locations);
    p->frames = stacks_frames(&stack, p->frames, &p->frame_capacity);
    for (size_t i = 0; i < stack.depth; i++)
        x->locations[i] = p->frames[i];
    s.locations = x->locations;
    set_lines(x, &s);
    loss_repeat(s.times);
    push_sample(x, &s);
    loss_repeat(1);
}

static void push_event(struct push *x, struct event *e)
{
    set_place(x, e->context, e->at);
    switch (e->kind) {
    case EVENT_META: push_meta(x, e); break;
    case EVENT_ROW: sink_row(&x->to->sink, e->row); break;
    case EVENT_TYPES: push_types(x, e->index); break;
    case EVENT_SAMPLE: push_whole(x, e->sample); break;
    case EVENT_TALLY: push_tally(x, e); break;
    case EVENT_LOSS: push_loss(x->from, e->index); break;
    case EVENT_ROUNDING: push_rounding(&x->from->roundings[e->index]); break;
    }
}

static void push(struct part *p, struct part *into, struct merge *to)
{
    struct push x = {.from = p, .into = into, .to = to};
    struct stacks_pass pass = {0};
    stacks_offset offset;
    size_t done = 0;
    to->sink.flow->growth = (struct growth){0};
    for (uint32_t number = 0; stacks_next(&p->stacks, &pass, &offset); number++) {
        while (done < p->event_count && p->events[done].before <= number)
            push_event(&x, &p->events[done++]);
        push_stack(&x, offset);
    }
    while (done < p->event_count)
        push_event(&x, &p->events[done++]);
    mem_free(x.types);
    mem_free(x.locations);
    mem_free(x.lines);
}

void part_push(struct part *p, struct merge *merge)
{
    push(p, NULL, merge);
}

void part_push_into(struct part *p, struct part *into)
{
    push(p, into, &into->merge);
}

/* --- the part --- */

struct part *part_open(void)
{
    struct part *p = mem_alloc_zeroed(sizeof *p);
    p->sink = (struct sink){&p->flow, take_row, take_sample};
    p->last.sink = (struct sink){&p->flow, keep_row, keep_sample};
    p->merge = merge_of(&p->last.sink);
    p->flow.adds_up = true;
    p->losses.add = take_loss;
    p->stacks.has_notes = true;
    return p;
}

struct sink *part_sink(struct part *p)
{
    return &p->sink;
}

void part_enter(struct part *p)
{
    loss_divert(&p->losses);
}

void part_finish(struct part *p)
{
    note_types(p);
    stacks_finish(&p->stacks);
    if (sums_is_wide(&p->stacks.sums) || sums_is_wide(&p->tallies))
        diag_main_only();
}

void part_free(struct part *p)
{
    struct intern *interns[] = {&p->metas,  &p->loss_keys,  &p->class_keys,
                                &p->values, &p->tally_keys, &p->heads};
    void *blocks[] = {p->events,      p->roundings, p->contexts, p->meta_counts,
                      p->loss_counts, p->classes,   p->frames};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    merge_free(&p->merge);
    value_types_free(&p->flow.types);
    sums_free(&p->tallies);
    stacks_free(&p->stacks);
    arena_free(&p->arena);
    buf_free(&p->key);
    buf_free(&p->head);
    mem_free(p);
}

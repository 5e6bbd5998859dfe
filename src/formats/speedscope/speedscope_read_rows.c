/* Rows of sources and samples, once all of the file has been read. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "formats/speedscope/speedscope_text.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <stdlib.h>

/* A source: profiles FIRST to FIRST + COUNT - 1. */
struct source {
    int64_t id;
    const struct speedscope_profile *first;
    size_t count;
};

/* State for making the samples of a source. */
struct pusher {
    struct speedscope_reader *r;
    struct spools_walk stacks, *weights; /* of each of its profiles */
    uint32_t *types;                     /* of values */
    struct sample_value *values;
    struct buf *texts; /* of values that are not integers */
    struct speedscope_stack stack;
    int64_t *locations; /* not shared */
    size_t capacity;
    int64_t sample_id;
};

/* --- sources --- */

/* Adds the member NAME with the string BYTES, unless p is NULL. Invalid UTF-8 is recorded. */
static void add_string(struct buf *to, struct str name, struct str bytes)
{
    struct buf text = {0};
    if (bytes.p == NULL)
        return;
    emit_member(to, name);
    emit_inner_string(to, &text, bytes);
    buf_free(&text);
}

static void add_flag(struct buf *to, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(to, name);
    buf_add(to, STR("true"));
}

/* Sets TYPE and UNIT, canonical text, to those of the values of P. */
static void type_of(const struct speedscope_profile *p, struct buf *type, struct buf *unit)
{
    struct str as;
    type->n = unit->n = 0;
    if (p->is_marked) {
        text_escape(type, p->mark_type);
        text_escape(unit, p->mark_unit);
        return;
    }
    struct buf word = {0};
    text_escape(&word, p->unit.p == NULL ? STR("none") : p->unit);
    buf_add(type, speedscope_type(buf_str(&word), &as));
    buf_add(unit, as);
    buf_free(&word);
}

static void add_types(struct speedscope_reader *r, const struct source *s)
{
    struct buf type = {0}, unit = {0};
    listed_begin(&r->extra);
    for (size_t i = 0; i < s->count; i++) {
        type_of(&s->first[i], &type, &unit);
        listed_add(&r->extra, buf_str(&type), buf_str(&unit), LISTED_SUM);
    }
    listed_end(&r->extra);
    buf_free(&type);
    buf_free(&unit);
}

/* The end of P if none is given. */
static struct decimal usual_end(const struct speedscope_profile *p)
{
    struct decimal end = speedscope_start(p);
    if (p->is_evented)
        return p->first_where.line > 0 ? p->last : end;
    decimal_add(&end, p->sum);
    return end;
}

/* Adds the members kept of P. ACTIVE: it is shown first. */
static void add_profile(struct speedscope_reader *r, const struct speedscope_profile *p,
                        bool active)
{
    size_t at = r->extra.n;
    add_string(&r->extra, STR("name"), p->name);
    add_string(&r->extra, STR("unit"), p->unit);
    if (p->start.p != NULL && decimal_sign(decimal_read(p->start)) != 0)
        add_string(&r->extra, STR("start"), p->start);
    if (p->end.p != NULL && decimal_compare(decimal_read(p->end), usual_end(p)) != 0)
        add_string(&r->extra, STR("end"), p->end);
    add_flag(&r->extra, STR("active"), active);
    add_flag(&r->extra, STR("evented"), p->is_evented);
    if (p->is_marked) {
        emit_member(&r->extra, STR("marked"));
        emit_number(&r->extra, p->mark);
    }
    emit_make_object(&r->extra, at);
}

static void push_source(struct speedscope_reader *r, const struct source *s, const char *uri)
{
    r->extra.n = 0;
    add_types(r, s);
    emit_member(&r->extra, STR(".speedscope"));
    size_t at = r->extra.n;
    add_string(&r->extra, STR("name"), r->file_name);
    add_string(&r->extra, STR("exporter"), r->exporter);
    emit_member(&r->extra, STR("profiles"));
    for (size_t i = 0; i < s->count; i++) {
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        add_profile(r, &s->first[i], &s->first[i] - r->profiles == r->active);
    }
    buf_add(&r->extra, STR("]"));
    emit_make_object(&r->extra, at);
    bytes_rows_source(&r->rows, r->sink, s->id, STR("speedscope"), uri, r->request->timestamp,
                      &r->extra);
}

/* --- samples --- */

/* Sets the locations to those of the stack, innermost first. */
static void turn_stack(struct pusher *p)
{
    const uint32_t *frames = p->stack.frames;
    size_t depth = p->stack.depth;
    if (depth > p->capacity)
        p->locations = mem_array(p->locations, &p->capacity, depth, sizeof *p->locations);
    int64_t *locations = p->locations;
    for (size_t i = 0; i < depth; i++)
        locations[i] = (int64_t)frames[depth - 1 - i] + 1;
}

/* Reads the next weight of profile number I of the source. */
static void read_weight(struct pusher *p, size_t i)
{
    struct spools *spools = p->r->spools;
    int64_t head;
    uint64_t size;
    struct number *to = &p->values[i].value;
    spools_read(spools, &p->weights[i], &head, sizeof head);
    if (head != SPEEDSCOPE_TEXT) {
        *to = number_of(head);
        return;
    }
    struct buf *text = &p->texts[i];
    text->n = 0;
    spools_read(spools, &p->weights[i], &size, sizeof size);
    char *bytes = buf_reserve(text, size + 1);
    spools_read(spools, &p->weights[i], bytes, size);
    bytes[size] = '\0';
    *to = (struct number){.kind = NUMBER_REAL, .real = {bytes, size}};
}

/* The receiver may change what a sample points to, so everything is set again for each sample. */
static void push_sample(struct pusher *p, const struct source *s)
{
    for (size_t i = 0; i < s->count; i++)
        p->values[i].type = p->types[i];
    sink_sample(p->r->sink, &(struct sample){.sample_id = ++p->sample_id,
                                             .source_id = s->id,
                                             .values = p->values,
                                             .value_count = s->count,
                                             .locations = p->locations,
                                             .depth = p->stack.depth});
}

/* The time between the start of P and its first event. */
static struct decimal gap_of(const struct speedscope_profile *p)
{
    struct decimal length = p->first;
    if (!p->is_evented || p->first_where.line == 0)
        return decimal_of(0);
    decimal_subtract(&length, speedscope_start(p));
    return length;
}

/* The number LENGTH; if it is not an integer its text is in TO. */
static struct number number_of_decimal(struct decimal length, struct buf *to)
{
    int64_t integer;
    if (decimal_is_integer(length, &integer))
        return number_of(integer);
    to->n = 0;
    decimal_write_real(to, length);
    return (struct number){.kind = NUMBER_REAL, .real = {to->p, to->n - 1}};
}

/* The time before the first event becomes a sample with an empty stack. */
static void push_start(struct pusher *p, const struct source *s)
{
    bool is_there = false;
    for (size_t i = 0; i < s->count; i++) {
        struct decimal length = gap_of(&s->first[i]);
        is_there |= decimal_sign(length) > 0;
        p->values[i].value = number_of_decimal(length, &p->texts[i]);
    }
    if (!is_there)
        return;
    push_sample(p, s);
}

/* Pushes the samples of S. */
static void push_samples(struct pusher *p, const struct source *s)
{
    struct buf type = {0}, unit = {0};
    p->stacks = (struct spools_walk){.strand = s->first->stacks};
    p->stack.depth = 0;
    p->weights = mem_alloc_zeroed(s->count * sizeof *p->weights);
    p->types = mem_alloc_zeroed(s->count * sizeof *p->types);
    p->values = mem_alloc_zeroed(s->count * sizeof *p->values);
    p->texts = mem_alloc_zeroed(s->count * sizeof *p->texts);
    for (size_t i = 0; i < s->count; i++) {
        type_of(&s->first[i], &type, &unit);
        p->weights[i].strand = s->first[i].weights;
        p->types[i] = value_types_add(&p->r->sink->flow->types, buf_str(&type), buf_str(&unit));
    }
    push_start(p, s);
    while (speedscope_next_stack(p->r->spools, &p->stacks, &p->stack)) {
        for (size_t i = 0; i < s->count; i++)
            read_weight(p, i);
        turn_stack(p);
        push_sample(p, s);
    }
    spools_leave(&p->stacks);
    for (size_t i = 0; i < s->count; i++) {
        spools_leave(&p->weights[i]);
        buf_free(&p->texts[i]);
    }
    mem_free(p->weights);
    mem_free(p->types);
    mem_free(p->values);
    mem_free(p->texts);
    buf_free(&type);
    buf_free(&unit);
}

/* The source that begins with the profile at index PLACE. */
static struct source source_at(const struct speedscope_reader *r, size_t place, int64_t id)
{
    struct source s = {id, &r->profiles[place], 1};
    while (place + s.count < r->profile_count && s.first[s.count].joins)
        s.count++;
    return s;
}

void speedscope_push_rows(struct speedscope_reader *r, const char *uri)
{
    struct pusher p = {.r = r};
    int64_t id = 0;
    if (r->profile_count == 0 && r->file_name.p != NULL) /* no source can hold it */
        loss_add(LOSS_OWN, STR("name"), 1);
    if (r->profile_count == 0 && r->exporter.p != NULL)
        loss_add(LOSS_OWN, STR("exporter"), 1);
    for (size_t i = 0; i < r->profile_count;) {
        struct source s = source_at(r, i, ++id);
        push_source(r, &s, uri);
        i += s.count;
    }
    id = 0;
    for (size_t i = 0; i < r->profile_count;) {
        struct source s = source_at(r, i, ++id);
        push_samples(&p, &s);
        i += s.count;
    }
    mem_free(p.stack.frames);
    mem_free(p.locations);
}

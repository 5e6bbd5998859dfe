#include "filters/select_steps.h"

#include "base/mem.h"
#include "rows/emit.h"

#include <fnmatch.h>

void select_steps_open(struct select_steps *s, const struct select_options *o)
{
    s->items = mem_alloc_zeroed((o->count + 1) * sizeof *s->items);
    s->count = o->count;
    for (size_t i = 0; i < o->count; i++) {
        struct select_step *step = &s->items[i];
        step->kind = o->requests[i].kind;
        step->argument = o->requests[i].argument;
        select_parse(step, o->how);
        s->needs_time |= step->is_time;
    }
}

/* --- rows --- */

static bool picks_frames(const struct select_step *step)
{
    return step->match.regex != NULL && step->kind != SELECT_LABEL;
}

void select_steps_mapping(struct select_steps *s, struct str file)
{
    for (size_t i = 0; i < s->count; i++)
        if (picks_frames(&s->items[i]))
            match_add_mapping(&s->items[i].match, file);
}

void select_steps_function(struct select_steps *s, struct str name, struct str file)
{
    for (size_t i = 0; i < s->count; i++)
        if (picks_frames(&s->items[i]))
            match_add_function(&s->items[i].match, name, file);
}

void select_steps_location(struct select_steps *s, const struct match_frame *frame)
{
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        if (!picks_frames(step))
            continue;
        match_add_location(&step->match, frame);
        /* pprof shows whatever has a line but no function, and nothing that has neither */
        if (step->kind == SELECT_SHOW && step->match.where == MATCH_ANYWHERE &&
            frame->function == 0 && frame->file.n == 0)
            step->match.locations.items[step->match.locations.count - 1] = frame->line >= 0;
    }
}

/* Whether NAME is PATTERN, or what that says as a glob. */
static bool is_name(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

/* Whether the last part of NAME, or all of it, is what PATTERN says. */
static bool is_source(const char *pattern, const char *name)
{
    const char *slash = strrchr(name, '/');
    return is_name(pattern, name) || (slash != NULL && is_name(pattern, slash + 1));
}

bool select_steps_source(struct select_steps *s, struct str name, uint32_t number)
{
    static const struct str end = {"", 1};
    struct buf text = {0}, numbered = {0};
    bool is_left = true;
    buf_add(&text, name);
    buf_add(&text, end);
    buf_add(&numbered, name);
    buf_add(&numbered, STR("#"));
    emit_number(&numbered, number);
    buf_add(&numbered, end);
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        struct match_found *to = &step->sources;
        to->items = mem_array(to->items, &to->capacity, to->count + 1, sizeof *to->items);
        to->items[to->count++] = step->kind != SELECT_SOURCE || is_source(step->argument, text.p) ||
                                 is_source(step->argument, numbered.p);
        is_left &= to->items[to->count - 1];
        step->positions = mem_array_zeroed(step->positions, &step->position_capacity, to->count,
                                           sizeof *step->positions);
    }
    buf_free(&text);
    buf_free(&numbered);
    return is_left;
}

void select_steps_clear(struct select_steps *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        match_clear(&step->match);
        step->sources.count = 0;
        if (step->positions != NULL)
            memset(step->positions, 0, step->position_capacity * sizeof *step->positions);
    }
}

/* --- samples --- */

static int64_t next_position(struct select_step *step, const struct select_view *v)
{
    return ++step->positions[v->sample->source_id - 1];
}

static bool is_in_samples(struct select_step *step, const struct select_view *v)
{
    int64_t at = step->is_time ? v->time : next_position(step, v);
    return at >= step->range.from.number && at <= step->range.to.number;
}

static bool has_type(const struct select_step *step, struct str type, struct str unit)
{
    return str_equal(buf_str(&step->type), type) &&
           (step->unit.n == 0 || str_equal(buf_str(&step->unit), unit));
}

bool select_steps_type(const struct select_steps *s, struct str type, struct str unit)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].kind == SELECT_TYPE && !has_type(&s->items[i], type, unit))
            return false;
    return true;
}

/* Leaves the values of the type of STEP; false where there is none. */
static bool pick_values(const struct select_step *step, struct select_view *v)
{
    struct sample *sample = v->sample;
    size_t count = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct value_type *type = value_types_get(&v->flow->types, sample->values[i].type);
        if (has_type(step, type->type, type->unit))
            sample->values[count++] = sample->values[i];
    }
    sample->value_count = count;
    return count > 0;
}

/* Of each N samples of a source the one in the middle stays, and stands for all. */
static bool is_nth(struct select_step *step, struct select_view *v)
{
    int64_t at = next_position(step, v) - 1;
    if (at % step->number != (step->number - 1) / 2)
        return false;
    if (__builtin_mul_overflow(v->times, step->number, &v->times))
        die(STATUS_INPUT, "--thin: each sample would stand for more than 64 bits can count");
    return true;
}

/* Takes V through STEP; false where it goes. */
static bool take_step(struct select_step *step, struct select_view *v)
{
    bool is_left;
    switch (step->kind) {
    case SELECT_SOURCE: is_left = step->sources.items[v->sample->source_id - 1]; break;
    case SELECT_LABEL: is_left = select_label(step, v); break;
    case SELECT_SAMPLES: is_left = is_in_samples(step, v); break;
    case SELECT_TYPE: is_left = pick_values(step, v); break;
    case SELECT_THIN: return is_nth(step, v);
    default: return select_stack(step, v);
    }
    step->has_matched |= is_left;
    return is_left;
}

bool select_steps_sample(struct select_steps *s, struct select_view *v)
{
    for (size_t i = 0; i < s->count; i++) {
        s->items[i].was_asked = true;
        if (!take_step(&s->items[i], v))
            return false;
    }
    return true;
}

/* --- the end --- */

/* Whether it is worth a word that STEP found nothing: numbers of frames and of samples ask for nothing. */
static bool looks_for_something(const struct select_step *step)
{
    switch (step->kind) {
    case SELECT_MAX_DEPTH:
    case SELECT_DROP_GC:
    case SELECT_THIN: return false;
    case SELECT_TRIM_ROOT:
    case SELECT_TRIM_LEAF: return !step->is_number;
    default: return true;
    }
}

void select_steps_close(struct select_steps *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        if (step->was_asked && !step->has_matched && looks_for_something(step))
            warn("--%s: \"%s\" has matched nothing", select_name(step->kind), step->argument);
        match_free(&step->match);
        buf_free(&step->key);
        buf_free(&step->value);
        buf_free(&step->type);
        buf_free(&step->unit);
        mem_free(step->sources.items);
        mem_free(step->positions);
    }
    mem_free(s->items);
    *s = (struct select_steps){0};
}

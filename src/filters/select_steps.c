#include "filters/select_steps.h"

#include "base/mem.h"
#include "rows/emit.h"

#include <fnmatch.h>

/* --- the kinds of steps --- */

static const struct select_action actions[] = {
    [SELECT_FOCUS] = {"focus", select_parse_frame, select_focus},
    [SELECT_IGNORE] = {"ignore", select_parse_frame, select_ignore},
    [SELECT_HIDE] = {"hide", select_parse_frame, select_hide},
    [SELECT_SHOW] = {"show", select_parse_frame, select_show},
    [SELECT_TRIM_ROOT] = {"trim-root", select_parse_trim, select_trim_root},
    [SELECT_TRIM_LEAF] = {"trim-leaf", select_parse_trim, select_trim_leaf},
    [SELECT_MAX_DEPTH] = {"max-depth", select_parse_max_depth, select_max_depth},
    [SELECT_DROP_GC] = {"drop-gc", select_parse_gc, select_drop_gc},
    [SELECT_SOURCE] = {"source", NULL, select_source},
    [SELECT_LABEL] = {"label", select_parse_label, select_label},
    [SELECT_NO_LABEL] = {"no-label", select_parse_label, select_no_label},
    [SELECT_SAMPLES] = {"samples", select_parse_samples, select_samples},
    [SELECT_TYPE] = {"type", select_parse_type, select_type},
    [SELECT_THIN] = {"thin", select_parse_thin, select_thin},
};

void select_steps_open(struct select_steps *s, const struct select_options *o)
{
    s->items = mem_alloc_zeroed((o->count + 1) * sizeof *s->items);
    s->count = o->count;
    for (size_t i = 0; i < o->count; i++) {
        struct select_step *step = &s->items[i];
        step->kind = o->requests[i].kind;
        step->action = &actions[step->kind];
        step->argument = o->requests[i].argument;
        if (step->action->parse != NULL)
            step->action->parse(step, o->how);
        s->needs_time |= step->is_time;
    }
}

/* --- rows --- */

static bool picks_frames(const struct select_step *step)
{
    return step->match.regex != NULL && step->kind != SELECT_LABEL && step->kind != SELECT_NO_LABEL;
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
        /* as in pprof: show locations with a line but no function, hide those with neither */
        if (step->kind == SELECT_SHOW && step->match.where == MATCH_ANYWHERE &&
            frame->function == 0 && frame->file.n == 0)
            step->match.locations.items[step->match.locations.count - 1] = frame->line >= 0;
    }
}

/* Whether NAME equals PATTERN, or matches it as a glob. */
static bool is_name(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

/* Whether the last part of NAME, or all of it, matches PATTERN. */
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

bool select_steps_type(const struct select_steps *s, struct str type, struct str unit)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].kind == SELECT_TYPE && !select_has_type(&s->items[i], type, unit))
            return false;
    return true;
}

bool select_steps_sample(struct select_steps *s, struct select_view *v)
{
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        step->was_asked = true;
        if (!step->action->apply(step, v))
            return false;
    }
    return true;
}

/* --- the end --- */

void select_steps_close(struct select_steps *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct select_step *step = &s->items[i];
        if (step->was_asked && !step->has_matched)
            warn(CODE_NO_MATCH, "--%s: \"%s\" matches nothing", step->action->name, step->argument);
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

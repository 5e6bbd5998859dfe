/* Steps that change the stack of a sample. */
#include "filters/select_step.h"

/* --- arguments --- */

void select_parse_frame(struct select_step *step, struct regex_how how)
{
    match_open(&step->match, step->action->name, step->argument, how);
}

void select_parse_trim(struct select_step *step, struct regex_how how)
{
    step->is_number = select_parse_digits(step->argument, &step->number);
    if (!step->is_number)
        select_parse_frame(step, how);
}

void select_parse_max_depth(struct select_step *step, struct regex_how how)
{
    (void)how;
    if (!select_parse_digits(step->argument, &step->number) || step->number < 1)
        select_die_argument(step, "a number from 1");
}

void select_parse_gc(struct select_step *step, struct regex_how how)
{
    (void)how;
    match_open(&step->match, step->action->name, "name:^<GC>$", (struct regex_how){0});
}

/* --- frames --- */

/* Whether the remaining frame I matches STEP. */
static bool has_frame(const struct select_step *step, const struct select_view *v, size_t i)
{
    return match_has(&step->match, v->sample->locations[v->positions[i]]);
}

static bool has_any(const struct select_step *step, const struct select_view *v)
{
    for (size_t i = 0; i < v->depth; i++)
        if (has_frame(step, v, i))
            return true;
    return false;
}

/* Keeps COUNT frames from FROM on. */
static void cut(struct select_view *v, size_t from, size_t count)
{
    v->positions += from;
    v->depth = count;
}

/* Keeps the frames that match STEP, or all others. */
static void pick(const struct select_step *step, struct select_view *v, bool picked)
{
    size_t count = 0;
    for (size_t i = 0; i < v->depth; i++) {
        v->positions[count] =
            v->positions[i]; /* overwritten by the next, unless this one is kept */
        count += has_frame(step, v, i) == picked;
    }
    v->depth = count;
}

/* Removes the frames outside of the outermost match; false if there is no match. */
static bool trim_root(const struct select_step *step, struct select_view *v)
{
    for (size_t i = v->depth; i > 0; i--)
        if (has_frame(step, v, i - 1)) {
            cut(v, 0, i);
            return true;
        }
    return false;
}

/* Removes the frames inside of the innermost match; false if there is no match. */
static bool trim_leaf(const struct select_step *step, struct select_view *v)
{
    for (size_t i = 0; i < v->depth; i++)
        if (has_frame(step, v, i)) {
            cut(v, i, v->depth - i);
            return true;
        }
    return false;
}

/* The number of frames left in V after STEP has removed its number of frames. */
static size_t rest(const struct select_step *step, const struct select_view *v)
{
    return (uint64_t)step->number < v->depth ? v->depth - (size_t)step->number : 0;
}

/* Records and returns whether STEP matched. */
static bool found(struct select_step *step, bool has)
{
    step->has_matched |= has;
    return has;
}

/* Whether to keep the sample of V, which had BEFORE frames: a sample is dropped only if it loses
 * its last frame. */
static bool has_rest(const struct select_view *v, size_t before)
{
    return v->depth > 0 || before == 0;
}

/* --- steps --- */

bool select_focus(struct select_step *step, struct select_view *v)
{
    return found(step, has_any(step, v));
}

bool select_ignore(struct select_step *step, struct select_view *v)
{
    return !found(step, has_any(step, v));
}

bool select_hide(struct select_step *step, struct select_view *v)
{
    size_t before = v->depth;
    pick(step, v, false);
    found(step, v->depth < before);
    return has_rest(v, before);
}

bool select_drop_gc(struct select_step *step, struct select_view *v)
{
    found(step, true); /* no warning for a profile without garbage collection */
    return select_hide(step, v);
}

bool select_show(struct select_step *step, struct select_view *v)
{
    pick(step, v, true);
    return found(step, v->depth > 0);
}

bool select_trim_root(struct select_step *step, struct select_view *v)
{
    size_t before = v->depth;
    if (!step->is_number)
        return found(step, trim_root(step, v));
    found(step, true);
    cut(v, 0, rest(step, v));
    return has_rest(v, before);
}

bool select_trim_leaf(struct select_step *step, struct select_view *v)
{
    size_t before = v->depth;
    if (!step->is_number) {
        found(step, trim_leaf(step, v));
        return has_rest(v, before);
    }
    found(step, true);
    cut(v, v->depth - rest(step, v), rest(step, v));
    return has_rest(v, before);
}

bool select_max_depth(struct select_step *step, struct select_view *v)
{
    found(step, true);
    cut(v, rest(step, v), v->depth - rest(step, v));
    return true; /* a frame is always left if there was one */
}

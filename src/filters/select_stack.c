/* What steps do with the stack of a sample. */
#include "filters/select_steps.h"

/* Whether the frame I of those that are left is one that STEP picks. */
static bool has_frame(const struct select_step *step, const struct select_view *v, size_t i)
{
    return match_has(&step->match, v->sample->locations[v->places[i]]);
}

static bool has_any(const struct select_step *step, const struct select_view *v)
{
    for (size_t i = 0; i < v->depth; i++)
        if (has_frame(step, v, i))
            return true;
    return false;
}

/* Leaves COUNT frames from FROM on. */
static void cut(struct select_view *v, size_t from, size_t count)
{
    v->places += from;
    v->depth = count;
}

/* Leaves the frames that STEP picks, or all others. */
static void pick(const struct select_step *step, struct select_view *v, bool picked)
{
    size_t count = 0;
    for (size_t i = 0; i < v->depth; i++) {
        v->places[count] = v->places[i]; /* overwritten by the next, unless this one stays */
        count += has_frame(step, v, i) == picked;
    }
    v->depth = count;
}

/* Cuts what stands outside of the outermost frame that STEP picks; false where there is none. */
static bool trim_root(const struct select_step *step, struct select_view *v)
{
    for (size_t i = v->depth; i > 0; i--)
        if (has_frame(step, v, i - 1)) {
            cut(v, 0, i);
            return true;
        }
    return false;
}

/* Cuts what stands inside of the innermost frame that STEP picks; false where there is none. */
static bool trim_leaf(const struct select_step *step, struct select_view *v)
{
    for (size_t i = 0; i < v->depth; i++)
        if (has_frame(step, v, i)) {
            cut(v, i, v->depth - i);
            return true;
        }
    return false;
}

/* How many frames are left when STEP takes so many off, of V. */
static size_t rest(const struct select_step *step, const struct select_view *v)
{
    return (uint64_t)step->number < v->depth ? v->depth - (size_t)step->number : 0;
}

bool select_stack(struct select_step *step, struct select_view *v)
{
    size_t before = v->depth;
    bool has_match = true, needs_match = false;
    switch (step->kind) {
    case SELECT_FOCUS:
        has_match = has_any(step, v);
        needs_match = true;
        break;
    case SELECT_IGNORE:
        has_match = has_any(step, v);
        v->depth = has_match ? 0 : before;
        break;
    case SELECT_HIDE:
    case SELECT_DROP_GC:
        pick(step, v, false);
        has_match = v->depth < before;
        break;
    case SELECT_SHOW:
        pick(step, v, true);
        has_match = v->depth > 0;
        needs_match = true;
        break;
    case SELECT_TRIM_ROOT:
        needs_match = !step->is_number;
        if (step->is_number)
            cut(v, 0, rest(step, v));
        else
            has_match = trim_root(step, v);
        break;
    case SELECT_TRIM_LEAF:
        if (step->is_number)
            cut(v, v->depth - rest(step, v), rest(step, v));
        else
            has_match = trim_leaf(step, v);
        break;
    default: /* SELECT_MAX_DEPTH */ cut(v, rest(step, v), v->depth - rest(step, v)); break;
    }
    step->has_matched |= has_match;
    return needs_match ? has_match : v->depth > 0 || before == 0;
}

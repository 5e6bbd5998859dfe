/* select_step.h - one step of filter_select: how its argument is read, and what it does to a sample. */
#ifndef PROFPIPE_SELECT_STEP_H
#define PROFPIPE_SELECT_STEP_H

#include "filters/select.h"
#include "stream/sink.h"

struct select_step;
struct select_view;

/* What steps of one kind do. */
struct select_action {
    const char *name; /* of the option */

    /* Reads the argument of STEP; ends the tool (STATUS_USAGE) where it is wrong.  May be NULL. */
    void (*parse)(struct select_step *step, struct regex_how how);

    /* Takes V through STEP; false where that takes the sample out.  Sets has_matched once it found something,
     * or where it looks for nothing. */
    bool (*apply)(struct select_step *step, struct select_view *v);
};

/* A range of numbers, both ends included. */
struct select_range {
    struct select_bound {
        bool is_there;
        int64_t number;
        struct str unit; /* empty: that of what is compared */
    } from, to;
};

/* A step at work. */
struct select_step {
    enum select_kind kind;
    const struct select_action *action;
    const char *argument;
    bool is_number; /* the argument of a trim counts frames, that of a label may be a range */
    bool is_time;   /* of SAMPLES: the range is one of time */
    int64_t number; /* of frames, or the N of 1/N */
    struct match match;
    size_t key_length;          /* of LABEL: of what stands in front of the '=' */
    struct buf key, value;      /* of LABEL: those of the label in hand */
    struct select_range range;  /* of LABEL; of SAMPLES positions from 1, or nanoseconds */
    struct buf type, unit;      /* of TYPE, canonical text; an empty unit is any */
    struct match_found sources; /* of SOURCE: those it picks */
    int64_t *positions;         /* of SAMPLES and THIN: how many came to the step, by source - 1 */
    size_t position_capacity;
    bool was_asked, has_matched; /* some sample came to it, and it found one */
};

/* A sample on its way through the steps. */
struct select_view {
    struct flow *flow;
    struct sample *sample;
    uint32_t *places; /* of the frames that are left, in the stack that came, innermost first */
    size_t depth;     /* how many */
    int64_t time;     /* nanoseconds since its source began */
    int64_t times;    /* each sample stands for so many */
};

/* For the table in select_steps.c: what reads the arguments of steps, and what they do. */
void select_parse_frame(struct select_step *step, struct regex_how how);
void select_parse_trim(struct select_step *step, struct regex_how how);
void select_parse_max_depth(struct select_step *step, struct regex_how how);
void select_parse_gc(struct select_step *step, struct regex_how how);
void select_parse_label(struct select_step *step, struct regex_how how);
void select_parse_samples(struct select_step *step, struct regex_how how);
void select_parse_thin(struct select_step *step, struct regex_how how);
void select_parse_type(struct select_step *step, struct regex_how how);
bool select_focus(struct select_step *step, struct select_view *v);
bool select_ignore(struct select_step *step, struct select_view *v);
bool select_hide(struct select_step *step, struct select_view *v);
bool select_show(struct select_step *step, struct select_view *v);
bool select_trim_root(struct select_step *step, struct select_view *v);
bool select_trim_leaf(struct select_step *step, struct select_view *v);
bool select_max_depth(struct select_step *step, struct select_view *v);
bool select_drop_gc(struct select_step *step, struct select_view *v);
bool select_source(struct select_step *step, struct select_view *v);
bool select_label(struct select_step *step, struct select_view *v);
bool select_samples(struct select_step *step, struct select_view *v);
bool select_type(struct select_step *step, struct select_view *v);
bool select_thin(struct select_step *step, struct select_view *v);

/* Whether STEP, of TYPE, picks values of TYPE in UNIT, canonical text. */
bool select_has_type(const struct select_step *step, struct str type, struct str unit);

/* For what reads arguments. */

/* Ends the tool (STATUS_USAGE): the argument of STEP is not what was EXPECTED. */
_Noreturn void select_die_argument(const struct select_step *step, const char *expected);

/* Whether TEXT is a number from 0 in digits alone; if so *NUMBER is that, or the largest there is. */
bool select_parse_digits(const char *text, int64_t *number);

#endif

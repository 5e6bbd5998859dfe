/* select_step.h - one step of filter_select: parses its argument and applies it to samples. */
#ifndef PROFPIPE_SELECT_STEP_H
#define PROFPIPE_SELECT_STEP_H

#include "filters/select.h"
#include "stream/sink.h"

struct select_step;
struct select_view;

/* A kind of step. */
struct select_action {
    const char *name; /* of the option */

    /* Parses the argument of STEP; ends the tool (STATUS_USAGE) if it is not valid. May be NULL. */
    void (*parse)(struct select_step *step, struct regex_how how);

    /* Applies STEP to V; false if the sample is dropped. Sets has_matched once the step found
     * something, or if it need not find anything. */
    bool (*apply)(struct select_step *step, struct select_view *v);
};

/* A range of numbers, including both ends. */
struct select_range {
    struct select_bound {
        bool is_there;
        int64_t number;
        struct str unit; /* empty: the unit of the compared value */
    } from, to;
};

/* A step in use. */
struct select_step {
    enum select_kind kind;
    const struct select_action *action;
    const char *argument;
    /* the argument of a trim is a number of frames, or that of a label may be a range */
    bool is_number;
    bool is_time;   /* SAMPLES: the range is in time */
    int64_t number; /* number of frames, or the N of 1/N */
    struct match match;
    size_t key_length;          /* LABEL: bytes before the '=' */
    struct buf key, value;      /* LABEL: of the label being looked at */
    struct select_range range;  /* LABEL; SAMPLES: positions from 1, or nanoseconds */
    struct buf type, unit;      /* TYPE: canonical text; an empty unit matches any */
    struct match_found sources; /* SOURCE: the matching sources */
    /* SAMPLES, THIN: number of samples that reached the step, by source - 1 */
    int64_t *positions;
    size_t position_capacity;
    bool was_asked, has_matched; /* a sample reached the step; one matched */
};

/* A sample passing through the steps. */
struct select_view {
    struct flow *flow;
    struct sample *sample;
    uint32_t *positions; /* of the remaining frames in the original stack, innermost first */
    size_t depth;        /* number of remaining frames */
    int64_t time;        /* nanoseconds since the first sample of its source */
    int64_t times;       /* each sample counts this often */
    bool is_thinned;     /* it was dropped by THIN: one that stays stands for it */
};

/* The functions that parse and apply steps, for the table in select_steps.c. */
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
bool select_no_label(struct select_step *step, struct select_view *v);
bool select_samples(struct select_step *step, struct select_view *v);
bool select_type(struct select_step *step, struct select_view *v);
bool select_thin(struct select_step *step, struct select_view *v);

/* Whether STEP, a SELECT_TYPE, selects values of TYPE in UNIT (canonical text). */
bool select_has_type(const struct select_step *step, struct str type, struct str unit);

/* Helpers for parsing arguments. */

/* Ends the tool (STATUS_USAGE): the argument of STEP should be EXPECTED. */
_Noreturn void select_die_argument(const struct select_step *step, const char *expected);

/* Whether TEXT is a number >= 0 of digits only. *NUMBER is set to it, or to the max if it is too
 * large. */
bool select_parse_digits(const char *text, int64_t *number);

#endif

/* select_steps.h - the steps of filter_select at work. */
#ifndef PROFPIPE_SELECT_STEPS_H
#define PROFPIPE_SELECT_STEPS_H

#include "filters/select.h"
#include "stream/sink.h"

/* A range of numbers, both ends included. */
struct select_range {
    struct select_bound {
        bool is_there;
        int64_t number;
        struct str unit; /* empty: that of what is compared */
    } from, to;
};

struct select_step {
    enum select_kind kind;
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

struct select_steps {
    struct select_step *items;
    size_t count;
    bool needs_time; /* of samples */
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

/* Makes S, all zero, the steps of O.  Ends the tool (STATUS_USAGE) where an argument is wrong. */
void select_steps_open(struct select_steps *s, const struct select_options *o);

/* Take the next row that defines something, ids as the merge gives them.  A source is called NAME by
 * people, and is number NUMBER, from 1, of those that are, in all profiles; false where no step lets its samples
 * through. */
void select_steps_mapping(struct select_steps *s, struct str file);
void select_steps_function(struct select_steps *s, struct str name, struct str file);
void select_steps_location(struct select_steps *s, const struct match_frame *frame);
bool select_steps_source(struct select_steps *s, struct str name, uint32_t number);

/* Takes V through all steps; false where one takes the sample out. */
bool select_steps_sample(struct select_steps *s, struct select_view *v);

/* Whether a value of TYPE in UNIT, canonical text, is one that all steps leave. */
bool select_steps_type(const struct select_steps *s, struct str type, struct str unit);

/* The next profile begins. */
void select_steps_clear(struct select_steps *s);

/* Warns of each step that found nothing, and frees what S holds. */
void select_steps_close(struct select_steps *s);

/* For that: does STEP, of what a stack has, to V; false where it takes the sample out. */
bool select_stack(struct select_step *step, struct select_view *v);

/* For LABEL: whether the sample of V has a label that STEP asks for. */
bool select_label(struct select_step *step, const struct select_view *v);

/* The name of the option KIND. */
const char *select_name(enum select_kind kind);

/* For select_steps_open: reads the argument of STEP. */
void select_parse(struct select_step *step, struct regex_how how);

#endif

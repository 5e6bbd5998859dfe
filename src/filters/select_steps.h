/* select_steps.h - the steps of filter_select at work. */
#ifndef PROFPIPE_SELECT_STEPS_H
#define PROFPIPE_SELECT_STEPS_H

#include "filters/select_step.h"

struct select_steps {
    struct select_step *items;
    size_t count;
    bool needs_time; /* of samples */
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

#endif

/* select_steps.h - the list of steps of filter_select. */
#ifndef PROFPIPE_SELECT_STEPS_H
#define PROFPIPE_SELECT_STEPS_H

#include "filters/select_step.h"

struct select_steps {
    struct select_step *items;
    size_t count;
    bool needs_time; /* some step needs the time of samples */
};

/* Opens S, all zero, with the steps of O. Ends the tool (STATUS_USAGE) if an argument is not
 * valid. */
void select_steps_open(struct select_steps *s, const struct select_options *o);

/* Take the next row of a definition, with ids from the merge. NAME is the name of a source for
 * people. NUMBER is its number, from 1, over all profiles. select_steps_source returns false if the
 * steps drop all samples of the source. */
void select_steps_mapping(struct select_steps *s, struct str file);
void select_steps_function(struct select_steps *s, struct str name, struct str file);
void select_steps_location(struct select_steps *s, const struct match_frame *frame);
bool select_steps_source(struct select_steps *s, struct str name, uint32_t number);

/* Applies all steps to V; false if one drops the sample. */
bool select_steps_sample(struct select_steps *s, struct select_view *v);

/* Whether all steps keep values of TYPE in UNIT (canonical text). */
bool select_steps_type(const struct select_steps *s, struct str type, struct str unit);

/* Starts the next profile. */
void select_steps_clear(struct select_steps *s);

/* Warns about each step that matched nothing, and frees what S holds. */
void select_steps_close(struct select_steps *s);

#endif

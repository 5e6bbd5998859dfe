/* The options of filter_select. */
#include "filters/select.h"

#include "base/mem.h"
#include "filters/select_steps.h"

void select_add(struct select_options *o, enum select_kind kind, const char *argument)
{
    o->requests = mem_array(o->requests, &o->capacity, o->count + 1, sizeof *o->requests);
    o->requests[o->count++] = (struct select_request){kind, argument};
}

void select_check(const struct select_options *o)
{
    struct select_steps steps = {0};
    select_steps_open(&steps, o);
    select_steps_close(&steps);
}

/* prof1to2 and the converters: each profile passes on its own. The stages before this filter do the
 * work. */
#include "filters/filters.h"
#include "rows/emit.h"
#include "stream/emitter.h"

const struct stage filter_pass = {
    .takes = STAGE_TAKES_EACH,
    .state_size = sizeof(struct emitter),
    .open = emitter_open,
};

/* profcat: joins many profiles into one. The merge stage does the work. */
#include "filters/filters.h"
#include "rows/emit.h"
#include "stream/emitter.h"

const struct stage filter_cat = {
    .takes = STAGE_TAKES_MERGED,
    .state_size = sizeof(struct emitter),
    .open = emitter_open,
};

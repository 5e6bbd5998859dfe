/* profcat: many profiles become one.  The merge does the work. */
#include "emit.h"
#include "filter.h"

const struct filter filter_cat = {
    .reads = FILTER_READS_MERGED,
    .state_size = sizeof(struct emitter),
    .open = filter_open_emitter,
};

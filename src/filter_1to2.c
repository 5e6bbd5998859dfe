/* prof1to2: profiles of version 1.x become profiles of version 2.0.  The stage in front of the filter
 * (upgrade.h) does the work. */
#include "emit.h"
#include "filter.h"

const struct filter filter_1to2 = {
    .reads = FILTER_READS_2,
    .promises = true,
    .state_size = sizeof(struct emitter),
    .open = filter_open_emitter,
};

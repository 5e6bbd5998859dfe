/* prof1to2: profiles of version 1.x become profiles of version 2.0.  The stage in front of the filter
 * (upgrade.h) does the work. */
#include "emit.h"
#include "filter.h"

static void pass(void *state, struct row *row, struct out *out)
{
    (void)state;
    emit_row(out, row);
}

const struct filter filter_1to2 = {.reads = FILTER_READS_2, .promises = true, .row = pass};

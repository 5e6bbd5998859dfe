/* resources.h - shows samples of Perun with the columns of Perun's data frames: one for each member
 * of a resource, named as in Perun (perun_flat.h), and `snapshots` for the number of its
 * snapshot. */
#ifndef PROFPIPE_RESOURCES_H
#define PROFPIPE_RESOURCES_H

#include "formats/perun/perun_flat.h"
#include "rows/sample.h"
#include "stream/sink.h"
#include "summary/records.h"

struct resources;

/* Opens resources whose columns are added to FAMILY of RECORDS, which must outlive them. */
struct resources *resources_open(struct records *records, enum column_id family);

/* Keeps what ROW, of any table, says about later samples. */
void resources_row(struct resources *r, const struct row *row, struct place where);

/* The value of `snapshots` for snapshot NUMBER of SOURCE. */
int64_t resources_snapshot(const struct resources *r, int64_t source, int64_t number);

/* Whether SAMPLE is a resource. Call it before the row of the sample begins. *SHARED is set to what
 * the sample shares with others, for records_end. */
bool resources_find(struct resources *r, const struct sample *sample, struct place where,
                    uint32_t *shared);

/* Adds the values of SAMPLE itself to its row. SAMPLE is the last one found by resources_find. */
void resources_add(struct resources *r, const struct sample *sample, struct flow *flow);

/* Adds CELL to the current row of TO, in its column of FAMILY. */
void resources_put(struct records *to, enum column_id family, const struct perun_cell *cell,
                   struct place where);

/* Frees R. */
void resources_free(struct resources *r);

#endif

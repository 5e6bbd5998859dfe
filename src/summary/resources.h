/* resources.h - samples of Perun with the columns that its own data frames have: each member of a resource is one, named
 * as Perun names it (perun_flat.h), and `snapshots` is the number of its snapshot. */
#ifndef PROFPIPE_RESOURCES_H
#define PROFPIPE_RESOURCES_H

#include "formats/perun/perun_flat.h"
#include "rows/sample.h"
#include "stream/sink.h"
#include "summary/records.h"

struct resources;

/* Resources whose columns go to RECORDS, which lives as long, as those of GROUP. */
struct resources *resources_open(struct records *records, unsigned group);

/* Keeps what ROW, of any table, says of the samples to come. */
void resources_row(struct resources *r, const struct row *row, struct place where);

/* What `snapshots` shows of the snapshot that is number NUMBER of the source SOURCE. */
int64_t resources_snapshot(const struct resources *r, int64_t source, int64_t number);

/* Whether SAMPLE is a resource; asked before its own row begins.  *SHARED is what it shares with others, for records_end. */
bool resources_find(struct resources *r, const struct sample *sample, struct place where,
                    uint32_t *shared);

/* Adds what SAMPLE, the last that resources_find has found, has of its own to its row. */
void resources_add(struct resources *r, const struct sample *sample, struct flow *flow);

/* Adds CELL to the row that has begun in TO, in its column of GROUP. */
void resources_put(struct records *to, unsigned group, const struct perun_cell *cell,
                   struct place where);

/* Frees R. */
void resources_free(struct resources *r);

#endif

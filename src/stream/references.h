/* references.h - renumbers references in members of rows that are not columns. */
#ifndef PROFPIPE_REFERENCES_H
#define PROFPIPE_REFERENCES_H

#include "base/buf.h"
#include "base/diag.h"
#include "rows/row.h"

/* Returns the new id for ID, which the member COLUMN of ROW refers to in the table REFERS; 0
 * drops the member. */
typedef int64_t references_mapper(void *with, const struct row *row, struct str column,
                                  enum table refers, int64_t id);

/* Appends the members in the text of ROW, at WHERE, to TO, with each reference replaced by
 * MAP(WITH, ...); the rest is unchanged.  References in the site of a location are left to the
 * caller. */
void references_map(struct buf *to, const struct row *row, struct place where,
                    references_mapper *map, void *with);

#endif

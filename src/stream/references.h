/* references.h - the references in members of rows that are no columns, when ids are given anew. */
#ifndef PROFPIPE_REFERENCES_H
#define PROFPIPE_REFERENCES_H

#include "base/buf.h"
#include "base/diag.h"
#include "rows/row.h"

/* The new id of ID, which the member COLUMN of ROW says of a row of the table REFERS; 0: the member goes. */
typedef int64_t references_mapper(void *with, const struct row *row, struct str column,
                                  enum table refers, int64_t id);

/* Appends the members in the text of ROW, at WHERE, to TO, with each reference as MAP(WITH, ...) says; all
 * else stays as it is.  Those in the site of a location are the caller's. */
void references_map(struct buf *to, const struct row *row, struct place where,
                    references_mapper *map, void *with);

#endif

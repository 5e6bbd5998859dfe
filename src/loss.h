/* loss.h - the count of what had no place in the output.  One tally per process. */
#ifndef PROFPIPE_LOSS_H
#define PROFPIPE_LOSS_H

#include "row.h"

/* Counts COUNT things of the kind WHAT ("values of gauges"), which is a literal; NAME, canonical
 * text, is which of them. */
void loss_add(const char *what, struct str name, uint64_t count);

/* Counts the dotted column NAME of ROW. */
void loss_add_column(const struct row *row, struct str name);

/* Counts all dotted columns of ROW, but for the promise of an end. */
void loss_add_columns(const struct row *row);

/* Says in one line what was counted, if anything was: by kind, and by name under -v.  With
 * LOSSLESS that is an error which ends the tool (STATUS_INPUT).  Forgets the counts. */
void loss_report(bool lossless);

/* Forgets the counts, for callers that survive die(). */
void loss_forget(void);

#endif

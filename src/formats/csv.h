/* csv.h - a line of cells with commas between (RFC 4180), or semicolons or tabs, of which none
 * goes on in the next line. */
#ifndef PROFPIPE_CSV_H
#define PROFPIPE_CSV_H

#include "base/buf.h"
#include "base/diag.h"

/* Takes the next cell off *LINE, which is at WHERE, up to MARK, one of these, and stores it in
 * *CELL, without its quotes: in SCRATCH if there are others in it, which are doubled in the
 * file. All zero *LINE is its end: a line has a cell at least. False if there are no more cells;
 * ends the tool (STATUS_INPUT) if a quote is missing, or stands where none may. */
bool csv_take(struct str *line, char mark, struct str *cell, struct buf *scratch,
              struct place where);

#endif

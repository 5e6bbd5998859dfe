/* scan.h - the second stage: lines become rows.  See also parse.h, which takes what this leaves. */
#ifndef PROFPIPE_SCAN_H
#define PROFPIPE_SCAN_H

#include "row.h"

/* Reads the row that starts at P, in text of whole lines with IN_PADDING bytes behind it, if that
 * is certainly a canonical row (profstream(5), CANONICAL FORM) of a table of one of VERSIONS (bits of
 * enum version) with columns in their ranges: returns what follows its LF.  NULL where it is not certain; *ROW is then undefined, and
 * parse_row decides.  ROW borrows from the text. */
const char *scan_row(const char *p, unsigned versions, struct row *row);

#endif

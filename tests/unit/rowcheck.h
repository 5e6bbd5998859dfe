/* rowcheck.h - the scanner against jansson, on one line. */
#ifndef PROFPIPE_ROWCHECK_H
#define PROFPIPE_ROWCHECK_H

#include "base/str.h"

enum rowcheck {
    ROWCHECK_REFUSED, /* scan_row leaves the line to jansson */
    ROWCHECK_SAME,    /* scan_row took it, jansson did, and all rows are equal */
    ROWCHECK_DIFFERS, /* scan_row took it and should not have, or read something else */
};

/* Compares what scan_row, parse_row, jansson and emit_row make of LINE, which has no LF.  *WHY says
 * in what they differ. */
enum rowcheck rowcheck(struct str line, const char **why);

#endif

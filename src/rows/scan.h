/* scan.h - the fast half of the second stage: turns canonical lines into rows. parse.h reads the
 * others. */
#ifndef PROFPIPE_SCAN_H
#define PROFPIPE_SCAN_H

#include "rows/row.h"

/* Reads the row at P, in text of whole lines followed by INPUT_PADDING bytes, if it is certain
 * to be a canonical row (profstream(5), CANONICAL FORM) of a table of one of VERSIONS (bits of
 * enum version), with all columns in range.  Returns what follows its LF.  Otherwise returns
 * NULL with *ROW undefined: parse_row then decides.  ROW borrows from the text. */
const char *scan_row(const char *p, unsigned versions, struct row *row);

/* The constant start of the rows of one sample's values, and of its locations, as canonical
 * text. */
struct scan_sample {
    struct str value, location;
    char text[2 * 64];
};

/* Sets *HEADS for the sample ID.  The strings point into *HEADS, which must outlive them. */
void scan_sample(int64_t id, struct scan_sample *heads);

/* Reads a row of sample_values at P, in LEFT bytes of whole lines, that starts with HEAD and has
 * LEAD between that and the value.  Returns what follows its LF; NULL if the row is not
 * certainly that. */
const char *scan_value(const char *p, size_t left, struct str head, struct str lead,
                       int64_t *value);

/* The same for a row of sample_locations with that DEPTH. */
const char *scan_location(const char *p, size_t left, struct str head, int64_t depth, int64_t *id);

#endif

/* scan.h - the second stage: lines become rows.  See also parse.h, which takes what this leaves. */
#ifndef PROFPIPE_SCAN_H
#define PROFPIPE_SCAN_H

#include "rows/row.h"

/* Reads the row that starts at P, in text of whole lines with INPUT_PADDING bytes behind it, if that
 * is certainly a canonical row (profstream(5), CANONICAL FORM) of a table of one of VERSIONS (bits of
 * enum version) with columns in their ranges: returns what follows its LF.  NULL where it is not certain; *ROW is then undefined, and
 * parse_row decides.  ROW borrows from the text. */
const char *scan_row(const char *p, unsigned versions, struct row *row);

/* Canonical text in front of what differs between the rows of one sample's values, and of its
 * locations. */
struct scan_sample {
    struct str value, location;
    char text[2 * 64];
};

/* The same for the sample ID; *HEADS must outlive what is returned in it. */
void scan_sample(int64_t id, struct scan_sample *heads);

/* Reads the rest of a row of sample_values at P, LEFT bytes of whole lines, whose text between the head
 * and the value is LEAD: returns what follows its LF, NULL where the row is not certainly that. */
const char *scan_value(const char *p, size_t left, struct str head, struct str lead,
                       int64_t *value);

/* The same for a row of sample_locations with the depth DEPTH. */
const char *scan_location(const char *p, size_t left, struct str head, int64_t depth, int64_t *id);

#endif

/* parse.h - the slow half of the second stage: any line that scan_row could not prove canonical.
 * jansson is the arbiter of what JSON is; this file of what a row is. */
#ifndef PROFPIPE_PARSE_H
#define PROFPIPE_PARSE_H

#include "base/arena.h"
#include "base/limits.h"
#include "rows/finding.h"
#include "rows/row.h"

/* Reads LINE, without its LF, as a row of one of VERSIONS (bits of enum version): any order of
 * members, any white space, any escapes.  Strings and dotted values are made canonical in ARENA; the
 * members of dotted tables stay as they stand.
 *
 * What is wrong with it at WHERE goes to FINDINGS, and ends the tool if that is NULL.  Returns the
 * columns that are missing or do not hold what they must, as bits; they are 0, empty, or null
 * where they may be.  Where there is no telling the table that is TABLE_NONE. */
unsigned parse_row(struct str line, struct place where, unsigned versions,
                   struct findings *findings, struct arena *arena, struct row *row);

/* Reads TEXT as a finite JSON number; false if it is none.  A double borrows TEXT. */
bool parse_number(struct str text, struct number *number);

/* Whether TEXT is a value that a row may hold. */
bool parse_is_value(struct str text);

/* Whether LINE holds nothing but white space. */
bool parse_is_blank(struct str line);

#endif

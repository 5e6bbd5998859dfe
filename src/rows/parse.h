/* parse.h - the slow half of the second stage: reads the lines that scan_row could not prove
 * canonical. jansson decides what is valid JSON, this file what is a valid row. */
#ifndef PROFPIPE_PARSE_H
#define PROFPIPE_PARSE_H

#include "base/arena.h"
#include "base/limits.h"
#include "rows/finding.h"
#include "rows/row.h"

/* Reads LINE, without its LF, as a row of one of VERSIONS (bits of enum version).  Members may
 * be in any order, with any white space and any escapes.  Strings and dotted values are made
 * canonical in ARENA; members of dotted tables stay as they are.
 *
 * Errors are reported to FINDINGS, for WHERE; if that is NULL they end the tool.  Returns the
 * columns that are missing or invalid, as bits; these are set to null if they may be null,
 * otherwise to 0 or empty.  If the table is unknown it is TABLE_NONE. */
unsigned parse_row(struct str line, struct place where, unsigned versions,
                   struct findings *findings, struct arena *arena, struct row *row);

/* Reads TEXT as a finite JSON number; false if it is not one.  A double borrows TEXT. */
bool parse_number(struct str text, struct number *number);

/* Whether TEXT is a JSON value that a row may hold. */
bool parse_is_value(struct str text);

/* Whether LINE is empty or white space. */
bool parse_is_blank(struct str line);

#endif

/* parse.h - the slow half of the second stage: any line that scan_row could not prove canonical.
 * jansson is the arbiter of what JSON is; this file of what a row is. */
#ifndef PROFPIPE_PARSE_H
#define PROFPIPE_PARSE_H

#include "arena.h"
#include "diag.h"
#include "row.h"

/* Reads LINE, without its LF, as a row of version 2.0: any order of members, any white space, any
 * escapes.  Ends the tool with a message for the place WHERE if it is not one.  Strings and
 * dotted values are made canonical in ARENA; the members of dotted tables stay as they stand. */
void parse_row(struct str line, struct place where, struct arena *arena, struct row *row);

/* Reads TEXT as a finite JSON number; false if it is none.  A double borrows TEXT. */
bool parse_number(struct str text, struct number *number);

/* Whether LINE holds nothing but white space. */
bool parse_is_blank(struct str line);

#endif

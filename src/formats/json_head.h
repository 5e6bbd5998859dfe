/* json_head.h - what the first bytes of an input tell of JSON that is no rows, for formats that are that. */
#ifndef PROFPIPE_JSON_HEAD_H
#define PROFPIPE_JSON_HEAD_H

#include "base/str.h"

#include <stdbool.h>

/* Takes the white space off the start of *HEAD, as shown to a format; whether what follows is an object and no row of
 * a profile.  *IS_OPEN: it goes on behind what is shown so far, or behind its first line, as no row does
 * that is not long: a first look that tells nothing. */
bool json_head_is_object(struct str *head, bool *is_open);

/* Whether WHAT stands in HEAD. */
bool json_head_has(struct str head, struct str what);

/* Whether a member NAME stands in HEAD, at any depth, whose value is the string VALUE; both as they are spelled, without quotes. */
bool json_head_says(struct str head, struct str name, struct str value);

#endif

/* json_head.h - looks at the first bytes of a JSON input, for formats that are JSON but not
 * rows. */
#ifndef PROFPIPE_JSON_HEAD_H
#define PROFPIPE_JSON_HEAD_H

#include "base/str.h"

#include <stdbool.h>

/* HEAD without the white space at its start. */
struct str json_head_skip_blanks(struct str head);

/* Skips the white space at the start of *HEAD. Returns whether an object follows that is not a row
 * of a profile. *IS_OPEN: the object goes on after the bytes shown, or after its first line. Among
 * rows only long ones do that, so a first look cannot decide. */
bool json_head_is_object(struct str *head, bool *is_open);

/* Whether HEAD begins with MAGIC, but for blanks in front of each byte. */
bool json_head_begins(struct str head, struct str magic);

/* Whether HEAD contains WHAT. */
bool json_head_has(struct str head, struct str what);

/* Whether HEAD has a member NAME, at any depth, whose value is the string VALUE. Both are given as
 * spelled in JSON, without quotes. */
bool json_head_says(struct str head, struct str name, struct str value);

/* The same for a member whose value is a list. */
bool json_head_lists(struct str head, struct str name);

#endif

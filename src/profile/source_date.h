/* source_date.h - when a source was recorded. */
#ifndef PROFPIPE_SOURCE_DATE_H
#define PROFPIPE_SOURCE_DATE_H

#include "profile/profile.h"

/* Appends to TO the date of SOURCE, bytes: of its timestamp, or else as its format spells it,
 * which is by the clock of its host; nothing if neither is known. For people "2026-11-22
 * 02:53:11 UTC", for programs "2026-11-22T02:53:11.5Z", with all digits of the fraction. */
void source_date_add(struct buf *to, const struct profile_source *source, bool is_human);

/* The source of P with the earliest timestamp, or its only one; NULL: there is none. */
const struct profile_source *source_date_first(const struct profile *p);

#endif

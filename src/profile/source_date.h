/* source_date.h - when a source was recorded, and for how long. */
#ifndef PROFPIPE_SOURCE_DATE_H
#define PROFPIPE_SOURCE_DATE_H

#include "profile/profile.h"

/* Appends to TO the date of SOURCE, bytes: of its timestamp, or else as its format spells it,
 * which is by the clock of its host; nothing if neither is known. For people "2026-11-22
 * 02:53:11 UTC", for programs "2026-11-22T02:53:11.5Z", with all digits of the fraction. */
void source_date_add(struct buf *to, const struct profile_source *source, bool is_human);

/* The source of P with the earliest timestamp, or its only one; NULL: there is none. */
const struct profile_source *source_date_first(const struct profile *p);

/* How long all sources of P were recorded together, in nanoseconds; 0 if one does not say it, or if
 * the sum does not fit 64 bits. */
int64_t source_date_duration(const struct profile *p);

#endif

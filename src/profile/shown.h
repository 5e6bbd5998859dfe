/* shown.h - which of the types of a source is shown first: the one that pprof would show of the file that
 * ndjson2pprof makes of the same rows.  Where that would be a time that is made of samples/count it is
 * these counts themselves. */
#ifndef PROFPIPE_SHOWN_H
#define PROFPIPE_SHOWN_H

#include "profile/profile.h"

/* What is known so far of one source. */
struct shown {
    struct str default_type; /* the one that the source names itself; empty: none */
    bool has_time;           /* its samples/count stand for a time that is no type of its own */
    bool is_settled;         /* TYPE will not change any more */
    uint32_t type;           /* the number of the type that is shown; 0: there is none yet */
};

/* Whether samples/count of the source OF stand for a time that is no type of its own.  A file of pprof
 * itself, IS_PPROF, would have that. */
bool shown_has_time(const struct profile_source *of, bool is_pprof);

/* What is known of OF, which lives as long, before the first of its types. */
struct shown shown_begin(const struct profile_source *of);

/* Tells S of the next type that its source has and that is no gauge: NUMBER, not 0, and its names as
 * canonical text.  The last one is shown, unless one was named or counts what stands for a time. */
void shown_add(struct shown *s, struct str type, struct str unit, uint32_t number);

#endif

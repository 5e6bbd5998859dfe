/* ghc_text.h - the text that GHC's runtime writes with +RTS -P: a head, a table by cost centre,
 * and one by stack, which has ticks and bytes. With +RTS -p these are missing. */
#ifndef PROFPIPE_GHC_TEXT_H
#define PROFPIPE_GHC_TEXT_H

#include "base/diag.h"

#include <stdint.h>

/* What the head says, borrowed from the file. */
struct ghc_text {
    struct place where;       /* the last line that was read */
    struct str rest;          /* what follows it */
    struct str date, command; /* the command has the options of the runtime in +RTS and -RTS */
    int64_t ticks, alloc;     /* the totals, of ticks and of bytes */
    int64_t interval;         /* of ticks, in microseconds; 0: unknown */
    struct place totals;      /* the line of the ticks */
};

/* A stack: its innermost cost centre, and what it has by itself. */
struct ghc_text_line {
    struct str label, module, place;
    size_t depth; /* from 1 */
    int64_t entries, ticks, alloc;
};

/* Whether HEAD, the start of a file, is such text, with ticks and bytes or not. */
bool ghc_text_is(struct str head);

/* Whether it has ticks and bytes; sets *IS_OPEN to whether HEAD ends before it says that. */
bool ghc_text_has_numbers(struct str head, bool *is_open);

/* Reads the head of WHOLE, such text of a file called FILE, up to the stacks. Ends the tool
 * (STATUS_INPUT) where it is another. */
struct ghc_text ghc_text_open(const char *file, struct str whole);

/* Reads the next stack to LINE; false after the last. Ends the tool (STATUS_INPUT) where a line
 * is none. */
bool ghc_text_next(struct ghc_text *t, struct ghc_text_line *line);

#endif

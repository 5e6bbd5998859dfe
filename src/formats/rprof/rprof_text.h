/* rprof_text.h - what the text of Rprof looks like, piece by piece (R's eval.c and memory.c).
 *
 * What is done for each frame stands here, to be inlined.  The rprof_take_* functions take a piece
 * off the start of *S; where they return false *S may have moved. */
#ifndef PROFPIPE_RPROF_TEXT_H
#define PROFPIPE_RPROF_TEXT_H

#include "base/str.h"

#include <stdint.h>

/* The flags of a header, in their order; the interval; a line that numbers a file. */
static const struct str rprof_flag_memory = STR("memory profiling: ");
static const struct str rprof_flag_gc = STR("GC profiling: ");
static const struct str rprof_flag_lines = STR("line profiling: ");
static const struct str rprof_interval = STR("sample.interval=");
static const struct str rprof_file = STR("#File ");

/* R adds no frame to a sample that has reached this many bytes (eval.c, PROFLINEMAX). */
enum { RPROF_CUT_AT = 10000 };

/* R cuts a name at 500 bytes (PROFITEMMAX): one that is still open after so many is none that a
 * further line could close. */
enum { RPROF_OPEN_NAME_MAX = 4096 };

/* The values of samples: of Rprof, in the order of a sample, and of Rprofmem. */
enum rprof_value_type {
    RPROF_VALUE_SAMPLES,
    RPROF_VALUE_SMALL,
    RPROF_VALUE_LARGE,
    RPROF_VALUE_NODES,
    RPROF_VALUE_DUPLICATIONS,
    RPROF_VALUE_ALLOC,
    RPROF_VALUE_DEALLOC,
    RPROF_VALUE_ALLOC_OBJECTS,
    RPROF_VALUE_ALLOC_SPACE,
    RPROF_VALUE_NEW_PAGES,
    RPROF_VALUE_COUNT
};

struct rprof_value_name {
    struct str type, unit;
};
extern const struct rprof_value_name rprof_value_names[RPROF_VALUE_COUNT];

/* What a header says of the samples after it. */
struct rprof_header {
    bool memory, gc, lines, crlf;
    int64_t interval; /* microseconds */
};

/* The numbers in front of a sample, in R's own units. */
struct rprof_memory {
    int64_t small, large; /* in use, in units of 8 bytes */
    int64_t nodes;        /* in use, in bytes */
    int64_t duplications; /* since the sample before */
};

/* The largest number: 17 digits, so that sums of a few, times 8, fit 64 bits. */
#define RPROF_NUMBER_MAX INT64_C(99999999999999999)

/* A decimal number without leading zeros, which R does not write. */
static inline bool rprof_take_number(struct str *s, int64_t *number)
{
    size_t n = 0;
    *number = 0;
    while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9' && n < 17)
        *number = *number * 10 + (s->p[n++] - '0');
    if (n > 1 && *s->p == '0')
        return false;
    s->p += n;
    s->n -= n;
    return n > 0;
}

/* Whether S is what remains of a line: nothing, but for a CR. */
static inline bool rprof_at_end(struct str s)
{
    return s.n == 0 || (s.n == 1 && *s.p == '\r');
}

/* Whether S is what remains of a line behind its last frame: perhaps a space, and the end. */
static inline bool rprof_ends_frames(struct str s)
{
    return rprof_at_end(s) || (*s.p == ' ' && rprof_at_end((struct str){s.p + 1, s.n - 1}));
}

/* Whether LINE begins as a header does. */
bool rprof_is_header(struct str line);

/* A header up to the end of its interval. */
bool rprof_take_header(struct str *s, struct rprof_header *header);

/* Whether the last line of TEXT ends in a whole header; *AT is then where in TEXT that begins.  A
 * run that was killed leaves a torn line, and where another is appended its header goes on in that
 * line.  Nothing else that R writes ends so. */
bool rprof_ends_in_header(struct str text, size_t *at);

/* `:small:large:nodes:duplications:`. */
bool rprof_take_memory(struct str *s, struct rprof_memory *memory);

/* The bytes that were allocated between two samples, as summaryRprof reckons: each level's rise on
 * its own, one that fell adding nothing. */
int64_t rprof_rise(const struct rprof_memory *from, const struct rprof_memory *to);

/* The whole line `#File NUMBER: path`, NUMBER from 1: *S is then the path, without the CR of a run
 * with CRLF. */
bool rprof_take_file(struct str *s, bool crlf, int64_t *number);

/* What stands behind the frames of a sample, in front of the line's LF. */
static inline struct str rprof_usual_tail(size_t depth, bool crlf)
{
    if (depth == 0)
        return crlf ? STR("\r") : STR("");
    return crlf ? STR(" \r") : STR(" ");
}

/* `FILE#LINE`, if a space or the end follows; *S does not move otherwise. */
static inline bool rprof_take_position(struct str *s, int64_t *file, int64_t *line)
{
    struct str rest = *s;
    if (!rprof_take_number(&rest, file) || !str_take(&rest, STR("#")) ||
        !rprof_take_number(&rest, line))
        return false;
    if (!rprof_at_end(rest) && *rest.p != ' ')
        return false;
    *s = rest;
    return true;
}

/* Whether the text ends inside the position that S begins with. */
bool rprof_is_cut_position(struct str s);

/* Whether the quote in front of S closes a name.  Names are raw and may hold quotes, so what
 * follows decides: a space and then a frame, a position (perhaps cut) or the end; or the end
 * itself. */
static inline bool rprof_closes_name(struct str s)
{
    int64_t file, line;
    if (rprof_at_end(s))
        return true;
    if (*s.p != ' ')
        return false;
    s.p++, s.n--;
    return rprof_at_end(s) || *s.p == '"' || rprof_take_position(&s, &file, &line) ||
           rprof_is_cut_position(s);
}

/* A name, *S behind its opening quote; false when the text ends in it, and *S does not move.  Its
 * first SKIP bytes, whole lines, are known not to close it: what follows a quote decides within its
 * line, so further lines change nothing there. */
static inline bool rprof_take_name(struct str *s, size_t skip, struct str *name)
{
    const char *end = s->p + s->n;
    for (const char *p = s->p + skip; p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL;
         p++) {
        struct str rest = {p + 1, (size_t)(end - p - 1)};
        if (rprof_closes_name(rest)) {
            *name = (struct str){s->p, (size_t)(p - s->p)};
            *s = rest;
            return true;
        }
    }
    return false;
}

/* Whether LINE begins as a line of its own, not as the rest of a name with a line feed in it.  (A
 * quote that would close a name is such a rest.) */
bool rprof_begins_line(struct str line);

/* How text behind an opening quote reads, which may have several lines. */
enum rprof_name {
    RPROF_NAME_CLOSED, /* a name, and more text */
    RPROF_NAME_OPEN,   /* the text ends in it */
    RPROF_NAME_BROKEN, /* a line in it reads as a line of its own, or it is too long to go on */
};

/* Reads TEXT so; *NAME is the name, if that is closed. */
enum rprof_name rprof_read_name(struct str text, struct str *name);

#endif

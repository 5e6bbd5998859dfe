/* rprof_text.h - parses the text of Rprof piece by piece (R's eval.c and memory.c).
 *
 * Code that runs for each frame is inline. An rprof_take_* function removes a piece from the start
 * of *S. If it returns false, *S may have changed. */
#ifndef PROFPIPE_RPROF_TEXT_H
#define PROFPIPE_RPROF_TEXT_H

#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

/* The flags of a header, in order; the interval; the line that gives a file its number. */
static const struct str rprof_flag_memory = STR("memory profiling: ");
static const struct str rprof_flag_gc = STR("GC profiling: ");
static const struct str rprof_flag_lines = STR("line profiling: ");
static const struct str rprof_interval = STR("sample.interval=");
static const struct str rprof_file = STR("#File ");

/* R adds no more frames to a sample of this length in bytes (eval.c, PROFLINEMAX). */
enum { RPROF_CUT_AT = 10000 };

/* Max length in bytes of a name that may continue on the next line. R cuts a name at 500 bytes
 * (PROFITEMMAX), so a longer one will not be closed. */
enum { RPROF_OPEN_NAME_MAX = 4096 };

/* The values of Rprof samples, in the order of a sample, then those of Rprofmem. */
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
    bool is_level;
};
extern const struct rprof_value_name rprof_value_names[RPROF_VALUE_COUNT];

/* Appends TYPE to TO, a list of value types (rows/listed.h). */
void rprof_list_value(struct buf *to, enum rprof_value_type type);

/* The header of a run. */
struct rprof_header {
    bool memory, gc, lines, crlf;
    int64_t interval; /* microseconds */
};

/* The numbers at the start of a sample, in R's units. */
struct rprof_memory {
    int64_t small, large; /* in use, in units of 8 bytes */
    int64_t nodes;        /* in use, in bytes */
    int64_t duplications; /* since the previous sample */
};

/* The largest number accepted, 17 digits: sums of a few of them, times 8, fit in 64 bits. */
#define RPROF_NUMBER_MAX INT64_C(99999999999999999)

/* A decimal number without leading zeros, which R never writes. */
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

/* Whether the line ends at S: nothing is left, or only a CR. */
static inline bool rprof_at_end(struct str s)
{
    return s.n == 0 || (s.n == 1 && *s.p == '\r');
}

/* Whether the line ends at S, after its last frame: perhaps after a space. */
static inline bool rprof_ends_frames(struct str s)
{
    return rprof_at_end(s) || (*s.p == ' ' && rprof_at_end((struct str){s.p + 1, s.n - 1}));
}

/* Whether LINE begins like a header. */
bool rprof_is_header(struct str line);

/* A header up to the end of its interval. */
bool rprof_take_header(struct str *s, struct rprof_header *header);

/* Whether the last line of TEXT ends in a whole header. Then *AT is the offset of that header. A
 * killed run leaves a torn line, and the header of an appended run follows in the same line.
 * Nothing else that R writes ends like this. */
bool rprof_ends_in_header(struct str text, size_t *at);

/* `:small:large:nodes:duplications:`. */
bool rprof_take_memory(struct str *s, struct rprof_memory *memory);

/* The bytes allocated between two samples, computed as summaryRprof does: the sum of the levels
 * that rose; a level that fell adds nothing. */
int64_t rprof_rise(const struct rprof_memory *from, const struct rprof_memory *to);

/* The whole line `#File NUMBER: path`, NUMBER from 1. *S becomes the path, without its CR if
 * CRLF. */
bool rprof_take_file(struct str *s, bool crlf, int64_t *number);

/* The text between the frames of a sample and the LF. */
static inline struct str rprof_usual_tail(size_t depth, bool crlf)
{
    if (depth == 0)
        return crlf ? STR("\r") : STR("");
    return crlf ? STR(" \r") : STR(" ");
}

/* `FILE#LINE` before a space or the end; if there is none, *S does not change. */
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

/* Whether S begins with a position that the end of the text has cut. */
bool rprof_is_cut_position(struct str s);

/* Whether the quote before S closes a name. Names are not escaped and may contain quotes, so what
 * follows decides: the end, or a space and then a frame, a position (perhaps cut) or the end. */
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

/* Takes a name. *S begins after the opening quote. If the text ends inside the name, returns false
 * and *S does not change. The first SKIP bytes are whole lines known not to close the name: what
 * follows a quote on its own line decides, so further lines make no difference. */
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

/* Whether LINE is a new line, not the rest of a name that contains a line feed. (A line with a
 * quote that would close a name is such a rest.) */
bool rprof_begins_line(struct str line);

/* Result of parsing the text after an opening quote, which may have several lines. */
enum rprof_name {
    RPROF_NAME_CLOSED, /* a name, then more text */
    RPROF_NAME_OPEN,   /* the text ends inside the name */
    RPROF_NAME_BROKEN, /* one of the lines is clearly a new line, or the name is too long */
};

/* Parses TEXT; sets *NAME if the name is closed. */
enum rprof_name rprof_read_name(struct str text, struct str *name);

#endif

/* bad_lines.h - lines of an input of which nothing can be made: the first ends the tool, unless they are to be
 * skipped (read_request). */
#ifndef PROFPIPE_BAD_LINES_H
#define PROFPIPE_BAD_LINES_H

#include "base/buf.h"
#include "formats/format.h"

/* Those of one input.  All zero but for the request is none. */
struct bad_lines {
    const struct read_request *request;
    uint64_t count;
    struct place first;
    struct buf text; /* what is wrong with that */
};

/* Notes that the line at WHERE is to be skipped, and what is wrong with it; or ends the tool there
 * (STATUS_INPUT). */
void bad_lines_note(struct bad_lines *b, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports the lines that were skipped, at the end of the input, and frees what B holds.  Where there were only such,
 * HAS_OTHERS being false, the input is bad: ends the tool (STATUS_INPUT). */
void bad_lines_end(struct bad_lines *b, bool has_others);

/* Whether any were reported. */
bool bad_lines_were_skipped(void);

#endif

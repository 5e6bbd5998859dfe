/* bad_lines.h - input lines that a reader cannot use. The first one ends the tool, unless the user
 * asked to skip them (read_request). */
#ifndef PROFPIPE_BAD_LINES_H
#define PROFPIPE_BAD_LINES_H

#include "base/buf.h"
#include "formats/format.h"

/* The bad lines of one input. All zero except the request: none so far. */
struct bad_lines {
    const struct read_request *request;
    uint64_t count;
    struct place first;
    struct buf text; /* what is wrong with the first */
};

/* Counts the line at WHERE as skipped and keeps the reason. Where lines are not to be skipped it
 * ends the tool instead (STATUS_INPUT). */
void bad_lines_note(struct bad_lines *b, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* At the end of the input: reports the skipped lines, for which the tool then fails, and frees what B holds. If the input has no
 * good line (HAS_OTHERS is false), ends the tool (STATUS_INPUT). */
void bad_lines_end(struct bad_lines *b, bool has_others);

#endif

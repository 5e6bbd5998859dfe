/* folded_lines.h - reads the lines of folded text: bytes as they are, or UTF-16 converted to
 * UTF-8. */
#ifndef PROFPIPE_FOLDED_LINES_H
#define PROFPIPE_FOLDED_LINES_H

#include "base/buf.h"
#include "base/in.h"

struct folded_lines {
    struct in *in;
    struct place where; /* of the last line */
    bool torn;          /* the last line has no line feed */

    enum { FOLDED_BYTES, FOLDED_LITTLE, FOLDED_BIG } encoding;
    struct str block; /* unread lines of the input's window */
    size_t taken;     /* bytes of the window to consume */
    struct buf text;  /* decoded */
    size_t read;      /* bytes of TEXT already returned */
};

/* Starts to read IN. A byte order mark at its start tells the encoding. */
void folded_open_lines(struct folded_lines *l, struct in *in);

/* Sets *LINE to the next line without its LF, valid until the next call. Returns false at the end.
 * Ends the tool (STATUS_INPUT) at a line longer than LIMITS_LINE, and at half a UTF-16
 * character. */
bool folded_next_line(struct folded_lines *l, struct str *line);

void folded_close_lines(struct folded_lines *l);

/* Decodes the first UTF-16 character of BYTES, big-endian if BIG, and appends it to TO. Returns how
 * many bytes it took, or 0 if BYTES does not begin with a whole character. */
size_t folded_decode(struct buf *to, struct str bytes, bool big);

#endif

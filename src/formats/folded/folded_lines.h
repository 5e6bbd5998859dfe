/* folded_lines.h - the lines of folded text: bytes as they are, or UTF-16 that becomes UTF-8. */
#ifndef PROFPIPE_FOLDED_LINES_H
#define PROFPIPE_FOLDED_LINES_H

#include "base/buf.h"
#include "base/in.h"

struct folded_lines {
    struct in *in;
    struct place where; /* of the last line */
    bool torn;          /* that has no line feed */

    enum { FOLDED_BYTES, FOLDED_LITTLE, FOLDED_BIG } encoding;
    struct str block; /* what is left of the lines in the input's window */
    size_t taken;     /* of the window, to be consumed */
    struct buf text;  /* decoded */
    size_t read;      /* of TEXT: so much has been handed out */
};

/* Begins to read IN, which says by a byte order mark what it is encoded in. */
void folded_open_lines(struct folded_lines *l, struct in *in);

/* The next line without its LF, until the next call; false behind the last.  Ends the tool (STATUS_INPUT)
 * at one that is longer than LIMITS_LINE, and at half a character of UTF-16. */
bool folded_next_line(struct folded_lines *l, struct str *line);

void folded_close_lines(struct folded_lines *l);

/* Appends to TO what the first bytes of BYTES stand for, in UTF-16, BIG or little end first; returns how
 * many bytes that were, 0 where they do not begin with a whole character. */
size_t folded_decode(struct buf *to, struct str bytes, bool big);

#endif

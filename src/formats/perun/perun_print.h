/* perun_print.h - JSON with the white space that Perun's files have. */
#ifndef PROFPIPE_PERUN_PRINT_H
#define PROFPIPE_PERUN_PRINT_H

#include "base/out.h"

/* A text that is being written.  All zero but for what the caller sets. */
struct perun_printer {
    struct out *out; /* set */
    bool
        is_indented; /* set: job files have lines, with what follows a comma and begins with a digit on the same;
                       * or else all is one line, as in stored objects */
    bool
        is_respelled; /* set: strings are spelled as Python does, in ASCII, whatever the text has */
    size_t depth;
    struct buf bytes, string; /* of a string that is spelled anew */
    char last;                /* of what has been written but for white space; NUL: nothing */
};

/* Writes TEXT, a part of a JSON text without white space that begins and ends at a token's border: the parts follow
 * each other as if they were one. */
void perun_print(struct perun_printer *p, struct str text);

/* Frees what P holds. */
void perun_printer_free(struct perun_printer *p);

#endif

/* perun_print.h - writes JSON with the white space of Perun's files. */
#ifndef PROFPIPE_PERUN_PRINT_H
#define PROFPIPE_PERUN_PRINT_H

#include "base/out.h"

/* A text being written. All zero except the members that the caller sets. */
struct perun_printer {
    struct out *out; /* set by the caller */
    /* set by the caller. true: lines as in job files, where an item that begins with a digit stays
     * on the line of the comma before it. false: one line, as in stored objects */
    bool is_indented;
    bool is_respelled; /* set by the caller: spell strings as Python does, in ASCII */
    size_t depth;
    struct buf bytes, string; /* of a string being spelled again */
    char last;                /* last character written other than white space; NUL: none */
};

/* Writes TEXT, a part of a JSON text without white space that begins and ends between tokens.
 * Successive parts are joined into one text. */
void perun_print(struct perun_printer *p, struct str text);

/* Frees what P holds. */
void perun_printer_free(struct perun_printer *p);

#endif

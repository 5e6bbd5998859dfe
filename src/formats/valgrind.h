/* valgrind.h - frames as Valgrind prints them, which its tools share, and others that write their
 * formats: `0xADDRESS: NAME (FILE:LINE)` or `(in LIBRARY)`. */
#ifndef PROFPIPE_VALGRIND_H
#define PROFPIPE_VALGRIND_H

#include "base/intern.h"
#include "formats/bytes_rows.h"

/* An entry: its function and place. */
struct valgrind_frame {
    uint32_t function;
    uint32_t mapping; /* 0: none */
    int64_t line, column;
    uint64_t address; /* 0: none */

    int64_t location, into; /* the one it was last, and into which it was inlined then; 0: none */
};

/* The frames of an input. All zero is empty. */
struct valgrind_frames {
    struct intern texts, functions, mappings, locations;
    struct valgrind_frame *frames; /* by number - 1 */
    size_t capacity;
    struct bytes_rows rows;
    struct buf text, extra;
};

/* The number of the frame TEXT, bytes; pushes the rows of a new one. */
uint32_t valgrind_frame(struct valgrind_frames *f, struct sink *sink, struct str text);

/* Sets STACK to the locations of the DEPTH frames FRAMES, innermost first; pushes the rows of new
 * ones. A frame that was inlined has the address of the next outer one. */
void valgrind_stack(struct valgrind_frames *f, struct sink *sink, const uint32_t *frames,
                    size_t depth, int64_t *stack);

/* Frees what F holds. */
void valgrind_free(struct valgrind_frames *f);

#endif

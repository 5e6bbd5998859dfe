/* flame_pack.h - the data of an interactive page: a header of JSON and columns of numbers, which src/page/assets/flame
 * reads.
 *
 *   numbers   varints: seven bits a byte, the lowest first, the high bit set on all but the last;
 *             where they may be below 0, n as (n << 1) ^ (n >> 63).  Without a sign they are below 2^32, except lines
 *             and lengths of columns.  A page rounds what is beyond 2^53
 *   a column  its length in bytes, and its bytes
 *
 *   header    JSON: how many there are of all that follows, types, sources, and what is shown first
 *   names     two columns: their lengths in bytes; UTF-8, U+FFFD where bytes are none
 *   files     likewise
 *   frames    three columns: name, file + 1 (0: none) and line (0: unknown) of each; those that are written most come
 *             first, so that most numbers are of one byte
 *   stacks    three columns: how many frames of the stack before each begins with, how many follow, and these,
 *             outermost first
 *   cells     three columns: how many each stack has; the source, and the set of labels, of each.  They are there if
 *             the header says "cellular"; else each stack is the one cell of the one source, without labels
 *   values    a column for each type: of each cell, its sum, with a sign
 *   sets      (cellular) a column: of each set how many labels, and of each of these key and value, which are names
 *   runs      (if there are some) a column of cells, each as the difference to the one before, with a sign; and one
 *             for each type, as values are
 *   tests     (of two sides) a column: a byte for each frame, see enum flame_test */
#ifndef PROFPIPE_FLAME_PACK_H
#define PROFPIPE_FLAME_PACK_H

#include "base/pack.h"
#include "pictures/flame.h"
#include "pictures/flame_runs.h"

/* Adds the data of F, which is not inverted, to TO.  TITLE is bytes, SHARE what was pruned (0: nothing), VIEW the
 * first view as an object of JSON. */
struct flame_pack {
    const struct flame *f;
    const struct flame_runs *runs;
    struct str title, view;
    double share;
};
void flame_pack(const struct flame_pack *what, struct pack *to);

#endif

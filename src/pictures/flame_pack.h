/* flame_pack.h - the data of an interactive page: a JSON header and columns of numbers. The scripts in
 * src/page/assets/flame read it.
 *
 *   numbers   varints: seven bits a byte, lowest first, the high bit set in all bytes except the last.
 *             A signed number n is stored as (n << 1) ^ (n >> 63). Unsigned numbers are below 2^32, except
 *             lines and lengths of columns. A page rounds numbers beyond 2^53
 *   a column  its length in bytes, then its bytes
 *
 *   header    JSON: the counts of all that follows, types, sources, and what is shown first
 *   names     two columns: lengths in bytes; UTF-8 text, where invalid bytes are U+FFFD
 *   files     the same
 *   packages  the same
 *   frames    four columns: name, file + 1 (0: none), line (0: unknown) and package + 1 (0: none). The most
 *             frequent frames come first, so that most numbers take one byte
 *   stacks    three columns: number of frames shared with the stack before; number of further frames; these
 *             frames, outermost first
 *   cells     three columns: number of cells of each stack; source of each cell; set of labels of each cell.
 *             Only if the header says "cellular". Otherwise each stack is one cell, of the only source,
 *             without labels
 *   values    a column for each type: the sum of each cell, signed
 *   sets      (cellular) a column: for each set the number of labels, then key and value of each, which are
 *             numbers of names
 *   streaks   (if there are any) a column of cells, each as the signed difference to the one before; then a
 *             column for each type, like values; a column of lanes; and if the header says "timed" two
 *             columns of nanoseconds: the begin of each as the signed difference to the one before, and
 *             its length, 0 for one that is not drawn
 *   tests     (of two sides) a column: one byte for each frame, see enum flame_test
 *   excerpts  (if there are any) four columns: file, first line, and text as two columns like names. Lines
 *             have line feeds between them */
#ifndef PROFPIPE_FLAME_PACK_H
#define PROFPIPE_FLAME_PACK_H

#include "base/pack.h"
#include "pictures/flame.h"
#include "pictures/flame_excerpts.h"
#include "pictures/flame_streaks.h"

/* Appends the data of F, which must not be inverted, to TO. EXCERPTS is NULL if none were asked for. TITLE is bytes. SHARE is the pruned
 * share (0: nothing was pruned). VIEW is the first view, a JSON object. */
struct flame_pack {
    const struct flame *f;
    const struct flame_streaks *streaks;
    const struct flame_excerpts *excerpts;
    struct str title, view;
    double share;
};
void flame_pack(const struct flame_pack *what, struct pack *to);

#endif

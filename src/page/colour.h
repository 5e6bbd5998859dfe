/* colour.h - one function has one colour, in all pictures of any file and in scripts alike.
 *
 * A colour is 0xRRGGBB.  Text in COLOUR_INK reads well on each that is made here (a contrast of 4.5 to 1 at least, in
 * the light and in the dark: boxes look the same in both).  Scripts do the same sums: all are of integers. */
#ifndef PROFPIPE_COLOUR_H
#define PROFPIPE_COLOUR_H

#include "base/str.h"

#include <stdint.h>

enum colour_palette {
    COLOUR_HOT, /* red to yellow, of the name */
    COLOUR_R, /* the hue of the package, which stands in front of "::", or of the name without one */
    COLOUR_FILE, /* the hue of the file */
    COLOUR_TYPE, /* the hue of the suffix of the file, or of an annotation such as _[k] behind the name */
    COLOUR_DIFF, /* what has changed: see colour_of_change */
    COLOUR_COUNT,
};

/* Names of the palettes, for options. */
extern const char *const colour_palettes[COLOUR_COUNT];

/* Of text on colours, and of what is no function: boxes that stand for others, or have no file. */
enum { COLOUR_INK = 0x1a1a1a, COLOUR_GREY = 0xc8c8c8 };

/* FNV-1a, of 32 bits, of TEXT, bytes: each that is not UTF-8, and each NUL, counts as U+FFFD does, because
 * that is what scripts get to see. */
uint32_t colour_hash(struct str text);

/* HUE in degrees, 0 to 359; SATURATION and LIGHTNESS in percent. */
uint32_t colour_of_hsl(unsigned hue, unsigned saturation, unsigned lightness);

/* The colour of the function NAME in FILE (n is 0: none), bytes; PALETTE is not COLOUR_DIFF.
 *
 * With h the hash of the name and k that of what the hue is of:
 *   hot                hue 6 + h % 44, saturation 80 + (h >> 8) % 16, lightness 62 + (h >> 16) % 12
 *   r, file, type      hue k % 360, saturation 50 + (h >> 8) % 21, lightness 70 + (h >> 16) % 13
 *   nothing for a hue, or for r a name in <>: saturation 0, lightness 70 + (h >> 16) % 13 */
uint32_t colour_of(enum colour_palette palette, struct str name, struct str file);

/* The colour of a change, in thousandths of the largest that is told from others: from blue, which is less, -1000,
 * by grey, 0, to orange, which is more, 1000.  What is beyond them has theirs. */
uint32_t colour_of_change(int thousandths);

#endif

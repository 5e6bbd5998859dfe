/* colour.h - colours of functions: the same in every picture of any file, and in scripts.
 *
 * A colour is 0xRRGGBB.  Text in COLOUR_INK is readable on every colour made here: the contrast
 * is at least 4.5 to 1.  The outline of boxes, in the colour of the paper, has 1.3 to 1 or more.
 * Boxes look the same in light and dark mode.  Scripts compute the same
 * colours: all arithmetic is on integers. */
#ifndef PROFPIPE_COLOUR_H
#define PROFPIPE_COLOUR_H

#include "base/str.h"

#include <stdint.h>

enum colour_palette {
    COLOUR_HOT,     /* red to yellow, by the name */
    COLOUR_PACKAGE, /* hue by the package, as profsum --by=package has it */
    COLOUR_R,       /* hue by the package before "::", otherwise by the name */
    COLOUR_FILE,    /* hue by the file */
    COLOUR_TYPE, /* hue by the suffix of the file, or an annotation such as _[i] after the name */
    COLOUR_DIFF, /* by the change: see colour_of_change */
    COLOUR_COUNT,
};

/* The names of the palettes, for options. */
extern const char *const colour_palettes[COLOUR_COUNT];

/* The colour of text on boxes, and of boxes that are no function: those that stand for others,
 * or have no file. */
enum { COLOUR_INK = 0x1a1a1a, COLOUR_GREY = 0xc8c8c8 };

/* The 32-bit FNV-1a hash of the bytes of TEXT.  Each byte that is not UTF-8, and each NUL,
 * counts as U+FFFD: that is what scripts see. */
uint32_t colour_hash(struct str text);

/* HUE in degrees, 0 to 359; SATURATION and LIGHTNESS in percent. */
uint32_t colour_of_hsl(unsigned hue, unsigned saturation, unsigned lightness);

/* The colour of the function NAME in PLACE (n is 0: none), both bytes; PLACE is its file, or for
 * COLOUR_PACKAGE its package.  PALETTE is not COLOUR_DIFF.
 *
 * With h the hash of the name, and k the hash of what the hue is by:
 *   hot                hue 6 + h % 44, saturation 80 + (h >> 8) % 16, lightness 62 + (h >> 16) % 9
 *   others             hue k % 360, saturation 45 + (h >> 8) % 16, lightness 67 + (h >> 16) % 9
 *   nothing for a hue, or for r a name in <>: saturation 0, lightness 67 + (h >> 16) % 9 */
uint32_t colour_of(enum colour_palette palette, struct str name, struct str place);

/* The colour of a change: blue for a decrease, -1000; grey for 0; orange for an increase, 1000.
 * Larger values count as these.  THOUSANDTHS are those of the largest change that has its own
 * colour. */
uint32_t colour_of_change(int thousandths);

#endif

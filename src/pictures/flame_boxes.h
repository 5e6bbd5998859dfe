/* flame_boxes.h - the boxes of a still picture. The width of a box is its value. */
#ifndef PROFPIPE_FLAME_BOXES_H
#define PROFPIPE_FLAME_BOXES_H

#include "pictures/flame.h"

struct flame_box {
    uint32_t frame;    /* 0: merged neighbours that are too narrow */
    uint32_t depth;    /* 0: outermost */
    uint32_t count;    /* number of merged neighbours */
    struct wide begin; /* the sum of what is left of it, on the drawn side */
    struct wide self;  /* on the drawn side */
    struct wide totals[FLAME_SIDES];
};

struct flame_boxes {
    int side; /* the drawn side */
    struct flame_box *items;
    size_t count, capacity;
    size_t depth; /* max number of boxes on top of each other */
};

/* Makes B, all zero, the boxes of F with the widths of SIDE. Boxes with a smaller share than
 * MIN_SHARE are merged with their neighbours, and their callees are not drawn. If more than MAX
 * boxes remain, only the widest are drawn; of equally wide ones those nearest to the outermost.
 * Frames with a value of 0 have no box. */
void flame_boxes_make(struct flame_boxes *b, const struct flame *f, int side, double min_share,
                      size_t max);

/* Frees what B holds. */
void flame_boxes_free(struct flame_boxes *b);

#endif

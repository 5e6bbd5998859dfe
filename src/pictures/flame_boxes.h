/* flame_boxes.h - the boxes of a still picture: frames in stacks that stand side by side, each as wide as what they
 * have. */
#ifndef PROFPIPE_FLAME_BOXES_H
#define PROFPIPE_FLAME_BOXES_H

#include "pictures/flame.h"

struct flame_box {
    uint32_t frame;    /* 0: neighbours that have no room are drawn as one */
    uint32_t depth;    /* 0: outermost */
    uint32_t count;    /* how many neighbours */
    struct wide begin; /* on the side that is drawn: what stands before it had so much */
    struct wide self;  /* on that side */
    struct wide totals[FLAME_SIDES];
};

struct flame_boxes {
    int side; /* that is drawn */
    struct flame_box *items;
    size_t count, capacity;
    size_t depth; /* how many boxes stand one upon the other at most */
};

/* Makes B, all zero, the boxes of F, as wide as what SIDE had.  Those with less than the share MIN_SHARE of all that
 * this is, each by itself, are drawn together with their neighbours, and what they call is not drawn.  Where that would be more
 * than MAX boxes only so many of the widest are drawn, and of those that are as wide of the outermost, that it is not.  What
 * has nothing is none. */
void flame_boxes_make(struct flame_boxes *b, const struct flame *f, int side, double min_share,
                      size_t max);

/* Frees what B holds. */
void flame_boxes_free(struct flame_boxes *b);

#endif

/* flame_draw.h - profflame: what its options say, the stage that draws a profile, and what its three formats share. */
#ifndef PROFPIPE_FLAME_DRAW_H
#define PROFPIPE_FLAME_DRAW_H

#include "page/colour.h"
#include "pictures/flame_boxes.h"
#include "pictures/flame_runs.h"
#include "stream/stage.h"

/* What options say; NULL: not given. */
struct flame_options {
    const char *format;    /* html, svg or text */
    const char *output;    /* the file whose suffix says that instead */
    const char *type;      /* the type of values that is shown: TYPE[/UNIT] */
    const char *title;     /* of the picture, bytes */
    const char *width;     /* of a still picture, in pixels or, of text, in columns */
    const char *min_width; /* of a box, in pixels */
    const char *prune;     /* a share of all */
    const char *colors;    /* a palette */
    bool lines;            /* frames are told apart by the lines that were running */
    bool is_icicle, is_inverted;
    size_t
        base_count; /* so many inputs are the base, those behind them the new side; 0: there is one side */
};

/* What --format can be. */
extern const char *const flame_draw_formats[3];

/* Ends the tool (STATUS_USAGE) where one of OPTIONS is wrong. */
void flame_draw_check(const struct flame_options *options);

/* Draws the picture that OPTIONS ask for. */
extern const struct stage flame_draw_stage;

/* --- for the formats --- */

/* How a picture looks. */
struct flame_look {
    struct str title;        /* bytes */
    struct str heading;      /* bytes: what is shown, and of how much */
    double width, min_width; /* in pixels */
    size_t columns;          /* of text; 0: those of the terminal */
    enum colour_palette palette;
    bool is_icicle;
    double prune; /* the share that was asked for */
};

/* Appends to TO what people who point at BOX get to read: its name, what it had, and where it is. */
void flame_draw_add_tip(struct buf *to, const struct flame *f, const struct flame_box *box);

/* Appends to TO the file and line of FRAME; nothing where neither is known. */
void flame_draw_add_place(struct buf *to, const struct flame_frame *frame);

/* Appends SHARE, in percent, to TO, and VALUE of the type that F shows. */
void flame_draw_add_share(struct buf *to, double share);
void flame_draw_add_value(struct buf *to, const struct flame *f, struct wide value);

/* The colour of BOX; LARGEST is the change that has the strongest one (see flame_draw_largest). */
uint32_t flame_draw_colour(const struct flame *f, const struct flame_look *look,
                           const struct flame_box *box, double largest);

/* By how much the share of BOX has changed. */
double flame_draw_change(const struct flame *f, const struct flame_box *box);

/* The largest change of a box of B that is more than noise; 0 where there is none. */
double flame_draw_largest(const struct flame *f, const struct flame_boxes *b);

/* flame_svg.c: the share of all that the narrowest box has which is not drawn with its neighbours; F as a picture of its
 * own, and BOXES inside of a page. */
double flame_svg_min(const struct flame_look *look);
void flame_svg_write(const struct flame *f, const struct flame_look *look, struct out *out);
void flame_svg_write_boxes(const struct flame *f, const struct flame_look *look,
                           const struct flame_boxes *boxes, bool is_alone, struct out *out);

/* flame_text.c */
void flame_text_write(const struct flame *f, const struct flame_look *look, struct out *out);

/* flame_page.c: F is turned around where it is inverted. */
void flame_page_write(struct flame *f, const struct flame_runs *runs, const struct flame_look *look,
                      struct out *out);

#endif

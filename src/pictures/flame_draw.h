/* flame_draw.h - profflame: its options, the stage that draws a profile, and what its three formats
 * share. */
#ifndef PROFPIPE_FLAME_DRAW_H
#define PROFPIPE_FLAME_DRAW_H

#include "page/colour.h"
#include "page/svg.h"
#include "pictures/flame_boxes.h"
#include "pictures/flame_excerpts.h"
#include "pictures/flame_streaks.h"
#include "stream/stage.h"

/* The options; NULL: not given. */
struct flame_options {
    const char *format;     /* html, svg or text */
    const char *type;       /* the type of values to show: TYPE[/UNIT] */
    const char *title;      /* of the picture, bytes */
    const char *width;      /* of a still picture, in pixels; of text, in columns */
    const char *min_width;  /* of a box, in pixels */
    const char *prune;      /* a share of all */
    const char *colors;     /* a palette */
    const char *theme;      /* of an SVG, and of a page when it is opened */
    const char *font_size;  /* of an SVG, in pixels */
    const char *script;     /* whether an SVG has one: yes or no */
    const char *lane;       /* of samples in order: what has one */
    const char *standalone; /* whether an SVG is a file of its own, with a prolog: yes or no */
    const char *source_path, *trim_path; /* for SOURCE: where to find files (lines.h) */
    bool source; /* put lines of source files into a page; frames are separated as with LINES */
    bool lines;  /* separate frames by the line that was running */
    bool is_icicle, is_inverted;
    size_t base_count; /* the first BASE_COUNT inputs are base, the others new; 0: one side */
};

/* The values of --format. */
extern const char *const flame_draw_formats[3];

/* The values of --script and --standalone. */
extern const char *const flame_draw_answers[2];

/* Ends the tool (STATUS_USAGE) if an option is not valid. */
void flame_draw_check(const struct flame_options *options);

/* Draws the requested picture. */
extern const struct stage flame_draw_stage;

/* --- for the formats --- */

/* The appearance of a picture. */
struct flame_look {
    struct str title;        /* bytes */
    struct str heading;      /* bytes: what is shown, and the total */
    struct str banner;       /* what is not known of changes; n is 0: nothing */
    double width, min_width; /* in pixels */
    double font_size;        /* of an SVG, in pixels */
    enum svg_theme theme;
    enum svg_place place; /* of an SVG */
    bool has_script;      /* an SVG zooms and searches */
    size_t columns;       /* of text; 0: as wide as the terminal */
    enum colour_palette palette;
    bool is_icicle;
    double prune; /* the requested share */
};

/* Appends to TO the tooltip of BOX: its name, its value, and its file and line. */
void flame_draw_add_tip(struct buf *to, const struct flame *f, const struct flame_box *box);

/* Appends the file and line of FRAME to TO; nothing if neither is known. */
void flame_draw_add_place(struct buf *to, const struct flame_frame *frame);

/* Append to TO: SHARE in percent; VALUE of the type that F shows. */
void flame_draw_add_share(struct buf *to, double share);
void flame_draw_add_value(struct buf *to, const struct flame *f, struct wide value);

/* Appends what the colours of changes mean, after "; ", to TO. */
void flame_draw_add_legend(struct buf *to, const struct flame *f);

/* The colour of BOX. LARGEST (flame_draw_largest) is the change with the strongest colour. */
uint32_t flame_draw_colour(const struct flame *f, const struct flame_look *look,
                           const struct flame_box *box, double largest);

/* The change of the share of BOX. */
double flame_draw_change(const struct flame *f, const struct flame_box *box);

/* The largest change of a box in B that is more than noise; 0 if there is none. */
double flame_draw_largest(const struct flame *f, const struct flame_boxes *b);

/* The colour of the change of a share, in thousandths of the largest: pale if noise is not
 * known. */
uint32_t flame_draw_change_colour(const struct flame *f, int thousandths);

/* flame_svg.c: the smallest share of a box that is not merged with its neighbours; write F as a
 * picture; write BOXES. */
double flame_svg_min(const struct flame_look *look);
void flame_svg_write(const struct flame *f, const struct flame_look *look, struct out *out);
void flame_svg_write_boxes(const struct flame *f, const struct flame_look *look,
                           const struct flame_boxes *boxes, struct out *out);

/* flame_text.c */
void flame_text_write(const struct flame *f, const struct flame_look *look, struct out *out);

/* flame_page.c: F is reversed if it is inverted. EXCERPTS is NULL if none were asked for. */
void flame_page_write(struct flame *f, const struct flame_streaks *streaks,
                      const struct flame_excerpts *excerpts, const struct flame_look *look,
                      struct out *out);

#endif

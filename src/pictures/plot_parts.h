/* plot_parts.h - what the plots share: what was collected of the samples, the paper, axes, and the legend. */
#ifndef PROFPIPE_PLOT_PARTS_H
#define PROFPIPE_PLOT_PARTS_H

#include "base/wide.h"
#include "page/colour.h"
#include "pictures/plot.h"
#include "summary/runs.h"
#include "summary/view.h"

/* Sizes of letters, and lengths, in pixels. */
enum {
    PLOT_TEXT = 12,
    PLOT_SMALL = 11,
    PLOT_HEADING = 14,
    PLOT_ROW = 18,    /* a bar, or a line of text */
    PLOT_MARGIN = 12, /* around everything */
    PLOT_AXIS = 36,   /* below a plot: ticks and their numbers */
    PLOT_LEGEND = 3,  /* rows of it at most */
};

struct plot;
struct plot_memory;

/* One of the plots. */
struct plot_kind {
    const char *heading;
    bool needs_runs;  /* is made of runs */
    bool needs_order; /* is about time */

    /* What it lacks to be drawn, or NULL; once all samples are there. */
    const char *(*lacks)(const struct plot *p);

    /* Appends what is said below the heading to TO. */
    void (*caption)(struct plot *p, struct buf *to);

    /* Its height in pixels below that. */
    double (*measure)(struct plot *p);

    /* Draws it with its upper edge at TOP. */
    void (*draw)(struct plot *p, double top);
};

/* plot_bars.c, plot_image.c, plot_depth.c, plot_memory.c */
extern const struct plot_kind plot_nodes, plot_stacks, plot_stack_nodes, plot_events, plot_depth,
    plot_memory;

struct plot {
    struct sink sink;
    struct out *out;
    const struct plot_options *options;

    /* What options ask for. */
    const struct plot_kind *kind; /* NULL: all */
    enum colour_palette palette;
    bool is_html;
    double width, height; /* of a plot; a height of 0 is its own */
    size_t max;           /* bars; SIZE_MAX: as many as each kind has by itself */

    /* What there is. */
    struct summary summary;           /* what profsum would have collected */
    const struct view_totals *totals; /* of that; once all samples are there */
    struct runs *runs;                /* of samples; those without a stack have one of no entries */
    struct plot_memory *memory;       /* of values in bytes over time; or NULL */
    double samples, stackless;        /* all, and those of them that have no stack */
    struct str
        unordered; /* a source whose samples are in no order is of this type; p is NULL: there is none */
    struct arena names; /* for that */
    double period;      /* nanoseconds that a sample stands for; 0: unknown, or not that of all */
    bool has_source;    /* one has been seen */
    uint32_t *files;    /* by entry - 1: a string of the profile, 0: none */
    struct buf text, name; /* for a short time */
};

/* --- what it is about --- */

/* The name of ENTRY, bytes, valid until the next call, and its colour. */
struct str plot_name(struct plot *p, uint32_t entry);
uint32_t plot_colour(struct plot *p, uint32_t entry);

/* Append to TO: VALUE at SCALE, with its unit; SHARE in percent. */
void plot_add_value(struct buf *to, struct wide value, const struct sheet_scale *scale);
void plot_add_share(struct buf *to, double share);

/* Appends what so many SAMPLES are to TO: "3 samples", and the time that they stand for where that is known. */
void plot_add_samples(const struct plot *p, struct buf *to, double samples);

/* Appends how many distinct STACKS there are to TO. */
void plot_add_stacks(struct buf *to, double stacks);

/* --- axes (plot_axis.c) --- */

/* Numbers along a side of a plot: SIZE of them in LENGTH pixels from FROM on. */
struct plot_axis {
    double from, length;
    double size;      /* larger than 0 */
    double one;       /* one of the unit that the axis is numbered in, in that of the plot */
    struct str title; /* what it is, and the unit of its numbers */
    bool is_whole;    /* nothing stands between two whole numbers */
};

/* Where VALUE, from 0 to size, stands. */
static inline double plot_at(const struct plot_axis *a, double value)
{
    return a->from + a->length * value / a->size;
}

/* The distance of ticks, a pleasant number, of which at most about MAX are in SIZE. */
double plot_tick(double size, double max);

/* Draws A below a plot that ends at Y and begins at TOP, with lines up through it; or at the left of a plot that
 * goes from X to RIGHT: its numbers rise upwards, from FROM + LENGTH on. */
void plot_axis_below(struct plot *p, const struct plot_axis *a, double top, double y);
void plot_axis_left(struct plot *p, const struct plot_axis *a, double x, double right);

/* The axis of time or samples below plots, from the pixel FROM on; TITLE lives in TO. */
struct plot_axis plot_time_axis(const struct plot *p, double from, struct buf *to);

/* --- text --- */

/* A line of text at the left margin. */
void plot_line(struct plot *p, const char *class, double y, double size, struct str text);

/* A legend: names with a swatch of their colour, in rows. */
struct plot_legend {
    struct plot *p;
    double top;      /* its upper edge */
    size_t rows;     /* there are so far: 1 at first */
    size_t rows_max; /* there is room for */
    bool is_drawn;   /* it is not only measured */
    double x;        /* where the next one stands in its row */
};

/* Puts NAME, bytes, with a swatch of THICKNESS pixels, to L; false where there is no room. */
bool plot_legend_add(struct plot_legend *l, struct str name, uint32_t colour, double thickness);

/* The rows of a legend of all entries, PLOT_LEGEND at most. */
size_t plot_legend_rows(struct plot *p);

/* Draws the legend of those entries whose WEIGHTS, by entry - 1, are not 0 below Y, those with most first, as far as
 * they fit. */
void plot_legend_draw(struct plot *p, double y, const double *weights);

/* --- memory (plot_memory.c) --- */

void plot_memory_open(struct plot *p);

/* Notes the values of SAMPLE, which stands for COUNT samples. */
void plot_memory_add(struct plot *p, const struct sample *sample, int64_t count);
void plot_memory_free(struct plot *p);

#endif

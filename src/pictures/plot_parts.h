/* plot_parts.h - shared by the plots: collected samples, the page, axes, and the legend. */
#ifndef PROFPIPE_PLOT_PARTS_H
#define PROFPIPE_PLOT_PARTS_H

#include "base/wide.h"
#include "page/colour.h"
#include "pictures/plot.h"
#include "pictures/plot_lanes.h"
#include "pictures/plot_times.h"
#include "summary/streaks.h"
#include "summary/view.h"

/* Font sizes and lengths, in pixels. */
enum {
    PLOT_TEXT = 12,
    PLOT_SMALL = 11,
    PLOT_HEADING = 14,
    PLOT_ROW = 18,     /* a bar, or a line of text */
    PLOT_MARGIN = 12,  /* around everything */
    PLOT_AXIS = 36,    /* below a plot: ticks and numbers */
    PLOT_BETWEEN = 24, /* between lanes: the name of the next one */
    PLOT_LEGEND = 3,   /* max number of rows */
};

struct plot;
struct plot_memory;

/* One of the plots. */
struct plot_kind {
    const char *heading;
    bool needs_streaks; /* it is made from streaks */
    bool needs_order;   /* it needs samples in order of time, */
    bool takes_times;   /* unless all of them have a time */
    bool shows_order;   /* it says something only of such, and is left out of all plots else */

    /* Why it cannot be drawn, or NULL. Call it after the last sample. */
    const char *(*lacks)(const struct plot *p);

    /* Appends the text below the heading to TO. */
    void (*caption)(struct plot *p, struct buf *to);

    /* Its height in pixels, without heading and caption. */
    double (*measure)(struct plot *p);

    /* Draws it; TOP is its upper edge. */
    void (*draw)(struct plot *p, double top);

    /* Writes its figures as a table; without rows if IS_EMPTY, since it cannot be drawn. */
    void (*write)(struct plot *p, bool is_empty);
};

/* plot_bars.c, plot_image.c, plot_depth.c, plot_memory.c */
extern const struct plot_kind plot_nodes, plot_stacks, plot_stack_nodes, plot_events, plot_depth,
    plot_memory;

struct plot {
    struct sink sink;
    struct out *out;
    const struct plot_options *options;

    /* Parsed options. */
    const struct plot_kind *kind; /* NULL: all */
    enum colour_palette palette;
    bool is_html, is_data; /* neither: SVG */
    double width, height;  /* of a plot; height 0: its default */
    bool is_for_touch;     /* no pointer shows tooltips */
    double coarse; /* pixels: what is smaller is drawn together, and of bars fewer are drawn */
    size_t max;    /* bars; SIZE_MAX: the default of each kind */

    /* Collected data. */
    struct summary summary;           /* what profsum would collect */
    const struct view_totals *totals; /* of SUMMARY, after the last sample */
    struct view_stack_sum *stacks;    /* those with a value above 0, largest first */
    size_t stack_count;
    struct streaks *streaks;    /* of samples; one without a stack has an empty one */
    struct plot_memory *memory; /* values in bytes over time; or NULL */
    struct plot_times *times;   /* of samples; NULL without streaks */
    struct plot_lanes lanes;
    struct clock clock;
    bool lacks_times;          /* some sample has none */
    double rows_size;          /* bytes of the rows of the profile, about */
    double samples, stackless; /* all samples, and those without a stack */
    struct str unordered;  /* the type of a source whose samples are not in order; null p: none */
    struct arena names;    /* for UNORDERED */
    double period;         /* nanoseconds per sample; 0: unknown, or not the same for all */
    bool has_source;       /* there was a source */
    uint32_t *files;       /* by entry - 1: a string of the profile; 0: none */
    uint32_t *packages;    /* the same (packages_of) */
    struct buf text, name; /* scratch */
};

/* --- names and values --- */

/* The name of ENTRY (bytes, valid until the next call), and its colour. */
struct str plot_name(struct plot *p, uint32_t entry);
uint32_t plot_colour(struct plot *p, uint32_t entry);

/* Append to TO: VALUE at SCALE with its unit; SHARE in percent. */
void plot_add_value(struct buf *to, struct wide value, const struct sheet_scale *scale);
void plot_add_share(struct buf *to, double share);

/* Appends the number of SAMPLES to TO: "3 samples", and their time if that is known. */
void plot_add_samples(const struct plot *p, struct buf *to, double samples);

/* Appends the number of distinct STACKS to TO. */
void plot_add_stacks(struct buf *to, double stacks);

/* Whether all samples say when they were taken: then the axis is that time. */
static inline bool plot_is_timed(const struct plot *p)
{
    return p->times != NULL && !p->lacks_times && p->times->count > 0;
}

/* The nanoseconds on that axis. */
static inline double plot_span(const struct plot *p)
{
    return (double)p->times->end - (double)p->times->first;
}

/* Appends to TO that the smallest box is "; a pixel is ", or of a coarse plot "; 4 pixels are ". */
void plot_add_smallest(const struct plot *p, struct buf *to);

/* Appends NANOSECONDS to TO with a unit that fits. */
void plot_add_time(struct buf *to, double nanoseconds);

/* The lanes that are drawn: those with the most samples, in order of appearance. As many as a coarse plot
 * has room for, at most PLOT_LANES_MAX. */
enum { PLOT_LANES_MAX = 32 };
struct plot_drawn {
    size_t count;
    uint32_t lanes[PLOT_LANES_MAX];
};
struct plot_drawn plot_lanes_drawn(const struct plot *p);

/* Appends to TO how many lanes D has, and how many it has not. */
void plot_add_lanes(const struct plot *p, const struct plot_drawn *d, struct buf *to);

/* The height of one of the COUNT lanes in HEIGHT pixels, without the line above it. */
double plot_lane_height(double height, size_t count);

/* --- axes (plot_axis.c) --- */

/* A numbered axis along a side of a plot: values from 0 to SIZE, in LENGTH pixels from FROM on. */
struct plot_axis {
    double from, length;
    double size;      /* greater than 0 */
    double one;       /* one unit of the numbers, in the unit of the plot */
    struct str title; /* what it shows, and the unit of its numbers */
    bool is_whole;    /* only whole numbers have ticks */
    double below;     /* at the left: values go down from 0 by so much, too; 0 or more */
};

/* The pixel of VALUE, from 0 to size. */
static inline double plot_at(const struct plot_axis *a, double value)
{
    return a->from + a->length * value / a->size;
}

/* The same of an axis at the left, for VALUE from -below to size. */
static inline double plot_at_left(const struct plot_axis *a, double value)
{
    return a->from + a->length * (a->size - value) / (a->size + a->below);
}

/* The distance of ticks: a round number with at most about MAX ticks in SIZE. */
double plot_tick(double size, double max);

/* Draw A below a plot from TOP to Y, with grid lines; or to the left of a plot from X to RIGHT.
 * There the numbers go upwards, starting at FROM + LENGTH. */
void plot_axis_below(struct plot *p, const struct plot_axis *a, double top, double y);
void plot_axis_left(struct plot *p, const struct plot_axis *a, double x, double right);

/* The axis of time or samples below plots, starting at pixel FROM. Its title is stored in TO. The
 * second is one of NANOSECONDS. */
struct plot_axis plot_time_axis(const struct plot *p, double from, struct buf *to);
struct plot_axis plot_axis_of_time(const struct plot *p, double nanoseconds, double from,
                                   struct buf *to);

/* --- boxes and text --- */

/* Opens a box; attributes may follow. In a page its edges are rounded to a tenth of a pixel. */
void plot_open_box(struct plot *p, double x, double y, double width, double height);

/* Ends a box. P's text is its tooltip, which a page for a phone has not. */
void plot_end_box(struct plot *p);

/* A line of text at the left margin. */
void plot_line(struct plot *p, const char *class, double y, double size, struct str text);

/* A legend: names with a swatch of their colour, in rows. */
struct plot_legend {
    struct plot *p;
    double top;      /* upper edge */
    size_t rows;     /* number of rows so far, at first 1 */
    size_t rows_max; /* max number of rows */
    bool is_drawn;   /* false: only measured */
    double x;        /* position of the next name in its row */
};

/* Adds NAME (bytes) to L, with a swatch THICKNESS pixels high; false if there is no room. */
bool plot_legend_add(struct plot_legend *l, struct str name, uint32_t colour, double thickness);

/* The number of rows of a legend of all entries, at most PLOT_LEGEND. */
size_t plot_legend_rows(struct plot *p);

/* Draws below Y the legend of the entries whose WEIGHTS, by entry - 1, are not 0, largest first, as
 * far as they fit. */
void plot_legend_draw(struct plot *p, double y, const double *weights);

/* --- tables (plot_data.c) --- */

/* Writes SHEET, which has no title. */
void plot_write_sheet(struct plot *p, struct sheet *sheet);

/* The same for a table of samples: adds what is the same in all rows. */
void plot_write_samples(struct plot *p, struct sheet *sheet);

/* The number of STACK, of the streaks, among those with entries, from 1; 0: it has none. */
uint64_t plot_stack_id(const struct plot *p, uint64_t stack);

/* The time after SAMPLES; none if that is not known. */
struct sheet_cell plot_time_cell(const struct plot *p, struct wide samples);

/* See struct plot_kind. */
void plot_write_nodes(struct plot *p, bool is_empty);
void plot_write_events(struct plot *p, bool is_empty);
void plot_write_depth(struct plot *p, bool is_empty);
void plot_write_stack_nodes(struct plot *p, bool is_empty);

/* --- memory (plot_memory.c) --- */

void plot_memory_open(struct plot *p);

/* Adds the values of SAMPLE, which stands for COUNT samples and was taken at *TIME, in nanoseconds since
 * the first sample of its source that was read; NULL: that is not known. */
void plot_memory_add(struct plot *p, const struct sample *sample, int64_t count,
                     const int64_t *time);

/* Whether all samples had a time: then that is the axis, and their order says nothing. */
bool plot_memory_is_timed(const struct plot *p);

/* Ends what several samples say of one moment; to be called after the last sample. */
void plot_memory_end_moment(struct plot *p);
void plot_memory_free(struct plot *p);

#endif

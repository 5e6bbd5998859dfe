/* Options, the stage that collects the data, and texts about boxes. */
#include "pictures/flame_draw.h"

#include "base/mem.h"
#include "base/words.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "summary/heading.h"
#include "summary/packages.h"
#include "summary/request.h"
#include "table/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum format { FORMAT_HTML, FORMAT_SVG, FORMAT_TEXT, FORMAT_COUNT };

const char *const flame_draw_formats[FORMAT_COUNT] = {"html", "svg", "text"};

enum { ANSWER_NO, ANSWER_YES, ANSWER_COUNT };

const char *const flame_draw_answers[ANSWER_COUNT] = {"no", "yes"};

/* What the picture must know of all sources of one kind (kind_of). */
struct drawn_sources {
    bool is_sequence;
    bool has_inclusive; /* a type of values that include what was called */
    size_t depth;       /* of their deepest stack */
};

struct draw {
    struct sink sink;
    struct out *out;
    const struct flame_options *options;
    enum format format;
    struct flame_look look; /* except title and heading */
    struct sides sides;
    struct flame_streaks streaks;
    struct intern kinds;           /* of sources, with their types of values */
    uint32_t *kind_of;             /* by number of the source - 1: a number in KINDS */
    struct drawn_sources *sources; /* by that number - 1 */
    size_t kind_capacity, source_capacity;
};

/* --- options --- */

/* FORMAT_COUNT: depends on the output. */
static enum format parse_format(const struct flame_options *o)
{
    return o->format == NULL
               ? FORMAT_COUNT
               : (enum format)words_find("format", o->format, flame_draw_formats, FORMAT_COUNT);
}

/* COLOUR_COUNT: depends on the names. */
static enum colour_palette parse_palette(const struct flame_options *o)
{
    bool has_base = o->base_count > 0;
    if (o->colors == NULL)
        return has_base ? COLOUR_DIFF : COLOUR_COUNT;
    enum colour_palette found =
        (enum colour_palette)words_find("colors", o->colors, colour_palettes, COLOUR_COUNT);
    if (found == COLOUR_DIFF && !has_base)
        die(CODE_OPTIONS_CLASH,
            "--colors: diff says what has changed: it needs two sides, with -- between");
    return found;
}

static double parse_number(const char *option, const char *text, const char *expected, double min,
                           double max, double otherwise)
{
    double number = text == NULL ? otherwise : request_number(option, text, expected);
    if (number < min || number > max)
        die(CODE_BAD_ARGUMENT, "--%s: expected %s, found \"%s\"", option, expected, text);
    return number;
}

/* Whether TEXT, the argument of OPTION, is yes, which is the default. */
static bool parse_answer(const char *option, const char *text)
{
    return text == NULL || words_find(option, text, flame_draw_answers, ANSWER_COUNT) == ANSWER_YES;
}

/* The look that O asks for in FORMAT, except title and heading. */
static struct flame_look parse_look(const struct flame_options *o, enum format format)
{
    enum { WIDTH = 880, MIN = 100, MAX = 100000, COLUMNS_MIN = 10, FONT_SIZE = 12 };
    bool is_text = format == FORMAT_TEXT;
    struct flame_look look = {.is_icicle = o->is_icicle};
    look.width = parse_number("width", o->width,
                              is_text ? "columns, from 10 to 100000" : "pixels, from 100 to 100000",
                              is_text ? COLUMNS_MIN : MIN, MAX, WIDTH);
    look.columns = o->width == NULL ? 0 : (size_t)look.width;
    look.min_width =
        parse_number("min-width", o->min_width, "pixels, from 0 to 1000", 0, 1000, 0.1);
    look.prune = parse_number("prune", o->prune, "a share below 1, such as 0.001", 0, 0.999999, 0);
    look.font_size =
        parse_number("font-size", o->font_size, "pixels, from 4 to 100", 4, 100, FONT_SIZE);
    look.palette = parse_palette(o);
    if (o->theme != NULL)
        look.theme = (enum svg_theme)words_find("theme", o->theme, svg_themes, SVG_THEME_COUNT);
    look.place = parse_answer("standalone", o->standalone) ? SVG_IN_A_FILE : SVG_IN_A_PAGE;
    look.has_script = parse_answer("script", o->script) && look.place == SVG_IN_A_FILE;
    return look;
}

void flame_draw_check(const struct flame_options *o)
{
    if (!o->source && (o->source_path != NULL || o->trim_path != NULL))
        die(CODE_OPTIONS_CLASH, "--source-path and --trim-path need --source");
    choice_check(o->type);
    parse_look(o, parse_format(o));
    plot_lanes_of(o->lane);
}

/* --- texts about boxes --- */

void flame_draw_add_share(struct buf *to, double share)
{
    char number[64];
    int n = snprintf(number, sizeof number, "%.2f %%", isfinite(share) ? 100 * share : 0);
    buf_add(to, (struct str){number, (size_t)n});
}

void flame_draw_add_value(struct buf *to, const struct flame *f, struct wide value)
{
    const struct flame_type *type = &f->types[f->shown];
    sheet_add_value(to, value, type->unit, type->power);
}

void flame_draw_add_place(struct buf *to, const struct flame_frame *frame)
{
    buf_add(to, frame->file);
    if (frame->line == 0)
        return;
    buf_add(to, frame->file.n > 0 ? STR(":") : STR("line "));
    emit_number(to, frame->line);
}

static double share_of(const struct flame *f, const struct flame_box *box, int side)
{
    return wide_sign(f->all[side]) > 0 ? wide_share(box->totals[side], f->all[side]) : 0;
}

double flame_draw_change(const struct flame *f, const struct flame_box *box)
{
    return share_of(f, box, FLAME_NEW) - share_of(f, box, FLAME_BASE);
}

static bool is_noise(const struct flame *f, const struct flame_box *box)
{
    return box->frame != 0 && f->tests[box->frame - 1] == FLAME_NOISE;
}

double flame_draw_largest(const struct flame *f, const struct flame_boxes *b)
{
    double largest = 0;
    for (size_t i = 0; f->has_base && i < b->count; i++)
        if (b->items[i].frame != 0 && !is_noise(f, &b->items[i]))
            largest = fmax(largest, fabs(flame_draw_change(f, &b->items[i])));
    return largest;
}

uint32_t flame_draw_change_colour(const struct flame *f, int thousandths)
{
    return colour_of_change(sides_can_test(f->sides) ? thousandths : thousandths / 2);
}

uint32_t flame_draw_colour(const struct flame *f, const struct flame_look *look,
                           const struct flame_box *box, double largest)
{
    enum { THOUSAND = 1000 };
    if (box->frame == 0 || box->frame == f->other)
        return COLOUR_GREY;
    const struct flame_frame *frame = &f->frames[box->frame - 1];
    if (look->palette != COLOUR_DIFF)
        return colour_of(look->palette, frame->name,
                         look->palette == COLOUR_PACKAGE ? frame->package : frame->file);
    if (is_noise(f, box) || largest <= 0)
        return colour_of_change(0);
    return flame_draw_change_colour(f, (int)lround(flame_draw_change(f, box) / largest * THOUSAND));
}

/* Appends the change of the share of BOX. */
static void add_change(struct buf *to, const struct flame *f, const struct flame_box *box)
{
    char change[64];
    int n = snprintf(change, sizeof change, "%+.2f points", 100 * flame_draw_change(f, box));
    flame_draw_add_share(to, share_of(f, box, FLAME_NEW));
    buf_add(to, STR(" of new, "));
    flame_draw_add_share(to, share_of(f, box, FLAME_BASE));
    buf_add(to, STR(" of base, "));
    buf_add(to, (struct str){change, (size_t)n});
    buf_add(to, is_noise(f, box) ? STR(", not significant") : STR(""));
}

void flame_draw_add_tip(struct buf *to, const struct flame *f, const struct flame_box *box)
{
    bool is_one = box->frame != 0;
    if (is_one) {
        buf_add(to, f->frames[box->frame - 1].name);
        buf_add(to, STR(" (self "));
        flame_draw_add_value(to, f, box->self);
        buf_add(to, STR(", "));
    } else {
        emit_number(to, box->count);
        buf_add(to, box->count == 1 ? STR(" box") : STR(" boxes"));
        buf_add(to, STR(" without room ("));
    }
    buf_add(to, STR("total "));
    flame_draw_add_value(to, f, box->totals[FLAME_NEW]);
    buf_add(to, STR(", "));
    if (f->has_base) {
        add_change(to, f, box);
    } else {
        flame_draw_add_share(to, share_of(f, box, FLAME_NEW));
        buf_add(to, STR(" of all"));
    }
    buf_add(to, STR(")"));
    if (is_one && (f->frames[box->frame - 1].file.n > 0 || f->frames[box->frame - 1].line != 0)) {
        buf_add(to, STR(" "));
        flame_draw_add_place(to, &f->frames[box->frame - 1]);
    }
}

/* --- the stage --- */

/* The number of the kind of the source OF, which has the same types of values in each. Samples that have been
 * added up are of sources of one kind. */
static uint32_t kind_of(struct draw *d, const struct profile_source *of)
{
    struct buf key = {0};
    buf_add(&key, of->kind);
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *type = &of->types[i];
        buf_add(&key, type->inclusive ? STR("\0+") : STR("\0"));
        buf_add(&key, type->type);
        buf_add(&key, STR("/"));
        buf_add(&key, type->unit);
    }
    const uint32_t kind = intern_add(&d->kinds, buf_str(&key), NULL);
    buf_free(&key);
    return kind;
}

static void take_row(struct sink *to, struct row *row)
{
    struct draw *d = (struct draw *)to;
    if (d->options->base_count > 0)
        sides_row(&d->sides, row);
    else
        collect_row(&d->sides.collect, row);
    if (row->table != TABLE_SOURCES)
        return;
    size_t count = d->sides.collect.profile.source_count;
    const struct profile_source *of = &d->sides.collect.profile.sources[count - 1];
    flame_streaks_source(&d->streaks, &d->sides.collect, of);
    const uint32_t kind = kind_of(d, of);
    d->kind_of = mem_array(d->kind_of, &d->kind_capacity, count, sizeof *d->kind_of);
    d->kind_of[count - 1] = kind;
    d->sources = mem_array_zeroed(d->sources, &d->source_capacity, kind, sizeof *d->sources);
    d->sources[kind - 1].is_sequence = profile_is_sequence(of->kind);
    for (size_t i = 0; i < of->type_count; i++)
        d->sources[kind - 1].has_inclusive |= of->types[i].inclusive;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct draw *d = (struct draw *)to;
    struct drawn_sources *sources = &d->sources[d->kind_of[sample->source_id - 1] - 1];
    sources->depth = sample->depth > sources->depth ? sample->depth : sources->depth;
    bool has_stack = d->options->base_count > 0 ? sides_sample(&d->sides, sample)
                                                : collect_sample(&d->sides.collect, sample);
    if (has_stack && d->format == FORMAT_HTML)
        flame_streaks_add(&d->streaks, &d->sides.collect, sample, sources->is_sequence);
}

static void open_draw(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct draw *d = to;
    d->sink = (struct sink){flow, take_row, take_sample};
    d->out = out;
    d->options = options;
    d->format = parse_format(d->options);
    d->look = parse_look(d->options, d->format);
    if (d->format == FORMAT_COUNT)
        d->format = out_is_terminal(out) ? FORMAT_TEXT : FORMAT_HTML;
    d->streaks.by = plot_lanes_of(d->options->lane);
    if (d->options->source && d->format != FORMAT_HTML)
        die(CODE_OPTIONS_CLASH, "--source needs --format=html");
    if (d->options->lane != NULL && d->format != FORMAT_HTML)
        die(CODE_OPTIONS_CLASH, "--lane needs --format=html");
    d->sides.base_inputs = d->options->base_count;
    d->sides.collect.by =
        d->options->lines || d->options->source ? COLLECT_BY_SOURCE_LINE : COLLECT_BY_FRAME;
    d->sides.collect.keeps_labels = d->format == FORMAT_HTML;
    if (d->options->base_count > 0)
        sides_open(&d->sides, flow, d->options->type);
    else
        collect_open(&d->sides.collect, flow, d->options->type);
    flow->adds_up = true;
    flow->takes_sums = d->options->base_count == 0 && collect_takes_sums(&d->sides.collect);
}

/* How much of BASE is in stacks that are not in new. */
static struct wide gone(const struct flame *f)
{
    struct wide sum = wide_of(0);
    for (size_t i = 0; i < f->stack_count; i++)
        wide_add_to(&sum, f->weights[FLAME_NEW][i] == 0 ? f->weights[FLAME_BASE][i] : 0);
    return sum;
}

/* Appends the totals of both sides, and which one is drawn. */
static void add_sides(struct buf *to, const struct flame *f)
{
    buf_add(to, f->types[f->shown].type);
    buf_add(to, STR(": "));
    flame_draw_add_value(to, f, f->all[FLAME_NEW]);
    buf_add(to, STR(" of new; "));
    flame_draw_add_value(to, f, f->all[FLAME_BASE]);
    buf_add(to, STR(" of base, "));
    flame_draw_add_share(to, wide_share(gone(f), f->all[FLAME_BASE]));
    buf_add(to, STR(" of it in stacks that are gone"));
    heading_add_stackless(to, &f->sides->collect);
}

void flame_draw_add_legend(struct buf *to, const struct flame *f)
{
    buf_add(to, STR("; blue: less of all, orange: more, grey: "));
    buf_add(to, sides_can_test(f->sides) ? STR("not significant") : STR("the same"));
}

static void add_heading(struct buf *to, const struct flame *f)
{
    if (f->has_base && f->shown != SIZE_MAX)
        add_sides(to, f);
    else
        heading_add(to, &f->sides->collect, f->all[FLAME_NEW]);
    if (f->below > 0) {
        buf_add(to, STR("; sums of stacks below 0 left out: "));
        emit_number(to, (int64_t)f->below);
    }
    buf_add(to, f->is_inverted ? STR("; callers follow what they call") : STR(""));
}

static bool is_base(const void *with, size_t source)
{
    return !((const struct sides *)with)->runs[source].is_new;
}

static bool is_new(const void *with, size_t source)
{
    return !is_base(with, source);
}

/* Appends the names of both sides. */
static void add_names(struct buf *to, const struct sides *s)
{
    heading_add_sources_of(to, &s->collect.profile, is_base, s);
    buf_add(to, STR(" (base) → "));
    heading_add_sources_of(to, &s->collect.profile, is_new, s);
    buf_add(to, STR(" (new)"));
}

/* Whether all sources of a kind only say which function calls which, with what that costs in all: then no
 * stack is deeper than a function and its caller. */
static bool has_edges_only(const struct draw *d)
{
    for (size_t i = 0; i < d->kinds.count; i++)
        if (d->sources[i].has_inclusive && d->sources[i].depth == 2)
            return true;
    return false;
}

static void write_page(struct draw *d, struct flame *f, const struct flame_look *look)
{
    struct flame_excerpts excerpts = {0};
    if (d->options->source)
        flame_excerpts_make(&excerpts, f, d->options->source_path, d->options->trim_path);
    flame_page_write(f, &d->streaks, d->options->source ? &excerpts : NULL, look, d->out);
    flame_excerpts_free(&excerpts);
}

static void write_picture(struct draw *d, struct flame *f)
{
    struct buf title = {0}, heading = {0};
    struct flame_look look = d->look;
    if (d->options->title != NULL)
        buf_add(&title, str_of(d->options->title));
    else if (f->has_base)
        add_names(&title, &d->sides);
    else
        heading_add_sources(&title, &d->sides.collect.profile);
    if (has_edges_only(d)) {
        buf_add(&title, title.n > 0 ? STR(", ") : STR(""));
        buf_add(&title, STR("from call edges, not stacks"));
        warn(CODE_NOT_SHOWN,
             "drawn from call edges, not stacks: the input has no callers of callers");
    }
    if (f->has_base && look.palette == COLOUR_DIFF && !sides_can_test(&d->sides))
        look.banner = STR("Noise is not known, so colours are pale: three runs of each side "
                          "would tell.");
    add_heading(&heading, f);
    if (d->format == FORMAT_TEXT && f->has_base && f->shown != SIZE_MAX &&
        look.palette == COLOUR_DIFF)
        flame_draw_add_legend(&heading, f);
    look.title = buf_str(&title);
    look.heading = buf_str(&heading);
    if (d->format == FORMAT_HTML)
        write_page(d, f, &look);
    else
        (d->format == FORMAT_SVG ? flame_svg_write : flame_text_write)(f, &look, d->out);
    buf_free(&title);
    buf_free(&heading);
}

/* Levels cannot be added up, so they are not drawn; reported under -v only. */
static void note_levels(const struct choice *c)
{
    for (uint32_t i = 1; i <= c->type_capacity; i++)
        if (c->types[i - 1].levels > 0)
            note("not drawn: values of \"%.*s\", %s (%" PRIu64 ")",
                 STR_ARG(value_types_get(c->names, i)->type),
                 c->types[i - 1].is_inclusive ? "which is inclusive" : "a level",
                 c->types[i - 1].levels);
}

static void close_draw(void *to)
{
    /* a picture shows everything under its own name; runs matter only for the test of frames */
    static const struct sides_how how = {.allow_equal = true, .no_pairs = true};
    struct draw *d = to;
    struct flame f = {0};
    struct flame_plan plan = {.is_inverted = d->options->is_inverted, .prune = d->look.prune};
    bool has_base = d->options->base_count > 0;
    if (has_base)
        sides_finish(&d->sides, &how);
    else
        collect_finish(&d->sides.collect);
    note_levels(&d->sides.collect.choice);
    if (!has_base)
        heading_warn(&d->sides.collect);
    uint32_t *packages = packages_of(&d->sides.collect);
    if (d->look.palette == COLOUR_COUNT)
        d->look.palette =
            packages_have_most(&d->sides.collect, packages) ? COLOUR_PACKAGE : COLOUR_HOT;
    plan.packages = packages;
    flame_make(&f, &d->sides, has_base, &plan);
    flame_streaks_finish(&d->streaks);
    mem_free(packages);
    write_picture(d, &f);
    flame_free(&f);
    flame_streaks_free(&d->streaks);
    sides_free(&d->sides);
    mem_free(d->sources);
    mem_free(d->kind_of);
    intern_free(&d->kinds);
}

const struct stage flame_draw_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct draw),
    .open = open_draw,
    .close = close_draw,
};

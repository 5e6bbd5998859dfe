/* The interactive page: a still picture and a table for browsers without scripts, the whole profile
 * as packed data, and the script that draws it. */
#include "base/mem.h"
#include "base/order.h"
#include "page/page.h"
#include "page/visible.h"
#include "pictures/flame_draw.h"
#include "pictures/flame_pack.h"

/* --- the data, in base64 --- */

/* The text size of a block, in whole groups of four characters so that each block can be decoded on
 * its own. The level of deflate: a higher one saves almost nothing on these columns. */
enum { BLOCK = 4 << 20, GROUP = 3, LETTERS = 4, LEVEL = 3 };

struct base64 {
    struct out *out;
    unsigned char rest[GROUP]; /* the last group, incomplete */
    size_t rest_count;
    size_t written; /* characters of the current block; 0: there is none */
};

static void begin_block(struct base64 *b)
{
    if (b->written == 0)
        out_write(b->out, STR("<script type=\"application/octet-stream\" class=\"data\">"));
}

static void end_block(struct base64 *b)
{
    if (b->written > 0)
        out_write(b->out, STR("</script>\n"));
    b->written = 0;
}

/* Writes COUNT bytes from FROM: three, or fewer at the end. */
static void write_group(struct base64 *b, const unsigned char *from, size_t count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned group = (unsigned)from[0] << 16 | (count > 1 ? (unsigned)from[1] << 8 : 0) |
                     (count > 2 ? from[2] : 0);
    begin_block(b);
    char *p = out_reserve(b->out, LETTERS);
    for (size_t i = 0; i < LETTERS; i++)
        p[i] = i <= count ? letters[group >> (18 - 6 * i) & 63] : '=';
    out_advance(b->out, p + LETTERS);
    b->written += LETTERS;
    if (b->written == BLOCK)
        end_block(b);
}

static void write_base64(void *to, const char *bytes, size_t n)
{
    struct base64 *b = to;
    const unsigned char *p = (const unsigned char *)bytes;
    for (; n > 0 && b->rest_count > 0; n--) {
        b->rest[b->rest_count++] = *p++;
        if (b->rest_count == GROUP) {
            write_group(b, b->rest, GROUP);
            b->rest_count = 0;
        }
    }
    for (; n >= GROUP; n -= GROUP, p += GROUP)
        write_group(b, p, GROUP);
    for (; n > 0; n--)
        b->rest[b->rest_count++] = *p++;
}

static void write_data(const struct flame_pack *what, struct out *out)
{
    struct base64 b = {.out = out};
    struct pack *pack = pack_open(PACK_ZLIB, LEVEL, write_base64, &b);
    flame_pack(what, pack);
    pack_close(pack);
    if (b.rest_count > 0)
        write_group(&b, b.rest, b.rest_count);
    end_block(&b);
}

/* --- the table --- */

/* Self and total of a frame, which counts once per stack. */
struct line {
    uint32_t frame;
    size_t last; /* number of the last stack that had it, from 1 */
    struct wide self, total;
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int self = wide_compare(y->self, x->self), total = wide_compare(y->total, x->total);
    if (self != 0 || total != 0)
        return self != 0 ? self : total;
    return x->frame < y->frame ? -1 : 1;
}

/* The lines of all frames, largest first; the caller frees them. */
static struct line *make_lines(const struct flame *f)
{
    struct line *lines = mem_alloc_zeroed((f->frame_count + 1) * sizeof *lines);
    for (uint32_t i = 0; i < f->frame_count; i++)
        lines[i].frame = i + 1;
    for (size_t i = 0; i < f->stack_count; i++) {
        const uint32_t *path = f->paths + f->stacks[i].begin;
        uint32_t depth = f->stacks[i].depth;
        int64_t weight = f->weights[FLAME_NEW][i];
        for (uint32_t j = 0; weight != 0 && j < depth; j++) {
            struct line *line = &lines[path[j] - 1];
            wide_add_to(&line->total, line->last == i + 1 ? 0 : weight);
            line->last = i + 1;
        }
        if (depth > 0)
            wide_add_to(&lines[path[f->is_inverted ? 0 : depth - 1] - 1].self, weight);
    }
    order_items(lines, f->frame_count, sizeof *lines, compare_lines);
    return lines;
}

static void write_cell(struct out *out, struct buf *text)
{
    out_write(out, STR("<td>"));
    visible_write(out, buf_str(text));
    out_write(out, STR("</td>"));
    text->n = 0;
}

static void write_line(const struct flame *f, const struct line *line, struct buf *text,
                       struct out *out)
{
    const struct flame_frame *frame = &f->frames[line->frame - 1];
    const struct wide values[] = {line->self, line->total};
    out_write(out, STR("<tr>"));
    for (int i = 0; i < 2; i++) {
        flame_draw_add_value(text, f, values[i]);
        write_cell(out, text);
        flame_draw_add_share(text, wide_share(values[i], f->all[FLAME_NEW]));
        write_cell(out, text);
    }
    out_write(out, STR("<td class=\"name\">"));
    visible_write(out, frame->name);
    flame_draw_add_place(text, frame);
    if (text->n > 0) {
        out_write(out, STR(" <span class=\"faint\">"));
        visible_write(out, buf_str(text));
        out_write(out, STR("</span>"));
    }
    out_write(out, STR("</td></tr>\n"));
    text->n = 0;
}

static void write_table(const struct flame *f, struct out *out)
{
    enum { MAX = 50 };
    struct buf text = {0};
    struct line *lines = make_lines(f);
    out_write(out,
              STR("<div class=\"scroll\" tabindex=\"0\"><table>\n<caption>Top functions</caption>\n"
                  "<thead><tr><th>self</th><th>self %</th><th>total</th><th>total %</th>"
                  "<th class=\"name\">function</th></tr></thead>\n<tbody>\n"));
    for (size_t i = 0; i < MAX && i < f->frame_count && wide_sign(lines[i].total) > 0; i++)
        write_line(f, &lines[i], &text, out);
    out_write(out, STR("</tbody>\n</table></div>\n"));
    mem_free(lines);
    buf_free(&text);
}

/* --- the page --- */

static void write_still(const struct flame *f, const struct flame_look *look, struct out *out)
{
    enum { MAX = 1000 };
    struct flame_boxes boxes = {0};
    struct flame_look in_page = *look;
    in_page.place = SVG_IN_OUR_PAGE;
    in_page.has_script = false;
    out_write(out, STR("<div id=\"still\">\n"));
    flame_boxes_make(&boxes, f, FLAME_NEW, flame_svg_min(look), MAX);
    out_write(out, STR("<div class=\"scroll\" tabindex=\"0\">\n"));
    flame_svg_write_boxes(f, &in_page, &boxes, out);
    out_write(out, STR("</div>\n"));
    write_table(f, out);
    out_write(out, STR("</div>\n"));
    flame_boxes_free(&boxes);
}

/* The first view, in the form that the script stores in the fragment of the address. */
static struct str view_of(const struct flame *f, const struct flame_look *look, bool has_source,
                          struct buf *to)
{
    buf_add(to, look->is_icicle ? STR("{\"layout\":\"icicle\"") : STR("{\"layout\":\"flame\""));
    buf_add(to, f->is_inverted ? STR(",\"mode\":\"callers\"") : STR(""));
    buf_add(to, STR(",\"colors\":\""));
    buf_add(to, str_of(colour_palettes[look->palette]));
    if (look->theme != SVG_AUTO) {
        buf_add(to, STR("\",\"theme\":\""));
        buf_add(to, str_of(svg_themes[look->theme]));
    }
    buf_add(to, has_source ? STR("\",\"panel\":\"source\"}") : STR("\"}"));
    return buf_str(to);
}

void flame_page_write(struct flame *f, const struct flame_streaks *streaks,
                      const struct flame_excerpts *excerpts, const struct flame_look *look,
                      struct out *out)
{
    const bool has_source = excerpts != NULL && excerpts->count > 0;
    struct buf view = {0};
    const struct page page = {
        .title = look->title,
        .styles = {&page_look_css, &page_flame_css},
        /* the script of the page begins at once, so what it needs comes before it */
        .scripts = {has_source ? &page_source_js : &page_flame_js,
                    has_source ? &page_flame_js : NULL},
    };
    const struct flame_pack what = {.f = f,
                                    .streaks = streaks,
                                    .excerpts = excerpts,
                                    .title = look->title,
                                    .share = look->prune,
                                    .view = view_of(f, look, has_source, &view)};
    page_begin(&page, out);
    write_still(f, look, out);
    if (f->is_inverted)
        flame_invert(f);
    write_data(&what, out);
    page_end(&page, out);
    buf_free(&view);
}

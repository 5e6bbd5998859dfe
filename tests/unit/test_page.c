/* What HTML and SVG are made of. */
#include "page/colour.h"
#include "page/page.h"
#include "page/svg.h"
#include "page/visible.h"
#include "tap.h"

#include <math.h>

/* --- names --- */

static struct str visible(struct str bytes)
{
    static struct buf text;
    text.n = 0;
    visible_add(&text, bytes);
    return buf_str(&text);
}

/* What WRITE makes of BYTES. */
static struct str written(void (*write)(struct out *out, struct str bytes), struct str bytes)
{
    static struct buf text;
    text.n = 0;
    struct out *out = out_open_buf(&text);
    write(out, bytes);
    out_close(out);
    return buf_str(&text);
}

static void test_visible(void)
{
    is(visible(STR("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xb8")),
       STR("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xb8"), "text stays as it is");
    is(visible((struct str){"\0\t\n\x1b\x7f", 5}), STR("␀␉␊␛␡"), "controls of ASCII have pictures");
    is(visible(STR("\xff\xc3 \xed\xa0\x80")), STR("\ufffd\ufffd \ufffd\ufffd\ufffd"),
       "each byte that is not UTF-8 is replaced");
    is(visible(STR("\xef\xbf\xbe\xef\xbf\xbf\xef\xb7\x90\xf0\x9f\xbf\xbe\xc2\x85")),
       STR("\ufffd\ufffd\ufffd\ufffd\ufffd"), "so is what is no character, or controls eight bits");
    is(visible(STR("a\u202e\u2066\u2069\u2028z")), STR("a\ufffd\ufffd\ufffd\ufffdz"),
       "and what turns the direction of text, or ends a line");
    is(visible(STR("\u200d\u2065\u206a\u2029 \ufdcf\ufdf0")),
       STR("\u200d\u2065\u206a\ufffd \ufdcf\ufdf0"), "but not their neighbours");
    is(written(visible_write, STR("</script>]]>&\"'\n")),
       STR("&lt;/script&gt;]]&gt;&amp;&quot;&#39;␊"), "markup is spelled out");
}

/* --- colours --- */

static double luminance(uint32_t colour)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126};
    double sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        double c = (colour >> 8 * i & 0xff) / 255.0;
        sum += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* As WCAG has it, of two colours. */
static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static void test_hash(void)
{
    ok(colour_hash(STR("")) == 0x811c9dc5 && colour_hash(STR("a")) == 0xe40c292c &&
           colour_hash(STR("foobar")) == 0xbf9cf968,
       "hashes are those of FNV-1a");
    ok(colour_hash((struct str){"a\xff\0z", 4}) == colour_hash(STR("a\ufffd\ufffdz")),
       "what is no text has the hash of what is shown for it");
}

static void test_colours(void)
{
    ok(colour_of_hsl(0, 100, 50) == 0xff0000 && colour_of_hsl(120, 100, 50) == 0x00ff00 &&
           colour_of_hsl(240, 100, 50) == 0x0000ff && colour_of_hsl(60, 100, 50) == 0xffff00 &&
           colour_of_hsl(210, 50, 75) == 0x9fbfdf && colour_of_hsl(0, 0, 100) == 0xffffff,
       "hue, saturation and lightness become red, green and blue");
    ok(colour_of(COLOUR_HOT, STR("main"), STR("")) == 0xeea94f, "a name has its colour");
    ok(colour_of(COLOUR_PACKAGE, STR("f"), STR("sort")) ==
               colour_of(COLOUR_FILE, STR("f"), STR("sort")) &&
           colour_of(COLOUR_PACKAGE, STR("f"), STR("sort")) !=
               colour_of(COLOUR_PACKAGE, STR("f"), STR("main")),
       "which by package is of its hue");
    ok(colour_of(COLOUR_R, STR("base::lapply"), STR("")) == 0x8282d4, "and within a package");
    ok(colour_of(COLOUR_FILE, STR("f"), STR("a.c")) ==
               colour_of(COLOUR_FILE, STR("f"), STR("a.c")) &&
           colour_of(COLOUR_FILE, STR("f"), STR("a.c")) !=
               colour_of(COLOUR_FILE, STR("f"), STR("b.c")),
       "of a file");
    ok(colour_of(COLOUR_TYPE, STR("f"), STR("x/a.c")) ==
               colour_of(COLOUR_TYPE, STR("f"), STR("y.d/b.c")) &&
           colour_of(COLOUR_TYPE, STR("f"), STR("y.d/b")) ==
               colour_of(COLOUR_TYPE, STR("f"), STR("")),
       "of what a file ends in, which is behind the last slash");
    uint32_t grey = colour_of(COLOUR_R, STR("<GC>"), STR(""));
    ok((grey & 0xff) == (grey >> 8 & 0xff) && (grey & 0xff) == grey >> 16,
       "what R does itself is grey");
}

enum { SAMPLES = 20000 };

/* The colours of boxes: the first SAMPLES of each palette, changes, and grey. */
static size_t make_colours(uint32_t *to)
{
    size_t count = 0;
    for (int palette = 0; palette < COLOUR_DIFF; palette++)
        for (unsigned i = 0; i < SAMPLES; i++) {
            char name[16];
            struct str s = {name, (size_t)snprintf(name, sizeof name, "f%u.c", i)};
            to[count++] = colour_of((enum colour_palette)palette, s, s);
        }
    for (int change = -1000; change <= 1000; change++)
        to[count++] = colour_of_change(change);
    to[count++] = COLOUR_GREY;
    return count;
}

/* The least contrast of COUNT COLOURS with the colour OTHER. */
static double least_contrast(const uint32_t *colours, size_t count, uint32_t other)
{
    double least = 21;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, contrast(colours[i], other));
    return least;
}

static void test_contrast(void)
{
    static uint32_t colours[COLOUR_DIFF * SAMPLES + 2002];
    static const uint32_t light = 0xffffff, dark = 0x161616, found = 0x4a0072; /* of the page */
    const size_t count = make_colours(colours);
    const double text = least_contrast(colours, count, COLOUR_INK);
    const double outline = least_contrast(colours, count, light);
    ok(text >= 4.5, "text on each of them reads well: %.2f", text);
    ok(outline >= 1.3 && least_contrast(colours, count, dark) >= 1.3,
       "the outline of paper parts them: %.2f", outline);
    ok(least_contrast(colours, count, found) >= 3 && contrast(found, light) >= 4.5,
       "what is found differs from each of them, and its text reads well");
}

static void test_changes(void)
{
    ok(colour_of_change(0) == 0xdcdcdc && colour_of_change(1000) == 0xf58a1f &&
           colour_of_change(-1000) == 0x4f9be8,
       "what has not changed is grey");
    ok(colour_of_change(5000) == 0xf58a1f && colour_of_change(-5000) == 0x4f9be8 &&
           colour_of_change(500) == 0xe9b37e,
       "and what has goes as far as blue and orange");
}

/* --- SVG --- */

static void write_numbers(struct out *out, struct str unused)
{
    static const double numbers[] = {0,      1,       -1,       0.5,      1200,
                                     0.1234, 0.00005, -0.00001, 99.99999, 12.3};
    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        svg_number(out, "x", numbers[i]);
}

static void write_elements(struct out *out, struct str name)
{
    svg_open_rect(out, 1, 2, 3, 4);
    svg_colour(out, "fill", 0x00f00d);
    svg_inside(out);
    svg_title(out, name);
    svg_end(out, "rect");
    svg_text(out, "on", 1, 2, 12, SVG_MIDDLE, name);
}

static void test_elements(void)
{
    is(written(write_numbers, STR("")),
       STR(" x=\"0\" x=\"1\" x=\"-1\" x=\"0.5\" x=\"1200\" x=\"0.1234\" x=\"0.0001\" x=\"0\""
           " x=\"100\" x=\"12.3\""),
       "numbers have four digits at most behind the point");
    is(written(write_elements, STR("a<b")),
       STR("<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#00f00d\"><title>a&lt;b</title>"
           "</rect>\n<text class=\"on\" x=\"1\" y=\"2\" font-size=\"12\" text-anchor=\"middle\">"
           "a&lt;b</text>\n"),
       "elements have their attributes, and their content");
}

static void test_fit(void)
{
    struct buf text = {0};
    is(svg_fit(&text, STR("function"), 8 * 6, 10), STR("function"), "what fits stays whole");
    is(svg_fit(&text, STR("function"), 7.9 * 6, 10), STR("functi…"), "what does not is cut");
    is(svg_fit(&text, STR("日本語関数"), 7 * 6, 10), STR("日本語…"), "wide characters take two");
    is(svg_fit(&text, STR("fu"), 2 * 6, 10), STR("fu"), "short names fit where others are not cut");
    is(svg_fit(&text, STR("function"), 2.9 * 6, 10), STR(""), "to what says nothing");
    is(svg_fit(&text, STR("a\n\xff"), 100, 10), STR("a␊\ufffd"), "and all is visible");
    buf_free(&text);
}

/* --- pages --- */

static const struct page_asset style = {STR("p { color: red }\n"), STR("sha256-AAAA")},
                               script = {STR("'use strict';\n"), STR("sha256-BBBB")};

static void write_page(struct out *out, struct str title)
{
    struct page page = {.title = title, .styles = {&style, &style}, .scripts = {&script}};
    page_begin(&page, out);
    page_end(&page, out);
}

static void write_full_page(struct out *out, struct str unused)
{
    struct {
        struct page page;
        const struct page_asset *behind; /* is of no page */
    } full = {.behind = &style};
    (void)unused;
    for (size_t i = 0; i < PAGE_ASSETS_MAX; i++) {
        full.page.styles[i] = &style;
        full.page.scripts[i] = &script;
    }
    page_begin(&full.page, out);
    page_end(&full.page, out);
}

/* How often TEXT has WORD. */
static size_t times(struct str text, struct str word)
{
    size_t count = 0;
    for (; text.n >= word.n; text = (struct str){text.p + 1, text.n - 1})
        count += str_starts(text, word);
    return count;
}

static void test_page(void)
{
    is(written(write_page, STR("</title>")),
       STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'sha256-AAAA' 'sha256-AAAA'; script-src 'sha256-BBBB'; base-uri 'none'; "
           "form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<title>&lt;/title&gt;</title>\n"
           "<style>p { color: red }\n</style>\n<style>p { color: red }\n</style>\n"
           "</head>\n<body>\n<main>\n</main>\n"
           "<script>'use strict';\n</script>\n</body>\n</html>\n"),
       "a page lets in its own style sheets and scripts");
    const struct str full = written(write_full_page, STR(""));
    ok(times(full, STR("<style>")) == PAGE_ASSETS_MAX &&
           times(full, STR("<script>")) == PAGE_ASSETS_MAX &&
           times(full, STR("sha256-AAAA")) == PAGE_ASSETS_MAX &&
           times(full, STR("sha256-BBBB")) == PAGE_ASSETS_MAX,
       "as many of each as it may have");
    ok(page_look_css.text.n > 1000 && str_starts(page_look_css.hash, STR("sha256-")) &&
           page_look_css.hash.n == sizeof "sha256-" - 1 + 44,
       "the build has put assets into the library");
    ok(memmem(page_look_css.text.p, page_look_css.text.n, "</", 2) == NULL &&
           memmem(page_picture_css.text.p, page_picture_css.text.n, "<", 1) == NULL,
       "which end no element around them");
}

int main(void)
{
    test_visible();
    test_hash();
    test_colours();
    test_contrast();
    test_changes();
    test_elements();
    test_fit();
    test_page();
    return tap_done();
}

#include "page/visible.h"

#include "base/utf8.h"

#include <strings.h>

/* The replacement of the character of N bytes at P; p is NULL if it needs none. */
static struct str stand_in(const unsigned char *p, size_t n)
{
    static const struct str none = {NULL, 0};
    if (n == 2)
        return p[0] == 0xc2 && p[1] < 0xa0 ? UTF8_REPLACEMENT : none; /* U+0080 to U+009F */
    if (n == 4)                                                       /* U+nFFFE and U+nFFFF */
        return (p[1] & 0x0f) == 0x0f && p[2] == 0xbf && p[3] >= 0xbe ? UTF8_REPLACEMENT : none;
    uint32_t code = utf8_decode(p, 3);
    bool lays_out = utf8_lays_out((struct str){(const char *)p, n});
    bool is_none = (code >= 0xfdd0 && code <= 0xfdef) || code >= 0xfffe;
    return lays_out || is_none ? UTF8_REPLACEMENT : none;
}

/* Appends the control picture of C. */
static void add_picture(struct buf *to, unsigned char c)
{
    char picture[] = {'\xe2', '\x90', (char)(c == 0x7f ? 0xa1 : 0x80 + c)};
    buf_add(to, (struct str){picture, sizeof picture});
}

static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7f;
}

void visible_add(struct buf *to, struct str bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    for (size_t i = 0, n; i < bytes.n; i += n) {
        for (n = 0; i + n < bytes.n && is_plain(p[i + n]);)
            n++;
        buf_add(to, (struct str){bytes.p + i, n});
        if (n > 0)
            continue;
        n = p[i] < 0x80 ? 1 : utf8_length(p + i, bytes.n - i);
        if (n == 1) {
            add_picture(to, p[i]);
        } else if (n == 0) {
            buf_add(to, UTF8_REPLACEMENT);
            n = 1;
        } else {
            struct str other = stand_in(p + i, n);
            buf_add(to, other.p != NULL ? other : (struct str){bytes.p + i, n});
        }
    }
}

/* The escape of C; p is NULL if it needs none. */
static struct str entity(char c)
{
    switch (c) {
    case '&': return STR("&amp;");
    case '<': return STR("&lt;");
    case '>': return STR("&gt;");
    case '"': return STR("&quot;");
    case '\'': return STR("&#39;");
    default: return (struct str){NULL, 0};
    }
}

void visible_write_text(struct out *out, struct str text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.n; i++) {
        struct str other = entity(text.p[i]);
        if (other.p == NULL)
            continue;
        out_write(out, (struct str){text.p + from, i - from});
        out_write(out, other);
        from = i + 1;
    }
    out_write(out, (struct str){text.p + from, text.n - from});
}

void visible_write(struct out *out, struct str bytes)
{
    struct buf text = {0};
    visible_add(&text, bytes);
    visible_write_text(out, buf_str(&text));
    buf_free(&text);
}

/* --- Markdown --- */

static bool is_word(char c)
{
    return str_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the character TEXT[I] may be markup; FIRST is the start of its line. */
static bool is_markup(struct str text, size_t i, size_t first)
{
    struct str rest = {text.p + i, text.n - i};
    bool begins_number = i > first;
    switch (text.p[i]) {
    case '_': /* no markup inside a word */
        return i == first || i + 1 == text.n || !is_word(text.p[i - 1]) || !is_word(text.p[i + 1]);
    case '-':
    case '+':
    case '=': return i == first;
    case ':': return str_starts(rest, STR("://"));
    case '.':
        for (size_t k = first; k < i; k++)
            begins_number = begins_number && str_is_digit(text.p[k]);
        return begins_number || (i >= 3 && strncasecmp(text.p + i - 3, "www", 3) == 0);
    default: return strchr("\\`*[]<>|~&@#", text.p[i]) != NULL && text.p[i] != '\0';
    }
}

void visible_write_markdown(struct out *out, struct str text)
{
    for (size_t i = 0, first = 0; i < text.n; i++) {
        if (is_markup(text, i, first))
            out_write(out, STR("\\"));
        out_write(out, (struct str){text.p + i, 1});
        if (text.p[i] == '\n')
            first = i + 1;
    }
}

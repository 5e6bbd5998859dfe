#include "formats/xctrace/xctrace_xml.h"

#include "base/utf8.h"
#include "rows/text.h"

static bool is_space(char c)
{
    return str_is_blank(c) || c == '\n';
}

static bool is_name(char c)
{
    const char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || str_is_digit(c) || c == '-' || c == '_' || c == '.' ||
           c == ':' || (unsigned char)c >= 0x80;
}

/* Whether messages can show NAME as it is. */
static bool is_utf8(struct str name)
{
    for (size_t i = 0, n; i < name.n; i += n)
        if ((n = (unsigned char)name.p[i] < 0x80
                     ? 1
                     : utf8_length((const unsigned char *)name.p + i, name.n - i)) == 0)
            return false;
    return true;
}

static struct str take_name(const char **p, const char *end)
{
    const char *start = *p;
    while (*p < end && is_name(**p))
        ++*p;
    return (struct str){start, (size_t)(*p - start)};
}

static void skip_spaces(const char **p, const char *end)
{
    while (*p < end && is_space(**p))
        ++*p;
}

/* --- entities --- */

/* The character of &#N; or &#xN;, whose digits are TEXT; 0: none. */
static uint32_t numbered(struct str text)
{
    const bool is_hex = str_take(&text, STR("x"));
    uint32_t c = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char lower = (char)(text.p[i] | 0x20);
        const uint32_t digit = str_is_digit(text.p[i]) ? (uint32_t)(text.p[i] - '0')
                               : is_hex && lower >= 'a' && lower <= 'f'
                                   ? (uint32_t)(lower - 'a') + 10
                                   : UINT32_MAX;
        if (digit == UINT32_MAX || c > 0x10ffff)
            return 0;
        c = c * (is_hex ? 16 : 10) + digit;
    }
    return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : c;
}

/* Takes the entity that *TEXT begins with; returns its character, 0 if there is none. */
static uint32_t take_entity(struct str *text)
{
    static const struct {
        struct str name;
        char c;
    } named[] = {{STR("&amp;"), '&'},
                 {STR("&lt;"), '<'},
                 {STR("&gt;"), '>'},
                 {STR("&quot;"), '"'},
                 {STR("&apos;"), '\''}};
    enum { LONGEST = 16 };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (str_take(text, named[i].name))
            return (unsigned char)named[i].c;
    const char *end = memchr(text->p, ';', text->n < LONGEST ? text->n : LONGEST);
    if (end == NULL || text->p + 2 >= end || text->p[1] != '#')
        return 0;
    const uint32_t c = numbered((struct str){text->p + 2, (size_t)(end - text->p - 2)});
    *text = (struct str){end + 1, text->n - (size_t)(end + 1 - text->p)};
    return c;
}

void xml_unescape(struct buf *to, struct str text)
{
    while (text.n > 0) {
        const char *entity = memchr(text.p, '&', text.n);
        const size_t plain = entity == NULL ? text.n : (size_t)(entity - text.p);
        buf_add(to, (struct str){text.p, plain});
        text = (struct str){text.p + plain, text.n - plain};
        if (text.n > 0)
            to->n += utf8_encode(buf_reserve(to, UTF8_MAX), take_entity(&text));
    }
}

/* --- tokens --- */

/* Moves x->where to the line of AT, which is not before the last one. */
static struct place line_of(struct xml *x, const char *at)
{
    for (const char *lf; (lf = memchr(x->counted, '\n', (size_t)(at - x->counted))) != NULL;
         x->counted = lf + 1)
        x->where.at++;
    x->counted = at;
    return x->where;
}

static void check_entities(struct xml *x, struct str text)
{
    const char *entity;
    while (text.n > 0 && (entity = memchr(text.p, '&', text.n)) != NULL) {
        text = (struct str){entity, text.n - (size_t)(entity - text.p)};
        if (take_entity(&text) == 0)
            die_at(
                line_of(x, entity),
                "expected &amp;, &lt;, &gt;, &quot;, &apos; or the number of a character behind &");
    }
}

static _Noreturn void die_cut(struct xml *x)
{
    die_as(CODE_TORN, line_of(x, x->end), "expected the end of an element, found that of the file");
}

/* Takes the attributes at x->p. */
static void take_attributes(struct xml *x)
{
    const char *start = x->p;
    for (;;) {
        const char *before = x->p;
        skip_spaces(&x->p, x->end);
        if (x->p == x->end)
            die_cut(x);
        if (*x->p == '>' || *x->p == '/')
            break;
        const struct str name = take_name(&x->p, x->end);
        skip_spaces(&x->p, x->end);
        if (name.n == 0 || name.p == before || (x->p < x->end && *x->p != '='))
            die_at(line_of(x, before), "expected an attribute, as name=\"value\", or >");
        if (!is_utf8(name))
            text_die(line_of(x, before), STR(""), "the name of an attribute in UTF-8", name);
        x->p += x->p < x->end;
        skip_spaces(&x->p, x->end);
        if (x->p == x->end)
            die_cut(x);
        const char quote = *x->p;
        if (quote != '"' && quote != '\'')
            die_at(line_of(x, x->p), "expected a quote before the value of %s", text_shown(name));
        const char *value = ++x->p;
        x->p = memchr(value, quote, (size_t)(x->end - value));
        if (x->p == NULL)
            die_cut(x);
        check_entities(x, (struct str){value, (size_t)(x->p++ - value)});
    }
    x->attributes = (struct str){start, (size_t)(x->p - start)};
}

/* Takes the rest of a tag, behind its "<". */
static enum xml_token take_tag(struct xml *x)
{
    const char *start = x->p;
    const bool is_close = x->p < x->end && *x->p == '/';
    x->p += is_close;
    x->name = take_name(&x->p, x->end);
    if (x->p == x->end)
        die_cut(x);
    if (x->name.n == 0)
        die_at(line_of(x, start), "expected the name of an element behind <");
    if (!is_utf8(x->name))
        text_die(line_of(x, start), STR(""), "the name of an element in UTF-8", x->name);
    if (is_close)
        skip_spaces(&x->p, x->end);
    else
        take_attributes(x);
    if (x->p == x->end)
        die_cut(x);
    const bool is_empty = !is_close && *x->p == '/';
    x->p += is_empty;
    if (x->p == x->end)
        die_cut(x);
    if (*x->p++ != '>')
        die_at(line_of(x, x->p), "expected > at the end of %s", text_shown(x->name));
    return is_close ? XML_CLOSE : is_empty ? XML_EMPTY : XML_OPEN;
}

enum xml_token xml_next(struct xml *x)
{
    const char *start = x->p;
    skip_spaces(&x->p, x->end);
    line_of(x, x->p);
    if (x->p == x->end)
        return XML_END;
    if (*x->p == '<') {
        x->p++;
        return take_tag(x);
    }
    const char *end = memchr(x->p, '<', (size_t)(x->end - x->p));
    x->p = end == NULL ? x->end : end;
    x->text = (struct str){start, (size_t)(x->p - start)};
    check_entities(x, x->text);
    return XML_TEXT;
}

struct xml xml_open(const char *file, struct str whole)
{
    struct xml x = {
        .where = {file, PLACE_LINE, 1}, .p = whole.p, .end = whole.p + whole.n, .counted = whole.p};
    skip_spaces(&x.p, x.end);
    if (!str_starts((struct str){x.p, (size_t)(x.end - x.p)}, STR("<?xml")))
        return x;
    while (x.p < x.end && *x.p != '>')
        x.p++;
    x.p += x.p < x.end;
    return x;
}

struct str xml_attribute(struct str attributes, struct str name)
{
    const char *p = attributes.p, *end = attributes.p + attributes.n;
    for (;;) {
        skip_spaces(&p, end);
        const struct str found = take_name(&p, end);
        if (found.n == 0)
            return (struct str){NULL, 0};
        while (*p != '"' && *p != '\'')
            p++;
        const char *value = p + 1;
        p = memchr(value, *p, (size_t)(end - value));
        if (str_equal(found, name))
            return (struct str){value, (size_t)(p++ - value)};
        p++;
    }
}

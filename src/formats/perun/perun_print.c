/* The output of Python's json.dumps: with indent=2, where Perun then replaces ",\s+(\d+)" by ",
 * \1"; or on one line. */
#include "formats/perun/perun_print.h"

#include "formats/perun/perun_text.h"
#include "rows/text.h"

enum { INDENT = 2 };

static void begin_line(struct perun_printer *p)
{
    static const struct str line = STR("\n                                ");
    size_t left = p->depth * INDENT, max = line.n - 1;
    out_write(p->out, (struct str){line.p, 1 + (left < max ? left : max)});
    for (left -= left < max ? left : max; left > 0; left -= left < max ? left : max)
        out_write(p->out, (struct str){line.p + 1, left < max ? left : max});
}

/* Writes the white space between the last token and one that begins with C. */
static void add_space(struct perun_printer *p, char c)
{
    bool is_end = c == '}' || c == ']';
    bool is_begun = p->last == '{' || p->last == '[';
    if (p->last == ':' || (p->last == ',' && (!p->is_indented || str_is_digit(c))))
        out_write(p->out, STR(" "));
    else if (p->is_indented && (p->last == ',' || (is_begun && !is_end) || (is_end && !is_begun)))
        begin_line(p);
}

/* The length of the token at the start of TEXT. */
static size_t token_length(struct str text)
{
    size_t n = 1;
    if (*text.p == '"') {
        for (; n < text.n && text.p[n] != '"'; n++)
            n += text.p[n] == '\\';
        return n < text.n ? n + 1 : text.n;
    }
    if (memchr("{}[]:,", *text.p, 6) == NULL)
        while (n < text.n && memchr("}],:", text.p[n], 4) == NULL)
            n++;
    return n;
}

/* Writes the string TEXT, which has its quotes, as Python spells it. */
static void print_string(struct perun_printer *p, struct str text)
{
    p->bytes.n = p->string.n = 0;
    perun_bytes(&p->bytes, text);
    perun_escape(&p->string, buf_str(&p->bytes));
    out_write(p->out, STR("\""));
    out_write(p->out, buf_str(&p->string));
    out_write(p->out, STR("\""));
}

void perun_print(struct perun_printer *p, struct str text)
{
    while (text.n > 0) {
        char c = *text.p;
        size_t n = token_length(text);
        if (c == '}' || c == ']')
            p->depth--;
        if (c != ',' && c != ':')
            add_space(p, c);
        if (c == '{' || c == '[')
            p->depth++;
        if (c == '"' && p->is_respelled)
            print_string(p, (struct str){text.p, n});
        else
            out_write(p->out, (struct str){text.p, n});
        p->last = c;
        text.p += n;
        text.n -= n;
    }
}

void perun_printer_free(struct perun_printer *p)
{
    buf_free(&p->bytes);
    buf_free(&p->string);
}

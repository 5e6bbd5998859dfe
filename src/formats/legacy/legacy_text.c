/* Lines, and what stands in them. */
#include "formats/legacy/legacy.h"
#include "rows/emit.h"
#include "rows/text.h"

/* The last line has no end, so it does not count. */
static bool admit_torn(struct legacy *l)
{
    if (l->request->strict)
        die_as(CODE_TORN, l->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, l->where, "the last line is torn (no line feed): skipped");
    l->line = STR("");
    return false;
}

bool legacy_next_line(struct legacy *l, struct str *line)
{
    if (!l->is_back && l->window.n == 0) {
        in_consume(l->in, l->window_size);
        l->window = in_lines(l->in, 0, l->where.at + 1);
        l->window_size = l->window.n;
    }
    if (!l->is_back) {
        if (!str_next_line(&l->window, &l->line))
            return false;
        l->line = str_trim(l->line);
        l->where.at++;
        if (l->window.n == 0 && in_torn(l->in)) /* an address may be cut in its middle */
            return admit_torn(l);
    }
    l->is_back = false;
    *line = l->line;
    return true;
}

void legacy_unread(struct legacy *l)
{
    l->is_back = true;
}

void legacy_unexpected(const struct legacy *l, const char *expected)
{
    die_at(l->where, "expected %s, found \"%.*s\"", expected, STR_ARG(l->line));
}

static void skip_blanks(struct str *s)
{
    while (s->n > 0 && str_is_blank(s->p[0]))
        s->p++, s->n--;
}

bool legacy_take(struct str *s, struct str what)
{
    skip_blanks(s);
    return str_take(s, what);
}

bool legacy_take_number(struct str *s, int64_t *n)
{
    skip_blanks(s);
    struct str rest = *s;
    const bool is_negative = str_take(&rest, STR("-"));
    int64_t value = 0;
    if (rest.n == 0 || !str_is_digit(rest.p[0]))
        return false;
    for (; rest.n > 0 && str_is_digit(rest.p[0]); rest.p++, rest.n--) {
        const int digit = rest.p[0] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, is_negative ? -digit : digit, &value))
            return false;
    }
    *n = value;
    *s = rest;
    return true;
}

bool legacy_take_address(struct str *s, uint64_t *address)
{
    skip_blanks(s);
    struct str rest = *s;
    if (!str_take(&rest, STR("0x")))
        str_take(&rest, STR("0X"));
    if (!text_take_hex(&rest, address))
        return false;
    *s = rest;
    return true;
}

struct str legacy_take_word(struct str *s)
{
    skip_blanks(s);
    struct str word = {s->p, 0};
    while (word.n < s->n && !str_is_blank(s->p[word.n]))
        word.n++;
    s->p += word.n;
    s->n -= word.n;
    return word;
}

void legacy_keep_line(struct legacy *l, struct str line)
{
    if (l->lines.n > 0)
        buf_add(&l->lines, STR(","));
    emit_inner_string(&l->lines, &l->text, line);
}

/* Lines, and what stands in them. */
#include "base/port.h"
#include "formats/stacks/stacks.h"
#include "rows/text.h"

/* The last line has no end: a number in it may be cut, so it does not count. */
static bool admit_torn(struct stacks_reader *s)
{
    if (s->request->strict)
        die_as(CODE_TORN, s->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, s->where, "the last line is torn (no line feed): skipped");
    s->is_torn = true;
    return false;
}

bool stacks_next_line(struct stacks_reader *s, struct str *line)
{
    if (!s->is_back) {
        if (s->window.n == 0) {
            in_consume(s->in, s->window_size);
            s->window = in_lines(s->in, 0, s->where.at + 1);
            s->window_size = s->window.n;
        }
        if (!str_next_line(&s->window, &s->line))
            return false;
        s->where.at++;
        if (s->line.n > 0 && s->line.p[s->line.n - 1] == '\r')
            s->line.n--;
        if (s->window.n == 0 && in_torn(s->in))
            return admit_torn(s);
    }
    s->is_back = false;
    *line = s->line;
    return true;
}

void stacks_drop_torn(struct stacks_reader *s, struct str *whole)
{
    const char *lf = whole->n == 0 ? NULL : port_memrchr(whole->p, '\n', whole->n);
    const size_t n = lf == NULL ? 0 : (size_t)(lf - whole->p) + 1;
    if (n == whole->n)
        return;
    const struct place here = s->where;
    for (size_t i = 0; i < n; i++)
        s->where.at += whole->p[i] == '\n';
    s->where.at++;
    admit_torn(s);
    s->where = here;
    whole->n = n;
}

void stacks_unread(struct stacks_reader *s)
{
    s->is_back = true;
}

size_t stacks_skip_blanks(struct str *line)
{
    size_t n = 0;
    while (n < line->n && (line->p[n] == ' ' || line->p[n] == '\t'))
        n++;
    line->p += n;
    line->n -= n;
    return n;
}

bool stacks_take_value(struct str *s, int64_t *value)
{
    size_t n = str_starts(*s, STR("-"));
    while (n < s->n && str_is_digit(s->p[n]))
        n++;
    if (!text_is_integer((struct str){s->p, n}, value))
        return false;
    s->p += n;
    s->n -= n;
    return true;
}

size_t stacks_find(struct str s, struct str what)
{
    const char *found = s.n == 0 ? NULL : port_memmem(s.p, s.n, what.p, what.n);
    return found == NULL ? s.n : (size_t)(found - s.p);
}

size_t stacks_find_last(struct str s, struct str what)
{
    for (size_t i = s.n; i-- > 0;)
        if (s.n - i >= what.n && memcmp(s.p + i, what.p, what.n) == 0)
            return i;
    return s.n;
}

struct str stacks_take_until(struct str *s, struct str what)
{
    const size_t n = stacks_find(*s, what);
    const struct str front = {s->p, n};
    const size_t taken = n == s->n ? n : n + what.n;
    s->p += taken;
    s->n -= taken;
    return front;
}

int64_t stacks_take_line(struct str *file)
{
    size_t n = file->n;
    while (n > 0 && str_is_digit(file->p[n - 1]))
        n--;
    struct str digits = {file->p + n, file->n - n};
    int64_t line;
    if (n == 0 || file->p[n - 1] != ':' || !text_take_number(&digits, &line))
        return 0;
    file->n = n - 1;
    return line;
}

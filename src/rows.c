#include "rows.h"

#include "foreign.h"
#include "formats.h"
#include "parse.h"
#include "scan.h"

void rows_start(struct rows *r, struct in *in)
{
    r->in = in;
    r->where = (struct place){in_name(in), PLACE_LINE, 0};
    r->lines = STR("");
    r->next = r->lines.p;
    r->any = r->foreign = false;
}

/* Whether the first line is too long for a row. */
static bool is_endless(const struct rows *r)
{
    struct str head = in_peek_line(r->in, IN_LINE_MAX + 1);
    return head.n > IN_LINE_MAX && memchr(head.p, '\n', IN_LINE_MAX + 1) == NULL;
}

/* Whether the input is of another format; says so.  Where findings are collected, text that may be
 * rows but for its start is looked at line by line. */
static bool is_foreign(const struct rows *r)
{
    struct str head = in_peek_line(r->in, 512);
    const struct format *f = format_detect(head);
    if (f == &format_rows)
        return false;
    bool is_marked = r->findings != NULL && str_starts(head, STR("\xef\xbb\xbf"));
    if (f == NULL && (is_marked || !foreign_is_known(head))) {
        size_t blank = 0;
        while (blank < head.n && memchr(" \t\r\n", head.p[blank], 4) != NULL)
            blank++;
        bool may_be_rows = blank == head.n || head.p[blank] == '{' || r->findings != NULL;
        if (may_be_rows && !is_endless(r))
            return false;
        head = in_peek_line(r->in, 512);
    }
    format_unexpected(r->findings, (struct place){in_name(r->in), PLACE_FILE, 0}, "profile rows",
                      head);
    return true;
}

/* The line at r->next, which the scanner has left. */
static bool read_other(struct rows *r, struct row *row)
{
    size_t left = (size_t)(r->lines.p + r->lines.n - r->next);
    const char *lf = memchr(r->next, '\n', left);
    r->line = (struct str){r->next, (size_t)(lf - r->next)};
    r->next = lf + 1;
    if (parse_is_blank(r->line))
        return false;
    r->any = true;
    arena_clear(&r->arena);
    r->bad = parse_row(r->line, r->where, r->versions, r->findings, &r->arena, row);
    return true;
}

bool rows_next(struct rows *r, struct row *row)
{
    for (;;) {
        if (r->next == r->lines.p + r->lines.n) {
            r->foreign = r->where.at == 0 && is_foreign(r);
            if (r->foreign)
                return false;
            in_consume(r->in, r->lines.n);
            r->lines = in_lines(r->in, 0, r->where.at + 1);
            r->next = r->lines.p;
            if (r->lines.n == 0)
                return false;
        }
        r->where.at++;
        const char *end = scan_row(r->next, r->versions, row);
        if (__builtin_expect(end != NULL, 1)) {
            r->line = (struct str){r->next, (size_t)(end - r->next) - 1};
            r->next = end;
            r->bad = 0;
            r->any = true;
            return true;
        }
        if (read_other(r, row))
            return true;
    }
}

void rows_free(struct rows *r)
{
    arena_free(&r->arena);
}

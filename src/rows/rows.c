#include "rows/rows.h"

#include "rows/parse.h"
#include "rows/scan.h"

void rows_start(struct rows *r, struct in *in)
{
    r->in = in;
    r->where = (struct place){in_name(in), PLACE_LINE, 0};
    r->lines = STR("");
    r->next = r->lines.p;
}

/* Parses the line at r->next, which the scanner did not accept. */
static bool read_other(struct rows *r, struct row *row)
{
    size_t left = (size_t)(r->lines.p + r->lines.n - r->next);
    const char *lf = memchr(r->next, '\n', left);
    r->line = (struct str){r->next, (size_t)(lf - r->next)};
    r->next = lf + 1;
    if (parse_is_blank(r->line))
        return false;
    arena_clear(&r->arena);
    r->bad = parse_row(r->line, r->where, r->versions, r->findings, &r->arena, row);
    return true;
}

bool rows_next(struct rows *r, struct row *row)
{
    for (;;) {
        if (r->next == r->lines.p + r->lines.n) {
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

#include "formats/csv.h"

/* The quoted cell before MARK that *REST begins with, behind its quote; sets *REST to what
 * follows. */
static bool take_quoted(struct str *rest, char mark, struct str *cell, struct buf *scratch)
{
    bool is_copied = false;
    scratch->n = 0;
    for (;;) {
        const char *quote = rest->n == 0 ? NULL : memchr(rest->p, '"', rest->n);
        if (quote == NULL)
            return false;
        const struct str part = {rest->p, (size_t)(quote - rest->p)};
        *rest = (struct str){quote + 1, rest->n - part.n - 1};
        const bool is_doubled = rest->n > 0 && *rest->p == '"';
        *cell = part;
        if (is_copied || is_doubled)
            buf_add(scratch, part);
        if (!is_doubled)
            break;
        is_copied = true;
        buf_add(scratch, STR("\""));
        *rest = (struct str){rest->p + 1, rest->n - 1};
    }
    if (is_copied)
        *cell = buf_str(scratch);
    return rest->n == 0 || *rest->p == mark;
}

bool csv_take(struct str *line, char mark, struct str *cell, struct buf *scratch,
              struct place where)
{
    struct str rest = *line;
    if (rest.p == NULL)
        return false;
    if (str_take(&rest, STR("\""))) {
        if (!take_quoted(&rest, mark, cell, scratch))
            die_at(where, "expected %s or the end of the line behind a quoted cell",
                   mark == '\t'  ? "a tab"
                   : mark == ';' ? "a semicolon"
                                 : "a comma");
    } else {
        const char *end = rest.n == 0 ? NULL : memchr(rest.p, mark, rest.n);
        *cell = (struct str){rest.p, end == NULL ? rest.n : (size_t)(end - rest.p)};
        rest = (struct str){rest.p + cell->n, rest.n - cell->n};
    }
    *line = rest.n == 0 ? (struct str){NULL, 0} : (struct str){rest.p + 1, rest.n - 1};
    return true;
}

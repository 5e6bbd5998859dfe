#include "rows/site.h"

#include "rows/text.h"

/* Removes LEAD and an integer from *REST and stores the integer in *VALUE.  It must be from MIN
 * to MAX, not 0, and spelled as emit.c does. */
static void take_integer(struct str *rest, struct str lead, int64_t min, int64_t max,
                         int64_t *value)
{
    struct str text = *rest;
    if (!str_take(&text, lead))
        return;
    bool negative = str_take(&text, STR("-"));
    uint64_t v = 0;
    size_t n = 0;
    for (; n < text.n && str_is_digit(text.p[n]); n++)
        if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(text.p[n] - '0'), &v))
            return;
    bool is_spelled = n > 0 && text.p[0] != '0' && (n == text.n || text.p[n] == ',');
    if (!is_spelled || v > (uint64_t)INT64_MAX + negative)
        return;
    int64_t found = (int64_t)(negative ? 0 - v : v);
    if (found < min || found > max)
        return;
    *value = found;
    *rest = (struct str){text.p + n, text.n - n};
}

static void take_address(struct str *rest, uint64_t *value)
{
    enum { DIGITS = 16 };
    struct str text = *rest;
    uint64_t v = 0;
    size_t n = 0;
    if (!str_take(&text, SITE_ADDRESS))
        return;
    for (; n < text.n && n < DIGITS && text_hex_value(text.p[n]) < 16; n++) {
        if (text.p[n] >= 'A' && text.p[n] <= 'F')
            return;
        v = v << 4 | text_hex_value(text.p[n]);
    }
    if (n == 0 || text.p[0] == '0' || n == text.n || text.p[n] != '"')
        return;
    *value = v;
    *rest = (struct str){text.p + n + 1, text.n - n - 1};
}

void site_take(struct row *row)
{
    struct row_site *s = &row->site;
    take_integer(&row->extra, SITE_MAPPING, 1, SCHEMA_ID_MAX, &s->mapping_id);
    take_address(&row->extra, &s->address);
    take_integer(&row->extra, SITE_COLUMN, INT64_MIN, INT64_MAX, &s->column);
    s->is_folded = str_take(&row->extra, SITE_FOLDED);
    take_integer(&row->extra, SITE_INTO, 1, SCHEMA_ID_MAX, &s->inlined_into);
}

#include "formats/speedscope/speedscope_text.h"

#include "base/units.h"
#include "rows/text.h"

#include <stdio.h>

struct str speedscope_unit(struct str unit)
{
    static const struct str words[] = {STR("nanoseconds"), STR("microseconds"), STR("milliseconds"),
                                       STR("seconds"), STR("bytes")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (units_in(unit, words[i]) == 1)
            return words[i];
    return STR("none");
}

struct str speedscope_type(struct str unit, struct str *as)
{
    *as = unit;
    if (units_nanoseconds(unit) != 0)
        return STR("time");
    if (units_in(unit, STR("bytes")) != 0)
        return STR("space");
    if (!str_equal(unit, STR("none")))
        return STR("weight");
    *as = STR("count");
    return STR("samples");
}

/* The length of a code point at the start of S that only JSON can escape: NUL, or half a surrogate
 * pair in three bytes; 0 if there is none. */
static size_t odd_length(struct str s, unsigned *code)
{
    const unsigned char *p = (const unsigned char *)s.p;
    *code = 0;
    if (*p == 0)
        return 1;
    if (s.n < 3 || p[0] != 0xed || p[1] < 0xa0 || p[1] > 0xbf || (p[2] & 0xc0) != 0x80)
        return 0;
    *code = 0xd000 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    return 3;
}

bool speedscope_escape(struct buf *to, struct str bytes)
{
    bool good = true;
    for (size_t i = 0, n; i < bytes.n;) {
        unsigned code;
        struct str rest = {bytes.p + i, bytes.n - i};
        if ((n = odd_length(rest, &code)) > 0) {
            char text[8];
            snprintf(text, sizeof text, "\\u%04x", code);
            buf_add(to, str_of(text));
            i += n;
            continue;
        }
        for (n = 1; n < rest.n; n++)
            if ((rest.p[n] == 0 || rest.p[n] == '\xed') &&
                odd_length((struct str){rest.p + n, rest.n - n}, &code) > 0)
                break;
        good &= text_escape(to, (struct str){rest.p, n});
        i += n;
    }
    return good;
}

/* Uses a table of its own: what the C library knows differs between systems and locales. */
#include "base/width.h"

#include "base/utf8.h"
#include "base/width_table.h"

static bool is_in(uint32_t c, const struct width_range *ranges, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}

/* The columns that the character C takes. */
static unsigned columns_of(uint32_t c)
{
    if (c < width_none[0].first)
        return 1;
    if (is_in(c, width_two, sizeof width_two / sizeof *width_two))
        return 2;
    return is_in(c, width_none, sizeof width_none / sizeof *width_none) ? 0 : 1;
}

size_t width_of(struct str text, size_t max, size_t *fits)
{
    size_t width = 0, at = 0;
    while (at < text.n) {
        const unsigned char *p = (const unsigned char *)text.p + at;
        unsigned n = *p < 0x80 ? 1 : utf8_length(p, text.n - at);
        unsigned columns =
            n < 2 ? 1 : columns_of(utf8_decode(p, n)); /* a byte that is not text takes one */
        if (width + columns > max)
            break;
        width += columns;
        at += n > 0 ? n : 1;
    }
    if (fits != NULL)
        *fits = at;
    return width;
}

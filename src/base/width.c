#include "base/width.h"

#include <locale.h>
#include <wchar.h>

/* The C library knows what is wide in a locale of UTF-8 alone, whatever the user's is. */
static locale_t utf_8(void)
{
    static locale_t locale;
    if (locale == (locale_t)0)
        locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return locale;
}

static size_t width_in_locale(struct str text, size_t most, size_t *fits)
{
    mbstate_t state = {0};
    size_t width = 0, at = 0;
    while (at < text.n) {
        wchar_t c;
        size_t n = mbrtowc(&c, text.p + at, text.n - at, &state);
        if (n == 0 || n > text.n - at) /* no locale: each byte is taken for a column */
            n = 1, c = L'?', state = (mbstate_t){0};
        int columns = wcwidth(c);
        columns = columns < 0 ? 1 : columns;
        if (width + (size_t)columns > most)
            break;
        width += (size_t)columns;
        at += n;
    }
    if (fits != NULL)
        *fits = at;
    return width;
}

size_t width_of(struct str text, size_t most, size_t *fits)
{
    locale_t locale = utf_8(), before = (locale_t)0;
    if (locale != (locale_t)0)
        before = uselocale(locale);
    size_t width = width_in_locale(text, most, fits);
    if (locale != (locale_t)0)
        uselocale(before);
    return width;
}

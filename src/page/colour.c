#include "page/colour.h"

#include "base/port.h"
#include "base/utf8.h"

#include <stdlib.h>

const char *const colour_palettes[COLOUR_COUNT] = {
    [COLOUR_HOT] = "hot",   [COLOUR_PACKAGE] = "package", [COLOUR_R] = "r",
    [COLOUR_FILE] = "file", [COLOUR_TYPE] = "type",       [COLOUR_DIFF] = "diff",
};

/* --- hashes --- */

static uint32_t add_bytes(uint32_t hash, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++)
        hash = (hash ^ (unsigned char)bytes.p[i]) * 16777619u;
    return hash;
}

uint32_t colour_hash(struct str text)
{
    uint32_t hash = 2166136261u;
    const unsigned char *p = (const unsigned char *)text.p;
    for (size_t i = 0, n; i < text.n; i += n) {
        n = p[i] < 0x80 ? p[i] != 0 : utf8_length(p + i, text.n - i);
        hash = add_bytes(hash, n > 0 ? (struct str){text.p + i, n} : UTF8_REPLACEMENT);
        n = n > 0 ? n : 1;
    }
    return hash;
}

/* --- what a hue depends on --- */

/* The package that NAME starts with, otherwise the whole name; empty for a name in <>, like
 * those of R itself. */
static struct str package_of(struct str name)
{
    if (name.n > 0 && name.p[0] == '<')
        return STR("");
    const char *end = name.n > 0 ? port_memmem(name.p, name.n, "::", 2) : NULL;
    return end != NULL && end > name.p ? (struct str){name.p, (size_t)(end - name.p)} : name;
}

/* The suffix of FILE, from the last dot on; empty if its name has none. */
static struct str suffix_of(struct str file)
{
    for (size_t i = file.n; i > 0 && file.p[i - 1] != '/'; i--)
        if (file.p[i - 1] == '.')
            return (struct str){file.p + i - 1, file.n - i + 1};
    return STR("");
}

/* What COLOUR_TYPE depends on: an annotation, "_[", a letter and "]", otherwise the suffix of
 * the file. */
static struct str type_of(struct str name, struct str file)
{
    enum { LENGTH = 4 };
    if (name.n > LENGTH && name.p[name.n - 1] == ']' && name.p[name.n - 3] == '[' &&
        name.p[name.n - 4] == '_')
        return (struct str){name.p + name.n - LENGTH, LENGTH};
    return suffix_of(file);
}

/* --- colours --- */

/* One channel of a colour; PART and MIN are in units of 1/20000. */
static uint32_t channel(unsigned part, unsigned min)
{
    return (255 * (part + min) + 10000) / 20000;
}

uint32_t colour_of_hsl(unsigned hue, unsigned saturation, unsigned lightness)
{
    unsigned chroma = (100 - (unsigned)abs(2 * (int)lightness - 100)) * saturation;
    unsigned min = 200 * lightness - chroma, max = 2 * chroma;
    unsigned between = max * (60 - (unsigned)abs((int)(hue % 120) - 60)) / 60;
    const unsigned parts[6][3] = {{max, between, 0}, {between, max, 0}, {0, max, between},
                                  {0, between, max}, {between, 0, max}, {max, 0, between}};
    const unsigned *part = parts[hue / 60 % 6];
    return channel(part[0], min) << 16 | channel(part[1], min) << 8 | channel(part[2], min);
}

uint32_t colour_of(enum colour_palette palette, struct str name, struct str place)
{
    uint32_t h = colour_hash(name);
    if (palette == COLOUR_HOT)
        return colour_of_hsl(6 + h % 44, 80 + (h >> 8) % 16, 62 + (h >> 16) % 9);
    struct str kin = palette == COLOUR_R      ? package_of(name)
                     : palette == COLOUR_TYPE ? type_of(name, place)
                                              : place;
    unsigned lightness = 67 + (h >> 16) % 9;
    if (kin.n == 0)
        return colour_of_hsl(0, 0, lightness);
    return colour_of_hsl(colour_hash(kin) % 360, 45 + (h >> 8) % 16, lightness);
}

uint32_t colour_of_change(int thousandths)
{
    static const uint32_t less = 0x4f9be8, none = 0xdcdcdc, more = 0xf58a1f;
    uint32_t end = thousandths < 0 ? less : more, colour = 0;
    uint32_t size = thousandths < -1000 || thousandths > 1000 ? 1000 : (uint32_t)abs(thousandths);
    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t a = none >> shift & 0xff, b = end >> shift & 0xff;
        colour |= (a * (1000 - size) + b * size + 500) / 1000 << shift;
    }
    return colour;
}

#include "formats/folded/folded_lines.h"

#include "base/utf8.h"
#include "formats/folded/folded_text.h"

#include <stdint.h>

/* --- UTF-16 --- */

static uint32_t unit_at(const char *p, bool big)
{
    unsigned char first = (unsigned char)p[0], second = (unsigned char)p[1];
    return big ? first * 256u + second : second * 256u + first;
}

size_t folded_decode(struct buf *to, struct str bytes, bool big)
{
    size_t i = 0;
    char *start = buf_reserve(to, bytes.n / 2 * 3 + 4), *p = start;
    while (i + 2 <= bytes.n) {
        uint32_t c = unit_at(bytes.p + i, big);
        size_t size = 2;
        if (utf8_is_high(c) || utf8_is_low(c)) { /* first half of a pair, or a lone half */
            uint32_t low = i + 4 <= bytes.n ? unit_at(bytes.p + i + 2, big) : 0;
            if (!utf8_is_high(c) || !utf8_is_low(low))
                break;
            c = utf8_join(c, low);
            size = 4;
        }
        p += utf8_encode(p, c);
        i += size;
    }
    to->n += (size_t)(p - start);
    return i;
}

/* Decodes more to the end of l->text; false at the end of the input. */
static bool decode_more(struct folded_lines *l)
{
    enum { BLOCK = 64 << 10 };
    struct str bytes = in_peek(l->in, 1);
    if (bytes.n == 0)
        return false;
    if (l->read > 0)
        memmove(l->text.p, l->text.p + l->read, l->text.n - l->read);
    l->text.n -= l->read;
    l->read = 0;
    size_t n = folded_decode(&l->text, str_first(bytes, BLOCK), l->encoding == FOLDED_BIG);
    if (n == 0) {
        bytes = in_peek(l->in, 4);
        n = folded_decode(&l->text, (struct str){bytes.p, bytes.n < 4 ? bytes.n : 4},
                          l->encoding == FOLDED_BIG);
    }
    if (n == 0)
        die_at((struct place){l->where.file, PLACE_LINE, l->where.at + 1},
               "expected UTF-16, found half a character");
    in_consume(l->in, n);
    return true;
}

static bool next_decoded(struct folded_lines *l, struct str *line)
{
    for (size_t searched = 0;;) {
        struct str rest = {buf_str(&l->text).p + l->read, l->text.n - l->read};
        const char *lf =
            rest.n == searched ? NULL : memchr(rest.p + searched, '\n', rest.n - searched);
        searched = rest.n;
        size_t n = lf == NULL ? rest.n : (size_t)(lf - rest.p);
        if (n > LIMITS_LINE)
            die_as(CODE_TOO_LARGE, (struct place){l->where.file, PLACE_LINE, l->where.at + 1},
                   "the line is longer than %zu MiB", LIMITS_LINE >> 20);
        if (lf == NULL && decode_more(l))
            continue;
        if (lf == NULL && n == 0)
            return false;
        l->torn = lf == NULL;
        *line = (struct str){rest.p, n};
        l->read += n + (lf != NULL);
        return true;
    }
}

/* --- bytes --- */

static bool next_bytes(struct folded_lines *l, struct str *line)
{
    if (l->block.n == 0) {
        in_consume(l->in, l->taken);
        l->block = in_lines(l->in, 0, l->where.at + 1);
        l->taken = l->block.n;
        if (l->block.n == 0)
            return false;
    }
    const char *lf = memchr(l->block.p, '\n', l->block.n);
    *line = (struct str){l->block.p, (size_t)(lf - l->block.p)};
    l->block.p = lf + 1;
    l->block.n -= line->n + 1;
    l->torn = l->block.n == 0 && in_torn(l->in);
    return true;
}

/* --- both --- */

void folded_open_lines(struct folded_lines *l, struct in *in)
{
    struct str head = in_peek(in, 3);
    *l = (struct folded_lines){.in = in, .where = {in_name(in), PLACE_LINE, 0}};
    if (str_starts(head, FOLDED_UTF_8))
        in_consume(in, 3);
    l->encoding = str_starts(head, FOLDED_UTF_16LE)   ? FOLDED_LITTLE
                  : str_starts(head, FOLDED_UTF_16BE) ? FOLDED_BIG
                                                      : FOLDED_BYTES;
    if (l->encoding != FOLDED_BYTES)
        in_consume(in, 2);
}

bool folded_next_line(struct folded_lines *l, struct str *line)
{
    bool found = l->encoding == FOLDED_BYTES ? next_bytes(l, line) : next_decoded(l, line);
    l->where.at += found;
    return found;
}

void folded_close_lines(struct folded_lines *l)
{
    buf_free(&l->text);
}

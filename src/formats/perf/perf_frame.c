/* Frames, and the lines that follow them. */
#include "base/port.h"
#include "formats/perf/perf_text.h"
#include "rows/text.h"

enum { HEX_MAX = 16 };

/* Takes up to 16 hexadecimal digits off *S. */
static bool take_hex(struct str *s, uint64_t *value)
{
    size_t n = 0;
    unsigned digit;
    for (*value = 0; n < s->n && n < HEX_MAX && (digit = text_hex_value(s->p[n])) < 16; n++)
        *value = *value << 4 | digit;
    s->p += n;
    s->n -= n;
    return n > 0;
}

/* Takes "+0x" and hexadecimal digits off the end of *S. */
static bool take_offset(struct str *s, uint64_t *offset)
{
    size_t at = s->n;
    while (at > 0 && s->n - at < HEX_MAX && text_hex_value(s->p[at - 1]) < 16)
        at--;
    struct str digits = {s->p + at, s->n - at}, front = {s->p, at};
    if (digits.n == 0 || !str_ends(front, STR("+0x")))
        return false;
    s->n = at - 3;
    return take_hex(&digits, offset);
}

/* --- where the file name begins --- */

static bool opens_at(struct str s, size_t i)
{
    return s.p[i] == '(' && (i == 0 || s.p[i - 1] == ' ');
}

/* Index of the first parenthesis after an offset; S.n if there is none. */
static size_t find_behind_offset(struct str s)
{
    for (size_t i = 1; i < s.n; i++) {
        struct str front = {s.p, i - 1};
        uint64_t offset;
        if (opens_at(s, i) && take_offset(&front, &offset))
            return i;
    }
    return s.n;
}

/* Index of the parenthesis that matches the one at the end of S, if a blank precedes it; else
 * S.n. */
static size_t find_pair(struct str s)
{
    size_t depth = 0;
    for (size_t i = s.n; i-- > 0;) {
        depth += s.p[i] == ')';
        if (s.p[i] == '(' && --depth == 0)
            return opens_at(s, i) ? i : s.n;
    }
    return s.n;
}

/* Index of the last parenthesis that begins a path or one of perf's special names; S.n if there is
 * none. */
static size_t find_path(struct str s)
{
    for (size_t i = s.n - 1; i-- > 0;)
        if (opens_at(s, i) && (s.p[i + 1] == '/' || s.p[i + 1] == '['))
            return i;
    return s.n;
}

/* Index of the parenthesis before the file name in S, which ends in ')'; S.n if there is none. C++
 * symbols and paths may have parentheses and blanks too. After an offset the file name is certain.
 * Otherwise it is inside the matching parentheses, unless a path has a single one. */
static size_t find_dso(struct str s)
{
    size_t i = find_behind_offset(s);
    if (i == s.n)
        i = find_pair(s);
    return i == s.n ? find_path(s) : i;
}

/* --- frames --- */

/* Removes a parenthesis at the end of *S and the blank before it, if there is one. */
static void take_parenthesis(struct str *s, struct perf_frame *f)
{
    size_t at = s->n > 0 && s->p[s->n - 1] == ')' ? find_dso(*s) : s->n;
    if (at == s->n)
        return;
    struct str inside = {s->p + at + 1, s->n - at - 2};
    s->n = at > 0 ? at - 1 : 0;
    f->is_inlined = str_equal(inside, STR("inlined"));
    if (f->is_inlined)
        return;
    f->has_dso = true;
    f->dso = inside;
    f->has_dso_offset = take_offset(&f->dso, &f->dso_offset);
}

bool perf_take_frame(struct str line, struct perf_frame *frame)
{
    struct perf_frame f = {.symbol = STR(""), .dso = STR("")};
    while (line.n > 0 && (*line.p == ' ' || *line.p == '\t'))
        line.p++, line.n--;
    if (!take_hex(&line, &f.address) || (line.n > 0 && *line.p != ' '))
        return false;
    str_take(&line, STR(" "));
    take_parenthesis(&line, &f);
    f.has_offset = take_offset(&line, &f.offset);
    f.symbol = line;
    *frame = f;
    return true;
}

/* The end of the word that begins at I in TEXT. */
static size_t end_of_word(struct str text, size_t i)
{
    while (i < text.n && text.p[i] != ' ')
        i++;
    return i;
}

/* Whether the word from I to END in TEXT is an address. */
static bool is_address(struct str text, size_t i, size_t end)
{
    size_t n = end - i;
    while (i < end && text_hex_value(text.p[i]) < 16)
        i++;
    return n > 0 && n <= HEX_MAX && i == end;
}

bool perf_find_frame(struct str text, struct perf_rest *rest)
{
    static const struct str branches = STR(") 0x");
    size_t found = text.n;
    for (size_t i = 0, end; i < text.n; i = end) {
        size_t blanks = i;
        while (i < text.n && text.p[i] == ' ')
            i++;
        end = end_of_word(text, i);
        if (end - blanks > HEX_MAX && i > blanks && is_address(text, i, end))
            found = blanks;
    }
    if (found == text.n)
        return false;
    rest->front = (struct str){text.p, found};
    rest->frame = (struct str){text.p + found, text.n - found};
    const char *more = port_memmem(rest->frame.p, rest->frame.n, branches.p, branches.n);
    size_t n = more == NULL ? rest->frame.n : (size_t)(more - rest->frame.p) + 1;
    rest->behind = (struct str){rest->frame.p + n, rest->frame.n - n};
    rest->frame.n = n;
    return true;
}

/* --- source lines --- */

/* Whether S repeats what its frame says: "symbol+12", "file[1f]". */
static bool repeats_frame(struct str s)
{
    size_t n = s.n;
    if (n > 0 && s.p[n - 1] == ']') {
        n--;
        while (n > 0 && text_hex_value(s.p[n - 1]) < 16)
            n--;
        return n > 0 && n < s.n - 1 && s.p[n - 1] == '[';
    }
    while (n > 0 && str_is_digit(s.p[n - 1]))
        n--;
    return n > 0 && n < s.n && s.p[n - 1] == '+';
}

bool perf_take_srcline(struct str line, struct perf_srcline *srcline)
{
    static const struct str inlined = STR(" (inlined)");
    struct perf_srcline s = {.file = STR("")};
    if (!str_take(&line, STR("  ")) || line.n == 0 || *line.p == ' ')
        return false;
    s.is_inlined = str_ends(line, inlined);
    if (s.is_inlined)
        line.n -= inlined.n;
    size_t n = line.n;
    while (n > 0 && str_is_digit(line.p[n - 1]))
        n--;
    bool has_line = n > 0 && n < line.n && line.p[n - 1] == ':' && line.n - n < 10;
    if (!has_line && !repeats_frame(line))
        return false;
    for (size_t i = n; has_line && i < line.n; i++)
        s.line = s.line * 10 + (line.p[i] - '0');
    if (has_line && !str_equal((struct str){line.p, n - 1}, STR("??")))
        s.file = (struct str){line.p, n - 1};
    *srcline = s;
    return true;
}

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

bool perf_is_tabbed_frame(struct str line)
{
    size_t blanks = 0, n = PERF_ADDRESS_WIDTH;
    while (blanks < line.n && line.p[blanks] == ' ')
        blanks++;
    return blanks < n && line.n > n && line.p[n] == '\t' && is_address(line, blanks, n);
}

/* Finds the next word of TEXT from *I on that is an address and takes, with the blanks before it,
 * more than PERF_ADDRESS_WIDTH columns.  Stores the index of these blanks in *START, and that of
 * its end in *I.  False if there is none. */
static bool next_address(struct str text, size_t *i, size_t *start)
{
    while (*i < text.n) {
        size_t word = *start = *i;
        while (word < text.n && text.p[word] == ' ')
            word++;
        *i = end_of_word(text, word);
        if (*i - *start > PERF_ADDRESS_WIDTH && word > *start && is_address(text, word, *i))
            return true;
    }
    return false;
}

size_t perf_address_columns(struct str line)
{
    size_t word = 0;
    while (word < line.n && line.p[word] == ' ')
        word++;
    size_t end = end_of_word(line, word);
    return is_address(line, word, end) ? end : 0;
}

size_t perf_find_address(struct str line)
{
    size_t i = 0, start, second;
    bool has_one = next_address(line, &i, &start);
    bool is_second =
        has_one && i - start == 1 + PERF_ADDRESS_WIDTH && !next_address(line, &i, &second);
    if (perf_address_columns(line) == PERF_ADDRESS_WIDTH &&
        (!has_one || is_second)) /* there is no name */
        return 0;
    return has_one ? start : line.n;
}

/* Whether WORD is a branch, as -F brstack or brstacksym prints it: FROM/TO/P/-/-/0, and more in
 * newer versions. */
static bool is_branch(struct str word)
{
    static const struct str to = STR("/0x");
    if (str_starts(word, STR("0x")))
        return port_memmem(word.p, word.n, to.p, to.n) != NULL;
    for (size_t i = 1; i + 7 < word.n; i++) {
        const char *p = word.p + i; /* "/P/-/-/0" */
        if (p[0] == '/' && p[2] == '/' && p[4] == '/' && p[6] == '/' && str_is_digit(p[7]) &&
            memchr("MPN-", p[1], 4) != NULL)
            return true;
    }
    return false;
}

static bool is_tail(struct str word)
{
    return str_equal(word, STR("insn:")) || str_equal(word, STR("ilen:")) ||
           str_starts(word, STR("ABI:")) || is_branch(word);
}

size_t perf_find_tail(struct str line)
{
    for (size_t i = 0, end; i < line.n; i = end) {
        size_t word = i;
        while (word < line.n && line.p[word] == ' ')
            word++;
        end = end_of_word(line, word);
        if (word > i && is_tail((struct str){line.p + word, end - word}))
            return i;
    }
    return line.n;
}

bool perf_is_tail(struct str line)
{
    struct str word = perf_trim(line);
    word.n = end_of_word(word, 0);
    return *line.p == ' ' && is_tail(word);
}

size_t perf_find_frame(struct str text)
{
    size_t found = text.n, columns = 0;
    for (size_t i = 0, start; next_address(text, &i, &start);) {
        found = start;
        columns = i - start;
    }
    struct str front = {text.p, found};
    /* directly after other fields, an address with a single blank is that of -F addr */
    return columns == 1 + PERF_ADDRESS_WIDTH && perf_trim(front).n == 0 ? text.n : found;
}

struct perf_rest perf_split(struct str text, size_t frame)
{
    struct str rest = {text.p + frame, text.n - frame};
    size_t n = perf_find_tail(rest);
    return (struct perf_rest){{text.p, frame}, {rest.p, n}, {rest.p + n, rest.n - n}};
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

#include "formats/ghc/ghc_text.h"

#include "base/port.h"
#include "rows/text.h"

#define TITLE STR(" Time and Allocation Profiling Report")
#define NAMES STR("COST CENTRE")

static const char *find(struct str in, struct str what)
{
    return port_memmem(in.p, in.n, what.p, what.n);
}

static bool has(struct str in, struct str what)
{
    return find(in, what) != NULL;
}

bool ghc_text_is(struct str head)
{
    enum { NEAR = 128 };
    return has((struct str){head.p, head.n < NEAR ? head.n : NEAR}, TITLE);
}

bool ghc_text_has_numbers(struct str head, bool *is_open)
{
    const char *names = find(head, STR("\nCOST CENTRE"));
    struct str line, rest = {names, names == NULL ? 0 : (size_t)(head.p + head.n - names)};
    str_take(&rest, STR("\n"));
    *is_open = rest.n == 0 || memchr(rest.p, '\n', rest.n) == NULL;
    return !*is_open && str_next_line(&rest, &line) && has(line, STR(" ticks "));
}

/* --- numbers --- */

/* The digits of TEXT, which may have commas, as a number; false if there is something else. */
static bool read_number(struct str text, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == ',' && i > 0)
            continue;
        else if (!str_is_digit(text.p[i]) || __builtin_mul_overflow(*number, 10, number) ||
                 __builtin_add_overflow(*number, text.p[i] - '0', number))
            return false;
    return text.n > 0;
}

/* Takes the last word off *TEXT; empty if there is none. */
static struct str take_last(struct str *text)
{
    *text = str_trim(*text);
    size_t n = 0;
    while (n < text->n && !str_is_blank(text->p[text->n - n - 1]))
        n++;
    text->n -= n;
    return (struct str){text->p + text->n, n};
}

/* Takes the first word off *TEXT. */
static struct str take_first(struct str *text)
{
    *text = str_trim(*text);
    struct str word = {text->p, 0};
    while (word.n < text->n && !str_is_blank(word.p[word.n]))
        word.n++;
    *text = (struct str){text->p + word.n, text->n - word.n};
    return word;
}

static int64_t number_of(const struct ghc_text *t, struct str text, const char *name)
{
    int64_t number;
    if (!read_number(text, &number))
        text_die(t->where, str_of(name), "an integer from 0", text);
    return number;
}

/* --- the head --- */

static bool next_line(struct ghc_text *t, struct str *line)
{
    if (!str_next_line(&t->rest, line))
        return false;
    t->where.at++;
    return true;
}

/* `total time = 0.21 secs (215 ticks @ 1000 us, 1 processor)`; the seconds are those of the
 * ticks. */
static void read_time(struct ghc_text *t, struct str line)
{
    const char *open = memchr(line.p, '(', line.n);
    struct str rest = {open, open == NULL ? 0 : (size_t)(line.p + line.n - open)};
    str_take(&rest, STR("("));
    t->ticks = number_of(t, take_first(&rest), "total time");
    if (!str_equal(take_first(&rest), STR("ticks")) || !str_equal(take_first(&rest), STR("@")))
        text_die(t->where, STR("total time"), "(TICKS ticks @ N us", line);
    t->interval = number_of(t, take_first(&rest), "total time");
    t->totals = t->where;
    if (!str_equal((struct str){take_first(&rest).p, 2}, STR("us")) ||
        t->interval > INT64_MAX / 1000)
        text_die(t->where, STR("total time"), "microseconds below 2^63 nanoseconds", line);
}

struct ghc_text ghc_text_open(const char *file, struct str whole)
{
    struct ghc_text t = {.where = {file, PLACE_LINE, 0}, .rest = whole};
    struct str line;
    bool has_names = false;
    t.date = t.command = STR("");
    while (!has_names && next_line(&t, &line)) {
        struct str rest = str_trim(line);
        const char *title = find(line, TITLE);
        if (t.where.at == 1 && title != NULL) {
            t.date = str_trim((struct str){line.p, (size_t)(title - line.p)});
        } else if (str_take(&rest, STR("total time"))) {
            read_time(&t, rest);
        } else if (str_take(&rest, STR("total alloc"))) {
            rest = str_trim(rest);
            str_take(&rest, STR("="));
            t.alloc = number_of(&t, take_first(&rest), "total alloc");
        } else if (str_starts(line, NAMES)) {
            has_names = has(line, STR(" entries "));
        } else if (t.totals.at == 0 && rest.n > 0) {
            t.command = rest;
        }
    }
    if (!has_names || t.totals.at == 0)
        die_as(CODE_TORN, t.where,
               "expected \"total time\" and a table with entries, found the end of the file");
    if (!has(line, STR(" ticks ")))
        die_at(t.where, "expected columns \"ticks\" and \"bytes\", found others" HINT
                        "+RTS -pj and -P record what can be read here");
    return t;
}

/* --- stacks --- */

/* Each line has a label below blanks, a module, a place, which may have blanks, and eight
 * numbers: the number of the stack, its entries, four shares, ticks and bytes. */
bool ghc_text_next(struct ghc_text *t, struct ghc_text_line *line)
{
    enum { SHARES = 4 };
    struct str text = STR("");
    while (str_trim(text).n == 0)
        if (!next_line(t, &text))
            return false;
    const struct str whole = text;
    *line = (struct ghc_text_line){.depth = 1};
    while (str_take(&text, STR(" ")))
        line->depth++;
    line->alloc = number_of(t, take_last(&text), "bytes");
    line->ticks = number_of(t, take_last(&text), "ticks");
    for (int i = 0; i < SHARES; i++)
        take_last(&text);
    line->entries = number_of(t, take_last(&text), "entries");
    number_of(t, take_last(&text), "no.");
    line->label = take_first(&text);
    line->module = take_first(&text);
    line->place = str_trim(text);
    if (line->module.n == 0)
        text_die(t->where, STR(""), "a cost centre and its module", whole);
    return true;
}

/* The text of "go test -bench". Facts about the format: Go's proposal 14313, "Go Benchmark Data
 * Format". */
#include "formats/bad_lines.h"
#include "formats/bench/bench.h"
#include "rows/loss.h"

struct reader {
    struct bench *bench;
    struct place where;
    struct bad_lines bad;
    struct buf name;
};

/* --- parts of a line --- */

/* Takes the next word off *REST; empty at its end. */
static struct str take_word(struct str *rest)
{
    *rest = str_trim(*rest);
    struct str word = {rest->p, 0};
    while (word.n < rest->n && !str_is_blank(rest->p[word.n]))
        word.n++;
    rest->p += word.n;
    rest->n -= word.n;
    return word;
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool are_digits(struct str s)
{
    size_t i = 0;
    while (i < s.n && str_is_digit(s.p[i]))
        i++;
    return s.n > 0 && i == s.n;
}

/* Whether WORD is the name of a benchmark, as Go has them: the function's name goes on with no
 * small letter. */
static bool is_name(struct str word)
{
    return str_take(&word, STR("Benchmark")) && (word.n == 0 || !is_lower(word.p[0]));
}

/* Whether LINE sets something for the results after it. */
static bool is_setting(struct str line, struct str *key, struct str *value)
{
    size_t n = 0;
    while (n < line.n && line.p[n] != ':' && !str_is_blank(line.p[n]) &&
           !(line.p[n] >= 'A' && line.p[n] <= 'Z'))
        n++;
    if (n == 0 || n == line.n || line.p[n] != ':' || !is_lower(line.p[0]) ||
        (n + 1 < line.n && !str_is_blank(line.p[n + 1])))
        return false;
    *key = (struct str){line.p, n};
    *value = str_trim((struct str){line.p + n + 1, line.n - n - 1});
    return true;
}

/* --- labels --- */

/* Takes the number of processors off *NAME: "-8" at its end. Empty: there is none. */
static struct str take_processors(struct str *name)
{
    enum { MAX_DIGITS = 9 };
    size_t n = name->n;
    while (n > 0 && str_is_digit(name->p[n - 1]))
        n--;
    struct str digits = {name->p + n, name->n - n};
    if (n == 0 || name->p[n - 1] != '-' || digits.n == 0 || digits.n > MAX_DIGITS ||
        digits.p[0] == '0')
        return STR("");
    name->n = n - 1;
    return digits;
}

/* Adds the labels of the benchmark NAME: its name before the first '/', the parts after that which
 * are KEY=VALUE, and processors. */
static void add_labels(struct bench *b, struct str name)
{
    const struct str processors = take_processors(&name);
    str_take(&name, STR("Benchmark"));
    bench_name_labels(b, name, '=');
    if (processors.n > 0)
        bench_label(b, STR("gomaxprocs"), processors, true);
}

/* --- results --- */

/* The type of values in UNIT; those of the testing package have the names that pprof has. */
static struct str type_of(struct str unit)
{
    static const struct {
        struct str unit, type;
    } known[] = {{STR("ns/op"), STR("time")},       {STR("sec/op"), STR("time")},
                 {STR("B/op"), STR("alloc_space")}, {STR("allocs/op"), STR("alloc_objects")},
                 {STR("MB/s"), STR("throughput")},  {STR("B/s"), STR("throughput")}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(unit, known[i].unit))
            return known[i].type;
    const char *slash = memchr(unit.p, '/', unit.n);
    return slash == NULL || slash == unit.p ? unit : (struct str){unit.p, (size_t)(slash - unit.p)};
}

/* Reports what is wrong with VALUE in UNIT. */
static void note_wrong(struct reader *r, enum bench_added wrong, struct str value, struct str unit)
{
    enum { SHOWN = 40 };
    const struct str what = wrong == BENCH_TWICE ? unit : value;
    const char *const texts[] = {[BENCH_ADDED] = "expected a unit after ", /* there was none */
                                 [BENCH_NO_NUMBER] = "expected a value, found ",
                                 [BENCH_TWICE] = "has two values in ",
                                 [BENCH_FULL] = "has too many values, at "};
    bad_lines_note(&r->bad, r->where, "%s%.*s", texts[wrong],
                   (int)(what.n < SHOWN ? what.n : SHOWN), what.p);
}

/* Reads the values in REST of a result, which stands for COUNT operations. False if one is wrong,
 * which is reported. */
static bool read_values(struct reader *r, struct str count, struct str rest)
{
    struct str value = count, unit = STR("count"), type = STR("operations");
    while (value.n > 0) {
        const enum bench_added added =
            unit.n == 0 ? BENCH_ADDED : bench_value(r->bench, type, unit, value);
        if (added != BENCH_ADDED || unit.n == 0) {
            note_wrong(r, added, value, unit);
            return false;
        }
        value = take_word(&rest);
        unit = take_word(&rest);
        type = type_of(unit);
    }
    if (r->bench->value_count < 2)
        bad_lines_note(&r->bad, r->where,
                       "expected a value and its unit, found the end of the line");
    return r->bench->value_count > 1;
}

/* Reads a result of the benchmark NAME. */
static void read_result(struct reader *r, struct str name, struct str count, struct str rest)
{
    struct bench *b = r->bench;
    const struct str package = bench_setting(b, STR("pkg"));
    bench_begin(b);
    if (!read_values(r, count, rest))
        return;
    add_labels(b, name);
    r->name.n = 0;
    buf_add(&r->name, package);
    buf_add(&r->name, package.n > 0 ? STR(".") : STR(""));
    buf_add(&r->name, name);
    bench_end(b, buf_str(&r->name));
}

/* Whether LINE begins as a result does. */
static bool is_result(struct str line)
{
    const struct str name = take_word(&line), count = take_word(&line);
    return is_name(name) && (count.n == 0 || are_digits(count));
}

static void read_line(struct reader *r, struct str line)
{
    struct str key, value, rest = line;
    const struct str name = take_word(&rest), count = take_word(&rest);
    if (is_name(name) && are_digits(count))
        read_result(r, name, count, rest);
    else if (is_setting(line, &key, &value))
        bench_set(r->bench, key, value);
    else if (str_trim(line).n > 0)
        loss_add(LOSS_OWN, STR("lines that are no results"), 1);
}

/* The last line has no line feed: its end may be missing. */
static void skip_torn(const struct reader *r)
{
    if (r->bench->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, r->where, "the last line is torn (no line feed): skipped");
}

void bench_text_read(struct bench *b)
{
    struct reader r = {
        .bench = b, .where = {in_name(b->in), PLACE_LINE, 0}, .bad = {.request = b->request}};
    struct str window;
    while ((window = in_lines(b->in, 0, r.where.at + 1)).n > 0) {
        struct str rest = window, line;
        while (str_next_line(&rest, &line)) {
            r.where.at++;
            if (rest.n == 0 && in_torn(b->in) && is_result(line))
                skip_torn(&r);
            else
                read_line(&r, line);
        }
        in_consume(b->in, window.n);
    }
    bad_lines_end(&r.bad, b->result_count > 0);
    buf_free(&r.name);
}

enum bid bench_text_bid(struct str head)
{
    bool is_open = false;
    for (struct str line, key, value; str_next_line(&head, &line);) {
        struct str rest = line;
        const struct str name = take_word(&rest), count = take_word(&rest);
        const bool has_unit = take_word(&rest).n > 0 && take_word(&rest).n > 0;
        if ((is_name(name) && are_digits(count) && has_unit) || str_starts(line, STR("goos: ")))
            return BID_SURE;
        is_open |= is_setting(line, &key, &value) || (is_name(name) && are_digits(count));
    }
    return is_open ? BID_ASKED : BID_NONE;
}

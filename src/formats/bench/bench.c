/* The results of benchmarks, in the text that "go test -bench" prints: see bench2ndjson(1) for the
 * rules. Facts about the format: Go's proposal 14313, "Go Benchmark Data Format".
 *
 * Sources come before samples, and how many runs there are is known only at the end, so results
 * wait in a spool. */
#include "base/decimal.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/spool.h"
#include "formats/bad_lines.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/parse.h"
#include "stream/growth.h"

#include <math.h>
#include <stdio.h>

/* The most values of a result, with how often it was run: far more than there are. */
enum { MAX_VALUES = 64 };

/* A line `key: value`, which holds for the results after it. */
struct setting {
    uint32_t key;
    struct buf value;
};

/* A result in the spool; its values follow. */
struct result {
    uint32_t function, run, labels; /* LABELS: a text of reader.labels */
    uint32_t value_count;
};

/* A value in the spool; its text follows. */
struct value {
    uint32_t type, size; /* TYPE: its number in the flow */
};

struct reader {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;
    struct place where;
    struct bad_lines bad;

    struct intern keys;
    struct setting *settings; /* by first appearance */
    size_t setting_count, setting_capacity;

    struct intern functions; /* package, '.' and name */
    uint32_t *runs;          /* by function - 1: how many results it has */
    uint32_t most_runs;
    size_t run_capacity;
    struct intern labels; /* the columns of samples */
    struct buf listed;    /* types as `.value_types` has them */
    struct buf last;      /* the last of these: the one that is shown, as in pprof */
    bool *is_listed;      /* by number in the flow - 1 */
    size_t type_count, type_capacity;

    struct spool *results;
    uint64_t result_count;

    struct bytes_rows rows;
    struct buf text, extra, scratch, held;
};

/* --- parts of a line --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct str trim(struct str s)
{
    while (s.n > 0 && is_blank(s.p[0]))
        s.p++, s.n--;
    while (s.n > 0 && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* Takes the next word off *REST; empty at its end. */
static struct str take_word(struct str *rest)
{
    *rest = trim(*rest);
    struct str word = {rest->p, 0};
    while (word.n < rest->n && !is_blank(rest->p[word.n]))
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
    while (n < line.n && line.p[n] != ':' && !is_blank(line.p[n]) &&
           !(line.p[n] >= 'A' && line.p[n] <= 'Z'))
        n++;
    if (n == 0 || n == line.n || line.p[n] != ':' || !is_lower(line.p[0]) ||
        (n + 1 < line.n && !is_blank(line.p[n + 1])))
        return false;
    *key = (struct str){line.p, n};
    *value = trim((struct str){line.p + n + 1, line.n - n - 1});
    return true;
}

/* Converts TEXT to *NUMBER, which may borrow TO. False if it is no finite number. */
static bool read_number(struct str text, struct buf *to, struct number *number)
{
    enum { LONGEST = 32 }; /* of a double with 17 digits */
    char *end;
    to->n = 0;
    str_take(&text, STR("+"));
    buf_add(to, text);
    buf_add(to, (struct str){"", 1}); /* ends the number; it is no part of it */
    if (parse_number((struct str){to->p, text.n}, number))
        return true;
    const double value = decimal_parse(to->p, &end); /* "5." and "007" are not JSON */
    if (text.n == 0 || end != to->p + text.n || !isfinite(value))
        return false;
    to->n = 0;
    const int n = snprintf(buf_reserve(to, LONGEST), LONGEST, "%.17g", value);
    return parse_number((struct str){to->p, (size_t)n}, number);
}

/* Counts SIZE bytes that rows repeat: settings and types that hold for many results. */
static void repeat(struct reader *r, size_t size)
{
    enum { USUAL = 1024 }; /* more than real files have */
    if (size > USUAL)
        growth_add(r->sink->flow, size - USUAL);
}

/* --- labels --- */

static void add_label(struct reader *r, struct str key, struct str value, bool is_number)
{
    buf_add(&r->extra, r->extra.n == 0 ? STR(",\".labels\":[{\"key\":") : STR(",{\"key\":"));
    emit_inner_string(&r->extra, &r->scratch, key);
    buf_add(&r->extra, is_number ? STR(",\"num\":") : STR(",\"str\":"));
    if (is_number)
        buf_add(&r->extra, value);
    else
        emit_inner_string(&r->extra, &r->scratch, value);
    buf_add(&r->extra, STR("}"));
}

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

/* The number of the labels of the benchmark NAME: what was set, its name before the first '/', the
 * parts after that which are KEY=VALUE, and processors. */
static uint32_t labels_of(struct reader *r, struct str name)
{
    r->extra.n = 0;
    for (size_t i = 0; i < r->setting_count; i++)
        if (r->settings[i].value.n > 0)
            add_label(r, intern_get(&r->keys, r->settings[i].key), buf_str(&r->settings[i].value),
                      false);
    const struct str processors = take_processors(&name);
    str_take(&name, STR("Benchmark"));
    for (bool is_first = true; is_first || name.n > 0; is_first = false) {
        const char *slash = name.n == 0 ? NULL : memchr(name.p, '/', name.n);
        struct str part = {name.p, slash == NULL ? name.n : (size_t)(slash - name.p)};
        const char *equal = part.n == 0 ? NULL : memchr(part.p, '=', part.n);
        const size_t key = equal == NULL ? 0 : (size_t)(equal - part.p);
        if (is_first)
            add_label(r, STR("name"), part, false);
        else if (key > 0)
            add_label(r, (struct str){part.p, key}, (struct str){equal + 1, part.n - key - 1},
                      false);
        name.p += part.n + (slash != NULL);
        name.n -= part.n + (slash != NULL);
    }
    if (processors.n > 0)
        add_label(r, STR("gomaxprocs"), processors, true);
    buf_add(&r->extra, STR("]"));
    repeat(r, r->extra.n);
    return intern_add(&r->labels, buf_str(&r->extra), NULL);
}

/* --- types --- */

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

/* Lists the type NUMBER. */
static void list_type(struct reader *r, uint32_t number)
{
    r->is_listed = mem_array_zeroed(r->is_listed, &r->type_capacity, number, sizeof *r->is_listed);
    if (r->is_listed[number - 1])
        return;
    r->is_listed[number - 1] = true;
    r->type_count++;
    const struct value_type *t = value_types_get(&r->sink->flow->types, number);
    struct buf *to =
        r->type_count == 2 ? &r->last : &r->listed; /* the first value of the first result */
    buf_add(to, STR("{\"type\":"));
    emit_string(to, t->type);
    buf_add(to, STR(",\"unit\":"));
    emit_string(to, t->unit);
    buf_add(to, to == &r->last ? STR(",\"gauge\":true}") : STR(",\"gauge\":true},"));
}

/* The one of the COUNT TYPES that is called as the type NUMBER; 0: none. */
static uint32_t namesake_of(const struct reader *r, const uint32_t *types, size_t count,
                            uint32_t number)
{
    const struct value_types *all = &r->sink->flow->types;
    for (size_t i = 0; i < count; i++)
        if (value_types_get(all, types[i])->name == value_types_get(all, number)->name)
            return types[i];
    return 0;
}

/* --- results --- */

/* The number of the benchmark NAME. */
static uint32_t function_of(struct reader *r, struct str name)
{
    r->text.n = 0;
    for (size_t i = 0; i < r->setting_count; i++)
        if (str_equal(intern_get(&r->keys, r->settings[i].key), STR("pkg")) &&
            r->settings[i].value.n > 0) {
            buf_add(&r->text, buf_str(&r->settings[i].value));
            buf_add(&r->text, STR("."));
        }
    buf_add(&r->text, name);
    repeat(r, r->text.n);
    const uint32_t function = intern_add(&r->functions, buf_str(&r->text), NULL);
    r->runs = mem_array_zeroed(r->runs, &r->run_capacity, function, sizeof *r->runs);
    return function;
}

static void hold_value(struct reader *r, uint32_t type, struct str text)
{
    const struct value head = {type, (uint32_t)text.n};
    buf_add(&r->held, (struct str){(const char *)&head, sizeof head});
    buf_add(&r->held, text);
}

/* Whether VALUE and UNIT, after KNOWN others, are one value more of a result; if not reports why. */
static bool is_value(struct reader *r, struct str value, struct str unit, size_t known)
{
    enum { SHOWN = 40 };
    struct number number;
    const int shown = (int)(value.n < SHOWN ? value.n : SHOWN);
    if (known == MAX_VALUES)
        bad_lines_note(&r->bad, r->where, "more than %d values, at %.*s", MAX_VALUES - 1, shown,
                       value.p);
    else if (!read_number(value, &r->text, &number))
        bad_lines_note(&r->bad, r->where, "expected a value, found %.*s", shown, value.p);
    else if (unit.n == 0)
        bad_lines_note(&r->bad, r->where, "expected a unit after %.*s", shown, value.p);
    else
        return true;
    return false;
}

/* The type of a value called TYPE in UNIT, of a result that has the COUNT TYPES already; 0: it has
 * this one, which is reported. */
static uint32_t take_type(struct reader *r, struct str type, struct str unit, const uint32_t *types,
                          size_t count)
{
    enum { SHOWN = 40 };
    uint32_t of = value_types_add_bytes(&r->sink->flow->types, type, unit);
    const uint32_t namesake = namesake_of(r, types, count, of);
    if (namesake != 0 && namesake != of) /* a sample has one value of each name */
        of = value_types_add_bytes(&r->sink->flow->types, unit, unit);
    if (namesake_of(r, types, count, of) == 0) {
        list_type(r, of);
        return of;
    }
    bad_lines_note(&r->bad, r->where, "has two values in %.*s",
                   (int)(unit.n < SHOWN ? unit.n : SHOWN), unit.p);
    return 0;
}

/* Reads the values in REST of a result, which stands for COUNT operations, into r->held; returns
 * how many, or 0 if one is wrong, which is reported. */
static uint32_t read_values(struct reader *r, struct str count, struct str rest)
{
    uint32_t types[MAX_VALUES], known = 0;
    struct str value = count, unit = STR("count"), type = STR("operations");
    for (r->held.n = 0; value.n > 0; value = take_word(&rest), unit = take_word(&rest)) {
        if (!is_value(r, value, unit, known))
            return 0;
        if (known > 0)
            type = type_of(unit);
        types[known] = take_type(r, type, unit, types, known);
        if (types[known] == 0)
            return 0;
        hold_value(r, types[known++], value);
    }
    if (known > 1)
        return known;
    bad_lines_note(&r->bad, r->where, "expected a value and its unit, found the end of the line");
    return 0;
}

/* Reads the result of the benchmark NAME. */
static void read_result(struct reader *r, struct str name, struct str count, struct str rest)
{
    struct result result = {.value_count = read_values(r, count, rest)};
    if (result.value_count == 0)
        return;
    result.function = function_of(r, name);
    result.run = ++r->runs[result.function - 1];
    r->most_runs = result.run > r->most_runs ? result.run : r->most_runs;
    result.labels = labels_of(r, name);
    spool_write(r->results, (struct str){(const char *)&result, sizeof result});
    spool_write(r->results, buf_str(&r->held));
    r->result_count++;
}

static void set(struct reader *r, struct str key, struct str value)
{
    bool is_new;
    const uint32_t number = intern_add(&r->keys, key, &is_new);
    if (is_new) {
        r->settings = mem_array_zeroed(r->settings, &r->setting_capacity, r->setting_count + 1,
                                       sizeof *r->settings);
        r->settings[r->setting_count++].key = number;
    }
    struct buf *to = &r->settings[number - 1].value;
    to->n = 0;
    buf_add(to, value);
}

static void read_line(struct reader *r, struct str line)
{
    struct str key, value, rest = line;
    const struct str name = take_word(&rest), count = take_word(&rest);
    if (is_name(name) && are_digits(count))
        read_result(r, name, count, rest);
    else if (is_setting(line, &key, &value))
        set(r, key, value);
    else if (trim(line).n > 0)
        loss_add(LOSS_OWN, STR("lines that are no results"), 1);
}

/* The last line has no line feed: its end may be missing. */
static void skip_torn(struct reader *r)
{
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, r->where, "the last line is torn (no line feed): skipped");
}

static void read_lines(struct reader *r)
{
    struct str window;
    while ((window = in_lines(r->in, 0, r->where.at + 1)).n > 0) {
        struct str rest = window, line;
        while (str_next_line(&rest, &line)) {
            r->where.at++;
            if (rest.n == 0 && in_torn(r->in) && is_name(line))
                skip_torn(r);
            else
                read_line(r, line);
        }
        in_consume(r->in, window.n);
    }
}

/* --- rows --- */

static void push_sources(struct reader *r)
{
    for (uint32_t run = 1; run <= r->most_runs; run++) {
        struct row row = {.table = TABLE_SOURCES,
                          .source = {.source_id = run,
                                     .source_type = STR("bench"),
                                     .source_timestamp = r->request->timestamp}};
        r->extra.n = 0;
        buf_add(&r->extra, STR(",\".value_types\":["));
        buf_add(&r->extra, buf_str(&r->listed));
        buf_add(&r->extra, buf_str(&r->last));
        repeat(r, r->extra.n);
        buf_add(&r->extra, STR("]"));
        row.source.source_uri =
            bytes_rows_uri(&r->rows, format_source_uri(r->request, r->in), &r->extra);
        row.extra = buf_str(&r->extra);
        sink_row(r->sink, &row);
    }
}

static void push_functions(struct reader *r)
{
    for (uint32_t i = 1; i <= r->functions.count; i++) {
        bytes_rows_function(&r->rows, r->sink, i, intern_get(&r->functions, i), STR(""), 0,
                            STR(""));
        sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS, .location = {i, i, 0}});
    }
}

static void push_samples(struct reader *r)
{
    struct result result;
    struct sample_value *values = NULL;
    struct buf *texts = NULL;
    size_t value_capacity = 0, text_capacity = 0;
    int64_t sample_id = 0;
    spool_rewind(r->results);
    while (spool_read(r->results, &result, sizeof result)) {
        const size_t n = result.value_count;
        values = mem_array(values, &value_capacity, n, sizeof *values);
        texts = mem_array_zeroed(texts, &text_capacity, n, sizeof *texts);
        for (size_t i = 0; i < n; i++) {
            struct value head;
            spool_read(r->results, &head, sizeof head);
            r->scratch.n = 0;
            spool_read(r->results, buf_reserve(&r->scratch, head.size), head.size);
            values[i] = (struct sample_value){.type = head.type, .extra = STR("")};
            read_number((struct str){r->scratch.p, head.size}, &texts[i], &values[i].value);
        }
        int64_t location = result.function;
        sink_sample(r->sink, &(struct sample){.sample_id = ++sample_id,
                                              .source_id = result.run,
                                              .extra = intern_get(&r->labels, result.labels),
                                              .values = values,
                                              .value_count = n,
                                              .locations = &location,
                                              .depth = 1});
    }
    for (size_t i = 0; i < text_capacity; i++)
        buf_free(&texts[i]);
    mem_free(texts);
    mem_free(values);
}

/* --- the file --- */

static void close_reader(struct reader *r)
{
    spool_close(r->results);
    for (size_t i = 0; i < r->setting_count; i++)
        buf_free(&r->settings[i].value);
    mem_free(r->settings);
    mem_free(r->runs);
    mem_free(r->is_listed);
    intern_free(&r->keys);
    intern_free(&r->functions);
    intern_free(&r->labels);
    bytes_rows_free(&r->rows);
    struct buf *bufs[] = {&r->listed, &r->last, &r->text, &r->extra, &r->scratch, &r->held};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

static void read_bench(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request,
                       .in = in,
                       .sink = sink,
                       .where = {in_name(in), PLACE_LINE, 0},
                       .bad = {.request = request},
                       .results = spool_open()};
    read_lines(&r);
    if (r.result_count == 0 && r.bad.count == 0 && !request->allow_empty)
        die_at((struct place){in_name(in), PLACE_FILE, 0},
               "expected results of benchmarks, found none");
    bad_lines_end(&r.bad, r.result_count > 0);
    push_sources(&r);
    push_functions(&r);
    push_samples(&r);
    close_reader(&r);
}

/* Go's first setting, or a result. */
static enum bid bid_bench(struct str head)
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

const struct format format_bench = {
    .name = "a benchmark results file",
    .converter = "bench2ndjson",
    .bid = bid_bench,
    .read = read_bench,
};

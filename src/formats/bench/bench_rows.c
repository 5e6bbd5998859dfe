#include "formats/bench/bench_rows.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/parse.h"
#include "stream/growth.h"

#include <math.h>

/* A result in the spool; its values follow. */
struct result {
    uint32_t function, run;
    uint32_t settings, labels; /* texts of bench.labels: its columns are the one and the other */
    uint32_t value_count;
};

/* A value in the spool. */
struct value {
    int64_t integer;
    uint32_t type; /* its number in the flow */
    uint32_t size; /* of the text of a double, with the byte that ends it, which follows; else 0 */
};

void bench_open(struct bench *b, struct in *in, const struct read_request *request,
                struct sink *sink)
{
    *b = (struct bench){.request = request, .in = in, .sink = sink, .results = spool_open()};
}

/* --- values --- */

/* Converts TEXT to *NUMBER, which may borrow TO. False if it is no finite number. */
static bool read_number(struct str text, struct buf *to, struct number *number)
{
    char *end;
    to->n = 0;
    if (text.n > 1 && str_is_digit(text.p[1]))
        str_take(&text, STR("+"));
    buf_add(to, text);
    buf_add(to, (struct str){"", 1}); /* ends the number; it is no part of it */
    if (parse_number((struct str){to->p, text.n}, number))
        return true;
    const double value = decimal_parse(to->p, &end); /* "5." and "007" are not JSON */
    if (text.n == 0 || end != to->p + text.n || !isfinite(value))
        return false;
    to->n = 0;
    const size_t n = decimal_spell(value, buf_reserve(to, DECIMAL_SPELLED));
    return parse_number((struct str){to->p, n}, number);
}

/* Lists the type NUMBER. */
static void list_type(struct bench *b, uint32_t number)
{
    b->is_listed = mem_array_zeroed(b->is_listed, &b->type_capacity, number, sizeof *b->is_listed);
    if (b->is_listed[number - 1])
        return;
    b->is_listed[number - 1] = true;
    b->type_count++;
    const struct value_type *t = value_types_get(&b->sink->flow->types, number);
    struct buf *to =
        b->type_count == 2 ? &b->last : &b->listed; /* the first value of the first result */
    listed_add(to, t->type, t->unit, LISTED_GAUGE);
}

/* The type of the result that is called as the type NUMBER; 0: none. */
static uint32_t namesake_of(const struct bench *b, uint32_t number)
{
    const struct value_types *all = &b->sink->flow->types;
    for (uint32_t i = 0; i < b->value_count; i++)
        if (value_types_get(all, b->types[i])->name == value_types_get(all, number)->name)
            return b->types[i];
    return 0;
}

enum bench_added bench_value(struct bench *b, struct str type, struct str unit, struct str text)
{
    struct number number = {0};
    if (b->value_count == BENCH_VALUES)
        return BENCH_FULL;
    if (!read_number(text, &b->text, &number))
        return BENCH_NO_NUMBER;
    uint32_t of = value_types_add_bytes(&b->sink->flow->types, type, unit);
    const uint32_t namesake = namesake_of(b, of);
    if (namesake != 0 && namesake != of) /* a sample has one value of each name */
        of = value_types_add_bytes(&b->sink->flow->types, unit, unit);
    if (namesake_of(b, of) != 0)
        return BENCH_TWICE;
    b->types[b->value_count++] = of;
    struct value head = {.integer = number.integer, .type = of};
    if (number.kind == NUMBER_REAL)
        head.size = (uint32_t)number.real.n + 1;
    buf_add(&b->values, (struct str){(const char *)&head, sizeof head});
    if (head.size > 0)
        buf_add(&b->values, (struct str){number.real.p, head.size});
    return BENCH_ADDED;
}

/* --- labels --- */

/* Appends a label to TO, a list that has others if HAS_OTHERS. */
static void add_label(struct bench *b, struct buf *to, bool has_others, struct str key,
                      struct str value, bool is_number)
{
    buf_add(to, has_others ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(to, &b->scratch, key);
    buf_add(to, is_number ? STR(",\"num\":") : STR(",\"str\":"));
    if (is_number)
        buf_add(to, value);
    else
        emit_inner_string(to, &b->scratch, value);
    buf_add(to, STR("}"));
}

/* The number of TEXT, a part of labels, which is kept. */
static uint32_t keep(struct bench *b, struct str text)
{
    bool is_new;
    const uint32_t number = intern_add(&b->labels, text, &is_new);
    if (is_new)
        growth_hold(b->sink->flow, text.n);
    return number;
}

void bench_set(struct bench *b, struct str key, struct str value)
{
    const uint32_t number = intern_add(&b->keys, key, NULL);
    b->settings = mem_array_zeroed(b->settings, &b->setting_capacity, number, sizeof *b->settings);
    b->settings[number - 1].n = 0;
    buf_add(&b->settings[number - 1], value);
    b->set = 0;
}

struct str bench_setting(const struct bench *b, struct str key)
{
    const uint32_t number = intern_find(&b->keys, key);
    return number == 0 ? STR("") : buf_str(&b->settings[number - 1]);
}

void bench_label(struct bench *b, struct str key, struct str value, bool is_number)
{
    add_label(b, &b->extra, b->extra.n > 0, key, value, is_number);
}

/* --- results --- */

/* The number of the labels that are settings now. */
static uint32_t settings_of(struct bench *b)
{
    b->text.n = 0;
    for (uint32_t i = 1; i <= b->keys.count; i++) {
        const struct str value = buf_str(&b->settings[i - 1]);
        if (value.n > 0)
            add_label(b, &b->text, b->text.n > 0, intern_get(&b->keys, i), value, false);
    }
    return keep(b, buf_str(&b->text));
}

void bench_begin(struct bench *b)
{
    b->value_count = 0;
    b->values.n = b->extra.n = 0;
}

void bench_end(struct bench *b, struct str name)
{
    struct result result = {.value_count = b->value_count};
    bool is_new;
    result.function = intern_add(&b->functions, name, &is_new);
    if (is_new)
        growth_hold(b->sink->flow, name.n);
    b->runs = mem_array_zeroed(b->runs, &b->run_capacity, result.function, sizeof *b->runs);
    result.run = ++b->runs[result.function - 1];
    b->most_runs = result.run > b->most_runs ? result.run : b->most_runs;
    for (uint32_t i = 0; i < b->value_count; i++)
        list_type(b, b->types[i]);
    if (b->set == 0)
        b->set = settings_of(b);
    result.settings = b->set;
    result.labels = keep(b, buf_str(&b->extra));
    spool_write(b->results, (struct str){(const char *)&result, sizeof result});
    spool_write(b->results, buf_str(&b->values));
    b->result_count++;
}

/* --- rows --- */

static void push_sources(struct bench *b)
{
    for (uint32_t run = 1; run <= b->most_runs; run++) {
        b->extra.n = 0;
        listed_begin(&b->extra);
        buf_add(&b->extra, buf_str(&b->listed));
        buf_add(&b->extra, b->listed.n > 0 && b->last.n > 0 ? STR(",") : STR(""));
        buf_add(&b->extra, buf_str(&b->last));
        listed_end(&b->extra);
        bytes_rows_source(&b->rows, b->sink, run, STR("bench"),
                          format_source_uri(b->request, b->in), b->request->timestamp, &b->extra);
    }
}

static void push_functions(struct bench *b)
{
    for (uint32_t i = 1; i <= b->functions.count; i++) {
        bytes_rows_function(&b->rows, b->sink, i, intern_get(&b->functions, i), STR(""), 0,
                            STR(""));
        sink_row(b->sink, &(struct row){.table = TABLE_LOCATIONS, .location = {i, i, 0}});
    }
}

/* Sets b->extra to the column of labels of RESULT. */
static void set_labels(struct bench *b, const struct result *result)
{
    const struct str settings = intern_get(&b->labels, result->settings);
    const struct str own = intern_get(&b->labels, result->labels);
    b->extra.n = 0;
    if (settings.n + own.n == 0)
        return;
    buf_add(&b->extra, STR(",\".labels\":["));
    buf_add(&b->extra, settings);
    buf_add(&b->extra, settings.n > 0 && own.n > 0 ? STR(",") : STR(""));
    buf_add(&b->extra, own);
    buf_add(&b->extra, STR("]"));
}

static void push_samples(struct bench *b)
{
    struct result result;
    struct sample_value *values = NULL;
    struct buf *texts = NULL;
    size_t value_capacity = 0, text_capacity = 0;
    int64_t sample_id = 0;
    spool_rewind(b->results);
    while (spool_read(b->results, &result, sizeof result)) {
        const size_t n = result.value_count;
        values = mem_array(values, &value_capacity, n, sizeof *values);
        texts = mem_array_zeroed(texts, &text_capacity, n, sizeof *texts);
        for (size_t i = 0; i < n; i++) {
            struct value head;
            spool_read(b->results, &head, sizeof head);
            values[i] = (struct sample_value){head.type, number_of(head.integer), STR("")};
            if (head.size == 0)
                continue;
            texts[i].n = 0;
            spool_read(b->results, buf_reserve(&texts[i], head.size), head.size);
            values[i].value =
                (struct number){.kind = NUMBER_REAL, .real = {texts[i].p, head.size - 1}};
        }
        int64_t location = result.function;
        set_labels(b, &result);
        sink_sample(b->sink, &(struct sample){.sample_id = ++sample_id,
                                              .source_id = result.run,
                                              .extra = buf_str(&b->extra),
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

void bench_push(struct bench *b)
{
    push_sources(b);
    push_functions(b);
    push_samples(b);
}

void bench_close(struct bench *b)
{
    spool_close(b->results);
    for (uint32_t i = 0; i < b->keys.count; i++)
        buf_free(&b->settings[i]);
    mem_free(b->settings);
    mem_free(b->runs);
    mem_free(b->is_listed);
    intern_free(&b->keys);
    intern_free(&b->functions);
    intern_free(&b->labels);
    bytes_rows_free(&b->rows);
    BUF_FREE(&b->listed, &b->last, &b->values, &b->extra, &b->text, &b->scratch);
}

/* The JSON of Google's library "benchmark", and of hyperfine. */
#include "formats/bench/bench.h"
#include "formats/json_head.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

struct reader {
    struct bench *bench;
    struct tokens json;

    /* What the object of a result has: bytes; empty if it has none. */
    struct buf name, unit, count, real, cpu, label, error;
    bool is_aggregate;
    struct buf others; /* names and numbers of its own counters: put_text */
    struct buf text;
};

/* --- values --- */

/* Sets TO to the string that is the last token, as bytes. */
static void read_string(struct reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    to->n = 0;
    text_unescape(to, r->json.text);
}

/* Sets TO to the number that is the last token. */
static void read_number(struct reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    to->n = 0;
    buf_add(to, r->json.text);
}

/* Adds a value to the result, at WHERE. */
static void add_value(struct reader *r, struct tokens_place where, struct str type, struct str unit,
                      struct str text)
{
    switch (bench_value(r->bench, type, unit, text)) {
    case BENCH_ADDED: return;
    case BENCH_NO_NUMBER:
        tokens_die(&r->json, where, "expected a number, found %.*s", STR_ARG(text));
    case BENCH_TWICE: tokens_die(&r->json, where, "has two values of %.*s", STR_ARG(type));
    case BENCH_FULL: tokens_die(&r->json, where, "has more than %d values", BENCH_VALUES - 1);
    }
}

/* Appends TEXT to LIST, from which take_text takes it. */
static void put_text(struct buf *list, struct str text)
{
    buf_add(list, (struct str){(const char *)&text.n, sizeof text.n});
    buf_add(list, text);
}

/* Takes the first text off *LIST, which is not empty. */
static struct str take_text(struct str *list)
{
    struct str text;
    memcpy(&text.n, list->p, sizeof text.n);
    text.p = list->p + sizeof text.n;
    list->p = text.p + text.n;
    list->n -= sizeof text.n + text.n;
    return text;
}

static void expect_array(const struct reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "an array");
}

static void expect_object(const struct reader *r)
{
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
}

/* --- Google's library --- */

/* Reads what holds for all results: texts and numbers are labels. */
static void read_context(struct reader *r)
{
    struct buf key = {0};
    if (r->bench->result_count > 0)
        tokens_die(&r->json, r->json.where, "expected \"context\" in front of \"benchmarks\"");
    expect_object(r);
    while (tokens_next(&r->json) != TOKEN_OBJECT_END) {
        key.n = r->text.n = 0;
        text_unescape(&key, r->json.text);
        tokens_next(&r->json);
        if (r->json.token == TOKEN_STRING)
            text_unescape(&r->text, r->json.text);
        else if (r->json.token == TOKEN_NUMBER)
            buf_add(&r->text, r->json.text);
        else
            loss_add(LOSS_OWN, STR("caches, load and the like"), 1);
        if (r->json.token != TOKEN_STRING && r->json.token != TOKEN_NUMBER)
            tokens_skip(&r->json);
        bench_set(r->bench, buf_str(&key), buf_str(&r->text));
    }
    buf_free(&key);
}

/* Reads the member NAME of a result, whose value is the last token. */
static void read_member(struct reader *r, struct str name)
{
    const struct {
        struct str name;
        struct buf *to;
        bool is_number;
    } known[] = {
        {STR("name"), &r->name, false},           {STR("time_unit"), &r->unit, false},
        {STR("iterations"), &r->count, true},     {STR("real_time"), &r->real, true},
        {STR("cpu_time"), &r->cpu, true},         {STR("label"), &r->label, false},
        {STR("error_message"), &r->error, false},
    };
    static const struct str dropped[] = {STR("family_index"), STR("per_family_instance_index"),
                                         STR("repetitions"), STR("repetition_index"),
                                         STR("threads")};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(name, known[i].name)) {
            if (known[i].is_number)
                read_number(r, known[i].to);
            else
                read_string(r, known[i].to);
            return;
        }
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (str_equal(name, dropped[i])) {
            tokens_skip(&r->json);
            return;
        }
    if (str_equal(name, STR("run_type")))
        r->is_aggregate = str_equal(r->json.text, STR("aggregate"));
    if (r->json.token == TOKEN_NUMBER) {
        put_text(&r->others, name);
        put_text(&r->others, r->json.text);
    }
    tokens_skip(&r->json);
}

/* Adds the result that was read, at WHERE. */
static void add_result(struct reader *r, struct tokens_place where)
{
    struct bench *b = r->bench;
    r->text.n = 0;
    buf_add(&r->text, r->unit.n > 0 ? buf_str(&r->unit) : STR("ns"));
    buf_add(&r->text, STR("/op"));
    bench_begin(b);
    if (r->count.n > 0)
        add_value(r, where, STR("operations"), STR("count"), buf_str(&r->count));
    add_value(r, where, STR("time"), buf_str(&r->text), buf_str(&r->real));
    if (r->cpu.n > 0)
        add_value(r, where, STR("cpu"), buf_str(&r->text), buf_str(&r->cpu));
    for (struct str rest = buf_str(&r->others); rest.n > 0;) {
        const struct str name = take_text(&rest), number = take_text(&rest);
        if (str_equal(name, STR("bytes_per_second")))
            add_value(r, where, STR("throughput"), STR("B/s"), number);
        else
            add_value(r, where, name, name, number);
    }
    bench_name_labels(b, buf_str(&r->name), ':');
    if (r->label.n > 0)
        bench_label(b, STR("label"), buf_str(&r->label), false);
    bench_end(b, buf_str(&r->name));
}

static void read_result(struct reader *r)
{
    const struct tokens_place where = r->json.where;
    struct buf *bufs[] = {&r->name, &r->unit,  &r->count, &r->real,
                          &r->cpu,  &r->label, &r->error, &r->others};
    struct buf name = {0};
    expect_object(r);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        bufs[i]->n = 0;
    r->is_aggregate = false;
    while (tokens_next(&r->json) != TOKEN_OBJECT_END) {
        name.n = 0;
        text_unescape(&name, r->json.text);
        tokens_next(&r->json);
        read_member(r, buf_str(&name));
    }
    buf_free(&name);
    if (r->is_aggregate)
        loss_add(LOSS_OWN, STR("means, medians and the like"), 1);
    else if (r->error.n > 0)
        tokens_warn(&r->json, where, "a benchmark that failed is left out: %.*s",
                    STR_ARG(buf_str(&r->error)));
    else if (r->name.n == 0 || r->real.n == 0)
        tokens_die(&r->json, where, "the result has no %s", r->name.n == 0 ? "name" : "real_time");
    else
        add_result(r, where);
}

/* --- hyperfine --- */

/* Reads the parameters of a command into r->others: put_text. */
static void read_parameters(struct reader *r)
{
    expect_object(r);
    while (tokens_next(&r->json) != TOKEN_OBJECT_END) {
        for (int i = 0; i < 2; i++) { /* the name, and its value */
            r->text.n = 0;
            text_unescape(&r->text, r->json.text);
            put_text(&r->others, buf_str(&r->text));
            if (i == 0 && tokens_next(&r->json) != TOKEN_STRING && r->json.token != TOKEN_NUMBER)
                tokens_unexpected(&r->json, "a string or a number");
        }
    }
}

/* Reads the times of a command into r->real: put_text. */
static void read_times(struct reader *r)
{
    expect_array(r);
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        if (r->json.token != TOKEN_NUMBER)
            tokens_unexpected(&r->json, "a number");
        put_text(&r->real, r->json.text);
    }
}

/* Reads a command and its runs. */
static void read_command(struct reader *r)
{
    static const char *const names[] = {"command", "times",  "parameters", "exit_codes",
                                        "mean",    "stddev", "median",     "user",
                                        "system",  "min",    "max",        "memory_usage_byte"};
    const struct tokens_place where = r->json.where;
    unsigned seen = 0, member;
    r->name.n = r->real.n = r->others.n = 0;
    expect_object(r);
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_string(r, &r->name); break;
        case 1: read_times(r); break;
        case 2: read_parameters(r); break;
        default: tokens_skip(&r->json);
        }
    if (r->name.n == 0 || r->real.n == 0)
        tokens_die(&r->json, where, "the result has no %s", r->name.n == 0 ? "command" : "times");
    loss_add(LOSS_OWN, STR("means, medians and the like"), 1);
    for (struct str times = buf_str(&r->real); times.n > 0;) {
        bench_begin(r->bench);
        add_value(r, where, STR("operations"), STR("count"), STR("1"));
        add_value(r, where, STR("time"), STR("sec/op"), take_text(&times));
        bench_label(r->bench, STR("name"), buf_str(&r->name), false);
        for (struct str rest = buf_str(&r->others); rest.n > 0;) {
            const struct str key = take_text(&rest);
            bench_label(r->bench, key, take_text(&rest), false);
        }
        bench_end(r->bench, buf_str(&r->name));
    }
}

/* --- the file --- */

void bench_json_read(struct bench *b)
{
    static const char *const names[] = {"context", "benchmarks", "results"};
    struct reader r = {.bench = b};
    unsigned seen = 0, member;
    tokens_open(&r.json, b->in);
    tokens_expect(&r.json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r.json, names, sizeof names / sizeof *names, &seen, &member)) {
        if (member == 0) {
            read_context(&r);
            continue;
        }
        expect_array(&r);
        while (tokens_next(&r.json) != TOKEN_ARRAY_END) {
            if (member == 1)
                read_result(&r);
            else
                read_command(&r);
        }
    }
    tokens_next(&r.json); /* nothing may follow */
    tokens_close(&r.json);
    BUF_FREE(&r.name, &r.unit, &r.count, &r.real, &r.cpu, &r.label, &r.error, &r.others, &r.text);
}

enum bid bench_json_bid(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_lists(head, STR("benchmarks")) ||
        (json_head_lists(head, STR("results")) && json_head_has(head, STR("\"command\""))))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

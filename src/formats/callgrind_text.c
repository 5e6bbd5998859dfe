#include "formats/callgrind_text.h"

#include "base/mem.h"
#include "base/port.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

struct callgrind_text callgrind_text_open(struct in *in, const struct read_request *request,
                                          struct flow *flow)
{
    return (struct callgrind_text){
        .in = in, .request = request, .flow = flow, .where = {in_name(in), PLACE_LINE, 0}};
}

void callgrind_text_close(struct callgrind_text *t)
{
    in_consume(t->in, t->window_size);
    for (enum callgrind_text_space i = 0; i < CALLGRIND_SPACES; i++) {
        intern_free(&t->names[i].strings);
        idmap_free(&t->names[i].ids);
        mem_free(t->names[i].of);
    }
    intern_free(&t->described);
    mem_free(t->units);
    mem_free(t->events);
    buf_free(&t->types);
    buf_free(&t->text);
    buf_free(&t->scratch);
}

void callgrind_text_die(const struct callgrind_text *t, const char *expected, struct str found)
{
    text_die(t->where, STR(""), expected, found);
}

/* --- lines --- */

/* The last line has no end: a number in it may lack digits. Callgrind ends each line, but people do
 * not: theirs is read. */
static bool admit_torn(const struct callgrind_text *t)
{
    if (t->request->strict)
        die_as(CODE_TORN, t->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, t->where, "the last line is torn (no line feed)%s",
            t->is_whole ? ": skipped" : "");
    return !t->is_whole;
}

bool callgrind_text_next(struct callgrind_text *t, struct str *line)
{
    if (t->window.n == 0) {
        in_consume(t->in, t->window_size);
        t->window = in_lines(t->in, 0, t->where.at + 1);
        t->window_size = t->window.n;
    }
    if (!str_next_line(&t->window, line))
        return false;
    t->where.at++;
    t->flow->where = t->where;
    return t->window.n > 0 || !in_torn(t->in) || str_trim(*line).n == 0 || admit_torn(t);
}

char callgrind_text_split(struct str line, struct str *key, struct str *text)
{
    size_t n = 0;
    while (n < line.n && line.p[n] >= 'a' && line.p[n] <= 'z')
        n++;
    if (n == 0 || n == line.n || (line.p[n] != '=' && line.p[n] != ':'))
        return 0;
    *key = (struct str){line.p, n};
    *text = (struct str){line.p + n + 1, line.n - n - 1};
    return line.p[n];
}

struct str callgrind_text_word(struct str *text)
{
    callgrind_text_more(text);
    struct str word = {text->p, 0};
    while (word.n < text->n && !str_is_blank(word.p[word.n]))
        word.n++;
    text->p += word.n;
    text->n -= word.n;
    return word;
}

bool callgrind_text_more(struct str *text)
{
    while (text->n > 0 && str_is_blank(*text->p))
        text->p++, text->n--;
    return text->n > 0;
}

bool callgrind_text_number(struct str *text, uint64_t *number)
{
    struct str rest = *text;
    uint64_t n = 0;
    size_t digits = 0;
    if (str_take(&rest, STR("0x"))) {
        for (; digits < rest.n && text_hex_value(rest.p[digits]) < 16; digits++) {
            if (n >> 60 != 0)
                return false;
            n = n << 4 | text_hex_value(rest.p[digits]);
        }
    } else {
        for (; digits < rest.n && str_is_digit(rest.p[digits]); digits++)
            if (__builtin_mul_overflow(n, 10, &n) ||
                __builtin_add_overflow(n, (uint64_t)(rest.p[digits] - '0'), &n))
                return false;
    }
    *text = (struct str){rest.p + digits, rest.n - digits};
    *number = n;
    return digits > 0;
}

/* --- names --- */

/* The number in parentheses that *TEXT begins with, plus 1; 0: it is a name, as `(below main)`
 * is. */
static uint64_t take_id(struct str *text)
{
    struct str rest = *text;
    uint64_t id;
    if (!str_take(&rest, STR("(")) || rest.n == 0 || !str_is_digit(*rest.p) ||
        !callgrind_text_number(&rest, &id) || id == UINT64_MAX || !str_take(&rest, STR(")")))
        return 0;
    *text = rest;
    return id + 1;
}

/* From now on ID stands for the name NUMBER: the newest counts, as in KCachegrind. */
static void define_name(struct callgrind_text_names *names, uint64_t id, uint32_t number)
{
    uint32_t at = idmap_get(&names->ids, id);
    if (at == 0) {
        names->of = mem_array(names->of, &names->capacity, names->count + 1, sizeof *names->of);
        at = (uint32_t)++names->count;
        idmap_put(&names->ids, id, at);
    }
    names->of[at - 1] = number;
}

/* The number of the name with that ID, one of take_id. Files from which parts were cut lack some:
 * then the number is the name. */
static uint32_t find_name(struct callgrind_text *t, enum callgrind_text_space space, uint64_t id)
{
    static const char *const kinds[CALLGRIND_SPACES] = {"object", "file", "function"};
    struct callgrind_text_names *names = &t->names[space];
    uint32_t at = idmap_get(&names->ids, id);
    char text[32];
    if (at != 0)
        return names->of[at - 1];
    if (t->request->strict)
        die_at(t->where, "--strict: %s (%" PRIu64 ") has no name", kinds[space], id - 1);
    warn_at(CODE_INVALID, t->where, "%s (%" PRIu64 ") has no name", kinds[space], id - 1);
    snprintf(text, sizeof text, "(%" PRIu64 ")", id - 1);
    uint32_t number = intern_add(&names->strings, str_of(text), NULL);
    define_name(names, id, number);
    return number;
}

/* Sets t->text to NAME of a function with callers, where numbers stand for the parts of both:
 * `(2)'(7)`. False if it has none: `(2)` alone is a name. */
static bool expand(struct callgrind_text *t, struct str name)
{
    struct str rest = name;
    uint64_t id = take_id(&rest);
    t->text.n = 0;
    if (id == 0 || rest.n == 0 || *rest.p != '\'')
        return false;
    for (; id != 0; id = take_id(&rest)) {
        uint32_t number = find_name(t, CALLGRIND_FUNCTIONS, id);
        buf_add(&t->text, intern_get(&t->names[CALLGRIND_FUNCTIONS].strings, number));
        const char *next = rest.n > 0 ? memchr(rest.p, '(', rest.n) : NULL;
        size_t n = next == NULL ? rest.n : (size_t)(next - rest.p);
        buf_add(&t->text, (struct str){rest.p, n});
        rest = (struct str){rest.p + n, rest.n - n};
        if (t->text.n > LIMITS_LINE)
            die_as(CODE_TOO_LARGE, t->where, "the name of a function is longer than %zu bytes",
                   LIMITS_LINE);
    }
    buf_add(&t->text, rest);
    return true;
}

/* The number of NAME. If IS_EXPANDED a line of a few bytes may stand for it, so work counts even where
 * nothing is held. */
static uint32_t add_name(struct callgrind_text *t, enum callgrind_text_space space, struct str name,
                         bool is_expanded)
{
    bool is_new;
    uint32_t number = intern_add(&t->names[space].strings, name, &is_new);
    if (is_new || is_expanded)
        growth_hold(t->flow, name.n);
    return number;
}

uint32_t callgrind_text_number_of(struct callgrind_text *t, enum callgrind_text_space space,
                                  struct str name)
{
    return name.n == 0 ? 0 : add_name(t, space, name, false);
}

uint32_t callgrind_text_name(struct callgrind_text *t, enum callgrind_text_space space,
                             struct str text)
{
    struct callgrind_text_names *names = &t->names[space];
    uint64_t id = take_id(&text);
    if (!callgrind_text_more(&text) && id != 0)
        return find_name(t, space, id);
    const bool is_expanded = space == CALLGRIND_FUNCTIONS && id != 0 && expand(t, text);
    if (is_expanded)
        text = buf_str(&t->text);
    if (text.n == 0 || str_equal(text, STR("???")))
        text = STR("");
    uint32_t number = add_name(t, space, text, is_expanded);
    if (id != 0)
        define_name(names, id, number);
    return number;
}

void callgrind_text_define(struct callgrind_text *t, enum callgrind_text_space space, uint64_t id,
                           struct str name)
{
    define_name(&t->names[space], id + 1, intern_add(&t->names[space].strings, name, NULL));
}

struct str callgrind_text_name_at(const struct callgrind_text *t, enum callgrind_text_space space,
                                  uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&t->names[space].strings, number);
}

/* --- events --- */

/* The names of units of time in files and in rows. */
static const struct {
    struct str given, unit;
    int64_t factor;
} units[] = {
    {STR("ns"), STR("nanoseconds"), 1},  {STR("10ns"), STR("nanoseconds"), 10},
    {STR("us"), STR("microseconds"), 1}, {STR("ms"), STR("milliseconds"), 1},
    {STR("s"), STR("seconds"), 1},
};

bool callgrind_text_is_unit(struct str unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_equal(unit, units[i].given))
            return true;
    return false;
}

struct callgrind_text_type callgrind_text_type(struct str name)
{
    struct callgrind_text_type type = {name, STR("count"), 1};
    const char *open = memchr(name.p, '(', name.n);
    if (open == NULL || open == name.p || !str_ends(name, STR(")")))
        return type;
    struct str unit = {open + 1, (size_t)(name.p + name.n - open) - 2};
    struct str before = {name.p, (size_t)(open - name.p)};
    if (str_ends(before, STR("_")))
        before.n--;
    if (before.n == 0 || unit.n == 0)
        return type;
    type.name = before;
    type.unit = unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_equal(unit, units[i].given)) {
            type.unit = units[i].unit;
            type.factor = units[i].factor;
        }
    return type;
}

void callgrind_text_describe(struct callgrind_text *t, struct str name, const char *unit)
{
    uint32_t number = intern_add(&t->described, name, NULL);
    t->units = mem_array(t->units, &t->unit_capacity, number, sizeof *t->units);
    t->units[number - 1] = unit;
}

/* Appends the type NAME in UNIT, bytes, to those of the source, and returns its number. */
static uint32_t add_type(struct callgrind_text *t, struct str name, struct str unit,
                         bool is_inclusive)
{
    listed_add_bytes(&t->types, &t->scratch, name, unit,
                     is_inclusive ? LISTED_INCLUSIVE : LISTED_SUM);
    if (t->types.n > LIMITS_LINE) /* their row would be refused, after all of them are held */
        die_as(CODE_TOO_LARGE, t->where, "there are more events than a row of %zu bytes can hold",
               LIMITS_LINE);
    return value_types_add_bytes(&t->flow->types, name, unit);
}

void callgrind_text_events(struct callgrind_text *t, struct str names)
{
    struct intern seen = {0};
    struct str name;
    t->event_count = 0;
    t->types.n = 0;
    t->calls = add_type(t, STR("calls"), STR("count"), false);
    while ((name = callgrind_text_word(&names)).n > 0) {
        struct callgrind_text_type type = callgrind_text_type(name);
        bool is_new;
        intern_add(&seen, type.name, &is_new);
        if (!is_new || str_equal(type.name, STR("calls")) ||
            str_starts(type.name, STR("inclusive_")))
            callgrind_text_die(
                t, is_new ? "a name that rows do not give to calls" : "each event once", name);
        t->events = mem_array(t->events, &t->event_capacity, t->event_count + 1, sizeof *t->events);
        struct callgrind_text_event *event = &t->events[t->event_count++];
        *event = (struct callgrind_text_event){.factor = type.factor};
        uint32_t described = intern_find(&t->described, name);
        if (described != 0)
            type.unit = str_of(t->units[described - 1]);
        t->text.n = 0;
        buf_add(&t->text, STR("inclusive_"));
        buf_add(&t->text, type.name);
        event->self = add_type(t, type.name, type.unit, false);
        event->inclusive = add_type(t, buf_str(&t->text), type.unit, true);
    }
    if (t->event_count == 0)
        die_at(t->where, "expected the names of events, found none");
    intern_free(&seen);
}

size_t callgrind_text_costs(const struct callgrind_text *t, struct str line, int64_t *costs)
{
    size_t i = 0;
    for (; callgrind_text_more(&line); i++) {
        uint64_t given;
        struct str start = line;
        const bool is_negative = t->may_be_negative && str_take(&line, STR("-"));
        if (i == t->event_count)
            callgrind_text_die(t, "at most as many costs as there are events", line);
        if (!callgrind_text_number(&line, &given) || (line.n > 0 && !str_is_blank(*line.p)))
            callgrind_text_die(t, "a cost, an integer from 0", start);
        if (__builtin_mul_overflow(given, t->events[i].factor, &costs[i]))
            callgrind_text_die(t, "a cost that fits 64 bits", start);
        costs[i] = is_negative ? -costs[i] : costs[i];
    }
    return i;
}

/* --- facts --- */

void callgrind_text_fact(struct source_facts *to, struct str line)
{
    if (str_take(&line, STR("cmd:"))) {
        to->command.n = 0;
        buf_add(&to->command, str_trim(line));
    } else if (str_take(&line, STR("creator:"))) {
        to->producer.n = 0;
        buf_add(&to->producer, str_trim(line));
    } else if (str_take(&line, STR("events:"))) {
        to->default_type.n = 0;
        text_escape(&to->default_type, callgrind_text_type(callgrind_text_word(&line)).name);
    }
}

void callgrind_text_facts(const struct members *facts, enum member_id lines,
                          void (*take)(struct source_facts *to, struct str line),
                          struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct str item;
    struct buf text = {0};
    while (members_next(&walk, &m)) {
        struct str list = m.id == lines ? text_inside(m.value) : STR("");
        while (text_next_item(&list, &item)) {
            text.n = 0;
            text_inner_bytes(&text, item);
            take(to, buf_str(&text));
        }
    }
    buf_free(&text);
}

/* The reader. A file is a sequence of lines: those of a head, then, for each function, what its
 * lines cost and what they call. Each part of a file has a head of its own, and is a source.
 *
 * Calls are known pair by pair, so no stack is deeper than that. What a call costs is also in the
 * lines of what is called, so it is a value of another type, which is inclusive. */
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/callgrind/callgrind.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* What the numbers of positions stand for, in the order of a line. */
enum position { ADDRESS, BLOCK, LINE, POSITIONS };

/* The kinds of names, each with numbers of its own. */
enum space { OBJECTS, FILES, FUNCTIONS, SPACES };

/* What stages that merge hold of a source, in bytes: a part can be much smaller. */
enum { PART_HELD = 2048 };

struct names {
    struct intern strings;
    struct idmap ids; /* the numbers in the file, plus 1, to places in OF, from 1 */
    uint32_t *of;     /* the strings that they stand for now */
    size_t count, capacity;
};

/* Where a function is. Numbers of names; 0: unknown. */
struct origin {
    uint32_t object, file, name;
};

/* An event of a part. */
struct event {
    uint32_t self, inclusive; /* its types */
    int64_t factor;
    uint64_t sum; /* of all lines, modulo 2^64 */
};

struct reader {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct str window; /* what is left of the whole lines in view */
    size_t window_size;
    struct place where;

    struct names names[SPACES];
    struct intern functions, locations, mappings;
    struct bytes_rows rows;
    struct buf text, extra;

    /* of the part */
    struct buf lines, types; /* of its head, and its types, for its source */
    bool has_position[POSITIONS];
    struct event *events;
    size_t event_count, event_capacity;
    bool is_body, has_totals;
    uint32_t calls_type;
    int64_t source_id;

    bool is_valgrind;    /* Callgrind itself wrote the file: each part ends in its totals */
    struct intern timed; /* events whose unit their descriptions say, */
    const char **units;  /* and that unit */
    size_t unit_capacity;

    /* at the line */
    uint64_t at[POSITIONS], target[POSITIONS]; /* of costs, and of the call in front */
    uint32_t object, file;                     /* of functions that begin here */
    struct origin caller;                      /* the function, and the file of the line */
    struct origin callee;                      /* object and file: 0 where not said */
    struct origin next;         /* said of a callee whose name may follow; has none */
    uint32_t function_file;     /* the function's own */
    uint32_t function, mapping; /* rows of the caller; 0: none so far */
    int64_t calls;              /* of the call whose cost comes next */
    bool is_call, is_jump;      /* the next line belongs to one */
    struct sample_value *values;
    size_t value_capacity;
    int64_t sample_id;
};

static _Noreturn void die_here(const struct reader *r, const char *expected, struct str found)
{
    struct buf shown = {0};
    text_escape(&shown, found);
    die_at(r->where, "expected %s, found \"%.*s\"", expected, STR_ARG(buf_str(&shown)));
}

/* --- lines --- */

/* The last line has no end: a number in it may lack digits. Callgrind ends each line, but people do
 * not: theirs is read. */
static bool admit_torn(const struct reader *r)
{
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    warn_at(CODE_TORN, r->where, "the last line is torn (no line feed)%s",
            r->is_valgrind ? ": skipped" : "");
    return !r->is_valgrind;
}

static bool next_line(struct reader *r, struct str *line)
{
    if (r->window.n == 0) {
        in_consume(r->in, r->window_size);
        r->window = in_lines(r->in, 0, r->where.at + 1);
        r->window_size = r->window.n;
    }
    if (!str_next_line(&r->window, line))
        return false;
    *line = str_trim(*line);
    r->where.at++;
    r->sink->flow->where = r->where;
    return r->window.n > 0 || !in_torn(r->in) || line->n == 0 || admit_torn(r);
}

/* Takes a number, decimal or in hexadecimal after 0x, off *TEXT; false if there is none, or none
 * of 64 bits. */
static bool take_number(struct str *text, uint64_t *number)
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

/* Skips blanks; false at the end of TEXT. */
static bool skip_blanks(struct str *text)
{
    while (text->n > 0 && str_is_blank(*text->p))
        text->p++, text->n--;
    return text->n > 0;
}

/* --- names --- */

/* The number in parentheses that *TEXT begins with, plus 1; 0: it is a name, as `(below main)`
 * is. */
static uint64_t take_id(struct str *text)
{
    struct str rest = *text;
    uint64_t id;
    if (!str_take(&rest, STR("(")) || rest.n == 0 || !str_is_digit(*rest.p) ||
        !take_number(&rest, &id) || id == UINT64_MAX || !str_take(&rest, STR(")")))
        return 0;
    *text = rest;
    return id + 1;
}

/* From now on ID stands for the name NUMBER: the newest counts, as in KCachegrind. */
static void define_name(struct names *names, uint64_t id, uint32_t number)
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
static uint32_t find_name(struct reader *r, enum space space, uint64_t id)
{
    static const char *const kinds[SPACES] = {"object", "file", "function"};
    struct names *names = &r->names[space];
    uint32_t at = idmap_get(&names->ids, id);
    char text[32];
    if (at != 0)
        return names->of[at - 1];
    if (r->request->strict)
        die_at(r->where, "--strict: %s (%" PRIu64 ") has no name", kinds[space], id - 1);
    warn_at(CODE_INVALID, r->where, "%s (%" PRIu64 ") has no name", kinds[space], id - 1);
    snprintf(text, sizeof text, "(%" PRIu64 ")", id - 1);
    uint32_t number = intern_add(&names->strings, str_of(text), NULL);
    define_name(names, id, number);
    return number;
}

/* Sets r->text to NAME of a function with callers, where numbers stand for the parts of both:
 * `(2)'(7)`. False if it has none: `(2)` alone is a name. */
static bool expand(struct reader *r, struct str name)
{
    struct str rest = name;
    uint64_t id = take_id(&rest);
    r->text.n = 0;
    if (id == 0 || rest.n == 0 || *rest.p != '\'')
        return false;
    for (; id != 0; id = take_id(&rest)) {
        uint32_t number = find_name(r, FUNCTIONS, id);
        buf_add(&r->text, intern_get(&r->names[FUNCTIONS].strings, number));
        const char *next = rest.n > 0 ? memchr(rest.p, '(', rest.n) : NULL;
        size_t n = next == NULL ? rest.n : (size_t)(next - rest.p);
        buf_add(&r->text, (struct str){rest.p, n});
        rest = (struct str){rest.p + n, rest.n - n};
        if (r->text.n > LIMITS_LINE)
            die_as(CODE_TOO_LARGE, r->where, "the name of a function is longer than %zu bytes",
                   LIMITS_LINE);
    }
    buf_add(&r->text, rest);
    return true;
}

/* The number of the name that TEXT has, or refers to; defines it if it has both. */
static uint32_t read_name(struct reader *r, enum space space, struct str text)
{
    struct names *names = &r->names[space];
    uint64_t id = take_id(&text);
    bool is_new;
    if (!skip_blanks(&text) && id != 0)
        return find_name(r, space, id);
    if (space == FUNCTIONS && id != 0 && expand(r, text))
        text = buf_str(&r->text);
    if (text.n == 0 || str_equal(text, STR("???")))
        text = STR("");
    uint32_t number = intern_add(&names->strings, text, &is_new);
    if (is_new)
        growth_hold(r->sink->flow, text.n);
    if (id != 0)
        define_name(names, id, number);
    return number;
}

static struct str name_at(const struct reader *r, enum space space, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&r->names[space].strings, number);
}

/* --- rows --- */

/* The mapping of OBJECT; 0: it has no name. */
static uint32_t mapping_of(struct reader *r, uint32_t object)
{
    struct str name = name_at(r, OBJECTS, object);
    bool is_new;
    if (name.n == 0)
        return 0;
    uint32_t id =
        intern_add(&r->mappings, (struct str){(const char *)&object, sizeof object}, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    emit_member(&r->extra, STR("filename"));
    emit_inner_string(&r->extra, &r->text, name);
    sink_row(r->sink,
             &(struct row){.table = TABLE_MAPPINGS, .mapping = {id}, .extra = buf_str(&r->extra)});
    return id;
}

static uint32_t function_of(struct reader *r, uint32_t name, uint32_t file)
{
    uint32_t key[] = {name, file};
    bool is_new;
    uint32_t id = intern_add(&r->functions, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        bytes_rows_function(&r->rows, r->sink, id, name_at(r, FUNCTIONS, name),
                            name_at(r, FILES, file), 0, STR(""));
    return id;
}

/* The location of FUNCTION at AT, in the file OTHER if that is not the function's own (0). */
static int64_t location_of(struct reader *r, uint32_t function, uint32_t mapping,
                           const uint64_t at[POSITIONS], uint32_t other)
{
    uint64_t key[] = {(uint64_t)function << 32 | mapping, other, at[ADDRESS], at[BLOCK], at[LINE]};
    bool is_new;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    if (at[LINE] > INT64_MAX)
        die_at(r->where, "line %" PRIu64 " does not fit 63 bits", at[LINE]);
    r->extra.n = 0;
    if (other != 0) {
        emit_member(&r->extra, STR(".callgrind_file"));
        emit_inner_string(&r->extra, &r->text, name_at(r, FILES, other));
    }
    if (at[BLOCK] != 0) {
        emit_member(&r->extra, STR(".callgrind_block"));
        buf_add(&r->extra, STR("\""));
        emit_address(&r->extra, at[BLOCK]);
        buf_add(&r->extra, STR("\""));
    }
    sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS,
                                    .location = {id, function, (int64_t)at[LINE]},
                                    .extra = buf_str(&r->extra),
                                    .site = {.mapping_id = mapping, .address = at[ADDRESS]}});
    return id;
}

/* Appends the type NAME in UNIT, bytes, to those of the source, and returns its number. */
static uint32_t add_type(struct reader *r, struct str name, struct str unit, bool is_inclusive)
{
    buf_add(&r->types, r->types.n == 0 ? STR("{\"type\":") : STR(",{\"type\":"));
    emit_inner_string(&r->types, &r->text, name);
    emit_member(&r->types, STR("unit"));
    emit_inner_string(&r->types, &r->text, unit);
    buf_add(&r->types, is_inclusive ? STR(",\"inclusive\":true}") : STR("}"));
    if (r->types.n > LIMITS_LINE) /* their row would be refused, after all of them are held */
        die_as(CODE_TOO_LARGE, r->where, "there are more events than a row of %zu bytes can hold",
               LIMITS_LINE);
    return value_types_add_bytes(&r->sink->flow->types, name, unit);
}

/* Pushes the source of the part, whose head ends here. */
static void begin_body(struct reader *r)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = ++r->source_id,
                                 .source_type = STR("callgrind"),
                                 .source_timestamp = r->request->timestamp}};
    if (r->event_count == 0)
        die_at(r->where, "expected \"events:\" before the first cost");
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".value_types\":["));
    buf_add(&r->extra, buf_str(&r->types));
    buf_add(&r->extra, STR("],\".callgrind\":{\"lines\":["));
    buf_add(&r->extra, buf_str(&r->lines));
    buf_add(&r->extra, STR("]}"));
    row.source.source_uri =
        bytes_rows_uri(&r->rows, format_source_uri(r->request, r->in), &r->extra);
    row.extra = buf_str(&r->extra);
    growth_hold(r->sink->flow, PART_HELD);
    sink_row(r->sink, &row);
    r->is_body = true;
}

/* --- costs --- */

/* Takes positions off *LINE and moves AT, which are those before; false if the line has none. */
static void take_positions(struct reader *r, struct str *line, uint64_t at[POSITIONS])
{
    for (enum position i = 0; i < POSITIONS; i++) {
        uint64_t n = 0;
        struct str start = *line;
        if (!r->has_position[i] || !skip_blanks(line))
            continue;
        char sign = *line->p;
        if (sign == '*' || sign == '+' || sign == '-')
            line->p++, line->n--;
        if (sign != '*' && !take_number(line, &n))
            die_here(r, "a position", start);
        bool overflows = sign == '+'   ? __builtin_add_overflow(at[i], n, &at[i])
                         : sign == '-' ? __builtin_sub_overflow(at[i], n, &at[i])
                                       : false;
        if (overflows)
            die_here(r, "a position of 64 bits, from 0", start);
        if (str_is_digit(sign))
            at[i] = n;
        if (line->n == 0 || str_is_blank(*line->p))
            continue;
        line->p++, line->n--; /* it is a range */
        if (!take_number(line, &n) || (line->n > 0 && !str_is_blank(*line->p)))
            die_here(r, "a position", start);
        loss_add(LOSS_OWN, STR("ranges of positions"), 1);
    }
}

/* Takes what the rest of LINE costs into r->values, after the first COUNT of them; returns how many
 * there are then. Zeros are left out: so may files. */
static size_t take_costs(struct reader *r, struct str line, size_t count)
{
    r->values = mem_array(r->values, &r->value_capacity, count + r->event_count, sizeof *r->values);
    for (size_t i = 0; skip_blanks(&line); i++) {
        uint64_t given;
        int64_t value;
        struct str start = line;
        if (i == r->event_count)
            die_here(r, "at most as many costs as there are events", line);
        struct event *event = &r->events[i];
        if (!take_number(&line, &given) || (line.n > 0 && !str_is_blank(*line.p)))
            die_here(r, "a cost, an integer from 0", start);
        if (__builtin_mul_overflow(given, event->factor, &value))
            die_here(r, "a cost that fits 64 bits", start);
        event->sum += r->is_call ? 0 : given;
        if (value != 0)
            r->values[count++] = (struct sample_value){r->is_call ? event->inclusive : event->self,
                                                       number_of(value), STR("")};
    }
    return count;
}

static void push_sample(struct reader *r, size_t value_count, int64_t *stack, size_t depth)
{
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = r->source_id,
                                          .values = r->values,
                                          .value_count = value_count,
                                          .locations = stack,
                                          .depth = depth});
}

/* Sets the rows of the caller, once a line needs them. */
static void use_caller(struct reader *r)
{
    if (r->function != 0)
        return;
    r->function = function_of(r, r->caller.name, r->function_file);
    r->mapping = mapping_of(r, r->caller.object);
}

/* What the line costs, of the function itself or of the call in front of it. */
static void read_cost(struct reader *r, struct str line)
{
    take_positions(r, &line, r->at);
    if (r->is_jump) {
        if (skip_blanks(&line))
            die_here(r, "the end of the line of a jump", line);
        r->is_jump = false;
        return;
    }
    if (!r->is_body)
        begin_body(r);
    if (r->caller.name == 0)
        die_here(r, "\"fn=\" before the first cost", line);
    use_caller(r);
    int64_t stack[2];
    size_t depth = 0;
    uint32_t other = r->caller.file != r->function_file ? r->caller.file : 0;
    size_t count = 0;
    if (r->is_call) {
        uint32_t file = r->callee.file != 0 ? r->callee.file : r->caller.file;
        uint32_t object = r->callee.object != 0 ? r->callee.object : r->caller.object;
        uint32_t function = function_of(r, r->callee.name, file);
        stack[depth++] = location_of(r, function, mapping_of(r, object), r->target, 0);
    }
    stack[depth++] = location_of(r, r->function, r->mapping, r->at, other);
    if (r->is_call) {
        r->values = mem_array(r->values, &r->value_capacity, 1, sizeof *r->values);
        r->values[count++] = (struct sample_value){r->calls_type, number_of(r->calls), STR("")};
    }
    count = take_costs(r, line, count);
    if (count == 0)
        r->values[count++] = (struct sample_value){r->events[0].self, number_of(0), STR("")};
    push_sample(r, count, stack, depth);
    if (r->is_call)
        r->callee.file = r->callee.object = 0;
    r->is_call = false;
}

/* `calls=COUNT POSITIONS`, of what is called */
static void read_calls(struct reader *r, struct str text)
{
    uint64_t calls;
    struct str start = text;
    skip_blanks(&text);
    if (!take_number(&text, &calls) || calls > INT64_MAX || (text.n > 0 && !str_is_blank(*text.p)))
        die_here(r, "a number of calls", start);
    if (r->callee.name == 0)
        die_at(r->where, "expected \"cfn=\" before \"calls=\"");
    if (r->next.object != 0)
        r->callee.object = r->next.object;
    if (r->next.file != 0)
        r->callee.file = r->next.file;
    r->next = (struct origin){0};
    memcpy(r->target, r->at, sizeof r->target);
    take_positions(r, &text, r->target); /* Xdebug has one more */
    r->calls = (int64_t)calls;
    r->is_call = true;
}

/* --- the head --- */

static void read_events(struct reader *r, struct str names)
{
    struct intern seen = {0};
    struct str name;
    r->event_count = 0;
    r->types.n = 0;
    r->calls_type = add_type(r, STR("calls"), STR("count"), false);
    while ((name = callgrind_word(&names)).n > 0) {
        struct callgrind_type type = callgrind_type(name);
        bool is_new;
        intern_add(&seen, type.name, &is_new);
        if (!is_new || str_equal(type.name, STR("calls")) ||
            str_starts(type.name, STR("inclusive_")))
            die_here(r, is_new ? "a name that rows do not give to calls" : "each event once", name);
        r->events = mem_array(r->events, &r->event_capacity, r->event_count + 1, sizeof *r->events);
        struct event *event = &r->events[r->event_count++];
        *event = (struct event){.factor = type.factor};
        uint32_t timed = intern_find(&r->timed, name);
        if (timed != 0)
            type.unit = str_of(r->units[timed - 1]);
        r->extra.n = 0;
        buf_add(&r->extra, STR("inclusive_"));
        buf_add(&r->extra, type.name);
        event->self = add_type(r, type.name, type.unit, false);
        event->inclusive = add_type(r, buf_str(&r->extra), type.unit, true);
    }
    if (r->event_count == 0)
        die_at(r->where, "expected the names of events, found none");
    intern_free(&seen);
}

/* `event: NAME : DESCRIPTION`, which may end in a unit: `sysTime (elapsed ns)` */
static void describe_event(struct reader *r, struct str text)
{
    static const struct {
        struct str end;
        const char *unit;
    } ends[] = {
        {STR(" ns)"), "nanoseconds"}, {STR(" us)"), "microseconds"}, {STR(" ms)"), "milliseconds"}};
    struct str name = callgrind_word(&text);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(text, ends[i].end)) {
            uint32_t number = intern_add(&r->timed, name, NULL);
            r->units = mem_array(r->units, &r->unit_capacity, number, sizeof *r->units);
            r->units[number - 1] = ends[i].unit;
        }
}

static void read_positions(struct reader *r, struct str names)
{
    static const struct str known[POSITIONS] = {STR("instr"), STR("bb"), STR("line")};
    struct str name;
    memset(r->has_position, 0, sizeof r->has_position);
    while ((name = callgrind_word(&names)).n > 0) {
        enum position i = 0;
        while (i < POSITIONS && !str_equal(name, known[i]) &&
               !(i == ADDRESS && str_equal(name, STR("addr"))))
            i++;
        if (i == POSITIONS)
            die_here(r, "\"instr\", \"bb\" or \"line\"", name);
        r->has_position[i] = true;
    }
}

/* Compares what the lines of the part cost with the totals TEXT. */
static void check_totals(struct reader *r, struct str text)
{
    for (size_t i = 0; i < r->event_count; i++) {
        uint64_t total = 0;
        if (skip_blanks(&text) && !take_number(&text, &total))
            die_here(r, "a total, an integer from 0", text);
        if (total == r->events[i].sum)
            continue;
        if (r->request->strict)
            die_at(r->where, "--strict: costs add up to %" PRIu64 ", not to the total, %" PRIu64,
                   r->events[i].sum, total);
        warn_at(CODE_INVALID, r->where, "costs add up to %" PRIu64 ", not to the total, %" PRIu64,
                r->events[i].sum, total);
    }
    r->has_totals = true;
}

/* Forgets the part before. */
static void begin_part(struct reader *r)
{
    r->is_body = r->has_totals = false;
    r->lines.n = 0;
    memset(r->at, 0, sizeof r->at);
    r->caller = r->callee = r->next = (struct origin){0};
    r->object = r->file = 0;
    for (size_t i = 0; i < r->event_count; i++)
        r->events[i].sum = 0;
}

/* Reads LINE of a head, `KEY:TEXT`. */
static void read_head(struct reader *r, struct str line, struct str key, struct str text)
{
    bool is_summary = str_equal(key, STR("summary"));
    if (str_equal(key, STR("totals"))) {
        check_totals(r, text);
        return;
    }
    if (r->is_body && is_summary) { /* Xdebug once wrote it there */
        loss_add(LOSS_OWN, STR("summary"), 1);
        return;
    }
    if (r->is_body)
        begin_part(r);
    if (r->lines.n > 0)
        buf_add(&r->lines, STR(","));
    emit_inner_string(&r->lines, &r->text, line);
    growth_hold(r->sink->flow, line.n);
    if (str_equal(key, STR("events")))
        read_events(r, text);
    else if (str_equal(key, STR("event")))
        describe_event(r, text);
    else if (str_equal(key, STR("positions")))
        read_positions(r, text);
    else if (str_equal(key, STR("creator")))
        r->is_valgrind = str_starts(str_trim(text), STR("callgrind-"));
}

/* --- the file --- */

static void begin_function(struct reader *r, struct str text)
{
    r->caller = (struct origin){r->object, r->file, read_name(r, FUNCTIONS, text)};
    r->callee = r->next = (struct origin){0};
    r->function_file = r->file;
    r->function = 0;
}

/* What was said of the callee before is of this one, not of one that costs nothing, of which
 * Callgrind writes no call. */
static void name_callee(struct reader *r, struct str text)
{
    r->callee = r->next;
    r->callee.name = read_name(r, FUNCTIONS, text);
    r->next = (struct origin){0};
}

/* Reads `KEY=TEXT`; false if that is unknown. */
static bool read_setting(struct reader *r, struct str key, struct str text)
{
    if (str_equal(key, STR("fn")))
        begin_function(r, text);
    else if (str_equal(key, STR("fl")))
        r->file = r->caller.file = read_name(r, FILES, text);
    else if (str_equal(key, STR("fi")) || str_equal(key, STR("fe")))
        r->caller.file = read_name(r, FILES, text);
    else if (str_equal(key, STR("ob")))
        r->object = read_name(r, OBJECTS, text);
    else if (str_equal(key, STR("cfn")))
        name_callee(r, text);
    else if (str_equal(key, STR("cfi")) || str_equal(key, STR("cfl")))
        r->next.file = read_name(r, FILES, text);
    else if (str_equal(key, STR("cob")))
        r->next.object = read_name(r, OBJECTS, text);
    else if (str_equal(key, STR("calls")) || str_equal(key, STR("rcalls")))
        read_calls(r, text);
    else if (str_equal(key, STR("jfi")))
        read_name(r, FILES, text);
    else if (str_equal(key, STR("jfn")))
        read_name(r, FUNCTIONS, text);
    else
        return false;
    return true;
}

static void read_line(struct reader *r, struct str line)
{
    size_t n = 0;
    if (line.n == 0 || *line.p == '#')
        return;
    if (str_is_digit(*line.p) || *line.p == '+' || *line.p == '-' || *line.p == '*') {
        read_cost(r, line);
        return;
    }
    while (n < line.n && *(line.p + n) >= 'a' && *(line.p + n) <= 'z')
        n++;
    struct str key = {line.p, n};
    bool is_setting = n > 0 && n < line.n && line.p[n] == '=';
    bool is_head = n > 0 && n < line.n && line.p[n] == ':';
    struct str text = {line.p + n + 1, is_setting || is_head ? line.n - n - 1 : 0};
    if (r->is_call || r->is_jump)
        die_here(r, r->is_call ? "the cost of the call" : "the positions of the jump", line);
    if (is_setting && (str_equal(key, STR("jump")) || str_equal(key, STR("jcnd")))) {
        loss_add(LOSS_CALLGRIND_JUMPS, STR(""), 1);
        r->is_jump = true;
    } else if (is_head)
        read_head(r, line, key, text);
    else if (!is_setting || !read_setting(r, key, text))
        die_here(r, "a line of a callgrind file", line);
}

/* The file ends here. */
static void check_end(struct reader *r)
{
    if (r->is_call || r->is_jump)
        die_as(CODE_TORN, r->where, "expected %s, found the end of the input",
               r->is_call ? "the cost of the call" : "the positions of the jump");
    if (!r->is_body && r->event_count == 0)
        die_as(CODE_TORN, r->where, "expected \"events:\", found the end of the input");
    if (!r->is_body)
        begin_body(r);
    if (!r->is_valgrind || r->has_totals)
        return;
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the file ends without \"totals:\"");
    warn_at(CODE_TORN, r->where, "the file ends without \"totals:\": its end may be missing");
}

void callgrind_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.in = in,
                       .request = request,
                       .sink = sink,
                       .where = {in_name(in), PLACE_LINE, 0},
                       .has_position = {[LINE] = true}};
    struct str line;
    while (next_line(&r, &line))
        read_line(&r, line);
    check_end(&r);
    in_consume(in, r.window_size);
    for (enum space i = 0; i < SPACES; i++) {
        intern_free(&r.names[i].strings);
        idmap_free(&r.names[i].ids);
        mem_free(r.names[i].of);
    }
    struct intern *interns[] = {&r.functions, &r.locations, &r.mappings, &r.timed};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    struct buf *bufs[] = {&r.text, &r.extra, &r.lines, &r.types};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    bytes_rows_free(&r.rows);
    mem_free(r.events);
    mem_free(r.values);
    mem_free(r.units);
}

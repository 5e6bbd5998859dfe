/* The reader. A file is a sequence of lines: those of a head, then, for each function, what its
 * lines cost and what they call. Each part of a file has a head of its own, and is a source.
 *
 * Calls are known pair by pair, so no stack is deeper than that. What a call costs is also in the
 * lines of what is called, so it is a value of another type, which is inclusive. */
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/callgrind/callgrind.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* What the numbers of positions stand for, in the order of a line. */
enum position { ADDRESS, BLOCK, LINE, POSITIONS };

/* What stages that merge hold of a source, in bytes: a part can be much smaller. */
enum { PART_HELD = 2048 };

/* Where a function is. Numbers of names; 0: unknown. */
struct origin {
    uint32_t object, file, name;
};

struct reader {
    struct callgrind_text from;
    struct sink *sink;

    struct intern functions, locations, mappings;
    struct bytes_rows rows;
    struct buf text, extra;

    /* of the part */
    struct buf lines; /* of its head, for its source */
    bool has_position[POSITIONS];
    int64_t *costs; /* of a line, by event */
    uint64_t *sums; /* of all lines, by event, modulo 2^64 */
    size_t cost_capacity, sum_capacity;
    bool is_body, has_totals;
    int64_t source_id;

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

/* --- rows --- */

/* The mapping of OBJECT; 0: it has no name. */
static uint32_t mapping_of(struct reader *r, uint32_t object)
{
    struct str name = callgrind_text_name_at(&r->from, CALLGRIND_OBJECTS, object);
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
        bytes_rows_function(&r->rows, r->sink, id,
                            callgrind_text_name_at(&r->from, CALLGRIND_FUNCTIONS, name),
                            callgrind_text_name_at(&r->from, CALLGRIND_FILES, file), 0, STR(""));
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
        die_at(r->from.where, "line %" PRIu64 " does not fit 63 bits", at[LINE]);
    r->extra.n = 0;
    if (other != 0) {
        emit_member(&r->extra, STR(".callgrind_file"));
        emit_inner_string(&r->extra, &r->text,
                          callgrind_text_name_at(&r->from, CALLGRIND_FILES, other));
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

/* Pushes the source of the part, whose head ends here. */
static void begin_body(struct reader *r)
{
    if (r->from.event_count == 0)
        die_at(r->from.where, "expected \"events:\" before the first cost");
    r->extra.n = 0;
    listed_begin(&r->extra);
    buf_add(&r->extra, buf_str(&r->from.types));
    listed_end(&r->extra);
    buf_add(&r->extra, STR(",\".callgrind\":{\"lines\":["));
    buf_add(&r->extra, buf_str(&r->lines));
    buf_add(&r->extra, STR("]}"));
    growth_hold(r->sink->flow, PART_HELD);
    bytes_rows_source(&r->rows, r->sink, ++r->source_id, STR("callgrind"),
                      format_source_uri(r->from.request, r->from.in), r->from.request->timestamp,
                      &r->extra);
    r->is_body = true;
}

/* --- costs --- */

/* Takes positions off *LINE and moves AT, which are those before; false if the line has none. */
static void take_positions(struct reader *r, struct str *line, uint64_t at[POSITIONS])
{
    for (enum position i = 0; i < POSITIONS; i++) {
        uint64_t n = 0;
        struct str start = *line;
        if (!r->has_position[i] || !callgrind_text_more(line))
            continue;
        char sign = *line->p;
        if (sign == '*' || sign == '+' || sign == '-')
            line->p++, line->n--;
        if (sign != '*' && !callgrind_text_number(line, &n))
            callgrind_text_die(&r->from, "a position", start);
        bool overflows = sign == '+'   ? __builtin_add_overflow(at[i], n, &at[i])
                         : sign == '-' ? __builtin_sub_overflow(at[i], n, &at[i])
                                       : false;
        if (overflows)
            callgrind_text_die(&r->from, "a position of 64 bits, from 0", start);
        if (str_is_digit(sign))
            at[i] = n;
        if (line->n == 0 || str_is_blank(*line->p))
            continue;
        line->p++, line->n--; /* it is a range */
        if (!callgrind_text_number(line, &n) || (line->n > 0 && !str_is_blank(*line->p)))
            callgrind_text_die(&r->from, "a position", start);
        loss_add(LOSS_OWN, STR("ranges of positions"), 1);
    }
}

/* Takes what the rest of LINE costs into r->values, after the first COUNT of them; returns how many
 * there are then. Zeros are left out: so may files. There is room for one more. */
static size_t take_costs(struct reader *r, struct str line, size_t count)
{
    const size_t given = callgrind_text_costs(&r->from, line, r->costs);
    r->values = mem_array(r->values, &r->value_capacity, count + given + 1, sizeof *r->values);
    for (size_t i = 0; i < given; i++) {
        const struct callgrind_text_event *event = &r->from.events[i];
        if (!r->is_call)
            r->sums[i] += (uint64_t)(r->costs[i] / event->factor);
        if (r->costs[i] != 0)
            r->values[count++] = (struct sample_value){r->is_call ? event->inclusive : event->self,
                                                       number_of(r->costs[i]), STR("")};
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
        if (callgrind_text_more(&line))
            callgrind_text_die(&r->from, "the end of the line of a jump", line);
        r->is_jump = false;
        return;
    }
    if (!r->is_body)
        begin_body(r);
    if (r->caller.name == 0)
        callgrind_text_die(&r->from, "\"fn=\" before the first cost", line);
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
        r->values[count++] = (struct sample_value){r->from.calls, number_of(r->calls), STR("")};
    }
    count = take_costs(r, line, count);
    if (count == 0)
        r->values[count++] = (struct sample_value){r->from.events[0].self, number_of(0), STR("")};
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
    callgrind_text_more(&text);
    if (!callgrind_text_number(&text, &calls) || calls > INT64_MAX ||
        (text.n > 0 && !str_is_blank(*text.p)))
        callgrind_text_die(&r->from, "a number of calls", start);
    if (r->callee.name == 0)
        die_at(r->from.where, "expected \"cfn=\" before \"calls=\"");
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
    callgrind_text_events(&r->from, names);
    size_t count = r->from.event_count;
    r->costs = mem_array(r->costs, &r->cost_capacity, count, sizeof *r->costs);
    r->sums = mem_array(r->sums, &r->sum_capacity, count, sizeof *r->sums);
    memset(r->sums, 0, count * sizeof *r->sums);
}

/* `event: NAME : DESCRIPTION`, which may end in a unit: `sysTime (elapsed ns)` */
static void describe_event(struct reader *r, struct str text)
{
    static const struct {
        struct str end;
        const char *unit;
    } ends[] = {
        {STR(" ns)"), "nanoseconds"}, {STR(" us)"), "microseconds"}, {STR(" ms)"), "milliseconds"}};
    struct str name = callgrind_text_word(&text);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(text, ends[i].end))
            callgrind_text_describe(&r->from, name, ends[i].unit);
}

static void read_positions(struct reader *r, struct str names)
{
    static const struct str known[POSITIONS] = {STR("instr"), STR("bb"), STR("line")};
    struct str name;
    memset(r->has_position, 0, sizeof r->has_position);
    while ((name = callgrind_text_word(&names)).n > 0) {
        enum position i = 0;
        while (i < POSITIONS && !str_equal(name, known[i]) &&
               !(i == ADDRESS && str_equal(name, STR("addr"))))
            i++;
        if (i == POSITIONS)
            callgrind_text_die(&r->from, "\"instr\", \"bb\" or \"line\"", name);
        r->has_position[i] = true;
    }
}

/* Says that the lines of the part do not add up to TOTAL of EVENT, nor to those of OTHERS. */
static void say_total(const struct reader *r, size_t event, uint64_t total, size_t others)
{
    struct str name = value_types_get(&r->sink->flow->types, r->from.events[event].self)->type;
    char more[64] = "";
    if (others > 0)
        snprintf(more, sizeof more, " (%zu other event%s, too)", others, others > 1 ? "s" : "");
    if (r->from.request->strict)
        die_at(r->from.where,
               "--strict: costs of \"%.*s\" add up to %" PRIu64 ", not to the total, %" PRIu64 "%s",
               STR_ARG(name), r->sums[event], total, more);
    warn_at(CODE_INVALID, r->from.where,
            "costs of \"%.*s\" add up to %" PRIu64 ", not to the total, %" PRIu64 "%s",
            STR_ARG(name), r->sums[event], total, more);
}

/* Compares what the lines of the part cost with the totals TEXT, which may lack the last ones. */
static void check_totals(struct reader *r, struct str text)
{
    size_t wrong = 0, first = 0;
    uint64_t first_total = 0;
    if (r->has_totals) /* an empty line takes time for all events, too */
        growth_hold(r->sink->flow, r->from.event_count * sizeof *r->sums);
    for (size_t i = 0; i < r->from.event_count; i++) {
        uint64_t total = 0;
        if (callgrind_text_more(&text) && !callgrind_text_number(&text, &total))
            callgrind_text_die(&r->from, "a total, an integer from 0", text);
        if (total != r->sums[i] && wrong++ == 0) {
            first = i;
            first_total = total;
        }
    }
    if (callgrind_text_more(&text))
        callgrind_text_die(&r->from, "at most as many totals as there are events", text);
    if (wrong > 0)
        say_total(r, first, first_total, wrong - 1);
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
    for (size_t i = 0; i < r->from.event_count; i++)
        r->sums[i] = 0;
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
        r->from.is_whole = str_starts(str_trim(text), STR("callgrind-"));
}

/* --- the file --- */

static void begin_function(struct reader *r, struct str text)
{
    r->caller = (struct origin){r->object, r->file,
                                callgrind_text_name(&r->from, CALLGRIND_FUNCTIONS, text)};
    r->callee = r->next = (struct origin){0};
    r->function_file = r->file;
    r->function = 0;
}

/* What was said of the callee before is of this one, not of one that costs nothing, of which
 * Callgrind writes no call. */
static void name_callee(struct reader *r, struct str text)
{
    r->callee = r->next;
    r->callee.name = callgrind_text_name(&r->from, CALLGRIND_FUNCTIONS, text);
    r->next = (struct origin){0};
}

/* Reads `KEY=TEXT`; false if that is unknown. */
static bool read_setting(struct reader *r, struct str key, struct str text)
{
    if (str_equal(key, STR("fn")))
        begin_function(r, text);
    else if (str_equal(key, STR("fl")))
        r->file = r->caller.file = callgrind_text_name(&r->from, CALLGRIND_FILES, text);
    else if (str_equal(key, STR("fi")) || str_equal(key, STR("fe")))
        r->caller.file = callgrind_text_name(&r->from, CALLGRIND_FILES, text);
    else if (str_equal(key, STR("ob")))
        r->object = callgrind_text_name(&r->from, CALLGRIND_OBJECTS, text);
    else if (str_equal(key, STR("cfn")))
        name_callee(r, text);
    else if (str_equal(key, STR("cfi")) || str_equal(key, STR("cfl")))
        r->next.file = callgrind_text_name(&r->from, CALLGRIND_FILES, text);
    else if (str_equal(key, STR("cob")))
        r->next.object = callgrind_text_name(&r->from, CALLGRIND_OBJECTS, text);
    else if (str_equal(key, STR("calls")) || str_equal(key, STR("rcalls")))
        read_calls(r, text);
    else if (str_equal(key, STR("jfi")))
        callgrind_text_name(&r->from, CALLGRIND_FILES, text);
    else if (str_equal(key, STR("jfn")))
        callgrind_text_name(&r->from, CALLGRIND_FUNCTIONS, text);
    else
        return false;
    return true;
}

static void read_line(struct reader *r, struct str line)
{
    struct str key = {0}, text = {0};
    if (line.n == 0 || *line.p == '#')
        return;
    if (str_is_digit(*line.p) || *line.p == '+' || *line.p == '-' || *line.p == '*') {
        read_cost(r, line);
        return;
    }
    char mark = callgrind_text_split(line, &key, &text);
    bool is_setting = mark == '=', is_head = mark == ':';
    if (r->is_call || r->is_jump)
        callgrind_text_die(&r->from,
                           r->is_call ? "the cost of the call" : "the positions of the jump", line);
    if (is_setting && (str_equal(key, STR("jump")) || str_equal(key, STR("jcnd")))) {
        loss_add(LOSS_CALLGRIND_JUMPS, STR(""), 1);
        r->is_jump = true;
    } else if (is_head)
        read_head(r, line, key, text);
    else if (!is_setting || !read_setting(r, key, text))
        callgrind_text_die(&r->from, "a line of a callgrind file", line);
}

/* The file ends here. */
static void check_end(struct reader *r)
{
    if (r->is_call || r->is_jump)
        die_as(CODE_TORN, r->from.where, "expected %s, found the end of the input",
               r->is_call ? "the cost of the call" : "the positions of the jump");
    if (!r->is_body && r->from.event_count == 0)
        die_as(CODE_TORN, r->from.where, "expected \"events:\", found the end of the input");
    if (!r->is_body)
        begin_body(r);
    if (!r->from.is_whole || r->has_totals)
        return;
    if (r->from.request->strict)
        die_as(CODE_TORN, r->from.where, "--strict: the file ends without \"totals:\"");
    warn_at(CODE_TORN, r->from.where, "the file ends without \"totals:\": its end may be missing");
}

void callgrind_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.from = callgrind_text_open(in, request, sink->flow),
                       .sink = sink,
                       .has_position = {[LINE] = true}};
    struct str line;
    while (callgrind_text_next(&r.from, &line))
        read_line(&r, str_trim(line));
    check_end(&r);
    callgrind_text_close(&r.from);
    struct intern *interns[] = {&r.functions, &r.locations, &r.mappings};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    struct buf *bufs[] = {&r.text, &r.extra, &r.lines};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    bytes_rows_free(&r.rows);
    mem_free(r.costs);
    mem_free(r.sums);
    mem_free(r.values);
}

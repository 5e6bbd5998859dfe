/* Profiles of programs that GHC has compiled, as its runtime writes them: with +RTS -pj JSON
 * with the cost centres, and the tree of their stacks, or with +RTS -P text. See ghc2ndjson(1)
 * for the rules. */
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "formats/ghc/ghc_text.h"
#include "formats/json_head.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>

/* What a cost centre is, by texts: a key. Those that differ in their ids alone are one function. */
struct centre {
    uint32_t label, module, place; /* 0: none */
    uint32_t is_caf;
};

/* What a stack has by itself. */
enum value { ENTRIES, ALLOC, TICKS, VALUES };

struct node {
    struct tokens_place where; /* of its cost centre's id */
    int64_t centre;            /* that id */
    int64_t values[VALUES];
    uint32_t parent; /* its number; 0: none */
    uint32_t depth;
};

/* A total in the head of the file, to compare with the nodes. */
struct total {
    bool is_given;
    int64_t value;
    uint64_t sum; /* of the nodes, modulo 2^64 */
    struct tokens_place where;
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct intern texts, functions; /* functions by struct centre */
    struct idmap ids;               /* of cost centres, plus 1, to functions */
    struct node *nodes;
    size_t node_count, node_capacity;
    int64_t *stack;
    size_t stack_capacity;
    struct total totals[VALUES]; /* none of ENTRIES */
    int64_t interval;            /* of ticks, in microseconds; 0: unknown */
    struct bytes_rows rows;
    struct buf text, scratch, facts, extra;
    int64_t sample_id;
};

/* --- texts --- */

/* The number of the current token, a string; 0 if it is empty. */
static uint32_t read_text(struct reader *r)
{
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    struct str text = tokens_bytes(&r->json, &r->text);
    return text.n == 0 ? 0 : intern_add(&r->texts, text, NULL);
}

static struct str text_at(const struct reader *r, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&r->texts, number);
}

/* --- cost centres --- */

static void read_centre(struct reader *r)
{
    static const char *const names[] = {"id", "label", "module", "src_loc", "is_caf"};
    struct tokens_place where = r->json.where, id_where = where;
    struct centre centre = {0};
    int64_t id = 0;
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a cost centre");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0:
            id = tokens_integer(&r->json, 0, "the id of a cost centre, an integer from 0");
            id_where = r->json.where;
            break;
        case 1: centre.label = read_text(r); break;
        case 2: centre.module = read_text(r); break;
        case 3: centre.place = read_text(r); break;
        default:
            if (r->json.token != TOKEN_TRUE && r->json.token != TOKEN_FALSE)
                tokens_unexpected(&r->json, "true or false");
            centre.is_caf = r->json.token == TOKEN_TRUE;
        }
    if ((seen & 3) != 3)
        tokens_die(&r->json, where, "the cost centre has no %s", (seen & 1) == 0 ? "id" : "label");
    if (idmap_get(&r->ids, (uint64_t)id + 1) != 0)
        tokens_die(&r->json, id_where, "cost centre %" PRId64 " stands there twice", id);
    idmap_put(&r->ids, (uint64_t)id + 1,
              intern_add(&r->functions, (struct str){(const char *)&centre, sizeof centre}, NULL));
}

static void read_centres(struct reader *r)
{
    tokens_list(&r->json, "a list of cost centres");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_centre(r);
}

/* Takes the digits that *TEXT begins with; false if it has none, or a line is out of range. */
static bool take_line(struct str *text, int64_t *line)
{
    size_t n = 0;
    for (*line = 0; n < text->n && n < 9 && str_is_digit(text->p[n]); n++)
        *line = *line * 10 + (text->p[n] - '0');
    *text = (struct str){text->p + n, text->n - n};
    return n > 0 && (text->n == 0 || !str_is_digit(*text->p));
}

/* The file and the first line of PLACE: `FILE:1:2-3`, `FILE:1:2` or `FILE:(1,2)-(3,4)`. Other places, such
 * as `<built-in>`, are in no file. */
static struct str file_of(struct str place, int64_t *line)
{
    for (size_t i = place.n; i-- > 1;) {
        struct str rest = {place.p + i, place.n - i};
        if (!str_take(&rest, STR(":")))
            continue;
        bool has_end = str_take(&rest, STR("("));
        if (take_line(&rest, line) && str_take(&rest, has_end ? STR(",") : STR(":")))
            return (struct str){place.p, i};
    }
    *line = 0;
    return STR("");
}

static void push_function(struct reader *r, uint32_t number)
{
    struct centre centre;
    int64_t line;
    memcpy(&centre, intern_get(&r->functions, number).p, sizeof centre);
    struct str module = text_at(r, centre.module), place = text_at(r, centre.place);
    struct str file = file_of(place, &line);
    r->extra.n = r->text.n = 0;
    buf_add(&r->text, module);
    buf_add(&r->text, module.n > 0 ? STR(".") : STR(""));
    buf_add(&r->text, text_at(r, centre.label));
    if (module.n > 0) {
        emit_member(&r->extra, STR(".ghc_module"));
        emit_inner_string(&r->extra, &r->scratch, module);
    }
    if (place.n > 0) {
        emit_member(&r->extra, STR(".ghc_src_loc"));
        emit_inner_string(&r->extra, &r->scratch, place);
    }
    if (centre.is_caf != 0)
        buf_add(&r->extra, STR(",\".ghc_is_caf\":true"));
    bytes_rows_function(&r->rows, r->sink, number, buf_str(&r->text), file, line,
                        buf_str(&r->extra));
    sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS, .location = {number, number, 0}});
}

/* --- the tree --- */

static void read_node(struct reader *r, uint32_t parent);

static void read_children(struct reader *r, uint32_t parent)
{
    tokens_list(&r->json, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_node(r, parent);
}

/* Reads the node, below PARENT, whose first token was the last one. */
static void read_node(struct reader *r, uint32_t parent)
{
    static const char *const names[] = {"id", "children", "entries", "alloc", "ticks"};
    enum { FIRST_VALUE = 2 };
    struct tokens_place where = r->json.where;
    uint32_t number = (uint32_t)++r->node_count;
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a node");
    r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count, sizeof *r->nodes);
    r->nodes[number - 1] =
        (struct node){.parent = parent, .depth = parent == 0 ? 1 : r->nodes[parent - 1].depth + 1};
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member)) {
        if (member == 1) {
            read_children(r, number); /* moves the nodes */
            continue;
        }
        struct node *node = &r->nodes[number - 1];
        int64_t value = tokens_integer(&r->json, 0, "an integer from 0");
        if (member == 0) {
            node->centre = value;
            node->where = r->json.where;
        } else {
            node->values[member - FIRST_VALUE] = value;
            r->totals[member - FIRST_VALUE].sum += (uint64_t)value;
        }
    }
    if ((seen & 1) == 0)
        tokens_die(&r->json, where, "the node has no id");
}

/* The function of NODE. */
static uint32_t function_of(const struct reader *r, const struct node *node)
{
    return idmap_get(&r->ids, (uint64_t)node->centre + 1);
}

static void check_centres(const struct reader *r)
{
    for (size_t i = 0; i < r->node_count; i++)
        if (function_of(r, &r->nodes[i]) == 0)
            tokens_die(&r->json, r->nodes[i].where, "there is no cost centre %" PRId64,
                       r->nodes[i].centre);
}

/* Pushes what the node NUMBER has by itself; TYPES has the types of that, and of the time of
 * ticks. */
static void push_node(struct reader *r, uint32_t number, const uint32_t types[VALUES + 1])
{
    const struct node *node = &r->nodes[number - 1];
    struct sample_value values[VALUES + 1];
    size_t count = 0, depth = 0;
    int64_t time;
    for (enum value i = 0; i < VALUES; i++)
        if (node->values[i] != 0)
            values[count++] = (struct sample_value){types[i], number_of(node->values[i]), STR("")};
    if (node->values[TICKS] != 0 && r->interval != 0) {
        if (__builtin_mul_overflow(node->values[TICKS], r->interval, &time) ||
            __builtin_mul_overflow(time, 1000, &time))
            tokens_die(&r->json, node->where,
                       "the ticks of the node are longer than 2^63 nanoseconds");
        values[count++] = (struct sample_value){types[VALUES], number_of(time), STR("")};
    }
    if (count == 0)
        return;
    growth_check_depth(node->depth, r->sink->flow->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, node->depth, sizeof *r->stack);
    for (uint32_t n = number; n != 0; n = r->nodes[n - 1].parent)
        r->stack[depth++] = function_of(r, &r->nodes[n - 1]);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = depth});
}

/* --- the head --- */

/* Keeps the current token, a string, as the member NAME of what the source says. */
static void keep_string(struct reader *r, const char *name)
{
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    emit_member(&r->facts, str_of(name));
    emit_inner_string(&r->facts, &r->scratch, tokens_bytes(&r->json, &r->text));
}

/* The same for a list of strings. */
static void keep_strings(struct reader *r, const char *name)
{
    tokens_list(&r->json, "a list of strings");
    emit_member(&r->facts, str_of(name));
    buf_add(&r->facts, STR("["));
    for (bool is_first = true; tokens_next(&r->json) != TOKEN_ARRAY_END; is_first = false) {
        if (r->json.token != TOKEN_STRING)
            tokens_unexpected(&r->json, "a string");
        buf_add(&r->facts, is_first ? STR("") : STR(","));
        emit_inner_string(&r->facts, &r->scratch, tokens_bytes(&r->json, &r->text));
    }
    buf_add(&r->facts, STR("]"));
}

static void keep_total(struct reader *r, enum value of)
{
    struct total *total = &r->totals[of];
    total->value = tokens_integer(&r->json, 0, "a total, an integer from 0");
    total->where = r->json.where;
    total->is_given = true;
}

/* Compares the totals with the sums of the nodes. */
static void check_totals(const struct reader *r)
{
    static const char *const names[VALUES] = {[ALLOC] = "bytes allocated", [TICKS] = "ticks"};
    for (enum value i = ALLOC; i < VALUES; i++) {
        const struct total *total = &r->totals[i];
        if (!total->is_given || total->sum == (uint64_t)total->value)
            continue;
        if (r->request->strict)
            tokens_die(&r->json, total->where,
                       "--strict: the %s of all nodes are %" PRIu64 ", not the total, %" PRId64,
                       names[i], total->sum, total->value);
        tokens_warn(&r->json, total->where,
                    "the %s of all nodes are %" PRIu64 ", not the total, %" PRId64, names[i],
                    total->sum, total->value);
    }
}

static void push_source(struct reader *r, const char *uri)
{
    r->extra.n = 0;
    listed_begin(&r->extra);
    listed_add(&r->extra, STR("entries"), STR("count"), LISTED_SUM);
    listed_add(&r->extra, STR("alloc_space"), STR("bytes"), LISTED_SUM);
    listed_add(&r->extra, STR("samples"), STR("count"), LISTED_SUM);
    if (r->interval != 0)
        listed_add(&r->extra, STR("cpu"), STR("nanoseconds"), LISTED_SUM);
    listed_end(&r->extra);
    if (r->interval != 0)
        listed_period(&r->extra, STR("cpu"), STR("nanoseconds"), r->interval * 1000);
    emit_object(&r->extra, STR(".ghc"), buf_str(&r->facts));
    bytes_rows_source(&r->rows, r->sink, 1, STR("ghc"), uri, r->request->timestamp, &r->extra);
}

/* --- the file --- */

static void read_interval(struct reader *r)
{
    r->interval = tokens_integer(&r->json, 0, "microseconds, an integer from 0");
    if (r->interval > INT64_MAX / 1000)
        tokens_unexpected(&r->json, "at most 2^63 nanoseconds");
}

static void read_file(struct reader *r)
{
    /* the time is that of the ticks, in seconds with two digits */
    static const char *const names[] = {"cost_centres",
                                        "profile",
                                        "total_alloc",
                                        "total_ticks",
                                        "tick_interval",
                                        "program",
                                        "end_time",
                                        "arguments",
                                        "rts_arguments",
                                        "total_time",
                                        "initial_capabilities"};
    struct tokens_place end;
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_centres(r); break;
        case 1: read_node(r, 0); break;
        case 2: keep_total(r, ALLOC); break;
        case 3: keep_total(r, TICKS); break;
        case 4: read_interval(r); break;
        case 5:
        case 6: keep_string(r, names[member]); break;
        case 7:
        case 8: keep_strings(r, names[member]); break;
        case 9: tokens_skip(&r->json); break;
        default:
            emit_member(&r->facts, str_of(names[member]));
            emit_number(&r->facts, tokens_integer(&r->json, 0, "an integer from 0"));
        }
    end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if ((seen & 2) == 0)
        tokens_die(&r->json, end, "the file has no profile");
    check_centres(r);
    check_totals(r);
}

/* --- text --- */

static uint32_t text_number(struct reader *r, struct str text)
{
    return text.n == 0 ? 0 : intern_add(&r->texts, text, NULL);
}

/* Adds a stack, with its place for messages; OPEN has the numbers of those around it, by depth. */
static void add_line(struct reader *r, const struct ghc_text_line *line, uint64_t at,
                     const uint32_t *open)
{
    /* text does not mark constants: JSON marks these */
    const bool is_caf =
        str_equal(line->label, STR("CAF")) && str_equal(line->place, STR("<entire-module>"));
    const struct centre centre = {text_number(r, line->label), text_number(r, line->module),
                                  text_number(r, line->place), is_caf};
    const uint32_t function =
        intern_add(&r->functions, (struct str){(const char *)&centre, sizeof centre}, NULL);
    if (idmap_get(&r->ids, (uint64_t)function + 1) == 0)
        idmap_put(&r->ids, (uint64_t)function + 1, function);
    r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count + 1, sizeof *r->nodes);
    r->nodes[r->node_count++] =
        (struct node){.where = {.line = at, .column = 1},
                      .centre = function,
                      .values = {line->entries, line->alloc, line->ticks},
                      .parent = line->depth == 1 ? 0 : open[line->depth - 2],
                      .depth = (uint32_t)line->depth};
    r->totals[ALLOC].sum += (uint64_t)line->alloc;
    r->totals[TICKS].sum += (uint64_t)line->ticks;
}

/* Keeps the words of COMMAND: those between +RTS and -RTS are the runtime's. */
static void keep_command(struct reader *r, struct str command)
{
    struct buf lists[2] = {{0}, {0}};
    bool is_runtime = false;
    while (command.n > 0) {
        const char *blank = memchr(command.p, ' ', command.n);
        const size_t n = blank == NULL ? command.n : (size_t)(blank - command.p);
        const struct str word = {command.p, n};
        command = str_trim((struct str){command.p + n, command.n - n});
        const bool is_mark = str_equal(word, is_runtime ? STR("-RTS") : STR("+RTS"));
        struct buf *list = &lists[is_runtime];
        is_runtime ^= is_mark;
        if (is_mark)
            continue;
        if (lists[0].n == 0) {
            emit_member(&r->facts, STR("program"));
            emit_inner_string(&r->facts, &r->scratch, word);
        }
        buf_add(list, list->n > 0 ? STR(",") : STR(""));
        emit_inner_string(list, &r->scratch, word);
    }
    for (size_t i = 0; i < 2; i++) {
        emit_member(&r->facts, i == 0 ? STR("arguments") : STR("rts_arguments"));
        buf_add(&r->facts, STR("["));
        buf_add(&r->facts, buf_str(&lists[i]));
        buf_add(&r->facts, STR("]"));
        buf_free(&lists[i]);
    }
}

static void read_report(struct reader *r, struct in *in)
{
    struct ghc_text text = ghc_text_open(in_name(in), format_whole(in, r->request));
    struct ghc_text_line line;
    uint32_t *open = NULL;
    size_t open_capacity = 0, depth = 0;
    keep_command(r, text.command);
    emit_member(&r->facts, STR("end_time"));
    emit_inner_string(&r->facts, &r->scratch, text.date);
    r->interval = text.interval;
    while (ghc_text_next(&text, &line)) {
        if (line.depth > depth + 1)
            die_at(text.where, "expected %zu blanks or fewer before the cost centre, found %zu",
                   depth, line.depth - 1);
        growth_check_depth(line.depth, text.where);
        depth = line.depth;
        add_line(r, &line, text.where.at, open);
        open = mem_array(open, &open_capacity, depth, sizeof *open);
        open[depth - 1] = (uint32_t)r->node_count;
    }
    mem_free(open);
    const struct tokens_place totals = {.line = text.totals.at, .column = 1};
    r->totals[TICKS] = (struct total){true, text.ticks, r->totals[TICKS].sum, totals};
    r->totals[ALLOC] = (struct total){true, text.alloc, r->totals[ALLOC].sum, totals};
    check_totals(r);
}

static void read_ghc(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink};
    struct value_types *types = &sink->flow->types;
    tokens_open(&r.json, in);
    if (ghc_text_is(in_peek_start(in, 128)))
        read_report(&r, in);
    else
        read_file(&r);
    push_source(&r, format_source_uri(request, in));
    const uint32_t numbers[VALUES + 1] = {
        [ENTRIES] = value_types_add(types, STR("entries"), STR("count")),
        [ALLOC] = value_types_add(types, STR("alloc_space"), STR("bytes")),
        [TICKS] = value_types_add(types, STR("samples"), STR("count")),
        [VALUES] = value_types_add(types, STR("cpu"), STR("nanoseconds")),
    };
    for (uint32_t i = 1; i <= r.functions.count; i++)
        push_function(&r, i);
    for (uint32_t i = 1; i <= r.node_count; i++)
        push_node(&r, i, numbers);
    tokens_close(&r.json);
    intern_free(&r.texts);
    intern_free(&r.functions);
    idmap_free(&r.ids);
    mem_free(r.nodes);
    mem_free(r.stack);
    bytes_rows_free(&r.rows);
    struct buf *bufs[] = {&r.text, &r.scratch, &r.facts, &r.extra};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

/* No other JSON has arguments of a runtime. */
static enum bid bid_ghc(struct str head)
{
    bool is_open;
    if (ghc_text_is(head))
        return ghc_text_has_numbers(head, &is_open) ? BID_SURE : is_open ? BID_LIKELY : BID_NONE;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_lists(head, STR("rts_arguments")) && json_head_has(head, STR("\"program\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

void ghc_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf date = {0};
    struct str items, item;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_GHC_ARGUMENTS:
            for (items = text_inside(m.value); text_next_item(&items, &item);) {
                buf_add(&to->command, to->command.n > 0 ? STR(" ") : STR(""));
                text_inner_bytes(&to->command, item);
            }
            break;
        case MEMBER_ID_GHC_END_TIME:
            text_inner_bytes(&date, m.value);
            source_kind_date(&to->date, buf_str(&date));
            break;
        default: break;
        }
    buf_free(&date);
}

const struct format format_ghc = {
    .name = "a GHC profile file",
    .converter = "ghc2ndjson",
    .bid = bid_ghc,
    .read = read_ghc,
    .is_document = true,
};

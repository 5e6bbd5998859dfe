/* Profiles of V8, which Chrome, Node.js and others write: JSON with a tree of nodes, and samples that name them.  See
 * cpuprofile2ndjson(1) for the rules.
 *
 * Members come in any order: functions and locations become rows at once, the tree stays in memory, and samples
 * and their times wait in spools. */
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>

struct node {
    int64_t id;                /* as in the file */
    struct tokens_place where; /* where it is first named */
    uint32_t parent;           /* its number, 0: none */
    uint32_t function;         /* 0: the node has not been read so far */
    uint32_t location;         /* of that function, without a line */
    uint32_t depth;            /* of its stack; 0: not known so far */
    int64_t hits;
    size_t tick, tick_end; /* its ticks that are left */
};

/* So many samples of a node were on one line. */
struct tick {
    int64_t line, count; /* from 1 */
    uint32_t location;
};

/* What tells functions apart; texts by their numbers, 0: none. */
struct frame {
    int64_t line, column; /* from 1, 0: none */
    uint32_t name, url, script;
    uint32_t unused; /* no padding: it is a key */
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct bytes_rows rows;
    struct buf text, extra;

    struct intern texts, functions, locations;
    struct idmap ids; /* of nodes, plus 1 */
    struct node *nodes;
    struct tick *ticks;
    uint32_t *children; /* of nodes whose own id may stand behind them */
    int64_t *stack;
    size_t node_count, tick_count, child_count;
    size_t node_capacity, tick_capacity, child_capacity, stack_capacity;

    struct spools *spools;
    uint32_t samples, times; /* strands: numbers of nodes; nanoseconds since the one before */
    bool has_samples, has_times;
    uint64_t sample_count, time_count; /* of times as the file has them */
    int64_t time, lag; /* nanoseconds: the last time, and how far it is behind one before it */
    uint32_t ends[2];  /* its start and end, numbers of texts */
};

/* --- values --- */

/* The number of the text that is the last token: a string, or a number as it is spelled. */
static uint32_t read_text(struct reader *r)
{
    if (r->json.token != TOKEN_STRING && r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a string or a number");
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return intern_add(&r->texts, buf_str(&r->text), NULL);
}

static struct str text_of(const struct reader *r, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&r->texts, number);
}

static int64_t read_integer(struct reader *r, int64_t min, const char *what)
{
    int64_t n;
    if (!tokens_is_integer(&r->json, &n) || n < min || n == INT64_MAX)
        tokens_unexpected(&r->json, what);
    return n;
}

/* A line or a column, which files count from 0, from 1; 0 where there is none. */
static int64_t read_position(struct reader *r)
{
    int64_t n = read_integer(r, INT64_MIN, "an integer");
    return n < 0 ? 0 : n + 1;
}

static void read_list(struct reader *r, const char *what)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, what);
}

/* --- the tree --- */

/* The number of the node whose id is the last token. */
static uint32_t read_id(struct reader *r)
{
    int64_t id = read_integer(r, 0, "the id of a node, an integer from 0");
    uint32_t number = idmap_get(&r->ids, (uint64_t)id + 1);
    if (number != 0)
        return number;
    r->nodes = mem_array(r->nodes, &r->node_capacity, ++r->node_count, sizeof *r->nodes);
    r->nodes[r->node_count - 1] = (struct node){.id = id, .where = r->json.where};
    idmap_put(&r->ids, (uint64_t)id + 1, (uint32_t)r->node_count);
    return (uint32_t)r->node_count;
}

/* The number of the function F; writes its row when it is new. */
static uint32_t function_of(struct reader *r, const struct frame *f)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, (struct str){(const char *)f, sizeof *f}, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    if (f->column > 0) {
        emit_member(&r->extra, STR(".cpuprofile_column"));
        emit_number(&r->extra, f->column);
    }
    if (f->script > 0) {
        emit_member(&r->extra, STR(".cpuprofile_script"));
        emit_inner_string(&r->extra, &r->text, text_of(r, f->script));
    }
    bytes_rows_function(&r->rows, r->sink, id, text_of(r, f->name), text_of(r, f->url), f->line,
                        buf_str(&r->extra));
    return id;
}

/* The same of LINE in FUNCTION. */
static uint32_t location_of(struct reader *r, uint32_t function, int64_t line)
{
    int64_t key[] = {function, line};
    bool is_new;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        sink_row(r->sink,
                 &(struct row){.table = TABLE_LOCATIONS, .location = {id, function, line}});
    return id;
}

static void read_ticks(struct reader *r)
{
    static const char *const names[] = {"line", "ticks"};
    read_list(r, "a list of lines");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        unsigned seen = 0, member;
        struct tick tick = {0};
        if (r->json.token != TOKEN_OBJECT)
            tokens_unexpected(&r->json, "an object with a line and its ticks");
        while (tokens_next_member(&r->json, names, 2, &seen, &member))
            *(member == 0 ? &tick.line : &tick.count) = read_integer(r, 0, "an integer from 0");
        r->ticks = mem_array(r->ticks, &r->tick_capacity, ++r->tick_count, sizeof *r->ticks);
        r->ticks[r->tick_count - 1] = tick;
    }
}

static void set_parent(struct reader *r, uint32_t child, uint32_t parent)
{
    struct node *node = &r->nodes[child - 1];
    if (parent != 0 && node->parent != 0 && node->parent != parent)
        tokens_die(&r->json, node->where, "node %" PRId64 " has more than one parent", node->id);
    if (parent != 0)
        node->parent = parent;
}

static uint32_t read_node(struct reader *r);

static void read_children(struct reader *r)
{
    read_list(r, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        uint32_t child = r->json.token == TOKEN_OBJECT ? read_node(r) : read_id(r);
        r->children =
            mem_array(r->children, &r->child_capacity, ++r->child_count, sizeof *r->children);
        r->children[r->child_count - 1] = child;
    }
}

/* A node as the file has it. */
struct node_text {
    struct frame frame;
    uint32_t number, parent;
    int64_t hits;
    size_t tick, tick_end;
};

/* Reads the members of the object that is open: a node, or the frame in one.  Old files have no frames, but their
 * members in the nodes. */
static void read_members(struct reader *r, struct node_text *n, bool is_frame)
{
    enum { NAME, URL, SCRIPT, LINE, COLUMN, IN_FRAME, ID = IN_FRAME };
    enum { FRAME = ID + 1, HITS, CHILDREN, PARENT, TICKS, OTHERS, COUNT = OTHERS + 3 };
    static const char *const names[COUNT] = {
        "functionName",  "url",      "scriptId", "lineNumber", "columnNumber",  "id",
        "callFrame",     "hitCount", "children", "parent",     "positionTicks", "deoptReason",
        "bailoutReason", "callUID"};
    unsigned seen = 0, member;
    while (tokens_next_member(&r->json, names, is_frame ? IN_FRAME : COUNT, &seen, &member))
        switch (member) {
        case NAME: n->frame.name = read_text(r); break;
        case URL: n->frame.url = read_text(r); break;
        case SCRIPT: n->frame.script = read_text(r); break;
        case LINE: n->frame.line = read_position(r); break;
        case COLUMN: n->frame.column = read_position(r); break;
        case ID: n->number = read_id(r); break;
        case FRAME:
            if (r->json.token != TOKEN_OBJECT)
                tokens_unexpected(&r->json, "an object");
            read_members(r, n, true);
            break;
        case HITS: n->hits = read_integer(r, 0, "an integer from 0"); break;
        case CHILDREN: read_children(r); break;
        case PARENT: n->parent = read_id(r); break;
        case TICKS:
            n->tick = r->tick_count;
            read_ticks(r);
            n->tick_end = r->tick_count;
            break;
        default:
            if (r->json.token != TOKEN_STRING || r->json.text.n > 0) /* most have no such reason */
                loss_add(LOSS_OWN, str_of(names[member]), 1);
            tokens_skip(&r->json);
        }
}

/* Reads the node whose first token was the last one; returns its number. */
static uint32_t read_node(struct reader *r)
{
    struct tokens_place where = r->json.where;
    struct node_text n = {0};
    size_t first_child = r->child_count;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a node");
    read_members(r, &n, false);
    if (n.number == 0)
        tokens_die(&r->json, where, "the node has no id");
    struct node *node = &r->nodes[n.number - 1];
    if (node->function != 0)
        tokens_die(&r->json, where, "node %" PRId64 " stands there twice", node->id);
    node->where = where;
    node->function = function_of(r, &n.frame);
    node->location = location_of(r, node->function, 0);
    node->hits = n.hits;
    node->tick = n.tick;
    node->tick_end = n.tick_end;
    for (size_t i = n.tick; i < n.tick_end; i++)
        r->ticks[i].location = location_of(r, node->function, r->ticks[i].line);
    set_parent(r, n.number, n.parent);
    while (r->child_count > first_child)
        set_parent(r, r->children[--r->child_count], n.number);
    return n.number;
}

static void read_nodes(struct reader *r)
{
    read_list(r, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_node(r);
}

/* --- samples --- */

static void read_samples(struct reader *r)
{
    read_list(r, "a list of ids of nodes");
    for (r->has_samples = true; tokens_next(&r->json) != TOKEN_ARRAY_END; r->sample_count++) {
        uint32_t number = read_id(r);
        spools_write(r->spools, r->samples, (struct str){(const char *)&number, sizeof number});
    }
}

/* Appends what has passed in DELTA to the times.  V8 may write them in the wrong order: then nothing has, until one
 * is above all before it. */
static void write_time(struct reader *r, int64_t delta)
{
    bool is_back = delta < 0 && r->time_count > 0;
    if (is_back && r->request->strict)
        tokens_unexpected(&r->json, "a time that is not before the one in front of it");
    if (is_back)
        loss_add(LOSS_OWN, STR("times before the one in front of them"), 1);
    if (r->time_count > 0 && __builtin_sub_overflow(r->lag, delta, &r->lag))
        tokens_unexpected(&r->json, "a time less than 292 years from the others");
    int64_t passed = r->time_count == 0 ? delta : r->lag < 0 ? -r->lag : 0;
    if (r->lag < 0)
        r->lag = 0;
    spools_write(r->spools, r->times, (struct str){(const char *)&passed, sizeof passed});
}

/* Reads the list of times, in microseconds: each from the one before, or IS_ABSOLUTE. */
static void read_times(struct reader *r, bool is_absolute)
{
    read_list(r, "a list of times");
    if (r->has_times)
        tokens_die(&r->json, r->json.where, "times stand there twice");
    for (r->has_times = true; tokens_next(&r->json) != TOKEN_ARRAY_END; r->time_count++) {
        int64_t time, delta;
        if (r->json.token != TOKEN_NUMBER ||
            !decimal_round(decimal_multiply(decimal_read(r->json.text), decimal_of(1000)), &time))
            tokens_unexpected(&r->json, "a number of microseconds");
        if (is_absolute && r->time_count == 0)
            r->time = time;
        if (!is_absolute)
            delta = time;
        else if (__builtin_sub_overflow(time, r->time, &delta))
            tokens_unexpected(&r->json, "a time less than 292 years from the others");
        r->time = time;
        write_time(r, delta);
    }
}

static void push_sample(struct reader *r, uint32_t number, int64_t leaf,
                        struct sample_value *values, size_t value_count)
{
    size_t depth = r->nodes[number - 1].depth, i = 0;
    growth_check_depth(depth, r->sink->flow->where);
    if (depth > r->stack_capacity)
        r->stack = mem_array(r->stack, &r->stack_capacity, depth, sizeof *r->stack);
    for (uint32_t n = number; n != 0; n = r->nodes[n - 1].parent)
        r->stack[i++] = r->nodes[n - 1].location;
    r->stack[0] = leaf;
    sink_sample(r->sink, &(struct sample){.sample_id = (int64_t)++r->sample_count,
                                          .source_id = 1,
                                          .values = values,
                                          .value_count = value_count,
                                          .locations = r->stack,
                                          .depth = depth});
}

/* Where the next sample of NODE is: its lines are counted, but not which sample was on which. */
static int64_t next_location(struct reader *r, struct node *node)
{
    while (node->tick < node->tick_end && r->ticks[node->tick].count == 0)
        node->tick++;
    if (node->tick == node->tick_end)
        return node->location;
    r->ticks[node->tick].count--;
    return r->ticks[node->tick].location;
}

static void push_samples(struct reader *r, struct spools_walk *times)
{
    struct value_types *types = &r->sink->flow->types;
    uint32_t count = value_types_add(types, STR("samples"), STR("count")), number;
    uint32_t cpu = value_types_add(types, STR("cpu"), STR("nanoseconds"));
    struct spools_walk samples = {.strand = r->samples};
    r->sample_count = 0;
    while (spools_read(r->spools, &samples, &number, sizeof number)) {
        /* how long the last one takes nobody knows */
        struct sample_value values[] = {{count, number_of(1), STR("")},
                                        {cpu, number_of(0), STR("")}};
        struct node *node = &r->nodes[number - 1];
        /* V8 counts no hit where it begins */
        int64_t leaf = r->sample_count == 0 ? node->location : next_location(r, node);
        spools_read(r->spools, times, &values[1].value.integer, sizeof(int64_t));
        push_sample(r, number, leaf, values, r->has_times ? 2 : 1);
    }
    spools_leave(&samples);
}

/* Where there are no samples: what nodes count themselves, each line of theirs apart. */
static void push_hits(struct reader *r)
{
    uint32_t type = value_types_add(&r->sink->flow->types, STR("samples"), STR("count"));
    for (uint32_t number = 1; number <= r->node_count; number++) {
        struct node *node = &r->nodes[number - 1];
        for (int64_t left = node->hits, hits; left > 0; left -= hits) {
            bool has_line = node->tick < node->tick_end;
            const struct tick *tick = has_line ? &r->ticks[node->tick++] : NULL;
            hits = has_line && tick->count < left ? tick->count : left;
            struct sample_value value = {type, number_of(hits), STR("")};
            if (hits > 0)
                push_sample(r, number, has_line ? tick->location : node->location, &value, 1);
        }
    }
}

/* Takes what is in front of the first sample off TIMES, the start of the profile too where that is among them. */
static int64_t skip_start(struct reader *r, struct spools_walk *times)
{
    int64_t first = 0;
    for (uint64_t i = r->sample_count; i <= r->time_count; i++)
        spools_read(r->spools, times, &first, sizeof first);
    return first;
}

/* --- the file --- */

static void push_source(struct reader *r, const char *uri, int64_t first)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("cpuprofile"),
                                 .source_timestamp = r->request->timestamp}};
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".cpuprofile\":{\"first\":"));
    emit_number(&r->extra, first);
    for (unsigned i = 0; i < 2; i++)
        if (r->ends[i] != 0) {
            emit_member(&r->extra, i == 0 ? STR("start") : STR("end"));
            emit_string(&r->extra, text_of(r, r->ends[i]));
        }
    buf_add(&r->extra, STR("}"));
    row.source.source_uri = bytes_rows_uri(&r->rows, uri, &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* Counts the depth of NODE: up to an ancestor whose depth is known, and down again. */
static void count_depth(struct reader *r, struct node *node)
{
    uint32_t depth = 0, n = (uint32_t)(node - r->nodes) + 1;
    for (; n != 0 && r->nodes[n - 1].depth == 0; n = r->nodes[n - 1].parent)
        if (depth++ == r->node_count)
            tokens_die(&r->json, node->where, "node %" PRId64 " stands below itself", node->id);
    for (depth += n == 0 ? 0 : r->nodes[n - 1].depth; node->depth == 0; depth--) {
        node->depth = depth;
        if (node->parent != 0)
            node = &r->nodes[node->parent - 1];
    }
}

/* Old files, which HAVE_START, may have the start of the profile in front of the times of samples. */
static void check(struct reader *r, struct tokens_place end, bool have_start)
{
    for (size_t i = 0; i < r->node_count; i++)
        if (r->nodes[i].function == 0)
            tokens_die(&r->json, r->nodes[i].where, "there is no node %" PRId64, r->nodes[i].id);
    for (size_t i = 0; i < r->node_count; i++)
        count_depth(r, &r->nodes[i]);
    if (r->has_times && r->time_count != r->sample_count &&
        (!have_start || r->time_count != r->sample_count + 1))
        tokens_die(&r->json, end, "expected as many times as samples, %" PRIu64 ", found %" PRIu64,
                   r->sample_count, r->time_count);
}

static void read_file(struct reader *r)
{
    static const char *const names[] = {"nodes",      "head",      "samples", "timeDeltas",
                                        "timestamps", "startTime", "endTime"};
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_nodes(r); break;
        case 1: read_node(r); break;
        case 2: read_samples(r); break;
        case 3: read_times(r, false); break;
        case 4: read_times(r, true); break;
        default:
            if (r->json.token != TOKEN_NUMBER)
                tokens_unexpected(&r->json, "a number");
            r->ends[member - 5] = read_text(r);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if ((seen & 3) == 0)
        tokens_die(&r->json, end, "the file has no nodes");
    check(r, end, (seen & 1 << 4) != 0);
}

static void read_cpuprofile(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .spools = spools_open()};
    r.samples = spools_begin(r.spools);
    r.times = spools_begin(r.spools);
    tokens_open(&r.json, in);
    read_file(&r);
    struct spools_walk times = {.strand = r.times};
    push_source(&r, format_source_uri(request, in), skip_start(&r, &times));
    if (r.has_samples)
        push_samples(&r, &times);
    else
        push_hits(&r);
    spools_leave(&times);
    tokens_close(&r.json);
    spools_close(r.spools);
    idmap_free(&r.ids);
    intern_free(&r.texts);
    intern_free(&r.functions);
    intern_free(&r.locations);
    mem_free(r.nodes);
    mem_free(r.ticks);
    mem_free(r.children);
    mem_free(r.stack);
    bytes_rows_free(&r.rows);
    buf_free(&r.text);
    buf_free(&r.extra);
}

/* Nodes say so.  What V8 writes of memory, and traces, have the same frames. */
static enum bid bid_cpuprofile(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open) || json_head_has(head, STR("\"selfSize\"")) ||
        json_head_has(head, STR("\"traceEvents\"")))
        return BID_NONE;
    if (json_head_has(head, STR("\"callFrame\"")) || json_head_has(head, STR("\"hitCount\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

/* The first and the last time, in microseconds, say how long it was recorded. */
void cpuprofile_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf start = {0}, end = {0};
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_CPUPROFILE_START || m.id == MEMBER_ID_CPUPROFILE_END)
            text_unescape(m.id == MEMBER_ID_CPUPROFILE_START ? &start : &end, m.text);
    to->duration = source_kind_span(buf_str(&start), buf_str(&end), STR("microseconds"));
    buf_free(&start);
    buf_free(&end);
}

const struct format format_cpuprofile = {
    .name = "a .cpuprofile file",
    .converter = "cpuprofile2ndjson",
    .bid = bid_cpuprofile,
    .read = read_cpuprofile,
    .is_document = true,
    .byte_pays =
        LIMITS_BYTE_OF_DATABASE, /* a few bytes of a sample stand for a whole stack, here too */
};

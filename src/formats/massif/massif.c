/* Files of Massif, of Valgrind and of heaptrack: snapshots of the heap, some with the stacks that
 * allocated it. See massif2ndjson(1) for the rules.
 *
 * heaptrack writes the lines about the whole file last, and the peak need not come first, so the
 * file is held in memory and read twice. */
#include "base/mem.h"
#include "base/port.h"
#include "formats/formats.h"
#include "formats/valgrind.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* A snapshot, without its tree. */
struct snapshot {
    int64_t number, sizes[3]; /* of SIZES; in bytes */
    struct str time, tree;    /* as in the file; p NULL: not there */
};

/* The sizes of a snapshot: their names in the file, and their types. */
static const struct {
    struct str name, type;
} sizes[] = {{STR("mem_heap_B="), STR("heap")},
             {STR("mem_heap_extra_B="), STR("heap_extra")},
             {STR("mem_stacks_B="), STR("stacks")}};

enum { SIZES = sizeof sizes / sizeof *sizes };

/* A node of a tree on the way to the current line. */
struct node {
    uint32_t frame;
    int64_t left;     /* bytes that none of the nodes below it has */
    int64_t expected; /* how many nodes below it are still to come */
};

struct reader {
    const struct read_request *request;
    struct sink *sink;
    struct str rest; /* of the file */
    struct place where;
    struct str options, command, time_unit; /* bytes; p NULL: not there */
    int64_t peak;                           /* the number of that snapshot; below 0: none */
    struct valgrind_frames frames;
    struct node *path; /* that of the line; the first stands for all memory */
    size_t depth, path_capacity;
    uint32_t *numbers; /* frames of the path, innermost first */
    int64_t *stack;
    size_t number_capacity, stack_capacity;
    uint32_t types[SIZES], inuse, at_peak;
    int64_t sample_id;
    struct buf text, extra;
};

static _Noreturn void die_here(const struct reader *r, const char *expected, struct str found)
{
    text_die(r->where, STR(""), expected, found);
}

/* Takes the next line off the file, without its end; false after the last. Ends the tool if it has
 * no end: then more is missing. */
static bool next_line(struct reader *r, struct str *line)
{
    if (!str_next_line(&r->rest, line))
        return false;
    r->where.at++;
    if (r->rest.p[-1] != '\n')
        die_as(CODE_TORN, r->where, "expected the end of a line, found the end of the input");
    if (line->n > 0 && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

/* Takes an integer from 0 off the start of *TEXT. */
static int64_t take_integer(const struct reader *r, struct str *text, const char *expected)
{
    int64_t value;
    size_t n = 0;
    while (n < text->n && str_is_digit(text->p[n]))
        n++;
    if (!text_is_integer((struct str){text->p, n}, &value))
        die_here(r, expected, *text);
    text->p += n;
    text->n -= n;
    return value;
}

/* --- snapshots --- */

/* Whether LINE is about the whole file; keeps what it says. */
static bool take_header(struct reader *r, struct str line)
{
    const struct {
        struct str name, *to;
    } headers[] = {{STR("desc: "), &r->options},
                   {STR("cmd: "), &r->command},
                   {STR("time_unit: "), &r->time_unit}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (str_take(&line, headers[i].name)) {
            *headers[i].to = line;
            return true;
        }
    return line.n == 0 || str_equal(line, STR("desc:"));
}

/* Whether TEXT is digits, with a point among them or without. */
static bool is_time(struct str text)
{
    size_t points = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool is_point = text.p[i] == '.' && i > 0 && i + 1 < text.n;
        if (!is_point && !str_is_digit(text.p[i]))
            return false;
        points += is_point;
    }
    return text.n > 0 && points <= 1;
}

/* Whether WORD says which tree a snapshot has. */
static bool is_tree(struct str word)
{
    return str_equal(word, STR("empty")) || str_equal(word, STR("detailed")) ||
           str_equal(word, STR("peak"));
}

/* Reads a line `NAME=VALUE` of a snapshot. */
static void read_field(struct reader *r, struct snapshot *s, struct str line)
{
    struct str rest = line;
    for (size_t i = 0; i < SIZES; i++)
        if (str_take(&rest, sizes[i].name)) {
            s->sizes[i] = take_integer(r, &rest, "a number of bytes");
            if (rest.n > 0)
                die_here(r, "the end of the line", rest);
            return;
        }
    if (str_take(&rest, STR("time=")) && is_time(rest))
        s->time = rest;
    else if (str_take(&rest, STR("heap_tree=")) && is_tree(rest))
        s->tree = rest;
    else
        die_here(r, "a field of a snapshot", line);
}

static void expect_rule(struct reader *r)
{
    struct str line = STR("");
    if (!next_line(r, &line) || !str_equal(line, STR("#-----------")))
        die_here(r, "\"#-----------\"", line);
}

/* Reads the next snapshot up to its tree, whose lines follow; false at the end of the file. */
static bool next_snapshot(struct reader *r, struct snapshot *s)
{
    struct str line;
    *s = (struct snapshot){.time = {NULL, 0}, .tree = {NULL, 0}};
    do
        if (!next_line(r, &line))
            return false;
    while (take_header(r, line));
    if (!str_equal(line, STR("#-----------")))
        die_here(r, "\"#-----------\"", line);
    if (!next_line(r, &line) || !str_take(&line, STR("snapshot=")))
        die_here(r, "\"snapshot=\"", line);
    s->number = take_integer(r, &line, "the number of a snapshot");
    expect_rule(r);
    while (s->tree.p == NULL) {
        if (!next_line(r, &line))
            die_as(CODE_TORN, r->where, "expected \"heap_tree=\", found the end of the input");
        read_field(r, s, line);
    }
    return true;
}

static bool has_tree(const struct snapshot *s)
{
    return !str_equal(s->tree, STR("empty"));
}

/* Reads the file for the first time: what is said about all of it, and which snapshot is the
 * peak, or else has most memory of those with a tree. */
static void look(struct reader *r)
{
    struct snapshot s;
    struct str line;
    int64_t most = -1;
    int64_t last = -1;
    bool is_empty = true;
    r->peak = -1;
    for (; next_snapshot(r, &s); is_empty = false) {
        if (s.number <= last)
            die_at(r->where, "snapshot %" PRId64 " stands behind snapshot %" PRId64, s.number,
                   last);
        last = s.number;
        bool is_peak = str_equal(s.tree, STR("peak"));
        if (has_tree(&s) && (is_peak || s.sizes[0] > most)) {
            r->peak = s.number;
            most = is_peak ? INT64_MAX : s.sizes[0];
        }
        while (r->rest.n > 0 && (*r->rest.p == ' ' || *r->rest.p == 'n'))
            next_line(r, &line); /* of its tree */
    }
    if (is_empty)
        die_as(CODE_TORN, r->where, "expected a snapshot, found the end of the input");
}

/* --- rows --- */

/* Nanoseconds in the unit of time of the file; 0: it counts something else. */
static int64_t nanoseconds(const struct reader *r)
{
    if (r->time_unit.p == NULL || str_equal(r->time_unit, STR("s")))
        return 1000000000; /* that of heaptrack, which once did not say so */
    return str_equal(r->time_unit, STR("ms")) ? 1000000 : 0;
}

/* Sets r->extra to the dotted columns of a sample of S. */
static void add_columns(struct reader *r, const struct snapshot *s)
{
    int64_t unit = nanoseconds(r), time = 0;
    struct decimal given = s->time.n == 0 ? decimal_of(0) : decimal_read(s->time);
    r->extra.n = 0;
    if (!decimal_round(decimal_multiply(given, decimal_of(unit == 0 ? 1 : unit)), &time))
        die_here(r, "a time that fits 64 bits", s->time);
    emit_member(&r->extra, unit == 0 ? STR(".massif_time") : STR(".time"));
    emit_number(&r->extra, time);
    emit_member(&r->extra, STR(".massif_snapshot"));
    emit_number(&r->extra, s->number);
}

/* Pushes a sample with COUNT VALUES and the stack of r->path; IS_CUT: its outer frames are
 * missing. */
static void push_sample(struct reader *r, struct sample_value *values, size_t count, bool is_cut)
{
    size_t depth = r->depth > 0 ? r->depth - 1 : 0;
    growth_check_depth(depth, r->where);
    r->numbers = mem_array(r->numbers, &r->number_capacity, depth + 1, sizeof *r->numbers);
    r->stack = mem_array(r->stack, &r->stack_capacity, depth + 1, sizeof *r->stack);
    for (size_t i = 0; i < depth; i++)
        r->numbers[i] = r->path[i + 1].frame; /* callers are below what they call */
    valgrind_stack(&r->frames, r->sink, r->numbers, depth, r->stack);
    buf_add(&r->extra, is_cut ? STR(",\".truncated\":true") : STR(""));
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = depth});
}

static void push_snapshot(struct reader *r, const struct snapshot *s)
{
    struct sample_value values[SIZES];
    for (size_t i = 0; i < SIZES; i++)
        values[i] = (struct sample_value){r->types[i], number_of(s->sizes[i]), STR("")};
    add_columns(r, s);
    push_sample(r, values, SIZES, false);
}

/* Pushes BYTES of the stack of r->path in S. */
static void push_bytes(struct reader *r, const struct snapshot *s, int64_t bytes, bool is_cut)
{
    struct sample_value values[] = {{r->inuse, number_of(bytes), STR("")},
                                    {r->at_peak, number_of(bytes), STR("")}};
    if (bytes <= 0)
        return;
    add_columns(r, s);
    push_sample(r, values, s->number == r->peak ? 2 : 1, is_cut);
}

/* --- trees --- */

/* Whether TEXT of a line stands for several nodes that were too small for one each. */
static bool is_rest(struct str text)
{
    return str_take(&text, STR("in ")) && text.n > 0 && str_is_digit(*text.p);
}

/* Takes LINE, `nCHILDREN: BYTES TEXT` behind as many blanks as there are nodes above it. */
static void read_node(struct reader *r, const struct snapshot *s, struct str line)
{
    struct str whole = line;
    struct node node = {0};
    for (size_t i = 0; i < r->depth; i++)
        if (!str_take(&line, STR(" ")))
            die_here(r, "a line of the tree that is further to the right", whole);
    if (!str_take(&line, STR("n")))
        die_here(r, "a line of the tree", whole);
    node.expected = take_integer(r, &line, "a number of nodes");
    if (!str_take(&line, STR(": ")))
        die_here(r, "a line of the tree", whole);
    node.left = take_integer(r, &line, "a number of bytes");
    if (line.n > 0 && !str_take(&line, STR(" ")))
        die_here(r, "a line of the tree", whole);
    if (r->depth > 0) {
        struct node *above = &r->path[r->depth - 1];
        above->expected--;
        above->left = above->left > node.left ? above->left - node.left : 0;
        if (is_rest(line)) {
            push_bytes(r, s, node.left, true);
            return;
        }
        node.frame = valgrind_frame(&r->frames, r->sink, line);
    }
    r->path = mem_array(r->path, &r->path_capacity, r->depth + 1, sizeof *r->path);
    r->path[r->depth++] = node;
}

static void read_tree(struct reader *r, const struct snapshot *s)
{
    struct str line;
    r->depth = 0;
    do {
        if (!next_line(r, &line))
            die_as(CODE_TORN, r->where, "expected a line of the tree, found the end of the input");
        read_node(r, s, line);
        for (; r->depth > 0 && r->path[r->depth - 1].expected <= 0; r->depth--)
            push_bytes(r, s, r->path[r->depth - 1].left, false);
    } while (r->depth > 0);
}

/* --- the file --- */

/* Appends the member NAME of the source, a string, unless TEXT has a null p. */
static void add_string(struct reader *r, struct str name, struct str text)
{
    if (text.p == NULL)
        return;
    emit_member(&r->extra, name);
    emit_inner_string(&r->extra, &r->text, text);
}

static void push_source(struct reader *r, const char *uri)
{
    r->extra.n = 0;
    listed_begin(&r->extra);
    for (size_t i = 0; i < SIZES; i++)
        listed_add(&r->extra, sizes[i].type, STR("bytes"), LISTED_GAUGE);
    listed_add(&r->extra, STR("inuse_space"), STR("bytes"), LISTED_GAUGE);
    listed_add(&r->extra, STR("peak_space"), STR("bytes"), LISTED_SUM);
    listed_end(&r->extra);
    emit_member(&r->extra, STR(".massif"));
    size_t at = r->extra.n;
    add_string(r, STR("options"), r->options);
    add_string(r, STR("command"), r->command);
    add_string(r, STR("time_unit"), r->time_unit);
    emit_make_object(&r->extra, at);
    bytes_rows_source(&r->frames.rows, r->sink, 1, STR("massif"), uri, r->request->timestamp,
                      &r->extra);
}

static void add_types(struct reader *r)
{
    struct value_types *types = &r->sink->flow->types;
    for (size_t i = 0; i < SIZES; i++)
        r->types[i] = value_types_add(types, sizes[i].type, STR("bytes"));
    r->inuse = value_types_add(types, STR("inuse_space"), STR("bytes"));
    r->at_peak = value_types_add(types, STR("peak_space"), STR("bytes"));
}

static void read_massif(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink};
    struct snapshot s;
    const struct place start = {in_name(in), PLACE_LINE, 0};
    struct str whole = format_whole(in, request);
    r.where = start;
    r.rest = whole;
    look(&r);
    push_source(&r, format_source_uri(request, in));
    add_types(&r);
    r.where = start;
    r.rest = whole;
    while (next_snapshot(&r, &s)) {
        push_snapshot(&r, &s);
        if (has_tree(&s))
            read_tree(&r, &s);
    }
    in_consume(in, whole.n);
    valgrind_free(&r.frames);
    mem_free(r.path);
    mem_free(r.numbers);
    mem_free(r.stack);
    buf_free(&r.text);
    buf_free(&r.extra);
}

/* Cachegrind describes its runs, too; then the names of its events follow, not the unit of
 * times. */
static enum bid bid_massif(struct str head)
{
    static const struct str unit = STR("\ntime_unit:"), events = STR("\nevents:");
    if (str_starts(head, STR("#-----------\nsnapshot=")))
        return BID_SURE;
    if (!str_starts(head, STR("desc: ")) || port_memmem(head.p, head.n, events.p, events.n) != NULL)
        return BID_NONE;
    return port_memmem(head.p, head.n, unit.p, unit.n) != NULL ? BID_SURE : BID_LIKELY;
}

void massif_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_MASSIF_COMMAND)
            text_inner_bytes(&to->command, m.value);
}

const struct format format_massif = {
    .name = "a Massif file",
    .converter = "massif2ndjson",
    .bid = bid_massif,
    .read = read_massif,
    .is_document = true,
};

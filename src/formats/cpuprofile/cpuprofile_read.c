/* Profiles of V8 to rows. See cpuprofile2ndjson(1) for the rules.
 *
 * Members come in any order: the tree stays in memory until the end, and samples and their times
 * wait in spools. */
#include "base/idmap.h"
#include "base/mem.h"
#include "base/spools.h"
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "formats/v8.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

static const char *const file_members[FILE_MEMBERS] = {CPUPROFILE_FILE_MEMBERS};
static const char *const node_members[NODE_MEMBERS] = {CPUPROFILE_NODE_MEMBERS};

struct node {
    int64_t id;                /* as in the file */
    struct tokens_place where; /* where it is first named */
    uint32_t parent;           /* its number, 0: none */
    uint32_t frame;            /* then its function; 0: the node has not been read so far */
    uint32_t depth;            /* of its stack; 0: not known so far */
    uint32_t path;             /* the same for nodes with equal stacks */
    bool is_twin;              /* a node before it has the same stack */
    bool names_parent;         /* itself, so the parent does not list it */
    bool is_misordered;        /* its children are listed in another order than nodes */
    int64_t hits;              /* below 0: the file does not say */
    size_t tick, tick_end;
    size_t child, child_end, child_next; /* its list; the next one in the order of nodes */
    struct str odd_frame, others;        /* members, each behind a comma; null p: none */
};

/* The same as in a node, packed: samples follow these a lot. */
struct link {
    uint32_t parent, frame;
};

/* So many samples of a node were on one line. */
struct tick {
    int64_t line, count; /* from 1 */
    uint32_t location;
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct v8_frames frames;
    struct arena arena;
    struct buf extra, others, frame_text, members;
    struct intern locations, paths; /* locations with a line follow those of frames */

    struct idmap ids; /* of nodes, plus 1 */
    struct node *nodes;
    struct link *links; /* by number; from 1 */
    uint32_t *order;    /* of nodes in the file */
    struct tick *ticks;
    uint32_t *listed;   /* as children being read */
    uint32_t *children; /* of all nodes */
    int64_t *stack;
    size_t node_count, order_count, tick_count, listed_count, child_count;
    size_t node_capacity, order_capacity, tick_capacity, listed_capacity, child_capacity;
    size_t stack_capacity;

    struct spools *spools;
    uint32_t samples, times; /* strands: numbers of nodes; nanoseconds after the start */
    bool has_tree, has_samples, has_times, is_old;
    int64_t first_line;                /* the number of the first line in the file */
    uint64_t sample_count, time_count; /* of times as the file has them */
    struct decimal zero;               /* microseconds: the first of absolute times */
    int64_t time, peak;                /* the last time, and the highest so far */
    struct str ends[2], zero_text;     /* start and end; numbers as spelled; null p: none */
    struct str other_members;          /* of the file, each behind a comma */
};

static struct node *node_at(const struct reader *r, uint32_t number)
{
    return &r->nodes[number - 1];
}

/* --- the tree --- */

/* The number of the node ID, which is named at r->json.where. */
static uint32_t number_of_id(struct reader *r, int64_t id)
{
    uint32_t number = idmap_get(&r->ids, (uint64_t)id + 1);
    if (number != 0)
        return number;
    r->nodes = mem_array(r->nodes, &r->node_capacity, ++r->node_count, sizeof *r->nodes);
    r->nodes[r->node_count - 1] = (struct node){.id = id, .where = r->json.where, .hits = -1};
    idmap_put(&r->ids, (uint64_t)id + 1, (uint32_t)r->node_count);
    return (uint32_t)r->node_count;
}

/* The number of the node whose id is the current token. */
static uint32_t read_id(struct reader *r)
{
    return number_of_id(r, tokens_integer(&r->json, 0, "the id of a node, an integer from 0"));
}

static void read_ticks(struct reader *r)
{
    static const char *const names[] = {"line", "ticks"};
    tokens_list(&r->json, "a list of lines");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        unsigned seen = 0, member;
        struct tick tick = {0};
        if (r->json.token != TOKEN_OBJECT)
            tokens_unexpected(&r->json, "an object with a line and its ticks");
        while (tokens_next_member(&r->json, names, 2, &seen, &member))
            *(member == 0 ? &tick.line : &tick.count) =
                tokens_integer(&r->json, 0, "an integer from 0");
        r->ticks = mem_array(r->ticks, &r->tick_capacity, ++r->tick_count, sizeof *r->ticks);
        r->ticks[r->tick_count - 1] = tick;
    }
}

/* Appends the ticks from FIRST on to the other members of their node. */
static void keep_ticks(struct reader *r, size_t first)
{
    emit_member(&r->others, STR("positionTicks"));
    buf_add(&r->others, STR("["));
    for (size_t i = first; i < r->tick_count; i++) {
        buf_add(&r->others, i > first ? STR(",{\"line\":") : STR("{\"line\":"));
        emit_number(&r->others, r->ticks[i].line);
        buf_add(&r->others, STR(",\"ticks\":"));
        emit_number(&r->others, r->ticks[i].count);
        buf_add(&r->others, STR("}"));
    }
    buf_add(&r->others, STR("]"));
}

static void set_parent(struct reader *r, uint32_t child, uint32_t parent)
{
    struct node *node = node_at(r, child);
    if (node->parent != 0 && node->parent != parent)
        tokens_die(&r->json, node->where, "node %" PRId64 " has more than one parent", node->id);
    node->parent = parent;
}

static uint32_t read_node(struct reader *r);

/* Reads the list of children, ids or in old files nodes, onto r->listed. */
static void read_children(struct reader *r)
{
    tokens_list(&r->json, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        uint32_t child = r->json.token == TOKEN_OBJECT ? read_node(r) : read_id(r);
        r->listed = mem_array(r->listed, &r->listed_capacity, ++r->listed_count, sizeof *r->listed);
        r->listed[r->listed_count - 1] = child;
    }
}

/* A node as the file has it. */
struct node_text {
    struct v8_frame_text frame;
    uint32_t number, parent;
    int64_t hits;
    size_t tick, tick_end;
    size_t others; /* where its text begins in r->others: parents come before */
    unsigned seen;
};

/* Takes MEMBER of a node. Old files have the members of frames in nodes. */
static void read_member(struct reader *r, struct node_text *n, unsigned member)
{
    switch (member) {
    case NODE_ID: n->number = read_id(r); break;
    case NODE_FRAME: v8_frame_read(&r->frames, &r->json, &n->frame); break;
    case NODE_HITS: n->hits = tokens_integer(&r->json, 0, "an integer from 0"); break;
    case NODE_CHILDREN: read_children(r); break;
    case NODE_PARENT: n->parent = read_id(r); break;
    case NODE_TICKS:
        n->tick = r->tick_count;
        read_ticks(r);
        n->tick_end = r->tick_count;
        keep_ticks(r, n->tick);
        break;
    default: v8_frame_member(&r->frames, &r->json, member, &n->frame);
    }
}

/* Whether the writer makes the frame of N from its function alone. */
static bool is_plain_frame(const struct reader *r, const struct node_text *n)
{
    const unsigned all = (1u << V8_MEMBERS) - 1, old = all & ~(1u << V8_COLUMN);
    return n->frame.is_numbered == r->is_old && n->frame.plain == (r->is_old ? old : all);
}

/* MEMBERS of the object at WHERE, as rows keep them. Ends the tool if one stands there twice or is
 * one of the COUNT at TAKEN. */
static struct str kept_members(struct reader *r, struct str members, const char *const *taken,
                               size_t count, struct tokens_place where)
{
    r->members.n = 0;
    struct str twice = cpuprofile_add_members(&r->members, members, taken, count);
    if (twice.p != NULL)
        tokens_die(&r->json, where, "\"%.*s\" stands there twice", STR_ARG(twice));
    return arena_copy(&r->arena, buf_str(&r->members));
}

/* Copies the text of N that rows have no columns for to NODE. */
static void keep_text(struct reader *r, struct node_text *n, struct node *node)
{
    bool has_list = (n->seen & 1u << NODE_CHILDREN) != 0;
    if (has_list && node->child == node->child_end && !r->is_old)
        buf_add(&r->others, STR(",\"children\":[]"));
    if (n->parent != 0) {
        emit_member(&r->others, STR("parent"));
        emit_number(&r->others, node_at(r, n->parent)->id);
    }
    struct str frame = v8_frame_take_text(&n->frame);
    if (!is_plain_frame(r, n))
        node->odd_frame = arena_copy(&r->arena, frame);
    if (r->others.n > n->others)
        node->others =
            kept_members(r, (struct str){r->others.p + n->others, r->others.n - n->others},
                         node_members, NODE_COLUMNS, node->where);
    r->others.n = n->others;
}

/* Takes the children off r->listed from FIRST on: they are those of the node NUMBER. */
static void take_children(struct reader *r, uint32_t number, size_t first)
{
    size_t count = r->listed_count - first;
    struct node *node = node_at(r, number);
    node->child = node->child_next = r->child_count;
    node->child_end = r->child_count += count;
    if (count > 0)
        r->children =
            mem_array(r->children, &r->child_capacity, r->child_count, sizeof *r->children);
    for (size_t i = 0; i < count; i++) {
        r->children[node->child + i] = r->listed[first + i];
        set_parent(r, r->listed[first + i], number);
    }
    r->listed_count = first;
}

/* Reads the node whose first token was the last one; returns its number. */
static uint32_t read_node(struct reader *r)
{
    struct tokens_place where = r->json.where;
    struct node_text n = {.frame = v8_frame_begin(&r->frame_text), .hits = -1};
    size_t first_child = r->listed_count, place = r->order_count++;
    unsigned member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a node");
    n.others = r->others.n;
    while (
        tokens_next_member_or(&r->json, node_members, NODE_MEMBERS, &n.seen, &member, &r->others))
        read_member(r, &n, member);
    if (n.number == 0)
        tokens_die(&r->json, where, "the node has no id");
    if (node_at(r, n.number)->frame != 0)
        tokens_die(&r->json, where, "node %" PRId64 " stands there twice",
                   node_at(r, n.number)->id);
    r->order = mem_array(r->order, &r->order_capacity, r->order_count, sizeof *r->order);
    r->order[place] = n.number;
    take_children(r, n.number, first_child);
    if (n.parent != 0)
        set_parent(r, n.number, n.parent);
    struct node *node = node_at(r, n.number);
    node->where = where;
    node->frame = v8_frame_add(&r->frames, &n.frame.frame);
    node->names_parent = n.parent != 0 && !r->is_old; /* nodes in old files stand in their parent */
    node->hits = n.hits;
    node->tick = n.tick;
    node->tick_end = n.tick_end;
    keep_text(r, &n, node);
    return n.number;
}

/* Reads the nodes: a list, or in files that are IS_OLD the outermost one. */
static void read_tree(struct reader *r, bool is_old)
{
    if (r->has_tree)
        tokens_die(&r->json, r->json.where, "nodes stand there twice");
    r->has_tree = true;
    r->is_old = is_old;
    if (is_old) {
        read_node(r);
        return;
    }
    tokens_list(&r->json, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_node(r);
}

/* Sets depth and path of the node NUMBER and of those that it is below, outermost first. */
static void place_node(struct reader *r, uint32_t number)
{
    size_t above = 0;
    for (uint32_t n = number; n != 0 && node_at(r, n)->depth == 0; n = node_at(r, n)->parent) {
        if (above == r->node_count)
            tokens_die(&r->json, node_at(r, number)->where, "node %" PRId64 " stands below itself",
                       node_at(r, number)->id);
        r->stack = mem_array(r->stack, &r->stack_capacity, above + 1, sizeof *r->stack);
        r->stack[above++] = n;
    }
    while (above > 0) {
        struct node *node = node_at(r, (uint32_t)r->stack[--above]);
        const struct node *parent = node->parent == 0 ? NULL : node_at(r, node->parent);
        uint32_t key[] = {parent == NULL ? 0 : parent->path, node->frame};
        bool is_new;
        node->depth = parent == NULL ? 1 : parent->depth + 1;
        node->path = intern_add(&r->paths, (struct str){(const char *)key, sizeof key}, &is_new);
        node->is_twin = !is_new;
    }
}

/* Finds the nodes whose children are not listed in the order of nodes. */
static void check_order(struct reader *r)
{
    for (size_t i = 0; i < r->order_count; i++) {
        const struct node *node = node_at(r, r->order[i]);
        if (node->parent == 0 || node->names_parent)
            continue;
        struct node *parent = node_at(r, node->parent);
        parent->is_misordered |= r->children[parent->child_next++] != r->order[i];
    }
    for (size_t i = 0; i < r->order_count; i++) {
        struct node *node = node_at(r, r->order[i]);
        node->is_misordered |= node->child_next != node->child_end;
    }
}

/* The number of the first line in the file. Old files count from 0, or from 1 as V8 does inside: a
 * (root), which has no line, then has 0. */
static int64_t first_line(const struct reader *r)
{
    struct v8_frame root;
    if (!r->is_old || r->order_count == 0)
        return 0;
    memcpy(&root, intern_get(&r->frames.frames, node_at(r, r->order[0])->frame).p, sizeof root);
    return root.line == 0;
}

/* Replaces the frames of nodes by their functions. */
static void find_functions(struct reader *r)
{
    v8_frames_finish(&r->frames, r->first_line);
    for (uint32_t n = 1; n <= r->node_count; n++)
        node_at(r, n)->frame = v8_function(&r->frames, node_at(r, n)->frame);
}

/* Checks the tree, whose end is at END. Old files, which HAVE_START, may have the start of the
 * profile in front of the times of samples. */
static void check(struct reader *r, struct tokens_place end, bool have_start)
{
    for (uint32_t n = 1; n <= r->node_count; n++)
        if (node_at(r, n)->frame == 0)
            tokens_die(&r->json, node_at(r, n)->where, "there is no node %" PRId64,
                       node_at(r, n)->id);
    r->first_line = first_line(r);
    find_functions(r);
    for (size_t i = 0; i < r->order_count; i++)
        place_node(r, r->order[i]);
    check_order(r);
    if (r->has_times && r->time_count != r->sample_count &&
        (!have_start || r->time_count != r->sample_count + 1))
        tokens_die(&r->json, end, "expected as many times as samples, %" PRIu64 ", found %" PRIu64,
                   r->sample_count, r->time_count);
}

/* --- rows --- */

/* Pushes the locations of lines. */
static void push_lines(struct reader *r, const struct node *node)
{
    for (size_t i = node->tick; i < node->tick_end; i++) {
        int64_t key[] = {node->frame, r->ticks[i].line};
        bool is_new;
        uint32_t id =
            r->frames.functions.count +
            intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
        if (is_new)
            sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS,
                                            .location = {id, node->frame, r->ticks[i].line}});
        r->ticks[i].location = id;
    }
}

/* Appends the member NAME whose value is the string TEXT, unless that has a null p. */
static void add_text(struct reader *r, struct str name, struct str text)
{
    if (text.p == NULL)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    text_escape(&r->extra, text);
    buf_add(&r->extra, STR("\""));
}

/* The same for the text of an object with MEMBERS, each behind a comma. */
static void add_members(struct reader *r, struct str name, struct str members)
{
    if (members.p == NULL)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\"{"));
    if (members.n > 0)
        text_escape(&r->extra, (struct str){members.p + 1, members.n - 1});
    buf_add(&r->extra, STR("}\""));
}

static void add_number(struct reader *r, struct str name, int64_t number)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, number);
}

static void push_source(struct reader *r, const char *uri)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("cpuprofile"),
                                 .source_timestamp = r->request->timestamp}};
    r->extra.n = 0;
    emit_member(&r->extra, STR(".cpuprofile"));
    size_t at = r->extra.n;
    add_text(r, STR("start"), r->ends[0]);
    add_text(r, STR("end"), r->ends[1]);
    add_number(r, STR("nodes"), (int64_t)r->node_count);
    if (r->has_samples)
        add_number(r, STR("samples"), (int64_t)r->sample_count);
    buf_add(&r->extra, r->has_times ? STR(",\"timed\":true") : STR(""));
    buf_add(&r->extra, r->is_old ? STR(",\"old\":true") : STR(""));
    if (r->first_line != 0)
        add_number(r, STR("first_line"), r->first_line);
    add_text(r, STR("zero"), r->zero_text);
    if (r->time_count > r->sample_count)
        buf_add(&r->extra, STR(",\"zero_listed\":true"));
    if (r->other_members.n > 0)
        add_members(r, STR("others"), r->other_members);
    buf_add(&r->extra, r->extra.n == at ? STR("{}") : STR("}"));
    r->extra.p[at] = '{';
    row.source.source_uri = bytes_rows_uri(&r->frames.rows, uri, &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The other members of NODE, as text, with its children where those need to be listed. */
static struct str others_of(struct reader *r, const struct node *node)
{
    if (!node->is_misordered)
        return node->others;
    struct buf *text = &r->frame_text;
    text->n = 0;
    buf_add(text, node->others);
    buf_add(text, STR(",\"children\":["));
    for (size_t i = node->child; i < node->child_end; i++) {
        buf_add(text, i > node->child ? STR(",") : STR(""));
        emit_number(text, node_at(r, r->children[i])->id);
    }
    buf_add(text, STR("]"));
    return buf_str(text);
}

static void push_node(struct reader *r, const struct node *node)
{
    r->extra.n = 0;
    add_number(r, STR("source_id"), 1);
    add_number(r, STR("function_id"), node->frame);
    add_number(r, STR("id"), node->id);
    if (node->parent != 0)
        add_number(r, STR("parent"), node_at(r, node->parent)->id);
    if (node->hits >= 0)
        add_number(r, STR("hits"), node->hits);
    add_members(r, STR("frame"), node->odd_frame);
    add_members(r, STR("others"), others_of(r, node));
    emit_check_length(STR(".cpuprofile_nodes"), r->extra.n);
    sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {STR(".cpuprofile_nodes")},
                                    .extra = buf_str(&r->extra)});
}

/* --- samples --- */

/* Numbers of a list that are read at once. */
enum { BATCH = 256 };

/* The place of the token of a list that is BACK before the current one, with only commas between. */
static struct tokens_place place_before(const struct tokens *j, size_t back)
{
    const char *p = j->text.p;
    for (; back > 0; back--)
        for (p--; str_is_digit(p[-1]);)
            p--;
    return (struct tokens_place){j->where.line, j->where.column - (uint64_t)(j->text.p - p)};
}

/* Replaces the COUNT ids at NUMBERS, the last tokens of a list, by the numbers of their nodes. */
static void number_ids(struct reader *r, uint32_t *numbers, size_t count)
{
    struct tokens_place last = r->json.where;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = idmap_get(&r->ids, (uint64_t)numbers[i] + 1);
        if (number == 0) {
            r->json.where = last;
            r->json.where = place_before(&r->json, count - 1 - i);
            number = number_of_id(r, numbers[i]);
        }
        numbers[i] = number;
    }
    r->json.where = last;
}

static void read_samples(struct reader *r)
{
    uint32_t numbers[BATCH];
    size_t count;
    tokens_list(&r->json, "a list of ids of nodes");
    for (r->has_samples = true;; r->sample_count += count) {
        count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, BATCH);
        if (count > 0) {
            number_ids(r, numbers, count);
        } else {
            if (tokens_next(&r->json) == TOKEN_ARRAY_END)
                return;
            numbers[count++] = read_id(r);
        }
        spools_write(r->spools, r->samples,
                     (struct str){(const char *)numbers, count * sizeof *numbers});
    }
}

/* Takes TIME, in nanoseconds after the start, as the next one. V8 may write some in the wrong
 * order. */
static void take_time(struct reader *r, int64_t time)
{
    int64_t ignored;
    bool is_back = r->time_count > 0 && time < r->time;
    if (is_back && r->request->strict)
        tokens_unexpected(&r->json, "a time that is not before the one in front of it");
    if (r->time_count == 0 || time > r->peak)
        r->peak = time;
    if (__builtin_sub_overflow(r->peak, time, &ignored))
        tokens_unexpected(&r->json, "a time less than 292 years from the others");
    r->time = time;
    r->time_count++;
}

/* Takes the COUNT times DELTAS, each in microseconds after the one before; stores them in TIMES. */
static void take_deltas(struct reader *r, const uint32_t *deltas, int64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (__builtin_add_overflow(r->time, (int64_t)deltas[i] * 1000, &times[i]))
            tokens_unexpected(&r->json, "a time less than 292 years from the others");
        take_time(r, times[i]);
    }
}

/* The current token, in microseconds, in nanoseconds after r->zero. */
static int64_t read_time(struct reader *r)
{
    int64_t integer, time;
    bool has_zero = r->zero_text.p != NULL;
    if (!has_zero && r->json.token == TOKEN_NUMBER && text_is_integer(r->json.text, &integer) &&
        !__builtin_mul_overflow(integer, 1000, &time))
        return time;
    struct decimal given = decimal_of(0);
    if (r->json.token == TOKEN_NUMBER)
        given = decimal_read(r->json.text);
    decimal_subtract(&given, r->zero);
    given = decimal_multiply(given, decimal_of(1000));
    if (r->json.token != TOKEN_NUMBER || !decimal_round(given, &time))
        tokens_unexpected(&r->json, "a number of microseconds");
    struct decimal more = decimal_of(time);
    decimal_subtract(&more, given);
    if (decimal_sign(more) != 0)
        loss_add_fraction(STR(".time"), more);
    return time;
}

/* Takes the current token as the next time: after the one before, or IS_ABSOLUTE. */
static int64_t next_absolute(struct reader *r, bool is_absolute)
{
    if (is_absolute && r->time_count == 0 && r->json.token == TOKEN_NUMBER) {
        r->zero = decimal_read(r->json.text);
        r->zero_text = arena_copy(&r->arena, r->json.text);
    }
    int64_t time = read_time(r);
    if (__builtin_add_overflow(time, is_absolute ? 0 : r->time, &time))
        tokens_unexpected(&r->json, "a time less than 292 years from the others");
    take_time(r, time);
    return time;
}

/* Reads the list of times, in microseconds: each after the one before, or IS_ABSOLUTE. */
static void read_times(struct reader *r, bool is_absolute)
{
    uint32_t deltas[BATCH];
    int64_t times[BATCH];
    size_t count = 0;
    tokens_list(&r->json, "a list of times");
    if (r->has_times)
        tokens_die(&r->json, r->json.where, "times stand there twice");
    for (r->has_times = true;;) {
        if (!is_absolute)
            count = tokens_take_indexes(&r->json, UINT32_MAX, deltas, BATCH);
        if (count > 0) {
            take_deltas(r, deltas, times, count);
        } else {
            if (tokens_next(&r->json) == TOKEN_ARRAY_END)
                return;
            times[count++] = next_absolute(r, is_absolute);
        }
        spools_write(r->spools, r->times, (struct str){(const char *)times, count * sizeof *times});
        count = 0;
    }
}

/* Pushes a sample of the node NUMBER whose innermost location is LEAF; r->extra has its dotted
 * columns. */
static void push_sample(struct reader *r, uint32_t number, int64_t leaf,
                        struct sample_value *values, size_t value_count)
{
    const struct node *node = node_at(r, number);
    size_t i = 0;
    growth_check_depth(node->depth, r->sink->flow->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, node->depth, sizeof *r->stack);
    for (uint32_t n = number; n != 0; n = r->links[n].parent)
        r->stack[i++] = r->links[n].frame;
    r->stack[0] = leaf;
    if (node->is_twin)
        add_number(r, STR(".cpuprofile_node"), node->id);
    sink_sample(r->sink, &(struct sample){.sample_id = (int64_t)++r->sample_count,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = values,
                                          .value_count = value_count,
                                          .locations = r->stack,
                                          .depth = node->depth});
}

/* Where the next sample of NODE is: its lines are counted, but not which sample was on which. */
static int64_t next_location(struct reader *r, struct node *node)
{
    while (node->tick < node->tick_end && r->ticks[node->tick].count == 0)
        node->tick++;
    if (node->tick == node->tick_end)
        return node->frame;
    r->ticks[node->tick].count--;
    return r->ticks[node->tick].location;
}

/* Reads the time of a sample behind the one whose time is *TIME. Returns how long that one took: a
 * time in the wrong order counts as none, until one is above all before it. */
static int64_t next_time(struct reader *r, struct spools_walk *times, int64_t *time)
{
    int64_t before = r->peak;
    if (!spools_read(r->spools, times, time, sizeof *time))
        return 0; /* how long the last one takes nobody knows */
    r->peak = *time > before ? *time : before;
    return r->peak - before;
}

static void push_samples(struct reader *r)
{
    struct value_types *types = &r->sink->flow->types;
    uint32_t count = value_types_add(types, STR("samples"), STR("count")), number;
    uint32_t cpu = value_types_add(types, STR("cpu"), STR("nanoseconds"));
    struct spools_walk samples = {.strand = r->samples}, times = {.strand = r->times};
    int64_t time = 0, next = 0;
    r->peak = INT64_MIN;
    for (uint64_t i = r->sample_count; i <= r->time_count; i++)
        if (spools_read(r->spools, &times, &next, sizeof next)) /* the start may be among them */
            r->peak = next;
    r->sample_count = 0;
    while (spools_read(r->spools, &samples, &number, sizeof number)) {
        struct sample_value values[] = {{count, number_of(1), STR("")},
                                        {cpu, number_of(0), STR("")}};
        struct node *node = node_at(r, number);
        /* V8 counts no hit where it begins */
        int64_t leaf = r->sample_count == 0 ? node->frame : next_location(r, node);
        r->extra.n = 0;
        if (r->has_times) {
            time = next;
            values[1].value.integer = next_time(r, &times, &next);
            add_number(r, STR(".time"), time);
        }
        push_sample(r, number, leaf, values, r->has_times ? 2 : 1);
    }
    spools_leave(&samples);
    spools_leave(&times);
}

/* Where there are no samples: what nodes count themselves, each line of theirs apart. */
static void push_hits(struct reader *r)
{
    uint32_t type = value_types_add(&r->sink->flow->types, STR("samples"), STR("count"));
    for (size_t i = 0; i < r->order_count; i++) {
        struct node *node = node_at(r, r->order[i]);
        for (int64_t left = node->hits, hits; left > 0; left -= hits) {
            bool has_line = node->tick < node->tick_end;
            const struct tick *tick = has_line ? &r->ticks[node->tick++] : NULL;
            hits = has_line && tick->count < left ? tick->count : left;
            struct sample_value value = {type, number_of(hits), STR("")};
            r->extra.n = 0;
            if (hits > 0)
                push_sample(r, r->order[i], has_line ? tick->location : node->frame, &value, 1);
        }
    }
}

/* --- the file --- */

/* Reads a start or an end. */
static struct str read_end(struct reader *r)
{
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    return arena_copy(&r->arena, r->json.text);
}

static void read_file(struct reader *r)
{
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member_or(&r->json, file_members, FILE_MEMBERS, &seen, &member, &r->others))
        switch (member) {
        case FILE_NODES:
        case FILE_HEAD: read_tree(r, member == FILE_HEAD); break;
        case FILE_SAMPLES: read_samples(r); break;
        case FILE_DELTAS: read_times(r, false); break;
        case FILE_TIMESTAMPS: read_times(r, true); break;
        default: r->ends[member - FILE_START] = read_end(r);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (!r->has_tree)
        tokens_die(&r->json, end, "the file has no nodes");
    r->other_members = kept_members(r, buf_str(&r->others), file_members, FILE_MEMBERS, end);
    check(r, end, (seen & 1u << FILE_TIMESTAMPS) != 0);
}

static void pack_links(struct reader *r)
{
    r->links = mem_alloc((r->node_count + 1) * sizeof *r->links);
    for (uint32_t n = 1; n <= r->node_count; n++)
        r->links[n] = (struct link){node_at(r, n)->parent, node_at(r, n)->frame};
}

static void push_file(struct reader *r, const char *uri)
{
    pack_links(r);
    v8_frames_push(&r->frames, r->sink);
    for (size_t i = 0; i < r->order_count; i++)
        push_lines(r, node_at(r, r->order[i]));
    push_source(r, uri);
    for (size_t i = 0; i < r->order_count; i++)
        push_node(r, node_at(r, r->order[i]));
    if (r->has_samples)
        push_samples(r);
    else
        push_hits(r);
}

void cpuprofile_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .spools = spools_open()};
    r.samples = spools_begin(r.spools);
    r.times = spools_begin(r.spools);
    tokens_open(&r.json, in);
    read_file(&r);
    push_file(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    idmap_free(&r.ids);
    intern_free(&r.locations);
    intern_free(&r.paths);
    v8_frames_free(&r.frames);
    arena_free(&r.arena);
    void *blocks[] = {r.nodes, r.links, r.order, r.ticks, r.listed, r.children, r.stack};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&r.extra);
    buf_free(&r.others);
    buf_free(&r.frame_text);
    buf_free(&r.members);
}

#include "formats/v8_profile.h"

#include "base/mem.h"
#include "formats/v8_members.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

static const char *const node_members[NODE_MEMBERS] = {V8_NODE_MEMBERS};

void v8_profile_begin(struct v8_profile *p, struct tokens *json, struct v8_frames *frames,
                      struct spools *spools, bool strict)
{
    p->json = json;
    p->frames = frames;
    p->spools = spools;
    p->strict = strict;
    p->samples = spools_begin(spools);
    p->times = spools_begin(spools);
}

static struct v8_node *node_at(const struct v8_profile *p, uint32_t number)
{
    return &p->nodes[number - 1];
}

/* --- the tree --- */

/* The number of the node ID, which is named at p->json->where. */
static uint32_t number_of_id(struct v8_profile *p, int64_t id)
{
    uint32_t number = idmap_get(&p->ids, (uint64_t)id + 1);
    if (number != 0)
        return number;
    p->nodes = mem_array(p->nodes, &p->node_capacity, ++p->node_count, sizeof *p->nodes);
    p->nodes[p->node_count - 1] = (struct v8_node){.id = id, .where = p->json->where, .hits = -1};
    idmap_put(&p->ids, (uint64_t)id + 1, (uint32_t)p->node_count);
    return (uint32_t)p->node_count;
}

/* The number of the node whose id is the current token. */
static uint32_t read_id(struct v8_profile *p)
{
    return number_of_id(p, tokens_integer(p->json, 0, "the id of a node, an integer from 0"));
}

static void read_ticks(struct v8_profile *p)
{
    static const char *const names[] = {"line", "ticks"};
    tokens_list(p->json, "a list of lines");
    while (tokens_next(p->json) != TOKEN_ARRAY_END) {
        unsigned seen = 0, member;
        struct v8_tick tick = {0};
        if (p->json->token != TOKEN_OBJECT)
            tokens_unexpected(p->json, "an object with a line and its ticks");
        while (tokens_next_member(p->json, names, 2, &seen, &member))
            *(member == 0 ? &tick.line : &tick.count) =
                tokens_integer(p->json, 0, "an integer from 0");
        p->ticks = mem_array(p->ticks, &p->tick_capacity, ++p->tick_count, sizeof *p->ticks);
        p->ticks[p->tick_count - 1] = tick;
    }
}

/* Appends the ticks from FIRST on to the other members of their node. */
static void keep_ticks(struct v8_profile *p, size_t first)
{
    emit_member(&p->others, STR("positionTicks"));
    buf_add(&p->others, STR("["));
    for (size_t i = first; i < p->tick_count; i++) {
        buf_add(&p->others, i > first ? STR(",{\"line\":") : STR("{\"line\":"));
        emit_number(&p->others, p->ticks[i].line);
        buf_add(&p->others, STR(",\"ticks\":"));
        emit_number(&p->others, p->ticks[i].count);
        buf_add(&p->others, STR("}"));
    }
    buf_add(&p->others, STR("]"));
}

static void set_parent(struct v8_profile *p, uint32_t child, uint32_t parent)
{
    struct v8_node *node = node_at(p, child);
    if (node->parent != 0 && node->parent != parent)
        tokens_die(p->json, node->where, "node %" PRId64 " has more than one parent", node->id);
    node->parent = parent;
}

static uint32_t read_node(struct v8_profile *p);

/* Reads the list of children, ids or in old files nodes, onto p->listed. */
static void read_children(struct v8_profile *p)
{
    tokens_list(p->json, "a list of nodes");
    while (tokens_next(p->json) != TOKEN_ARRAY_END) {
        uint32_t child = p->json->token == TOKEN_OBJECT ? read_node(p) : read_id(p);
        p->listed = mem_array(p->listed, &p->listed_capacity, ++p->listed_count, sizeof *p->listed);
        p->listed[p->listed_count - 1] = child;
    }
}

/* A node as the file has it. */
struct node_text {
    struct v8_frame_text frame;
    uint32_t number, parent;
    int64_t hits;
    size_t tick, tick_end;
    size_t others; /* where its text begins in p->others: parents come before */
    unsigned seen;
};

/* Takes MEMBER of a node. Old files have the members of frames in nodes. */
static void read_member(struct v8_profile *p, struct node_text *n, unsigned member)
{
    switch (member) {
    case NODE_ID: n->number = read_id(p); break;
    case NODE_FRAME: v8_frame_read(p->frames, p->json, &n->frame); break;
    case NODE_HITS: n->hits = tokens_integer(p->json, 0, "an integer from 0"); break;
    case NODE_CHILDREN: read_children(p); break;
    case NODE_PARENT: n->parent = read_id(p); break;
    case NODE_TICKS:
        n->tick = p->tick_count;
        read_ticks(p);
        n->tick_end = p->tick_count;
        keep_ticks(p, n->tick);
        break;
    default: v8_frame_member(p->frames, p->json, member, &n->frame);
    }
}

/* Whether the writer makes the frame of N from its function alone. */
static bool is_plain_frame(const struct v8_profile *p, const struct node_text *n)
{
    const unsigned all = (1u << V8_MEMBERS) - 1, old = all & ~(1u << V8_COLUMN);
    return n->frame.is_numbered == p->is_old && n->frame.plain == (p->is_old ? old : all);
}

struct str v8_profile_kept(struct v8_profile *p, struct str members, const char *const *taken,
                           size_t count, struct tokens_place where)
{
    p->members.n = 0;
    struct str twice = v8_add_members(&p->members, members, taken, count);
    if (twice.p != NULL)
        tokens_die(p->json, where, "\"%.*s\" stands there twice", STR_ARG(twice));
    return arena_copy(&p->arena, buf_str(&p->members));
}

/* Copies the text of N that rows have no columns for to NODE. */
static void keep_text(struct v8_profile *p, struct node_text *n, struct v8_node *node)
{
    bool has_list = (n->seen & 1u << NODE_CHILDREN) != 0;
    if (has_list && node->child == node->child_end && !p->is_old)
        buf_add(&p->others, STR(",\"children\":[]"));
    if (n->parent != 0 && !p->is_trace) {
        emit_member(&p->others, STR("parent"));
        emit_number(&p->others, node_at(p, n->parent)->id);
    }
    if (!p->is_trace) {
        struct str frame = v8_frame_take_text(&n->frame);
        if (!is_plain_frame(p, n))
            node->odd_frame = arena_copy(&p->arena, frame);
    }
    if (p->others.n > n->others)
        node->others =
            v8_profile_kept(p, (struct str){p->others.p + n->others, p->others.n - n->others},
                            node_members, NODE_COLUMNS, node->where);
    p->others.n = n->others;
}

/* Takes the children off p->listed from FIRST on: they are those of the node NUMBER. */
static void take_children(struct v8_profile *p, uint32_t number, size_t first)
{
    size_t count = p->listed_count - first;
    struct v8_node *node = node_at(p, number);
    node->child = node->child_next = p->child_count;
    node->child_end = p->child_count += count;
    if (count > 0)
        p->children =
            mem_array(p->children, &p->child_capacity, p->child_count, sizeof *p->children);
    for (size_t i = 0; i < count; i++) {
        p->children[node->child + i] = p->listed[first + i];
        set_parent(p, p->listed[first + i], number);
    }
    p->listed_count = first;
}

/* Reads the node whose first token was the last one; returns its number. */
static uint32_t read_node(struct v8_profile *p)
{
    struct tokens_place where = p->json->where;
    struct node_text n = {.frame = v8_frame_begin(p->is_trace ? NULL : &p->frame_text), .hits = -1};
    size_t first_child = p->listed_count, place = p->order_count++;
    unsigned member;
    if (p->json->token != TOKEN_OBJECT)
        tokens_unexpected(p->json, "a node");
    n.others = p->others.n;
    while (tokens_next_member_or(p->json, node_members, NODE_MEMBERS, &n.seen, &member, &p->others))
        read_member(p, &n, member);
    if (n.number == 0)
        tokens_die(p->json, where, "the node has no id");
    if (node_at(p, n.number)->frame != 0)
        tokens_die(p->json, where, "node %" PRId64 " stands there twice", node_at(p, n.number)->id);
    p->order = mem_array(p->order, &p->order_capacity, p->order_count, sizeof *p->order);
    p->order[place] = n.number;
    take_children(p, n.number, first_child);
    if (n.parent != 0)
        set_parent(p, n.number, n.parent);
    struct v8_node *node = node_at(p, n.number);
    node->where = where;
    node->frame = v8_frame_add(p->frames, &n.frame.frame);
    node->names_parent = n.parent != 0 && !p->is_old; /* nodes in old files stand in their parent */
    node->hits = n.hits;
    node->has_call_frame = (n.seen & 1u << NODE_FRAME) != 0;
    node->tick = n.tick;
    node->tick_end = n.tick_end;
    keep_text(p, &n, node);
    return n.number;
}

void v8_profile_tree(struct v8_profile *p, bool is_old)
{
    p->has_tree = true;
    p->is_old = is_old;
    if (is_old) {
        read_node(p);
        return;
    }
    tokens_list(p->json, "a list of nodes");
    while (tokens_next(p->json) != TOKEN_ARRAY_END)
        read_node(p);
}

/* Sets depth and path of the node NUMBER and of those that it is below, outermost first. */
static void place_node(struct v8_profile *p, uint32_t number)
{
    size_t above = 0;
    for (uint32_t n = number; n != 0 && node_at(p, n)->depth == 0; n = node_at(p, n)->parent) {
        if (above == p->node_count)
            tokens_die(p->json, node_at(p, number)->where, "node %" PRId64 " stands below itself",
                       node_at(p, number)->id);
        p->stack = mem_array(p->stack, &p->stack_capacity, above + 1, sizeof *p->stack);
        p->stack[above++] = n;
    }
    while (above > 0) {
        struct v8_node *node = node_at(p, (uint32_t)p->stack[--above]);
        const struct v8_node *parent = node->parent == 0 ? NULL : node_at(p, node->parent);
        bool is_new;
        node->depth = parent == NULL ? 1 : parent->depth + 1;
        node->path =
            stack_tree_add(&p->paths, parent == NULL ? 0 : parent->path, node->frame, &is_new);
        node->is_twin = !is_new;
    }
}

/* Finds the nodes whose children are not listed in the order of nodes. */
static void check_order(struct v8_profile *p)
{
    for (size_t i = 0; i < p->order_count; i++) {
        const struct v8_node *node = node_at(p, p->order[i]);
        if (node->parent == 0 || node->names_parent)
            continue;
        struct v8_node *parent = node_at(p, node->parent);
        parent->is_misordered |= p->children[parent->child_next++] != p->order[i];
    }
    for (size_t i = 0; i < p->order_count; i++) {
        struct v8_node *node = node_at(p, p->order[i]);
        node->is_misordered |= node->child_next != node->child_end;
    }
}

/* Old files count from 0, or from 1 as V8 does inside: a (root), which has no line, then has 0. */
int64_t v8_profile_first_line(const struct v8_profile *p)
{
    struct v8_frame root;
    if (!p->is_old || p->order_count == 0)
        return 0;
    memcpy(&root, intern_get(&p->frames->frames, node_at(p, p->order[0])->frame).p, sizeof root);
    return root.line == 0;
}

/* Replaces the frames of nodes by their functions. */
static void find_functions(struct v8_profile *p)
{
    for (uint32_t n = 1; n <= p->node_count; n++)
        if (node_at(p, n)->frame != 0)
            node_at(p, n)->frame = v8_function(p->frames, node_at(p, n)->frame);
}

static _Noreturn void die_missing(const struct v8_profile *p, const struct v8_node *node)
{
    tokens_die(p->json, node->where, "there is no node %" PRId64, node->id);
}

/* A trace may have lost pieces, with the nodes in them, as its buffer was full. */
static bool may_lack_nodes(const struct v8_profile *p)
{
    return p->is_trace && !p->strict;
}

/* Ends the tool if a node is missing, or, where that may be, counts it as lost and ends stacks in front of
 * it. A trace may list children that are missing in any case. */
static void check_nodes(struct v8_profile *p)
{
    for (uint32_t n = 1; n <= p->node_count; n++) {
        struct v8_node *node = node_at(p, n);
        const struct v8_node *parent = node->parent == 0 ? NULL : node_at(p, node->parent);
        if (node->frame == 0 && !p->is_trace)
            die_missing(p, node);
        if (node->frame == 0) {
            loss_add(LOSS_REFERENCES, STR("node"), 1);
        } else if (parent != NULL && parent->frame == 0) {
            if (!may_lack_nodes(p))
                die_missing(p, parent);
            node->parent = 0;
        }
    }
}

void v8_profile_finish(struct v8_profile *p, struct tokens_place end, bool have_start)
{
    check_nodes(p);
    p->first_line = v8_profile_first_line(p);
    find_functions(p);
    for (size_t i = 0; i < p->order_count; i++)
        place_node(p, p->order[i]);
    if (!p->is_trace)
        check_order(p);
    if (p->has_times && p->time_count != p->sample_count &&
        (!have_start || p->time_count != p->sample_count + 1))
        tokens_die(p->json, end, "expected as many times as samples, %" PRIu64 ", found %" PRIu64,
                   p->sample_count, p->time_count);
}

/* --- rows --- */

/* Appends the member NAME whose value is the string TEXT, unless that has a null p. */
static void add_text(struct v8_profile *p, struct str name, struct str text)
{
    if (text.p == NULL)
        return;
    emit_member(&p->extra, name);
    buf_add(&p->extra, STR("\""));
    text_escape(&p->extra, text);
    buf_add(&p->extra, STR("\""));
}

/* The same for the text of an object with MEMBERS, each behind a comma. */
static void add_members(struct v8_profile *p, struct str name, struct str members)
{
    if (members.p == NULL)
        return;
    emit_member(&p->extra, name);
    buf_add(&p->extra, STR("\"{"));
    if (members.n > 0)
        text_escape(&p->extra, (struct str){members.p + 1, members.n - 1});
    buf_add(&p->extra, STR("}\""));
}

static void add_number(struct v8_profile *p, struct str name, int64_t number)
{
    emit_member(&p->extra, name);
    emit_number(&p->extra, number);
}

void v8_profile_push_source(struct v8_profile *p, const struct v8_target *target, const char *uri,
                            struct number timestamp)
{
    p->extra.n = 0;
    emit_member(&p->extra, STR(".cpuprofile"));
    size_t at = p->extra.n;
    add_text(p, STR("start"), p->ends[0]);
    add_text(p, STR("end"), p->ends[1]);
    add_number(p, STR("nodes"), (int64_t)p->order_count);
    if (p->has_samples)
        add_number(p, STR("samples"), (int64_t)p->sample_count);
    buf_add(&p->extra, p->has_times ? STR(",\"timed\":true") : STR(""));
    buf_add(&p->extra, p->is_old ? STR(",\"old\":true") : STR(""));
    if (p->first_line != 0)
        add_number(p, STR("first_line"), p->first_line);
    add_text(p, STR("zero"), p->zero_text);
    if (p->time_count > p->sample_count)
        buf_add(&p->extra, STR(",\"zero_listed\":true"));
    if (p->other_members.n > 0)
        add_members(p, STR("others"), p->other_members);
    emit_make_object(&p->extra, at);
    bytes_rows_source(&p->frames->rows, target->sink, target->source_id, STR("cpuprofile"), uri,
                      timestamp, &p->extra);
}

/* The other members of NODE, as text, with its children where those need to be listed. */
static struct str others_of(struct v8_profile *p, const struct v8_node *node)
{
    if (!node->is_misordered)
        return node->others;
    struct buf *text = &p->frame_text;
    text->n = 0;
    buf_add(text, node->others);
    buf_add(text, STR(",\"children\":["));
    for (size_t i = node->child; i < node->child_end; i++) {
        buf_add(text, i > node->child ? STR(",") : STR(""));
        emit_number(text, node_at(p, p->children[i])->id);
    }
    buf_add(text, STR("]"));
    return buf_str(text);
}

static void push_node(struct v8_profile *p, const struct v8_target *target,
                      const struct v8_node *node)
{
    p->extra.n = 0;
    add_number(p, STR("source_id"), target->source_id);
    add_number(p, STR("function_id"), node->frame);
    add_number(p, STR("id"), node->id);
    if (node->parent != 0)
        add_number(p, STR("parent"), node_at(p, node->parent)->id);
    if (node->hits >= 0)
        add_number(p, STR("hits"), node->hits);
    const size_t number = (size_t)(node - p->nodes) + 1;
    const int64_t samples = number < p->taken_capacity ? (int64_t)p->taken[number] : 0;
    if (p->has_samples && samples != (node->hits > 0 ? node->hits : 0))
        add_number(p, STR("samples"), samples);
    buf_add(&p->extra, p->is_old && node->has_call_frame ? STR(",\"call_frame\":true") : STR(""));
    add_members(p, STR("frame"), node->odd_frame);
    add_members(p, STR("others"), others_of(p, node));
    emit_check_length(STR(".cpuprofile_nodes"), p->extra.n);
    sink_row(target->sink, &(struct row){.table = TABLE_DOTTED,
                                         .dotted = {STR(".cpuprofile_nodes")},
                                         .extra = buf_str(&p->extra)});
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
static void number_ids(struct v8_profile *p, uint32_t *numbers, size_t count)
{
    struct tokens_place last = p->json->where;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = idmap_get(&p->ids, (uint64_t)numbers[i] + 1);
        if (number == 0) {
            p->json->where = last;
            p->json->where = place_before(p->json, count - 1 - i);
            number = number_of_id(p, numbers[i]);
        }
        numbers[i] = number;
    }
    p->json->where = last;
}

/* Counts the COUNT samples of the nodes NUMBERS. */
static void count_samples(struct v8_profile *p, const uint32_t *numbers, size_t count)
{
    if (p->node_count >= p->taken_capacity)
        p->taken =
            mem_array_zeroed(p->taken, &p->taken_capacity, p->node_count + 1, sizeof *p->taken);
    for (size_t i = 0; i < count; i++)
        p->taken[numbers[i]]++;
}

void v8_profile_samples(struct v8_profile *p)
{
    uint32_t numbers[BATCH];
    size_t count;
    tokens_list(p->json, "a list of ids of nodes");
    for (p->has_samples = true;; p->sample_count += count) {
        count = tokens_take_indexes(p->json, UINT32_MAX, numbers, BATCH);
        if (count > 0) {
            number_ids(p, numbers, count);
        } else {
            if (tokens_next(p->json) == TOKEN_ARRAY_END)
                return;
            numbers[count++] = read_id(p);
        }
        count_samples(p, numbers, count);
        spools_write(p->spools, p->samples,
                     (struct str){(const char *)numbers, count * sizeof *numbers});
    }
}

/* Takes TIME, in nanoseconds after the start, as the next one. V8 may write some in the wrong
 * order. */
static void take_time(struct v8_profile *p, int64_t time)
{
    int64_t ignored;
    bool is_back = p->time_count > 0 && time < p->time;
    if (is_back && p->strict)
        tokens_unexpected(p->json, "a time that is not before the one in front of it");
    if (p->time_count == 0 || time > p->peak)
        p->peak = time;
    if (__builtin_sub_overflow(p->peak, time, &ignored))
        tokens_unexpected(p->json, "a time less than 292 years from the others");
    p->time = time;
    p->time_count++;
}

/* Takes the COUNT times DELTAS, each in microseconds after the one before; stores them in TIMES. */
static void take_deltas(struct v8_profile *p, const uint32_t *deltas, int64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (__builtin_add_overflow(p->time, (int64_t)deltas[i] * 1000, &times[i]))
            tokens_unexpected(p->json, "a time less than 292 years from the others");
        take_time(p, times[i]);
    }
}

/* The current token, in microseconds, in nanoseconds after p->zero. */
static int64_t read_time(struct v8_profile *p)
{
    int64_t integer, time;
    bool has_zero = p->zero_text.p != NULL;
    if (!has_zero && p->json->token == TOKEN_NUMBER && text_is_integer(p->json->text, &integer) &&
        !__builtin_mul_overflow(integer, 1000, &time))
        return time;
    struct decimal given = decimal_of(0);
    if (p->json->token == TOKEN_NUMBER)
        given = decimal_read(p->json->text);
    decimal_subtract(&given, p->zero);
    given = decimal_multiply(given, decimal_of(1000));
    if (p->json->token != TOKEN_NUMBER || !decimal_round(given, &time))
        tokens_unexpected(p->json, "a number of microseconds");
    struct decimal more = decimal_of(time);
    decimal_subtract(&more, given);
    if (decimal_sign(more) != 0)
        loss_add_fraction(STR(".time"), more);
    return time;
}

/* Takes the current token as the next time: after the one before, or IS_ABSOLUTE. */
static int64_t next_absolute(struct v8_profile *p, bool is_absolute)
{
    if (is_absolute && p->time_count == 0 && p->json->token == TOKEN_NUMBER) {
        p->zero = decimal_read(p->json->text);
        p->zero_text = arena_copy(&p->arena, p->json->text);
    }
    int64_t time = read_time(p);
    if (__builtin_add_overflow(time, is_absolute ? 0 : p->time, &time))
        tokens_unexpected(p->json, "a time less than 292 years from the others");
    take_time(p, time);
    return time;
}

void v8_profile_times(struct v8_profile *p, bool is_absolute)
{
    uint32_t deltas[BATCH];
    int64_t times[BATCH];
    size_t count = 0;
    tokens_list(p->json, "a list of times");
    for (p->has_times = true;;) {
        if (!is_absolute)
            count = tokens_take_indexes(p->json, UINT32_MAX, deltas, BATCH);
        if (count > 0) {
            take_deltas(p, deltas, times, count);
        } else {
            if (tokens_next(p->json) == TOKEN_ARRAY_END)
                return;
            times[count++] = next_absolute(p, is_absolute);
        }
        spools_write(p->spools, p->times, (struct str){(const char *)times, count * sizeof *times});
        count = 0;
    }
}

void v8_profile_lines(struct v8_profile *p, uint64_t first)
{
    static const uint32_t none;
    uint32_t lines[BATCH];
    if (!p->has_lines)
        p->lines = spools_begin(p->spools);
    p->has_lines = true;
    for (; p->line_count < first; p->line_count++) /* those before have none */
        spools_write(p->spools, p->lines, (struct str){(const char *)&none, sizeof none});
    tokens_list(p->json, "a list of lines");
    for (;;) {
        size_t count = tokens_take_indexes(p->json, UINT32_MAX, lines, BATCH);
        if (count == 0) {
            if (tokens_next(p->json) == TOKEN_ARRAY_END)
                return;
            int64_t line = tokens_integer(p->json, 0, "a line, an integer from 0");
            lines[count++] = line > UINT32_MAX ? 0 : (uint32_t)line;
        }
        p->line_count += count;
        spools_write(p->spools, p->lines, (struct str){(const char *)lines, count * sizeof *lines});
    }
}

void v8_profile_end(struct v8_profile *p, bool is_end)
{
    if (p->json->token != TOKEN_NUMBER)
        tokens_unexpected(p->json, "a number");
    p->ends[is_end] = arena_copy(&p->arena, p->json->text);
}

/* Pushes a sample of the node NUMBER whose innermost location is LEAF; p->extra has its dotted
 * columns. */
static void push_sample(struct v8_profile *p, const struct v8_target *target, uint32_t number,
                        int64_t leaf, struct sample_value *values, size_t value_count)
{
    const struct v8_node *node = node_at(p, number);
    size_t i = 0;
    if (node->frame == 0) {
        if (!may_lack_nodes(p))
            die_missing(p, node);
        number = 0; /* it has no stack */
    }
    growth_check_depth(node->depth, target->sink->flow->where);
    p->stack = mem_array(p->stack, &p->stack_capacity, node->depth, sizeof *p->stack);
    for (uint32_t n = number; n != 0; n = p->links[n].parent)
        p->stack[i++] = p->links[n].frame;
    if (number != 0)
        p->stack[0] = leaf;
    buf_add(&p->extra, target->labels);
    if (node->is_twin)
        add_number(p, STR(".cpuprofile_node"), node->id);
    sink_sample(target->sink, &(struct sample){.sample_id = ++*target->sample_id,
                                               .source_id = target->source_id,
                                               .extra = buf_str(&p->extra),
                                               .values = values,
                                               .value_count = value_count,
                                               .locations = p->stack,
                                               .depth = node->depth});
}

/* Where the next sample of NODE is: its lines are counted, but not which sample was on which. */
static int64_t next_location(struct v8_profile *p, struct v8_node *node)
{
    while (node->tick < node->tick_end && p->ticks[node->tick].count == 0)
        node->tick++;
    if (node->tick == node->tick_end)
        return node->frame;
    p->ticks[node->tick].count--;
    return p->ticks[node->tick].location;
}

/* The same where LINES says it: the location of a sample of NODE, pushed to SINK if it is new. */
static int64_t take_line(struct v8_profile *p, struct sink *sink, struct spools_walk *lines,
                         struct v8_node *node)
{
    uint32_t line = 0;
    spools_read(p->spools, lines, &line, sizeof line); /* may be missing for the last ones */
    if (line == 0 || node->frame == 0)
        return node->frame;
    if (node->line != line) {
        node->line = line;
        node->line_location = (uint32_t)v8_frames_line(p->frames, sink, node->frame, line);
    }
    return node->line_location;
}

/* Pushes the locations in the lines of samples. */
static void push_sample_lines(struct v8_profile *p, struct sink *sink)
{
    struct spools_walk samples = {.strand = p->samples}, lines = {.strand = p->lines};
    uint32_t number;
    while (spools_read(p->spools, &samples, &number, sizeof number))
        take_line(p, sink, &lines, node_at(p, number));
    spools_leave(&samples);
    spools_leave(&lines);
}

void v8_profile_push_locations(struct v8_profile *p, struct sink *sink)
{
    for (size_t i = 0; i < p->order_count; i++) {
        const struct v8_node *node = node_at(p, p->order[i]);
        for (size_t k = node->tick; k < node->tick_end; k++)
            p->ticks[k].location = v8_frames_line(p->frames, sink, node->frame, p->ticks[k].line);
    }
    if (p->has_lines)
        push_sample_lines(p, sink);
}

/* Reads the time of a sample behind the one whose time is *TIME. Returns how long that one took: a
 * time in the wrong order counts as none, until one is above all before it. */
static int64_t next_time(struct v8_profile *p, struct spools_walk *times, int64_t *time)
{
    int64_t before = p->peak;
    if (!spools_read(p->spools, times, time, sizeof *time))
        return 0; /* how long the last one takes nobody knows */
    p->peak = *time > before ? *time : before;
    return p->peak - before;
}

static void push_samples(struct v8_profile *p, const struct v8_target *target)
{
    struct value_types *types = &target->sink->flow->types;
    uint32_t count = value_types_add(types, STR("samples"), STR("count")), number;
    uint32_t cpu = value_types_add(types, STR("cpu"), STR("nanoseconds"));
    struct spools_walk samples = {.strand = p->samples}, times = {.strand = p->times};
    struct spools_walk lines = {.strand = p->lines};
    int64_t time = 0, next = 0;
    bool is_first = true;
    p->peak = INT64_MIN;
    for (uint64_t i = p->sample_count; i <= p->time_count; i++)
        if (spools_read(p->spools, &times, &next, sizeof next)) /* the start may be among them */
            p->peak = next;
    for (; spools_read(p->spools, &samples, &number, sizeof number); is_first = false) {
        struct sample_value values[] = {{count, number_of(1), STR("")},
                                        {cpu, number_of(0), STR("")}};
        struct v8_node *node = node_at(p, number);
        /* V8 counts no hit where it begins */
        int64_t leaf = p->has_lines ? take_line(p, target->sink, &lines, node)
                       : is_first   ? node->frame
                                    : next_location(p, node);
        p->extra.n = 0;
        if (p->has_times) {
            time = next;
            values[1].value.integer = next_time(p, &times, &next);
            add_number(p, STR(".time"), time);
        }
        push_sample(p, target, number, leaf, values, p->has_times ? 2 : 1);
    }
    spools_leave(&samples);
    spools_leave(&times);
    spools_leave(&lines);
}

/* Where there are no samples: what nodes count themselves, each line of theirs apart. */
static void push_hits(struct v8_profile *p, const struct v8_target *target)
{
    uint32_t type = value_types_add(&target->sink->flow->types, STR("samples"), STR("count"));
    for (size_t i = 0; i < p->order_count; i++) {
        struct v8_node *node = node_at(p, p->order[i]);
        for (int64_t left = node->hits, hits; left > 0; left -= hits) {
            bool has_line = node->tick < node->tick_end;
            const struct v8_tick *tick = has_line ? &p->ticks[node->tick++] : NULL;
            hits = has_line && tick->count < left ? tick->count : left;
            struct sample_value value = {type, number_of(hits), STR("")};
            p->extra.n = 0;
            if (hits > 0)
                push_sample(p, target, p->order[i], has_line ? tick->location : node->frame, &value,
                            1);
        }
    }
}

static void pack_links(struct v8_profile *p)
{
    p->links = mem_alloc((p->node_count + 1) * sizeof *p->links);
    for (uint32_t n = 1; n <= p->node_count; n++)
        p->links[n] = (struct v8_link){node_at(p, n)->parent, node_at(p, n)->frame};
}

void v8_profile_push(struct v8_profile *p, const struct v8_target *target)
{
    pack_links(p);
    for (size_t i = 0; i < p->order_count; i++)
        push_node(p, target, node_at(p, p->order[i]));
    if (p->has_samples)
        push_samples(p, target);
    else
        push_hits(p, target);
}

void v8_profile_free(struct v8_profile *p)
{
    idmap_free(&p->ids);
    stack_tree_free(&p->paths);
    arena_free(&p->arena);
    MEM_FREE(p->nodes, p->links, p->order, p->ticks, p->listed, p->children, p->stack, p->taken);
    buf_free(&p->extra);
    buf_free(&p->others);
    buf_free(&p->frame_text);
    buf_free(&p->members);
}

/* Heap profiles of V8, which Chrome, Node.js and others write: JSON with a tree of nodes that own
 * bytes, and perhaps the allocations that were sampled. See heapprofile2ndjson(1) for the rules. */
#include "base/idmap.h"
#include "base/mem.h"
#include "base/spool.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "formats/v8.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "stream/growth.h"

#include <inttypes.h>

struct node {
    uint32_t parent; /* its number, 0: none */
    uint32_t frame, depth;
    int64_t bytes;
};

/* An allocation that was sampled. */
struct allocation {
    int64_t bytes, node, ordinal; /* the id of its node; ordinal below 0: none */
    struct tokens_place where;
};

struct reader {
    struct tokens json;
    struct sink *sink;
    struct v8_frames frames;
    struct idmap ids; /* of nodes, plus 1 */
    struct node *nodes;
    size_t node_count, node_capacity;
    int64_t *stack;
    size_t stack_capacity;
    struct spool *allocations;
    bool has_allocations;
    int64_t sample_id;
    struct buf extra;
};

/* --- the tree --- */

static void read_node(struct reader *r, uint32_t parent);

static void read_children(struct reader *r, uint32_t parent)
{
    tokens_list(&r->json, "a list of nodes");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_node(r, parent);
}

static void read_id(struct reader *r, uint32_t number)
{
    int64_t id = tokens_integer(&r->json, 0, "the id of a node, an integer from 0");
    if (idmap_get(&r->ids, (uint64_t)id + 1) != 0)
        tokens_die(&r->json, r->json.where, "node %" PRId64 " stands there twice", id);
    idmap_put(&r->ids, (uint64_t)id + 1, number);
}

/* Reads the node, below PARENT, whose first token was the last one. */
static void read_node(struct reader *r, uint32_t parent)
{
    static const char *const names[] = {"callFrame", "selfSize", "id", "children"};
    struct v8_frame_text frame = v8_frame_begin(NULL);
    struct tokens_place where = r->json.where;
    uint32_t number = (uint32_t)++r->node_count;
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a node");
    r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count, sizeof *r->nodes);
    r->nodes[number - 1] =
        (struct node){.parent = parent, .depth = parent == 0 ? 1 : r->nodes[parent - 1].depth + 1};
    while (tokens_next_member(&r->json, names, 4, &seen, &member))
        switch (member) {
        case 0:
            v8_frame_read(&r->frames, &r->json, &frame);
            r->nodes[number - 1].frame = v8_frame_add(&r->frames, &frame.frame);
            break;
        case 1: r->nodes[number - 1].bytes = tokens_integer(&r->json, 0, "a size from 0"); break;
        case 2: read_id(r, number); break;
        default: read_children(r, number);
        }
    if ((seen & 1) == 0)
        tokens_die(&r->json, where, "the node has no callFrame");
}

static void read_allocations(struct reader *r)
{
    static const char *const names[] = {"size", "nodeId", "ordinal"};
    tokens_list(&r->json, "a list of allocations");
    for (r->has_allocations = true; tokens_next(&r->json) != TOKEN_ARRAY_END;) {
        struct allocation a = {.ordinal = -1, .where = r->json.where};
        int64_t *const to[] = {&a.bytes, &a.node, &a.ordinal};
        unsigned seen = 0, member;
        if (r->json.token != TOKEN_OBJECT)
            tokens_unexpected(&r->json, "an allocation");
        while (tokens_next_member(&r->json, names, 3, &seen, &member))
            *to[member] = tokens_integer(&r->json, 0, "an integer from 0");
        if ((seen & 3) != 3)
            tokens_die(&r->json, a.where, "the allocation has no %s",
                       (seen & 1) == 0 ? "size" : "nodeId");
        spool_write(r->allocations, (struct str){(const char *)&a, sizeof a});
    }
}

/* --- rows --- */

static void push_source(struct reader *r, const struct read_request *request, const char *uri)
{
    r->extra.n = 0;
    listed_begin(&r->extra);
    if (r->has_allocations)
        listed_add(&r->extra, STR("sampled_space"), STR("bytes"), LISTED_SUM);
    listed_add(&r->extra, STR("inuse_space"), STR("bytes"), LISTED_SUM);
    listed_end(&r->extra);
    bytes_rows_source(&r->frames.rows, r->sink, 1, STR("heapprofile"), uri, request->timestamp,
                      &r->extra);
}

/* Pushes BYTES of TYPE in the node NUMBER, 0: none; r->extra has the dotted columns of the
 * sample. */
static void push_sample(struct reader *r, uint32_t number, uint32_t type, int64_t bytes)
{
    struct sample_value value = {type, number_of(bytes), STR("")};
    size_t depth = number == 0 ? 0 : r->nodes[number - 1].depth, i = 0;
    growth_check_depth(depth, r->sink->flow->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, depth, sizeof *r->stack);
    for (uint32_t n = number; n != 0; n = r->nodes[n - 1].parent)
        r->stack[i++] = v8_function(&r->frames, r->nodes[n - 1].frame);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = &value,
                                          .value_count = 1,
                                          .locations = r->stack,
                                          .depth = depth});
}

static void push_nodes(struct reader *r)
{
    uint32_t type = value_types_add(&r->sink->flow->types, STR("inuse_space"), STR("bytes"));
    r->extra.n = 0;
    for (uint32_t number = 1; number <= r->node_count; number++)
        if (r->nodes[number - 1].bytes > 0)
            push_sample(r, number, type, r->nodes[number - 1].bytes);
}

/* V8 takes samples while it writes the tree: their nodes may be missing. */
static void push_allocations(struct reader *r, bool is_strict)
{
    uint32_t type = value_types_add(&r->sink->flow->types, STR("sampled_space"), STR("bytes"));
    struct allocation a;
    spool_rewind(r->allocations);
    while (spool_read(r->allocations, &a, sizeof a)) {
        uint32_t number = idmap_get(&r->ids, (uint64_t)a.node + 1);
        if (number == 0 && is_strict)
            tokens_die(&r->json, a.where, "there is no node %" PRId64, a.node);
        r->extra.n = 0;
        if (a.ordinal >= 0) {
            emit_member(&r->extra, STR(".heapprofile_ordinal"));
            emit_number(&r->extra, a.ordinal);
        }
        push_sample(r, number, type, a.bytes);
    }
}

/* --- the file --- */

static void read_file(struct reader *r)
{
    static const char *const names[] = {"head", "samples"};
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, 2, &seen, &member))
        if (member == 0)
            read_node(r, 0);
        else
            read_allocations(r);
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if ((seen & 1) == 0)
        tokens_die(&r->json, end, "the file has no nodes");
}

static void read_heapprofile(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.sink = sink, .allocations = spool_open()};
    tokens_open(&r.json, in);
    read_file(&r);
    v8_frames_finish(&r.frames, 0);
    v8_frames_push(&r.frames, sink);
    push_source(&r, request, format_source_uri(request, in));
    push_nodes(&r);
    push_allocations(&r, request->strict);
    tokens_close(&r.json);
    spool_close(r.allocations);
    idmap_free(&r.ids);
    v8_frames_free(&r.frames);
    mem_free(r.nodes);
    mem_free(r.stack);
    buf_free(&r.extra);
}

/* No other format has sizes of frames of V8. */
static enum bid bid_heapprofile(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_has(head, STR("\"selfSize\"")) && json_head_has(head, STR("\"callFrame\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

const struct format format_heapprofile = {
    .name = "a .heapprofile file",
    .converter = "heapprofile2ndjson",
    .bid = bid_heapprofile,
    .read = read_heapprofile,
    .is_document = true,
};

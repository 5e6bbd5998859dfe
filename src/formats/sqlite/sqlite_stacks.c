#include "formats/sqlite/sqlite_stacks.h"

#include "base/hash.h"
#include "base/mem.h"

/* Whether the stack with the DEPTH locations IDS, innermost first, ends in node NUMBER. */
static bool ends_in(const struct sqlite_stacks *s, uint32_t number, const int64_t *ids,
                    size_t depth)
{
    size_t i = 0;
    for (; i < depth && number != 0; number = s->tree.nodes[number - 1].parent)
        if (s->tree.nodes[number - 1].frame != (uint32_t)ids[i++])
            return false;
    return i == depth && number == 0;
}

/* Adds the stack with the DEPTH locations IDS frame by frame; returns the node in which it ends. */
static uint32_t add_frames(struct sqlite_stacks *s, const int64_t *ids, size_t depth)
{
    s->last_locations =
        mem_array(s->last_locations, &s->last_capacity, depth, sizeof *s->last_locations);
    s->last_nodes = mem_array(s->last_nodes, &s->last_node_capacity, depth, sizeof *s->last_nodes);
    size_t shared = 0;
    while (shared < depth && shared < s->last_depth &&
           s->last_locations[shared] == (uint32_t)ids[depth - 1 - shared])
        shared++;
    uint32_t node = shared == 0 ? 0 : s->last_nodes[shared - 1];
    for (size_t i = shared; i < depth; i++) {
        uint32_t location = (uint32_t)ids[depth - 1 - i];
        node = stack_tree_add(&s->tree, node, location, NULL);
        s->last_locations[i] = location;
        s->last_nodes[i] = node;
    }
    s->last_depth = depth;
    return node;
}

uint32_t sqlite_stacks_add(struct sqlite_stacks *s, const int64_t *ids, size_t depth)
{
    enum { ENDS = 1 << 14 };
    if (depth == 0)
        return 0;
    if (s->ends == NULL)
        s->ends = mem_alloc_zeroed(ENDS * sizeof *s->ends);
    uint64_t hash = hash_bytes((struct str){(const char *)ids, depth * sizeof *ids});
    uint32_t *known = &s->ends[hash % ENDS];
    if (*known == 0 || !ends_in(s, *known, ids, depth))
        *known = add_frames(s, ids, depth);
    s->end_of = mem_array_zeroed(s->end_of, &s->end_capacity, s->tree.count, sizeof *s->end_of);
    if (s->end_of[*known - 1] == 0)
        s->end_of[*known - 1] = ++s->end_count;
    return *known;
}

void sqlite_stacks_finish(struct sqlite_stacks *s)
{
    stack_tree_finish(&s->tree);
    mem_free(s->ends);
    mem_free(s->last_locations);
    mem_free(s->last_nodes);
    s->ends = NULL;
    s->last_locations = s->last_nodes = NULL;
}

void sqlite_stacks_free(struct sqlite_stacks *s)
{
    sqlite_stacks_finish(s);
    stack_tree_free(&s->tree);
    mem_free(s->end_of);
    *s = (struct sqlite_stacks){0};
}

#include "formats/sqlite/sqlite_stacks.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"

#include <stdbool.h>

/* A slot of the hash table: the key of a node, 0 for an empty slot; and its number. */
struct sqlite_stacks_slot {
    uint64_t key;
    uint32_t node;
};

static struct sqlite_stacks_slot *find(const struct sqlite_stacks *s, uint64_t key)
{
    size_t mask = s->slot_count - 1, i = hash_number(key) & mask;
    while (s->slots[i].key != 0 && s->slots[i].key != key)
        i = (i + 1) & mask;
    return &s->slots[i];
}

static uint64_t key_of(struct sqlite_node node)
{
    return (uint64_t)node.parent << 32 | node.location;
}

/* Doubles the hash table. */
static void grow(struct sqlite_stacks *s)
{
    enum { MIN = 1024 };
    mem_free(s->slots);
    s->slot_count = s->slot_count == 0 ? MIN : 2 * s->slot_count;
    s->slots = NULL;
    s->slots = mem_alloc_zeroed(s->slot_count * sizeof *s->slots);
    for (uint32_t i = 0; i < s->count; i++)
        *find(s, key_of(s->nodes[i])) = (struct sqlite_stacks_slot){key_of(s->nodes[i]), i + 1};
}

/* The number of NODE. */
static uint32_t number_of(struct sqlite_stacks *s, struct sqlite_node node)
{
    if (s->count >= s->slot_count / 2)
        grow(s);
    struct sqlite_stacks_slot *slot = find(s, key_of(node));
    if (slot->key != 0)
        return slot->node;
    if (s->count == UINT32_MAX)
        die(CODE_TOO_MANY, "more than %u distinct stacks", UINT32_MAX);
    s->nodes = mem_array(s->nodes, &s->node_capacity, (size_t)s->count + 1, sizeof *s->nodes);
    s->nodes[s->count++] = node;
    *slot = (struct sqlite_stacks_slot){key_of(node), s->count};
    return s->count;
}

/* Whether the stack with the DEPTH locations IDS, innermost first, ends in node NUMBER. */
static bool ends_in(const struct sqlite_stacks *s, uint32_t number, const int64_t *ids,
                    size_t depth)
{
    size_t i = 0;
    for (; i < depth && number != 0; number = s->nodes[number - 1].parent)
        if (s->nodes[number - 1].location != (uint32_t)ids[i++])
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
        node = number_of(s, (struct sqlite_node){node, location, 0});
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
    if (s->nodes[*known - 1].end == 0)
        s->nodes[*known - 1].end = ++s->end_count;
    return *known;
}

void sqlite_stacks_finish(struct sqlite_stacks *s)
{
    mem_free(s->slots);
    mem_free(s->ends);
    mem_free(s->last_locations);
    mem_free(s->last_nodes);
    s->slots = NULL;
    s->ends = NULL;
    s->last_locations = s->last_nodes = NULL;
}

void sqlite_stacks_free(struct sqlite_stacks *s)
{
    sqlite_stacks_finish(s);
    mem_free(s->nodes);
    *s = (struct sqlite_stacks){0};
}

#include "profile/stack_tree.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"

/* The index of the first slot that may have the number of NODE. */
static size_t home(const struct stack_tree *t, struct stack_node node)
{
    return hash_number((uint64_t)node.parent << 32 | node.frame) & (t->slot_count - 1);
}

/* The slot of NODE: one that has its number, or a free one. */
static uint32_t *find(const struct stack_tree *t, struct stack_node node)
{
    size_t i = home(t, node);
    for (; t->slots[i] != 0; i = (i + 1) & (t->slot_count - 1)) {
        const struct stack_node *known = &t->nodes[t->slots[i] - 1];
        if (known->parent == node.parent && known->frame == node.frame)
            break;
    }
    return &t->slots[i];
}

/* Doubles the hash table. */
static void grow(struct stack_tree *t)
{
    enum { MIN = 1024 };
    mem_free(t->slots);
    t->slot_count = t->slot_count == 0 ? MIN : 2 * t->slot_count;
    t->slots = NULL;
    t->slots = mem_alloc_zeroed(t->slot_count * sizeof *t->slots);
    for (uint32_t i = 0; i < t->count; i++)
        *find(t, t->nodes[i]) = i + 1;
}

uint32_t stack_tree_add(struct stack_tree *t, uint32_t parent, uint32_t frame, bool *is_new)
{
    struct stack_node node = {parent, frame};
    if (t->count >= t->slot_count / 2)
        grow(t);
    uint32_t *slot = find(t, node);
    if (is_new != NULL)
        *is_new = *slot == 0;
    if (*slot != 0)
        return *slot;
    if (t->count == UINT32_MAX)
        die(CODE_TOO_MANY, "more than %u distinct stacks", UINT32_MAX);
    t->nodes = mem_array(t->nodes, &t->capacity, (size_t)t->count + 1, sizeof *t->nodes);
    t->nodes[t->count++] = node;
    return *slot = t->count;
}

void stack_tree_prefetch(const struct stack_tree *t, uint32_t parent, uint32_t frame)
{
    if (t->slot_count > 0)
        __builtin_prefetch(&t->slots[home(t, (struct stack_node){parent, frame})], 1);
}

void stack_tree_prefetch_node(const struct stack_tree *t, uint32_t parent, uint32_t frame)
{
    if (t->slot_count == 0)
        return;
    const uint32_t number = t->slots[home(t, (struct stack_node){parent, frame})];
    if (number != 0)
        __builtin_prefetch(&t->nodes[number - 1]);
}

void stack_tree_finish(struct stack_tree *t)
{
    mem_free(t->slots);
    t->slots = NULL;
    t->slot_count = 0;
}

void stack_tree_free(struct stack_tree *t)
{
    stack_tree_finish(t);
    mem_free(t->nodes);
    *t = (struct stack_tree){0};
}

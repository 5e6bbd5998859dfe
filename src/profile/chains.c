#include "profile/chains.h"

#include "base/mem.h"

#include <stdbool.h>

struct chains_row *chains_at(struct chains *c, size_t id)
{
    c->rows = mem_array(c->rows, &c->capacity, id, sizeof *c->rows);
    return &c->rows[id - 1];
}

/* Sets the stack to the locations of the rows IDS. Returns false in the rare case that one is not
 * made yet or is cut; make_stack then handles the stack. Which rows begin a location cannot be
 * predicted, so only the count in the loop depends on it. */
static bool find_stack(struct chains *c, const int64_t *ids, size_t depth)
{
    const struct chains_row *rows = c->rows;
    uint32_t *stack = c->stack;
    uint32_t into = 0; /* the row that the last one is inlined into; 0: none */
    bool is_cut = false, is_new = false;
    size_t count = 0;
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[i];
        struct chains_row row = rows[id - 1];
        bool begins = id != into;
        is_cut |= begins & (into != 0);
        is_new |= begins & (row.location == 0);
        /* overwritten by the next, unless this row begins a location */
        stack[count] = row.location;
        count += begins;
        into = row.into;
    }
    c->depth = count;
    return !is_cut && !is_new && into == 0;
}

/* The same, making new locations. If the last one is cut, it contains only the rows that are in the
 * stack. */
static void make_stack(struct chains *c, const int64_t *ids, size_t depth)
{
    uint32_t into = 0;
    size_t count = 0, last = 0; /* number of locations so far; start of the last one */
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[i];
        if (id != into) {
            if (into != 0)
                c->stack[count - 1] = c->make(c->user, (uint32_t)ids[last], (uint32_t)(i - last));
            if (c->rows[id - 1].location == 0)
                c->rows[id - 1].location = c->make(c->user, id, 0);
            c->stack[count++] = c->rows[id - 1].location;
            last = i;
        }
        into = c->rows[id - 1].into;
    }
    if (into != 0)
        c->stack[count - 1] = c->make(c->user, (uint32_t)ids[last], (uint32_t)(depth - last));
    c->depth = count;
}

void chains_read(struct chains *c, const int64_t *ids, size_t depth)
{
    c->stack = mem_array(c->stack, &c->stack_capacity, depth + 1, sizeof *c->stack);
    if (!find_stack(c, ids, depth))
        make_stack(c, ids, depth);
}

void chains_free(struct chains *c)
{
    mem_free(c->rows);
    mem_free(c->stack);
}

#include "profile/calls.h"

#include "base/mem.h"

void calls_begin(struct calls *c, size_t depth)
{
    c->stack = mem_array(c->stack, &c->stack_capacity, depth, sizeof *c->stack);
    c->stack_count = 0;
}

void calls_finish(struct calls *c)
{
    for (size_t i = 0; i < c->stack_count; i++)
        stack_tree_prefetch(&c->known, c->stack[i].caller, c->stack[i].callee);
    for (size_t i = 0; i < c->stack_count; i++)
        stack_tree_prefetch_node(&c->known, c->stack[i].caller, c->stack[i].callee);
    for (size_t i = 0; i < c->stack_count; i++) {
        struct calls_call *call = &c->stack[i];
        call->number = stack_tree_add(&c->known, call->caller, call->callee, NULL);
    }
}

void calls_free(struct calls *c)
{
    mem_free(c->stack);
    stack_tree_free(&c->known);
    *c = (struct calls){0};
}

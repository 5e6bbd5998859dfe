#include "profile/calls.h"

#include "base/diag.h"
#include "base/mem.h"

static uint64_t key_of(const struct calls_call *call)
{
    return (uint64_t)call->pair.caller << 32 | call->pair.callee;
}

void calls_begin(struct calls *c, size_t depth)
{
    c->stack = mem_array(c->stack, &c->stack_capacity, depth, sizeof *c->stack);
    c->stack_count = 0;
}

void calls_finish(struct calls *c)
{
    for (size_t i = 0; i < c->stack_count; i++)
        idmap_prefetch(&c->numbers, key_of(&c->stack[i]));
    for (size_t i = 0; i < c->stack_count; i++) {
        struct calls_call *call = &c->stack[i];
        call->number = idmap_get(&c->numbers, key_of(call));
        if (call->number != 0)
            continue;
        if (c->count == UINT32_MAX - 1)
            die(CODE_TOO_MANY, "more than %u distinct calls", c->count);
        c->pairs = mem_array(c->pairs, &c->pair_capacity, (size_t)c->count + 1, sizeof *c->pairs);
        c->pairs[c->count++] = call->pair;
        call->number = c->count;
        idmap_put(&c->numbers, key_of(call), call->number);
    }
}

void calls_free(struct calls *c)
{
    mem_free(c->pairs);
    mem_free(c->stack);
    idmap_free(&c->numbers);
    *c = (struct calls){0};
}

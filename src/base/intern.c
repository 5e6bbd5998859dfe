#include "base/intern.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"

/* The slot of S, or the free one where it belongs. */
static struct intern_slot *find_slot(const struct intern *t, struct str s, uint64_t hash)
{
    size_t mask = t->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct intern_slot *slot = &t->slots[i];
        if (slot->id == 0)
            return slot;
        if (slot->hash == (uint32_t)(hash >> 32) && str_equal(intern_get(t, slot->id), s))
            return slot;
    }
}

static void grow(struct intern *t)
{
    size_t slot_count = t->slot_count == 0 ? 64 : t->slot_count * 2;
    struct intern_slot *slots = mem_alloc_zeroed(slot_count * sizeof *slots);
    mem_free(t->slots);
    t->slots = slots;
    t->slot_count = slot_count;
    size_t mask = t->slot_count - 1;
    for (uint32_t id = 1; id <= t->count; id++) {
        uint64_t hash = hash_bytes(intern_get(t, id));
        size_t i = hash & mask;
        while (t->slots[i].id != 0)
            i = (i + 1) & mask;
        t->slots[i] = (struct intern_slot){.hash = (uint32_t)(hash >> 32), .id = id};
    }
}

uint32_t intern_add(struct intern *t, struct str s, bool *is_new)
{
    if (t->count >= t->slot_count / 2)
        grow(t);
    uint64_t hash = hash_bytes(s);
    struct intern_slot *slot = find_slot(t, s, hash);
    if (is_new != NULL)
        *is_new = slot->id == 0;
    if (slot->id != 0)
        return slot->id;
    if (t->count == UINT32_MAX - 1)
        die(STATUS_SYSTEM, "more than %u distinct items", t->count);
    t->strings =
        mem_array(t->strings, &t->strings_capacity, (size_t)t->count + 1, sizeof *t->strings);
    t->strings[t->count++] = arena_copy(&t->arena, s);
    *slot = (struct intern_slot){.hash = (uint32_t)(hash >> 32), .id = t->count};
    return t->count;
}

uint32_t intern_find(const struct intern *t, struct str s)
{
    return t->slot_count == 0 ? 0 : find_slot(t, s, hash_bytes(s))->id;
}

void intern_free(struct intern *t)
{
    mem_free(t->strings);
    mem_free(t->slots);
    arena_free(&t->arena);
    *t = (struct intern){0};
}

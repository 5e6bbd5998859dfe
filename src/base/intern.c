#include "base/intern.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"

/* The part of the hash of S that a slot stores; it also determines the slot. */
static uint32_t hash_of(struct str s)
{
    return (uint32_t)(hash_bytes(s) >> 32);
}

/* The slot of S, or the free slot for it. */
static struct intern_slot *find_slot(const struct intern *t, struct str s, uint32_t hash)
{
    size_t mask = t->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct intern_slot *slot = &t->slots[i];
        if (slot->id == 0)
            return slot;
        if (slot->hash == hash && str_equal(intern_get(t, slot->id), s))
            return slot;
    }
}

static void grow(struct intern *t)
{
    size_t before = t->slot_count, count = before == 0 ? 64 : before * 2;
    struct intern_slot *old = t->slots;
    t->slots = mem_alloc_zeroed(count * sizeof *t->slots);
    t->slot_count = count;
    for (size_t i = 0; i < before; i++) {
        size_t at = old[i].hash & (count - 1);
        while (old[i].id != 0 && t->slots[at].id != 0)
            at = (at + 1) & (count - 1);
        if (old[i].id != 0)
            t->slots[at] = old[i];
    }
    mem_free(old);
}

/* Whether S is the string that followed the last one when that was new.  Strings mostly come
 * again in the same order, like the definitions of one program in many files.  Where the last two
 * did not, this is not tried: it would cost as much as the look at a slot. */
static bool goes_on(const struct intern *t, struct str s)
{
    return t->is_in_order && t->last < t->count && str_equal(intern_get(t, t->last + 1), s);
}

/* ID, which is returned. */
static uint32_t returned(struct intern *t, uint32_t id)
{
    t->is_in_order = id == t->last + 1;
    return t->last = id;
}

uint32_t intern_add(struct intern *t, struct str s, bool *is_new)
{
    if (is_new != NULL)
        *is_new = false;
    if (goes_on(t, s))
        return ++t->last;
    if (t->count >= t->slot_count / 2)
        grow(t);
    uint32_t hash = hash_of(s);
    struct intern_slot *slot = find_slot(t, s, hash);
    if (slot->id != 0)
        return returned(t, slot->id);
    if (t->count == UINT32_MAX - 1)
        die(CODE_TOO_MANY, "more than %u distinct items", t->count);
    t->strings =
        mem_array(t->strings, &t->strings_capacity, (size_t)t->count + 1, sizeof *t->strings);
    t->strings[t->count++] = arena_copy(&t->arena, s);
    *slot = (struct intern_slot){.hash = hash, .id = t->count};
    if (is_new != NULL)
        *is_new = true;
    return returned(t, t->count);
}

uint32_t intern_find(const struct intern *t, struct str s)
{
    return t->slot_count == 0 ? 0 : find_slot(t, s, hash_of(s))->id;
}

void intern_free(struct intern *t)
{
    mem_free(t->strings);
    mem_free(t->slots);
    arena_free(&t->arena);
    *t = (struct intern){0};
}

void intern_free_each(struct intern *const tables[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        intern_free(tables[i]);
}

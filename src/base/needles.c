#include "base/needles.h"

#include "base/hash.h"
#include "base/mem.h"

void needles_add(struct needles *n, struct str text, uint32_t number)
{
    n->items = mem_array(n->items, &n->capacity, n->count + 1, sizeof *n->items);
    n->items[n->count++] = (struct needle){.text = text, .number = number};
}

/* The slot of the NEEDLES_MIN bytes at P. */
static size_t slot_of(const struct needles *n, const char *p)
{
    uint32_t bytes = 0;
    memcpy(&bytes, p, NEEDLES_MIN);
    return hash_number(bytes) & (n->slot_count - 1);
}

void needles_ready(struct needles *n)
{
    enum { FOR_EACH = 4 };
    if (n->count == 0)
        return;
    for (n->slot_count = 1024; n->slot_count < FOR_EACH * n->count;)
        n->slot_count *= 2;
    n->slots = mem_alloc_zeroed(n->slot_count * sizeof *n->slots);
    /* how many words contain such bytes */
    uint32_t *counts = mem_alloc_zeroed(n->slot_count * sizeof *counts);
    for (size_t i = 0; i < n->count; i++)
        for (size_t k = 0; k + NEEDLES_MIN <= n->items[i].text.n; k++)
            counts[slot_of(n, n->items[i].text.p + k)]++;
    for (size_t i = 0; i < n->count; i++) {
        struct needle *one = &n->items[i];
        for (size_t k = 0; k + NEEDLES_MIN <= one->text.n; k++)
            if (counts[slot_of(n, one->text.p + k)] < counts[slot_of(n, one->text.p + one->at)])
                one->at = k;
        uint32_t *slot = &n->slots[slot_of(n, one->text.p + one->at)];
        one->next = *slot;
        *slot = (uint32_t)i + 1;
    }
    mem_free(counts);
}

void needles_find(const struct needles *n, struct str text,
                  void (*found)(void *with, uint32_t number), void *with)
{
    for (size_t i = 0; n->count > 0 && i + NEEDLES_MIN <= text.n; i++)
        for (uint32_t k = n->slots[slot_of(n, text.p + i)]; k != 0; k = n->items[k - 1].next) {
            const struct needle *one = &n->items[k - 1];
            if (i >= one->at && one->text.n - one->at <= text.n - i &&
                memcmp(text.p + i - one->at, one->text.p, one->text.n) == 0)
                found(with, one->number);
        }
}

void needles_free(struct needles *n)
{
    mem_free(n->items);
    mem_free(n->slots);
    *n = (struct needles){0};
}

#include "base/mem.h"

#include "base/diag.h"
#include "base/port.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/asan_interface.h>
#endif

/* Before every block; 32 bytes, so that the block is aligned for any type. */
struct header {
    struct header *next, *previous;
    _Alignas(16) size_t size;
    void (*drop)(void *block);
};

static struct header all = {.next = &all, .previous = &all}; /* the newest first */

struct mem_heap {
    struct header all;
};

/* The blocks of this thread; NULL: `all`. */
static _Thread_local struct header *own;

static struct header *list(void)
{
    return own != NULL ? own : &all;
}

/* Larger blocks are mapped by malloc separately, so that one that grows leaves no hole. */
enum { LARGEST = 8 << 20 };

/* With an address space below this, memory is short. */
enum { ENOUGH = 64 << 20 };

static bool has_less_than(rlim_t size)
{
    struct rlimit addresses;
    return getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur < size;
}

bool mem_is_short(void)
{
    return has_less_than(ENOUGH);
}

bool mem_is_limited(void)
{
    return has_less_than(RLIM_INFINITY);
}

void mem_begin(void)
{
    if (!mem_is_short())
        port_keep_memory(LARGEST);
}

void mem_trim(void)
{
    port_trim_memory();
}

static _Noreturn void die_refused(size_t size)
{
    die(CODE_MEMORY, "out of memory: %zu bytes were refused", size);
}

static void *link_block(struct header *h, size_t size)
{
    if (h == NULL)
        die_refused(size);
    h->size = size;
    h->drop = NULL;
    struct header *first = list();
    h->next = first->next;
    h->previous = first;
    first->next->previous = h;
    first->next = h;
    return h + 1;
}

static size_t with_header(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct header))
        die_refused(size);
    return size + sizeof(struct header);
}

void *mem_alloc(size_t size)
{
    return link_block(malloc(with_header(size)), size);
}

void *mem_alloc_zeroed(size_t size)
{
    return link_block(calloc(1, with_header(size)), size);
}

void *mem_resize(void *block, size_t size)
{
    if (block == NULL)
        return mem_alloc(size);
    struct header *h = realloc((struct header *)block - 1, with_header(size));
    if (h == NULL)
        die_refused(size);
    h->size = size;
    h->previous->next = h->next->previous = h; /* its place in the list stays the same */
    return h + 1;
}

void mem_free(void *block)
{
    if (block == NULL)
        return;
    struct header *h = (struct header *)block - 1;
    h->previous->next = h->next;
    h->next->previous = h->previous;
    free(h);
}

void mem_free_each(void *const blocks[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        mem_free(blocks[i]);
}

void *mem_alloc_holder(size_t size, void (*drop)(void *block))
{
    void *block = mem_alloc_zeroed(size);
    ((struct header *)block - 1)->drop = drop;
    return block;
}

void *mem_mark(void)
{
    return mem_alloc(1);
}

/* Frees the blocks of FIRST, the head of a list, before LAST in it. */
static void release_until(const struct header *first, const struct header *last)
{
    while (first->next != last) {
        struct header *h = first->next;
        if (h->drop != NULL)
            h->drop(h + 1);
        mem_free(h + 1);
    }
}

void mem_release(void *mark)
{
    release_until(list(), (struct header *)mark - 1);
    mem_free(mark);
}

void mem_free_all(void)
{
    release_until(list(), list());
}

struct mem_heap *mem_heap_open(void)
{
    struct mem_heap *heap = malloc(sizeof *heap);
    if (heap != NULL)
        heap->all = (struct header){.next = &heap->all, .previous = &heap->all};
    return heap;
}

void mem_heap_use(struct mem_heap *heap)
{
    own = &heap->all;
}

void mem_heap_join(struct mem_heap *heap)
{
    struct header *first = list(), *its = &heap->all;
    if (its->next != its) {
        its->previous->next = first->next;
        first->next->previous = its->previous;
        its->next->previous = first;
        first->next = its->next;
    }
    free(heap);
}

void mem_heap_drop(struct mem_heap *heap)
{
    release_until(&heap->all, &heap->all);
    free(heap);
}

void mem_end(const void *mark)
{
#ifdef __SANITIZE_ADDRESS__
    const struct header *last = (const struct header *)mark - 1;
    bool is_left = false;
    for (const struct header *h = all.next; h != last; h = h->next) {
        fprintf(stderr, "%zu bytes were not given back:\n", h->size);
        __asan_describe_address((void *)(uintptr_t)(h + 1));
        is_left = true;
    }
    if (is_left)
        abort();
#endif
    (void)mark;
    mem_free_all();
}

void *mem_zlib_alloc(void *opaque, unsigned items, unsigned size)
{
    (void)opaque;
    return mem_alloc_zeroed((size_t)items * size);
}

void mem_zlib_free(void *opaque, void *block)
{
    (void)opaque;
    mem_free(block);
}

void *mem_array(void *array, size_t *capacity, size_t needed, size_t item_size)
{
    if (needed <= *capacity)
        return array;
    /* many arrays stay at a few items: those of value types, of which each source has its own */
    size_t grown = *capacity == 0 ? needed : *capacity < 4 ? 4 : *capacity * 2;
    if (grown < needed)
        grown = needed;
    if (grown > SIZE_MAX / item_size)
        die(CODE_MEMORY, "out of memory: %zu items of %zu bytes were refused", grown, item_size);
    array = mem_resize(array, grown * item_size);
    *capacity = grown;
    return array;
}

void *mem_array_zeroed(void *array, size_t *capacity, size_t needed, size_t item_size)
{
    size_t before = *capacity;
    char *items = mem_array(array, capacity, needed, item_size);
    if (*capacity > before)
        memset(items + before * item_size, 0, (*capacity - before) * item_size);
    return items;
}

/* mem.h - allocation of memory.
 *
 * No function here returns NULL: if memory is refused the tool ends with STATUS_SYSTEM, so
 * callers need no error path that cannot be tested.  This file knows all blocks, so that a test
 * or a fuzzer can run a reader many times in one process (see mem_free_all). */
#ifndef PROFPIPE_MEM_H
#define PROFPIPE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Call this first.  It makes malloc keep freed blocks of up to 8 MiB, because each input file
 * frees blocks that the next one needs: getting fresh pages from the system takes longer than
 * reading a file into them. */
void mem_begin(void);

/* Whether memory may be so short that none should be spent on speed, as for threads or whole
 * files. */
bool mem_is_short(void);

/* Whether the user limits addresses at all (ulimit -v). */
bool mem_is_limited(void);

/* Returns the memory that malloc keeps to the system, when reading is done and it is no longer
 * needed. */
void mem_trim(void);

/* Allocates SIZE bytes, not cleared; the caller frees them. */
void *mem_alloc(size_t size);

/* The same, cleared. */
void *mem_alloc_zeroed(size_t size);

/* The same, for a block that owns more than memory.  If mem_release or mem_free_all frees the
 * block, it first calls DROP(block), which releases that; mem_free does not call it. */
void *mem_alloc_holder(size_t size, void (*drop)(void *block));

/* Resizes BLOCK, or allocates it if NULL, to SIZE bytes; the old pointer becomes invalid. */
void *mem_resize(void *block, size_t size);

/* Frees BLOCK; NULL is allowed. */
void mem_free(void *block);

/* The same for each of the arguments, and for COUNT of BLOCKS. */
#define MEM_FREE(...)                                                                              \
    mem_free_each((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void mem_free_each(void *const blocks[], size_t count);

/* Makes a mark for mem_release. mem_free of a mark removes only the mark. */
void *mem_mark(void);

/* Frees MARK and every block that was allocated after it. */
void mem_release(void *mark);

/* Frees every block of this thread, for callers that survive die() (diag_catch). */
void mem_free_all(void);

/* Frees every block at the end of a successful run.  Under AddressSanitizer, a block left that
 * was allocated after MARK is an error: the process prints where it was allocated, and aborts. */
void mem_end(const void *mark);

/* A list of blocks, for a thread that allocates beside others. Its blocks may be resized and freed
 * on any thread once it has ended. */
struct mem_heap;

/* An empty heap; NULL if memory is refused. */
struct mem_heap *mem_heap_open(void);

/* From now on the blocks of this thread are in HEAP, and mem_release and mem_free_all mean
 * those. */
void mem_heap_use(struct mem_heap *heap);

/* When the thread of HEAP has ended: its blocks become those of this thread, as if allocated now,
 * or are all freed. Both free HEAP. */
void mem_heap_join(struct mem_heap *heap);
void mem_heap_drop(struct mem_heap *heap);

/* mem_alloc and mem_free with the signatures that zlib needs. */
void *mem_zlib_alloc(void *opaque, unsigned items, unsigned size);
void mem_zlib_free(void *opaque, void *block);

/* Grows ARRAY, of items of ITEM_SIZE bytes, to at least NEEDED items, and returns it; *CAPACITY
 * is its capacity in items.  When the array has to move, its capacity is at least doubled. */
void *mem_array(void *array, size_t *capacity, size_t needed, size_t item_size);

/* The same, with all new items zero. */
void *mem_array_zeroed(void *array, size_t *capacity, size_t needed, size_t item_size);

#endif

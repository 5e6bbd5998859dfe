/* mem.h - every block of memory that the process holds.
 *
 * Nothing here returns NULL: where memory is refused the tool ends with STATUS_SYSTEM, so that
 * no caller carries a path that cannot be tested.  All blocks are known to this file, so that a
 * test or a fuzzer can run a reader many times in one process (see mem_free_all). */
#ifndef PROFPIPE_MEM_H
#define PROFPIPE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* To be called first: has malloc keep blocks of up to 8 MiB that are freed, as each file leaves them to the
 * next.  Fresh pages from the system cost more time than reading a file to them does. */
void mem_begin(void);

/* Whether the tool may have so little memory that none is to be spent on speed: on threads, on files held
 * whole. */
bool mem_is_short(void);

/* Gives the system what malloc keeps, for when what was read with will not be needed again. */
void mem_trim(void);

/* A block of SIZE bytes, not cleared; the caller frees it. */
void *mem_alloc(size_t size);

/* The same, cleared. */
void *mem_alloc_zeroed(size_t size);

/* The same, for what holds more than memory: where the block is given back with others (mem_release,
 * mem_free_all), DROP(block) is called before and gives that back; mem_free does not. */
void *mem_alloc_holder(size_t size, void (*drop)(void *block));

/* Makes BLOCK (or NULL) SIZE bytes long; the old pointer is no longer valid. */
void *mem_resize(void *block, size_t size);

/* Gives BLOCK back; NULL is allowed. */
void mem_free(void *block);

/* A mark, for mem_release; or for mem_free, which changes nothing. */
void *mem_mark(void);

/* Gives every block back that has been allocated since MARK was made, and MARK. */
void mem_release(void *mark);

/* Gives every block back at once, for callers that survive die() (diag_catch). */
void mem_free_all(void);

/* Gives every block back at the end of a run that went well.  Under AddressSanitizer it is an error if a block
 * allocated since MARK is still there: the process says where that was, and aborts. */
void mem_end(const void *mark);

/* mem_alloc and mem_free in the shape that zlib asks for. */
void *mem_zlib_alloc(void *opaque, unsigned items, unsigned size);
void mem_zlib_free(void *opaque, void *block);

/* Makes room in a growing ARRAY of items of ITEM_SIZE bytes: returns it with *CAPACITY at least
 * NEEDED items, at least doubled when it had to move. */
void *mem_array(void *array, size_t *capacity, size_t needed, size_t item_size);

/* The same, with all new items zero. */
void *mem_array_zeroed(void *array, size_t *capacity, size_t needed, size_t item_size);

#endif

#include "base/recycle.h"

#include <pthread.h>
#include <stdlib.h>

/* Sizes are multiples of this, so that one buffer serves files of similar size. */
enum { STEP = 256 << 10 };

struct block {
    size_t size;
    _Alignas(16) char bytes[];
};

/* The maximum number of unused buffers: for the raw bytes of a file, its content, and the
 * content of the previous one. */
enum { KEPT = 3 };

static struct block *kept[KEPT]; /* in any order; NULL: none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Takes the smallest block of at least SIZE bytes; NULL if there is none. */
static struct block *find(size_t size)
{
    size_t at = KEPT;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < KEPT; i++)
        if (kept[i] != NULL && kept[i]->size >= size &&
            (at == KEPT || kept[at]->size > kept[i]->size))
            at = i;
    struct block *found = at < KEPT ? kept[at] : NULL;
    if (found != NULL)
        kept[at] = NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

char *recycle_take(size_t size)
{
    struct block *b = find(size);
    if (b == NULL) {
        size = (size / STEP + 1) * STEP;
        b = malloc(sizeof *b + size);
        if (b == NULL)
            return NULL;
        b->size = size;
    }
    return b->bytes;
}

void recycle_give(char *buffer)
{
    if (buffer == NULL)
        return;
    struct block *b = (struct block *)(void *)(buffer - offsetof(struct block, bytes));
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < KEPT && b != NULL; i++)
        if (kept[i] == NULL || kept[i]->size < b->size) { /* a larger block serves more files */
            struct block *before = kept[i];
            kept[i] = b;
            b = before;
        }
    pthread_mutex_unlock(&lock);
    free(b);
}

void recycle_free(void)
{
    for (struct block *b; (b = find(0)) != NULL;)
        free(b);
}

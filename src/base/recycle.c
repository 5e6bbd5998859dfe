#include "base/recycle.h"

#include <pthread.h>
#include <stdlib.h>

/* Sizes are multiples of this, so that files of much the same size do with one buffer. */
enum { STEP = 256 << 10 };

struct block {
    size_t size;
    _Alignas(16) char bytes[];
};

static struct block *kept; /* or NULL */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Keeps B, which may be NULL, instead of the block that is returned. */
static struct block *exchange(struct block *b)
{
    pthread_mutex_lock(&lock);
    struct block *before = kept;
    kept = b;
    pthread_mutex_unlock(&lock);
    return before;
}

char *recycle_take(size_t size)
{
    struct block *b = exchange(NULL);
    if (b == NULL || b->size < size) {
        free(b);
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
    free(exchange((struct block *)(void *)(buffer - offsetof(struct block, bytes))));
}

void recycle_free(void)
{
    free(exchange(NULL));
}

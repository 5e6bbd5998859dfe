/* intern.h - distinct byte strings, numbered from 1 in order of appearance. */
#ifndef PROFPIPE_INTERN_H
#define PROFPIPE_INTERN_H

#include "base/arena.h"

#include <stdint.h>

/* A place in the hash table. */
struct intern_slot {
    uint32_t hash; /* the upper half: avoids most comparisons, and hashing again */
    uint32_t id;   /* 0: free */
};

/* All zero is an empty table. */
struct intern {
    uint32_t count;      /* the largest number given so far */
    uint32_t last;       /* the number returned last */
    bool is_in_order;    /* it is the one after that returned before it */
    struct str *strings; /* strings[i - 1] is number i; the bytes live in the arena */
    size_t strings_capacity;
    struct intern_slot *slots; /* open addressing, a power of two */
    size_t slot_count;
    struct arena arena;
};

/* The number of S, which is copied if it is new.  Stores whether it was new in *IS_NEW, unless
 * NULL. */
uint32_t intern_add(struct intern *t, struct str s, bool *is_new);

/* The number of S; 0 if it has none. */
uint32_t intern_find(const struct intern *t, struct str s);

/* The bytes of number ID (1 to count), valid until intern_free. */
static inline struct str intern_get(const struct intern *t, uint32_t id)
{
    return t->strings[id - 1];
}

/* Frees what T holds and leaves an empty table. */
void intern_free(struct intern *t);

/* The same for each of the arguments, and for COUNT of TABLES. */
#define INTERN_FREE(...)                                                                           \
    intern_free_each((struct intern *[]){__VA_ARGS__},                                             \
                     sizeof((struct intern *[]){__VA_ARGS__}) / sizeof(struct intern *))
void intern_free_each(struct intern *const tables[], size_t count);

#endif

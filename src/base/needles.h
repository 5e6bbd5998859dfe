/* needles.h - finds which of many words occur in a text.
 *
 * Each word is looked up by three of its bytes that few other words share.  So the time depends
 * on the length of the text, not on the number of words. */
#ifndef PROFPIPE_NEEDLES_H
#define PROFPIPE_NEEDLES_H

#include "base/str.h"

#include <stdint.h>

/* The minimum length of a word in bytes. */
enum { NEEDLES_MIN = 3 };

struct needle {
    struct str text;
    size_t at;             /* the three bytes in it */
    uint32_t number, next; /* the caller's; the next with the same hash, + 1 */
};

/* All zero: no words. */
struct needles {
    struct needle *items;
    size_t count, capacity;
    uint32_t *slots; /* by the hash of three bytes: the first item, + 1 */
    size_t slot_count;
};

/* Adds the word TEXT, of at least NEEDLES_MIN bytes, as NUMBER.  TEXT must outlive N. */
void needles_add(struct needles *n, struct str text, uint32_t number);

/* Call this after the last needles_add and before the first needles_find. */
void needles_ready(struct needles *n);

/* Calls FOUND(WITH, NUMBER) for each word in TEXT, once or several times. */
void needles_find(const struct needles *n, struct str text,
                  void (*found)(void *with, uint32_t number), void *with);

void needles_free(struct needles *n);

#endif

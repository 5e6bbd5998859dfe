/* needles.h - which of many texts are in another one.
 *
 * Each is looked for by three of its bytes that few others have, so that the time for a text depends on its length,
 * not on how many there are. */
#ifndef PROFPIPE_NEEDLES_H
#define PROFPIPE_NEEDLES_H

#include "base/str.h"

#include <stdint.h>

/* The least bytes of one. */
enum { NEEDLES_MIN = 3 };

struct needle {
    struct str text;
    size_t at;             /* the three bytes in it */
    uint32_t number, next; /* the caller's; the next with the same hash, + 1 */
};

/* All zero is none. */
struct needles {
    struct needle *items;
    size_t count, capacity;
    uint32_t *slots; /* by the hash of three bytes: the first item, + 1 */
    size_t slot_count;
};

/* Adds TEXT, of NEEDLES_MIN bytes at least, which must outlive N, as NUMBER. */
void needles_add(struct needles *n, struct str text, uint32_t number);

/* Must be called between the last needles_add and the first needles_find. */
void needles_ready(struct needles *n);

/* Calls FOUND(WITH, NUMBER) for each that is in TEXT, once or several times. */
void needles_find(const struct needles *n, struct str text,
                  void (*found)(void *with, uint32_t number), void *with);

void needles_free(struct needles *n);

#endif

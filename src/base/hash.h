/* hash.h - a fast hash for tables, seeded differently in every run.  Every bit of the key
 * affects every bit of the hash, so a table may use any of its bits. */
#ifndef PROFPIPE_HASH_H
#define PROFPIPE_HASH_H

#include "base/str.h"

#include <stdint.h>

/* The seed: an odd number that stays the same for the life of the process. */
uint64_t hash_seed(void);

/* The hash of NUMBER. */
uint64_t hash_number(uint64_t number);

/* The hash of the bytes of S. */
uint64_t hash_bytes(struct str s);

#endif

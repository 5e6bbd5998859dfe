/* hash.h - a fast hash for tables, another one in every run.  Every bit of the key reaches every bit of
 * the hash, so that a table may take any of them as its slot. */
#ifndef PROFPIPE_HASH_H
#define PROFPIPE_HASH_H

#include "base/str.h"

#include <stdint.h>

/* An odd number that stays the same as long as the process lives. */
uint64_t hash_seed(void);

/* The hash of NUMBER. */
uint64_t hash_number(uint64_t number);

/* The hash of the bytes of S. */
uint64_t hash_bytes(struct str s);

#endif

/* hash.h - a fast hash for tables.  Not for secrets: who chooses the bytes can make them collide. */
#ifndef PROFPIPE_HASH_H
#define PROFPIPE_HASH_H

#include "str.h"

#include <stdint.h>

/* The hash of the bytes of S, equal on every machine. */
uint64_t hash_bytes(struct str s);

#endif

/* random.h - numbers for tests that make their own inputs: the same seed gives the same ones. */
#ifndef PROFPIPE_TESTS_RANDOM_H
#define PROFPIPE_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static uint64_t random_state; /* the seed, at first */

/* The next of 64 random bits each (splitmix64). */
static inline uint64_t random_next(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* One of the numbers from 0 to COUNT - 1. */
static inline size_t pick(size_t count)
{
    return (size_t)(random_next() % count);
}

#define PICK(list) ((list)[pick(sizeof(list) / sizeof *(list))])

#endif

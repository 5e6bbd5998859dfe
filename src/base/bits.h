/* bits.h - eight bytes at a time. */
#ifndef PROFPIPE_BITS_H
#define PROFPIPE_BITS_H

#include <stdint.h>
#include <string.h>

/* The 8 bytes at P, the first in the lowest place, on every machine. */
static inline uint64_t bits_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* BYTE in each of the 8 places. */
#define BITS_EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

/* The index of the lowest byte whose top bit is set in MARKS, which must not be 0. */
static inline unsigned bits_first(uint64_t marks)
{
    return (unsigned)__builtin_ctzll(marks) / 8;
}

#endif

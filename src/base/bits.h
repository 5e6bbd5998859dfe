/* bits.h - work on eight bytes at a time. */
#ifndef PROFPIPE_BITS_H
#define PROFPIPE_BITS_H

#include <stdint.h>
#include <string.h>

/* Loads the 8 bytes at P; the first is the lowest byte on every machine. */
static inline uint64_t bits_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* BYTE repeated 8 times. */
#define BITS_EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

/* The index of the lowest byte whose top bit is set in MARKS, which must not be 0. */
static inline unsigned bits_first(uint64_t marks)
{
    return (unsigned)__builtin_ctzll(marks) / 8;
}

#endif

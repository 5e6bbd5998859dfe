#include "base/sha1.h"

#include <stdint.h>
#include <stdio.h>

enum { BLOCK = 64, LENGTH = 8 };

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

/* The function and the constant of step T. */
static uint32_t mix(unsigned t, const uint32_t *s)
{
    uint32_t b = s[1], c = s[2], d = s[3];
    if (t < 20)
        return ((b & c) | (~b & d)) + 0x5a827999u;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ed9eba1u;
    if (t < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    return (b ^ c ^ d) + 0xca62c1d6u;
}

/* Adds the block at P to STATE. */
static void add_block(uint32_t *state, const unsigned char *p)
{
    uint32_t w[80], s[5];
    memcpy(s, state, sizeof s);
    for (unsigned t = 0; t < 16; t++)
        w[t] = (uint32_t)p[4 * t] << 24 | (uint32_t)p[4 * t + 1] << 16 |
               (uint32_t)p[4 * t + 2] << 8 | p[4 * t + 3];
    for (unsigned t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (unsigned t = 0; t < 80; t++) {
        uint32_t next = rotate(s[0], 5) + mix(t, s) + s[4] + w[t];
        s[4] = s[3];
        s[3] = s[2];
        s[2] = rotate(s[1], 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (unsigned i = 0; i < 5; i++)
        state[i] += s[i];
}

void sha1(struct str bytes, char hex[SHA1_DIGITS + 1])
{
    uint32_t state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned char last[2 * BLOCK] = {0};
    size_t whole = bytes.n - bytes.n % BLOCK, left = bytes.n - whole;
    for (size_t i = 0; i < whole; i += BLOCK)
        add_block(state, (const unsigned char *)bytes.p + i);
    if (left > 0)
        memcpy(last, bytes.p + whole, left);
    last[left] = 0x80;
    size_t size = left + 1 + LENGTH > BLOCK ? 2 * BLOCK : BLOCK;
    for (unsigned i = 0; i < LENGTH; i++)
        last[size - 1 - i] = (unsigned char)((uint64_t)bytes.n * 8 >> 8 * i);
    for (size_t i = 0; i < size; i += BLOCK)
        add_block(state, last + i);
    for (unsigned i = 0; i < 5; i++)
        snprintf(hex + (size_t)8 * i, 9, "%08x", (unsigned)state[i]);
}

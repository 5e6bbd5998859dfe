#include "base/sha.h"

#include <stdio.h>

enum { LENGTH = 8 };

/* Adds the block at P to STATE. */
typedef void add_block(uint32_t *state, const unsigned char *p);

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Adds the last LEFT bytes at P, fewer than a block, of SIZE in all, and what ends them. */
static void add_end(uint32_t *state, add_block *add, const unsigned char *p, size_t left,
                    uint64_t size)
{
    unsigned char last[2 * SHA_BLOCK] = {0};
    size_t end = left + 1 + LENGTH > SHA_BLOCK ? 2 * SHA_BLOCK : SHA_BLOCK;
    if (left > 0)
        memcpy(last, p, left);
    last[left] = 0x80;
    for (unsigned i = 0; i < LENGTH; i++)
        last[end - 1 - i] = (unsigned char)(size * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += SHA_BLOCK)
        add(state, last + i);
}

/* --- SHA-1 --- */

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

static void add_block_1(uint32_t *state, const unsigned char *p)
{
    uint32_t w[80], s[5];
    memcpy(s, state, sizeof s);
    for (unsigned t = 0; t < 16; t++)
        w[t] = word_at(p + (size_t)4 * t);
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
    size_t whole = bytes.n - bytes.n % SHA_BLOCK;
    const unsigned char *p = (const unsigned char *)bytes.p;
    for (size_t i = 0; i < whole; i += SHA_BLOCK)
        add_block_1(state, p + i);
    add_end(state, add_block_1, p + whole, bytes.n - whole, bytes.n);
    for (unsigned i = 0; i < 5; i++)
        snprintf(hex + (size_t)8 * i, 9, "%08x", (unsigned)state[i]);
}

/* --- SHA-256 --- */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Three rotations of WORD, combined. */
static uint32_t turn(uint32_t word, unsigned a, unsigned b, unsigned c)
{
    return rotate(word, 32 - a) ^ rotate(word, 32 - b) ^ rotate(word, 32 - c);
}

static void add_block_256(uint32_t *state, const unsigned char *p)
{
    uint32_t w[64], s[8];
    memcpy(s, state, sizeof s);
    for (unsigned t = 0; t < 16; t++)
        w[t] = word_at(p + (size_t)4 * t);
    for (unsigned t = 16; t < 64; t++) {
        uint32_t early = w[t - 15], late = w[t - 2];
        w[t] = (rotate(late, 15) ^ rotate(late, 13) ^ late >> 10) + w[t - 7] +
               (rotate(early, 25) ^ rotate(early, 14) ^ early >> 3) + w[t - 16];
    }
    for (unsigned t = 0; t < 64; t++) {
        uint32_t one =
            s[7] + turn(s[4], 6, 11, 25) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[t] + w[t];
        uint32_t two = turn(s[0], 2, 13, 22) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (unsigned i = 7; i > 0; i--)
            s[i] = s[i - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256_begin(struct sha256 *s)
{
    *s = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *s, struct str bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t held = s->size % SHA_BLOCK, n = bytes.n;
    s->size += n;
    if (held > 0 && n > 0) {
        size_t taken = n < SHA_BLOCK - held ? n : SHA_BLOCK - held;
        memcpy(s->rest + held, p, taken);
        p += taken;
        n -= taken;
        if (held + taken < SHA_BLOCK)
            return;
        add_block_256(s->state, s->rest);
    }
    for (; n >= SHA_BLOCK; n -= SHA_BLOCK, p += SHA_BLOCK)
        add_block_256(s->state, p);
    if (n > 0)
        memcpy(s->rest, p, n);
}

void sha256_end(struct sha256 *s, unsigned char digest[SHA256_SIZE])
{
    add_end(s->state, add_block_256, s->rest, s->size % SHA_BLOCK, s->size);
    for (unsigned i = 0; i < SHA256_SIZE; i++)
        digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

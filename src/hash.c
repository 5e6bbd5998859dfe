#include "hash.h"

#include "bits.h"

/* Multiply and fold, 16 bytes a step. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(struct str s)
{
    static const uint64_t k0 = 0x9e3779b97f4a7c15u, k1 = 0xd6e8feb86659fd93u;
    uint64_t h = k0 ^ s.n;
    const char *p = s.p;
    size_t n = s.n;
    while (n >= 16) {
        h = mix(bits_load(p) ^ h, bits_load(p + 8) ^ k1);
        p += 16;
        n -= 16;
    }
    uint64_t a = 0, b = 0;
    if (n >= 8) {
        a = bits_load(p);
        b = bits_load(p + n - 8);
    } else {
        for (size_t i = 0; i < n; i++)
            a |= (uint64_t)(unsigned char)p[i] << (8 * i);
    }
    return mix(mix(a ^ h, b ^ k1), k0);
}

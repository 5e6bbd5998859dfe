#include "base/hash.h"

#include "base/bits.h"
#include "base/port.h"
#include "base/wide.h"

static const uint64_t k0 = 0x9e3779b97f4a7c15u, k1 = 0xd6e8feb86659fd93u;

/* Differs from run to run, so that nobody can prepare strings or ids that all collide.  The
 * output does not depend on it, only on the order of appearance. */
uint64_t hash_seed(void)
{
    static uint64_t seed;
    if (seed != 0)
        return seed;
    if (!port_random(&seed, sizeof seed))
        seed = k0;
    return seed |= 1;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t high, low = wide_product(a, b, &high);
    return low ^ high;
}

/* After one multiplication and fold the low bits depend on few bits of the key, and keys that
 * differ by a large power of two stay close together.  The second one spreads these. */
uint64_t hash_number(uint64_t number)
{
    uint64_t seed = hash_seed();
    return mix(mix(number ^ seed, seed * k1 | 1), k0);
}

/* Multiply and fold, 16 bytes a step. */
uint64_t hash_bytes(struct str s)
{
    uint64_t seed = hash_seed(), key = mix(seed, k1);
    uint64_t h = seed ^ s.n;
    const char *p = s.p;
    size_t n = s.n;
    while (n >= 16) {
        h = mix(bits_load(p) ^ h, bits_load(p + 8) ^ key);
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
    return mix(mix(a ^ h, b ^ key), k0);
}

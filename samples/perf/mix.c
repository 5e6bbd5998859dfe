// A program whose versions differ in one function: with -DMORE=10 `mix` does 10 % more work. All functions do
// the same kind of work, a little at a time, so that what else the machine does slows all of them alike.
#ifndef MORE
#    define MORE 0
#endif

static inline __attribute__((always_inline)) unsigned step(unsigned seed, int times)
{
    for (int i = 0; i < times; i++)
        seed = seed * 1664525 + 1013904223;
    return seed;
}

__attribute__((noinline)) static unsigned load(unsigned seed)
{
    return step(seed, 2000);
}

__attribute__((noinline)) static unsigned mix(unsigned seed)
{
    return step(seed, 30 * (100 + MORE));
}

__attribute__((noinline)) static unsigned store(unsigned seed)
{
    return step(seed ^ 1, 5000);
}

int main(void)
{
    unsigned seed = 0;
    for (int round = 0; round < 60000; round++)
        seed = store(mix(load(seed)));
    return seed == 0;
}

/* gen_rprof - Rprof text of about so many megabytes, a line profile, for benchmarks:
 *
 *   gen_rprof MEGABYTES [DEPTH]
 *
 * Stacks have fewer frames than DEPTH, which is 20 unless said otherwise, and a quarter of it at
 * least. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 500, STACKS = 3000, DEPTH_MAX = 20 };

static uint64_t state = 88172645463325252u;

static unsigned next_random(unsigned below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)(state * 2685821657736338717u >> 33) % below;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    uint64_t size = strtoull(argv[1], NULL, 10) * 1000000, written = 0;
    int deepest = argc > 2 ? atoi(argv[2]) : DEPTH_MAX;
    static char stacks[STACKS][64 * DEPTH_MAX];
    if (deepest < 4 || deepest > DEPTH_MAX)
        return 2;
    for (int i = 0; i < STACKS; i++) {
        int n = 0, depth = deepest / 4 + (int)next_random((unsigned)(deepest - deepest / 4));
        for (int j = 0; j < depth; j++) {
            unsigned f = next_random(FUNCTIONS);
            if (f % 4 != 0)
                n += sprintf(stacks[i] + n, "%u#%u ", f % 9 + 1, f % 300 + 1);
            n += sprintf(stacks[i] + n, "\"%s%u\" ", f % 3 == 0 ? "f" : "model.frame.", f);
        }
        sprintf(stacks[i] + n, "\n");
    }
    printf("line profiling: sample.interval=20000\n");
    for (int i = 1; i <= 9; i++)
        printf("#File %d: R/source%d.R\n", i, i);
    while (written < size) {
        const char *line = stacks[next_random(STACKS)];
        written += (uint64_t)printf("%s", line);
    }
    return fflush(stdout) != 0;
}

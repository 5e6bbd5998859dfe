/* gen_flame - folded stacks, no two of them the same, for benchmarks of pictures:
 *
 *   gen_flame STACKS
 *
 * Walks through calls: each function has some that it calls, one as often as the other, so stacks share little. A stack
 * has 16.5 frames on average, a name about 45 bytes. */
#include "../random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 20000, CALLED = 16, SHALLOW = 8, DEEP = 26 };

/* The function that number WHICH of those that F calls is. */
static size_t called(size_t f, size_t which)
{
    return (size_t)((f * CALLED + which + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % FUNCTIONS;
}

static void print_frame(size_t f, bool is_first)
{
    printf("%sapplication::mod_%02zu::class_%03zu::function_%zu", is_first ? "" : ";", f % 97,
           f % 499, f);
}

/* Whether PATH is new among the COUNT places of SEEN, where it is then. */
static bool is_new(uint64_t *seen, size_t count, uint64_t path)
{
    size_t at = path % count;
    while (seen[at] != 0 && seen[at] != path)
        at = (at + 1) % count;
    bool found = seen[at] == path;
    seen[at] = path;
    return !found;
}

int main(int argc, char **argv)
{
    size_t stacks = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, places = 2 * stacks + 1;
    uint64_t *seen = calloc(places, sizeof *seen);
    if (seen == NULL)
        return 2;
    while (stacks > 0) {
        size_t path[DEEP], depth = SHALLOW + pick(DEEP - SHALLOW);
        uint64_t hash = 1;
        path[0] = 0;
        for (size_t i = 0; i < depth; i++) {
            path[i] = i == 0 ? 0 : called(path[i - 1], pick(CALLED));
            hash = (hash ^ path[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
        }
        if (!is_new(seen, places, hash | 1))
            continue;
        for (size_t i = 0; i < depth; i++)
            print_frame(path[i], i == 0);
        printf(" %zu\n", 1 + pick(1000));
        stacks--;
    }
    free(seen);
    return fflush(stdout) != 0;
}

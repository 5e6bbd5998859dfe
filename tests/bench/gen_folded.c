/* gen_folded - folded stacks of about so many megabytes, for benchmarks:
 *
 *   gen_folded MEGABYTES [samples]
 *
 * As collapsers write them, each stack once: a walk through a tree of calls, whose stacks have up to 40
 * frames.  With "samples" a few thousand of them come again and again, in no order. */
#include "../random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 3000, DEPTH_MAX = 40, FRAME_MAX = 48, STACKS = 5000 };

/* Appends a frame to the N bytes at LINE; returns how many there are then. */
static int add_frame(char *line, int n)
{
    static const char *const names[] = {"java/util/HashMap.get", "operator new(unsigned long)",
                                        "do_syscall_64_[k]", "f", "std::vector<int>::push_back"};
    size_t f = pick(FUNCTIONS);
    return n + sprintf(line + n, "%s%s%zu", n > 0 ? ";" : "", names[f % 5], f);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    uint64_t size = strtoull(argv[1], NULL, 10) * 1000000, written = 0;
    int most = argc > 2 && strcmp(argv[2], "samples") == 0 ? STACKS : 0, count = 0, depth = 0;
    static char line[DEPTH_MAX * FRAME_MAX];
    static char *stacks[STACKS];
    int ends[DEPTH_MAX + 1] = {0}; /* of the first frames, so many */
    while (written < size) {
        if (most > 0 && count == most) {
            written += (uint64_t)printf("%s 1\n", PICK(stacks));
            continue;
        }
        /* a few frames back, and others in their place */
        depth -= depth < 3 ? 0 : (int)pick(depth > 8 ? 8 : (size_t)depth);
        for (int more = 1 + (int)pick(7); more > 0 && depth < DEPTH_MAX; more--, depth++)
            ends[depth + 1] = add_frame(line, ends[depth]);
        if (depth == DEPTH_MAX)
            depth -= 6;
        line[ends[depth]] = '\0';
        if (most > 0)
            stacks[count++] = strdup(line);
        else
            written += (uint64_t)printf("%s %zu\n", line, 1 + pick(1000));
    }
    return fflush(stdout) != 0;
}

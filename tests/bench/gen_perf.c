/* gen_perf - what perf script prints, about so many megabytes, for benchmarks:
 *
 *   gen_perf MEGABYTES
 *
 * Samples of two events by a few threads on eight processors.  Their stacks are a few thousand that come
 * again and again, of up to 40 frames, from a program in C++ with long names and from the kernel. */
#include "../random.h"

#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 3000, DEPTH_MAX = 40, STACKS = 5000 };

static const char *const names[] = {"std::vector<int, std::allocator<int> >::push_back(int const&)",
                                    "do_syscall_64", "operator new(unsigned long)", "f",
                                    "_ZN4core3ptr13drop_in_place17h0123456789abcdefE"};
static const char *const files[] = {"/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
                                    "[kernel.kallsyms]", "/opt/my app/bin/server",
                                    "/tmp/perf-4711.map", "/usr/lib/x86_64-linux-gnu/libc.so.6"};
static const char *const threads[] = {"V8 WorkerThread", "server", "FS Broker 5858", ":-1"};
static const char *const events[] = {"cycles:u", "page-faults"};

/* Frames as perf prints them, outermost first: a stack goes on where another one has been. */
struct stack {
    struct frame {
        unsigned function, offset;
    } frames[DEPTH_MAX];
    int depth;
};

static void make_stacks(struct stack *stacks)
{
    struct stack now = {.depth = 0};
    for (int i = 0; i < STACKS; i++) {
        now.depth -= now.depth < 3 ? 0 : (int)pick(now.depth > 8 ? 8 : (size_t)now.depth);
        for (int more = 1 + (int)pick(7); more > 0 && now.depth < DEPTH_MAX; more--)
            now.frames[now.depth++] =
                (struct frame){(unsigned)pick(FUNCTIONS), (unsigned)pick(16) * 8};
        if (now.depth == DEPTH_MAX)
            now.depth -= 6;
        stacks[i] = now;
    }
}

static uint64_t print_stack(const struct stack *s)
{
    uint64_t n = 0;
    for (int i = s->depth; i-- > 0;) {
        struct frame f = s->frames[i];
        n += (uint64_t)printf("\t%16x %s%u+0x%x (%s)\n", 0x10000 + f.function * 256 + f.offset,
                              names[f.function % 5], f.function, f.offset, files[f.function % 5]);
    }
    return n + (uint64_t)printf("\n");
}

int main(int argc, char **argv)
{
    static struct stack stacks[STACKS];
    if (argc < 2)
        return 2;
    uint64_t size = strtoull(argv[1], NULL, 10) * 1000000, written = 0, time = 203265377019;
    make_stacks(stacks);
    while (written < size) {
        size_t thread = pick(4), event = pick(8) == 0;
        time += pick(1000);
        written += (uint64_t)printf("%s %7zu [%03zu] %6llu.%06llu: %10zu %11s: \n", threads[thread],
                                    4711 + thread, pick(8), (unsigned long long)(time / 1000000),
                                    (unsigned long long)(time % 1000000), 1 + pick(1000000),
                                    events[event]);
        written += print_stack(&stacks[pick(STACKS)]);
    }
    return fflush(stdout) != 0;
}

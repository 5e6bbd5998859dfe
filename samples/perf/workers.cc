// What is hard to tell apart in the text of perf script, in one program: threads whose names have blanks,
// digits and brackets, functions of C++ whose names have blanks and parentheses, inlined functions, and
// a program whose own name has a blank. With an argument it deletes itself before it works, and works
// longer.
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

// perf knows inlined functions by names that are not mangled.
extern "C" {

static inline __attribute__((always_inline)) unsigned long mix(unsigned long h, unsigned char c)
{
    return (h ^ c) * 1099511628211ul;
}

static inline __attribute__((always_inline)) unsigned long mix_all(unsigned long h, const char *text)
{
    for (; *text; text++)
        h = mix(h, (unsigned char)*text);
    return h;
}

__attribute__((noinline)) unsigned long hash(unsigned long h, const char *text)
{
    for (int i = 0; i < 10; i++)
        h = mix_all(h, text);
    return h;
}

}  // extern "C"

namespace {

struct Hash {
    unsigned long operator()(const char *text, unsigned long rounds) const __attribute__((noinline));
};

unsigned long Hash::operator()(const char *text, unsigned long rounds) const
{
    volatile unsigned long h = 14695981039346656037ul;
    while (rounds-- > 0)
        for (const char *p = text; *p; p++)
            h = *p == ' ' ? hash(h, text) : h * 31;
    return h;
}

}  // namespace

// Touches pages that nobody has touched yet.
extern "C" __attribute__((noinline)) void touch(size_t pages)
{
    char *p = (char *)malloc(pages * 4096);
    for (size_t i = 0; i < pages; i++)
        ((volatile char *)p)[i * 4096] = 1;
    free(p);
}

template <typename T> __attribute__((noinline)) void run(const T &work, unsigned long rounds)
{
    work("a text that is hashed", rounds);
    touch(100);
}

static unsigned long rounds = 40000;

static void *worker(void *name)
{
    pthread_setname_np(pthread_self(), (const char *)name);
    run(Hash(), rounds);
    return nullptr;
}

int main(int argc, char **argv)
{
    const char *names[] = {"FS Broker 5858", "w [003] 1.0: x", "V8 Worker"};
    if (argc > 1) {
        unlink(argv[0]);
        rounds *= 8;
    }
    for (const char *name : names) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, worker, (void *)name) != 0)
            return 1;
        pthread_join(thread, nullptr);
    }
    run(Hash(), rounds);
    return 0;
}

/* Counts words in numbers that it spells out, for perf: recursion, a comparison called from the C library,
 * and system calls, whose stacks end in the kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 4000, ROUNDS = 400 };

static char words[WORDS][64];

__attribute__((noinline)) static char *spell(char *to, unsigned n)
{
    static const char *const digits[] = {"null", "one",  "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};
    if (n >= 10)
        to = spell(to, n / 10);
    for (const char *p = digits[n % 10]; *p != '\0'; p++)
        *to++ = *p;
    *to = '\0';
    return to;
}

__attribute__((noinline)) static int by_word(const void *a, const void *b)
{
    return strcmp(a, b);
}

__attribute__((noinline)) static void copy(int from, int to)
{
    static char block[1 << 16];
    for (int i = 0; i < 40; i++)
        if (read(from, block, sizeof block) > 0 && write(to, block, sizeof block) < 0)
            exit(1);
}

int main(void)
{
    FILE *from = fopen("/dev/zero", "rb"), *to = fopen("/dev/null", "wb");
    if (from == NULL || to == NULL)
        return 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < WORDS; i++)
            spell(words[i], i * 7919 + round);
        qsort(words, WORDS, sizeof *words, by_word);
        copy(fileno(from), fileno(to));
    }
    return 0;
}

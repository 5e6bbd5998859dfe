/* Sorts words and adds numbers, with functions that call themselves and each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 40 };

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int is_odd(int n);

static int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void sort(void)
{
    char words[WORDS][8];
    for (int i = 0; i < WORDS; i++)
        snprintf(words[i], sizeof words[i], "w%d", i * 7919 % 97);
    qsort(words, WORDS, sizeof *words, compare);
}

int main(void)
{
    sort();
    return fibonacci(8) + is_even(9) == 21 ? EXIT_SUCCESS : EXIT_FAILURE;
}

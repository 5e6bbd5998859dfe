/* Counts words, and keeps some of what it allocates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept[100];

__attribute__((noinline)) static char *copy(const char *text, int times)
{
    char *to = calloc((size_t)times, strlen(text) + 1);
    strcpy(to, text);
    return to;
}

__attribute__((noinline)) static void keep(int i)
{
    kept[i % 100] = copy("kept", i + 1);
}

__attribute__((noinline)) static void use(int i)
{
    char *word = copy("used", 2 * i + 1);
    if (word[i % 4] == 'd')
        keep(i);
    free(word);
}

int main(void)
{
    for (int i = 0; i < 400; i++)
        use(i);
    for (int i = 0; i < 50; i++)
        free(kept[i]);
    puts(kept[99]);
    return 0;
}

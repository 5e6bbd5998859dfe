/* Texts that are looked for in others all at once. */
#include "base/mem.h"
#include "base/needles.h"
#include "tap.h"

enum { COUNT = 3000, LONGEST = 12, TEXT = 40 };

static char texts[COUNT][LONGEST];
static struct str needles[COUNT];
static bool is_found[COUNT];

static void note(void *with, uint32_t number)
{
    (void)with;
    is_found[number] = true;
}

/* A number below MAX, the next of few. */
static unsigned draw(unsigned max)
{
    static uint32_t state = 1;
    state = state * 69069 + 12345;
    return (state >> 16) % max;
}

/* Fills TO with letters of which there are so few that many texts are in others. */
static struct str letters(char *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (char)('a' + draw(3));
    return (struct str){to, n};
}

int main(void)
{
    struct needles n = {0};
    needles_ready(&n);
    needles_find(&n, STR("abc"), note, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        needles[i] = letters(texts[i], NEEDLES_MIN + draw(LONGEST - NEEDLES_MIN + 1));
        needles_add(&n, needles[i], i);
    }
    needles_ready(&n);
    unsigned wrong = 0, found = 0;
    for (unsigned round = 0; round < 300; round++) {
        char text[TEXT];
        struct str in = letters(text, draw(TEXT + 1));
        memset(is_found, 0, sizeof is_found);
        needles_find(&n, in, note, NULL);
        for (size_t i = 0; i < COUNT; i++) {
            bool is_there = in.n > 0 && memmem(in.p, in.n, needles[i].p, needles[i].n) != NULL;
            wrong += is_there != is_found[i];
            found += is_there;
        }
    }
    ok(wrong == 0 && found > 1000, "%u are found, %u wrongly or not", found, wrong);
    needles_free(&n);
    return tap_done();
}

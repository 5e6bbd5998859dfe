/* Any lines as the comments of one file, and again those of several, at blank lines: what is right adds up, in any order, to
 * comments that are right themselves and say the same number of sources. */
#include "fuzz.h"

#include "base/buf.h"
#include "rows/provenance.h"

enum { FILES = 8 };

/* The comments of S, which say nothing wrong. */
static void check_sum(struct provenance_sum *s, struct buf *spelled)
{
    struct provenance again = {0};
    const size_t count = provenance_end(s);
    for (size_t i = 0; i < count; i++) {
        const size_t from = spelled->n;
        provenance_spell(spelled, s, i);
        fuzz_expect(provenance_take(&again, (struct str){spelled->p + from, spelled->n - from}),
                    "what is written has the form");
        buf_add(spelled, STR("\n"));
    }
    fuzz_expect(provenance_wrong(&again) == NULL, "what is written is right");
    fuzz_expect(again.count == s->count && again.undigested == s->undigested &&
                    memcmp(again.digest, s->digest, sizeof s->digest) == 0,
                "what is written says the same");
    provenance_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct provenance files[FILES] = {{0}};
    struct str rest = {(const char *)data, size}, line;
    size_t count = 0;
    while (count < FILES && str_next_line(&rest, &line)) {
        fuzz_expect(provenance_take(&files[count], line) == provenance_is(line), "the form is one");
        count += line.n == 0;
    }
    struct provenance_sum forth = {.max = size % 4}, back = {.max = size % 4};
    bool fits = true;
    for (size_t i = 0; i < FILES; i++)
        if (provenance_is_there(&files[i]) && provenance_wrong(&files[i]) == NULL)
            fits &= provenance_add_all(&forth, &files[i]);
    for (size_t i = FILES; i-- > 0;)
        if (provenance_is_there(&files[i]) && provenance_wrong(&files[i]) == NULL)
            fits &= provenance_add_all(&back, &files[i]);
    struct buf one = {0}, other = {0};
    check_sum(&forth, &one);
    check_sum(&back, &other);
    fuzz_expect(!fits || str_equal(buf_str(&one), buf_str(&other)),
                "the order makes no difference");
    for (size_t i = 0; i < FILES; i++)
        provenance_free(&files[i]);
    provenance_free_sum(&forth);
    provenance_free_sum(&back);
    buf_free(&one);
    buf_free(&other);
    return 0;
}

/* Any bytes as lines of rules, up to the first NUL, and behind it as folded stacks that these are applied to: the rows are a
 * whole profile, and small reads make no difference.  The rest is the expressions themselves, which any bytes are, too:
 * what they find stands in the text, with the word that they are looked for by. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "rows/text.h"

/* An expression and a text to look in. */
struct search {
    const char *expression;
    struct regex_how how;
    struct str text;
    bool is_found;
};

static void search(void *with)
{
    struct search *s = with;
    struct regex_part parts[REGEX_PARTS];
    char why[300];
    s->is_found = false;
    struct regex *regex = regex_open(s->expression, s->how, "the fuzzer", why, sizeof why);
    if (regex == NULL)
        return;
    struct regex_room *room = regex_room_open();
    size_t count = regex_part_count(regex) + 1;
    count = count < REGEX_PARTS ? count : REGEX_PARTS;
    s->is_found = regex_find(regex, room, s->text, 0, parts, count);
    for (size_t i = 0; s->is_found && i < count; i++)
        fuzz_expect(parts[i].begin == SIZE_MAX ||
                        (parts[i].begin <= parts[i].end && parts[i].end <= s->text.n),
                    "what is found stands in the text");
    regex_room_free(room);
    regex_free(regex);
}

/* Looks for EXPRESSION, ended by NUL, in TEXT. */
static void check_search(const char *expression, struct str text)
{
    struct search s = {.expression = expression, .text = text};
    enum status status = survive(search, &s);
    tidy();
    fuzz_expect(status == STATUS_OK || said.message[0] != '\0', "it says why");
    struct str word = regex_word(str_of(expression));
    bool has_word = word.n == 0;
    for (size_t i = 0; !has_word && i + word.n <= text.n; i++)
        has_word = memcmp(text.p + i, word.p, word.n) == 0;
    fuzz_expect(status != STATUS_OK || !s.is_found || has_word, "what is found has the word");
    s.how.is_fixed = true;
    if (survive(search, &s) == STATUS_OK && s.is_found)
        fuzz_expect(memmem(text.p, text.n, expression, strlen(expression)) != NULL,
                    "text without meaning stands there as it is");
    tidy();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data, *nul = size == 0 ? NULL : memchr(p, '\0', size);
    if (nul == NULL)
        return 0;
    struct str rules = {p, (size_t)(nul - p)}, stacks = {nul + 1, size - rules.n - 1};
    struct str rows = fuzz_steady(job_folded, (struct job){.rules = rules}, stacks, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL) {
        struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
        fuzz_expect(merged.p != NULL, "the merge takes the rows");
        str_free(merged);
    }
    str_free(rows);
    struct buf text = {0};
    text_escape(&text, stacks); /* what is searched is valid UTF-8 */
    struct str copy = str_copy(buf_str(&text));
    buf_free(&text);
    check_search(p, copy);
    str_free(copy);
    return 0;
}

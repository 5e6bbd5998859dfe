#include "base/words.h"

#include "base/diag.h"

void words_add(struct buf *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_add(text, i == 0 ? STR("") : i + 1 < count ? STR(", ") : STR(" or "));
        buf_add(text, str_of(words[i]));
    }
}

size_t words_find(const char *option, const char *text, const char *const *words, size_t count)
{
    struct buf all = {0};
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    words_add(&all, words, count);
    die(CODE_BAD_ARGUMENT, "--%s: expected %.*s, found \"%s\"", option, STR_ARG(buf_str(&all)),
        text);
}

const char *words_of_suffix(const char *file, const char *const *words, size_t count)
{
    const struct str name = str_of(file == NULL ? "" : file);
    for (size_t i = 0; i < count; i++) {
        const struct str word = str_of(words[i]);
        const size_t stem = name.n > word.n ? name.n - word.n : 0;
        if (stem > 0 && name.p[stem - 1] == '.' && str_ends(name, word))
            return words[i];
    }
    return NULL;
}

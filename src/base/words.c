#include "base/words.h"

#include "base/buf.h"
#include "base/diag.h"

size_t words_find(const char *option, const char *text, const char *const *words, size_t count)
{
    struct buf all = {0};
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    for (size_t i = 0; i < count; i++) {
        buf_add(&all, i == 0 ? STR("") : i + 1 < count ? STR(", ") : STR(" or "));
        buf_add(&all, str_of(words[i]));
    }
    die(STATUS_USAGE, "--%s: expected %.*s, found \"%s\"", option, STR_ARG(buf_str(&all)), text);
}

#include "base/words.h"

#include "base/diag.h"

#include <strings.h>

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

/* What files of a format are called that do not end in its name. */
static const struct {
    const char *suffix, *word;
} suffixes[] = {{"txt", "text"}, {"md", "markdown"}, {"htm", "html"}};

/* Whether NAME ends in SUFFIX, after a dot, in small or capital letters. */
static bool has_suffix(struct str name, const char *suffix)
{
    const size_t n = strlen(suffix);
    return name.n > n + 1 && name.p[name.n - n - 1] == '.' &&
           strncasecmp(name.p + name.n - n, suffix, n) == 0;
}

/* Ends the tool: FILE ends in the suffix of none of the COUNT words WORDS. */
static _Noreturn void die_suffix(const char *file, const char *const *words, size_t count)
{
    struct buf all = {0};
    for (size_t i = 0; i < count; i++) {
        const char *suffix = words[i];
        for (size_t j = 0; j < 2; j++)
            suffix = strcmp(words[i], suffixes[j].word) == 0 ? suffixes[j].suffix : suffix;
        buf_add(&all, i == 0 ? STR(".") : i + 1 < count ? STR(", .") : STR(" or ."));
        buf_add(&all, str_of(suffix));
    }
    die(CODE_BAD_ARGUMENT, "-o: expected a name that ends in %.*s, or --format, found \"%s\"",
        STR_ARG(buf_str(&all)), file);
}

const char *words_of_suffix(const char *file, const char *const *words, size_t count)
{
    static const char *const others[] = {"png", "pdf", "jpg", "jpeg", "gif",  "ps",
                                         "eps", "svg", "htm", "html", "json", "ndjson",
                                         "csv", "tsv", "md",  "txt",  "dot",  "mermaid"};
    const struct str name = str_of(file);
    for (size_t i = 0; i < count; i++) {
        if (has_suffix(name, words[i]))
            return words[i];
        for (size_t j = 0; j < sizeof suffixes / sizeof *suffixes; j++)
            if (strcmp(suffixes[j].word, words[i]) == 0 && has_suffix(name, suffixes[j].suffix))
                return words[i];
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_suffix(name, others[i]))
            die_suffix(file, words, count);
    return NULL;
}

/* How well NAME, without folders, fits PREFIX. */
static size_t match_prefix(struct str name, struct str prefix)
{
    if (!str_take(&name, prefix))
        return 0;
    while (name.n > 0 && (str_is_digit(*name.p) || *name.p == '.' || *name.p == '-'))
        name.p++, name.n--;
    return name.n == 0 ? prefix.n : 1;
}

size_t words_match_suffix(const char *name, const char *rest)
{
    const char *slash = strrchr(name, '/');
    const struct str last = str_of(slash == NULL ? name : slash + 1);
    size_t longest = 0;
    while (rest != NULL && *rest != '\0') {
        struct str suffix = {rest, strcspn(rest, " ")};
        const bool is_prefix = str_ends(suffix, STR("*"));
        rest += suffix.n;
        const size_t n = is_prefix ? match_prefix(last, (struct str){suffix.p, suffix.n - 1})
                         : str_ends(last, suffix) ? suffix.n
                                                  : 0;
        longest = n > longest ? n : longest;
        rest += strspn(rest, " ");
    }
    return longest;
}

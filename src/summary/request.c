#include "summary/request.h"

#include "base/units.h"
#include "base/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const char *const request_by_words[] = {
    [COLLECT_BY_FUNCTION] = "function", [COLLECT_BY_GROUP] = "group",
    [COLLECT_BY_PACKAGE] = "package",   [COLLECT_BY_FILEFUNCTION] = "filefunction",
    [COLLECT_BY_LINE] = "line",         [COLLECT_BY_ADDRESS] = "address",
    [COLLECT_BY_FILE] = "file",         [COLLECT_BY_MAPPING] = "mapping",
    [COLLECT_BY_LABEL] = "label:KEY",   [COLLECT_BY_STACK] = "stack",
    [COLLECT_BY_SOURCE] = "source",     [COLLECT_BY_TIME] = "time:SPAN",
};

struct str request_by_name(enum collect_by by)
{
    return by == COLLECT_BY_KEY    ? STR("key")
           : by == COLLECT_BY_ANY  ? STR("value")
           : by == COLLECT_BY_TIME ? STR("time")
                                   : str_of(request_by_words[by]);
}

/* Labels of threads, which need no "label:" before them. */
static const struct str thread_labels[] = {STR("comm"), STR("pid"), STR("tid"), STR("cpu")};

/* The one that WORD of the option TEXT names. */
static enum collect_by parse_by(const char *text, struct str word, struct str *label)
{
    *label = word;
    if (str_take(label, STR("label:")) && label->n > 0)
        return COLLECT_BY_LABEL;
    for (size_t i = 0; i < sizeof thread_labels / sizeof *thread_labels; i++)
        if (str_equal(word, thread_labels[i]))
            return COLLECT_BY_LABEL;
    for (unsigned i = 0; i <= COLLECT_BY_SOURCE; i++)
        if (i != COLLECT_BY_LABEL && str_equal(word, str_of(request_by_words[i])))
            return (enum collect_by)i;
    struct buf all = {0};
    const char first = word.n > 0 ? *word.p | 0x20 : '\0';
    const bool is_key = first >= 'a' && first <= 'z' && memchr(word.p, ':', word.n) == NULL &&
                        !str_equal(word, STR("label"));
    if (str_equal(word, STR("label")) && word.n < strlen(text))
        die(CODE_BAD_ARGUMENT, "--by: label cannot be one of several levels; label:KEY can");
    words_add(&all, request_by_words, sizeof request_by_words / sizeof *request_by_words);
    die(CODE_BAD_ARGUMENT, "--by: expected %.*s, found \"%.*s\"" HINT "%s%.*s",
        STR_ARG(buf_str(&all)), STR_ARG(word), is_key ? "for a label: label:" : "",
        is_key ? (int)word.n : 0, word.p);
}

/* Whether LEVEL is one by time, as WORD says: then sets it. */
static bool parse_time(struct str word, struct collect_level *level)
{
    struct str number = word;
    if (!str_take(&number, STR("time:")))
        return false;
    size_t n = 0;
    while (n < number.n && (str_is_digit(number.p[n]) || number.p[n] == '.'))
        n++;
    level->by = COLLECT_BY_TIME;
    level->unit = (struct str){number.p + n, number.n - n};
    number.n = n;
    const int64_t size = units_typed_nanoseconds(level->unit);
    struct buf text = {0};
    char *end;
    buf_add(&text, number);
    buf_add(&text, (struct str){"", 1});
    decimal_parse(text.p, &end);
    const bool is_number = n > 0 && str_is_digit(number.p[0]) && end == text.p + n;
    buf_free(&text);
    if (!is_number || size == 0 ||
        !decimal_round(decimal_multiply(decimal_read(number), decimal_of(size)), &level->span) ||
        level->span <= 0)
        die(CODE_BAD_ARGUMENT, "--by: expected time:SPAN, such as time:100ms, found \"%.*s\"",
            STR_ARG(word));
    return true;
}

/* Sets LEVELS to those that TEXT names, and returns how many there are. */
static size_t parse_levels(const char *text, struct collect_level levels[COLLECT_LEVELS])
{
    size_t count = 0;
    if (text != NULL && strcmp(text, "label") == 0) {
        levels[0].by = COLLECT_BY_KEY;
        levels[1].by = COLLECT_BY_ANY;
        return 2;
    }
    for (const char *word = text == NULL ? "function" : text; word != NULL;) {
        const char *end = strchr(word, ',');
        const struct str name = {word, end == NULL ? strlen(word) : (size_t)(end - word)};
        if (count == COLLECT_LEVELS)
            die(CODE_BAD_ARGUMENT, "--by: expected at most %d levels, found \"%s\"", COLLECT_LEVELS,
                text);
        if (!parse_time(name, &levels[count]))
            levels[count].by = parse_by(text == NULL ? word : text, name, &levels[count].label.key);
        for (size_t i = 0; i < count; i++)
            if (levels[i].by == levels[count].by &&
                str_equal(levels[i].label.key, levels[count].label.key))
                die(CODE_BAD_ARGUMENT, "--by: \"%.*s\" is named twice", STR_ARG(name));
        count++;
        word = end == NULL ? NULL : end + 1;
    }
    for (size_t i = 0; i < count && count > 1; i++)
        if (levels[i].by == COLLECT_BY_STACK)
            die(CODE_BAD_ARGUMENT, "--by: stack cannot be one of several levels");
    return count;
}

struct request_rows request_rows(const char *text)
{
    struct request_rows rows = {.level_count = 0};
    const size_t count = parse_levels(text, rows.levels);
    const bool has_levels = count > 1 || rows.levels[0].by == COLLECT_BY_TIME;
    rows.by = has_levels ? COLLECT_BY_LEVELS : rows.levels[0].by;
    rows.label = rows.levels[0].label.key;
    rows.level_count = has_levels ? count : 0;
    return rows;
}

void request_set_rows(const struct request_rows *rows, struct collect *c)
{
    c->by = rows->by;
    c->label.key = rows->label;
    memcpy(c->levels, rows->levels, sizeof c->levels);
    c->level_count = rows->level_count;
}

const char *const request_sort_words[] = {"self", "total"};

bool request_sort(const char *text)
{
    /* as go tool pprof calls them */
    if (text != NULL && (strcmp(text, "flat") == 0 || strcmp(text, "cum") == 0))
        return *text == 'c';
    return text != NULL && words_find("sort", text, request_sort_words, 2) == 1;
}

static enum sheet_format parse_format(const char *text)
{
    if (text == NULL)
        return SHEET_FORMAT_TEXT;
    return (enum sheet_format)words_find("format", text, sheet_formats, SHEET_FORMAT_COUNT);
}

double request_number(const char *option, const char *text, const char *expected)
{
    char *end;
    errno = 0;
    double value = decimal_parse(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value >= 0) || isinf(value))
        die(CODE_BAD_ARGUMENT, "--%s: expected %s, found \"%s\"", option, expected, text);
    return value;
}

size_t request_count(const char *option, const char *text, const char *expected)
{
    double count = request_number(option, text, expected);
    if (count != floor(count) || count > 1e15)
        die(CODE_BAD_ARGUMENT, "--%s: expected %s, found \"%s\"", option, expected, text);
    return count < (double)SIZE_MAX ? (size_t)count : SIZE_MAX;
}

struct sheet_request request_sheet(const char *format, const char *option, const char *max,
                                   const char *min_share, bool is_about)
{
    struct sheet_request r = {
        .format = parse_format(format), .max = SIZE_MAX, .is_about = is_about};
    if (max != NULL)
        r.max = request_count(option, max, "a number of rows");
    if (min_share != NULL)
        r.min_share = request_number("min-share", min_share, "a number of percent") / 100;
    return r;
}

#include "summary/request.h"

#include "base/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum collect_by request_by(const char *text, struct str *label)
{
    static const char *const names[] = {
        [COLLECT_BY_FUNCTION] = "function", [COLLECT_BY_GROUP] = "group",
        [COLLECT_BY_LINE] = "line",         [COLLECT_BY_FILE] = "file",
        [COLLECT_BY_MAPPING] = "mapping",   [COLLECT_BY_SOURCE] = "source",
    };
    struct str rest = str_of(text == NULL ? names[COLLECT_BY_FUNCTION] : text);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (str_equal(rest, str_of(names[i])))
            return (enum collect_by)i;
    if (!str_take(&rest, STR("label:")) || rest.n == 0)
        die(STATUS_USAGE,
            "--by: expected function, group, line, file, mapping, source or label:KEY, found "
            "\"%s\"",
            text);
    *label = rest;
    return COLLECT_BY_LABEL;
}

bool request_sort(const char *text)
{
    static const char *const words[] = {"self", "total"};
    return text != NULL && words_find("sort", text, words, 2) == 1;
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
        die(STATUS_USAGE, "--%s: expected %s, found \"%s\"", option, expected, text);
    return value;
}

size_t request_count(const char *option, const char *text, const char *expected)
{
    double count = request_number(option, text, expected);
    if (count != floor(count) || count > 1e15)
        die(STATUS_USAGE, "--%s: expected %s, found \"%s\"", option, expected, text);
    return count < (double)SIZE_MAX ? (size_t)count : SIZE_MAX;
}

struct sheet_request request_sheet(const char *format, const char *option, const char *most,
                                   const char *min_share)
{
    struct sheet_request r = {.format = parse_format(format), .most = SIZE_MAX};
    if (most != NULL)
        r.most = request_count(option, most, "a number of rows");
    if (min_share != NULL)
        r.min_share = request_number("min-share", min_share, "a number of percent") / 100;
    return r;
}

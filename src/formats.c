#include "formats.h"

#include "text.h"

/* Profile rows themselves: what every other tool reads. */
static bool detect_rows(struct str head)
{
    return str_starts(head, STR("{\"table\":"));
}

const struct format format_rows = {.name = "profile rows", .detect = detect_rows};

static const struct format *const formats[] = {
    &format_rows,
    &format_rprof,
    &format_pprof,
};

const char *read_source_uri(const struct read_request *request, const struct in *in)
{
    if (request->source_uri != NULL)
        return request->source_uri;
    return in_is_stdin(in) ? NULL : in_name(in);
}

const struct format *format_detect(struct str head)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->detect(head))
            return formats[i];
    return NULL;
}

void format_die_unexpected(struct place where, const char *expected, const struct format *found)
{
    if (found->converter != NULL)
        die_at(where, "expected %s, found %s: %s reads it", expected, found->name,
               found->converter);
    die_at(where, "expected %s, found %s", expected, found->name);
}

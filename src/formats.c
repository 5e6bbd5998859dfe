#include "formats.h"

#include "loss.h"
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
    &format_rprofmem,
    &format_pprof,
};

const char *read_source_uri(const struct read_request *request, const struct in *in)
{
    if (request->source_uri != NULL)
        return request->source_uri;
    return in_is_stdin(in) ? NULL : in_name(in);
}

void format_read(const struct format *format, struct in *in, const struct read_request *request,
                 const struct sink *sink)
{
    format->read(in, request, sink);
    loss_report(request->lossless);
}

const struct format *format_detect(struct str head)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->detect(head))
            return formats[i];
    return NULL;
}

void format_unexpected(struct findings *to, struct place where, const char *expected,
                       const struct format *found)
{
    static const struct str none = STR("");
    if (found->converter != NULL)
        finding_add(to, where, RULE_JSON, none, none, "expected %s, found %s: %s reads it",
                    expected, found->name, found->converter);
    else
        finding_add(to, where, RULE_JSON, none, none, "expected %s, found %s", expected,
                    found->name);
}

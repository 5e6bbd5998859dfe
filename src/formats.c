#include "formats.h"

#include "foreign.h"
#include "loss.h"
#include "merge.h"
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
                 struct sink *sink)
{
    format->read(in, request, sink);
    loss_report(request->lossless);
}

void format_write(const struct format *format, struct inputs *inputs,
                  const struct feed_request *wanted, bool lossless,
                  const struct write_request *request, struct out *out)
{
    struct flow flow = {0};
    struct feed_request feeds = *wanted;
    feeds.upgrade.adds_up = format->adds_up && !request->each;
    struct sink *writer = format->write(&flow, request, out);
    struct merge merge = merge_of(writer);
    feed(inputs, &feeds, &merge.sink);
    format->finish(writer);
    loss_report(lossless);
    merge_free(&merge);
    value_types_free(&flow.types);
}

const struct format *format_detect(struct str head)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->detect(head))
            return formats[i];
    return NULL;
}

void format_unexpected(struct findings *to, struct place where, const char *expected,
                       struct str head)
{
    static const struct str none = STR("");
    const struct format *found = format_detect(head);
    struct buf text = {0};
    if (found != NULL) {
        buf_add(&text, str_of(found->name));
        buf_add(&text, found->converter != NULL ? STR(": ") : STR(""));
        buf_add(&text, str_of(found->converter != NULL ? found->converter : ""));
        buf_add(&text, found->converter != NULL ? STR(" reads it") : STR(""));
    } else {
        foreign_describe(&text, head);
    }
    finding_add(to, where, RULE_JSON, none, none, "expected %s, found %.*s", expected,
                STR_ARG(buf_str(&text)));
    buf_free(&text);
}

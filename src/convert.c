#include "convert.h"

#include "downgrade.h"
#include "emit.h"
#include "parse.h"
#include "rprof_spell.h"
#include "text.h"

struct convert_options convert_options;

static bool wants_version_1(void)
{
    const char *version = convert_options.profile_version;
    bool is_1 = version != NULL && strcmp(version, "1.0") == 0;
    if (version != NULL && !is_1 && strcmp(version, "2.0") != 0)
        die(STATUS_USAGE, "--profile-version: expected 1.0 or 2.0, found \"%s\"", version);
    return is_1;
}

static bool wants_mtime(void)
{
    return convert_options.timestamp != NULL && strcmp(convert_options.timestamp, "mtime") == 0;
}

/* The --timestamp, but for "mtime". */
static struct number fixed_timestamp(void)
{
    const char *text = convert_options.timestamp;
    struct number number = {.kind = NUMBER_NULL};
    if (text != NULL && !wants_mtime() && !parse_number(str_of(text), &number))
        die(STATUS_USAGE, "--timestamp: expected seconds since 1970 or \"mtime\", found \"%s\"",
            text);
    return number;
}

void convert_check(void)
{
    struct rprof_style style = {0};
    rprof_style_from_code(&style, convert_options.from_code);
    rprof_style_free(&style);
    fixed_timestamp();
    wants_version_1();
}

static struct number timestamp_of(const struct in *in, struct number fixed)
{
    int64_t seconds;
    return wants_mtime() && in_mtime(in, &seconds) ? number_of(seconds) : fixed;
}

void convert(const struct format *format, const struct read_request *wanted, struct inputs *inputs,
             struct out *out)
{
    struct read_request request = *wanted;
    struct number fixed = fixed_timestamp();
    request.source_uri = convert_options.source_uri;
    request.from_code = convert_options.from_code;
    request.strict = common.strict;
    request.lossless = common.lossless;
    struct flow flow = {0};
    struct emitter emitter = emitter_of(&flow, out);
    struct downgrade downgrade = downgrade_of(&flow, out);
    struct sink *sink = wants_version_1() ? &downgrade.sink : &emitter.sink;
    sink_begin(sink);
    out_flush(out); /* the promise is out before anything can fail */
    if (!inputs_more(inputs))
        die(STATUS_INPUT, "expected an input, found none");
    for (bool first = true; inputs_more(inputs); first = false) {
        struct in *in = inputs_next(inputs);
        if (!first)
            sink_begin(sink);
        request.timestamp = timestamp_of(in, fixed);
        format_read(format, in, &request, sink);
        in_close(in);
        sink_end(sink, inputs_more(inputs));
    }
    downgrade_end(&downgrade);
    value_types_free(&flow.types);
}

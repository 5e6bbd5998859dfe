#include "convert.h"

#include "parse.h"
#include "text.h"

struct convert_options convert_options;

/* The --timestamp of the input IN. */
static struct number timestamp_of(const struct in *in)
{
    const char *text = convert_options.timestamp;
    struct number number = {.kind = NUMBER_NULL};
    int64_t seconds;
    if (text == NULL)
        return number;
    if (strcmp(text, "mtime") == 0)
        return in_mtime(in, &seconds) ? number_of(seconds) : number;
    if (!parse_number(str_of(text), &number))
        die(STATUS_USAGE, "--timestamp: expected seconds since 1970 or \"mtime\", found \"%s\"",
            text);
    return number;
}

void convert(const struct format *format, const char *from_code, struct inputs *inputs,
             struct out *out)
{
    while (inputs_more(inputs)) {
        struct in *in = inputs_next(inputs);
        struct read_request request = {
            .source_uri = convert_options.source_uri,
            .timestamp = timestamp_of(in),
            .from_code = from_code,
            .strict = common.strict,
            .more = inputs_more(inputs),
        };
        format->read(in, &request, out);
        in_close(in);
    }
}

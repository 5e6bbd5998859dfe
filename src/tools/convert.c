#include "tools/convert.h"

#include "filters/filters.h"
#include "rows/parse.h"
#include "run/run.h"

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
    fixed_timestamp();
    wants_version_1();
}

void convert(const struct format *format, const void *options, struct inputs *inputs,
             struct out *out)
{
    struct feed_request feeds = tool_feeds();
    feeds.only = format;
    feeds.dated_by_file = wants_mtime();
    feeds.read.source_uri = convert_options.source_uri;
    feeds.read.timestamp = fixed_timestamp();
    feeds.read.options = options;
    run(wants_version_1() ? &filter_2to1 : &filter_pass, NULL, inputs, &feeds, out);
}

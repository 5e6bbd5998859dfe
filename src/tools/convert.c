#include "tools/convert.h"

#include "base/words.h"
#include "feed/run.h"
#include "filters/filters.h"
#include "rows/parse.h"

static bool wants_version_1(void)
{
    const char *version = tool_common.profile_version;
    return version != NULL && words_find("profile-version", version, common_versions, 2) == 1;
}

static bool wants_mtime(void)
{
    return tool_common.timestamp != NULL && strcmp(tool_common.timestamp, "mtime") == 0;
}

/* The value of --timestamp, unless that is "mtime". */
static struct number fixed_timestamp(void)
{
    const char *text = tool_common.timestamp;
    struct number number = {.kind = NUMBER_NULL};
    if (text != NULL && !wants_mtime() && !parse_number(str_of(text), &number))
        die(CODE_BAD_ARGUMENT,
            "--timestamp: expected seconds since 1970 or \"mtime\", found \"%s\"", text);
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
    feeds.read.source_uri = tool_common.source_uri;
    feeds.read.timestamp = fixed_timestamp();
    feeds.read.options = options;
    run_stage(wants_version_1() ? &filter_2to1 : &filter_pass, NULL, inputs, &feeds, out);
}

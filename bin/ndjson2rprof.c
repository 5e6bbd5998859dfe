/* ndjson2rprof - profile rows to Rprof text. */
#include "formats.h"
#include "tool.h"

#include <stdlib.h>

static struct {
    const char *interval;
    int64_t microseconds; /* what that says */
} want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
    {0, "interval", "MICROSECONDS", OPTION_STRING, &want.interval,
     "write this sampling interval instead of what the rows say; a sample that is a time counts "
     "as many lines as there are intervals in it"},
};

static void check(void)
{
    tool_max_samples();
    if (want.interval == NULL)
        return;
    size_t n = strspn(want.interval, "0123456789");
    if (n == 0 || n > 10 || want.interval[n] != '\0' ||
        (want.microseconds = strtoll(want.interval, NULL, 10)) == 0)
        die(STATUS_USAGE, "--interval: expected microseconds, from 1 to 9999999999, found \"%s\"",
            want.interval);
}

static void run(struct inputs *inputs, struct out *out)
{
    struct write_request request = {.interval = want.microseconds};
    struct feed_request feeds = {.allow_empty = common.allow_empty,
                                 .upgrade.max_samples = tool_max_samples()};
    format_write(&format_rprof, inputs, &feeds, common.lossless, &request, out);
}

static const struct tool tool = {
    .name = "ndjson2rprof",
    .summary = "Write profile rows as Rprof text, which R's summaryRprof reads",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}

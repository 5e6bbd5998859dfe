/* ndjson2rprof - profiles to Rprof text. */
#include "formats/rprof/rprof.h"
#include "tools/tool.h"

#include <stdlib.h>

static const char *interval;
static struct rprof_write_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "interval", "MICROSECONDS", OPTION_STRING, &interval,
     "write this sampling interval instead of what the profile says; a sample that is a time "
     "counts as many lines as there are intervals in it"},
};

static void check(void)
{
    if (interval == NULL)
        return;
    size_t n = strspn(interval, "0123456789");
    if (n == 0 || n > 10 || interval[n] != '\0' ||
        (want.interval = strtoll(interval, NULL, 10)) == 0)
        die(STATUS_USAGE, "--interval: expected microseconds, from 1 to 9999999999, found \"%s\"",
            interval);
}

const struct tool tool_ndjson2rprof = {
    .name = "ndjson2rprof",
    .summary = "Write profiles of any known format as Rprof text, which R's summaryRprof reads",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &rprof_writer,
    .stage_options = &want,
};

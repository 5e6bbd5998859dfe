/* ndjson2rprof - profiles to Rprof text. */
#include "formats/formats.h"
#include "formats/rprof/rprof.h"
#include "tools/tool.h"

#include <stdlib.h>

static const char *interval;
static struct rprof_write_options want;

static const struct option_row options[] = {
    {"interval", "MICROSECONDS", "sampling interval to write; times become that many samples",
     .text = &interval},
};

static void check(void)
{
    if (interval == NULL)
        return;
    size_t n = strspn(interval, "0123456789");
    if (n == 0 || n > 10 || interval[n] != '\0' ||
        (want.interval = strtoll(interval, NULL, 10)) == 0)
        die(CODE_BAD_ARGUMENT,
            "--interval: expected microseconds, from 1 to 9999999999, found \"%s\"", interval);
}

const struct tool tool_ndjson2rprof = {
    .name = "ndjson2rprof",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as Rprof text, which R's summaryRprof reads",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_rprof,
    .examples = {"ndjson2rprof -o Rprof.out cpu.pb.gz",
                 "ndjson2rprof --interval=10000 cpu.pb.gz > Rprof.out"},
    .converts = true,
    .check = check,
    .stage = &rprof_writer,
    .stage_options = &want,
};

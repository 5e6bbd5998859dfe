/* ndjson2firefox - profiles to a file for the Firefox Profiler. */
#include "formats/firefox/firefox.h"
#include "formats/formats.h"
#include "tools/tool.h"

const struct tool tool_ndjson2firefox = {
    .name = "ndjson2firefox",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one file for the Firefox Profiler",
    .operands = "[file ...]",
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_firefox,
    .examples = {"ndjson2firefox -o cpu.firefox.json cpu.pb.gz",
                 "ndjson2firefox Rprof.out | gzip > profile.json.gz"},
    .converts = true,
    .stage = &firefox_writer,
};

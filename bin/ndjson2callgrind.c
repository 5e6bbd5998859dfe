/* ndjson2callgrind - profiles to files for KCachegrind. */
#include "formats/callgrind/callgrind.h"
#include "formats/formats.h"
#include "tools/tool.h"

const struct tool tool_ndjson2callgrind = {
    .name = "ndjson2callgrind",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles for KCachegrind, as Callgrind does",
    .operands = "[file ...]",
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_callgrind,
    .examples = {"ndjson2callgrind -o cpu.callgrind cpu.pb.gz",
                 "ndjson2callgrind Rprof.out > callgrind.out.R"},
    .converts = true,
    .stage = &callgrind_writer,
};

/* ndjson2otlp - profiles to one file of OpenTelemetry. */
#include "base/words.h"
#include "formats/formats.h"
#include "formats/otlp/otlp_format.h"
#include "tools/tool.h"

static const char *format;
static struct otlp_write_options want;

enum { FORMAT_BINARY, FORMAT_JSON, FORMATS };

static const char *const formats[FORMATS] = {"binary", "json"};

static const struct option_row options[] = {
    {"format", "FORMAT", "write protobuf (binary, default) or OTLP/JSON (json)", .text = &format,
     OPTION_VALUES(formats), .is_of_output = true},
};

static void check(void)
{
    want.is_json = format != NULL && words_find("format", format, formats, FORMATS) == FORMAT_JSON;
}

const struct tool tool_ndjson2otlp = {
    .name = "ndjson2otlp",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one file of OpenTelemetry (OTLP)",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS | COMMON_FORCE,
    .writes = &format_otlp,
    .examples = {"ndjson2otlp -o cpu.otlp cpu.pb.gz", "ndjson2otlp --format=json Rprof.out"},
    .converts = true,
    .binary = true,
    .is_text = &want.is_json,
    .check = check,
    .stage = &otlp_writer,
    .stage_options = &want,
};

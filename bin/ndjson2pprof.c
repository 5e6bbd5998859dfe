/* ndjson2pprof - profiles to one pprof file. */
#include "base/mem.h"
#include "formats/formats.h"
#include "formats/pprof/pprof.h"
#include "tools/tool.h"

static const char *label_source;
static const char *max_names;
static struct pprof_write_options want = {.level = 1, .max_names = 1000};

static const struct option_row options[] = {
    {.heading = "Samples"},
    {"no-aggregate", NULL, "write every sample, in order; do not add up equal ones",
     .flag = &want.each},
    {"types", "TYPE[/UNIT],...", "write only these value types, in this order",
     .text = &want.types},
    {"label-source", "KEY[!]", "label samples with their source; ! replaces labels named KEY",
     .text = &label_source},
    {"keep-addresses", NULL, "keep one program apart that was loaded at different addresses",
     .flag = &want.keep_addresses},
    {.heading = "File"},
    {"canonical", NULL, "sort: equal samples give equal bytes, in any order",
     .flag = &want.canonical},
    {"provenance", NULL, "keep how many sources were merged, their names, and a digest",
     .flag = &want.provenance},
    {"max-names", "N", "keep at most N names with --provenance (default 1000)", .text = &max_names},
    {"level", "N", "compress fast (1, default) to well (9)", .level = &want.level},
};

static void check(void)
{
    if (want.canonical && want.each)
        die(CODE_OPTIONS_CLASH, "--canonical cannot be used with --no-aggregate");
    if (max_names != NULL && !want.provenance)
        die(CODE_OPTIONS_CLASH, "--max-names needs --provenance");
    if (max_names != NULL) {
        const uint64_t number = tool_number("--max-names", max_names, 0);
        want.max_names = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    }
    if (label_source == NULL)
        return;
    size_t n = strlen(label_source);
    want.replaces_label = n > 0 && label_source[n - 1] == '!';
    char *key = mem_alloc(n + 1);
    memcpy(key, label_source, n + 1);
    key[n - want.replaces_label] = '\0';
    want.source_key = key;
    if (*key == '\0')
        die(CODE_BAD_ARGUMENT, "--label-source: expected the key of a label, found nothing");
}

const struct tool tool_ndjson2pprof = {
    .name = "ndjson2pprof",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one pprof file",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS | COMMON_FORCE,
    .writes = &format_pprof,
    .examples = {"ndjson2pprof -o cpu.pb.gz Rprof.out",
                 "ndjson2pprof --label-source=file -o merged.pb.gz cpu-*.pb.gz"},
    .converts = true,
    .binary = true,
    .check = check,
    .stage = &pprof_writer,
    .stage_options = &want,
};

/* ndjson2pprof - profiles to one pprof file. */
#include "base/mem.h"
#include "formats/pprof/pprof.h"
#include "tools/tool.h"

static const char *label_source;
static struct pprof_write_options want = {.level = 1};

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_FORCE,
    {0, "no-aggregate", NULL, OPTION_FLAG, &want.each,
     "write one sample per row, in order, instead of adding up those with equal stack and labels"},
    {0, "keep-addresses", NULL, OPTION_FLAG, &want.keep_addresses,
     "keep one program apart that was loaded at different addresses, instead of uniting it"},
    {0, "types", "TYPE[/UNIT],...", OPTION_STRING, &want.types,
     "write only these value types, in this order; with --no-aggregate samples are then written "
     "as they come"},
    {0, "label-source", "KEY[!]", OPTION_STRING, &label_source,
     "put each sample's source URI in a label with this key; with \"!\" it replaces those that "
     "have "
     "the key"},
    {0, "canonical", NULL, OPTION_FLAG, &want.canonical,
     "sort everything: the same samples give the same bytes in whatever order they came"},
    {0, "level", "N", OPTION_LEVEL, &want.level, "compress fast (1, the default) to well (9)"},
};

static void check(void)
{
    if (want.canonical && want.each)
        die(STATUS_USAGE, "--canonical sorts sums: it cannot go with --no-aggregate");
    if (label_source == NULL)
        return;
    size_t n = strlen(label_source);
    want.replaces_label = n > 0 && label_source[n - 1] == '!';
    char *key = mem_alloc(n + 1);
    memcpy(key, label_source, n + 1);
    key[n - want.replaces_label] = '\0';
    want.source_key = key;
    if (*key == '\0')
        die(STATUS_USAGE, "--label-source: expected the key of a label, found nothing");
}

const struct tool tool_ndjson2pprof = {
    .name = "ndjson2pprof",
    .summary = "Combine profiles of any known format and write them as one pprof file",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .binary = true,
    .check = check,
    .stage = &pprof_writer,
    .stage_options = &want,
};

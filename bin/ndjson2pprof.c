/* ndjson2pprof - profile rows to one pprof file. */
#include "formats.h"
#include "mem.h"
#include "tool.h"

static struct {
    bool no_aggregate, keep_addresses, canonical;
    const char *types, *label_source;
    char *key; /* what --label-source says, without the "!" */
    bool replaces;
    int level; /* of compression */
} want = {.level = 1};

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
    OPTION_ROW_FORCE,
    {0, "no-aggregate", NULL, OPTION_FLAG, &want.no_aggregate,
     "write one sample per row, in order, instead of adding up those with equal stack and labels"},
    {0, "keep-addresses", NULL, OPTION_FLAG, &want.keep_addresses,
     "keep one program apart that was loaded at different addresses, instead of uniting it"},
    {0, "types", "TYPE[/UNIT],...", OPTION_STRING, &want.types,
     "write only these value types, in this order; with --no-aggregate samples are then written "
     "as they come"},
    {0, "label-source", "KEY[!]", OPTION_STRING, &want.label_source,
     "put each sample's source URI in a label with this key; with \"!\" it replaces those that "
     "have "
     "the key"},
    {0, "canonical", NULL, OPTION_FLAG, &want.canonical,
     "sort everything: the same samples give the same bytes in whatever order they came"},
    {0, "level", "N", OPTION_LEVEL, &want.level, "compress fast (1, the default) to well (9)"},
};

static void check(void)
{
    tool_max_samples();
    if (want.canonical && want.no_aggregate)
        die(STATUS_USAGE, "--canonical sorts sums: it cannot go with --no-aggregate");
    if (want.label_source == NULL)
        return;
    size_t n = strlen(want.label_source);
    want.replaces = n > 0 && want.label_source[n - 1] == '!';
    want.key = mem_alloc(n + 1);
    memcpy(want.key, want.label_source, n + 1);
    want.key[n - want.replaces] = '\0';
    if (*want.key == '\0')
        die(STATUS_USAGE, "--label-source: expected the key of a label, found nothing");
}

static void run(struct inputs *inputs, struct out *out)
{
    struct write_request request = {.each = want.no_aggregate,
                                    .keep_addresses = want.keep_addresses,
                                    .canonical = want.canonical,
                                    .types = want.types,
                                    .source_key = want.key,
                                    .replaces_label = want.replaces};
    out_gzip(out, want.level);
    struct feed_request feeds = {.allow_empty = common.allow_empty,
                                 .upgrade.max_samples = tool_max_samples()};
    format_write(&format_pprof, inputs, &feeds, common.lossless, &request, out);
}

static const struct tool tool = {
    .name = "ndjson2pprof",
    .summary = "Combine profiles and write them as one pprof file",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .binary = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}

/* profdiff - what became of a program: runs of one side beside those of another. */
#include "base/mem.h"
#include "base/order.h"
#include "compare/compare.h"
#include "run/run.h"
#include "tools/tool.h"

#include <sys/stat.h>

static struct compare_options want = {.fail = tool_fail};

/* A file that is named, and the side that it is named on. */
struct named {
    bool is_new;
    dev_t device;
    ino_t node;
    const char *name;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->is_new != y->is_new)
        return x->is_new ? 1 : -1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* One file is one run of its side, however often it is named. */
static int check_files(int count, char **names)
{
    struct named *files = mem_alloc(((size_t)count + 1) * sizeof *files);
    size_t n = 0;
    for (int i = 0; i < count && !want.allow_equal; i++) {
        struct stat file;
        if (stat(names[i], &file) == 0 && S_ISREG(file.st_mode))
            files[n++] =
                (struct named){(size_t)i >= want.base_count, file.st_dev, file.st_ino, names[i]};
    }
    order_items(files, n, sizeof *files, compare_named);
    for (size_t i = 1; i < n; i++)
        if (compare_named(&files[i - 1], &files[i]) == 0)
            die(STATUS_USAGE, "%s is named twice in %s (--allow-equal counts it as one run)",
                files[i].name, files[i].is_new ? "new" : "base");
    mem_free(files);
    return 0;
}

static void add_gate(const char *text)
{
    gate_texts_add(&want.fail_if, text);
}

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "by", "WHAT", OPTION_STRING, &want.by,
     "say it of each function, which is the default, group, line, file, mapping, or label:KEY"},
    {0, "sort", "ORDER", OPTION_STRING, &want.sort,
     "compare what each had itself, self, which is the default, or in all, total"},
    {0, "measure", "MEASURE", OPTION_STRING, &want.measure,
     "compare shares of a run, share, or cost; by default shares where runs are tested, and cost "
     "elsewhere"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "compare values of this type instead of the one that pprof would show"},
    {0, "normalize", NULL, OPTION_FLAG, &want.normalize, "scale new to cost as much as base"},
    {0, "per", "WHAT", OPTION_STRING, &want.per,
     "say costs of a run (default), of a second that it took, or of an op (--per-op)"},
    {0, "per-op", "N", OPTION_STRING, &want.per_op,
     "say costs of one operation, of which each run has N"},
    {0, "own", "RE", OPTION_STRING, &want.own,
     "show functions whose file this expression is in, no others"},
    {0, "fail-if", "WHAT", OPTION_EACH, add_gate,
     "end with status 1 if something has grown more than WHAT says, such as 'self > 5 %'; may be "
     "repeated"},
    {0, "untested", NULL, OPTION_FLAG, &want.untested,
     "with --fail-if, judge differences as they stand where there are fewer than three runs on a "
     "side"},
    {0, "absent-ok", NULL, OPTION_FLAG, &want.absent_ok,
     "let the expression of a --fail-if be in no name, or only in names that are too small to be "
     "judged"},
    {0, "allow-equal", NULL, OPTION_FLAG, &want.allow_equal,
     "count equal runs of a side once without a word, and accept equal sides"},
    {0, "no-pairs", NULL, OPTION_FLAG, &want.no_pairs,
     "take functions whose names differ in a generated number for different ones"},
    {0, "rows", NULL, OPTION_FLAG, &want.rows,
     "write profile rows in which base is subtracted from new"},
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write text, which is the default, tsv, csv, json, ndjson, markdown or html"},
    {'n', "most", "N", OPTION_STRING, &want.most, "write N rows of the table at most"},
    {0, "min-share", "PERCENT", OPTION_STRING, &want.min_share,
     "test and show what has at least this share of both sides; without it 0.5 is tested, and all "
     "shown"},
};

static void check(void)
{
    compare_check(&want);
}

static void compare(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    run(want.rows ? &compare_rows_stage : &compare_stage, &want, inputs, &feeds, out);
}

const struct tool tool_profdiff = {
    .name = "profdiff",
    .summary = "Compare profiles of any known format: what became of each function, and whether "
               "that is more than noise",
    .operands = "base new | base ... -- new ...",
    .base_count = &want.base_count,
    .has_two_sides = true,
    .take_operands = check_files,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .run = compare,
};

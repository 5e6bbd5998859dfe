/* profdiff - what changed in a program: compares the runs of two sides. */
#include "base/mem.h"
#include "base/order.h"
#include "compare/compare.h"
#include "feed/run.h"
#include "summary/request.h"
#include "tools/tool.h"

#include <sys/stat.h>

static struct compare_options want;

/* A file, and the side that it was named on. */
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

/* A file counts as one run of its side, however often it is named. */
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
            die(CODE_SAME_FILE, "%s is named twice%s" HINT "--allow-equal counts it as one run",
                files[i].name,
                want.sides != NULL ? ""
                : files[i].is_new  ? " in new"
                                   : " in base");
    mem_free(files);
    return 0;
}

static void add_gate(const char *text)
{
    gate_texts_add(&want.fail_if, text);
}

static const struct option_row options[] = {
    {.heading = "Rows"},
    {"by", "WHAT", "group by %s; several with commas", .text = &want.by, .values = request_by_words,
     .value_count = COLLECT_BY_SOURCE, .preset = "function"},
    {"sort", "ORDER", "compare", .text = &want.sort, OPTION_VALUES(request_sort_words),
     .preset = "self"},
    {"own", "RE", "show only functions whose file matches RE", .text = &want.own},
    {"max-rows", "N", "show at most N rows", .letter = 'n', .text = &want.max},
    {"min-share", "PERCENT", "test and show rows above this share (default: test from 0.5)",
     .text = &want.min_share},
    {"no-pairs", NULL, "never pair names that differ in a generated number",
     .flag = &want.no_pairs},
    {.heading = "What is compared"},
    {"sides", "KEY:BASE,NEW", "compare samples by a label: its value BASE with NEW",
     .text = &want.sides},
    {"runs", "KEY", "a run is what has one value of this label, not a file", .text = &want.runs},
    {"measure", "MEASURE", "compare %s (default: share where runs are tested)",
     .text = &want.measure, OPTION_VALUES(compare_measures)},
    {"test", "TEST", "test by", .text = &want.test, OPTION_VALUES(compare_tests), .preset = "t"},
    {"type", "TYPE[/UNIT]", "compare values of this type (default: the one pprof would show)",
     .text = &want.type},
    {"normalize", NULL, "scale new to the cost of base", .flag = &want.normalize},
    {"per", "WHAT", "show the cost of a", .text = &want.per, OPTION_VALUES(compare_per_words),
     .preset = "run"},
    {"per-op", "N", "show the cost of an operation; each run has N", .text = &want.per_op},
    {"per-op-from", "FILE", "the same, with each run's N from results of benchmarks",
     .text = &want.per_op_from},
    {"allow-equal", NULL, "accept equal sides; count equal runs once", .flag = &want.allow_equal},
    {.heading = "Output and checks"},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(sheet_formats),
     .preset = "text", .is_of_output = true, .unless = &want.rows},
    {"columns", NULL, "describe the columns of the table; read nothing", .flag = &want.columns},
    {"rows", NULL, "write profile rows: new minus base", .flag = &want.rows},
    {"fail-if", "LIMIT",
     "fail if something grew by more than LIMIT, such as 'self > 5 %'; repeatable",
     .each = add_gate},
    {"untested", NULL, "let --fail-if judge fewer than three runs a side", .flag = &want.untested},
    {"absent-ok", NULL, "accept a --fail-if whose name matches nothing", .flag = &want.absent_ok},
    {"most", "N", "--max-rows", .text = &want.max, .is_old = true},
};

static void check(void)
{
    compare_check(&want);
    if (want.per_op_from != NULL)
        tool_read_beside(want.per_op_from);
}

static void compare(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    want.read = &feeds.read;
    run_stage(want.rows ? &compare_rows_stage : &compare_stage, &want, inputs, &feeds, out);
}

const struct tool tool_profdiff = {
    .name = "profdiff",
    .task = TOOL_TASK_LOOK,
    .summary = "Show what changed between profiles, beyond noise",
    .operands = "base new | base ... -- new ...",
    .base_count = &want.base_count,
    .has_two_sides = true,
    .sides_by = &want.sides,
    .take_operands = check_files,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS | COMMON_SIDES,
    .examples = {"profdiff old.pb.gz new.pb.gz", "profdiff base-*.out -- new-*.out"},
    .converts = true,
    .about = &want.columns,
    .check = check,
    .run = compare,
};

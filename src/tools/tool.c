#include "tools/tool.h"

#include "base/confine.h"
#include "base/deadline.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/follow.h"
#include "base/mem.h"
#include "base/origin.h"
#include "base/port.h"
#include "base/spool.h"
#include "base/thread.h"
#include "base/words.h"
#include "feed/run.h"
#include "formats/formats.h"
#include "formats/perf/perf_run.h"
#include "formats/sqlite/sqlite.h"
#include "rows/loss.h"
#include "tools/convert.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/side_lists.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct out *output;
static struct manifest *manifest;

uint64_t tool_size(const char *option, const char *text)
{
    static const char letters[] = "KMG";
    char *end;
    errno = 0;
    uint64_t size = strtoull(text, &end, 10);
    const char *letter = *end == '\0' ? NULL : strchr(letters, *end);
    unsigned shift = letter == NULL ? 0 : 10 * (unsigned)(letter - letters + 1);
    if (errno != 0 || text[0] < '0' || text[0] > '9' || (*end != '\0' && letter == NULL) ||
        (letter != NULL && end[1] != '\0') || size > UINT64_MAX >> 1 >> shift)
        die(CODE_BAD_ARGUMENT,
            "%s: expected a number of bytes, perhaps with K, M or G, found \"%s\"", option, text);
    return size << shift;
}

uint64_t tool_number(const char *option, const char *text, uint64_t min)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (errno != 0 || text[0] < '0' || text[0] > '9' || *end != '\0' || number < min)
        die(CODE_BAD_ARGUMENT, "%s: expected a number%s, found \"%s\"", option,
            min > 0 ? " from 1" : "", text);
    return number;
}

/* Names of files, as the user gave them. */
struct named {
    const char **names;
    size_t count, capacity;
};

static struct named beside, rules;

static void add_name(struct named *to, const char *name)
{
    to->names = mem_array(to->names, &to->capacity, to->count + 1, sizeof *to->names);
    to->names[to->count++] = name;
}

void tool_read_beside(const char *path)
{
    add_name(&beside, path);
}

void tool_add_rules(const char *name)
{
    add_name(&rules, name);
    if (!rules_are_shipped(name))
        tool_read_beside(name);
}

void tool_add_label(const char *text)
{
    label_add_fixed(&tool_common.labels, text);
}

void tool_add_label_from_name(const char *text)
{
    label_add_from_name(&tool_common.labels, text);
}

void tool_expect(const char *text)
{
    tool_common.expect.count = tool_number("--expect", text, 0);
    tool_common.expect.has_count = true;
}

void tool_expect_from(const char *path)
{
    tool_common.expect.list = path;
    tool_read_beside(path);
}

bool tool_has_rules(void)
{
    return rules.count > 0;
}

static void read_rules(void)
{
    for (size_t i = 0; i < rules.count; i++)
        rules_add(&tool_common.rules, rules.names[i]);
}

struct feed_request tool_feeds(void)
{
    const char *size = tool_common.max_size;
    if (size != NULL && tool_size("--max-size", size) == 0)
        die(CODE_BAD_ARGUMENT, "--max-size: expected more than 0 bytes");
    return (struct feed_request){
        .read = {.strict = tool_common.strict,
                 .bad_lines = tool_common.strict       ? READ_BAD_LINES_END
                              : tool_common.keep_going ? READ_BAD_LINES_SKIP
                                                       : READ_BAD_LINES_CAN_SKIP,
                 .allow_empty = tool_common.allow_empty,
                 .max_size = size == NULL ? 0 : tool_size("--max-size", size)},
        .lossless = tool_common.lossless,
        .rules = tool_common.rules.count == 0 ? NULL : &tool_common.rules,
        .labels = label_add_is_asked(&tool_common.labels) ? &tool_common.labels : NULL,
        .unites_addresses = tool_common.unites_addresses,
        .expect = expect_is_asked(&tool_common.expect) ? &tool_common.expect : NULL,
        .manifest = manifest,
    };
}

/* The number in --threads, otherwise the number of cores for this process. */
static uint64_t threads(void)
{
    return tool_common.threads != NULL ? tool_number("--threads", tool_common.threads, 1)
                                       : port_cores();
}

/* Starts the time limit, if --timeout is given. */
static void start_deadline(void)
{
    const char *text = tool_common.timeout;
    char *end;
    if (text == NULL)
        return;
    double seconds = decimal_parse(text, &end);
    bool is_number = ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') && *end == '\0';
    if (!is_number || !(seconds >= 1e-6 && seconds <= 1e8))
        die(CODE_BAD_ARGUMENT,
            "--timeout: expected a number of seconds from 0.000001 to 100000000, found \"%s\"",
            text);
    deadline_start(seconds, text);
}

/* --- start and end --- */

/* Opens those of the first three descriptors that are closed, so that no file of ours gets their
 * numbers.  Reading or writing them fails, as it should. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(STATUS_SYSTEM);
}

static bool guards_inputs;

void tool_guard_inputs(void)
{
    guards_inputs = true;
}

static void flush_output(void)
{
    if (output != NULL)
        out_flush(output);
}

/* Ends the tool if a file that is read besides the inputs is the output FILE: it would be lost. */
static void refuse_beside(const struct stat *file)
{
    for (size_t i = 0; i < beside.count; i++)
        inputs_refuse_path(beside.names[i], file);
}

bool tool_is_about(const struct tool *tool)
{
    return tool->about != NULL && *tool->about;
}

static bool follows(const struct tool *tool)
{
    return tool->follows != NULL && *tool->follows && !tool_is_about(tool);
}

/* Ends the tool if its output has a name that says another format than it writes. */
static void check_name(const struct tool *tool)
{
    const struct format *said = NULL;
    size_t longest = words_match_suffix(
        tool_common.output, tool->writes == NULL ? tool->suffixes : tool->writes->suffixes);
    for (size_t i = 0; formats_at(i) != NULL; i++) {
        const struct format *format = formats_at(i);
        const size_t n = words_match_suffix(tool_common.output, format->suffixes);
        /* 1: it only begins as such files do (words.h) */
        if (n > 1 && n > longest && !format->suffixes_are_common) {
            longest = n;
            said = format;
        }
    }
    if (said == NULL)
        return;
    const struct str word = format_word(said);
    const bool writes_rows = tool->task == TOOL_TASK_CHANGE || tool->task == TOOL_TASK_READ ||
                             tool->task == TOOL_TASK_ROWS;
    if (writes_rows)
        die(CODE_BAD_ARGUMENT,
            "-o %s: this tool writes profile rows, not %s" HINT "%s ... | ndjson2%.*s -o %s",
            tool_common.output, said->name, tool->name, STR_ARG(word), tool_common.output);
    die(CODE_BAD_ARGUMENT, "-o %s: this tool does not write %s" HINT "ndjson2%.*s does",
        tool_common.output, said->name, STR_ARG(word));
}

/* Makes the checks of usage that depend on what the output is. */
static void check_output(const struct tool *tool, struct inputs *inputs)
{
    bool is_stdout = tool_common.output == NULL || strcmp(tool_common.output, "-") == 0;
    if (tool->binary && !(tool->is_text != NULL && *tool->is_text) && !tool_common.force &&
        out_is_terminal(output))
        die(CODE_TERMINAL,
            "the output is binary, and standard output is a terminal: use -o FILE, or -f "
            "to write it here");
    struct stat file;
    int result = is_stdout ? fstat(STDOUT_FILENO, &file) : stat(tool_common.output, &file);
    bool is_file = result == 0 && S_ISREG(file.st_mode);
    if (is_file)
        refuse_beside(&file);
    if (is_file && follows(tool))
        in_guard(&file); /* it may be in the folder that is followed */
    if (is_file && (is_stdout || tool->converts || guards_inputs))
        inputs_refuse(inputs, &file, !is_stdout);
    else if (is_file)
        in_guard(&file); /* only rows may replace rows */
    if (is_stdout)
        in_forbid(STDOUT_FILENO); /* files of a list are checked when they are opened */
}

/* Whether A and B, of different names perhaps, will be the same file. */
static bool are_same(const struct out *a, const struct out *b)
{
    char one[PATH_MAX],
        other[PATH_MAX]; /* the unfinished files are there, and in the same folders */
    if (out_unfinished(a) == NULL || out_unfinished(b) == NULL ||
        realpath(out_unfinished(a), one) == NULL || realpath(out_unfinished(b), other) == NULL)
        return false;
    const char *name = strrchr(out_target(a), '/'), *its = strrchr(out_target(b), '/');
    *strrchr(one, '/') = *strrchr(other, '/') = '\0';
    return strcmp(one, other) == 0 && strcmp(name == NULL ? out_target(a) : name + 1,
                                             its == NULL ? out_target(b) : its + 1) == 0;
}

/* Opens the file of --manifest, which must be nothing else. */
static void open_manifest(const struct tool *tool, struct inputs *inputs)
{
    const char *path = tool_common.manifest;
    struct stat file;
    if (path == NULL || tool_is_about(tool))
        return;
    const bool is_stdout = strcmp(path, "-") == 0;
    if (is_stdout && (tool_common.output == NULL || strcmp(tool_common.output, "-") == 0))
        die(CODE_OPTIONS_CLASH, "--manifest=-: standard output is the output" HINT "use -o FILE");
    if (!is_stdout && stat(path, &file) == 0 && S_ISREG(file.st_mode)) {
        refuse_beside(&file);
        inputs_refuse(inputs, &file, true);
    }
    manifest = manifest_open(path);
    if (are_same(output, manifest_out(manifest)))
        die(CODE_SAME_FILE, "%s is output and manifest at once", path);
    inputs_list_skipped(inputs, manifest);
}

static bool reads_anywhere;

void tool_read_anywhere(void)
{
    reads_anywhere = true;
}

/* Allows, for confine(), reading the file PATH.  Standard input is included if it has a name to
 * open it by: some readers need that. */
static void keep_input(const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    confine_read(name);
    sqlite_keep(name);
}

/* The program for recordings of perf; NULL: the default. */
static const char *perf_program(void)
{
    const char *set = getenv("PROFPIPE_PERF");
    return tool_common.perf != NULL ? tool_common.perf : set != NULL && *set != '\0' ? set : NULL;
}

/* Whether TOOL has another program read PATH, a recording of perf. */
static bool runs_perf(const struct tool *tool, const char *path)
{
    const char *program = perf_program();
    const bool is_wanted = (tool->common & COMMON_PERF) != 0 && !follows(tool) &&
                           (program == NULL || strcmp(program, "no") != 0);
    return is_wanted && strcmp(path, "-") != 0 && perf_run(path, program);
}

/* Drops rights that are not needed for inputs of TOOL: the COUNT operands PATHS, and those of lists. */
static void give_up(const struct tool *tool, char **paths, int count)
{
    for (int i = 0; i < count; i++) {
        if (runs_perf(tool, paths[i]))
            continue;
        keep_input(paths[i]);
        /* rights belong to the file, not to its name, which may be replaced until it is opened */
        if (i > 0 || side_lists_are_given())
            in_open_early(paths[i]);
    }
    if (count == 0)
        keep_input("-");
    for (size_t i = 0; i < beside.count; i++)
        keep_input(beside.names[i]);
    /* a list may be read while its files are, and may have very many */
    if (reads_anywhere || tool_common.files_from != NULL || side_lists_are_given())
        confine_read_all();
    out_keep(output);
    if (manifest != NULL)
        out_keep(manifest_out(manifest));
    spool_prepare();
    confine();
}

/* The inputs of TOOL, COUNT operands PATHS or those of a list. */
static struct inputs *inputs_for(const struct tool *tool, char **paths, int count)
{
    const char *list = side_lists_are_given() ? side_lists_first() : tool_common.files_from;
    if (tool_common.null && list == NULL && tool_common.expect.list == NULL)
        die(CODE_OPTIONS_CLASH, "--null needs %s",
            tool->has_two_sides ? "--base-from or --new-from" : "--files-from");
    if (!tool_is_about(tool))
        return inputs_of(paths, count, tool_common.files_from, tool_common.null);
    if (count > 0 || list != NULL)
        die(CODE_BAD_OPERANDS, "--columns reads no files, found \"%s\"",
            list != NULL ? list : paths[0]);
    tool_common.allow_empty = true;
    diag_level = DIAG_QUIET; /* that there is nothing */
    return inputs_of_none();
}

static void run_tool(const struct tool *tool, struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    if (tool->run != NULL)
        tool->run(inputs, out);
    else if (tool->reads != NULL)
        convert(tool->reads, tool->read_options, inputs, out);
    else
        run_stage(tool->stage, tool->stage_options, inputs, &feeds, out);
}

/* Runs TOOL on one input, without output, to see whether it is valid as input NUMBER: base of a
 * comparison is read otherwise than new. */
static void run_alone(struct in *in, size_t number, void *tool)
{
    struct inputs *one = inputs_of_one(in, number);
    struct out *nowhere = out_open_nowhere();
    run_tool(tool, one, nowhere);
    out_close(nowhere);
    inputs_free(one);
}

/* Whether TOOL follows the folder that is its only operand, one of COUNT PATHS. */
static bool follows_folder(const struct tool *tool, char **paths, int count)
{
    struct stat file;
    bool is_folder = false;
    for (int i = 0; i < count && follows(tool); i++)
        is_folder |= stat(paths[i], &file) == 0 && S_ISDIR(file.st_mode);
    if (is_folder && count > 1)
        die(CODE_BAD_OPERANDS, "--follow: expected one folder, or files, found %d", count);
    return is_folder;
}

/* Waits for input to go on: in FOLDER, or if that is NULL of the last file, on a terminal. */
static void follow(const struct tool *tool, struct inputs *inputs, const char *folder)
{
    if (folder == NULL && !out_is_terminal(output))
        return;
    follow_start();
    if (folder == NULL)
        inputs_follow(inputs);
    else
        inputs_follow_folder(inputs, folder, run_alone, (void *)(uintptr_t)tool);
}

int tool_main(const struct tool *tool, int argc, char **argv)
{
    mem_begin();
    hold_standard_streams();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* then a write beyond the size limit fails with an error */
    diag_tool = tool->name;
    if (tool->has_two_sides)
        origin_list_options = "--base-from=- (or --new-from=-)";
    options_find_errors(argc, argv);
    diag_cleanup = out_abandon;
    loss_name_target(tool->writes == NULL ? NULL : tool->writes->target);
    int first = options_parse(tool, argc, argv);
    const bool lists_sides = side_lists_are_given() && !tool_is_about(tool);
    if (tool->take_operands != NULL && !lists_sides)
        first += tool->take_operands(argc - first, argv + first);
    tool_feeds(); /* checks the arguments of common options */
    threads();
    if (tool->reads != NULL)
        convert_check();
    if (tool_common.output != NULL)
        check_name(tool);
    if (tool->check != NULL)
        tool->check();
    start_deadline();
    read_rules(); /* after start_deadline: this may block, as what follows */
    expect_read(&tool_common.expect, tool_common.null);
    char **paths = argv + first;
    int count = argc - first;
    if (lists_sides) {
        paths = side_lists_read(paths, &count, tool->base_count, tool_common.null);
        if (tool->take_operands != NULL)
            tool->take_operands(count, paths);
    }
    const void *mark = mem_mark(); /* memory of the command line stays until the end */
    const char *folder = follows_folder(tool, paths, count) ? paths[0] : NULL;
    struct inputs *inputs = folder != NULL ? inputs_of_none() : inputs_for(tool, paths, count);
    tool_common.allow_empty |= folder != NULL; /* so far */
    if (tool_common.progress && !diag_is_json) /* a bar is no object */
        progress_start(paths, count);
    origin_on_pause = flush_output;
    output = out_open(tool_common.output);
    check_output(tool, inputs);
    open_manifest(tool, inputs);
    give_up(tool, argv + first, argc - first);
    thread_allow(threads() < UINT_MAX ? (unsigned)threads() : UINT_MAX);
    if (tool_common.keep_going)
        inputs_keep_going(inputs, run_alone, (void *)(uintptr_t)tool);
    if (follows(tool))
        follow(tool, inputs, folder);
    run_tool(tool, inputs, output);
    if (manifest != NULL) /* before the output, so that none is there without it */
        manifest_close(manifest);
    struct out *done = output;
    output = NULL; /* out_close flushes, and must not be interrupted by a flush */
    out_close(done);
    progress_stop();
    rules_report(&tool_common.rules);
    label_add_report(&tool_common.labels);
    inputs_report(inputs);
    inputs_free(inputs);
    if (diag_status() == STATUS_OK)
        mem_end(mark);
    return diag_status();
}

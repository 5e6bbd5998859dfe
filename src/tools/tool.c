#include "tools/tool.h"

#include "base/confine.h"
#include "base/deadline.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/origin.h"
#include "base/port.h"
#include "base/spool.h"
#include "base/thread.h"
#include "formats/bad_lines.h"
#include "formats/sqlite/sqlite.h"
#include "rows/loss.h"
#include "run/run.h"
#include "tools/convert.h"
#include "tools/options.h"
#include "tools/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct out *output;

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
        die(STATUS_USAGE, "%s: expected a number of bytes, perhaps with K, M or G, found \"%s\"",
            option, text);
    return size << shift;
}

uint64_t tool_number(const char *option, const char *text, uint64_t min)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (errno != 0 || text[0] < '0' || text[0] > '9' || *end != '\0' || number < min)
        die(STATUS_USAGE, "%s: expected a number%s, found \"%s\"", option, min > 0 ? " from 1" : "",
            text);
    return number;
}

/* Names of files, as they were given. */
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

static void read_rules(void)
{
    for (size_t i = 0; i < rules.count; i++)
        rules_add(&tool_common.rules, rules.names[i]);
}

struct feed_request tool_feeds(void)
{
    const char *size = tool_common.max_size;
    if (size != NULL && tool_size("--max-size", size) == 0)
        die(STATUS_USAGE, "--max-size: expected more than 0 bytes");
    return (struct feed_request){
        .read = {.strict = tool_common.strict,
                 .bad_lines = tool_common.strict       ? READ_BAD_LINES_END
                              : tool_common.keep_going ? READ_BAD_LINES_SKIP
                                                       : READ_BAD_LINES_CAN_SKIP,
                 .allow_empty = tool_common.allow_empty,
                 .max_size = size == NULL ? 0 : tool_size("--max-size", size)},
        .lossless = tool_common.lossless,
        .rules = tool_common.rules.count == 0 ? NULL : &tool_common.rules,
    };
}

/* What --threads says, or else as many as there are cores for this process. */
static uint64_t threads(void)
{
    return tool_common.threads != NULL ? tool_number("--threads", tool_common.threads, 1)
                                       : port_cores();
}

/* Has the time of --timeout, if it was given, run from here on. */
static void start_deadline(void)
{
    const char *text = tool_common.timeout;
    char *end;
    if (text == NULL)
        return;
    double seconds = decimal_parse(text, &end);
    bool is_number = ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') && *end == '\0';
    if (!is_number || !(seconds >= 1e-6 && seconds <= 1e8))
        die(STATUS_USAGE,
            "--timeout: expected a number of seconds from 0.000001 to 100000000, found \"%s\"",
            text);
    deadline_start(seconds, text);
}

/* --- start and end --- */

/* Keeps the first three descriptors taken, so that no file of ours becomes one of them.  What was
 * closed can be neither read nor written then, and says so when it is. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(STATUS_SYSTEM);
}

static enum status failed;

void tool_fail(void)
{
    failed = STATUS_INPUT;
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

/* What is read beside the inputs, if that is the output FILE, would be lost, or is already. */
static void refuse_beside(const struct stat *file)
{
    struct stat found;
    for (size_t i = 0; i < beside.count; i++)
        if (stat(beside.names[i], &found) == 0 && found.st_ino == file->st_ino &&
            found.st_dev == file->st_dev)
            die(STATUS_USAGE, "%s is input and output at once", beside.names[i]);
}

/* What is wrong usage may depend on what the output is. */
static void check_output(const struct tool *tool, struct inputs *inputs)
{
    bool is_stdout = tool_common.output == NULL || strcmp(tool_common.output, "-") == 0;
    if (tool->binary && !tool_common.force && out_is_terminal(output))
        die(STATUS_USAGE, "the output is binary, and standard output is a terminal: use -o FILE, or -f "
                          "to write it here");
    struct stat file;
    int result = is_stdout ? fstat(STDOUT_FILENO, &file) : stat(tool_common.output, &file);
    bool is_file = result == 0 && S_ISREG(file.st_mode);
    if (is_file)
        refuse_beside(&file);
    if (is_file && (is_stdout || tool->converts || guards_inputs))
        inputs_refuse(inputs, &file, !is_stdout);
    else if (is_file)
        in_guard(&file); /* rows may replace rows */
    if (is_stdout)
        in_forbid(STDOUT_FILENO); /* what a list names is looked at when it is opened */
}

static bool reads_anywhere;

void tool_read_anywhere(void)
{
    reads_anywhere = true;
}

/* Names the file PATH, which is read, for confine(). Standard input, too, is opened by name where that says more than its bytes. */
static void keep_input(const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    confine_read(name);
    sqlite_keep(name);
}

/* Gives up what will not be needed with the inputs PATHS, COUNT of them. */
static void give_up(char **paths, int count)
{
    for (int i = 0; i < count; i++)
        keep_input(paths[i]);
    if (count == 0)
        keep_input("-");
    for (size_t i = 0; i < beside.count; i++)
        keep_input(beside.names[i]);
    if (reads_anywhere || tool_common.files_from != NULL) /* a list is read as its files are */
        confine_read_all();
    out_keep(output);
    spool_prepare();
    confine();
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

/* Whether an input is good shows when TOOL runs with it alone, for nobody. */
static void run_alone(struct in *in, void *tool)
{
    struct inputs *one = inputs_of_one(in);
    struct out *nowhere = out_open_nowhere();
    run_tool(tool, one, nowhere);
    out_close(nowhere);
    inputs_free(one);
}

int tool_main(const struct tool *tool, int argc, char **argv)
{
    mem_begin();
    hold_standard_streams();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a write past the limit then says so */
    diag_tool = tool->name;
    diag_cleanup = out_abandon;
    loss_name_target(tool->writes == NULL ? NULL : tool->writes->target);
    int first = options_parse(tool, argc, argv);
    if (tool->take_operands != NULL)
        first += tool->take_operands(argc - first, argv + first);
    tool_feeds(); /* says what is wrong with their arguments */
    threads();
    if (tool->reads != NULL)
        convert_check();
    if (tool->check != NULL)
        tool->check();
    start_deadline();
    read_rules();                  /* which may have to be waited for */
    const void *mark = mem_mark(); /* what the command line needs stays until the end */
    struct inputs *inputs =
        inputs_of(argv + first, argc - first, tool_common.files_from, tool_common.null);
    if (tool_common.progress)
        progress_start(argv + first, argc - first);
    origin_on_pause = flush_output;
    output = out_open(tool_common.output);
    check_output(tool, inputs);
    give_up(argv + first, argc - first);
    thread_allowed = threads() > 1;
    if (tool_common.keep_going)
        inputs_keep_going(inputs, run_alone, (void *)(uintptr_t)tool);
    run_tool(tool, inputs, output);
    struct out *done = output;
    output = NULL; /* closing flushes, and must not be flushed into */
    out_close(done);
    progress_stop();
    rules_report(&tool_common.rules);
    if (inputs_report(inputs) || bad_lines_were_skipped())
        failed = STATUS_INPUT;
    inputs_free(inputs);
    if (failed == STATUS_OK)
        mem_end(mark);
    return failed;
}

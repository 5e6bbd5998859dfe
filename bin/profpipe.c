/* profpipe - all tools as one program, called by a link with the tool's name or with the name as
 * first argument.  It also lists the tools, formats and tasks, and converts by the names of
 * files. */
#include "base/diag.h"
#include "base/words.h"
#include "formats/formats.h"
#include "tools/help.h"
#include "tools/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#define TOOL(name) extern const struct tool tool_##name;
#include "tools.h"
#undef TOOL

static const struct tool *const tools[] = {
#define TOOL(name) &tool_##name,
#include "tools.h"
#undef TOOL
};

enum { TOOLS = sizeof tools / sizeof *tools };

/* Tasks, and the command for each; profpipe(7) has more on each. */
static const struct task {
    const char *word, *question;
    const char *commands[3];
    const char *others; /* words for the same, separated by spaces; NULL: none */
} tasks[] = {
    {"what", "What is in a file?", {"profinfo FILE", "profinfo --brief FILE..."}, "info which"},
    {"slow",
     "What is slow?",
     {"profsum FILE", "profsum --sort=total FILE"},
     "top cpu hot self flat total cum cumulative"},
    {"callers",
     "Who calls a function?",
     {"profsum --peek=NAME FILE", "profsum --hot-paths FILE"},
     "peek calls callees"},
    {"lines",
     "Which lines are slow?",
     {"profsum --by=line FILE", "profsum --list=NAME FILE"},
     "list source"},
    {"changed",
     "What has changed?",
     {"profdiff OLD NEW", "profdiff OLD... -- NEW..."},
     "compare diff base diff_base share slower"},
    {"merge",
     "Many files as one?",
     {"profpipe convert FILE... merged.pb.gz"},
     "combine folder hosts"},
    {"scale",
     "A million files, on many machines? (profscale(7))",
     {"ndjson2pprof --canonical --files-from=LIST -o all.pb.gz"},
     "million cluster fleet parallel make slurm hadoop mapreduce kubernetes"},
    {"package",
     "How much for each package, or group of your own?",
     {"profsum --by=package FILE", "profsum --by=group --rules=RULES FILE"},
     "packages group rules"},
    {"live",
     "What happens while it runs?",
     {"profsum --follow Rprof.out", "profsum --follow FOLDER"},
     "follow watch folder"},
    {"bench",
     "Benchmarks of two builds?",
     {"profdiff OLD.txt NEW.txt", "profdiff --fail-if='ns/op > 5 %' OLD.txt NEW.txt"},
     "benchmark benchstat"},
    {"label",
     "How much for each label?",
     {"profsum --by=label:KEY FILE", "proffilter --label=KEY=VALUE FILE | profsum"},
     "labels tag tags host thread threads pid goroutine dump"},
    {"part",
     "How much below a function?",
     {"proffilter --focus=NAME FILE | profsum", "proffilter --ignore=NAME FILE | profsum"},
     "focus filter ignore hide show tagfocus"},
    {"time",
     "What happened when?",
     {"profplot --kind=events -o events.svg FILE", "profsum --profile FILE"},
     "hour second"},
    {"memory",
     "Who allocates?",
     {"profsum --type=alloc_space FILE", "profsum --type=alloc_size Rprof.out",
      "profplot --kind=memory -o memory.svg Rprof.out"},
     "alloc heap"},
    {"java",
     "What does a recording of Java say?",
     {"profsum --by=label:thread run.jfr", "profsum --type=delay run.jfr",
      "proffilter --samples=0s:10s run.jfr | profsum --type=alloc_space"},
     "jfr jvm kotlin scala lock locks"},
    {"python",
     "Where does a Python program spend its time?",
     {"profsum --sort=total app.pstats", "profsum --by=line app.pstats",
      "profgraph -o calls.svg app.pstats"},
     "cprofile pstats cumtime tottime py-spy pyspy django"},
    {"picture",
     "A flame graph?",
     {"profflame -o flame.html FILE", "profflame -o diff.svg OLD -- NEW"},
     "flame flamegraph web http browser"},
    {"graph",
     "A call graph?",
     {"profgraph -o calls.svg FILE", "profgraph --focus=NAME --format=mermaid FILE"},
     "dot"},
    {"report",
     "A page for a colleague?",
     {"profflame -o flame.html FILE", "profsum --format=html -o sums.html FILE",
      "profsum --format=markdown FILE"},
     "page html markdown"},
    {"ci",
     "A check in CI?",
     {"profsum --fail-if='total(^json) > 5 points' FILE",
      "profdiff --fail-if='self > 10 %' OLD... -- NEW..."},
     "gate budget"},
    {"r",
     "Into R?",
     {"ndjson2rprof -o Rprof.out FILE", "profsum --samples --format=csv -o samples.csv FILE"},
     "csv dataframe data.frame"},
    {"sql",
     "Ask in SQL?",
     {"profsql .schema FILE", "profsql 'SELECT * FROM top ORDER BY type, self DESC' FILE",
      "ndjson2sqlite -o profiles.db FILE"},
     "recursion outlier percentile sqlite database db"},
    {"script",
     "Into a script?",
     {"profsum --format=json FILE", "profcat FILE | jq -c ."},
     "json jq"},
    {"convert",
     "Another format, or another encoding?",
     {"profpipe convert FILE OUT.pb.gz", "profpipe formats",
      "rprof2ndjson --from-code=latin1 Rprof.out | profsum"},
     "format pprof speedscope folded firefox encoding latin1"},
    {"check", "Is a file valid?", {"profvalidate FILE"}, "valid torn broken"},
    {"stranger",
     "A file from a stranger?",
     {"profinfo --max-size=20M --timeout=60 --perf=no FILE"},
     "security untrusted limits"},
};

enum { TASKS = sizeof tasks / sizeof *tasks };

/* The tool NAME, or NULL. */
static const struct tool *find(const char *name)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(tools[i]->name, name) == 0)
            return tools[i];
    return NULL;
}

/* The same for an argument: "sum" also means profsum. */
static const struct tool *find_named(const char *name)
{
    const struct tool *found = find(name);
    for (size_t i = 0; i < TOOLS && found == NULL; i++)
        if (strncmp(tools[i]->name, "prof", 4) == 0 && strcmp(tools[i]->name + 4, name) == 0)
            found = tools[i];
    return found;
}

/* The tool that reads FORMAT, or NULL. */
static const struct tool *find_reader(const char *format)
{
    char name[64];
    const int n = snprintf(name, sizeof name, "%s2ndjson", format);
    return n < (int)sizeof name ? find(name) : NULL;
}

/* --- lists --- */

static void print_tools(void)
{
    static const char *const titles[TOOL_TASKS] = {
        [TOOL_TASK_LOOK] = "Look at profiles",
        [TOOL_TASK_CHANGE] = "Combine and filter them",
        [TOOL_TASK_WRITE] = "Write them in another format (profpipe convert picks one)",
        [TOOL_TASK_READ] = "Read one format, with its own options, and write profile rows",
        [TOOL_TASK_ROWS] = "Work on profile rows",
    };
    printf("Usage: profpipe TOOL [argument ...]\n"
           "       profpipe convert [options] IN ... OUT\n"
           "       profpipe formats\n"
           "       profpipe help [TASK | TOOL | FORMAT]\n\n"
           "'profpipe help' lists tasks, each with a command.  Each tool has a --help,\n"
           "and is a command by itself.  All take profiles of any format they know.\n");
    for (unsigned task = 0; task < TOOL_TASKS; task++) {
        printf("\n%s:\n", titles[task]);
        for (size_t i = 0; i < TOOLS; i++)
            if (tools[i]->task == task)
                printf("  %-18s %s\n", tools[i]->name, tools[i]->summary);
    }
}

static const struct tool *reader_of(const struct format *format)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (tools[i]->reads == format)
            return tools[i];
    return NULL;
}

static const struct tool *writer_of(const struct format *format)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (tools[i]->writes == format)
            return tools[i];
    return NULL;
}

/* The suffixes of the files that TOOL writes; NULL: it writes none. */
static const char *suffixes_of(const struct tool *tool)
{
    return tool->writes != NULL ? tool->writes->suffixes : tool->suffixes;
}

/* The name of FORMAT without an article. */
static const char *title_of(const struct format *format)
{
    struct str name = str_of(format->name);
    return str_take(&name, STR("a ")) || str_take(&name, STR("an ")) ? name.p : format->name;
}

enum { NAMES = 20 }; /* the width of a column with suffixes */

/* Takes off *REST as many suffixes as fit a line of that column, but at least one; empty at the
 * end. */
static struct str take_names(struct str *rest)
{
    size_t n = 0;
    for (size_t i = 0; i <= rest->n; i++)
        if ((i == rest->n || rest->p[i] == ' ') && (n == 0 || i <= NAMES))
            n = i;
    const struct str taken = {rest->p, n};
    *rest = (struct str){rest->p + n, rest->n - n};
    str_take(rest, STR(" "));
    return taken;
}

static void print_formats(void)
{
    printf("%-22s %-18s %-17s %s\n", "Format", "To rows by", "Written by", "Names of files");
    for (size_t i = 0; formats_at(i) != NULL; i++) {
        const struct format *format = formats_at(i);
        const struct tool *reader = reader_of(format), *writer = writer_of(format);
        struct str rest = str_of(format->suffixes == NULL ? "any" : format->suffixes);
        struct str names = take_names(&rest);
        printf("%-22s %-18s %-17s %.*s\n", title_of(format), reader == NULL ? "-" : reader->name,
               writer == NULL ? "-" : writer->name, STR_ARG(names));
        while ((names = take_names(&rest)).n > 0)
            printf("%60s%.*s\n", "", STR_ARG(names));
    }
    for (size_t i = 0; i < TOOLS; i++)
        if (tools[i]->suffixes != NULL)
            printf("%-22s %-18s %-17s %s\n", "picture", "-", tools[i]->name, tools[i]->suffixes);
    printf("\nEvery tool that takes profiles reads all of these, whatever their names, also\n"
           "compressed by gzip.  'profpipe convert IN ... OUT' goes by the name of OUT.\n");
}

static void print_task(const struct task *task)
{
    printf("  %-9s %s\n", task->word, task->question);
    for (size_t i = 0; i < 3 && task->commands[i] != NULL; i++)
        printf("              %s\n", task->commands[i]);
}

static void print_tasks(void)
{
    printf("What do you want to do?  FILE is a profile of any format.\n\n");
    for (size_t i = 0; i < TASKS; i++)
        print_task(&tasks[i]);
    printf("\nprofpipe(7) has more of each; 'profpipe help TOOL' shows a tool's options.\n");
}

/* Ends a command that has printed to standard output. */
static enum status finish(void)
{
    help_flush();
    return STATUS_OK;
}

static bool is_one_of(const char *word, const char *letter, const char *name)
{
    return strcmp(word, letter) == 0 || strcmp(word, name) == 0;
}

static bool is_help(const char *word)
{
    return is_one_of(word, "-h", "--help");
}

/* Whether WORD is one of WORDS, separated by spaces, in small or capital letters. */
static bool has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (; words != NULL && *words != '\0'; words += strspn(words, " ")) {
        const size_t each = strcspn(words, " ");
        if (each == n && strncasecmp(words, word, n) == 0)
            return true;
        words += each;
    }
    return false;
}

/* The task that WORD, or another word for it, names; NULL: none. */
static const struct task *find_task(const char *word)
{
    for (size_t i = 0; i < TASKS; i++)
        if (has_word(tasks[i].word, word) || has_word(tasks[i].others, word))
            return &tasks[i];
    return NULL;
}

static int show_help(const char *what)
{
    static const char *const own[] = {"--help", "-h", "help", "formats", "profpipe"};
    static char help[] = "--help";
    char *argv[] = {help, help, NULL};
    if (what == NULL) {
        print_tasks();
        return finish();
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i], what) == 0) {
            print_tools();
            return finish();
        }
    /* a task before the tool of the same short name, as with sql and graph */
    const struct task *task = find_task(what);
    const struct tool *tool = task == NULL ? find_named(what) : find(what);
    if (tool == NULL && task == NULL)
        tool = find_reader(what);
    if (tool != NULL)
        return tool_main(tool, 2, argv);
    if (task != NULL) {
        print_task(task);
        return finish();
    }
    die(CODE_UNKNOWN_TOOL,
        "no task, tool or format is called \"%s\"" HINT "'profpipe help' lists the tasks", what);
}

/* --- convert --- */

/* The tool for the format that the name OUT asks for. */
static const struct tool *writer_for(const char *out)
{
    const struct tool *found = NULL;
    struct buf known = {0};
    size_t longest = 0;
    for (size_t i = 0; i < TOOLS; i++) {
        const char *suffixes = suffixes_of(tools[i]);
        size_t n = words_match_suffix(out, suffixes);
        if (n > longest)
            found = tools[i];
        longest = n > longest ? n : longest;
        buf_add(&known, suffixes != NULL && known.n > 0 ? STR(" ") : STR(""));
        buf_add(&known, suffixes != NULL ? str_of(suffixes) : STR(""));
    }
    if (found == NULL)
        die(CODE_BAD_ARGUMENT,
            "convert: expected an output whose name ends in one of %.*s (with a star: begins), "
            "found \"%s\"",
            STR_ARG(buf_str(&known)), out);
    buf_free(&known);
    return found;
}

/* Whether the next word is the argument of the option WORD in any tool that writes: which tool
 * it will be depends on the last operand. */
static bool takes_next(const char *word)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (suffixes_of(tools[i]) != NULL && options_take_next(tools[i], word))
            return true;
    return false;
}

static void print_writer(const char *suffixes, const char *name)
{
    struct str rest = str_of(suffixes), line = take_names(&rest);
    printf("  %-*.*s %s\n", NAMES, STR_ARG(line), name);
    while ((line = take_names(&rest)).n > 0)
        printf("  %.*s\n", STR_ARG(line));
}

static void print_convert(void)
{
    printf("Usage: profpipe convert [options] IN ... OUT\n"
           "Write all profiles IN, of any known format, as the one file OUT.  Its name says\n"
           "which tool writes it:\n\n");
    for (size_t i = 0; i < TOOLS; i++)
        if (suffixes_of(tools[i]) != NULL)
            print_writer(suffixes_of(tools[i]), tools[i]->name);
    printf("\nOptions are those of that tool; they can stand anywhere.  A file OUT that exists\n"
           "is replaced only with -f (--force), or extended by the --append of a database.\n"
           "Examples:\n"
           "  profpipe convert Rprof.out cpu.pb.gz\n"
           "  profpipe convert monday.pb.gz tuesday.pb.gz both.html --title=both\n");
}

/* OUT is the last name: if the user forgot it, an input would be overwritten. */
static void check_new(const char *out)
{
    struct stat file;
    if (stat(out, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0)
        die(CODE_EXISTS,
            "convert: %s exists, and the last name is the output" HINT "-f replaces it", out);
}

/* Makes the command line of the tool that writes, from the COUNT words after `convert`. */
static int convert(int count, char **words)
{
    static char output[] = "-o", dashes[] = "--";
    char **options = calloc(2 * (size_t)count + 6, sizeof *options);
    if (options == NULL)
        die(CODE_MEMORY, "out of memory: the command line");
    char **operands = options + count + 5;
    int option_count = 1, operand_count = 0;
    bool ended = false, is_help_asked = false, has_sides = false, may_exist = false;
    for (int i = 0; i < count; i++) {
        bool is_option = !ended && words[i][0] == '-' && words[i][1] != '\0';
        if (is_option && strcmp(words[i], "--") == 0) {
            ended = true;
            has_sides = operand_count > 0;
            continue;
        }
        is_help_asked |= is_option && is_help(words[i]);
        may_exist |= is_option && is_one_of(words[i], "-a", "--append");
        if (is_option && (is_one_of(words[i], "-o", "--output") ||
                          strncmp(words[i], "--output=", strlen("--output=")) == 0))
            die(CODE_BAD_OPERANDS, "convert: expected the output as the last name, without -o");
        if (is_option && is_one_of(words[i], "-f", "--force")) {
            may_exist = true;
            continue;
        }
        if (!is_option)
            operands[operand_count++] = words[i];
        else
            options[option_count++] = words[i];
        if (is_option && takes_next(words[i]) && i + 1 < count)
            options[option_count++] = words[++i];
    }
    if (operand_count < 2 && is_help_asked) {
        free(options);
        print_convert();
        return finish();
    }
    if (operand_count < 2)
        die(CODE_BAD_OPERANDS,
            "convert: expected inputs and then an output, without -o, found %d %s", operand_count,
            operand_count == 1 ? "name" : "names");
    char *out = operands[operand_count - 1];
    const struct tool *tool = writer_for(out);
    if (has_sides && tool->suffixes != NULL) /* "--" separates two sides for profflame */
        die(CODE_BAD_OPERANDS, "convert: -- compares nothing here: use %s -o OUT OLD... -- NEW...",
            tool->name);
    if (!may_exist && !is_help_asked)
        check_new(out);
    options[0] = words[-1];
    options[option_count++] = output;
    options[option_count++] = out;
    options[option_count++] = dashes;
    for (int i = 0; i < operand_count - 1; i++)
        options[option_count++] = operands[i];
    options[option_count] = NULL;
    int status = tool_main(tool, option_count, options);
    free(options);
    return status;
}

/* --- completion --- */

static void print_tool_words(const char *before)
{
    for (size_t i = 0; i < TOOLS; i++)
        printf("%s%s", before, tools[i]->name);
}

static void print_words(const char *between)
{
    printf("convert%sformats%shelp", between, between);
    print_tool_words(between);
}

static void print_task_words(const char *between)
{
    for (size_t i = 0; i < TASKS; i++)
        printf("%s%s", i > 0 ? between : "", tasks[i].word);
}

static void print_bash(void)
{
    printf("_profpipe() {\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    print_words(" ");
    printf("' -- \"$2\"))\n"
           "    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    print_task_words(" ");
    print_tool_words(" ");
    printf("' -- \"$2\"))\n"
           "    elif declare -F \"_${COMP_WORDS[1]}\" >/dev/null; then\n"
           "        \"_${COMP_WORDS[1]}\" \"$@\"\n"
           "    elif declare -F \"_prof${COMP_WORDS[1]}\" >/dev/null; then\n"
           "        \"_prof${COMP_WORDS[1]}\" \"$@\"\n"
           "    fi\n"
           "}\n"
           "complete -o default -o nospace -F _profpipe profpipe\n");
}

static void print_zsh(void)
{
    printf("#compdef profpipe\n"
           "if (( CURRENT == 2 )); then\n"
           "    compadd ");
    print_words(" ");
    printf("\nelif [[ $words[2] = help ]]; then\n"
           "    compadd ");
    print_task_words(" ");
    print_tool_words(" ");
    printf("\nelif [[ $words[2] = (convert|formats) ]]; then\n"
           "    _files\n"
           "else\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    _normal\n"
           "fi\n");
}

static void print_fish(void)
{
    printf("complete -c profpipe -n '__fish_is_nth_token 1' -f -a '");
    print_words(" ");
    printf("'\ncomplete -c profpipe -n '__fish_seen_subcommand_from help' -f -a '");
    print_task_words(" ");
    print_tool_words(" ");
    printf("'\n");
}

/* --- the command line --- */

static int run_command(int argc, char **argv)
{
    static const struct {
        const char *word;
        void (*print)(void);
    } lists[] = {
        {"--help", print_tools},     {"-h", print_tools},       {"formats", print_formats},
        {"--help=bash", print_bash}, {"--help=zsh", print_zsh}, {"--help=fish", print_fish},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(argv[1], lists[i].word) == 0) {
            if (argc > 2 && is_help(argv[2]))
                return show_help(argv[2]);
            if (argc > 2)
                die(CODE_BAD_OPERANDS, "%s: expected no argument, found \"%s\"", argv[1], argv[2]);
            lists[i].print();
            return finish();
        }
    if (is_one_of(argv[1], "-V", "--version")) {
        printf("profpipe %s\n", PROFPIPE_VERSION);
        return finish();
    }
    if (strcmp(argv[1], "help") == 0) {
        if (argc > 3)
            die(CODE_BAD_OPERANDS, "help: expected one task or tool, found also \"%s\"", argv[3]);
        return show_help(argc > 2 ? argv[2] : NULL);
    }
    if (strcmp(argv[1], "convert") == 0)
        return convert(argc - 2, argv + 2);
    if (strncmp(argv[1], "--help=", 7) == 0)
        die(CODE_BAD_ARGUMENT, "--help: expected bash, zsh or fish, found \"%s\"", argv[1] + 7);
    if (argv[1][0] == '-')
        die(CODE_UNKNOWN_OPTION, "unknown option %s" HINT "--help shows the commands", argv[1]);
    const struct task *task = find_task(argv[1]);
    if (task != NULL)
        die(CODE_UNKNOWN_TOOL, "no tool is called \"%s\"" HINT "try %s", argv[1],
            task->commands[0]);
    die(CODE_UNKNOWN_TOOL, "no tool is called \"%s\"" HINT "profpipe alone lists them", argv[1]);
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const struct tool *tool = argc > 0 ? find(slash == NULL ? argv[0] : slash + 1) : NULL;
    diag_tool = "profpipe";
    options_find_errors(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--errors=json") == 0)
        argv[1] = argv[0], argv++, argc--;
    if (tool != NULL)
        return tool_main(tool, argc, argv);
    tool = argc > 1 ? find_named(argv[1]) : NULL;
    if (tool != NULL)
        return tool_main(tool, argc - 1, argv + 1);
    if (argc > 1)
        return run_command(argc, argv);
    print_tools();
    return finish();
}

#include "tool.h"

#include "diag.h"
#include "mem.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct common common;

static const struct tool *running;
static struct out *output;
static const char *help_format; /* of --help=FORMAT, which the build uses */

/* --- what is made from the table --- */

static const char *long_argument(const struct option_row *o)
{
    return o->argument == NULL ? "" : o->argument;
}

static bool argument_is_optional(const struct option_row *o)
{
    return o->argument != NULL && o->argument[0] == '[';
}

static void print_text_option(const struct option_row *o)
{
    char left[40];
    const char *equals = o->argument != NULL && !argument_is_optional(o) ? "=" : "";
    if (o->type == OPTION_LEVEL)
        snprintf(left, sizeof left, "  -1 ... -9, --%s=%s", o->name, o->argument);
    else if (o->letter != 0)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", o->letter, o->name, equals,
                 long_argument(o));
    else
        snprintf(left, sizeof left, "      --%s%s%s", o->name, equals, long_argument(o));
    printf("%-27s%s%s\n", left, strlen(left) > 26 ? "\n                           " : "", o->help);
}

static void print_text(void)
{
    printf("Usage: %s [options] %s\n%s.\n\n", running->name, running->operands, running->summary);
    for (size_t i = 0; i < running->option_count; i++)
        print_text_option(&running->options[i]);
    printf("\nExit status: 0 done, 1 invalid or truncated input, 2 wrong usage, 3 system error.\n"
           "See %s(1) and profpipe(7).\n",
           running->name);
}

static void print_mdoc_flags(const struct option_row *o, const char *separator)
{
    if (o->type == OPTION_LEVEL)
        printf("Fl 1 No ... Fl 9%sFl -%s Ns = Ns Ar %s", separator, o->name, o->argument);
    else if (o->letter != 0 && o->argument != NULL)
        printf("Fl %c Ar %s%sFl -%s Ns = Ns Ar %s", o->letter, o->argument, separator, o->name,
               o->argument);
    else if (o->letter != 0)
        printf("Fl %c%sFl -%s", o->letter, separator, o->name);
    else if (argument_is_optional(o))
        printf("Fl -%s Ns Op = Ns Cm auto", o->name);
    else if (o->argument != NULL)
        printf("Fl -%s Ns = Ns Ar %s", o->name, o->argument);
    else
        printf("Fl -%s", o->name);
}

static void print_mdoc_synopsis(void)
{
    printf(".Nm\n");
    for (size_t i = 0; i < running->option_count; i++) {
        const struct option_row *o = &running->options[i];
        printf(".Op ");
        print_mdoc_flags(o, " | ");
        printf("\n");
    }
    printf(".Op Ar file ...\n");
}

static void print_mdoc_options(void)
{
    printf(".Bl -tag -width Ds\n");
    for (size_t i = 0; i < running->option_count; i++) {
        printf(".It ");
        print_mdoc_flags(&running->options[i], " , ");
        /* lines end where sentences do, and a capital opens each */
        const char *help = running->options[i].help;
        printf("\n%c%s.\n", help[0] >= 'a' && help[0] <= 'z' ? help[0] - 'a' + 'A' : help[0],
               help + 1);
    }
    printf(".El\n");
}

static void print_bash(void)
{
    printf("complete -o default -o nospace -W '");
    for (size_t i = 0; i < running->option_count; i++) {
        const struct option_row *o = &running->options[i];
        if (o->letter != 0 && o->type != OPTION_LEVEL)
            printf("-%c ", o->letter);
        printf("--%s%s ", o->name, o->argument != NULL && !argument_is_optional(o) ? "=" : "");
    }
    printf("' %s\n", running->name);
}

static void finish_text(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        die_errno("cannot write", "<stdout>");
    exit(STATUS_OK);
}

void tool_help(void)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } formats[] = {
        {"mdoc-synopsis", print_mdoc_synopsis},
        {"mdoc-options", print_mdoc_options},
        {"bash", print_bash},
    };
    void (*print)(void) = help_format == NULL ? print_text : NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (help_format != NULL && strcmp(help_format, formats[i].name) == 0)
            print = formats[i].print;
    if (print == NULL)
        die(STATUS_USAGE, "--help: no format \"%s\"", help_format);
    print();
    finish_text();
}

void tool_version(void)
{
    printf("%s (profpipe) %s\n", running->name, PROFPIPE_VERSION);
    finish_text();
}

/* --- the command line --- */

static void apply(const struct option_row *o, int letter, const char *argument)
{
    switch (o->type) {
    case OPTION_FLAG:
        if (argument != NULL && strcmp(argument, "auto") != 0)
            die(STATUS_USAGE, "--%s: expected \"auto\", found \"%s\"", o->name, argument);
        *(bool *)o->to = true;
        break;
    case OPTION_STRING: *(const char **)o->to = argument; break;
    case OPTION_LEVEL:
        if (argument != NULL && (argument[0] < '1' || argument[0] > '9' || argument[1] != '\0'))
            die(STATUS_USAGE, "--%s: expected a digit from 1 to 9, found \"%s\"", o->name,
                argument);
        *(int *)o->to = (argument != NULL ? argument[0] : letter) - '0';
        break;
    case OPTION_ACTION:
        help_format = argument;
        ((void (*)(void))o->to)();
        break;
    case OPTION_EACH: ((void (*)(const char *))o->to)(argument); break;
    case OPTION_QUIET: diag_level = DIAG_QUIET; break;
    case OPTION_VERBOSE: diag_level = DIAG_VERBOSE; break;
    }
}

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

enum { OPTIONS_MAX = 40, FIRST_LONG = 256 };

static void add_letters(char *letters, const struct option_row *o)
{
    if (o->type == OPTION_LEVEL)
        strcat(letters, "123456789");
    else if (o->letter != 0)
        strcat(letters, (char[]){o->letter, o->argument != NULL ? ':' : '\0', '\0'});
}

static const struct option_row *find_letter(int letter)
{
    for (size_t i = 0; i < running->option_count; i++) {
        const struct option_row *o = &running->options[i];
        if (o->type == OPTION_LEVEL ? letter >= '1' && letter <= '9' : o->letter == letter)
            return o;
    }
    return NULL;
}

static _Noreturn void die_option(char **argv, int code)
{
    const char *word = argv[optind - 1];
    if (code == ':' && optopt != 0 && optopt < FIRST_LONG)
        die(STATUS_USAGE, "option -%c needs an argument (--help lists the options)", optopt);
    if (code == ':')
        die(STATUS_USAGE, "option %s needs an argument (--help lists the options)", word);
    if (optopt != 0 && optopt < FIRST_LONG)
        die(STATUS_USAGE, "unknown option -%c (--help lists the options)", optopt);
    if (optopt != 0)
        die(STATUS_USAGE, "option %s takes no argument (--help lists the options)", word);
    die(STATUS_USAGE, "unknown or ambiguous option %s (--help lists the options)", word);
}

/* Applies all options and leaves optind at the first operand. */
static void parse_options(int argc, char **argv)
{
    struct option longs[OPTIONS_MAX + 1] = {0};
    char letters[2 * OPTIONS_MAX + 16] = ":";
    for (size_t i = 0; i < running->option_count; i++) {
        const struct option_row *o = &running->options[i];
        longs[i].name = o->name;
        longs[i].val = FIRST_LONG + (int)i;
        longs[i].has_arg = o->to == (void *)tool_help || argument_is_optional(o) ? optional_argument
                           : o->argument != NULL                                 ? required_argument
                                                                                 : no_argument;
        add_letters(letters, o);
    }
    opterr = 0;
    int code;
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (code == '?' || code == ':')
            die_option(argv, code);
        if (code >= FIRST_LONG)
            apply(&running->options[code - FIRST_LONG], 0, optarg);
        else
            apply(find_letter(code), code, find_letter(code)->argument != NULL ? optarg : NULL);
    }
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

static void flush_output(void)
{
    if (output != NULL)
        out_flush(output);
}

int tool_main(const struct tool *tool, int argc, char **argv)
{
    hold_standard_streams();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a write past the limit then says so */
    running = tool;
    diag_tool = tool->name;
    diag_cleanup = out_abandon;
    parse_options(argc, argv);
    if (tool->check != NULL)
        tool->check();
    struct inputs *inputs = inputs_of(argv + optind, argc - optind, common.files_from, common.null);
    if (common.progress)
        progress_start(argv + optind, argc - optind);
    in_on_pause = flush_output;
    output = out_open(common.output);
    if (common.output == NULL)
        in_forbid(STDOUT_FILENO);
    tool->run(inputs, output);
    struct out *done = output;
    output = NULL; /* closing flushes, and must not be flushed into */
    out_close(done);
    progress_stop();
    inputs_free(inputs);
    mem_free_all();
    return failed;
}

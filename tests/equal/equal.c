/* equal.c - judges whether a tool that is given a file means what it means behind that file's converter.
 *
 *   equal COMMANDS THREADS PART PARTS FILE...
 *
 * COMMANDS is a file with a consumer of rows and its options on each line.  THREADS are the numbers that it
 * is given as --threads=N, in one word with blanks between, or "" where there is no such option.  Of the FILEs
 * every one whose place in the list leaves PART when divided by PARTS is judged; each is FORMAT/NAME, where
 * FORMAT2ndjson is the converter to begin with.  Files that are mutants have numbers for names: each is
 * tried in one mode only.
 *
 * Prints a line "FORMAT COMMAND: COUNT FAILED" for each pair, between lines of what is different. */
#include "command.h"
#include "said.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { COMMANDS_MAX = 64, FORMATS_MAX = 8, SHOWN_MAX = 5 };

/* A way to call the tools. */
struct mode {
    const char *consumer;        /* options of a consumer of the file */
    const char *behind;          /* and of one behind a converter */
    const char *text, *protobuf; /* options of converters */
    bool by_stdin;               /* the file is standard input */
    bool lossless;               /* of the consumer of the file alone: the pipe says what is lost */
};

static const struct mode modes[] = {
    {"", "", "", "", false, false},
    {"-v", "-v", "-v", "-v", false, false},
    {"-q", "-q", "-q", "-q", false, false},
    {"--strict", "", "--strict", "", false, false},
    {"--lossless -v", "-v", "-v", "-v", false, true},
    {"--max-size=2000", "", "", "--max-size=2000", false, false},
    {"-v", "-v", "-v", "-v", true, false},
};

enum { MODES = sizeof modes / sizeof *modes };

/* A consumer, and how often it was judged. */
static struct consumer {
    char line[256];
    unsigned counts[FORMATS_MAX], failures[FORMATS_MAX];
} consumers[COMMANDS_MAX];
static size_t consumer_count;

static char formats[FORMATS_MAX][32];
static size_t format_count;

static char *threads[8];
static size_t thread_count;

/* What the file that is being judged is to be compared with. */
static struct {
    const char *file;
    const struct mode *mode;
    size_t format; /* that it was read as, or "unknown" */
    bool is_rows;  /* no converter reads it: it may be rows, or nothing */
    char converter[64];
    struct outcome converted;
    int input; /* the file itself */
} now;

/* --- what is different --- */

static size_t number_of_format(const char *name)
{
    size_t i = 0;
    while (i < format_count && strcmp(formats[i], name) != 0)
        i++;
    if (i == format_count)
        snprintf(formats[format_count++], sizeof *formats, "%s", name);
    return i;
}

static void print_command(const struct command *c)
{
    for (size_t i = 0; i < c->count; i++)
        printf(" %s", c->words[i]);
    if (now.mode->by_stdin)
        printf(" <%s", now.file);
}

__attribute__((format(printf, 3, 4))) static void
differs(struct consumer *consumer, const struct command *c, const char *format, ...)
{
    va_list args;
    if (++consumer->failures[now.format] > SHOWN_MAX)
        return;
    printf("#");
    print_command(c);
    printf(": ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n#   behind %s\n", now.is_rows ? "nothing, by standard input" : now.converter);
}

/* --- the reference --- */

/* Whether the file begins as rows may, in the eyes of who knows no format better; and whether it IS_EMPTY. */
static bool may_be_rows(bool *is_empty)
{
    char head[512];
    gzFile in = gzopen(now.file, "rb");
    int n = in == NULL ? 0 : gzread(in, head, sizeof head), i = 0;
    *is_empty = in != NULL && n == 0;
    if (in != NULL)
        gzclose(in);
    while (i < n && strchr(" \t\r\n", head[i]) != NULL && head[i] != '\0')
        i++;
    return i >= n || head[i] == '{';
}

static void run_converter(const char *format)
{
    char options[64];
    struct command c = {.words = {now.converter}, .count = 1};
    snprintf(now.converter, sizeof now.converter, "%s2ndjson", format);
    snprintf(options, sizeof options, "%s",
             strcmp(format, "pprof") == 0 ? now.mode->protobuf : now.mode->text);
    command_add(&c, options);
    c.words[c.count++] = now.mode->by_stdin ? "-" : now.file;
    now.format = number_of_format(format);
    now.is_rows = false;
    command_run(&c, now.input, &now.converted);
}

/* What the converter has found in place of its format, or NULL. */
static const char *found_other(void)
{
    const char *found = strstr(now.converted.err_text, " file, found ");
    const char *expected = strstr(now.converted.err_text, ": expected a");
    return now.converted.status == 1 && found != NULL && expected != NULL && expected < found
               ? found + strlen(" file, found ")
               : NULL;
}

/* Finds the converter of the file, which is FORMAT by its name, and runs it. */
static void find_reference(const char *format)
{
    static const char *const others[] = {"rprof", "rprofmem", "pprof"};
    bool is_empty, is_rows = may_be_rows(&is_empty);
    run_converter(format);
    for (size_t i = 0; found_other() != NULL && i < sizeof others / sizeof *others; i++)
        run_converter(others[i]);
    /* of an empty file converters alone can say what it is of */
    now.is_rows = is_empty || (found_other() != NULL && is_rows);
    if (now.is_rows || found_other() != NULL)
        now.format = number_of_format(now.is_rows ? "rows" : "unknown");
}

/* --- the judgement --- */

static bool ends_with(const struct outcome *o, const char *text)
{
    size_t n = strlen(text);
    return o->out_size >= n && memcmp(o->out_text + o->out_size - n, text, n) == 0;
}

/* Where both have ended well, or said why not. */
static void judge_output(struct consumer *consumer, const struct command *c,
                         const struct outcome *direct, int status, const struct outcome *piped)
{
    if (direct->status != status)
        differs(consumer, c, "expected status %d, found %d: %s", status, direct->status,
                direct->err_text);
    else if (status != 0 && ends_with(direct, "{\"table\":\".end\"}\n"))
        differs(consumer, c, "failed, but its output looks whole");
    else if (status == 0 && (direct->out_size != piped->out_size ||
                             memcmp(direct->out_text, piped->out_text, piped->out_size) != 0))
        differs(consumer, c, "its output is not that of the pipe");
}

static bool judge_said(struct consumer *consumer, const struct command *c, struct said *expected,
                       struct said *found)
{
    const char *only_expected, *only_found;
    if (said_same_lines(expected, found, &only_expected, &only_found))
        return true;
    differs(consumer, c, "expected to read \"%s\", found \"%s\"",
            only_expected == NULL ? "" : only_expected, only_found == NULL ? "" : only_found);
    return false;
}

static bool judge_losses(struct consumer *consumer, const struct command *c,
                         const struct said *expected, const struct said *found)
{
    const char *what;
    long long should, is;
    if (said_same_losses(expected, found, &what, &should, &is))
        return true;
    differs(consumer, c, "left out: %s: expected %lld, found %lld", what, should, is);
    return false;
}

/* The converter has failed, and so must the tool. */
static void judge_failure(struct consumer *consumer, const struct command *c,
                          const struct outcome *direct)
{
    struct said expected = {0}, found = {0};
    said_add(&expected, now.converted.err_text, now.converter, NULL, true);
    said_add(&found, direct->err_text, c->words[0], NULL, true);
    if (found_other() != NULL)
        for (const char *const *f =
                 (const char *const[]){"an Rprof", "an Rprofmem", "a pprof", NULL};
             *f != NULL; f++) {
            char text[64];
            snprintf(text, sizeof text, "expected %s file, found ", *f);
            said_replace(&expected, text, "expected a profile, found ");
        }
    if (judge_said(consumer, c, &expected, &found))
        judge_output(consumer, c, direct, now.converted.status, NULL);
    said_clear(&expected);
    said_clear(&found);
}

/* The converter has not failed: DIRECT must be what is PIPED behind it. */
static void judge_success(struct consumer *consumer, const struct command *c,
                          const struct outcome *direct, const struct outcome *piped)
{
    struct said expected = {0}, found = {0};
    const char *file = now.mode->by_stdin ? "<stdin>" : now.file;
    bool counts_always = strcmp(c->words[0], "profvalidate") == 0;
    if (!now.is_rows)
        said_add(&expected, now.converted.err_text, now.converter, NULL, true);
    said_add(&expected, piped->err_text, c->words[0], file, now.is_rows);
    said_add(&found, direct->err_text, c->words[0], NULL, true);
    bool is_lost =
        now.mode->lossless && expected.loss_count > 0 && (piped->status == 0 || counts_always);
    /* who fails for another reason has counted nothing */
    bool counts = piped->status == 0 || counts_always || found.loss_count > 0;
    bool good = (is_lost || judge_said(consumer, c, &expected, &found)) &&
                (!counts || judge_losses(consumer, c, &expected, &found));
    if (good)
        judge_output(consumer, c, direct, is_lost ? 1 : piped->status, piped);
    said_clear(&expected);
    said_clear(&found);
}

/* The command of CONSUMER for the file, with its words in TEXT, or for what a converter makes of it. */
static struct command command_of(const struct consumer *consumer, char *text, size_t size,
                                 const char *options, const char *file)
{
    struct command c = {0};
    snprintf(text, size, "%s %s", consumer->line, options);
    command_add(&c, text);
    c.words[c.count++] = file;
    return c;
}

static void judge_consumer(struct consumer *consumer)
{
    static struct outcome direct, piped;
    char text[512], other[512], options[128];
    bool is_unknown = found_other() != NULL && !now.is_rows;
    if (is_unknown && strncmp(consumer->line, "profvalidate", 12) == 0) {
        /* it reads unknown text line by line, to find the rows among it */
        now.is_rows = true;
        judge_consumer(consumer);
        now.is_rows = false;
        return;
    }
    bool pipes = now.is_rows || now.converted.status == 0;
    if (pipes) {
        struct command c = command_of(consumer, other, sizeof other, now.mode->behind, "-");
        command_run(&c, now.is_rows ? now.input : now.converted.out, &piped);
    }
    for (size_t i = 0; i == 0 || i < thread_count; i++) {
        snprintf(options, sizeof options, "%s%s%s", now.mode->consumer,
                 thread_count > 0 ? " --threads=" : "", thread_count > 0 ? threads[i] : "");
        struct command c =
            command_of(consumer, text, sizeof text, options, now.mode->by_stdin ? "-" : now.file);
        command_run(&c, now.input, &direct);
        consumer->counts[now.format]++;
        if (pipes)
            judge_success(consumer, &c, &direct, &piped);
        else
            judge_failure(consumer, &c, &direct);
    }
}

static void judge(const char *file, const char *format, const struct mode *mode)
{
    now.file = file;
    now.mode = mode;
    now.input = open(file, O_RDONLY | O_CLOEXEC);
    if (now.input < 0)
        command_fail(file);
    find_reference(format);
    for (size_t i = 0; i < consumer_count; i++)
        judge_consumer(&consumers[i]);
    close(now.input);
}

static void read_consumers(const char *path)
{
    FILE *in = fopen(path, "r");
    if (in == NULL)
        command_fail(path);
    while (consumer_count < COMMANDS_MAX &&
           fscanf(in, " %255[^\n]", consumers[consumer_count].line) == 1)
        consumer_count++;
    fclose(in);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: equal COMMANDS THREADS PART PARTS FILE...\n");
        return 2;
    }
    read_consumers(argv[1]);
    for (char *n = strtok(argv[2], " "); n != NULL && thread_count < 8; n = strtok(NULL, " "))
        threads[thread_count++] = n;
    for (int i = 5 + atoi(argv[3]); i < argc; i += atoi(argv[4])) {
        char format[32], name[256];
        if (sscanf(argv[i], "%31[^/]/%255s", format, name) != 2)
            continue;
        bool is_mutant = isdigit((unsigned char)*name);
        for (size_t m = 0; m < MODES; m++)
            if (!is_mutant || (size_t)atoi(name) / 50 % MODES == m)
                judge(argv[i], format, &modes[m]);
    }
    for (size_t i = 0; i < consumer_count; i++)
        for (size_t f = 0; f < format_count; f++)
            if (consumers[i].counts[f] > 0)
                printf("%s %s: %u %u\n", formats[f], consumers[i].line, consumers[i].counts[f],
                       consumers[i].failures[f]);
    return 0;
}

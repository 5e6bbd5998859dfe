/* equal.c - judges whether a tool that is given a file does what it does behind that file's converter.
 *
 *   equal COMMANDS THREADS PART PARTS FILE...
 *
 * COMMANDS is a file with a consumer of profiles and its options on each line.  THREADS are the numbers that
 * it is given as --threads=N, in one word with blanks between, or "" where there is no such option.  Of the
 * FILEs every one whose place in the list leaves PART when divided by PARTS is judged, alone and with two
 * others; each is FORMAT/NAME, where FORMAT2ndjson is the converter to begin with.  Files that are mutants have
 * numbers for names: each is tried in one mode only.
 *
 * Prints a line "FORMAT COMMAND: COUNT FAILED" for each pair, behind lines of what is different. */
#include "command.h"
#include "reference.h"
#include "said.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMANDS_MAX = 64, FORMATS_MAX = 32, THREADS_MAX = 8, SHOWN_MAX = 5, SEVERAL = 3 };

static const struct mode modes[] = {
    {"", "", "", "", "", false, false},
    {"-v", "-v", "-v", "-v", "", false, false},
    {"-q", "-q", "-q", "-q", "", false, false},
    {"--strict", "", "--strict", "", "", false, false},
    {"--lossless -v", "-v", "-v", "-v", "", false, true},
    {"--max-size=2000", "", "", "", "--max-size=2000", false, false},
    {"-v", "-v", "-v", "-v", "", true, false},
};

/* Of several files together. */
static const struct mode together = {"-v", "-v", "-v", "-v", "", false, false};
static const struct mode kept_going = {"-v -k", "-v -k", "-v -k", "-v -k", "", false, false};

enum { MODES = sizeof modes / sizeof *modes };

/* A consumer, and how often it was judged. */
struct consumer {
    char line[256];
    unsigned counts[FORMATS_MAX], failures[FORMATS_MAX];
};

static struct consumer consumers[COMMANDS_MAX];
static size_t consumer_count;

static char formats[FORMATS_MAX][32];
static size_t format_count;

static char *threads[THREADS_MAX + 1]; /* ended by NULL */

static const struct renamed nothing[] = {{NULL, NULL, false}};

/* One judgement: of CONSUMER, and DIRECT, what COMMAND has made of a file. */
struct trial {
    struct consumer *consumer;
    size_t format;
    char text[512];
    struct command command;
    const char *by_stdin, *behind; /* for messages */
    const struct outcome *direct;
};

/* --- what is different --- */

static bool is_validate(const struct consumer *consumer)
{
    return strncmp(consumer->line, "profvalidate", 12) == 0;
}

/* Whether the files are the second side of a comparison, whose first is one file that the line names. */
static bool has_base(const struct consumer *consumer)
{
    return strncmp(consumer->line, "profdiff", 8) == 0;
}

static size_t number_of_format(const char *name)
{
    size_t i = 0;
    while (i < format_count && strcmp(formats[i], name) != 0)
        i++;
    if (i == FORMATS_MAX) {
        fprintf(stderr, "equal: more than %d formats\n", FORMATS_MAX);
        exit(1);
    }
    if (i == format_count)
        snprintf(formats[format_count++], sizeof *formats, "%s", name);
    return i;
}

__attribute__((format(printf, 2, 3))) static void differs(const struct trial *t, const char *format,
                                                          ...)
{
    char what[2000];
    va_list args;
    if (++t->consumer->failures[t->format] > SHOWN_MAX)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (char *lf = what; (lf = strchr(lf, '\n')) != NULL;)
        *lf = '|';
    printf("#");
    for (size_t i = 0; i < t->command.count; i++)
        printf(" %s", t->command.words[i]);
    printf("%s%s: %s (against %s)\n", t->by_stdin == NULL ? "" : " <",
           t->by_stdin == NULL ? "" : t->by_stdin, what, t->behind);
}

/* Who ENDS_EARLY has not been warned of all that the converter has. */
static bool judge_said(const struct trial *t, struct said *expected, struct said *found,
                       bool ends_early)
{
    const char *only_expected, *only_found;
    if (said_same_lines(expected, found, &only_expected, &only_found) ||
        (ends_early && only_found == NULL))
        return true;
    differs(t, "expected to read \"%s\", found \"%s\"", only_expected == NULL ? "" : only_expected,
            only_found == NULL ? "" : only_found);
    return false;
}

static bool judge_losses(const struct trial *t, const struct said *expected,
                         const struct said *found)
{
    const char *what;
    long long should, is;
    if (said_same_losses(expected, found, &what, &should, &is))
        return true;
    differs(t, "left out: %s: expected %lld, found %lld", what, should, is);
    return false;
}

static bool looks_whole(const struct outcome *o)
{
    static const char end[] = "{\"table\":\".end\"}\n";
    size_t n = sizeof end - 1;
    return o->out_size >= n && memcmp(o->out_text + o->out_size - n, end, n) == 0;
}

/* Whether the tool has ended as tools do: a fault that its converter has, too, is one. */
static bool judge_end(const struct trial *t)
{
    enum { STATUS_MAX = 3 };
    if (t->direct->status <= STATUS_MAX)
        return true;
    differs(t, "ended with status %d: %s", t->direct->status, t->direct->err_text);
    return false;
}

/* The output is that of PIPED where COUNTS; or else it must only not look whole. */
static void judge_output(const struct trial *t, int status, bool counts,
                         const struct outcome *piped)
{
    const struct outcome *o = t->direct;
    if (o->status != status)
        differs(t, "expected status %d, found %d: %s", status, o->status, o->err_text);
    else if (!counts && looks_whole(o))
        differs(t, "failed, but its output looks whole");
    else if (counts && (o->out_size != piped->out_size ||
                        memcmp(o->out_text, piped->out_text, piped->out_size) != 0))
        differs(t, "its output is not that of the pipe");
}

/* --- one file --- */

/* Whether the tool has failed because of what it cannot do with FILE, which comes before what is wrong with
 * that. */
static bool failed_before(const struct trial *t, const char *file)
{
    char prefix[512];
    snprintf(prefix, sizeof prefix, ": %s: ", file);
    const char *said = strstr(t->direct->err_text, prefix);
    if (t->direct->status != 1 || said == NULL)
        return false;
    said += strlen(prefix);
    return strncmp(said, "offset ", 7) != 0 && strncmp(said, "expected ", 9) != 0 &&
           strstr(said, "truncated") == NULL;
}

/* The converter has failed, and so must the tool. */
static void judge_failure(const struct trial *t, const struct reference *r)
{
    struct said expected = {0}, found = {0};
    const char *one, *other;
    reference_say(r, &expected);
    if (is_validate(t->consumer)) /* which has no such option */
        said_replace(&expected, " (-k skips bad lines)", "");
    said_add(&found, t->direct->err_text, t->command.words[0], nothing);
    if (!said_same_lines(&expected, &found, &one, &other) &&
        failed_before(t, r->mode->by_stdin ? "<stdin>" : r->file))
        judge_output(t, 1, false, NULL);
    else if (judge_said(t, &expected, &found, false))
        judge_output(t, r->converted.status, false, NULL);
    said_clear(&expected);
    said_clear(&found);
}

/* The converter has not failed: the tool must do what it has PIPED behind it. */
static void judge_success(const struct trial *t, const struct reference *r,
                          const struct outcome *piped)
{
    struct said expected = {0}, found = {0};
    struct renamed input[] = {{"<stdin>", r->mode->by_stdin ? "<stdin>" : r->file, r->is_rows},
                              {NULL, NULL, false}};
    bool counts_always = is_validate(t->consumer);
    reference_say(r, &expected);
    said_add(&expected, piped->err_text, t->command.words[0], input);
    said_add(&found, t->direct->err_text, t->command.words[0], nothing);
    bool is_lost =
        r->mode->lossless && expected.loss_count > 0 && (piped->status == 0 || counts_always);
    /* who fails for another reason has counted nothing */
    bool counts = piped->status == 0 || counts_always || found.loss_count > 0;
    int status = is_lost ? 1 : piped->status;
    if ((is_lost || judge_said(t, &expected, &found, piped->status != 0 && !counts_always)) &&
        (!counts || judge_losses(t, &expected, &found)))
        judge_output(t, status, status == 0, piped);
    said_clear(&expected);
    said_clear(&found);
}

/* Makes the command of T's consumer with OPTIONS, and --threads unless WITH_THREADS is NULL. */
static void begin_command(struct trial *t, const char *options, const char *with_threads)
{
    t->command.count = 0;
    snprintf(t->text, sizeof t->text, "%s %s%s%s", t->consumer->line, options,
             with_threads == NULL ? "" : " --threads=", with_threads == NULL ? "" : with_threads);
    command_add(&t->command, t->text);
}

static void end_command(struct trial *t, const char *file)
{
    t->command.words[t->command.count++] = file;
    t->command.words[t->command.count] = NULL;
}

static void run_behind(struct consumer *consumer, const struct reference *r, struct outcome *piped)
{
    struct trial t = {.consumer = consumer};
    begin_command(&t, r->mode->behind, NULL);
    end_command(&t, "-");
    command_run(&t.command, r->is_rows ? r->input : r->converted.out, piped);
}

static void judge_consumer(struct consumer *consumer, struct reference *r)
{
    static struct outcome direct, piped;
    bool was_rows = r->is_rows;
    struct trial t = {
        .consumer = consumer, .format = number_of_format(r->format), .direct = &direct};
    /* it reads unknown text line by line, to find the rows among it */
    if (is_validate(consumer) && reference_is_unknown(r))
        r->is_rows = true;
    t.behind = r->is_rows ? "the same on standard input" : r->converter;
    t.by_stdin = r->mode->by_stdin ? r->file : NULL;
    bool has_rows = reference_has_rows(r);
    if (has_rows)
        run_behind(consumer, r, &piped);
    for (size_t i = 0; i == 0 || threads[i] != NULL; i++) {
        begin_command(&t, r->mode->consumer, threads[i]);
        end_command(&t, r->mode->by_stdin ? "-" : r->file);
        command_run(&t.command, r->input, &direct);
        consumer->counts[t.format]++;
        if (!judge_end(&t))
            continue;
        if (has_rows)
            judge_success(&t, r, &piped);
        else
            judge_failure(&t, r);
    }
    r->is_rows = was_rows;
}

/* --- several files --- */

/* Files that are given to a tool together, and their rows. */
struct several {
    struct reference references[SEVERAL];
    char paths[SEVERAL][64]; /* of the rows of each */
    size_t good;             /* how many have rows */
};

static void write_rows(struct reference *r, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL ||
        fwrite(r->converted.out_text, 1, r->converted.out_size, out) < r->converted.out_size ||
        fclose(out) != 0)
        command_fail(path);
}

/* The file that stands for number I behind its converter. */
static const char *rows_of(const struct several *s, size_t i)
{
    return s->references[i].is_rows ? s->references[i].file : s->paths[i];
}

/* Whether the rows in FILE were left out of what made OUTCOME: what their converter has warned of is not said
 * of a file that is left out. */
static bool is_left_out(const struct outcome *outcome, const char *file)
{
    const char *place = strstr(outcome->err_text, file);
    return strstr(outcome->err_text, ": bad inputs left out: ") != NULL && place != NULL &&
           place[strlen(file)] == ':';
}

/* Runs CONSUMER with the rows of the files; what it must say of the files goes to EXPECTED.  Returns its
 * status. */
static int run_several_behind(struct consumer *consumer, const struct several *s,
                              const struct mode *mode, struct outcome *piped, struct said *expected)
{
    struct trial t = {.consumer = consumer};
    struct renamed names[SEVERAL + 1] = {{NULL, NULL, false}};
    begin_command(&t, mode->behind, NULL);
    for (size_t i = 0, n = 0; i < SEVERAL; i++) {
        const struct reference *r = &s->references[i];
        if (!reference_has_rows(r))
            continue;
        end_command(&t, rows_of(s, i));
        names[n++] = (struct renamed){rows_of(s, i), r->file, r->is_rows};
    }
    if (s->good > 0) /* something is left */
        command_run(&t.command, s->references[0].input, piped);
    unsigned left_out = 0;
    const char *counted = s->good == 0 ? NULL : strstr(piped->err_text, ": bad inputs left out: ");
    bool leaves_all = counted != NULL &&
                      sscanf(counted, ": bad inputs left out: %u", &left_out) == 1 &&
                      left_out == s->good;
    for (size_t i = 0; i < SEVERAL; i++)
        if (!reference_has_rows(&s->references[i]) ||
            !(leaves_all || is_left_out(piped, rows_of(s, i))))
            reference_say(&s->references[i], expected);
    if (s->good == 0)
        return 1;
    said_add(expected, piped->err_text, t.command.words[0], names);
    return piped->status;
}

/* Whether all files can be compared at once: where one cannot be read it must be left out. */
static bool can_judge(const struct consumer *consumer, const struct several *s,
                      const struct mode *mode)
{
    /* profvalidate keeps going by itself, and what has a base is never left without inputs */
    if (mode == &kept_going)
        return !is_validate(consumer) && (s->good > 0 || !has_base(consumer));
    return s->good == SEVERAL;
}

/* Whether a file that its converter refuses was left out because of what comes before that. */
static bool has_failed_before(const struct trial *t, const struct several *s)
{
    for (size_t i = 0; i < SEVERAL; i++)
        if (!reference_has_rows(&s->references[i]) && failed_before(t, s->references[i].file))
            return true;
    return false;
}

/* The tool must do with the files S what it has PIPED behind the converters, which with those has said
 * EXPECTED. */
static void judge_rest(const struct trial *t, const struct several *s, struct said *expected,
                       int status, bool keeps, const struct outcome *piped)
{
    struct said found = {0};
    unsigned inputs = SEVERAL + has_base(t->consumer);
    bool counts = status == 0 || (keeps && expected->left_out < inputs);
    said_add(&found, t->direct->err_text, t->command.words[0], nothing);
    if (found.left_out != expected->left_out || (found.left_out > 0 && found.inputs != inputs))
        differs(t, "expected %u inputs to be left out, found %u of %u", expected->left_out,
                found.left_out, found.inputs);
    else if ((has_failed_before(t, s) || judge_said(t, expected, &found, false)) &&
             (!counts || judge_losses(t, expected, &found)))
        judge_output(t, status, counts, piped);
    said_clear(&found);
}

static void judge_several(struct consumer *consumer, const struct several *s,
                          const struct mode *mode)
{
    static struct outcome direct, piped;
    struct trial t = {.consumer = consumer,
                      .format = number_of_format("several"),
                      .direct = &direct,
                      .behind = "the same on rows of each"};
    struct said expected = {0};
    int status = run_several_behind(consumer, s, mode, &piped, &expected);
    /* who fails because of several files has not read the others */
    bool fails = s->good > 0 && status != 0 && !is_validate(consumer) &&
                 strstr(piped.err_text, ": bad inputs left out: ") == NULL;
    bool is_less = expected.left_out > 0;
    for (size_t i = 0; i < SEVERAL; i++)
        is_less |= reference_lacks_lines(&s->references[i]);
    if (is_less)
        status = status > 1 ? status : 1;
    for (size_t i = 0; i == 0 || threads[i] != NULL; i++) {
        begin_command(&t, mode->consumer, threads[i]);
        for (size_t k = 0; k < SEVERAL; k++)
            end_command(&t, s->references[k].file);
        command_run(&t.command, s->references[0].input, &direct);
        consumer->counts[t.format]++;
        if (!judge_end(&t))
            continue;
        if (fails)
            judge_output(&t, status, false, NULL);
        else
            judge_rest(&t, s, &expected, status, mode == &kept_going, &piped);
    }
    said_clear(&expected);
}

/* --- the list of files --- */

/* A file of the list. */
struct file {
    const char *path;
    char format[32];
    int mutant; /* its number; 0: none */
};

/* Returns whether it can be read, in every mode that was tried. */
static bool judge_alone(const struct file *file)
{
    static struct reference r;
    bool has_rows = true;
    for (size_t m = 0; m < MODES; m++) {
        if (file->mutant > 0 && (size_t)file->mutant / 50 % MODES != m)
            continue;
        reference_open(&r, file->path, file->format, &modes[m]);
        for (size_t i = 0; i < consumer_count; i++)
            judge_consumer(&consumers[i], &r);
        has_rows = has_rows && !r.is_rows && reference_has_rows(&r);
        reference_close(&r);
    }
    return has_rows;
}

/* PART tells the files for their rows from those of other processes. */
static void judge_together(const struct file *const files[SEVERAL], const struct mode *mode,
                           int part)
{
    static struct several s;
    s.good = 0;
    for (size_t i = 0; i < SEVERAL; i++) {
        struct reference *r = &s.references[i];
        reference_open(r, files[i]->path, files[i]->format, mode);
        snprintf(s.paths[i], sizeof s.paths[i], "rows-%d-%zu", part, i);
        write_rows(r, s.paths[i]);
        s.good += reference_has_rows(r);
    }
    for (size_t i = 0; i < consumer_count; i++)
        if (can_judge(&consumers[i], &s, mode))
            judge_several(&consumers[i], &s, mode);
    for (size_t i = 0; i < SEVERAL; i++) {
        reference_close(&s.references[i]);
        unlink(s.paths[i]);
    }
}

static void judge_all(const struct file *files, int count, int part, int parts)
{
    const struct file *any[SEVERAL] = {NULL}, *good[SEVERAL] = {NULL}; /* the last ones */
    for (int i = part; i < count; i += parts) {
        memmove(any + 1, any, sizeof any - sizeof *any);
        any[0] = &files[i];
        if (any[SEVERAL - 1] != NULL && i / parts % 2 == 0)
            judge_together(any, &kept_going, part);
        if (!judge_alone(&files[i]))
            continue;
        memmove(good + 1, good, sizeof good - sizeof *good);
        good[0] = &files[i];
        if (good[SEVERAL - 1] != NULL && i / parts % 2 == 1)
            judge_together(good, &together, part);
    }
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

static struct file *read_files(char **paths, int count)
{
    struct file *files = calloc((size_t)count + 1, sizeof *files);
    if (files == NULL)
        command_fail("calloc");
    for (int i = 0; i < count; i++) {
        const char *slash = strchr(paths[i], '/');
        if (slash == NULL)
            continue;
        files[i].path = paths[i];
        snprintf(files[i].format, sizeof files[i].format, "%.*s", (int)(slash - paths[i]),
                 paths[i]);
        files[i].mutant = isdigit((unsigned char)slash[1]) ? atoi(slash + 1) : 0;
    }
    return files;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: equal COMMANDS THREADS PART PARTS FILE...\n");
        return 2;
    }
    read_consumers(argv[1]);
    char *number = strtok(argv[2], " ");
    for (size_t i = 0; i < THREADS_MAX && number != NULL; i++, number = strtok(NULL, " "))
        threads[i] = number;
    int part = atoi(argv[3]), parts = atoi(argv[4]), count = argc - 5;
    struct file *files = read_files(argv + 5, count);
    judge_all(files, count, part, parts);
    free(files);
    for (size_t i = 0; i < consumer_count; i++)
        for (size_t f = 0; f < format_count; f++)
            if (consumers[i].counts[f] > 0)
                printf("%s %s: %u %u\n", formats[f], consumers[i].line, consumers[i].counts[f],
                       consumers[i].failures[f]);
    return 0;
}

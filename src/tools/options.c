#include "tools/options.h"

#include "base/diag.h"
#include "base/mem.h"
#include "tools/help.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTIONS_MAX = 40, NAME_MAX_LENGTH = 31, FIRST_LONG = 256 };

static const struct tool *running;
static bool given[OPTIONS_MAX]; /* by place in the table */

/* --- what an option does --- */

static _Noreturn void finish_text(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        die_errno("cannot write", "<stdout>");
    exit(STATUS_OK);
}

static _Noreturn void show_help(const char *format)
{
    if (!help_print(running, format == NULL ? "text" : format))
        die(STATUS_USAGE, "--help: no format \"%s\"", format);
    finish_text();
}

static _Noreturn void show_version(void)
{
    printf("%s (profpipe) %s\n", running->name, PROFPIPE_VERSION);
    finish_text();
}

/* Of two arguments one would be ignored, so there may only be one. */
static void set_string(const struct option_row *o, const char *argument)
{
    bool *before = &given[o - running->options];
    if (*before)
        die(STATUS_USAGE, "--%s: comes twice", o->name);
    *before = true;
    *(const char **)o->to = argument;
}

static void apply(const struct option_row *o, int letter, const char *argument)
{
    switch (o->type) {
    case OPTION_FLAG:
        if (argument != NULL && strcmp(argument, "auto") != 0)
            die(STATUS_USAGE, "--%s: expected \"auto\", found \"%s\"", o->name, argument);
        *(bool *)o->to = true;
        break;
    case OPTION_STRING: set_string(o, argument); break;
    case OPTION_LEVEL:
        if (argument != NULL && (argument[0] < '1' || argument[0] > '9' || argument[1] != '\0'))
            die(STATUS_USAGE, "--%s: expected a digit from 1 to 9, found \"%s\"", o->name,
                argument);
        *(int *)o->to = (argument != NULL ? argument[0] : letter) - '0';
        break;
    case OPTION_EACH: ((void (*)(const char *))o->to)(argument); break;
    case OPTION_HELP: show_help(argument);
    case OPTION_VERSION: show_version();
    case OPTION_QUIET: diag_level = DIAG_QUIET; break;
    case OPTION_VERBOSE: diag_level = DIAG_VERBOSE; break;
    }
}

/* --- what is wrong with one --- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, put in, left out or swapped with their neighbours to make B
 * of A; both have at most NAME_MAX_LENGTH. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MAX_LENGTH + 1], n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= strlen(a); i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            bool differ = a[i - 1] != b[j - 1];
            now[j] = least(before[j - 1] + differ, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][n];
}

/* The option that NAME may have been meant for, or NULL: every third letter may be wrong. */
static const char *nearest(const char *name)
{
    size_t n = strlen(name), best = n < 6 ? 2 : n / 3 + 1;
    const char *found = NULL;
    for (size_t i = 0; i < running->option_count && n <= NAME_MAX_LENGTH; i++) {
        size_t d = distance(name, running->options[i].name);
        if (d < best) {
            best = d;
            found = running->options[i].name;
        }
    }
    return found;
}

/* WORD, an option in its long form, is that of no option, or of more than one. */
static _Noreturn void die_long(const char *word)
{
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *fits[2];
    size_t count = 0;
    for (size_t i = 0; i < running->option_count && count < 2; i++)
        if (strncmp(running->options[i].name, name, strlen(name)) == 0)
            fits[count++] = running->options[i].name;
    if (count == 2)
        die(STATUS_USAGE, "ambiguous option --%s: --%s or --%s? (--help lists the options)", name,
            fits[0], fits[1]);
    const char *meant = nearest(name);
    if (meant != NULL)
        die(STATUS_USAGE, "unknown option --%s: did you mean --%s? (--help lists the options)",
            name, meant);
    die(STATUS_USAGE, "unknown option --%s (--help lists the options)", name);
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
    die_long(word);
}

/* --- the command line --- */

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

/* The operands, where they come in two groups. */
struct operands {
    char **items; /* those in front of "--", or of both sides */
    int count;
    int border; /* so many stand in front of "--"; -1: there is none */
};

/* Sees to it that both sides are there: two operands alone are one each. */
static void check_sides(struct operands *o)
{
    bool has_dash = false;
    if (tool_common.files_from != NULL)
        die(STATUS_USAGE, "--files-from: a list has no sides: the files are named with -- between");
    if (o->border < 0 && o->count == 2)
        o->border = 1;
    if (o->border < 0)
        die(STATUS_USAGE,
            "expected two files, or base files, -- and new files, found %d %s and no --", o->count,
            o->count == 1 ? "operand" : "operands");
    if (o->border == 0 || o->border == o->count)
        die(STATUS_USAGE, "expected files on both sides of --, found none %s it",
            o->border == 0 ? "in front of" : "behind");
    for (int i = 0; i < o->count; i++) {
        bool is_dash = strcmp(o->items[i], "-") == 0;
        if (is_dash && has_dash)
            die(STATUS_USAGE, "standard input comes twice: it is one of the two sides");
        has_dash |= is_dash;
    }
}

/* Where operands come in two groups getopt hands out those in front of "--" as they come, to O, and leaves
 * them behind: puts them in front of the others, which begin at ARGV[FIRST].  Returns where all begin. */
static int join_operands(const struct tool *tool, char **argv, int first, int argc,
                         struct operands *o)
{
    if (tool->has_two_sides)
        check_sides(o);
    bool has_border = tool->has_two_sides || first < argc;
    *tool->base_count = has_border ? (size_t)(tool->has_two_sides ? o->border : o->count) : 0;
    memcpy(argv + first - o->count, o->items, (size_t)o->count * sizeof *o->items);
    return first - o->count;
}

/* Takes the option, or operand, that getopt calls CODE. */
static void take(const struct tool *tool, char **argv, int code, struct operands *o)
{
    enum { OPERAND = 1 }; /* what getopt calls one */
    if (code == OPERAND && o->items != NULL)
        o->items[o->count++] = optarg;
    else if (code == '?' || code == ':')
        die_option(argv, code);
    else if (code >= FIRST_LONG)
        apply(&tool->options[code - FIRST_LONG], 0, optarg);
    else
        apply(find_letter(code), code, find_letter(code)->argument != NULL ? optarg : NULL);
}

/* Takes what stands in ARGV up to "--", and behind that as well where it is a border of sides and no end of
 * options.  Returns the place behind all that has been taken. */
static int take_all(const struct tool *tool, int argc, char **argv, const char *letters,
                    const struct option *longs, struct operands *o)
{
    int code, taken = 0;
    const char *last = NULL; /* the argument of an option, which may be "--" as well */
    for (;;) {
        while ((code = getopt_long(argc - taken, argv + taken, letters, longs, NULL)) != -1) {
            take(tool, argv + taken, code, o);
            last = optarg;
        }
        taken += optind - 1;
        bool has_border = optind > 1 && argv[taken] != last && strcmp(argv[taken], "--") == 0;
        if (tool->has_other_side && has_border && o->count > 0 && taken + 1 == argc)
            die(STATUS_USAGE, "expected files on both sides of --, found none behind it");
        if (!tool->has_two_sides || !has_border)
            return taken + 1;
        if (o->border >= 0)
            die(STATUS_USAGE, "-- comes twice: there are two sides");
        o->border = o->count;
        optind = 0; /* begins anew behind it */
    }
}

int options_parse(const struct tool *tool, int argc, char **argv)
{
    struct option longs[OPTIONS_MAX + 1] = {0};
    char letters[2 * OPTIONS_MAX + 16] = "-:";
    const bool groups = tool->base_count != NULL;
    struct operands operands = {.border = -1};
    running = tool;
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        longs[i].name = o->name;
        longs[i].val = FIRST_LONG + (int)i;
        longs[i].has_arg = o->type == OPTION_HELP || help_argument_is_optional(o)
                               ? optional_argument
                           : o->argument != NULL ? required_argument
                                                 : no_argument;
        add_letters(letters, o);
    }
    opterr = 0;
    if (groups)
        operands.items = mem_alloc((size_t)argc * sizeof *operands.items);
    int first = take_all(tool, argc, argv, groups ? letters : letters + 1, longs, &operands);
    if (groups)
        first = join_operands(tool, argv, first, argc, &operands);
    mem_free(operands.items);
    return first;
}

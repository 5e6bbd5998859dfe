#include "tools/help.h"

#include <stdio.h>
#include <string.h>

bool help_argument_is_optional(const struct option_row *o)
{
    return o->argument != NULL && o->argument[0] == '[';
}

/* What stands between the brackets of an argument that may be left out: a word by itself, or, in capitals,
 * what it is. */
static struct str optional_argument_of(const struct option_row *o)
{
    struct str word = str_of(o->argument);
    str_take(&word, STR("[="));
    word.n -= str_ends(word, STR("]"));
    return word;
}

static bool is_word(struct str argument)
{
    return argument.n > 0 && argument.p[0] >= 'a' && argument.p[0] <= 'z';
}

/* --- for people --- */

static const char *long_argument(const struct option_row *o)
{
    return o->argument == NULL ? "" : o->argument;
}

static void print_text_option(const struct option_row *o)
{
    char left[40];
    const char *equals = o->argument != NULL && !help_argument_is_optional(o) ? "=" : "";
    if (o->type == OPTION_LEVEL)
        snprintf(left, sizeof left, "  -1 ... -9, --%s=%s", o->name, o->argument);
    else if (o->letter != 0)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", o->letter, o->name, equals,
                 long_argument(o));
    else
        snprintf(left, sizeof left, "      --%s%s%s", o->name, equals, long_argument(o));
    printf("%-27s%s%s\n", left, strlen(left) > 26 ? "\n                           " : "", o->help);
}

static void print_text(const struct tool *tool)
{
    printf("Usage: %s [options] %s\n%s.\n\n", tool->name, tool->operands, tool->summary);
    for (size_t i = 0; i < tool->option_count; i++)
        print_text_option(&tool->options[i]);
    printf("\nExit status: 0 done, 1 invalid or truncated input, 2 wrong usage, 3 system error.\n"
           "See %s(1) and profpipe(7).\n",
           tool->name);
}

/* --- for the man page --- */

static void print_mdoc_optional(const struct option_row *o)
{
    struct str argument = optional_argument_of(o);
    printf("Fl -%s Ns Op = Ns %s %.*s", o->name, is_word(argument) ? "Cm" : "Ar",
           STR_ARG(argument));
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
    else if (help_argument_is_optional(o))
        print_mdoc_optional(o);
    else if (o->argument != NULL)
        printf("Fl -%s Ns = Ns Ar %s", o->name, o->argument);
    else
        printf("Fl -%s", o->name);
}

/* OPERANDS as --help shows them: words, some of them together in brackets. */
static void print_mdoc_operands(const char *operands)
{
    bool is_inside = false;
    while (*operands != '\0') {
        bool begins = *operands == '[';
        const char *word = operands + begins;
        size_t n = strcspn(word, " ]");
        operands = word + n;
        bool ends = *operands == ']';
        operands += ends;
        operands += strspn(operands, " ");
        bool is_name = strncmp(word, "...", n) != 0;
        printf("%s", begins ? ".Op " : is_inside ? " " : ".");
        if (*word == '-')
            printf("Li \\-\\-");
        else
            printf("%s%.*s", is_name ? "Ar " : "", (int)n, word);
        is_inside = (is_inside || begins) && !ends;
        printf("%s", is_inside ? "" : "\n");
    }
}

static void print_mdoc_synopsis(const struct tool *tool)
{
    printf(".Nm\n");
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        printf(".Op ");
        print_mdoc_flags(o, " | ");
        printf("\n");
    }
    if (tool->has_two_sides)
        printf(".Ar base ... Li \\-\\- Ar new ...\n");
    else
        print_mdoc_operands(tool->operands);
}

static void print_mdoc_options(const struct tool *tool)
{
    printf(".Bl -tag -width Ds\n");
    for (size_t i = 0; i < tool->option_count; i++) {
        printf(".It ");
        print_mdoc_flags(&tool->options[i], " , ");
        /* lines end where sentences do, and a capital opens each */
        const char *help = tool->options[i].help;
        printf("\n%c%s.\n", help[0] >= 'a' && help[0] <= 'z' ? help[0] - 'a' + 'A' : help[0],
               help + 1);
    }
    printf(".El\n");
}

/* --- for shells --- */

static void print_bash(const struct tool *tool)
{
    printf("complete -o default -o nospace -W '");
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        if (o->letter != 0 && o->type != OPTION_LEVEL)
            printf("-%c ", o->letter);
        printf("--%s%s ", o->name, o->argument != NULL && !help_argument_is_optional(o) ? "=" : "");
    }
    printf("' %s\n", tool->name);
}

/* Prints TEXT inside single quotes of a shell in which a quote is written QUOTE, with a backslash
 * before each of the letters in SPECIAL. */
static void print_quoted(const char *text, const char *quote, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            printf("%s", quote);
            continue;
        }
        if (strchr(special, *text) != NULL)
            putchar('\\');
        putchar(*text);
    }
}

static bool takes_file(const struct option_row *o)
{
    return o->argument != NULL && strcmp(o->argument, "FILE") == 0;
}

static void print_zsh_optional(const struct option_row *o)
{
    struct str argument = optional_argument_of(o);
    if (is_word(argument))
        printf("::when:(%.*s)", STR_ARG(argument));
    else
        printf("::%.*s:", STR_ARG(argument));
}

/* One word for zsh's _arguments: a name with SUFFIX, the help, and what its argument is. */
static void print_zsh_option(const struct option_row *o, const char *name, const char *suffix)
{
    bool optional = help_argument_is_optional(o);
    printf(" \\\n  '");
    if (o->letter != 0) /* one of the two is enough */
        printf("(-%c --%s)", o->letter, o->name);
    printf("%s%s%s[", o->type == OPTION_EACH ? "*" : "", name, suffix);
    print_quoted(o->help, "'\\''", "[]\\");
    printf("]");
    if (optional)
        print_zsh_optional(o);
    else if (*suffix != '\0')
        printf(":%s:%s", o->argument, takes_file(o) ? "_files" : "");
    printf("'");
}

static void print_zsh(const struct tool *tool)
{
    printf("#compdef %s\n_arguments -s -S", tool->name);
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        char name[40];
        for (char digit = '1'; o->type == OPTION_LEVEL && digit <= '9'; digit++) {
            snprintf(name, sizeof name, "-%c", digit);
            print_zsh_option(o, name, "");
        }
        if (o->letter != 0) {
            snprintf(name, sizeof name, "-%c", o->letter);
            print_zsh_option(o, name, o->argument != NULL ? "+" : "");
        }
        snprintf(name, sizeof name, "--%s", o->name);
        print_zsh_option(o, name,
                         help_argument_is_optional(o) ? "=-"
                         : o->argument != NULL        ? "="
                                                      : "");
    }
    printf(" \\\n  '*:file:_files'\n");
}

/* One line for fish: the option LETTER, if it is not 0, and NAME, if that is not NULL. */
static void print_fish_option(const struct tool *tool, const struct option_row *o, char letter,
                              const char *name)
{
    printf("complete -c %s", tool->name);
    if (letter != 0)
        printf(" -s %c", letter);
    if (name != NULL)
        printf(" -l %s", name);
    if (name != NULL && o->argument != NULL && !help_argument_is_optional(o))
        printf(takes_file(o) ? " -r -F" : " -x");
    printf(" -d '");
    print_quoted(o->help, "\\'", "\\");
    printf("'\n");
}

static void print_fish(const struct tool *tool)
{
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        for (char digit = '1'; o->type == OPTION_LEVEL && digit <= '9'; digit++)
            print_fish_option(tool, o, digit, NULL);
        print_fish_option(tool, o, o->letter, o->name);
    }
}

bool help_print(const struct tool *tool, const char *format)
{
    static const struct {
        const char *name;
        void (*print)(const struct tool *);
    } formats[] = {
        {"text", print_text},
        {"mdoc-synopsis", print_mdoc_synopsis},
        {"mdoc-options", print_mdoc_options},
        {"bash", print_bash},
        {"zsh", print_zsh},
        {"fish", print_fish},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].print(tool);
            return true;
        }
    return false;
}

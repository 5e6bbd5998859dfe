/* Shell completion, generated from a tool's table of options. */
#include "tools/help.h"

#include "tools/options.h"

#include <stdio.h>

/* The length of the fixed part of VALUE, one that --help lists for an option: without
 * placeholders, as in label:KEY. */
static int fixed_length(const char *value)
{
    return (int)strcspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static void print_values(const struct option_row *o, const char *before)
{
    for (size_t i = 0; i < o->value_count; i++)
        printf("%s%.*s", i > 0 ? before : "", fixed_length(o->values[i]), o->values[i]);
}

/* --- bash --- */

static void print_bash_words(const struct options *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct option_row *o = all->rows[i];
        if (o->is_old)
            continue;
        if (o->letter != 0)
            printf("-%c ", o->letter);
        printf("--%s%s ", o->name,
               o->argument != NULL && !option_argument_is_optional(o) ? "=" : "");
    }
}

/* Prints a case for each option whose argument is one of a list of words. */
static void print_bash_cases(const struct options *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct option_row *o = all->rows[i];
        if (o->value_count == 0)
            continue;
        printf("    --%s) COMPREPLY=($(compgen -W '", o->name);
        print_values(o, " ");
        printf("' -- \"$word\")); return ;;\n");
    }
}

/* bash breaks words at "=", which is in COMP_WORDBREAKS by default. */
void help_print_bash(const struct tool *tool)
{
    struct options all = options_of(tool);
    printf("_%s() {\n"
           "    local word=$2 option=$3\n"
           "    [ \"$word\" != = ] || word=\n"
           "    [ \"$option\" != = ] || option=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    COMPREPLY=()\n"
           "    case $option in\n",
           tool->name);
    print_bash_cases(&all);
    printf("    esac\n"
           "    [[ $2 != -* ]] || COMPREPLY=($(compgen -W '");
    print_bash_words(&all);
    printf("' -- \"$2\"))\n"
           "}\n"
           "complete -o default -o nospace -F _%s %s\n",
           tool->name, tool->name);
}

/* --- zsh and fish --- */

/* Prints the help of O inside single quotes of a shell that spells a quote QUOTE, with a
 * backslash before each of the letters in SPECIAL. */
static void print_quoted(const struct option_row *o, const char *quote, const char *special)
{
    struct buf help = {0};
    option_explain(&help, o);
    for (size_t i = 0; i < help.n; i++) {
        if (help.p[i] == '\'') {
            printf("%s", quote);
            continue;
        }
        if (strchr(special, help.p[i]) != NULL)
            putchar('\\');
        putchar(help.p[i]);
    }
    buf_free(&help);
}

static bool takes_file(const struct option_row *o)
{
    return o->argument != NULL && strcmp(o->argument, "FILE") == 0;
}

static void print_zsh_optional(const struct option_row *o)
{
    struct str argument = help_optional_argument(o);
    if (help_is_word(argument))
        printf("::when:(%.*s)", STR_ARG(argument));
    else
        printf("::%.*s:", STR_ARG(argument));
}

static void print_zsh_argument(const struct option_row *o)
{
    printf(":%s:%s", o->argument, takes_file(o) ? "_files" : "");
    if (o->value_count == 0)
        return;
    printf("(");
    print_values(o, " ");
    printf(")");
}

/* Prints a word for zsh's _arguments: a name with SUFFIX, the help, and the kind of its
 * argument. */
static void print_zsh_option(const struct option_row *o, const char *name, const char *suffix)
{
    printf(" \\\n  '");
    if (o->letter != 0) /* one of the two forms is enough */
        printf("(-%c --%s)", o->letter, o->name);
    printf("%s%s%s[", o->each != NULL && o->argument != NULL ? "*" : "", name, suffix);
    print_quoted(o, "'\\''", "[]\\");
    printf("]");
    if (option_argument_is_optional(o))
        print_zsh_optional(o);
    else if (*suffix != '\0')
        print_zsh_argument(o);
    printf("'");
}

static void print_zsh_forms(const struct option_row *o)
{
    char name[40];
    for (char digit = '1'; o->level != NULL && digit <= '9'; digit++) {
        snprintf(name, sizeof name, "-%c", digit);
        print_zsh_option(o, name, "");
    }
    if (o->letter != 0) {
        snprintf(name, sizeof name, "-%c", o->letter);
        print_zsh_option(o, name, o->argument != NULL ? "+" : "");
    }
    snprintf(name, sizeof name, "--%s", o->name);
    print_zsh_option(o, name,
                     option_argument_is_optional(o) ? "=-"
                     : o->argument != NULL          ? "="
                                                    : "");
}

void help_print_zsh(const struct tool *tool)
{
    struct options all = options_of(tool);
    printf("#compdef %s\n_arguments -s -S", tool->name);
    for (size_t i = 0; i < all.count; i++)
        if (!all.rows[i]->is_old)
            print_zsh_forms(all.rows[i]);
    printf(" \\\n  '*:file:_files'\n");
}

/* Prints a line for fish: the option LETTER, unless 0, and NAME, unless NULL. */
static void print_fish_option(const struct tool *tool, const struct option_row *o, char letter,
                              const char *name)
{
    printf("complete -c %s", tool->name);
    if (letter != 0)
        printf(" -s %c", letter);
    if (name != NULL)
        printf(" -l %s", name);
    if (name != NULL && o->argument != NULL && !option_argument_is_optional(o))
        printf(takes_file(o) ? " -r -F" : " -x");
    if (name != NULL && o->value_count > 0) {
        printf(" -a '");
        print_values(o, " ");
        printf("'");
    }
    printf(" -d '");
    print_quoted(o, "\\'", "\\");
    printf("'\n");
}

void help_print_fish(const struct tool *tool)
{
    struct options all = options_of(tool);
    for (size_t i = 0; i < all.count; i++) {
        const struct option_row *o = all.rows[i];
        if (o->is_old)
            continue;
        for (char digit = '1'; o->level != NULL && digit <= '9'; digit++)
            print_fish_option(tool, o, digit, NULL);
        print_fish_option(tool, o, o->letter, o->name);
    }
}

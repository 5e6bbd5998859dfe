/* The parts of man pages generated from a tool's table of options, in mdoc(7). */
#include "tools/help.h"

#include "tools/options.h"

#include <stdio.h>

static void print_optional(const struct option_row *o)
{
    struct str argument = help_optional_argument(o);
    printf("Fl -%s Ns Op = Ns %s %.*s", o->name, help_is_word(argument) ? "Cm" : "Ar",
           STR_ARG(argument));
}

static void print_form(const struct option_row *o)
{
    if (o->level != NULL)
        printf("Fl 1 No ... Fl 9 , Fl -%s Ns = Ns Ar %s", o->name, o->argument);
    else if (o->letter != 0 && o->argument != NULL)
        printf("Fl %c Ar %s , Fl -%s Ns = Ns Ar %s", o->letter, o->argument, o->name, o->argument);
    else if (o->letter != 0)
        printf("Fl %c , Fl -%s", o->letter, o->name);
    else if (option_argument_is_optional(o))
        print_optional(o);
    else if (o->argument != NULL)
        printf("Fl -%s Ns = Ns Ar %s", o->name, o->argument);
    else
        printf("Fl -%s", o->name);
}

/* Prints OPERANDS, as --help shows them: words, some of them grouped in brackets. */
static void print_operands(const char *operands)
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

void help_print_mdoc_synopsis(const struct tool *tool)
{
    printf(".Nm\n.Op Ar options\n");
    if (tool->has_two_sides)
        printf(".Ar base ... Li \\-\\- Ar new ...\n");
    else
        print_operands(tool->operands);
    if (tool->sides_by != NULL)
        printf(".Nm\n.Op Ar options\n"
               ".Fl -sides Ns = Ns Ar KEY Ns \\&: Ns Ar BASE Ns \\&, Ns Ar NEW\n.Op Ar\n");
}

/* Prints an option with its help as a sentence, which starts with a capital letter. */
static void print_item(const struct option_row *o)
{
    struct buf help = {0};
    option_explain(&help, o);
    if (help.p[0] >= 'a' && help.p[0] <= 'z')
        help.p[0] += 'A' - 'a';
    printf(".It ");
    print_form(o);
    printf("\n%.*s.\n", (int)help.n, help.p);
    buf_free(&help);
}

/* Prints the names of the options that many tools share. */
static void print_names(const struct tool *tool)
{
    struct options all = options_of(tool);
    printf(".Pp\nThese options are described in\n.Xr profpipe 7 :\n");
    for (size_t i = all.own; i < all.count; i++)
        printf(".Fl -%s%s\n", all.rows[i]->name, i + 1 < all.count ? " ," : " .");
}

void help_print_mdoc_options(const struct tool *tool)
{
    bool is_open = false;
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        if (o->is_old)
            continue;
        if (o->heading != NULL) {
            printf("%s.Pp\n%s:\n", is_open ? ".El\n" : "", o->heading);
            is_open = false;
            continue;
        }
        if (!is_open)
            printf(".Bl -tag -width Ds\n");
        is_open = true;
        print_item(o);
    }
    if (is_open)
        printf(".El\n");
    print_names(tool);
}

void help_print_mdoc_common(const struct tool *tool)
{
    (void)tool;
    printf(".Bl -tag -width Ds\n");
    for (size_t i = 0; i < COMMON_ROWS; i++) {
        print_item(&common_rows[i].option);
        if (common_rows[i].more != NULL)
            printf("%s\n", common_rows[i].more);
    }
    printf(".El\n");
}

#include "tools/help.h"

#include "base/diag.h"
#include "tools/options.h"

#include <stdio.h>

enum {
    COLUMNS = 80,
    HELP_COLUMN = 27, /* the column where the help of an option starts */
};

struct str help_optional_argument(const struct option_row *o)
{
    struct str word = str_of(o->argument);
    str_take(&word, STR("[="));
    word.n -= str_ends(word, STR("]"));
    return word;
}

bool help_is_word(struct str argument)
{
    return argument.n > 0 && argument.p[0] >= 'a' && argument.p[0] <= 'z';
}

/* --- for people --- */

/* Prints TEXT, starting at COLUMN, and wraps it at spaces; further lines start at INDENT. */
static void print_wrapped(struct str text, size_t column, size_t indent)
{
    while (text.n > COLUMNS - column) {
        size_t n = COLUMNS - column;
        while (n > 0 && text.p[n] != ' ')
            n--;
        if (n == 0)
            break; /* a word longer than the line */
        printf("%.*s\n%*s", (int)n, text.p, (int)indent, "");
        text.p += n + 1;
        text.n -= n + 1;
        column = indent;
    }
    printf("%.*s\n", (int)text.n, text.p);
}

/* Appends the spelling of O, as in "-n, --max-rows=N". */
static void add_form(struct buf *text, const struct option_row *o)
{
    char letter[] = {'-', o->letter, ',', ' ', '\0'};
    bool is_level = o->level != NULL;
    buf_add(text, is_level ? STR("-1 ... -9, ") : o->letter != 0 ? str_of(letter) : STR(""));
    buf_add(text, STR("--"));
    buf_add(text, str_of(o->name));
    if (o->argument != NULL) {
        buf_add(text, option_argument_is_optional(o) ? STR("") : STR("="));
        buf_add(text, str_of(o->argument));
    }
}

static void print_option(const struct option_row *o)
{
    struct buf form = {0}, help = {0};
    bool has_short = o->letter != 0 || o->level != NULL;
    buf_add(&form, has_short ? STR("  ") : STR("      "));
    add_form(&form, o);
    option_explain(&help, o);
    if (form.n < HELP_COLUMN)
        printf("%-*.*s", HELP_COLUMN, (int)form.n, form.p);
    else
        printf("%.*s\n%*s", (int)form.n, form.p, HELP_COLUMN, "");
    print_wrapped(buf_str(&help), HELP_COLUMN, HELP_COLUMN);
    buf_free(&form);
    buf_free(&help);
}

static void print_own(const struct tool *tool)
{
    if (tool->option_count > 0 && tool->options[0].heading == NULL)
        printf("Options:\n");
    for (size_t i = 0; i < tool->option_count; i++) {
        const struct option_row *o = &tool->options[i];
        if (o->heading != NULL)
            printf("%s:\n", o->heading);
        else if (!o->is_old)
            print_option(o);
    }
}

/* Prints the options of all converters to rows, which have few of their own. */
static void print_converters(const struct tool *tool)
{
    if ((tool->common & COMMON_CONVERT) != COMMON_CONVERT)
        return;
    printf("Rows:\n");
    for (size_t i = 0; i < COMMON_ROWS; i++)
        if (common_rows[i].tools == COMMON_CONVERT)
            print_option(&common_rows[i].option);
}

/* Prints the names of the options that are shared with other tools. */
static void print_common(const struct tool *tool)
{
    struct options all = options_of(tool);
    size_t column = COLUMNS;
    printf("Options of many tools, explained in profpipe(7):");
    for (size_t i = all.own; i < all.own + all.everywhere; i++) {
        struct buf form = {0};
        add_form(&form, all.rows[i]);
        bool fits = column + 2 + form.n <= COLUMNS;
        printf("%s%.*s", fits ? "  " : "\n  ", (int)form.n, form.p);
        column = (fits ? column : 0) + 2 + form.n;
        buf_free(&form);
    }
    printf("\n");
}

static void print_text(const struct tool *tool)
{
    struct buf summary = {0};
    printf("Usage: %s [options] %s\n", tool->name, tool->operands);
    buf_add(&summary, str_of(tool->summary));
    buf_add(&summary, tool->reads != NULL ? STR(", and write profile rows.")
                                          : STR(". Profiles can be of any known format."));
    print_wrapped(buf_str(&summary), 0, 0);
    buf_free(&summary);
    printf("\n");
    print_own(tool);
    print_converters(tool);
    printf("Examples:\n");
    for (size_t i = 0; i < sizeof tool->examples / sizeof *tool->examples; i++)
        printf("  %s\n", tool->examples[i]);
    printf("\n");
    print_common(tool);
    printf("Exit status: 0 done, 1 bad input, 2 wrong usage, 3 system error,\n4 failed check.\n");
}

/* --- for tests and scripts --- */

static void print_tsv(const struct tool *tool)
{
    struct options all = options_of(tool);
    for (size_t i = 0; i < all.count; i++) {
        const struct option_row *o = all.rows[i];
        char letter[] = {'-', o->letter, '\0'};
        struct buf help = {0};
        if (o->is_old)
            continue;
        option_explain(&help, o);
        printf("%s\t%s\t--%s\t%s\t%.*s\n", i < all.own ? "own" : "common",
               o->letter != 0 ? letter : "", o->name, o->argument == NULL ? "" : o->argument,
               (int)help.n, help.p);
        buf_free(&help);
    }
}

static void print_examples(const struct tool *tool)
{
    for (size_t i = 0; i < sizeof tool->examples / sizeof *tool->examples; i++)
        printf("%s\n", tool->examples[i]);
}

void help_flush(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        die_errno("cannot write", "<stdout>");
}

bool help_print(const struct tool *tool, const char *format)
{
    static const struct {
        const char *name;
        void (*print)(const struct tool *);
    } formats[] = {
        {"text", print_text},
        {"tsv", print_tsv},
        {"examples", print_examples},
        {"mdoc-synopsis", help_print_mdoc_synopsis},
        {"mdoc-options", help_print_mdoc_options},
        {"mdoc-common", help_print_mdoc_common},
        {"codes", help_print_codes},
        {"messages-schema", help_print_messages_schema},
        {"columns", help_print_columns},
        {"table-schema", help_print_table_schema},
        {"row-schema", help_print_row_schema},
        {"answer-schema", help_print_answer_schema},
        {"description-schema", help_print_description_schema},
        {"bash", help_print_bash},
        {"zsh", help_print_zsh},
        {"fish", help_print_fish},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].print(tool);
            return true;
        }
    return false;
}

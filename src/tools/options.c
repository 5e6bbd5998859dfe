#include "tools/options.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/words.h"
#include "tools/help.h"
#include "tools/side_lists.h"
#include "tools/suggest.h"

#include <stdio.h>
#include <stdlib.h>

static const struct tool *running;
static struct options known;    /* of the tool */
static bool given[OPTIONS_MAX]; /* by index in `known` */

/* --- effects of options --- */

void options_show_help(const char *format)
{
    if (!help_print(running, format == NULL ? "text" : format))
        die(CODE_BAD_ARGUMENT, "--help: expected bash, zsh or fish, found \"%s\"", format);
    help_flush();
    exit(STATUS_OK);
}

void options_show_version(const char *none)
{
    (void)none;
    printf("%s (profpipe) %s\n", running->name, PROFPIPE_VERSION);
    help_flush();
    exit(STATUS_OK);
}

void options_be_quiet(const char *none)
{
    (void)none;
    diag_level = DIAG_QUIET;
}

void options_be_verbose(const char *none)
{
    (void)none;
    diag_level = DIAG_VERBOSE;
}

void options_set_errors(const char *format)
{
    diag_is_json = words_find("errors", format, common_errors, 2) == 1;
}

void options_find_errors(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        diag_is_json |=
            strcmp(argv[i], "--errors=json") == 0 ||
            (strcmp(argv[i], "--errors") == 0 && i + 1 < argc && strcmp(argv[i + 1], "json") == 0);
}

/* An option may come only once, under whatever name: otherwise one argument would be ignored. */
static void set_text(const struct option_row *o, const char *argument)
{
    for (size_t i = 0; i < known.count; i++) {
        bool is_same = known.rows[i]->text == o->text;
        if (is_same && given[i])
            die(CODE_BAD_ARGUMENT, "--%s: comes twice", o->name);
        given[i] |= known.rows[i] == o;
    }
    *o->text = argument;
}

static void set_level(const struct option_row *o, int letter, const char *argument)
{
    if (argument != NULL && (argument[0] < '1' || argument[0] > '9' || argument[1] != '\0'))
        die(CODE_BAD_ARGUMENT, "--%s: expected a digit from 1 to 9, found \"%s\"", o->name,
            argument);
    *o->level = (argument != NULL ? argument[0] : letter) - '0';
}

static void set_flag(const struct option_row *o, const char *argument)
{
    if (argument != NULL && strcmp(argument, "auto") != 0)
        die(CODE_BAD_ARGUMENT, "--%s: expected \"auto\", found \"%s\"", o->name, argument);
    *o->flag = true;
}

static void apply(const struct option_row *o, int letter, const char *argument)
{
    if (o->flag != NULL)
        set_flag(o, argument);
    else if (o->text != NULL)
        set_text(o, argument);
    else if (o->level != NULL)
        set_level(o, letter, argument);
    else
        o->each(argument);
}

/* --- wrong options --- */

/* NAME, after DASHES, is not an option. */
static _Noreturn void die_unknown(struct str dashes, struct str name)
{
    struct buf meant = {0};
    suggest_add(&meant, running, &known, name);
    die(CODE_UNKNOWN_OPTION, "unknown option %.*s%.*s%.*s" HINT "--help lists the options",
        STR_ARG(dashes), (int)(name.n < 255 ? name.n : 255), name.p, STR_ARG(buf_str(&meant)));
}

/* WORD, a long option, matches no option or more than one. */
static _Noreturn void die_long(const char *word)
{
    struct str name = {word + 2, strcspn(word + 2, "=")};
    const char *fits[2];
    size_t count = 0;
    for (size_t i = 0; i < known.count && count < 2; i++)
        if (str_starts(str_of(known.rows[i]->name), name))
            fits[count++] = known.rows[i]->name;
    if (count == 2)
        die(CODE_UNKNOWN_OPTION,
            "ambiguous option --%.*s: --%s or --%s?" HINT "--help lists the options", STR_ARG(name),
            fits[0], fits[1]);
    die_unknown(STR("--"), name);
}

/* --- the command line --- */

static const struct option_row *find_letter(const struct options *all, int letter)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct option_row *o = all->rows[i];
        if (o->level != NULL ? letter >= '1' && letter <= '9' : o->letter == letter)
            return o;
    }
    return NULL;
}

/* Operands in two groups. */
struct operands {
    char **items;
    int count;
    int border; /* how many are before "--"; -1: there is none */
};

/* Checks that both sides exist: two operands alone are one each. */
static void check_sides(struct operands *o)
{
    bool has_dash = false;
    if (tool_common.files_from != NULL)
        die(CODE_OPTIONS_CLASH,
            "--files-from knows no sides" HINT "--base-from and --new-from read the names of each");
    if (o->border < 0 && o->count == 2)
        o->border = 1;
    if (o->border < 0)
        die(CODE_BAD_OPERANDS,
            "expected two files, or base files, -- and new files, found %d %s and no --", o->count,
            o->count == 1 ? "operand" : "operands");
    if (o->border == 0 || o->border == o->count)
        die(CODE_BAD_OPERANDS, "expected files on both sides of --, found none %s it",
            o->border == 0 ? "in front of" : "behind");
    for (int i = 0; i < o->count; i++) {
        bool is_dash = strcmp(o->items[i], "-") == 0;
        if (is_dash && has_dash)
            die(CODE_BAD_OPERANDS, "expected standard input on one side only, found it on both");
        has_dash |= is_dash;
    }
}

/* How many words an option takes. */
enum { ALONE = 1, WITH_ARGUMENT };

/* Applies the short options at argv[0], after its '-'.  The last may have an argument there or
 * in the next of COUNT words. */
static int take_letters(char **argv, int count)
{
    struct str word = {argv[0] + 1, strcspn(argv[0] + 1, "=")};
    if (suggest_is_name(&known, word))
        die_unknown(STR("-"), word);
    for (const char *p = argv[0] + 1; *p != '\0'; p++) {
        const struct option_row *o = find_letter(&known, *p);
        if (o == NULL)
            die_unknown(STR("-"), (struct str){p, 1});
        if (o->level != NULL || o->argument == NULL) {
            apply(o, *p, NULL);
            continue;
        }
        bool is_next = p[1] == '\0';
        if (is_next && count == 1)
            die(CODE_BAD_ARGUMENT, "option -%c needs an argument" HINT "--help lists the options",
                *p);
        if (!is_next && p[1] == '=')
            die(CODE_BAD_ARGUMENT, "-%c: expected no = before the argument", *p);
        apply(o, *p, is_next ? argv[1] : p + 1);
        return is_next ? WITH_ARGUMENT : ALONE;
    }
    return ALONE;
}

/* The option called NAME, of LENGTH bytes, or the only one that starts so; NULL if there is
 * none. */
static const struct option_row *find_long(const struct options *all, const char *name,
                                          size_t length)
{
    const struct option_row *found = NULL;
    bool is_one = false;
    for (size_t i = 0; i < all->count; i++) {
        const struct option_row *o = all->rows[i];
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (o->name[length] == '\0')
            return o;
        is_one = found == NULL;
        found = o;
    }
    return is_one ? found : NULL;
}

/* Applies the long option at argv[0]; its argument may be the next of COUNT words. */
static int take_long(char **argv, int count)
{
    const char *word = argv[0], *name = word + 2;
    size_t length = strcspn(name, "=");
    const struct option_row *o = find_long(&known, name, length);
    if (o == NULL || (o->name[length] != '\0' && suggest_is_elsewhere((struct str){name, length})))
        die_long(word);
    const char *argument = name[length] == '=' ? name + length + 1 : NULL;
    bool is_optional = o->each == options_show_help || option_argument_is_optional(o);
    if (argument != NULL && o->argument == NULL && !is_optional)
        die(CODE_BAD_ARGUMENT, "option %s takes no argument" HINT "--help lists the options", word);
    bool is_next = argument == NULL && o->argument != NULL && !is_optional;
    if (is_next && count == 1)
        die(CODE_BAD_ARGUMENT, "option %s needs an argument" HINT "--help lists the options", word);
    apply(o, 0, is_next ? argv[1] : argument);
    return is_next ? WITH_ARGUMENT : ALONE;
}

/* Handles "--", which COUNT words follow; false if options may follow it. */
static bool take_dashes(const struct tool *tool, struct operands *o, int count)
{
    if (tool->has_other_side && o->count > 0 && count == 0 && !side_lists_are_given())
        die(CODE_BAD_OPERANDS, "expected files on both sides of --, found none behind it");
    if (tool->has_two_sides && o->border >= 0)
        die(CODE_BAD_OPERANDS, "expected -- once, between the two sides");
    o->border = o->count;
    return !tool->has_two_sides;
}

/* Handles all words of ARGV: applies options, and adds operands to O. */
static void take_all(const struct tool *tool, int argc, char **argv, struct operands *o)
{
    bool ended = false;
    for (int i = 1; i < argc;) {
        const char *word = argv[i];
        if (ended || word[0] != '-' || word[1] == '\0')
            o->items[o->count++] = argv[i++];
        else if (strcmp(word, "--") == 0)
            ended = take_dashes(tool, o, argc - ++i);
        else
            i += word[1] == '-' ? take_long(argv + i, argc - i) : take_letters(argv + i, argc - i);
    }
}

struct options options_of(const struct tool *tool)
{
    struct options all = {.own = 0};
    for (size_t i = 0; i < tool->option_count; i++)
        if (tool->options[i].heading == NULL)
            all.rows[all.own++] = &tool->options[i];
    all.count = all.own;
    for (size_t i = 0; i < COMMON_ROWS; i++) {
        if ((common_rows[i].tools & ~tool->common) != 0)
            continue;
        all.rows[all.count++] = &common_rows[i].option;
        all.everywhere += common_rows[i].tools != COMMON_CONVERT;
    }
    return all;
}

/* Whether one of the letters at P is an option whose argument is the next word. */
static bool letters_take_next(const struct options *all, const char *p)
{
    const struct option_row *o = NULL;
    for (; *p != '\0' && (o = find_letter(all, *p)) != NULL; p++)
        if (o->argument != NULL && o->level == NULL)
            return p[1] == '\0';
    return false;
}

bool options_take_next(const struct tool *tool, const char *word)
{
    struct options all = options_of(tool);
    if (word[1] != '-')
        return letters_take_next(&all, word + 1);
    size_t length = strcspn(word + 2, "=");
    const struct option_row *o = find_long(&all, word + 2, length);
    return o != NULL && word[2 + length] == '\0' && o->argument != NULL &&
           !option_argument_is_optional(o);
}

/* The name of the option that sets *TEXT. */
static const char *name_of(const char *const *text)
{
    size_t i = 0;
    while (known.rows[i]->text != text)
        i++;
    return known.rows[i]->name;
}

int options_parse(const struct tool *tool, int argc, char **argv)
{
    struct operands o = {.border = -1};
    running = tool;
    known = options_of(tool);
    o.items = mem_alloc((size_t)argc * sizeof *o.items);
    take_all(tool, argc, argv, &o);
    const bool has_files = tool->sides_by != NULL && *tool->sides_by != NULL;
    const bool has_lists = side_lists_are_given();
    if (has_files && has_lists)
        die(CODE_OPTIONS_CLASH, "%s cannot be used with --%s", side_lists_option(),
            name_of(tool->sides_by));
    if (has_files && o.border >= 0)
        die(CODE_BAD_OPERANDS, "expected no --, as an option says what the sides are");
    if (has_lists)
        side_lists_check(o.items, o.count, o.border);
    else if (tool->has_two_sides && !has_files && !tool_is_about(tool))
        check_sides(&o);
    if (tool->base_count != NULL) {
        bool has_border =
            (tool->has_two_sides && !has_files) || (o.border >= 0 && o.border < o.count);
        *tool->base_count = has_lists    ? 1 /* until these are read */
                            : has_border ? (size_t)o.border
                                         : 0;
    }
    for (size_t i = 0; i < known.own && tool_common.output != NULL; i++) {
        const struct option_row *row = known.rows[i];
        if (row->is_of_output && *row->text == NULL && (row->unless == NULL || !*row->unless))
            *row->text = words_of_suffix(tool_common.output, row->values, row->value_count);
    }
    memcpy(argv + argc - o.count, o.items, (size_t)o.count * sizeof *o.items);
    mem_free(o.items);
    return argc - o.count;
}

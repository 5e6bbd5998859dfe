/* sites.c - where a source file can be changed by a mutation, and how; see tests/mutants.
 *
 *   sites --list SEED MAX FILE...
 *       prints at most MAX mutants (0: all) in an order that SEED shuffles; each kind of mutation has
 *       the same share as long as it has sites.  Fields, separated by tabs: kind, file, line, function,
 *       its first line, offset and length in bytes, the new text, the old and the new line.
 *       In a table or declaration outside of functions the function is "-" and its line 0.
 *   sites --apply FILE OFFSET LENGTH TEXT
 *       prints the file with that change.
 *   sites --functions FILE...
 *       prints file, name, first and last line of each function. */
#include "../random.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { NAME, NUMBER, CHARACTER, STRING, SIGN };

struct token {
    enum token_kind kind;
    size_t start, end; /* in bytes of the file */
    size_t partner;    /* of a bracket: the index of the other one; else 0 */
    size_t function;   /* 1 + index of the function around it; 0 outside */
    unsigned line;
    bool in_brackets; /* within ( ) or [ ] */
    bool is_left;     /* alone: see leave_hints */
};

struct function {
    char *name;
    unsigned first, last; /* lines */
};

struct file {
    const char *path;
    char *text;
    size_t size;
    struct token *tokens;
    size_t count;
    struct function *functions;
    size_t function_count;
};

enum kind { COMPARISON, OFF_BY_ONE, CONSTANT, CALL, ARGUMENTS, OPERATOR, STATEMENT, KINDS };

static const char *const kind_names[KINDS] = {"comparison", "off-by-one", "constant", "call",
                                              "arguments",  "sign",       "statement"};

struct mutant {
    const struct file *file;
    size_t token; /* where it begins */
    size_t start, length;
    char *text;
};

static struct {
    struct mutant *items;
    size_t count;
} mutants[KINDS];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *grown(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) /* room for the next power of two */
        return items;
    items = realloc(items, (count > 0 ? 2 * count : 1) * size);
    if (items == NULL)
        fail("sites");
    return items;
}

static char *copy_of(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (copy == NULL)
        fail("sites");
    return copy;
}

static struct file read_file(const char *path)
{
    struct file f = {.path = path};
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        fail(path);
    size_t capacity = 0;
    do {
        capacity += 64 << 10;
        f.text = realloc(f.text, capacity + 1);
        if (f.text == NULL)
            fail(path);
        f.size += fread(f.text + f.size, 1, capacity - f.size, stream);
    } while (f.size == capacity);
    if (ferror(stream))
        fail(path);
    fclose(stream);
    f.text[f.size] = '\0';
    return f;
}

/* --- tokens --- */

static bool starts(const char *p, const char *with)
{
    return strncmp(p, with, strlen(with)) == 0;
}

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the sign at P. */
static size_t sign_length(const char *p)
{
    static const char *const signs[] = {
        "<<=", ">>=", "...", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (starts(p, signs[i]))
            return strlen(signs[i]);
    }
    return 1;
}

/* Behind the string or character constant that begins at P. */
static const char *quoted_end(const char *p)
{
    char quote = *p++;
    while (*p != '\0' && *p != quote)
        p += *p == '\\' && p[1] != '\0' ? 2 : 1;
    return *p == '\0' ? p : p + 1;
}

/* Behind the comment that begins at P, or P. */
static const char *comment_end(const char *p)
{
    if (starts(p, "/*")) {
        const char *end = strstr(p + 2, "*/");
        return end != NULL ? end + 2 : p + strlen(p);
    }
    return starts(p, "//") ? p + strcspn(p, "\n") : p;
}

/* Behind the preprocessor's line at P, with the lines that continue it. */
static const char *directive_end(const char *p)
{
    while (*p != '\0' && *p != '\n') {
        const char *end = comment_end(p);
        p = end != p ? end : *p == '\\' && p[1] == '\n' ? p + 2 : p + 1;
    }
    return p;
}

static const char *token_end(const char *p, enum token_kind *kind)
{
    if (*p == '"' || *p == '\'') {
        *kind = *p == '"' ? STRING : CHARACTER;
        return quoted_end(p);
    }
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        *kind = NUMBER;
        bool is_hex = starts(p, "0x");
        while (is_name_byte(*p) || *p == '.' ||
               ((*p == '+' || *p == '-') && !is_hex && (p[-1] == 'e' || p[-1] == 'E')))
            p++;
        return p;
    }
    if (is_name_byte(*p)) {
        *kind = NAME;
        while (is_name_byte(*p))
            p++;
        return p;
    }
    *kind = SIGN;
    return p + sign_length(p);
}

static void add_token(struct file *f, struct token token)
{
    f->tokens = grown(f->tokens, f->count, sizeof *f->tokens);
    f->tokens[f->count++] = token;
}

static void split(struct file *f)
{
    unsigned line = 1;
    bool at_line_start = true;
    const char *p = f->text;
    while (*p != '\0') {
        const char *begin = p, *end;
        enum token_kind kind = SIGN;
        bool is_token = false;
        if (*p == '\n') {
            end = p + 1;
        } else if (isspace((unsigned char)*p)) {
            end = p + 1;
        } else if (*p == '#' && at_line_start) {
            end = directive_end(p);
        } else if ((end = comment_end(p)) == p) {
            end = token_end(p, &kind);
            is_token = true;
        }
        if (is_token) {
            add_token(f, (struct token){.kind = kind,
                                        .start = (size_t)(p - f->text),
                                        .end = (size_t)(end - f->text),
                                        .line = line});
            at_line_start = false;
        }
        for (p = begin; p < end; p++) {
            if (*p == '\n') {
                line++;
                at_line_start = true;
            }
        }
    }
}

static bool is(const struct file *f, size_t i, const char *text)
{
    if (i >= f->count)
        return false;
    const struct token *t = &f->tokens[i];
    return strlen(text) == t->end - t->start &&
           memcmp(f->text + t->start, text, t->end - t->start) == 0;
}

static bool is_one_of(const struct file *f, size_t i, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (is(f, i, *list))
            return true;
    }
    return false;
}

/* Finds the other one of each bracket, and what is within round or square ones. */
static void match_brackets(struct file *f)
{
    size_t open[256], depth = 0, inner = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->tokens[i].kind != SIGN)
            continue;
        char c = f->text[f->tokens[i].start];
        if (strchr("([{", c) != NULL && depth < sizeof open / sizeof *open) {
            open[depth++] = i;
        } else if (strchr(")]}", c) != NULL && depth > 0) {
            size_t other = open[--depth];
            f->tokens[i].partner = other;
            f->tokens[other].partner = i;
        }
    }
    for (size_t i = 0; i < f->count; i++) {
        size_t partner = f->tokens[i].partner;
        f->tokens[i].in_brackets = i < inner;
        if (partner > inner && partner > i && !is(f, i, "{"))
            inner = partner;
    }
}

/* The name of the function whose body opens at I, as an index; 0 if that is no function's. */
static size_t function_name(const struct file *f, size_t i)
{
    if (i < 2 || !is(f, i, "{") || !is(f, i - 1, ")"))
        return 0;
    size_t open = f->tokens[i - 1].partner;
    return open > 0 && f->tokens[open - 1].kind == NAME ? open - 1 : 0;
}

static void find_functions(struct file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        size_t partner = f->tokens[i].partner, name = function_name(f, i);
        if (partner <= i)
            continue;
        if (name > 0) {
            const struct token *t = &f->tokens[name];
            f->functions = grown(f->functions, f->function_count, sizeof *f->functions);
            f->functions[f->function_count++] =
                (struct function){.name = copy_of(f->text + t->start, t->end - t->start),
                                  .first = t->line,
                                  .last = f->tokens[partner].line};
            for (size_t k = i; k <= partner; k++)
                f->tokens[k].function = f->function_count;
        }
        if (is(f, i, "{"))
            i = partner; /* functions do not nest */
    }
}

static void leave(struct file *f, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < f->count; i++)
        f->tokens[i].is_left = true;
}

/* Assertions, attributes, and what the compiler and the processor are told to expect. */
static void leave_hints(struct file *f)
{
    static const char *const left[] = {"assert",        "static_assert",      "_Static_assert",
                                       "__attribute__", "__builtin_prefetch", NULL};
    for (size_t i = 0; i + 1 < f->count; i++) {
        size_t last = f->tokens[i + 1].partner;
        if (is_one_of(f, i, left))
            leave(f, i, last);
        else if (is(f, i, "__builtin_expect") && last > 2)
            leave(f, last - 2, last); /* ", 0)" */
    }
}

/* --- mutations --- */

static void add(const struct file *f, enum kind kind, size_t first, size_t behind, const char *text)
{
    size_t start = f->tokens[first].start, end = f->tokens[behind - 1].end;
    for (size_t i = first; i < behind; i++) {
        if (f->tokens[i].is_left)
            return;
    }
    mutants[kind].items =
        grown(mutants[kind].items, mutants[kind].count, sizeof *mutants[kind].items);
    mutants[kind].items[mutants[kind].count++] = (struct mutant){
        .file = f,
        .token = first,
        .start = start,
        .length = end - start,
        .text = copy_of(text, strlen(text)),
    };
}

/* The token before I ends an operand, so that a sign at I has two. */
static bool is_behind_operand(const struct file *f, size_t i)
{
    static const char *const words[] = {"return", "case", "else", "sizeof", NULL};
    static const char *const types[] = {"int",   "char", "long",  "unsigned", "double", "void",
                                        "float", "bool", "short", "*",        NULL};
    if (i == 0)
        return false;
    if (f->tokens[i - 1].kind != SIGN)
        return !is_one_of(f, i - 1, words);
    if (is(f, i - 1, "]"))
        return true;
    if (!is(f, i - 1, ")"))
        return false;
    const struct token *last = &f->tokens[i - 2];
    bool is_cast =
        is_one_of(f, i - 2, types) || (last->kind == NAME && last->end - last->start > 2 &&
                                       starts(f->text + last->end - 2, "_t"));
    return !is_cast;
}

static void add_signs(const struct file *f, size_t i)
{
    static const struct {
        const char *sign, *instead[2];
        enum kind kind;
        bool has_operands; /* two of them */
    } rules[] = {
        {"<", {"<=", ">="}, COMPARISON, true},  {"<=", {"<", ">"}, COMPARISON, true},
        {">", {">=", "<="}, COMPARISON, true},  {">=", {">", "<"}, COMPARISON, true},
        {"==", {"!=", NULL}, COMPARISON, true}, {"!=", {"==", NULL}, COMPARISON, true},
        {"+", {"-", NULL}, OPERATOR, true},     {"-", {"+", NULL}, OPERATOR, true},
        {"-", {"", NULL}, OPERATOR, false},     {"&&", {"||", NULL}, OPERATOR, true},
        {"||", {"&&", NULL}, OPERATOR, true},   {"!", {"", NULL}, OPERATOR, false},
        {"+=", {"-=", NULL}, OPERATOR, true},   {"-=", {"+=", NULL}, OPERATOR, true},
        {"++", {"--", NULL}, OPERATOR, true},   {"++", {"--", NULL}, OPERATOR, false},
        {"--", {"++", NULL}, OPERATOR, true},   {"--", {"++", NULL}, OPERATOR, false},
    };
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (!is(f, i, rules[r].sign) || rules[r].has_operands != is_behind_operand(f, i))
            continue;
        for (size_t k = 0; k < 2 && rules[r].instead[k] != NULL; k++)
            add(f, rules[r].kind, i, i + 1, rules[r].instead[k]);
    }
}

/* Whether the token I says how much memory something has at least: one more changes nothing that is seen. */
static bool is_room(const struct file *f, size_t i)
{
    static const char *const allocators[] = {
        "malloc",      "calloc",           "realloc",     "mem_alloc",
        "mem_array",   "mem_alloc_zeroed", "arena_alloc", "mem_array_zeroed",
        "out_reserve", "buf_reserve",      NULL};
    static const char *const words[] = {"return", "case", "else", "sizeof", NULL};
    while (i-- > 2) {
        size_t partner = f->tokens[i].partner;
        if (partner == 0)
            continue;
        if (partner > i) { /* it opens around I */
            bool declares =
                f->tokens[i - 2].kind == NAME ? !is_one_of(f, i - 2, words) : is(f, i - 2, "*");
            return is(f, i, "(") ? is_one_of(f, i - 1, allocators)
                                 : is(f, i, "[") && f->tokens[i - 1].kind == NAME && declares;
        }
        i = partner;
    }
    return false;
}

static void add_number(const struct file *f, size_t i)
{
    const char *text = f->text + f->tokens[i].start;
    size_t length = f->tokens[i].end - f->tokens[i].start;
    char instead[128], *end;
    if (length > 40)
        return;
    unsigned long long n = strtoull(text, &end, 0);
    bool is_float = !starts(text, "0x") && memchr(text, '.', length) != NULL;
    if (is_float) {
        snprintf(instead, sizeof instead, "(%.*s + 1)", (int)length, text);
        add(f, CONSTANT, i, i + 1, instead);
        return;
    }
    int rest = (int)(text + length - end); /* the suffix */
    const char *format = starts(text, "0x") ? "0x%llx%.*s" : "%llu%.*s";
    if (rest < 0)
        return;
    snprintf(instead, sizeof instead, format, n == 0, rest, end);
    add(f, CONSTANT, i, i + 1, instead);
    if (n > 0 && !is_room(f, i)) {
        snprintf(instead, sizeof instead, format, n + 1, rest, end);
        add(f, OFF_BY_ONE, i, i + 1, instead);
    }
    if (n > 1) {
        snprintf(instead, sizeof instead, format, n - 1, rest, end);
        add(f, OFF_BY_ONE, i, i + 1, instead);
    }
}

static void add_character(const struct file *f, size_t i)
{
    char instead[32];
    const struct token *t = &f->tokens[i];
    if (t->end - t->start > 10)
        return;
    snprintf(instead, sizeof instead, "(%.*s + 1)", (int)(t->end - t->start), f->text + t->start);
    add(f, CONSTANT, i, i + 1, instead);
}

/* A size that is read, as "size" in `f(p, size)`. */
static void add_size(const struct file *f, size_t i)
{
    static const char *const sizes[] = {"size", "length", "count", "capacity", "limit", NULL};
    static const char *const before[] = {"(",  ",",  "=",  "return", "+", "-", "<", ">",
                                         "<=", ">=", "==", "!=",     "*", "/", "[", NULL};
    static const char *const behind[] = {")",  ",",  ";",  "+",  "-", "<", ">",
                                         "<=", ">=", "==", "!=", "]", NULL};
    const struct token *t = &f->tokens[i];
    bool is_size = t->end - t->start == 1 && f->text[t->start] == 'n';
    for (const char *const *s = sizes; *s != NULL && !is_size; s++) {
        size_t length = strlen(*s);
        is_size = t->end - t->start >= length && starts(f->text + t->end - length, *s);
    }
    size_t first = i; /* of a->b.count */
    while (first > 1 && (is(f, first - 1, ".") || is(f, first - 1, "->")) &&
           f->tokens[first - 2].kind == NAME)
        first -= 2;
    if (!is_size || t->function == 0 || first == 0 || !is_one_of(f, first - 1, before) ||
        !is_one_of(f, i + 1, behind) ||
        (is(f, first - 1, "*") && !is_behind_operand(f, first - 1)) ||
        (is(f, first - 1, "(") && first >= 2 && is(f, first - 2, "sizeof")))
        return;
    char instead[256];
    for (const char *sign = is_room(f, i) ? "-" : "+-"; *sign != '\0'; sign++) {
        snprintf(instead, sizeof instead, "(%.*s %c 1)", (int)(t->end - f->tokens[first].start),
                 f->text + f->tokens[first].start, *sign);
        add(f, OFF_BY_ONE, first, i + 1, instead);
    }
}

/* Whether a comment stands in the tokens from FIRST to before BEHIND: none is moved. */
static bool has_comment(const struct file *f, size_t first, size_t behind)
{
    for (size_t i = first; i + 1 < behind; i++) {
        for (size_t k = f->tokens[i].end; k < f->tokens[i + 1].start; k++) {
            if (!isspace((unsigned char)f->text[k]))
                return true;
        }
    }
    return false;
}

/* The text of the tokens from FIRST to before BEHIND, on one line. */
static char *text_of(const struct file *f, size_t first, size_t behind)
{
    size_t start = f->tokens[first].start;
    char *text = copy_of(f->text + start, f->tokens[behind - 1].end - start);
    for (char *p = text; *p != '\0'; p++) {
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    }
    return text;
}

static void swap(const struct file *f, size_t first, size_t comma, size_t behind)
{
    char *a = text_of(f, first, comma), *b = text_of(f, comma + 1, behind);
    if (strcmp(a, b) != 0 && !has_comment(f, first, behind)) {
        char *both = malloc(strlen(a) + strlen(b) + 3);
        if (both == NULL)
            fail("sites");
        sprintf(both, "%s, %s", b, a);
        add(f, ARGUMENTS, first, behind, both);
        free(both);
    }
    free(a);
    free(b);
}

/* The call whose name is the token I: each two arguments side by side, swapped. */
static void add_arguments(const struct file *f, size_t i)
{
    static const char *const words[] = {"if", "while", "for", "switch", "return", "sizeof", NULL};
    static const char *const either_way[] = {"str_equal", NULL}; /* these mean the same, swapped */
    if (f->tokens[i].function == 0 || !is(f, i + 1, "(") || is_one_of(f, i, words) ||
        is_one_of(f, i, either_way) || f->tokens[i + 1].partner == 0)
        return;
    size_t last = f->tokens[i + 1].partner; /* the closing one */
    size_t before = 0, start = i + 2;       /* the first tokens of the last two arguments */
    size_t comma = 0;                       /* between them */
    for (size_t k = start; k <= last; k++) {
        if (f->tokens[k].partner > k) {
            k = f->tokens[k].partner;
        } else if (is(f, k, ",") || k == last) {
            if (comma > 0)
                swap(f, before, comma, k);
            before = start;
            comma = k;
            start = k + 1;
        }
    }
}

static bool is_statement_start(const struct file *f, size_t i)
{
    static const char *const heads[] = {"if", "while", "for", "switch", NULL};
    static const char *const before[] = {";", "{", "}", "else", "do", ":", NULL};
    if (f->tokens[i].function == 0 || i == 0)
        return false;
    if (is(f, i - 1, ")")) {
        size_t open = f->tokens[i - 1].partner;
        return open > 0 && is_one_of(f, open - 1, heads);
    }
    return is_one_of(f, i - 1, before);
}

/* A statement that is nothing but a call or an assignment, or leaves a function or a loop. */
static void add_statement(const struct file *f, size_t i)
{
    static const char *const words[] = {"return", "break", "continue", NULL};
    static const char *const heads[] = {"if", "while", "for", "switch", "sizeof", "return", NULL};
    static const char *const assignments[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>=", NULL};
    if (f->tokens[i].in_brackets || !is_statement_start(f, i))
        return;
    if (is_one_of(f, i, words) && is(f, i + 1, ";")) {
        add(f, STATEMENT, i, i + 2, ";");
        return;
    }
    size_t k = i;
    if (is(f, k, "(") && is(f, k + 1, "void") && is(f, k + 2, ")"))
        k += 3;
    while (is(f, k, "*"))
        k++;
    if (k >= f->count || f->tokens[k].kind != NAME || is_one_of(f, k, heads))
        return;
    bool is_call = false;
    for (k++; k < f->count; k++) {
        bool opens = is(f, k, "(") || is(f, k, "[");
        bool is_member = is(f, k, ".") || is(f, k, "->");
        if (!opens && !is_member)
            break;
        is_call = is(f, k, "(");
        k = is_member ? k + 1 : f->tokens[k].partner;
    }
    if (is_call && is(f, k, ";"))
        add(f, CALL, i, k + 1, ";");
    if (is_call || !is_one_of(f, k, assignments))
        return;
    while (k < f->count && !is(f, k, ";"))
        k = f->tokens[k].partner > k ? f->tokens[k].partner : k + 1;
    if (k < f->count)
        add(f, STATEMENT, i, k + 1, ";");
}

static void find_mutants(const struct file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        switch (f->tokens[i].kind) {
        case NAME:
            if (is(f, i, "true") || is(f, i, "false"))
                add(f, CONSTANT, i, i + 1, is(f, i, "true") ? "false" : "true");
            add_size(f, i);
            add_arguments(f, i);
            break;
        case NUMBER: add_number(f, i); break;
        case CHARACTER: add_character(f, i); break;
        case STRING: break;
        case SIGN: add_signs(f, i); break;
        }
        add_statement(f, i);
    }
}

/* --- output --- */

/* Prints one line of text without the spaces around it, and each run of spaces within as one. */
static void print_line(const char *text, size_t length)
{
    bool has_text = false, space = false;
    for (size_t i = 0; i < length; i++) {
        if (isspace((unsigned char)text[i])) {
            space = has_text;
            continue;
        }
        if (space)
            putchar(' ');
        putchar(text[i]);
        has_text = true;
        space = false;
    }
}

static void print_mutant(const struct mutant *m, enum kind kind)
{
    const struct file *f = m->file;
    const struct token *t = &f->tokens[m->token];
    const struct function *function = t->function > 0 ? &f->functions[t->function - 1] : NULL;
    printf("%s\t%s\t%u\t%s\t%u\t%zu\t%zu\t%s\t", kind_names[kind], f->path, t->line,
           function != NULL ? function->name : "-", function != NULL ? function->first : 0,
           m->start, m->length, m->text);
    size_t start = m->start, end = m->start + m->length;
    while (start > 0 && f->text[start - 1] != '\n')
        start--;
    end += strcspn(f->text + end, "\n");
    print_line(f->text + start, end - start);
    putchar('\t');
    size_t head = m->start - start, tail = end - m->start - m->length, length = strlen(m->text);
    char *line = malloc(head + length + tail + 1);
    if (line == NULL)
        fail("sites");
    memcpy(line, f->text + start, head);
    memcpy(line + head, m->text, length);
    memcpy(line + head + length, f->text + m->start + m->length, tail);
    print_line(line, head + length + tail);
    putchar('\n');
    free(line);
}

static void shuffle(struct mutant *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = pick(i);
        struct mutant swapped = items[i - 1];
        items[i - 1] = items[k];
        items[k] = swapped;
    }
}

static void list(size_t max)
{
    size_t taken[KINDS] = {0}, all = 0;
    for (size_t k = 0; k < KINDS; k++) {
        shuffle(mutants[k].items, mutants[k].count);
        all += mutants[k].count;
    }
    for (size_t n = 0; n < all && (max == 0 || n < max); n++) {
        size_t k = pick(KINDS);
        while (taken[k] == mutants[k].count)
            k = (k + 1) % KINDS;
        print_mutant(&mutants[k].items[taken[k]++], (enum kind)k);
    }
}

static void apply(const char *path, size_t start, size_t length, const char *text)
{
    struct file f = read_file(path);
    if (start + length > f.size) {
        fprintf(stderr, "sites: %s: has no byte %zu\n", path, start + length);
        exit(1);
    }
    fwrite(f.text, 1, start, stdout);
    fputs(text, stdout);
    fwrite(f.text + start + length, 1, f.size - start - length, stdout);
}

static struct file *read_source(const char *path)
{
    struct file *f = malloc(sizeof *f);
    if (f == NULL)
        fail("sites");
    *f = read_file(path);
    split(f);
    match_brackets(f);
    find_functions(f);
    leave_hints(f);
    return f;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "--apply") == 0) {
        apply(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), argv[5]);
    } else if (argc > 3 && strcmp(argv[1], "--list") == 0) {
        random_state = strtoull(argv[2], NULL, 10);
        for (int i = 4; i < argc; i++)
            find_mutants(read_source(argv[i]));
        list(strtoull(argv[3], NULL, 10));
    } else if (argc > 2 && strcmp(argv[1], "--functions") == 0) {
        for (int i = 2; i < argc; i++) {
            const struct file *f = read_source(argv[i]);
            for (size_t k = 0; k < f->function_count; k++)
                printf("%s\t%s\t%u\t%u\n", f->path, f->functions[k].name, f->functions[k].first,
                       f->functions[k].last);
        }
    } else {
        fprintf(stderr, "sites: expected --list, --apply or --functions: see sites.c\n");
        return 2;
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("sites");
    return 0;
}

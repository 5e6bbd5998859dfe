#include "base/shorten.h"

#include "base/width.h"

#include <stdint.h>

#define MARK STR("…")

/* Longer names are only cut: steps may take a time that grows with the square of the length. */
enum { NAME_MAX_BYTES = 1024 };

/* --- characters --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
    return is_letter(c) || str_is_digit(c);
}

/* Whether C may be in the name of a folder, among those that are not in other parts of names. */
static bool is_of_path(char c)
{
    return is_word(c) || (c != '\0' && strchr(".@%+~-!=", c) != NULL);
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* The byte I of S; 0 outside of it. */
static char at(struct str s, size_t i)
{
    return i < s.n ? s.p[i] : '\0';
}

static struct str head_of(struct str s, size_t n)
{
    return (struct str){s.p, n};
}

static struct str rest_of(struct str s, size_t n)
{
    return (struct str){s.p + n, s.n - n};
}

static void add_char(struct buf *to, char c)
{
    buf_add(to, (struct str){&c, 1});
}

/* Whether the word before I of S is "operator". */
static bool follows_operator(struct str s, size_t i)
{
    static const struct str word = STR("operator");
    return str_ends(head_of(s, i), word) && (i == word.n || !is_word(s.p[i - word.n - 1]));
}

/* --- brackets --- */

/* The place of the bracket that closes the one at I of S; 0: there is none. Other kinds of brackets
 * are not looked at: operators such as operator< are never closed. */
static size_t close_of(struct str s, size_t i)
{
    const char open = s.p[i], closing = open == '('   ? ')'
                                        : open == '[' ? ']'
                                        : open == '{' ? '}'
                                                      : '>';
    size_t depth = 0;
    for (; i < s.n; i++) {
        bool is_arrow = s.p[i] == '>' && (s.p[i - 1] == '-' || s.p[i - 1] == '=');
        depth += s.p[i] == open;
        depth -= s.p[i] == closing && !is_arrow;
        if (depth == 0)
            return i;
    }
    return 0;
}

/* The place after the brackets that begin at I of S; I if none do, or only operator's. */
static size_t after_brackets(struct str s, size_t i)
{
    if (at(s, i) == '\0' || strchr("([{<", s.p[i]) == NULL || follows_operator(s, i))
        return i;
    const size_t close = close_of(s, i);
    return close > 0 ? close + 1 : i;
}

/* --- folders --- */

/* Whether S begins with the version of a Go module, v2 or so, which says little on its own. */
static bool begins_version(struct str s)
{
    size_t i = 1;
    while (str_is_digit(at(s, i)))
        i++;
    return at(s, 0) == 'v' && i > 1 && !is_word(at(s, i));
}

/* The size of the slash and the number after it in Java's `$$Lambda/0x00007f`. */
static size_t address_size(struct str s)
{
    size_t i = 3;
    while (str_is_digit(at(s, i)) || (at(s, i) >= 'a' && at(s, i) <= 'f'))
        i++;
    return at(s, 1) == '0' && at(s, 2) == 'x' ? i : 0;
}

/* A host has a dot, and no capital: a class of Java may be before a slash, too. */
static void drop_host(struct str s, struct buf *to)
{
    size_t i = 0;
    bool has_dot = false;
    for (; (at(s, i) >= 'a' && at(s, i) <= 'z') || str_is_digit(at(s, i)) || at(s, i) == '.' ||
           at(s, i) == '-';
         i++)
        has_dot |= at(s, i) == '.';
    buf_add(to, has_dot && at(s, i) == '/' && is_of_path(at(s, i + 1)) ? rest_of(s, i + 1) : s);
}

static void drop_folders(struct str s, struct buf *to)
{
    size_t begin = 0; /* of the path in TO */
    for (size_t i = 0; i < s.n; i++) {
        bool is_root = s.p[i] == ':' && is_slash(at(s, i + 1)) &&
                       (is_slash(at(s, i + 2)) || to->n - begin == 1); /* https://, C:\ */
        bool is_end = is_slash(s.p[i]) && (is_of_path(at(s, i + 1)) || is_slash(at(s, i + 1))) &&
                      !follows_operator(s, i);
        size_t address = is_end ? address_size(rest_of(s, i)) : 0;
        if (address > 0) {
            i += address - 1;
        } else if (is_root || (is_end && (!begins_version(rest_of(s, i + 1)) || to->n == begin))) {
            to->n = begin;
        } else {
            add_char(to, s.p[i]);
            begin = is_of_path(s.p[i]) || is_end ? begin : to->n;
        }
    }
}

/* --- arguments --- */

/* The place after the generic arguments that begin at I of S; I if none do. */
static size_t after_generics(struct str s, size_t i)
{
    const char before = i > 0 ? s.p[i - 1] : '\0';
    size_t close;
    if (str_starts(rest_of(s, i), STR("::<"))) { /* Rust: Vec::<T>::new */
        close = close_of(s, i + 2);
        bool is_impl = str_starts(rest_of(s, i + 3), STR("impl "));
        return close > 0 && !is_impl && str_starts(rest_of(s, close + 1), STR("::")) ? close + 1
                                                                                     : i;
    }
    if (!is_word(before) || follows_operator(s, i))
        return i;
    /* an annotation such as _[k] is no argument, nor is an array */
    if (s.p[i] != '<' && (s.p[i] != '[' || before == '_' || at(s, i + 1) == ']'))
        return i;
    close = close_of(s, i);
    return close > 0 ? close + 1 : i;
}

static void drop_generics(struct str s, struct buf *to)
{
    for (size_t i = 0; i < s.n;) {
        size_t end = after_generics(s, i);
        if (end == i)
            add_char(to, s.p[i++]);
        i = end > i ? end : i;
    }
}

/* Whether the name of an operator ends before I of S. */
static bool ends_operator(struct str s, size_t i)
{
    size_t n = i;
    while (n > 0 && strchr("<>=!+-*/%^&|~,[]()", s.p[n - 1]) != NULL)
        n--;
    return n < i && follows_operator(s, n);
}

/* Whether a list of arguments begins at I of S. Python's statistics have `file.py:7(function)`. */
static bool begins_arguments(struct str s, size_t i)
{
    size_t digits = i;
    while (digits > 0 && str_is_digit(s.p[digits - 1]))
        digits--;
    bool is_line = digits < i && digits > 0 && s.p[digits - 1] == ':';
    bool is_after = i > 0 && (is_word(s.p[i - 1]) || s.p[i - 1] == '>' || s.p[i - 1] == ']');
    return s.p[i] == '(' && !is_line && !follows_operator(s, i) &&
           (is_after || ends_operator(s, i));
}

/* The size of what follows a list of arguments and belongs to it: at the start of S. */
static size_t suffix_size(struct str s)
{
    static const struct str words[] = {STR(" const"), STR(" volatile"), STR(" noexcept"),
                                       STR(" &&"),    STR(" &"),        STR("[abi:cxx11]")};
    size_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        n += str_starts(rest_of(s, n), words[i]) ? words[i].n : 0;
    if (str_starts(rest_of(s, n), STR(" [")) && close_of(s, n + 1) > 0)
        n = close_of(s, n + 1) + 1;
    return n;
}

/* Whether S is a return type as the Java virtual machine spells it. */
static bool is_java_type(struct str s)
{
    while (str_take(&s, STR("[")))
        ;
    return s.n == 1 ? strchr("BCDFIJSVZ", *s.p) != NULL : at(s, 0) == 'L' && str_ends(s, STR(";"));
}

/* The place of the last space of S outside of brackets, which ends a return type; 0: there is
 * none. */
static size_t return_end(struct str s)
{
    size_t end = 0;
    for (size_t i = 0, after; i<s.n; i = after> i ? after : i + 1) {
        after = after_brackets(s, i);
        end = s.p[i] == ' ' && !follows_operator(s, i) ? i : end;
    }
    struct str type = head_of(s, end);
    return str_ends(type, STR(" to")) || str_ends(type, STR(" for")) ? 0 : end;
}

static void drop_arguments(struct str s, struct buf *to)
{
    size_t lists = 0;
    for (size_t i = 0; i < s.n;) {
        size_t close = begins_arguments(s, i) ? close_of(s, i) : 0;
        if (close == 0) {
            add_char(to, s.p[i++]);
            continue;
        }
        lists++;
        i = close + 1;
        i += suffix_size(rest_of(s, i));
        i = is_java_type(rest_of(s, i)) ? s.n : i;
    }
    size_t end = lists > 0 ? return_end(buf_str(to)) : 0;
    if (end == 0)
        return;
    memmove(to->p, to->p + end + 1, to->n - end - 1);
    to->n -= end + 1;
}

/* --- packages --- */

/* Whether S, which begins with a part of a name, has it made up by a compiler: it belongs to the
 * part before. */
static bool is_made_up(struct str s)
{
    bool is_numbered = str_take(&s, STR("func")) || str_take(&s, STR("gowrap"));
    size_t digits = 0;
    while (str_is_digit(at(s, digits)))
        digits++;
    bool is_operator = str_take(&s, STR("operator")) && !is_word(at(s, 0));
    return at(s, 0) == '{' || at(s, 0) == '<' || is_operator ||
           (digits > 0 && !is_word(at(s, digits))) || (is_numbered && s.n == 0);
}

/* The size of the separator at I of S; HAS_COLONS: of "::" and Ruby's "#" alone. In .NET "!"
 * follows the assembly. */
static size_t separator_size(struct str s, size_t i, bool has_colons)
{
    bool is_between = i > 0 && i + 1 < s.n;
    if (has_colons && str_starts(rest_of(s, i), STR("::")))
        return is_between ? 2 : 0;
    if (!is_between || (s.p[i] != '#' && (has_colons || (s.p[i] != '.' && s.p[i] != '!'))))
        return 0;
    return s.p[i - 1] != '.' && s.p[i + 1] != '.' ? 1 : 0;
}

/* What the parts of a name are between, outside of brackets. */
struct parts {
    bool has_colons; /* "::" */
    bool has_none;   /* it is `FILE:FUNCTION`, several words, or a stack */
};

/* Whether I of S is no part of a name: in a class of Java, `Ljava/lang/Thread;::run`, it is. */
static bool ends_word(struct str s, size_t i)
{
    const char after = at(s, i + 1);
    return s.p[i] == ' ' || (s.p[i] == ':' && !str_is_digit(after)) ||
           (s.p[i] == ';' && after != ':' && after != '\0');
}

static struct parts look_at(struct str s)
{
    struct parts found = {0};
    for (size_t i = 0, after; i<s.n; i = after> i ? after : i + 1) {
        after = after_brackets(s, i);
        if (str_starts(rest_of(s, i), STR("::")) && i > 0) {
            found.has_colons = true;
            after = i + 2;
        } else if (ends_word(s, i)) {
            found.has_none = true;
        }
    }
    return found;
}

/* The last places where parts of a name begin that count: NAMED[0] is that of the last. */
enum { NAMED = 3 };
struct named {
    size_t begins[NAMED];
    size_t count; /* of all parts that count */
};

static void add_begin(struct named *n, size_t begin)
{
    memmove(n->begins + 1, n->begins, (NAMED - 1) * sizeof *n->begins);
    n->begins[0] = begin;
    n->count++;
}

/* The parts of S: functions, classes, packages. */
static struct named parts_of(struct str s)
{
    const struct parts how = look_at(s);
    struct named found = {0};
    add_begin(&found, 0);
    for (size_t i = 0, after; i < s.n && !how.has_none; i = after > i ? after : i + 1) {
        const size_t size = separator_size(s, i, how.has_colons);
        after = size > 0 ? i + size : after_brackets(s, i);
        if (size > 0 && !is_made_up(rest_of(s, after)))
            add_begin(&found, after);
    }
    return found;
}

/* Appends S, `TYPE as TRAIT` of Rust, with only the last parts of its paths. */
static void add_last_parts(struct str s, struct buf *to)
{
    size_t begin = to->n; /* of the path */
    for (size_t i = 0; i < s.n; i++) {
        if (str_starts(rest_of(s, i), STR("::"))) {
            to->n = begin;
            i++;
        } else {
            add_char(to, s.p[i]);
            begin = is_word(s.p[i]) ? begin : to->n;
        }
    }
}

/* Keeps the function, its class, and the last part of the package; of types of Rust the same. */
static void drop_packages(struct str s, struct buf *to)
{
    const struct named parts = parts_of(s);
    const struct str kept = rest_of(s, parts.count >= NAMED ? parts.begins[NAMED - 1] : 0);
    const char *open = memchr(kept.p, '<', kept.n);
    const size_t begin = open == NULL ? kept.n : (size_t)(open - kept.p);
    const size_t close = begin < kept.n ? close_of(kept, begin) : 0,
                 end = close > 0 ? close : begin;
    buf_add(to, head_of(kept, begin));
    add_last_parts((struct str){kept.p + begin, end - begin}, to);
    buf_add(to, rest_of(kept, end));
}

/* Keeps the function and its class, if the package is before them. Go's pointers need no brackets
 * then. */
static void drop_package(struct str s, struct buf *to)
{
    const struct named parts = parts_of(s);
    size_t begin = parts.count >= NAMED ? parts.begins[1] : 0;
    begin += begin > 0 && at(s, begin) == '(' ? 1 : 0;
    begin += begin > 0 && at(s, begin) == '*' ? 1 : 0;
    buf_add(to, rest_of(s, begin));
}

/* --- cutting --- */

static size_t columns_of(struct str text)
{
    return width_of(text, SIZE_MAX, NULL);
}

/* The end of TEXT that takes at most MAX columns. */
static struct str end_of(struct str text, size_t max)
{
    const size_t all = columns_of(text);
    size_t cut = all > max ? all - max : 0, skipped;
    if (cut > 0 && width_of(text, cut, &skipped) < cut) /* in the middle of a wide character */
        width_of(text, cut + 1, &skipped);
    else
        width_of(text, cut, &skipped);
    return rest_of(text, skipped);
}

/* The start of TEXT that takes at most MAX columns. */
static struct str start_of(struct str text, size_t max)
{
    size_t fits;
    width_of(text, max, &fits);
    return head_of(text, fits);
}

/* The columns of the function in TEXT with what separates it; those of TEXT if it has one part. */
static size_t function_columns(struct str text)
{
    const struct named parts = parts_of(text);
    size_t begin = parts.begins[0];
    if (look_at(text).has_none)
        for (size_t i = 0; i < text.n; i++)
            begin = text.p[i] == ':' && !str_is_digit(at(text, i + 1)) ? i : begin;
    while (begin > 0 && strchr(".:#!", text.p[begin - 1]) != NULL)
        begin--;
    return columns_of(rest_of(text, begin));
}

/* Appends TEXT without its middle, in at most MAX columns. Of its end there are two fifths, or
 * FUNCTION columns if these are at most three. */
static void add_cut(struct buf *to, struct str text, size_t function, size_t max)
{
    const size_t room = max - 1, least = room * 2 / 5;
    const bool has_function = function > least && function <= room * 3 / 5;
    const struct str end = end_of(text, has_function ? function : least);
    buf_add(to, start_of(text, room - columns_of(end)));
    buf_add(to, MARK);
    buf_add(to, end);
}

/* --- one name --- */

void shorten_add_text(struct buf *to, struct str text, size_t max)
{
    if (columns_of(text) <= max) {
        buf_add(to, text);
    } else if (max >= SHORTEN_MIN) {
        buf_add(to, start_of(text, max - 1));
        buf_add(to, MARK);
    }
}

static void (*const steps[])(struct str s, struct buf *to) = {
    drop_host, drop_folders, drop_generics, drop_arguments, drop_packages,
};

/* Takes the steps on S until it fits MAX columns; FORMS are used in turn. A step that leaves
 * nothing is not taken. */
static struct str take_steps(struct buf forms[2], struct str s, size_t max)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps && columns_of(s) > max; i++) {
        struct buf *form = s.p == forms[0].p ? &forms[1] : &forms[0];
        form->n = 0;
        steps[i](s, form);
        s = form->n > 0 ? buf_str(form) : s;
    }
    return s;
}

/* Appends NAME, which is wider than MAX columns, to TO in its longest form that fits. */
static void add_form(struct buf *to, struct str name, size_t max)
{
    struct buf forms[2] = {0}, class = {0};
    struct str s = take_steps(forms, name, max);
    if (columns_of(s) <= max) {
        buf_add(to, s);
    } else {
        drop_package(s, &class);
        s = buf_str(&class);
        if (columns_of(s) < max) {
            buf_add(to, MARK);
            buf_add(to, s);
        } else {
            add_cut(to, s, function_columns(s), max);
        }
    }
    buf_free(&forms[0]);
    buf_free(&forms[1]);
    buf_free(&class);
}

void shorten_add_name(struct buf *to, struct str name, size_t max)
{
    if (columns_of(name) <= max)
        buf_add(to, name);
    else if (max >= SHORTEN_MIN && name.n > NAME_MAX_BYTES)
        add_cut(to, name, 0, max);
    else if (max >= SHORTEN_MIN)
        add_form(to, name, max);
}

/* Regular expressions: what they mean here, that limits are kept and told, and that code of the machine and the
 * interpreter say the same. */
#include "base/mem.h"
#include "base/regex.h"
#include "survive.h"
#include "tap.h"

#include <stdio.h>

/* A search, as survive() calls it. */
struct search {
    const char *text;
    struct regex_how how;
    struct str in;
    size_t from;
    bool is_found;
    struct regex_part parts[3];
};

/* Code of the machine is made only of what is looked for often. */
static void search_times(struct search *s, unsigned times)
{
    char why[256];
    struct regex *r = regex_open(s->text, s->how, "--focus", why, sizeof why);
    if (r == NULL)
        die(CODE_BAD_ARGUMENT, "%s", why);
    struct regex_room *room = regex_room_open();
    for (unsigned i = 0; i < times; i++)
        s->is_found = regex_find(r, room, s->in, s->from, s->parts, 3);
    regex_room_free(room);
    regex_free(r);
}

static void search_once(void *with)
{
    search_times(with, 1);
}

static void search_often(void *with)
{
    search_times(with, 16);
}

static bool finds(const char *text, const char *in)
{
    struct search s = {.text = text, .in = str_of(in)};
    bool is_found = survive(search_once, &s) == STATUS_OK && s.is_found;
    tidy();
    return is_found;
}

static void test_meaning(void)
{
    ok(finds("^\\d+$", "12") && !finds("\\d", "d") && !finds("\\d", "\xd9\xa1"),
       "\\d is a digit of ASCII");
    ok(!finds("\\w", "\xc3\xa4") && finds("(*UCP)\\w", "\xc3\xa4") && finds("\\p{L}", "\xc3\xa4"),
       "letters of Unicode are asked for");
    ok(!finds("a$", "a\n") && finds("a$", "a"), "$ is the end");
    ok(finds("a.b", "a\rb") && !finds("a.b", "a\nb"), "one byte ends lines");
    ok(finds("(?i)MAIN", "main") && finds("\\bmain\\b", "a main b"), "(?i) and \\b");
    ok(finds("[[:upper:]]", "A") && !finds("\\R", "a"), "classes of POSIX");
    struct search s = {.text = "a|ab", .in = STR("xab")};
    survive(search_once, &s);
    ok(s.is_found && s.parts[0].begin == 1 && s.parts[0].end == 2 && s.parts[1].begin == SIZE_MAX,
       "the first alternative counts, not the longest");
    tidy();
}

/* What is refused, and a part of what is said. */
static const char *const refused[][2] = {
    {"(", "missing closing parenthesis"},
    {"((((((a?){9}){9}){9}){9}){9}){9}", "too large"},
    {"\\<main", "\\b is"},
    {"main\\>", "\\b is"},
    {"\\Qx\\E\\>", "\\b is"},
    {"\\C", "disabled"},
    {"a\xff", "UTF-8"},
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct search s = {.text = refused[i][0]};
        ok(survive(search_once, &s) == STATUS_USAGE && strstr(said.message, refused[i][1]) != NULL,
           "%s: %s", refused[i][0], said.message);
        tidy();
    }
    ok(finds("\\Q\\<\\E", "\\<") && finds("\\\\<", "\\<"), "what is quoted is itself");
    static char nested[40001], longest[LIMITS_EXPRESSION + 2];
    struct search s = {.text = nested};
    for (size_t depth = LIMITS_EXPRESSION_NESTING; depth <= LIMITS_EXPRESSION_NESTING + 1;
         depth++) {
        memset(nested, '(', depth);
        memset(nested + depth, ')', depth);
        ok((survive(search_once, &s) == STATUS_USAGE) == (depth > LIMITS_EXPRESSION_NESTING),
           "%zu brackets", depth);
        tidy();
    }
    memset(nested, '(', 20000);
    memset(nested + 20000, ')', 20000);
    ok(survive(search_once, &s) == STATUS_USAGE, "20,000 brackets: %s", said.message);
    tidy();
    memset(longest, ' ', LIMITS_EXPRESSION); /* letters would be too many before */
    memcpy(longest, "(?x)", 4);
    s.text = longest;
    ok(survive(search_once, &s) == STATUS_OK, "as long as it may be");
    tidy();
    longest[LIMITS_EXPRESSION] = ' ';
    ok(survive(search_once, &s) == STATUS_USAGE, "too long: %s", said.message);
    tidy();
}

/* Expressions and texts, some of which take very many steps: A is a thousand of the letter a. */
static const char *const costly[][2] = {
    {"(a*)*\\1b", "A"},    {"(a+)+$", "Ab"},        {"(a|aa)+$", "Ab"},
    {"(?:a*){50}b", "A"},  {"^(a?){99}a{99}", "A"}, {"((a{1,9}){1,9}){1,9}", "A"},
    {"(?=(a+))*b", "A"},   {"(.*)(.*)(.*)x", "A"},  {"a*a*a*a*b", "A"},
    {"(?<=a)b|a{3}", "A"}, {"(a(?1)?b)", "Abbb"},   {"x*", "A"},
};

static void test_limits(void)
{
    static char text[1100];
    unsigned stopped = 0, found = 0;
    for (size_t i = 0; i < sizeof costly / sizeof *costly; i++) {
        char interpreted[64];
        memset(text, 'a', 1000);
        snprintf(text + 1000, sizeof text - 1000, "%s", costly[i][1] + 1);
        snprintf(interpreted, sizeof interpreted, "(*NO_JIT)%s", costly[i][0]);
        struct search by_code = {.text = costly[i][0], .in = str_of(text)};
        struct search by_steps = {.text = interpreted, .in = str_of(text)};
        enum status first = survive(search_often, &by_code);
        tidy();
        enum status second = survive(search_once, &by_steps);
        ok(first == second && by_code.is_found == by_steps.is_found &&
               (!by_code.is_found ||
                memcmp(by_code.parts, by_steps.parts, sizeof by_code.parts) == 0),
           "%s: %d and %d, %s", costly[i][0], (int)first, (int)second,
           second == STATUS_OK ? by_steps.is_found ? "found" : "not found" : said.message);
        stopped +=
            second == STATUS_USAGE &&
            strstr(said.message, "takes too many steps, or too much memory, on \"aaa") != NULL;
        found += by_code.is_found;
        tidy();
    }
    ok(stopped >= 2 && found >= 2, "%u need too much, %u are found", stopped, found);
    size_t n = (size_t)8 << 20;
    char *big = mem_alloc(n);
    memset(big, 'a', n);
    struct search s = {.text = "(a|b)*c|a$", .in = {big, n}};
    ok(survive(search_once, &s) == STATUS_USAGE || s.is_found, "a long text: %s", said.message);
    struct search line = {.text = "[ab]*$", .in = {big, n}};
    ok(survive(search_often, &line) == STATUS_OK && line.is_found,
       "which may be found by few steps a byte");
    tidy();
}

/* Expressions, and what must be in whatever they are found in. */
static const char *const words[][2] = {
    {"main", "main"},
    {"^main$", "main"},
    {"ab?cde", "cde"},
    {"abc*de", "ab"},
    {"ab+cd", "ab"},
    {"a|bcd", ""},
    {"(abc|d)efg", "efg"},
    {"(?:abc)def", "def"},
    {"(?i)abc", ""},
    {"[abc]defg[^]x]h", "defg"},
    {"\\p{Lu}abc", ""},
    {"a{2,3}bcd", "bcd"},
    {"std::sort\\(int", "std::sort"},
    {"\\dabc\\w", "abc"},
    {"\\Qa\\E", ""},
    {"x[[:alpha:]]yz", "yz"},
    {"x[[:^alpha:]\\]]yz", "yz"},
    {"abc[[:]d|e", ""},
    {"abc[[:]d]|[[:e:]]", ""},
    {"abc[\\Q\\]|d", ""},
    {"(*UCP)abc", ""},
    {"\\x41bc", ""},
    {"", ""},
    {"abc\\", ""},
    {"a(b(c)d)e", "a"},
    {"(?=abc)d", ""},
    {"abc{x", "ab"},
    {"abc{d|e}", ""},
    {"abc{d}efg", "d}efg"},
    {"a{2}b{3,}cde", "cde"},
    {"abc??de", "ab"},
};

static void test_words(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct str word = regex_word(str_of(words[i][0]));
        ok(str_equal(word, str_of(words[i][1])), "%s: \"%.*s\"", words[i][0], STR_ARG(word));
    }
}

int main(void)
{
    test_meaning();
    test_refused();
    test_limits();
    test_words();
    return tap_done();
}

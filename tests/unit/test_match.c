/* Expressions that pick frames. */
#include "profile/match.h"
#include "survive.h"
#include "tap.h"

/* Whether TEXT is found in BYTES. */
static bool finds(const char *text, struct regex_how how, struct str bytes)
{
    struct match m = {0};
    match_open(&m, "focus", text, how);
    bool is_it = match_bytes(&m, bytes);
    match_free(&m);
    return is_it;
}

static void test_text(void)
{
    const struct regex_how plain = {0}, fixed = {.is_fixed = true}, any = {.ignores_case = true},
                           both = {true, true};
    ok(finds("b+c|x$", plain, STR("abbcd")), "an extended expression is found anywhere");
    ok(!finds("^b", plain, STR("ab")), "unless it says where");
    ok(!finds("B", plain, STR("ab")) && finds("B", any, STR("ab")), "-i ignores case");
    ok(finds("\xc3\x84", any, STR("\xc3\xa4")), "of any letter");
    ok(finds("^.$", plain, STR("\xc3\xa4")), "a character has as many bytes as it has");
    ok(finds("a.b(*", fixed, STR("xa.b(*y")) && !finds("a.b", fixed, STR("axb")),
       "-F takes no character for another");
    ok(finds("\\.[]()*+?{}|^$", fixed, STR("\\.[]()*+?{}|^$")), "whatever it is");
    ok(finds("A.B", both, STR("a.b")) && !finds("A.B", both, STR("axb")), "also with -i");
    ok(finds("", plain, STR("")), "nothing is found in nothing");
    ok(finds("a.b", plain, STR("a\0b")) && finds("a\xef\xbf\xbd"
                                                 "b",
                                                 fixed,
                                                 STR("a\xff"
                                                     "b")),
       "a byte that is no text is one character");
}

/* Whether TEXT picks FRAME, of the function "f" in "dir/f.c", mapped from "libf.so". */
static bool picks(const char *text, struct match_frame frame)
{
    struct match m = {0};
    match_open(&m, "focus", text, (struct regex_how){0});
    match_add_mapping(&m, STR("libf.so"));
    match_add_function(&m, STR("f"), STR("dir/f.c"));
    match_add_location(&m, &frame);
    bool is_it = match_has(&m, 1);
    match_free(&m);
    return is_it;
}

static void test_frames(void)
{
    const struct match_frame frame = {1, 1, STR("dir/f.c"), 7};
    const struct match_frame unknown = {0, 1, STR(""), 0}, toplevel = {0, 0, STR("main.R"), 3};
    ok(picks("^f$", frame) && picks("dir/", frame) && picks("lib", frame), "name, file or mapping");
    ok(!picks("7", frame) && !picks("system", frame), "and nothing else");
    ok(picks("name:f", frame) && !picks("name:dir", frame) && !picks("name:lib", frame),
       "the name");
    ok(picks("file:dir", frame) && !picks("file:^f$", frame), "the file");
    ok(picks("mapping:so$", frame) && !picks("mapping:dir", frame), "the mapping");
    ok(picks("line:^dir/f.c:7$", frame) && !picks("line:lib", frame), "the line");
    ok(picks("line:^dir/f.c#7$", frame), "also as R writes it");
    ok(!picks("line:[#:]0", (struct match_frame){1, 1, STR("f.c"), 0}), "which must be known");
    ok(picks("lib", unknown) && !picks("name:", unknown) && !picks("f.c", unknown),
       "what has no function has no name");
    ok(picks("main", toplevel) && picks("file:main", toplevel) && picks("line:#3", toplevel) &&
           !picks("name:main", toplevel),
       "but may have a file");
}

static void open_one(void *with)
{
    struct match m = {0};
    match_open(&m, "focus", with, (struct regex_how){0});
    ok(m.where == MATCH_ANYWHERE && match_bytes(&m, STR("file::open")), "C++ has colons, too");
    match_free(&m);
}

static void test_words(void)
{
    ok(survive(open_one, (char[]){"file::open"}) == STATUS_OK, "such a word is none");
    tidy();
    ok(survive(open_one, (char[]){"name:("}) == STATUS_USAGE, "what is no expression is refused");
    ok(strstr(said.message, "--focus: \"(\" is no regular expression: ") == said.message,
       "by name");
    tidy();
}

static void test_clear(void)
{
    struct match m = {0};
    match_open(&m, "focus", "f", (struct regex_how){0});
    match_add_function(&m, STR("f"), STR(""));
    match_add_location(&m, &(struct match_frame){1, 0, STR(""), 0});
    match_clear(&m);
    match_add_function(&m, STR("g"), STR(""));
    match_add_location(&m, &(struct match_frame){1, 0, STR(""), 0});
    ok(!match_has(&m, 1), "another profile has other functions");
    match_free(&m);
}

/* What BYTES become where TEXT is replaced by REPLACEMENT. */
static struct str replaced(const char *text, struct str bytes, const char *replacement)
{
    static struct buf to;
    struct match m = {0};
    to.n = 0;
    match_open_line(&m, (struct place){"rules", PLACE_LINE, 1}, text, false, NULL);
    if (!match_replace(&m, bytes, str_of(replacement), (struct place){0}, &to))
        buf_add(&to, STR("nothing"));
    match_free(&m);
    return buf_str(&to);
}

#define REPLACED(text, bytes, replacement, expected)                                               \
    str_equal(replaced(text, STR(bytes), replacement), STR(expected))

static void test_replacements(void)
{
    ok(REPLACED("a", "banana", "o", "bonono") && REPLACED("^.", "banana", "", "anana") &&
           REPLACED("a$", "banana", "o", "banano") && REPLACED("x", "banana", "o", "nothing"),
       "all that is found is replaced");
    ok(REPLACED("a*", "baaac", "x", "xbxcx") && REPLACED("x*", "", "y", "y") &&
           REPLACED("", "\xc3\xa4z", "-", "-\xc3\xa4-z-"),
       "nothing is found between characters, and not behind something");
    ok(REPLACED("\\b(\\w)(\\w?)", "abc def g", "\\2\\1", "bac edf g"),
       "parts, and where words begin");
    ok(REPLACED("b+", "abbc", "[&\\&\\\\]", "a[bb&\\]c") && REPLACED("(x)|b", "ab", "<\\1>", "a<>"),
       "all of it, and a part that is not there");
    ok(REPLACED("(b.)(.)",
                "ab\xff\xfe"
                "c",
                "\\2\\1",
                "a\xfe"
                "b\xff"
                "c"),
       "bytes that are no text stay what they are");
    ok(REPLACED("\xef\xbf\xbd",
                "\xef\xbf\xbd"
                "a\xff\0",
                "(&)",
                "(\xef\xbf\xbd)a(\xff)("
                "\0)"),
       "also beside what shows like them");
}

static void test_groups(void)
{
    struct buf to = {0};
    struct match m = {0};
    const struct match_texts texts = {STR("json::parse"), STR("src/parse.c"), STR("libjson.so"), 7};
    match_open_line(&m, (struct place){"rules", PLACE_LINE, 1}, "line:^(.*)/.*:(.)$", true, NULL);
    ok(match_expand(&m, &texts, STR("\\1 \\2"), &to) && str_equal(buf_str(&to), STR("src 7")),
       "a group may be called after a part of a line");
    match_free(&m);
    to.n = 0;
    match_open_line(&m, (struct place){"rules", PLACE_LINE, 1}, "line:#(.)$", true, NULL);
    ok(match_expand(&m, &texts, STR("\\1"), &to) && str_equal(buf_str(&to), STR("7")),
       "also as R writes it");
    match_free(&m);
    to.n = 0;
    match_open_line(&m, (struct place){"rules", PLACE_LINE, 1}, "^([a-z]*)", true, NULL);
    ok(match_expand(&m, &texts, STR("\\1"), &to) && str_equal(buf_str(&to), STR("json")),
       "the name is looked at first");
    match_free(&m);
    match_open_line(&m, (struct place){"rules", PLACE_LINE, 1}, "mapping:parse", true, NULL);
    ok(!match_expand(&m, &texts, STR("\\1"), &to), "and others where a word says so");
    ok(match_wrong(&m, STR("\\1")).n == 2 && match_wrong(&m, STR("x\\")).n == 1 &&
           match_wrong(&m, STR("\\&\\\\")).p == NULL,
       "what means nothing is found");
    match_free(&m);
    buf_free(&to);
}

int main(void)
{
    test_text();
    test_frames();
    test_words();
    test_clear();
    test_replacements();
    test_groups();
    return tap_done();
}

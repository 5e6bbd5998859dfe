/* The rules that come with the tools: each one for itself, and what all of them must leave alone. */
#include "profile/match.h"
#include "profile/rules.h"
#include "tap.h"

/* What RULE makes of TEXT; TEXT itself where it does not match. */
static struct str applied(const struct rules_shipped *rule, struct str text, struct buf *to)
{
    struct match m = {0};
    match_open_line(&m, (struct place){"builds", PLACE_LINE, 1}, rule->expression, false, NULL);
    to->n = 0;
    bool has_matched = match_replace(&m, text, str_of(rule->replacement), (struct place){0}, to);
    match_free(&m);
    return has_matched ? buf_str(to) : text;
}

/* For each rule, in their order: names, and what it makes of them; the last is NULL. */
static const char *const examples[][11] = {
    {"solve.isra.0", "solve", "solve.part.0.constprop.12.cold", "solve", "solve.llvm.1234567890123",
     "solve", "solve.cold.3", "solve"},
    {"solve(int) [clone .isra.0] [clone .cold]", "solve(int)"},
    {"main::{lambda(int, std::pair<int, int>)#12}::operator()(int) const",
     "main::{lambda(int, std::pair<int, int>)}::operator()(int) const",
     "f<a::{lambda()#1}, b::{lambda()#2}>", "f<a::{lambda()}, b::{lambda()}>"},
    {"main::'lambda12'(int)::operator()(int)", "main::'lambda'(int)::operator()(int)"},
    {"main::$_12::operator()(int)", "main::$_::operator()(int)", "f<$_0, $_1>", "f<$_, $_>"},
    {"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place"},
    {"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "_ZN4core3ptr13drop_in_placeE"},
    {"std[f00dfeed0123456]::io::copy::<alloc[0123456789abcdef]::vec::Vec>",
     "std::io::copy::<alloc::vec::Vec>"},
    {"com.x.Main$$Lambda$469/0x0000000800c8b840.run", "com.x.Main$$Lambda.run",
     "com.x.Main$$Lambda$95+0x00007fc81c00b8f0.251210093.run", "com.x.Main$$Lambda.run",
     "com/x/Main$$Lambda$12/1234567.apply", "com/x/Main$$Lambda.apply",
     "com/x/Main$$Lambda.0x00007f0001000a00.accept", "com/x/Main$$Lambda.accept",
     "Main$$Lambda$12.accept", "Main$$Lambda.accept"},
    {"java.lang.invoke.LambdaForm$MH/0x0000000800c8b840.invoke",
     "java.lang.invoke.LambdaForm$MH.invoke",
     "java.lang.invoke.LambdaForm$MH+0x00007fc81c00b8f0.251210093.invoke",
     "java.lang.invoke.LambdaForm$MH.invoke",
     "java.lang.invoke.LambdaForm$DMH012/1234.invokeStatic",
     "java.lang.invoke.LambdaForm$DMH.invokeStatic"},
    {"sun.reflect.GeneratedMethodAccessor123.invoke", "sun.reflect.GeneratedMethodAccessor.invoke",
     "jdk.internal.reflect.GeneratedConstructorAccessor7.newInstance",
     "jdk.internal.reflect.GeneratedConstructorAccessor.newInstance"},
    {"com.sun.proxy.$Proxy12.get", "com.sun.proxy.$Proxy.get"},
    {"jdk.proxy2.$Proxy.get", "jdk.proxy.$Proxy.get"},
    {"a.B$$EnhancerBySpringCGLIB$$4d1a2b3c.f", "a.B$$EnhancerBySpringCGLIB$$.f",
     "a.B$$FastClassByGuice$$12ab.f", "a.B$$FastClassByGuice$$.f"},
    {"com.x.Hidden/0x0000000800c8b840.run", "com.x.Hidden.run",
     "com.x.Hidden+0x00007fc81c00b8f0.251210093.run", "com.x.Hidden.run"},
    {"[libc.so.6]", "[libc.so]", "[libstdc++.so.6.0.30]", "[libstdc++.so]"},
    {"/usr/bin/worker (deleted)", "/usr/bin/worker"},
    {"/lib/libssl.so.1.1", "/lib/libssl.so", "libpython3.11.so.1.0", "libpython3.11.so"},
    {"/lib/libc-2.31.so", "/lib/libc.so"},
    {"/home/user/.debug/jit/x/jitted-4711-12.so", "/home/user/.debug/jit/x/jitted.so"},
    {"/rustc/0123456789abcdef0123456789abcdef01234567/library/core/src/ptr.rs",
     "/rustc/library/core/src/ptr.rs"},
    {"/go/pkg/mod/golang.org/x/text@v0.3.7/cases/map.go",
     "/go/pkg/mod/golang.org/x/text/cases/map.go", "x@v1.2.3-rc.1+incompatible/y.go", "x/y.go"},
    {"/build/glibc-SzIz7B/glibc-2.31/elf/rtld.c", "/build/glibc/glibc-2.31/elf/rtld.c"},
    {"/nix/store/0123456789abcdfghijklmnpqrsvwxyz-glibc-2.38/x.c", "/nix/store/glibc-2.38/x.c"},
    {"/nix/store/0123456789abcdfghijklmnpqrsvwxyz-glibc-2.38/lib/libm.so",
     "/nix/store/glibc-2.38/lib/libm.so"},
    {"/tmp/perf-4711.map", "/tmp/perf.map"},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void test_each(void)
{
    struct buf to = {0};
    size_t i = 0;
    for (; rules_builds[i].expression != NULL && i < EXAMPLES; i++)
        for (const char *const *x = examples[i]; *x != NULL; x += 2) {
            struct str is = applied(&rules_builds[i], str_of(x[0]), &to);
            ok(str_equal(is, str_of(x[1])), "%s: %.*s", x[0], STR_ARG(is));
        }
    ok(i == EXAMPLES && rules_builds[i].expression == NULL, "every rule has examples");
    buf_free(&to);
}

/* Names that mean something. */
static void test_others(void)
{
    static const char *const names[] = {
        "main.main.func1",
        "main.(*T).f.func2.1",
        "extract.part",
        "is.part.of",
        "data.part.table",
        "as.cold.start",
        "x.isra",
        "lambda$main$0",
        "f.clone",
        "h0123456789abcdef",
        "v0123[1]",
        "a[12]",
        "operator()",
        "<GC>",
        "[.data.frame",
        "[[<-",
        "Proxy12",
        "libc.so.6",
        "[unknown]",
        "$",
        "$x_1",
        "0x00007f0001000a00",
        "std::vector<int>::at",
        "_Z5solvei",
        "f@plt",
    };
    static const char *const files[] = {
        "/build/src/main.c",  "me@verse/x.c", "a@v1/x.go",      "/rustc/main.rs", "lib.so",
        "/lib/libcrypt-1.so", "a.so.x",       "/tmp/perf-x.map"};
    struct buf to = {0};
    for (const struct rules_shipped *rule = rules_builds; rule->expression != NULL; rule++) {
        const char *const *texts = rule->kind == RULES_NAME ? names : files;
        size_t count =
            rule->kind == RULES_NAME ? sizeof names / sizeof *names : sizeof files / sizeof *files;
        for (size_t i = 0; i < count; i++)
            if (!str_equal(applied(rule, str_of(texts[i]), &to), str_of(texts[i])))
                ok(false, "%s changes %s", rule->expression, texts[i]);
    }
    ok(true, "all else stays");
    buf_free(&to);
}

int main(void)
{
    test_each();
    test_others();
    return tap_done();
}

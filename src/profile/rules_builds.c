/* What changes from build to build, and from run to run, of names that stand for the same. */
#include "base/own.h"
#include "profile/rules.h"

/* What compilers put behind the name of a part or a variant of a function. */
#define CLONE                                                                                      \
    "\\.((isra|part|constprop|clone|lto_priv|ipa_cp|llvm)\\.[0-9]+|(cold|localalias)(\\.[0-9]+)?)"

/* Each with a name that it is for in tests/cases/proffilter/rules-builds. */
const struct rules_shipped rules_builds[] = {
    /* gcc and clang: solve.isra.0.cold, solve(int) [clone .part.2] */
    {RULES_NAME, "(" CLONE ")+$", ""},
    {RULES_NAME, " \\[clone (" CLONE ")+\\]", ""},

    /* lambdas, which are numbered: those of gcc and of clang */
    {RULES_NAME, "\\{lambda(\\([^{}]*\\))#[0-9]+\\}", "{lambda\\1}"},
    {RULES_NAME, "'lambda[0-9]+'", "'lambda'"},
    {RULES_NAME, "\\$_[0-9]+", "$_"},

    /* Rust: a hash of all that a function depends on, in its name and in its mangled name; and one of the crate */
    {RULES_NAME, "::h[0-9a-f]{16}$", ""},
    {RULES_NAME, "17h[0-9a-f]{16}E$", "E"},
    {RULES_NAME, "([A-Za-z0-9_])\\[[0-9a-f]{12,16}\\]", "\\1"},

    /* Java: classes that are made while a program runs */
    {RULES_NAME, "\\$\\$Lambda(\\$[0-9]+)?([/.+]0x[0-9a-f]+|/[0-9]+)?", "$$Lambda"},
    {RULES_NAME, "(LambdaForm\\$[A-Za-z]+)[0-9]*([/.]0x[0-9a-f]+|[/.][0-9]+)?", "\\1"},
    {RULES_NAME, "(Generated(Method|Constructor|SerializationConstructor)Accessor)[0-9]+", "\\1"},
    {RULES_NAME, "\\$Proxy[0-9]+", "$Proxy"},
    {RULES_NAME, "(jdk[./]proxy)[0-9]+", "\\1"},
    {RULES_NAME, "(By(Spring)?CGLIB\\$\\$|ByGuice\\$\\$)[0-9a-f]+", "\\1"},
    {RULES_NAME, "[/.]0x[0-9a-f]{8,16}", ""},

    /* versions of libraries, as files and where their name stands for a function that is not known */
    {RULES_NAME, "^\\[(.*\\.so)(\\.[0-9]+)+\\]$", "[\\1]"},
    {RULES_MAPPING, " \\(deleted\\)$", ""},
    {RULES_MAPPING, "\\.so(\\.[0-9]+)+$", ".so"},
    {RULES_MAPPING, "-[0-9]+(\\.[0-9]+)+\\.so$", ".so"},

    /* code that a program has made: the number of the process */
    {RULES_MAPPING, "/jitted-[0-9]+-[0-9]+\\.so$", "/jitted.so"},

    /* where it was built: Rust's own sources, modules of Go, packages of Debian and of Nix */
    {RULES_FILE, "^/rustc/[0-9a-f]{40}/", "/rustc/"},
    {RULES_FILE, "@v[0-9]+\\.[0-9]+\\.[0-9][^/]*/", "/"},
    {RULES_FILE, "^/build/([^/]+)-[A-Za-z0-9]{6}/", "/build/\\1/"},
    {RULES_FILE, "/nix/store/[0-9a-z]{32}-", "/nix/store/"},
    {RULES_MAPPING, "/nix/store/[0-9a-z]{32}-", "/nix/store/"},

/* what formats know */
#define RULE(part, expression, replacement) {RULES_##part, expression, replacement},
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, RULE)
#undef RULE
        {0, NULL, NULL},
};

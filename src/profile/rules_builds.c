/* The parts of names that change from build to build, or from run to run, while the name means
 * the same. */
#include "base/own.h"
#include "profile/rules.h"

/* The suffixes that compilers add for a part or a variant of a function. */
#define CLONE                                                                                      \
    "\\.((isra|part|constprop|clone|lto_priv|ipa_cp|llvm)\\.[0-9]+|(cold|localalias)(\\.[0-9]+)?)"

/* Each has an example in tests/cases/proffilter/rules-builds. */
const struct rules_shipped rules_builds[] = {
    /* gcc and clang: solve.isra.0.cold, solve(int) [clone .part.2] */
    {RULES_NAME, "(" CLONE ")+$", ""},
    {RULES_NAME, " \\[clone (" CLONE ")+\\]", ""},

    /* numbered lambdas of gcc and of clang */
    {RULES_NAME, "\\{lambda(\\([^{}]*\\))#[0-9]+\\}", "{lambda\\1}"},
    {RULES_NAME, "'lambda[0-9]+'", "'lambda'"},
    {RULES_NAME, "\\$_[0-9]+", "$_"},

    /* Rust: a hash of everything that a function depends on, in its name and its mangled name;
     * and one of the crate */
    {RULES_NAME, "::h[0-9a-f]{16}$", ""},
    {RULES_NAME, "17h[0-9a-f]{16}E$", "E"},
    {RULES_NAME, "([A-Za-z0-9_])\\[[0-9a-f]{12,16}\\]", "\\1"},

    /* Java: classes made at run time */
    {RULES_NAME, "\\$\\$Lambda(\\$[0-9]+)?([/.+]0x[0-9a-f]+([/.][0-9]+)?|/[0-9]+)?", "$$Lambda"},
    {RULES_NAME, "(LambdaForm\\$[A-Za-z]+)[0-9]*([/.+]0x[0-9a-f]+([/.][0-9]+)?|[/.][0-9]+)?",
     "\\1"},
    {RULES_NAME, "(Generated(Method|Constructor|SerializationConstructor)Accessor)[0-9]+", "\\1"},
    {RULES_NAME, "\\$Proxy[0-9]+", "$Proxy"},
    {RULES_NAME, "(jdk[./]proxy)[0-9]+", "\\1"},
    {RULES_NAME, "(By(Spring)?CGLIB\\$\\$|ByGuice\\$\\$)[0-9a-f]+", "\\1"},
    {RULES_NAME, "[/.+]0x[0-9a-f]{8,16}([/.][0-9]+)?", ""},

    /* versions of libraries, in file names and where these stand for an unknown function */
    {RULES_NAME, "^\\[(.*\\.so)(\\.[0-9]+)+\\]$", "[\\1]"},
    {RULES_MAPPING, " \\(deleted\\)$", ""},
    {RULES_MAPPING, "\\.so(\\.[0-9]+)+$", ".so"},
    {RULES_MAPPING, "-[0-9]+(\\.[0-9]+)+\\.so$", ".so"},

    /* generated code: the number of the process */
    {RULES_MAPPING, "/jitted-[0-9]+-[0-9]+\\.so$", "/jitted.so"},

    /* where it was built: Rust's own sources, modules of Go, packages of Debian and of Nix */
    {RULES_FILE, "^/rustc/[0-9a-f]{40}/", "/rustc/"},
    {RULES_FILE, "@v[0-9]+\\.[0-9]+\\.[0-9][^/]*/", "/"},
    {RULES_FILE, "^/build/([^/]+)-[A-Za-z0-9]{6}/", "/build/\\1/"},
    {RULES_FILE, "/nix/store/[0-9a-z]{32}-", "/nix/store/"},
    {RULES_MAPPING, "/nix/store/[0-9a-z]{32}-", "/nix/store/"},

/* from the formats */
#define RULE(part, expression, replacement) {RULES_##part, expression, replacement},
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, RULE)
#undef RULE
        {0, NULL, NULL},
};

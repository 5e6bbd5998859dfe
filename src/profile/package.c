#include "profile/package.h"

#include "base/port.h"
#include "rows/text.h"

#include <stdint.h>

/* NATIVE: names are separated by "::", as in C++, Rust and R; or there are no packages, as in C. */
enum language { UNKNOWN, GO, JAVA, PYTHON, JAVASCRIPT, NATIVE };

static const struct {
    struct str suffix;
    enum language language;
} suffixes[] = {
    {STR(".go"), GO},          {STR(".s"), GO},           {STR(".java"), JAVA},
    {STR(".kt"), JAVA},        {STR(".scala"), JAVA},     {STR(".groovy"), JAVA},
    {STR(".clj"), JAVA},       {STR(".py"), PYTHON},      {STR(".pyx"), PYTHON},
    {STR(".js"), JAVASCRIPT},  {STR(".mjs"), JAVASCRIPT}, {STR(".cjs"), JAVASCRIPT},
    {STR(".jsx"), JAVASCRIPT}, {STR(".ts"), JAVASCRIPT},  {STR(".mts"), JAVASCRIPT},
    {STR(".cts"), JAVASCRIPT}, {STR(".tsx"), JAVASCRIPT}, {STR(".c"), NATIVE},
    {STR(".h"), NATIVE},       {STR(".cc"), NATIVE},      {STR(".hh"), NATIVE},
    {STR(".cpp"), NATIVE},     {STR(".hpp"), NATIVE},     {STR(".cxx"), NATIVE},
    {STR(".rs"), NATIVE},      {STR(".R"), NATIVE},       {STR(".r"), NATIVE},
};

/* --- strings --- */

static struct str skip(struct str s, size_t n)
{
    return (struct str){s.p + n, s.n - n};
}

/* The place of the first byte of S that is one of SET; s.n if there is none. */
static size_t find_any(struct str s, const char *set)
{
    size_t i = 0;
    while (i < s.n && (s.p[i] == '\0' || strchr(set, s.p[i]) == NULL))
        i++;
    return i;
}

/* The place of the first TEXT in S; s.n if there is none. */
static size_t find(struct str s, struct str text)
{
    const char *at = s.n == 0 ? NULL : port_memmem(s.p, s.n, text.p, text.n);
    return at == NULL ? s.n : (size_t)(at - s.p);
}

static bool has(struct str s, struct str text)
{
    return find(s, text) < s.n;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Whether C may begin a name: a letter, an underscore, or a byte beyond ASCII. */
static bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Appends S to TO; false if S is empty. */
static bool add(struct buf *to, struct str s)
{
    buf_add(to, s);
    return s.n > 0;
}

/* The same with all bytes FROM changed to AS. */
static bool add_changed(struct buf *to, struct str s, char from, char as)
{
    size_t begin = to->n;
    buf_add(to, s);
    for (size_t i = begin; i < to->n; i++)
        to->p[i] = to->p[i] == from ? as : to->p[i];
    return s.n > 0;
}

/* --- paths --- */

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* Removes the first part of the path *REST, with the slashes around it, and returns it; empty at
 * the end. */
static struct str take_part(struct str *rest)
{
    while (rest->n > 0 && is_slash(*rest->p))
        *rest = skip(*rest, 1);
    struct str part = str_first(*rest, find_any(*rest, "/\\"));
    *rest = skip(*rest, part.n);
    while (rest->n > 0 && is_slash(*rest->p))
        *rest = skip(*rest, 1);
    return part;
}

/* What follows the last part of PATH that is a ROOT; p is NULL if none is. */
static struct str after_root(struct str path, bool (*is_root)(struct str part))
{
    struct str found = {NULL, 0};
    for (struct str rest = path, part; (part = take_part(&rest)).n > 0;)
        if (rest.n > 0 && is_root(part))
            found = rest;
    return found;
}

/* The name of a file without its suffix. */
static struct str stem(struct str name)
{
    size_t n = name.n;
    while (n > 0 && name.p[n - 1] != '.')
        n--;
    return n > 1 ? str_first(name, n - 1) : name;
}

/* The module in the file PATH: the file without its suffix.  A file that stands for its folder is
 * called by that. */
static struct str module_of(struct str path)
{
    struct str last = {0}, folder = {0}, part;
    while ((part = take_part(&path)).n > 0) {
        folder = last;
        last = part;
    }
    struct str module = stem(last);
    bool is_entry = str_equal(module, STR("__init__")) || str_equal(module, STR("__main__")) ||
                    str_equal(module, STR("index"));
    return is_entry && folder.n > 0 ? folder : module;
}

/* --- Python --- */

/* site-packages and dist-packages; python3 and python3.11, with the standard library. */
static bool is_python_root(struct str part)
{
    return str_equal(part, STR("site-packages")) || str_equal(part, STR("dist-packages")) ||
           (str_take(&part, STR("python")) && part.n > 0 && str_is_digit(*part.p) &&
            !str_ends(part, STR(".zip")));
}

/* Whether PATH does not depend on a current folder. */
static bool is_absolute(struct str path)
{
    return (path.n > 0 && is_slash(*path.p)) || (path.n > 1 && path.p[1] == ':');
}

static bool add_python(struct buf *to, struct str file)
{
    struct str path = file, part;
    if (str_take(&path, STR("<frozen "))) /* a module inside the interpreter */
        return add(to, str_first(path, find_any(path, ".>")));
    path = after_root(file, is_python_root);
    if (path.p == NULL && is_absolute(file))
        return add(to, module_of(file));
    path = path.p == NULL ? file : path;
    do
        part = take_part(&path);
    while (path.n > 0 && (str_equal(part, STR(".")) || str_equal(part, STR("..")) ||
                          str_equal(part, STR("lib-dynload")) || str_ends(part, STR(".egg"))));
    return add(to, path.n > 0 ? part : stem(part));
}

/* --- JavaScript --- */

static bool is_node_root(struct str part)
{
    return str_equal(part, STR("node_modules"));
}

static bool add_javascript(struct buf *to, struct str file)
{
    if (str_starts(file, STR("node:")))
        return add(to, STR("node:"));
    file = str_first(file, find_any(file, "?"));
    struct str path = after_root(file, is_node_root);
    if (path.p == NULL)
        return add(to, module_of(file));
    const char *begin = path.p;
    struct str part = take_part(&path);
    if (part.n > 0 && *part.p == '@' && path.n > 0) /* @scope/package */
        part = take_part(&path);
    return add_changed(to, (struct str){begin, (size_t)(part.p + part.n - begin)}, '\\', '/');
}

/* --- Go --- */

/* The part of NAME before generic arguments, receiver and signature, without a return type. */
static struct str head_of(struct str name)
{
    struct str head = str_first(name, find_any(name, "([<{"));
    while (head.n > 0 && find_any(head, " ") < head.n)
        head = skip(head, find_any(head, " ") + 1);
    return head;
}

/* The number of bytes of S up to and with its last slash. */
static size_t folder_size(struct str s)
{
    size_t n = s.n;
    while (n > 0 && s.p[n - 1] != '/')
        n--;
    return n;
}

/* Appends the import path TEXT, where the linker writes %2e for a dot. */
static bool add_import_path(struct buf *to, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned high = 16, low = 16;
        if (text.p[i] == '%' && i + 2 < text.n) {
            high = text_hex_value(text.p[i + 1]);
            low = text_hex_value(text.p[i + 2]);
        }
        bool is_escape = high < 16 && low < 16;
        char c = is_escape ? (char)(high << 4 | low) : text.p[i];
        buf_add(to, (struct str){&c, 1});
        i += is_escape ? 2 : 0;
    }
    return text.n > 0;
}

/* Appends the folder of FILE in Go's own sources: functions in assembly have no package in their
 * names. */
static bool add_go_folder(struct buf *to, struct str file)
{
    if (!is_absolute(file)) /* as -trimpath has it */
        return add(to, str_first(file, folder_size(file) - (folder_size(file) > 0)));
    for (struct str rest = file, part; (part = take_part(&rest)).n > 0;)
        if (str_starts(part, STR("go")) && str_take(&rest, STR("src/")) && folder_size(rest) > 0)
            return add(to, str_first(rest, folder_size(rest) - 1));
    return false;
}

static bool add_go(struct buf *to, struct str name, struct str file)
{
    static const struct str made[] = {STR("type:.eq."), STR("type:.hash."), STR("type..eq."),
                                      STR("type..hash.")};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        str_take(&name, made[i]);
    struct str head = head_of(name);
    size_t folder = folder_size(head);
    size_t dot = folder + find_any(skip(head, folder), ".");
    if (dot > folder && dot < head.n)
        return add_import_path(to, str_first(head, dot));
    return str_ends(file, STR(".s")) && add_go_folder(to, file);
}

/* --- Java --- */

/* The size of the parts of NAME, which are separated by DOT, before the first with a capital; that
 * is the class.  Stores in *COUNT how many they are; 0 if no part is a class. */
static size_t before_class(struct str name, char dot, size_t *count)
{
    *count = 0;
    for (size_t i = 0, parts = 0, begin = 0; i <= name.n; i++) {
        if (i < name.n && name.p[i] != dot)
            continue;
        if (begin < i && is_upper(name.p[begin])) {
            *count = parts;
            return parts == 0 ? 0 : begin - 1;
        }
        begin = i + 1;
        parts++;
    }
    return 0;
}

/* The class and method in NAME: without what is made at run time, as in `$$Lambda$14/0x08`, and
 * without a module, as in `java.base/`. */
static struct str java_head(struct str name)
{
    struct str head = head_of(name);
    head = str_first(head, find_any(head, "$;"));
    head = str_first(head, find(head, STR("/0x")));
    size_t slash = find_any(head, "/");
    if ((str_starts(head, STR("java.")) || str_starts(head, STR("jdk."))) && slash < head.n)
        head = skip(head, slash + 1);
    return head;
}

/* IS_SURE: the file shows that this is Java. */
static bool add_java(struct buf *to, struct str name, bool is_sure)
{
    struct str head = java_head(name);
    size_t count, folder = folder_size(head);
    if (folder > 1) {
        bool is_descriptor = *head.p == 'L' && has(name, STR(";"));
        return add_changed(to, skip(str_first(head, folder - 1), is_descriptor), '/', '.');
    }
    size_t size = before_class(head, '.', &count);
    if (count == 0 && is_sure && head.n > 0 && !is_upper(*head.p))
        for (int parts = 0; parts < 2; parts++) { /* a class without a capital, and a method */
            size = head.n;
            while (size > 0 && head.p[size - 1] != '.')
                size--;
            head = str_first(head, size == 0 ? 0 : size - 1);
            size = head.n;
        }
    return add(to, str_first(head, size));
}

/* --- C++, Rust and R --- */

/* The size of an anonymous namespace at the start of S, with "::"; 0: there is none. */
static size_t anonymous_size(struct str s)
{
    static const struct str names[] = {STR("(anonymous namespace)::"), STR("{anonymous}::"),
                                       STR("_GLOBAL__N_1::"), STR("::")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(s, names[i]))
            return names[i].n;
    return 0;
}

/* How much deeper the byte I of S is nested than what follows: 1, -1, or 0. */
static int nesting(struct str s, size_t i)
{
    char c = s.p[i];
    bool is_arrow = c == '>' && i > 0 && (s.p[i - 1] == '-' || s.p[i - 1] == '=');
    return c != '\0' && strchr("<([{", c) != NULL                ? 1
           : c != '\0' && strchr(">)]}", c) != NULL && !is_arrow ? -1
                                                                 : 0;
}

/* Whether an argument list, or an operator, which is written in brackets, begins at I of NAME. */
static bool ends_name(struct str name, size_t i)
{
    struct str rest = skip(name, i);
    if (*rest.p == '(')
        return anonymous_size(rest) == 0 && !str_ends(str_first(name, i), STR("decltype"));
    if (str_starts(rest, STR(" [")))
        return true;
    bool is_word = i == 0 || (!is_letter(name.p[i - 1]) && !str_is_digit(name.p[i - 1]));
    return is_word && str_take(&rest, STR("operator")) &&
           (rest.n == 0 || (!is_letter(*rest.p) && !str_is_digit(*rest.p)));
}

/* NAME from the function on, without the type that it returns and its arguments. */
static struct str qualified_name(struct str name)
{
    size_t begin = 0, end = 0;
    int depth = 0;
    for (; end < name.n; end++) {
        if (depth == 0 && ends_name(name, end))
            break;
        int change = nesting(name, end);
        depth += change > 0 || depth > 0 ? change : 0;
        struct str rest = skip(name, end + 1);
        if (depth == 0 && name.p[end] == ' ' &&
            (rest.n == 0 || *rest.p != '(' || anonymous_size(rest) > 0))
            begin = end + 1;
    }
    while (begin < end && (name.p[begin] == '*' || name.p[begin] == '&'))
        begin++;
    return (struct str){name.p + begin, end - begin};
}

/* The place in S of TEXT outside of brackets; s.n if there is none. */
static size_t find_outside(struct str s, struct str text)
{
    int depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (depth == 0 && str_starts(skip(s, i), text))
            return i;
        int change = nesting(s, i);
        depth += change > 0 || depth > 0 ? change : 0;
    }
    return s.n;
}

/* The type TEXT of Rust, without references, pointers, slices, tuples and lifetimes around it. */
static struct str bare_type(struct str text)
{
    static const struct str words[] = {STR("mut "), STR("const "), STR("dyn "), STR(" ")};
    for (size_t before = SIZE_MAX; text.n < before;) {
        before = text.n;
        while (text.n > 0 && strchr("&*[(", *text.p) != NULL && *text.p != '\0')
            text = skip(text, 1);
        if (text.n > 0 && *text.p == '\'' && find_any(text, " ") < text.n)
            text = skip(text, find_any(text, " "));
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            str_take(&text, words[i]);
    }
    return text;
}

/* The first part of NAME, before "::"; empty if that is no name. */
static struct str first_part(struct str name)
{
    for (size_t n; (n = anonymous_size(name)) > 0;)
        name = skip(name, n);
    size_t end = find_outside(name, STR("::"));
    if (end == name.n || end == 0 || !is_letter(*name.p))
        return STR("");
    return str_first(name, find_any(str_first(name, end), "<[("));
}

/* The first part of NAME.  Of `<TYPE as TRAIT>::f` in Rust it is that of TYPE, or of TRAIT if TYPE
 * has none, such as u8. */
static struct str top_namespace(struct str name)
{
    enum { DEPTH = 8 };
    struct str trait = STR("");
    for (int depth = 0; depth < DEPTH; depth++) {
        struct str inside = name;
        str_take(&inside, STR("_"));
        if (!str_take(&inside, STR("<")))
            break;
        inside = str_first(inside, find_outside(inside, STR(">")));
        size_t as = find_outside(inside, STR(" as "));
        if (as < inside.n && trait.n == 0)
            trait = skip(inside, as + 4);
        name = bare_type(str_first(inside, as));
    }
    struct str found = first_part(name);
    return found.n > 0 ? found : first_part(trait);
}

static bool add_native(struct buf *to, struct str name)
{
    size_t count;
    struct str found = top_namespace(qualified_name(name));
    bool is_java = str_ends(found, STR(";")) || (before_class(found, '.', &count) > 0 && count > 1);
    return is_java ? add_java(to, found, true) : add(to, found);
}

/* --- which language it is --- */

/* The language of FILE. */
static enum language language_of_file(struct str file)
{
    if (str_starts(file, STR("node:")) || after_root(file, is_node_root).p != NULL)
        return JAVASCRIPT;
    if (str_starts(file, STR("<frozen ")))
        return PYTHON;
    file = str_first(file, find_any(file, "?"));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (str_ends(file, suffixes[i].suffix))
            return suffixes[i].language;
    return UNKNOWN;
}

/* Whether NAME ends in what compilers append to parts and variants of a function of C. */
static bool is_clone(struct str name)
{
    static const struct str marks[] = {STR(".isra."),  STR(".part."),      STR(".constprop."),
                                       STR(".cold"),   STR(".lto_priv."),  STR(".llvm."),
                                       STR(".clone."), STR(".localalias"), STR(".ipa_cp.")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (has(name, marks[i]))
            return true;
    return false;
}

/* Whether NAME has the TEXT, then a digit. */
static bool has_numbered(struct str name, struct str text)
{
    while (has(name, text)) {
        name = skip(name, find(name, text) + text.n);
        if (name.n > 0 && str_is_digit(*name.p))
            return true;
    }
    return false;
}

/* Whether HEAD is of a package in Go's own library whose name is nobody else's: R has sort.default,
 * too. */
static bool is_go_package(struct str head)
{
    static const struct str names[] = {
        STR("bufio."),   STR("bytes."),   STR("context."), STR("errors."),  STR("fmt."),
        STR("io."),      STR("main."),    STR("net."),     STR("os."),      STR("reflect."),
        STR("regexp."),  STR("runtime."), STR("strconv."), STR("strings."), STR("sync."),
        STR("syscall."), STR("testing."), STR("unicode.")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(head, names[i]))
            return true;
    return false;
}

/* The language of NAME, whose part HEAD has slashes: Java if the class has a capital and no import
 * path is before it, which begins with a host. */
static enum language language_of_path(struct str name, struct str head)
{
    struct str last = skip(head, folder_size(head)), host = str_first(head, find_any(head, "/"));
    bool is_module = str_starts(name, STR("java.")) || str_starts(name, STR("jdk."));
    if (host.n == 0 || last.n == 0 || !has(name, STR(".")))
        return UNKNOWN;
    if (is_module || (is_upper(*last.p) && !has(host, STR("."))))
        return JAVA;
    return has(last, STR(".")) ? GO : UNKNOWN;
}

/* The language of a name with dots.  In R a dot means nothing, and C has it in clones only. */
static enum language language_of_dots(struct str name, bool is_mapped)
{
    struct str head = head_of(name), class = java_head(name);
    size_t count, size = before_class(class, '.', &count);
    bool is_method = size > 0 && find_any(skip(class, size + 1), ".") < class.n - size - 1;
    bool is_go = has(name, STR(".(*")) || has_numbered(name, STR(".func")) ||
                 has_numbered(name, STR(".gowrap")) || is_go_package(head);
    if (is_go)
        return GO;
    if (count > 1 && (is_method || class.n < head.n))
        return JAVA;
    if (!is_mapped || find_any(head, ".") == head.n || is_clone(head) || !is_letter(*head.p))
        return UNKNOWN;
    return GO;
}

static enum language language_of_name(const struct package_frame *frame)
{
    struct str name = frame->name, head;
    if (name.n == 0 || has(name, STR("::")))
        return NATIVE;
    if (!is_letter(*name.p))
        return UNKNOWN;
    head = java_head(name);
    return find_any(head, "/") < head.n ? language_of_path(name, head)
                                        : language_of_dots(name, frame->is_mapped);
}

/* Moves the file from names like `py::work:/app/work.py` and `LazyCompile:*work /app/work.js:7:1`
 * to where it belongs: that is how Python and Node call functions that they make at run time. */
static void split_name(struct package_frame *f)
{
    static const struct str marks[] = {STR("JS:"), STR("LazyCompile:"), STR("Function:"),
                                       STR("Script:"), STR("Eval:")};
    struct str rest = f->name;
    if (str_take(&rest, STR("py::"))) {
        f->file = skip(rest, find_any(rest, ":"));
        str_take(&f->file, STR(":"));
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        rest = f->name;
        if (!str_take(&rest, marks[i]) || find_any(rest, " ") == rest.n)
            continue;
        rest = skip(rest, find_any(rest, " ") + 1);
        while (rest.n > 0 && (str_is_digit(rest.p[rest.n - 1]) || rest.p[rest.n - 1] == ':'))
            rest.n--;
        f->file = rest;
    }
}

bool package_add(struct buf *to, const struct package_frame *frame)
{
    struct package_frame f = *frame;
    split_name(&f);
    enum language language = language_of_file(f.file);
    bool is_stand_in = f.name.n > 2 && *f.name.p == '[' && f.name.p[f.name.n - 1] == ']';
    if (language == UNKNOWN && is_stand_in && !str_equal(f.name, STR("[unknown]")))
        return add(to, f.name); /* a mapping, in formats that have none */
    bool is_sure = language == JAVA;
    switch (language == UNKNOWN ? language_of_name(&f) : language) {
    case GO: return add_go(to, f.name, f.file);
    case JAVA: return add_java(to, f.name, is_sure);
    case PYTHON: return add_python(to, f.file);
    case JAVASCRIPT: return add_javascript(to, f.file);
    case NATIVE: return add_native(to, f.name);
    default: return false;
    }
}

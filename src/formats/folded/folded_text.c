#include "formats/folded/folded_text.h"

#include "base/port.h"

static const struct {
    struct str mark, file;
} kinds[FOLDED_KIND_COUNT] = {
    [FOLDED_PLAIN] = {STR(""), STR("")},
    [FOLDED_KERNEL] = {STR("_[k]"), STR("[kernel.kallsyms]")},
    [FOLDED_JIT] = {STR("_[j]"), STR("[jit]")},
    [FOLDED_INLINED] = {STR("_[i]"), STR("")},
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* --- kinds --- */

struct str folded_mark(enum folded_kind kind)
{
    return kinds[kind].mark;
}

struct str folded_mapped_file(enum folded_kind kind)
{
    return kinds[kind].file;
}

/* Whether the file holds code compiled at run time. perf names such files /tmp/perf-PID.map, or
 * jitted-PID-N.so after `perf inject --jit`. */
static bool is_jit(struct str name)
{
    const char *slash = name.n == 0 ? NULL : port_memrchr(name.p, '/', name.n);
    struct str base = name;
    if (slash != NULL)
        base = (struct str){slash + 1, (size_t)(name.p + name.n - slash) - 1};
    return str_equal(name, kinds[FOLDED_JIT].file) ||
           (str_starts(base, STR("perf-")) && str_ends(base, STR(".map"))) ||
           (str_starts(base, STR("jitted-")) && str_ends(base, STR(".so")));
}

/* Whether the file belongs to the kernel: its image, as perf names it, or a module. */
static bool is_kernel(struct str name)
{
    return str_starts(name, STR("[kernel.")) || str_starts(name, STR("[guest.kernel.")) ||
           str_equal(name, STR("vmlinux")) || str_ends(name, STR("/vmlinux")) ||
           str_ends(name, STR(".ko"));
}

enum folded_kind folded_kind_of_file(struct str name)
{
    return is_kernel(name) ? FOLDED_KERNEL : is_jit(name) ? FOLDED_JIT : FOLDED_PLAIN;
}

enum folded_kind folded_split(struct str text, struct str *name)
{
    *name = text;
    for (int kind = FOLDED_KERNEL; kind < FOLDED_KIND_COUNT; kind++) {
        struct str mark = kinds[kind].mark;
        if (text.n > mark.n && str_ends(text, mark)) {
            name->n -= mark.n;
            return (enum folded_kind)kind;
        }
    }
    return FOLDED_PLAIN;
}

/* --- lines --- */

struct str folded_trim(struct str line)
{
    while (line.n > 0 && (is_blank(line.p[line.n - 1]) || line.p[line.n - 1] == '\r'))
        line.n--;
    return line;
}

bool folded_is_comment(struct str line)
{
    return line.n == 0 || *line.p == '#';
}

bool folded_take_count(struct str *line, struct str *count)
{
    const char *start = line->p, *end = start + line->n, *p = end;
    while (p > start && str_is_digit(p[-1]))
        p--;
    if (p > start && p[-1] == '.') { /* the digits so far are a fraction, perhaps an empty one */
        const char *point = --p;
        while (p > start && str_is_digit(p[-1]))
            p--;
        if (p == point)
            return false;
    }
    if (p == end || p == start || !is_blank(p[-1]))
        return false;
    *count = (struct str){p, (size_t)(end - p)};
    line->n = (size_t)(p - start) - 1;
    return true;
}

bool folded_is_whole(struct str count)
{
    return memchr(count.p, '.', count.n) == NULL;
}

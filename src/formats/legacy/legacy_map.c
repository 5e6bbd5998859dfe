/* The map of memory at the end of a file: lines of /proc/PID/maps, or shorter ones, and what else pprof
 * accepts there. */
#include "base/mem.h"
#include "formats/legacy/legacy.h"
#include "stream/growth.h"

bool legacy_is_map(struct str line)
{
    return str_starts(line, STR("--- Memory map: ---")) ||
           str_starts(line, STR("MAPPED_LIBRARIES:"));
}

/* Far more than there are: each is looked for at each $. */
enum { VARIABLES = 50 };

/* NAME=VALUE: later lines may say $NAME. */
struct variable {
    struct str name, value;
};

struct map_reader {
    struct legacy *l;
    struct variable *variables;
    size_t count, capacity;
    struct buf line; /* with the values of variables */
};

/* Takes what glog writes in front of a message: "I1122 10:00:00 1 file.cc:42] ". */
static void skip_log_prefix(struct str *line)
{
    for (size_t i = 1; i + 1 < line->n; i++) {
        if (line->p[i] == '[')
            return;
        if (line->p[i] != ']')
            continue;
        if (line->p[i + 1] == ' ' && str_is_digit(line->p[i - 1])) {
            line->p += i + 2;
            line->n -= i + 2;
        }
        return;
    }
}

/* The variable that TEXT begins with, as $NAME; NULL: none. */
static const struct variable *find_variable(const struct map_reader *r, struct str text)
{
    if (!str_take(&text, STR("$")))
        return NULL;
    for (size_t i = 0; i < r->count; i++)
        if (str_starts(text, r->variables[i].name))
            return &r->variables[i];
    return NULL;
}

/* LINE with the values of variables. */
static struct str expand(struct map_reader *r, struct str line)
{
    const char *dollar = r->count == 0 ? NULL : memchr(line.p, '$', line.n);
    if (dollar == NULL)
        return line;
    r->line.n = 0;
    while (line.n > 0) {
        const struct variable *v = find_variable(r, line);
        const size_t taken = v != NULL ? v->name.n + 1 : 1;
        buf_add(&r->line, v != NULL ? v->value : (struct str){line.p, 1});
        if (r->line.n > LIMITS_LINE)
            die_at(r->l->where, "the line has more than %zu bytes with the values of its names",
                   LIMITS_LINE);
        line.p += taken;
        line.n -= taken;
    }
    growth_hold(r->l->sink->flow, r->line.n); /* work, though it is not kept */
    return buf_str(&r->line);
}

/* A copy of S, which may have grown from a few bytes. */
static struct str keep(struct legacy *l, struct str s)
{
    growth_hold(l->sink->flow, s.n);
    return arena_copy(&l->arena, str_trim(s));
}

static void read_variable(struct map_reader *r, struct str line)
{
    const char *equal = line.n == 0 ? NULL : memchr(line.p, '=', line.n);
    if (equal == NULL)
        return;
    const struct str name = str_trim((struct str){line.p, (size_t)(equal - line.p)});
    const struct str value = {equal + 1, line.n - (size_t)(equal - line.p) - 1};
    if (name.n == 0)
        return;
    if (r->count == VARIABLES)
        die_at(r->l->where, "more than %d names for parts of paths", VARIABLES);
    r->variables = mem_array(r->variables, &r->capacity, ++r->count, sizeof *r->variables);
    r->variables[r->count - 1] = (struct variable){keep(r->l, name), keep(r->l, value)};
}

/* Whether WORD says which access is allowed: r-xp. */
static bool is_access(struct str word)
{
    size_t i = 0;
    while (i < word.n && memchr("-rwxps", word.p[i], 6) != NULL)
        i++;
    return word.n > 0 && i == word.n;
}

/* What follows the access in a line of /proc/PID/maps: offset, device, inode and file.  False: they are
 * others. */
static bool take_usual(struct str rest, struct legacy_map *map)
{
    uint64_t offset, major, minor;
    int64_t inode;
    if (!legacy_take_address(&rest, &offset) || !legacy_take_address(&rest, &major) ||
        !str_take(&rest, STR(":")) || !legacy_take_address(&rest, &minor) ||
        !legacy_take_number(&rest, &inode))
        return false;
    map->offset = offset;
    map->file = str_trim(rest);
    return true;
}

/* The same of a brief line: file, offset as (@FF00), build id. */
static void take_brief(struct str rest, struct legacy_map *map)
{
    map->file = legacy_take_word(&rest);
    if (legacy_take(&rest, STR("(@")) && legacy_take_address(&rest, &map->offset))
        str_take(&rest, STR(")"));
    map->build_id = legacy_take_word(&rest);
}

/* Reads LINE, START-LIMIT and what is mapped there.  False: it is none. */
static bool read_map(struct map_reader *r, struct str line)
{
    struct legacy *l = r->l;
    struct legacy_map map = {.file = STR(""), .build_id = STR("")};
    struct str rest = line;
    if (!legacy_take_address(&rest, &map.start) || (!str_take(&rest, STR("-")) && rest.n == 0) ||
        !legacy_take_address(&rest, &map.limit))
        return false;
    str_take(&rest, STR(":"));
    struct str after = rest;
    const struct str access = legacy_take_word(&after);
    const bool has_access = is_access(access);
    if (has_access && memchr(access.p, 'x', access.n) == NULL) /* no code is there */
        return true;
    if (!take_usual(has_access ? after : rest, &map))
        take_brief(has_access ? after : rest, &map);
    map.file = keep(l, map.file);
    map.build_id = keep(l, map.build_id);
    l->maps = mem_array(l->maps, &l->map_capacity, ++l->map_count, sizeof *l->maps);
    l->maps[l->map_count - 1] = map;
    return true;
}

void legacy_read_maps(struct legacy *l)
{
    struct map_reader r = {.l = l};
    for (struct str line; legacy_next_line(l, &line);) {
        skip_log_prefix(&line);
        line = expand(&r, line);
        if (line.n > 0 && !read_map(&r, line))
            read_variable(&r, line);
    }
    mem_free(r.variables);
    buf_free(&r.line);
}

#include "formats/rprof/rprof_text.h"

#include "rows/listed.h"

const struct rprof_value_name rprof_value_names[RPROF_VALUE_COUNT] = {
    [RPROF_VALUE_SAMPLES] = {STR("samples"), STR("count"), false},
    [RPROF_VALUE_SMALL] = {STR("vsize_small"), STR("bytes"), .is_level = true},
    [RPROF_VALUE_LARGE] = {STR("vsize_large"), STR("bytes"), .is_level = true},
    [RPROF_VALUE_NODES] = {STR("nodes"), STR("bytes"), .is_level = true},
    [RPROF_VALUE_DUPLICATIONS] = {STR("duplications"), STR("count"), false},
    [RPROF_VALUE_ALLOC] = {STR("alloc_size"), STR("bytes"), false},
    [RPROF_VALUE_DEALLOC] = {STR("dealloc_size"), STR("bytes"), false},
    [RPROF_VALUE_ALLOC_OBJECTS] = {STR("alloc_objects"), STR("count"), false},
    [RPROF_VALUE_ALLOC_SPACE] = {STR("alloc_space"), STR("bytes"), false},
    [RPROF_VALUE_NEW_PAGES] = {STR("new_pages"), STR("count"), false},
};

void rprof_list_value(struct buf *to, enum rprof_value_type type)
{
    const struct rprof_value_name *name = &rprof_value_names[type];
    listed_add(to, name->type, name->unit, name->is_level ? LISTED_GAUGE : LISTED_SUM);
}

bool rprof_is_header(struct str line)
{
    return str_starts(line, rprof_flag_memory) || str_starts(line, rprof_flag_gc) ||
           str_starts(line, rprof_flag_lines) || str_starts(line, rprof_interval);
}

bool rprof_take_header(struct str *line, struct rprof_header *h)
{
    *h = (struct rprof_header){0};
    h->memory = str_take(line, rprof_flag_memory);
    h->gc = str_take(line, rprof_flag_gc);
    h->lines = str_take(line, rprof_flag_lines);
    return str_take(line, rprof_interval) && rprof_take_number(line, &h->interval) &&
           h->interval > 0 && h->interval <= INT64_MAX / 1000;
}

static bool take_end(struct str *s, struct str suffix)
{
    if (s->n < suffix.n || memcmp(s->p + s->n - suffix.n, suffix.p, suffix.n) != 0)
        return false;
    s->n -= suffix.n;
    return true;
}

bool rprof_ends_in_header(struct str text, size_t *at)
{
    struct rprof_header ignored;
    struct str before = text;
    take_end(&before, STR("\r"));
    while (before.n > 0 && before.p[before.n - 1] >= '0' && before.p[before.n - 1] <= '9')
        before.n--;
    if (!take_end(&before, rprof_interval))
        return false;
    take_end(&before, rprof_flag_lines);
    take_end(&before, rprof_flag_gc);
    take_end(&before, rprof_flag_memory);
    *at = before.n;
    struct str header = {text.p + before.n, text.n - before.n};
    return rprof_take_header(&header, &ignored) && rprof_at_end(header);
}

bool rprof_is_cut_position(struct str s)
{
    int64_t file;
    return rprof_take_number(&s, &file) &&
           (rprof_at_end(s) || (str_take(&s, STR("#")) && rprof_at_end(s)));
}

bool rprof_take_memory(struct str *s, struct rprof_memory *m)
{
    return str_take(s, STR(":")) && rprof_take_number(s, &m->small) && str_take(s, STR(":")) &&
           rprof_take_number(s, &m->large) && str_take(s, STR(":")) &&
           rprof_take_number(s, &m->nodes) && str_take(s, STR(":")) &&
           rprof_take_number(s, &m->duplications) && str_take(s, STR(":"));
}

bool rprof_begins_line(struct str line)
{
    int64_t a, b;
    struct rprof_memory memory;
    if (line.n > 0 && *line.p == '"')
        return !rprof_closes_name((struct str){line.p + 1, line.n - 1});
    return rprof_is_header(line) || str_starts(line, rprof_file) ||
           rprof_take_position(&line, &a, &b) || rprof_take_memory(&line, &memory);
}

static int64_t rise(int64_t from, int64_t to)
{
    return to > from ? to - from : 0;
}

int64_t rprof_rise(const struct rprof_memory *from, const struct rprof_memory *to)
{
    return 8 * rise(from->small, to->small) + 8 * rise(from->large, to->large) +
           rise(from->nodes, to->nodes);
}

bool rprof_take_file(struct str *s, bool crlf, int64_t *number)
{
    if (!str_take(s, rprof_file) || !rprof_take_number(s, number) || *number < 1 ||
        !str_take(s, STR(":")))
        return false;
    str_take(s, STR(" "));
    if (crlf && s->n > 0 && s->p[s->n - 1] == '\r')
        s->n--;
    return true;
}

enum rprof_name rprof_read_name(struct str text, struct str *name)
{
    const char *end = text.p + text.n, *next = text.p;
    for (;;) {
        const char *lf = memchr(next, '\n', (size_t)(end - next));
        struct str lines = {text.p, (size_t)((lf == NULL ? end : lf) - text.p)}, rest = lines;
        size_t done = (size_t)(next - text.p), header;
        struct str line = {next, lines.n - done};
        if (done > 0 && (rprof_begins_line(line) || done > RPROF_OPEN_NAME_MAX))
            return RPROF_NAME_BROKEN;
        if (rprof_take_name(&rest, done, name))
            return RPROF_NAME_CLOSED;
        if (lf == NULL)
            return RPROF_NAME_OPEN;
        if (rprof_ends_in_header(line, &header))
            return RPROF_NAME_BROKEN;
        next = lf + 1;
    }
}

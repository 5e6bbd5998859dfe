#include "feed/list.h"

struct list list_open(const char *path, bool nul_ended)
{
    return (struct list){.in = in_open(path), .separator = nul_ended ? '\0' : '\n'};
}

const char *list_next(struct list *l, bool looks)
{
    const size_t min = looks ? 0 : 1;
    for (size_t want = min;;) {
        struct str text = in_peek(l->in, want);
        if (text.n == 0)
            return NULL;
        const char *end = memchr(text.p, l->separator, text.n);
        if (end == NULL && looks)
            return NULL;
        if (end == NULL && text.n >= want) {
            want = text.n + 1;
            continue;
        }
        struct str name = {text.p, end == NULL ? text.n : (size_t)(end - text.p)};
        if (memchr(name.p, '\0', name.n) != NULL) {
            if (looks)
                return NULL;
            die_at((struct place){in_name(l->in), PLACE_FILE, 0},
                   "a file name holds NUL" HINT "--null reads names ended by NUL");
        }
        size_t read = name.n + (end != NULL);
        if (l->separator == '\n' && name.n > 0 && name.p[name.n - 1] == '\r')
            name.n--; /* lists from Windows have CR LF */
        char *copy = name.n == 0 ? NULL : arena_alloc(&l->names, name.n + 1);
        if (copy != NULL) {
            memcpy(copy, name.p, name.n);
            copy[name.n] = '\0';
        }
        in_consume(l->in, read);
        if (copy != NULL)
            return copy;
        want = min; /* an empty line */
    }
}

void list_close(struct list *l)
{
    if (l->in != NULL)
        in_close(l->in);
    l->in = NULL;
}

void list_free(struct list *l)
{
    list_close(l);
    arena_free(&l->names);
}

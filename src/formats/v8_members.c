#include "formats/v8_members.h"

#include "base/mem.h"
#include "rows/text.h"

#include <stdlib.h>

/* Appends NAME, as spelled, to TO in the spelling that equal names have. */
static void add_name(struct buf *to, struct str name)
{
    struct buf bytes = {0};
    if (memchr(name.p, '\\', name.n) == NULL) {
        buf_add(to, name);
        return;
    }
    text_unescape(&bytes, name);
    text_escape_all(to, buf_str(&bytes));
    buf_free(&bytes);
}

static int compare_names(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static bool is_taken(struct str name, const char *const *taken, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_equal(name, str_of(taken[i])))
            return true;
    return false;
}

/* A name that MEMBERS has twice or that is one of the COUNT at TAKEN; p is NULL without one. */
static struct str find_twice(struct str members, const char *const *taken, size_t count)
{
    struct str *names = NULL, name, value, twice = {NULL, 0};
    size_t n = 0, capacity = 0;
    while (twice.p == NULL && text_next_member(&members, &name, &value)) {
        names = mem_array(names, &capacity, n + 1, sizeof *names);
        names[n++] = name;
        if (is_taken(name, taken, count))
            twice = name;
    }
    if (n > 1)
        qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 1; i < n && twice.p == NULL; i++)
        if (str_equal(names[i - 1], names[i]))
            twice = names[i];
    mem_free(names);
    return twice;
}

struct str v8_add_members(struct buf *to, struct str members, const char *const *taken,
                          size_t count)
{
    struct str name, value;
    size_t at = to->n;
    while (text_next_member(&members, &name, &value)) {
        buf_add(to, STR(",\""));
        add_name(to, name);
        buf_add(to, STR("\":"));
        buf_add(to, value);
    }
    return find_twice((struct str){buf_str(to).p + at, to->n - at}, taken, count);
}

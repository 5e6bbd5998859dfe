/* Names, shortened so that what tells them apart stays. Scripts are tested with the same list. */
#include "base/shorten.h"
#include "base/width.h"
#include "tap.h"

struct example {
    size_t max;
    const char *name, *shown;
};

static const struct example examples[] = {
#include "shorten_examples.h"
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

/* NAME in MAX columns; valid until the next call. */
static struct str shortened(struct str name, size_t max)
{
    static struct buf text;
    text.n = 0;
    shorten_add_name(&text, name, max);
    return buf_str(&text);
}

static void test_names(void)
{
    bool good = true;
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct example *x = &examples[i];
        struct str found = shortened(str_of(x->name), x->max);
        good &=
            each(str_equal(found, str_of(x->shown)), "%s in %zu: expected \"%s\", found \"%.*s\"",
                 x->name, x->max, x->shown, STR_ARG(found));
    }
    ok(good, "names of all languages keep what tells them apart");
}

static void test_widths(void)
{
    bool good = true;
    for (size_t i = 0; i < EXAMPLES; i++)
        for (size_t max = 0; max < 200; max++) {
            struct str found = shortened(str_of(examples[i].name), max);
            size_t columns = width_of(found, SIZE_MAX, NULL);
            good &= each(columns <= max && (columns > 0 || max < SHORTEN_MIN),
                         "%s in %zu: %zu columns", examples[i].name, max, columns);
        }
    ok(good, "they fit any width, and are only empty below %d", SHORTEN_MIN);
}

static void test_long(void)
{
    enum { LONG = 1 << 20 };
    struct buf name = {0};
    memset(buf_reserve(&name, LONG), '<', LONG);
    name.n = LONG;
    ok(width_of(shortened(buf_str(&name), 20), SIZE_MAX, NULL) == 20,
       "a name of a megabyte is only cut");
    buf_free(&name);
}

static struct shorten_list list_of(const struct str *names, size_t count)
{
    struct shorten_list list = {0};
    for (size_t i = 0; i < count; i++) {
        buf_add(&list.text, names[i]);
        shorten_end(&list);
    }
    return list;
}

/* Shortens COUNT NAMES together; false if two that differ look alike, or equal ones do not. */
static bool are_told_apart(const struct str *names, size_t count, size_t max,
                           void (*how)(struct buf *to, struct str name, size_t max))
{
    struct shorten_list list = list_of(names, count);
    bool good = true;
    shorten_all(&list, max, how);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            good &= each(str_equal(names[i], names[j]) ==
                             str_equal(shorten_at(&list, i), shorten_at(&list, j)),
                         "%.*s and %.*s in %zu: \"%.*s\"", STR_ARG(names[i]), STR_ARG(names[j]),
                         max, STR_ARG(shorten_at(&list, i)));
    shorten_free(&list);
    return good;
}

static void test_rows(void)
{
    struct str names[EXAMPLES];
    bool good = true;
    for (size_t i = 0; i < EXAMPLES; i++)
        names[i] = str_of(examples[i].name);
    for (size_t max = SHORTEN_MIN; max < 100; max++) {
        good &= are_told_apart(names, EXAMPLES, max, shorten_add_name);
        good &= are_told_apart(names, EXAMPLES, max, shorten_add_text);
    }
    ok(good, "no two rows of a table look alike");
}

static void test_alike(void)
{
    const struct str names[] = {STR("runtime.mapaccess1_faststr"), STR("main.main"),
                                STR("runtime.mapassign_faststr"), STR("main.main")};
    struct shorten_list list = list_of(names, 4);
    shorten_all(&list, 21, shorten_add_name);
    is(shorten_at(&list, 0), STR("…e.mapaccess1_faststr"), "what differs is shown");
    is(shorten_at(&list, 2), STR("…me.mapassign_faststr"), "of both");
    is(shorten_at(&list, 3), STR("main.main"), "other names stay as they are");
    shorten_free(&list);
    const struct str texts[] = {STR("a request that takes long, of the first kind"),
                                STR("a request that takes long, of the second kind")};
    list = list_of(texts, 2);
    shorten_all(&list, 24, shorten_add_text);
    is(shorten_at(&list, 0), STR("a request tha…first kind"), "of texts the start is shown, too");
    is(shorten_at(&list, 1), STR("a request th…second kind"), "of both");
    shorten_free(&list);
}

int main(void)
{
    test_names();
    test_widths();
    test_long();
    test_rows();
    test_alike();
    return tap_done();
}

#include "feed/expect.h"

#include "base/mem.h"
#include "feed/list.h"
#include "rows/text.h"

#include <inttypes.h>

void expect_read(struct expect_options *o, bool nul_ended)
{
    if (o->list == NULL)
        return;
    struct list list = list_open(o->list, nul_ended);
    for (const char *name; (name = list_next(&list, false)) != NULL;)
        intern_add(&o->names, str_of(name), NULL);
    list_free(&list);
}

/* --- what comes --- */

/* The number of the name in the list of O that the source NAME has; 0: none. */
static uint32_t listed(const struct expect_options *o, struct str name)
{
    uint32_t number = intern_find(&o->names, name);
    while (number == 0) {
        const char *slash = memchr(name.p, '/', name.n);
        if (slash == NULL)
            return 0;
        name = (struct str){slash + 1, name.n - (size_t)(slash + 1 - name.p)};
        number = intern_find(&o->names, name);
    }
    return number;
}

struct expect expect_of(const struct expect_options *options)
{
    return (struct expect){
        .options = options,
        .counts = mem_alloc_zeroed((options->names.count + (size_t)1) * sizeof(uint32_t)),
    };
}

/* Adds N sources; a merged file may claim any number of them. */
static void add_sources(struct expect *e, uint64_t n)
{
    if (__builtin_add_overflow(e->count, n, &e->count))
        e->count = UINT64_MAX;
}

static void check_unique(struct expect *e, struct place where, struct str name, uint64_t times)
{
    bool is_new;
    if (!e->options->is_unique)
        return;
    intern_add(&e->names, name, &is_new);
    if (!is_new || times > 1)
        die_as(CODE_DUPLICATE_SOURCE, where, "--no-duplicates: the source \"%.*s\" comes again",
               STR_ARG(name));
}

/* Notes for the list that TIMES sources have NAME. */
static void note_name(struct expect *e, struct str name, uint64_t times)
{
    const uint32_t number = e->options->list == NULL ? 0 : listed(e->options, name);
    if (number == 0 && e->options->list != NULL)
        intern_add(&e->others, name, NULL);
    if (number == 0)
        return;
    uint32_t *count = &e->counts[number - 1];
    *count = times > UINT32_MAX - *count ? UINT32_MAX : *count + (uint32_t)times;
}

void expect_source(struct expect *e, struct place where, struct str name)
{
    add_sources(e, 1);
    check_unique(e, where, name, 1);
    note_name(e, name, 1);
}

void expect_merged(struct expect *e, struct place where, struct str name,
                   const struct provenance *merged)
{
    const bool is_listed = e->options->list != NULL && listed(e->options, name) > 0;
    struct str names = buf_str(&merged->names), spelled;
    uint64_t times;
    add_sources(e, merged->count);
    if (is_listed)
        note_name(e, name, 1);
    while (provenance_next(&names, &spelled, &times)) {
        e->name.n = 0;
        text_unescape_tabs(&e->name, spelled);
        check_unique(e, where, buf_str(&e->name), times);
        if (!is_listed)
            note_name(e, buf_str(&e->name), times);
    }
    if (is_listed || merged->unnamed == 0)
        return;
    if (e->unnamed == 0)
        e->cut = where.file;
    e->unnamed += merged->unnamed;
}

/* So many bytes of a digest are enough to tell files apart. */
enum { DIGEST = 16 };

void expect_input(struct expect *e, const char *file, const unsigned char digest[SHA256_SIZE])
{
    bool is_new;
    if (!e->options->is_unique)
        return;
    uint32_t number = intern_add(&e->digests, (struct str){(const char *)digest, DIGEST}, &is_new);
    if (!is_new)
        die_as(CODE_DUPLICATE_SOURCE, (struct place){file, PLACE_FILE, 0},
               "--no-duplicates: the same bytes as %s", e->files[number - 1]);
    e->files = mem_array(e->files, &e->file_capacity, number, sizeof *e->files);
    e->files[number - 1] = file;
}

/* --- the check --- */

/* Names of one kind that are wrong. */
struct wrong {
    const char *what; /* is said of each */
    uint64_t count;
};

/* Prints NAME, unless many have been. */
static void tell(struct wrong *w, struct str name)
{
    enum { SHOWN = 10 };
    if (w->count++ < SHOWN || diag_level >= DIAG_VERBOSE)
        diag_error(CODE_INCOMPLETE, "--expect-from: %s: %.*s", w->what, STR_ARG(name));
}

/* Ends the tool if names are not known, so that none can be told to be missing. */
static void check_named(const struct expect *e)
{
    if (e->unnamed > 0)
        die(CODE_INCOMPLETE,
            "--expect-from: cannot check %" PRIu64 " of %" PRIu64
            " sources: merged files, such as %s, do not keep their names",
            e->unnamed, e->count, e->cut);
}

static void check_list(const struct expect *e)
{
    const struct intern *names = &e->options->names;
    struct wrong missing = {.what = "missing"}, again = {.what = "more than once"},
                 others = {.what = "not in the list"};
    for (uint32_t i = 1; i <= e->others.count; i++)
        tell(&others, intern_get(&e->others, i));
    check_named(e);
    for (uint32_t i = 1; i <= names->count; i++)
        if (e->counts[i - 1] == 0)
            tell(&missing, intern_get(names, i));
        else if (e->counts[i - 1] > 1)
            tell(&again, intern_get(names, i));
    if (missing.count + again.count + others.count > 0)
        die(CODE_INCOMPLETE,
            "--expect-from: of %" PRIu32 " sources in %s %" PRIu64 " missing, %" PRIu64
            " more than once, %" PRIu64 " not in the list",
            names->count, e->options->list, missing.count, again.count, others.count);
}

void expect_check(const struct expect *e)
{
    const struct expect_options *o = e->options;
    if (o->list != NULL)
        check_list(e);
    if (o->has_count && e->count != o->count)
        die(CODE_INCOMPLETE, "--expect: expected %" PRIu64 " source%s, found %" PRIu64, o->count,
            o->count == 1 ? "" : "s", e->count);
}

void expect_free(struct expect *e)
{
    intern_free(&e->others);
    intern_free(&e->names);
    buf_free(&e->name);
    intern_free(&e->digests);
    mem_free(e->counts);
    mem_free(e->files);
}

#include "loss.h"

#include "diag.h"
#include "intern.h"
#include "mem.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>

/* Names are kept for -v, but no more than somebody would read. */
enum { NAMES_MAX = 1000 };

/* A kind of loss, and how much of each name there was. */
struct loss {
    const char *what;
    uint64_t sum;
    struct intern names;
    uint64_t counts[NAMES_MAX];
};

static struct loss *kinds[16]; /* there are fewer kinds than that */
static size_t kind_count;

static struct loss *find_kind(const char *what)
{
    for (size_t i = 0; i < kind_count; i++)
        if (strcmp(kinds[i]->what, what) == 0)
            return kinds[i];
    struct loss *k = mem_alloc_zeroed(sizeof *k);
    k->what = what;
    return kinds[kind_count++] = k;
}

void loss_add(const char *what, struct str name, uint64_t count)
{
    struct loss *k = find_kind(what);
    k->sum += count;
    uint32_t id = k->names.count < NAMES_MAX ? intern_add(&k->names, name, NULL)
                                             : intern_find(&k->names, name);
    if (id != 0)
        k->counts[id - 1] += count;
}

void loss_add_column(const struct row *row, struct str name)
{
    struct buf full = {0};
    buf_add(&full, row_table_name(row));
    buf_add(&full, STR("."));
    buf_add(&full, name);
    loss_add("dotted columns", buf_str(&full), 1);
    buf_free(&full);
}

void loss_add_columns(const struct row *row)
{
    struct str rest = row->extra, name, value;
    while (text_next_member(&rest, &name, &value))
        if (!str_equal(name, STR(".ends")))
            loss_add_column(row, name);
}

static void name_kind(const struct loss *k)
{
    uint64_t others = k->sum;
    for (uint32_t i = 1; i <= k->names.count; i++) {
        note("left out: %s: %.*s (%" PRIu64 ")", k->what, STR_ARG(intern_get(&k->names, i)),
             k->counts[i - 1]);
        others -= k->counts[i - 1];
    }
    if (others > 0)
        note("left out: %s: others (%" PRIu64 ")", k->what, others);
}

void loss_forget(void)
{
    for (size_t i = 0; i < kind_count; i++) {
        intern_free(&kinds[i]->names);
        mem_free(kinds[i]);
    }
    kind_count = 0;
}

void loss_report(bool lossless)
{
    if (kind_count == 0)
        return;
    struct buf line = {0};
    for (size_t i = 0; i < kind_count; i++) {
        char sum[32];
        name_kind(kinds[i]);
        snprintf(sum, sizeof sum, " (%" PRIu64 ")", kinds[i]->sum);
        buf_add(&line, i > 0 ? STR(", ") : STR(""));
        buf_add(&line, str_of(kinds[i]->what));
        buf_add(&line, str_of(sum));
    }
    if (lossless)
        die(STATUS_INPUT, "--lossless: these have no place in the output: %.*s",
            STR_ARG(buf_str(&line)));
    warn("left out: %.*s%s", STR_ARG(buf_str(&line)),
         diag_level < DIAG_VERBOSE ? " (-v names them)" : "");
    buf_free(&line);
    loss_forget();
}

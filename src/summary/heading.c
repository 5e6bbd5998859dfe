#include "summary/heading.h"

#include "profile/naming.h"
#include "profile/source_date.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "table/sheet.h"

#include <inttypes.h>
#include <stdio.h>

/* The count of samples that have a value of the shown type. */
static struct tally tally_of(const struct collect *c)
{
    struct tally sum = {0};
    if (c->counts_samples)
        return c->all;
    for (size_t i = 0; i < c->tally_capacity; i++)
        if (c->tallies[i].records > 0 && c->choice.types[i].times != 0)
            tally_add(&sum, &c->tallies[i]);
    return sum;
}

static void add_counted(struct buf *to, const struct collect *c)
{
    const struct tally t = tally_of(c);
    int64_t whole;
    const bool are_samples = tally_is_full(&t) && c->choice.chosen != c->counts;
    struct decimal count =
        are_samples ? tally_samples(&t) : (struct decimal){wide_of_unsigned(t.records), 0};
    if (decimal_round(count, &whole) && decimal_compare(count, decimal_of(whole)) == 0)
        sheet_add_grouped(to, wide_of(whole));
    else
        decimal_write(to, count);
    buf_add(to, are_samples ? STR(" sample") : STR(" record"));
    buf_add(to, decimal_compare(count, decimal_of(1)) == 0 ? STR("") : STR("s"));
}

/* Appends which share ALL is of what there was before a filter, if that is known. */
static void add_before(struct buf *to, const struct collect *c, struct wide all)
{
    struct wide before;
    if (!collect_before(c, all, &before))
        return;
    char share[32];
    int n = snprintf(share, sizeof share, ", %.2f %% of ", 100 * wide_share(all, before));
    struct sheet_scale scale = sheet_scale_of(c->choice.unit, c->power, before);
    buf_add(to, (struct str){share, (size_t)n});
    sheet_add_scaled(to, before, &scale);
    buf_add(to, scale.unit.n > 0 ? STR(" ") : STR(""));
    buf_add(to, scale.unit);
    buf_add(to, STR(" before a filter"));
}

void heading_add(struct buf *to, const struct collect *c, struct wide all)
{
    const struct choice *choice = &c->choice;
    if (choice->chosen == 0) {
        buf_add(to, STR("no values"));
    } else {
        struct sheet_scale scale = sheet_scale_of(choice->unit, c->power, all);
        buf_add(to, value_types_get(choice->names, choice->chosen)->type);
        buf_add(to, STR(": "));
        sheet_add_scaled(to, all, &scale);
        buf_add(to, scale.unit.n > 0 ? STR(" ") : STR(""));
        buf_add(to, scale.unit);
        buf_add(to, STR(" in "));
        add_counted(to, c);
        add_before(to, c, all);
    }
    heading_add_stackless(to, c);
}

void heading_add_stackless(struct buf *to, const struct collect *c)
{
    if (c->stackless_count == 0)
        return;
    buf_add(to, STR(", besides "));
    sheet_add_grouped_count(to, c->stackless_count);
    buf_add(to, c->stackless_count == 1 ? STR(" sample without a stack")
                                        : STR(" samples without a stack"));
}

/* Appends to TO the name of source NUMBER, from 1, and its types. */
static void add_other(const struct collect *c, size_t number, struct buf *to)
{
    const struct profile_source *of = &c->profile.sources[number - 1];
    buf_add(to, to->n > 0 ? STR("; ") : STR(""));
    text_escape(to, of->uri.p != NULL ? of->uri : of->kind);
    buf_add(to, STR(" has "));
    choice_add_types(&c->choice, number, to);
}

void heading_warn(const struct collect *c)
{
    enum { SHOWN = 3 };
    struct buf others = {0};
    size_t count = 0;
    choice_warn(&c->choice);
    if (!c->counts_samples)
        choice_warn_of_others(&c->choice);
    if (c->cut_count > 0 && c->has_frames)
        warn(CODE_CUT, "the %s of %" PRIu64 " %s cut: totals of outer functions are too low",
             c->cut_count == 1 ? "stack" : "stacks", c->cut_count,
             c->cut_count == 1 ? "sample is" : "samples are");
    for (size_t i = 1; c->choice.chosen != 0 && !c->counts_samples && i <= c->profile.source_count;
         i++)
        if (c->sources[i - 1].has_samples && !choice_has(&c->choice, i) && ++count <= SHOWN)
            add_other(c, i, &others);
    if (count > 0)
        warn(CODE_OTHER_TYPES, "not counted: %zu %s without \"%.*s\": %.*s%s", count,
             count == 1 ? "source" : "sources",
             STR_ARG(value_types_get(c->choice.names, c->choice.chosen)->type),
             STR_ARG(buf_str(&others)), count > SHOWN ? "; ..." : "");
    buf_free(&others);
}

void heading_add_origin(struct buf *to, const struct profile *p)
{
    const struct profile_source *first = source_date_first(p);
    const int64_t duration = source_date_duration(p);
    struct buf bytes = {0};
    if (p->source_count > 1 || (p->source_count == 1 && p->sources->uri.n > 0))
        heading_add_sources(&bytes, p);
    const size_t before = bytes.n;
    if (first != NULL) {
        buf_add(&bytes, p->source_count > 1 ? STR(", from ") : before > 0 ? STR(", ") : STR(""));
        const size_t from = bytes.n;
        source_date_add(&bytes, first, true);
        bytes.n = bytes.n == from ? before : bytes.n; /* it is not known */
    }
    if (duration > 0) {
        buf_add(&bytes, bytes.n > 0 ? STR(", ") : STR(""));
        sheet_add_value(&bytes, wide_of(duration), STR("nanoseconds"), 0);
        buf_add(&bytes, p->source_count > 1 ? STR(" in all") : STR(""));
    }
    text_escape(to, buf_str(&bytes));
    buf_add(to, bytes.n > 0 ? STR("\n") : STR(""));
    buf_free(&bytes);
}

void heading_add_sources_of(struct buf *to, const struct profile *p,
                            bool (*is_in)(const void *with, size_t source), const void *with)
{
    struct str name = STR("");
    size_t count = 0;
    bool are_one = true;
    for (size_t i = 0; i < p->source_count; i++) {
        const struct profile_source *of = &p->sources[i];
        const struct str other = of->uri.n > 0 ? naming_base_name(of->uri) : of->kind;
        if (is_in != NULL && !is_in(with, i))
            continue;
        are_one &= count++ == 0 || str_equal(name, other);
        name = other;
    }
    if (are_one) {
        buf_add(to, count > 0 ? name : STR("no profile"));
    } else {
        emit_number(to, (int64_t)count);
        buf_add(to, STR(" sources"));
    }
}

void heading_add_sources(struct buf *to, const struct profile *p)
{
    heading_add_sources_of(to, p, NULL, NULL);
}

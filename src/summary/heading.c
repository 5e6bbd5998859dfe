#include "summary/heading.h"

#include "rows/text.h"
#include "summary/sheet.h"

/* What samples with values of the type that is shown come to: how many they are, or where not all say that, how many
 * rows; *ARE_SAMPLES tells. */
static struct decimal count_samples(const struct collect *c, bool *are_samples)
{
    uint64_t records = 0, counted = 0;
    struct decimal samples = decimal_of(0);
    for (size_t i = 0; i < c->profile.source_count; i++) {
        const struct collect_source *of = &c->sources[i];
        if (!c->counts_samples && !choice_has(&c->choice, i + 1))
            continue;
        records += of->records;
        counted += of->counted;
        decimal_add(&samples, (struct decimal){of->samples, 0});
        decimal_add(&samples, of->digits);
    }
    *are_samples = counted == records && records > 0 && c->choice.chosen != c->counts;
    return *are_samples ? samples : (struct decimal){wide_of_unsigned(records), 0};
}

static void add_counted(struct buf *to, const struct collect *c)
{
    bool are_samples, is_one;
    struct decimal count = count_samples(c, &are_samples);
    is_one = decimal_compare(count, decimal_of(1)) == 0;
    decimal_write(to, count);
    buf_add(to, are_samples ? STR(" sample") : STR(" record"));
    buf_add(to, is_one ? STR("") : STR("s"));
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
    }
    heading_add_stackless(to, c);
}

void heading_add_stackless(struct buf *to, const struct collect *c)
{
    if (c->stackless_count == 0)
        return;
    buf_add(to, STR(", besides "));
    sheet_add_count(to, c->stackless_count);
    buf_add(to, c->stackless_count == 1 ? STR(" sample without a stack")
                                        : STR(" samples without a stack"));
}

/* Appends which source number NUMBER, from 1, is, and which types it has, to TO. */
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
    for (size_t i = 1; c->choice.chosen != 0 && !c->counts_samples && i <= c->profile.source_count;
         i++)
        if (c->sources[i - 1].records > 0 && !choice_has(&c->choice, i) && ++count <= SHOWN)
            add_other(c, i, &others);
    if (count > 0)
        warn("not counted: %zu %s without \"%.*s\": %.*s%s", count,
             count == 1 ? "source" : "sources",
             STR_ARG(value_types_get(c->choice.names, c->choice.chosen)->type),
             STR_ARG(buf_str(&others)), count > SHOWN ? "; ..." : "");
    buf_free(&others);
}

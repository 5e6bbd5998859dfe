#include "summary/heading.h"

#include "summary/sheet.h"

static void add_samples(struct buf *to, uint64_t count)
{
    sheet_add_count(to, count);
    buf_add(to, count == 1 ? STR(" sample") : STR(" samples"));
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
        add_samples(to, c->sample_count);
    }
    heading_add_stackless(to, c);
}

void heading_add_stackless(struct buf *to, const struct collect *c)
{
    if (c->stackless_count == 0)
        return;
    buf_add(to, STR(", besides "));
    add_samples(to, c->stackless_count);
    buf_add(to, STR(" without a stack"));
}

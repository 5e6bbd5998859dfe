#include "summary/heading.h"

#include "summary/sheet.h"

static void add_counted(struct buf *to, const struct collect *c)
{
    bool are_samples, is_one;
    struct decimal count = collect_counted(c, &are_samples);
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

#include "filters/select_tally.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>

/* --- sums --- */

static struct select_sum *sum_at(struct select_tally *t, uint32_t number)
{
    if (number > t->sum_capacity)
        t->sums = mem_array_zeroed(t->sums, &t->sum_capacity, number, sizeof *t->sums);
    return &t->sums[number - 1];
}

void select_tally_gauge(struct select_tally *t, uint32_t number)
{
    sum_at(t, number)->is_gauge = true;
}

bool select_tally_is_gauge(struct select_tally *t, uint32_t number)
{
    return sum_at(t, number)->is_gauge;
}

static void note_type(struct select_tally *t, uint32_t number)
{
    t->types = mem_array(t->types, &t->type_capacity, t->type_count + 1, sizeof *t->types);
    t->types[t->type_count++] = number;
}

static void add_values(struct select_tally *t, const struct sample *sample, bool kept)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        struct select_sum *sum = sum_at(t, sample->values[i].type);
        struct decimal size = decimal_size(sample_value_exact(&sample->values[i]));
        if (!sum->is_known)
            note_type(t, sample->values[i].type);
        sum->is_known = true;
        decimal_add(kept ? &sum->kept : &sum->all, size);
    }
}

void select_tally_add(struct select_tally *t, const struct sample *sample, size_t depth, bool kept)
{
    *(kept ? &t->samples.kept : &t->samples.all) += 1;
    *(kept ? &t->frames.kept : &t->frames.all) += depth;
    if (diag_level >= DIAG_VERBOSE)
        add_values(t, sample, kept);
}

/* --- the report --- */

static void add_removed(struct buf *to, const struct select_count *count, const char *what)
{
    char text[96];
    snprintf(text, sizeof text, "%llu of %llu %s", (unsigned long long)(count->all - count->kept),
             (unsigned long long)count->all, what);
    buf_add(to, str_of(text));
}

static void add_share(struct buf *to, const struct select_sum *sum, const struct value_type *type)
{
    char text[64];
    struct decimal removed = sum->all;
    decimal_subtract(&removed, sum->kept);
    double all = decimal_to_double(sum->all);
    snprintf(text, sizeof text, "%.2f %% of ",
             all > 0 ? 100 * decimal_to_double(removed) / all : 0);
    buf_add(to, str_of(text));
    buf_add(to, type->type);
    buf_add(to, STR("/"));
    buf_add(to, type->unit);
}

void select_tally_report(const struct select_tally *t, const struct value_types *types)
{
    struct buf text = {0};
    const char *lead = ": ";
    add_removed(&text, &t->samples, "records, ");
    add_removed(&text, &t->frames, "frames");
    for (size_t i = 0; i < t->type_count; i++) {
        const struct select_sum *sum = &t->sums[t->types[i] - 1];
        if (sum->is_gauge)
            continue;
        buf_add(&text, str_of(lead));
        add_share(&text, sum, value_types_get(types, t->types[i]));
        lead = ", ";
    }
    note("removed %.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

void select_tally_free(struct select_tally *t)
{
    mem_free(t->sums);
    mem_free(t->types);
}

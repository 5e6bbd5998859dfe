/* Converts sums by column, as the sources have them, to values by type, as the file has them. */
#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/units.h"
#include "formats/pprof/pprof_file.h"
#include "rows/loss.h"
#include "rows/text.h"

void pprof_finish(struct pprof_file *f)
{
    f->factors = mem_array(f->factors, &f->factor_capacity, f->columns.count, sizeof *f->factors);
    for (; f->factor_count < f->columns.count; f->factor_count++) {
        const struct pprof_column *c = pprof_column(f, (uint32_t)f->factor_count + 1);
        int64_t unit =
            units_in(pprof_string_of(f, c->unit), pprof_string_of(f, f->types[c->type].unit));
        struct pprof_factor *factor = &f->factors[f->factor_count];
        factor->type = c->type;
        factor->passes = __builtin_mul_overflow(unit, c->times, &factor->times);
    }
}

/* Makes room in V for all types of F, once: no type is added after the first sample is written. */
static void make_room(struct pprof_values *v, const struct pprof_file *f)
{
    if (v->type_count == f->type_count)
        return;
    v->type_count = f->type_count;
    v->values = mem_alloc_zeroed(v->type_count * sizeof *v->values);
    v->totals = mem_alloc_zeroed(v->type_count * sizeof *v->totals);
}

void pprof_values_begin(struct pprof_values *v, const struct pprof_file *f)
{
    make_room(v, f);
    for (size_t i = 0; i < v->touched_count; i++) {
        v->values[v->touched[i]] = 0;
        v->totals[v->touched[i]] = (struct amount){0};
    }
    v->touched_count = v->passes = 0;
}

void pprof_values_add(struct pprof_values *v, const struct pprof_file *f,
                      const struct sums_part *part)
{
    const struct pprof_factor *factor = &f->factors[amount_column(&f->digits, part)];
    uint32_t type = factor->type;
    amount_add(&v->totals[type], &f->digits, part, factor->times);
    if (factor->passes)
        v->passes = type + 1;
    v->touched =
        mem_array(v->touched, &v->touched_capacity, v->touched_count + 1, sizeof *v->touched);
    v->touched[v->touched_count++] = type;
}

/* The name of the innermost function of a stack; null p if there is none. */
static struct str innermost(const struct pprof_file *f, const uint32_t *stack, size_t depth)
{
    const struct pprof_location *l = depth == 0 ? NULL : pprof_location(f, stack[0]);
    if (l == NULL || l->line_count == 0)
        return (struct str){NULL, 0};
    string_id name = pprof_function(f, l->lines[0].function)->name;
    return name == 0 ? ROW_NO_NAME : pprof_string_of(f, name);
}

static _Noreturn void die_overflow(const struct pprof_file *f, size_t index, struct str name)
{
    struct buf type = {0}, function = {0};
    text_escape(&type, pprof_string_of(f, f->types[index].type));
    if (name.p == NULL)
        die(CODE_OVERFLOW, "the sum of \"%.*s\" does not fit 64 bits", STR_ARG(buf_str(&type)));
    text_escape(&function, name);
    die(CODE_OVERFLOW, "the sum of \"%.*s\" in function \"%.*s\" does not fit 64 bits",
        STR_ARG(buf_str(&type)), STR_ARG(buf_str(&function)));
}

static void count_fraction(const struct pprof_file *f, uint32_t type, struct decimal more)
{
    struct buf name = {0};
    text_escape(&name, pprof_string_of(f, f->types[type].type));
    loss_add_fraction(buf_str(&name), more);
    buf_free(&name);
}

void pprof_values_end(struct pprof_values *v, const struct pprof_file *f, const uint32_t *stack,
                      size_t depth)
{
    if (v->passes != 0)
        die_overflow(f, v->passes - 1, innermost(f, stack, depth));
    for (size_t i = 0; i < v->touched_count; i++) {
        uint32_t type = v->touched[i];
        if (!amount_fits(&v->totals[type], 0, &v->values[type]))
            die_overflow(f, type, innermost(f, stack, depth));
        struct decimal more = amount_rounding(&v->totals[type], 0, v->values[type]);
        if (__builtin_expect(decimal_sign(more) != 0, 0))
            count_fraction(f, type, more);
    }
}

void pprof_values_free(struct pprof_values *v)
{
    mem_free(v->values);
    mem_free(v->totals);
    mem_free(v->touched);
    *v = (struct pprof_values){0};
}

#include "pictures/flame_values.h"

#include "base/diag.h"
#include "base/mem.h"

/* How many positions ahead the first columns of a row are loaded: rows are anywhere in memory. */
enum { AHEAD = 12 };

/* A part of the value of a row for a type. */
struct flame_value {
    uint32_t position;
    uint32_t column : 31, high : 1; /* as in struct sums_part */
    int64_t n;
};

/* The column of PART, or NULL if it is not used. */
static const struct flame_column *column_of(const struct flame_values *v,
                                            const struct sums_part *part)
{
    const struct flame_column *column =
        &v->f->columns[amount_column(&v->f->sides->collect.digits, part)];
    return column->times != 0 ? column : NULL;
}

static uint32_t row_at(const struct flame_values *v, size_t position)
{
    return v->rows != NULL ? v->rows[position] : (uint32_t)position;
}

/* A walk over the parts at POSITION; positions come in order. */
static struct sums_walk walk_at(const struct flame_values *v, size_t position)
{
    if (position + AHEAD < v->row_count)
        sums_prefetch(v->sums, row_at(v, position + AHEAD));
    return (struct sums_walk){.row = row_at(v, position)};
}

/* --- for many types --- */

static void count_parts(struct flame_values *v)
{
    struct sums_part part;
    v->counts = mem_alloc_zeroed(v->f->type_count * sizeof *v->counts);
    v->ends = mem_alloc(v->f->type_count * sizeof *v->ends);
    for (size_t position = 0; position < v->row_count; position++)
        for (struct sums_walk walk = walk_at(v, position); sums_next(v->sums, &walk, &part);) {
            const struct flame_column *column = column_of(v, &part);
            if (column != NULL)
                v->counts[column->type]++;
        }
}

/* Sorts the parts of TYPE and of the following types, as many as fit. */
static void sort_parts(struct flame_values *v, size_t type)
{
    struct sums_part part;
    size_t count = 0;
    v->first = v->next = type;
    do {
        v->ends[v->next] = count; /* the index of its first part */
        count += v->counts[v->next++];
    } while (v->next < v->f->type_count && count + v->counts[v->next] <= FLAME_VALUES_MAX);
    v->parts = mem_array(v->parts, &v->capacity, count, sizeof *v->parts);
    for (size_t position = 0; position < v->row_count; position++)
        for (struct sums_walk walk = walk_at(v, position); sums_next(v->sums, &walk, &part);) {
            const struct flame_column *column = column_of(v, &part);
            if (column != NULL && column->type >= v->first && column->type < v->next)
                v->parts[v->ends[column->type]++] =
                    (struct flame_value){(uint32_t)position, part.column, part.high, part.n};
        }
}

/* --- all --- */

struct flame_values flame_values_of(const struct flame *f)
{
    return (struct flame_values){.f = f,
                                 .sums = &f->sides->collect.profile.stacks.sums,
                                 .rows = f->order,
                                 .row_count = f->record_count};
}

void flame_values_open(struct flame_values *v)
{
    if (v->f->type_count > FLAME_VALUES_FEW)
        count_parts(v);
}

void flame_values_begin(struct flame_values *v, size_t type)
{
    v->type = type;
    if (v->counts == NULL)
        return;
    if (type < v->first || type >= v->next)
        sort_parts(v, type);
    v->at = v->ends[type] - v->counts[type];
}

void flame_values_add(struct flame_values *v, size_t position, struct amount *total)
{
    struct sums_part part;
    if (v->counts == NULL) {
        for (struct sums_walk walk = walk_at(v, position); sums_next(v->sums, &walk, &part);) {
            const struct flame_column *column = column_of(v, &part);
            if (column != NULL && column->type == v->type)
                amount_add(total, &v->f->sides->collect.digits, &part, column->times);
        }
        return;
    }
    for (; v->at < v->ends[v->type] && v->parts[v->at].position == position; v->at++) {
        const struct flame_value *value = &v->parts[v->at];
        part = (struct sums_part){value->column, value->high, value->n};
        amount_add(total, &v->f->sides->collect.digits, &part, column_of(v, &part)->times);
    }
}

void flame_values_add_cell(struct flame_values *v, const struct flame_cell *cell,
                           struct amount *total)
{
    for (size_t i = cell[0].first; i < cell[1].first; i++)
        flame_values_add(v, i, total);
}

int64_t flame_values_finish(const struct flame_values *v, const struct amount *total)
{
    int64_t sum;
    if (!amount_fits(total, v->f->types[v->type].power, &sum))
        die(CODE_OVERFLOW, "the sum of \"%.*s\" in a stack does not fit 64 bits",
            STR_ARG(v->f->types[v->type].type));
    return sum;
}

void flame_values_free(struct flame_values *v)
{
    mem_free(v->counts);
    mem_free(v->ends);
    mem_free(v->parts);
    *v = (struct flame_values){0};
}

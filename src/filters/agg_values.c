#include "filters/agg_values.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "rows/listed.h"
#include "rows/loss.h"

/* Identifies a column of sums: a type, and the power of ten of its values, 0 for integers;
 * COLUMN_WHOLE stands for 0 of reals. Or a special column: it counts values <= 0, which a sum may
 * not show; or it marks a type that has a level. */
struct column {
    uint32_t type;
    int32_t power;
};

enum { COLUMN_SIGNS = INT32_MAX, COLUMN_LEVELS = INT32_MAX - 1, COLUMN_WHOLE = INT32_MAX - 2 };

/* A type of a source. No padding. */
struct rank {
    uint32_t source, type;
};

/* --- types --- */

/* The rank of TYPE in SOURCE. */
static uint32_t rank_of(struct agg_values *v, int64_t source, uint32_t type, bool *is_new)
{
    struct rank key = {(uint32_t)source, type};
    uint32_t rank = intern_add(&v->ranks, (struct str){(const char *)&key, sizeof key}, is_new);
    if (*is_new) {
        v->gauges = mem_array(v->gauges, &v->gauge_capacity, rank, sizeof *v->gauges);
        v->gauges[rank - 1] = false;
    }
    return rank;
}

/* Records that SOURCE has TYPE. Returns a pointer to its flag for gauges, valid until the next
 * call. */
static bool *note_type(struct agg_values *v, int64_t source, uint32_t type)
{
    bool is_new;
    if (v->is_one_source)
        rank_of(v, 0, type, &is_new);
    uint32_t rank = rank_of(v, source, type, &is_new);
    return &v->gauges[rank - 1];
}

void agg_values_source(struct agg_values *v, const struct row *row)
{
    struct members walk = members_of(row, v->flow->where, NULL);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id != MEMBER_ID_VALUE_TYPES)
            continue;
        struct listed types = listed_of(&walk, &m);
        while (listed_next(&types)) {
            uint32_t type =
                value_types_add_bytes(&v->flow->types, buf_str(&types.type), buf_str(&types.unit));
            *note_type(v, row->source.source_id, type) |= types.gauge;
        }
        listed_free(&types);
    }
}

/* The type of value I of SAMPLE; mostly the same as in the previous sample. */
static struct agg_type *type_of(struct agg_values *v, const struct sample *sample, size_t i)
{
    uint32_t type = sample->values[i].type;
    if (__builtin_expect(v->source != sample->source_id, 0)) {
        v->source = sample->source_id;
        v->type_count = 0;
    }
    if (__builtin_expect(i < v->type_count && v->types[i].type == type, 1))
        return &v->types[i];
    v->types = mem_array(v->types, &v->type_capacity, i + 1, sizeof *v->types);
    v->types[i] = (struct agg_type){
        .type = type,
        .is_gauge = *note_type(v, sample->source_id, type),
    };
    v->type_count = i + 1;
    return &v->types[i];
}

/* Whether VALUE, of type OF, is dropped: a level, if levels are not kept. */
static bool is_left_out(const struct agg_values *v, const struct agg_type *of,
                        const struct sample_value *value)
{
    if (__builtin_expect(value->extra.n != 0, 0))
        loss_add_extra(TABLE_SAMPLE_VALUES, value->extra);
    if (!of->is_gauge || v->gauge != AGG_GAUGE_NONE)
        return false;
    loss_add(LOSS_GAUGES, value_types_get(&v->flow->types, of->type)->type, 1);
    return true;
}

/* --- values in a table --- */

static uint32_t column_of(struct agg_values *v, uint32_t type, int32_t power)
{
    struct column key = {type, power};
    return intern_add(&v->columns, (struct str){(const char *)&key, sizeof key}, NULL) - 1;
}

static void add_part(struct agg_values *v, uint32_t column, bool high, int64_t n)
{
    v->parts[v->part_count++] = (struct sums_part){.column = column, .high = high, .n = n};
}

static void read_integer(struct agg_values *v, struct agg_type *of, int64_t n)
{
    if (of->column == 0)
        of->column = column_of(v, of->type, 0) + 1;
    add_part(v, of->column - 1, false, n);
    if (n > 0)
        return;
    if (of->signs == 0)
        of->signs = column_of(v, of->type, COLUMN_SIGNS) + 1;
    add_part(v, of->signs - 1, false, 1);
}

static void read_real(struct agg_values *v, const struct agg_type *of, struct str text)
{
    struct decimal d = decimal_read(text);
    int64_t low;
    bool is_small = wide_fits(d.digits, &low);
    uint32_t column = column_of(v, of->type, d.exponent == 0 ? COLUMN_WHOLE : d.exponent);
    add_part(v, column, false, low);
    if (!is_small)
        add_part(v, column, true, wide_high(wide_subtract(d.digits, wide_of(low))));
    if (decimal_sign(d) <= 0)
        add_part(v, column_of(v, of->type, COLUMN_SIGNS), false, 1);
}

void agg_values_read(struct agg_values *v, const struct sample *sample)
{
    enum { PARTS = 3 }; /* max parts of a value: two for its digits, one for its sign */
    v->part_count = 0;
    v->has_levels = false;
    v->parts =
        mem_array(v->parts, &v->part_capacity, sample->value_count * PARTS, sizeof *v->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *value = &sample->values[i];
        struct agg_type *of = type_of(v, sample, i);
        if (__builtin_expect(of->is_gauge || value->extra.n != 0, 0) && is_left_out(v, of, value))
            continue;
        if (of->is_gauge) {
            add_part(v, column_of(v, of->type, COLUMN_LEVELS), false, 1);
            v->has_levels = true;
        } else if (value->value.kind == NUMBER_INTEGER) {
            read_integer(v, of, value->value.integer);
        } else {
            read_real(v, of, value->value.real);
        }
    }
}

/* --- levels --- */

/* Adds the level X to TO. */
static void keep_level(const struct agg_values *v, struct agg_value *to, const struct number *x)
{
    struct decimal level =
        x->kind == NUMBER_INTEGER ? decimal_of(x->integer) : decimal_read(x->real);
    if (v->gauge == AGG_GAUGE_MEAN) {
        decimal_add(&to->amount.reals, level);
        to->levels++;
        return;
    }
    if (v->gauge == AGG_GAUGE_LAST || to->levels == 0 ||
        decimal_compare(level, to->amount.reals) > 0)
        to->amount.reals = level;
    to->levels = 1;
}

/* The cell for levels of TYPE in STACK. */
static struct agg_value *cell_of(struct agg_values *v, uint32_t stack, uint32_t type)
{
    uint32_t key[] = {stack, type};
    bool is_new;
    uint32_t cell = intern_add(&v->cells, (struct str){(const char *)key, sizeof key}, &is_new);
    v->levels = mem_array(v->levels, &v->level_capacity, cell, sizeof *v->levels);
    if (is_new)
        v->levels[cell - 1] = (struct agg_value){.type = type};
    return &v->levels[cell - 1];
}

void agg_values_keep_levels(struct agg_values *v, const struct sample *sample, uint32_t stack)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct agg_type *of = type_of(v, sample, i);
        if (of->is_gauge)
            keep_level(v, cell_of(v, stack, of->type), &sample->values[i].value);
    }
}

/* --- totals --- */

void agg_values_begin(struct agg_values *v)
{
    v->total_count = 0;
}

/* The total of TYPE in SOURCE. */
static struct agg_value *total_of(struct agg_values *v, int64_t source, uint32_t type)
{
    v->positions =
        mem_array_zeroed(v->positions, &v->position_capacity, type, sizeof *v->positions);
    uint32_t position = v->positions[type - 1];
    if (position < v->total_count && v->totals[position].type == type)
        return &v->totals[position];
    bool is_new;
    position = v->positions[type - 1] = (uint32_t)v->total_count++;
    v->totals = mem_array(v->totals, &v->total_capacity, v->total_count, sizeof *v->totals);
    v->totals[position] =
        (struct agg_value){.type = type, .rank = rank_of(v, source, type, &is_new)};
    return &v->totals[position];
}

void agg_values_add(struct agg_values *v, const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *value = &sample->values[i];
        const struct agg_type *of = type_of(v, sample, i);
        if (__builtin_expect(of->is_gauge || value->extra.n != 0, 0) && is_left_out(v, of, value))
            continue;
        struct agg_value *total = total_of(v, sample->source_id, of->type);
        if (of->is_gauge) {
            keep_level(v, total, &value->value);
        } else if (value->value.kind == NUMBER_INTEGER) {
            wide_add_to(&total->amount.integers, value->value.integer);
        } else {
            total->amount.has_reals = true;
            decimal_add(&total->amount.reals, decimal_read(value->value.real));
        }
    }
}

void agg_values_add_sums(struct agg_values *v, const struct sums *sums, uint32_t stack,
                         int64_t source)
{
    struct sums_walk walk = {.row = stack};
    struct sums_part part;
    while (sums_next(sums, &walk, &part)) {
        struct column column;
        memcpy(&column, intern_get(&v->columns, part.column + 1).p, sizeof column);
        struct agg_value *total = total_of(v, source, column.type);
        struct wide n = sums_value(&part);
        if (column.power == COLUMN_LEVELS) {
            const struct agg_value *cell = cell_of(v, stack, column.type);
            total->levels = cell->levels;
            decimal_add(&total->amount.reals, cell->amount.reals);
        } else if (column.power == 0) {
            total->amount.integers = wide_add(total->amount.integers, n);
        } else if (column.power != COLUMN_SIGNS) {
            total->amount.has_reals = true;
            decimal_add(&total->amount.reals,
                        (struct decimal){n, column.power == COLUMN_WHOLE ? 0 : column.power});
        }
    }
}

/* --- sources that are scaled to the first --- */

void agg_values_note(struct agg_values *v)
{
    for (size_t i = 0; i < v->total_count; i++) {
        const struct agg_value *total = &v->totals[i];
        v->normals =
            mem_array_zeroed(v->normals, &v->normal_capacity, v->ranks.count, sizeof *v->normals);
        if (total->levels != 0)
            continue;
        v->normals[total->rank - 1].has_values = true;
        agg_amount_add(&v->normals[total->rank - 1].total, &total->amount);
    }
}

static struct rank rank_at(const struct agg_values *v, uint32_t number)
{
    struct rank rank;
    memcpy(&rank, intern_get(&v->ranks, number).p, sizeof rank);
    return rank;
}

/* Greatest common divisor of X and Y, which are above 0. */
static int64_t common_divisor(int64_t x, int64_t y)
{
    while (y != 0) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* Finds the ratio of the units of RANK and OF, a type of the first source with the same name: *IN
 * units of RANK are *OUT of OF. False if they do not convert. Samples are compared by the time they
 * stand for. */
static bool compare_units(const struct agg_values *v, struct rank rank, struct rank of, int64_t *in,
                          int64_t *out)
{
    const struct value_types *types = &v->flow->types;
    struct str unit = value_types_get(types, rank.type)->unit;
    struct str first = value_types_get(types, of.type)->unit;
    const struct derive_time *times = v->derive->times;
    if (rank.type == v->derive->counts && of.type == v->derive->counts && rank.source > 0 &&
        times[rank.source - 1].type != 0 &&
        times[rank.source - 1].type == times[of.source - 1].type) {
        int64_t a = times[of.source - 1].period, b = times[rank.source - 1].period;
        int64_t divisor = common_divisor(a, b);
        *in = a / divisor;
        *out = b / divisor;
        return true;
    }
    *in = units_in(first, unit);
    *out = *in != 0 ? 1 : units_in(unit, first);
    *in = *in != 0 ? *in : 1;
    return *out != 0;
}

/* Computes the factor for values of RANK from OF, a type of the first source with the same name;
 * false if there is none. */
static bool normalize(struct agg_values *v, uint32_t rank, uint32_t of)
{
    int64_t in, out;
    return compare_units(v, rank_at(v, rank), rank_at(v, of), &in, &out) &&
           agg_normal_finish(&v->normals[rank - 1], &v->normals[of - 1].total, in, out);
}

/* The types of the first source: ranks by type - 1, and by name - 1; 0: none. */
struct firsts {
    uint32_t *of_type, *of_name;
    size_t type_capacity, name_capacity;
};

static struct firsts find_firsts(const struct agg_values *v)
{
    struct firsts f = {0};
    for (uint32_t i = 1; i <= v->ranks.count; i++) {
        struct rank rank = rank_at(v, i);
        uint32_t name = value_types_get(&v->flow->types, rank.type)->name;
        f.of_type = mem_array_zeroed(f.of_type, &f.type_capacity, rank.type, sizeof *f.of_type);
        f.of_name = mem_array_zeroed(f.of_name, &f.name_capacity, name, sizeof *f.of_name);
        if (rank.source != 1)
            continue;
        f.of_type[rank.type - 1] = i;
        uint32_t known = f.of_name[name - 1];
        if (known == 0 || !v->normals[known - 1].has_values)
            f.of_name[name - 1] = i;
    }
    return f;
}

void agg_values_normalize(struct agg_values *v)
{
    size_t failed = 0;
    const struct value_type *type = NULL;
    v->normals =
        mem_array_zeroed(v->normals, &v->normal_capacity, v->ranks.count + 1, sizeof *v->normals);
    struct firsts first = find_firsts(v);
    for (uint32_t i = 1; i <= v->ranks.count; i++) {
        struct rank rank = rank_at(v, i);
        const struct value_type *t = value_types_get(&v->flow->types, rank.type);
        uint32_t of = first.of_type[rank.type - 1];
        if (of == 0 || !v->normals[of - 1].has_values)
            of = first.of_name[t->name - 1];
        if (!v->normals[i - 1].has_values || (of != 0 && normalize(v, i, of)))
            continue;
        failed++;
        type = t;
    }
    if (failed > 0)
        warn(CODE_UNSAFE_COMPARISON,
             "--normalize: %zu of the totals stay as they are, such as one of \"%.*s\": no factor "
             "makes "
             "them those of the first source",
             failed, STR_ARG(type->type));
    mem_free(first.of_type);
    mem_free(first.of_name);
}

/* --- results --- */

static int by_rank(const void *a, const void *b)
{
    const struct agg_value *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void sort_totals(struct agg_values *v)
{
    for (size_t i = 1; i < v->total_count; i++)
        if (v->totals[i - 1].rank > v->totals[i].rank) {
            order_items(v->totals, v->total_count, sizeof *v->totals, by_rank);
            return;
        }
}

/* The factor for values of type NUMBER, or NULL. */
static struct agg_scale *scale_of(const struct agg_values *v, uint32_t number)
{
    struct str type = value_types_get(&v->flow->types, number)->type;
    for (size_t i = 0; i < v->scale_count; i++)
        if (str_equal(v->scales[i].type, type))
            return &v->scales[i];
    return NULL;
}

/* Sets *X to TOTAL, scaled with its source; false if it is too large. */
static bool normalized(struct agg_values *v, const struct agg_value *total, struct decimal *x)
{
    struct agg_normal as_it_is = {0}, *normal = &as_it_is;
    bool is_rounded;
    if (v->normals != NULL && total->levels == 0)
        normal = &v->normals[total->rank - 1];
    bool fits = agg_normal_apply(normal, &total->amount, x, &is_rounded);
    if (is_rounded)
        loss_add(LOSS_FRACTIONS, value_types_get(&v->flow->types, total->type)->type, 1);
    return fits;
}

/* Sets *TO to the result for TOTAL. The text of a real is an offset in v->text for now. False if it
 * does not fit. */
static bool result_of(struct agg_values *v, const struct agg_value *total, struct number *to)
{
    struct agg_scale *scale = scale_of(v, total->type);
    struct decimal x;
    *to = number_of(0);
    if (scale == NULL && v->normals == NULL && !total->amount.has_reals && total->levels == 0)
        return wide_fits(total->amount.integers, &to->integer);
    if (!normalized(v, total, &x))
        return false;
    bool is_whole = !total->amount.has_reals && (scale == NULL || scale->factor.exponent >= 0);
    if (total->levels > 1)
        x = decimal_divide(x, wide_of_unsigned(total->levels));
    if (scale != NULL) {
        scale->is_used = true;
        x = decimal_multiply(x, scale->factor);
    }
    if (decimal_is_integer(x, &to->integer))
        return true;
    *to = (struct number){.kind = NUMBER_REAL, .integer = (int64_t)v->text.n};
    return !(is_whole && x.exponent >= 0) && decimal_write_real(&v->text, x);
}

/* Whether sample ID already has a value of a type with the same name as TYPE; marks it as having
 * one. */
static bool has_name(struct agg_values *v, int64_t id, uint32_t type)
{
    uint32_t name = value_types_get(&v->flow->types, type)->name;
    v->last_samples =
        mem_array_zeroed(v->last_samples, &v->name_capacity, name, sizeof *v->last_samples);
    if (v->last_samples[name - 1] == id)
        return true;
    v->last_samples[name - 1] = id;
    return false;
}

bool agg_values_take(struct agg_values *v, struct sample *sample, uint32_t *type)
{
    size_t left = 0;
    sort_totals(v);
    v->text.n = 0;
    v->values = mem_array(v->values, &v->value_capacity, v->total_count, sizeof *v->values);
    sample->value_count = 0;
    for (size_t i = 0; i < v->total_count; i++) {
        const struct agg_value total = v->totals[i];
        if (total.type == v->dropped)
            continue;
        if (has_name(v, sample->sample_id, total.type)) {
            v->totals[left++] = total;
            continue;
        }
        struct sample_value *value = &v->values[sample->value_count++];
        *value = (struct sample_value){.type = *type = total.type, .extra = STR("")};
        if (!result_of(v, &total, &value->value))
            return false;
    }
    v->total_count = left;
    for (size_t i = 0; i < sample->value_count; i++) {
        struct number *n = &v->values[i].value;
        if (n->kind == NUMBER_REAL)
            n->real = str_of(v->text.p + n->integer);
    }
    sample->values = v->values;
    return true;
}

void agg_values_free(struct agg_values *v)
{
    intern_free(&v->ranks);
    intern_free(&v->columns);
    intern_free(&v->cells);
    mem_free(v->gauges);
    mem_free(v->normals);
    mem_free(v->types);
    mem_free(v->parts);
    mem_free(v->levels);
    mem_free(v->totals);
    mem_free(v->positions);
    mem_free(v->last_samples);
    mem_free(v->values);
    buf_free(&v->text);
}

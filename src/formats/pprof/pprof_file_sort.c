/* The order of things in a pprof file, and their new numbers. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/pprof/pprof_file.h"

/* The new order of items 1..n of one kind, and its inverse. */
struct order {
    uint32_t *old; /* old[i] is the old number of item i + 1 */
    uint32_t *new; /* new[n] is the new number of old number n; new[0] is 0 */
};

typedef int comparison(const void *a, const void *b, void *file);

static struct order order_of(size_t count, comparison *compare, struct pprof_file *f)
{
    struct order o = {mem_alloc((count + 1) * sizeof *o.old),
                      mem_alloc((count + 1) * sizeof *o.new)};
    for (size_t i = 0; i < count; i++)
        o.old[i] = (uint32_t)i + 1;
    order_items_with(o.old, count, sizeof *o.old, compare, f);
    o.new[0] = 0;
    for (size_t i = 0; i < count; i++)
        o.new[o.old[i]] = (uint32_t)i + 1;
    return o;
}

/* Reorders ARRAY, COUNT items of SIZE bytes, by O. */
static void permute(void *array, size_t count, size_t size, const struct order *o)
{
    if (count == 0)
        return;
    char *copy = mem_alloc(count * size);
    memcpy(copy, array, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)array + i * size, copy + (o->old[i] - 1) * size, size);
    mem_free(copy);
}

static void free_order(struct order *o)
{
    mem_free(o->old);
    mem_free(o->new);
}

static int order_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static uint32_t number_at(const void *p)
{
    return *(const uint32_t *)p;
}

static int by_number(const void *a, const void *b, void *unused)
{
    (void)unused;
    return order_numbers(number_at(a), number_at(b));
}

static int by_unknown(const void *a, const void *b, void *file)
{
    const struct pprof_file *f = file;
    return str_compare(intern_get(&f->unknown, number_at(a)),
                       intern_get(&f->unknown, number_at(b)));
}

static int by_bytes(const void *a, const void *b, void *file)
{
    const struct pprof_file *f = file;
    return str_compare(intern_get(&f->profile.strings, number_at(a)),
                       intern_get(&f->profile.strings, number_at(b)));
}

/* Returns at the first difference. */
#define COMPARE(field)                                                                             \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

/* By name, which is unique; but pprof shows the last type first. */
static int by_type(const void *a, const void *b, void *file)
{
    const struct pprof_file *f = file;
    size_t x = number_at(a) - 1, y = number_at(b) - 1;
    if ((x == f->shown) != (y == f->shown))
        return x == f->shown ? 1 : -1;
    return order_numbers(f->types[x].type, f->types[y].type);
}

static int by_mapping(const void *a, const void *b, void *file)
{
    const struct pprof_mapping *x = pprof_mapping(file, number_at(a));
    const struct pprof_mapping *y = pprof_mapping(file, number_at(b));
    COMPARE(filename);
    COMPARE(build_id);
    COMPARE(memory_start);
    COMPARE(memory_limit);
    COMPARE(file_offset);
    COMPARE(has_functions);
    COMPARE(has_filenames);
    COMPARE(has_line_numbers);
    COMPARE(has_inline_frames);
    COMPARE(unknown);
    return 0;
}

static int by_function(const void *a, const void *b, void *file)
{
    const struct pprof_function *x = pprof_function(file, number_at(a));
    const struct pprof_function *y = pprof_function(file, number_at(b));
    COMPARE(name);
    COMPARE(system_name);
    COMPARE(filename);
    COMPARE(start_line);
    COMPARE(unknown);
    return 0;
}

static int by_line(const struct pprof_line *x, const struct pprof_line *y)
{
    COMPARE(function);
    COMPARE(line);
    COMPARE(column);
    COMPARE(unknown);
    return 0;
}

static int by_location(const void *a, const void *b, void *file)
{
    const struct pprof_location *x = pprof_location(file, number_at(a));
    const struct pprof_location *y = pprof_location(file, number_at(b));
    for (uint32_t i = 0; i < x->line_count && i < y->line_count; i++) {
        int order = by_line(&x->lines[i], &y->lines[i]);
        if (order != 0)
            return order;
    }
    COMPARE(line_count);
    COMPARE(mapping);
    COMPARE(address);
    COMPARE(has_address);
    COMPARE(is_folded);
    COMPARE(unknown);
    return 0;
}

static int by_labels(const void *a, const void *b, void *file)
{
    const struct pprof_file *f = file;
    size_t m, n;
    const struct label *x = labels_get(&f->profile.labels, number_at(a), &m);
    const struct label *y = labels_get(&f->profile.labels, number_at(b), &n);
    for (size_t i = 0; i < m && i < n; i++) {
        int order = labels_compare(&x[i], &y[i]);
        if (order != 0)
            return order;
    }
    return order_numbers((int64_t)m, (int64_t)n);
}

/* By stack in their new numbers, then by labels. */
static int by_stack(const void *a, const void *b, void *file)
{
    const struct pprof_file *f = file;
    struct stacks_stack x = stacks_at(&f->profile.stacks, number_at(a));
    struct stacks_stack y = stacks_at(&f->profile.stacks, number_at(b));
    for (size_t i = 0; i < x.depth && i < y.depth; i++) {
        uint32_t m = stacks_frame(&x, i), n = stacks_frame(&y, i);
        if (m != n)
            return order_numbers(f->order->locations[m], f->order->locations[n]);
    }
    return x.depth != y.depth
               ? order_numbers((int64_t)x.depth, (int64_t)y.depth)
               : order_numbers(f->order->labels[x.labels], f->order->labels[y.labels]);
}

/* Reorders the items of T by O. Nothing is looked up in T any more, so its items may be changed in
 * place. */
static void permute_interned(struct intern *t, const struct order *o)
{
    permute(t->strings, t->count, sizeof *t->strings, o);
}

/* --- strings and unknown fields, to which everything else refers --- */

/* New numbers of strings and unknown fields, by old number. */
struct renumbering {
    const uint32_t *strings, *unknown;
    bool *used; /* by old number: whether the string is in use; may be NULL */
};

static string_id new_string(const struct renumbering *to, string_id id)
{
    if (to->used != NULL)
        to->used[id] = true;
    return to->strings[id];
}

static void renumber_labels(struct pprof_file *f, const struct renumbering *to)
{
    for (uint32_t i = 1; i <= f->profile.labels.sets.count; i++) {
        size_t count;
        struct label *labels = labels_get(&f->profile.labels, i, &count);
        for (size_t j = 0; j < count; j++) {
            if (labels[j].key != LABELS_NO_KEY)
                labels[j].key = new_string(to, labels[j].key);
            labels[j].string = new_string(to, labels[j].string);
            labels[j].unit = new_string(to, labels[j].unit);
            labels[j].other = to->unknown[labels[j].other];
        }
    }
}

static void renumber_places(struct pprof_file *f, const struct renumbering *to)
{
    for (uint32_t i = 1; i <= f->functions.count; i++) {
        struct pprof_function *x = pprof_function(f, i);
        x->name = new_string(to, x->name);
        x->system_name = new_string(to, x->system_name);
        x->filename = new_string(to, x->filename);
        x->unknown = to->unknown[x->unknown];
    }
    for (uint32_t i = 1; i <= f->locations.count; i++) {
        struct pprof_location *x = pprof_location(f, i);
        x->unknown = to->unknown[x->unknown];
        for (uint32_t j = 0; j < x->line_count; j++)
            x->lines[j].unknown = to->unknown[x->lines[j].unknown];
    }
    for (uint32_t i = 1; i <= f->mapping_count; i++) {
        struct pprof_mapping *x = pprof_mapping(f, i);
        x->filename = new_string(to, x->filename);
        x->build_id = new_string(to, x->build_id);
        x->unknown = to->unknown[x->unknown];
    }
}

/* Replaces all old numbers by new ones. */
static void renumber(struct pprof_file *f, const struct renumbering *to)
{
    renumber_labels(f, to);
    renumber_places(f, to);
    for (size_t i = 0; i < f->type_count; i++) {
        f->types[i].type = new_string(to, f->types[i].type);
        f->types[i].unit = new_string(to, f->types[i].unit);
        f->types[i].unknown = to->unknown[f->types[i].unknown];
    }
    for (size_t i = 0; i < f->comment_count; i++)
        f->comments[i] = new_string(to, f->comments[i]);
    string_id *singles[] = {&f->period_type, &f->period_unit, &f->default_type,
                            &f->drop_frames, &f->keep_frames, &f->doc_url};
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        *singles[i] = new_string(to, *singles[i]);
    f->period_unknown = to->unknown[f->period_unknown];
}

void pprof_drop_strings(struct pprof_file *f)
{
    size_t strings = (size_t)f->profile.strings.count + 1, unknown = (size_t)f->unknown.count + 1;
    uint32_t *new = mem_alloc(strings * sizeof *new), *same = mem_alloc(unknown * sizeof *same);
    bool *used = mem_alloc_zeroed(strings * sizeof *used);
    for (uint32_t i = 0; i < strings; i++)
        new[i] = i;
    for (uint32_t i = 0; i < unknown; i++)
        same[i] = i;
    renumber(f, &(struct renumbering){.strings = new, .unknown = same, .used = used});
    uint32_t count = 0;
    for (uint32_t i = 1; i < strings; i++) {
        if (!used[i])
            continue;
        f->profile.strings.strings[count] = intern_get(&f->profile.strings, i);
        new[i] = ++count;
    }
    f->profile.strings.count = count;
    renumber(f, &(struct renumbering){.strings = new, .unknown = same});
    mem_free(new);
    mem_free(same);
    mem_free(used);
}

static void sort_bytes(struct pprof_file *f)
{
    struct order o = order_of(f->profile.strings.count, by_bytes, f);
    struct order u = order_of(f->unknown.count, by_unknown, f);
    permute_interned(&f->profile.strings, &o);
    permute_interned(&f->unknown, &u);
    renumber(f, &(struct renumbering){.strings = o.new, .unknown = u.new});
    for (uint32_t i = 1; i <= f->profile.labels.sets.count; i++) {
        size_t count;
        struct label *labels = labels_get(&f->profile.labels, i, &count);
        order_items(labels, count, sizeof *labels, labels_compare);
    }
    order_items_with(f->comments, f->comment_count, sizeof *f->comments, by_number, NULL);
    free_order(&o);
    free_order(&u);
}

/* --- everything else --- */

static void sort_types(struct pprof_file *f)
{
    struct order o = order_of(f->type_count, by_type, f);
    permute(f->types, f->type_count, sizeof *f->types, &o);
    for (size_t i = 0; i < f->factor_count; i++)
        f->factors[i].type = o.new[f->factors[i].type + 1] - 1;
    free_order(&o);
}

/* Sorts the stacks, after labels and locations have been given new orders. Takes ownership of the
 * inverse orders. */
static void sort_stacks(struct pprof_file *f, const struct order *labels,
                        const struct order *locations)
{
    f->order = mem_alloc(sizeof *f->order);
    *f->order = (struct pprof_order){
        .stacks = mem_alloc((f->profile.stacks.count + 1) * sizeof *f->order->stacks),
        .locations = locations->new,
        .labels = labels->new,
    };
    struct stacks_pass pass = {0};
    for (uint32_t i = 0; stacks_next(&f->profile.stacks, &pass, &f->order->stacks[i]); i++)
        ;
    order_items_with(f->order->stacks, f->profile.stacks.count, sizeof *f->order->stacks, by_stack,
                     f);
}

void pprof_sort(struct pprof_file *f)
{
    sort_bytes(f);
    if (!f->types_sorted)
        sort_types(f);

    struct order mappings = order_of(f->mapping_count, by_mapping, f);
    permute(f->mappings, f->mapping_count, sizeof *f->mappings, &mappings);
    struct order functions = order_of(f->functions.count, by_function, f);
    permute_interned(&f->functions, &functions);
    for (uint32_t i = 1; i <= f->locations.count; i++) {
        struct pprof_location *l = pprof_location(f, i);
        l->mapping = mappings.new[l->mapping];
        for (uint32_t j = 0; j < l->line_count; j++)
            l->lines[j].function = functions.new[l->lines[j].function];
    }
    free_order(&mappings);
    free_order(&functions);

    struct order labels = order_of(f->profile.labels.sets.count, by_labels, f);
    permute_interned(&f->profile.labels.sets, &labels);
    struct order locations = order_of(f->locations.count, by_location, f);
    permute_interned(&f->locations, &locations);
    sort_stacks(f, &labels, &locations);
    mem_free(labels.old);
    mem_free(locations.old);
}

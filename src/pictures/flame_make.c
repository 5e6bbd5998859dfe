/* Makes sorted stacks from what was collected. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "pictures/flame_labels.h"
#include "pictures/flame_parts.h"
#include "rows/loss.h"

/* --- types --- */

/* Types being made. Types with the same name and convertible units are one. */
struct typer {
    struct flame *f;
    size_t capacity; /* of the types of the flame */
    struct intern kinds;
    uint32_t *type_of; /* by number of the kind - 1 */
    size_t kind_capacity;
    struct buf kind;
};

static size_t add_type(struct typer *t, struct str type, struct str unit)
{
    struct flame *f = t->f;
    f->types = mem_array(f->types, &t->capacity, f->type_count + 1, sizeof *f->types);
    f->types[f->type_count] = (struct flame_type){.type = type, .unit = unit};
    return f->type_count++;
}

/* Not a type: there are too many. */
#define NO_TYPE UINT32_MAX

/* Adds V as a type; there is always room for the shown type. */
static uint32_t add_other_type(struct typer *t, const struct value_type *v)
{
    if (t->f->type_count + (t->f->shown == SIZE_MAX) < LIMITS_PICTURE_TYPES)
        return (uint32_t)add_type(t, v->type, v->unit);
    loss_add(LOSS_TYPES, v->type, 1);
    return NO_TYPE;
}

/* The type that values of V are added to, in the finest unit so far; a new type if there is
 * none. */
static uint32_t join_type(struct typer *t, const struct value_type *v)
{
    uint32_t name = v->name;
    bool is_new;
    t->kind.n = 0;
    buf_add(&t->kind, (struct str){(char *)&name, sizeof name});
    buf_add(&t->kind, units_finest(v->unit));
    uint32_t kind = intern_add(&t->kinds, buf_str(&t->kind), &is_new);
    if (is_new) {
        t->type_of = mem_array(t->type_of, &t->kind_capacity, kind, sizeof *t->type_of);
        t->type_of[kind - 1] = add_other_type(t, v);
    }
    if (t->type_of[kind - 1] == NO_TYPE)
        return NO_TYPE;
    struct flame_type *type = &t->f->types[t->type_of[kind - 1]];
    if (units_in(v->unit, type->unit) == 0)
        type->unit = v->unit;
    return t->type_of[kind - 1];
}

/* After types have their units: sets how many of these units one value of each column is. */
static void scale_columns(struct flame *f, const struct choice *choice)
{
    for (size_t i = 0; i < f->column_count; i++) {
        struct flame_column *column = &f->columns[i];
        if (choice->types[i].is_used && choice->types[i].times == 0 && column->type != NO_TYPE)
            column->times = units_in(value_types_get(choice->names, (uint32_t)i + 1)->unit,
                                     f->types[column->type].unit);
    }
}

/* Makes the types: those with the same name and convertible units become one. The shown type is
 * what the choice has merged. */
static void make_types(struct flame *f)
{
    const struct choice *choice = &f->sides->collect.choice;
    struct typer typer = {.f = f};
    f->column_count = choice->type_capacity;
    f->columns = mem_alloc_zeroed((f->column_count + 1) * sizeof *f->columns);
    f->shown = SIZE_MAX;
    for (size_t i = 0; i < f->column_count; i++) {
        const struct choice_type *chosen = &choice->types[i];
        if (!chosen->is_used)
            continue;
        const struct value_type *t = value_types_get(choice->names, (uint32_t)i + 1);
        if (chosen->times != 0 && f->shown == SIZE_MAX)
            f->shown = add_type(&typer, t->type, choice->unit);
        uint32_t at = chosen->times != 0 ? (uint32_t)f->shown : join_type(&typer, t);
        f->columns[i] = (struct flame_column){at, chosen->times};
    }
    scale_columns(f, choice);
    intern_free(&typer.kinds);
    mem_free(typer.type_of);
    buf_free(&typer.kind);
}

/* --- frames --- */

static int compare_frames(const void *a, const void *b)
{
    const struct flame_frame *x = a, *y = b;
    int order = str_compare(x->name, y->name);
    if (order == 0)
        order = str_compare(x->file, y->file);
    if (order == 0 && x->line != y->line)
        order = x->line < y->line ? -1 : 1;
    return order != 0 ? order : (x->entry > y->entry) - (x->entry < y->entry);
}

/* Makes the frames of the collected entries, and one for pruned frames. Returns the frame of each
 * entry, by entry; the caller frees it. */
static uint32_t *make_frames(struct flame *f, const struct flame_plan *plan)
{
    const struct collect *c = &f->sides->collect;
    size_t count = c->entries.count;
    uint32_t *frame_of = mem_alloc((count + 1) * sizeof *frame_of);
    f->frames = mem_alloc((count + 1) * sizeof *f->frames);
    for (uint32_t entry = 1; entry <= count; entry++) {
        struct collect_key key = collect_key_of(c, entry);
        f->frames[f->frame_count++] = (struct flame_frame){
            .name = profile_string_of(&c->profile, key.string),
            .file = profile_string_of(&c->profile, key.number),
            .package = profile_string_of(&c->profile, plan->packages[entry - 1]),
            .line = key.line,
            .entry = entry,
        };
    }
    if (plan->prune > 0)
        f->frames[f->frame_count++] =
            (struct flame_frame){.name = STR("(other)"), .file = STR(""), .package = STR("")};
    order_items(f->frames, f->frame_count, sizeof *f->frames, compare_frames);
    for (uint32_t i = 0; i < f->frame_count; i++) {
        frame_of[f->frames[i].entry] = i + 1;
        if (f->frames[i].entry == 0)
            f->other = i + 1;
    }
    return frame_of;
}

/* --- stacks --- */

/* Makes a path for each collected stack. FRAME_OF is the frame of each entry, by number - 1, SET_OF is
 * from flame_labels_make. */
static void make_paths(struct flame *f, const uint32_t *frame_of, const uint32_t *set_of,
                       bool is_inverted)
{
    const struct stacks *stacks = &f->sides->collect.profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset offset;
    size_t total = 0, room = 0;
    while (stacks_next(stacks, &pass, &offset))
        total += stacks_at(stacks, offset).depth;
    f->record_count = stacks->count;
    f->paths = mem_array(NULL, &room, total + 2, sizeof *f->paths);
    f->records = mem_alloc((f->record_count + 1) * sizeof *f->records);
    pass = (struct stacks_pass){0};
    total = 0;
    while (stacks_next(stacks, &pass, &offset)) {
        struct stacks_stack stack = stacks_at(stacks, offset);
        uint32_t *to = f->paths + total;
        for (size_t i = 0; i < stack.depth; i++)
            to[is_inverted ? i : stack.depth - 1 - i] = frame_of[stacks_frame(&stack, i)];
        f->records[stack.number] = (struct flame_path){
            .begin = total, .depth = (uint32_t)stack.depth, .set = set_of[stack.labels]};
        total += stack.depth;
    }
}

static uint32_t count_shared(const struct flame *f, const struct flame_path *x,
                             const struct flame_path *y)
{
    const uint32_t *a = f->paths + x->begin, *b = f->paths + y->begin;
    uint32_t n = 0, max = x->depth < y->depth ? x->depth : y->depth;
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* Adds the stack or cell that begins with record I of the order, if one does. */
static void add_record(struct flame *f, size_t i)
{
    const struct flame_path *path = &f->records[f->order[i]];
    const struct flame_path *before = i == 0 ? NULL : &f->records[f->order[i - 1]];
    uint32_t shared = before == NULL ? 0 : count_shared(f, before, path);
    bool is_same = before != NULL && shared == path->depth && shared == before->depth;
    if (is_same && path->set == before->set)
        return;
    if (!is_same)
        f->stacks[f->stack_count++] =
            (struct flame_stack){path->begin, path->depth, shared, (uint32_t)f->cell_count};
    struct collect_set set;
    memcpy(&set, intern_get(&f->sets, path->set).p, sizeof set);
    f->cells[f->cell_count++] = (struct flame_cell){(uint32_t)i, set.run, set.labels};
    f->depth = path->depth > f->depth ? path->depth : f->depth;
}

void flame_parts_sort(struct flame *f)
{
    flame_sort(f->paths, f->records, f->order, f->record_count);
    f->stack_count = f->cell_count = f->depth = 0;
    for (size_t i = 0; i < f->record_count; i++)
        add_record(f, i);
    f->stacks[f->stack_count] = (struct flame_stack){.cell = (uint32_t)f->cell_count};
    f->cells[f->cell_count] = (struct flame_cell){.first = (uint32_t)f->record_count};
}

/* --- sums --- */

bool flame_parts_is_new(const struct flame *f, const struct flame_cell *cell)
{
    return !f->has_base || f->sides->runs[cell->source - 1].is_new;
}

void flame_parts_sum(struct flame_values *v, size_t stack, int64_t by_side[FLAME_SIDES])
{
    const struct flame *f = v->f;
    struct amount totals[FLAME_SIDES] = {0};
    for (size_t i = f->stacks[stack].cell; i < f->stacks[stack + 1].cell; i++)
        flame_values_add_cell(v, &f->cells[i], &totals[flame_parts_is_new(f, &f->cells[i])]);
    for (int side = 0; side < FLAME_SIDES; side++)
        by_side[side] = flame_values_finish(v, &totals[side]);
}

/* Computes the value of a stack for the shown type on each side. */
static void weigh(struct flame *f, struct flame_values *shown, size_t stack)
{
    int64_t sums[FLAME_SIDES];
    flame_parts_sum(shown, stack, sums);
    for (int side = !f->has_base; side < FLAME_SIDES; side++) {
        f->below += sums[side] < 0;
        f->weights[side][stack] = sums[side] < 0 ? 0 : sums[side];
        wide_add_to(&f->all[side], f->weights[side][stack]);
    }
}

/* Finds the power of ten of the sums of each type. */
static void find_powers(struct flame *f)
{
    struct flame_values values = flame_values_of(f);
    if (f->sides->collect.digits.keys.count == 0)
        return;
    flame_values_open(&values);
    for (size_t type = 0; type < f->type_count; type++) {
        struct amount_grid grid = {0};
        flame_values_begin(&values, type);
        for (size_t i = 0; i < f->record_count; i++) {
            struct amount amount = {0};
            flame_values_add(&values, i, &amount);
            amount_note(&grid, &amount);
        }
        f->types[type].power = amount_power(&grid);
    }
    flame_values_free(&values);
}

void flame_parts_weigh(struct flame *f)
{
    struct flame_values shown = flame_values_of(f);
    for (int side = !f->has_base; side < FLAME_SIDES; side++) {
        mem_free(f->weights[side]);
        f->weights[side] = mem_alloc_zeroed((f->stack_count + 1) * sizeof *f->weights[side]);
        f->all[side] = wide_of(0);
    }
    f->below = 0;
    flame_values_begin(&shown, f->shown);
    for (size_t i = 0; f->shown != SIZE_MAX && i < f->stack_count; i++)
        weigh(f, &shown, i);
}

/* --- tests --- */

/* Sets the result of the test for each frame, if there are enough runs. */
static void make_tests(struct flame *f)
{
    f->tests = mem_alloc_zeroed(f->frame_count + 1);
    if (!f->has_base || !sides_can_test(f->sides))
        return;
    struct sides_verdict *verdicts = sides_judge(f->sides, true, true, SIDES_SHARE);
    for (size_t i = 0; i < f->frame_count; i++) {
        uint32_t entry = f->frames[i].entry;
        bool is_sure = entry != 0 && verdicts[entry - 1].q < SIDES_LEVEL; /* it may be NAN */
        f->tests[i] = is_sure ? FLAME_SIGNIFICANT : FLAME_NOISE;
    }
    mem_free(verdicts);
}

/* --- the whole --- */

static void turn(struct flame *f, const struct flame_path *path)
{
    uint32_t *first = f->paths + path->begin, *last = first + path->depth;
    while (first < last) {
        uint32_t frame = *first;
        *first++ = *--last;
        *last = frame;
    }
}

void flame_invert(struct flame *f)
{
    for (size_t i = 0; i < f->record_count; i++)
        turn(f, &f->records[i]);
    f->is_inverted = !f->is_inverted;
    flame_parts_sort(f);
    flame_parts_weigh(f);
}

void flame_make(struct flame *f, const struct sides *sides, bool has_base,
                const struct flame_plan *plan)
{
    f->sides = sides;
    f->has_base = has_base;
    f->is_inverted = plan->is_inverted;
    make_types(f);
    uint32_t *frame_of = make_frames(f, plan);
    uint32_t *set_of = flame_labels_make(f);
    make_paths(f, frame_of, set_of, plan->is_inverted);
    make_tests(f);
    mem_free(frame_of);
    mem_free(set_of);
    f->order = mem_alloc((f->record_count + 1) * sizeof *f->order);
    for (size_t i = 0; i < f->record_count; i++)
        f->order[i] = (uint32_t)i;
    f->stacks = mem_alloc((f->record_count + 1) * sizeof *f->stacks);
    f->cells = mem_alloc((f->record_count + 1) * sizeof *f->cells);
    flame_parts_sort(f);
    find_powers(f);
    if (plan->prune > 0)
        flame_parts_prune(f, plan->prune);
    flame_parts_weigh(f);
    if (f->below > 0)
        loss_add(LOSS_BELOW_ZERO, f->types[f->shown].type, f->below);
}

void flame_free(struct flame *f)
{
    labels_free(&f->labels);
    intern_free(&f->sets);
    mem_free(f->frames);
    mem_free(f->tests);
    mem_free(f->paths);
    mem_free(f->records);
    mem_free(f->order);
    mem_free(f->stacks);
    mem_free(f->cells);
    mem_free(f->types);
    mem_free(f->columns);
    for (int side = 0; side < FLAME_SIDES; side++)
        mem_free(f->weights[side]);
}

/* Samples and the steps of their stacks, which wait until the file ends. */
#include "base/mem.h"
#include "formats/legacy/legacy.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <math.h>

static uint32_t step_of(struct legacy *l, struct str key, uint64_t address)
{
    bool is_new;
    const uint32_t number = intern_add(&l->steps, key, &is_new);
    if (is_new) {
        l->step = mem_array(l->step, &l->step_capacity, number, sizeof *l->step);
        l->step[number - 1] = (struct legacy_step){.address = address};
    }
    return number;
}

static void add_step(struct legacy *l, uint32_t number)
{
    growth_check_depth(l->stack.n / sizeof number + 1, l->where);
    buf_add(&l->stack, (struct str){(const char *)&number, sizeof number});
}

void legacy_add_address(struct legacy *l, uint64_t address)
{
    add_step(l, step_of(l, (struct str){(const char *)&address, sizeof address}, address));
}

static uint32_t function_of(struct legacy *l, struct str name, struct str file)
{
    const uint32_t key[] = {intern_add(&l->texts, name, NULL), intern_add(&l->texts, file, NULL)};
    return intern_add(&l->functions, (struct str){(const char *)key, sizeof key}, NULL);
}

/* The frame that N names. */
static struct legacy_frame frame_of(struct legacy *l, const struct legacy_named *n)
{
    const uint32_t key[] = {n->name, n->file};
    return (struct legacy_frame){
        n->line, intern_add(&l->functions, (struct str){(const char *)key, sizeof key}, NULL), 0};
}

static void add_name(struct legacy *l, struct legacy_frame frame)
{
    l->frames = mem_array(l->frames, &l->frame_capacity, ++l->frame_count, sizeof *l->frames);
    l->frames[l->frame_count - 1] = frame;
}

/* Gives STEP its only frame, unless it has one. */
static void name(struct legacy *l, uint32_t step, struct legacy_frame frame)
{
    if (l->step[step - 1].frame_count > 0)
        return;
    l->step[step - 1].frame = l->frame_count;
    l->step[step - 1].frame_count = 1;
    add_name(l, frame);
}

void legacy_add_frame(struct legacy *l, struct str text, struct str file, int64_t line)
{
    const int64_t key[] = {function_of(l, text, file), line};
    const uint32_t number = step_of(l, (struct str){(const char *)key, sizeof key}, 0);
    name(l, number, (struct legacy_frame){line, (uint32_t)key[0], 0});
    add_step(l, number);
}

/* The number of the step ADDRESS; 0: no sample has it. */
static uint32_t find_step(const struct legacy *l, uint64_t address)
{
    return intern_find(&l->steps, (struct str){(const char *)&address, sizeof address});
}

void legacy_name(struct legacy *l, uint64_t address, struct str text, struct str file, int64_t line)
{
    const uint32_t number = find_step(l, address);
    if (number != 0)
        name(l, number, (struct legacy_frame){line, function_of(l, text, file), 0});
    else
        loss_add(LOSS_OWN, STR("names of addresses in no stack"), 1);
}

void legacy_name_step(struct legacy *l, uint64_t address, struct str text, struct str file,
                      int64_t line)
{
    l->named = mem_array(l->named, &l->named_capacity, ++l->named_count, sizeof *l->named);
    l->named[l->named_count - 1] = (struct legacy_named){
        address, line, intern_add(&l->texts, text, NULL), intern_add(&l->texts, file, NULL)};
}

/* Counts how often the last sample has each step, and how many lines name it. */
static void count_names(struct legacy *l)
{
    const uint32_t *stack = (const uint32_t *)(const void *)l->stack.p;
    for (size_t i = 0; i < l->stack.n / sizeof *stack; i++) {
        struct legacy_step *step = &l->step[stack[i] - 1];
        if (step->sample != l->sample_count)
            step->times = step->lines = 0;
        step->sample = l->sample_count;
        step->times++;
    }
    for (size_t i = 0; i < l->named_count; i++) {
        const uint32_t number = find_step(l, l->named[i].address);
        if (number != 0)
            l->step[number - 1].lines++;
    }
}

/* Gives steps of the last sample the names behind it.  Where a stack has a step as often as lines name it,
 * it is one that calls itself. */
static void take_names(struct legacy *l)
{
    count_names(l);
    for (size_t i = 0; i < l->named_count; i++) {
        const uint64_t address = l->named[i].address;
        const uint32_t number = find_step(l, address);
        struct legacy_step *step = number == 0 ? NULL : &l->step[number - 1];
        if (step == NULL || step->sample != l->sample_count || step->frame_count > 0) {
            if (step == NULL)
                loss_add(LOSS_OWN, STR("names of addresses in no stack"), 1);
            continue;
        }
        const size_t most = step->lines > step->times ? step->lines / step->times : 1;
        step->frame = l->frame_count;
        for (size_t k = i; k < l->named_count && k < i + most && l->named[k].address == address;
             k++) {
            add_name(l, frame_of(l, &l->named[k]));
            step->frame_count++;
        }
    }
    l->named_count = 0;
}

void legacy_finish_sample(struct legacy *l)
{
    if (l->sample_count == 0)
        return;
    struct legacy_record r = {
        .depth = l->stack.n / sizeof(uint32_t), .label_bytes = l->labels.n, .is_cut = l->is_cut};
    take_names(l);
    growth_hold(l->sink->flow, sizeof r + l->stack.n + l->labels.n);
    memcpy(r.values, l->values, sizeof r.values);
    spool_write(l->samples, (struct str){(const char *)&r, sizeof r});
    spool_write(l->samples, buf_str(&l->stack));
    spool_write(l->samples, buf_str(&l->labels));
    l->stack.n = l->labels.n = 0;
    l->is_cut = false;
}

void legacy_begin_sample(struct legacy *l, const int64_t values[LEGACY_VALUES])
{
    legacy_finish_sample(l);
    l->sample_count++;
    memcpy(l->values, values, sizeof l->values);
}

void legacy_label(struct legacy *l, struct str key, struct str text, int64_t number,
                  struct str unit)
{
    buf_add(&l->labels, l->labels.n > 0 ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(&l->labels, &l->text, key);
    if (text.p != NULL) {
        buf_add(&l->labels, STR(",\"str\":"));
        emit_inner_string(&l->labels, &l->text, text);
    } else {
        buf_add(&l->labels, STR(",\"num\":"));
        emit_number(&l->labels, number);
    }
    if (text.p == NULL && unit.n > 0) {
        buf_add(&l->labels, STR(",\"unit\":"));
        emit_inner_string(&l->labels, &l->text, unit);
    }
    buf_add(&l->labels, STR("}"));
}

void legacy_set_types(struct legacy *l, const struct legacy_type *types, size_t count)
{
    memcpy(l->types, types, count * sizeof *types);
    l->type_count = l->value_count = count;
}

struct str legacy_canonical(struct legacy *l, struct str bytes)
{
    l->text.n = 0;
    text_escape(&l->text, bytes);
    return arena_copy(&l->arena, buf_str(&l->text));
}

bool legacy_add_level(struct legacy *l, struct str name, struct str unit, int64_t value)
{
    for (size_t i = 0; i < l->type_count; i++)
        if (str_equal(l->types[i].name, name) && str_equal(l->types[i].unit, unit))
            return false;
    if (l->type_count == LEGACY_TYPES)
        return false;
    l->types[l->type_count++] = (struct legacy_type){name, unit, true, value};
    return true;
}

/* N times SCALE. */
static int64_t scaled(const struct legacy *l, int64_t n, double scale, bool is_rounded)
{
    const double product = (double)n * scale;
    const double result = is_rounded ? round(product) : trunc(product);
    if (!(fabs(result) < 0x1p63))
        die_at(l->where, "what these samples stand for does not fit into 64 bits");
    return (int64_t)result;
}

void legacy_unsample(const struct legacy *l, int64_t *count, int64_t *size, int64_t rate,
                     bool is_rounded)
{
    if (*count == 0 || *size == 0) {
        *count = *size = 0;
        return;
    }
    if (rate < 2)
        return;
    const double average = (double)*size / (double)*count;
    const double scale = 1 / (1 - exp(-average / (double)rate));
    *count = scaled(l, *count, scale, is_rounded);
    *size = scaled(l, *size, scale, is_rounded);
}

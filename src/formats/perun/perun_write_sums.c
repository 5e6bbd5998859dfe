/* Writes sums by stack as a file of Perun. */
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/perun/perun_write.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* A column of sums. */
struct column {
    uint32_t source, type;
};

/* --- samples --- */

/* Adds X, a value of TYPE in SOURCE, to the parts of the sample. */
static void add_part(struct perun_writer *w, uint32_t source, uint32_t type, struct decimal x)
{
    struct column column = {source, type};
    uint32_t number =
        intern_add(&w->kinds, (struct str){(const char *)&column, sizeof column}, NULL) - 1;
    w->parts =
        mem_array(w->parts, &w->part_capacity, w->part_count + AMOUNT_PARTS, sizeof *w->parts);
    w->part_count += amount_split(&w->digits, number, x, w->parts + w->part_count);
}

/* The same, and the time it stands for. */
static void add_value(struct perun_writer *w, uint32_t source, uint32_t type, struct decimal x)
{
    const struct choice_source *of = &w->choice.sources[source - 1];
    add_part(w, source, type, x);
    if (type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(x) == 0, 1);
    add_part(w, source, of->time, amount_times(x, of->period));
}

void perun_sums_take(struct perun_writer *w, struct sample *sample)
{
    struct decimal exact;
    w->part_count = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
        if (choice_admit(&w->choice, (size_t)sample->source_id, v, &exact, 1))
            add_value(w, (uint32_t)sample->source_id, v->type, exact);
    }
    if (w->part_count > 0)
        stacks_add(&w->profile.stacks, 0, w->stack, sample->depth, w->parts, w->part_count);
}

/* --- sums --- */

struct sum {
    struct amount amount;
    struct decimal value; /* the value of the sum */
};

struct summer {
    struct perun_writer *w;
    struct perun_printer *p;
    struct sum *sums; /* of the current stack, by source - 1 */
    uint32_t *there;  /* indexes of the THERE_COUNT sums in use, sorted */
    size_t there_count;
    uint64_t *counts; /* by number of a leaf (0: no stack): number of stacks with its key so far */
};

/* The sum of source number I, from 0; marks it as in use. */
static struct amount *sum_of(struct summer *s, uint32_t i)
{
    if (!s->sums[i].amount.is_there)
        s->there[s->there_count++] = i;
    return &s->sums[i].amount;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the sums in use. */
static void finish_sums(struct summer *s)
{
    order_items(s->there, s->there_count, sizeof *s->there, by_number);
    for (size_t i = 0; i < s->there_count; i++) {
        struct sum *sum = &s->sums[s->there[i]];
        int64_t integer;
        sum->value = amount_decimal(&sum->amount);
        if (decimal_sign(sum->amount.digits) == 0 &&
            !sums_total_fits(&sum->amount.integers, &integer))
            die(CODE_OVERFLOW, "the sum of \"%.*s\" in a stack does not fit 64 bits",
                STR_ARG(value_types_get(s->w->choice.names, s->w->choice.chosen)->type));
    }
}

/* Sets the sums to those of STACK; false if all its values are 0. */
static bool add_up(struct summer *s, const struct stacks_stack *stack)
{
    struct perun_writer *w = s->w;
    struct sums_walk walk = {.row = stack->number};
    struct sums_part part;
    for (size_t i = 0; i < s->there_count; i++)
        s->sums[s->there[i]] = (struct sum){0};
    s->there_count = 0;
    while (sums_next(&w->profile.stacks.sums, &walk, &part)) {
        struct column column;
        uint32_t number = amount_column(&w->digits, &part) + 1;
        memcpy(&column, intern_get(&w->kinds, number).p, sizeof column);
        int64_t times = w->choice.types[column.type - 1].times;
        if (times != 0)
            amount_add(sum_of(s, column.source - 1), &w->digits, &part, times);
    }
    finish_sums(s);
    return s->there_count > 0;
}

/* --- text --- */

/* Prints the bytes TEXT as a string. */
static void print_string(struct summer *s, struct str bytes)
{
    s->w->text.n = 0;
    perun_add_string(&s->w->text, bytes);
    perun_print(s->p, buf_str(&s->w->text));
}

/* The same of canonical text. */
static void print_text(struct summer *s, struct str text)
{
    s->w->scratch.n = 0;
    text_unescape(&s->w->scratch, text);
    print_string(s, buf_str(&s->w->scratch));
}

static void print_sum(struct summer *s, struct decimal sum)
{
    s->w->text.n = 0;
    decimal_write(&s->w->text, sum);
    perun_print(s->p, buf_str(&s->w->text));
}

/* The leaf of STACK, in quotes. */
static struct str quoted_leaf_of(const struct summer *s, const struct stacks_stack *stack)
{
    return stack->depth == 0 ? STR("\"[unknown]\"")
                             : intern_get(&s->w->frames, stacks_frame(stack, 0));
}

/* Prints the next key for the leaf of STACK, and a colon. */
static void print_key(struct summer *s, const struct stacks_stack *stack)
{
    struct str leaf = quoted_leaf_of(s, stack);
    struct buf *to = &s->w->text;
    uint64_t *count = &s->counts[stack->depth == 0 ? 0 : stacks_frame(stack, 0)];
    to->n = 0;
    buf_add(to, (struct str){leaf.p, leaf.n - 1});
    buf_add(to, STR("#"));
    emit_number(to, (int64_t)(*count)++);
    buf_add(to, STR("\":"));
    perun_print(s->p, buf_str(to));
}

/* Prints STACK as members of a resource. */
static void print_stack(struct summer *s, const struct stacks_stack *stack)
{
    perun_print(s->p, STR("\"uid\":"));
    perun_print(s->p, quoted_leaf_of(s, stack));
    perun_print(s->p, STR(",\"trace\":["));
    for (size_t i = stack->depth; i > 1; i--) {
        perun_print(s->p, i < stack->depth ? STR(",") : STR(""));
        perun_print(s->p, intern_get(&s->w->frames, stacks_frame(stack, i - 1)));
    }
    perun_print(s->p, STR("]"));
}

/* --- resources --- */

/* Prints the sums of a resource as a list. */
static void print_amounts(struct summer *s)
{
    perun_print(s->p, STR("{\"amount\":["));
    for (size_t i = 0; i < s->there_count; i++) {
        perun_print(s->p, i > 0 ? STR(",") : STR(""));
        print_sum(s, s->sums[s->there[i]].value);
    }
    perun_print(s->p, STR("]}"));
}

/* Prints an entry for each stack: its members if IS_TYPE, else its lists. */
static void print_entries(struct summer *s, bool is_type)
{
    const struct stacks *stacks = &s->w->profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset place;
    bool more = false;
    memset(s->counts, 0, ((size_t)s->w->frames.count + 1) * sizeof *s->counts);
    perun_print(s->p, is_type ? STR("\"resource_type_map\":{") : STR("\"resources\":{"));
    while (stacks_next(stacks, &pass, &place)) {
        struct stacks_stack stack = stacks_at(stacks, place);
        if (!add_up(s, &stack))
            continue;
        perun_print(s->p, more ? STR(",") : STR(""));
        more = true;
        print_key(s, &stack);
        if (is_type) {
            perun_print(s->p, STR("{"));
            print_stack(s, &stack);
            perun_print(s->p, STR("}"));
        } else {
            print_amounts(s);
        }
    }
    perun_print(s->p, STR("},"));
}

/* --- the header --- */

static bool is_samples(struct str type, struct str unit)
{
    return str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
}

/* Perun's word for values of TYPE in UNIT: samples are taken as time. */
static struct str file_kind_of(struct str type, struct str unit)
{
    return is_samples(type, unit)              ? STR("time")
           : units_nanoseconds(unit) != 0      ? STR("time")
           : units_in(unit, STR("bytes")) != 0 ? STR("memory")
                                               : STR("mixed");
}

/* The word for UNIT in Perun's files. */
static struct str word_of(struct str type, struct str unit)
{
    static const struct str words[] = {STR("ns"), STR("us"), STR("ms"), STR("s"), STR("B")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (units_in(unit, words[i]) == 1)
            return words[i];
    return is_samples(type, unit) ? STR("sample") : unit;
}

/* The string NAME of OBJECT in the original file; null p if the only source has no such file, or
 * there is no such string. */
static struct str own_string(const struct summer *s, struct str object, struct str name)
{
    struct str value = {NULL, 0}, text;
    if (s->w->profile.source_count == 1 && object.p != NULL)
        value = text_member(object, name);
    return value.p != NULL && text_is_string(value, &text) ? value : (struct str){NULL, 0};
}

/* Prints the member NAME: OPTION if given, else the value in OBJECT of the original file, else
 * USUAL. */
static void print_option(struct summer *s, struct str object, struct str name, const char *option,
                         const char *usual)
{
    struct str own = own_string(s, object, name);
    print_string(s, name);
    perun_print(s->p, STR(":"));
    if (option == NULL && own.p != NULL)
        perun_print(s->p, own);
    else
        print_string(s, str_of(option != NULL ? option : usual));
}

static void print_header(struct summer *s, struct str kind, struct str word)
{
    const struct perun_write_options *o = &s->w->options;
    struct str header = text_member(s->w->own.members, STR("header"));
    perun_print(s->p, STR("\"header\":{\"type\":"));
    print_text(s, kind);
    perun_print(s->p, STR(","));
    print_option(s, header, STR("cmd"), o->cmd, "unknown");
    perun_print(s->p, STR(","));
    print_option(s, header, STR("args"), o->args, "");
    perun_print(s->p, STR(","));
    print_option(s, header, STR("workload"), o->workload, "");
    perun_print(s->p, STR(",\"units\":{"));
    print_text(s, kind);
    perun_print(s->p, STR(":"));
    print_text(s, word);
    perun_print(s->p, STR("}},"));
}

static void print_file(struct summer *s, struct str type, struct str unit)
{
    static const char no_commit[] = "0000000000000000000000000000000000000000";
    const struct perun_write_options *o = &s->w->options;
    struct str kind = s->w->kind = file_kind_of(type, unit);
    perun_print(s->p, STR("{"));
    print_entries(s, false);
    print_entries(s, true);
    perun_print(s->p, STR("\"models\":[],"));
    if (!o->store)
        print_option(s, s->w->own.members, STR("origin"), o->origin, no_commit);
    perun_print(s->p, o->store ? STR("") : STR(","));
    print_header(s, kind, word_of(type, unit));
    perun_print(s->p, STR("\"machine\":{\"host\":\"unknown\"},\"collector_info\":{\"name\":"));
    perun_print(s->p, PERUN_OWN);
    perun_print(s->p, STR(",\"params\":{\"type\":"));
    print_text(s, type);
    perun_print(s->p, STR(",\"unit\":"));
    print_text(s, unit);
    /* Perun's index turns an empty list into one with an empty name, and such profiles are never
     * compared */
    perun_print(s->p, STR("}},\"postprocessors\":[{\"name\":"));
    perun_print(s->p, PERUN_OWN);
    perun_print(s->p, STR(",\"params\":{}}]}"));
}

void perun_sums_write(struct perun_writer *w, struct perun_printer *p)
{
    struct choice *c = &w->choice;
    struct str type = STR("samples"), unit = STR("count");
    stacks_finish(&w->profile.stacks);
    choice_finish(c);
    if (w->options.type == NULL && choice_is_time(c))
        choice_take_counts(c); /* if all samples stand for the same time; else use the time */
    choice_count_others(c);
    choice_warn(c);
    if (c->chosen != 0) {
        type = value_types_get(&w->sink.flow->types, c->chosen)->type;
        unit = c->unit;
    }
    struct summer s = {.w = w, .p = p};
    s.sums = mem_alloc_zeroed((w->profile.source_count + 1) * sizeof *s.sums);
    s.there = mem_alloc_zeroed((w->profile.source_count + 1) * sizeof *s.there);
    s.counts = mem_alloc_zeroed(((size_t)w->frames.count + 1) * sizeof *s.counts);
    print_file(&s, type, unit);
    mem_free(s.sums);
    mem_free(s.there);
    mem_free(s.counts);
}

#include "summary/collect.h"

#include "base/mem.h"
#include "base/units.h"
#include "profile/inclusive.h"
#include "profile/naming.h"

/* Names for a stack without an entry, for one without a frame, and for a frame of machine code that
 * has no line. */
#define NO_LOCATION STR("<no location>")
#define NO_STACK STR("<no stack>")
#define NO_LINE STR("<no line>")

/* The name for samples without a time. */
#define NO_TIME STR("<no time>")

/* --- entries --- */

static uint32_t entry_of(struct collect *c, struct collect_key key)
{
    return intern_add(&c->entries, (struct str){(const char *)&key, sizeof key}, NULL);
}

static uint32_t named(struct collect *c, struct str name)
{
    return entry_of(c, (struct collect_key){.string = profile_string(&c->profile, name)});
}

/* The name of the function of L, or a placeholder. */
static uint32_t function_name(struct collect *c, const struct profile_location *l)
{
    uint32_t name = l->function == 0 ? 0 : c->profile.functions[l->function - 1].name;
    if (name != 0 || !naming_is_toplevel(l))
        return name != 0 ? name : naming_stand_in(&c->profile, l);
    c->text.n = 0;
    naming_add_stand_in(&c->text, &c->profile, l);
    return profile_string(&c->profile, buf_str(&c->text));
}

/* The entry for the line of L in FILE; records its function. */
static uint32_t entry_of_line(struct collect *c, const struct profile_location *l, uint32_t file)
{
    bool is_new;
    uint32_t entry = entry_of(c, (struct collect_key){.string = file, .line = l->line});
    c->owners = mem_array_zeroed(c->owners, &c->owner_capacity, entry, sizeof *c->owners);
    if (naming_is_toplevel(l))
        return entry;
    uint32_t key[2] = {entry, function_name(c, l)};
    intern_add(&c->line_functions, (struct str){(const char *)key, sizeof key}, &is_new);
    struct collect_owner *owner = &c->owners[entry - 1];
    owner->others += is_new && owner->function != 0;
    if (owner->function == 0)
        owner->function = key[1];
    return entry;
}

/* The entry for the address of L, of code in FILE. */
static uint32_t entry_of_address(struct collect *c, const struct profile_location *l, uint32_t file)
{
    const struct collect_at at = {
        .address = l->address, .line = l->line > 0 ? l->line : 0, .file = file};
    const bool is_known = at.address != 0 || at.line != 0 || at.file != 0;
    const struct str bytes = {(const char *)&at, sizeof at};
    return entry_of(
        c, (struct collect_key){.string = function_name(c, l),
                                .number = is_known ? intern_add(&c->paths, bytes, NULL) : 0});
}

bool collect_is_of_samples(enum collect_by by)
{
    return by == COLLECT_BY_SOURCE || by == COLLECT_BY_LABEL || by == COLLECT_BY_STACK ||
           by == COLLECT_BY_TIME || by == COLLECT_BY_KEY || by == COLLECT_BY_ANY;
}

/* The entry of L by BY; 0: none, for code without a function, or without a line. */
static uint32_t entry_of_location(struct collect *c, enum collect_by by,
                                  const struct profile_location *l)
{
    uint32_t name, file = naming_file(&c->profile, l);
    switch (by) {
    case COLLECT_BY_LINE:
        if (l->line == ROW_NULL || l->line <= 0)
            return naming_mapped_file(&c->profile, l) == 0 ? 0 : named(c, NO_LINE);
        return entry_of_line(c, l, file);
    case COLLECT_BY_PACKAGE:
        name = naming_package(&c->profile, l);
        return name == 0 ? 0 : entry_of(c, (struct collect_key){.string = name});
    case COLLECT_BY_FILE:
        return file == 0 ? named(c, NAMING_UNKNOWN)
                         : entry_of(c, (struct collect_key){.string = file});
    case COLLECT_BY_MAPPING:
        name = naming_mapped_file(&c->profile, l);
        return name == 0 ? named(c, NAMING_UNKNOWN)
                         : entry_of(c, (struct collect_key){.string = name});
    case COLLECT_BY_ADDRESS: return entry_of_address(c, l, file);
    case COLLECT_BY_FILEFUNCTION:
        return naming_is_toplevel(l)
                   ? 0
                   : entry_of(c,
                              (struct collect_key){.string = function_name(c, l), .number = file});
    case COLLECT_BY_SOURCE_LINE:
        return entry_of(c, (struct collect_key){.string = function_name(c, l),
                                                .number = file,
                                                .line = l->line > 0 ? l->line : 0});
    case COLLECT_BY_SITE:
        return entry_of(
            c, (struct collect_key){.string = naming_is_toplevel(l) ? 0 : function_name(c, l),
                                    .number = file,
                                    .line = l->line > 0 ? l->line : 0});
    case COLLECT_BY_FRAME:
        return entry_of(c, (struct collect_key){.string = function_name(c, l),
                                                .number = file,
                                                .line = naming_start_line(&c->profile, l)});
    default:
        if (by == COLLECT_BY_GROUP && l->group != 0)
            return entry_of(c, (struct collect_key){.string = l->group});
        return naming_is_toplevel(l)
                   ? 0
                   : entry_of(c, (struct collect_key){.string = function_name(c, l)});
    }
}

/* The entry of the source OF. */
static uint32_t entry_of_source(struct collect *c, const struct profile_source *of)
{
    struct collect_key key = {0};
    key.string = naming_source(&c->names, &c->profile, of, &key.number);
    return entry_of(c, key);
}

/* The entry of a sample with the dotted columns EXTRA: the values of LABEL, joined. */
static uint32_t entry_of_label(struct collect *c, struct label_key *label, struct str extra)
{
    c->text.n = 0;
    const struct str labels = profile_labels(&c->profile, extra, c->flow->where);
    return label_key_add(label, &c->profile, labels, &c->text) ? named(c, buf_str(&c->text)) : 0;
}

/* The entry of the interval in which the current sample was taken. */
static uint32_t entry_of_time(struct collect *c)
{
    const int64_t span = c->time_level->span, rest = c->time % span;
    struct collect_key key = {0};
    if (!c->has_time)
        return named(c, NO_TIME);
    c->found_time = true;
    /* the largest and the smallest stand for all that is beyond */
    if (c->time == INT64_MAX || c->time == INT64_MIN ||
        __builtin_sub_overflow(c->time, rest < 0 ? rest + span : rest, &key.line))
        die_as(CODE_OVERFLOW, c->flow->where,
               "--by: samples of one source are further apart than 64 bits of nanoseconds");
    return entry_of(c, key);
}

/* --- levels --- */

/* The entry that stands for the COUNT entries ITEMS. */
static uint32_t entry_of_items(struct collect *c, const uint32_t *items, size_t count)
{
    const struct str path = {(const char *)items, count * sizeof *items};
    return entry_of(c, (struct collect_key){.number = intern_add(&c->paths, path, NULL)});
}

/* Notes that ENTRY, if it is not 0, stands for the frame L, too. Returns ENTRY. */
static uint32_t join(struct collect *c, uint32_t entry, const struct profile_location *l)
{
    if (entry == 0)
        return 0;
    c->joined = mem_array_zeroed(c->joined, &c->joined_capacity, entry, sizeof *c->joined);
    struct collect_joined *joined = &c->joined[entry - 1];
    joined->has_others |= joined->first != 0 && joined->first != l->function + 1;
    joined->first = joined->first == 0 ? l->function + 1 : joined->first;
    return entry;
}

/* The entry of L at all levels of frames; 0: it has none at any. */
static uint32_t entry_of_levels(struct collect *c, const struct profile_location *l)
{
    uint32_t items[COLLECT_LEVELS];
    size_t count = 0, last = 0;
    for (size_t i = 0; i < c->level_count; i++) {
        if (collect_is_of_samples(c->levels[i].by))
            continue;
        items[count] = join(c, entry_of_location(c, c->levels[i].by, l), l);
        last = items[count++] != 0 ? count : last;
    }
    for (size_t i = 0; i < last; i++) /* what follows needs something that it stands below */
        if (items[i] == 0)
            items[i] = naming_is_toplevel(l)
                           ? entry_of(c, (struct collect_key){.string = function_name(c, l)})
                           : named(c, NO_LOCATION);
    return last == 0 ? 0 : entry_of_items(c, items, count);
}

/* Whether the levels of C are the keys of labels and their values. */
static bool has_keys(const struct collect *c)
{
    return c->by == COLLECT_BY_LEVELS && c->levels[0].by == COLLECT_BY_KEY;
}

/* Sets the stack to the labels of a sample with the dotted columns EXTRA: the key and value of
 * each. Returns their number. */
static size_t stack_of_labels(struct collect *c, struct str extra)
{
    const struct str labels = profile_labels(&c->profile, extra, c->flow->where);
    const struct label *items = (const struct label *)(const void *)labels.p;
    size_t count = 0;
    c->stack =
        mem_array(c->stack, &c->stack_capacity, labels.n / sizeof *items + 1, sizeof *c->stack);
    for (size_t i = 0; i < labels.n / sizeof *items; i++) {
        c->text.n = 0;
        label_key_add_value(&c->profile, &items[i], &c->text);
        const uint32_t pair[] = {entry_of(c, (struct collect_key){.string = items[i].key}),
                                 named(c, buf_str(&c->text))};
        c->stack[count++] = entry_of_items(c, pair, 2);
    }
    return count;
}

/* The number of the entries of SAMPLE at its levels that are not of frames. */
static uint32_t set_of_levels(struct collect *c, const struct sample *sample)
{
    uint32_t items[COLLECT_LEVELS];
    size_t count = 0;
    for (size_t i = 0; i < c->level_count; i++) {
        struct collect_level *level = &c->levels[i];
        uint32_t item;
        if (level->by == COLLECT_BY_SOURCE)
            item = c->source_entries[sample->source_id - 1];
        else if (level->by == COLLECT_BY_LABEL)
            item = entry_of_label(c, &level->label, sample->extra);
        else if (level->by == COLLECT_BY_TIME)
            item = entry_of_time(c);
        else
            continue;
        items[count++] = item != 0 ? item : named(c, NAMING_NO_LABEL);
    }
    return count == 0
               ? 0
               : intern_add(&c->sets, (struct str){(char *)items, count * sizeof *items}, NULL);
}

/* Sets ITEMS to the entries that ENTRY, of a frame, and SET, of its sample, stand for. */
static void split_levels(const struct collect *c, uint32_t entry, uint32_t set,
                         uint32_t items[COLLECT_LEVELS])
{
    const struct collect_key key = collect_key_of(c, entry);
    const bool is_one = key.string != 0 || key.line != 0; /* such as <no stack>, at all levels */
    const struct str frame = is_one ? STR("") : intern_get(&c->paths, key.number),
                     sample = set == 0 ? STR("") : intern_get(&c->sets, set);
    size_t of_frame = 0, of_sample = 0;
    for (size_t level = 0; level < c->level_count; level++) {
        const enum collect_by by = c->levels[level].by;
        if (by == COLLECT_BY_SOURCE || by == COLLECT_BY_LABEL || by == COLLECT_BY_TIME)
            memcpy(&items[level], sample.p + of_sample++ * sizeof *items, sizeof *items);
        else if (is_one)
            items[level] = entry;
        else
            memcpy(&items[level], frame.p + of_frame++ * sizeof *items, sizeof *items);
    }
}

void collect_levels_of(const struct collect *c, const struct stacks_stack *stack, size_t i,
                       uint32_t items[COLLECT_LEVELS])
{
    split_levels(c, stacks_frame(stack, i), stack->labels, items);
}

void collect_levels_at(const struct collect *c, uint32_t entry, uint32_t items[COLLECT_LEVELS])
{
    const struct collect_key key = collect_key_of(c, entry);
    split_levels(c, key.number, (uint32_t)(key.line - 1), items);
}

/* Whether entries of stacks also stand for what samples have. */
static bool joins_levels(const struct collect *c)
{
    return c->by == COLLECT_BY_LEVELS && c->keeps_runs;
}

bool collect_is_of_stacks(const struct collect *c, uint32_t entry)
{
    const struct collect_key key = collect_key_of(c, entry);
    return !joins_levels(c) || (key.string == 0 && key.number != 0 && key.line > 0);
}

uint32_t collect_frame_of(const struct collect *c, uint32_t entry)
{
    return joins_levels(c) ? collect_key_of(c, entry).number : entry;
}

/* Makes the DEPTH entries of the stack stand for the levels of SAMPLE, too. */
static void join_levels(struct collect *c, const struct sample *sample, size_t depth)
{
    const int64_t set = set_of_levels(c, sample);
    for (size_t i = 0; i < depth; i++)
        c->stack[i] = entry_of(c, (struct collect_key){.number = c->stack[i], .line = set + 1});
}

/* --- rows --- */

static void add_location(struct collect *c, const struct row *row)
{
    const struct profile_location *l = profile_add_location(&c->profile, row, c->flow->where);
    size_t id = (size_t)row->location.location_id;
    c->frames = mem_array(c->frames, &c->frame_capacity, id, sizeof *c->frames);
    c->location_count = id;
    c->frames[id - 1] = collect_is_of_samples(c->by) ? 0
                        : c->by == COLLECT_BY_LEVELS ? join(c, entry_of_levels(c, l), l)
                                                     : join(c, entry_of_location(c, c->by, l), l);
    if (c->by != COLLECT_BY_STACK)
        return;
    c->functions = mem_array(c->functions, &c->function_capacity, id, sizeof *c->functions);
    c->functions[id - 1] = naming_is_toplevel(l) ? 0 : function_name(c, l);
}

static void add_source(struct collect *c, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&c->profile, row, c->flow->where);
    size_t id = c->profile.source_count;
    choice_add_source(&c->choice, of);
    clock_add(&c->clock, of);
    c->sources = mem_array(c->sources, &c->sources_capacity, id, sizeof *c->sources);
    c->sources[id - 1] =
        (struct collect_source){.leaves_stackless = profile_leaves_stackless(of->kind),
                                .counts_calls = profile_counts_calls(of)};
    c->source_entries =
        mem_array(c->source_entries, &c->source_capacity, id, sizeof *c->source_entries);
    c->source_entries[id - 1] =
        c->by == COLLECT_BY_SOURCE || c->by == COLLECT_BY_LEVELS || c->names_sources
            ? entry_of_source(c, of)
            : 0;
}

void collect_row(struct collect *c, const struct row *row)
{
    switch (row->table) {
    case TABLE_SOURCES: add_source(c, row); break;
    case TABLE_MAPPINGS: profile_add_mapping(&c->profile, row, c->flow->where); break;
    case TABLE_FUNCTIONS: profile_add_function(&c->profile, row, c->flow->where); break;
    case TABLE_LOCATIONS: add_location(c, row); break;
    default: left_out_read(&c->left_out, row, &c->flow->types, c->flow->where);
    }
}

/* X, of type NUMBER, in the unit of the chosen type; 0 if it is of another type. Perhaps no sample
 * that is left has this type. */
static struct decimal in_chosen_unit(const struct collect *c, uint32_t number, struct decimal x)
{
    const struct choice *choice = &c->choice;
    if (number <= choice->type_capacity && choice->types[number - 1].times != 0)
        return amount_times(x, choice->types[number - 1].times);
    const struct value_type *type = value_types_get(choice->names, number);
    if (choice->chosen == 0 ||
        !str_equal(type->type, value_types_get(choice->names, choice->chosen)->type))
        return (struct decimal){0};
    const int64_t times = units_in(type->unit, choice->unit),
                  parts = units_in(choice->unit, type->unit);
    return times != 0   ? amount_times(x, times)
           : parts != 0 ? decimal_divide(x, wide_of(parts))
                        : (struct decimal){0};
}

bool collect_before(const struct collect *c, struct wide all, struct wide *before)
{
    struct decimal sum = {0};
    int64_t left_out;
    for (uint32_t number = 1; number <= c->left_out.capacity; number++)
        if (decimal_sign(c->left_out.sums[number - 1]) != 0)
            decimal_add(&sum, in_chosen_unit(c, number, c->left_out.sums[number - 1]));
    sum.exponent -= c->power;
    if (!decimal_round(sum, &left_out) || left_out <= 0)
        return false;
    *before = wide_add(all, wide_of(left_out));
    return true;
}

/* --- samples --- */

/* Adds X, of type NUMBER, to the sample. */
static void add_number(struct collect *c, uint32_t number, struct decimal x)
{
    const size_t parts = amount_split(&c->digits, number - 1, x, c->parts + c->part_count);
    c->part_count += parts;
    if (parts == 0 && c->choice.types[number - 1].is_level) /* a level of 0 is there, too */
        c->parts[c->part_count++] = amount_presence(&c->digits, number - 1);
}

/* A sample being added. */
struct taken {
    size_t source;
    const struct sample_value *count; /* its number of samples; NULL: not given */
    bool is_left_out;                 /* its values are not added up */
    uint64_t tallied;                 /* for how many samples it counts */
    bool is_added;                    /* its values are added up: see struct sample */
    bool takes_inclusive;             /* its inclusive values count for its frames */
};

static struct taken taken_of(const struct sample *sample)
{
    return (struct taken){.source = (size_t)sample->source_id,
                          .tallied = sample_tallied(sample),
                          .is_added = sample_added(sample) > 0};
}

/* Counts T as a sample with the type NUMBER. */
static void tally_type(struct collect *c, uint32_t number, const struct taken *t)
{
    if (t->is_left_out)
        return;
    c->tallies = mem_array_zeroed(c->tallies, &c->tally_capacity, number, sizeof *c->tallies);
    tally_sample(&c->tallies[number - 1], t->count, t->tallied);
}

/* Adds the time that T stands for. T is COUNT samples of its source. */
static void add_time(struct collect *c, const struct taken *t, struct decimal count)
{
    const struct choice_source *s = &c->choice.sources[t->source - 1];
    choice_note_value(&c->choice, t->source, s->time, decimal_sign(count) == 0, t->tallied);
    add_number(c, s->time, amount_times(count, s->period));
    tally_type(c, s->time, t);
}

static void add_value(struct collect *c, const struct taken *t, struct sample_value *v)
{
    struct decimal exact;
    if (!choice_admit(&c->choice, t->source, v, &exact, t->tallied))
        return;
    add_number(c, v->type, exact);
    tally_type(c, v->type, t);
    if (v->type == c->counts && c->choice.sources[t->source - 1].time != 0)
        add_time(c, t, exact);
}

/* The value in SAMPLE with its number of samples; NULL if there is none. */
static const struct sample_value *count_of(const struct collect *c, const struct sample *sample)
{
    const struct sample_value *value = NULL;
    for (size_t i = 0; i < sample->value_count; i++)
        if (sample->values[i].type == c->counts)
            value = &sample->values[i];
    return value;
}

/* VALUE, from count_of, of TIMES samples, as a whole number. */
static int64_t whole_count(const struct collect *c, const struct sample_value *value,
                           uint64_t times)
{
    return value == NULL ? (int64_t)times
                         : sample_value_integer(value, value_types_get(&c->flow->types, c->counts),
                                                c->flow->where);
}

int64_t collect_count(const struct collect *c, const struct sample *sample)
{
    return whole_count(c, count_of(c, sample), 1);
}

/* Sets the sample, which stands for TIMES, to its count VALUE only. */
static void add_count(struct collect *c, const struct sample_value *value, uint64_t times)
{
    struct decimal count = value == NULL ? decimal_of((int64_t)times) : sample_value_exact(value);
    if (c->keeps_counts) {
        c->count = whole_count(c, value, times);
        count = decimal_of(c->count);
    }
    c->part_count = 0;
    c->parts = mem_array(c->parts, &c->part_capacity, AMOUNT_PARTS, sizeof *c->parts);
    add_number(c, c->counts, count);
}

/* The number of the type that the type NUMBER, which is inclusive, includes. */
static uint32_t included_in(struct collect *c, uint32_t number)
{
    c->included = mem_array_zeroed(c->included, &c->included_capacity, number, sizeof *c->included);
    if (c->included[number - 1] != 0)
        return c->included[number - 1];
    const struct value_type *type = value_types_get(&c->flow->types, number);
    struct buf name = {0}, unit = {0}; /* a new type moves the others */
    buf_add(&name, inclusive_of(type->type).type);
    buf_add(&unit, type->unit);
    const uint32_t own = value_types_add(&c->flow->types, buf_str(&name), buf_str(&unit));
    buf_free(&name);
    buf_free(&unit);
    c->included[number - 1] = own;
    return own;
}

/* Adds the inclusive values of SAMPLE, less what is its own: so they add up with values of any sample that
 * has the same stack. */
static void add_inclusive(struct collect *c, const struct sample *sample)
{
    struct collect_source *s = &c->sources[sample->source_id - 1];
    for (size_t i = 0; i < sample->value_count; i++) {
        const uint32_t type = sample->values[i].type;
        c->places = mem_array_zeroed(c->places, &c->place_capacity, type, sizeof *c->places);
        c->places[type - 1] = i + 1;
    }
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        if (!choice_makes_totals(&c->choice, (size_t)sample->source_id, v->type))
            continue;
        struct decimal called = sample_value_exact(v);
        const uint32_t own = included_in(c, v->type);
        if (own <= c->place_capacity && c->places[own - 1] != 0)
            decimal_subtract(&called, sample_value_exact(&sample->values[c->places[own - 1] - 1]));
        s->has_functions |= sample->depth == 1;
        s->has_calls |= sample->depth == 2;
        add_number(c, v->type, called);
    }
    for (size_t i = 0; i < sample->value_count; i++)
        c->places[sample->values[i].type - 1] = 0;
}

/* Adds the values of SAMPLE, which is T. */
static void add_values(struct collect *c, const struct sample *sample, const struct taken *t)
{
    enum { PARTS = 2 * AMOUNT_PARTS }; /* max parts per value: of itself and of a time */
    struct place where = c->flow->where;
    c->part_count = 0;
    c->parts =
        mem_array(c->parts, &c->part_capacity, sample->value_count * PARTS, sizeof *c->parts);
    if (t->takes_inclusive)
        add_inclusive(c, sample); /* first: what is admitted may get another unit */
    for (size_t i = 0; i < sample->value_count; i++) {
        c->flow->where = sample_place(sample, where, i);
        add_value(c, t, &sample->values[i]);
    }
    c->flow->where = where;
}

/* The entry of all functions of SAMPLE; 0: it has none. */
static uint32_t entry_of_stack(struct collect *c, const struct sample *sample)
{
    size_t depth = 0;
    for (size_t i = 0; i < sample->depth; i++) {
        c->stack[depth] = c->functions[sample->locations[i] - 1];
        depth += c->stack[depth] != 0;
    }
    if (depth == 0)
        return 0;
    const struct str path = {(const char *)c->stack, depth * sizeof *c->stack};
    return entry_of(c, (struct collect_key){.number = intern_add(&c->paths, path, NULL)});
}

/* The entry for SAMPLE, which has no other. */
static uint32_t entry_of_none(struct collect *c, const struct sample *sample)
{
    const bool is_label = c->by == COLLECT_BY_LABEL || has_keys(c);
    const bool has_frames = is_label || sample->depth > 0;
    uint32_t *none = has_frames ? &c->none : &c->no_stack;
    if (*none == 0)
        *none = named(c, is_label ? NAMING_NO_LABEL : has_frames ? NO_LOCATION : NO_STACK);
    return *none;
}

size_t collect_stack(struct collect *c, const struct sample *sample)
{
    size_t depth = 0;
    if (has_keys(c))
        return stack_of_labels(c, sample->extra);
    c->stack = mem_array(c->stack, &c->stack_capacity, sample->depth + 1, sizeof *c->stack);
    /* a call has two ends, even if one has no entry */
    const bool is_call = sample->depth == 2 && c->sources[sample->source_id - 1].counts_calls;
    for (size_t i = 0; i < sample->depth && c->has_frames; i++) {
        c->stack[depth] = c->frames[sample->locations[i] - 1];
        if (is_call && c->stack[depth] == 0)
            c->stack[depth] = entry_of_none(c, sample);
        depth += c->stack[depth] != 0;
    }
    if (c->has_frames)
        return depth;
    c->stack[0] = c->by == COLLECT_BY_SOURCE  ? c->source_entries[sample->source_id - 1]
                  : c->by == COLLECT_BY_LABEL ? entry_of_label(c, &c->label, sample->extra)
                  : c->by == COLLECT_BY_STACK ? entry_of_stack(c, sample)
                                              : entry_of_items(c, c->stack, 0);
    return c->stack[0] != 0;
}

/* The number of the set of SAMPLE (source and labels), used as the labels of its stack. */
static uint32_t set_of(struct collect *c, const struct sample *sample)
{
    struct collect_set set = {.run = c->keeps_runs ? c->run : (uint32_t)sample->source_id};
    if (c->by == COLLECT_BY_LEVELS && !joins_levels(c))
        return set_of_levels(c, sample);
    if (!c->keeps_labels)
        return c->keeps_runs ? set.run : 0;
    set.labels = profile_label_set(&c->profile, sample->extra, c->flow->where);
    return intern_add(&c->sets, (struct str){(const char *)&set, sizeof set}, NULL);
}

struct collect_set collect_set_of(const struct collect *c, const struct stacks_stack *stack)
{
    struct collect_set set = {.run = stack->labels};
    if (c->keeps_labels)
        memcpy(&set, intern_get(&c->sets, stack->labels).p, sizeof set);
    return set;
}

/* Whether SAMPLE, with DEPTH entries, is skipped because it has no stack. */
static bool is_left_out(const struct collect *c, const struct sample *sample, size_t depth)
{
    return depth == 0 && sample->depth == 0 && c->by != COLLECT_BY_LABEL && !has_keys(c) &&
           c->sources[sample->source_id - 1].leaves_stackless;
}

/* The function of the location NUMBER; 0: none. */
static uint32_t function_of(const struct collect *c, uint32_t number)
{
    return c->profile.locations[number - 1].function;
}

/* Whether inclusive values of SAMPLE count: not if a function calls itself, since what the inner call costs
 * is part of the outer one. */
static bool takes_inclusive(const struct collect *c, const struct sample *sample)
{
    if (!c->has_frames || !c->sources[sample->source_id - 1].counts_calls || sample->depth == 0 ||
        sample->depth > 2)
        return false;
    if (sample->depth == 1)
        return true;
    const uint32_t callee = function_of(c, sample->locations[0]);
    return callee == 0 || callee != function_of(c, sample->locations[1]);
}

/* How many samples the value COUNT of TIMES says, or as many. */
static uint64_t plain_count(const struct sample_value *count, uint64_t times)
{
    if (count == NULL || count->value.kind != NUMBER_INTEGER)
        return times;
    return count->value.integer > 0 ? (uint64_t)count->value.integer : 0;
}

/* Adds SAMPLE with the DEPTH entries of c->stack; false if it is skipped. */
static bool add_sample(struct collect *c, struct sample *sample, size_t depth)
{
    struct taken t = taken_of(sample);
    const uint64_t times = sample->role == SAMPLE_ONE ? 1 : sample->times;
    t.count = count_of(c, sample);
    t.is_left_out = is_left_out(c, sample, depth);
    t.takes_inclusive = takes_inclusive(c, sample);
    if (c->time_level != NULL)
        c->has_time = clock_read(&c->clock, sample, &c->time);
    if (c->counts_samples)
        add_count(c, t.count, times);
    else
        add_values(c, sample, &t);
    if (sample->depth == 0 && t.is_added)
        c->no_stack_count += plain_count(t.count, times);
    if (t.is_added && sample_is_cut(sample))
        c->cut_count += plain_count(t.count, times);
    if (t.is_left_out) {
        int64_t count = whole_count(c, t.count, times);
        c->stackless_count += count > 0 && t.is_added ? (uint64_t)count : 0;
        return false;
    }
    if (depth == 0)
        c->stack[depth++] = entry_of_none(c, sample);
    if (joins_levels(c))
        join_levels(c, sample, depth);
    c->sources[sample->source_id - 1].has_samples = true;
    tally_sample(&c->all, t.count, t.tallied);
    c->depth = depth;
    const uint32_t set = set_of(c, sample);
    if (t.is_added)
        stacks_add(&c->profile.stacks, set, c->stack, depth, c->parts, c->part_count);
    return true;
}

bool collect_sample(struct collect *c, struct sample *sample)
{
    return add_sample(c, sample, collect_stack(c, sample));
}

void collect_aside(struct collect *c, struct sample *sample)
{
    if (c->aside == 0)
        c->aside = entry_of(c, (struct collect_key){.line = -1}); /* no other has that */
    size_t depth = collect_stack(c, sample);
    c->stack[0] = c->aside;
    add_sample(c, sample, depth > 0);
}

/* --- the whole --- */

void collect_open(struct collect *c, struct flow *flow, const char *type)
{
    c->flow = flow;
    c->has_frames = c->by != COLLECT_BY_LEVELS && !collect_is_of_samples(c->by);
    for (size_t i = 0; i < c->level_count; i++) {
        c->has_frames |= !collect_is_of_samples(c->levels[i].by);
        if (c->levels[i].by == COLLECT_BY_TIME)
            c->time_level = &c->levels[i];
    }
    c->profile.stacks.flow = flow;
    c->profile.keep = profile_keep_all;
    c->choice.takes_times = true;
    c->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    c->clock.counts = c->counts;
    choice_open(&c->choice, type, &flow->types);
}

/* The sums for a stack: of the chosen type, and of those with a role, by role. */
struct amounts {
    struct amount items[COLLECT_ROLES];
};

/* Sets AMOUNTS to those of the stack NUMBER; those with a role only if there are any. */
static void amounts_of(const struct collect *c, uint32_t number, struct amounts *amounts)
{
    struct sums_walk walk = {.row = number};
    struct sums_part part;
    for (size_t role = 0; role < (c->has_inclusive ? COLLECT_ROLES : 1); role++)
        amounts->items[role] = (struct amount){0};
    while (sums_next(&c->profile.stacks.sums, &walk, &part)) {
        const uint32_t column = amount_column(&c->digits, &part);
        const int64_t times = c->choice.types[column].times;
        if (times != 0)
            amount_add(&amounts->items[COLLECT_NONE], &c->digits, &part, times);
        else if (c->has_inclusive && c->roles[column].role != COLLECT_NONE)
            amount_add(&amounts->items[c->roles[column].role], &c->digits, &part,
                       c->roles[column].times);
    }
}

/* The power of ten of sums: as fine as the fractions in the values. */
static int power_of(const struct collect *c)
{
    struct amount_grid grid = {0};
    for (uint32_t i = 0; c->digits.keys.count > 0 && i < c->profile.stacks.count; i++) {
        struct amounts amounts;
        amounts_of(c, i, &amounts);
        for (size_t role = 0; role < (c->has_inclusive ? COLLECT_ROLES : 1); role++)
            amount_note(&grid, &amounts.items[role]);
    }
    return amount_power(&grid);
}

/* What values of the type NUMBER are to the sums of the chosen type. What callees cost by caller is part of
 * calls: it was taken off their inclusive values. */
static struct collect_role role_of(const struct collect *c, uint32_t number)
{
    const struct value_type *name = value_types_get(c->choice.names, number);
    const struct str chosen = value_types_get(c->choice.names, c->choice.chosen)->type;
    const struct inclusive of = inclusive_of(name->type);
    const int64_t times = units_in(name->unit, c->choice.unit);
    const bool makes_totals = c->choice.types[number - 1].makes_totals;
    if (times != 0 && makes_totals && str_equal(of.type, chosen))
        return (struct collect_role){COLLECT_OF_FRAMES, times};
    if (times != 0 && (makes_totals ? str_equal(of.by_caller, chosen)
                                    : inclusive_is_by_caller(name->type, chosen)))
        return (struct collect_role){COLLECT_OF_CALLS, times};
    return (struct collect_role){COLLECT_NONE, 0};
}

/* Finds the inclusive types of the chosen one. */
static void find_roles(struct collect *c)
{
    const struct choice *choice = &c->choice;
    c->has_inclusive = false;
    c->has_bounds = true;
    for (size_t i = 0; i < c->profile.source_count; i++)
        c->has_bounds &= !c->sources[i].has_functions || c->sources[i].has_calls;
    c->roles =
        mem_array_zeroed(c->roles, &c->role_capacity, choice->type_capacity + 1, sizeof *c->roles);
    for (uint32_t number = 1; number <= choice->type_capacity; number++) {
        struct collect_role *role = &c->roles[number - 1];
        *role = (struct collect_role){COLLECT_NONE, 0};
        const struct choice_type *type = &choice->types[number - 1];
        if (choice->chosen != 0 && c->has_frames && (type->is_used || type->makes_totals))
            *role = role_of(c, number);
        c->has_inclusive |= role->role != COLLECT_NONE && type->makes_totals;
    }
}

bool collect_takes_sums(const struct collect *c)
{
    return c->by != COLLECT_BY_SOURCE && c->by != COLLECT_BY_TIME && c->by != COLLECT_BY_LEVELS &&
           !c->keeps_runs && !c->keeps_labels && !c->keeps_counts && !c->names_sources &&
           !c->choice.takes_levels;
}

void collect_finish(struct collect *c)
{
    if (c->by == COLLECT_BY_LABEL && c->all.records > 0)
        label_key_warn(&c->label);
    for (size_t i = 0; i < c->level_count && c->all.records > 0; i++)
        if (c->levels[i].by == COLLECT_BY_LABEL)
            label_key_warn(&c->levels[i].label);
    if (c->time_level != NULL && c->all.records > 0 && !c->found_time)
        warn(CODE_NO_MATCH, "no sample has a time");
    stacks_finish(&c->profile.stacks);
    if (c->counts_samples)
        choice_take(&c->choice, c->counts);
    else
        choice_finish(&c->choice);
    find_roles(c);
    c->power = power_of(c);
}

void collect_again(struct collect *c, struct str type)
{
    choice_again(&c->choice, type);
    find_roles(c);
    c->power = power_of(c);
}

static _Noreturn void die_sum(const struct collect *c)
{
    die(CODE_OVERFLOW, "the sum of \"%.*s\" in a stack does not fit 64 bits",
        STR_ARG(value_types_get(&c->flow->types, c->choice.chosen)->type));
}

/* AMOUNT, of a stack, as an integer. */
static int64_t integer_of(const struct collect *c, const struct amount *amount)
{
    int64_t sum;
    if (!amount_fits(amount, c->power, &sum))
        die_sum(c);
    return sum;
}

/* A and B as an integer. */
static int64_t together(const struct collect *c, const struct amount *a, const struct amount *b)
{
    struct decimal sum = amount_decimal(a);
    int64_t whole;
    decimal_add(&sum, amount_decimal(b));
    sum.exponent -= c->power;
    if (!decimal_round(sum, &whole))
        die_sum(c);
    return whole;
}

/* Sets SUM, that of STACK without inclusive values, to what these say. */
static void include(const struct collect *c, const struct stacks_stack *stack,
                    const struct amounts *amounts, struct collect_sum *sum)
{
    const struct amount *own = &amounts->items[COLLECT_NONE],
                        *of_frames = &amounts->items[COLLECT_OF_FRAMES],
                        *of_calls = &amounts->items[COLLECT_OF_CALLS];
    if (of_frames->is_there && stack->depth == 1) {
        sum->innermost.value = together(c, own, of_frames);
    } else if (of_frames->is_there) {
        sum->call = together(c, own, of_frames);
        sum->outer = (struct collect_total){sum->call, sum->call};
    }
    if (of_calls->is_there && stack->depth > 1 && !of_frames->is_there) {
        sum->call = together(c, own, of_calls);
        sum->outer.bound = sum->call;
    }
}

struct wide collect_each_stack(const struct collect *c, collect_add *add, void *to)
{
    const struct stacks *stacks = &c->profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset place;
    struct wide all = wide_of(0);
    while (stacks_next(stacks, &pass, &place)) {
        const struct stacks_stack stack = stacks_at(stacks, place);
        struct amounts amounts;
        amounts_of(c, stack.number, &amounts);
        const struct amount *own = &amounts.items[COLLECT_NONE];
        const int64_t value = integer_of(c, own);
        struct collect_sum sum = collect_sum_of(value, own->is_there);
        bool is_there = own->is_there;
        all = wide_add(all, wide_size(wide_of(value)));
        if (c->has_inclusive) {
            include(c, &stack, &amounts, &sum);
            is_there |= amounts.items[COLLECT_OF_FRAMES].is_there ||
                        amounts.items[COLLECT_OF_CALLS].is_there;
        }
        if (is_there)
            add(to, &stack, &sum);
    }
    return all;
}

bool collect_joins(const struct collect *c, uint32_t entry)
{
    const uint32_t frame = entry == 0 ? 0 : collect_frame_of(c, entry);
    return frame != 0 && frame <= c->joined_capacity && c->joined[frame - 1].has_others;
}

struct wide collect_limit(const struct collect *c, uint32_t entry, struct collect_wides sums,
                          struct wide all)
{
    struct wide total = sums.total;
    if (!c->has_inclusive || wide_sign(sums.self) < 0 || wide_compare(sums.self, all) > 0)
        return total;
    if (c->has_bounds && collect_joins(c, entry) && wide_compare(sums.bound, total) < 0)
        total = sums.bound;
    return wide_compare(total, all) > 0         ? all
           : wide_compare(total, sums.self) < 0 ? sums.self
                                                : total;
}

void collect_each_level(const struct collect *c,
                        void (*add)(void *to, const struct stacks_stack *stack, double value),
                        void *to)
{
    const struct stacks *stacks = &c->profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset place;
    while (stacks_next(stacks, &pass, &place)) {
        const struct stacks_stack stack = stacks_at(stacks, place);
        struct amounts amounts;
        amounts_of(c, stack.number, &amounts);
        const struct amount *own = &amounts.items[COLLECT_NONE];
        if (own->is_there)
            add(to, &stack, decimal_to_double(amount_decimal(own)));
    }
}

void collect_free(struct collect *c)
{
    mem_free(c->frames);
    mem_free(c->functions);
    mem_free(c->source_entries);
    mem_free(c->sources);
    mem_free(c->tallies);
    mem_free(c->roles);
    mem_free(c->included);
    mem_free(c->places);
    mem_free(c->joined);
    left_out_free(&c->left_out);
    naming_free_sources(&c->names);
    mem_free(c->stack);
    mem_free(c->parts);
    amount_free(&c->digits);
    buf_free(&c->text);
    intern_free(&c->entries);
    intern_free(&c->paths);
    intern_free(&c->sets);
    clock_free(&c->clock);
    label_key_free(&c->label);
    for (size_t i = 0; i < c->level_count; i++)
        label_key_free(&c->levels[i].label);
    intern_free(&c->line_functions);
    mem_free(c->owners);
    choice_free(&c->choice);
    profile_free(&c->profile);
}

#include "profile/choice.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/units.h"
#include "profile/inclusive.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- the type that the user names --- */

bool choice_split(struct str text, struct str *type, struct str *unit)
{
    const char *slash = text.n == 0 ? NULL : port_memrchr(text.p, '/', text.n);
    *type = text;
    *unit = STR("");
    if (slash != NULL) {
        *type = (struct str){text.p, (size_t)(slash - text.p)};
        *unit = (struct str){slash + 1, text.n - type->n - 1};
    }
    return type->n > 0 && (slash == NULL || unit->n > 0);
}

void choice_check(const char *wanted)
{
    struct str type, unit;
    if (wanted != NULL && !choice_split(str_of(wanted), &type, &unit))
        die(CODE_BAD_ARGUMENT, "--type: expected TYPE or TYPE/UNIT, found \"%s\"", wanted);
}

/* Sets what the user wants to WANTED, an argument of --type. */
static void parse_wanted(struct choice *c, struct str wanted)
{
    struct str type, unit;
    c->wanted[0].n = c->wanted[1].n = 0;
    if (choice_split(wanted, &type, &unit)) {
        text_escape(&c->wanted[0], type);
        text_escape(&c->wanted[1], unit);
    }
    c->wanted_type = buf_str(&c->wanted[0]);
    c->wanted_unit = buf_str(&c->wanted[1]);
}

void choice_open(struct choice *c, const char *wanted, struct value_types *names)
{
    c->names = names;
    c->counts = value_types_add(names, STR("samples"), STR("count"));
    if (wanted != NULL)
        parse_wanted(c, str_of(wanted));
}

/* --- the types of sources --- */

static struct choice_type *type_at(struct choice *c, uint32_t number)
{
    if (number > c->type_capacity)
        c->types = mem_array_zeroed(c->types, &c->type_capacity, number, sizeof *c->types);
    return &c->types[number - 1];
}

static const struct value_type *name_of(const struct choice *c, uint32_t number)
{
    return value_types_get(c->names, number);
}

/* The key of the type NUMBER of SOURCE. */
static uint64_t key_of(size_t source, uint32_t number)
{
    return (uint64_t)source << 32 | number;
}

/* Adds the type NUMBER to the source S, whose number is SOURCE. */
static void add_type(struct choice *c, struct choice_source *s, size_t source, uint32_t number,
                     bool is_listed)
{
    const struct value_type *t = name_of(c, number);
    size_t n = s->type_count;
    s->types = mem_array(s->types, &s->type_capacity, n + 1, sizeof *s->types);
    s->numbers = mem_array(s->numbers, &s->number_capacity, n + 1, sizeof *s->numbers);
    s->types[n] =
        (struct default_type_entry){.type = t->type, .unit = t->unit, .is_listed = is_listed};
    s->numbers[n] = number;
    idmap_put(&c->positions, key_of(source, number), (uint32_t)++s->type_count);
}

/* The entry of the type NUMBER in SOURCE. */
static struct default_type_entry *type_of(struct choice *c, size_t source, uint32_t number)
{
    struct choice_type *t = type_at(c, number);
    struct choice_source *s = &c->sources[source - 1];
    if (t->source != source) {
        uint64_t key = key_of(source, number);
        if (idmap_get(&c->positions, key) == 0)
            add_type(c, s, source, number, false);
        t->source = source;
        t->position = idmap_get(&c->positions, key) - 1;
    }
    return &s->types[t->position];
}

/* Adds the time that its samples/count stand for to the source S, OF. */
static void add_time(struct choice *c, struct choice_source *s, const struct profile_source *of)
{
    if (!c->takes_times || !s->shown.has_time || of->period <= 0)
        return;
    s->time = value_types_add_bytes(c->names, of->period_type, of->period_unit);
    s->period = of->period;
    type_at(c, s->time)->is_used = true;
}

/* Whether NAME is that of T by its unit, which has a '/': alone, or as TYPE/UNIT. */
static bool is_called(const struct value_type *t, struct str name)
{
    if (t->unit.n == 0 || memchr(t->unit.p, '/', t->unit.n) == NULL)
        return false;
    return str_equal(name, t->unit) ||
           (str_take(&name, t->type) && str_take(&name, STR("/")) && str_equal(name, t->unit));
}

bool choice_is_called(const struct choice *c, uint32_t number, struct str name)
{
    return c->types[number - 1].is_used && is_called(name_of(c, number), name);
}

/* Whether the user has named the type T so. */
static bool is_unit_wanted(const struct choice *c, const struct value_type *t)
{
    struct buf whole = {0};
    if (c->wanted_unit.n == 0)
        return false;
    buf_add(&whole, c->wanted_type);
    buf_add(&whole, STR("/"));
    buf_add(&whole, c->wanted_unit);
    const bool is_it = is_called(t, buf_str(&whole));
    buf_free(&whole);
    return is_it;
}

/* Sets what the user wants to T. */
static void want(struct choice *c, const struct value_type *t)
{
    const struct str names[2] = {t->type, t->unit};
    for (int i = 0; i < 2; i++) {
        c->wanted[i].n = 0;
        buf_add(&c->wanted[i], names[i]);
    }
    c->wanted_type = buf_str(&c->wanted[0]);
    c->wanted_unit = buf_str(&c->wanted[1]);
}

/* Whether OF has only types that are not added up. */
static bool has_levels_only(const struct profile_source *of)
{
    size_t i = 0;
    while (i < of->type_count && profile_is_left_out(&of->types[i]))
        i++;
    return i == of->type_count;
}

/* Whether the gauge NUMBER of OF is one of the types to choose among. */
static bool is_level_taken(const struct choice *c, const struct profile_source *of, uint32_t number)
{
    const struct value_type *t = name_of(c, number);
    if (!c->takes_levels)
        return false;
    for (size_t i = 0; i < c->unit_count; i++)
        if (is_called(t, c->units[i]))
            return true;
    return c->wanted_type.n == 0 ? has_levels_only(of) : str_equal(t->type, c->wanted_type);
}

/* The values of struct choice's gauges. */
enum { GAUGES_LEVEL = 1, GAUGES_TOTALS };

void choice_add_source(struct choice *c, const struct profile_source *of)
{
    struct choice_source s = {.shown = default_type_says(of)};
    const bool counts_calls = profile_counts_calls(of);
    size_t source = c->source_count + 1;
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        const uint32_t number = value_types_add_bytes(c->names, t->type, t->unit);
        if (is_unit_wanted(c, name_of(c, number)))
            want(c, name_of(c, number));
    }
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t number = value_types_add_bytes(c->names, t->type, t->unit);
        const bool is_level = t->gauge && !t->inclusive && is_level_taken(c, of, number);
        const bool is_left_out = profile_is_left_out(t) && !is_level;
        const bool makes_totals = t->inclusive && counts_calls;
        type_at(c, number)->is_level |= is_level;
        type_at(c, number)->is_plain |= !profile_is_left_out(t);
        type_at(c, number)->is_used |= !is_left_out;
        type_at(c, number)->is_gauge |= is_left_out;
        type_at(c, number)->is_inclusive |= t->inclusive;
        type_at(c, number)->makes_totals |= makes_totals;
        uint64_t key = key_of(source, number);
        if (!is_left_out && idmap_get(&c->positions, key) == 0)
            add_type(c, &s, source, number, true);
        else if (is_left_out && idmap_get(&c->gauges, key) == 0)
            idmap_put(&c->gauges, key, makes_totals ? GAUGES_TOTALS : GAUGES_LEVEL);
    }
    add_time(c, &s, of);
    c->sources = mem_array(c->sources, &c->source_capacity, source, sizeof *c->sources);
    c->sources[c->source_count++] = s;
}

/* Notes TIMES values of the type NUMBER. */
static void note_type(struct choice *c, uint32_t number, uint64_t times)
{
    struct choice_type *t = type_at(c, number);
    t->count += times;
    t->is_used = true;
}

void choice_note_value(struct choice *c, size_t source, uint32_t number, bool is_zero,
                       uint64_t times)
{
    type_of(c, source, number)->count += is_zero ? 0 : times;
    type_at(c, number)->is_used = true;
}

bool choice_admit(struct choice *c, size_t source, struct sample_value *v, struct decimal *exact,
                  uint64_t times)
{
    struct choice_type *t = type_at(c, v->type);
    if (t->is_gauge && idmap_get(&c->gauges, key_of(source, v->type)) != 0) {
        t->levels += times;
        return false;
    }
    /* as the source lists it: in a finer unit it is another type */
    struct default_type_entry *shown = type_of(c, source, v->type);
    if (__builtin_expect(v->value.kind == NUMBER_INTEGER, 1))
        *exact = decimal_of(v->value.integer);
    else
        *exact = c->wanted_unit.n == 0 && !c->keeps_fractions && !t->is_level
                     ? sample_value_refine(v, c->names)
                     : sample_value_exact(v);
    if (decimal_sign(*exact) != 0 || t->is_level) /* a level of 0 is one */
        shown->count += times;
    note_type(c, v->type, times);
    return true;
}

bool choice_makes_totals(const struct choice *c, size_t source, uint32_t number)
{
    return idmap_get(&c->gauges, key_of(source, number)) == GAUGES_TOTALS;
}

/* --- the choice --- */

/* The number of the next type above AFTER that is called NAME and is used; 0: none. */
static uint32_t next_of_name(const struct choice *c, uint32_t after, struct str name)
{
    for (uint32_t number = after + 1; number <= c->type_capacity; number++)
        if (c->types[number - 1].is_used && str_equal(name_of(c, number)->type, name))
            return number;
    return 0;
}

static _Noreturn void die_no_type(const struct choice *c)
{
    enum { SHOWN = 20 };
    struct buf list = {0};
    unsigned count = 0;
    for (uint32_t number = 1; number <= c->type_capacity; number++) {
        const struct choice_type *t = &c->types[number - 1];
        if (!(t->is_used || (c->takes_levels && t->is_gauge)) || ++count > SHOWN)
            continue;
        buf_add(&list, count > 1 ? STR(", ") : STR(""));
        buf_add(&list, name_of(c, number)->type);
        buf_add(&list, STR("/"));
        buf_add(&list, name_of(c, number)->unit);
    }
    buf_add(&list, count > SHOWN ? STR(", ...") : count == 0 ? STR("none") : STR(""));
    die(c->is_judged ? CODE_NOT_CHECKED : CODE_NO_SUCH_TYPE,
        "--type: no source has the type \"%.*s%s%.*s\"; there are: %.*s", STR_ARG(c->wanted_type),
        c->wanted_unit.n > 0 ? "/" : "", STR_ARG(c->wanted_unit), STR_ARG(buf_str(&list)));
}

/* The unit for values of the type NAME: the finest of theirs; of several that are equal, the
 * first by name. */
static struct str unit_of(const struct choice *c, struct str name)
{
    struct str unit = {NULL, 0};
    for (uint32_t n = 0; (n = next_of_name(c, n, name)) != 0;) {
        struct str other = name_of(c, n)->unit;
        int64_t finer = unit.p == NULL ? 0 : units_in(unit, other);
        int64_t coarser = unit.p == NULL ? 0 : units_in(other, unit);
        if (unit.p != NULL && finer == 0 && coarser == 0)
            die(CODE_WRONG_TYPE,
                "type \"%.*s\" comes in units that do not convert: \"%.*s\" and \"%.*s\"",
                STR_ARG(name), STR_ARG(unit), STR_ARG(other));
        if (unit.p == NULL || coarser == 0 || (coarser == 1 && str_compare(other, unit) < 0))
            unit = other;
    }
    return unit;
}

/* Sets how many of UNIT the values of the types called NAME are. */
static bool finish_units(struct choice *c, struct str name, struct str unit)
{
    bool found = false;
    for (uint32_t n = 0; (n = next_of_name(c, n, name)) != 0;) {
        struct choice_type *t = &c->types[n - 1];
        struct str own = name_of(c, n)->unit;
        t->times = units_in(own, unit);
        t->misfits = t->times == 0;
        if (t->misfits && units_in(unit, own) != 0)
            die(CODE_WRONG_TYPE,
                "--type: expected \"%.*s\" in \"%.*s\" or a finer unit, found \"%.*s\"",
                STR_ARG(name), STR_ARG(own), STR_ARG(unit));
        found |= !t->misfits;
    }
    c->unit = unit;
    return found;
}

/* Ends the tool: the wanted type, T, is a level or inclusive. */
static _Noreturn void die_left_out(const struct choice *c, const struct choice_type *t)
{
    const struct inclusive of = inclusive_of(c->wanted_type);
    const struct str own = of.by_caller.n > 0 ? of.by_caller : of.type;
    if (!t->is_inclusive)
        die(CODE_WRONG_TYPE, "--type: \"%.*s\" is a gauge: a level that cannot be added up",
            STR_ARG(c->wanted_type));
    if (!t->makes_totals || own.n == 0 || next_of_name(c, 0, own) == 0)
        die(CODE_WRONG_TYPE, "--type: \"%.*s\" is inclusive: it cannot be added up a stack",
            STR_ARG(c->wanted_type));
    die(CODE_WRONG_TYPE,
        "--type: \"%.*s\" is inclusive: it cannot be added up a stack" HINT
        "it makes the totals of %.*s in the tables of profsum",
        STR_ARG(c->wanted_type), STR_ARG(own));
}

/* Chooses the type that --type names; it must exist and not be a level. */
static void finish_wanted(struct choice *c)
{
    bool fixed = c->wanted_unit.n > 0;
    uint32_t n = next_of_name(c, 0, c->wanted_type);
    for (uint32_t i = 1; i <= c->type_capacity; i++)
        if (c->types[i - 1].is_gauge && str_equal(name_of(c, i)->type, c->wanted_type) &&
            (!c->takes_levels || !fixed || str_equal(name_of(c, i)->unit, c->wanted_unit)))
            die_left_out(c, &c->types[i - 1]);
    struct str unit = fixed ? c->wanted_unit : unit_of(c, c->wanted_type);
    if (n != 0 && finish_units(c, c->wanted_type, unit))
        c->chosen = n;
    else if (c->source_count > 0)
        die_no_type(c);
}

/* The index of the type that S shows; its count of types if there is none.  A level is shown only
 * where samples have nothing else: of types that S does not list, too. */
static size_t position_shown(const struct choice *c, const struct choice_source *s)
{
    if (s->type_count == 0)
        return 0;
    size_t levels = 0, from = 0;
    while (levels < s->type_count && c->types[s->numbers[levels] - 1].is_level)
        levels++;
    for (size_t i = levels; i < s->type_count; i++)
        if (s->types[i].count > 0)
            from = levels;
    return from + default_type_choose(&s->shown, s->types + from, s->type_count - from);
}

/* The number of the type at the index AT of S; for samples/count that stand for a time, that of
 * the time. */
static uint32_t number_at(const struct choice_source *s, size_t at)
{
    bool is_time = s->time != 0 && default_type_is_certain(&s->shown, &s->types[at]);
    return is_time ? s->time : s->numbers[at];
}

uint32_t choice_shown(const struct choice *c, size_t source)
{
    const struct choice_source *s = &c->sources[source - 1];
    size_t at = position_shown(c, s);
    return at == s->type_count || s->types[at].count == 0 ? 0 : number_at(s, at);
}

/* Chooses the type shown by the first source that has values of its type, otherwise by the first
 * source. */
static void finish_shown(struct choice *c)
{
    for (size_t i = 0; i < c->source_count; i++) {
        const struct choice_source *s = &c->sources[i];
        size_t at = position_shown(c, s);
        if (at == s->type_count || (c->chosen != 0 && s->types[at].count == 0))
            continue;
        c->chosen = number_at(s, at);
        if (s->types[at].count == 0)
            continue;
        size_t first = default_type_first(&s->shown, s->types, s->type_count);
        c->zero = s->types[first].count == 0 ? s->numbers[first] : 0;
        return;
    }
}

void choice_finish(struct choice *c)
{
    c->chosen = c->zero = 0;
    for (size_t i = 0; i < c->type_capacity; i++) {
        c->types[i].times = 0;
        c->types[i].misfits = false;
    }
    if (c->wanted_type.n > 0) {
        finish_wanted(c);
        return;
    }
    finish_shown(c);
    if (c->chosen == 0)
        return;
    struct str name = name_of(c, c->chosen)->type;
    finish_units(c, name, unit_of(c, name));
}

void choice_again(struct choice *c, struct str wanted)
{
    parse_wanted(c, wanted);
    for (uint32_t number = 1; number <= c->type_capacity; number++)
        if (c->types[number - 1].is_used && is_unit_wanted(c, name_of(c, number)))
            want(c, name_of(c, number));
    choice_finish(c);
}

bool choice_is_level(const struct choice *c)
{
    bool is_level = false, is_plain = false;
    for (size_t i = 0; c->chosen != 0 && i < c->type_capacity; i++) {
        is_level |= c->types[i].times != 0 && c->types[i].is_level;
        is_plain |= c->types[i].times != 0 && c->types[i].is_plain;
    }
    if (is_level && is_plain)
        die(CODE_WRONG_TYPE, "\"%.*s\" is a level in some files, and not in others",
            STR_ARG(name_of(c, c->chosen)->type));
    return is_level;
}

uint64_t choice_count(const struct choice *c)
{
    uint64_t count = 0;
    for (size_t i = 0; i < c->type_capacity; i++)
        count += c->types[i].times != 0 ? c->types[i].count : 0;
    return count;
}

bool choice_is_time(const struct choice *c)
{
    for (size_t i = 0; c->chosen != 0 && i < c->source_count; i++)
        if (c->sources[i].time != 0 && c->types[c->sources[i].time - 1].times != 0)
            return true;
    return false;
}

/* Whether the source S has a value other than 0. */
static bool has_values(const struct choice_source *s)
{
    for (size_t i = 0; i < s->type_count; i++)
        if (s->types[i].count > 0)
            return true;
    return false;
}

bool choice_take_counts(struct choice *c)
{
    const struct choice_source *first = NULL;
    for (size_t i = 0; i < c->source_count; i++) {
        const struct choice_source *s = &c->sources[i];
        if (!has_values(s))
            continue;
        if (first == NULL)
            first = s;
        if (s->time == 0 || s->time != first->time || s->period != first->period)
            return false;
    }
    for (size_t i = 0; i < c->type_capacity; i++)
        c->types[i].times = 0;
    choice_take(c, c->counts);
    return true;
}

void choice_take(struct choice *c, uint32_t number)
{
    type_at(c, number)->times = 1;
    c->chosen = number;
    c->unit = name_of(c, number)->unit;
}

bool choice_has(const struct choice *c, size_t source)
{
    const struct choice_source *s = &c->sources[source - 1];
    for (size_t i = 0; i < s->type_count; i++)
        if (c->types[s->numbers[i] - 1].times != 0)
            return true;
    return s->time != 0 && c->types[s->time - 1].times != 0;
}

void choice_add_types(const struct choice *c, size_t source, struct buf *to)
{
    enum { SHOWN = 4 };
    const struct choice_source *s = &c->sources[source - 1];
    for (size_t i = 0; i < s->type_count && i <= SHOWN; i++) {
        buf_add(to, i > 0 ? STR(", ") : STR(""));
        buf_add(to, i == SHOWN ? STR("...") : s->types[i].type);
    }
    buf_add(to, s->type_count == 0 ? STR("none") : STR(""));
}

/* Whether each sample of the source S has samples/count and one of several other types. */
static bool has_one_each(const struct choice *c, const struct choice_source *s)
{
    uint64_t samples = 0, others = 0;
    size_t types = 0;
    for (size_t i = 0; i < s->type_count; i++) {
        bool counts = s->numbers[i] == c->counts;
        samples += counts ? s->types[i].count : 0;
        others += counts ? 0 : s->types[i].count;
        types += !counts && s->types[i].count > 0;
    }
    return types > 1 && others <= samples;
}

/* Counts in COUNTS, by number of the type - 1, the samples that have another type than the
 * chosen one; returns how many types these are. */
static size_t count_instead(const struct choice *c, uint64_t *counts)
{
    size_t types = 0;
    for (size_t i = 0; i < c->source_count; i++) {
        const struct choice_source *s = &c->sources[i];
        for (size_t j = 0; has_one_each(c, s) && j < s->type_count; j++) {
            uint32_t number = s->numbers[j];
            if (number == c->counts || c->types[number - 1].times != 0 || s->types[j].count == 0)
                continue;
            types += counts[number - 1] == 0;
            counts[number - 1] += s->types[j].count;
        }
    }
    return types;
}

/* Whether COUNTS, by number of the type - 1, has another type with the name of NUMBER, in
 * another unit. */
static bool has_namesake(const struct choice *c, const uint64_t *counts, uint32_t number)
{
    for (uint32_t i = 1; i <= c->type_capacity; i++)
        if (i != number && counts[i - 1] > 0 &&
            str_equal(name_of(c, i)->type, name_of(c, number)->type))
            return true;
    return false;
}

void choice_warn_of_others(const struct choice *c)
{
    enum { SHOWN = 8 };
    if (c->wanted_type.n > 0 || c->chosen == 0)
        return;
    uint64_t *counts = mem_alloc_zeroed((c->type_capacity + 1) * sizeof *counts);
    struct buf others = {0};
    size_t types = count_instead(c, counts), shown = 0;
    for (uint32_t number = 1; number <= c->type_capacity && shown < SHOWN; number++) {
        if (counts[number - 1] == 0)
            continue;
        buf_add(&others, shown++ > 0 ? STR(", ") : STR(""));
        buf_add(&others, name_of(c, number)->type);
        if (has_namesake(c, counts, number)) {
            buf_add(&others, STR("/"));
            buf_add(&others, name_of(c, number)->unit);
        }
        buf_add(&others, STR(" ("));
        emit_number(&others, (int64_t)counts[number - 1]);
        buf_add(&others, STR(")"));
    }
    if (types > 0)
        warn(CODE_OTHER_TYPES, "samples of other types, which --type shows: %.*s%s",
             STR_ARG(buf_str(&others)), types > SHOWN ? ", ..." : "");
    buf_free(&others);
    mem_free(counts);
}

void choice_warn(const struct choice *c)
{
    for (uint32_t number = 1; c->chosen == 0 && number <= c->type_capacity; number++)
        if (c->types[number - 1].levels > 0) {
            warn(CODE_OTHER_TYPES,
                 "nothing to add up: all values are levels, such as \"%.*s\"" HINT
                 "profdiff compares them, and profsum --samples lists them",
                 STR_ARG(name_of(c, number)->type));
            break;
        }
    if (c->zero != 0)
        warn(CODE_OTHER_TYPES, "all values of \"%.*s\" are 0: using \"%.*s\"",
             STR_ARG(name_of(c, c->zero)->type), STR_ARG(name_of(c, c->chosen)->type));
}

void choice_count_others(const struct choice *c)
{
    uint32_t stands_for = choice_is_time(c) ? c->counts : 0;
    for (uint32_t number = 1; number <= c->type_capacity; number++) {
        const struct choice_type *t = &c->types[number - 1];
        bool is_dropped = t->count > 0 && t->times == 0 && number != stands_for;
        if (is_dropped && (c->wanted_type.n == 0 || t->misfits))
            loss_add(LOSS_VALUES, name_of(c, number)->type, t->count);
        if (t->levels > 0 && c->wanted_type.n == 0)
            loss_add(t->is_inclusive ? LOSS_INCLUSIVE : LOSS_GAUGES, name_of(c, number)->type,
                     t->levels);
    }
}

void choice_free(struct choice *c)
{
    for (size_t i = 0; i < c->source_count; i++) {
        mem_free(c->sources[i].types);
        mem_free(c->sources[i].numbers);
    }
    mem_free(c->types);
    mem_free(c->sources);
    idmap_free(&c->gauges);
    idmap_free(&c->positions);
    buf_free(&c->wanted[0]);
    buf_free(&c->wanted[1]);
    *c = (struct choice){0};
}

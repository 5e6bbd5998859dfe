/* What sources say, and which type of their values is written: the one that is asked for, or else the
 * one that the first source shows (shown.h). */
#include "base/mem.h"
#include "base/units.h"
#include "formats/folded/folded_write.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

void folded_check_write_options(const struct folded_write_options *options)
{
    struct str type, unit;
    if (options->type != NULL && !folded_split_type(str_of(options->type), &type, &unit))
        die(STATUS_USAGE, "--type: expected TYPE or TYPE/UNIT, found \"%s\"", options->type);
}

void folded_want_type(struct folded_writer *w)
{
    struct str type, unit;
    if (w->options.type == NULL || !folded_split_type(str_of(w->options.type), &type, &unit))
        return;
    text_escape(&w->wanted[0], type);
    text_escape(&w->wanted[1], unit);
    w->wanted_type = buf_str(&w->wanted[0]);
    w->wanted_unit = buf_str(&w->wanted[1]);
}

static struct folded_type *type_at(struct folded_writer *w, uint32_t number)
{
    size_t before = w->type_capacity;
    if (number > before) {
        w->types = mem_array(w->types, &w->type_capacity, number, sizeof *w->types);
        memset(w->types + before, 0, (w->type_capacity - before) * sizeof *w->types);
    }
    return &w->types[number - 1];
}

static const struct value_type *name_of(const struct folded_writer *w, uint32_t number)
{
    return value_types_get(&w->sink.flow->types, number);
}

/* --- sources --- */

/* `.pprof` and `.folded`. */
static void read_facts(struct folded_writer *w, const struct row *row, struct members facts)
{
    struct member m;
    while (members_next(&facts, &m))
        if (m.id == MEMBER_ID_DEFAULT_SAMPLE_TYPE) {
            w->text.n = 0;
            text_escape(&w->text, profile_inner_bytes(&w->profile, m.value));
            w->read.shown.default_type = arena_copy(&w->arena, buf_str(&w->text));
        } else if (m.id == MEMBER_ID_OF_COLUMN && m.integer <= FOLDED_SIDES) {
            w->read.column = (unsigned)m.integer;
        } else {
            loss_add_inside(row, facts.column, m.name);
        }
}

bool folded_keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct folded_writer *w = writer;
    (void)other;
    if (row->table != TABLE_SOURCES ||
        (member->id != MEMBER_ID_PPROF && member->id != MEMBER_ID_FOLDED))
        return false;
    struct members walk = members_of(row, folded_place(w), NULL);
    read_facts(w, row, members_inside(&walk, member, member->value));
    return true;
}

/* Tells the source S of its next type, NUMBER. */
static void show_type(const struct folded_writer *w, struct folded_source *s, uint32_t number)
{
    const struct value_type *t = name_of(w, number);
    shown_add(&s->shown, t->type, t->unit, number);
}

static void add_gauge(struct folded_source *s, uint32_t number)
{
    s->gauges = mem_array(s->gauges, &s->gauge_capacity, s->gauge_count + 1, sizeof *s->gauges);
    s->gauges[s->gauge_count++] = number;
}

static void read_types(struct folded_writer *w, const struct row *row, struct folded_source *s,
                       const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t number = value_types_add_bytes(&w->sink.flow->types, t->type, t->unit);
        type_at(w, number)->is_used |= !t->gauge;
        type_at(w, number)->is_gauge |= t->gauge;
        if (t->inclusive)
            loss_add_inside(row, STR(".value_types"), STR("inclusive"));
        if (t->gauge)
            add_gauge(s, number);
        else
            show_type(w, s, number);
    }
    s->is_listed = s->shown.type != 0;
}

void folded_read_source(struct folded_writer *w, const struct row *row)
{
    w->read = (struct folded_source){.shown.default_type = STR("")};
    const struct profile_source *of = profile_add_source(&w->profile, row, folded_place(w));
    struct folded_source *s = &w->read;
    s->shown.has_time = shown_has_time(of, str_equal(of->kind, STR("pprof")));
    s->side = w->options.base_count > 0 ? w->sink.flow->input > w->options.base_count
                                        : s->column == FOLDED_SIDES;
    read_types(w, row, s, of);
    profile_lose_source(row, of, STR("folded"));
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    w->sources[w->source_count++] = *s;
}

bool folded_leave_level(struct folded_writer *w, const struct folded_source *source,
                        uint32_t number)
{
    for (size_t i = 0; i < source->gauge_count; i++)
        if (source->gauges[i] == number) {
            type_at(w, number)->levels++;
            return true;
        }
    return false;
}

void folded_note_value(struct folded_writer *w, struct folded_source *source, uint32_t number)
{
    struct folded_type *t = type_at(w, number);
    size_t id = (size_t)(source - w->sources) + 1;
    t->count++;
    t->is_used = true;
    if (source->is_listed || t->source == id)
        return;
    t->source = id;
    show_type(w, source, number);
}

/* --- the type that is written --- */

/* The number of a type that is called NAME and is used, above AFTER; 0: there is none. */
static uint32_t next_of_name(const struct folded_writer *w, uint32_t after, struct str name)
{
    for (uint32_t number = after + 1; number <= w->type_capacity; number++)
        if (w->types[number - 1].is_used && str_equal(name_of(w, number)->type, name))
            return number;
    return 0;
}

static _Noreturn void die_no_type(const struct folded_writer *w)
{
    enum { SHOWN = 20 };
    struct buf list = {0};
    unsigned count = 0;
    for (uint32_t number = 1; number <= w->type_capacity; number++) {
        const struct folded_type *t = &w->types[number - 1];
        if (!t->is_used || ++count > SHOWN)
            continue;
        buf_add(&list, count > 1 ? STR(", ") : STR(""));
        buf_add(&list, name_of(w, number)->type);
        buf_add(&list, STR("/"));
        buf_add(&list, name_of(w, number)->unit);
    }
    buf_add(&list, count > SHOWN ? STR(", ...") : count == 0 ? STR("none") : STR(""));
    die(STATUS_INPUT, "--type: no source has the type \"%.*s%s%.*s\"; there are: %.*s",
        STR_ARG(w->wanted_type), w->wanted_unit.n > 0 ? "/" : "", STR_ARG(w->wanted_unit),
        STR_ARG(buf_str(&list)));
}

/* The unit that values of the type NAME are written in: the finest of theirs, so that nothing is rounded,
 * and of several names of that the least. */
static struct str unit_of(const struct folded_writer *w, struct str name)
{
    struct str unit = {NULL, 0};
    for (uint32_t n = 0; (n = next_of_name(w, n, name)) != 0;) {
        struct str other = name_of(w, n)->unit;
        int64_t finer = unit.p == NULL ? 0 : units_in(unit, other);
        int64_t coarser = unit.p == NULL ? 0 : units_in(other, unit);
        if (unit.p != NULL && finer == 0 && coarser == 0)
            die(STATUS_INPUT,
                "type \"%.*s\" comes in units that do not convert: \"%.*s\" and \"%.*s\"",
                STR_ARG(name), STR_ARG(unit), STR_ARG(other));
        if (unit.p == NULL || coarser == 0 || (coarser == 1 && str_compare(other, unit) < 0))
            unit = other;
    }
    return unit;
}

/* Settles how the values of the type NAME are written in UNIT. */
static bool settle_units(struct folded_writer *w, struct str name, struct str unit)
{
    bool found = false;
    for (uint32_t n = 0; (n = next_of_name(w, n, name)) != 0;) {
        struct folded_type *t = &w->types[n - 1];
        struct str own = name_of(w, n)->unit;
        t->times = units_in(own, unit);
        t->misfits = t->times == 0;
        if (t->misfits && units_in(unit, own) != 0)
            die(STATUS_INPUT, "type \"%.*s\" comes in \"%.*s\", finer than \"%.*s\" of --type",
                STR_ARG(name), STR_ARG(own), STR_ARG(unit));
        found |= !t->misfits;
    }
    return found;
}

/* --type: what it names must be there, and no level. */
static void settle_wanted(struct folded_writer *w)
{
    bool fixed = w->wanted_unit.n > 0;
    uint32_t n = next_of_name(w, 0, w->wanted_type);
    for (uint32_t i = 1; i <= w->type_capacity; i++)
        if (w->types[i - 1].is_gauge && str_equal(name_of(w, i)->type, w->wanted_type))
            die(STATUS_INPUT, "--type: \"%.*s\" is a gauge: a level that cannot be added up",
                STR_ARG(w->wanted_type));
    struct str unit = fixed ? w->wanted_unit : unit_of(w, w->wanted_type);
    if (n != 0 && settle_units(w, w->wanted_type, unit))
        w->shown = n;
    else if (w->source_count > 0)
        die_no_type(w);
}

/* Counts the values that are not written.  Where a type was asked for others were asked to go. */
static void count_values(const struct folded_writer *w)
{
    for (uint32_t number = 1; number <= w->type_capacity; number++) {
        const struct folded_type *t = &w->types[number - 1];
        bool is_lost = t->count > 0 && t->times == 0;
        if (is_lost && (w->wanted_type.n == 0 || t->misfits))
            loss_add(LOSS_VALUES, name_of(w, number)->type, t->count);
        if (t->levels > 0 && w->wanted_type.n == 0)
            loss_add(LOSS_GAUGES, name_of(w, number)->type, t->levels);
    }
}

/* Counts the name of the type that is written, unless readers take it for that anyway. */
static void count_name(const struct folded_writer *w)
{
    const struct value_type *t = w->shown == 0 ? NULL : name_of(w, w->shown);
    if (t != NULL && !(str_equal(t->type, STR("samples")) && str_equal(t->unit, STR("count"))))
        loss_add(LOSS_FACTS, STR(".value_types"), 1);
}

void folded_settle_types(struct folded_writer *w)
{
    for (size_t i = 0; w->wanted_type.n == 0 && w->shown == 0 && i < w->source_count; i++)
        w->shown = w->sources[i].shown.type;
    if (w->wanted_type.n > 0)
        settle_wanted(w);
    else if (w->shown != 0)
        settle_units(w, name_of(w, w->shown)->type, unit_of(w, name_of(w, w->shown)->type));
    count_values(w);
    count_name(w);
}

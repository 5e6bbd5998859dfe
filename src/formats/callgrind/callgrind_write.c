/* Profile rows to a file of Callgrind. See ndjson2callgrind(1) for the rules.
 *
 * A stack adds its cost to its innermost line, and to each of its calls. callgrind_annotate adds up
 * the calls of a function: so a call into a function that is further out in the same stack costs
 * nothing, and the function has the stack once. */
#include "base/amount.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind_text.h"
#include "profile/choice.h"
#include "profile/inclusive.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* A function as readers tell them apart: by name and file, strings of the profile. */
struct function {
    uint32_t name, file;
    bool is_called;
    uint32_t number; /* in the file; 0: not written so far */
    uint64_t seen;   /* the last sample with it */
    uint32_t rank;   /* in the file */
};

/* A line of a function, or where calls enter it. */
struct site {
    uint32_t function, object;
    uint32_t file; /* 0: that of the function */
    uint64_t address;
    int64_t line; /* 0: unknown */
};

/* Where costs add up: a line, or a call. */
struct cell {
    uint32_t from; /* a site; 0: the stack begins here */
    uint32_t to;   /* the site that is called; 0: what the line itself costs */
};

/* What a source has: stacks, or functions and calls as Callgrind (inclusive.h). Of the latter some have
 * types of their own for calls. */
enum holds { HOLDS_STACKS, HOLDS_CALLS, HOLDS_CALLS_BY_CALLER, HOLDS };

/* What the values of a type are in a source of calls. */
struct role {
    enum { ROLE_UNKNOWN, ROLE_EVENT, ROLE_CALLS, ROLE_INCLUSIVE } kind;
    uint32_t of; /* ROLE_INCLUSIVE: the type that it is the sum of */
};

/* The column of the number of calls in the sums of a cell; others are numbers of types. */
enum { CALLS };

struct event {
    uint32_t name; /* that of its types (value_types.h) */
    struct str unit;
};

struct callgrind_writer {
    struct sink sink;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the first event */
    uint32_t counts;      /* the type samples/count */
    uint32_t file;        /* of the location being read */

    struct intern function_keys, site_keys, cell_keys;
    struct function *functions; /* by number - 1, like the next ones */
    struct site *sites;
    uint64_t *cell_seen; /* the last sample with it */
    size_t function_capacity, site_capacity, seen_capacity;
    struct sums sums; /* by cell - 1 */
    struct amount_columns digits;

    uint32_t *lines, *entries; /* by location - 1: its site, and where calls enter it */
    size_t line_capacity, entry_capacity;
    enum holds *holds; /* by source - 1 */
    size_t holds_capacity;
    struct role *roles[HOLDS]; /* by what a source holds, and by type - 1 */
    size_t role_capacity[HOLDS];
    bool *is_used; /* by type - 1: it has values */
    size_t used_capacity;
    bool has_objects, has_addresses;

    uint64_t sample; /* the number of the current one */
    struct sums_part *parts;
    size_t part_count, part_capacity;
    struct buf text;

    /* for the file */
    struct event *events;
    size_t event_count, event_capacity;
    uint32_t *event_of;              /* by type - 1: its event + 1; 0: none */
    int64_t *factors;                /* by type - 1 */
    uint64_t *totals;                /* by event */
    bool has_totals;                 /* they fit 64 bits */
    struct amount *amounts;          /* all 0 where none is being summed up */
    uint32_t *file_ids, *object_ids; /* by string - 1: the number written; 0: none so far */
    uint32_t file_count, object_count, name_count;
    struct site outside; /* of all stacks */
};

/* --- rows --- */

/* Keeps MEMBER of the row of locations being read (profile.h). */
static bool keep_member(void *writer, const struct row *row, const struct member *member,
                        uint32_t *other)
{
    struct callgrind_writer *w = writer;
    (void)other;
    if (row->table != TABLE_LOCATIONS || member->id != MEMBER_ID_CALLGRIND_FILE)
        return false;
    w->file = profile_string(&w->profile, profile_inner_bytes(&w->profile, member->value));
    return true;
}

static uint32_t function_of(struct callgrind_writer *w, uint32_t name, uint32_t file)
{
    uint32_t key[] = {name, file};
    bool is_new;
    uint32_t id =
        intern_add(&w->function_keys, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new) {
        w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
        w->functions[id - 1] = (struct function){.name = name, .file = file};
    }
    return id;
}

static uint32_t site_of(struct callgrind_writer *w, const struct site *site)
{
    uint64_t key[] = {(uint64_t)site->function << 32 | site->object, site->file, site->address,
                      (uint64_t)site->line};
    bool is_new;
    uint32_t id = intern_add(&w->site_keys, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new) {
        w->sites = mem_array(w->sites, &w->site_capacity, id, sizeof *w->sites);
        w->sites[id - 1] = *site;
        w->has_addresses |= site->address != 0;
        w->has_objects |= site->object != 0;
    }
    return id;
}

static uint32_t cell_of(struct callgrind_writer *w, uint32_t from, uint32_t to)
{
    struct cell cell = {from, to};
    bool is_new;
    uint32_t id =
        intern_add(&w->cell_keys, (struct str){(const char *)&cell, sizeof cell}, &is_new);
    if (is_new) {
        w->cell_seen = mem_array(w->cell_seen, &w->seen_capacity, id, sizeof *w->cell_seen);
        w->cell_seen[id - 1] = 0;
    }
    return id;
}

/* The line of CELL, or that of the stand-in for what is outside of its stack. */
static const struct site *from_of(const struct callgrind_writer *w, struct cell cell)
{
    return cell.from == 0 ? &w->outside : &w->sites[cell.from - 1];
}

static struct cell cell_at(const struct callgrind_writer *w, uint32_t id)
{
    struct cell cell;
    memcpy(&cell, intern_get(&w->cell_keys, id).p, sizeof cell);
    return cell;
}

static void read_location(struct callgrind_writer *w, const struct row *row)
{
    struct profile *p = &w->profile;
    w->file = 0;
    struct profile_location l = *profile_add_location(p, row, w->sink.flow->where);
    uint32_t name, file = naming_file(p, &l);
    if (l.function != 0) {
        name = p->functions[l.function - 1].name;
    } else {
        w->text.n = 0;
        naming_add_stand_in(&w->text, p, &l);
        name = profile_string(p, buf_str(&w->text));
    }
    struct site site = {.function = function_of(w, name, file),
                        .object = l.mapping == 0 ? 0 : p->mappings[l.mapping - 1].filename,
                        .file = w->file == file ? 0 : w->file,
                        .address = l.address,
                        .line = l.line > 0 ? l.line : 0};
    size_t id = (size_t)row->location.location_id;
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    w->entries = mem_array(w->entries, &w->entry_capacity, id, sizeof *w->entries);
    w->lines[id - 1] = site_of(w, &site);
    site.file = 0;
    site.address = 0;
    site.line = naming_start_line(p, &l);
    w->entries[id - 1] = site_of(w, &site);
}

/* --- types --- */

/* The type called NAME in the unit of the type T. */
static uint32_t type_like(struct callgrind_writer *w, struct str name, const struct value_type *t)
{
    struct value_types *types = &w->sink.flow->types;
    struct buf unit = {0};
    w->text.n = 0;
    buf_add(&w->text, name);
    buf_add(&unit, t->unit); /* a new type moves the others */
    const uint32_t type = value_types_add(types, buf_str(&w->text), buf_str(&unit));
    buf_free(&unit);
    return type;
}

/* What values of TYPE are in a source that holds HOLDS. */
static struct role role_of(struct callgrind_writer *w, uint32_t type, enum holds holds)
{
    const bool by_caller = holds == HOLDS_CALLS_BY_CALLER;
    struct role role = {.kind = ROLE_EVENT};
    if (holds == HOLDS_STACKS)
        return role;
    w->roles[holds] =
        mem_array_zeroed(w->roles[holds], &w->role_capacity[holds], type, sizeof *w->roles[holds]);
    if (w->roles[holds][type - 1].kind != ROLE_UNKNOWN)
        return w->roles[holds][type - 1];
    const struct value_type *t = value_types_get(&w->sink.flow->types, type);
    const struct inclusive of = inclusive_of(t->type);
    if (str_equal(t->type, STR("calls")) ||
        (by_caller && str_equal(t->type, STR("calls_by_caller"))))
        role.kind = ROLE_CALLS;
    else if (of.type.n > 0)
        role = (struct role){
            ROLE_INCLUSIVE,
            type_like(w, by_caller && of.by_caller.n > 0 ? of.by_caller : of.type, t)};
    w->roles[holds][type - 1] = role;
    return role;
}

static void use_type(struct callgrind_writer *w, uint32_t type)
{
    size_t before = w->used_capacity;
    w->is_used = mem_array(w->is_used, &w->used_capacity, type, sizeof *w->is_used);
    memset(w->is_used + before, 0, (w->used_capacity - before) * sizeof *w->is_used);
    w->is_used[type - 1] = true;
}

static void read_source(struct callgrind_writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, w->sink.flow->where);
    size_t id = w->profile.source_count;
    choice_add_source(&w->choice, of);
    profile_drop_source(row, of, STR("callgrind"));
    w->holds = mem_array(w->holds, &w->holds_capacity, id, sizeof *w->holds);
    w->holds[id - 1] = str_equal(of->kind, STR("callgrind")) ? HOLDS_CALLS
                       : profile_counts_calls(of)            ? HOLDS_CALLS_BY_CALLER
                                                             : HOLDS_STACKS;
    for (size_t i = 0; w->holds[id - 1] == HOLDS_CALLS && i < of->type_count; i++) {
        /* Callgrind lists all its events, even one that never happened */
        const struct profile_value_type *t = &of->types[i];
        const uint32_t type = value_types_add_bytes(&w->sink.flow->types, t->type, t->unit);
        if (!profile_is_left_out(t) && role_of(w, type, HOLDS_CALLS).kind == ROLE_EVENT)
            use_type(w, type);
    }
}

/* --- samples --- */

/* Adds EXACT of COLUMN to the parts of the sample. */
static void add_value(struct callgrind_writer *w, uint32_t column, struct decimal exact)
{
    w->part_count += amount_split(&w->digits, column, exact, w->parts + w->part_count);
}

/* What a sample of two frames of a source that counts calls is. A function that calls itself has the cost
 * already: of such a call only the number is written, as of stacks, unless Callgrind itself has named
 * it. */
enum call { CALL_NONE, CALL_OTHER, CALL_ITSELF };

/* Adds a value of a sample of SOURCE, from 1, which is CALL. Returns whether the value is the number of such
 * calls. */
static bool read_value(struct callgrind_writer *w, size_t source, struct sample_value *v,
                       enum call call)
{
    const bool is_call = call != CALL_NONE;
    struct decimal exact;
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    const struct role role = role_of(w, v->type, w->holds[source - 1]);
    if (is_call && role.kind == ROLE_CALLS) {
        add_value(w, CALLS, sample_value_exact(v));
        return true;
    } else if (is_call && role.kind == ROLE_INCLUSIVE) {
        use_type(w, role.of);
        if (call == CALL_OTHER)
            add_value(w, role.of, sample_value_exact(v));
    } else if (is_call || role.kind == ROLE_CALLS) {
        loss_add(LOSS_VALUES, value_types_get(&w->sink.flow->types, v->type)->type, 1);
    } else if (choice_admit(&w->choice, source, v, &exact, 1)) {
        use_type(w, v->type);
        add_value(w, v->type, exact);
    } else {
        loss_add(w->choice.types[v->type - 1].is_inclusive ? LOSS_INCLUSIVE : LOSS_GAUGES,
                 value_types_get(&w->sink.flow->types, v->type)->type, 1);
    }
    return false;
}

/* What SAMPLE, of a source that holds HOLDS, is. */
static enum call call_of(const struct callgrind_writer *w, const struct sample *sample,
                         enum holds holds)
{
    if (holds == HOLDS_STACKS || sample->depth != 2)
        return CALL_NONE;
    const struct site *callee = &w->sites[w->lines[sample->locations[0] - 1] - 1],
                      *caller = &w->sites[w->lines[sample->locations[1] - 1] - 1];
    return holds == HOLDS_CALLS_BY_CALLER && callee->function == caller->function ? CALL_ITSELF
                                                                                  : CALL_OTHER;
}

/* Adds the parts of the sample from FIRST up to END to CELL. */
static void add_parts(struct callgrind_writer *w, uint32_t cell, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        sums_add_part(&w->sums, cell - 1, &w->parts[i]);
}

/* Adds a call from the site FROM, or from outside (0), to where calls enter LOCATION. The last part
 * is the number of calls. */
static void add_call(struct callgrind_writer *w, uint32_t from, int64_t location)
{
    uint32_t to = w->entries[location - 1];
    struct function *callee = &w->functions[w->sites[to - 1].function - 1];
    uint32_t cell = cell_of(w, from, to);
    bool is_inner = callee->seen == w->sample;
    callee->seen = w->sample;
    callee->is_called |= from != 0;
    if (w->cell_seen[cell - 1] == w->sample)
        return;
    w->cell_seen[cell - 1] = w->sample;
    add_parts(w, cell, is_inner ? w->part_count - 1 : 0, w->part_count);
}

/* How many samples SAMPLE stands for. */
static int64_t count_of(const struct callgrind_writer *w, const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct number *n = &sample->values[i].value;
        if (sample->values[i].type == w->counts && n->kind == NUMBER_INTEGER && n->integer > 0)
            return n->integer;
    }
    return 1;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct callgrind_writer *w = (struct callgrind_writer *)to;
    struct place where = to->flow->where;
    size_t source = (size_t)sample->source_id, depth = sample->depth;
    const enum holds holds = w->holds[source - 1];
    const enum call call = call_of(w, sample, holds);
    bool is_counted = false;
    int64_t count = count_of(w, sample);
    w->sample++;
    w->part_count = 0;
    w->parts = mem_array(w->parts, &w->part_capacity, (sample->value_count + 1) * AMOUNT_PARTS,
                         sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        is_counted |= read_value(w, source, &sample->values[i], call);
    }
    to->flow->where = where;
    loss_add_sample(sample, where);
    if (depth == 0) {
        loss_add(LOSS_NO_STACK, STR(""), 1);
        return;
    }
    const int64_t *stack = sample->locations;
    if (call != CALL_NONE) {
        if (!is_counted) /* it was called, however often */
            add_value(w, CALLS, decimal_of(1));
        const uint32_t callee = (holds == HOLDS_CALLS ? w->lines : w->entries)[stack[0] - 1];
        w->functions[w->sites[callee - 1].function - 1].is_called = true;
        add_parts(w, cell_of(w, w->lines[stack[1] - 1], callee), 0, w->part_count);
        return;
    }
    add_parts(w, cell_of(w, w->lines[stack[0] - 1], 0), 0, w->part_count);
    if (holds != HOLDS_STACKS)
        return;
    w->parts[w->part_count++] = (struct sums_part){.column = CALLS, .n = count};
    add_call(w, 0, stack[depth - 1]);
    for (size_t i = depth - 1; i-- > 0;)
        add_call(w, w->lines[stack[i + 1] - 1], stack[i]);
}

static void take_row(struct sink *to, struct row *row)
{
    struct callgrind_writer *w = (struct callgrind_writer *)to;
    struct place where = to->flow->where;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: profile_add_function(&w->profile, row, where); break;
    case TABLE_MAPPINGS: profile_add_mapping(&w->profile, row, where); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

/* --- events --- */

/* Makes TYPE one of an event of its name, in the finest unit of those that convert; the others are
 * lost. BY_NAME: by name - 1, its event, from 1. */
static void add_event(struct callgrind_writer *w, uint32_t type, uint32_t *by_name)
{
    const struct value_type *t = value_types_get(&w->sink.flow->types, type);
    if (w->event_of[type - 1] != 0)
        return;
    const bool is_new = by_name[t->name - 1] == 0;
    const size_t i = is_new ? w->event_count : by_name[t->name - 1] - 1;
    if (is_new) {
        w->events = mem_array(w->events, &w->event_capacity, i + 1, sizeof *w->events);
        w->events[w->event_count++] = (struct event){t->name, t->unit};
        by_name[t->name - 1] = (uint32_t)w->event_count;
    } else if (units_in(t->unit, w->events[i].unit) == 0) {
        if (units_in(w->events[i].unit, t->unit) == 0) {
            loss_add(LOSS_TYPES, t->type, 1);
            return;
        }
        w->events[i].unit = t->unit;
    }
    w->event_of[type - 1] = (uint32_t)i + 1;
}

static void find_events(struct callgrind_writer *w)
{
    const struct value_types *types = &w->sink.flow->types;
    uint32_t count = types->leads.count;
    uint32_t *by_name = mem_alloc_zeroed(((size_t)types->names.count + 1) * sizeof *by_name);
    w->event_of = mem_alloc_zeroed((count + 1) * sizeof *w->event_of);
    w->factors = mem_alloc_zeroed((count + 1) * sizeof *w->factors);
    if (w->choice.chosen != 0)
        add_event(w, w->choice.chosen, by_name);
    for (uint32_t i = 0; i < w->used_capacity; i++)
        if (w->is_used[i])
            add_event(w, i + 1, by_name);
    mem_free(by_name);
    for (uint32_t i = 0; i < count; i++)
        if (w->event_of[i] != 0)
            w->factors[i] =
                units_in(value_types_get(types, i + 1)->unit, w->events[w->event_of[i] - 1].unit);
    w->totals = mem_alloc_zeroed((w->event_count + 1) * sizeof *w->totals);
    w->amounts = mem_alloc_zeroed((w->event_count + 2) * sizeof *w->amounts);
    w->has_totals = true;
}

/* The names of events as they are written. */
struct event_names {
    struct intern names;
    uint32_t *tried; /* by name - 1: how many others were tried for events that have it, too */
    size_t capacity;
};

/* Makes NAME one that is not among NAMES, if it is not: NAME_, NAME_3, NAME_4 and so on. Returns
 * whether that changed it. No name is tried twice, however many are equal. */
static bool make_unlike(struct event_names *names, struct buf *name)
{
    bool is_new;
    const size_t n = name->n;
    const uint32_t id = intern_add(&names->names, buf_str(name), &is_new);
    if (is_new)
        return false;
    while (!is_new) {
        names->tried = mem_array_zeroed(names->tried, &names->capacity, id, sizeof *names->tried);
        const uint32_t tried = ++names->tried[id - 1];
        name->n = n;
        buf_add(name, STR("_"));
        if (tried > 1)
            emit_number(name, (int64_t)tried + 1);
        intern_add(&names->names, buf_str(name), &is_new);
    }
    return true;
}

/* Appends to w->text the name of the event EVENT, a word: blanks become '_'. */
static void spell_event(struct callgrind_writer *w, const struct event *event,
                        struct event_names *names)
{
    static const struct {
        struct str unit, shown;
    } units[] = {{STR("nanoseconds"), STR("ns")},
                 {STR("microseconds"), STR("us")},
                 {STR("milliseconds"), STR("ms")},
                 {STR("seconds"), STR("s")}};
    struct buf name = {0}, unit = {0};
    struct str text = intern_get(&w->sink.flow->types.names, event->name);
    /* a reader gives these names to calls */
    bool is_changed = str_equal(text, STR("calls")) || str_starts(text, STR("inclusive_"));
    buf_add(&name, is_changed ? STR("_") : STR(""));
    text_unescape(&name, text);
    text_unescape(&unit, event->unit);
    /* what stands in brackets at the end of a name is a unit to a reader, and some have factors */
    if (callgrind_text_type(buf_str(&name)).name.n < name.n)
        for (size_t i = 0; i < name.n; i++)
            if (name.p[i] == '(' || name.p[i] == ')') {
                name.p[i] = '_';
                is_changed = true;
            }
    is_changed |= unit.n == 0;
    buf_add(&unit, unit.n == 0 ? STR("count") : STR(""));
    if (callgrind_text_is_unit(buf_str(&unit))) {
        buf_add(&unit, STR("_"));
        is_changed = true;
    }
    struct buf *parts[] = {&name, &unit};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < parts[k]->n; i++)
            if ((unsigned char)parts[k]->p[i] <= ' ') {
                parts[k]->p[i] = '_';
                is_changed = true;
            }
    is_changed |= name.n == 0;
    buf_add(&name, name.n == 0 ? STR("_") : STR(""));
    is_changed |= make_unlike(names, &name);
    if (is_changed)
        loss_add(LOSS_CALLGRIND_NAMES, text, 1);
    buf_add(&w->text, STR(" "));
    buf_add(&w->text, buf_str(&name));
    if (!str_equal(buf_str(&unit), STR("count"))) {
        struct str shown = buf_str(&unit);
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (str_equal(shown, units[i].unit))
                shown = units[i].shown;
        buf_add(&w->text, STR("_("));
        buf_add(&w->text, shown);
        buf_add(&w->text, STR(")"));
    }
    buf_free(&name);
    buf_free(&unit);
}

/* --- the file --- */

/* Appends NUMBER of a name and, unless IS_NAMED, the name: bytes, on one line. */
static void add_name(struct callgrind_writer *w, uint32_t number, bool is_named, struct str name)
{
    buf_add(&w->text, STR("("));
    emit_number(&w->text, number);
    buf_add(&w->text, is_named ? STR(")\n") : STR(") "));
    if (is_named)
        return;
    size_t start = w->text.n;
    struct str trimmed = str_trim(name);
    buf_add(&w->text, trimmed.n == 0 ? STR("???") : trimmed);
    bool is_changed = trimmed.n != name.n;
    for (size_t i = start; i < w->text.n; i++)
        if (w->text.p[i] == '\n' || w->text.p[i] == '\0') {
            w->text.p[i] = '?';
            is_changed = true;
        }
    if (is_changed) {
        struct buf shown = {0};
        text_escape(&shown, name);
        loss_add(LOSS_CALLGRIND_NAMES, buf_str(&shown), 1);
        buf_free(&shown);
    }
    buf_add(&w->text, STR("\n"));
}

/* Appends the line KEY for STRING, of the profile, which has its number in IDS. */
static void add_string(struct callgrind_writer *w, struct str key, uint32_t string, uint32_t *ids,
                       uint32_t *count)
{
    bool is_named = ids[string] != 0;
    if (!is_named)
        ids[string] = ++*count;
    buf_add(&w->text, key);
    add_name(w, ids[string], is_named, profile_string_of(&w->profile, string));
}

static void add_file(struct callgrind_writer *w, struct str key, uint32_t file)
{
    add_string(w, key, file, w->file_ids, &w->file_count);
}

static void add_object(struct callgrind_writer *w, struct str key, uint32_t object)
{
    if (w->has_objects)
        add_string(w, key, object, w->object_ids, &w->object_count);
}

static void add_function(struct callgrind_writer *w, struct str key, uint32_t function)
{
    struct function *f = &w->functions[function - 1];
    buf_add(&w->text, key);
    bool is_named = f->number != 0;
    if (!is_named)
        f->number = ++w->name_count;
    add_name(w, f->number, is_named, profile_string_of(&w->profile, f->name));
}

static void add_position(struct callgrind_writer *w, uint64_t address, int64_t line)
{
    if (w->has_addresses) {
        emit_address(&w->text, address);
        buf_add(&w->text, STR(" "));
    }
    emit_number(&w->text, line);
}

/* The sum A of the event NAME as a cost. */
static int64_t cost_of(const struct amount *a, struct str name)
{
    int64_t n;
    if (!amount_fits(a, 0, &n))
        die(CODE_OVERFLOW, "a sum of \"%.*s\" does not fit 64 bits", STR_ARG(name));
    struct decimal more = amount_rounding(a, 0, n);
    if (decimal_sign(more) != 0)
        loss_add_fraction(name, more);
    if (n >= 0)
        return n;
    loss_add(LOSS_BELOW_ZERO, name, 1);
    return 0;
}

/* Sets w->amounts to the sums of CELL by event, and the last of them to its calls; returns how many
 * have values: the rest are 0. */
static size_t sum_cell(struct callgrind_writer *w, uint32_t cell)
{
    struct sums_walk walk = {.row = cell - 1};
    struct sums_part part;
    size_t count = 0;
    while (sums_next(&w->sums, &walk, &part)) {
        uint32_t column = amount_column(&w->digits, &part);
        uint32_t event = column == CALLS ? 0 : w->event_of[column - 1];
        size_t at = column == CALLS ? w->event_count : event - 1;
        if (column != CALLS && event == 0)
            continue;
        amount_add(&w->amounts[at], &w->digits, &part,
                   column == CALLS ? 1 : w->factors[column - 1]);
        if (column != CALLS && at + 1 > count)
            count = at + 1;
    }
    return count;
}

/* Makes w->amounts 0 again, the first COUNT and that of calls. */
static void clear_amounts(struct callgrind_writer *w, size_t count)
{
    memset(w->amounts, 0, count * sizeof *w->amounts);
    memset(&w->amounts[w->event_count], 0, sizeof *w->amounts);
}

/* Appends the costs of a cell, the first COUNT of w->amounts. */
static void add_costs(struct callgrind_writer *w, size_t count, bool is_self)
{
    for (size_t i = 0; i < count; i++) {
        int64_t n =
            cost_of(&w->amounts[i], intern_get(&w->sink.flow->types.names, w->events[i].name));
        buf_add(&w->text, STR(" "));
        emit_number(&w->text, n);
        if (is_self && __builtin_add_overflow(w->totals[i], (uint64_t)n, &w->totals[i]))
            w->has_totals = false;
    }
    buf_add(&w->text, STR("\n"));
}

static int by_string(const struct callgrind_writer *w, uint32_t x, uint32_t y)
{
    return x == y
               ? 0
               : str_compare(profile_string_of(&w->profile, x), profile_string_of(&w->profile, y));
}

static int by_name(const void *a, const void *b, void *writer)
{
    const struct callgrind_writer *w = writer;
    const struct function *x = &w->functions[*(const uint32_t *)a - 1];
    const struct function *y = &w->functions[*(const uint32_t *)b - 1];
    int order = by_string(w, x->name, y->name);
    return order != 0 ? order : by_string(w, x->file, y->file);
}

/* Sets the ranks of functions in the order of their names. */
static void rank_functions(struct callgrind_writer *w)
{
    uint32_t count = w->function_keys.count;
    uint32_t *sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i + 1;
    order_items_with(sorted, count, sizeof *sorted, by_name, w);
    for (uint32_t i = 0; i < count; i++)
        w->functions[sorted[i] - 1].rank = i;
    mem_free(sorted);
}

static int by_number(uint64_t x, uint64_t y)
{
    return x < y ? -1 : x > y;
}

static int by_site(const struct callgrind_writer *w, const struct site *x, const struct site *y)
{
    int order = by_number(w->functions[x->function - 1].rank, w->functions[y->function - 1].rank);
    order = order != 0 ? order : by_string(w, x->object, y->object);
    order = order != 0 ? order : by_string(w, x->file, y->file);
    order = order != 0 ? order : by_number((uint64_t)x->line, (uint64_t)y->line);
    return order != 0 ? order : by_number(x->address, y->address);
}

/* Functions by name, their lines by file and number, the cost of a line before its calls: equal
 * profiles give equal files. */
static int by_place(const void *a, const void *b, void *writer)
{
    const struct callgrind_writer *w = writer;
    struct cell x = cell_at(w, *(const uint32_t *)a), y = cell_at(w, *(const uint32_t *)b);
    int order = by_site(w, from_of(w, x), from_of(w, y));
    if (order != 0 || x.to == 0 || y.to == 0)
        return order != 0 ? order : by_number(x.to, y.to);
    return by_site(w, &w->sites[x.to - 1], &w->sites[y.to - 1]);
}

static void write_text(struct callgrind_writer *w)
{
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Writes what stands before the lines of FROM, unless it is as BEFORE. */
static void begin_function(struct callgrind_writer *w, const struct site *from,
                           const struct site *before)
{
    bool is_same =
        before != NULL && before->function == from->function && before->object == from->object;
    if (!is_same) {
        buf_add(&w->text, STR("\n"));
        add_object(w, STR("ob="), from->object);
        add_file(w, STR("fl="), w->functions[from->function - 1].file);
        add_function(w, STR("fn="), from->function);
    }
    if (is_same ? from->file != before->file : from->file != 0)
        add_file(w, from->file != 0 ? STR("fi=") : STR("fe="),
                 from->file != 0 ? from->file : w->functions[from->function - 1].file);
}

/* Writes CELL, whose sums are in w->amounts: COUNT costs. */
static void write_cell(struct callgrind_writer *w, struct cell cell, const struct site *from,
                       size_t count)
{
    if (cell.to != 0) {
        const struct site *to = &w->sites[cell.to - 1];
        add_object(w, STR("cob="), to->object);
        add_file(w, STR("cfi="), w->functions[to->function - 1].file);
        add_function(w, STR("cfn="), to->function);
        buf_add(&w->text, STR("calls="));
        emit_number(&w->text, cost_of(&w->amounts[w->event_count], STR("calls")));
        buf_add(&w->text, STR(" "));
        add_position(w, to->address, to->line);
        buf_add(&w->text, STR("\n"));
    }
    add_position(w, from->address, from->line);
    add_costs(w, count, cell.to == 0);
    write_text(w);
}

/* Writes all cells. A stack that begins in a function that others call is a call, too: otherwise
 * callgrind_annotate would not count it as a cost of that function. */
static void write_cells(struct callgrind_writer *w)
{
    uint32_t count = w->cell_keys.count;
    uint32_t *cells = mem_alloc((count + 1) * sizeof *cells);
    struct site before = {0};
    w->outside.function = function_of(w, profile_string(&w->profile, STR("<root>")), 0);
    rank_functions(w);
    for (uint32_t i = 0; i < count; i++)
        cells[i] = i + 1;
    order_items_with(cells, count, sizeof *cells, by_place, w);
    for (uint32_t i = 0; i < count; i++) {
        struct cell cell = cell_at(w, cells[i]);
        const struct site *from = from_of(w, cell);
        if (cell.from == 0 && !w->functions[w->sites[cell.to - 1].function - 1].is_called)
            continue;
        size_t costs = sum_cell(w, cells[i]);
        if (cell.to == 0 && costs == 0)
            continue;
        begin_function(w, from, before.function == 0 ? NULL : &before);
        write_cell(w, cell, from, costs);
        clear_amounts(w, costs);
        before = *from;
    }
    mem_free(cells);
}

static void write_head(struct callgrind_writer *w)
{
    struct event_names names = {0};
    w->text.n = 0;
    buf_add(&w->text, STR("# callgrind format\nversion: 1\ncreator: profpipe\n"));
    if (w->profile.source_count > 0 && w->profile.sources[0].command.n > 0 &&
        memchr(w->profile.sources[0].command.p, '\n', w->profile.sources[0].command.n) == NULL) {
        buf_add(&w->text, STR("cmd: "));
        buf_add(&w->text, w->profile.sources[0].command);
        buf_add(&w->text, STR("\n"));
    }
    buf_add(&w->text, w->has_addresses ? STR("positions: instr line\n") : STR("positions: line\n"));
    buf_add(&w->text, STR("events:"));
    for (size_t i = 0; i < w->event_count; i++)
        spell_event(w, &w->events[i], &names);
    if (w->event_count == 0)
        buf_add(&w->text, STR(" samples"));
    buf_add(&w->text, STR("\n"));
    write_text(w);
    intern_free(&names.names);
    mem_free(names.tried);
}

static void write_totals(struct callgrind_writer *w)
{
    if (!w->has_totals || w->event_count == 0)
        return;
    buf_add(&w->text, STR("\ntotals:"));
    for (size_t i = 0; i < w->event_count; i++) {
        buf_add(&w->text, STR(" "));
        emit_number(&w->text, (int64_t)w->totals[i]);
        if (w->totals[i] > INT64_MAX)
            return; /* larger than what can be read again */
    }
    buf_add(&w->text, STR("\n"));
    write_text(w);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct callgrind_writer *w = to;
    (void)with;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    flow->adds_up = true;
    w->profile.keep = keep_member;
    w->profile.user = w;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    choice_open(&w->choice, NULL, &flow->types);
}

static void close_writer(void *to)
{
    struct callgrind_writer *w = to;
    choice_finish(&w->choice);
    choice_warn(&w->choice);
    find_events(w);
    size_t strings = (size_t)w->profile.strings.count + 2;
    w->file_ids = mem_alloc_zeroed(strings * sizeof *w->file_ids);
    w->object_ids = mem_alloc_zeroed(strings * sizeof *w->object_ids);
    write_head(w);
    write_cells(w);
    write_totals(w);
    struct intern *interns[] = {&w->function_keys, &w->site_keys, &w->cell_keys};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    void *blocks[] = {w->functions,
                      w->sites,
                      w->cell_seen,
                      w->lines,
                      w->entries,
                      w->holds,
                      w->roles[HOLDS_CALLS],
                      w->roles[HOLDS_CALLS_BY_CALLER],
                      w->is_used,
                      w->parts,
                      w->events,
                      w->event_of,
                      w->factors,
                      w->totals,
                      w->amounts,
                      w->file_ids,
                      w->object_ids};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    sums_free(&w->sums);
    amount_free(&w->digits);
    buf_free(&w->text);
    choice_free(&w->choice);
    profile_free(&w->profile);
}

const struct stage callgrind_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct callgrind_writer),
    .open = open_writer,
    .close = close_writer,
};

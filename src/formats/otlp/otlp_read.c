/* OTLP profiles to rows. See otlp2ndjson(1) for the rules.
 *
 * A message is walked where it stands, field by field: only the places of the entries of its
 * dictionary are kept. JSON becomes such a message first. */
#include "base/mem.h"
#include "formats/json_head.h"
#include "formats/otlp/otlp.h"
#include "formats/otlp/otlp_format.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* --- messages --- */

/* NAME as the definition of OTLP spells it: stack_index for stackIndex. */
static void add_name(struct buf *to, const char *name)
{
    for (; *name != '\0'; name++) {
        const bool is_upper = *name >= 'A' && *name <= 'Z';
        buf_add(to, is_upper ? STR("_") : STR(""));
        buf_add(to, (struct str){&(char){(char)(is_upper ? *name | 0x20 : *name)}, 1});
    }
}

static struct place place_of(const struct otlp *r, size_t offset)
{
    size_t low = 0, high = r->mark_count;
    if (!r->is_json)
        return (struct place){in_name(r->in), PLACE_OFFSET, offset};
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(r->marks[middle].offset <= offset ? &low : &high) = middle;
    }
    return (struct place){in_name(r->in), PLACE_LINE, r->marks[low].line};
}

void otlp_die(const struct otlp *r, const char *field, const char *format, ...)
{
    const struct otlp_path *path = &r->path;
    struct buf where = {0};
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (path->message == OTLP_DICTIONARY) {
        add_name(&where, otlp_fields[OTLP_DICTIONARY][path->table].name);
        char *end = buf_reserve(&where, 32);
        where.n += (size_t)snprintf(end, 32, "[%" PRIu64 "]: ", path->number);
    } else if (path->message == OTLP_PROFILE || path->message == OTLP_SAMPLE) {
        char *end = buf_reserve(&where, 64);
        where.n += (size_t)snprintf(end, 64, "profile %" PRIu64, r->profiles);
        end = buf_reserve(&where, 64);
        if (path->message == OTLP_SAMPLE)
            where.n += (size_t)snprintf(end, 64, ", sample %" PRIu64, path->number);
        buf_add(&where, STR(": "));
    }
    if (field != NULL) {
        add_name(&where, field);
        buf_add(&where, STR(": "));
    }
    die_at(place_of(r, path->offset), "%.*s%s", STR_ARG(buf_str(&where)), text);
}

struct otlp_path otlp_at(struct otlp *r, struct otlp_path path)
{
    const struct otlp_path before = r->path;
    r->path = path;
    return before;
}

static size_t offset_of(const struct otlp *r, struct str bytes)
{
    return (size_t)(bytes.p - r->data.p);
}

struct otlp_path otlp_path_of(const struct otlp *r, unsigned table, const struct otlp_entry *entry)
{
    return (struct otlp_path){OTLP_DICTIONARY, table, (uint64_t)(entry - r->tables[table].items),
                              offset_of(r, entry->bytes)};
}

/* --- fields --- */

struct wire otlp_walk(const struct otlp *r, struct str bytes)
{
    const size_t at = offset_of(r, bytes);
    return (struct wire){in_name(r->in), "OTLP", {r->data.p, at + bytes.n}, at};
}

/* Counts F, a field that MESSAGE does not have. */
static void lose_field(const struct otlp *r, enum otlp_message message, const struct wire_field *f)
{
    static const char *const names[OTLP_MESSAGES] = {
        "data",           "dictionary", "resource_profiles",
        "scope_profiles", "profile",    "sample",
        "type",           "mapping",    "location",
        "line",           "function",   "link",
        "stack",          "attribute",  "value",
        "array",          "list",       "key_value",
        "resource",       "entity",     "scope"};
    char name[64];
    snprintf(name, sizeof name, "%s.%" PRIu64, names[message], f->number);
    if (!r->looks_ahead)
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(name), 1);
}

bool otlp_next(struct otlp *r, enum otlp_message message, struct wire *wire, struct wire_field *f,
               const struct otlp_field **field)
{
    while (wire_next(wire, f)) {
        *field = otlp_field(message, f->number);
        if (*field == NULL) {
            lose_field(r, message, f);
            continue;
        }
        const enum wire_type type = otlp_wire_type(*field);
        const bool is_packed = otlp_may_be_packed(*field) && f->type == WIRE_BYTES;
        if (f->type != type && !is_packed)
            otlp_die(r, (*field)->name, "expected wire type %d, found %d", (int)type, (int)f->type);
        return true;
    }
    return false;
}

bool otlp_take(struct otlp *r, const struct otlp_field *field, struct wire_field *f,
               uint64_t *number)
{
    const bool is_fixed = otlp_wire_type(field) == WIRE_FIXED64;
    if (f->type == WIRE_VARINT) {
        *number = f->value;
        f->type = WIRE_BYTES;
        f->bytes.n = 0;
        return true;
    }
    if (f->bytes.n == 0)
        return false;
    if (!is_fixed && wire_take_varint(&f->bytes, number))
        return true;
    if (!is_fixed || f->bytes.n < 8)
        otlp_die(r, field->name, "expected numbers, found other bytes");
    *number = bits_load(f->bytes.p);
    f->bytes = (struct str){f->bytes.p + 8, f->bytes.n - 8};
    return true;
}

void otlp_add_numbers(struct otlp *r, const struct otlp_field *field, struct wire_field *f,
                      struct otlp_numbers *to)
{
    uint64_t number;
    while (otlp_take(r, field, f, &number)) {
        to->items = mem_array(to->items, &to->capacity, to->count + 1, sizeof *to->items);
        to->items[to->count++] = number;
    }
}

int64_t otlp_nanoseconds(const struct otlp *r, uint64_t number, const char *field)
{
    if (number > INT64_MAX)
        otlp_die(r, field, "expected nanoseconds below 2^63, found %" PRIu64, number);
    return (int64_t)number;
}

/* --- the dictionary --- */

struct otlp_entry *otlp_entry(struct otlp *r, unsigned table, uint64_t index, const char *field)
{
    const struct otlp_table *t = &r->tables[table];
    if (index == 0 && (t->has_null || t->count == 0))
        return NULL;
    if (index >= t->count)
        otlp_die(r, field, "expected an index below %zu, found %" PRId64, t->count, (int64_t)index);
    t->items[index].is_used = true;
    return &t->items[index];
}

struct str otlp_string(struct otlp *r, uint64_t index, const char *field)
{
    const struct otlp_entry *entry = otlp_entry(r, OTLP_DICTIONARY_STRINGS, index, field);
    return entry == NULL ? STR("") : entry->bytes;
}

static bool is_zero(struct str bytes)
{
    while (bytes.n > 0 && bytes.p[bytes.n - 1] == '\0')
        bytes.n--;
    return bytes.n == 0;
}

/* Whether ENTRY, of TABLE, has nothing but zeros. */
static bool is_null(struct otlp *r, unsigned table, const struct otlp_entry *entry)
{
    const enum otlp_message message = otlp_fields[OTLP_DICTIONARY][table].inside;
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    bool good = true;
    if (message == OTLP_SCALAR)
        return entry->bytes.n == 0;
    r->looks_ahead = true;
    while (good && otlp_next(r, message, &wire, &f, &field))
        good = f.type == WIRE_VARINT ? f.value == 0 : is_zero(f.bytes);
    r->looks_ahead = false;
    return good;
}

static void read_dictionary(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    otlp_at(r, (struct otlp_path){OTLP_DATA, 0, 0, offset_of(r, bytes)});
    while (otlp_next(r, OTLP_DICTIONARY, &wire, &f, &field)) {
        struct otlp_table *t = &r->tables[field->number];
        t->items = mem_array(t->items, &t->capacity, t->count + 1, sizeof *t->items);
        t->items[t->count++] = (struct otlp_entry){f.bytes, 0, false};
    }
    for (unsigned i = 1; i <= OTLP_DICTIONARY_STACKS; i++) {
        struct otlp_table *t = &r->tables[i];
        if (t->count == 0)
            continue;
        otlp_at(r, otlp_path_of(r, i, t->items));
        t->has_null = is_null(r, i, t->items);
        if (i == OTLP_DICTIONARY_STRINGS && !t->has_null)
            otlp_die(r, NULL, "expected an empty string");
    }
}

/* Counts the attributes, links and stacks that nothing refers to. */
static void lose_unused(const struct otlp *r)
{
    static const unsigned tables[] = {OTLP_DICTIONARY_ATTRIBUTES, OTLP_DICTIONARY_LINKS,
                                      OTLP_DICTIONARY_STACKS};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct otlp_table *t = &r->tables[tables[i]];
        struct buf name = {0};
        uint64_t count = 0;
        for (size_t entry = t->has_null; entry < t->count; entry++)
            count += !t->items[entry].is_used;
        add_name(&name, otlp_fields[OTLP_DICTIONARY][tables[i]].name);
        if (count > 0)
            loss_add(LOSS_OTLP_UNUSED, buf_str(&name), count);
        buf_free(&name);
    }
}

/* --- samples --- */

static void read_sample(struct otlp *r, struct otlp_sample *to, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    to->stack = to->link = 0;
    to->attributes.count = to->values.count = to->times.count = 0;
    r->path.offset = offset_of(r, bytes);
    while (otlp_next(r, OTLP_SAMPLE, &wire, &f, &field))
        switch (field->number) {
        case OTLP_SAMPLE_STACK: to->stack = f.value; break;
        case OTLP_SAMPLE_LINK: to->link = f.value; break;
        case OTLP_SAMPLE_ATTRIBUTES: otlp_add_numbers(r, field, &f, &to->attributes); break;
        case OTLP_SAMPLE_VALUES: otlp_add_numbers(r, field, &f, &to->values); break;
        default: otlp_add_numbers(r, field, &f, &to->times);
        }
}

/* Reads the next sample of PROFILE; false at the end. */
static bool next_sample(struct otlp *r, struct otlp_profile *profile)
{
    struct wire_field f;
    while (wire_next(&profile->samples, &f))
        if (f.number == OTLP_PROFILE_SAMPLES) {
            read_sample(r, &profile->sample, f.bytes);
            return true;
        }
    return false;
}

/* How many observations S is: those without times are of no known time. */
static size_t observations(const struct otlp_sample *s)
{
    return s->times.count > 0 ? s->times.count : s->values.count;
}

static bool same_numbers(const struct otlp_numbers *a, const struct otlp_numbers *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static bool same_sample(const struct otlp_sample *a, const struct otlp_sample *b)
{
    return a->stack == b->stack && a->link == b->link && same_numbers(&a->times, &b->times) &&
           observations(a) == observations(b) && same_numbers(&a->attributes, &b->attributes);
}

static void rewind_samples(const struct otlp *r, struct otlp_profile *profile)
{
    profile->samples = otlp_walk(r, profile->bytes);
}

/* Puts the rows of the stack of SAMPLE into r->kept. */
static void read_stack(struct otlp *r, const struct otlp_sample *sample)
{
    enum { LONGEST = 10 }; /* an index in bytes */
    const struct otlp_entry *entry = otlp_entry(r, OTLP_DICTIONARY_STACKS, sample->stack,
                                                otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_STACK));
    struct wire_field f;
    const struct otlp_field *field;
    uint64_t index;
    if (entry == r->kept_stack)
        return;
    r->kept_stack = entry;
    r->depth = 0;
    if (entry == NULL)
        return;
    struct wire wire = otlp_walk(r, entry->bytes);
    const struct otlp_path before = otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_STACKS, entry));
    while (otlp_next(r, OTLP_STACK, &wire, &f, &field))
        while (otlp_take(r, field, &f, &index)) {
            if (index >= r->span_count)
                otlp_die(r, field->name, "expected an index below %zu, found %" PRId64,
                         r->span_count, (int64_t)index);
            if (r->spans[index].count == 0)
                otlp_push_null_location(r);
            const struct otlp_span span = r->spans[index];
            growth_check_depth(r->depth + span.count, place_of(r, before.offset));
            r->kept =
                mem_array(r->kept, &r->kept_capacity, r->depth + span.count + 1, sizeof *r->kept);
            for (size_t i = 0; i < span.count; i++)
                r->kept[r->depth++] = r->rows[span.first + i];
        }
    if (entry->bytes.n / LONGEST > r->depth) /* its frames do not pay for it */
        growth_hold(r->sink->flow, entry->bytes.n);
    otlp_at(r, before);
}

/* Checks the numbers of values of the sample that PROFILE is at. */
static void check_values(const struct otlp *r, const struct otlp_sample *s)
{
    const char *name = otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_VALUES);
    if (observations(s) == 0)
        otlp_die(r, NULL, "expected values or timestamps_unix_nano, found neither");
    if (s->times.count > 0 && s->values.count > 0 && s->values.count != s->times.count)
        otlp_die(r, name, "expected %zu, one for each of timestamps_unix_nano, found %zu",
                 s->times.count, s->values.count);
}

/* Pushes observation I of the sample that all of the group are at. */
static void push_observation(struct otlp *r, size_t i)
{
    const struct otlp_sample *s = &r->group[0].sample;
    r->extra.n = 0;
    if (s->times.count > 0) {
        const char *name = otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_TIMES);
        buf_add(&r->extra, STR(",\".time\":"));
        emit_number(&r->extra, otlp_nanoseconds(r, s->times.items[i], name) - r->zero);
    }
    if (r->labels.n > 0) {
        buf_add(&r->extra, STR(",\".labels\":["));
        buf_add(&r->extra, buf_str(&r->labels));
        buf_add(&r->extra, STR("]"));
    }
    r->values = mem_array(r->values, &r->value_capacity, r->group_count, sizeof *r->values);
    for (size_t k = 0; k < r->group_count; k++) {
        const struct otlp_profile *p = &r->group[k];
        const struct otlp_numbers *values = &p->sample.values;
        const int64_t value = values->count > 0 ? (int64_t)values->items[i] : 1;
        r->values[k] = (struct sample_value){p->type_number, number_of(value), p->type_extra};
    }
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth + 1, sizeof *r->stack);
    if (r->depth > 0) /* a sink may change its copy */
        memcpy(r->stack, r->kept, r->depth * sizeof *r->stack);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = r->source_id,
                                          .extra = buf_str(&r->extra),
                                          .values = r->values,
                                          .value_count = r->group_count,
                                          .locations = r->stack,
                                          .depth = r->depth});
}

static void push_samples(struct otlp *r)
{
    for (size_t k = 0; k < r->group_count; k++)
        rewind_samples(r, &r->group[k]);
    otlp_at(r, (struct otlp_path){OTLP_SAMPLE, 0, 0, 0});
    for (;;) {
        r->path.number++;
        for (size_t k = r->group_count; k-- > 0;) /* the first last: its place is the one to name */
            if (!next_sample(r, &r->group[k]))
                return;
        for (size_t k = 0; k < r->group_count; k++)
            check_values(r, &r->group[k].sample);
        otlp_label(r, &r->group[0].sample);
        read_stack(r, &r->group[0].sample);
        for (size_t i = 0; i < observations(&r->group[0].sample); i++)
            push_observation(r, i);
    }
}

/* --- profiles --- */

/* Whether F may differ between profiles of one source. */
static bool may_differ(const struct wire_field *f)
{
    return f->number == OTLP_PROFILE_TYPE || f->number == OTLP_PROFILE_SAMPLES ||
           f->number == OTLP_PROFILE_ID;
}

/* Moves WIRE to its next field that may not differ. */
static bool next_fact(struct wire *wire, struct wire_field *f)
{
    while (wire_next(wire, f))
        if (!may_differ(f))
            return true;
    return false;
}

static bool same_facts(const struct otlp *r, struct str a, struct str b)
{
    struct wire walks[2] = {otlp_walk(r, a), otlp_walk(r, b)};
    struct wire_field f[2];
    for (;;) {
        const bool has_one = next_fact(&walks[0], &f[0]), has_other = next_fact(&walks[1], &f[1]);
        if (!has_one || !has_other)
            return has_one == has_other;
        if (!str_equal(f[0].whole, f[1].whole))
            return false;
    }
}

/* Whether all samples of B have the stacks, attributes, links and times of those of A. */
static bool same_samples(struct otlp *r, struct otlp_profile *a, struct otlp_profile *b)
{
    bool good = true;
    rewind_samples(r, a);
    rewind_samples(r, b);
    otlp_at(r, (struct otlp_path){OTLP_SAMPLE, 0, 0, 0});
    r->looks_ahead = true;
    for (bool more = true; good && more;) {
        r->path.number++;
        more = next_sample(r, b);
        good = next_sample(r, a) == more && (!more || same_sample(&a->sample, &b->sample));
    }
    r->looks_ahead = false;
    return good;
}

/* Makes BYTES, a profile, a possible last of the group, though not counted in it. */
static struct otlp_profile *read_profile(struct otlp *r, struct str bytes)
{
    r->group = mem_array_zeroed(r->group, &r->group_capacity, r->group_count + 1, sizeof *r->group);
    struct otlp_profile *profile = &r->group[r->group_count];
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    struct str type = {bytes.p, 0};
    profile->bytes = bytes;
    profile->id = STR("");
    otlp_at(r, (struct otlp_path){OTLP_PROFILE, 0, 0, offset_of(r, bytes)});
    while (otlp_next(r, OTLP_PROFILE, &wire, &f, &field))
        if (field->number == OTLP_PROFILE_TYPE)
            type = f.bytes;
        else if (field->number == OTLP_PROFILE_ID)
            profile->id = f.bytes;
    otlp_read_type(r, profile, type);
    return profile;
}

int64_t otlp_first_time(struct otlp *r)
{
    struct otlp_profile *profile = &r->group[0];
    int64_t time = -1;
    rewind_samples(r, profile);
    const struct otlp_path before = otlp_at(r, (struct otlp_path){OTLP_SAMPLE, 0, 1, 0});
    r->looks_ahead = true;
    for (; next_sample(r, profile); r->path.number++)
        for (size_t i = 0; i < profile->sample.times.count; i++) {
            const int64_t of = otlp_nanoseconds(r, profile->sample.times.items[i],
                                                otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_TIMES));
            time = time < 0 || of < time ? of : time;
        }
    r->looks_ahead = false;
    otlp_at(r, before);
    return time;
}

static void push_group(struct otlp *r)
{
    const uint64_t profiles = r->profiles;
    if (r->group_count == 0)
        return;
    r->profiles -= r->group_count - 1; /* its first is the one to name */
    otlp_at(r, (struct otlp_path){OTLP_PROFILE, 0, 0, offset_of(r, r->group[0].bytes)});
    otlp_push_source(r);
    push_samples(r);
    r->profiles = profiles;
    r->group_count = 0;
}

/* Whether PROFILE belongs to the group: it is only of another type of values. */
static bool joins(struct otlp *r, struct otlp_profile *profile, bool is_new_type)
{
    const size_t more = r->group_count > 0 ? r->group[0].bytes.n : 0;
    if (more > profile->bytes.n) /* it may have only what is skipped here, again and again */
        growth_hold(r->sink->flow, more - profile->bytes.n);
    return is_new_type && r->group_count > 0 && same_facts(r, r->group[0].bytes, profile->bytes) &&
           same_samples(r, &r->group[0], profile);
}

static void read_scope(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    struct intern types = {0};
    uint64_t before = r->profiles;
    r->scope.n = 0;
    r->scope_schema = r->default_type = STR("");
    r->is_pprof = false;
    otlp_at(r, (struct otlp_path){OTLP_DATA, 0, 0, offset_of(r, bytes)});
    while (otlp_next(r, OTLP_SCOPE_PROFILES, &wire, &f, &field)) {
        if (field->number == OTLP_SCOPE_PROFILES_SCHEMA)
            r->scope_schema = f.bytes;
        else if (field->number == OTLP_SCOPE_PROFILES_SCOPE)
            otlp_read_scope(r, f.bytes);
    }
    wire = otlp_walk(r, bytes);
    while (wire_next(&wire, &f)) {
        bool is_new;
        if (f.number != OTLP_SCOPE_PROFILES_PROFILES)
            continue;
        r->profiles++;
        struct otlp_profile *profile = read_profile(r, f.bytes);
        intern_add(&types, profile->type, &is_new);
        if (!joins(r, profile, is_new)) {
            const struct otlp_profile first = *profile;
            r->profiles--;
            push_group(r);
            r->profiles++;
            *profile = r->group[0]; /* each has arrays */
            r->group[0] = first;
            intern_free(&types);
            intern_add(&types, first.type, NULL);
        }
        r->group_count++;
    }
    push_group(r);
    intern_free(&types);
    if (r->profiles == before)
        loss_add(LOSS_OTLP_EMPTY, STR("scope"), 1);
}

static void read_resource(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    bool has_scope = false;
    r->resource.n = 0;
    r->resource_schema = STR("");
    otlp_at(r, (struct otlp_path){OTLP_DATA, 0, 0, offset_of(r, bytes)});
    while (otlp_next(r, OTLP_RESOURCE_PROFILES, &wire, &f, &field)) {
        r->resource.n = field->number == OTLP_RESOURCE_PROFILES_RESOURCE ? 0 : r->resource.n;
        if (field->number == OTLP_RESOURCE_PROFILES_SCHEMA)
            r->resource_schema = f.bytes;
        else if (field->number == OTLP_RESOURCE_PROFILES_RESOURCE)
            otlp_print(r, &r->resource, OTLP_RESOURCE, f.bytes);
    }
    wire = otlp_walk(r, bytes);
    while (wire_next(&wire, &f))
        if (f.number == OTLP_RESOURCE_PROFILES_SCOPES) {
            has_scope = true;
            read_scope(r, f.bytes);
        }
    if (!has_scope)
        loss_add(LOSS_OTLP_EMPTY, STR("resource"), 1);
}

/* --- the file --- */

/* Forgets the dictionary of the message before. */
static void forget_message(struct otlp *r)
{
    for (unsigned i = 0; i <= OTLP_DICTIONARY_STACKS; i++) {
        r->tables[i].count = 0;
        r->tables[i].has_null = false;
    }
    r->span_count = r->row_count = r->text_count = 0;
    r->kept_stack = NULL;
    r->depth = 0;
    arena_clear(&r->arena);
}

/* Reads BYTES, of r->data: one message with its own dictionary, which may come last. */
static void read_message(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    bool has_dictionary = false, has_resources = false;
    forget_message(r);
    otlp_at(r, (struct otlp_path){OTLP_DATA, 0, 0, offset_of(r, bytes)});
    while (otlp_next(r, OTLP_DATA, &wire, &f, &field)) {
        has_resources |= field->number == OTLP_DATA_RESOURCES;
        if (field->number != OTLP_DATA_DICTIONARY)
            continue;
        r->path.offset = f.offset;
        if (has_dictionary)
            otlp_die(r, NULL,
                     "the dictionary comes twice: these are two files one after the "
                     "other, not one");
        has_dictionary = true;
        read_dictionary(r, f.bytes);
        otlp_at(r, (struct otlp_path){OTLP_DATA, 0, 0, f.offset});
    }
    if (has_resources && !has_dictionary)
        die_as(CODE_TORN, place_of(r, offset_of(r, bytes) + bytes.n),
               "expected a dictionary, found the end");
    otlp_push_definitions(r);
    wire = otlp_walk(r, bytes);
    while (wire_next(&wire, &f))
        if (f.number == OTLP_DATA_RESOURCES)
            read_resource(r, f.bytes);
    lose_unused(r);
}

/* Whether DATA is a row of messages, each after its length in 4 bytes, the highest first, as the
 * collector writes them. No message begins with a byte below 8, which would be field 0. */
static bool has_lengths(struct str data)
{
    return data.n >= 4 && (unsigned char)data.p[0] < 8;
}

static void read_lengths(struct otlp *r)
{
    struct str rest = r->data;
    while (rest.n > 0) {
        uint64_t length = 0;
        const size_t offset = offset_of(r, rest);
        for (size_t i = 0; i < 4 && rest.n >= 4; i++)
            length = length << 8 | (unsigned char)rest.p[i];
        if (rest.n < 4 || length > rest.n - 4)
            die_as(CODE_TORN, place_of(r, offset), "the message is cut off: expected %s",
                   rest.n < 4 ? "4 bytes of its length" : "as many bytes as its length says");
        read_message(r, (struct str){rest.p + 4, (size_t)length});
        rest = (struct str){rest.p + 4 + length, rest.n - 4 - (size_t)length};
    }
}

static void read_json(struct otlp *r)
{
    struct tokens json;
    struct buf message = {0};
    r->is_json = true;
    tokens_open(&json, r->in);
    json.takes_more = true;
    while (tokens_next(&json) != TOKEN_END) {
        if (json.token != TOKEN_OBJECT)
            tokens_unexpected(&json, "an object");
        message.n = r->mark_count = 0;
        otlp_convert(&(struct otlp_conversion){.reader = r}, &json, OTLP_DATA, &message);
        r->data = buf_str(&message);
        read_message(r, r->data);
    }
    tokens_close(&json);
    buf_free(&message);
}

static void free_numbers(struct otlp_numbers *numbers)
{
    mem_free(numbers->items);
}

static void close_reader(struct otlp *r)
{
    for (unsigned i = 0; i <= OTLP_DICTIONARY_STACKS; i++)
        mem_free(r->tables[i].items);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        intern_free(&r->seen[i]);
    intern_free(&r->strings);
    for (size_t k = 0; k < r->group_capacity; k++) {
        free_numbers(&r->group[k].sample.attributes);
        free_numbers(&r->group[k].sample.values);
        free_numbers(&r->group[k].sample.times);
    }
    free_numbers(&r->numbers);
    bytes_rows_free(&r->bytes_rows);
    arena_free(&r->arena);
    void *blocks[] = {r->marks, r->spans,  r->rows, r->texts,
                      r->group, r->values, r->kept, r->stack};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    struct buf *bufs[] = {&r->labels,   &r->extra,   &r->name,     &r->system,
                          &r->file,     &r->inexact, &r->scratch,  &r->rest,
                          &r->comments, &r->pprof,   &r->resource, &r->scope};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

void otlp_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct otlp r = {.in = in, .request = request, .sink = sink};
    struct str head = str_first(in_peek(in, FORMAT_HEAD), FORMAT_HEAD);
    bool is_open;
    if (json_head_is_object(&head, &is_open)) {
        read_json(&r);
    } else {
        r.data = format_whole(in, request);
        if (has_lengths(r.data))
            read_lengths(&r);
        else
            read_message(&r, r.data);
    }
    if (r.profiles == 0 && !request->allow_empty)
        die_at((struct place){in_name(in), PLACE_FILE, 0}, "expected a profile, found none");
    close_reader(&r);
}

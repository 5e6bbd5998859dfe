/* Rows of sources, as resources, scopes and facts of profiles. */
#include "base/mem.h"
#include "base/units.h"
#include "formats/otlp/otlp.h"
#include "formats/otlp/otlp_write.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* --- columns of OTLP and pprof --- */

/* A copy of the bytes of M, a string, kept until the end. */
static struct str copy_inner(struct otlp_writer *w, const struct member *m)
{
    return arena_copy(&w->arena, profile_inner_bytes(&w->profile, m->value));
}

/* The same of a string that the file holds as it is. */
static struct str copy_valid(struct otlp_writer *w, const struct member *m)
{
    struct buf room = {0};
    const struct str bytes = profile_inner_bytes(&w->profile, m->value);
    const struct str copy = arena_copy(&w->arena, otlp_valid(&room, bytes));
    buf_free(&room);
    return copy;
}

/* Sets TO to the MESSAGE that M, a string, is in JSON. */
static void convert(struct otlp_writer *w, const struct member *m, enum otlp_message message,
                    const char *column, struct buf *to)
{
    const struct otlp_conversion c = otlp_conversion_of(w);
    to->n = 0;
    otlp_convert_text(&c, message, copy_inner(w, m), otlp_place(w), column, to);
}

/* Reads `.otlp.profile`: attributes, and how many were dropped. */
static void read_profile(struct otlp_writer *w, const struct member *m)
{
    static const char *const names[] = {"attributes", "droppedAttributesCount"};
    struct otlp_text t;
    struct buf list = {0};
    unsigned seen = 0, member;
    otlp_text_open(&t, copy_inner(w, m), otlp_place(w), ".otlp profile");
    if (t.json.token != TOKEN_OBJECT)
        tokens_unexpected(&t.json, "an object");
    while (tokens_next_member(&t.json, names, 2, &seen, &member))
        if (member == 0)
            tokens_copy(&t.json, &list);
        else
            w->facts.dropped = (uint64_t)tokens_integer(&t.json, 0, "an integer");
    otlp_text_close(&t);
    if (list.n > 0)
        otlp_put_attributes(w, buf_str(&list), ".otlp profile", &w->facts.attributes);
    buf_free(&list);
}

static void read_own(struct otlp_writer *w, const struct row *row, struct members own)
{
    struct otlp_facts *f = &w->facts;
    struct member m;
    f->is_own = true;
    while (members_next(&own, &m))
        switch (m.id) {
        case MEMBER_ID_OTLP_TIME:
            f->has_time = true;
            f->time = m.integer;
            break;
        case MEMBER_ID_OTLP_ZERO:
            f->has_zero = true;
            f->zero = m.integer;
            break;
        case MEMBER_ID_OTLP_DURATION: break; /* profile.h has it */
        case MEMBER_ID_OTLP_PERIOD: f->period = m.integer; break;
        case MEMBER_ID_OTLP_IDS: f->ids = arena_copy(&w->arena, m.value); break;
        case MEMBER_ID_OTLP_PROFILE: read_profile(w, &m); break;
        case MEMBER_ID_OTLP_RESOURCE:
            convert(w, &m, OTLP_RESOURCE, ".otlp resource", &f->resource);
            break;
        case MEMBER_ID_OTLP_SCOPE: convert(w, &m, OTLP_SCOPE, ".otlp scope", &f->scope); break;
        case MEMBER_ID_OTLP_RESOURCE_SCHEMA: f->resource_schema = copy_valid(w, &m); break;
        case MEMBER_ID_OTLP_SCOPE_SCHEMA: f->scope_schema = copy_valid(w, &m); break;
        case MEMBER_ID_OTLP_PAYLOAD_FORMAT: f->payload_format = copy_valid(w, &m); break;
        case MEMBER_ID_OTLP_PAYLOAD:
            f->payload.n = 0;
            text_unhex(&f->payload, m.text);
            break;
        default: loss_add_inside(row, own.column, m.name);
        }
}

/* Adds the attribute of the fact NAME of pprof, VALUE. */
static void put_fact(struct otlp_writer *w, struct str name, struct str value)
{
    w->key.n = 0;
    buf_add(&w->key, STR(OTLP_FACT));
    buf_add(&w->key, name);
    wire_put_varint(&w->facts.attributes, otlp_put_attribute(w, buf_str(&w->key), value, STR("")));
}

static void put_comments(struct otlp_writer *w, struct str list)
{
    struct buf items = {0}, value = {0};
    struct str rest = text_inside(list), item;
    while (text_next_item(&rest, &item)) {
        value.n = 0;
        otlp_put_text_value(&value, profile_inner_bytes(&w->profile, item));
        otlp_put_bytes(&items, OTLP_ARRAY_VALUES, buf_str(&value));
    }
    value.n = 0;
    otlp_put_bytes(&value, OTLP_ANY_ARRAY, buf_str(&items));
    if (items.n > 0)
        put_fact(w, STR("comment"), buf_str(&value));
    buf_free(&items);
    buf_free(&value);
}

/* `.pprof`: fields of the file that the source was read from. */
static void read_pprof(struct otlp_writer *w, const struct row *row, struct members facts)
{
    struct otlp_facts *f = &w->facts;
    struct member m;
    f->is_pprof = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_TIME_NANOS:
            f->time = f->has_time ? f->time : m.integer;
            f->has_time = true;
            break;
        case MEMBER_ID_DURATION_NANOS:
            if (m.integer < 0)
                loss_add(LOSS_FACTS, STR("duration_nanos"), 1);
            break;                                 /* profile.h has it */
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE: break; /* the same */
        case MEMBER_ID_PERIOD_ALONE: f->period = m.integer; break;
        case MEMBER_ID_DROP_FRAMES:
        case MEMBER_ID_KEEP_FRAMES:
        case MEMBER_ID_DOC_URL:
            w->text.n = 0;
            otlp_put_text_value(&w->text, profile_inner_bytes(&w->profile, m.value));
            put_fact(w, m.name, buf_str(&w->text));
            break;
        case MEMBER_ID_COMMENT: put_comments(w, m.value); break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

bool otlp_keep_fact(struct otlp_writer *w, const struct row *row, const struct member *m)
{
    struct members walk = members_of(row, otlp_place(w), NULL);
    if (m->id == MEMBER_ID_OTLP)
        read_own(w, row, members_inside(&walk, m, m->value));
    else if (m->id == MEMBER_ID_PPROF)
        read_pprof(w, row, members_inside(&walk, m, m->value));
    return m->id == MEMBER_ID_OTLP || m->id == MEMBER_ID_PPROF;
}

/* --- facts that any source may have --- */

/* Appends the attribute KEY with the string TEXT to TO, as the field NUMBER, unless it is empty. */
static void put_pair(struct buf *to, unsigned number, struct str key, struct str text)
{
    struct buf pair = {0}, value = {0};
    if (text.n == 0)
        return;
    otlp_put_text_value(&value, text);
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_KEY, key);
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_VALUE, buf_str(&value));
    otlp_put_bytes(to, number, buf_str(&pair));
    buf_free(&pair);
    buf_free(&value);
}

/* What the format of a source that does not come from OTLP says of its host and its producer. */
static void put_strangers(struct otlp_writer *w, const struct profile_source *of)
{
    struct otlp_facts *f = &w->facts;
    put_pair(&f->resource, OTLP_RESOURCE_ATTRIBUTES, STR("host.name"), of->host);
    put_pair(&f->resource, OTLP_RESOURCE_ATTRIBUTES, STR("process.command_line"), of->command);
    if (of->producer.n == 0)
        return;
    struct buf name = {0};
    otlp_put_text_value(&name, of->producer);
    name.p[0] = OTLP_SCOPE_NAME << 3 | WIRE_BYTES; /* the same as of an AnyValue, but for the key */
    buf_add(&f->scope, buf_str(&name));
    buf_free(&name);
}

/* Sets the time of W->facts, if the row of a source says it. */
static void read_time(struct otlp_writer *w, const struct number *seconds)
{
    struct otlp_facts *f = &w->facts;
    int64_t time;
    bool is_exact = true;
    if (!f->has_time && !f->has_zero && seconds->kind != NUMBER_NULL) {
        f->has_time = source_kind_nanoseconds(seconds, &time, &is_exact);
        f->time = f->has_time ? time : 0;
        if (!f->has_time)
            loss_add(LOSS_FACTS, STR("source_timestamp"), 1);
    }
    if (!is_exact)
        loss_add(LOSS_FRACTIONS, STR("source_timestamp"), 1);
    if (f->has_time && f->time < 0) {
        loss_add(LOSS_FACTS, STR("source_timestamp"), 1);
        f->has_time = false;
    }
    if (f->has_zero && f->zero < 0)
        f->has_zero = false;
}

static void put_period_type(struct otlp_writer *w, struct buf *to, const struct profile_source *of)
{
    const uint32_t type = otlp_put_string(w, of->period_type),
                   unit = otlp_put_string(w, of->period_unit);
    w->message.n = 0;
    otlp_put(&w->message, OTLP_VALUE_TYPE_TYPE, type);
    otlp_put(&w->message, OTLP_VALUE_TYPE_UNIT, unit);
    otlp_put_bytes(to, OTLP_PROFILE_PERIOD_TYPE, buf_str(&w->message));
}

/* The fields of a profile that come after its samples, but its id, which is the only one that its
 * profiles differ in. */
static struct str put_facts(struct otlp_writer *w, const struct profile_source *of)
{
    const struct otlp_facts *f = &w->facts;
    struct buf *to = &w->text;
    to->n = 0;
    if (f->has_time && f->time != 0)
        otlp_put_fixed(to, OTLP_PROFILE_TIME, (uint64_t)f->time);
    otlp_put(to, OTLP_PROFILE_DURATION, (uint64_t)of->duration);
    if (of->has_period)
        put_period_type(w, to, of);
    otlp_put(to, OTLP_PROFILE_PERIOD, (uint64_t)(of->has_period ? of->period : f->period));
    otlp_put(to, OTLP_PROFILE_DROPPED, f->dropped);
    otlp_put_any(to, OTLP_PROFILE_PAYLOAD_FORMAT, f->payload_format);
    otlp_put_any(to, OTLP_PROFILE_PAYLOAD, buf_str(&f->payload));
    otlp_put_any(to, OTLP_PROFILE_ATTRIBUTES, buf_str(&f->attributes));
    return arena_copy(&w->arena, buf_str(to));
}

/* The canonical text of BYTES, kept until the end. */
static struct str kept_text(struct otlp_writer *w, struct str bytes)
{
    w->key.n = 0;
    text_escape(&w->key, bytes);
    return arena_copy(&w->arena, buf_str(&w->key));
}

/* Forgets the facts of the source before. */
static void begin_facts(struct otlp_writer *w)
{
    struct otlp_facts *f = &w->facts;
    struct buf *bufs[] = {&f->resource, &f->scope, &f->attributes, &f->payload};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        bufs[i]->n = 0;
    f->has_time = f->has_zero = f->is_own = f->is_pprof = false;
    f->time = f->zero = f->period = 0;
    f->resource_schema = f->scope_schema = f->payload_format = STR("");
    f->ids = (struct str){NULL, 0};
    f->dropped = 0;
}

void otlp_write_source(struct otlp_writer *w, const struct row *row)
{
    struct otlp_facts *f = &w->facts;
    begin_facts(w);
    const struct profile_source *of = profile_add_source(&w->profile, row, otlp_place(w));
    if (!f->is_own)
        put_strangers(w, of);
    read_time(w, &row->source.source_timestamp);
    if (!str_equal(of->kind, STR("otlp")))
        loss_add(LOSS_OWN, STR("source_type"), 1);
    if (!f->is_own && of->uri.n > 0)
        loss_add(LOSS_FACTS, STR("source_uri"), 1);
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    w->sources[w->source_count++] = (struct otlp_source){
        .resource = arena_copy(&w->arena, buf_str(&f->resource)),
        .resource_schema = f->resource_schema,
        .scope = arena_copy(&w->arena, buf_str(&f->scope)),
        .scope_schema = f->scope_schema,
        .facts = put_facts(w, of),
        .ids = f->ids,
        .payload_size = f->payload.n,
        .is_own = f->is_own,
        .is_pprof = f->is_pprof && !f->is_own,
        .zero = f->has_time   ? f->time
                : f->has_zero ? f->zero
                              : 0,
        .shown = {arena_copy(&w->arena, of->default_type), false},
        .derives = of->period != 0 && default_type_has_time(of),
        .period_type = kept_text(w, of->period_type),
        .period_unit = kept_text(w, of->period_unit),
        .period = of->period,
    };
}

/* --- the scope --- */

/* Whether SCOPE has the attribute KEY. */
static bool has_attribute(struct str scope, struct str key)
{
    struct wire wire = {"", "OTLP", scope, 0};
    struct wire_field f, part;
    while (wire_next(&wire, &f)) {
        struct wire pair = {"", "OTLP", f.bytes, 0};
        while (f.number == OTLP_SCOPE_ATTRIBUTES && wire_next(&pair, &part))
            if (part.number == OTLP_KEY_VALUE_KEY && str_equal(part.bytes, key))
                return true;
    }
    return false;
}

/* The type that a reader of OTLP shows of those of S by default, if nothing says which: the last one
 * with values, or the last. */
static const struct otlp_type *read_first(const struct otlp_source *s)
{
    const struct otlp_type *last = NULL;
    for (size_t i = 0; i < s->type_count; i++)
        if (s->types[i].is_written && (last == NULL || s->types[i].count > 0 || last->count == 0))
            last = &s->types[i];
    return last;
}

const struct otlp_type *otlp_shown_type(const struct otlp_source *s)
{
    struct default_type says = s->shown;
    struct default_type_entry *entries = mem_alloc((s->type_count + 1) * sizeof *entries);
    const struct otlp_type **types = mem_alloc((s->type_count + 1) * sizeof *types);
    size_t count = 0;
    for (size_t i = 0; i < s->type_count; i++) {
        const struct otlp_type *t = &s->types[i];
        if (!t->is_written)
            continue;
        types[count] = t;
        entries[count++] = (struct default_type_entry){t->name, t->unit, t->is_listed, t->count};
    }
    const size_t at = default_type_choose(&says, entries, count);
    const struct otlp_type *shown = at == count ? NULL : types[at];
    mem_free(entries);
    mem_free(types);
    return shown;
}

/* The name of the type that S shows by default, if that has to be said; else empty. Canonical
 * text. */
static struct str shown_name(const struct otlp_source *s)
{
    if (s->is_own || s->shown.default_type.n > 0 || s->derived != 0)
        return s->shown.default_type;
    const struct otlp_type *shown = otlp_shown_type(s);
    return shown == NULL || shown == read_first(s) ? STR("") : shown->name;
}

/* Appends the attribute that says in which order S, a file of pprof, has its types: if all its
 * profiles are one group. */
static void put_order(struct buf *to, const struct otlp_source *s, size_t count)
{
    struct buf list = {0}, item = {0}, value = {0}, pair = {0};
    if (!s->is_pprof || s->first_group != s->last_group)
        return;
    for (size_t i = 0; i < count; i++) {
        item.n = 0;
        wire_put_key(&item, OTLP_ANY_INT, WIRE_VARINT);
        wire_put_varint(&item, i);
        otlp_put_bytes(&list, OTLP_ARRAY_VALUES, buf_str(&item));
    }
    otlp_put_bytes(&value, OTLP_ANY_ARRAY, buf_str(&list));
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_KEY, STR(OTLP_TYPE_ORDER));
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_VALUE, buf_str(&value));
    otlp_put_bytes(to, OTLP_SCOPE_ATTRIBUTES, buf_str(&pair));
    struct buf *bufs[] = {&list, &item, &value, &pair};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

void otlp_finish_scope(struct otlp_writer *w, struct otlp_source *s)
{
    struct buf own = {0}, name = {0}, *to = &w->text;
    struct wire wire = {"", "OTLP", s->scope, 0};
    struct wire_field f;
    size_t count = 0, front = 0;
    for (size_t i = 0; i < s->type_count; i++)
        count += s->types[i].is_written;
    if (!has_attribute(s->scope, STR(OTLP_DEFAULT_TYPE))) {
        text_unescape(&name, shown_name(s));
        put_pair(&own, OTLP_SCOPE_ATTRIBUTES, STR(OTLP_DEFAULT_TYPE), buf_str(&name));
    }
    if (!has_attribute(s->scope, STR(OTLP_TYPE_ORDER)))
        put_order(&own, s, count);
    while (wire_next(&wire, &f))
        front = f.number <= OTLP_SCOPE_ATTRIBUTES ? wire.at : front;
    to->n = 0;
    buf_add(to, (struct str){s->scope.p, front});
    buf_add(to, buf_str(&own));
    buf_add(to, (struct str){s->scope.p + front, s->scope.n - front});
    s->scope = arena_copy(&w->arena, buf_str(to));
    buf_free(&own);
    buf_free(&name);
}

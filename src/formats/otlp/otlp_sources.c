/* Rows of sources: what profiles, scopes and resources say of themselves. */
#include "formats/otlp/otlp.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- sources --- */

static void read_value_type(struct otlp *r, struct str bytes, struct str *type, struct str *unit)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    *type = *unit = STR("");
    while (otlp_next(r, OTLP_VALUE_TYPE, &wire, &f, &field))
        *(field->number == OTLP_VALUE_TYPE_TYPE ? type : unit) =
            otlp_string(r, f.value, field->name);
}

void otlp_read_type(struct otlp *r, struct otlp_profile *profile, struct str bytes)
{
    read_value_type(r, bytes, &profile->type, &profile->unit);
    const struct str type = emit_text(&r->name, &r->inexact, STR("type"), profile->type);
    const struct str unit = emit_text(&r->system, &r->inexact, STR("unit"), profile->unit);
    growth_hold(r->sink->flow, type.n + unit.n); /* both are copied for each pair */
    profile->type_number = value_types_add(&r->sink->flow->types, type, unit);
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->inexact);
    growth_hold(r->sink->flow, r->extra.n);
    profile->type_extra = r->extra.n == 0 ? STR("") : arena_copy(&r->arena, buf_str(&r->extra));
}

static void add_number(struct otlp *r, struct str name, int64_t number)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, number);
}

/* Appends TEXT to the list of comments. */
static void add_comment(struct otlp *r, struct str text)
{
    buf_add(&r->comments, r->comments.n > 0 ? STR(",") : STR("["));
    emit_inner_string(&r->comments, &r->scratch, text);
    emit_check_length(STR("sources"), r->comments.n);
}

/* Adds the comments of A; false if it is none, or no strings. */
static bool take_comments(struct otlp *r, const struct otlp_attribute *a)
{
    struct str key = a->key;
    if (!str_take(&key, STR(OTLP_COMMENT)) || (key.n > 0 && *key.p != '.') || a->unit.n > 0)
        return false;
    if (otlp_is_string(a))
        add_comment(r, a->value.bytes);
    if (a->value.number != OTLP_ANY_ARRAY)
        return otlp_is_string(a);
    for (int pass = 0; pass < 2; pass++) {
        struct wire wire = otlp_walk(r, a->value.bytes);
        struct wire_field f;
        const struct otlp_field *field;
        while (otlp_next(r, OTLP_ARRAY, &wire, &f, &field)) {
            const struct wire_field value = otlp_value(r, f.bytes);
            if (value.number != OTLP_ANY_STRING && value.number != OTLP_ANY_INDEX)
                return false; /* in the first pass */
            if (pass == 1)
                add_comment(r, value.bytes);
        }
    }
    return true;
}

/* Adds A to r->pprof if it is a fact of pprof; false if it is none. */
static bool take_pprof_fact(struct otlp *r, const struct otlp_attribute *a)
{
    struct str key = a->key;
    if (!otlp_is_string(a) || a->unit.n > 0 || !str_take(&key, STR(OTLP_FACT)))
        return false;
    for (size_t i = 0; i < OTLP_FACTS; i++) {
        if (!str_equal(key, otlp_facts[i]))
            continue;
        emit_member(&r->pprof, otlp_facts[i]);
        emit_inner_string(&r->pprof, &r->scratch, a->value.bytes);
        return true;
    }
    return false;
}

/* The facts of a profile. */
struct facts {
    uint64_t time, duration;
    int64_t period, dropped;
    struct str period_type, period_unit, payload_format, payload;
};

/* Reads the facts of the group; its attributes go to r->numbers. */
static struct facts read_facts(struct otlp *r)
{
    struct facts facts = {.payload_format = STR(""), .payload = STR("")};
    struct wire wire = otlp_walk(r, r->group[0].bytes);
    struct wire_field f;
    const struct otlp_field *field;
    r->numbers.count = 0;
    facts.period_type = facts.period_unit = STR("");
    r->looks_ahead = true;
    while (otlp_next(r, OTLP_PROFILE, &wire, &f, &field))
        switch (field->number) {
        case OTLP_PROFILE_TIME: facts.time = bits_load(f.bytes.p); break;
        case OTLP_PROFILE_DURATION: facts.duration = f.value; break;
        case OTLP_PROFILE_PERIOD_TYPE:
            r->looks_ahead = false;
            read_value_type(r, f.bytes, &facts.period_type, &facts.period_unit);
            r->looks_ahead = true;
            break;
        case OTLP_PROFILE_PERIOD: facts.period = (int64_t)f.value; break;
        case OTLP_PROFILE_DROPPED: facts.dropped = (int64_t)f.value; break;
        case OTLP_PROFILE_PAYLOAD_FORMAT: facts.payload_format = f.bytes; break;
        case OTLP_PROFILE_PAYLOAD: facts.payload = f.bytes; break;
        case OTLP_PROFILE_ATTRIBUTES: otlp_add_numbers(r, field, &f, &r->numbers); break;
        default: break;
        }
    r->looks_ahead = false;
    return facts;
}

/* Reads the attributes of the group into r->pprof, r->comments and r->rest. */
static void read_profile_attributes(struct otlp *r)
{
    r->pprof.n = r->comments.n = r->rest.n = 0;
    for (size_t i = 0; i < r->numbers.count; i++) {
        const struct otlp_entry *entry =
            otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, r->numbers.items[i],
                       otlp_name(OTLP_PROFILE, OTLP_PROFILE_ATTRIBUTES));
        if (entry == NULL)
            continue;
        const struct otlp_attribute a = otlp_attribute(r, entry);
        if (!take_comments(r, &a) && !take_pprof_fact(r, &a))
            otlp_keep(r, &a);
    }
}

/* `.pprof`: what pprof says of a whole file, for those who read or write that. */
static void add_pprof(struct otlp *r, int64_t period, int64_t duration)
{
    size_t start = r->extra.n;
    emit_member(&r->extra, STR(".pprof"));
    size_t inside = r->extra.n;
    if (duration != 0)
        add_number(r, STR("duration_nanos"), duration);
    if (period != 0)
        add_number(r, STR("period"), period);
    if (r->default_type.n > 0)
        otlp_add_text(r, STR("default_sample_type"), r->default_type);
    buf_add(&r->extra, buf_str(&r->pprof));
    if (r->comments.n > 0) {
        emit_member(&r->extra, STR("comment"));
        buf_add(&r->extra, buf_str(&r->comments));
        buf_add(&r->extra, STR("]"));
    }
    if (r->extra.n == inside && !r->is_pprof) {
        r->extra.n = start;
        return;
    }
    emit_make_object(&r->extra, inside);
}

static void add_ids(struct otlp *r)
{
    bool has_id = false;
    for (size_t k = 0; k < r->group_count; k++)
        has_id |= r->group[k].id.n > 0;
    if (!has_id)
        return;
    emit_member(&r->extra, STR("profile_ids"));
    for (size_t k = 0; k < r->group_count; k++) {
        buf_add(&r->extra, k == 0 ? STR("[\"") : STR(",\""));
        text_hex(&r->extra, r->group[k].id);
        buf_add(&r->extra, STR("\""));
    }
    buf_add(&r->extra, STR("]"));
}

/* The attributes of the group that no other column has, and how many its producer dropped. */
static void add_profile(struct otlp *r, int64_t dropped)
{
    if (r->rest.n == 0 && dropped == 0)
        return;
    r->name.n = 0;
    buf_add(&r->name, STR("{"));
    if (r->rest.n > 0) {
        buf_add(&r->name, STR("\"attributes\":"));
        buf_add(&r->name, buf_str(&r->rest));
        buf_add(&r->name, STR("]"));
    }
    if (dropped != 0) {
        buf_add(&r->name, r->rest.n > 0 ? STR(",") : STR(""));
        buf_add(&r->name, STR("\"droppedAttributesCount\":"));
        emit_number(&r->name, dropped);
    }
    buf_add(&r->name, STR("}"));
    otlp_add_text(r, STR("profile"), buf_str(&r->name));
}

static void add_text_if_any(struct otlp *r, struct str name, struct str text)
{
    if (text.n > 0)
        otlp_add_text(r, name, text);
}

static void add_payload(struct otlp *r, struct str payload)
{
    enum { LARGEST = LIMITS_LINE / 4 }; /* a row has two digits for a byte */
    if (payload.n > LARGEST) {
        loss_add(LOSS_OTLP_PAYLOADS, STR(""), 1);
    } else if (payload.n > 0) {
        emit_member(&r->extra, STR("payload"));
        buf_add(&r->extra, STR("\""));
        text_hex(&r->extra, payload);
        buf_add(&r->extra, STR("\""));
    }
}

/* `.otlp`: what the profile says of itself. */
static void add_otlp(struct otlp *r, const struct facts *facts, int64_t time, int64_t duration)
{
    emit_member(&r->extra, STR(".otlp"));
    const size_t inside = r->extra.n;
    if (time != 0)
        add_number(r, STR("time_unix_nano"), time);
    else if (r->zero != 0)
        add_number(r, STR("zero"), r->zero);
    if (duration != 0)
        add_number(r, STR("duration_nano"), duration);
    if (facts->period != 0 && facts->period_type.n == 0 && facts->period_unit.n == 0)
        add_number(r, STR("period"), facts->period);
    add_ids(r);
    add_profile(r, facts->dropped);
    if (r->resource.n > sizeof "{}" - 1)
        otlp_add_text(r, STR("resource"), buf_str(&r->resource));
    add_text_if_any(r, STR("resource_schema_url"), r->resource_schema);
    if (r->scope.n > sizeof "{}" - 1)
        otlp_add_text(r, STR("scope"), buf_str(&r->scope));
    add_text_if_any(r, STR("scope_schema_url"), r->scope_schema);
    add_text_if_any(r, STR("payload_format"), facts->payload_format);
    add_payload(r, facts->payload);
    emit_make_object(&r->extra, inside);
}

void otlp_push_source(struct otlp *r)
{
    const struct facts facts = read_facts(r);
    const int64_t time =
        otlp_nanoseconds(r, facts.time, otlp_name(OTLP_PROFILE, OTLP_PROFILE_TIME));
    const int64_t duration =
        otlp_nanoseconds(r, facts.duration, otlp_name(OTLP_PROFILE, OTLP_PROFILE_DURATION));
    const int64_t first = time == 0 ? otlp_first_time(r) : time;
    const bool has_period = facts.period_type.n > 0 || facts.period_unit.n > 0;
    struct number timestamp = r->request->timestamp;
    r->zero = first < 0 ? 0 : first;
    if (timestamp.kind == NUMBER_NULL && r->zero != 0)
        timestamp = source_kind_seconds(&r->file, r->zero);
    read_profile_attributes(r);
    r->extra.n = 0;
    listed_begin(&r->extra);
    for (size_t k = 0; k < r->group_count; k++)
        listed_add_bytes(&r->extra, &r->scratch, r->group[k].type, r->group[k].unit, LISTED_SUM);
    listed_end(&r->extra);
    if (has_period)
        listed_period_bytes(&r->extra, &r->scratch, facts.period_type, facts.period_unit,
                            facts.period);
    add_otlp(r, &facts, time, duration);
    add_pprof(r, has_period ? 0 : facts.period, duration);
    bytes_rows_source(&r->bytes_rows, r->sink, ++r->source_id, STR("otlp"),
                      format_source_uri(r->request, r->in), timestamp, &r->extra);
}

void otlp_read_scope(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes), inner;
    struct wire_field f, part;
    const struct otlp_field *field;
    r->scope.n = 0;
    otlp_print(r, &r->scope, OTLP_SCOPE, bytes);
    r->looks_ahead = true;
    while (otlp_next(r, OTLP_SCOPE, &wire, &f, &field)) {
        struct str key = STR("");
        struct wire_field value = {.number = 0};
        if (field->number != OTLP_SCOPE_ATTRIBUTES)
            continue;
        inner = otlp_walk(r, f.bytes);
        while (otlp_next(r, OTLP_KEY_VALUE, &inner, &part, &field))
            if (field->number == OTLP_KEY_VALUE_VALUE)
                value = otlp_value(r, part.bytes);
            else
                key = field->number == OTLP_KEY_VALUE_KEY ? part.bytes
                                                          : otlp_string(r, part.value, field->name);
        bool is_text = value.number == OTLP_ANY_STRING || value.number == OTLP_ANY_INDEX;
        if (is_text && str_equal(key, STR(OTLP_DEFAULT_TYPE)))
            r->default_type = value.bytes;
        r->is_pprof |= str_equal(key, STR(OTLP_TYPE_ORDER));
    }
    r->looks_ahead = false;
}

/* --- facts for others --- */

/* Sets TO to the string of the first attribute KEY in OBJECT, a resource in OTLP/JSON. */
static void find_attribute(struct buf *to, struct str object, struct str key)
{
    struct str list = text_member(object, STR("attributes")), item, name;
    if (list.p == NULL)
        return;
    for (list = text_inside(list); to->n == 0 && text_next_item(&list, &item);) {
        const struct str spelled = text_member(item, STR("key")),
                         value = text_member(item, STR("value"));
        if (spelled.p == NULL || value.p == NULL || !text_is_string(spelled, &name) ||
            !str_equal(name, key))
            continue;
        const struct str text = text_member(value, STR("stringValue"));
        if (text.p != NULL)
            text_inner_bytes(to, text);
    }
}

void otlp_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf json = {0};
    while (members_next(&walk, &m)) {
        json.n = 0;
        switch (m.id) {
        case MEMBER_ID_OTLP_DURATION: to->duration = m.integer; break;
        case MEMBER_ID_OTLP_RESOURCE:
            text_inner_bytes(&json, m.value);
            find_attribute(&to->host, buf_str(&json), STR("host.name"));
            find_attribute(&to->command, buf_str(&json), STR("process.command_line"));
            find_attribute(&to->command, buf_str(&json), STR("process.executable.name"));
            break;
        case MEMBER_ID_OTLP_SCOPE: {
            text_inner_bytes(&json, m.value);
            const struct str name = text_member(buf_str(&json), STR("name"));
            if (name.p != NULL)
                text_inner_bytes(&to->producer, name);
            break;
        }
        default: break;
        }
    }
    buf_free(&json);
}

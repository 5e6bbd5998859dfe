/* The attributes of the dictionary, and the labels that those of samples become. */
#include "base/mem.h"
#include "formats/otlp/otlp.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- attributes --- */

struct wire_field otlp_value(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f, last = {.number = 0};
    const struct otlp_field *field;
    while (otlp_next(r, OTLP_ANY, &wire, &f, &field))
        last = f;
    if (last.number == OTLP_ANY_INDEX)
        last.bytes = otlp_string(r, last.value, otlp_name(OTLP_ANY, OTLP_ANY_INDEX));
    return last;
}

struct otlp_attribute otlp_attribute(struct otlp *r, const struct otlp_entry *entry)
{
    struct otlp_attribute a = {.bytes = entry->bytes, .key = STR(""), .unit = STR("")};
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    const struct otlp_path before = otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_ATTRIBUTES, entry));
    growth_hold(r->sink->flow, entry->bytes.n); /* many may name it */
    while (otlp_next(r, OTLP_ATTRIBUTE, &wire, &f, &field))
        switch (field->number) {
        case OTLP_ATTRIBUTE_KEY: a.key = otlp_string(r, f.value, field->name); break;
        case OTLP_ATTRIBUTE_VALUE: a.value = otlp_value(r, f.bytes); break;
        default: a.unit = otlp_string(r, f.value, field->name);
        }
    otlp_at(r, before);
    return a;
}

void otlp_keep(struct otlp *r, const struct otlp_attribute *a)
{
    buf_add(&r->rest, r->rest.n > 0 ? STR(",") : STR("["));
    otlp_print(r, &r->rest, OTLP_ATTRIBUTE, a->bytes);
    emit_check_length(STR("sources"), r->rest.n);
}

void otlp_add_text(struct otlp *r, struct str name, struct str text)
{
    emit_member(&r->extra, name);
    emit_inner_string(&r->extra, &r->scratch, text);
}

/* --- labels --- */

/* Appends the items of BYTES, an ArrayValue, to TO: what JSON has, as JSON, and others as AnyValues
 * of OTLP/JSON, so that they can be told from those. */
static void print_items(struct otlp *r, struct buf *to, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    const char *separator = "[";
    while (otlp_next(r, OTLP_ARRAY, &wire, &f, &field)) {
        const struct wire_field value = otlp_value(r, f.bytes);
        const bool is_number = value.number == OTLP_ANY_DOUBLE &&
                               otlp_double(value.bytes) - otlp_double(value.bytes) == 0;
        buf_add(to, str_of(separator));
        separator = ",";
        if (value.number == OTLP_ANY_STRING || value.number == OTLP_ANY_INDEX)
            otlp_print_string(to, value.bytes);
        else if (value.number == OTLP_ANY_BOOL)
            buf_add(to, value.value != 0 ? STR("true") : STR("false"));
        else if (value.number == OTLP_ANY_INT)
            emit_number(to, (int64_t)value.value);
        else if (is_number)
            otlp_print_double(to, otlp_double(value.bytes));
        else
            otlp_print(r, to, OTLP_ANY, f.bytes);
        emit_check_length(STR("samples"), to->n);
    }
    buf_add(to, *separator == '[' ? STR("[]") : STR("]"));
}

/* Sets r->name to the text of VALUE, which is no string and no integer; returns its kind. */
static struct str text_of(struct otlp *r, const struct wire_field *value)
{
    struct buf *to = &r->name;
    to->n = 0;
    switch (value->number) {
    case OTLP_ANY_BOOL:
        buf_add(to, value->value != 0 ? STR("true") : STR("false"));
        return STR("bool");
    case OTLP_ANY_DOUBLE: otlp_print_double(to, otlp_double(value->bytes)); return STR("double");
    case OTLP_ANY_ARRAY: print_items(r, to, value->bytes); return STR("array");
    case OTLP_ANY_LIST: otlp_print(r, to, OTLP_LIST, value->bytes); return STR("kvlist");
    case OTLP_ANY_BYTES: otlp_print_base64(to, value->bytes); return STR("bytes");
    default: return STR("empty");
    }
}

static void begin_label(struct otlp *r, struct buf *to, struct str key)
{
    buf_add(to, to->n > 0 ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(to, &r->scratch, key);
}

static void add_string_label(struct otlp *r, struct buf *to, struct str text, struct str kind)
{
    buf_add(to, STR(",\"str\":"));
    emit_inner_string(to, &r->scratch, text);
    if (kind.n > 0) {
        buf_add(to, STR(",\".otlp_kind\":"));
        emit_string(to, kind);
    }
}

static void add_number_label(struct buf *to, int64_t number)
{
    buf_add(to, STR(",\"num\":"));
    emit_number(to, number);
}

/* Appends VALUE to the label that has begun. */
static void add_value(struct otlp *r, struct buf *to, const struct wire_field *value)
{
    if (value->number == OTLP_ANY_INT) {
        add_number_label(to, (int64_t)value->value);
    } else if (otlp_is_text(value)) {
        add_string_label(r, to, value->bytes, STR(""));
    } else {
        const struct str kind = text_of(r, value);
        add_string_label(r, to, buf_str(&r->name), kind);
    }
}

static void end_label(struct otlp *r, struct buf *to, struct str unit)
{
    if (unit.n > 0) {
        buf_add(to, STR(",\"unit\":"));
        emit_inner_string(to, &r->scratch, unit);
    }
    buf_add(to, STR("}"));
}

/* One of several labels of a key: its members, of which a value of OTLP can have only one. */
struct item {
    struct wire_field str, num, value; /* number 0: none */
    struct str unit;
};

/* Reads BYTES, a KeyValueList, as such an item; false if it is none. */
static bool read_item(struct otlp *r, struct str bytes, struct item *item)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f, part;
    const struct otlp_field *field;
    while (otlp_next(r, OTLP_LIST, &wire, &f, &field)) {
        struct wire inner = otlp_walk(r, f.bytes);
        struct wire_field value = {.number = 0};
        struct str key = STR("");
        while (otlp_next(r, OTLP_KEY_VALUE, &inner, &part, &field))
            if (field->number == OTLP_KEY_VALUE_VALUE)
                value = otlp_value(r, part.bytes);
            else if (field->number == OTLP_KEY_VALUE_KEY)
                key = part.bytes;
        if (str_equal(key, STR("str")) && otlp_is_text(&value))
            item->str = value;
        else if (str_equal(key, STR("num")) && value.number == OTLP_ANY_INT)
            item->num = value;
        else if (str_equal(key, STR("value")) && value.number != 0)
            item->value = value;
        else if (str_equal(key, STR("unit")) && otlp_is_text(&value))
            item->unit = value.bytes;
        else
            return false;
    }
    return item->value.number != 0 ? item->str.number + item->num.number == 0
                                   : item->str.number + item->num.number != 0;
}

/* Appends a label of KEY for each item of BYTES, an ArrayValue, to TO; false if an item stands for
 * none. */
static bool add_labels(struct otlp *r, struct str key, struct str bytes, struct buf *to)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    while (otlp_next(r, OTLP_ARRAY, &wire, &f, &field)) {
        struct item item = {.unit = STR("")};
        const struct wire_field value = otlp_value(r, f.bytes);
        if (value.number != OTLP_ANY_LIST)
            item.value = value;
        else if (!read_item(r, value.bytes, &item))
            return false;
        begin_label(r, to, key);
        if (item.str.number != 0)
            add_string_label(r, to, item.str.bytes, STR(""));
        if (item.num.number != 0)
            add_number_label(to, (int64_t)item.num.value);
        if (item.str.number + item.num.number == 0)
            add_value(r, to, &item.value);
        end_label(r, to, item.unit);
        emit_check_length(STR("samples"), to->n);
    }
    return to->n > 0;
}

/* Makes the label of the attribute ENTRY in TO, or the labels. */
static void make_label(struct otlp *r, const struct otlp_entry *entry, struct buf *to)
{
    const struct otlp_attribute a = otlp_attribute(r, entry);
    if (a.value.number == OTLP_ANY_ARRAY && str_equal(a.unit, STR(OTLP_LABELS))) {
        r->looks_ahead = true; /* what it is not is read again */
        const bool are_labels = add_labels(r, a.key, a.value.bytes, to);
        r->looks_ahead = false;
        if (are_labels)
            return;
        to->n = 0;
    }
    begin_label(r, to, a.key);
    add_value(r, to, &a.value);
    end_label(r, to, a.unit);
}

/* Makes the two labels of the link ENTRY in TO. */
static void make_link(struct otlp *r, const struct otlp_entry *entry, struct buf *to)
{
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    const struct otlp_path before = otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_LINKS, entry));
    while (otlp_next(r, OTLP_LINK, &wire, &f, &field)) {
        begin_label(r, to, field->number == OTLP_LINK_TRACE ? STR("trace_id") : STR("span_id"));
        r->name.n = 0;
        text_hex(&r->name, f.bytes);
        add_string_label(r, to, buf_str(&r->name), STR("link"));
        buf_add(to, STR("}"));
    }
    otlp_at(r, before);
}

/* Appends what MAKE makes of ENTRY, of which many samples have the same, to the labels. */
static void add_label(struct otlp *r, struct otlp_entry *entry,
                      void (*make)(struct otlp *r, const struct otlp_entry *entry, struct buf *to))
{
    struct buf text = {0};
    if (entry == NULL)
        return;
    if (entry->made == 0) {
        make(r, entry, &text);
        growth_hold(r->sink->flow, text.n);
        r->texts = mem_array(r->texts, &r->text_capacity, r->text_count + 1, sizeof *r->texts);
        r->texts[r->text_count++] = arena_copy(&r->arena, buf_str(&text));
        entry->made = (uint32_t)r->text_count;
        buf_free(&text);
    }
    const struct str label = r->texts[entry->made - 1];
    buf_add(&r->labels, r->labels.n > 0 && label.n > 0 ? STR(",") : STR(""));
    buf_add(&r->labels, label);
    emit_check_length(STR("samples"), r->labels.n);
}

void otlp_label(struct otlp *r, const struct otlp_sample *sample)
{
    r->labels.n = 0;
    for (size_t i = 0; i < sample->attributes.count; i++)
        add_label(r,
                  otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, sample->attributes.items[i],
                             otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_ATTRIBUTES)),
                  make_label);
    add_label(r,
              otlp_entry(r, OTLP_DICTIONARY_LINKS, sample->link,
                         otlp_name(OTLP_SAMPLE, OTLP_SAMPLE_LINK)),
              make_link);
}

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

/* Makes the label of the attribute ENTRY in TO. */
static void make_label(struct otlp *r, const struct otlp_entry *entry, struct buf *to)
{
    const struct otlp_attribute a = otlp_attribute(r, entry);
    begin_label(r, to, a.key);
    if (a.value.number == OTLP_ANY_INT) {
        buf_add(to, STR(",\"num\":"));
        emit_number(to, (int64_t)a.value.value);
    } else if (otlp_is_string(&a)) {
        add_string_label(r, to, a.value.bytes, STR(""));
    } else {
        const struct str kind = text_of(r, &a.value);
        add_string_label(r, to, buf_str(&r->name), kind);
    }
    if (a.unit.n > 0) {
        buf_add(to, STR(",\"unit\":"));
        emit_inner_string(to, &r->scratch, a.unit);
    }
    buf_add(to, STR("}"));
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

/* Rows: sources, what stacks consist of, and labels. */
#include "base/mem.h"
#include "formats/otlp/otlp.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* --- attributes --- */

/* An attribute of the dictionary. */
struct attribute {
    struct str bytes; /* the message */
    struct str key, unit;
    struct wire_field value; /* the field of the AnyValue that is set; number 0: none */
};

static const char *field_name(enum otlp_message message, unsigned number)
{
    return otlp_fields[message][number].name;
}

/* The field of BYTES, an AnyValue, that is set: its last one. Number 0: none. */
static struct wire_field value_of(struct otlp *r, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f, last = {.number = 0};
    const struct otlp_field *field;
    while (otlp_next(r, OTLP_ANY, &wire, &f, &field))
        last = f;
    if (last.number == OTLP_ANY_INDEX)
        last.bytes = otlp_string(r, last.value, field_name(OTLP_ANY, OTLP_ANY_INDEX));
    return last;
}

static struct attribute read_attribute(struct otlp *r, const struct otlp_entry *entry)
{
    struct attribute a = {.bytes = entry->bytes, .key = STR(""), .unit = STR("")};
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    const struct otlp_path before = otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_ATTRIBUTES, entry));
    while (otlp_next(r, OTLP_ATTRIBUTE, &wire, &f, &field))
        switch (field->number) {
        case OTLP_ATTRIBUTE_KEY: a.key = otlp_string(r, f.value, field->name); break;
        case OTLP_ATTRIBUTE_VALUE: a.value = value_of(r, f.bytes); break;
        default: a.unit = otlp_string(r, f.value, field->name);
        }
    otlp_at(r, before);
    return a;
}

static bool is_string(const struct attribute *a)
{
    return a->value.number == OTLP_ANY_STRING || a->value.number == OTLP_ANY_INDEX;
}

static bool has_key(const struct attribute *a, struct str key)
{
    return str_equal(a->key, key);
}

/* Appends A to the list of those that no column has, r->rest, as OTLP/JSON. */
static void keep_attribute(struct otlp *r, const struct attribute *a)
{
    buf_add(&r->rest, r->rest.n > 0 ? STR(",") : STR("["));
    otlp_print(r, &r->rest, OTLP_ATTRIBUTE, a->bytes);
    emit_check_length(STR("sources"), r->rest.n);
}

/* Appends the member NAME with TEXT as a string of a dotted column. */
static void add_text(struct otlp *r, struct str name, struct str text)
{
    emit_member(&r->extra, name);
    emit_inner_string(&r->extra, &r->scratch, text);
}

/* Appends r->rest as the column of attributes, if there are any. */
static void add_rest(struct otlp *r)
{
    if (r->rest.n == 0)
        return;
    buf_add(&r->rest, STR("]"));
    add_text(r, STR(".otlp_attributes"), buf_str(&r->rest));
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
        const struct wire_field value = value_of(r, f.bytes);
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
    const struct attribute a = read_attribute(r, entry);
    begin_label(r, to, a.key);
    if (a.value.number == OTLP_ANY_INT) {
        buf_add(to, STR(",\"num\":"));
        emit_number(to, (int64_t)a.value.value);
    } else if (is_string(&a)) {
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
                             field_name(OTLP_SAMPLE, OTLP_SAMPLE_ATTRIBUTES)),
                  make_label);
    add_label(r,
              otlp_entry(r, OTLP_DICTIONARY_LINKS, sample->link,
                         field_name(OTLP_SAMPLE, OTLP_SAMPLE_LINK)),
              make_link);
}

/* --- mappings, functions, locations --- */

/* Pushes ROW unless an equal one has been; returns its id, which is in ID of the row, too. */
static uint32_t push_row(struct otlp *r, struct row *row, int64_t *id)
{
    bool is_new;
    row->extra = buf_str(&r->extra);
    r->scratch.n = 0;
    emit_key(&r->scratch, row);
    const uint32_t number = intern_add(&r->seen[row->table], buf_str(&r->scratch), &is_new);
    *id = number;
    if (is_new)
        sink_row(r->sink, row);
    return number;
}

static const struct str build_ids[] = {STR("gnu"), STR("go"), STR("htlhash")};

enum { BUILD_IDS = sizeof build_ids / sizeof *build_ids };

/* The place in build_ids of the id that A is; BUILD_IDS: none. */
static size_t build_id_of(const struct attribute *a)
{
    struct str kind = a->key;
    size_t i = 0;
    if (!is_string(a) || a->unit.n > 0 || !str_take(&kind, STR("process.executable.build_id.")))
        return BUILD_IDS;
    while (i < BUILD_IDS && !str_equal(kind, build_ids[i]))
        i++;
    return i;
}

/* The flags of mappings of pprof, whose attributes are pprof.mapping.NAME. */
static const struct str flags[] = {STR("has_functions"), STR("has_filenames"),
                                   STR("has_line_numbers"), STR("has_inline_frames")};

enum { FLAGS = sizeof flags / sizeof *flags };

/* Whether A is true, and of KEY. */
static bool is_true(const struct attribute *a, struct str key)
{
    return has_key(a, key) && a->value.number == OTLP_ANY_BOOL && a->value.value != 0 &&
           a->unit.n == 0;
}

/* The place in flags of the one that A sets; FLAGS: none. */
static size_t flag_of(const struct attribute *a)
{
    struct attribute inner = *a;
    size_t i = 0;
    if (!str_take(&inner.key, STR("pprof.mapping.")))
        return FLAGS;
    while (i < FLAGS && !is_true(&inner, flags[i]))
        i++;
    return i;
}

/* Appends what the attributes of a mapping, r->numbers, say to its row. */
static void add_mapping_attributes(struct otlp *r)
{
    const char *name = field_name(OTLP_MAPPING, OTLP_MAPPING_ATTRIBUTES);
    struct str id = STR("");
    size_t best = BUILD_IDS;
    bool has[FLAGS] = {0};
    r->rest.n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->numbers.count; i++) {
            const struct otlp_entry *entry =
                otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, r->numbers.items[i], name);
            if (entry == NULL)
                continue;
            const struct attribute a = read_attribute(r, entry);
            const size_t kind = build_id_of(&a), flag = flag_of(&a);
            if (pass == 0 && kind < best) {
                best = kind;
                id = a.value.bytes;
            } else if (pass == 1 && flag < FLAGS) {
                has[flag] = true;
            } else if (pass == 1 &&
                       (kind == BUILD_IDS || kind != best || !str_equal(id, a.value.bytes))) {
                keep_attribute(r, &a);
            }
        }
    add_text(r, STR("build_id"), id);
    for (size_t i = 0; i < FLAGS; i++)
        if (has[i]) {
            emit_member(&r->extra, flags[i]);
            buf_add(&r->extra, STR("true"));
        }
    if (best > 0 && best < BUILD_IDS)
        add_text(r, STR(".otlp_build_id"), build_ids[best]);
    add_rest(r);
}

static void add_address(struct otlp *r, struct str name, uint64_t address)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, address);
    buf_add(&r->extra, STR("\""));
}

static void push_mapping(struct otlp *r, struct otlp_entry *entry)
{
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    uint64_t numbers[OTLP_MAPPING_FILE + 1] = {0};
    otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_MAPPINGS, entry));
    r->numbers.count = 0;
    while (otlp_next(r, OTLP_MAPPING, &wire, &f, &field))
        if (field->number == OTLP_MAPPING_ATTRIBUTES)
            otlp_add_numbers(r, field, &f, &r->numbers);
        else
            numbers[field->number] = f.value;
    r->extra.n = 0;
    add_address(r, STR("memory_start"), numbers[OTLP_MAPPING_START]);
    add_address(r, STR("memory_limit"), numbers[OTLP_MAPPING_LIMIT]);
    add_address(r, STR("file_offset"), numbers[OTLP_MAPPING_OFFSET]);
    add_text(
        r, STR("filename"),
        otlp_string(r, numbers[OTLP_MAPPING_FILE], field_name(OTLP_MAPPING, OTLP_MAPPING_FILE)));
    add_mapping_attributes(r);
    struct row row = {.table = TABLE_MAPPINGS};
    entry->made = push_row(r, &row, &row.mapping.mapping_id);
}

/* Pushes the function of ENTRY; NULL: the one without a name. */
static uint32_t push_function(struct otlp *r, const struct otlp_entry *entry)
{
    int64_t numbers[OTLP_FUNCTION_START + 1] = {0};
    struct str texts[OTLP_FUNCTION_FILE + 1] = {{NULL, 0}};
    if (entry != NULL) {
        struct wire wire = otlp_walk(r, entry->bytes);
        struct wire_field f;
        const struct otlp_field *field;
        otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_FUNCTIONS, entry));
        while (otlp_next(r, OTLP_FUNCTION, &wire, &f, &field))
            numbers[field->number] = (int64_t)f.value;
    }
    for (unsigned i = OTLP_FUNCTION_NAME; i <= OTLP_FUNCTION_FILE; i++)
        texts[i] = otlp_string(r, (uint64_t)numbers[i], field_name(OTLP_FUNCTION, i));
    const bool has_name = texts[OTLP_FUNCTION_NAME].n > 0;
    const bool is_unmangled = texts[OTLP_FUNCTION_SYSTEM].n == 0;
    const int64_t start = numbers[OTLP_FUNCTION_START];
    struct row row = {.table = TABLE_FUNCTIONS, .function = {.start_line = start < 0 ? 0 : start}};
    const struct str name =
        has_name ? emit_text(&r->name, &r->inexact, STR("name"), texts[OTLP_FUNCTION_NAME])
                 : ROW_NO_NAME;
    row.function.name = name;
    row.function.system_name =
        !is_unmangled || has_name
            ? emit_text(&r->system, &r->inexact, STR("system_name"),
                        texts[is_unmangled ? OTLP_FUNCTION_NAME : OTLP_FUNCTION_SYSTEM])
            : ROW_NO_NAME;
    row.function.filename =
        emit_text(&r->file, &r->inexact, STR("filename"), texts[OTLP_FUNCTION_FILE]);
    r->extra.n = 0;
    buf_add(&r->extra, is_unmangled ? STR(",\".unmangled\":true") : STR(""));
    buf_add(&r->extra, has_name ? STR("") : STR(",\".no_name\":true"));
    if (start < 0) {
        emit_member(&r->extra, STR(".pprof_start_line"));
        emit_number(&r->extra, start);
    }
    emit_bytes_column(&r->extra, &r->inexact);
    return push_row(r, &row, &row.function.function_id);
}

/* The row of the function INDEX. */
static uint32_t function_of(struct otlp *r, uint64_t index)
{
    struct otlp_entry *entry =
        otlp_entry(r, OTLP_DICTIONARY_FUNCTIONS, index, field_name(OTLP_LINE, OTLP_LINE_FUNCTION));
    if (entry != NULL && entry->made != 0)
        return entry->made;
    const struct otlp_path before = r->path;
    const uint32_t id = push_function(r, entry);
    otlp_at(r, before);
    if (entry != NULL)
        entry->made = id;
    return id;
}

/* A location of the dictionary; its attributes are in r->numbers. */
struct location {
    uint64_t mapping, address;
    bool is_folded;
    size_t line_count;
};

/* Pushes a row of L: its line BYTES, inlined into the row INTO (0: none), or no line (null p).
 * IS_OUTER: others are inlined into it. */
static uint32_t push_line(struct otlp *r, const struct location *l, struct str bytes, uint32_t into,
                          bool is_outer)
{
    int64_t numbers[OTLP_LINE_COLUMN + 1] = {0};
    struct row row = {.table = TABLE_LOCATIONS, .location = {0, ROW_NULL, ROW_NULL}};
    if (bytes.p != NULL) {
        struct wire wire = otlp_walk(r, bytes);
        struct wire_field f;
        const struct otlp_field *field;
        while (otlp_next(r, OTLP_LINE, &wire, &f, &field))
            numbers[field->number] = (int64_t)f.value;
        row.location.function_id = function_of(r, (uint64_t)numbers[OTLP_LINE_FUNCTION]);
        row.location.line = numbers[OTLP_LINE_LINE] < 0 ? 0 : numbers[OTLP_LINE_LINE];
    }
    row.site = (struct row_site){.mapping_id = (int64_t)l->mapping,
                                 .address = l->address,
                                 .column = numbers[OTLP_LINE_COLUMN],
                                 .is_folded = l->is_folded};
    r->extra.n = 0;
    if (numbers[OTLP_LINE_LINE] < 0) {
        emit_member(&r->extra, STR(".pprof_line"));
        emit_number(&r->extra, numbers[OTLP_LINE_LINE]);
    }
    /* the columns of the site come before all others */
    if (r->extra.n == 0) {
        row.site.inlined_into = into;
    } else if (into != 0) {
        emit_member(&r->extra, STR(".inlined_into"));
        emit_number(&r->extra, into);
    }
    const bool is_bare = bytes.p == NULL && l->mapping == 0 && l->address == 0;
    buf_add(&r->extra, is_bare ? STR(",\".pprof_no_lines\":true") : STR(""));
    buf_add(&r->extra, is_outer ? STR(",\".pprof_outer\":true") : STR(""));
    if (!is_outer && r->rest.n > 0)
        add_text(r, STR(".otlp_attributes"), buf_str(&r->rest));
    return push_row(r, &row, &row.location.location_id);
}

/* Reads the attributes of L, r->numbers: those without a column go to r->rest. */
static void read_location_attributes(struct otlp *r, struct location *l)
{
    r->rest.n = 0;
    for (size_t i = 0; i < r->numbers.count; i++) {
        const struct otlp_entry *entry =
            otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, r->numbers.items[i],
                       field_name(OTLP_LOCATION, OTLP_LOCATION_ATTRIBUTES));
        if (entry == NULL)
            continue;
        const struct attribute a = read_attribute(r, entry);
        if (is_true(&a, STR("pprof.location.is_folded")))
            l->is_folded = true;
        else
            keep_attribute(r, &a);
    }
    buf_add(&r->rest, r->rest.n > 0 ? STR("]") : STR(""));
}

/* Makes the next COUNT of r->rows those of the next location. */
static void add_span(struct otlp *r, size_t count)
{
    r->spans = mem_array(r->spans, &r->span_capacity, r->span_count + 1, sizeof *r->spans);
    r->spans[r->span_count++] = (struct otlp_span){r->row_count, count};
    r->row_count += count;
}

/* Pushes the rows of ENTRY, a location, and adds them to the end of r->rows. */
static void push_location(struct otlp *r, const struct otlp_entry *entry)
{
    struct wire wire = otlp_walk(r, entry->bytes);
    struct wire_field f;
    const struct otlp_field *field;
    struct location l = {0};
    struct str *lines = NULL;
    size_t capacity = 0;
    uint32_t row = 0;
    otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_LOCATIONS, entry));
    r->numbers.count = 0;
    while (otlp_next(r, OTLP_LOCATION, &wire, &f, &field))
        switch (field->number) {
        case OTLP_LOCATION_MAPPING: {
            const struct otlp_entry *mapping =
                otlp_entry(r, OTLP_DICTIONARY_MAPPINGS, f.value, field->name);
            l.mapping = mapping == NULL ? 0 : mapping->made;
            break;
        }
        case OTLP_LOCATION_ADDRESS: l.address = f.value; break;
        case OTLP_LOCATION_LINES:
            lines = mem_array(lines, &capacity, l.line_count + 1, sizeof *lines);
            lines[l.line_count++] = f.bytes;
            break;
        default: otlp_add_numbers(r, field, &f, &r->numbers);
        }
    read_location_attributes(r, &l);
    const size_t count = l.line_count > 0 ? l.line_count : 1, first = r->row_count;
    r->rows = mem_array(r->rows, &r->row_capacity, first + count, sizeof *r->rows);
    if (l.line_count == 0)
        r->rows[first] = push_line(r, &l, (struct str){NULL, 0}, 0, false);
    for (size_t i = l.line_count; i-- > 0;) /* the last is the outermost */
        r->rows[first + i] = row = push_line(r, &l, lines[i], row, i > 0);
    add_span(r, count);
    mem_free(lines);
}

void otlp_push_definitions(struct otlp *r)
{
    struct otlp_table *t = &r->tables[OTLP_DICTIONARY_MAPPINGS];
    for (size_t i = t->has_null; i < t->count; i++)
        push_mapping(r, &t->items[i]);
    t = &r->tables[OTLP_DICTIONARY_FUNCTIONS];
    for (size_t i = t->has_null; i < t->count; i++)
        t->items[i].made = push_function(r, &t->items[i]);
    t = &r->tables[OTLP_DICTIONARY_LOCATIONS];
    if (t->count > 0 && t->has_null)
        add_span(r, 0);
    for (size_t i = t->has_null; i < t->count; i++)
        push_location(r, &t->items[i]);
}

void otlp_push_null_location(struct otlp *r)
{
    r->rest.n = 0;
    r->rows = mem_array(r->rows, &r->row_capacity, r->row_count + 1, sizeof *r->rows);
    r->rows[r->row_count] = push_line(r, &(struct location){0}, (struct str){NULL, 0}, 0, false);
    r->spans[0] = (struct otlp_span){r->row_count++, 1};
}

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
    profile->type_number = value_types_add(&r->sink->flow->types, type, unit);
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->inexact);
    growth_hold(r->sink->flow, r->extra.n);
    profile->type_extra = r->extra.n == 0 ? STR("") : arena_copy(&r->arena, buf_str(&r->extra));
}

static void add_type(struct otlp *r, struct str type, struct str unit)
{
    buf_add(&r->extra, STR("{\"type\":"));
    emit_inner_string(&r->extra, &r->scratch, type);
    add_text(r, STR("unit"), unit);
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
static bool take_comments(struct otlp *r, const struct attribute *a)
{
    struct str key = a->key;
    if (!str_take(&key, STR("pprof.profile.comment")) || (key.n > 0 && *key.p != '.') ||
        a->unit.n > 0)
        return false;
    if (is_string(a))
        add_comment(r, a->value.bytes);
    if (a->value.number != OTLP_ANY_ARRAY)
        return is_string(a);
    for (int pass = 0; pass < 2; pass++) {
        struct wire wire = otlp_walk(r, a->value.bytes);
        struct wire_field f;
        const struct otlp_field *field;
        while (otlp_next(r, OTLP_ARRAY, &wire, &f, &field)) {
            const struct wire_field value = value_of(r, f.bytes);
            if (value.number != OTLP_ANY_STRING && value.number != OTLP_ANY_INDEX)
                return false; /* in the first pass */
            if (pass == 1)
                add_comment(r, value.bytes);
        }
    }
    return true;
}

/* Adds A to r->pprof if it is a fact of pprof; false if it is none. */
static bool take_pprof_fact(struct otlp *r, const struct attribute *a)
{
    static const struct str names[] = {STR("drop_frames"), STR("keep_frames"), STR("doc_url")};
    struct str key = a->key;
    if (!is_string(a) || a->unit.n > 0 || !str_take(&key, STR("pprof.profile.")))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!str_equal(key, names[i]))
            continue;
        emit_member(&r->pprof, names[i]);
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
                       field_name(OTLP_PROFILE, OTLP_PROFILE_ATTRIBUTES));
        if (entry == NULL)
            continue;
        const struct attribute a = read_attribute(r, entry);
        if (!take_comments(r, &a) && !take_pprof_fact(r, &a))
            keep_attribute(r, &a);
    }
}

/* `.pprof`: what pprof says of a whole file, for those who read or write that. */
static void add_pprof(struct otlp *r, int64_t duration)
{
    size_t start = r->extra.n;
    emit_member(&r->extra, STR(".pprof"));
    size_t inside = r->extra.n;
    if (duration != 0)
        add_number(r, STR("duration_nanos"), duration);
    if (r->default_type.n > 0)
        add_text(r, STR("default_sample_type"), r->default_type);
    buf_add(&r->extra, buf_str(&r->pprof));
    if (r->comments.n > 0) {
        emit_member(&r->extra, STR("comment"));
        buf_add(&r->extra, buf_str(&r->comments));
        buf_add(&r->extra, STR("]"));
    }
    if (r->extra.n == inside) {
        r->extra.n = start;
        return;
    }
    r->extra.p[inside] = '{';
    buf_add(&r->extra, STR("}"));
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
    add_text(r, STR("profile"), buf_str(&r->name));
}

static void add_text_if_any(struct otlp *r, struct str name, struct str text)
{
    if (text.n > 0)
        add_text(r, name, text);
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
        add_text(r, STR("resource"), buf_str(&r->resource));
    add_text_if_any(r, STR("resource_schema_url"), r->resource_schema);
    if (r->scope.n > sizeof "{}" - 1)
        add_text(r, STR("scope"), buf_str(&r->scope));
    add_text_if_any(r, STR("scope_schema_url"), r->scope_schema);
    add_text_if_any(r, STR("payload_format"), facts->payload_format);
    add_payload(r, facts->payload);
    if (r->extra.n == inside)
        buf_add(&r->extra, STR("{"));
    else
        r->extra.p[inside] = '{';
    buf_add(&r->extra, STR("}"));
}

void otlp_push_source(struct otlp *r)
{
    const struct facts facts = read_facts(r);
    const int64_t time =
        otlp_nanoseconds(r, facts.time, field_name(OTLP_PROFILE, OTLP_PROFILE_TIME));
    const int64_t duration =
        otlp_nanoseconds(r, facts.duration, field_name(OTLP_PROFILE, OTLP_PROFILE_DURATION));
    const int64_t first = time == 0 ? otlp_first_time(r) : time;
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = ++r->source_id,
                                 .source_type = STR("otlp"),
                                 .source_timestamp = r->request->timestamp}};
    r->zero = first < 0 ? 0 : first;
    if (row.source.source_timestamp.kind == NUMBER_NULL && r->zero != 0)
        row.source.source_timestamp = source_kind_seconds(&r->file, r->zero);
    read_profile_attributes(r);
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".value_types\":["));
    for (size_t k = 0; k < r->group_count; k++) {
        buf_add(&r->extra, k > 0 ? STR(",") : STR(""));
        add_type(r, r->group[k].type, r->group[k].unit);
        buf_add(&r->extra, STR("}"));
    }
    buf_add(&r->extra, STR("]"));
    if (facts.period_type.n > 0 || facts.period_unit.n > 0) {
        buf_add(&r->extra, STR(",\".period\":"));
        add_type(r, facts.period_type, facts.period_unit);
        add_number(r, STR("value"), facts.period);
        buf_add(&r->extra, STR("}"));
    }
    add_otlp(r, &facts, time, duration);
    add_pprof(r, duration);
    row.source.source_uri =
        bytes_rows_uri(&r->bytes_rows, format_source_uri(r->request, r->in), &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
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
                value = value_of(r, part.bytes);
            else
                key = field->number == OTLP_KEY_VALUE_KEY ? part.bytes
                                                          : otlp_string(r, part.value, field->name);
        bool is_text = value.number == OTLP_ANY_STRING || value.number == OTLP_ANY_INDEX;
        if (is_text && str_equal(key, STR("pprof.scope.default_sample_type")))
            r->default_type = value.bytes;
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

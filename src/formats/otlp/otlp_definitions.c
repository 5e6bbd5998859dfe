/* Rows of what stacks consist of: mappings, functions and locations. */
#include "base/mem.h"
#include "formats/otlp/otlp.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- mappings, functions, locations --- */

/* The number of the bytes of the string INDEX, which FIELD refers to, over all messages; 0: empty.
 * Entries keep it: many definitions may refer to a long string. */
static uint32_t string_number(struct otlp *r, uint64_t index, const char *field)
{
    struct otlp_entry *entry = otlp_entry(r, OTLP_DICTIONARY_STRINGS, index, field);
    if (entry == NULL || entry->bytes.n == 0)
        return 0;
    if (entry->made == 0)
        entry->made = intern_add(&r->strings, entry->bytes, NULL);
    return entry->made;
}

/* The bytes of such a number. */
static struct str string_at(const struct otlp *r, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&r->strings, number);
}

/* The place in otlp_build_ids of the id that A is; OTLP_BUILD_IDS: none. */
static size_t build_id_of(const struct otlp_attribute *a)
{
    struct str kind = a->key;
    size_t i = 0;
    if (!otlp_is_string(a) || a->unit.n > 0 || !str_take(&kind, STR(OTLP_BUILD_ID)))
        return OTLP_BUILD_IDS;
    while (i < OTLP_BUILD_IDS && !str_equal(kind, otlp_build_ids[i]))
        i++;
    return i;
}

/* Whether A is true, and of KEY. */
static bool is_true(const struct otlp_attribute *a, struct str key)
{
    return str_equal(a->key, key) && a->value.number == OTLP_ANY_BOOL && a->value.value != 0 &&
           a->unit.n == 0;
}

/* The place in otlp_flags of the one that A sets; OTLP_FLAGS: none. */
static size_t flag_of(const struct otlp_attribute *a)
{
    struct otlp_attribute inner = *a;
    size_t i = 0;
    if (!str_take(&inner.key, STR(OTLP_FLAG)))
        return OTLP_FLAGS;
    while (i < OTLP_FLAGS && !is_true(&inner, otlp_flags[i]))
        i++;
    return i;
}

/* Appends r->rest as the column of attributes, if there are any. */
static void add_rest(struct otlp *r)
{
    if (r->rest.n == 0)
        return;
    buf_add(&r->rest, STR("]"));
    otlp_add_text(r, STR(".otlp_attributes"), buf_str(&r->rest));
}

/* Appends what the attributes of a mapping, r->numbers, say to its row. */
static void add_mapping_attributes(struct otlp *r)
{
    const char *name = otlp_name(OTLP_MAPPING, OTLP_MAPPING_ATTRIBUTES);
    struct str id = STR("");
    size_t best = OTLP_BUILD_IDS;
    bool has[OTLP_FLAGS] = {0};
    r->rest.n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->numbers.count; i++) {
            const struct otlp_entry *entry =
                otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, r->numbers.items[i], name);
            if (entry == NULL)
                continue;
            const struct otlp_attribute a = otlp_attribute(r, entry);
            const size_t kind = build_id_of(&a), flag = flag_of(&a);
            if (pass == 0 && kind < best) {
                best = kind;
                id = a.value.bytes;
            } else if (pass == 1 && flag < OTLP_FLAGS) {
                has[flag] = true;
            } else if (pass == 1) {
                const bool is_best = kind == best && best < OTLP_BUILD_IDS;
                if (is_best) /* comparing takes time, which few bytes may ask for */
                    growth_hold(r->sink->flow, id.n);
                if (!is_best || !str_equal(id, a.value.bytes))
                    otlp_keep(r, &a);
            }
        }
    otlp_add_text(r, STR("build_id"), id);
    for (size_t i = 0; i < OTLP_FLAGS; i++)
        if (has[i]) {
            emit_member(&r->extra, otlp_flags[i]);
            buf_add(&r->extra, STR("true"));
        }
    if (best > 0 && best < OTLP_BUILD_IDS)
        otlp_add_text(r, STR(".otlp_build_id"), otlp_build_ids[best]);
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
    bool is_new;
    otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_MAPPINGS, entry));
    r->numbers.count = 0;
    while (otlp_next(r, OTLP_MAPPING, &wire, &f, &field))
        if (field->number == OTLP_MAPPING_ATTRIBUTES)
            otlp_add_numbers(r, field, &f, &r->numbers);
        else
            numbers[field->number] = f.value;
    const uint32_t file =
        string_number(r, numbers[OTLP_MAPPING_FILE], otlp_name(OTLP_MAPPING, OTLP_MAPPING_FILE));
    numbers[OTLP_MAPPING_FILE] = file;
    r->extra.n = 0;
    add_mapping_attributes(r);
    struct buf *key = &r->name;
    key->n = 0;
    buf_add(key, (struct str){(const char *)numbers, sizeof numbers});
    buf_add(key, buf_str(&r->extra));
    entry->made = intern_add(&r->seen[TABLE_MAPPINGS], buf_str(key), &is_new);
    if (!is_new) {
        growth_hold(r->sink->flow, r->extra.n);
        return;
    }
    r->extra.n = 0;
    add_address(r, STR("memory_start"), numbers[OTLP_MAPPING_START]);
    add_address(r, STR("memory_limit"), numbers[OTLP_MAPPING_LIMIT]);
    add_address(r, STR("file_offset"), numbers[OTLP_MAPPING_OFFSET]);
    otlp_add_text(r, STR("filename"), string_at(r, file));
    buf_add(&r->extra, (struct str){key->p + sizeof numbers, key->n - sizeof numbers});
    sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                    .mapping = {entry->made},
                                    .extra = buf_str(&r->extra)});
}

/* Pushes the function of ENTRY; NULL: the one without a name. */
static uint32_t push_function(struct otlp *r, const struct otlp_entry *entry)
{
    int64_t numbers[OTLP_FUNCTION_START + 1] = {0};
    struct str texts[OTLP_FUNCTION_FILE + 1] = {{NULL, 0}};
    bool is_new;
    if (entry != NULL) {
        struct wire wire = otlp_walk(r, entry->bytes);
        struct wire_field f;
        const struct otlp_field *field;
        otlp_at(r, otlp_path_of(r, OTLP_DICTIONARY_FUNCTIONS, entry));
        while (otlp_next(r, OTLP_FUNCTION, &wire, &f, &field))
            numbers[field->number] = (int64_t)f.value;
    }
    for (unsigned i = OTLP_FUNCTION_NAME; i <= OTLP_FUNCTION_FILE; i++) {
        numbers[i] = string_number(r, (uint64_t)numbers[i], otlp_name(OTLP_FUNCTION, i));
        texts[i] = string_at(r, (uint32_t)numbers[i]);
    }
    const uint32_t id = intern_add(&r->seen[TABLE_FUNCTIONS],
                                   (struct str){(const char *)numbers, sizeof numbers}, &is_new);
    if (!is_new)
        return id;
    const bool has_name = texts[OTLP_FUNCTION_NAME].n > 0;
    const bool is_unmangled = texts[OTLP_FUNCTION_SYSTEM].n == 0;
    const int64_t start = numbers[OTLP_FUNCTION_START];
    struct row row = {.table = TABLE_FUNCTIONS,
                      .function = {.function_id = id, .start_line = start < 0 ? 0 : start}};
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
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    return id;
}

/* The row of the function INDEX. */
static uint32_t function_of(struct otlp *r, uint64_t index)
{
    struct otlp_entry *entry =
        otlp_entry(r, OTLP_DICTIONARY_FUNCTIONS, index, otlp_name(OTLP_LINE, OTLP_LINE_FUNCTION));
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
    bool is_new;
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
        otlp_add_text(r, STR(".otlp_attributes"), buf_str(&r->rest));
    row.extra = buf_str(&r->extra);
    r->scratch.n = 0;
    emit_key(&r->scratch, &row);
    const uint32_t id = intern_add(&r->seen[TABLE_LOCATIONS], buf_str(&r->scratch), &is_new);
    row.location.location_id = id;
    if (is_new)
        sink_row(r->sink, &row);
    return id;
}

/* Reads the attributes of L, r->numbers: those without a column go to r->rest. */
static void read_location_attributes(struct otlp *r, struct location *l)
{
    r->rest.n = 0;
    for (size_t i = 0; i < r->numbers.count; i++) {
        const struct otlp_entry *entry =
            otlp_entry(r, OTLP_DICTIONARY_ATTRIBUTES, r->numbers.items[i],
                       otlp_name(OTLP_LOCATION, OTLP_LOCATION_ATTRIBUTES));
        if (entry == NULL)
            continue;
        const struct otlp_attribute a = otlp_attribute(r, entry);
        if (is_true(&a, STR(OTLP_IS_FOLDED)))
            l->is_folded = true;
        else
            otlp_keep(r, &a);
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

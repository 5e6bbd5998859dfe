/* Rows of what stacks consist of, and labels, as entries of the tables of a dictionary. */
#include "base/idmap.h"
#include "base/mem.h"
#include "formats/otlp/otlp.h"
#include "formats/otlp/otlp_write.h"
#include "rows/loss.h"
#include "rows/text.h"

/* Max number of lines in all locations: far more than any program has. */
enum { LINES_MAX = 1 << 24 };

/* --- messages --- */

static void put_number(struct buf *to, unsigned number, uint64_t value)
{
    wire_put_key(to, number, WIRE_VARINT);
    wire_put_varint(to, value);
}

void otlp_put(struct buf *to, unsigned number, uint64_t value)
{
    if (value != 0)
        put_number(to, number, value);
}

void otlp_put_fixed(struct buf *to, unsigned number, uint64_t value)
{
    wire_put_key(to, number, WIRE_FIXED64);
    wire_put_fixed(to, value);
}

void otlp_put_bytes(struct buf *to, unsigned number, struct str bytes)
{
    wire_put_key(to, number, WIRE_BYTES);
    wire_put_varint(to, bytes.n);
    buf_add(to, bytes);
}

/* The index of MESSAGE in TABLE. */
static uint32_t index_of(struct otlp_writer *w, unsigned table, struct str message)
{
    return intern_add(&w->tables[table], message, NULL);
}

/* --- strings --- */

struct str otlp_valid(struct buf *room, struct str bytes)
{
    const struct str valid = text_valid_utf8(room, bytes);
    if (room->n > 0)
        loss_add(LOSS_OTLP_BYTES, STR(""), 1);
    return valid;
}

uint32_t otlp_put_string(struct otlp_writer *w, struct str bytes)
{
    const uint32_t id = profile_string(&w->profile, bytes);
    if (id == 0)
        return 0;
    w->strings = mem_array_zeroed(w->strings, &w->string_capacity, id, sizeof *w->strings);
    if (w->strings[id - 1] == 0) {
        struct buf room = {0};
        const struct str valid = otlp_valid(&room, profile_string_of(&w->profile, id));
        w->strings[id - 1] = index_of(w, OTLP_DICTIONARY_STRINGS, valid);
        buf_free(&room);
    }
    return w->strings[id - 1];
}

uint32_t otlp_put_text(struct otlp_writer *w, struct str text)
{
    struct buf bytes = {0};
    text_unescape(&bytes, text);
    const uint32_t index = otlp_put_string(w, buf_str(&bytes));
    buf_free(&bytes);
    return index;
}

/* The index of the string ID of the profile. */
static uint32_t string_of(struct otlp_writer *w, uint32_t id)
{
    return otlp_put_string(w, profile_string_of(&w->profile, id));
}

/* --- attributes --- */

void otlp_put_text_value(struct buf *to, struct str bytes)
{
    struct buf room = {0};
    otlp_put_bytes(to, OTLP_ANY_STRING, otlp_valid(&room, bytes));
    buf_free(&room);
}

uint32_t otlp_put_attribute(struct otlp_writer *w, struct str key, struct str value,
                            struct str unit)
{
    const uint32_t key_index = otlp_put_string(w, key), unit_index = otlp_put_string(w, unit);
    w->message.n = 0;
    otlp_put(&w->message, OTLP_ATTRIBUTE_KEY, key_index);
    otlp_put_bytes(&w->message, OTLP_ATTRIBUTE_VALUE, value);
    otlp_put(&w->message, OTLP_ATTRIBUTE_UNIT, unit_index);
    return index_of(w, OTLP_DICTIONARY_ATTRIBUTES, buf_str(&w->message));
}

/* Appends the index of the attribute KEY, a string or true (null p), to TO. */
static void put_simple(struct otlp_writer *w, struct buf *to, struct str key, struct str text)
{
    w->text.n = 0;
    if (text.p == NULL)
        put_number(&w->text, OTLP_ANY_BOOL, 1);
    else
        otlp_put_text_value(&w->text, text);
    wire_put_varint(to, otlp_put_attribute(w, key, buf_str(&w->text), STR("")));
}

/* The same for the key FRONT NAME. */
static void put_named(struct otlp_writer *w, struct buf *to, struct str front, struct str name,
                      struct str text)
{
    w->key.n = 0;
    buf_add(&w->key, front);
    buf_add(&w->key, name);
    put_simple(w, to, buf_str(&w->key), text);
}

static uint32_t add_string(void *writer, struct str bytes)
{
    return otlp_put_string(writer, bytes);
}

struct otlp_conversion otlp_conversion_of(struct otlp_writer *w)
{
    return (struct otlp_conversion){.string = add_string, .user = w};
}

void otlp_put_attributes(struct otlp_writer *w, struct str text, const char *column, struct buf *to)
{
    const struct otlp_conversion c = otlp_conversion_of(w);
    struct otlp_text t;
    otlp_text_open(&t, text, otlp_place(w), column);
    if (t.json.token != TOKEN_ARRAY)
        tokens_unexpected(&t.json, "a list");
    while (tokens_next(&t.json) != TOKEN_ARRAY_END) {
        if (t.json.token != TOKEN_OBJECT)
            tokens_unexpected(&t.json, "an object");
        w->message.n = 0;
        otlp_convert(&c, &t.json, OTLP_ATTRIBUTE, &w->message);
        wire_put_varint(to, index_of(w, OTLP_DICTIONARY_ATTRIBUTES, buf_str(&w->message)));
    }
    otlp_text_close(&t);
}

/* --- marks --- */

/* For a label, or for a sample itself. */
static bool keep_of_sample(struct otlp_writer *w, const struct member *m, uint32_t *other)
{
    if (m->id == MEMBER_ID_TIME) {
        w->has_time = true;
        w->time = m->integer;
        return true;
    }
    if (m->id != MEMBER_ID_OTLP_KIND)
        return false;
    *other = intern_add(&w->kinds, profile_inner_bytes(&w->profile, m->value), NULL);
    return true;
}

bool otlp_keep_mark(struct otlp_writer *w, const struct row *row, const struct member *m,
                    uint32_t *other)
{
    if (row->table == TABLE_SAMPLES)
        return keep_of_sample(w, m, other);
    switch (m->id) {
    case MEMBER_ID_PPROF_START_LINE:
    case MEMBER_ID_PPROF_LINE:
        w->marks.has_number = true;
        w->marks.number = m->integer;
        return true;
    case MEMBER_ID_PPROF_OUTER: w->marks.is_outer = m->flag; return true;
    case MEMBER_ID_PPROF_NO_LINES: w->marks.no_lines = m->flag; return true;
    case MEMBER_ID_PPROF_COPY: return true;
    case MEMBER_ID_OTLP_BUILD_ID:
        for (size_t i = 0; i < OTLP_BUILD_IDS; i++)
            if (str_equal(profile_inner_bytes(&w->profile, m->value), otlp_build_ids[i])) {
                w->marks.build_id = otlp_build_ids[i];
                return true;
            }
        return false;
    case MEMBER_ID_OTLP_ATTRIBUTES:
        w->scratch.n = 0;
        text_inner_bytes(&w->scratch, m->value);
        otlp_put_attributes(w, buf_str(&w->scratch), ".otlp_attributes", &w->marks.attributes);
        return true;
    default: return false;
    }
}

/* Forgets the marks of the row before. */
static void begin_row(struct otlp_writer *w)
{
    w->marks =
        (struct otlp_marks){.build_id = otlp_build_ids[0],
                            .attributes = {w->marks.attributes.p, 0, w->marks.attributes.capacity}};
}

/* --- mappings and functions --- */

void otlp_write_mapping(struct otlp_writer *w, const struct row *row)
{
    struct buf *m = &w->message, indexes = {0};
    begin_row(w);
    const struct profile_mapping *of = profile_add_mapping(&w->profile, row, otlp_place(w));
    const bool flags[OTLP_FLAGS] = {of->has_functions, of->has_filenames, of->has_line_numbers,
                                    of->has_inline_frames};
    if (of->build_id != 0)
        put_named(w, &indexes, STR(OTLP_BUILD_ID), w->marks.build_id,
                  profile_string_of(&w->profile, of->build_id));
    for (size_t i = 0; i < OTLP_FLAGS; i++)
        if (flags[i])
            put_named(w, &indexes, STR(OTLP_FLAG), otlp_flags[i], (struct str){NULL, 0});
    buf_add(&indexes, buf_str(&w->marks.attributes));
    const uint32_t filename = string_of(w, of->filename);
    m->n = 0;
    otlp_put(m, OTLP_MAPPING_START, of->start);
    otlp_put(m, OTLP_MAPPING_LIMIT, of->limit);
    otlp_put(m, OTLP_MAPPING_OFFSET, of->offset);
    otlp_put(m, OTLP_MAPPING_FILE, filename);
    otlp_put_any(m, OTLP_MAPPING_ATTRIBUTES, buf_str(&indexes));
    const size_t id = (size_t)row->mapping.mapping_id; /* dense, in order of appearance */
    w->mappings = mem_array(w->mappings, &w->mapping_capacity, id, sizeof *w->mappings);
    w->mappings[id - 1] = index_of(w, OTLP_DICTIONARY_MAPPINGS, buf_str(m));
    buf_free(&indexes);
}

/* The index of the function of these strings. */
static uint32_t put_function(struct otlp_writer *w, uint32_t name, uint32_t system, uint32_t file,
                             int64_t start)
{
    struct buf *m = &w->message;
    m->n = 0;
    otlp_put(m, OTLP_FUNCTION_NAME, name);
    otlp_put(m, OTLP_FUNCTION_SYSTEM, system);
    otlp_put(m, OTLP_FUNCTION_FILE, file);
    otlp_put(m, OTLP_FUNCTION_START, (uint64_t)start);
    return index_of(w, OTLP_DICTIONARY_FUNCTIONS, buf_str(m));
}

void otlp_write_function(struct otlp_writer *w, const struct row *row)
{
    begin_row(w);
    const struct profile_function *of = profile_add_function(&w->profile, row, otlp_place(w));
    const uint32_t name = string_of(w, of->name), system = string_of(w, of->system_name);
    const size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = put_function(w, name, system, string_of(w, of->filename),
                                        w->marks.has_number ? w->marks.number : of->start_line);
}

/* The function for code outside of functions in the file of L. */
static uint32_t toplevel(struct otlp_writer *w, const struct profile_location *l)
{
    const uint32_t name = otlp_put_string(w, STR("<toplevel>"));
    return put_function(w, name, 0, string_of(w, l->filename), 0);
}

/* --- locations --- */

uint32_t otlp_make_location(void *writer, uint32_t first, uint32_t count)
{
    struct otlp_writer *w = writer;
    const struct profile *p = &w->profile;
    const struct profile_location *head = &p->locations[first - 1];
    struct buf *m = &w->message, line = {0};
    uint32_t n = 0;
    m->n = 0;
    otlp_put(m, OTLP_LOCATION_MAPPING, head->mapping == 0 ? 0 : w->mappings[head->mapping - 1]);
    otlp_put(m, OTLP_LOCATION_ADDRESS, head->address);
    for (uint32_t row = first;
         row != 0 && w->lines[first - 1].has_line && (count == 0 || n < count); n++) {
        line.n = 0;
        otlp_put(&line, OTLP_LINE_FUNCTION, w->lines[row - 1].function);
        otlp_put(&line, OTLP_LINE_LINE, (uint64_t)w->lines[row - 1].line);
        otlp_put(&line, OTLP_LINE_COLUMN, (uint64_t)p->locations[row - 1].column);
        otlp_put_bytes(m, OTLP_LOCATION_LINES, buf_str(&line));
        row = w->chains.rows[row - 1].into;
    }
    buf_free(&line);
    otlp_put_any(m, OTLP_LOCATION_ATTRIBUTES, w->lines[first - 1].attributes);
    bool is_new;
    const uint32_t index = intern_add(&w->tables[OTLP_DICTIONARY_LOCATIONS], buf_str(m), &is_new);
    w->line_total += is_new ? n : 0;
    if (w->line_total > LINES_MAX)
        die_as(CODE_TOO_LARGE, otlp_place(w),
               "locations inlined into each other: more than %d lines", LINES_MAX);
    return index;
}

/* Counts data of the location ROW, at AT, that cannot be written because it has no line. */
static void count_dropped(const struct otlp_writer *w, const struct row *row,
                          const struct profile_location *at)
{
    if (at->column != 0)
        loss_add_column(row, STR(".column"));
    if (w->marks.number != 0)
        loss_add_column(row, STR(".pprof_line"));
}

/* What the file needs of the location ROW, at AT. */
static struct otlp_line line_of(struct otlp_writer *w, const struct row *row,
                                const struct profile_location *at)
{
    struct otlp_line line = {.attributes = STR("")};
    if (w->marks.has_number || at->line != ROW_NULL)
        line.line = w->marks.has_number ? w->marks.number : at->line;
    /* only an address, or code outside of any function */
    line.has_line = at->function != 0 || at->line != ROW_NULL || at->filename != 0 ||
                    !(at->address != 0 || at->mapping != 0 || w->marks.no_lines);
    if (!line.has_line)
        count_dropped(w, row, at);
    if (at->is_folded)
        put_simple(w, &w->marks.attributes, STR(OTLP_IS_FOLDED), (struct str){NULL, 0});
    if (w->marks.attributes.n > 0)
        line.attributes = arena_copy(&w->arena, buf_str(&w->marks.attributes));
    if (at->function != 0)
        line.function = w->functions[at->function - 1];
    else if (line.has_line)
        line.function = toplevel(w, at);
    return line;
}

/* Whether row A can be in the same location of the file as the row INTO that it is inlined into. */
static bool same_place(const struct otlp_writer *w, const struct profile_location *a, uint32_t into)
{
    const struct profile_location *b = &w->profile.locations[into - 1];
    return a->address == b->address && a->mapping == b->mapping && a->is_folded == b->is_folded &&
           w->lines[into - 1].has_line;
}

void otlp_write_location(struct otlp_writer *w, const struct row *row)
{
    const size_t id = (size_t)row->location.location_id;
    begin_row(w);
    const struct profile_location *at = profile_add_location(&w->profile, row, otlp_place(w));
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    const struct otlp_line line = w->lines[id - 1] = line_of(w, row, at);
    struct chains_row *chain = chains_at(&w->chains, id);
    chain->into = at->into != 0 && line.has_line && same_place(w, at, at->into) ? at->into : 0;
    if (chain->into != at->into)
        loss_add_column(row, STR(".inlined_into"));
    chain->location = w->marks.is_outer ? 0 : otlp_make_location(w, (uint32_t)id, 0);
}

/* --- labels --- */

/* Appends the double that TEXT is; false if it is none. */
static bool put_real(struct buf *to, struct str text)
{
    uint64_t bits;
    if (!otlp_take_double(text, &bits))
        return false;
    otlp_put_fixed(to, OTLP_ANY_DOUBLE, bits);
    return true;
}

/* Appends the item of a list that is the current token to TO, as an AnyValue. */
static void put_item(struct otlp_writer *w, struct tokens *j, struct buf *to)
{
    const struct otlp_conversion c = otlp_conversion_of(w);
    struct buf bytes = {0};
    int64_t integer;
    switch (j->token) {
    case TOKEN_STRING: otlp_put_text_value(to, tokens_bytes(j, &bytes)); break;
    case TOKEN_TRUE:
    case TOKEN_FALSE: put_number(to, OTLP_ANY_BOOL, j->token == TOKEN_TRUE); break;
    case TOKEN_NUMBER:
        if (decimal_point(j->text).n > 0 && tokens_is_integer(j, &integer))
            put_number(to, OTLP_ANY_INT, (uint64_t)integer);
        else if (!put_real(to, j->text))
            tokens_unexpected(j, "a number in the range of doubles");
        break;
    case TOKEN_OBJECT: otlp_convert(&c, j, OTLP_ANY, to); break;
    default: tokens_unexpected(j, "a value of OTLP");
    }
    buf_free(&bytes);
}

/* Appends the list TEXT to TO, as an ArrayValue. */
static void put_array(struct otlp_writer *w, struct buf *to, struct str text)
{
    struct buf list = {0}, item = {0};
    struct otlp_text t;
    otlp_text_open(&t, text, otlp_place(w), ".labels");
    if (t.json.token != TOKEN_ARRAY)
        tokens_unexpected(&t.json, "a list");
    while (tokens_next(&t.json) != TOKEN_ARRAY_END) {
        item.n = 0;
        put_item(w, &t.json, &item);
        otlp_put_bytes(&list, OTLP_ARRAY_VALUES, buf_str(&item));
    }
    otlp_text_close(&t);
    otlp_put_bytes(to, OTLP_ANY_ARRAY, buf_str(&list));
    buf_free(&list);
    buf_free(&item);
}

/* Appends the value of OTLP that TEXT stands for by KIND, the `.otlp_kind` of a label, to TO; false if
 * it stands for none. */
static bool put_kind(struct otlp_writer *w, struct buf *to, struct str kind, struct str text)
{
    const struct otlp_conversion c = otlp_conversion_of(w);
    struct buf bytes = {0};
    bool is_good = true;
    if (str_equal(kind, STR("bool"))) {
        is_good = str_equal(text, STR("true")) || str_equal(text, STR("false"));
        if (is_good)
            put_number(to, OTLP_ANY_BOOL, text.n == sizeof "true" - 1);
    } else if (str_equal(kind, STR("double"))) {
        is_good = put_real(to, text);
    } else if (str_equal(kind, STR("array"))) {
        put_array(w, to, text);
    } else if (str_equal(kind, STR("kvlist"))) {
        otlp_convert_text(&c, OTLP_LIST, text, otlp_place(w), ".labels", &bytes);
        otlp_put_bytes(to, OTLP_ANY_LIST, buf_str(&bytes));
    } else if (str_equal(kind, STR("bytes"))) {
        is_good = otlp_take_base64(&bytes, text);
        if (is_good)
            otlp_put_bytes(to, OTLP_ANY_BYTES, buf_str(&bytes));
    } else {
        is_good = str_equal(kind, STR("empty")) && text.n == 0;
    }
    buf_free(&bytes);
    return is_good;
}

static struct str kind_of(const struct otlp_writer *w, const struct label *l)
{
    return l->other == 0 ? STR("") : intern_get(&w->kinds, l->other);
}

/* Appends the value of L to TO, as an AnyValue. Of a label with a text and a number that is the
 * text. */
static void put_value(struct otlp_writer *w, const struct label *l, struct buf *to)
{
    const struct str kind = kind_of(w, l);
    if (l->string != 0 && kind.n > 0 &&
        put_kind(w, to, kind, profile_string_of(&w->profile, l->string)))
        return;
    if (kind.n > 0) {
        const struct row row = {.table = TABLE_SAMPLES};
        loss_add_inside(&row, STR(".labels"), STR(".otlp_kind"));
    }
    if (l->string != 0)
        otlp_put_text_value(to, profile_string_of(&w->profile, l->string));
    else
        put_number(to, OTLP_ANY_INT, (uint64_t)l->number);
}

static bool has_both(const struct label *l)
{
    return l->string != 0 && l->number != 0;
}

/* Appends the pair KEY and VALUE, an AnyValue, to LIST. */
static void put_pair(struct buf *list, struct str key, struct str value)
{
    struct buf pair = {0};
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_KEY, key);
    otlp_put_bytes(&pair, OTLP_KEY_VALUE_VALUE, value);
    otlp_put_bytes(list, OTLP_LIST_VALUES, buf_str(&pair));
    buf_free(&pair);
}

/* Appends L to TO as an item of several labels: its value, or a list of its members if it has more,
 * or if its value is such a list. */
static void put_one_of(struct otlp_writer *w, const struct label *l, struct buf *to)
{
    struct buf list = {0}, value = {0};
    put_value(w, l, &value);
    if (l->unit == 0 && !has_both(l) && !str_equal(kind_of(w, l), STR("kvlist"))) {
        otlp_put_bytes(to, OTLP_ARRAY_VALUES, buf_str(&value));
        buf_free(&value);
        return;
    }
    put_pair(&list,
             kind_of(w, l).n > 0 ? STR("value")
             : l->string != 0    ? STR("str")
                                 : STR("num"),
             buf_str(&value));
    if (has_both(l) && kind_of(w, l).n == 0) {
        value.n = 0;
        put_number(&value, OTLP_ANY_INT, (uint64_t)l->number);
        put_pair(&list, STR("num"), buf_str(&value));
    }
    if (l->unit != 0) {
        value.n = 0;
        otlp_put_text_value(&value, profile_string_of(&w->profile, l->unit));
        put_pair(&list, STR("unit"), buf_str(&value));
    }
    value.n = 0;
    otlp_put_bytes(&value, OTLP_ANY_LIST, buf_str(&list));
    otlp_put_bytes(to, OTLP_ARRAY_VALUES, buf_str(&value));
    buf_free(&list);
    buf_free(&value);
}

/* The index of the attribute that stands for LABELS[I] and those of its key that follow it, which
 * NEXT numbers from 1. */
static uint32_t put_labels(struct otlp_writer *w, const struct label *labels, const uint32_t *next,
                           size_t i)
{
    const struct str key = profile_string_of(&w->profile, labels[i].key);
    struct buf value = {0}, list = {0};
    const bool is_one = next[i] == 0 && !has_both(&labels[i]);
    if (is_one) {
        put_value(w, &labels[i], &value);
    } else {
        for (size_t at = i + 1; at != 0; at = next[at - 1])
            put_one_of(w, &labels[at - 1], &list);
        otlp_put_bytes(&value, OTLP_ANY_ARRAY, buf_str(&list));
    }
    const uint32_t index = otlp_put_attribute(
        w, key, buf_str(&value),
        is_one ? profile_string_of(&w->profile, labels[i].unit) : STR(OTLP_LABELS));
    buf_free(&value);
    buf_free(&list);
    return index;
}

/* Takes L into IDS, those of the link of a sample, if it is one of them. */
static bool take_id(struct otlp_writer *w, const struct label *l, struct str ids[2])
{
    static const struct str keys[] = {STR("trace_id"), STR("span_id")};
    const struct str key = profile_string_of(&w->profile, l->key);
    const size_t i = str_equal(key, keys[1]);
    struct buf bytes = {0};
    if (!str_equal(kind_of(w, l), STR("link")) || !str_equal(key, keys[i]) || ids[i].p != NULL ||
        l->string == 0 || l->number != 0 || l->unit != 0)
        return false;
    if (text_unhex(&bytes, profile_string_of(&w->profile, l->string)))
        ids[i] = arena_copy(&w->arena, buf_str(&bytes));
    buf_free(&bytes);
    return ids[i].p != NULL;
}

static uint32_t put_link(struct otlp_writer *w, const struct str ids[2])
{
    if (ids[0].p == NULL && ids[1].p == NULL)
        return 0;
    w->message.n = 0;
    if (ids[0].p != NULL)
        otlp_put_bytes(&w->message, OTLP_LINK_TRACE, ids[0]);
    if (ids[1].p != NULL)
        otlp_put_bytes(&w->message, OTLP_LINK_SPAN, ids[1]);
    return index_of(w, OTLP_DICTIONARY_LINKS, buf_str(&w->message));
}

static void make_set(struct otlp_writer *w, struct otlp_set *set, const struct label *labels,
                     size_t count)
{
    struct idmap firsts = {0}; /* by key: the first label of it, plus 1 */
    struct str ids[2] = {{NULL, 0}, {NULL, 0}};
    struct buf indexes = {0};
    uint32_t *next = mem_alloc_zeroed((count + 1) * sizeof *next);
    uint32_t *last = mem_alloc((count + 1) * sizeof *last); /* by such a label: the last so far */
    bool *is_taken = mem_alloc_zeroed(count + 1);
    for (size_t i = 0; i < count; i++) {
        is_taken[i] = take_id(w, &labels[i], ids);
        if (is_taken[i])
            continue;
        const uint32_t first = idmap_get(&firsts, (uint64_t)labels[i].key + 1);
        if (first != 0)
            next[last[first - 1]] = (uint32_t)i + 1;
        else
            idmap_put(&firsts, (uint64_t)labels[i].key + 1, (uint32_t)i + 1);
        last[first != 0 ? first - 1 : i] = (uint32_t)i;
        is_taken[i] = first != 0;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_taken[i])
            wire_put_varint(&indexes, put_labels(w, labels, next, i));
    *set = (struct otlp_set){true, put_link(w, ids), arena_copy(&w->arena, buf_str(&indexes))};
    idmap_free(&firsts);
    buf_free(&indexes);
    mem_free(next);
    mem_free(last);
    mem_free(is_taken);
}

const struct otlp_set *otlp_set_of(struct otlp_writer *w, uint32_t id)
{
    w->sets = mem_array_zeroed(w->sets, &w->set_capacity, (size_t)id + 1, sizeof *w->sets);
    if (!w->sets[id].is_made) {
        size_t count;
        const struct label *labels = labels_get(&w->profile.labels, id, &count);
        make_set(w, &w->sets[id], labels, count);
    }
    return &w->sets[id];
}

/* What ndjson2firefox has written of its own into a file of the Firefox Profiler: see
 * FIREFOX_MARK. */
#include "base/mem.h"
#include "formats/firefox/firefox_read.h"
#include "rows/emit.h"

/* Keeps the list of labels that is the current value. */
static struct str read_labels(struct firefox_reader *r)
{
    static const char *const names[] = {"key", "str", "num", "unit"};
    struct buf *to = &r->extra;
    to->n = 0;
    tokens_list(&r->json, "a list of labels");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        unsigned seen = 0, member;
        if (r->json.token != TOKEN_OBJECT)
            tokens_unexpected(&r->json, "a label, an object");
        buf_add(to, to->n == 0 ? STR("[") : STR(","));
        size_t start = to->n;
        while (tokens_next_member(&r->json, names, 4, &seen, &member)) {
            emit_member(to, str_of(names[member]));
            int64_t number;
            if (member == 2 && !tokens_is_integer(&r->json, &number))
                tokens_unexpected(&r->json, "an integer");
            if (member == 2) {
                emit_number(to, number);
            } else {
                struct str text = firefox_text(r, firefox_read_text(r, "a string"));
                emit_inner_string(to, &r->text, text);
            }
        }
        if ((seen & 1) == 0 || (seen & 6) == 0)
            tokens_die(&r->json, r->json.where, "the label has no key or no value");
        emit_make_object(to, start);
    }
    if (to->n == 0)
        return (struct str){NULL, 0};
    buf_add(to, STR("]"));
    return arena_copy(&r->arena, buf_str(to));
}

struct firefox_mark firefox_read_mark(struct firefox_reader *r)
{
    static const char *const names[] = {"source", "type", "timed", "labels"};
    unsigned seen = 0, member;
    struct firefox_mark mark = {.is_there = true};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member(&r->json, names, 4, &seen, &member))
        switch (member) {
        case 0: mark.source = tokens_integer(&r->json, 1, "the number of a source"); break;
        case 1: mark.type = tokens_integer(&r->json, 1, "the number of a type"); break;
        case 2: mark.is_timed = r->json.token == TOKEN_TRUE; break;
        default: mark.labels = read_labels(r);
        }
    return mark;
}

void firefox_add_type(struct firefox_reader *r, struct firefox_type t)
{
    r->types = mem_array(r->types, &r->type_capacity, r->type_count + 1, sizeof *r->types);
    r->types[r->type_count++] = t;
}

static void read_type(struct firefox_reader *r)
{
    static const char *const names[] = {"type", "unit", "gauge"};
    unsigned seen = 0, member;
    uint32_t texts[2] = {0};
    struct firefox_type t = {.source = (uint32_t)r->source_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a type, an object");
    while (tokens_next_member(&r->json, names, 3, &seen, &member))
        if (member == 2)
            t.is_gauge = r->json.token == TOKEN_TRUE;
        else
            texts[member] = firefox_read_text(r, "a string");
    t.type = value_types_add_bytes(&r->sink->flow->types, firefox_text(r, texts[0]),
                                   firefox_text(r, texts[1]));
    uint32_t key[] = {t.source, value_types_get(&r->sink->flow->types, t.type)->name};
    bool is_new;
    intern_add(&r->type_names, (struct str){(const char *)key, sizeof key}, &is_new);
    t.is_double = !is_new;
    firefox_add_type(r, t);
}

static void read_source(struct firefox_reader *r)
{
    static const char *const names[] = {"name", "timestamp", "types", "shown"};
    unsigned seen = 0, member;
    struct firefox_source s = {.first_type = r->type_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a source, an object");
    r->source_count++;
    while (tokens_next_member(&r->json, names, 4, &seen, &member)) {
        if (member == 0 || member == 3) {
            *(member == 0 ? &s.name : &s.shown) = firefox_read_text(r, "a string");
        } else if (member == 1) {
            s.timestamp = firefox_read_decimal(r);
            s.has_timestamp = true;
        } else {
            tokens_list(&r->json, "a list of types");
            while (tokens_next(&r->json) != TOKEN_ARRAY_END)
                read_type(r);
        }
    }
    s.type_count = (int64_t)(r->type_count - s.first_type);
    r->sources = mem_array(r->sources, &r->source_capacity, r->source_count, sizeof *r->sources);
    r->sources[r->source_count - 1] = s;
}

void firefox_read_file_mark(struct firefox_reader *r)
{
    static const char *const names[] = {"sources"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    r->has_mark = true;
    while (tokens_next_member(&r->json, names, 1, &seen, &member)) {
        tokens_list(&r->json, "a list of sources");
        while (tokens_next(&r->json) != TOKEN_ARRAY_END)
            read_source(r);
    }
}

/* Reads an address that is spelled as in rows. */
static uint64_t read_address(struct firefox_reader *r)
{
    struct str text = r->json.text;
    uint64_t address = 0;
    if (r->json.token != TOKEN_STRING || !str_take(&text, STR("0x")) || text.n == 0 || text.n > 16)
        tokens_unexpected(&r->json, "an address");
    for (size_t i = 0; i < text.n; i++) {
        if (text_hex_value(text.p[i]) > 15)
            tokens_unexpected(&r->json, "an address");
        address = address << 4 | text_hex_value(text.p[i]);
    }
    return address;
}

void firefox_read_lib_mark(struct firefox_reader *r, struct firefox_lib *lib)
{
    static const char *const names[] = {"memory_start",     "memory_limit",  "file_offset",
                                        "has_functions",    "has_filenames", "has_line_numbers",
                                        "has_inline_frames"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    lib->is_marked = true;
    while (tokens_next_member(&r->json, names, 7, &seen, &member))
        switch (member) {
        case 0: lib->start = read_address(r); break;
        case 1: lib->limit = read_address(r); break;
        case 2: lib->offset = read_address(r); break;
        default: lib->flags[member - 3] = r->json.token == TOKEN_TRUE;
        }
}

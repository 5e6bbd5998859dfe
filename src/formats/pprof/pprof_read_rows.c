/* The rows in front of the samples: source, mappings, functions and locations. */
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>

/* --- the source --- */

static void add_value_type(struct pprof_reader *r, const Pprof__ValueType *t,
                           const struct pprof_part *part, enum pprof_field kind, size_t place)
{
    pprof_add_string(r, STR("type"), pprof_find_string(r, part, kind, place, "type", t->type));
    pprof_add_string(r, STR("unit"), pprof_find_string(r, part, kind, place, "unit", t->unit));
    pprof_add_unknown(r, STR("unknown"), &t->base);
}

/* The dotted columns for values of a type: the bytes that its text cannot show. */
static struct str type_extra(struct pprof_reader *r, const struct pprof_string *type,
                             const struct pprof_string *unit)
{
    struct buf extra = {0}, inexact = {0};
    if (!type->exact)
        emit_bytes(&inexact, STR("type"), type->bytes);
    if (!unit->exact)
        emit_bytes(&inexact, STR("unit"), unit->bytes);
    emit_bytes_column(&extra, &inexact);
    struct str kept = arena_copy(&r->texts, buf_str(&extra));
    buf_free(&extra);
    buf_free(&inexact);
    return kept;
}

static void add_value_types(struct pprof_reader *r)
{
    struct intern known = {0};
    r->type_numbers = mem_alloc(r->types.count * sizeof *r->type_numbers);
    r->values = mem_alloc(r->types.count * sizeof *r->values);
    r->type_extras = mem_alloc(r->types.count * sizeof *r->type_extras);
    r->count_type = -1;
    emit_member(&r->extra, STR(".value_types"));
    buf_add(&r->extra, STR("["));
    for (size_t i = 0; i < r->types.count; i++) {
        const struct pprof_part *part = &r->types.items[i];
        const Pprof__ValueType *t = (const Pprof__ValueType *)pprof_unpack_part(
            r, &pprof__value_type__descriptor, part, FIELD_SAMPLE_TYPE, i);
        size_t start = r->extra.n;
        add_value_type(r, t, part, FIELD_SAMPLE_TYPE, i);
        pprof_close_object(r, start);
        emit_check_length(STR("sources"), r->extra.n); /* before all of them are held */
        const struct pprof_string *type = &r->strings[t->type], *unit = &r->strings[t->unit];
        r->type_numbers[i] = value_types_add(&r->sink->flow->types, type->text, unit->text);
        r->type_extras[i] = type_extra(r, type, unit);
        bool is_new;
        intern_add(&known, type->text, &is_new);
        if (!is_new)
            die_at(pprof_place_at(r, part->offset), "sample_type[%zu]: \"%.*s\" comes twice", i,
                   STR_ARG(type->text));
        if (str_equal(type->text, STR("samples")) && str_equal(unit->text, STR("count")))
            r->count_type = (int64_t)i;
        if (i + 1 < r->types.count)
            buf_add(&r->extra, STR(","));
    }
    buf_add(&r->extra, STR("]"));
    intern_free(&known);
}

static void add_period(struct pprof_reader *r)
{
    if (r->period_types.count == 0)
        return;
    /* if a single field occurs several times, the last one counts */
    size_t last = r->period_types.count - 1;
    const struct pprof_part *part = &r->period_types.items[last];
    const Pprof__ValueType *t = (const Pprof__ValueType *)pprof_unpack_part(
        r, &pprof__value_type__descriptor, part, FIELD_PERIOD_TYPE, 0);
    size_t start = pprof_open_object(r, STR(".period"));
    add_value_type(r, t, part, FIELD_PERIOD_TYPE, 0);
    pprof_add_number(r, STR("value"), r->numbers[FIELD_PERIOD]);
    pprof_close_object(r, start);
}

static void add_comment_list(struct pprof_reader *r)
{
    if (r->comments.count == 0)
        return;
    emit_member(&r->extra, STR("comment"));
    for (size_t i = 0; i < r->comments.count; i++) {
        struct str bytes = r->comments.items[i].bytes;
        uint64_t index = 0;
        wire_take_varint(&bytes, &index);
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        pprof_add_string_value(
            r, pprof_find_string(r, &r->comments.items[i], FIELD_COMMENT, i, "", (int64_t)index));
    }
    buf_add(&r->extra, STR("]"));
}

/* `.pprof`: fields of the file itself; empty ones are not written. */
static void add_file_facts(struct pprof_reader *r)
{
    static const enum pprof_field texts[] = {FIELD_DROP_FRAMES, FIELD_KEEP_FRAMES,
                                             FIELD_DEFAULT_TYPE, FIELD_DOC_URL};
    static const enum pprof_field numbers[] = {FIELD_TIME, FIELD_DURATION};
    size_t start = pprof_open_object(r, STR(".pprof"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (r->numbers[numbers[i]] != 0 &&
            !(numbers[i] == FIELD_TIME && r->request->timestamp.kind != NUMBER_NULL))
            pprof_add_number(r, str_of(pprof_field_kinds[numbers[i]].name), r->numbers[numbers[i]]);
    if (r->period_types.count == 0 && r->numbers[FIELD_PERIOD] != 0)
        pprof_add_number(r, STR("period"), r->numbers[FIELD_PERIOD]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct pprof_string *s = pprof_file_string(r, texts[i]);
        if (s->bytes.n != 0)
            pprof_add_string(r, str_of(pprof_field_kinds[texts[i]].name), s);
    }
    add_comment_list(r);
    if (r->unknown.n > 0)
        pprof_add_hex(r, STR("unknown"), buf_str(&r->unknown));
    pprof_close_object(r, start);
}

/* The time of the file in seconds; in TEXT unless it is whole. */
static struct number timestamp(const struct pprof_reader *r, char *text, size_t size)
{
    int64_t nanos = r->numbers[FIELD_TIME];
    if (r->request->timestamp.kind != NUMBER_NULL || nanos == 0)
        return r->request->timestamp;
    if (nanos % 1000000000 == 0)
        return number_of(nanos / 1000000000);
    uint64_t size_of = nanos < 0 ? 0 - (uint64_t)nanos : (uint64_t)nanos;
    int n = snprintf(text, size, "%s%" PRIu64 ".%09" PRIu64, nanos < 0 ? "-" : "",
                     size_of / 1000000000, size_of % 1000000000);
    return (struct number){.kind = NUMBER_REAL, .real = {text, (size_t)n}};
}

void pprof_push_source(struct pprof_reader *r)
{
    char time_text[40];
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("pprof"),
                                 .source_timestamp = timestamp(r, time_text, sizeof time_text)}};
    struct buf uri_text = {0};
    const char *uri = format_source_uri(r->request, r->in);
    r->extra.n = 0;
    if (uri != NULL) {
        struct pprof_string s = {.bytes = str_of(uri)};
        s.exact = text_escape(&uri_text, s.bytes);
        s.text = buf_str(&uri_text);
        row.source.source_uri = pprof_column_text(r, STR("source_uri"), &s);
    }
    add_value_types(r);
    add_period(r);
    add_file_facts(r);
    row.extra = pprof_finish_extra(r);
    sink_row(r->sink, &row);
    buf_free(&uri_text);
}

/* --- mappings, functions, locations --- */

/* Adds ID, of part number PLACE of KIND, to IDS. */
static void define_id(struct pprof_reader *r, struct idmap *ids, uint64_t id,
                      const struct pprof_part *part, enum pprof_field kind, size_t place)
{
    if (id == 0)
        die_at(pprof_place_at(r, part->offset), "%s[%zu].id: expected a number from 1, found 0",
               pprof_field_kinds[kind].name, place);
    if (idmap_get(ids, id) != 0)
        die_at(pprof_place_at(r, part->offset), "%s[%zu].id: %" PRIu64 " comes twice",
               pprof_field_kinds[kind].name, place, id);
    idmap_put(ids, id, (uint32_t)place + 1);
}

/* A number stored for the row of table T with the key r->key, at first 0. */
static uint32_t *note_of(struct pprof_reader *r, enum table t)
{
    bool is_new;
    uint32_t number = intern_add(&r->seen[t], buf_str(&r->key), &is_new);
    r->notes[t] = mem_array(r->notes[t], &r->note_capacity[t], number, sizeof *r->notes[t]);
    uint32_t *note = &r->notes[t][number - 1];
    if (is_new)
        *note = 0;
    return note;
}

/* Later stages merge equal rows. So a row with the same key, r->key, as an earlier one gets a
 * number: what occurs twice in the file is then written twice. */
static void tell_copies(struct pprof_reader *r, struct row *row)
{
    uint32_t earlier = (*note_of(r, row->table))++;
    if (earlier == 0)
        return;
    pprof_add_number(r, STR(".pprof_copy"), earlier);
    row->extra = buf_str(&r->extra);
}

static void emit_mapping(struct pprof_reader *r, size_t place)
{
    const struct pprof_part *part = &r->mappings.items[place];
    const Pprof__Mapping *m = (const Pprof__Mapping *)pprof_unpack_part(
        r, &pprof__mapping__descriptor, part, FIELD_MAPPING, place);
    define_id(r, &r->mapping_ids, m->id, part, FIELD_MAPPING, place);
    r->extra.n = 0;
    pprof_add_address(r, STR("memory_start"), m->memory_start);
    pprof_add_address(r, STR("memory_limit"), m->memory_limit);
    pprof_add_address(r, STR("file_offset"), m->file_offset);
    pprof_add_string(r, STR("filename"),
                     pprof_find_string(r, part, FIELD_MAPPING, place, "filename", m->filename));
    pprof_add_string(r, STR("build_id"),
                     pprof_find_string(r, part, FIELD_MAPPING, place, "build_id", m->build_id));
    pprof_add_true(r, STR("has_functions"), m->has_functions);
    pprof_add_true(r, STR("has_filenames"), m->has_filenames);
    pprof_add_true(r, STR("has_line_numbers"), m->has_line_numbers);
    pprof_add_true(r, STR("has_inline_frames"), m->has_inline_frames);
    pprof_add_unknown(r, STR("unknown"), &m->base);
    struct row row = {
        .table = TABLE_MAPPINGS, .mapping = {(int64_t)place + 1}, .extra = buf_str(&r->extra)};
    r->key.n = 0;
    emit_key(&r->key, &row);
    tell_copies(r, &row);
    sink_row(r->sink, &row);
}

static void emit_function(struct pprof_reader *r, size_t place)
{
    static const struct pprof_string unnamed = {{"", 0}, ROW_NO_NAME, true};
    const struct pprof_part *part = &r->functions.items[place];
    struct pprof_function_message f = pprof_decode_function(r, part, place);
    define_id(r, &r->function_ids, f.id, part, FIELD_FUNCTION, place);
    const struct pprof_string *name =
        pprof_find_string(r, part, FIELD_FUNCTION, place, "name", f.name);
    const struct pprof_string *system =
        pprof_find_string(r, part, FIELD_FUNCTION, place, "system_name", f.system_name);
    const struct pprof_string *filename =
        pprof_find_string(r, part, FIELD_FUNCTION, place, "filename", f.filename);
    bool no_name = name->bytes.n == 0, unmangled = system->bytes.n == 0;
    if (no_name)
        name = &unnamed;
    if (unmangled)
        system = name;
    r->extra.n = 0;
    pprof_add_true(r, STR(".unmangled"), unmangled);
    pprof_add_true(r, STR(".no_name"), no_name);
    if (f.start_line < 0)
        pprof_add_number(r, STR(".pprof_start_line"), f.start_line);
    pprof_add_unknown(r, STR(".pprof_unknown"), f.base);
    struct row row = {.table = TABLE_FUNCTIONS};
    row.function.function_id = (int64_t)place + 1;
    row.function.name = pprof_column_text(r, STR("name"), name);
    row.function.system_name = pprof_column_text(r, STR("system_name"), system);
    row.function.filename = pprof_column_text(r, STR("filename"), filename);
    row.function.start_line = f.start_line < 0 ? 0 : f.start_line;
    row.extra = pprof_finish_extra(r);
    r->key.n = 0;
    emit_key(&r->key, &row);
    tell_copies(r, &row);
    sink_row(r->sink, &row);
}

/* The number of the function of AT, line number LINE of location number PLACE. */
static uint32_t function_of(const struct pprof_reader *r, const struct pprof_line_message *at,
                            const struct pprof_part *part, size_t place, int64_t line)
{
    uint32_t function = idmap_get(&r->function_ids, at->function_id);
    if (function == 0)
        die_at(pprof_place_at(r, part->offset),
               "location[%zu].line[%" PRId64 "].function_id: no function %" PRIu64, place, line,
               at->function_id);
    return function;
}

/* Sets the dotted columns of ROW: those of AT, a line of L, or of no line. The line is inlined into
 * the row INTO (0: none). IS_OUTER: others are inlined into it. */
static void add_location_columns(struct pprof_reader *r, const struct pprof_location_message *l,
                                 const struct pprof_line_message *at, uint32_t into, bool is_outer,
                                 struct row *row)
{
    struct row_site site = {
        .mapping_id = idmap_get(&r->mapping_ids, l->mapping_id), /* 0 if there is none */
        .address = l->address,
        .column = at != NULL ? at->column : 0,
        .is_folded = l->is_folded,
    };
    r->extra.n = 0;
    if (at != NULL && at->line < 0)
        pprof_add_number(r, STR(".pprof_line"), at->line);
    if (at != NULL)
        pprof_add_unknown(r, STR(".pprof_line_unknown"), at->base);
    if (r->extra.n == 0)
        site.inlined_into = into;
    else if (into != 0)
        pprof_add_number(r, STR(".inlined_into"), into);
    pprof_add_true(r, STR(".pprof_no_lines"),
                   at == NULL && site.mapping_id == 0 && l->address == 0);
    pprof_add_true(r, STR(".pprof_outer"), is_outer);
    if (!is_outer)
        pprof_add_unknown(r, STR(".pprof_unknown"), l->base);
    row->site = site;
    row->extra = buf_str(&r->extra);
}

/* Writes one row of the location L: line number LINE, inlined into the row INTO (0: none), or no
 * line (-1). Returns the number of the row; locations share rows of equal outer lines. */
static uint32_t emit_line(struct pprof_reader *r, const struct pprof_location_message *l,
                          const struct pprof_part *part, size_t place, int64_t line, uint32_t into)
{
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {r->location_rows + 1, ROW_NULL, ROW_NULL}};
    const struct pprof_line_message *at = line < 0 ? NULL : &l->lines[line];
    if (at != NULL) {
        row.location.function_id = function_of(r, at, part, place, line);
        row.location.line = at->line < 0 ? 0 : at->line;
    }
    add_location_columns(r, l, at, into, line > 0, &row);
    r->key.n = 0;
    emit_key(&r->key, &row);
    if (line > 0) {
        uint32_t *same = note_of(r, TABLE_LOCATIONS);
        if (*same != 0)
            return *same;
        *same = r->location_rows + 1;
    } else {
        tell_copies(r, &row);
    }
    sink_row(r->sink, &row);
    return ++r->location_rows;
}

/* Sets the span of location number PLACE to the last N of r->rows, which become innermost first. */
static void end_span(struct pprof_reader *r, size_t place, size_t n)
{
    size_t first = r->row_count - n;
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t row = r->rows[first + i];
        r->rows[first + i] = r->rows[first + n - 1 - i];
        r->rows[first + n - 1 - i] = row;
    }
    r->spans[place] = (struct pprof_span){(uint32_t)first, (uint32_t)n};
}

static void add_row(struct pprof_reader *r, uint32_t row)
{
    r->rows = mem_array(r->rows, &r->row_capacity, r->row_count + 1, sizeof *r->rows);
    r->rows[r->row_count++] = row;
}

static void emit_location(struct pprof_reader *r, size_t place)
{
    const struct pprof_part *part = &r->locations.items[place];
    const struct pprof_location_message *l = pprof_decode_location(r, part, place);
    define_id(r, &r->location_ids, l->id, part, FIELD_LOCATION, place);
    if (l->mapping_id != 0 && idmap_get(&r->mapping_ids, l->mapping_id) == 0)
        loss_add(LOSS_REFERENCES, STR("location.mapping_id"), 1);
    uint32_t row = 0;
    if (l->line_count == 0)
        add_row(r, emit_line(r, l, part, place, -1, 0));
    for (size_t i = l->line_count; i-- > 0;) {
        row = emit_line(r, l, part, place, (int64_t)i, row);
        add_row(r, row);
    }
    end_span(r, place, l->line_count == 0 ? 1 : l->line_count);
}

/* Ids are mostly small and dense, and most locations have one line or two: their rows are stored in
 * an array by id, which is fast to read for a stack. */
static void pair_up(struct pprof_reader *r)
{
    const struct idmap *ids = &r->location_ids;
    r->pair_count = ids->dense_count;
    r->pairs = mem_alloc_zeroed((r->pair_count + 1) * sizeof *r->pairs);
    for (size_t id = 0; id < r->pair_count; id++) {
        if (ids->dense[id] == 0)
            continue;
        struct pprof_span span = r->spans[ids->dense[id] - 1];
        const uint32_t *rows = r->rows + span.first;
        if (span.count <= 2)
            r->pairs[id] = (struct pprof_pair){rows[0], span.count == 2 ? rows[1] : 0};
    }
}

void pprof_push_definitions(struct pprof_reader *r)
{
    for (size_t i = 0; i < r->mappings.count; i++)
        emit_mapping(r, i);
    for (size_t i = 0; i < r->functions.count; i++)
        emit_function(r, i);
    r->spans = mem_alloc((r->locations.count + 1) * sizeof *r->spans);
    for (size_t i = 0; i < r->locations.count; i++)
        emit_location(r, i);
    pair_up(r);
    for (unsigned t = 0; t < TABLE_COUNT; t++) { /* frees much memory, which samples may need */
        intern_free(&r->seen[t]);
        mem_free(r->notes[t]);
        r->notes[t] = NULL;
    }
}

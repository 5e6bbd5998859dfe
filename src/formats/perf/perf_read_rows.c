/* The rows that samples of perf refer to: events, the source, mappings, functions, locations. */
#include "base/mem.h"
#include "formats/perf/perf_read.h"
#include "formats/perf/perf_text.h"
#include "rows/emit.h"
#include "rows/listed.h"

/* --- events --- */

bool perf_is_clock(struct str event)
{
    const char *colon = event.n == 0 ? NULL : memchr(event.p, ':', event.n);
    if (colon != NULL) /* modifiers follow */
        event.n = (size_t)(colon - event.p);
    return str_equal(event, STR("cpu-clock")) || str_equal(event, STR("task-clock"));
}

/* The unit of EVENT, or of its period. */
static struct str unit_of(struct str event, bool has_period)
{
    return has_period && perf_is_clock(event) ? STR("nanoseconds") : STR("count");
}

struct str perf_type_name(struct str event)
{
    return event.n > 0 ? event : STR("period");
}

struct perf_event *perf_event_of(struct perf_reader *r, const struct perf_header *header)
{
    bool is_new, has_period = header->period.n > 0;
    r->key.n = 0;
    buf_add(&r->key, has_period ? STR("p") : STR("-"));
    buf_add(&r->key, header->event);
    uint32_t number = intern_add(&r->event_names, buf_str(&r->key), &is_new);
    if (!is_new)
        return &r->events[number - 1];
    r->events = mem_array(r->events, &r->event_capacity, number, sizeof *r->events);
    struct perf_event *e = &r->events[number - 1];
    *e = (struct perf_event){.is_counted = true, .extra = STR("")};
    if (header->event.n == 0 && !has_period)
        return e;
    struct str type = emit_text(&r->name, &r->inexact, STR("type"), perf_type_name(header->event));
    e->type = value_types_add(&r->sink->flow->types, type, unit_of(header->event, has_period));
    e->is_counted = value_types_get(&r->sink->flow->types, e->type)->name !=
                    value_types_get(&r->sink->flow->types, r->count_type)->name;
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->inexact);
    e->extra = arena_copy(&r->extras, buf_str(&r->extra));
    return e;
}

/* --- the source --- */

/* The types known so far. People are shown the last one with values; of types that are not listed,
 * the one that most samples have (default_type.h). That is the first event of the header, or the
 * most frequent one. */
static void add_value_types(struct perf_reader *r)
{
    listed_begin(&r->extra);
    listed_add(&r->extra, STR("samples"), STR("count"), LISTED_SUM);
    if (r->off_cpu != NULL)
        listed_add(&r->extra, STR("off_cpu"), STR("nanoseconds"), LISTED_SUM);
    for (uint32_t i = r->off_cpu != NULL ? 0 : r->headed.count; i > 0; i--) {
        struct str event = intern_get(&r->headed, i);
        bool is_reported = r->clocks != PERF_UNTOLD || !perf_is_clock(event);
        if (is_reported && !str_equal(event, STR("samples")))
            listed_add_bytes(&r->extra, &r->name, event, unit_of(event, r->clocks == PERF_TIMED),
                             LISTED_SUM);
    }
    listed_end(&r->extra);
}

void perf_push_source(struct perf_reader *r)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("perf"),
                                 .source_timestamp = r->request->timestamp}};
    struct buf uri_text = {0};
    const char *uri = format_source_uri(r->request, r->in);
    r->extra.n = 0;
    if (uri != NULL)
        row.source.source_uri = emit_text(&uri_text, &r->inexact, STR("source_uri"), str_of(uri));
    add_value_types(r);
    if (r->comments.n > 0) {
        buf_add(&r->extra, STR(",\".perf\":{\"header\":["));
        buf_add(&r->extra, buf_str(&r->comments));
        buf_add(&r->extra, STR("]}"));
    }
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    buf_free(&uri_text);
    r->has_source = true;
}

/* --- mappings and functions --- */

/* The build id of the file DSO; empty if it is not known. */
static struct str build_id_of(const struct perf_reader *r, struct str dso)
{
    const uint32_t number = intern_find(&r->built, dso);
    return number == 0 ? STR("") : r->build_ids[number - 1];
}

uint32_t perf_mapping_of(struct perf_reader *r, struct str dso)
{
    bool is_new;
    if (dso.n == 0 || str_equal(dso, PERF_UNKNOWN))
        return 0;
    uint32_t id = intern_add(&r->files, dso, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"memory_start\":\"0x0\",\"memory_limit\":\"0x0\","
                           "\"file_offset\":\"0x0\",\"filename\":"));
    emit_inner_string(&r->extra, &r->name, dso);
    buf_add(&r->extra, STR(",\"build_id\":\""));
    buf_add(&r->extra, build_id_of(r, dso));
    buf_add(&r->extra, STR("\""));
    sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                    .mapping = {.mapping_id = id},
                                    .extra = buf_str(&r->extra)});
    return id;
}

/* The id of the function SYMBOL in the file of MAPPING, with source file FILE; ROW_NULL if no
 * symbol was printed, or perf knows only the file. */
static int64_t function_of(struct perf_reader *r, struct str symbol, uint32_t mapping,
                           struct str file)
{
    bool is_new;
    struct buf file_text = {0}, dso_text = {0};
    if (symbol.n == 0 || (mapping != 0 && str_equal(symbol, PERF_UNKNOWN)))
        return ROW_NULL;
    r->key.n = 0;
    buf_add(&r->key, (struct str){(const char *)&mapping, sizeof mapping});
    buf_add(&r->key, file);
    buf_add(&r->key, STR("\n"));
    buf_add(&r->key, symbol);
    uint32_t id = intern_add(&r->functions, buf_str(&r->key), &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_FUNCTIONS, .function = {.function_id = id}};
    row.function.name = row.function.system_name =
        emit_text(&r->name, &r->inexact, STR("name"), symbol);
    if (r->inexact.n != 0)
        emit_text(&r->name, &r->inexact, STR("system_name"), symbol);
    row.function.filename = emit_text(&file_text, &r->inexact, STR("filename"), file);
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".unmangled\":true"));
    if (mapping != 0) {
        emit_member(&r->extra, STR(".perf_dso"));
        emit_string(&r->extra, emit_text(&dso_text, &r->inexact, STR(".perf_dso"),
                                         intern_get(&r->files, mapping)));
    }
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    buf_free(&file_text);
    buf_free(&dso_text);
    return id;
}

/* --- locations --- */

/* Identifies a step. */
struct place_key {
    uint32_t frame, srcline, into, mapping;
};

/* Identifies a location. */
struct location_key {
    int64_t function, line;
    uint64_t address, offset, dso_offset;
    uint32_t into, mapping;
    uint32_t has_offset, has_dso_offset, is_lonely, unused;
};

static void add_address(struct perf_reader *r, struct str name, uint64_t address)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, address);
    buf_add(&r->extra, STR("\""));
}

static void emit_location(struct perf_reader *r, uint32_t id, const struct location_key *key)
{
    struct row row = {
        .table = TABLE_LOCATIONS,
        .location = {id, key->function, key->line},
        .site = {.mapping_id = key->mapping, .address = key->address, .inlined_into = key->into}};
    r->extra.n = 0;
    if (key->has_offset)
        add_address(r, STR(".perf_offset"), key->offset);
    if (key->has_dso_offset)
        add_address(r, STR(".perf_dso_offset"), key->dso_offset);
    if (key->is_lonely)
        buf_add(&r->extra, STR(",\".perf_inlined\":true"));
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The id of the location at PLACE. LONELY: it is inlined, but into an unknown function. */
static uint32_t make_location(struct perf_reader *r, const struct place_key *place, bool lonely)
{
    const struct perf_frame *f = &r->items[place->frame - 1].frame;
    struct perf_srcline at = {.file = STR("")};
    bool is_new;
    if (place->srcline != 0)
        perf_take_srcline(intern_get(&r->srclines, place->srcline), &at);
    struct location_key key = {
        .function = function_of(r, f->symbol, place->mapping, at.file),
        .line = at.line,
        .address = f->address,
        .offset = f->offset,
        .dso_offset = f->dso_offset,
        .into = place->into,
        .mapping = place->mapping,
        .has_offset = f->has_offset,
        .has_dso_offset = f->has_dso_offset,
        .is_lonely = lonely,
    };
    if (key.function == ROW_NULL)
        key.line = ROW_NULL;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (is_new)
        emit_location(r, id, &key);
    return id;
}

/* The id of the location of STEP, which is inlined into INTO of MAPPING (0: not inlined). */
static uint32_t location_of(struct perf_reader *r, const struct perf_step *step, uint32_t into,
                            uint32_t mapping)
{
    struct perf_item *item = &r->items[step->frame - 1];
    bool is_plain = step->srcline == 0 && !step->is_inlined;
    bool is_new;
    if (is_plain && item->location != 0)
        return item->location;
    struct place_key key = {step->frame, step->srcline, into, mapping};
    uint32_t place = intern_add(&r->places, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (is_new) {
        r->place_locations =
            mem_array(r->place_locations, &r->place_capacity, place, sizeof *r->place_locations);
        r->place_locations[place - 1] = make_location(r, &key, step->is_inlined && into == 0);
    }
    uint32_t id = r->place_locations[place - 1];
    if (is_plain)
        item->location = id;
    return id;
}

void perf_finish_stack(struct perf_reader *r)
{
    uint32_t outer = 0, mapping = 0;
    uint64_t address = 0;
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth, sizeof *r->stack);
    for (size_t i = r->depth; i-- > 0;) {
        const struct perf_step *step = &r->steps[i];
        const struct perf_item *item = &r->items[step->frame - 1];
        uint32_t into = 0;
        if (step->is_inlined && outer != 0 && item->frame.address == address)
            into = outer;
        else
            mapping = item->mapping;
        outer = location_of(r, step, into, mapping);
        address = item->frame.address;
        r->stack[i] = outer;
    }
}

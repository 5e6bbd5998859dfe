/* Samples of Android's simpleperf, as its command report-sample writes them with --protobuf: records,
 * each a message after its size. See simpleperf2ndjson(1) for the rules.
 *
 * What samples refer to comes after them, so the file is held and walked twice. */
#include "base/arena.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "formats/wire.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

#define MAGIC STR("SIMPLEPERF")

/* The messages. The first ones are records, by their field in one. */
enum message { RECORD, SAMPLE, LOST, FILE_, THREAD, META, SWITCH, ENTRY, UNWINDING, MESSAGES };

/* The name of a message, and the types of its fields from number 1 on: a number or bytes. */
static const struct {
    const char *name, *types;
} messages[MESSAGES] = {
    [RECORD] = {"record", "bbbbbb"},
    [SAMPLE] = {"sample", "nnbnnb"},
    [LOST] = {"lost", "nn"},
    [FILE_] = {"file", "nbbb"},
    [THREAD] = {"thread", "nnb"},
    [META] = {"meta_info", "bbbbbn"},
    [SWITCH] = {"context_switch", "nnn"},
    [ENTRY] = {"callchain", "nnnn"},
    [UNWINDING] = {"unwinding_result", "nnn"},
};

enum { FIELDS = 6 };

/* The numbers of a message, by field - 1. One that is missing is 0, as protobuf has it. */
struct numbers {
    uint64_t of[FIELDS];
};

struct symbol {
    struct str name, mangled;
    uint32_t function; /* 0: has no row so far */
};

struct file {
    struct str path;
    struct symbol *symbols;
    size_t count, capacity, mangled_count;
    uint32_t mapping; /* 0: has no row so far */
};

/* What a location is, without gaps: a key. */
struct spot {
    uint64_t address;
    uint32_t file, symbol; /* numbers from 1; symbol 0: unknown */
    uint64_t execution;
};

struct reader {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct str data;
    struct file *files;
    struct str *threads;               /* the labels of each */
    struct idmap file_ids, thread_ids; /* plus 1 */
    size_t file_count, file_capacity, thread_count, thread_capacity;
    struct str *events; /* bytes */
    uint32_t *types;    /* of values, by event */
    struct str *extras; /* dotted columns of these values */
    size_t event_count, event_capacity;
    uint32_t samples_type;
    bool has_lost;
    uint64_t expected, samples;
    struct intern functions, locations;
    uint32_t mapping_count;
    int64_t *stack;
    size_t stack_capacity;
    struct arena arena;
    struct bytes_rows rows;
    struct buf facts, extra, scratch, labels, key;
};

/* --- messages --- */

static struct place place_at(const struct reader *r, size_t offset)
{
    return (struct place){in_name(r->in), PLACE_OFFSET, offset};
}

/* A walk over the message BYTES of the file. */
static struct wire walk(const struct reader *r, struct str bytes)
{
    const size_t at = (size_t)(bytes.p - r->data.p);
    return (struct wire){in_name(r->in), "simpleperf", {r->data.p, at + bytes.n}, at};
}

/* Reads the next field of MESSAGE that is known; false at the end. */
static bool next_field(const struct reader *r, enum message message, struct wire *w,
                       struct wire_field *f)
{
    const char *types = messages[message].types;
    while (wire_next(w, f)) {
        if (f->number == 0 || f->number > strlen(types)) {
            char name[64];
            snprintf(name, sizeof name, "%s.%" PRIu64, messages[message].name, f->number);
            loss_add(LOSS_UNKNOWN_FIELDS, str_of(name), 1);
            continue;
        }
        const enum wire_type type = types[f->number - 1] == 'n' ? WIRE_VARINT : WIRE_BYTES;
        if (f->type != type)
            die_at(place_at(r, f->offset), "%s.%" PRIu64 ": expected wire type %d, found %d",
                   messages[message].name, f->number, (int)type, (int)f->type);
        return true;
    }
    return false;
}

/* The numbers of MESSAGE, BYTES, all of whose fields are numbers. */
static struct numbers numbers_of(const struct reader *r, enum message message, struct str bytes)
{
    struct numbers numbers = {{0}};
    struct wire w = walk(r, bytes);
    struct wire_field f;
    while (next_field(r, message, &w, &f))
        numbers.of[f.number - 1] = f.value;
    return numbers;
}

/* VALUE, a count or a time that rows can hold; WHAT says which, at OFFSET. */
static int64_t integer_of(const struct reader *r, uint64_t value, const char *what, size_t offset)
{
    if (value > INT64_MAX)
        die_at(place_at(r, offset), "expected %s below 2^63, found %" PRIu64, what, value);
    return (int64_t)value;
}

/* --- what samples refer to --- */

/* Notes that ID, of WHAT, has NUMBER. */
static void put_id(const struct reader *r, struct idmap *ids, uint64_t id, size_t number,
                   const char *what, size_t offset)
{
    if (idmap_get(ids, id + 1) != 0)
        die_at(place_at(r, offset), "%s %" PRIu64 " stands there twice", what, id);
    idmap_put(ids, id + 1, (uint32_t)number);
}

/* Ids are of 32 bits. Those of threads may have been written with a sign. */
static uint64_t id_of(uint64_t value)
{
    return (uint32_t)value;
}

static struct symbol *symbol_at(struct file *file, size_t i)
{
    if (i >= file->count) {
        file->symbols = mem_array(file->symbols, &file->capacity, i + 1, sizeof *file->symbols);
        file->symbols[i] = (struct symbol){.name = STR("")};
        file->count = i + 1;
    }
    return &file->symbols[i];
}

static void read_file(struct reader *r, struct str bytes, size_t offset)
{
    struct file file = {.path = STR("")};
    struct wire w = walk(r, bytes);
    struct wire_field f;
    uint64_t id = 0;
    size_t names = 0;
    while (next_field(r, FILE_, &w, &f))
        switch (f.number) {
        case 1: id = id_of(f.value); break;
        case 2: file.path = f.bytes; break;
        case 3: symbol_at(&file, names++)->name = f.bytes; break;
        default: symbol_at(&file, file.mangled_count++)->mangled = f.bytes;
        }
    if (file.mangled_count > names)
        die_at(place_at(r, offset),
               "file: expected a symbol for each of %zu mangled ones, found %zu",
               file.mangled_count, names);
    r->files = mem_array(r->files, &r->file_capacity, r->file_count + 1, sizeof *r->files);
    r->files[r->file_count++] = file;
    put_id(r, &r->file_ids, id, r->file_count, "file", offset);
}

static void add_number(struct buf *to, struct str key, int64_t number)
{
    buf_add(to, to->n > 0 ? STR(",{\"key\":\"") : STR("{\"key\":\""));
    buf_add(to, key);
    buf_add(to, STR("\",\"num\":"));
    emit_number(to, number);
    buf_add(to, STR("}"));
}

static void read_thread(struct reader *r, struct str bytes, size_t offset)
{
    struct wire w = walk(r, bytes);
    struct wire_field f;
    struct str name = STR("");
    uint64_t tid = 0, pid = 0;
    while (next_field(r, THREAD, &w, &f))
        switch (f.number) {
        case 1: tid = id_of(f.value); break;
        case 2: pid = id_of(f.value); break;
        default: name = f.bytes;
        }
    r->labels.n = 0;
    if (name.n > 0) {
        buf_add(&r->labels, STR("{\"key\":\"comm\",\"str\":"));
        emit_inner_string(&r->labels, &r->scratch, name);
        buf_add(&r->labels, STR("}"));
    }
    add_number(&r->labels, STR("pid"), (int32_t)pid);
    add_number(&r->labels, STR("tid"), (int32_t)tid);
    r->threads =
        mem_array(r->threads, &r->thread_capacity, r->thread_count + 1, sizeof *r->threads);
    r->threads[r->thread_count++] = arena_copy(&r->arena, buf_str(&r->labels));
    put_id(r, &r->thread_ids, tid, r->thread_count, "thread", offset);
}

static void read_meta(struct reader *r, struct str bytes)
{
    static const char *const names[FIELDS] = {
        NULL,          "app_package_name", "app_type", "android_sdk_version", "android_build_type",
        "trace_offcpu"};
    struct wire w = walk(r, bytes);
    struct wire_field f;
    struct str texts[FIELDS] = {{NULL, 0}};
    while (next_field(r, META, &w, &f)) {
        if (f.number == 1) {
            r->events =
                mem_array(r->events, &r->event_capacity, r->event_count + 1, sizeof *r->events);
            r->events[r->event_count++] = f.bytes;
        } else {
            texts[f.number - 1] = f.type == WIRE_BYTES ? f.bytes
                                  : f.value != 0       ? STR("1")
                                                       : STR("");
        }
    }
    for (size_t i = 1; i + 1 < FIELDS; i++)
        if (texts[i].n > 0) {
            emit_member(&r->facts, str_of(names[i]));
            emit_inner_string(&r->facts, &r->scratch, texts[i]);
        }
    if (texts[FIELDS - 1].n > 0)
        buf_add(&r->facts, STR(",\"trace_offcpu\":true"));
}

static void read_lost(struct reader *r, struct str bytes, size_t offset)
{
    const struct numbers n = numbers_of(r, LOST, bytes);
    r->expected = n.of[0];
    buf_add(&r->facts, STR(",\"sample_count\":"));
    emit_number(&r->facts, integer_of(r, n.of[0], "a count", offset));
    buf_add(&r->facts, STR(",\"lost_count\":"));
    emit_number(&r->facts, integer_of(r, n.of[1], "a count", offset));
}

/* --- records --- */

/* Takes the record at *AT; false if it is the empty one that ends them. */
static bool next_record(const struct reader *r, size_t *at, struct str *record)
{
    const unsigned char *p = (const unsigned char *)r->data.p + *at;
    const size_t rest = r->data.n - *at;
    if (rest < 4)
        die_as(CODE_TORN, place_at(r, *at), "expected the size of a record, found the end");
    const uint64_t size = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    if (size > rest - 4)
        die_as(CODE_TORN, place_at(r, *at),
               "expected a record of %" PRIu64 " bytes, found the end after %zu", size, rest - 4);
    *record = (struct str){r->data.p + *at + 4, (size_t)size};
    *at += 4 + (size_t)size;
    return size > 0;
}

/* Only one, of each of these, may come. */
static void refuse_second(const struct reader *r, bool *has, const struct wire_field *f)
{
    if (*has)
        die_at(place_at(r, f->offset), "%s stands there twice", messages[f->number].name);
    *has = true;
}

/* Reads all but samples, which it counts, and switches. */
static void collect(struct reader *r, size_t at)
{
    struct str record;
    struct wire_field f;
    bool has_meta = false;
    while (next_record(r, &at, &record))
        for (struct wire w = walk(r, record); next_field(r, RECORD, &w, &f);)
            switch (f.number) {
            case SAMPLE: r->samples++; break;
            case LOST:
                refuse_second(r, &r->has_lost, &f);
                read_lost(r, f.bytes, f.offset);
                break;
            case FILE_: read_file(r, f.bytes, f.offset); break;
            case THREAD: read_thread(r, f.bytes, f.offset); break;
            case META:
                refuse_second(r, &has_meta, &f);
                read_meta(r, f.bytes);
                break;
            default: break;
            }
    if (at < r->data.n)
        die_at(place_at(r, at), "expected the end of the file, found more after the last record");
}

/* --- rows --- */

/* Whether EVENT counts nanoseconds: it may end in modifiers, as cpu-clock:u does. */
static bool is_clock(struct str event)
{
    const char *colon = event.n == 0 ? NULL : memchr(event.p, ':', event.n);
    if (colon != NULL)
        event.n = (size_t)(colon - event.p);
    return str_equal(event, STR("cpu-clock")) || str_equal(event, STR("task-clock"));
}

static struct str unit_of(struct str event)
{
    return is_clock(event) ? STR("nanoseconds") : STR("count");
}

/* The first event comes last: that is shown. */
static void push_source(struct reader *r)
{
    r->extra.n = 0;
    listed_begin(&r->extra);
    listed_add(&r->extra, STR("samples"), STR("count"), LISTED_SUM);
    for (size_t i = r->event_count; i-- > 0;) {
        const struct str unit = unit_of(r->events[i]);
        const struct str type =
            emit_text(&r->rows.name, &r->rows.inexact, STR("type"), r->events[i]);
        r->types[i] = value_types_add(&r->sink->flow->types, type, unit);
        r->key.n = 0;
        emit_bytes_column(&r->key, &r->rows.inexact);
        r->extras[i] = arena_copy(&r->arena, buf_str(&r->key));
        if (r->types[i] != r->samples_type)
            listed_add_bytes(&r->extra, &r->scratch, r->events[i], unit, LISTED_SUM);
    }
    listed_end(&r->extra);
    emit_object(&r->extra, STR(".simpleperf"), buf_str(&r->facts));
    bytes_rows_source(&r->rows, r->sink, 1, STR("simpleperf"), format_source_uri(r->request, r->in),
                      r->request->timestamp, &r->extra);
}

static uint32_t mapping_of(struct reader *r, struct file *file)
{
    if (file->mapping != 0 || file->path.n == 0)
        return file->mapping;
    file->mapping = ++r->mapping_count;
    r->extra.n = 0;
    emit_member(&r->extra, STR("filename"));
    emit_inner_string(&r->extra, &r->scratch, file->path);
    sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                    .mapping = {file->mapping},
                                    .extra = buf_str(&r->extra)});
    return file->mapping;
}

/* Pushes the function of a symbol that has a mangled name of its own. */
static void push_mangled(struct reader *r, uint32_t id, const struct symbol *symbol)
{
    struct row row = {.table = TABLE_FUNCTIONS,
                      .function = {.function_id = id, .filename = STR("")}};
    row.function.name = emit_text(&r->rows.name, &r->rows.inexact, STR("name"), symbol->name);
    row.function.system_name =
        emit_text(&r->rows.file, &r->rows.inexact, STR("system_name"), symbol->mangled);
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->rows.inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

static uint32_t function_of(struct reader *r, struct symbol *symbol)
{
    const uint64_t size = symbol->name.n;
    bool is_new;
    if (symbol->function != 0)
        return symbol->function;
    const bool is_mangled =
        symbol->name.n > 0 && symbol->mangled.n > 0 && !str_equal(symbol->name, symbol->mangled);
    r->key.n = 0;
    buf_add(&r->key, (struct str){(const char *)&size, sizeof size});
    buf_add(&r->key, symbol->name);
    buf_add(&r->key, is_mangled ? symbol->mangled : STR(""));
    symbol->function = intern_add(&r->functions, buf_str(&r->key), &is_new);
    if (is_new && is_mangled)
        push_mangled(r, symbol->function, symbol);
    else if (is_new)
        bytes_rows_function(&r->rows, r->sink, symbol->function, symbol->name, STR(""), 0, STR(""));
    return symbol->function;
}

static void push_location(struct reader *r, uint32_t id, const struct spot *spot)
{
    static const char *const executions[] = {"native", "interpreted", "jit", "art"};
    struct file *file = &r->files[spot->file - 1];
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {id, ROW_NULL, ROW_NULL},
                      .site = {.address = spot->address}};
    row.site.mapping_id = mapping_of(r, file);
    if (spot->symbol != 0) {
        row.location.function_id = function_of(r, &file->symbols[spot->symbol - 1]);
        row.location.line = 0;
    }
    r->extra.n = 0;
    if (spot->execution != 0) {
        emit_member(&r->extra, STR(".simpleperf_execution"));
        emit_string(&r->extra, str_of(executions[spot->execution]));
    }
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The location of the entry BYTES of a stack, at OFFSET. */
static uint32_t location_of(struct reader *r, struct str bytes, size_t offset)
{
    const struct numbers n = numbers_of(r, ENTRY, bytes);
    const int64_t symbol = (int64_t)n.of[2];
    struct spot spot = {n.of[0], idmap_get(&r->file_ids, id_of(n.of[1]) + 1), 0, n.of[3]};
    bool is_new;
    if (spot.file == 0)
        die_at(place_at(r, offset), "callchain: there is no file %" PRIu64, n.of[1]);
    const size_t count = r->files[spot.file - 1].count;
    if (symbol < -1 || symbol >= (int64_t)count)
        die_at(place_at(r, offset),
               "callchain: expected one of the %zu symbols of file %" PRIu64
               ", which are numbered from 0, or -1, found %" PRId64,
               count, n.of[1], symbol);
    if (spot.execution > 3)
        die_at(place_at(r, offset),
               "callchain: expected an execution type from 0 to 3, found %" PRIu64, spot.execution);
    spot.symbol = (uint32_t)(symbol + 1);
    const uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)&spot, sizeof spot}, &is_new);
    if (is_new)
        push_location(r, id, &spot);
    return id;
}

/* Adds to the columns of a sample why its stack ends early. */
static void add_unwinding(struct reader *r, struct str bytes)
{
    const struct numbers n = numbers_of(r, UNWINDING, bytes);
    buf_add(&r->extra, STR(",\".simpleperf_unwinding\":{\"error_code\":"));
    emit_number(&r->extra, (int64_t)id_of(n.of[2]));
    buf_add(&r->extra, STR(",\"raw_error_code\":"));
    emit_number(&r->extra, (int64_t)id_of(n.of[0]));
    buf_add(&r->extra, STR(",\"error_addr\":\""));
    emit_address(&r->extra, n.of[1]);
    buf_add(&r->extra, STR("\"}"));
}

static void add_labels(struct reader *r, uint64_t tid)
{
    const uint32_t thread = idmap_get(&r->thread_ids, tid + 1);
    r->labels.n = 0;
    if (thread == 0)
        add_number(&r->labels, STR("tid"), (int32_t)tid);
    buf_add(&r->extra, STR(",\".labels\":["));
    buf_add(&r->extra, thread == 0 ? buf_str(&r->labels) : r->threads[thread - 1]);
    buf_add(&r->extra, STR("]"));
}

static void push_sample(struct reader *r, struct str bytes, size_t offset, int64_t id)
{
    struct wire w = walk(r, bytes);
    struct wire_field f;
    struct numbers n = {{0}};
    struct str unwinding = {NULL, 0};
    struct sample_value values[2];
    size_t depth = 0, count = 0;
    r->sink->flow->where = place_at(r, offset);
    while (next_field(r, SAMPLE, &w, &f))
        switch (f.number) {
        case 3:
            growth_check_depth(depth + 1, place_at(r, offset));
            r->stack = mem_array(r->stack, &r->stack_capacity, depth + 1, sizeof *r->stack);
            r->stack[depth++] = location_of(r, f.bytes, f.offset);
            break;
        case 6: unwinding = f.bytes; break;
        default: n.of[f.number - 1] = f.value;
        }
    if (n.of[4] >= r->event_count)
        die_at(place_at(r, offset),
               "sample: expected one of the %zu event types, which are numbered from 0, found "
               "%" PRIu64,
               r->event_count, n.of[4]);
    values[count++] = (struct sample_value){r->samples_type, number_of(1), STR("")};
    if (r->types[n.of[4]] != r->samples_type)
        values[count++] = (struct sample_value){
            r->types[n.of[4]], number_of(integer_of(r, n.of[3], "a count of events", offset)),
            r->extras[n.of[4]]};
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".time\":"));
    emit_number(&r->extra, integer_of(r, n.of[0], "a time", offset));
    if (unwinding.p != NULL)
        buf_add(&r->extra, STR(",\".truncated\":true"));
    add_labels(r, id_of(n.of[1]));
    if (unwinding.p != NULL)
        add_unwinding(r, unwinding);
    sink_sample(r->sink, &(struct sample){.sample_id = id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = depth});
}

static void push_switch(struct reader *r, struct str bytes, size_t offset)
{
    const struct numbers n = numbers_of(r, SWITCH, bytes);
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"source_id\":1,\"time\":"));
    emit_number(&r->extra, integer_of(r, n.of[1], "a time", offset));
    buf_add(&r->extra, STR(",\"tid\":"));
    emit_number(&r->extra, (int32_t)id_of(n.of[2]));
    buf_add(&r->extra, n.of[0] != 0 ? STR(",\"switch_on\":true") : STR(",\"switch_on\":false"));
    sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {.name = STR(".simpleperf_switches")},
                                    .extra = buf_str(&r->extra)});
}

/* --- the file --- */

static size_t read_head(const struct reader *r)
{
    const size_t size = MAGIC.n + 2;
    if (r->data.n < size)
        die_as(CODE_TORN, place_at(r, r->data.n), "expected a version, found the end");
    const unsigned version =
        (unsigned char)r->data.p[MAGIC.n] | (unsigned)(unsigned char)r->data.p[MAGIC.n + 1] << 8;
    if (version != 1)
        die_at(place_at(r, MAGIC.n), "expected version 1, found %u", version);
    return size;
}

/* Compares how many samples there are with what the file says. */
static void check_count(const struct reader *r)
{
    static const char message[] = "%s%" PRIu64 " samples, but the file says %" PRIu64;
    if (!r->has_lost || r->expected == r->samples)
        return;
    if (r->request->strict)
        die_at(r->sink->flow->where, message, "--strict: ", r->samples, r->expected);
    warn_at(CODE_TORN, r->sink->flow->where, message, "", r->samples, r->expected);
}

static void free_reader(struct reader *r)
{
    for (size_t i = 0; i < r->file_count; i++)
        mem_free(r->files[i].symbols);
    mem_free(r->files);
    mem_free(r->threads);
    mem_free(r->events);
    mem_free(r->types);
    mem_free(r->extras);
    mem_free(r->stack);
    idmap_free(&r->file_ids);
    idmap_free(&r->thread_ids);
    intern_free(&r->functions);
    intern_free(&r->locations);
    arena_free(&r->arena);
    bytes_rows_free(&r->rows);
    BUF_FREE(&r->facts, &r->extra, &r->scratch, &r->labels, &r->key);
}

static void read_simpleperf(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.in = in, .request = request, .sink = sink};
    struct str record;
    struct wire_field f;
    int64_t id = 0;
    size_t type_capacity = 0, extra_capacity = 0;
    r.data = format_whole(in, request);
    const size_t start = read_head(&r);
    collect(&r, start);
    check_count(&r);
    r.samples_type = value_types_add(&sink->flow->types, STR("samples"), STR("count"));
    r.types = mem_array(r.types, &type_capacity, r.event_count + 1, sizeof *r.types);
    r.extras = mem_array(r.extras, &extra_capacity, r.event_count + 1, sizeof *r.extras);
    push_source(&r);
    for (size_t at = start; next_record(&r, &at, &record);)
        for (struct wire w = walk(&r, record); wire_next(&w, &f);)
            if (f.number == SAMPLE)
                push_sample(&r, f.bytes, f.offset, ++id);
            else if (f.number == SWITCH)
                push_switch(&r, f.bytes, f.offset);
    free_reader(&r);
}

static enum bid bid_simpleperf(struct str head)
{
    return str_starts(head, MAGIC) ? BID_SURE : BID_NONE;
}

void simpleperf_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    buf_add(&to->producer, STR("simpleperf"));
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_SIMPLEPERF_APP)
            text_inner_bytes(&to->command, m.value);
}

const struct format format_simpleperf = {
    .name = "a simpleperf file",
    .converter = "simpleperf2ndjson",
    .bid = bid_simpleperf,
    .read = read_simpleperf,
    .is_document = true,
};

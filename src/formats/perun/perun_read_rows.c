/* Rows, once all of the file has been read. */
#include "base/mem.h"
#include "formats/perun/perun_read.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"

#include <stdlib.h>

/* --- functions and locations --- */

/* Appends the string S to the key TO, so that different strings give different keys. */
static void add_to_key(struct buf *to, struct str s)
{
    uint64_t size = s.p == NULL ? UINT64_MAX : s.n;
    buf_add(to, (struct str){(const char *)&size, sizeof size});
    buf_add(to, s);
}

/* The id of the function of F. Writes the row of a new one. */
static uint32_t function_of(struct perun_reader *r, const struct perun_frame *f)
{
    bool is_new;
    r->text.n = 0;
    add_to_key(&r->text, f->function);
    buf_add(&r->text, f->file);
    uint32_t id = intern_add(&r->functions, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, f->function, f->file, 0, STR(""));
    return id;
}

/* The id of the location of F. Writes the row of a new one. */
static uint32_t location_of(struct perun_reader *r, const struct perun_frame *f)
{
    bool is_new, has_function = f->function.p != NULL;
    uint32_t function = has_function ? function_of(r, f) : 0;
    int64_t numbers[3] = {function, f->line, f->column};
    r->text.n = 0;
    buf_add(&r->text, (struct str){(const char *)numbers, sizeof numbers});
    add_to_key(&r->text, f->others);
    buf_add(&r->text, has_function ? STR("") : f->file);
    uint32_t id = intern_add(&r->locations, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {.location_id = id,
                                   .function_id = has_function ? function : ROW_NULL,
                                   .line = f->line}};
    row.site.column = f->column;
    r->extra.n = 0;
    if (!has_function && f->file.n > 0) {
        emit_member(&r->extra, STR(".filename"));
        emit_string(&r->extra, emit_text(&r->name, &r->rows.inexact, STR(".filename"), f->file));
    }
    if (f->others.n > 0) {
        r->text.n = 0;
        buf_add(&r->text, STR("{"));
        buf_add(&r->text, (struct str){f->others.p + 1, f->others.n - 1});
        buf_add(&r->text, STR("}"));
        emit_member(&r->extra, STR(".perun_frame"));
        perun_carry(&r->extra, buf_str(&r->text));
    }
    emit_bytes_column(&r->extra, &r->rows.inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    return id;
}

/* Pushes the rows of r->stack. Returns the ids of its locations, innermost first, valid until the
 * end. */
static int64_t *push_stack(struct perun_reader *r)
{
    int64_t *ids = arena_alloc(&r->arena, (r->stack.depth + 1) * sizeof *ids);
    for (size_t i = 0; i < r->stack.depth; i++)
        ids[i] = location_of(r, &r->stack.frames[i]);
    return ids;
}

/* State for making samples. */
struct pusher {
    struct perun_reader *r;
    struct str *names; /* of the COUNT current lists */
    struct perun_array *arrays;
    struct str *rest; /* the unread part of each */
    struct buf text;  /* text of all of them */
    size_t count, capacity, array_capacity, rest_capacity;
    int64_t *locations;
    size_t location_capacity;
    int64_t sample_id;

    /* The current sample. */
    struct sample_value values[2];
    struct buf reals[2], members;
    size_t value_count, member_count;
    bool is_plain; /* all its members are simple, and few */
};

/* Max number of members of a sample that are known to fit into rows without a check. */
enum { PLAIN_MEMBERS = 12 };

static void add_number(struct buf *to, struct str name, int64_t number)
{
    emit_member(to, name);
    emit_number(to, number);
}

static void add_value(struct buf *to, struct str name, struct str value)
{
    emit_member(to, name);
    perun_carry(to, value);
}

/* --- known after the whole file has been read --- */

static struct perun_type *shared_type(struct perun_reader *r, size_t i)
{
    return &r->shared_types[i];
}

/* Numbers the types of lists, after those of the map. */
static void finish_types(struct perun_reader *r)
{
    for (uint32_t i = 0; i < r->keys.count; i++)
        if (r->types[i].number == 0)
            tokens_die(&r->json, r->types[i].where, "\"%.*s\" has no entry in resource_type_map",
                       STR_ARG(r->types[i].key));
    r->shared_types = mem_alloc_zeroed((r->shared.count + 1) * sizeof *r->shared_types);
    for (uint32_t i = 0; i < r->shared.count; i++)
        *shared_type(r, i) = (struct perun_type){.key = {NULL, 0},
                                                 .members = intern_get(&r->shared, i + 1),
                                                 .number = r->mapped + i + 1};
}

static bool has_own(const struct perun_reader *r, const struct perun_type *type, struct str name)
{
    struct str columns = {NULL, 0};
    if (type->columns != 0)
        columns = intern_get(&r->columns, type->columns);
    return perun_has_own(type->members, columns, name);
}

/* The value types of a source, in order, as numbers in the flow. */
struct kinds {
    uint32_t *numbers;
    bool *is_inclusive;
    uint32_t *places; /* by number - 1: its position here, from 1; 0: not here */
    size_t count, capacity, flag_capacity, place_capacity;
};

static void add_kind(struct kinds *kinds, uint32_t number, bool is_inclusive)
{
    kinds->places =
        mem_array_zeroed(kinds->places, &kinds->place_capacity, number, sizeof *kinds->places);
    size_t i = kinds->places[number - 1] - (size_t)1;
    if (kinds->places[number - 1] == 0) {
        i = kinds->count++;
        kinds->places[number - 1] = (uint32_t)kinds->count;
        kinds->numbers = mem_array(kinds->numbers, &kinds->capacity, i + 1, sizeof *kinds->numbers);
        kinds->is_inclusive =
            mem_array(kinds->is_inclusive, &kinds->flag_capacity, i + 1, sizeof(bool));
        kinds->numbers[i] = number;
        kinds->is_inclusive[i] = false;
    }
    kinds->is_inclusive[i] |= is_inclusive;
}

/* Adds the type that TYPE counts, KIND. */
static void add_kinds(struct perun_reader *r, struct perun_type *type,
                      const struct perun_kind *kind, bool is_freed, struct kinds *kinds)
{
    struct value_types *types = &r->sink->flow->types;
    struct str name = buf_str(&kind->type), unit = buf_str(&kind->unit);
    bool has_exclusive = has_own(r, type, PERUN_EXCLUSIVE);
    if (has_own(r, type, STR("amount"))) {
        type->kinds[0] = value_types_add(types, name, unit);
        add_kind(kinds, type->kinds[0], has_exclusive && !is_freed);
    }
    if (has_exclusive && !str_equal(name, PERUN_EXCLUSIVE)) {
        type->kinds[1] = value_types_add(types, PERUN_EXCLUSIVE, unit);
        add_kind(kinds, type->kinds[1], false);
    }
}

/* Finds the type that TYPE counts, either for freed memory only or for all else only. */
static void finish_kinds(struct perun_reader *r, struct perun_type *type, bool is_freed,
                         struct kinds *kinds)
{
    struct perun_kind kind = {0};
    perun_kind_read(&kind, &r->file, type->members);
    if (str_equal(buf_str(&kind.type), PERUN_FREED) == is_freed)
        add_kinds(r, type, &kind, is_freed, kinds);
    buf_free(&kind.type);
    buf_free(&kind.unit);
}

static void finish_all_kinds(struct perun_reader *r, struct kinds *kinds)
{
    for (uint32_t i = 0; i < r->keys.count; i++)
        r->file.has_exclusive |=
            r->types[i].place != 0 && has_own(r, &r->types[i], PERUN_EXCLUSIVE);
    for (uint32_t i = 0; i < r->shared.count; i++)
        r->file.has_exclusive |= has_own(r, shared_type(r, i), PERUN_EXCLUSIVE);
    /* freed memory comes first, here and in the numbers of types: people are shown the last type */
    for (int is_freed = 1; is_freed >= 0; is_freed--) {
        for (uint32_t i = 0; i < r->keys.count; i++)
            if (r->types[i].place != 0)
                finish_kinds(r, &r->types[i], is_freed, kinds);
        for (uint32_t i = 0; i < r->shared.count; i++)
            finish_kinds(r, shared_type(r, i), is_freed, kinds);
    }
}

/* --- the source --- */

static void add_types(struct perun_reader *r, const struct kinds *kinds)
{
    listed_begin(&r->extra);
    for (size_t i = 0; i < kinds->count; i++) {
        const struct value_type *type = value_types_get(&r->sink->flow->types, kinds->numbers[i]);
        listed_add(&r->extra, type->type, type->unit,
                   kinds->is_inclusive[i] ? LISTED_INCLUSIVE : LISTED_SUM);
    }
    listed_end(&r->extra);
}

/* Max number of value types, and bytes of members, in a row that is quick to read; slow rows have a
 * limit. */
enum { FEW_TYPES = 1 << 14, FEW_BYTES = 1 << 16 };

/* Adds the members of the file, which has COUNT value types. */
static void add_own(struct perun_reader *r, size_t count)
{
    struct buf *to = &r->extra;
    struct str members = buf_str(&r->members);
    bool is_small = count <= FEW_TYPES && members.n <= FEW_BYTES;
    buf_add(to, STR(",\".perun\":"));
    size_t start = to->n;
    buf_add(to, STR("{\"layout\":\""));
    buf_add(to, str_of(r->layout));
    buf_add(to, STR("\""));
    if (r->is_indented)
        buf_add(to, STR(",\"indented\":true"));
    if (r->stored.p != NULL) {
        emit_member(to, STR("stored"));
        emit_string(to, r->stored);
    }
    add_number(to, STR("samples"), (int64_t)r->samples);
    emit_member(to, STR("members"));
    size_t before = to->n;
    perun_carry_members(to, members);
    buf_add(to, STR("}"));
    if (!is_small && !perun_is_quick(to, start)) {
        to->n = before;
        perun_carry_text(to, members);
        buf_add(to, STR("}"));
    }
}

static void push_source(struct perun_reader *r, const char *uri, const struct kinds *kinds)
{
    r->extra.n = 0;
    add_types(r, kinds);
    add_own(r, kinds->count);
    bytes_rows_source(&r->rows, r->sink, 1, STR("perun"), uri, r->request->timestamp, &r->extra);
}

/* --- dotted tables --- */

/* Begins a row of table NAME with number NUMBER of the source. */
static struct row begin_row(struct perun_reader *r, struct str name, int64_t number)
{
    r->extra.n = 0;
    add_number(&r->extra, STR("source_id"), 1);
    add_number(&r->extra, STR("number"), number);
    return (struct row){.table = TABLE_DOTTED, .dotted = {.name = name}};
}

static void end_row(struct perun_reader *r, struct row *row)
{
    row->extra = buf_str(&r->extra);
    sink_row(r->sink, row);
}

static void push_type(struct perun_reader *r, const struct perun_type *type)
{
    struct row row = begin_row(r, STR(".perun_types"), type->number);
    if (type->key.p != NULL) {
        r->text.n = 0;
        buf_add(&r->text, STR("\""));
        buf_add(&r->text, type->key);
        buf_add(&r->text, STR("\""));
        add_value(&r->extra, STR("key"), buf_str(&r->text));
    }
    if (type->place != 0)
        add_number(&r->extra, STR("place"), type->place);
    add_value(&r->extra, STR("members"), type->members);
    if (type->columns != 0)
        add_value(&r->extra, STR("columns"), intern_get(&r->columns, type->columns));
    if (type->tails.p != NULL)
        add_value(&r->extra, STR("tails"), type->tails);
    end_row(r, &row);
}

static void push_types(struct perun_reader *r)
{
    uint32_t *order = mem_alloc((r->mapped + 1) * sizeof *order);
    for (uint32_t i = 0; i < r->keys.count; i++)
        order[r->types[i].number - 1] = i;
    for (uint32_t i = 0; i < r->mapped; i++)
        push_type(r, &r->types[order[i]]);
    for (uint32_t i = 0; i < r->shared.count; i++)
        push_type(r, shared_type(r, i));
    mem_free(order);
}

static void push_items(struct perun_reader *r)
{
    static const struct str tables[] = {
        [PERUN_SNAPSHOT] = STR(".perun_snapshots"),
        [PERUN_MODEL] = STR(".perun_models"),
        [PERUN_CHUNK] = STR(".perun_chunks"),
    };
    static const struct str values[] = {[PERUN_SNAPSHOT] = STR("members"),
                                        [PERUN_MODEL] = STR("model"),
                                        [PERUN_CHUNK] = STR("chunk")};
    int64_t numbers[3] = {0};
    for (size_t i = 0; i < r->item_count; i++) {
        const struct perun_item *item = &r->items[i];
        struct row row = begin_row(r, tables[item->kind], ++numbers[item->kind]);
        if (item->kind == PERUN_SNAPSHOT)
            buf_add(&r->extra,
                    item->snapshot ? STR(",\"of\":\"global\"") : STR(",\"of\":\"snapshots\""));
        else if (item->snapshot != 0)
            add_number(&r->extra, STR("snapshot"), item->snapshot);
        if (item->key.p != NULL)
            add_value(&r->extra, STR("key"), item->key);
        add_value(&r->extra, values[item->kind], item->value);
        end_row(r, &row);
    }
}

/* --- samples --- */

/* Takes VALUE, the member NAME of the current sample: as a value if it is one, and as a member
 * unless the value says all. */
static void take_member(struct pusher *p, const struct perun_type *type, struct str name,
                        struct str value, bool is_plain)
{
    bool is_amount = str_equal(name, STR("amount")), is_reported = false;
    unsigned i = !is_amount;
    if ((is_amount || str_equal(name, PERUN_EXCLUSIVE)) && type->kinds[i] != 0) {
        struct sample_value *v = &p->values[p->value_count];
        struct str unit = value_types_get(&p->r->sink->flow->types, type->kinds[i])->unit;
        *v = (struct sample_value){.type = type->kinds[i]};
        bool is_value = perun_value(value, unit, &p->reals[i], &v->value, &is_reported);
        is_reported = is_reported && is_value;
        p->value_count += is_value;
    }
    if (is_reported)
        return;
    p->is_plain = p->is_plain && is_plain && p->member_count++ < PLAIN_MEMBERS;
    buf_add(&p->members, STR(",\""));
    buf_add(&p->members, name);
    buf_add(&p->members, STR("\":"));
    buf_add(&p->members, value);
}

/* Appends the current sample's own members to r->extra, as a column. */
static void add_members(struct pusher *p)
{
    struct perun_reader *r = p->r;
    if (p->members.n == 0)
        return;
    p->members.p[0] = '{'; /* replaces the comma before the first member */
    buf_add(&p->members, STR("}"));
    emit_member(&r->extra, STR(".perun_members"));
    if (p->is_plain)
        buf_add(&r->extra, buf_str(&p->members));
    else
        perun_carry(&r->extra, buf_str(&p->members));
}

/* Pushes the current sample, of TYPE. The receiver may change what it points to. */
static void push_sample(struct pusher *p, struct perun_type *type, uint32_t snapshot)
{
    struct perun_reader *r = p->r;
    if (type->locations == NULL) {
        perun_stack_read(&r->stack, &r->file, type->members);
        if (r->stack.depth > LIMITS_FRAMES)
            tokens_die(&r->json, type->where, LIMITS_FRAMES_TEXT, LIMITS_FRAMES);
        type->depth = (uint32_t)r->stack.depth;
        type->locations = push_stack(r);
    }
    r->extra.n = 0;
    add_number(&r->extra, STR(".perun_type"), type->number);
    if (snapshot != 0)
        add_number(&r->extra, STR(".perun_snapshot"), snapshot);
    add_members(p);
    p->locations =
        mem_array(p->locations, &p->location_capacity, type->depth + 1, sizeof *p->locations);
    memcpy(p->locations, type->locations, type->depth * sizeof *p->locations);
    sink_sample(r->sink, &(struct sample){.sample_id = ++p->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = p->values,
                                          .value_count = p->value_count,
                                          .locations = p->locations,
                                          .depth = type->depth});
}

static void begin_sample(struct pusher *p)
{
    p->value_count = p->members.n = p->member_count = 0;
    p->is_plain = true;
}

/* Reads COUNT lists of an entry. */
static void read_arrays(struct pusher *p, size_t count)
{
    struct perun_reader *r = p->r;
    p->count = count;
    p->names = mem_array(p->names, &p->capacity, count, sizeof *p->names);
    p->arrays = mem_array(p->arrays, &p->array_capacity, count, sizeof *p->arrays);
    p->rest = mem_array(p->rest, &p->rest_capacity, count, sizeof *p->rest);
    p->text.n = 0;
    for (size_t i = 0; i < count; i++) {
        spool_read(r->spool, &p->arrays[i], sizeof p->arrays[i]);
        p->names[i] = intern_get(&r->names, p->arrays[i].name);
        char *to = buf_reserve(&p->text, p->arrays[i].size + 1);
        spool_read(r->spool, to, p->arrays[i].size);
        p->text.n += p->arrays[i].size;
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        p->rest[i] = (struct str){buf_str(&p->text).p + at, p->arrays[i].size};
        at += p->arrays[i].size;
    }
}

/* Takes the next item off *REST. A plain list contains only numbers. */
static struct str next_item(struct str *rest, bool is_plain)
{
    struct str item = {NULL, 0};
    if (!is_plain) {
        text_next_item(rest, &item);
        return item;
    }
    const char *end = memchr(rest->p, ',', rest->n);
    item = (struct str){rest->p, end == NULL ? rest->n : (size_t)(end - rest->p)};
    size_t n = item.n + (end != NULL);
    rest->p += n;
    rest->n -= n;
    return item;
}

static void push_mapped(struct pusher *p, const struct perun_record *record)
{
    struct perun_type *type = &p->r->types[record->type];
    read_arrays(p, record->arrays);
    for (uint64_t k = 0; k < record->count; k++) {
        begin_sample(p);
        for (size_t i = 0; i < p->count; i++)
            take_member(p, type, p->names[i], next_item(&p->rest[i], p->arrays[i].is_plain),
                        p->arrays[i].is_plain);
        push_sample(p, type, 0);
    }
}

static void push_listed(struct pusher *p, const struct perun_record *record)
{
    struct perun_type *type = shared_type(p->r, record->type);
    struct str rest, name, value;
    p->text.n = 0;
    spool_read(p->r->spool, buf_reserve(&p->text, record->size + 1), record->size);
    rest = (struct str){p->text.p, record->size};
    begin_sample(p);
    while (text_next_member(&rest, &name, &value))
        take_member(p, type, name, value, perun_is_plain_name(name) && perun_is_plain(value));
    push_sample(p, type, record->snapshot);
}

static void push_samples(struct perun_reader *r)
{
    struct pusher p = {.r = r};
    struct perun_record record;
    spool_rewind(r->spool);
    while (spool_read(r->spool, &record, sizeof record))
        if (record.is_mapped)
            push_mapped(&p, &record);
        else
            push_listed(&p, &record);
    MEM_FREE(p.names, p.arrays, p.rest, p.locations);
    buf_free(&p.text);
    buf_free(&p.members);
    buf_free(&p.reals[0]);
    buf_free(&p.reals[1]);
}

void perun_push_rows(struct perun_reader *r, const char *uri)
{
    struct kinds kinds = {0};
    r->file = perun_file_of(buf_str(&r->members));
    finish_types(r);
    finish_all_kinds(r, &kinds);
    push_source(r, uri, &kinds);
    push_types(r);
    push_items(r);
    push_samples(r);
    mem_free(kinds.numbers);
    mem_free(kinds.is_inclusive);
    mem_free(kinds.places);
}

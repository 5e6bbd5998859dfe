/* Files of Perun to rows.  See perun2ndjson(1) for the rules.
 *
 * The header explains the values but mostly comes last. A resource and its entry in the map are far
 * apart. So nothing is written before the end: data per resource waits in a spool, the rest in
 * memory, as text without white space. */
#include "base/intern.h"
#include "base/mem.h"
#include "base/spool.h"
#include "formats/bytes_rows.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <inttypes.h>
#include <stdlib.h>

/* Members shared by resources: an entry of the map, or for resources in a list all members that do
 * not differ. Texts are as spelled in the file. */
struct perun_type {
    struct str key;     /* in the map; null p: of resources in lists */
    struct str members; /* null p: only the resources have been read so far */
    /* members with the items beyond the shortest list; null p: all lists have equal length */
    struct str tails;
    struct tokens_place where; /* of the resources */
    uint32_t number;           /* its index in the map, then those of lists, from 1 */
    /* index of its resources among all in the map, from 1; 0: it has none */
    uint32_t place;
    uint32_t columns;  /* the names of their lists, a number in r->columns; 0: see key */
    uint32_t kinds[2]; /* numbers of value types in the flow: amount, exclusive; 0: none */
    uint32_t depth;
    int64_t *locations; /* of its stack; NULL: not known yet */
};

/* A row of a dotted table; members in the order of its columns. */
struct perun_item {
    enum { PERUN_SNAPSHOT, PERUN_MODEL, PERUN_CHUNK } kind;
    /* for a model: the snapshot it is in, from 1, or 0; for a snapshot: whether it is global */
    uint32_t snapshot;
    struct str key; /* of a chunk, a string; null p: a list item */
    struct str value;
};

/* Precedes each entry of resources in the spool. */
struct perun_record {
    uint32_t type;     /* index in r->types, or number of its text in r->shared */
    uint32_t snapshot; /* the snapshot it is in, from 1; 0: none */
    uint32_t arrays;   /* count of lists that follow */
    bool is_mapped;    /* false: SIZE bytes follow, members of one resource, each after a comma */
    uint64_t size;
    uint64_t count; /* of resources, if IS_MAPPED */
};

/* Precedes the items of a list: SIZE bytes of text separated by commas. */
struct perun_array {
    uint32_t name; /* a number in r->names */
    bool is_plain; /* all items are plain integers (perun_text.h) */
    uint64_t size;
};

struct perun_reader {
    const struct read_request *request;
    struct sink *sink;
    struct tokens json;
    struct arena arena;
    struct str stored; /* the type in the head of a stored object; null p: not a stored object */

    /* of the file, without the last brace; values that become rows are null here */
    struct buf members;
    bool is_indented;
    const char *layout; /* NULL: the file has no resources */
    struct str source;  /* the file's own members, canonical text for `.perun` */

    struct intern keys; /* of the map; the number is the index in types + 1 */
    struct perun_type *types;
    size_t type_capacity;
    uint32_t mapped, placed; /* how many types are in the map, and how many have resources */
    /* members of resources in lists; the number is the index in shared_types + 1 */
    struct intern shared;
    struct perun_type *shared_types;
    struct intern names, columns;
    uint64_t *seen; /* by number of a name - 1: the last object that had it */
    size_t seen_capacity;
    uint64_t object; /* number of the object being read, from 1 */

    struct perun_item *items;
    size_t item_count, item_capacity;
    uint32_t snapshots;
    struct spool *spool;
    uint64_t samples;
    uint64_t uneven; /* resources whose lists differ in length */
    struct tokens_place uneven_where;

    struct perun_file file;
    struct perun_stack stack;
    struct intern functions, locations; /* keys of rows */
    struct bytes_rows rows;
    struct buf text, items_text, name, extra;
};

/* === values in the file === */

/* Appends to TO, as spelled, the value that begins with the current token. */
static void copy_value(struct perun_reader *r, struct buf *to)
{
    tokens_copy(&r->json, to);
}

/* Appends to TO the name in the current token, with quotes and a colon, and a comma before it
 * unless TO ends in a brace. */
static void copy_name(struct perun_reader *r, struct buf *to)
{
    if (to->n == 0 || to->p[to->n - 1] != '{')
        buf_add(to, STR(","));
    buf_add(to, STR("\""));
    buf_add(to, r->json.text);
    buf_add(to, STR("\":"));
}

/* Adds ITEM and copies its texts. */
static void add_item(struct perun_reader *r, struct perun_item item)
{
    if (item.key.p != NULL)
        item.key = arena_copy(&r->arena, item.key);
    item.value = arena_copy(&r->arena, item.value);
    r->items = mem_array(r->items, &r->item_capacity, r->item_count + 1, sizeof *r->items);
    r->items[r->item_count++] = item;
}

/* === resources, in each layout === */

static void write_bytes(struct perun_reader *r, const void *p, size_t n)
{
    spool_write(r->spool, (struct str){p, n});
}

/* Appends null to TO, since rows hold the value; if it IS_EMPTY, appends the empty object or
 * list. */
static void add_hole(struct buf *to, bool is_empty, bool is_object)
{
    buf_add(to, !is_empty ? STR("null") : is_object ? STR("{}") : STR("[]"));
}

/* --- the map --- */

/* The type with the key in the current token, a string. */
static struct perun_type *type_of_key(struct perun_reader *r)
{
    bool is_new;
    uint32_t id = intern_add(&r->keys, r->json.text, &is_new);
    r->types = mem_array(r->types, &r->type_capacity, id, sizeof *r->types);
    if (is_new)
        r->types[id - 1] =
            (struct perun_type){.key = intern_get(&r->keys, id), .members = {NULL, 0}};
    return &r->types[id - 1];
}

/* Ends the tool unless NUMBER is 0: the name in the current token is a duplicate. */
static void check_once(const struct perun_reader *r, uint32_t number)
{
    if (number != 0)
        tokens_die(&r->json, r->json.where, "\"%.*s\" stands there twice", STR_ARG(r->json.text));
}

/* The same for `resource_type_map`, for `global` (a list or an object), and for `snapshots`. */
static void read_map(struct perun_reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object of types");
    while (tokens_next(&r->json) == TOKEN_NAME) {
        struct perun_type *type = type_of_key(r);
        check_once(r, type->number);
        type->number = ++r->mapped;
        tokens_next(&r->json);
        r->text.n = 0;
        copy_value(r, &r->text);
        type->members = arena_copy(&r->arena, buf_str(&r->text));
    }
    add_hole(to, r->mapped == 0, true);
}

/* --- names --- */

/* The number of NAME, at WHERE. Ends the tool if the current object already has that name. */
static uint32_t number_name(struct perun_reader *r, struct str name, struct tokens_place where)
{
    uint32_t number = intern_add(&r->names, name, NULL);
    r->seen = mem_array_zeroed(r->seen, &r->seen_capacity, number, sizeof *r->seen);
    if (r->seen[number - 1] == r->object)
        tokens_die(&r->json, where, "\"%.*s\" stands there twice", STR_ARG(name));
    r->seen[number - 1] = r->object;
    return number;
}

/* --- lists of a resource in the map --- */

/* A list being read. */
struct list {
    struct perun_array head;
    uint64_t count;
    size_t start; /* of its text in r->items_text */
};

struct lists {
    struct list *items;
    size_t count, capacity;
};

static void read_list(struct perun_reader *r, struct list *list)
{
    struct buf *to = &r->items_text;
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list");
    list->head.is_plain = perun_is_plain_name(intern_get(&r->names, list->head.name));
    list->start = to->n;
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        if (list->count++ > 0)
            buf_add(to, STR(","));
        if (r->json.token == TOKEN_NUMBER) {
            list->head.is_plain = list->head.is_plain && perun_is_plain(r->json.text);
            buf_add(to, r->json.text);
        } else {
            list->head.is_plain = false;
            copy_value(r, to);
        }
    }
    list->head.size = to->n - list->start;
}

static void read_lists(struct perun_reader *r, struct lists *lists)
{
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object of lists");
    lists->count = r->items_text.n = r->text.n = 0;
    buf_add(&r->text, STR("["));
    r->object++;
    while (tokens_next(&r->json) == TOKEN_NAME) {
        uint32_t name = number_name(r, r->json.text, r->json.where);
        buf_add(&r->text, lists->count > 0 ? STR(",\"") : STR("\""));
        buf_add(&r->text, r->json.text);
        buf_add(&r->text, STR("\""));
        lists->items =
            mem_array(lists->items, &lists->capacity, lists->count + 1, sizeof *lists->items);
        struct list *list = &lists->items[lists->count++];
        *list = (struct list){.head = {.name = name}};
        tokens_next(&r->json);
        read_list(r, list);
    }
    buf_add(&r->text, STR("]"));
}

static uint64_t shortest(const struct lists *lists)
{
    uint64_t count = lists->count == 0 ? 1 : UINT64_MAX;
    for (size_t i = 0; i < lists->count; i++)
        if (lists->items[i].count < count)
            count = lists->items[i].count;
    return count;
}

/* Cuts LIST, which has more than COUNT items, to COUNT items, and appends the rest to TAILS. */
static void cut(struct perun_reader *r, struct list *list, uint64_t count, struct buf *tails)
{
    struct str rest = {buf_str(&r->items_text).p + list->start, list->head.size}, item;
    struct str all = rest;
    for (uint64_t i = 0; i < count; i++)
        text_next_item(&rest, &item);
    list->head.size = count == 0 ? 0 : (size_t)(rest.p - all.p);
    if (count > 0)
        rest.p++, rest.n--; /* the comma */
    buf_add(tails, tails->n == 1 ? STR("\"") : STR(",\""));
    buf_add(tails, intern_get(&r->names, list->head.name));
    buf_add(tails, STR("\":["));
    buf_add(tails, rest);
    buf_add(tails, STR("]"));
}

/* Cuts all LISTS of TYPE to COUNT items. */
static void cut_lists(struct perun_reader *r, struct lists *lists, uint64_t count,
                      struct perun_type *type)
{
    struct buf tails = {0};
    buf_add(&tails, STR("{"));
    for (size_t i = 0; i < lists->count; i++)
        if (lists->items[i].count > count)
            cut(r, &lists->items[i], count, &tails);
    buf_add(&tails, STR("}"));
    if (tails.n > 2) {
        type->tails = arena_copy(&r->arena, buf_str(&tails));
        if (r->uneven++ == 0)
            r->uneven_where = type->where;
    }
    buf_free(&tails);
}

static void read_mapped(struct perun_reader *r, struct lists *lists)
{
    struct perun_type *type = type_of_key(r);
    check_once(r, type->place);
    type->place = ++r->placed;
    type->where = r->json.where;
    tokens_next(&r->json);
    read_lists(r, lists);
    type->columns = intern_add(&r->columns, buf_str(&r->text), NULL);
    uint64_t count = shortest(lists);
    cut_lists(r, lists, count, type);
    struct perun_record record = {.type = (uint32_t)(type - r->types),
                                  .arrays = (uint32_t)lists->count,
                                  .is_mapped = true,
                                  .count = count};
    r->samples += count;
    write_bytes(r, &record, sizeof record);
    for (size_t i = 0; i < lists->count; i++) {
        const struct list *list = &lists->items[i];
        write_bytes(r, &list->head, sizeof list->head);
        write_bytes(r, buf_str(&r->items_text).p + list->start, list->head.size);
    }
}

/* --- resources in lists --- */

/* Whether the member NAME, whose value begins with TOKEN, differs between resources. */
static bool is_own(struct str name, enum token token)
{
    static const struct str names[] = {
        STR("amount"),  STR("structure-unit-size"), STR("call-order"), STR("order"),
        STR("address"), STR("timestamp"),           STR("exclusive")};
    if (token == TOKEN_NUMBER)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_equal(name, names[i]))
            return true;
    return false;
}

/* Reads the members of a resource: those that differ between resources into r->items_text, the
 * others into r->text. */
static void read_own(struct perun_reader *r)
{
    struct buf *own = &r->items_text, *to = &r->text;
    r->object++;
    while (tokens_next(&r->json) == TOKEN_NAME) {
        struct tokens_place where = r->json.where;
        r->name.n = 0;
        copy_name(r, &r->name); /* with a comma and a colon */
        struct str name = {r->name.p + 2, r->name.n - 4};
        buf_add(to, (struct str){r->name.p + (to->n == 1), r->name.n - (to->n == 1)});
        tokens_next(&r->json);
        if (!is_own(name, r->json.token)) {
            copy_value(r, to);
            continue;
        }
        buf_add(to, STR("null"));
        number_name(r, name, where);
        buf_add(own, buf_str(&r->name));
        copy_value(r, own);
    }
    buf_add(to, STR("}"));
}

/* Reads the resource of SNAPSHOT that begins with the current token. */
static void read_resource(struct perun_reader *r, uint32_t snapshot)
{
    r->text.n = r->items_text.n = 0;
    if (r->json.token == TOKEN_OBJECT) {
        buf_add(&r->text, STR("{"));
        read_own(r);
    } else {
        copy_value(r, &r->text);
    }
    struct perun_record record = {.type = intern_add(&r->shared, buf_str(&r->text), NULL) - 1,
                                  .snapshot = snapshot,
                                  .size = r->items_text.n};
    r->samples++;
    write_bytes(r, &record, sizeof record);
    write_bytes(r, r->items_text.p, r->items_text.n);
}

/* The same for a list of resources; appends it to TO if it is empty, else appends null. */
static void read_resource_list(struct perun_reader *r, struct buf *to, uint32_t snapshot)
{
    bool is_empty = true;
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; is_empty = false)
        read_resource(r, snapshot);
    add_hole(to, is_empty, false);
}

/* Reads `resources` of the file, a value that begins with the current token. Appends it to TO if it
 * has no resource, else appends null. */
static void read_resources(struct perun_reader *r, struct buf *to)
{
    struct lists lists = {0};
    if (r->json.token == TOKEN_ARRAY) {
        r->layout = "list";
        read_resource_list(r, to, 0);
        return;
    }
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object or a list of resources");
    r->layout = "map";
    while (tokens_next(&r->json) == TOKEN_NAME)
        read_mapped(r, &lists);
    add_hole(to, r->placed == 0, true);
    mem_free(lists.items);
}

/* --- snapshots --- */

/* The same for items that become rows: models or chunks of SNAPSHOT, from 1, or of the file, 0. */
static void read_items(struct perun_reader *r, struct buf *to, struct perun_item item)
{
    bool is_object = r->json.token == TOKEN_OBJECT && item.kind == PERUN_CHUNK, is_empty = true;
    if (r->json.token != TOKEN_ARRAY && !is_object) {
        copy_value(r, to);
        return;
    }
    for (; tokens_next(&r->json) != (is_object ? TOKEN_OBJECT_END : TOKEN_ARRAY_END);
         is_empty = false) {
        r->text.n = r->name.n = 0;
        if (is_object) {
            copy_name(r, &r->name);
            item.key = (struct str){r->name.p + 1, r->name.n - 2};
            tokens_next(&r->json);
        }
        copy_value(r, &r->text);
        item.value = buf_str(&r->text);
        add_item(r, item);
    }
    add_hole(to, is_empty, is_object);
}

/* Reads the members of snapshot NUMBER into TO. */
static void read_snapshot_members(struct perun_reader *r, struct buf *to, uint32_t number)
{
    unsigned seen = 0;
    buf_add(to, STR("{"));
    while (tokens_next(&r->json) == TOKEN_NAME) {
        bool is_resources = str_equal(r->json.text, STR("resources"));
        bool is_models = str_equal(r->json.text, STR("models"));
        unsigned bit = is_resources ? 1 : is_models ? 2 : 0;
        check_once(r, seen & bit);
        seen |= bit;
        copy_name(r, to);
        tokens_next(&r->json);
        if (is_models)
            read_items(r, to, (struct perun_item){.kind = PERUN_MODEL, .snapshot = number});
        else if (is_resources && r->json.token == TOKEN_ARRAY)
            read_resource_list(r, to, number);
        else if (is_resources && r->json.token != TOKEN_NULL)
            tokens_unexpected(&r->json, "a list of resources");
        else
            copy_value(r, to);
    }
    buf_add(to, STR("}"));
}

/* Reads a snapshot. */
static void read_snapshot(struct perun_reader *r, bool is_global)
{
    struct buf to = {0};
    uint32_t number = ++r->snapshots;
    if (r->json.token == TOKEN_OBJECT)
        read_snapshot_members(r, &to, number);
    else
        copy_value(r, &to);
    add_item(r, (struct perun_item){
                    .kind = PERUN_SNAPSHOT, .snapshot = is_global, .value = buf_str(&to)});
    buf_free(&to);
}

/* Reads a list of snapshots. */
static void read_snapshot_list(struct perun_reader *r, struct buf *to, bool is_global)
{
    bool is_empty = true;
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; is_empty = false)
        read_snapshot(r, is_global);
    add_hole(to, is_empty, false);
}

static void read_snapshots(struct perun_reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of snapshots");
    if (r->layout == NULL)
        r->layout = "snapshots";
    read_snapshot_list(r, to, false);
}

static void read_global(struct perun_reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_ARRAY && r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object or a list of snapshots");
    if (r->layout == NULL)
        r->layout = "global";
    if (r->json.token == TOKEN_ARRAY) {
        read_snapshot_list(r, to, true);
        return;
    }
    read_snapshot(r, true);
    buf_add(to, STR("{}"));
}

/* === functions and locations === */

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

/* === rows, once all of the file has been read === */

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
    emit_member(&r->extra, STR(".value_types"));
    buf_add(&r->extra, STR("["));
    for (size_t i = 0; i < kinds->count; i++) {
        const struct value_type *type = value_types_get(&r->sink->flow->types, kinds->numbers[i]);
        buf_add(&r->extra, i == 0 ? STR("{\"type\":") : STR(",{\"type\":"));
        emit_string(&r->extra, type->type);
        emit_member(&r->extra, STR("unit"));
        emit_string(&r->extra, type->unit);
        if (kinds->is_inclusive[i])
            buf_add(&r->extra, STR(",\"inclusive\":true"));
        buf_add(&r->extra, STR("}"));
    }
    buf_add(&r->extra, STR("]"));
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
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("perun"),
                                 .source_timestamp = r->request->timestamp}};
    r->extra.n = 0;
    add_types(r, kinds);
    add_own(r, kinds->count);
    row.source.source_uri = bytes_rows_uri(&r->rows, uri, &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
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
    void *blocks[] = {p.names, p.arrays, p.rest, p.locations};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&p.text);
    buf_free(&p.members);
    buf_free(&p.reals[0]);
    buf_free(&p.reals[1]);
}

/* Pushes all rows. */
static void push_rows(struct perun_reader *r, const char *uri)
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

/* === the file === */

enum member { RESOURCES, MAP, MODELS, SNAPSHOTS, GLOBAL, CHUNKS, MEMBER_COUNT };

static const char *const names[] = {
    "resources", "resource_type_map", "models", "snapshots", "global", "chunks"};

/* The member named by the current token; MEMBER_COUNT if it is not known. *SEEN has a bit for each
 * member seen so far. */
static enum member member_of(const struct perun_reader *r, unsigned *seen)
{
    unsigned i = 0;
    while (i < MEMBER_COUNT && !str_equal(r->json.text, str_of(names[i])))
        i++;
    if (i == MEMBER_COUNT)
        return MEMBER_COUNT;
    if ((*seen & 1u << i) != 0)
        tokens_die(&r->json, r->json.where, "\"%s\" stands there twice", names[i]);
    *seen |= 1u << i;
    return (enum member)i;
}

static void read_member(struct perun_reader *r, enum member member, struct buf *to)
{
    switch (member) {
    case RESOURCES: read_resources(r, to); break;
    case MAP: read_map(r, to); break;
    case MODELS: read_items(r, to, (struct perun_item){.kind = PERUN_MODEL}); break;
    case SNAPSHOTS: read_snapshots(r, to); break;
    case GLOBAL: read_global(r, to); break;
    case CHUNKS: read_items(r, to, (struct perun_item){.kind = PERUN_CHUNK}); break;
    default: copy_value(r, to);
    }
}

static void read_file(struct perun_reader *r)
{
    unsigned seen = 0;
    uint64_t line = r->json.line;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    line = r->json.where.line;
    buf_add(&r->members, STR("{"));
    while (tokens_next(&r->json) == TOKEN_NAME) {
        if (r->members.n == 1)
            r->is_indented = r->json.where.line != line;
        enum member member = member_of(r, &seen);
        copy_name(r, &r->members);
        tokens_next(&r->json);
        read_member(r, member, &r->members);
    }
    buf_add(&r->members, STR("}"));
    if ((seen & (1u << RESOURCES | 1u << SNAPSHOTS | 1u << GLOBAL)) == 0)
        tokens_die(&r->json, r->json.where, "the file has no resources, snapshots or global");
    tokens_next(&r->json); /* nothing may follow */
}

/* --- stored objects: `profile TYPE LENGTH`, NUL, and the text of LENGTH characters --- */

/* Reads the head of a stored object from the input; sets *LENGTH. */
static void read_head(struct perun_reader *r, struct in *in, uint64_t *length)
{
    enum { MAX = 64 };
    static const struct str types[] = {STR("memory"), STR("mixed"), STR("time")};
    struct str head = in_peek(in, MAX);
    const char *nul = memchr(head.p, '\0', head.n < MAX ? head.n : MAX);
    if (!str_take(&head, STR("profile ")) || nul == NULL)
        return;
    size_t size = sizeof "profile " + (size_t)(nul - head.p);
    const char *space = memchr(head.p, ' ', (size_t)(nul - head.p));
    struct str type = {head.p, (size_t)((space == NULL ? nul : space) - head.p)};
    r->json.before = sizeof "profile " - 1;
    struct tokens_place where = {1, sizeof "profile "};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_equal(type, types[i]))
            r->stored = types[i];
    if (r->stored.p == NULL)
        tokens_die(&r->json, where,
                   "expected a profile of the type memory, mixed or time, found another");
    where.column += type.n + 1;
    struct str digits = {space == NULL ? nul : space + 1, 0};
    digits.n = (size_t)(nul - digits.p);
    int64_t said;
    if (!text_is_integer(digits, &said) || said < 0)
        tokens_die(&r->json, where, "expected the length of the profile in characters");
    *length = (uint64_t)said;
    in_consume(in, size);
    r->json.before = size;
}

/* At the end: checks that the text has LENGTH characters. */
static void check_length(const struct perun_reader *r, uint64_t head, uint64_t length)
{
    uint64_t characters =
        r->json.before + (uint64_t)(r->json.p - r->json.start) - head - r->json.continued;
    if (characters != length)
        tokens_die(&r->json, (struct tokens_place){1, sizeof "profile " + r->stored.n + 1},
                   "expected %" PRIu64 " characters, as the object says, found %" PRIu64, length,
                   characters);
}

#define UNEVEN                                                                                     \
    "lists of one resource differ in length (so of %" PRIu64                                       \
    "): what stands behind the shortest is no sample"

static void free_reader(struct perun_reader *r)
{
    struct buf *bufs[] = {&r->members, &r->text, &r->items_text, &r->name, &r->extra};
    struct intern *tables[] = {&r->keys,    &r->shared,    &r->names,
                               &r->columns, &r->functions, &r->locations};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        intern_free(tables[i]);
    bytes_rows_free(&r->rows);
    mem_free(r->seen);
    mem_free(r->types);
    mem_free(r->shared_types);
    mem_free(r->items);
    perun_stack_free(&r->stack);
    arena_free(&r->arena);
    spool_close(r->spool);
}

void perun_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct perun_reader r = {.request = request, .sink = sink, .spool = spool_open()};
    uint64_t length = 0;
    tokens_open(&r.json, in);
    r.json.takes_nan = true;
    read_head(&r, in, &length);
    uint64_t head = r.json.before;
    read_file(&r);
    if (r.stored.p != NULL)
        check_length(&r, head, length);
    if (r.uneven > 0 && request->strict)
        tokens_die(&r.json, r.uneven_where, UNEVEN, r.uneven);
    if (r.uneven > 0)
        tokens_warn(&r.json, r.uneven_where, UNEVEN, r.uneven);
    tokens_close(&r.json);
    push_rows(&r, format_source_uri(request, in));
    free_reader(&r);
}

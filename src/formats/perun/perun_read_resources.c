/* Resources, in each layout, and what else a file of Perun has. */
#include "base/mem.h"
#include "formats/perun/perun_read.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <inttypes.h>

/* --- values --- */

void perun_copy_value(struct perun_reader *r, struct buf *to)
{
    tokens_copy(&r->json, to);
}

void perun_copy_name(struct perun_reader *r, struct buf *to)
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

/* --- what stands for resources --- */

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

void perun_read_map(struct perun_reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object of types");
    while (tokens_next(&r->json) == TOKEN_NAME) {
        struct perun_type *type = type_of_key(r);
        check_once(r, type->number);
        type->number = ++r->mapped;
        tokens_next(&r->json);
        r->text.n = 0;
        perun_copy_value(r, &r->text);
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
            perun_copy_value(r, to);
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
        perun_copy_name(r, &r->name); /* with a comma and a colon */
        struct str name = {r->name.p + 2, r->name.n - 4};
        buf_add(to, (struct str){r->name.p + (to->n == 1), r->name.n - (to->n == 1)});
        tokens_next(&r->json);
        if (!is_own(name, r->json.token)) {
            perun_copy_value(r, to);
            continue;
        }
        buf_add(to, STR("null"));
        number_name(r, name, where);
        buf_add(own, buf_str(&r->name));
        perun_copy_value(r, own);
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
        perun_copy_value(r, &r->text);
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

void perun_read_resources(struct perun_reader *r, struct buf *to)
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

void perun_read_items(struct perun_reader *r, struct buf *to, struct perun_item item)
{
    bool is_object = r->json.token == TOKEN_OBJECT && item.kind == PERUN_CHUNK, is_empty = true;
    if (r->json.token != TOKEN_ARRAY && !is_object) {
        perun_copy_value(r, to);
        return;
    }
    for (; tokens_next(&r->json) != (is_object ? TOKEN_OBJECT_END : TOKEN_ARRAY_END);
         is_empty = false) {
        r->text.n = r->name.n = 0;
        if (is_object) {
            perun_copy_name(r, &r->name);
            item.key = (struct str){r->name.p + 1, r->name.n - 2};
            tokens_next(&r->json);
        }
        perun_copy_value(r, &r->text);
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
        perun_copy_name(r, to);
        tokens_next(&r->json);
        if (is_models)
            perun_read_items(r, to, (struct perun_item){.kind = PERUN_MODEL, .snapshot = number});
        else if (is_resources && r->json.token == TOKEN_ARRAY)
            read_resource_list(r, to, number);
        else if (is_resources && r->json.token != TOKEN_NULL)
            tokens_unexpected(&r->json, "a list of resources");
        else
            perun_copy_value(r, to);
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
        perun_copy_value(r, &to);
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

void perun_read_snapshots(struct perun_reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of snapshots");
    if (r->layout == NULL)
        r->layout = "snapshots";
    read_snapshot_list(r, to, false);
}

void perun_read_global(struct perun_reader *r, struct buf *to)
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

#include "formats/sqlite/sqlite_nodes.h"

#include "base/mem.h"
#include "base/order.h"
#include "formats/sqlite/sqlite_batch.h"

/* The name of a stack in which no frame has a name. */
#define NO_LOCATION STR("<no location>")

/* --- names --- */

/* A name while names are read: its number is its place in the order of appearance. */
struct found_name {
    struct sqlite_node_name name;
    uint32_t number;
};

static int compare_names(const void *a, const void *b)
{
    const struct found_name *x = a, *y = b;
    return str_compare(x->name.bytes, y->name.bytes);
}

/* Sets N's names to the COUNT names FOUND, sorted. Returns their ids by number - 1; the caller
 * frees them. */
static uint32_t *sort_names(struct sqlite_nodes *n, struct found_name *found, uint32_t count)
{
    uint32_t *ids = mem_alloc((size_t)count * sizeof *ids);
    for (uint32_t i = 0; i < count; i++) /* the texts may have moved while they came */
        found[i].name.bytes = intern_get(&n->texts, i + 1);
    order_items(found, count, sizeof *found, compare_names);
    n->names = mem_alloc((size_t)count * sizeof *n->names);
    n->name_count = count;
    for (uint32_t i = 0; i < count; i++) {
        n->names[i] = found[i].name;
        ids[found[i].number - 1] = i + 1;
    }
    return ids;
}

/* The number of the text in COLUMN of the row of S among N's facts; 0 for null. */
static uint32_t fact_of(struct sqlite_nodes *n, sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL
               ? 0
               : intern_add(&n->facts, sqlite_db_text(s, column), NULL);
}

/* Leaves in *FACT what it has in common with OTHER: no number is 0, so what differed stays 0. */
static void agree(uint32_t *fact, uint32_t other)
{
    if (*fact != other)
        *fact = 0;
}

/* Asks the database for the names of its frames, since only its schema defines them. Returns the
 * ids of names by location - 1, 0 for none; the caller frees them. */
static uint32_t *read_names(struct sqlite_nodes *n, struct sqlite_db *d)
{
    enum { LOCATION, NAME, FUNCTION, PACKAGE, GROUP };
    uint32_t *names = NULL;
    struct found_name *found = NULL;
    size_t capacity = 0, found_capacity = 0, count = 0;
    sqlite3_stmt *s = sqlite_db_prepare(
        d, "SELECT location_id, name, function_id, package, \"group\" FROM frame_names");
    while (sqlite_db_step(d, s)) {
        size_t id = (size_t)sqlite3_column_int64(s, LOCATION);
        names = mem_array_zeroed(names, &capacity, id, sizeof *names);
        count = count < id ? id : count;
        if (sqlite3_column_type(s, NAME) == SQLITE_NULL)
            continue;
        uint32_t number = intern_add(&n->texts, sqlite_db_text(s, NAME), NULL);
        struct sqlite_node_name name = {.function = (uint32_t)sqlite3_column_int64(s, FUNCTION),
                                        .package = fact_of(n, s, PACKAGE),
                                        .group = fact_of(n, s, GROUP)};
        bool is_new = number > found_capacity || found[number - 1].number == 0;
        found = mem_array_zeroed(found, &found_capacity, number, sizeof *found);
        struct found_name *f = &found[number - 1];
        if (is_new)
            *f = (struct found_name){name, number};
        agree(&f->name.function, name.function);
        agree(&f->name.package, name.package);
        agree(&f->name.group, name.group);
        names[id - 1] = number;
    }
    sqlite_db_finalize(d, s);
    n->no_location = intern_add(&n->texts, NO_LOCATION, NULL);
    found = mem_array_zeroed(found, &found_capacity, n->no_location, sizeof *found);
    found[n->no_location - 1].number = n->no_location;
    uint32_t *ids = sort_names(n, found, n->texts.count);
    for (size_t i = 0; i < count; i++)
        names[i] = names[i] == 0 ? 0 : ids[names[i] - 1];
    n->no_location = ids[n->no_location - 1];
    mem_free(found);
    mem_free(ids);
    return names;
}

/* --- paths --- */

/* A walk through the trie: the children of each node, and how often each name and each call is on
 * the current path. */
struct walk {
    uint32_t *first, *next; /* by node: its first child (0: the first root), and its next sibling */
    uint32_t *on_path;      /* by name - 1 */
    struct intern calls;
    uint32_t *calls_on_path; /* by call - 1 */
    size_t call_capacity;
};

/* Enters or leaves (STEP) node NUMBER. */
static void pass(struct sqlite_nodes *n, struct walk *walk, uint32_t number, int step)
{
    struct sqlite_node_frame *f = &n->frames[number - 1];
    uint32_t parent = n->stacks->tree.nodes[number - 1].parent;
    uint32_t caller = parent == 0 ? 0 : n->frames[parent - 1].named;
    if (f->name == 0)
        return;
    uint32_t call[2] = {caller == 0 ? 0 : n->frames[caller - 1].name, f->name};
    uint32_t id = intern_add(&walk->calls, (struct str){(const char *)call, sizeof call}, NULL);
    if (id > walk->call_capacity)
        walk->calls_on_path = mem_array_zeroed(walk->calls_on_path, &walk->call_capacity, id,
                                               sizeof *walk->calls_on_path);
    if (step > 0) {
        f->repetition = walk->on_path[f->name - 1] + 1;
        f->is_outermost_call = walk->calls_on_path[id - 1] == 0;
    }
    walk->on_path[f->name - 1] += (uint32_t)step;
    walk->calls_on_path[id - 1] += (uint32_t)step;
}

static void walk_nodes(struct sqlite_nodes *n, struct walk *walk)
{
    uint32_t number = walk->first[0];
    while (number != 0) {
        pass(n, walk, number, 1);
        if (walk->first[number] != 0) {
            number = walk->first[number];
            continue;
        }
        for (;;) {
            pass(n, walk, number, -1);
            if (walk->next[number] != 0)
                break;
            number = n->stacks->tree.nodes[number - 1].parent;
            if (number == 0)
                return;
        }
        number = walk->next[number];
    }
}

/* Finds for each node whether its name, and its call, is outermost there. */
static void find_outermost(struct sqlite_nodes *n)
{
    uint32_t count = n->stacks->tree.count;
    struct walk walk = {0};
    walk.first = mem_alloc_zeroed(((size_t)count + 1) * sizeof *walk.first);
    walk.next = mem_alloc_zeroed(((size_t)count + 1) * sizeof *walk.next);
    walk.on_path = mem_alloc_zeroed((size_t)n->name_count * sizeof *walk.on_path);
    for (uint32_t i = count; i > 0; i--) { /* children are then sorted by number */
        uint32_t parent = n->stacks->tree.nodes[i - 1].parent;
        walk.next[i] = walk.first[parent];
        walk.first[parent] = i;
    }
    walk_nodes(n, &walk);
    mem_free(walk.first);
    mem_free(walk.next);
    mem_free(walk.on_path);
    intern_free(&walk.calls);
    mem_free(walk.calls_on_path);
}

/* --- where sums are stored --- */

/* Finds the node with the sums of each node. Children come after their parents. */
static void find_sums(struct sqlite_nodes *n)
{
    enum { ONE = 1, MORE = 2 };
    uint32_t count = n->stacks->tree.count;
    unsigned char *children = mem_alloc_zeroed((size_t)count + 1);
    for (uint32_t i = count; i > 0; i--) {
        struct stack_node node = n->stacks->tree.nodes[i - 1];
        if (n->stacks->end_of[i - 1] != 0 || children[i] != ONE)
            n->frames[i - 1].sums = i;
        if (node.parent == 0)
            continue;
        n->frames[node.parent - 1].sums = n->frames[i - 1].sums; /* if it is the only child */
        children[node.parent] = children[node.parent] == 0 ? ONE : MORE;
    }
    mem_free(children);
}

/* --- the whole --- */

void sqlite_nodes_make(struct sqlite_nodes *n, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d)
{
    n->stacks = stacks;
    uint32_t *names = read_names(n, d);
    n->frames = mem_alloc_zeroed((size_t)stacks->tree.count * sizeof *n->frames);
    for (uint32_t i = 0; i < stacks->tree.count; i++) {
        struct stack_node node = stacks->tree.nodes[i];
        struct sqlite_node_frame *f = &n->frames[i];
        f->name = names[node.frame - 1];
        f->named = f->name != 0 ? i + 1 : node.parent == 0 ? 0 : n->frames[node.parent - 1].named;
    }
    mem_free(names);
    find_outermost(n);
    find_sums(n);
}

uint32_t sqlite_nodes_name(const struct sqlite_nodes *n, uint32_t node)
{
    uint32_t named = n->frames[node - 1].named;
    return named == 0 ? n->no_location : n->frames[named - 1].name;
}

/* Puts ID; null for 0. */
static void put_id(struct sqlite_batch *b, uint32_t id)
{
    if (id == 0)
        sqlite_batch_null(b);
    else
        sqlite_batch_integer(b, id);
}

/* Puts the text of FACT; null for 0. */
static void put_fact(struct sqlite_batch *b, const struct sqlite_nodes *n, uint32_t fact)
{
    if (fact == 0)
        sqlite_batch_null(b);
    else
        sqlite_batch_text(b, intern_get(&n->facts, fact));
}

static void write_names(const struct sqlite_nodes *n, struct sqlite_db *d)
{
    struct sqlite_batch b;
    sqlite_batch_open(&b, d, "stored_names", "name_id, name, function_id, package, \"group\"", 5);
    for (uint32_t i = 0; i < n->name_count; i++) {
        sqlite_batch_integer(&b, (int64_t)i + 1);
        sqlite_batch_text(&b, n->names[i].bytes);
        put_id(&b, n->names[i].function);
        put_fact(&b, n, n->names[i].package);
        put_fact(&b, n, n->names[i].group);
        sqlite_batch_end(&b);
    }
    sqlite_batch_close(&b);
}

void sqlite_nodes_write(const struct sqlite_nodes *n, struct sqlite_db *d)
{
    struct sqlite_batch b;
    uint32_t *levels = mem_alloc((size_t)n->stacks->tree.count * sizeof *levels);
    write_names(n, d);
    sqlite_batch_open(&b, d, "nodes",
                      "node_id, parent_id, location_id, name_id, level, sums_id, caller_id, "
                      "repetition, is_outermost_call",
                      9);
    for (uint32_t i = 0; i < n->stacks->tree.count; i++) {
        struct stack_node node = n->stacks->tree.nodes[i];
        const struct sqlite_node_frame *f = &n->frames[i];
        levels[i] = node.parent == 0 ? 1 : levels[node.parent - 1] + 1;
        sqlite_batch_integer(&b, (int64_t)i + 1);
        put_id(&b, node.parent);
        sqlite_batch_integer(&b, node.frame);
        put_id(&b, f->name);
        sqlite_batch_integer(&b, levels[i]);
        sqlite_batch_integer(&b, f->sums);
        put_id(&b, node.parent == 0 ? 0 : n->frames[node.parent - 1].named);
        sqlite_batch_integer(&b, f->repetition);
        sqlite_batch_integer(&b, f->is_outermost_call);
        sqlite_batch_end(&b);
    }
    sqlite_batch_close(&b);
    mem_free(levels);
}

void sqlite_nodes_free(struct sqlite_nodes *n)
{
    intern_free(&n->texts);
    intern_free(&n->facts);
    mem_free(n->names);
    mem_free(n->frames);
}

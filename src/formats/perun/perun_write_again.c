/* Writes a file of Perun again, as it was. */
#include "base/mem.h"
#include "formats/perun/perun_write.h"
#include "rows/text.h"

/* The file being written. */
struct file {
    struct perun_writer *w;
    struct perun_own *own;
    struct perun_printer *p;

    struct perun_own_sample next; /* in the spool, if HAS_NEXT */
    bool has_next;
    struct buf text;     /* of a sample that has been read */
    struct buf *columns; /* of the current resources, as text separated by commas */
    size_t column_capacity;
    struct perun_lookup tails; /* of these */
};

static void print(struct file *f, struct str text)
{
    perun_print(f->p, text);
}

/* Prints a comma if *MORE is set, then sets *MORE. */
static void separate(struct file *f, bool *more)
{
    if (*more)
        print(f, STR(","));
    *more = true;
}

/* --- samples --- */

static void read_head(struct file *f)
{
    f->has_next = spool_read(f->own->spool, &f->next, sizeof f->next);
}

/* Returns the text of the next sample and moves on. */
static struct str read_text(struct file *f)
{
    f->text.n = 0;
    spool_read(f->own->spool, buf_reserve(&f->text, f->next.size + 1), f->next.size);
    f->text.n = f->next.size;
    read_head(f);
    return buf_str(&f->text);
}

/* Prints COUNT resources as a list. */
static void print_list(struct file *f, uint64_t count)
{
    bool more = false;
    print(f, STR("["));
    for (; count > 0; count--) {
        separate(f, &more);
        print(f, read_text(f));
    }
    print(f, STR("]"));
}

/* Appends the values of the next sample to each of COUNT lists. */
static void add_items(struct file *f, size_t count)
{
    struct str rest = read_text(f);
    for (size_t i = 0; i < count && rest.n > 0; i++) {
        const char *end = memchr(rest.p + 1, '\n', rest.n - 1);
        size_t n = end == NULL ? rest.n : (size_t)(end - rest.p);
        buf_add(&f->columns[i], f->columns[i].n > 0 ? STR(",") : STR(""));
        buf_add(&f->columns[i], (struct str){rest.p + 1, n - 1});
        rest.p += n;
        rest.n -= n;
    }
}

/* Prints the lists of the resources of TYPE, which has number NUMBER. */
static void print_lists(struct file *f, const struct perun_own_type *type, uint32_t number)
{
    struct str rest = text_inside(type->columns), name;
    size_t count = 0;
    bool more = false;
    for (; text_next_item(&rest, &name); count++) {
        f->columns =
            mem_array_zeroed(f->columns, &f->column_capacity, count + 1, sizeof *f->columns);
        f->columns[count].n = 0;
    }
    while (f->has_next && f->next.type == number)
        add_items(f, count);
    print(f, STR("{"));
    rest = text_inside(type->columns);
    perun_look(&f->tails, type->tails);
    for (size_t i = 0; text_next_item(&rest, &name); i++) {
        struct str tail = perun_find(&f->tails, text_inside(name));
        separate(f, &more);
        print(f, name);
        print(f, STR(":["));
        print(f, buf_str(&f->columns[i]));
        if (tail.p != NULL && f->columns[i].n > 0)
            print(f, STR(","));
        if (tail.p != NULL)
            print(f, text_inside(tail));
        print(f, STR("]"));
    }
    print(f, STR("}"));
}

static void print_map(struct file *f)
{
    bool more = false;
    print(f, STR("{"));
    for (size_t i = 0; i < f->own->place_count; i++) {
        const struct perun_own_type *type = &f->own->types[f->own->by_place[i] - 1];
        separate(f, &more);
        print(f, type->key);
        print(f, STR(":"));
        print_lists(f, type, f->own->by_place[i]);
    }
    print(f, STR("}"));
}

static void print_types(struct file *f)
{
    bool more = false;
    print(f, STR("{"));
    for (size_t i = 0; i < f->own->type_count; i++) {
        const struct perun_own_type *type = &f->own->types[i];
        if (type->key.p == NULL)
            continue;
        separate(f, &more);
        print(f, type->key);
        print(f, STR(":"));
        print(f, type->members);
    }
    print(f, STR("}"));
}

/* --- items --- */

/* Prints COUNT of ITEMS from number FIRST on, as an object if they have keys; false if there are
 * none. */
static bool print_items(struct file *f, const struct perun_own_items *items, size_t first,
                        size_t count)
{
    bool more = false, is_object = count > 0 && items->items[first].key.p != NULL;
    if (count == 0)
        return false;
    print(f, is_object ? STR("{") : STR("["));
    for (size_t i = first; i < first + count; i++) {
        const struct perun_own_item *item = &items->items[i];
        separate(f, &more);
        if (is_object) {
            print(f, item->key.p == NULL ? STR("\"\"") : item->key);
            print(f, STR(":"));
        }
        print(f, item->value);
    }
    print(f, is_object ? STR("}") : STR("]"));
    return true;
}

/* Prints the value NAME of a snapshot, which is null in its members; false if no row has it. */
static bool print_of_snapshot(struct file *f, struct str name, uint32_t number)
{
    const struct perun_own_snapshot *s = &f->own->snapshots[number];
    if (str_equal(name, STR("models")))
        return print_items(f, &f->own->models, s->model, s->model_count);
    if (!str_equal(name, STR("resources")) || s->samples == 0)
        return false;
    print_list(f, s->samples);
    return true;
}

static void print_snapshot(struct file *f, uint32_t number)
{
    struct str members = f->own->snapshots[number].members, rest = text_inside(members), name,
               value;
    bool more = false;
    if (members.n == 0 || *members.p != '{') {
        print(f, members);
        return;
    }
    print(f, STR("{"));
    while (text_next_member(&rest, &name, &value)) {
        separate(f, &more);
        print(f, (struct str){name.p - 1, name.n + 2}); /* with its quotes */
        print(f, STR(":"));
        if (!str_equal(value, STR("null")) || !print_of_snapshot(f, name, number))
            print(f, value);
    }
    print(f, STR("}"));
}

/* Prints the snapshots that are global (or not) as a list, or as a single value if IS_ONE; false if
 * there are none. */
static bool print_snapshots(struct file *f, bool is_global, bool is_one)
{
    bool more = false;
    for (uint32_t i = 1; i < f->own->snapshot_count; i++) {
        if (f->own->snapshots[i].is_global != is_global)
            continue;
        if (!more)
            print(f, is_one ? STR("") : STR("["));
        separate(f, &more);
        print_snapshot(f, i);
    }
    if (more)
        print(f, is_one ? STR("") : STR("]"));
    return more;
}

/* --- the file --- */

/* Prints the rows that replace the value of NAME; false if the value is not replaced. */
static bool print_hole(struct file *f, struct str name, struct str value)
{
    const struct perun_own *own = f->own;
    if (str_equal(name, STR("global")) && str_equal(value, STR("{}")))
        return print_snapshots(f, true, true);
    if (!str_equal(value, STR("null")))
        return false;
    if (str_equal(name, STR("resources")) && own->place_count > 0) {
        print_map(f);
        return true;
    }
    if (str_equal(name, STR("resource_type_map")) && own->type_count > 0) {
        print_types(f);
        return true;
    }
    if (str_equal(name, STR("snapshots")) || str_equal(name, STR("global")))
        return print_snapshots(f, str_equal(name, STR("global")), false);
    if (str_equal(name, STR("chunks")))
        return print_items(f, &own->chunks, 0, own->chunks.count);
    return print_of_snapshot(f, name, 0);
}

/* The type in the head of a stored object. */
static struct str stored_kind_of(const struct perun_own *own)
{
    static const struct str kinds[] = {STR("memory"), STR("time")};
    struct str type;
    if (own->file.type.p != NULL && text_is_string(own->file.type, &type))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (str_equal(type, kinds[i]))
                return kinds[i];
    return STR("mixed");
}

/* Prints the member NAME, with its quotes, after a comma if *MORE. */
static void print_member(struct file *f, struct str name, struct str value, bool *more)
{
    separate(f, more);
    print(f, name);
    print(f, STR(":"));
    if (!print_hole(f, text_inside(name), value))
        print(f, value);
}

/* The members that Perun puts first when it stores a map, even if they are empty. */
static const struct perun_first {
    struct str name, empty; /* with quotes; the value if there are none */
} first_members[] = {
    {STR("\"resources\""), STR("{}")},
    {STR("\"resource_type_map\""), STR("{}")},
    {STR("\"models\""), STR("[]")},
};

enum { FIRST_COUNT = sizeof first_members / sizeof *first_members };

/* Whether Perun would order the members of the stored file this way. It converts older layouts to a
 * map, which this writer does not do; what it has already stored is in order. */
static bool has_first(const struct perun_writer *w)
{
    const struct perun_own *own = &w->own;
    return w->options.store && own->stored.p == NULL && str_equal(own->layout, STR("map")) &&
           text_member(own->members, STR("snapshots")).p == NULL &&
           text_member(own->members, STR("global")).p == NULL;
}

/* Whether NAME, with quotes, was printed already, or is a member that Perun does not store. */
static bool is_left_out(const struct perun_writer *w, struct str name, bool after_first)
{
    if (w->options.store && str_equal(name, STR("\"origin\"")))
        return true;
    for (size_t i = 0; after_first && i < FIRST_COUNT; i++)
        if (str_equal(name, first_members[i].name))
            return true;
    return false;
}

void perun_own_write(struct perun_writer *w, struct perun_printer *p)
{
    struct file f = {.w = w, .own = &w->own, .p = p};
    struct str rest = text_inside(w->own.members), name, value;
    bool more = false, after_first = has_first(w);
    spool_rewind(w->own.spool);
    read_head(&f);
    w->kind = stored_kind_of(&w->own);
    print(&f, STR("{"));
    for (size_t i = 0; after_first && i < FIRST_COUNT; i++) {
        value = text_member(w->own.members, text_inside(first_members[i].name));
        print_member(&f, first_members[i].name, value.p == NULL ? first_members[i].empty : value,
                     &more);
    }
    while (text_next_member(&rest, &name, &value)) {
        struct str quoted = {name.p - 1, name.n + 2};
        if (!is_left_out(w, quoted, after_first))
            print_member(&f, quoted, value, &more);
    }
    print(&f, STR("}"));
    for (size_t i = 0; i < f.column_capacity; i++)
        buf_free(&f.columns[i]);
    mem_free(f.columns);
    perun_lookup_free(&f.tails);
    buf_free(&f.text);
}

#include "filters/agg_extras.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

#include <stdlib.h>

/* So many texts are remembered. */
enum { MEMO = 8192 };

/* Whether LABEL, an item of `.labels`, goes. */
static bool is_dropped(const struct agg_options *o, struct str label)
{
    if (!o->drops_labels || o->key_count == 0)
        return o->drops_labels;
    struct buf key = {0};
    bool found = false;
    text_inner_bytes(&key, text_member(label, STR("key")));
    for (size_t i = 0; i < o->key_count && !found; i++)
        found = str_equal(o->keys[i], buf_str(&key));
    buf_free(&key);
    return found;
}

/* Appends `.labels`, whose labels are ITEMS, to TO. */
static void add_labels(struct buf *to, const struct str *items, size_t count)
{
    emit_member(to, STR(".labels"));
    for (size_t i = 0; i < count; i++) {
        buf_add(to, i == 0 ? STR("[") : STR(","));
        buf_add(to, items[i]);
    }
    buf_add(to, STR("]"));
}

static void read_labels(struct agg_extras *e, const struct agg_options *o, struct members walk,
                        const struct member *m)
{
    struct str items = text_inside(m->value), item;
    members_check_inside(&walk, m);
    while (text_next_item(&items, &item)) {
        if (is_dropped(o, item))
            continue;
        e->labels = mem_array(e->labels, &e->label_capacity, e->label_count + 1, sizeof *e->labels);
        e->labels[e->label_count++] = item;
    }
    if (e->label_count > 0)
        add_labels(&e->text, e->labels, e->label_count);
}

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Makes e->text what COLUMNS come to, and e->key what tells that from others: labels in the order of bytes,
 * behind what is no label. */
static void read_columns(struct agg_extras *e, const struct agg_options *o, struct str columns,
                         struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = columns};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    e->text.n = e->key.n = e->label_count = 0;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_LABELS) {
            read_labels(e, o, walk, &m);
        } else if (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag) {
            emit_member(&e->text, m.name);
            buf_add(&e->text, m.value);
            emit_member(&e->key, m.name);
            buf_add(&e->key, m.value);
        }
    }
    if (e->label_count > 1)
        qsort(e->labels, e->label_count, sizeof *e->labels, by_bytes);
    if (e->label_count > 0)
        add_labels(&e->key, e->labels, e->label_count);
}

/* The number of the set that is in e->text and e->key. */
static uint32_t set_of(struct agg_extras *e)
{
    bool is_new;
    if (e->text.n == 0)
        return 0;
    uint32_t set = intern_add(&e->keys, buf_str(&e->key), &is_new);
    e->columns = mem_array(e->columns, &e->column_capacity, set, sizeof *e->columns);
    if (is_new)
        e->columns[set - 1] = str_equal(buf_str(&e->key), buf_str(&e->text))
                                  ? intern_get(&e->keys, set)
                                  : arena_copy(&e->arena, buf_str(&e->text));
    return set;
}

uint32_t agg_extras_add(struct agg_extras *e, const struct agg_options *options, struct str columns,
                        struct place where)
{
    bool is_new;
    if (columns.n == 0)
        return 0;
    if (e->texts.count == MEMO && intern_find(&e->texts, columns) == 0)
        intern_free(&e->texts);
    uint32_t text = intern_add(&e->texts, columns, &is_new);
    e->sets = mem_array(e->sets, &e->set_capacity, text, sizeof *e->sets);
    if (is_new) {
        read_columns(e, options, columns, where);
        e->sets[text - 1] = set_of(e);
    }
    return e->sets[text - 1];
}

void agg_extras_free(struct agg_extras *e)
{
    intern_free(&e->texts);
    intern_free(&e->keys);
    arena_free(&e->arena);
    mem_free(e->sets);
    mem_free(e->columns);
    mem_free(e->labels);
    buf_free(&e->text);
    buf_free(&e->key);
}

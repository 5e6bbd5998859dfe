#include "formats/sqlite/sqlite_labels.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/text.h"

void sqlite_labels_open(struct sqlite_labels *t, struct sqlite_db *d)
{
    sqlite_batch_open(&t->rows, d, "stored_labels", "labels_id, position, \"key\", str, num, unit",
                      6);
}

/* Appends BYTES in quotes; returns whether text can show them all. */
static bool emit_shown(struct buf *to, struct str bytes)
{
    buf_add(to, STR("\""));
    bool is_shown = text_escape(to, bytes);
    buf_add(to, STR("\""));
    return is_shown;
}

bool sqlite_labels_emit(struct buf *list, const struct sqlite_label *l)
{
    buf_add(list, list->n == 0 ? STR("[{\"key\":") : STR(",{\"key\":"));
    bool is_shown = emit_shown(list, l->key);
    if (l->string.p != NULL) {
        emit_member(list, STR("str"));
        is_shown &= emit_shown(list, l->string);
    }
    if (l->has_number) {
        emit_member(list, STR("num"));
        emit_number(list, l->number);
    }
    if (l->unit.p != NULL) {
        emit_member(list, STR("unit"));
        is_shown &= emit_shown(list, l->unit);
    }
    buf_add(list, STR("}"));
    return is_shown;
}

/* --- a label --- */

/* Sets *TO to the bytes of VALUE, if it is a string or bytes that text cannot show; these become
 * U+FFFD, as in tables. They are kept in ROOM. */
static void take_text(struct str *to, struct buf *room, struct str value)
{
    struct buf valid = {0};
    if (value.p[0] != '"' && value.p[0] != '{')
        return;
    room->n = 0;
    text_inner_bytes(room, value);
    const struct str shown = text_valid(&valid, buf_str(room));
    if (shown.p != room->p) {
        room->n = 0;
        buf_add(room, shown);
    }
    buf_free(&valid);
    buf_reserve(room, 1); /* an empty text is no null */
    *to = (struct str){room->p, room->n};
}

/* Takes the label in ITEM; false if it is none. */
static bool take_label(struct sqlite_labels *t, struct str item, struct sqlite_label *l)
{
    struct str inside = text_inside(item), name, value;
    *l = (struct sqlite_label){0};
    while (item.p[0] == '{' && text_next_member(&inside, &name, &value)) {
        if (str_equal(name, STR("key")))
            take_text(&l->key, &t->key, value);
        else if (str_equal(name, STR("str")))
            take_text(&l->string, &t->string, value);
        else if (str_equal(name, STR("unit")))
            take_text(&l->unit, &t->unit, value);
        else if (str_equal(name, STR("num")))
            l->has_number = text_is_integer(value, &l->number);
    }
    return l->key.p != NULL && (l->string.p != NULL || l->has_number);
}

static void put_text(struct sqlite_batch *b, struct str text)
{
    if (text.p == NULL)
        sqlite_batch_null(b);
    else
        sqlite_batch_text(b, text);
}

static void put_label(struct sqlite_batch *b, uint32_t set, int64_t position,
                      const struct sqlite_label *l)
{
    sqlite_batch_integer(b, set);
    sqlite_batch_integer(b, position);
    put_text(b, l->key);
    put_text(b, l->string);
    if (l->has_number)
        sqlite_batch_integer(b, l->number);
    else
        sqlite_batch_null(b);
    put_text(b, l->unit);
    sqlite_batch_end(b);
}

/* --- sets --- */

/* Stores LIST as a new set. */
static struct sqlite_label_set store(struct sqlite_labels *t, struct str list)
{
    struct str items = text_inside(list), item;
    struct sqlite_label l;
    int64_t position = 0;
    bool is_shown = true;
    t->again.n = 0;
    while (list.p[0] == '[' && text_next_item(&items, &item)) {
        if (!take_label(t, item, &l))
            continue;
        put_label(&t->rows, t->count + 1, ++position, &l);
        is_shown &= sqlite_labels_emit(&t->again, &l);
    }
    if (position == 0)
        return (struct sqlite_label_set){0};
    buf_add(&t->again, STR("]"));
    return (struct sqlite_label_set){++t->count, is_shown && str_equal(buf_str(&t->again), list)};
}

struct sqlite_label_set sqlite_labels_add(struct sqlite_labels *t, struct str list)
{
    enum { MAX = 2 << 20 }; /* bytes */
    uint32_t number = intern_find(&t->texts, list);
    if (number != 0)
        return t->sets[number - 1];
    struct sqlite_label_set set = store(t, list);
    if (t->size + list.n > MAX)
        return set;
    t->size += list.n;
    number = intern_add(&t->texts, list, NULL);
    t->sets = mem_array(t->sets, &t->set_capacity, number, sizeof *t->sets);
    t->sets[number - 1] = set;
    return set;
}

void sqlite_labels_close(struct sqlite_labels *t)
{
    sqlite_batch_close(&t->rows);
    intern_free(&t->texts);
    mem_free(t->sets);
    BUF_FREE(&t->key, &t->string, &t->unit, &t->again);
}

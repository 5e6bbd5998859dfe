#include "filters/agg_extras.h"

#include "base/mem.h"
#include "base/order.h"
#include "profile/label_key.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/sample.h"
#include "rows/text.h"

/* Max number of texts in the cache. */
enum { MEMO = 8192 };

/* How many keys that were named are looked for; what is not found may be misspelled. */
enum { FOUND = 64 };

/* The keys that options name, to drop or to keep. */
static const struct agg_keys *named_keys(const struct agg_options *o)
{
    return o->kept.count > 0 ? &o->kept : &o->dropped;
}

/* Whether LABEL, an item of `.labels`, is dropped. */
static bool is_dropped(struct agg_extras *e, const struct agg_options *o, struct str label)
{
    const struct agg_keys *named = named_keys(o);
    if (named->count == 0)
        return o->drops_labels;
    struct buf key = {0};
    text_inner_bytes(&key, text_member(label, STR("key")));
    size_t i = 0;
    while (i < named->count && !str_equal(named->items[i], buf_str(&key)))
        i++;
    if (i < named->count)
        e->found |= UINT64_C(1) << (i < FOUND ? i : FOUND - 1);
    else if (e->others.count < LABEL_KEY_NAMED)
        intern_add(&e->others, buf_str(&key), NULL);
    buf_free(&key);
    return (i < named->count) == (named == &o->dropped);
}

/* Stores the labels in M, of WALK, that are kept. */
static void read_labels(struct agg_extras *e, const struct agg_options *o, struct members walk,
                        const struct member *m)
{
    struct str items = text_inside(m->value), item;
    members_check_inside(&walk, m);
    while (text_next_item(&items, &item)) {
        if (is_dropped(e, o, item))
            continue;
        e->labels = mem_array(e->labels, &e->label_capacity, e->label_count + 1, sizeof *e->labels);
        e->labels[e->label_count++] = item;
    }
}

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Appends `.labels` to e->columns, if there are any. */
static void add_labels(struct agg_extras *e)
{
    if (e->label_count == 0)
        return;
    order_items(e->labels, e->label_count, sizeof *e->labels, by_bytes);
    emit_member(&e->columns, STR(".labels"));
    for (size_t i = 0; i < e->label_count; i++) {
        buf_add(&e->columns, i == 0 ? STR("[") : STR(","));
        buf_add(&e->columns, e->labels[i]);
    }
    buf_add(&e->columns, STR("]"));
}

/* Parses COLUMNS, which is not in e->texts, and returns its set. */
static uint32_t read_columns(struct agg_extras *e, const struct agg_options *o, struct str columns,
                             struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = columns};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    e->columns.n = e->label_count = 0;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_LABELS) {
            read_labels(e, o, walk, &m);
        } else if (m.id != MEMBER_ID_TIME &&
                   (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag)) {
            emit_member(&e->columns, m.name);
            buf_add(&e->columns, m.value);
        }
    }
    add_labels(e);
    return e->columns.n == 0 ? 0 : intern_add(&e->distinct, buf_str(&e->columns), NULL);
}

uint32_t agg_extras_add(struct agg_extras *e, const struct agg_options *options, struct str columns,
                        struct place where)
{
    bool is_new;
    int64_t time;
    if (sample_take_time(&columns, &time)) /* the samples that become one have different times */
        loss_add_column(&(struct row){.table = TABLE_SAMPLES}, STR(".time"));
    if (columns.n == 0)
        return 0;
    if (e->texts.count == MEMO && intern_find(&e->texts, columns) == 0)
        intern_free(&e->texts);
    uint32_t text = intern_add(&e->texts, columns, &is_new);
    e->sets = mem_array(e->sets, &e->set_capacity, text, sizeof *e->sets);
    if (is_new)
        e->sets[text - 1] = read_columns(e, options, columns, where);
    return e->sets[text - 1];
}

void agg_extras_warn(const struct agg_extras *e, const struct agg_options *options)
{
    const struct agg_keys *named = named_keys(options);
    struct buf text = {0};
    for (size_t i = 0; i < named->count && i < FOUND; i++) {
        if ((e->found & UINT64_C(1) << i) != 0)
            continue;
        text.n = 0;
        text_escape(&text, named->items[i]);
        buf_add(&text, STR("\""));
        label_key_add_others(&e->others, &text);
        warn(CODE_NO_MATCH, "--%s-labels: no sample has a label \"%.*s",
             named == &options->kept ? "keep" : "ignore", STR_ARG(buf_str(&text)));
    }
    buf_free(&text);
}

void agg_extras_free(struct agg_extras *e)
{
    intern_free(&e->texts);
    intern_free(&e->distinct);
    intern_free(&e->others);
    mem_free(e->sets);
    mem_free(e->labels);
    buf_free(&e->columns);
}

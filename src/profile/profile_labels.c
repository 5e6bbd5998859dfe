/* The labels of samples. */
#include "base/mem.h"
#include "profile/profile.h"
#include "rows/loss.h"
#include "rows/sample.h"
#include "rows/text.h"

/* The maximum number of texts in the cache, and of bytes in each. */
enum { MEMO = 8192, TEXT_MAX = 1024 };

struct profile_memo_item {
    uint32_t set;       /* 0: not requested yet, or the empty set */
    size_t begin, size; /* the range of the labels, in bytes */
};

/* Passes MEMBER of ROW, a sample, to the user of P, who may set *OTHER. */
static bool keep(struct profile *p, const struct row *row, const struct member *m, uint32_t *other)
{
    return p->keep != NULL && p->keep(p->user, row, m, other);
}

static void add_label(struct profile *p, struct label label)
{
    buf_add(&p->memo.labels, (struct str){(char *)&label, sizeof label});
}

/* Reads LABEL, one item of `.labels` of ROW. */
static void read_label(struct profile *p, const struct row *row, struct members label)
{
    struct label l = {0};
    struct member m;
    while (members_next(&label, &m))
        switch (m.id) {
        case MEMBER_ID_KEY: l.key = profile_string(p, profile_inner_bytes(p, m.value)); break;
        case MEMBER_ID_STR: /* an empty string differs from none */
            l.string = intern_add(&p->strings, profile_inner_bytes(p, m.value), NULL);
            break;
        case MEMBER_ID_NUM: l.number = m.integer; break;
        case MEMBER_ID_UNIT: l.unit = profile_string(p, profile_inner_bytes(p, m.value)); break;
        default:
            if (!keep(p, row, &m, &l.other))
                loss_add_inside(row, label.column, m.name);
        }
    add_label(p, l);
}

/* Parses the labels in TEXT and appends them to the cache. */
static void read_labels(struct profile *p, struct str text, struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = text};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    uint32_t other = 0;
    while (members_next(&walk, &m)) {
        struct str items = text_inside(m.value), item;
        if (m.id == MEMBER_ID_LABELS)
            while (text_next_item(&items, &item))
                read_label(p, &row, members_inside(&walk, &m, item));
        else if (!(m.id == MEMBER_ID_TRUNCATED && !m.flag) && !keep(p, &row, &m, &other))
            loss_add_column(&row, m.name);
    }
    if (other != 0)
        add_label(p, (struct label){.key = LABELS_NO_KEY, .other = other});
}

/* The labels of TEXT, from the cache or parsed; valid at least until the next call. */
static struct profile_memo_item *recall(struct profile *p, struct str text, struct place where)
{
    struct profile_memo *memo = &p->memo;
    uint32_t known = intern_find(&memo->texts, text);
    if (known != 0)
        return &memo->items[known - 1];
    if (memo->texts.count >= MEMO) {
        intern_free(&memo->texts);
        memo->labels.n = 0;
    }
    /* labels that were not cached still follow those of the last cached text */
    const struct profile_memo_item *last =
        memo->texts.count == 0 ? NULL : &memo->items[memo->texts.count - 1];
    size_t begin = memo->labels.n = last == NULL ? 0 : last->begin + last->size;
    uint64_t dropped = loss_total(), count = memo->texts.count;
    read_labels(p, text, where);
    if (text.n <= TEXT_MAX &&
        loss_total() == dropped) /* not cached after a loss: each loss counts */
        count = intern_add(&memo->texts, text, NULL) - 1;
    memo->items = mem_array(memo->items, &memo->capacity, count + 1, sizeof *memo->items);
    memo->items[count] = (struct profile_memo_item){0, begin, memo->labels.n - begin};
    return &memo->items[count];
}

/* The labels of ITEM. */
static struct str labels_of(const struct profile *p, const struct profile_memo_item *item)
{
    return (struct str){buf_str(&p->memo.labels).p + item->begin, item->size};
}

/* Takes the time off TEXT, which would keep it from the cache. */
static void take_time(struct profile *p, struct str *text)
{
    const struct row row = {.table = TABLE_SAMPLES};
    struct member m = {.id = MEMBER_ID_TIME, .name = STR(".time"), .kind = MEMBER_INTEGER};
    uint32_t other = 0;
    if (sample_take_time(text, &m.integer) && !keep(p, &row, &m, &other))
        loss_add_column(&row, m.name);
}

struct str profile_labels(struct profile *p, struct str text, struct place where)
{
    take_time(p, &text);
    return text.n == 0 ? STR("") : labels_of(p, recall(p, text, where));
}

uint32_t profile_label_set(struct profile *p, struct str text, struct place where)
{
    take_time(p, &text);
    if (text.n == 0)
        return 0;
    struct profile_memo_item *item = recall(p, text, where);
    if (item->set == 0 && item->size > 0)
        item->set = labels_add(&p->labels, labels_of(p, item));
    return item->set;
}

void profile_free_memo(struct profile *p)
{
    intern_free(&p->memo.texts);
    mem_free(p->memo.items);
    buf_free(&p->memo.labels);
}

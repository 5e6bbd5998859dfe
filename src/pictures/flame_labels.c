#include "pictures/flame_labels.h"

#include "base/limits.h"
#include "base/mem.h"
#include "rows/loss.h"

/* The values of the labels that have one key, a string of the profile. */
struct key {
    uint32_t string;
    size_t value_count; /* counted until there are too many */
};

struct reducer {
    const struct profile *profile;
    struct intern numbers; /* of keys: their strings */
    struct key *keys;      /* by number - 1 */
    size_t capacity;
    struct intern values; /* struct label */
    struct buf set;
};

static struct key *key_of(struct reducer *r, const struct label *l)
{
    bool is_new;
    const uint32_t number =
        intern_add(&r->numbers, (struct str){(const char *)&l->key, sizeof l->key}, &is_new);
    r->keys = mem_array(r->keys, &r->capacity, number, sizeof *r->keys);
    if (is_new)
        r->keys[number - 1] = (struct key){.string = l->key};
    return &r->keys[number - 1];
}

static bool has_too_many(const struct key *key)
{
    return key->value_count > LIMITS_PICTURE_VALUES;
}

static void count_value(struct reducer *r, const struct label *l)
{
    struct key *key = key_of(r, l);
    bool is_new;
    if (has_too_many(key))
        return;
    intern_add(&r->values, (struct str){(const char *)l, sizeof *l}, &is_new);
    key->value_count += is_new;
}

static void count_values(struct reducer *r)
{
    const struct labels *labels = &r->profile->labels;
    for (uint32_t set = 1; set <= labels->sets.count; set++) {
        size_t count;
        const struct label *items = labels_get(labels, set, &count);
        for (size_t i = 0; i < count; i++)
            count_value(r, &items[i]);
    }
    for (uint32_t i = 0; i < r->numbers.count; i++)
        if (has_too_many(&r->keys[i]))
            loss_add(LOSS_LABEL_VALUES, profile_string_of(r->profile, r->keys[i].string), 1);
}

/* The number in F->labels of the set SET of the profile, without what is left out. */
static uint32_t reduced(struct reducer *r, struct flame *f, uint32_t set)
{
    size_t count;
    const struct label *items = labels_get(&r->profile->labels, set, &count);
    r->set.n = 0;
    for (size_t i = 0; i < count; i++)
        if (!has_too_many(key_of(r, &items[i])))
            buf_add(&r->set, (struct str){(const char *)&items[i], sizeof items[i]});
    return r->set.n == 0 ? 0 : labels_add(&f->labels, buf_str(&r->set));
}

uint32_t *flame_labels_make(struct flame *f)
{
    const struct collect *c = &f->sides->collect;
    const size_t count = c->keeps_labels ? c->sets.count : sides_known(f->sides);
    struct reducer r = {.profile = &c->profile};
    uint32_t *set_of = mem_alloc((count + 1) * sizeof *set_of);
    count_values(&r);
    for (uint32_t i = 0; i <= count; i++) {
        struct collect_set set = {.run = i};
        if (c->keeps_labels && i > 0) {
            memcpy(&set, intern_get(&c->sets, i).p, sizeof set);
            set.labels = reduced(&r, f, set.labels);
        }
        set_of[i] = intern_add(&f->sets, (struct str){(char *)&set, sizeof set}, NULL);
    }
    intern_free(&r.numbers);
    intern_free(&r.values);
    mem_free(r.keys);
    buf_free(&r.set);
    return set_of;
}

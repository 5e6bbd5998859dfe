#include "profile/label_key.h"

#include "rows/emit.h"
#include "rows/text.h"

void label_key_add_value(const struct profile *p, const struct label *l, struct buf *to)
{
    if (l->string != 0) {
        buf_add(to, profile_string_of(p, l->string));
        return;
    }
    emit_number(to, l->number);
    buf_add(to, l->unit != 0 ? STR(" ") : STR(""));
    buf_add(to, profile_string_of(p, l->unit));
}

bool label_key_add(struct label_key *k, const struct profile *p, struct str labels, struct buf *to)
{
    const struct label *items = (const struct label *)(const void *)labels.p;
    bool has_one = false;
    for (size_t i = 0; i < labels.n / sizeof *items; i++) {
        struct str key = profile_string_of(p, items[i].key);
        if (!str_equal(key, k->key)) {
            if (!k->is_found && k->others.count < LABEL_KEY_NAMED)
                intern_add(&k->others, key, NULL);
            continue;
        }
        buf_add(to, has_one ? STR(",") : STR(""));
        label_key_add_value(p, &items[i], to);
        has_one = k->is_found = true;
    }
    return has_one;
}

void label_key_add_others(const struct intern *names, struct buf *to)
{
    for (uint32_t i = 1; i <= names->count; i++) {
        buf_add(to, i > 1 ? STR(", ") : STR("; there are: "));
        text_escape(to, intern_get(names, i));
    }
}

/* What is said of K where no sample has it. */
static void add_missing(const struct label_key *k, struct buf *to)
{
    buf_add(to, STR("no sample has a label \""));
    text_escape(to, k->key);
    buf_add(to, STR("\""));
    label_key_add_others(&k->others, to);
}

void label_key_warn(const struct label_key *k)
{
    struct buf text = {0};
    if (k->is_found)
        return;
    add_missing(k, &text);
    warn(CODE_NO_MATCH, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

void label_key_miss(const struct label_key *k, const char *option, enum code code)
{
    struct buf text = {0};
    add_missing(k, &text);
    die(code, "%s%.*s", option, STR_ARG(buf_str(&text)));
}

void label_key_free(struct label_key *k)
{
    intern_free(&k->others);
}

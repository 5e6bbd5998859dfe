/* Shortens names together: those that differ look different. */
#include "base/intern.h"
#include "base/mem.h"
#include "base/shorten.h"
#include "base/width.h"

#include <stdio.h>

#define MARK STR("…")

/* What names look like. */
struct look {
    uint32_t name;  /* the first name that looks so */
    size_t shared;  /* bytes that all of its names begin with */
    bool is_shared; /* several look so */
};

struct looks {
    struct intern names, texts; /* distinct names; texts that names look like, taken for good */
    struct look *items;         /* by number of the text - 1 */
    uint32_t *of;               /* by number of the name - 1 */
    size_t item_capacity, name_capacity;
    size_t max; /* columns */
    bool are_names;
    unsigned last_number; /* that parts names alike */
    struct buf text;
};

/* --- which look alike --- */

/* The number of bytes that A and B begin with, in whole characters. */
static size_t shared_size(struct str a, struct str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    while (n > 0 && n < a.n && (a.p[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void add_look(struct looks *l, uint32_t name, struct str text)
{
    bool is_new;
    const uint32_t number = intern_add(&l->texts, text, &is_new);
    const struct str whole = intern_get(&l->names, name);
    l->items = mem_array_zeroed(l->items, &l->item_capacity, number, sizeof *l->items);
    struct look *look = &l->items[number - 1];
    if (is_new) {
        *look = (struct look){.name = name, .shared = whole.n};
    } else {
        const size_t n = shared_size(intern_get(&l->names, look->name), whole);
        look->shared = n < look->shared ? n : look->shared;
        look->is_shared = true;
    }
    l->of = mem_array(l->of, &l->name_capacity, name, sizeof *l->of);
    l->of[name - 1] = number;
}

/* --- other looks --- */

static size_t columns_of(struct str text)
{
    return width_of(text, SIZE_MAX, NULL);
}

/* Appends the start of TEXT, at most MAX columns, with a mark if that is not all. */
static void add_start(struct buf *to, struct str text, size_t max)
{
    size_t fits;
    width_of(text, max, &fits);
    buf_add(to, (struct str){text.p, fits});
    buf_add(to, fits < text.n ? MARK : STR(""));
}

/* The start of NAME, and all of it from byte SHARED on; false if there is no room. */
static bool show_end(struct looks *l, struct str name, size_t shared)
{
    const struct str end = {name.p + shared, name.n - shared};
    const size_t room = l->max - 1, columns = columns_of(end);
    if (columns == 0 || columns > room * 3 / 5)
        return false;
    add_start(&l->text, (struct str){name.p, shared}, room - columns);
    buf_add(&l->text, end);
    return true;
}

/* The end of NAME alone; false if what differs is not in it. */
static bool show_end_only(struct looks *l, struct str name, size_t shared)
{
    const size_t columns = columns_of(name), room = l->max - 1;
    size_t cut;
    width_of(name, columns > room ? columns - room : 0, &cut);
    if (cut == 0 || cut > shared || columns_of((struct str){name.p + cut, name.n - cut}) > room)
        return false;
    buf_add(&l->text, MARK);
    buf_add(&l->text, (struct str){name.p + cut, name.n - cut});
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* What begins with the word that differs, and the end of NAME; false if that is all of NAME. */
static bool show_word(struct looks *l, struct str name, size_t shared)
{
    while (shared > 0 && is_word(name.p[shared - 1]))
        shared--;
    const struct str rest = {name.p + shared, name.n - shared};
    const size_t room = l->max - 2, columns = columns_of(rest), after = room * 2 / 5;
    size_t cut;
    width_of(rest, columns > after ? columns - after : 0, &cut);
    const struct str end = {rest.p + cut, rest.n - cut};
    if (shared == 0 || columns <= room || columns_of(end) > after)
        return false;
    buf_add(&l->text, MARK);
    add_start(&l->text, rest, room - after);
    buf_add(&l->text, end);
    return true;
}

/* The start of NAME, and what follows byte SHARED. */
static bool show_middle(struct looks *l, struct str name, size_t shared)
{
    const size_t room = l->max - 2, before = room * 2 / 5;
    add_start(&l->text, (struct str){name.p, shared}, before);
    add_start(&l->text, (struct str){name.p + shared, name.n - shared}, room - before);
    return true;
}

/* Finds a look that no other name has for NAME, whose first bytes, SHARED, others have, too. Texts
 * that are no names say most at their start. */
static void find_look(struct looks *l, uint32_t name, size_t shared)
{
    static bool (*const ways[])(struct looks * l, struct str name,
                                size_t shared) = {show_end, show_end_only, show_word, show_middle};
    static bool (*const text_ways[])(struct looks * l, struct str name, size_t shared) = {
        show_end, show_middle, show_word, show_end_only};
    const struct str whole = intern_get(&l->names, name);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        l->text.n = 0;
        if ((l->are_names ? ways : text_ways)[i](l, whole, shared) &&
            intern_find(&l->texts, buf_str(&l->text)) == 0) {
            add_look(l, name, buf_str(&l->text));
            return;
        }
    }
    char number[16];
    do { /* numbers go on over all names: to begin anew would try all of one start for each */
        l->text.n = 0;
        add_start(&l->text, whole, l->max / 2);
        buf_add(&l->text, (struct str){number, (size_t)snprintf(number, sizeof number, "#%u",
                                                                ++l->last_number)});
    } while (intern_find(&l->texts, buf_str(&l->text)) != 0);
    add_look(l, name, buf_str(&l->text));
}

static void part(struct looks *l)
{
    const uint32_t alike = l->texts.count;
    for (uint32_t name = 1; name <= l->names.count; name++) {
        const uint32_t number = l->of[name - 1];
        if (number <= alike && l->items[number - 1].is_shared)
            find_look(l, name, l->items[number - 1].shared);
    }
}

/* --- the list --- */

void shorten_end(struct shorten_list *l)
{
    l->ends = mem_array(l->ends, &l->capacity, l->count + 1, sizeof *l->ends);
    l->ends[l->count++] = l->text.n;
}

void shorten_all(struct shorten_list *l, size_t max,
                 void (*how)(struct buf *to, struct str name, size_t max))
{
    struct looks looks = {.max = max > SHORTEN_MIN ? max : SHORTEN_MIN,
                          .are_names = how == shorten_add_name,
                          .last_number = 1};
    struct shorten_list shown = {0};
    for (size_t i = 0; i < l->count; i++) {
        bool is_new;
        const uint32_t name = intern_add(&looks.names, shorten_at(l, i), &is_new);
        if (!is_new)
            continue;
        looks.text.n = 0;
        how(&looks.text, shorten_at(l, i), looks.max);
        add_look(&looks, name, buf_str(&looks.text));
    }
    part(&looks);
    for (size_t i = 0; i < l->count; i++) {
        const uint32_t name = intern_find(&looks.names, shorten_at(l, i));
        buf_add(&shown.text, intern_get(&looks.texts, looks.of[name - 1]));
        shorten_end(&shown);
    }
    shorten_free(l);
    *l = shown;
    mem_free(looks.items);
    mem_free(looks.of);
    intern_free(&looks.names);
    intern_free(&looks.texts);
    buf_free(&looks.text);
}

struct str shorten_at(const struct shorten_list *l, size_t i)
{
    const size_t begin = i > 0 ? l->ends[i - 1] : 0;
    return (struct str){buf_str(&l->text).p + begin, l->ends[i] - begin};
}

void shorten_free(struct shorten_list *l)
{
    buf_free(&l->text);
    mem_free(l->ends);
    *l = (struct shorten_list){0};
}

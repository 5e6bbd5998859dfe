/* What is written of a profile in a file of the Firefox Profiler, in its order. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/firefox/firefox_write.h"
#include "profile/naming.h"

/* The position of ITEM, a number from 1 in the order of rows, in LIST; it is appended if it is not
 * there. */
static uint32_t listed(struct firefox_list *list, uint32_t item, bool *is_new)
{
    uint32_t number = idmap_get(&list->numbers, item);
    *is_new = number == 0;
    if (number == 0) {
        list->items = mem_array(list->items, &list->capacity, list->count + 1, sizeof *list->items);
        list->items[list->count++] = item;
        number = (uint32_t)list->count;
        idmap_put(&list->numbers, item, number);
    }
    return number - 1;
}

/* Strings are listed with their number plus 1: 0 is the empty string. */
static void list_string(struct firefox_writer *w, uint32_t string)
{
    bool is_new;
    listed(&w->out_strings, string + 1, &is_new);
}

/* Lists the category and the part of FRAME. */
static void list_category(struct firefox_writer *w, const struct firefox_frame *frame)
{
    bool is_new;
    uint32_t name = frame->category == 0 ? w->other : frame->category,
             id = firefox_key_of(&w->category_keys, name, 0, &is_new);
    w->categories = mem_array(w->categories, &w->category_capacity, id, sizeof *w->categories);
    struct firefox_out_category *c = &w->categories[id - 1];
    if (is_new)
        *c = (struct firefox_out_category){.name = name};
    uint32_t part = frame->part == 0 ? 0 : firefox_key_of(&w->part_keys, id, frame->part, &is_new);
    if (part == 0 || !is_new)
        return;
    w->parts = mem_array(w->parts, &w->part_capacity, part, sizeof *w->parts);
    w->parts[part - 1] = (struct firefox_part){.name = frame->part, .number = ++c->count};
    *(c->last == 0 ? &c->first : &w->parts[c->last - 1].next) = part;
    c->last = part;
}

static void list_frame(struct firefox_writer *w, uint32_t number)
{
    bool is_new;
    const struct firefox_frame *frame = firefox_frame_at(w, number);
    listed(&w->out_frames, number, &is_new);
    if (!is_new)
        return;
    list_category(w, frame);
    const struct firefox_func *func = firefox_func_at(w, frame->func);
    listed(&w->out_funcs, frame->func, &is_new);
    if (!is_new)
        return;
    list_string(w, func->name);
    if (func->file != 0) {
        listed(&w->out_files, func->file, &is_new);
        list_string(w, func->file - 1);
    }
    if (func->mapping != 0) {
        listed(&w->out_libs, func->mapping, &is_new);
        list_string(
            w, profile_string(&w->profile,
                              naming_base_name(profile_string_of(
                                  &w->profile, w->profile.mappings[func->mapping - 1].filename))));
    }
}

/* Lists the stack NUMBER, after those above it. */
static void list_stack(struct firefox_writer *w, uint32_t number)
{
    size_t count = 0;
    bool is_new;
    for (uint32_t n = number; n != 0 && idmap_get(&w->out_stacks.numbers, n) == 0;
         n = firefox_stack_at(w, n)->parent) {
        w->open = mem_array(w->open, &w->open_capacity, count + 1, sizeof *w->open);
        w->open[count++] = n;
    }
    while (count > 0) {
        uint32_t n = w->open[--count];
        listed(&w->out_stacks, n, &is_new);
        list_frame(w, firefox_stack_at(w, n)->frame);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct firefox_record *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Adds up the RECORDS of T that have one time: they are parts of one level. */
static void add_equal_times(struct firefox_record *records, struct firefox_out_track *t)
{
    size_t count = 1;
    for (size_t i = 1; i < t->count; i++)
        if (records[i].time == records[count - 1].time)
            decimal_add(&records[count - 1].weight, records[i].weight);
        else
            records[count++] = records[i];
    t->count = count;
}

/* Puts the samples of T in the order of their times: the Profiler skips those that go back. */
static void sort_track(struct firefox_writer *w, struct firefox_out_track *t)
{
    struct firefox_record *records = mem_alloc(t->count * sizeof *records);
    struct spools_walk walk = {.strand = t->strand};
    spools_read(w->spools, &walk, records, t->count * sizeof *records);
    spools_leave(&walk);
    order_items(records, t->count, sizeof *records, by_time);
    if (firefox_is_counter(t))
        add_equal_times(records, t);
    t->strand = spools_begin(w->spools);
    spools_write(w->spools, t->strand,
                 (struct str){(const char *)records, t->count * sizeof *records});
    mem_free(records);
    t->falls = false;
}

static int by_place(const void *a, const void *b, void *with)
{
    const struct firefox_writer *w = with;
    const struct firefox_out_track *x = a, *y = b;
    const struct firefox_entry *of_x = &w->entries[x->entry], *of_y = &w->entries[y->entry];
    if (of_x->source != of_y->source)
        return of_x->source < of_y->source ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (of_x->number > of_y->number) - (of_x->number < of_y->number);
}

/* Orders the entries of each source by their numbers. */
static void order_entries(struct firefox_writer *w)
{
    size_t first = 0;
    w->order = mem_alloc((w->entry_count + 1) * sizeof *w->order);
    for (size_t i = 0; i < w->source_count; i++) {
        w->sources[i].first = first;
        first += w->sources[i].types;
    }
    for (uint32_t i = 0; i < w->entry_count; i++)
        w->order[w->sources[w->entries[i].source - 1].first + w->entries[i].number - 1] = i;
}

void firefox_list(struct firefox_writer *w)
{
    uint32_t lanes = 0;
    struct firefox_record record;
    order_entries(w);
    w->other = profile_string(&w->profile, STR("Other"));
    list_category(w, &(struct firefox_frame){0});
    for (size_t i = 0; i < w->track_count; i++)
        if (w->tracks[i].falls)
            sort_track(w, &w->tracks[i]);
    order_items_with(w->tracks, w->track_count, sizeof *w->tracks, by_place, w);
    for (size_t i = 0; i < w->track_count; i++) {
        struct spools_walk walk = {.strand = w->tracks[i].strand};
        struct firefox_lane *lane =
            firefox_is_counter(&w->tracks[i]) ? NULL : &w->lanes[w->tracks[i].lane - 1];
        if (lane != NULL && lane->tracks++ == 0)
            lane->number = ++lanes;
        while (!firefox_is_counter(&w->tracks[i]) &&
               spools_read(w->spools, &walk, &record, sizeof record))
            list_stack(w, record.stack);
        spools_leave(&walk);
    }
}

#include "pictures/flame_excerpts.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "rows/text.h"
#include "summary/lines.h"

/* How many lines around one with a value are shown. */
enum { AROUND = 30 };

/* A file that frames name. */
struct file {
    struct str name;
    struct wide total; /* of the stacks with one of its lines */
    size_t last;       /* the last such stack, from 1; 0: none */
    uint32_t lead;     /* the rank by total, from 1, of the first name of the same file */
};

/* A line that frames name. */
struct spot {
    uint32_t file; /* its number, from 1; then its rank, from 0 */
    int64_t line;
};

struct finder {
    struct flame_excerpts *to;
    const struct flame *f;
    struct intern names;
    struct file *files; /* by number - 1 */
    size_t file_capacity;
    struct spot *spots; /* by frame - 1; file 0: none. Later by rank and line */
    size_t spot_count;
    struct lines lines;
    struct lines_search search;
    size_t size;     /* of all excerpts, in bytes */
    struct buf text; /* of the excerpts of one file */
    struct buf room; /* for a line */
};

/* --- which files and lines --- */

static struct spot spot_of(struct finder *d, const struct flame_frame *frame)
{
    bool is_new;
    if (frame->file.n == 0 || frame->line <= 0)
        return (struct spot){0};
    const uint32_t number = intern_add(&d->names, frame->file, &is_new);
    d->files = mem_array(d->files, &d->file_capacity, number, sizeof *d->files);
    if (is_new)
        d->files[number - 1] = (struct file){.name = frame->file};
    return (struct spot){number, frame->line};
}

/* Adds the values of the stacks to the totals of the files in them, once for each stack. */
static void weigh(struct finder *d)
{
    const struct flame *f = d->f;
    for (size_t i = 0; i < f->stack_count; i++)
        for (uint32_t j = 0; j < f->stacks[i].depth; j++) {
            const uint32_t number = d->spots[f->paths[f->stacks[i].begin + j] - 1].file;
            struct file *file = number == 0 ? NULL : &d->files[number - 1];
            if (file == NULL || file->last == i + 1)
                continue;
            file->last = i + 1;
            for (int side = !f->has_base; side < FLAME_SIDES; side++)
                wide_add_to(&file->total, f->weights[side][i]);
        }
}

static int compare_files(const void *a, const void *b, void *with)
{
    const struct finder *d = with;
    const struct file *x = &d->files[*(const uint32_t *)a], *y = &d->files[*(const uint32_t *)b];
    const int order = wide_compare(y->total, x->total);
    return order != 0 ? order : str_compare(x->name, y->name);
}

static int compare_leads(const void *a, const void *b, void *with)
{
    const struct finder *d = with;
    const uint32_t x = d->files[*(const uint32_t *)a].lead, y = d->files[*(const uint32_t *)b].lead;
    return x != y ? (x > y) - (x < y) : compare_files(a, b, with);
}

/* Moves names in ORDER up behind the first name of the same file, so that it is read once. */
static void join_names(struct finder *d, uint32_t *order)
{
    const uint32_t count = d->names.count;
    uint32_t *firsts = NULL; /* by the number of a file: the rank, from 1, of its first name */
    size_t capacity = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct file *file = &d->files[order[i]];
        const uint32_t number =
            file->last == 0 ? 0 : lines_number(&d->lines, &d->search, file->name);
        firsts = mem_array_zeroed(firsts, &capacity, number + (size_t)1, sizeof *firsts);
        if (number == 0 || firsts[number] == 0)
            firsts[number] = i + 1;
        file->lead = firsts[number];
    }
    order_items_with(order, count, sizeof *order, compare_leads, d);
    mem_free(firsts);
}

static int compare_spots(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Sorts the files, by their totals but with all names of a file together, and the spots in them;
 * returns the order of the files. */
static uint32_t *sort(struct finder *d)
{
    const uint32_t count = d->names.count;
    uint32_t *order = mem_alloc((count + (size_t)1) * sizeof *order),
             *rank_of = mem_alloc((count + (size_t)1) * sizeof *rank_of);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    order_items_with(order, count, sizeof *order, compare_files, d);
    join_names(d, order);
    for (uint32_t i = 0; i < count; i++)
        rank_of[order[i]] = i;
    for (size_t i = 0; i < d->f->frame_count; i++)
        if (d->spots[i].file != 0 && d->files[d->spots[i].file - 1].last != 0)
            d->spots[d->spot_count++] =
                (struct spot){rank_of[d->spots[i].file - 1], d->spots[i].line};
    order_items(d->spots, d->spot_count, sizeof *d->spots, compare_spots);
    mem_free(rank_of);
    return order;
}

/* --- excerpts --- */

/* Adds the lines of FILE from AROUND before FIRST to AROUND behind LAST, as far as there are; their
 * text is appended to D's. Returns false, without them, if the page has no room. */
static bool add_excerpt(struct finder *d, struct str file, int64_t first, int64_t last)
{
    struct flame_excerpts *e = d->to;
    const int64_t count = (int64_t)d->lines.count;
    const size_t begin = d->text.n;
    first = first > AROUND ? first - AROUND : 1;
    for (int64_t line = first; line <= count && line - AROUND <= last; line++) {
        buf_add(&d->text, line > first ? STR("\n") : STR(""));
        buf_add(&d->text, text_valid(&d->room, lines_get(&d->lines, line)));
        if (d->size + d->text.n > LIMITS_PICTURE_SOURCE)
            return false;
    }
    e->items = mem_array(e->items, &e->capacity, e->count + 1, sizeof *e->items);
    e->items[e->count++] = (struct flame_excerpt){file, {NULL, d->text.n - begin}, first};
    return true;
}

/* Gives the excerpts from number BEGIN copies of their texts in D. */
static void keep_text(struct finder *d, size_t begin)
{
    struct flame_excerpts *e = d->to;
    const char *p = arena_copy(&e->texts, buf_str(&d->text)).p;
    for (size_t i = begin; i < e->count; i++) {
        e->items[i].text.p = p;
        p += e->items[i].text.n;
    }
    d->size += d->text.n;
}

/* Adds excerpts of FILE around the COUNT lines of SPOTS, all or none. FILE may be shorter than when
 * it ran. */
static void add_file(struct finder *d, struct str file, const struct spot *spots, size_t count)
{
    const size_t excerpts = d->to->count;
    bool has_room = true;
    d->text.n = 0;
    while (count > 0 && (uint64_t)spots[count - 1].line > d->lines.count)
        count--;
    for (size_t i = 0, end; i < count && has_room; i = end) {
        for (end = i + 1; end < count && spots[end].line - spots[end - 1].line <= 2 * AROUND;)
            end++;
        has_room = add_excerpt(d, file, spots[i].line, spots[end - 1].line);
    }
    if (has_room) {
        keep_text(d, excerpts);
        return;
    }
    d->to->count = excerpts;
    d->to->beyond_count++;
}

static void add_files(struct finder *d, const uint32_t *order)
{
    for (size_t i = 0, n; i < d->spot_count; i += n) {
        const uint32_t rank = d->spots[i].file;
        const struct str name = d->files[order[rank]].name;
        for (n = 1; i + n < d->spot_count && d->spots[i + n].file == rank;)
            n++;
        if (lines_try(&d->lines, &d->search, name, "--source"))
            add_file(d, name, d->spots + i, n);
    }
}

static void warn_left_out(const struct finder *d)
{
    lines_warn(&d->lines, "--source");
    if (d->to->beyond_count > 0)
        warn(CODE_NOT_SHOWN, "--source: source files without room in 1 MiB, left out: %zu",
             d->to->beyond_count);
    if (d->spot_count == 0)
        warn(CODE_NOT_SHOWN, "--source: no frame has a file and a line");
}

void flame_excerpts_make(struct flame_excerpts *e, const struct flame *f, const char *source_path,
                         const char *trim_path)
{
    struct finder d = {.to = e, .f = f};
    struct buf folders = {0};
    d.search = lines_search_for(&f->sides->collect.profile, source_path, trim_path, &folders);
    d.spots = mem_alloc((f->frame_count + 1) * sizeof *d.spots);
    for (size_t i = 0; i < f->frame_count; i++)
        d.spots[i] = spot_of(&d, &f->frames[i]);
    weigh(&d);
    uint32_t *order = sort(&d);
    add_files(&d, order);
    e->unread_count = d.lines.unread_count;
    warn_left_out(&d);
    mem_free(order);
    mem_free(d.spots);
    mem_free(d.files);
    intern_free(&d.names);
    lines_free(&d.lines);
    buf_free(&d.text);
    buf_free(&d.room);
    buf_free(&folders);
}

void flame_excerpts_free(struct flame_excerpts *e)
{
    mem_free(e->items);
    arena_free(&e->texts);
    *e = (struct flame_excerpts){0};
}

#include "pictures/flame_pack.h"

#include "base/mem.h"
#include "base/order.h"
#include "pictures/flame_values.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <stdio.h>

struct packer_frame {
    uint32_t name, file, package; /* FILE and PACKAGE from 1; 0: none */
};

struct packer {
    const struct flame_pack *what;
    const struct flame *f;
    struct pack *to;
    struct buf column;   /* the current one */
    uint32_t *frame_at;  /* by number in the page: its frame */
    uint32_t *number_of; /* by frame: its number in the page */
    uint32_t frame_count;
    struct packer_frame *texts; /* by number: the numbers of its texts */
    struct intern names, files, packages;
    uint32_t *excerpt_files; /* by excerpt: the number of its file */
    struct intern sets;      /* sets of labels, by their number in the profile */
    struct buf text, escaped, label_column;
    bool is_cellular;
    bool has_other; /* something was pruned */
};

/* --- columns --- */

static void add_varint(struct buf *to, uint64_t n)
{
    enum { LONGEST = 10 };
    char *start = to->capacity - to->n >= LONGEST ? to->p + to->n : buf_reserve(to, LONGEST);
    char *p = start;
    for (; n > 127; n >>= 7)
        *p++ = (char)(n | 128);
    *p++ = (char)n;
    to->n += (size_t)(p - start);
}

static void add_signed(struct buf *to, int64_t n)
{
    add_varint(to, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static void write_bytes(struct packer *p, struct str bytes)
{
    struct buf size = {0};
    add_varint(&size, bytes.n);
    pack_add(p->to, size.p, size.n);
    pack_add(p->to, bytes.p, bytes.n);
    buf_free(&size);
}

static void end_column(struct packer *p)
{
    write_bytes(p, buf_str(&p->column));
    p->column.n = 0;
}

/* --- frames --- */

/* The number of uses of a frame. */
struct count {
    uint64_t count;
    uint32_t frame;
};

static int compare_counts(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->frame < y->frame ? -1 : 1;
}

/* Has the own frames of a stack soon behind stack I of F loaded: in this order they are all over the
 * memory. */
static void load_ahead(const struct flame *f, size_t i)
{
    enum { AHEAD = 8 };
    const struct flame_stack *stack = &f->stacks[i + AHEAD < f->stack_count ? i + AHEAD : i];
    __builtin_prefetch(&f->paths[stack->begin + stack->shared]);
}

/* Numbers the frames that occur in stacks. */
static void number_frames(struct packer *p)
{
    const struct flame *f = p->f;
    struct count *counts = mem_alloc_zeroed((f->frame_count + 1) * sizeof *counts);
    for (uint32_t i = 0; i < f->frame_count; i++)
        counts[i].frame = i + 1;
    for (size_t i = 0; i < f->stack_count; i++) {
        load_ahead(f, i);
        for (size_t j = f->stacks[i].shared; j < f->stacks[i].depth; j++)
            counts[f->paths[f->stacks[i].begin + j] - 1].count++;
    }
    order_items(counts, f->frame_count, sizeof *counts, compare_counts);
    p->frame_at = mem_alloc((f->frame_count + 1) * sizeof *p->frame_at);
    p->number_of = mem_alloc_zeroed((f->frame_count + 1) * sizeof *p->number_of);
    while (p->frame_count < f->frame_count && counts[p->frame_count].count > 0) {
        uint32_t number = p->frame_count++;
        p->frame_at[number] = counts[number].frame;
        p->number_of[counts[number].frame] = number;
        p->has_other |= counts[number].frame == f->other;
    }
    mem_free(counts);
}

/* The number in TABLE, from 0, of BYTES as UTF-8. */
static uint32_t number_text(struct packer *p, struct intern *table, struct str bytes)
{
    p->escaped.n = p->text.n = 0;
    text_escape(&p->escaped, bytes);
    text_unescape(&p->text, buf_str(&p->escaped));
    return intern_add(table, buf_str(&p->text), NULL) - 1;
}

static const struct flame_frame *frame_of(const struct packer *p, uint32_t number)
{
    return &p->f->frames[p->frame_at[number] - 1];
}

/* Numbers names, files and labels: their columns come before those that use them. */
static void number_texts(struct packer *p)
{
    p->texts = mem_alloc((p->frame_count + (size_t)1) * sizeof *p->texts);
    for (uint32_t i = 0; i < p->frame_count; i++) {
        const struct flame_frame *frame = frame_of(p, i);
        p->texts[i].name = number_text(p, &p->names, frame->name);
        p->texts[i].file = frame->file.n == 0 ? 0 : number_text(p, &p->files, frame->file) + 1;
        p->texts[i].package =
            frame->package.n == 0 ? 0 : number_text(p, &p->packages, frame->package) + 1;
    }
}

/* Numbers the files of excerpts. */
static void number_excerpts(struct packer *p)
{
    const struct flame_excerpts *e = p->what->excerpts;
    const size_t count = e == NULL ? 0 : e->count;
    p->excerpt_files = mem_alloc((count + 1) * sizeof *p->excerpt_files);
    for (size_t i = 0; i < count; i++)
        p->excerpt_files[i] = number_text(p, &p->files, e->items[i].file);
}

static void write_texts(struct packer *p, const struct intern *table)
{
    for (uint32_t i = 1; i <= table->count; i++)
        add_varint(&p->column, intern_get(table, i).n);
    end_column(p);
    for (uint32_t i = 1; i <= table->count; i++)
        buf_add(&p->column, intern_get(table, i));
    end_column(p);
}

static void write_frames(struct packer *p)
{
    for (uint32_t i = 0; i < p->frame_count; i++)
        add_varint(&p->column, p->texts[i].name);
    end_column(p);
    for (uint32_t i = 0; i < p->frame_count; i++)
        add_varint(&p->column, p->texts[i].file);
    end_column(p);
    for (uint32_t i = 0; i < p->frame_count; i++)
        add_varint(&p->column, (uint64_t)frame_of(p, i)->line);
    end_column(p);
    for (uint32_t i = 0; i < p->frame_count; i++)
        add_varint(&p->column, p->texts[i].package);
    end_column(p);
}

static void write_stacks(struct packer *p)
{
    const struct flame *f = p->f;
    for (size_t i = 0; i < f->stack_count; i++)
        add_varint(&p->column, f->stacks[i].shared);
    end_column(p);
    for (size_t i = 0; i < f->stack_count; i++)
        add_varint(&p->column, f->stacks[i].depth - f->stacks[i].shared);
    end_column(p);
    for (size_t i = 0; i < f->stack_count; i++) {
        load_ahead(f, i);
        for (size_t j = f->stacks[i].shared; j < f->stacks[i].depth; j++)
            add_varint(&p->column, p->number_of[f->paths[f->stacks[i].begin + j]]);
    }
    end_column(p);
}

/* --- cells --- */

/* The number, from 0, of the set LABELS of the flame. */
static uint32_t number_set(struct packer *p, uint32_t labels)
{
    return intern_add(&p->sets, (struct str){(char *)&labels, sizeof labels}, NULL) - 1;
}

/* The number of the value of L, as text. */
static uint32_t number_value(struct packer *p, const struct label *l)
{
    const struct profile *profile = &p->f->sides->collect.profile;
    if (l->string != 0)
        return number_text(p, &p->names, profile_string_of(profile, l->string));
    struct buf value = {0};
    emit_number(&value, l->number);
    buf_add(&value, l->unit != 0 ? STR(" ") : STR(""));
    buf_add(&value, profile_string_of(profile, l->unit));
    uint32_t number = number_text(p, &p->names, buf_str(&value));
    buf_free(&value);
    return number;
}

static void add_set(struct packer *p, uint32_t set)
{
    const struct profile *profile = &p->f->sides->collect.profile;
    size_t count;
    const struct label *labels = labels_get(&p->f->labels, set, &count);
    add_varint(&p->label_column, count);
    for (size_t i = 0; i < count; i++) {
        struct str key = profile_string_of(profile, labels[i].key);
        add_varint(&p->label_column, number_text(p, &p->names, key));
        add_varint(&p->label_column, number_value(p, &labels[i]));
    }
}

/* Numbers the sets of labels in cells, and their texts. */
static void number_sets(struct packer *p)
{
    const struct flame *f = p->f;
    p->is_cellular = f->sides->collect.profile.source_count > 1;
    for (size_t i = 0; i < f->cell_count; i++)
        p->is_cellular |= f->cells[i].labels != 0;
    for (size_t i = 0; p->is_cellular && i < f->cell_count; i++) {
        uint32_t before = p->sets.count;
        if (number_set(p, f->cells[i].labels) == before)
            add_set(p, f->cells[i].labels);
    }
}

static void write_cells(struct packer *p)
{
    const struct flame *f = p->f;
    if (!p->is_cellular)
        return;
    for (size_t i = 0; i < f->stack_count; i++)
        add_varint(&p->column, f->stacks[i + 1].cell - f->stacks[i].cell);
    end_column(p);
    for (size_t i = 0; i < f->cell_count; i++)
        add_varint(&p->column, f->cells[i].source - 1);
    end_column(p);
    for (size_t i = 0; i < f->cell_count; i++)
        add_varint(&p->column, number_set(p, f->cells[i].labels));
    end_column(p);
}

static void write_values(struct packer *p)
{
    struct flame_values values = flame_values_of(p->f);
    flame_values_open(&values);
    for (size_t type = 0; type < p->f->type_count; type++) {
        flame_values_begin(&values, type);
        for (size_t i = 0; i < p->f->cell_count; i++) {
            struct amount total = {0};
            flame_values_add_cell(&values, &p->f->cells[i], &total);
            add_signed(&p->column, flame_values_finish(&values, &total));
        }
        end_column(p);
    }
    flame_values_free(&values);
    if (p->is_cellular)
        write_bytes(p, buf_str(&p->label_column));
}

/* --- streaks --- */

/* Writes the lane of each streak and, if they have times, when it begins and how long it lasts. */
static void write_lanes(struct packer *p)
{
    const struct flame_streaks *r = p->what->streaks;
    for (size_t i = 0; i < r->count; i++)
        add_varint(&p->column, r->lanes[i] - 1);
    end_column(p);
    if (r->times == NULL)
        return;
    for (size_t i = 0; i < r->count; i++) /* beyond 64 bits both wrap */
        add_signed(&p->column,
                   (int64_t)((uint64_t)r->begins[i] - (i > 0 ? (uint64_t)r->begins[i - 1] : 0)));
    end_column(p);
    for (size_t i = 0; i < r->count; i++)
        add_varint(&p->column, (uint64_t)r->lengths[i]);
    end_column(p);
}

static void write_streaks(struct packer *p)
{
    const struct flame *f = p->f;
    const struct flame_streaks *r = p->what->streaks;
    if (r->count == 0)
        return;
    struct flame_values values = {.f = f, .sums = &r->sums, .row_count = r->count};
    flame_values_open(&values);
    uint32_t *cell_of = mem_alloc((f->record_count + 1) * sizeof *cell_of);
    for (size_t i = 0; i < f->cell_count; i++)
        for (size_t j = f->cells[i].first; j < f->cells[i + 1].first; j++)
            cell_of[f->order[j]] = (uint32_t)i;
    int64_t before = 0;
    for (size_t i = 0; i < r->count; i++) {
        int64_t cell = cell_of[r->records[i]];
        add_signed(&p->column, cell - before);
        before = cell;
    }
    mem_free(cell_of);
    end_column(p);
    for (size_t type = 0; type < f->type_count; type++) {
        flame_values_begin(&values, type);
        for (size_t i = 0; i < r->count; i++) {
            struct amount total = {0};
            flame_values_add(&values, i, &total);
            add_signed(&p->column, flame_values_finish(&values, &total));
        }
        end_column(p);
    }
    flame_values_free(&values);
    write_lanes(p);
}

static void write_tests(struct packer *p)
{
    for (uint32_t i = 0; p->f->has_base && i < p->frame_count; i++) {
        char test = (char)p->f->tests[p->frame_at[i] - 1];
        buf_add(&p->column, (struct str){&test, 1});
    }
    if (p->f->has_base)
        end_column(p);
}

/* --- excerpts --- */

static void write_excerpts(struct packer *p)
{
    const struct flame_excerpts *e = p->what->excerpts;
    if (e == NULL || e->count == 0)
        return;
    for (size_t i = 0; i < e->count; i++)
        add_varint(&p->column, p->excerpt_files[i]);
    end_column(p);
    for (size_t i = 0; i < e->count; i++)
        add_varint(&p->column, (uint64_t)e->items[i].first);
    end_column(p);
    for (size_t i = 0; i < e->count; i++)
        add_varint(&p->column, e->items[i].text.n);
    end_column(p);
    for (size_t i = 0; i < e->count; i++)
        buf_add(&p->column, e->items[i].text);
    end_column(p);
}

/* --- the header --- */

static void add_string(struct buf *to, struct str bytes)
{
    buf_add(to, STR("\""));
    text_escape(to, bytes);
    buf_add(to, STR("\""));
}

static void add_count(struct buf *to, struct str name, uint64_t count)
{
    emit_member(to, name);
    emit_number(to, (int64_t)count);
}

static void add_types(struct buf *to, const struct flame *f)
{
    buf_add(to, STR(",\"types\":["));
    for (size_t i = 0; i < f->type_count; i++) {
        buf_add(to, i > 0 ? STR(",{\"type\":") : STR("{\"type\":"));
        emit_string(to, f->types[i].type);
        buf_add(to, STR(",\"unit\":"));
        emit_string(to, f->types[i].unit);
        if (f->types[i].power != 0)
            add_count(to, STR("digits"), (uint64_t)-f->types[i].power);
        buf_add(to, STR("}"));
    }
    buf_add(to, STR("]"));
}

static void add_sources(struct packer *p, struct buf *to)
{
    const struct profile *profile = &p->f->sides->collect.profile;
    buf_add(to, STR(",\"sources\":["));
    for (size_t i = 0; i < profile->source_count; i++) {
        const struct profile_source *of = &profile->sources[i];
        buf_add(to, i > 0 ? STR(",{\"name\":") : STR("{\"name\":"));
        add_string(to, of->uri.n > 0 ? of->uri : of->kind);
        buf_add(to, STR(",\"type\":"));
        add_string(to, of->kind);
        if (of->timestamp.n > 0) {
            buf_add(to, STR(",\"time\":"));
            buf_add(to, of->timestamp);
        }
        buf_add(to, p->f->has_base && p->f->sides->runs[i].is_new ? STR(",\"side\":1}")
                                                                  : STR(",\"side\":0}"));
    }
    buf_add(to, STR("]"));
}

static void add_lanes(struct packer *p, struct buf *to)
{
    const struct flame_streaks *r = p->what->streaks;
    buf_add(to, STR(",\"lanes\":["));
    for (uint32_t i = 1; i <= r->names.count; i++) {
        buf_add(to, i > 1 ? STR(",") : STR(""));
        add_string(to, intern_get(&r->names, i));
    }
    buf_add(to, r->times != NULL ? STR("],\"timed\":true") : STR("]"));
}

static void add_excerpts(struct buf *to, const struct flame_excerpts *e)
{
    if (e == NULL)
        return;
    add_count(to, STR("excerpts"), e->count);
    add_count(to, STR("unread"), e->unread_count);
    add_count(to, STR("beyond"), e->beyond_count);
}

static void write_header(struct packer *p)
{
    const struct flame *f = p->f;
    struct buf *to = &p->column;
    buf_add(to, STR("{\"version\":2,\"title\":"));
    add_string(to, p->what->title);
    add_types(to, f);
    add_count(to, STR("shown"), f->shown == SIZE_MAX ? 0 : f->shown);
    add_sources(p, to);
    add_count(to, STR("sides"), f->has_base ? 2 : 1);
    add_count(to, STR("names"), p->names.count);
    add_count(to, STR("files"), p->files.count);
    add_count(to, STR("packages"), p->packages.count);
    add_count(to, STR("frames"), p->frame_count);
    add_count(to, STR("stacks"), f->stack_count);
    add_count(to, STR("cells"), f->cell_count);
    add_count(to, STR("sets"), p->sets.count);
    add_count(to, STR("streaks"), p->what->streaks->count);
    add_lanes(p, to);
    add_count(to, STR("stackless"), f->sides->collect.stackless_count);
    add_excerpts(to, p->what->excerpts);
    buf_add(to, f->sides->collect.by == COLLECT_BY_SOURCE_LINE ? STR(",\"lines\":true") : STR(""));
    buf_add(to, p->is_cellular ? STR(",\"cellular\":true") : STR(""));
    if (p->what->share > 0) {
        char number[64];
        snprintf(number, sizeof number, "%.17g", p->what->share);
        emit_member(to, STR("pruned"));
        buf_add(to, str_of(number));
    }
    if (p->has_other)
        add_count(to, STR("other"), p->number_of[f->other]);
    emit_member(to, STR("view"));
    buf_add(to, p->what->view);
    buf_add(to, STR("}"));
    end_column(p);
}

/* --- the whole --- */

void flame_pack(const struct flame_pack *what, struct pack *to)
{
    struct packer p = {.what = what, .f = what->f, .to = to};
    number_frames(&p);
    number_texts(&p);
    number_excerpts(&p);
    number_sets(&p);
    write_header(&p);
    write_texts(&p, &p.names);
    write_texts(&p, &p.files);
    write_texts(&p, &p.packages);
    write_frames(&p);
    write_stacks(&p);
    write_cells(&p);
    write_values(&p);
    write_streaks(&p);
    write_tests(&p);
    write_excerpts(&p);
    buf_free(&p.column);
    buf_free(&p.text);
    buf_free(&p.escaped);
    buf_free(&p.label_column);
    intern_free(&p.names);
    intern_free(&p.files);
    intern_free(&p.packages);
    intern_free(&p.sets);
    mem_free(p.texts);
    mem_free(p.excerpt_files);
    mem_free(p.frame_at);
    mem_free(p.number_of);
}

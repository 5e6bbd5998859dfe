/* Merges things in a pprof file that are equal but not byte for byte. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_file.h"

#include <stdlib.h>

/* --- mappings --- */

/* Identifies a program wherever it is loaded. Sizes may differ by less than a page. */
struct program {
    uint64_t size, offset;
    string_id name; /* build id, or else the file name */
    unknown_id unknown;
};

static struct program program_of(const struct pprof_mapping *m)
{
    enum { PAGE = 4096 };
    uint64_t size = m->memory_limit - m->memory_start;
    return (struct program){.size = (size + PAGE - 1) / PAGE * PAGE,
                            .offset = m->file_offset,
                            .name = m->build_id != 0 ? m->build_id : m->filename,
                            .unknown = m->unknown};
}

/* The smaller of two strings, by bytes; "" means none. */
static string_id lesser(const struct pprof_file *f, string_id a, string_id b)
{
    if (a == 0 || b == 0)
        return a == 0 ? b : a;
    return str_compare(pprof_string_of(f, a), pprof_string_of(f, b)) <= 0 ? a : b;
}

/* Merges M into TO. */
static void unite(const struct pprof_file *f, struct pprof_mapping *to,
                  const struct pprof_mapping *m)
{
    to->has_functions |= m->has_functions;
    to->has_filenames |= m->has_filenames;
    to->has_line_numbers |= m->has_line_numbers;
    to->has_inline_frames |= m->has_inline_frames;
    if (f->unite != PPROF_UNITE_MIN)
        return;
    uint64_t size = to->memory_limit - to->memory_start, other = m->memory_limit - m->memory_start;
    if (m->memory_start < to->memory_start)
        to->memory_start = m->memory_start;
    to->memory_limit = to->memory_start + (size > other ? size : other);
    to->filename = lesser(f, to->filename, m->filename);
    to->build_id = lesser(f, to->build_id, m->build_id);
}

uint32_t pprof_add_mapping(struct pprof_file *f, const struct pprof_mapping *m)
{
    struct program program = program_of(m);
    struct str key = f->unite == PPROF_UNITE_NOT ? (struct str){(const char *)m, sizeof *m}
                                                 : (struct str){(char *)&program, sizeof program};
    bool is_new;
    uint32_t id = intern_add(&f->mapping_keys, key, &is_new);
    if (is_new) {
        f->mappings = mem_array(f->mappings, &f->mapping_capacity, id, sizeof *f->mappings);
        f->mappings[f->mapping_count++] = *m;
    } else if (f->unite != PPROF_UNITE_NOT) {
        unite(f, pprof_mapping(f, id), m);
    }
    return id;
}

void pprof_place(struct pprof_file *f)
{
    if (f->unite == PPROF_UNITE_NOT)
        return;
    for (uint32_t i = 1; i <= f->locations.count; i++) {
        struct pprof_location *l = pprof_location(f, i);
        if (l->mapping != 0 && l->has_address)
            l->address += pprof_mapping(f, l->mapping)->memory_start;
    }
}

/* --- locations and stacks --- */

/* Interns the stacks again with the new numbers NEW of locations, and adds the sums of stacks that
 * become equal. */
static void unite_stacks(struct pprof_file *f, const uint32_t *new)
{
    struct stacks before = f->profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset place;
    uint32_t *frames = NULL;
    struct sums_part *parts = NULL;
    size_t frame_capacity = 0, part_capacity = 0;
    f->profile.stacks = (struct stacks){0};
    while (stacks_next(&before, &pass, &place)) {
        struct stacks_stack stack = stacks_at(&before, place);
        frames = stacks_frames(&stack, frames, &frame_capacity);
        for (size_t i = 0; i < stack.depth; i++)
            frames[i] = new[frames[i]];
        struct sums_walk walk = {.row = stack.number};
        size_t n = 0;
        do
            parts = mem_array(parts, &part_capacity, n + 1, sizeof *parts);
        while (sums_next(&before.sums, &walk, &parts[n]) && ++n > 0);
        stacks_add(&f->profile.stacks, stack.labels, frames, stack.depth, parts, n);
    }
    stacks_finish(&f->profile.stacks);
    stacks_free(&before);
    mem_free(frames);
    mem_free(parts);
}

void pprof_unite_changed(struct pprof_file *f)
{
    struct intern before = f->locations;
    uint32_t *new = mem_alloc(((size_t)before.count + 1) * sizeof *new);
    f->locations = (struct intern){0};
    for (uint32_t i = 1; i <= before.count; i++)
        new[i] = intern_add(&f->locations, intern_get(&before, i), NULL);
    if (f->locations.count < before.count)
        unite_stacks(f, new);
    intern_free(&before);
    mem_free(new);
}

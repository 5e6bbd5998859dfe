/* gen_pprof - heap profiles in the shape of a large Go program's, for benchmarks:
 *
 *   gen_pprof DIRECTORY FIRST COUNT [small]
 *
 * writes DIRECTORY/FIRST.pb.gz and so on, COUNT files.  Each has 40,000 samples of 23 frames on
 * average and four values, over 12,000 functions and 20,000 locations, a third of them with an
 * inlined line; a small one 60 samples over 180 functions and 300 locations.  Nine stacks in ten are
 * the same in all files; values and ids differ. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH_MIN = 11, DEPTH_MAX = 35 };

static uint32_t function_count = 12000, location_count = 20000, sample_count = 40000;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u >> 33;
}

static uint64_t seed_of(uint64_t number)
{
    uint64_t state = 88172645463325252u + number * 0x9e3779b97f4a7c15u;
    next_random(&state);
    return state;
}

static uint32_t add_function(struct pprof_file *f, uint32_t i)
{
    char name[80], file[80];
    snprintf(name, sizeof name, "example.com/service/package%u.(*Type%u).Method%u", i % 97, i % 611,
             i);
    snprintf(file, sizeof file, "/src/service/package%u/file%u.go", i % 97, i % 311);
    struct pprof_function x;
    memset(&x, 0, sizeof x);
    x.name = x.system_name = pprof_string(f, str_of(name));
    x.filename = pprof_string(f, str_of(file));
    return intern_add(&f->functions, (struct str){(char *)&x, sizeof x}, NULL);
}

static uint32_t add_location(struct pprof_file *f, uint32_t i)
{
    enum { LINES_MAX = 2 };
    _Alignas(8) char bytes[sizeof(struct pprof_location) + LINES_MAX * sizeof(struct pprof_line)];
    memset(bytes, 0, sizeof bytes);
    struct pprof_location *l = (struct pprof_location *)(void *)bytes;
    l->address = 0x400000 + 32 * (uint64_t)i;
    l->mapping = 1;
    l->line_count = i % 3 == 0 ? 2 : 1;
    for (uint32_t j = 0; j < l->line_count; j++) {
        l->lines[j].function = add_function(f, (i * 7 + j * 5) % function_count);
        l->lines[j].line = 1 + (i + j) % 900;
    }
    size_t size = sizeof *l + l->line_count * sizeof *l->lines;
    return intern_add(&f->locations, (struct str){bytes, size}, NULL);
}

static void add_types(struct pprof_file *f)
{
    static const char *const names[][2] = {{"alloc_objects", "count"},
                                           {"alloc_space", "bytes"},
                                           {"inuse_objects", "count"},
                                           {"inuse_space", "bytes"}};
    f->type_count = 4;
    f->types = mem_alloc_zeroed(4 * sizeof *f->types);
    for (size_t i = 0; i < 4; i++) {
        f->types[i].type = pprof_string(f, str_of(names[i][0]));
        f->types[i].unit = pprof_string(f, str_of(names[i][1]));
    }
}

static void write_samples(struct out *out, const struct pprof_file *f, const uint32_t *ids,
                          uint64_t number)
{
    uint64_t values_state = seed_of(1000000 + number);
    struct buf scratch = {0};
    for (uint32_t i = 0; i < sample_count; i++) {
        /* every tenth stack is this file's own */
        uint64_t state = seed_of(i % 10 == 0 ? 10000000 + number * sample_count + i : i);
        uint32_t stack[DEPTH_MAX];
        size_t depth = DEPTH_MIN + next_random(&state) % (DEPTH_MAX - DEPTH_MIN + 1);
        for (size_t j = 0; j < depth; j++)
            stack[j] = ids[next_random(&state) % location_count];
        int64_t objects = 1 + (int64_t)(next_random(&values_state) % 1000);
        int64_t values[] = {objects, objects * 48, objects / 3, objects / 3 * 48};
        struct pprof_sample s = {
            .stack = stack, .depth = depth, .values = values, .value_count = 4};
        pprof_write_sample(out, f, &s, &scratch);
    }
    buf_free(&scratch);
}

static void write_profile(const char *path, uint64_t number)
{
    struct pprof_file f = {0};
    struct pprof_mapping mapping;
    memset(&mapping, 0, sizeof mapping);
    mapping.memory_start = 0x400000;
    mapping.memory_limit = 0x4000000;
    mapping.filename = pprof_string(&f, STR("/usr/bin/service"));
    mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = true;
    mapping.has_inline_frames = true;
    pprof_add_mapping(&f, &mapping);
    add_types(&f);
    f.has_period_type = true;
    f.period_type = pprof_string(&f, STR("space"));
    f.period_unit = pprof_string(&f, STR("bytes"));
    f.period = 524288;
    f.time = INT64_C(1700000000000000000) + (int64_t)number * INT64_C(10000000000);

    /* locations get their ids in an order of this file's own */
    uint32_t *ids = mem_alloc(location_count * sizeof *ids);
    uint64_t state = seed_of(2000000 + number);
    uint32_t first = (uint32_t)(next_random(&state) % location_count);
    for (uint32_t i = 0; i < location_count; i++) {
        uint32_t location = (uint32_t)((first + (uint64_t)i * 7919) % location_count);
        ids[location] = add_location(&f, location);
    }
    struct out *out = out_open(path);
    out_gzip(out, 1);
    pprof_write_types(out, &f);
    write_samples(out, &f, ids, number);
    pprof_write_tables(out, &f);
    out_close(out);
    mem_free(ids);
    pprof_free(&f);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return 2;
    if (argc == 5)
        function_count = 180, location_count = 300, sample_count = 60;
    uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    for (uint64_t i = first; i < first + count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%05" PRIu64 ".pb.gz", argv[1], i);
        write_profile(path, i);
    }
    return 0;
}

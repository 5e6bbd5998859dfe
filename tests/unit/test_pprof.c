/* The pprof reader on damaged files: cut at every byte, bits turned over, in small reads; what it
 * takes comes back from the writer.  And units of values. */
#include "base/buf.h"
#include "base/units.h"
#include "formats/wire.h"
#include "job.h"
#include "tap.h"

/* AddressSanitizer takes twenty times as long. */
#if defined(__SANITIZE_ADDRESS__)
enum { STRIDE = 13, FLIPS = 100 };
#else
enum { STRIDE = 1, FLIPS = 600 };
#endif

static bool has_end(struct str rows)
{
    return memmem(rows.p, rows.n, STR("\".end\"}").p, STR("\".end\"}").n) != NULL;
}

/* Whether rows that the reader has written are a whole profile that comes back from a file of one
 * sample each. */
static bool comes_back(struct str rows)
{
    struct job merge = {.input = rows};
    struct str merged = job_result(job_profcat, &merge);
    struct job write = {.input = rows, .write = &(struct pprof_write_options){.each = true}};
    struct str file = job_result(job_pprof, &write);
    struct job read = {.input = file};
    struct str again = job_result(job_from_pprof, &read);
    bool good = str_equal(merged, rows) && str_equal(again, rows);
    str_free(merged);
    str_free(file);
    str_free(again);
    return good;
}

/* --- cut --- */

/* Whether a field of the file ends at N: what stands before may be a file of its own. */
static bool is_border(struct str file, size_t n)
{
    struct wire wire = {.file = "input", .format = "pprof", .data = file};
    struct wire_field field;
    while (wire.at < n && wire_next(&wire, &field))
        ;
    return wire.at == n;
}

/* Whether the reader says of the first N bytes of FILE that they are wrong, or takes them because
 * what is missing is whole fields that nothing refers to. */
static bool is_cut(struct str file, size_t n, bool may_pass)
{
    struct str prefix = str_copy((struct str){file.p, n}); /* no byte behind it */
    struct job job = {.input = prefix};
    enum status status = survive(job_from_pprof, &job);
    bool good = status == STATUS_INPUT ? said.message[0] != '\0' && !has_end(buf_str(&job.out))
                                       : status == STATUS_OK && may_pass && is_border(file, n);
    each(good, "cut to %zu of %zu bytes: status %d, \"%s\"", n, file.n, (int)status, said.message);
    tidy();
    str_free(prefix);
    return good;
}

static void test_cut(const struct sample_file *sample)
{
    size_t wrong = 0;
    for (size_t n = 0; n < sample->text.n && wrong < 5; n += STRIDE)
        wrong += !is_cut(sample->text, n, true);
    ok(wrong == 0, "%s cut at every byte of its %zu", sample->name, sample->text.n);

    struct str packed = gzipped(sample->text);
    wrong = 0;
    for (size_t n = 0; n < packed.n && wrong < 5; n += 3 * STRIDE)
        wrong += !is_cut(packed, n, false);
    ok(wrong == 0, "%s.gz cut all over its %zu bytes", sample->name, packed.n);
    str_free(packed);
}

/* --- damaged --- */

/* Whether the reader refuses FILE, or takes it and what it writes comes back. */
static bool is_handled(struct str file)
{
    struct job job = {.input = file};
    enum status status = survive(job_from_pprof, &job);
    struct str rows = str_copy(buf_str(&job.out));
    bool refused = status == STATUS_INPUT && said.message[0] != '\0' && !has_end(rows);
    tidy();
    bool good = refused || (status == STATUS_OK && comes_back(rows));
    str_free(rows);
    return good;
}

static void test_flips(const struct sample_file *sample)
{
    uint64_t state = sample->text.n;
    size_t wrong = 0;
    for (unsigned i = 0; i < FLIPS && wrong < 5; i++) {
        struct str file = str_copy(sample->text);
        char *bytes = (char *)(uintptr_t)file.p;
        size_t at = 0;
        for (uint64_t n = random_next(&state) % 3 + 1; n > 0; n--) {
            at = random_next(&state) % file.n;
            bytes[at] ^= (char)(1 << random_next(&state) % 8);
        }
        wrong += !each(is_handled(file), "%s: flip %u, at %zu: \"%s\"", sample->name, i, at,
                       said.message);
        str_free(file);
    }
    ok(wrong == 0, "%s with bits turned over", sample->name);
}

/* --- small reads --- */

static bool reads_as(struct str file, size_t block, struct str expected)
{
    struct job job = {.input = file, .block = block};
    struct str rows = job_result(job_from_pprof, &job);
    bool same = str_equal(rows, expected);
    str_free(rows);
    return same;
}

static void test_blocks(const struct sample_file *sample)
{
    static const size_t blocks[] = {1, 7, 4096};
    struct str packed = gzipped(sample->text);
    bool same = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        same &= reads_as(sample->text, blocks[i], sample->rows);
        same &= reads_as(packed, blocks[i], sample->rows);
    }
    str_free(packed);
    ok(same, "%s in small reads, raw and from gzip", sample->name);
}

/* --- a limit --- */

static void test_limit(const struct sample_file *sample)
{
    struct job job = {.input = sample->text, .read = {.max_size = sample->text.n}};
    ok(survive(job_from_pprof, &job) == STATUS_OK, "%s of just the largest size", sample->name);
    tidy();
    struct str packed = gzipped(sample->text);
    job = (struct job){.input = packed, .read = {.max_size = sample->text.n - 1}};
    ok(survive(job_from_pprof, &job) == STATUS_INPUT && job.out.n == 0,
       "%s, larger by one byte: %s", sample->name, said.message);
    tidy();
    str_free(packed);
}

/* --- units --- */

static void test_units(void)
{
    static const struct {
        const char *from, *to;
        int64_t factor;
    } units[] = {
        {"nanoseconds", "nanoseconds", 1},
        {"ns", "nanosecond", 1},
        {"ms", "nanoseconds", 1000000},
        {"seconds", "us", 1000000},
        {"hours", "minutes", 60},
        {"hours", "ns", 3600000000000},
        {"nanoseconds", "ms", 0},
        {"minutes", "hours", 0},
        {"kB", "bytes", 1024},
        {"kilobytes", "B", 1024},
        {"GB", "MB", 1024},
        {"gigabytes", "byte", 1 << 30},
        {"bytes", "kB", 0},
        {"bytes", "ns", 0},
        {"seconds", "bytes", 0},
        {"count", "count", 1},
        {"count", "bytes", 0},
        {"fathoms", "fathoms", 1},
        {"fathoms", "feet", 0},
        {"", "", 1},
        {"", "count", 0},
        {"NS", "ns", 0},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t found = units_in(str_of(units[i].from), str_of(units[i].to));
        ok(found == units[i].factor, "one of \"%s\" is %" PRId64 " of \"%s\": %" PRId64,
           units[i].from, units[i].factor, units[i].to, found);
    }
    ok(units_nanoseconds(STR("ms")) == 1000000 && units_nanoseconds(STR("kB")) == 0 &&
           units_nanoseconds(STR("")) == 0,
       "nanoseconds in a unit");
}

int main(void)
{
    survive_quickly();
    size_t count;
    const struct sample_file *all = pprof_samples(&count);
    for (size_t i = 0; i < count; i++) {
        ok(comes_back(all[i].rows), "%s comes back", all[i].name);
        test_cut(&all[i]);
        test_flips(&all[i]);
        test_blocks(&all[i]);
        test_limit(&all[i]);
    }
    test_units();
    return tap_done();
}

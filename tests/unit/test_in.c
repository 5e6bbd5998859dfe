/* The input window: small reads, gzip, the limit of lines, padding. */
#include "base/buf.h"
#include "base/in.h"
#include "base/origin.h"
#include "job.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* All lines of an input, one by one; stops the test case at the first thing that is wrong. */
struct reading {
    struct str input;
    size_t block;
    struct buf lines;
    size_t count;
    bool torn;
};

static volatile char touched;

static void read_lines(void *with)
{
    struct reading *r = with;
    struct in *in = in_open_bytes("input", r->input, r->block);
    for (;;) {
        struct str lines = in_lines(in, 0, r->count + 1);
        if (lines.n == 0)
            break;
        size_t n = (size_t)((const char *)memchr(lines.p, '\n', lines.n) - lines.p) + 1;
        buf_add(&r->lines, (struct str){lines.p, n});
        for (size_t i = 0; i < INPUT_PADDING - 1; i++) /* AddressSanitizer sees what is not there */
            touched = lines.p[lines.n + i];
        in_consume(in, n);
        r->count++;
    }
    r->torn = in_torn(in);
    in_close(in);
}

/* Whether INPUT, in reads of all sizes, gives the lines EXPECTED. */
static bool gives(struct str input, struct str expected, bool torn)
{
    static const size_t blocks[] = {1, 2, 7, 4096, SIZE_MAX};
    bool good = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct reading r = {.input = input, .block = blocks[i]};
        enum status status = survive(read_lines, &r);
        good &=
            each(status == STATUS_OK && str_equal(buf_str(&r.lines), expected) && r.torn == torn,
                 "reads of %zu bytes: status %d, %s", blocks[i], (int)status, said.message);
        tidy();
    }
    return good;
}

static void test_lines(void)
{
    ok(gives(STR(""), STR(""), false), "no lines");
    ok(gives(STR("\n"), STR("\n"), false), "an empty line");
    ok(gives(STR("a\nbc\n\nd\n"), STR("a\nbc\n\nd\n"), false), "some lines");
    ok(gives(STR("a\nbc"), STR("a\nbc\n"), true), "a torn line gets its LF");
    ok(gives(STR("a\0b\r\n\xff\n"), STR("a\0b\r\n\xff\n"), false), "any bytes");
    ok(gives(STR("\x1f\n"), STR("\x1f\n"), false), "half of gzip's magic");
    struct buf many = {0};
    for (int i = 0; i < 60000; i++) {
        char line[64];
        int n = snprintf(line, sizeof line, "%d%*s\n", i, i % 40, "");
        buf_add(&many, (struct str){line, (size_t)n});
    }
    struct str text = str_copy(buf_str(&many));
    buf_free(&many);
    ok(gives(text, text, false), "more than a window of lines");
    str_free(text);
}

/* --- gzip --- */

static struct str joined(struct str a, struct str b)
{
    char *both = malloc(a.n + b.n);
    memcpy(both, a.p, a.n);
    memcpy(both + a.n, b.p, b.n);
    return (struct str){both, a.n + b.n};
}

static enum status status_of(struct str input)
{
    struct reading r = {.input = input, .block = 3};
    enum status status = survive(read_lines, &r);
    tidy();
    return status;
}

/* Whether any bit of MEMBER behind its header that is turned over is an error, or one of those that
 * mean nothing (the last byte of deflate is filled up). */
static bool damage_shows(struct str member, struct str expected)
{
    struct str damaged = str_copy(member);
    size_t wrong = 0, errors = 0;
    for (size_t bit = 8 * 10; bit < 8 * member.n; bit++) {
        ((char *)(uintptr_t)damaged.p)[bit / 8] ^= (char)(1 << bit % 8);
        struct reading r = {.input = damaged, .block = 3};
        enum status status = survive(read_lines, &r);
        errors += status == STATUS_INPUT;
        wrong += status == STATUS_OK && !str_equal(buf_str(&r.lines), expected);
        tidy();
        ((char *)(uintptr_t)damaged.p)[bit / 8] ^= (char)(1 << bit % 8);
    }
    str_free(damaged);
    return wrong == 0 && errors > 8 * (member.n - 11);
}

static void test_gzip(void)
{
    struct str a = gzipped(STR("a\nb")), b = gzipped(STR("c\n")), empty = gzipped(STR(""));
    struct str ab = joined(a, b), with_empty = joined(empty, ab), all = joined(with_empty, empty);
    ok(gives(a, STR("a\nb\n"), true), "one gzip member");
    ok(gives(empty, STR(""), false), "an empty gzip member");
    ok(gives(ab, STR("a\nbc\n"), false), "two members, a line across them");
    ok(gives(all, STR("a\nbc\n"), false), "empty members around them");

    static const char zeros[700];
    struct str padding = {zeros, sizeof zeros};
    struct str padded = joined(b, padding), again = joined(padded, b), junk = joined(b, STR("xyz"));
    ok(gives(padded, STR("c\n"), false), "zeros behind a member");
    ok(gives(again, STR("c\nc\n"), false), "and a member behind them");
    ok(status_of(junk) == STATUS_INPUT && strstr(said.message, "another gzip member") != NULL,
       "other bytes behind a member: %s", said.message);

    size_t wrong = 0;
    for (size_t n = 2; n < a.n; n++)
        wrong += status_of((struct str){a.p, n}) != STATUS_INPUT;
    for (size_t n = a.n + 1; n < ab.n; n++)
        wrong += status_of((struct str){ab.p, n}) != STATUS_INPUT;
    ok(wrong == 0, "gzip cut at every byte: %s", said.message);

    ok(damage_shows(a, STR("a\nb\n")), "gzip damaged in every bit behind its header");

    struct str used[] = {a, b, empty, ab, with_empty, all, padded, again, junk};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        str_free(used[i]);
}

/* --- limits --- */

static void test_limit(void)
{
    enum { MORE = 2 };
    char *line = malloc(MORE * LIMITS_LINE);
    memset(line, 'x', MORE * LIMITS_LINE);
    line[LIMITS_LINE] = '\n';
    struct reading r = {.input = {line, LIMITS_LINE + 1}, .block = SIZE_MAX};
    enum status status = survive(read_lines, &r);
    ok(status == STATUS_OK && r.count == 1 && r.lines.n == LIMITS_LINE + 1,
       "a line of the greatest length");
    tidy();
    line[LIMITS_LINE] = 'x';
    ok(status_of((struct str){line, MORE * LIMITS_LINE}) == STATUS_INPUT &&
           said.where.kind == PLACE_LINE && said.where.at == 1,
       "a longer one: %s", said.message);
    line[0] = '\n';
    ok(status_of((struct str){line, MORE * LIMITS_LINE}) == STATUS_INPUT && said.where.at == 2,
       "and the number of its line");
    free(line);
}

static void peek(void *with)
{
    bool *good = with;
    struct in *in = in_open_bytes("input", STR("abcdef\ngh"), 1);
    *good = in_peek(in, 3).n >= 3 && str_starts(in_peek(in, 3), STR("abc"));
    in_consume(in, 2);
    *good &= str_starts(in_peek(in, 5), STR("cdef\n"));
    *good &= str_equal(in_peek(in, 100), STR("cdef\ngh"));
    *good &= str_equal(in_lines(in, 0, 1), STR("cdef\n")) && !in_torn(in);
    *good &= str_equal(in_lines(in, 5, 1), STR("cdef\ngh\n")) && in_torn(in);
    *good &= str_equal(in_lines(in, 8, 1), STR("cdef\ngh\n"));
    in_consume(in, 8);
    *good &= in_lines(in, 0, 3).n == 0;
    in_close(in);
}

/* What a source holds, in reads of N bytes, from reads of BLOCK. */
static bool reads_as(struct str packed, struct str expected, size_t block, size_t n)
{
    struct origin s;
    struct buf read = {0};
    char part[64];
    origin_open_bytes(&s, packed, block);
    for (size_t had; (had = origin_read(&s, part, n)) > 0;)
        buf_add(&read, (struct str){part, had});
    bool good = s.error == ORIGIN_GOOD && str_equal(buf_str(&read), expected);
    origin_close(&s);
    buf_free(&read);
    return good;
}

static void test_small_reads(void)
{
    const struct str text = STR("sample.interval=20000\n\"mean\" \"f\" \n");
    struct str packed = gzipped(text);
    size_t wrong = 0;
    for (size_t block = 1; block < 50; block += 7)
        for (size_t n = 1; n < 50; n++)
            wrong += !reads_as(text, text, block, n) + !reads_as(packed, text, block, n);
    ok(wrong == 0, "the first bytes, which tell plain from packed, come in reads of any size");
    str_free(packed);
}

/* A gzip file that is longer than one read of raw bytes: a text of random letters. */
static void test_whole(void)
{
    enum { LETTERS = 300000 };
    char path[] = "/tmp/test_in.XXXXXX";
    char *letters = malloc(LETTERS);
    uint64_t state = 1;
    for (size_t i = 0; i < LETTERS; i++)
        letters[i] = (char)('a' + random_next(&state) % 26);
    struct str text = {letters, LETTERS}, packed = gzipped(text);
    int fd = mkstemp(path);
    bool good = fd >= 0 && write(fd, packed.p, packed.n) == (ssize_t)packed.n;
    struct origin s;
    lseek(fd, 0, SEEK_SET);
    origin_open(&s, fd);
    ok(good && s.raw_end < packed.n && str_equal(origin_whole(&s), text),
       "a file of gzip data is unpacked at once, however many reads it takes");
    origin_close(&s);
    unlink(path);
    str_free(packed);
    str_free(text);
}

static void read_some(void *path)
{
    struct in *in = in_open(path);
    in_peek(in, 1);
    in_close(in);
}

/* Every allocation that reading a file takes, refused once. */
static void test_refused(void)
{
    char path[] = "/tmp/test_in.XXXXXX";
    int fd = mkstemp(path);
    bool good = fd >= 0 && write(fd, "a\n", 2) == 2;
    ok(survive(read_some, path) == STATUS_OK, "reading a file: %s", said.message);
    uint64_t count = survive_allocations;
    tidy();
    for (uint64_t n = 1; n <= count; n++) {
        survive_refuse = n;
        enum status status = survive(read_some, path);
        good &= each(status == STATUS_SYSTEM && strstr(said.message, "out of memory") != NULL,
                     "allocation %" PRIu64 ": status %d, %s", n, (int)status, said.message);
        tidy();
    }
    unlink(path);
    close(fd);
    ok(good && count > 2, "memory that is refused is an error of the system");
}

static void open_missing(void *path)
{
    in_close(in_open(path));
}

static void test_opening(void)
{
    bool good;
    ok(survive(peek, &good) == STATUS_OK && good, "looking ahead and consuming");
    char missing[] = "/nonexistent/x", folder[] = "/";
    ok(survive(open_missing, missing) == STATUS_SYSTEM, "no such file: %s", said.message);
    tidy();
    ok(survive(open_missing, folder) == STATUS_SYSTEM, "a folder: %s", said.message);
    tidy();
}

int main(void)
{
    test_lines();
    test_gzip();
    test_limit();
    test_small_reads();
    test_whole();
    test_refused();
    test_opening();
    return tap_done();
}

/* Bytes that wait in the file that all spools share, and many runs of them in one spool. */
#include "../random.h"
#include "base/spool.h"
#include "base/spools.h"
#include "survive.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { SPOOLS = 6, LARGEST = 3 << 20 };

static void use_spool(void *with)
{
    size_t *wrong = with;
    enum { COUNT = 30000, SIZE = 100000 }; /* more than stays in memory */
    static char bytes[SIZE], back[SIZE];
    memset(bytes, 'b', sizeof bytes);
    struct spool *s = spool_open();
    for (uint32_t i = 0; i < COUNT; i++) {
        size_t n = i == 7 ? SIZE : i % 50;
        spool_write(s, (struct str){(char *)&i, sizeof i});
        spool_write(s, (struct str){bytes, n});
    }
    spool_rewind(s);
    uint32_t number;
    for (uint32_t i = 0; i < COUNT; i++) {
        size_t n = i == 7 ? SIZE : i % 50;
        *wrong += !spool_read(s, &number, sizeof number) || number != i ||
                  !spool_read(s, back, n) || memcmp(back, bytes, n) != 0;
    }
    *wrong += spool_read(s, &number, sizeof number);
    spool_close(s);
}

/* Comes first, as there is no file before. */
static void test_folder(void)
{
    size_t wrong = 0;
    setenv("TMPDIR", "/nonexistent", 1);
    ok(survive(use_spool, &wrong) == STATUS_SYSTEM, "no folder for it: %s", said.message);
    tidy();
    unsetenv("TMPDIR");
    ok(survive(use_spool, &wrong) == STATUS_OK && wrong == 0, "bytes come back in order");
    tidy();
}

/* A spool, and what it must hold. */
struct held {
    struct spool *spool;
    struct buf bytes;
};

static void begin(struct held *h)
{
    static const size_t max[] = {0, 1000, 256 << 10, 1 << 20};
    *h = (struct held){.spool = spool_open_in(PICK(max))};
}

static void end(struct held *h)
{
    spool_close(h->spool);
    buf_free(&h->bytes);
}

static void add(struct held *h)
{
    size_t n = pick(pick(4) == 0 ? 600 << 10 : 5000);
    char *p = buf_reserve(&h->bytes, n);
    memset(p, (int)pick(256), n);
    for (size_t i = 0; i < n; i += 97)
        p[i] = (char)random_next();
    spool_write(h->spool, (struct str){p, n});
    h->bytes.n += n;
}

/* Whether what is read from some place on is right, and ends where it must. */
static bool check(struct held *h)
{
    bool good = true;
    size_t at = pick(2) == 0 ? 0 : pick(h->bytes.n + 1), n;
    char *piece = malloc(100000);
    spool_seek(h->spool, at);
    while ((n = spool_read_some(h->spool, piece, 1 + pick(100000))) > 0) {
        good = good && n <= h->bytes.n - at && memcmp(piece, h->bytes.p + at, n) == 0;
        at += n;
        if (pick(50) == 0)
            break;
    }
    good = good && (n > 0 || at == h->bytes.n);
    free(piece);
    return good;
}

/* Spools that are written, read and closed in any order. */
static void test_spools(void)
{
    struct held held[SPOOLS];
    bool good = true;
    for (size_t i = 0; i < SPOOLS; i++)
        begin(&held[i]);
    for (int round = 0; round < 3000; round++) {
        struct held *h = &held[pick(SPOOLS)];
        if (h->bytes.n > LARGEST || pick(200) == 0) {
            end(h);
            begin(h);
        }
        add(h);
        if (pick(20) == 0)
            good = good && check(h);
    }
    for (size_t i = 0; i < SPOOLS; i++) {
        good = good && check(&held[i]);
        struct buf copy = {0};
        struct out *out = out_open_buf(&copy);
        spool_copy(held[i].spool, out);
        out_close(out);
        good = good && copy.n == held[i].bytes.n && memcmp(copy.p, held[i].bytes.p, copy.n) == 0;
        buf_free(&copy);
        end(&held[i]);
    }
    ok(good, "what %d spools hold comes back, whatever is closed between", SPOOLS);
}

/* The size of the file without a name that this process has; -1 where there is none. */
static long long file_size(void)
{
    struct stat file;
    for (int fd = 3; fd < 64; fd++)
        if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0)
            return (long long)file.st_size;
    return -1;
}

static void write_much(struct spool *s, size_t pieces)
{
    static char piece[256 << 10];
    for (size_t i = 0; i < pieces; i++)
        spool_write(s, (struct str){piece, sizeof piece});
}

static void test_room(void)
{
    struct spool *first = spool_open(), *stays = spool_open();
    write_much(first, 64);
    write_much(stays, 3);
    long long size = file_size();
    ok(size > 64 * (256 << 10), "there is one file, of %lld bytes", size);
    for (int i = 0; i < 20; i++) {
        spool_close(first);
        first = spool_open();
        write_much(first, 64);
    }
    ok(file_size() == size, "what was closed gives its place to the next");
    spool_close(stays);
    spool_close(first);
    ok(file_size() == 0, "and the last gives the disk space back");
}

/* Runs that grow in turns, of different lengths, to more than stays in memory. */
static void test_runs(void)
{
    enum { RUNS = 5, ROUNDS = 60000 };
    struct spools *s = spools_open();
    size_t wrong = 0;
    for (uint32_t run = 0; run < RUNS; run++)
        wrong += spools_begin(s) != run;
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (uint32_t run = 0; run < RUNS; run++)
            for (uint32_t k = 0; k < run; k++) {
                uint32_t item = i * 100 + run * 10 + k;
                spools_write(s, run, (struct str){(const char *)&item, sizeof item});
            }
    struct spools_walk walks[RUNS];
    for (uint32_t run = 0; run < RUNS; run++)
        walks[run] = (struct spools_walk){.strand = run};
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (uint32_t run = 0; run < RUNS; run++)
            for (uint32_t k = 0; k < run; k++) {
                uint32_t item = 0;
                wrong += !spools_read(s, &walks[run], &item, sizeof item) ||
                         item != i * 100 + run * 10 + k;
            }
    for (uint32_t run = 0; run < RUNS; run++) {
        char byte;
        wrong += spools_read(s, &walks[run], &byte, 1);
        wrong += spools_size(s, run) != (uint64_t)ROUNDS * run * sizeof(uint32_t);
        spools_leave(&walks[run]);
    }
    ok(wrong == 0, "%d runs of one spool come back, read in turns", RUNS);
    struct buf copy = {0};
    struct out *out = out_open_buf(&copy);
    spools_copy(s, 1, out);
    out_close(out);
    uint32_t last;
    memcpy(&last, copy.p + copy.n - sizeof last, sizeof last);
    ok(copy.n == spools_size(s, 1) && last == (ROUNDS - 1) * 100 + 10, "and go out whole");
    buf_free(&copy);
    spools_close(s);
}

int main(void)
{
    random_state = 1;
    test_folder();
    test_spools();
    test_room();
    test_runs();
    return tap_done();
}

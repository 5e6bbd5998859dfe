/* The output: buffering, gzip, and files that are whole or untouched. */
#include "base/buf.h"
#include "base/out.h"
#include "job.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- to memory --- */

static void test_memory(void)
{
    struct buf found = {0}, expected = {0};
    struct out *out = out_open_buf(&found);
    uint64_t state = 1;
    for (size_t n = 0; n < 3000; n++) {
        char bytes[1024];
        size_t size = random_next(&state) % sizeof bytes;
        memset(bytes, (int)n, size);
        out_write(out, (struct str){bytes, size});
        buf_add(&expected, (struct str){bytes, size});
        if (n % 1000 == 500)
            out_flush(out);
    }
    bool total = out_total(out) == expected.n;
    size_t large = 3 << 20; /* more than the buffer */
    memset(out_reserve(out, large), 'z', large);
    out_advance(out, out->p + large);
    memset(buf_reserve(&expected, large), 'z', large);
    expected.n += large;
    ok(total && out_total(out) == expected.n, "the number of bytes written");
    out_close(out);
    ok(str_equal(buf_str(&found), buf_str(&expected)), "writes of all sizes");
    tidy();
}

static void test_gzip(void)
{
    size_t count;
    struct str rows = samples(&count)[0].rows;
    size_t sizes[10] = {0}, wrong = 0;
    for (int level = 1; level <= 9; level++) {
        struct buf found = {0};
        struct out *out = out_open_buf(&found);
        out_gzip(out, level);
        out_write(out, rows);
        out_close(out);
        struct str plain = gunzipped(buf_str(&found));
        wrong += !each(str_equal(plain, rows) && found.n < rows.n / 4, "level %d", level);
        /* RFC 1952: no flags, time 0, system unknown */
        wrong += !each(memcmp(found.p, "\x1f\x8b\x08\0\0\0\0\0", 8) == 0 && found.p[9] == '\xff',
                       "level %d: the header says more than it needs", level);
        sizes[level] = found.n;
        str_free(plain);
        tidy();
    }
    ok(wrong == 0 && sizes[9] < sizes[1], "gzip of all levels");
}

/* --- to files --- */

static char folder[] = "/tmp/profpipe-test.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    fputs(text, f);
    fclose(f);
}

static bool holds(const char *name, const char *text)
{
    char found[64] = {0};
    FILE *f = fopen(path_of(name), "r");
    if (f == NULL)
        return false;
    size_t n = fread(found, 1, sizeof found - 1, f);
    fclose(f);
    return str_equal((struct str){found, n}, str_of(text));
}

/* The number of files in the folder. */
static int file_count(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    while (readdir(d) != NULL)
        count++;
    closedir(d);
    return count - 2; /* . and .. */
}

struct writing {
    const char *name;
    enum { CLOSE, DIE, DIE_BESIDE_MEMORY } end;
};

/* An output to memory that begins and ends while the file is being written. */
static void write_memory(void)
{
    struct buf memory = {0};
    struct out *out = out_open_buf(&memory);
    out_write(out, STR("other"));
    out_close(out);
    buf_free(&memory);
}

static void write_file(void *with)
{
    const struct writing *w = with;
    char path[256];
    snprintf(path, sizeof path, "%s", path_of(w->name));
    struct out *out = out_open(path);
    out_write(out, STR("new"));
    out_flush(out);
    if (w->end == DIE_BESIDE_MEMORY)
        write_memory();
    if (w->end != CLOSE)
        die(CODE_INVALID, "on purpose");
    out_close(out);
}

static enum status status_of(const char *name, int end)
{
    struct writing w = {.name = name, .end = end};
    enum status status = survive(write_file, &w);
    tidy();
    return status;
}

static void test_files(void)
{
    umask(022);
    struct stat s;
    ok(status_of("a", CLOSE) == STATUS_OK && holds("a", "new") && file_count() == 1, "a new file");
    ok(stat(path_of("a"), &s) == 0 && (s.st_mode & 07777) == 0644, "its mode follows umask");

    put("a", "old");
    chmod(path_of("a"), 0600);
    ok(status_of("a", DIE) == STATUS_INPUT && holds("a", "old") && file_count() == 1,
       "a failure leaves the file as it was, and nothing beside it");
    ok(status_of("a", DIE_BESIDE_MEMORY) == STATUS_INPUT && holds("a", "old") && file_count() == 1,
       "nor where an output to memory has ended before");
    ok(status_of("a", CLOSE) == STATUS_OK && holds("a", "new"), "a file replaced");
    ok(stat(path_of("a"), &s) == 0 && (s.st_mode & 07777) == 0600, "it keeps its mode");

    ok(status_of("b", DIE) == STATUS_INPUT && file_count() == 1, "a failure leaves no new file");
    ok(status_of("no/b", CLOSE) == STATUS_SYSTEM, "no such folder: %s", said.message);

    put("a", "old");
    symlink("a", path_of("link"));
    ok(status_of("link", CLOSE) == STATUS_OK && holds("a", "new"), "a symlink is followed");
    ok(lstat(path_of("link"), &s) == 0 && S_ISLNK(s.st_mode), "and stays");
    symlink("c", path_of("dangling"));
    ok(status_of("dangling", CLOSE) == STATUS_OK && holds("c", "new") &&
           lstat(path_of("dangling"), &s) == 0 && S_ISLNK(s.st_mode),
       "a symlink to a file that is not there yet");
    ok(file_count() == 4, "nothing else was left");
}

static void write_to(void *path)
{
    struct out *out = out_open(path);
    out_write(out, STR("new"));
    out_close(out);
}

static void test_devices(void)
{
    char null[] = "/dev/null", full[] = "/dev/full";
    ok(survive(write_to, null) == STATUS_OK, "/dev/null is written, not replaced");
    tidy();
    struct stat s;
    ok(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode), "and is still a device");
    ok(survive(write_to, full) == STATUS_SYSTEM, "/dev/full: %s", said.message);
    tidy();
}

int main(void)
{
    test_memory();
    test_gzip();
    if (mkdtemp(folder) == NULL)
        return 1;
    diag_cleanup = out_abandon;
    test_files();
    test_devices();
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || tap_done();
}

/* What stands for functions that POSIX does not have, and columns of text.  Compiled twice: as this system is, and as
 * one that has none of those (PORT_PLAIN). */
#include "base/port.h"
#include "base/width.h"
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_bytes(void)
{
    static const char text[] = "a/b\xff/c";
    const size_t n = sizeof text - 1;
    ok(port_memrchr(text, '/', n) == text + 4 && port_memrchr(text, 'a', n) == text &&
           port_memrchr(text, '\xff', n) == text + 3 && port_memrchr(text, 'x', n) == NULL &&
           port_memrchr(text, 'c', n - 1) == NULL && port_memrchr(text, 'a', 0) == NULL,
       "the last byte that is the same");
    ok(port_memmem(text, n, "/c", 2) == text + 4 && port_memmem(text, n, "/", 1) == text + 1 &&
           port_memmem(text, n, "", 0) == text && port_memmem(text, n, text, n) == text &&
           port_memmem(text, n, "/d", 2) == NULL && port_memmem(text, n - 1, "/c", 2) == NULL &&
           port_memmem("aab", 3, "ab", 2) != NULL && port_memmem("a", 1, "aa", 2) == NULL &&
           port_memmem(text, n, "\xff/", 2) == text + 3,
       "the first bytes that are the same");
}

static void test_machine(void)
{
    unsigned char a[32] = {0}, b[32] = {0};
    ok(port_cores() >= 1, "there is a core");
    ok(port_random(a, sizeof a) && port_random(b, sizeof b) && memcmp(a, b, sizeof a) != 0,
       "random bytes, and others");
    port_keep_memory(1 << 20);
    port_share_memory(2);
    char *block = malloc(1 << 16);
    ok(block != NULL, "malloc goes on");
    free(block);
    port_trim_memory();
}

/* Whether FD, which is closed, is open for what is written and read back, and for this program alone. */
static bool is_file(int fd)
{
    char back[3] = "";
    bool good = fd >= 0 && write(fd, "xyz", 3) == 3 && pread(fd, back, 3, 0) == 3 &&
                memcmp(back, "xyz", 3) == 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
    if (fd >= 0)
        close(fd);
    return good;
}

static void test_files(void)
{
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    char path[4096];
    struct stat found;
    int ends[2];
    snprintf(path, sizeof path, "%s/port.XXXXXX", folder);
    ok(is_file(port_make_file(path)) && stat(path, &found) == 0 && (found.st_mode & 0777) == 0600,
       "a new file");
    unlink(path);
    int fd = port_make_nameless(folder);
    ok(fd < 0 || is_file(fd), "one without a name, if there can be");
    ok(port_make_nameless("/nonexistent") < 0, "and none in no folder");
    bool good = pipe(ends) == 0;
    port_enlarge_pipe(ends[1]);
    ok(good && write(ends[1], "x", 1) == 1, "a pipe, whatever its size");
}

static void test_columns(void)
{
    static const struct {
        const char *text;
        size_t width;
    } texts[] = {
        {"abc", 3},
        {"\xc3\xa9", 1},                             /* e with an acute accent */
        {"e\xcc\x81", 1},                            /* the same of two characters */
        {"\xe6\x97\xa5\xe6\x9c\xac", 4},             /* of China and Japan */
        {"\xef\xbd\xb6", 1},                         /* half as wide */
        {"\xf0\x9f\x94\xa5", 2},                     /* a flame */
        {"\xe2\x80\x8b", 0},                         /* a space without room */
        {"\xc2\xad", 1},                             /* a soft hyphen */
        {"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 2}, /* a syllable of Hangul in three */
        {"\xff\xe6\x97", 3},                         /* no text */
        {"", 0},
    };
    size_t fits;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ok(width_of(str_of(texts[i].text), SIZE_MAX, NULL) == texts[i].width, "columns of text %zu",
           i);
    ok(width_of(STR("a\xe6\x97\xa5z"), 2, &fits) == 1 && fits == 1,
       "half a character does not fit");
    ok(width_of(STR("e\xcc\x81z"), 1, &fits) == 1 && fits == 3, "what takes no column does");
}

int main(void)
{
    test_bytes();
    test_machine();
    test_files();
    test_columns();
    return tap_done();
}

#include "formats/perf/perf_run.h"

#include "base/child.h"
#include "base/in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether PATH is a regular file that perf has recorded, on a machine of either byte order. */
static bool is_recording(const char *path)
{
    char magic[8];
    struct stat file;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return false; /* to open others may block, or have effects */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t n = fd < 0 ? 0 : read(fd, magic, sizeof magic);
    if (fd >= 0)
        close(fd);
    const struct str found = {magic, n > 0 ? (size_t)n : 0};
    return str_equal(found, STR("PERFILE2")) || str_equal(found, STR("2ELIFREP"));
}

/* Appends what FD gives to TO, each line after PERF_BUILD_ID. False if that is too much. */
static bool take_lines(int fd, struct buf *to)
{
    enum { BLOCK = 4096, MAX = 16 << 20 };
    char block[BLOCK];
    bool is_start = true;
    ssize_t n = 0;
    while (to->n < MAX && (n = read(fd, block, BLOCK)) != 0) {
        if (n < 0 && errno != EINTR)
            break;
        for (ssize_t i = 0; i < n; i++) {
            buf_add(to, is_start ? PERF_BUILD_ID : STR(""));
            buf_add(to, (struct str){&block[i], 1});
            is_start = block[i] == '\n';
        }
    }
    return n == 0 && to->n < MAX;
}

/* The build ids of the files in the recording PATH, as comments; nothing if they cannot be had. */
static struct buf build_ids(const char *program, const char *path)
{
    const char *const words[] = {program, "buildid-list", "-i", path, NULL};
    struct buf ids = {0}, said = {0};
    struct child *list = child_open(words);
    if (list == NULL)
        return ids;
    const int fd = child_take_output(list);
    const bool is_whole = take_lines(fd, &ids);
    close(fd);
    if (!child_end(list, &said) || !is_whole)
        ids.n = 0;
    buf_free(&said);
    return ids;
}

bool perf_run(const char *path, const char *program)
{
    const char *const words[] = {program == NULL ? "perf" : program,
                                 "script",
                                 "-i",
                                 path,
                                 "--header",
                                 "--ns",
                                 "-F",
                                 "+pid,+period",
                                 NULL};
    if (!is_recording(path))
        return false;
    setenv("DEBUGINFOD_URLS", "", 1); /* perf opens no network connection either */
    struct child *script = child_open(words);
    if (script == NULL && (program != NULL || errno != ENOENT))
        die(code_of_errno(errno), "cannot run %s: %s", words[0], strerror(errno));
    if (script == NULL)
        return false;
    in_read_instead(path, build_ids(words[0], path), script);
    return true;
}

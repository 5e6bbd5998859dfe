#include "formats/perf/perf_run.h"

#include "base/child.h"
#include "base/in.h"
#include "formats/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether PATH is a regular file that perf, and not simpleperf, has recorded, on a machine of
 * either byte order. */
static bool is_recording(const char *path)
{
    char head[FOREIGN_RECORDING];
    struct stat file;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return false; /* to open others may block, or have effects */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    const struct str found = {head, n > 0 ? (size_t)n : 0};
    return (str_starts(found, STR("PERFILE2")) || str_starts(found, STR("2ELIFREP"))) &&
           !foreign_is_simpleperf(found);
}

/* A recording, and the program that reads it. */
struct recording {
    const char *program, *path;
};

/* Writes what FD gives, build ids and names of files, as comments. */
static void write_comments(int fd)
{
    enum { LINE = 8192, MAX = 1 << 20 /* lines */ };
    char line[LINE];
    FILE *lines = fdopen(fd, "r");
    for (int i = 0; lines != NULL && i < MAX && fgets(line, LINE, lines) != NULL; i++)
        dprintf(STDOUT_FILENO, "%.*s%s", STR_ARG(PERF_BUILD_ID), line);
}

/* Writes the build ids of the files in R; nothing if they cannot be had. */
static void write_build_ids(const struct recording *r)
{
    int ends[2];
    if (pipe(ends) < 0)
        return;
    const pid_t lists = fork();
    if (lists == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(r->program, r->program, "buildid-list", "-i", r->path, (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    write_comments(ends[0]);
    close(ends[0]);
    waitpid(lists, NULL, 0);
}

/* Becomes the program of a recording, in a process of its own. */
static void run(const void *with)
{
    const struct recording *r = with;
    setenv("DEBUGINFOD_URLS", "", 1); /* perf opens no network connection either */
    write_build_ids(r);
    execlp(r->program, r->program, "script", "-i", r->path, "--header", "--ns", "-F",
           "+pid,+period", (char *)NULL);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", r->program, strerror(errno));
}

bool perf_run(const char *path, const char *program)
{
    const struct recording recording = {program == NULL ? "perf" : program, path};
    if (!is_recording(path))
        return false;
    const bool can = child_can_start(recording.program);
    if (!can && program == NULL && errno == ENOENT)
        return false;
    struct child *child = can ? child_open(run, &recording) : NULL;
    if (child == NULL)
        die(code_of_errno(errno), "cannot run %s: %s", recording.program, strerror(errno));
    in_read_instead(path, child);
    return true;
}

#include "base/child.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct child {
    pid_t id;
    int input, output; /* our ends of its pipes; -1: closed */
};

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void drop(void *block)
{
    struct child *c = block;
    close_end(&c->input);
    close_end(&c->output);
}

/* A pipe whose ends no program inherits. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) < 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Starts WORDS between the pipes; an error number, or 0. */
static int spawn(const char *const *words, int input, int output, pid_t *id)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    error = posix_spawnp(id, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

struct child *child_start(const char *const *words)
{
    int input[2], output[2];
    struct child *c = mem_alloc_holder(sizeof *c, drop);
    *c = (struct child){.input = -1, .output = -1};
    int error = errno;
    if (open_pipe(input)) {
        c->input = input[1];
        if (open_pipe(output)) {
            c->output = output[0];
            error = spawn(words, input[0], output[1], &c->id);
            close(output[1]);
        } else {
            error = errno;
        }
        close(input[0]);
    } else {
        error = errno;
    }
    if (error == 0)
        return c;
    drop(c);
    mem_free(c);
    errno = error;
    return NULL;
}

/* Writes BYTES; false if C does not take them all. */
static bool give(struct child *c, struct str bytes)
{
    /* a program that has ended is found out by its status */
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    while (bytes.n > 0) {
        const ssize_t n = write(c->input, bytes.p, bytes.n);
        if (n < 0 && errno != EINTR)
            break;
        bytes.p += n < 0 ? 0 : n;
        bytes.n -= n < 0 ? 0 : (size_t)n;
    }
    close_end(&c->input);
    signal(SIGPIPE, before);
    return bytes.n == 0;
}

/* Appends all that C writes to TO. */
static bool take(struct child *c, struct buf *to)
{
    enum { BLOCK = 64 << 10 };
    for (;;) {
        const ssize_t n = read(c->output, buf_reserve(to, BLOCK), BLOCK);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        to->n += n < 0 ? 0 : (size_t)n;
    }
}

bool child_ask(struct child *c, struct str bytes, struct buf *to)
{
    int status = -1;
    bool can = give(c, bytes);
    can &= take(c, to);
    close_end(&c->output);
    while (waitpid(c->id, &status, 0) < 0 && errno == EINTR)
        ;
    mem_free(c);
    return can && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

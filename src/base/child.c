#include "base/child.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/spool.h"

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
    int messages;      /* a file; -1: they are those of the tool */
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
    close_end(&c->messages);
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

/* Starts WORDS between the pipes, with MESSAGES for its messages unless that is -1. Returns an
 * error number, or 0. */
static int spawn(const char *const *words, int input, int output, int messages, pid_t *id)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (messages >= 0)
        posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    error = posix_spawnp(id, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

struct child *child_start(const char *const *words)
{
    int input[2], output[2];
    struct child *c = mem_alloc_holder(sizeof *c, drop);
    *c = (struct child){.input = -1, .output = -1, .messages = -1};
    int error = errno;
    if (open_pipe(input)) {
        c->input = input[1];
        if (open_pipe(output)) {
            c->output = output[0];
            error = spawn(words, input[0], output[1], -1, &c->id);
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

/* Waits for C; whether it ended with status 0. */
static bool wait_for(const struct child *c)
{
    int status = -1;
    while (waitpid(c->id, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool child_ask(struct child *c, struct str bytes, struct buf *to)
{
    bool can = give(c, bytes);
    can &= take(c, to);
    close_end(&c->output);
    can &= wait_for(c);
    mem_free(c);
    return can;
}

/* --- programs that only write --- */

/* A file without a name, in which a program's messages wait. */
static int open_messages(void)
{
    struct buf path = {0};
    int fd = port_make_nameless(spool_folder());
    if (fd >= 0)
        return fd;
    buf_add(&path, str_of(spool_folder()));
    buf_add(&path, (struct str){"/profpipe-XXXXXX", sizeof "/profpipe-XXXXXX"});
    fd = port_make_file(path.p);
    if (fd >= 0)
        unlink(path.p);
    buf_free(&path);
    return fd;
}

struct child *child_open(const char *const *words)
{
    int output[2];
    struct child *c = mem_alloc_holder(sizeof *c, drop);
    *c = (struct child){.input = -1, .output = -1, .messages = open_messages()};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int error = errno;
    if (c->messages >= 0 && nothing >= 0) {
        if (open_pipe(output)) {
            c->output = output[0];
            error = spawn(words, nothing, output[1], c->messages, &c->id);
            close(output[1]);
        } else {
            error = errno;
        }
    }
    if (nothing >= 0)
        close(nothing);
    if (c->output >= 0 && error == 0)
        return c;
    drop(c);
    mem_free(c);
    errno = error;
    return NULL;
}

int child_take_output(struct child *c)
{
    const int fd = c->output;
    c->output = -1;
    return fd;
}

/* Appends the last line of the file FD that is not empty to TO. */
static void add_last_line(int fd, struct buf *to)
{
    enum { BLOCK = 4096 };
    char block[BLOCK];
    const off_t size = lseek(fd, 0, SEEK_END);
    const ssize_t n = size <= 0 ? 0 : pread(fd, block, BLOCK, size > BLOCK ? size - BLOCK : 0);
    struct str text = {block, n > 0 ? (size_t)n : 0};
    while (text.n > 0 && text.p[text.n - 1] == '\n')
        text.n--;
    for (size_t i = text.n; i > 0; i--)
        if (text.p[i - 1] == '\n') {
            text = (struct str){text.p + i, text.n - i};
            break;
        }
    buf_add(to, text);
}

bool child_end(struct child *c, struct buf *said)
{
    const bool is_good = wait_for(c);
    if (!is_good)
        add_last_line(c->messages, said);
    drop(c);
    mem_free(c);
    return is_good;
}

#include "base/child.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct child {
    pid_t id;
    int input,
        output;   /* our ends of its pipes; -1: closed. One that only writes waits for a byte */
    int messages; /* a file; -1: they are those of the tool */
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

/* Starts WORDS between the pipes. Returns an error number, or 0. */
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
    *c = (struct child){.input = -1, .output = -1, .messages = -1};
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

/* Whether PATH is a program that may be started; else sets errno. */
static bool is_program(const char *path)
{
    struct stat file;
    if (stat(path, &file) < 0)
        return false;
    errno = EACCES;
    return S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

bool child_can_start(const char *program)
{
    const char *folders = getenv("PATH");
    bool is_found = strchr(program, '/') != NULL && is_program(program);
    if (strchr(program, '/') != NULL || folders == NULL)
        return is_found;
    struct buf path = {0};
    errno = ENOENT;
    for (const char *end; !is_found; folders = end + 1) {
        end = folders + strcspn(folders, ":");
        path.n = 0;
        buf_add(&path, end == folders ? STR(".") : (struct str){folders, (size_t)(end - folders)});
        buf_add(&path, STR("/"));
        buf_add(&path, (struct str){program, strlen(program) + 1});
        is_found = is_program(path.p);
        if (*end == '\0')
            break;
    }
    buf_free(&path);
    return is_found;
}

/* The pipes of a process that is being made: what it waits for, and its output. */
struct pipes {
    int wait[2], output[2];
};

/* In the new process, of which PARENT is the parent: waits between PIPES, then calls RUN(WITH). It
 * keeps no descriptor of the tool, which others wait to see closed. */
static _Noreturn void wait_and_run(const struct pipes *pipes, int messages, pid_t parent,
                                   void (*run)(const void *with), const void *with)
{
    char byte;
    port_end_with(parent);
    dup2(pipes->wait[0], STDIN_FILENO);
    dup2(pipes->output[1], STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    port_close_from(STDERR_FILENO + 1);
    ssize_t n;
    while ((n = read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR)
        ;
    if (n != 1)
        _exit(0);
    close(STDIN_FILENO);
    open("/dev/null", O_RDONLY);
    run(with);
    _exit(1);
}

/* Makes the process of C. Returns an error number, or 0. */
static int make_process(struct child *c, void (*run)(const void *with), const void *with)
{
    struct pipes pipes;
    int error = 0;
    if (!open_pipe(pipes.wait))
        return errno;
    c->input = pipes.wait[1];
    if (open_pipe(pipes.output)) {
        const pid_t parent = getpid();
        c->output = pipes.output[0];
        c->id = fork();
        if (c->id == 0)
            wait_and_run(&pipes, c->messages, parent, run, with);
        error = c->id < 0 ? errno : 0;
        close(pipes.output[1]);
    } else {
        error = errno;
    }
    close(pipes.wait[0]);
    return error;
}

/* As many descriptors as the user may have: processes that wait take three each, and the usual limit
 * would do for some 330. */
static void allow_descriptors(void)
{
    struct rlimit max;
    if (getrlimit(RLIMIT_NOFILE, &max) == 0 && max.rlim_cur < max.rlim_max) {
        max.rlim_cur = max.rlim_max;
        setrlimit(RLIMIT_NOFILE, &max);
    }
}

struct child *child_open(void (*run)(const void *with), const void *with)
{
    allow_descriptors();
    struct child *c = mem_alloc_holder(sizeof *c, drop);
    *c = (struct child){.input = -1, .output = -1, .messages = temporary_make()};
    const int error = c->messages < 0 ? errno : make_process(c, run, with);
    if (error == 0)
        return c;
    drop(c);
    mem_free(c);
    errno = error;
    return NULL;
}

int child_take_output(struct child *c)
{
    const int fd = c->output;
    give(c, (struct str){"", 1});
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

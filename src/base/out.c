#include "base/out.h"

#include "base/confine.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 256 << 10 };

struct output {
    struct out out;
    char *buffer;
    size_t capacity;
    uint64_t handed_on; /* bytes that were passed on from the buffer */

    int fd; /* -1: to memory, or nowhere */
    const char *name;
    struct buf *memory;
    bool renames; /* out_close renames `beside` to `target` */
    bool made_target, made_beside;
    char target[PATH_MAX], beside[PATH_MAX + 32], made_too[PATH_MAX + 32];
    char owed[128]; /* for out_owe */
    size_t owed_size;

    struct pack *pack; /* not NULL: gzip */
    int error;         /* errno of a failed write */
};

/* The outputs that a signal or an error must finish: their temporary files are removed, or what they
 * owe is written.  NULL: none. */
enum { UNFINISHED = 2 };
static struct output *volatile unfinished[UNFINISHED];

static void begin_unfinished(struct output *o)
{
    size_t i = 0;
    while (i < UNFINISHED - 1 && unfinished[i] != NULL && unfinished[i] != o)
        i++;
    unfinished[i] = o;
}

static void end_unfinished(const struct output *o)
{
    for (size_t i = 0; i < UNFINISHED; i++)
        if (unfinished[i] == o)
            unfinished[i] = NULL;
}

static void abandon(const struct output *o, enum status status)
{
    if (o->renames && o->made_beside)
        unlink(o->made_too);
    if (o->renames && o->made_target)
        unlink(o->target);
    if (o->renames)
        unlink(o->beside);
    else if (status != STATUS_USAGE)
        (void)!write(o->fd, o->owed, o->owed_size); /* there is no way to report a failure */
}

/* Also called by signal handlers. */
void out_abandon(enum status status)
{
    for (size_t i = 0; i < UNFINISHED; i++) {
        if (unfinished[i] != NULL)
            abandon(unfinished[i], status);
        unfinished[i] = NULL; /* last: a signal may come in between */
    }
}

static void on_signal(int number)
{
    out_abandon(STATUS_SYSTEM);
    signal(number, SIG_DFL);
    raise(number);
}

/* Catches signals that end the process, unless the caller ignores them. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGPIPE, SIGXCPU,
                                  SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGABRT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, set = {.sa_handler = on_signal};
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &set, NULL);
    }
}

static struct output *new_output(const char *name, int fd)
{
    struct output *o = mem_alloc_zeroed(sizeof *o);
    o->name = name;
    o->fd = fd;
    o->capacity = BUFFER;
    o->buffer = mem_alloc(o->capacity);
    o->out.p = o->buffer;
    o->out.end = o->buffer + o->capacity;
    return o;
}

/* Creates a file beside the target, with signals blocked until it is recorded for removal. */
static int make_beside(struct output *o)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int fd = port_make_file(o->beside);
    if (fd >= 0)
        begin_unfinished(o);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

/* Opens a new file beside o->target, with the mode of the finished file. */
static void open_beside(struct output *o, const struct stat *existing)
{
    const char *slash = strrchr(o->target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - o->target) + 1;
    snprintf(o->beside, sizeof o->beside, "%.*s" OUT_BESIDE "XXXXXX", folder, o->target);
    o->renames = true;
    catch_signals();
    o->fd = make_beside(o);
    if (o->fd < 0)
        die_errno("cannot write beside", o->name);
    mode_t mask = umask(0);
    umask(mask);
    /* drop set-user-id bits: the content is a different one now */
    mode_t mode = existing != NULL ? existing->st_mode & 01777 : 0666 & ~mask;
    if (fchmod(o->fd, mode) < 0)
        die_errno("cannot set the mode of", o->name);
}

/* Finds the file that the rename will replace for PATH, which exists if EXISTS.  Follows
 * symlinks, also dangling ones. */
static void resolve_target(char target[PATH_MAX], const char *path, bool exists)
{
    if (exists) {
        if (realpath(path, target) == NULL)
            die_errno("cannot resolve", path);
        return;
    }
    char link[PATH_MAX], joined[2 * PATH_MAX];
    snprintf(target, PATH_MAX, "%s", path);
    for (ssize_t n; (n = readlink(target, link, sizeof link - 1)) > 0;) {
        const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
        snprintf(joined, sizeof joined, "%.*s%.*s", folder, target, (int)n, link);
        if (strlen(joined) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            die_errno("cannot resolve", path);
        }
        strcpy(target, joined); /* stat has refused loops */
    }
}

static struct out *open_direct(struct output *o, int fd)
{
    if (fd < 0)
        die_errno("cannot open", o->name);
    port_enlarge_pipe(fd);
    o->fd = fd;
    return &o->out;
}

struct out *out_open(const char *path)
{
    struct stat existing;
    if (path == NULL || strcmp(path, "-") == 0)
        return open_direct(new_output("<stdout>", -1), STDOUT_FILENO);
    if (*path == '\0')
        die(CODE_BAD_ARGUMENT, "--output: expected the name of a file, found nothing");
    bool exists = stat(path, &existing) == 0;
    if (!exists && errno != ENOENT)
        die_errno("cannot open", path);
    struct output *o = new_output(path, -1);
    if (exists && !S_ISREG(existing.st_mode))
        return open_direct(o, open(path, O_WRONLY | O_CLOEXEC));
    if (exists && access(path, W_OK) < 0)
        die_errno("cannot write", path);
    resolve_target(o->target, path, exists);
    open_beside(o, exists ? &existing : NULL);
    return &o->out;
}

struct out *out_open_buf(struct buf *to)
{
    struct output *o = new_output("<memory>", -1);
    o->memory = to;
    return &o->out;
}

struct out *out_open_nowhere(void)
{
    return &new_output("<nowhere>", -1)->out;
}

const char *out_unfinished(const struct out *out)
{
    const struct output *o = (const struct output *)out;
    return o->renames ? o->beside : NULL;
}

void out_use_beside(const char *path)
{
    char target[PATH_MAX];
    struct stat existing;
    bool exists = stat(path, &existing) == 0;
    if ((exists && !S_ISREG(existing.st_mode)) || (!exists && errno != ENOENT))
        return; /* written directly, or not at all */
    resolve_target(target, path, exists);
    confine_use_beside(target);
}

void out_keep(const struct out *out)
{
    const struct output *o = (const struct output *)out;
    if (!o->renames)
        return;
    confine_write(o->beside);
    confine_replace(o->target);
}

const char *out_target(const struct out *out)
{
    return ((const struct output *)out)->target;
}

void out_made_target(struct out *out)
{
    ((struct output *)out)->made_target = true;
}

void out_made_beside(struct out *out, const char *suffix)
{
    struct output *o = (struct output *)out;
    if (suffix != NULL)
        snprintf(o->made_too, sizeof o->made_too, "%s%s", o->target, suffix);
    o->made_beside = suffix != NULL; /* last: a signal may come in between */
}

void out_leave_target(struct out *out)
{
    struct output *o = (struct output *)out;
    unlink(o->beside);
    o->renames = false;
    end_unfinished(o);
}

bool out_is_terminal(const struct out *out)
{
    const struct output *o = (const struct output *)out;
    return o->fd >= 0 && isatty(o->fd);
}

struct out_window out_window(const struct out *out)
{
    const struct output *o = (const struct output *)out;
    struct winsize size;
    if (o->fd < 0 || ioctl(o->fd, TIOCGWINSZ, &size) < 0)
        return (struct out_window){0};
    return (struct out_window){.columns = size.ws_col, .lines = size.ws_row};
}

unsigned out_colors(const struct out *out)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const char *said = getenv("COLORTERM");
    if (!out_is_terminal(out) || (no_color != NULL && *no_color != '\0') || terminal == NULL ||
        strcmp(terminal, "dumb") == 0 || strncmp(terminal, "vt", 2) == 0)
        return 0;
    if ((said != NULL && (strcmp(said, "truecolor") == 0 || strcmp(said, "24bit") == 0)) ||
        strstr(terminal, "-direct") != NULL)
        return OUT_ALL_COLORS;
    return strstr(terminal, "256color") != NULL ? 256 : 8;
}

void out_owe(struct out *out, struct str text)
{
    struct output *o = (struct output *)out;
    if (o->fd < 0 || o->renames || text.n > sizeof o->owed)
        return;
    memcpy(o->owed, text.p, text.n);
    o->owed_size = text.n;
    begin_unfinished(o);
    catch_signals();
}

void out_finish(struct out *out)
{
    struct output *o = (struct output *)out;
    if (o->owed_size == 0)
        return;
    out_flush(out);
    o->owed_size = 0;
    end_unfinished(o);
}

/* Ends the tool if a write failed. */
static void check_error(const struct output *o)
{
    errno = o->error;
    if (o->error != 0)
        die_errno("cannot write", o->name);
}

/* Writes N bytes from P; notes an error in O. */
static void write_raw(struct output *o, const char *p, size_t n)
{
    if (o->memory != NULL) {
        buf_add(o->memory, (struct str){p, n});
        return;
    }
    while (n > 0 && o->fd >= 0 && o->error == 0) {
        ssize_t wrote = write(o->fd, p, n);
        if (wrote >= 0) {
            p += wrote;
            n -= (size_t)wrote;
        } else if (errno == EAGAIN) {
            struct pollfd wait = {.fd = o->fd, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            o->error = errno;
        }
    }
}

/* The callback of pack.h. */
static void write_packed(void *output, const char *p, size_t n)
{
    write_raw(output, p, n);
}

static struct output *behind; /* the output with bytes on other threads, for diag_finish */

/* Reports a failed write before later errors. */
static void finish_behind(void)
{
    struct output *o = behind;
    if (o == NULL)
        return;
    pack_finish(o->pack);
    if (o->error != 0)
        behind = NULL; /* its own message needs no flush first */
    check_error(o);
}

static void empty_buffer(struct output *o)
{
    size_t n = (size_t)(o->out.p - o->buffer);
    if (o->pack != NULL)
        pack_add(o->pack, o->buffer, n);
    else
        write_raw(o, o->buffer, n);
    o->handed_on += n;
    o->out.p = o->buffer;
    check_error(o);
}

char *out_make_room(struct out *out, size_t n)
{
    struct output *o = (struct output *)out;
    empty_buffer(o);
    if (n > o->capacity) {
        mem_free(o->buffer);
        o->capacity = n;
        o->buffer = mem_alloc(n);
        out->p = o->buffer;
        out->end = o->buffer + n;
    }
    return out->p;
}

void out_write(struct out *out, struct str s)
{
    while (s.n > 0) {
        size_t room = (size_t)(out->end - out->p);
        size_t n = s.n < room ? s.n : room;
        memcpy(out->p, s.p, n);
        out->p += n;
        s.p += n;
        s.n -= n;
        if (s.n > 0)
            empty_buffer((struct output *)out);
    }
}

void out_flush(struct out *out)
{
    struct output *o = (struct output *)out;
    if (o->pack == NULL && out->p > o->buffer)
        empty_buffer(o);
}

uint64_t out_total(const struct out *out)
{
    const struct output *o = (const struct output *)out;
    return o->handed_on + (uint64_t)(out->p - o->buffer);
}

void out_gzip(struct out *out, int level)
{
    struct output *o = (struct output *)out;
    if (o->fd < 0 && o->memory == NULL)
        return;
    o->pack = pack_open(PACK_GZIP, level, write_packed, o);
    if (o->memory == NULL) {
        behind = o;
        diag_finish = finish_behind;
    }
}

static void finish_file(struct output *o)
{
    if (o->renames && fsync(o->fd) < 0 && errno != EINVAL && errno != ENOSYS)
        die_errno("cannot write", o->name);
    if (o->fd >= 0 && close(o->fd) < 0)
        die_errno("cannot write", o->name);
    if (o->renames && rename(o->beside, o->target) < 0)
        die_errno("cannot replace", o->name);
    end_unfinished(o);
}

void out_close(struct out *out)
{
    struct output *o = (struct output *)out;
    empty_buffer(o);
    if (o->pack != NULL) {
        if (behind == o)
            behind = NULL;
        pack_close(o->pack);
        check_error(o);
    }
    finish_file(o);
    mem_free(o->buffer);
    mem_free(o);
}

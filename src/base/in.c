#include "base/in.h"

#include "base/ahead.h"
#include "base/child.h"
#include "base/follow.h"
#include "base/mem.h"
#include "base/port.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* Large enough to hide the cost of system calls, small enough for the second-level cache. */
enum { WINDOW = 256 << 10 };

void (*in_on_read)(size_t n);

struct in {
    const char *name;

    /* The window: bytes[start..end) are not consumed.  If the origin is whole, the window is
     * that.  There is none until the first look. */
    char *bytes;
    size_t capacity, start, end;
    bool at_end;     /* bytes[end] is the end of the input */
    uint64_t before; /* how many bytes before the window were dropped */
    bool torn;       /* a missing last LF was added at bytes[end - 1] */

    struct origin origin;     /* the source of the bytes, unless `ahead` is set */
    struct ahead_file *ahead; /* the file as another thread reads it; or NULL */
    uint64_t raw;             /* how many bytes of the file were read */

    struct sha256 *digest; /* of the bytes read; NULL: not wanted */

    struct child *program; /* which writes those; NULL: none, or it has ended */
};

static const struct origin *origin_of(const struct in *in)
{
    return in->ahead != NULL ? ahead_origin(in->ahead) : &in->origin;
}

/* At the end of what the program of IN, if it has one, has written. */
static void end_program(struct in *in)
{
    struct child *program = in->program;
    struct buf said = {0};
    in->program = NULL;
    if (program != NULL && !child_end(program, &said))
        die_at((struct place){in->name, PLACE_FILE, 0},
               "the program that reads it has failed%s%.*s", said.n > 0 ? ": " : "",
               STR_ARG(buf_str(&said)));
    buf_free(&said);
}

/* Reads at most N bytes to TO; 0 at the end. */
static size_t read_some(struct in *in, char *to, size_t n)
{
    uint64_t raw = in->raw;
    if (in->ahead != NULL) {
        n = ahead_read(in->ahead, to, n, &in->raw);
    } else {
        n = origin_read(&in->origin, to, n);
        in->raw = in->origin.raw_total;
    }
    if (in_on_read != NULL && diag_leave == NULL)
        in_on_read((size_t)(in->raw - raw));
    if (n == 0) {
        origin_die(origin_of(in), in->name);
        end_program(in);
    }
    return n;
}

static void digest(struct in *in, const char *p, size_t n)
{
    if (in->digest != NULL && n > 0)
        sha256_add(in->digest, (struct str){p, n});
}

static bool is_whole(const struct in *in)
{
    return origin_of(in)->whole.p != NULL;
}

/* Sets up the window: if the origin is whole, it is that. */
static void open_window(struct in *in)
{
    struct str whole =
        in->ahead != NULL ? ahead_origin(in->ahead)->whole : origin_whole(&in->origin);
    in->at_end = whole.p != NULL;
    if (in->at_end) {
        in->bytes = (char *)(uintptr_t)whole.p;
        in->end = whole.n;
        digest(in, whole.p, whole.n);
        if (in_on_read != NULL && diag_leave == NULL)
            in_on_read((size_t)origin_of(in)->raw_total);
    } else {
        in->capacity = WINDOW;
        in->bytes = mem_alloc(in->capacity + INPUT_PADDING);
    }
}

/* Adds at least one byte to the window or sets at_end. */
static void fill(struct in *in)
{
    if (in->bytes == NULL)
        open_window(in);
    if (in->at_end)
        return;
    if (in->start > 0 && in->capacity - in->end < WINDOW / 2) {
        memmove(in->bytes, in->bytes + in->start, in->end - in->start);
        in->end -= in->start;
        in->before += in->start;
        in->start = 0;
    }
    if (in->end == in->capacity) {
        in->capacity *= 2;
        in->bytes = mem_resize(in->bytes, in->capacity + INPUT_PADDING);
    }
    size_t n = read_some(in, in->bytes + in->end, in->capacity - in->end);
    digest(in, in->bytes + in->end, n);
    in->end += n;
    in->at_end = n == 0;
    memset(in->bytes + in->end, 0, INPUT_PADDING);
}

/* Releases what an input owns when its memory is freed along with others; spools are released
 * that way, too. */
static void drop(void *block)
{
    struct in *in = block;
    in->origin.held = NULL;
    origin_close(&in->origin);
    if (in->ahead != NULL)
        ahead_close(in->ahead);
}

static struct in *new_input(const char *name)
{
    struct in *in = mem_alloc_holder(sizeof *in, drop);
    in->origin.fd = -1;
    in->name = name;
    return in;
}

static struct stat forbidden; /* all zero: no file */

void in_forbid(int fd)
{
    if (fstat(fd, &forbidden) < 0 || !S_ISREG(forbidden.st_mode))
        memset(&forbidden, 0, sizeof forbidden);
}

static struct stat replaced;

void in_guard(const struct stat *file)
{
    replaced = *file;
}

static bool is_file(const struct in *in, const struct stat *file)
{
    const struct stat *found = &origin_of(in)->stat;
    return file->st_ino != 0 && found->st_ino == file->st_ino && found->st_dev == file->st_dev;
}

bool in_is_replaced(const struct in *in)
{
    return is_file(in, &replaced);
}

static struct stat locked; /* all zero: no file */

void in_lock(const struct stat *file)
{
    locked = *file;
}

bool in_is_locked(const struct in *in)
{
    return is_file(in, &locked);
}

/* --- files that are opened early --- */

enum { HELD_FILES = 16 };

static struct held {
    const char *path;
    int fd; /* -1: taken */
} held[HELD_FILES];
static size_t held_count;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether FD is a regular file, and enough descriptors are left for what is opened later. */
static bool can_hold(int fd)
{
    enum { SPARE = 32 };
    struct stat file;
    struct rlimit max;
    return fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
           getrlimit(RLIMIT_NOFILE, &max) == 0 && (rlim_t)fd + SPARE < max.rlim_cur;
}

void in_open_early(const char *path)
{
    struct stat file;
    if (held_count == HELD_FILES || stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return; /* to open others may block, or have effects */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (can_hold(fd))
        held[held_count++] = (struct held){path, fd};
    else if (fd >= 0)
        close(fd);
}

/* The descriptor of PATH, which the caller then owns, if it is held; otherwise -1. */
static int take_held(const char *path)
{
    int fd = -1;
    pthread_mutex_lock(&held_lock);
    for (size_t i = 0; i < held_count && fd < 0; i++)
        if (held[i].fd >= 0 && strcmp(held[i].path, path) == 0) {
            fd = held[i].fd;
            held[i].fd = -1;
        }
    pthread_mutex_unlock(&held_lock);
    return fd;
}

/* Whether a file that is held under the name of IN is another: the name is that of a new one. */
static bool is_renamed(const struct in *in)
{
    bool is_renamed = false;
    struct stat early;
    pthread_mutex_lock(&held_lock);
    for (size_t i = 0; i < held_count; i++)
        if (held[i].fd >= 0 && strcmp(held[i].path, in->name) == 0)
            is_renamed |= fstat(held[i].fd, &early) < 0 || !is_file(in, &early);
    pthread_mutex_unlock(&held_lock);
    return is_renamed;
}

/* --- what is read in place of a file --- */

static struct instead {
    const char *path; /* NULL: taken */
    struct child *program;
} * insteads;
static size_t instead_count, instead_capacity, instead_taken;

void in_read_instead(const char *path, struct child *program)
{
    insteads = mem_array(insteads, &instead_capacity, instead_count + 1, sizeof *insteads);
    insteads[instead_count++] = (struct instead){path, program};
}

/* Marks INSTEAD as taken, and frees all after the last. */
static void take_instead(struct instead *instead)
{
    instead->path = NULL;
    if (++instead_taken < instead_count)
        return;
    mem_free(insteads);
    insteads = NULL;
    instead_count = instead_capacity = instead_taken = 0;
}

static struct instead *find_instead(const char *path)
{
    for (size_t i = 0; i < instead_count; i++)
        if (insteads[i].path != NULL && strcmp(insteads[i].path, path) == 0)
            return &insteads[i];
    return NULL;
}

bool in_has_instead(const char *path)
{
    return find_instead(path) != NULL;
}

/* Opens what is read in place of the file. */
static struct in *open_instead(struct instead *instead)
{
    struct in *in = new_input(instead->path);
    in->program = instead->program;
    take_instead(instead);
    const int fd = child_take_output(in->program);
    port_enlarge_pipe(fd);
    origin_open(&in->origin, fd);
    return in;
}

/* --- opening --- */

static void open_source(struct in *in, const char *path, int held_fd)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : held_fd >= 0 ? held_fd : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        die_unreadable("cannot open", path);
    if (is_stdin && isatty(fd))
        warn(CODE_TERMINAL,
             "reading standard input, which is a terminal" HINT "Ctrl-D ends it, Ctrl-C the tool");
    port_enlarge_pipe(fd);
    origin_open(&in->origin, fd);
    origin_die(&in->origin, in->name);
}

/* The same on a thread that is not the main one: what that holds stays there. */
static struct in *open_beside(const char *path)
{
    struct in *in = new_input(path);
    open_source(in, path, -1);
    if (!S_ISREG(in->origin.stat.st_mode) || is_file(in, &forbidden) || is_renamed(in))
        diag_main_only();
    return in;
}

struct in *in_open(const char *path)
{
    static bool stdin_is_taken;
    bool is_stdin = strcmp(path, "-") == 0;
    if (diag_leave != NULL)
        return open_beside(path);
    struct instead *instead = is_stdin ? NULL : find_instead(path);
    if (instead != NULL)
        return open_instead(instead);
    if (is_stdin && stdin_is_taken)
        die(CODE_SAME_FILE, "standard input is named twice");
    stdin_is_taken |= is_stdin;
    struct in *in = new_input(is_stdin ? "<stdin>" : path);
    int held_fd = is_stdin ? -1 : take_held(path);
    in->ahead = is_stdin ? NULL : ahead_take(path);
    if (in->ahead == NULL)
        open_source(in, path, held_fd);
    else if (held_fd >= 0)
        close(held_fd);
    if (is_file(in, &forbidden))
        die(CODE_SAME_FILE, "%s is input and output at once", in->name);
    return in;
}

struct in *in_open_bytes(const char *name, struct str bytes, size_t block)
{
    struct in *in = new_input(name);
    origin_open_bytes(&in->origin, bytes, block);
    return in;
}

void in_hold(struct in *in)
{
    origin_hold(&in->origin);
}

void in_again(struct in *in)
{
    in->at_end = in->torn = false;
    in->start = in->end = 0;
    in->raw = in->before = 0;
    origin_again(&in->origin);
}

void in_close(struct in *in)
{
    if (in->origin.held != NULL && !in->origin.again)
        return;
    if (!is_whole(in))
        mem_free(in->bytes);
    mem_free(in->digest);
    if (in_is_locked(in))
        in->origin.fd = -1; /* do not close it */
    origin_close(&in->origin);
    if (in->ahead != NULL)
        ahead_close(in->ahead);
    if (in->program != NULL) { /* which nobody reads any more */
        struct buf said = {0};
        child_end(in->program, &said);
        buf_free(&said);
    }
    mem_free(in);
}

const char *in_name(const struct in *in)
{
    return in->name;
}

const char *in_path(const struct in *in)
{
    bool is_file = origin_of(in)->fd >= 0 && S_ISREG(origin_of(in)->stat.st_mode);
    if (!is_file || in->origin.held != NULL)
        return NULL;
    return in_is_stdin(in) ? "/dev/stdin" : in->name;
}

bool in_is_stdin(const struct in *in)
{
    return in->ahead == NULL && in->origin.fd == STDIN_FILENO;
}

struct str in_peek(struct in *in, size_t want)
{
    while (in->end - in->start < want && !in->at_end)
        fill(in);
    return (struct str){in->bytes + in->start, in->end - in->start};
}

/* Whether HEAD, all that there is, may be the start of a first line that is still being written; a
 * document of JSON needs no line feed. */
static bool is_begun(struct str head)
{
    enum { FIRST_MAX = 4096 };
    size_t n = 0;
    if (head.n > 0 && (head.p[0] == '{' || head.p[0] == '['))
        return false;
    while (n < head.n && head.p[n] != '\n' && str_is_text(head.p[n]))
        n++;
    return n == head.n && n < FIRST_MAX;
}

void in_await(struct in *in)
{
    while (is_begun(in_peek(in, in->end - in->start + 1))) {
        if (!in->at_end)
            continue;
        if (!S_ISREG(origin_of(in)->stat.st_mode) || !follow_wait())
            return;
        in->at_end = false;
        origin_on_pause();
    }
}

void in_go_on(struct in *in)
{
    if (in->ahead != NULL || in->origin.packing != ORIGIN_PLAIN || in->origin.fd < 0 ||
        !S_ISREG(in->origin.stat.st_mode))
        return;
    in->origin.goes_on = true;
    in->at_end = false;
}

/* How much of HEAD is enough to detect a format: text up to the end of a line that is neither
 * blank nor a comment with '#'. 0: there is no such line. */
static size_t first_line(struct str head)
{
    bool is_blank = true, is_comment = false;
    for (size_t i = 0; i < head.n; i++) {
        bool begins = i == 0 || head.p[i - 1] == '\n';
        if (head.p[i] == '\n' && !is_blank && !is_comment)
            return i + 1;
        if (!str_is_text(head.p[i]))
            return 0;
        is_comment = begins ? head.p[i] == '#' : is_comment;
        is_blank = (begins || is_blank) && memchr(" \t\r\n", head.p[i], 4) != NULL;
    }
    return 0;
}

struct str in_peek_start(struct in *in, size_t max)
{
    for (;;) {
        struct str head = in_peek(in, 1);
        size_t first = head.n < IN_START ? head.n : IN_START;
        size_t line = first_line((struct str){head.p, first});
        if (line > 0) /* the same for every size of reads */
            return (struct str){head.p, line};
        if (in->at_end || head.n >= max || memchr(head.p + first, '\n', head.n - first) != NULL)
            return head;
        fill(in);
    }
}

static _Noreturn void die_long(const struct in *in, uint64_t line)
{
    die_as(CODE_TOO_LARGE, (struct place){in->name, PLACE_LINE, line},
           "the line is longer than %zu MiB", LIMITS_LINE >> 20);
}

/* Checks each line from P, the first with the number LINE, to the LF at LAST: whether a line is
 * too long must not depend on the size of reads. */
static void check_lengths(const struct in *in, const char *p, const char *last, uint64_t line)
{
    for (; p <= last; line++) {
        const char *lf = memchr(p, '\n', (size_t)(last - p) + 1);
        if ((size_t)(lf - p) > LIMITS_LINE)
            die_long(in, line);
        p = lf + 1;
    }
}

struct str in_lines(struct in *in, size_t have, uint64_t line)
{
    if (in->bytes == NULL)
        fill(in);
    for (size_t searched = have;;) {
        const char *first = in->bytes + in->start;
        size_t n = in->end - in->start;
        const char *last = port_memrchr(first + searched, '\n', n - searched);
        if (last != NULL) {
            struct str lines = {first, (size_t)(last - first) + 1};
            if (lines.n - have > LIMITS_LINE)
                check_lengths(in, first + have, last, line);
            return lines;
        }
        if (n - have > LIMITS_LINE)
            die_long(in, line);
        if (in->at_end) {
            if (n == have)
                return (struct str){first, have};
            in->torn = true;
            in->bytes[in->end++] = '\n'; /* the padding leaves room for it */
            continue;
        }
        searched = n;
        fill(in);
    }
}

bool in_torn(const struct in *in)
{
    return in->torn;
}

void in_consume(struct in *in, size_t n)
{
    in->start += n;
}

void in_digest_begin(struct in *in)
{
    in->digest = mem_alloc(sizeof *in->digest);
    sha256_begin(in->digest);
}

void in_digest(struct in *in, unsigned char bytes[SHA256_SIZE])
{
    for (fill(in); !in->at_end; fill(in))
        in->start = in->end;
    sha256_end(in->digest, bytes);
}

uint64_t in_seen(const struct in *in)
{
    const struct stat *file = &origin_of(in)->stat;
    uint64_t seen = in->before + in->end;
    uint64_t size = S_ISREG(file->st_mode) ? (uint64_t)file->st_size : 0;
    return seen > size ? seen : size;
}

bool in_mtime(const struct in *in, int64_t *seconds)
{
    const struct stat *file = &origin_of(in)->stat;
    *seconds = (int64_t)file->st_mtime;
    return S_ISREG(file->st_mode);
}

#include "base/in.h"

#include "base/mem.h"
#include "base/pipe.h"
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Large enough to hide the calls, small enough to stay in the second-level cache. */
enum { WINDOW = 256 << 10, COMPRESSED = 64 << 10 };

void (*in_on_pause)(void);
void (*in_on_read)(size_t n);

struct in {
    const char *name;

    /* The window: bytes[start..end) have not been consumed. */
    char *bytes;
    size_t capacity, start, end;
    bool at_end; /* nothing comes behind bytes[end] */
    bool torn;   /* a missing last LF was added at bytes[end - 1] */

    /* Where raw bytes come from: a descriptor, or memory when fd is -1. */
    int fd;
    struct stat stat;
    struct str memory;
    size_t block;

    /* gzip, when packed is not NULL. */
    unsigned char *packed;
    z_stream z;
    uint64_t packed_offset; /* raw bytes read so far */
    bool in_member;         /* inside a gzip member, not between two */
    bool raw_end;

    struct spool *held; /* what has been read, for in_again */
    bool again;         /* and is being read again */
};

static void give_up_held(struct in *in)
{
    if (in->held != NULL)
        spool_close(in->held);
    in->held = NULL;
    in->again = false;
}

static void wait_for_bytes(struct in *in)
{
    struct pollfd p = {.fd = in->fd, .events = POLLIN};
    if (in_on_pause != NULL && poll(&p, 1, 0) == 0)
        in_on_pause();
}

/* Reads at most N bytes to TO from where they come from; 0 at the end. */
static size_t read_source(struct in *in, char *to, size_t n)
{
    if (in->fd < 0) {
        if (n > in->block)
            n = in->block;
        if (n > in->memory.n)
            n = in->memory.n;
        if (n != 0)
            memcpy(to, in->memory.p, n);
        in->memory.p += n;
        in->memory.n -= n;
        return n;
    }
    wait_for_bytes(in);
    for (;;) {
        ssize_t got = read(in->fd, to, n);
        if (got >= 0) {
            if (in_on_read != NULL)
                in_on_read((size_t)got);
            return (size_t)got;
        }
        if (errno == EAGAIN) {
            struct pollfd p = {.fd = in->fd, .events = POLLIN};
            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            die_unreadable("cannot read", in->name);
        }
    }
}

/* Reads at most N raw bytes to TO; 0 at the end. */
static size_t read_raw(struct in *in, char *to, size_t n)
{
    if (in->again) {
        size_t got = spool_read_some(in->held, to, n);
        if (got > 0)
            return got;
        give_up_held(in); /* the first reading may have ended before the input */
    }
    size_t got = read_source(in, to, n);
    if (in->held != NULL)
        spool_write(in->held, (struct str){to, got});
    return got;
}

static struct place packed_place(const struct in *in)
{
    return (struct place){in->name, PLACE_OFFSET, in->packed_offset - in->z.avail_in};
}

static void fill_packed(struct in *in)
{
    if (in->z.avail_in == 0 && !in->raw_end) {
        size_t n = read_raw(in, (char *)in->packed, COMPRESSED);
        in->raw_end = n == 0;
        in->packed_offset += n;
        in->z.next_in = in->packed;
        in->z.avail_in = (uInt)n;
    }
}

/* Between two members: zero bytes may pad a file (tapes, block devices), anything else must be
 * another member. */
static bool next_member(struct in *in)
{
    for (;;) {
        fill_packed(in);
        if (in->z.avail_in == 0)
            return false;
        if (*in->z.next_in != 0)
            break;
        in->z.next_in++;
        in->z.avail_in--;
    }
    if (*in->z.next_in != 0x1f)
        die_at(packed_place(in), "expected another gzip member or the end, found other bytes");
    if (inflateReset(&in->z) != Z_OK)
        die(STATUS_SYSTEM, "%s: zlib could not be reset", in->name);
    in->in_member = true;
    return true;
}

/* Inflates at most N bytes to TO; 0 at the end. */
static size_t read_gzip(struct in *in, char *to, size_t n)
{
    if (n > UINT_MAX) /* zlib counts with these */
        n = UINT_MAX;
    if (n > 1u << 30) /* zlib counts in unsigned int */
        n = 1u << 30;
    in->z.next_out = (unsigned char *)to;
    in->z.avail_out = (uInt)n;
    while (in->z.avail_out == n) {
        if (!in->in_member && !next_member(in))
            return 0;
        fill_packed(in);
        if (in->z.avail_in == 0)
            die_at(packed_place(in),
                   "the gzip data is cut off: expected more bytes, found the end");
        int result = inflate(&in->z, Z_NO_FLUSH);
        if (result == Z_STREAM_END)
            in->in_member = false;
        else if (result == Z_MEM_ERROR)
            die(STATUS_SYSTEM, "%s: zlib is out of memory", in->name);
        else if (result != Z_OK && result != Z_BUF_ERROR)
            die_at(packed_place(in), "the gzip data is damaged: %s",
                   in->z.msg != NULL ? in->z.msg : "no reason given");
    }
    return n - in->z.avail_out;
}

/* Adds at least one byte to the window or sets at_end. */
static void fill(struct in *in)
{
    if (in->start > 0 && in->capacity - in->end < WINDOW / 2) {
        memmove(in->bytes, in->bytes + in->start, in->end - in->start);
        in->end -= in->start;
        in->start = 0;
    }
    if (in->end == in->capacity) {
        in->capacity *= 2;
        in->bytes = mem_resize(in->bytes, in->capacity + IN_PADDING);
    }
    size_t room = in->capacity - in->end;
    size_t n = in->packed != NULL ? read_gzip(in, in->bytes + in->end, room)
                                  : read_raw(in, in->bytes + in->end, room);
    in->end += n;
    in->at_end = n == 0;
    memset(in->bytes + in->end, 0, IN_PADDING);
}

/* Looks at the first two bytes; when they are gzip's, moves what was read to the packed side. */
static void detect_gzip(struct in *in)
{
    struct str head = in_peek(in, 2);
    if (head.n < 2 || (unsigned char)head.p[0] != 0x1f || (unsigned char)head.p[1] != 0x8b)
        return;
    in->z.zalloc = mem_zlib_alloc;
    in->z.zfree = mem_zlib_free;
    if (inflateInit2(&in->z, 15 + 16) != Z_OK)
        die(STATUS_SYSTEM, "%s: zlib could not be set up", in->name);
    in->packed = mem_alloc(head.n > COMPRESSED ? head.n : COMPRESSED);
    memcpy(in->packed, head.p, head.n);
    in->packed_offset = head.n;
    in->z.next_in = in->packed;
    in->z.avail_in = (uInt)head.n;
    in->in_member = true;
    in->start = in->end = 0;
    in->at_end = false;
}

static void close_source(void *block)
{
    const struct in *in = block;
    if (in->fd > STDIN_FILENO)
        close(in->fd);
}

static struct in *open_window(const char *name, int fd)
{
    struct in *in = mem_alloc_holder(sizeof *in, close_source);
    in->name = name;
    in->fd = fd;
    in->capacity = WINDOW;
    in->bytes = mem_alloc(in->capacity + IN_PADDING);
    return in;
}

static struct stat forbidden; /* all zero: nothing */

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
    return file->st_ino != 0 && in->stat.st_ino == file->st_ino && in->stat.st_dev == file->st_dev;
}

bool in_is_replaced(const struct in *in)
{
    return is_file(in, &replaced);
}

struct in *in_open(const char *path)
{
    static bool stdin_is_taken;
    bool is_stdin = strcmp(path, "-") == 0;
    if (is_stdin && stdin_is_taken)
        die(STATUS_USAGE, "standard input is named twice");
    stdin_is_taken |= is_stdin;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        die_unreadable("cannot open", path);
    struct in *in = open_window(is_stdin ? "<stdin>" : path, fd);
    if (fstat(fd, &in->stat) < 0)
        die_unreadable("cannot examine", in->name);
    if (is_stdin && isatty(fd))
        warn("reading standard input, which is a terminal (Ctrl-D ends it, Ctrl-C the tool)");
    if (S_ISDIR(in->stat.st_mode)) {
        errno = EISDIR;
        die_unreadable("cannot read", in->name);
    }
    if (is_file(in, &forbidden))
        die(STATUS_USAGE, "%s is input and output at once", in->name);
    pipe_enlarge(fd);
    detect_gzip(in);
    return in;
}

struct in *in_open_bytes(const char *name, struct str bytes, size_t block)
{
    struct in *in = open_window(name, -1);
    in->memory = bytes;
    in->block = block;
    detect_gzip(in);
    return in;
}

static void end_gzip(struct in *in)
{
    if (in->packed != NULL)
        inflateEnd(&in->z);
    mem_free(in->packed);
    in->packed = NULL;
}

/* What is held in memory of an input, at most; the rest goes to a file. */
enum { HELD = 8 << 20 };

void in_hold(struct in *in)
{
    in->held = spool_open_in(HELD);
    if (in->packed != NULL)
        spool_write(in->held, (struct str){(char *)in->packed, in->packed_offset});
    else
        spool_write(in->held, (struct str){in->bytes, in->end});
}

void in_again(struct in *in)
{
    end_gzip(in);
    in->z = (z_stream){0};
    in->packed_offset = 0;
    in->in_member = in->raw_end = in->at_end = in->torn = false;
    in->start = in->end = 0;
    in->again = true;
    spool_rewind(in->held);
    detect_gzip(in);
}

void in_close(struct in *in)
{
    if (in->held != NULL && !in->again)
        return;
    give_up_held(in);
    close_source(in);
    end_gzip(in);
    mem_free(in->bytes);
    mem_free(in);
}

const char *in_name(const struct in *in)
{
    return in->name;
}

bool in_is_stdin(const struct in *in)
{
    return in->fd == STDIN_FILENO;
}

struct str in_peek(struct in *in, size_t want)
{
    while (in->end - in->start < want && !in->at_end)
        fill(in);
    return (struct str){in->bytes + in->start, in->end - in->start};
}

/* Whether HEAD is enough to tell formats apart: text up to the end of a line that is not blank. */
static bool has_line(struct str head)
{
    bool is_blank = true;
    for (size_t i = 0; i < head.n; i++) {
        if (head.p[i] == '\n' && !is_blank)
            return true;
        if (!str_is_text(head.p[i]))
            return false;
        is_blank = is_blank && memchr(" \t\r\n", head.p[i], 4) != NULL;
    }
    return false;
}

struct str in_peek_start(struct in *in, size_t most)
{
    for (;;) {
        struct str head = in_peek(in, 1);
        size_t first = head.n < 512 ? head.n : 512;
        if (in->at_end || head.n >= most || has_line((struct str){head.p, first}) ||
            memchr(head.p + first, '\n', head.n - first) != NULL)
            return head;
        fill(in);
    }
}

static _Noreturn void die_long(const struct in *in, uint64_t line)
{
    die_at((struct place){in->name, PLACE_LINE, line}, "the line is longer than %zu MiB",
           IN_LINE_MAX >> 20);
}

/* Whether a line is too long must not depend on how its bytes came in: looks at each line from P,
 * the first of which has the number LINE, to the LF at LAST. */
static void check_lengths(const struct in *in, const char *p, const char *last, uint64_t line)
{
    for (; p <= last; line++) {
        const char *lf = memchr(p, '\n', (size_t)(last - p) + 1);
        if ((size_t)(lf - p) > IN_LINE_MAX)
            die_long(in, line);
        p = lf + 1;
    }
}

struct str in_lines(struct in *in, size_t have, uint64_t line)
{
    for (size_t searched = have;;) {
        const char *first = in->bytes + in->start;
        size_t n = in->end - in->start;
        const char *last = memrchr(first + searched, '\n', n - searched);
        if (last != NULL) {
            struct str lines = {first, (size_t)(last - first) + 1};
            if (lines.n - have > IN_LINE_MAX)
                check_lengths(in, first + have, last, line);
            return lines;
        }
        if (n - have > IN_LINE_MAX)
            die_long(in, line);
        if (in->at_end) {
            if (n == have)
                return (struct str){first, have};
            in->torn = true;
            in->bytes[in->end++] = '\n'; /* the padding has room for it */
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

bool in_mtime(const struct in *in, int64_t *seconds)
{
    *seconds = (int64_t)in->stat.st_mtime;
    return S_ISREG(in->stat.st_mode);
}

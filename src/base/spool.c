#include "base/spool.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/temporary.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

/* More than this goes to the file, in pieces of this size, unless the caller sets another limit. */
enum { LITTLE = 256 << 10 };

/* The maximum size of one read; the maximum number of extents of a spool, enough for any disk. */
enum { PAGE = 64 << 10, EXTENTS = 40 };

/* --- the file ---
 *
 * A spool has extents in it: the first has LITTLE bytes, and each further one is as large as all
 * before it.  Parts that were not written take no space on disk. */

static struct {
    int fd;         /* 0: the file does not exist yet */
    int error;      /* errno of the first attempt to create it */
    uint64_t end;   /* the end of the last extent; no extent has the first bytes */
    uint64_t taken; /* how many extents are in use */
    /* Lists of free extents, by size: each starts with the place of the next; 0: none. */
    uint64_t free[EXTENTS];
} file;

/* Threads may have spools of their own: it is held while an extent is taken or given. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t extent_start(unsigned i)
{
    return i == 0 ? 0 : (uint64_t)LITTLE << (i - 1);
}

static uint64_t extent_size(unsigned i)
{
    return i == 0 ? LITTLE : extent_start(i);
}

/* Ends the tool: it could not ACT, read or write, and errno says why. */
static _Noreturn void fail(const char *act)
{
    die(code_of_errno(errno), "cannot %s the temporary file: %s", act, strerror(errno));
}

/* Write or read all bytes; false with errno if that fails. */
static bool write_at(uint64_t at, const void *bytes, size_t n)
{
    for (const char *p = bytes; n > 0;) {
        ssize_t wrote = pwrite(file.fd, p, n, (off_t)at);
        if (wrote < 0 && errno != EINTR)
            return false;
        size_t some = wrote < 0 ? 0 : (size_t)wrote;
        p += some;
        at += some;
        n -= some;
    }
    return true;
}

static bool read_at(uint64_t at, void *bytes, size_t n)
{
    for (char *p = bytes; n > 0;) {
        ssize_t got = pread(file.fd, p, n, (off_t)at);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        size_t some = got < 0 ? 0 : (size_t)got;
        p += some;
        at += some;
        n -= some;
    }
    return true;
}

void spool_prepare(void)
{
    if (file.fd != 0)
        return;
    int fd = temporary_make();
    if (fd >= 0)
        file.fd = fd;
    else if (file.error == 0)
        file.error = errno;
}

/* Returns the place of a free extent of size number I; 0: its list cannot be read. */
static uint64_t find_extent(unsigned i)
{
    uint64_t at = file.free[i];
    if (file.end == 0)
        file.end = LITTLE;
    if (at == 0) {
        at = file.end;
        file.end += extent_size(i);
    } else if (!read_at(at, &file.free[i], sizeof file.free[i])) {
        return 0;
    }
    file.taken++;
    return at;
}

static uint64_t take_extent(unsigned i)
{
    pthread_mutex_lock(&lock);
    spool_prepare();
    bool is_made = file.fd != 0;
    uint64_t at = is_made ? find_extent(i) : 0;
    int error = is_made ? errno : file.error;
    pthread_mutex_unlock(&lock);
    errno = error;
    if (!is_made)
        die_errno("cannot make a temporary file in", temporary_folder());
    if (at == 0)
        fail("read");
    return at;
}

/* Frees the extent AT of size number I, with the lock.  If the list cannot be written it is never
 * used again. */
static void free_extent(uint64_t at, unsigned i)
{
    file.taken--;
    if (file.taken == 0 && ftruncate(file.fd, 0) == 0) {
        file.end = 0;
        memset(file.free, 0, sizeof file.free);
    } else if (write_at(at, &file.free[i], sizeof file.free[i])) {
        file.free[i] = at;
    }
}

static void give_extent(uint64_t at, unsigned i)
{
    pthread_mutex_lock(&lock);
    free_extent(at, i);
    pthread_mutex_unlock(&lock);
}

/* --- spools --- */

struct spool {
    size_t max;        /* bytes in memory */
    struct buf memory; /* what was written but is not in the file */
    uint64_t filed;    /* how much is in the file; it comes before `memory` */
    uint64_t extents[EXTENTS];
    unsigned extent_count;
    uint64_t read;   /* the position for reading */
    struct buf page; /* bytes of the file, from PAGE_START on */
    uint64_t page_start;
};

static void drop(void *spool)
{
    struct spool *s = spool;
    while (s->extent_count > 0) {
        s->extent_count--;
        give_extent(s->extents[s->extent_count], s->extent_count);
    }
}

struct spool *spool_open_in(size_t memory)
{
    struct spool *s = mem_alloc_holder(sizeof *s, drop);
    s->max = memory;
    return s;
}

struct spool *spool_open(void)
{
    return spool_open_in(LITTLE);
}

/* The place of byte AT of S in the file, adding the extent if needed; *LEFT: how many bytes of
 * the extent follow. */
static uint64_t place(struct spool *s, uint64_t at, uint64_t *left)
{
    unsigned i = 0;
    while (at >= extent_start(i + 1))
        i++;
    if (i == s->extent_count) {
        s->extents[i] = take_extent(i);
        s->extent_count++;
    }
    uint64_t inside = at - extent_start(i);
    *left = extent_size(i) - inside;
    return s->extents[i] + inside;
}

/* Writes full pieces from memory to the file. */
static void write_pieces(struct spool *s)
{
    size_t done = 0;
    for (; s->memory.n - done >= LITTLE; done += LITTLE) {
        uint64_t left, to = place(s, s->filed, &left);
        if (!write_at(to, s->memory.p + done, LITTLE))
            fail("write");
        s->filed += LITTLE;
    }
    s->memory.n -= done;
    memmove(s->memory.p, s->memory.p + done, s->memory.n);
}

void spool_write(struct spool *s, struct str bytes)
{
    bool fits = s->memory.n <= s->max && bytes.n <= s->max - s->memory.n;
    if (s->filed == 0 && fits) {
        buf_add(&s->memory, bytes);
        return;
    }
    while (s->memory.n >= LITTLE || bytes.n >= LITTLE - s->memory.n) {
        size_t room = s->memory.n < LITTLE ? LITTLE - s->memory.n : 0;
        buf_add(&s->memory, (struct str){bytes.p, room});
        bytes = (struct str){bytes.p + room, bytes.n - room};
        write_pieces(s);
    }
    buf_add(&s->memory, bytes);
}

void spool_seek(struct spool *s, uint64_t at)
{
    s->read = at;
}

void spool_rewind(struct spool *s)
{
    spool_seek(s, 0);
}

/* The bytes from the position for reading that are in memory, or can be loaded; empty at the
 * end. */
static struct str peek(struct spool *s)
{
    if (s->read >= s->filed) {
        size_t at = (size_t)(s->read - s->filed);
        return at == s->memory.n ? STR("") : (struct str){s->memory.p + at, s->memory.n - at};
    }
    if (s->read < s->page_start || s->read - s->page_start >= s->page.n) {
        uint64_t left, from = place(s, s->read, &left);
        left = left < s->filed - s->read ? left : s->filed - s->read;
        size_t n = left < PAGE ? (size_t)left : PAGE;
        s->page.n = 0;
        if (!read_at(from, buf_reserve(&s->page, n), n))
            fail("read");
        s->page.n = n;
        s->page_start = s->read;
    }
    size_t at = (size_t)(s->read - s->page_start);
    return (struct str){s->page.p + at, s->page.n - at};
}

size_t spool_read_some(struct spool *s, void *to, size_t n)
{
    struct str there = peek(s);
    n = n < there.n ? n : there.n;
    if (n > 0)
        memcpy(to, there.p, n);
    s->read += n;
    return n;
}

bool spool_read(struct spool *s, void *to, size_t n)
{
    for (char *p = to; n > 0;) {
        size_t got = spool_read_some(s, p, n);
        if (got == 0)
            return false;
        p += got;
        n -= got;
    }
    return true;
}

void spool_copy(struct spool *s, struct out *out)
{
    spool_rewind(s);
    for (struct str there; (there = peek(s)).n > 0; s->read += there.n)
        out_write(out, there);
}

void spool_close(struct spool *s)
{
    drop(s);
    buf_free(&s->memory);
    buf_free(&s->page);
    mem_free(s);
}

#include "base/origin.h"

#include "base/diag.h"
#include "base/follow.h"
#include "base/gunzip.h"
#include "base/mem.h"
#include "base/own.h"
#include "base/recycle.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* The size of one read of packed data; the maximum size of a file that is inflated at once, and
 * of its content; how much of a held origin stays in memory. */
enum { RAW = 64 << 10, WHOLE = 6 << 20, HELD = 8 << 20 };

void (*origin_on_pause)(void);

/* --- raw bytes --- */

static size_t read_memory(struct origin *s, char *to, size_t n)
{
    if (n > s->block)
        n = s->block;
    if (n > s->memory.n)
        n = s->memory.n;
    if (n != 0)
        memcpy(to, s->memory.p, n);
    s->memory.p += n;
    s->memory.n -= n;
    return n;
}

static void wait_for_bytes(const struct origin *s)
{
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    if (S_ISREG(s->stat.st_mode))
        return;
    if (origin_on_pause != NULL && poll(&p, 1, 0) == 0)
        origin_on_pause();
    while (follow_is_on() && !follow_is_over() && poll(&p, 1, FOLLOW_MOMENT) == 0)
        continue;
}

/* Whether S need no longer be read: it might wait for bytes. A file is read to its end. */
static bool is_given_up(const struct origin *s)
{
    return follow_is_over() && !S_ISREG(s->stat.st_mode);
}

static size_t read_file(struct origin *s, char *to, size_t n)
{
    wait_for_bytes(s);
    while (!is_given_up(s)) {
        ssize_t got = read(s->fd, to, n);
        if (got == 0 && s->goes_on && follow_wait()) {
            origin_on_pause();
            continue;
        }
        if (got >= 0)
            return (size_t)got;
        if (errno == EAGAIN) {
            struct pollfd p = {.fd = s->fd, .events = POLLIN};
            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            s->error = ORIGIN_UNREADABLE;
            s->error_number = errno;
            return 0;
        }
    }
    return 0;
}

static void give_up_held(struct origin *s)
{
    if (s->held != NULL)
        spool_close(s->held);
    s->held = NULL;
    s->again = false;
}

/* Reads at most N raw bytes to TO; 0 at the end. */
static size_t read_raw(struct origin *s, char *to, size_t n)
{
    if (s->again) {
        size_t got = spool_read_some(s->held, to, n);
        s->raw_total += got;
        if (got > 0)
            return got;
        give_up_held(s); /* the first reading may have stopped before the end */
    }
    size_t got = s->fd < 0 ? read_memory(s, to, n) : read_file(s, to, n);
    if (s->held != NULL)
        spool_write(s->held, (struct str){to, got});
    s->raw_total += got;
    return got;
}

/* Reads raw bytes if there are none, unless the input has ended. */
static void fill_raw(struct origin *s)
{
    if (s->raw_start < s->raw_end || s->at_end)
        return;
    s->raw_start = 0;
    s->raw_end = read_raw(s, (char *)s->raw, RAW);
    s->at_end = s->raw_end == 0;
}

/* --- gzip and zlib --- */

static void *alloc_for_zlib(void *origin, unsigned items, unsigned size)
{
    struct origin *s = origin;
    void *block = calloc(items, size);
    if (block == NULL)
        s->error_at = (uint64_t)items * size;
    return block;
}

static void free_for_zlib(void *origin, void *block)
{
    (void)origin;
    free(block);
}

static void no_memory(struct origin *s, uint64_t size)
{
    s->error = ORIGIN_NO_MEMORY;
    s->error_at = size;
}

/* Notes the error TEXT, ORIGIN_DAMAGED or ORIGIN_TORN, at the current raw byte. */
static void damaged(struct origin *s, int error, const char *text, const char *reason)
{
    s->error = error;
    s->error_text = text;
    s->error_reason = reason;
    s->error_at = s->raw_total - (s->raw_end - s->raw_start);
}

/* Nothing may follow zlib data.  After a gzip member there may be zero bytes (padding on tapes
 * and block devices); anything else must be another member. */
static bool next_member(struct origin *s)
{
    for (;; s->raw_start++) {
        fill_raw(s);
        if (s->raw_start == s->raw_end)
            return false;
        if (s->raw[s->raw_start] != 0 || s->packing == ORIGIN_ZLIB)
            break;
    }
    if (s->packing == ORIGIN_ZLIB) {
        damaged(s, ORIGIN_DAMAGED, "expected the end behind the zlib data, found other bytes",
                NULL);
        return false;
    }
    if (s->raw[s->raw_start] != 0x1f) {
        damaged(s, ORIGIN_DAMAGED, "expected another gzip member or the end, found other bytes",
                NULL);
        return false;
    }
    inflateReset(&s->z);
    s->in_member = true;
    return true;
}

/* Inflates some of the raw bytes and notes errors. */
static void inflate_some(struct origin *s)
{
    s->z.next_in = s->raw + s->raw_start;
    s->z.avail_in = (uInt)(s->raw_end - s->raw_start);
    int result = inflate(&s->z, Z_NO_FLUSH);
    s->raw_start = s->raw_end - s->z.avail_in;
    if (result == Z_STREAM_END)
        s->in_member = false;
    else if (result == Z_MEM_ERROR)
        no_memory(s, s->error_at);
    else if (result != Z_OK && result != Z_BUF_ERROR)
        damaged(s, ORIGIN_DAMAGED,
                s->packing == ORIGIN_GZIP ? "the gzip data is damaged" : "the zlib data is damaged",
                s->z.msg != NULL ? s->z.msg : "no reason given");
}

static void begin_inflate(struct origin *s)
{
    s->z = (z_stream){.zalloc = alloc_for_zlib, .zfree = free_for_zlib, .opaque = s};
    s->inflates = inflateInit2(&s->z, s->packing == ORIGIN_GZIP ? 15 + 16 : 15) == Z_OK;
    if (!s->inflates)
        no_memory(s, s->error_at);
}

static void end_inflate(struct origin *s)
{
    if (s->inflates)
        inflateEnd(&s->z);
    s->inflates = false;
}

static size_t read_packed(struct origin *s, char *to, size_t n)
{
    if (!s->inflates)
        begin_inflate(s);
    if (n > 1u << 30) /* zlib counts in unsigned int */
        n = 1u << 30;
    s->z.next_out = (unsigned char *)to;
    s->z.avail_out = (uInt)n;
    while (s->z.avail_out == n && s->error == ORIGIN_GOOD) {
        if (!s->in_member && !next_member(s))
            break;
        fill_raw(s);
        if (s->raw_start < s->raw_end)
            inflate_some(s);
        else if (s->error == ORIGIN_GOOD)
            damaged(s, ORIGIN_TORN,
                    s->packing == ORIGIN_GZIP
                        ? "the gzip data is cut off: expected more bytes, found the end"
                        : "the zlib data is cut off: expected more bytes, found the end",
                    NULL);
    }
    return n - s->z.avail_out;
}

/* The raw bytes of S, a file of SIZE, N of which were read before; a null p if its size has
 * changed. */
static struct str read_rest(const struct origin *s, size_t n, size_t size)
{
    char *raw = recycle_take(size + 1); /* one more than there may be */
    if (raw == NULL)
        return (struct str){NULL, 0};
    memcpy(raw, s->raw, n);
    ssize_t got;
    while (n <= size && (got = pread(s->fd, raw + n, size + 1 - n, (off_t)n)) > 0)
        n += (size_t)got;
    if (n == size) /* if reading failed, the next read fails again */
        return (struct str){raw, n};
    recycle_give(raw);
    return (struct str){NULL, 0};
}

/* Whether S is a small enough gzip file of which nothing was returned yet. */
static bool can_be_whole(const struct origin *s)
{
    return s->packing == ORIGIN_GZIP && !s->inflates && s->held == NULL && s->fd >= 0 &&
           !mem_is_short() && S_ISREG(s->stat.st_mode) && s->stat.st_size <= WHOLE &&
           (off_t)s->raw_end <= s->stat.st_size &&
           lseek(s->fd, 0, SEEK_CUR) == (off_t)s->raw_end; /* it starts at the start of the file */
}

struct str origin_whole(struct origin *s)
{
    struct str raw = {NULL, 0};
    size_t size = (size_t)s->stat.st_size;
    if (s->whole.p == NULL && can_be_whole(s))
        raw = read_rest(s, s->raw_end, size);
    if (raw.p == NULL)
        return s->whole;
    s->whole = gunzip(raw, WHOLE, INPUT_PADDING);
    recycle_give((char *)(uintptr_t)raw.p);
    if (s->whole.p == NULL)
        return s->whole;
    s->raw_total = size;
    lseek(s->fd, (off_t)size, SEEK_SET); /* for others that share the open file and read after us */
    return s->whole;
}

/* Reads raw bytes until there are COUNT, or the input ends. */
static void look(struct origin *s, size_t count)
{
    for (size_t n = 1; s->raw_end < count && n > 0 && s->error == ORIGIN_GOOD; s->raw_end += n)
        n = read_raw(s, (char *)s->raw + s->raw_end, RAW - s->raw_end);
}

/* The content that zlib data must start with: other files start with the same bytes as zlib
 * data. */
static const struct str packed[] = {
#define PACKED(text) STR(text),
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, PACKED, OWN_NONE)
#undef PACKED
};

/* Whether the raw bytes, which start like zlib data of the default level, inflate to one of
 * these. */
static bool is_packed(struct origin *s)
{
    enum { ENOUGH = 64 };
    unsigned char found[ENOUGH];
    look(s, ENOUGH);
    begin_inflate(s);
    if (!s->inflates)
        return false;
    s->z.next_in = s->raw;
    s->z.avail_in = (uInt)s->raw_end;
    s->z.next_out = found;
    s->z.avail_out = sizeof found;
    inflate(&s->z, Z_SYNC_FLUSH);
    struct str head = {(char *)found, sizeof found - s->z.avail_out};
    end_inflate(s);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (str_starts(head, packed[i]))
            return true;
    return false;
}

/* Detects compression by the first bytes. */
static void detect(struct origin *s)
{
    if (s->raw == NULL && (s->raw = malloc(RAW)) == NULL)
        no_memory(s, RAW);
    look(s, 2); /* nothing after an error */
    s->packing = ORIGIN_PLAIN;
    if (s->raw_end >= 2 && s->raw[0] == 0x1f && s->raw[1] == 0x8b)
        s->packing = ORIGIN_GZIP;
    else if (s->raw_end >= 2 && s->raw[0] == 0x78 && s->raw[1] == 0x9c && is_packed(s))
        s->packing = ORIGIN_ZLIB;
    s->in_member = true;
}

/* --- both --- */

void origin_open(struct origin *s, int fd)
{
    *s = (struct origin){.fd = fd};
    if (fstat(fd, &s->stat) < 0) {
        s->error = ORIGIN_UNREADABLE;
        s->error_number = errno;
    } else if (S_ISDIR(s->stat.st_mode)) {
        s->error = ORIGIN_UNREADABLE;
        s->error_number = EISDIR;
    } else {
        detect(s);
    }
}

void origin_open_bytes(struct origin *s, struct str bytes, size_t block)
{
    *s = (struct origin){.fd = -1, .memory = bytes, .block = block};
    detect(s);
}

size_t origin_read(struct origin *s, char *to, size_t n)
{
    if (s->packing != ORIGIN_PLAIN)
        return read_packed(s, to, n);
    size_t left = s->raw_end - s->raw_start;
    if (left == 0)
        return s->error != ORIGIN_GOOD ? 0 : read_raw(s, to, n);
    if (n > left)
        n = left;
    memcpy(to, s->raw + s->raw_start, n);
    s->raw_start += n;
    return n;
}

const char *origin_list_options = "--files-from=-";

void origin_die(const struct origin *s, const char *name)
{
    struct place where = {name, PLACE_OFFSET, s->error_at};
    switch (s->error) {
    case ORIGIN_GOOD: return;
    case ORIGIN_UNREADABLE:
        if (s->error_number == EISDIR)
            die(CODE_IS_FOLDER,
                "%s is a folder: name its files, such as %s%s*, or all below it: "
                "find %s -type f | %s %s",
                name, name, str_ends(str_of(name), STR("/")) ? "" : "/", name, diag_tool,
                origin_list_options);
        errno = s->error_number;
        die_unreadable("cannot read", name);
    case ORIGIN_DAMAGED:
        if (s->error_reason != NULL)
            die_at(where, "%s: %s", s->error_text, s->error_reason);
        die_at(where, "%s", s->error_text);
    case ORIGIN_TORN: die_as(CODE_TORN, where, "%s", s->error_text);
    case ORIGIN_NO_MEMORY:
        die(CODE_MEMORY, "out of memory: %" PRIu64 " bytes were refused", s->error_at);
    }
}

void origin_hold(struct origin *s)
{
    s->held = spool_open_in(HELD);
    spool_write(s->held, (struct str){(char *)s->raw, s->raw_end});
}

void origin_again(struct origin *s)
{
    end_inflate(s);
    s->at_end = false;
    s->raw_start = s->raw_end = 0;
    s->raw_total = 0;
    s->error = ORIGIN_GOOD;
    s->again = true;
    spool_rewind(s->held);
    detect(s);
}

void origin_close(struct origin *s)
{
    give_up_held(s);
    end_inflate(s);
    recycle_give((char *)(uintptr_t)s->whole.p);
    free(s->raw);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    *s = (struct origin){.fd = -1};
}

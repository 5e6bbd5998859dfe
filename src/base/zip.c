#include "base/zip.h"

#include "base/bits.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/port.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Records of the archive: how they begin, their sizes without what has a size of its own, and the
 * offsets in them. */
#define END_SIGN STR("PK\5\6")
#define ENTRY_SIGN STR("PK\1\2")
#define FILE_SIGN STR("PK\3\4")
enum { END_SIZE = 22, END_COUNT = 10, END_LIST_SIZE = 12, END_LIST = 16, END_COMMENT = 20 };
enum {
    ENTRY_SIZE = 46,
    ENTRY_FLAGS = 8,
    ENTRY_METHOD = 10,
    ENTRY_CHECKSUM = 16,
    ENTRY_PACKED = 20,
    ENTRY_WHOLE = 24,
    ENTRY_NAME = 28,
    ENTRY_EXTRA = 30,
    ENTRY_COMMENT = 32,
    ENTRY_OFFSET = 42
};
enum { FILE_SIZE = 30, FILE_NAME = 26, FILE_EXTRA = 28 };
enum { IS_ENCRYPTED = 1, STORED = 0, DEFLATED = 8 };

/* The largest comment behind the list of files; the largest list that is read. */
enum { COMMENT_MAX = 0xffff, LIST_MAX = 64 << 20 };

struct zip {
    int fd;
    struct buf list;      /* an entry for each file, one after another */
    struct intern names;  /* number: that of the file */
    const char **entries; /* by number - 1, in `list` */
    size_t capacity;
    struct str folder; /* all files are below it, its '/' included; empty: there is none */
};

static uint32_t number16(const char *p)
{
    return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8;
}

static uint32_t number32(const char *p)
{
    return number16(p) | number16(p + 2) << 16;
}

static bool begins(const char *p, struct str sign)
{
    return memcmp(p, sign.p, sign.n) == 0;
}

/* Reads N bytes at OFFSET to TO; returns NULL or an error message. */
static const char *read_at(int fd, uint64_t offset, char *to, size_t n)
{
    while (n > 0) {
        const ssize_t got = pread(fd, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? strerror(errno) : "the archive ends too early";
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return NULL;
}

/* --- the list --- */

/* Reads the record at the end of the archive, behind which is only a comment, to END. */
static const char *read_end(int fd, char end[END_SIZE])
{
    struct stat file;
    struct buf tail = {0};
    if (fstat(fd, &file) != 0)
        return strerror(errno);
    const uint64_t size = (uint64_t)file.st_size;
    const size_t n = size < END_SIZE + COMMENT_MAX ? (size_t)size : END_SIZE + COMMENT_MAX;
    const char *why = read_at(fd, size - n, buf_reserve(&tail, n + 1), n);
    if (why == NULL) {
        why = "it is no zip archive";
        for (size_t i = n; i >= END_SIZE && why != NULL; i--) {
            const char *p = tail.p + i - END_SIZE;
            if (!begins(p, END_SIGN) || number16(p + END_COMMENT) != n - i)
                continue;
            memcpy(end, p, END_SIZE);
            why = NULL;
        }
    }
    buf_free(&tail);
    return why;
}

/* The folder at the start of NAME, with its '/'; empty: none. */
static struct str first_folder(struct str name)
{
    const char *slash = name.n == 0 ? NULL : memchr(name.p, '/', name.n);
    return (struct str){name.p, slash == NULL ? 0 : (size_t)(slash + 1 - name.p)};
}

/* Adds the entry at *P, which ends before END, and moves *P behind it; false if it is damaged. */
static bool add_entry(struct zip *z, const char **p, const char *end)
{
    const char *entry = *p;
    if (end - entry < ENTRY_SIZE || !begins(entry, ENTRY_SIGN))
        return false;
    const struct str name = {entry + ENTRY_SIZE, number16(entry + ENTRY_NAME)};
    const size_t size =
        ENTRY_SIZE + name.n + number16(entry + ENTRY_EXTRA) + number16(entry + ENTRY_COMMENT);
    if ((size_t)(end - entry) < size)
        return false;
    if (z->names.count == 0)
        z->folder = first_folder(name);
    else if (!str_equal(first_folder(name), z->folder))
        z->folder = STR("");
    const uint32_t number = intern_add(&z->names, name, NULL);
    z->entries = mem_array(z->entries, &z->capacity, number, sizeof *z->entries);
    z->entries[number - 1] = entry; /* of two files with one name the last, as unzip has it */
    *p = entry + size;
    return true;
}

static const char *read_list(struct zip *z)
{
    char end[END_SIZE] = {0};
    const char *why = read_end(z->fd, end);
    if (why != NULL)
        return why;
    const uint32_t count = number16(end + END_COUNT), size = number32(end + END_LIST_SIZE);
    if (count == UINT16_MAX || size == UINT32_MAX || number32(end + END_LIST) == UINT32_MAX)
        return "it has too many files for a plain zip archive";
    if (size > LIST_MAX)
        return "its list of files is larger than 64 MiB";
    why = read_at(z->fd, number32(end + END_LIST), buf_reserve(&z->list, size + 1), size);
    if (why != NULL)
        return why;
    z->list.n = size;
    const char *p = z->list.p;
    for (uint32_t i = 0; i < count; i++)
        if (!add_entry(z, &p, z->list.p + size))
            return "its list of files is damaged";
    return NULL;
}

static void drop(void *archive)
{
    close(((struct zip *)archive)->fd);
}

struct zip *zip_open(int fd, const char **why)
{
    struct zip *z = mem_alloc_holder(sizeof *z, drop);
    *z = (struct zip){.fd = fd};
    *why = read_list(z);
    if (*why == NULL)
        return z;
    zip_close(z);
    return NULL;
}

uint32_t zip_find(const struct zip *z, struct str name)
{
    uint32_t number = intern_find(&z->names, name);
    if (number != 0 || z->folder.n == 0)
        return number;
    struct buf whole = {0};
    buf_add(&whole, z->folder);
    buf_add(&whole, name);
    number = intern_find(&z->names, buf_str(&whole));
    buf_free(&whole);
    return number;
}

void zip_close(struct zip *z)
{
    if (z == NULL)
        return;
    drop(z);
    buf_free(&z->list);
    intern_free(&z->names);
    mem_free(z->entries);
    mem_free(z);
}

/* --- a file --- */

/* What is left of the packed bytes of a file. */
struct packed {
    int fd;
    uint64_t offset, left;
};

/* Reads up to N bytes to TO, and stores how many in *GOT. */
static const char *read_packed(struct packed *p, char *to, size_t n, size_t *got)
{
    *got = p->left < n ? (size_t)p->left : n;
    const char *why = read_at(p->fd, p->offset, to, *got);
    p->offset += *got;
    p->left -= *got;
    return why;
}

static const char *inflate_to(struct packed *p, z_stream *s, size_t size, struct buf *to)
{
    enum { BLOCK = 64 << 10 };
    char block[BLOCK];
    const size_t first = to->n;
    int result = Z_OK;
    while (result == Z_OK) {
        if (s->avail_in == 0) {
            size_t got;
            const char *why = read_packed(p, block, sizeof block, &got);
            if (why != NULL)
                return why;
            s->next_in = (unsigned char *)block;
            s->avail_in = (unsigned)got;
        }
        /* a byte more than it says, so that what is larger is noticed */
        const size_t room = size + 1 - (to->n - first) < BLOCK ? size + 1 - (to->n - first) : BLOCK;
        s->next_out = (unsigned char *)buf_reserve(to, room);
        s->avail_out = (unsigned)room;
        result = inflate(s, Z_NO_FLUSH);
        to->n += room - s->avail_out;
        if (to->n - first > size)
            break;
    }
    return result == Z_STREAM_END && to->n - first == size ? NULL : "its packed data is damaged";
}

static const char *read_deflated(struct packed *p, size_t size, struct buf *to)
{
    z_stream s = {0};
    if (inflateInit2(&s, -15) != Z_OK)
        return strerror(ENOMEM);
    const char *why = inflate_to(p, &s, size, to);
    inflateEnd(&s);
    return why;
}

static const char *read_stored(struct packed *p, size_t size, struct buf *to)
{
    size_t got;
    if (p->left != size)
        return "its sizes differ";
    const char *why = read_packed(p, buf_reserve(to, size + 1), size, &got);
    to->n += why == NULL ? got : 0;
    return why;
}

/* Finds where the packed bytes of ENTRY are. */
static const char *find_packed(const struct zip *z, const char *entry, struct packed *p)
{
    char header[FILE_SIZE];
    const uint32_t offset = number32(entry + ENTRY_OFFSET);
    const char *why = read_at(z->fd, offset, header, sizeof header);
    if (why != NULL)
        return why;
    if (!begins(header, FILE_SIGN))
        return "it is not where the list of the archive says";
    *p = (struct packed){
        .fd = z->fd,
        .offset = (uint64_t)offset + FILE_SIZE + number16(header + FILE_NAME) +
                  number16(header + FILE_EXTRA),
        .left = number32(entry + ENTRY_PACKED),
    };
    return NULL;
}

uint32_t zip_size(const struct zip *z, uint32_t number)
{
    return number32(z->entries[number - 1] + ENTRY_WHOLE);
}

const char *zip_read(const struct zip *z, uint32_t number, struct buf *to)
{
    const char *entry = z->entries[number - 1];
    const uint32_t method = number16(entry + ENTRY_METHOD);
    const size_t size = zip_size(z, number), first = to->n;
    struct packed p;
    if ((number16(entry + ENTRY_FLAGS) & IS_ENCRYPTED) != 0)
        return "it is encrypted";
    if (method != STORED && method != DEFLATED)
        return "it is packed in another way than zip's usual one";
    const char *why = find_packed(z, entry, &p);
    if (why == NULL)
        why = (method == STORED ? read_stored : read_deflated)(&p, size, to);
    if (why != NULL)
        return why;
    const uint32_t checksum = number32(entry + ENTRY_CHECKSUM);
    return crc32_z(0, (const unsigned char *)to->p + first, to->n - first) == checksum
               ? NULL
               : "its checksum is wrong";
}

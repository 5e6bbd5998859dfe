#include "base/pack.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/thread.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* The size of a block; how far back deflate refers; how many blocks are compressed at once. */
enum { BLOCK = 128 << 10, REACH = 32 << 10, AT_ONCE = 2 };

/* The maximum size of the end of a block that is not the last: an empty deflate block, and the
 * bits before it. */
enum { FLUSH = 16 };

/* RFC 1952 and RFC 1950: the maximum size of the header and of the trailer. */
enum { HEAD = 10, TAIL = 8 };

struct block {
    enum pack_kind kind;
    z_stream z;
    struct thread_work *work; /* compresses it on a thread; NULL: the thread that fills it does */
    char *bytes;              /* the last REACH bytes of the previous block, then its own */
    size_t reach, n;
    bool is_last, is_handed_on, has_failed;
    unsigned char *packed;
    size_t packed_room, packed_n;
    uint32_t checksum;
};

struct pack {
    enum pack_kind kind;
    int level;
    void (*write)(void *with, const char *p, size_t n);
    void *with;
    struct block blocks[AT_ONCE]; /* used in turn */
    size_t count;     /* blocks in use: 0 before the first byte, 1 until the first is full */
    size_t current;   /* the index of the block that is being filled */
    bool had_threads; /* threads were requested */
    uint32_t checksum;
    uint64_t total;
};

/* Runs on another thread. */
static void pack_block(void *with)
{
    struct block *b = with;
    unsigned char *bytes = (unsigned char *)b->bytes;
    int flush = b->is_last ? Z_FINISH : Z_SYNC_FLUSH;
    b->checksum = b->kind == PACK_GZIP ? (uint32_t)crc32(0, bytes + b->reach, (uInt)b->n)
                                       : (uint32_t)adler32(1, bytes + b->reach, (uInt)b->n);
    deflateReset(&b->z);
    deflateSetDictionary(&b->z, bytes, (uInt)b->reach);
    b->z.next_in = bytes + b->reach;
    b->z.avail_in = (uInt)b->n;
    b->z.next_out = b->packed;
    b->z.avail_out = (uInt)b->packed_room;
    int result = deflate(&b->z, flush);
    b->has_failed = result != (b->is_last ? Z_STREAM_END : Z_OK) || b->z.avail_out == 0;
    b->packed_n = b->packed_room - b->z.avail_out;
}

static void open_block(struct pack *p, struct block *b)
{
    b->kind = p->kind;
    b->z.zalloc = mem_zlib_alloc;
    b->z.zfree = mem_zlib_free;
    if (deflateInit2(&b->z, p->level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        die(CODE_MEMORY, "zlib could not be set up");
    b->bytes = mem_alloc(REACH + BLOCK);
    b->packed_room = deflateBound(&b->z, BLOCK) + FLUSH;
    b->packed = mem_alloc(b->packed_room);
}

static void put_four(unsigned char *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(v >> (8 * i));
}

/* Writes the header, without name, time or system, so that it is the same everywhere. */
static void write_head(const struct pack *p)
{
    unsigned char gzip[HEAD] = {0x1f, 0x8b, Z_DEFLATED};
    unsigned char zlib[] = {0x78, p->level == 1   ? 0x01
                                  : p->level < 6  ? 0x5e
                                  : p->level == 6 ? 0x9c
                                                  : 0xda};
    gzip[8] = p->level == 1 ? 4 : p->level == 9 ? 2 : 0;
    gzip[9] = 255;
    if (p->kind == PACK_GZIP)
        p->write(p->with, (const char *)gzip, sizeof gzip);
    else
        p->write(p->with, (const char *)zlib, sizeof zlib);
}

static void write_tail(const struct pack *p)
{
    unsigned char tail[TAIL];
    put_four(tail, p->kind == PACK_GZIP ? p->checksum : __builtin_bswap32(p->checksum));
    put_four(tail + 4, (uint32_t)p->total);
    p->write(p->with, (const char *)tail, p->kind == PACK_GZIP ? TAIL : TAIL / 2);
}

struct pack *pack_open(enum pack_kind kind, int level,
                       void (*write)(void *with, const char *p, size_t n), void *with)
{
    struct pack *p = mem_alloc_zeroed(sizeof *p);
    p->kind = kind;
    p->level = level;
    p->checksum = kind == PACK_ZLIB; /* the checksum of no data */
    p->write = write;
    p->with = with;
    return p;
}

/* If B was passed on, waits until it is compressed and writes it. */
static void write_block(struct pack *p, struct block *b)
{
    if (!b->is_handed_on)
        return;
    if (b->work != NULL)
        thread_work_wait(b->work);
    b->is_handed_on = false;
    if (b->has_failed)
        die(CODE_MEMORY, "zlib could not pack %zu bytes", b->n);
    p->checksum = (uint32_t)(p->kind == PACK_GZIP ? crc32_combine : adler32_combine)(
        p->checksum, b->checksum, (z_off_t)b->n);
    p->total += b->n;
    p->write(p->with, (const char *)b->packed, b->packed_n);
}

/* Requests threads; called when the first block is full, as short output needs none. */
static void open_threads(struct pack *p)
{
    struct block *first = &p->blocks[0];
    p->had_threads = true;
    first->work = thread_work_open(pack_block, first);
    for (; first->work != NULL && p->count < AT_ONCE; p->count++) {
        struct block *b = &p->blocks[p->count];
        open_block(p, b);
        b->work =
            thread_work_open(pack_block, b); /* NULL: compressed by the thread that fills it */
    }
}

static void hand_on(struct pack *p)
{
    struct block *b = &p->blocks[p->current];
    b->is_handed_on = true;
    if (b->work != NULL)
        thread_work_begin(b->work);
    else
        pack_block(b);
}

/* Passes on the current block, which is full, and makes the next one the current. */
static void next_block(struct pack *p)
{
    struct block *full = &p->blocks[p->current];
    if (!p->had_threads)
        open_threads(p);
    hand_on(p);
    p->current = (p->current + 1) % p->count;
    struct block *next = &p->blocks[p->current];
    write_block(p, next);
    memmove(next->bytes, full->bytes + full->reach + full->n - REACH, REACH);
    next->reach = REACH;
    next->n = 0;
}

/* Nothing is written or allocated before there are bytes: the writer of a profile first reads
 * others, and may fail. */
static void begin(struct pack *p)
{
    if (p->count > 0)
        return;
    open_block(p, &p->blocks[0]);
    p->count = 1;
    write_head(p);
}

void pack_add(struct pack *p, const char *bytes, size_t n)
{
    begin(p);
    while (n > 0) {
        struct block *b = &p->blocks[p->current];
        if (b->n == BLOCK) {
            next_block(p);
            continue;
        }
        size_t some = n < BLOCK - b->n ? n : BLOCK - b->n;
        memcpy(b->bytes + b->reach + b->n, bytes, some);
        b->n += some;
        bytes += some;
        n -= some;
    }
}

void pack_finish(struct pack *p)
{
    for (size_t i = 1; i <= p->count; i++) /* the one after the current is the oldest */
        write_block(p, &p->blocks[(p->current + i) % p->count]);
}

void pack_close(struct pack *p)
{
    begin(p);
    p->blocks[p->current].is_last = true;
    hand_on(p);
    pack_finish(p);
    write_tail(p);
    for (size_t i = 0; i < p->count; i++) {
        struct block *b = &p->blocks[i];
        if (b->work != NULL)
            thread_work_close(b->work);
        deflateEnd(&b->z);
        mem_free(b->bytes);
        mem_free(b->packed);
    }
    mem_free(p);
}

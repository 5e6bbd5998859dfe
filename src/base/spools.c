#include "base/spools.h"

#include "base/mem.h"
#include "base/spool.h"

/* The first block of a strand is small, and each is twice as large as the one before, up to a
 * maximum. */
enum { FIRST_BLOCK = 256, LAST_BLOCK = 64 << 10 };

struct strand {
    uint64_t *blocks; /* their places in the file */
    size_t block_count, block_capacity;
    struct buf tail; /* the next block, still incomplete */
    uint64_t size;
};

_Static_assert(sizeof(struct strand) <= SPOOLS_STRAND, "as the header says");

struct spools {
    struct spool *file;
    uint64_t file_size;
    struct strand *strands;
    size_t strand_count, strand_capacity;
};

struct spools *spools_open(void)
{
    struct spools *s = mem_alloc_zeroed(sizeof *s);
    s->file = spool_open();
    return s;
}

uint32_t spools_begin(struct spools *s)
{
    s->strands =
        mem_array(s->strands, &s->strand_capacity, s->strand_count + 1, sizeof *s->strands);
    s->strands[s->strand_count] = (struct strand){0};
    return (uint32_t)s->strand_count++;
}

/* The size of block number I of a strand. */
static size_t block_size(size_t i)
{
    return i < 8 ? (size_t)FIRST_BLOCK << i : LAST_BLOCK;
}

/* Writes the tail of STRAND, a whole block, to the file. */
static void write_block(struct spools *s, struct strand *strand)
{
    strand->blocks = mem_array(strand->blocks, &strand->block_capacity, strand->block_count + 1,
                               sizeof *strand->blocks);
    strand->blocks[strand->block_count++] = s->file_size;
    spool_write(s->file, buf_str(&strand->tail));
    s->file_size += strand->tail.n;
    strand->tail.n = 0;
}

void spools_write(struct spools *s, uint32_t number, struct str bytes)
{
    struct strand *strand = &s->strands[number];
    strand->size += bytes.n;
    for (size_t room; bytes.n >= (room = block_size(strand->block_count) - strand->tail.n);) {
        buf_add(&strand->tail, (struct str){bytes.p, room});
        bytes = (struct str){bytes.p + room, bytes.n - room};
        write_block(s, strand);
    }
    buf_add(&strand->tail, bytes);
}

uint64_t spools_size(const struct spools *s, uint32_t strand)
{
    return s->strands[strand].size;
}

/* Reads the next block of the strand; false after the last. */
static bool next_block(struct spools *s, struct spools_walk *walk)
{
    const struct strand *strand = &s->strands[walk->strand];
    if (walk->block > strand->block_count)
        return false;
    size_t size = block_size(walk->block);
    if (walk->block == strand->block_count) {
        walk->left = buf_str(&strand->tail);
    } else {
        walk->bytes.n = 0;
        spool_seek(s->file, strand->blocks[walk->block]);
        spool_read(s->file, buf_reserve(&walk->bytes, size), size);
        walk->left = (struct str){walk->bytes.p, size};
    }
    walk->block++;
    return true;
}

bool spools_read(struct spools *s, struct spools_walk *walk, void *to, size_t n)
{
    for (char *p = to; n > 0;) {
        size_t part = n < walk->left.n ? n : walk->left.n;
        if (part == 0) {
            if (!next_block(s, walk))
                return false;
            continue;
        }
        memcpy(p, walk->left.p, part);
        walk->left = (struct str){walk->left.p + part, walk->left.n - part};
        p += part;
        n -= part;
    }
    return true;
}

void spools_leave(struct spools_walk *walk)
{
    buf_free(&walk->bytes);
}

void spools_copy(struct spools *s, uint32_t strand, struct out *out)
{
    struct spools_walk walk = {.strand = strand};
    while (next_block(s, &walk))
        out_write(out, walk.left);
    spools_leave(&walk);
}

void spools_close(struct spools *s)
{
    for (size_t i = 0; i < s->strand_count; i++) {
        mem_free(s->strands[i].blocks);
        buf_free(&s->strands[i].tail);
    }
    mem_free(s->strands);
    spool_close(s->file);
    mem_free(s);
}

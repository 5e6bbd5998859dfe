#include "profile/stacks.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"
#include "stream/growth.h"

/* A stack in memory: this header, its packed frames, and zeros up to a multiple of 4 bytes.  The
 * fields after the number are the key. */
struct record {
    uint32_t number;
    uint32_t labels;
    uint32_t shape; /* 4 times the depth, plus the bytes per frame minus 1 */
    char packed[];
};

/* A chunk of adjacent records, or of a single larger one.  A offset counts units of 4 bytes; the
 * offsets of each chunk start at a multiple of OFFSETS. */
enum { UNIT = 4, CHUNK = 1 << 16, OFFSETS = CHUNK / UNIT };

struct stacks_chunk {
    size_t used;
    char bytes[];
};

/* The maximum number of samples that were added but not looked up yet, and of their bytes. */
enum { WAITING = 32, WAITING_BYTES = 1 << 16 };

/* The size of a cache line in bytes. */
enum { LINE = 64 };

struct stacks_waiting {
    size_t count;
    struct {
        uint32_t hash;
        size_t record, parts; /* where they start in the arrays below */
        struct stacks_note note;
        uint32_t number;
    } samples[WAITING + 1]; /* one more, for the end of the last */
    char *records;
    size_t record_capacity;
    struct sums_part *parts;
    size_t part_capacity;
};

/* --- records --- */

static size_t record_size(size_t depth, unsigned width)
{
    return (sizeof(struct record) + depth * width + UNIT - 1) / UNIT * UNIT;
}

static size_t size_of(const struct record *r)
{
    return record_size(r->shape / 4, r->shape % 4 + 1);
}

/* The key of R. */
static struct str key_of(const struct record *r)
{
    return (struct str){(const char *)&r->labels, size_of(r) - offsetof(struct record, labels)};
}

/* How many bytes the largest of FRAMES needs. */
static unsigned width_of(const uint32_t *frames, size_t depth)
{
    uint32_t all = 1;
    for (size_t i = 0; i < depth; i++)
        all |= frames[i];
    return 4 - (unsigned)__builtin_clz(all) / 8;
}

/* Writes FRAMES to TO with WIDTH bytes each; may write up to 3 bytes more. */
static void pack(char *to, const uint32_t *frames, size_t depth, unsigned width)
{
    if (width <= 2 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        /* the most frequent case; the compiler can vectorise it */
        if (width == 1)
            for (size_t i = 0; i < depth; i++)
                to[i] = (char)frames[i];
        else
            for (size_t i = 0; i < depth; i++)
                memcpy(to + 2 * i, &(uint16_t){(uint16_t)frames[i]}, 2);
        return;
    }
    for (size_t i = 0; i < depth; i++) {
        uint32_t frame = frames[i];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        frame = __builtin_bswap32(frame);
#endif
        memcpy(to + i * width, &frame, sizeof frame);
    }
}

uint32_t *stacks_frames(const struct stacks_stack *stack, uint32_t *frames, size_t *capacity)
{
    frames = mem_array(frames, capacity, stack->depth + 1, sizeof *frames);
    const size_t depth = stack->depth;
    const char *packed = stack->packed;
    if (stack->width == 1)
        for (size_t i = 0; i < depth; i++)
            frames[i] = (unsigned char)packed[i];
    else if (stack->width == 2)
        for (size_t i = 0; i < depth; i++)
            frames[i] =
                (uint32_t)(unsigned char)packed[2 * i + 1] << 8 | (unsigned char)packed[2 * i];
    else
        for (size_t i = 0; i < depth; i++)
            frames[i] = stacks_frame(stack, i);
    return frames;
}

/* --- offsets --- */

static struct record *record_at(const struct stacks *t, stacks_offset offset)
{
    struct stacks_chunk *chunk = t->chunks[offset / (CHUNK / UNIT)];
    return (struct record *)(void *)(chunk->bytes + (size_t)offset % (CHUNK / UNIT) * UNIT);
}

struct stacks_stack stacks_at(const struct stacks *t, stacks_offset offset)
{
    const struct record *r = record_at(t, offset);
    return (struct stacks_stack){
        .number = r->number,
        .labels = r->labels,
        .depth = r->shape / 4,
        .width = r->shape % 4 + 1,
        .packed = r->packed,
    };
}

/* Copies R, which gets the next number, into a chunk.  It counts as growth before that. */
static stacks_offset keep(struct stacks *t, const struct record *r)
{
    size_t size = size_of(r);
    uint64_t held = size + LIMITS_FRAME_HELD * (uint64_t)(r->shape / 4);
    t->held += held;
    if (t->flow != NULL)
        growth_hold(t->flow, held);
    struct stacks_chunk *last = t->chunk_count == 0 ? NULL : t->chunks[t->chunk_count - 1];
    if (last == NULL || last->used + size > CHUNK) {
        if (t->chunk_count == UINT32_MAX / OFFSETS)
            die(CODE_TOO_MANY, "more than %u distinct stacks", t->count);
        t->chunks = mem_array(t->chunks, &t->chunk_capacity, t->chunk_count + 1, sizeof *t->chunks);
        last = mem_alloc(sizeof *last + (size > CHUNK ? size : CHUNK));
        last->used = 0;
        t->chunks[t->chunk_count++] = last;
    }
    struct record *copy = (struct record *)(void *)(last->bytes + last->used);
    memcpy(copy, r, size);
    copy->number = t->count++;
    last->used += size;
    return (stacks_offset)((t->chunk_count - 1) * OFFSETS + (last->used - size) / UNIT);
}

bool stacks_next(const struct stacks *t, struct stacks_pass *pass, stacks_offset *offset)
{
    if (pass->chunk < t->chunk_count && pass->offset == t->chunks[pass->chunk]->used)
        *pass = (struct stacks_pass){.chunk = pass->chunk + 1};
    if (pass->chunk >= t->chunk_count)
        return false;
    *offset = (stacks_offset)(pass->chunk * OFFSETS + pass->offset / UNIT);
    pass->offset += size_of(record_at(t, *offset));
    return true;
}

/* --- the hash table --- */

static uint32_t hash_of(const struct record *r)
{
    return (uint32_t)hash_bytes(key_of(r));
}

/* The part of HASH that is stored beside a slot, to avoid most looks at the stack itself. */
static uint8_t tag_of(uint32_t hash)
{
    return (uint8_t)(hash >> 24 | 1);
}

/* The first slot from AT on, wrapping around, that has TAG or is free. */
static size_t find_tag(const struct stacks *t, uint8_t tag, size_t at)
{
    size_t mask = t->slot_count - 1;
    for (at &= mask; t->tags[at] != tag && t->tags[at] != 0; at = (at + 1) & mask)
        ;
    return at;
}

static void fill_slot(struct stacks *t, size_t at, uint8_t tag, stacks_offset offset)
{
    t->tags[at] = tag;
    t->slots[at] = offset;
}

/* Makes slots for COUNT more stacks, with a load of at most three quarters. */
static void make_slots(struct stacks *t, size_t count)
{
    size_t wanted = t->slot_count == 0 ? 64 : t->slot_count;
    while (t->count + count > wanted / 4 * 3)
        wanted *= 2;
    if (wanted == t->slot_count)
        return;
    mem_free(t->slots);
    mem_free(t->tags);
    t->slots = mem_alloc(wanted * sizeof *t->slots);
    t->tags = mem_alloc_zeroed(wanted);
    t->slot_count = wanted;
    struct stacks_pass pass = {0};
    stacks_offset offset;
    while (stacks_next(t, &pass, &offset)) {
        uint32_t hash = hash_of(record_at(t, offset));
        size_t at = hash & (wanted - 1);
        while (t->tags[at] != 0)
            at = (at + 1) & (wanted - 1);
        fill_slot(t, at, tag_of(hash), offset);
    }
}

/* The number of the stack R, which is added if it is new. */
static uint32_t find(struct stacks *t, const struct record *r, uint32_t hash)
{
    struct str key = key_of(r);
    size_t at = find_tag(t, tag_of(hash), hash);
    while (t->tags[at] != 0) {
        const struct record *known = record_at(t, t->slots[at]);
        if (str_equal(key_of(known), key))
            return known->number;
        at = find_tag(t, tag_of(hash), at + 1);
    }
    fill_slot(t, at, tag_of(hash), keep(t, r));
    return t->count - 1;
}

/* --- samples --- */

void stacks_finish(struct stacks *t)
{
    struct stacks_waiting *w = t->waiting;
    if (w == NULL || w->count == 0)
        return;
    make_slots(t, w->count);
    for (size_t i = 0; i < w->count; i++) {
        uint32_t hash = w->samples[i].hash;
        size_t at = find_tag(t, tag_of(hash), hash);
        if (t->tags[at] == 0)
            continue;
        const char *record = (const char *)record_at(t, t->slots[at]);
        __builtin_prefetch(record);
        __builtin_prefetch(record + LINE); /* the hardware prefetches the lines after that */
    }
    for (size_t i = 0; i < w->count; i++) {
        const char *record = w->records + w->samples[i].record;
        uint32_t before = t->count;
        w->samples[i].number =
            find(t, (const struct record *)(const void *)record, w->samples[i].hash);
        sums_prefetch(&t->sums, w->samples[i].number);
        if (t->has_notes && t->count > before) {
            t->notes = mem_array(t->notes, &t->note_capacity, t->count, sizeof *t->notes);
            t->notes[before] = w->samples[i].note;
        }
    }
    for (size_t i = 0; i < w->count; i++)
        for (size_t j = w->samples[i].parts; j < w->samples[i + 1].parts; j++)
            sums_add_part(&t->sums, w->samples[i].number, &w->parts[j]);
    t->last = w->samples[w->count - 1].number;
    w->count = 0;
}

void stacks_add(struct stacks *t, uint32_t labels, const uint32_t *frames, size_t depth,
                const struct sums_part *parts, size_t count)
{
    if (t->waiting == NULL)
        t->waiting = mem_alloc_zeroed(sizeof *t->waiting);
    struct stacks_waiting *w = t->waiting;
    if (depth > STACKS_DEPTH_MAX)
        die(CODE_TOO_MANY, "a stack of more than %zu frames", STACKS_DEPTH_MAX);
    unsigned width = width_of(frames, depth);
    size_t size = record_size(depth, width), begin = w->samples[w->count].record,
           part = w->samples[w->count].parts;
    w->records = mem_array(w->records, &w->record_capacity, begin + size + UNIT, 1);
    struct record *r = (struct record *)(void *)(w->records + begin);
    memset((char *)r + size - UNIT, 0, UNIT);
    *r = (struct record){.labels = labels, .shape = (uint32_t)depth * 4 + width - 1};
    pack(r->packed, frames, depth, width);
    w->parts = mem_array(w->parts, &w->part_capacity, part + count, sizeof *w->parts);
    if (count > 0)
        memcpy(w->parts + part, parts, count * sizeof *parts);
    uint32_t hash = hash_of(r);
    w->samples[w->count].hash = hash;
    w->samples[w->count].note = t->note;
    if (t->slot_count > 0) {
        __builtin_prefetch(&t->tags[hash & (t->slot_count - 1)]);
        __builtin_prefetch(&t->slots[hash & (t->slot_count - 1)]);
    }
    w->count++;
    w->samples[w->count].record = begin + size;
    w->samples[w->count].parts = part + count;
    if (w->count == WAITING || begin + size > WAITING_BYTES)
        stacks_finish(t);
}

void stacks_free(struct stacks *t)
{
    for (size_t i = 0; i < t->chunk_count; i++)
        mem_free(t->chunks[i]);
    mem_free(t->chunks);
    mem_free(t->slots);
    mem_free(t->tags);
    mem_free(t->notes);
    sums_free(&t->sums);
    if (t->waiting != NULL) {
        mem_free(t->waiting->records);
        mem_free(t->waiting->parts);
        mem_free(t->waiting);
    }
    *t = (struct stacks){0};
}

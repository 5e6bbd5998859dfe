/* Recordings of Java Flight Recorder, of the JDK, async-profiler and others. See jfr2ndjson(1) for the
 * rules.
 *
 * What a chunk's events refer to stands anywhere in it. A small chunk is held in memory. A large
 * one in a plain file is read by the file's name, so that only its constants are held. */
#include "formats/jfr/jfr.h"

#include "base/mem.h"
#include "formats/formats.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

enum {
    BLOCK = 1 << 20,
    INTEGER = 9,     /* bytes that one may have */
    MAGIC = 4,       /* bytes that every chunk begins with */
    HELD = 12 << 20, /* larger chunks are not held if they need not be */
};

/* --- bytes --- */

void jfr_overrun(const struct jfr_cursor *c)
{
    die_at(c->r->where, "expected more of this event, found its end");
}

/* WHAT is too large. */
static _Noreturn void die_large(const struct jfr *r, const char *what)
{
    die_as(CODE_TOO_LARGE, r->where,
           "%s of more than %" PRIu64 " bytes" HINT "--max-size sets the limit", what,
           format_max_size(r->request));
}

/* Reads the block at AT, of N bytes or more: if it is before the last one, most of it is before AT,
 * as checkpoints are looked for from the last one on. */
static void read_block(struct jfr *r, uint64_t at, size_t n)
{
    if (n > format_max_size(r->request))
        die_large(r, "an event");
    if (at < r->block_at && n < BLOCK)
        at = at + n > BLOCK ? at + n - BLOCK : 0;
    n = n < BLOCK ? BLOCK : n;
    n = n > r->size - at ? (size_t)(r->size - at) : n;
    r->block = n <= r->block_capacity ? r->block : mem_resize(r->block, n);
    r->block_capacity = n <= r->block_capacity ? r->block_capacity : n;
    r->block_at = at;
    r->block_size = 0;
    while (r->block_size < n) {
        ssize_t got = pread(r->fd, r->block + r->block_size, n - r->block_size,
                            (off_t)(r->start + at + r->block_size));
        if (got < 0)
            die_unreadable("cannot read", in_name(r->in));
        if (got == 0)
            die_as(CODE_TORN, r->where, "the file has become shorter");
        r->block_size += (size_t)got;
    }
}

struct str jfr_at(struct jfr *r, uint64_t at, size_t n)
{
    if (at >= r->size)
        return STR("");
    n = n > r->size - at ? (size_t)(r->size - at) : n;
    if (r->bytes != NULL)
        return (struct str){r->bytes + at, n};
    if (at < r->block_at || at + n > r->block_at + r->block_size)
        read_block(r, at, n);
    return (struct str){r->block + (at - r->block_at), n};
}

struct str jfr_keep(struct jfr *r, uint64_t at, size_t n)
{
    const struct str bytes = jfr_at(r, at, n);
    if (r->bytes != NULL)
        return bytes;
    r->kept += bytes.n;
    if (r->kept > format_max_size(r->request))
        die_large(r, "metadata and checkpoints");
    return arena_copy(&r->arena, bytes);
}

/* Takes an integer off C; false: it is cut off. */
static bool take_integer(struct jfr_cursor *c, uint64_t *value)
{
    const size_t left = (size_t)(c->end - c->p);
    size_t n = 0;
    while (n < left && n < INTEGER - 1 && (unsigned char)c->p[n] >= 0x80)
        n++;
    if (n == left)
        return false;
    *value = jfr_integer(c);
    return true;
}

bool jfr_event_at(struct jfr *r, uint64_t at, uint64_t *size, uint64_t *type)
{
    const struct str head = jfr_at(r, at, (size_t)2 * INTEGER);
    struct jfr_cursor c = {r, head.p, head.p + head.n};
    if (!take_integer(&c, size) || !take_integer(&c, type)) /* as at the end of the chunk */
        return false;
    return *size >= (uint64_t)(c.p - head.p) && *size <= r->size - at && *size <= INT32_MAX;
}

/* Ends the tool: what is at AT is no event that ends within its chunk, as EXPECTED. */
static _Noreturn void die_size(struct jfr *r, uint64_t at, const char *expected)
{
    const struct str head = jfr_at(r, at, INTEGER);
    struct jfr_cursor c = {r, head.p, head.p + head.n};
    uint64_t size;
    if (!take_integer(&c, &size))
        die_at(r->where, "expected %s, found the end of the chunk", expected);
    die_at(r->where, "expected %s, found a size of %" PRIu64 " with %" PRIu64 " bytes left",
           expected, size, r->size - at);
}

/* Marks the input up to AT as read. */
static void consume(struct jfr *r, uint64_t at)
{
    while (r->consumed < at) {
        const size_t n = in_peek(r->in, 1).n;
        if (n == 0)
            die_as(CODE_TORN, r->where, "the file has become shorter");
        const size_t used = n < at - r->consumed ? n : (size_t)(at - r->consumed);
        in_consume(r->in, used);
        r->consumed += used;
    }
}

/* --- chunks --- */

static uint64_t word_at(const char *p)
{
    uint64_t word = 0;
    for (size_t i = 0; i < sizeof word; i++)
        word = word << 8 | (unsigned char)p[i];
    return word;
}

/* The fields of a header. */
struct header {
    uint64_t size, constants, metadata; /* the latter two are offsets */
    bool is_unfinished;                 /* the JDK still writes it, or had to stop */
};

static bool is_start(struct str head)
{
    return str_starts(head, STR("FLR\0"));
}

static void read_header(struct jfr *r, const char *p, struct header *h)
{
    const unsigned major = (unsigned char)p[4] << 8 | (unsigned char)p[5];
    const uint64_t frequency = word_at(p + 56);
    if (major == 0)
        die_at(r->where,
               "expected version 1 or 2 of recordings, found 0.%u" HINT
               "Oracle's JDK 7 and 8 wrote that, which JDK Mission Control opens",
               (unsigned char)p[6] << 8 | (unsigned char)p[7]);
    if (major > 2)
        die_at(r->where, "expected version 1 or 2 of recordings, found %u", major);
    if ((p[67] & 1) == 0)
        die_at(r->where, "expected integers of variable size, found those of fixed size");
    if (frequency == 0 || frequency > INT64_MAX)
        die_at(r->where, "expected a clock of 1 to %" PRId64 " ticks in a second, found %" PRIu64,
               INT64_MAX, frequency);
    r->is_of_nine = major == 1;
    *h = (struct header){.size = word_at(p + 8),
                         .constants = word_at(p + 16),
                         .metadata = word_at(p + 24),
                         .is_unfinished = p[64] != 0};
    r->nanoseconds = (int64_t)word_at(p + 32);
    r->ticks = (int64_t)word_at(p + 48);
    r->ticks_in_nanosecond = (double)frequency / 1e9;
}

/* Opens the input by its name, if it is a plain file with HEADER at the start of the chunk, and larger
 * than is held: then sets r->fd. Returns the size of the rest. */
static uint64_t open_file(struct jfr *r, const char *header)
{
    const char *path = in_path(r->in);
    struct stat file;
    char found[JFR_HEADER];
    const int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &file) == 0 && (uint64_t)file.st_size > r->start &&
        pread(fd, found, JFR_HEADER, (off_t)r->start) == JFR_HEADER &&
        memcmp(found, header, JFR_HEADER) == 0) {
        r->fd = fd;
        return (uint64_t)file.st_size - r->start;
    }
    if (fd >= 0)
        close(fd);
    return 0;
}

/* Whether HEAD, which is as long as the input has bytes, up to MAGIC, begins like a chunk. */
static bool may_start(struct str head)
{
    return memcmp(head.p, "FLR", head.n < MAGIC ? head.n : MAGIC) == 0;
}

/* Whether a chunk of SIZE is followed by another, even by one that is cut, or by the end of the input. */
static bool ends_well(struct jfr *r, uint64_t size)
{
    return may_start(jfr_at(r, size, MAGIC));
}

/* Holds up to WANT bytes of the input and one more, as far as there are some. */
static void hold(struct jfr *r, uint64_t want)
{
    const struct str bytes = in_peek(r->in, want < SIZE_MAX ? (size_t)want + 1 : SIZE_MAX);
    r->bytes = bytes.p;
    r->size = bytes.n;
}

/* Sets up the bytes of the chunk, whose header says H. */
static void open_chunk(struct jfr *r, const struct header *h)
{
    const uint64_t max = format_max_size(r->request);
    const bool has_size = h->size >= JFR_HEADER && h->size <= INT64_MAX;
    char header[JFR_HEADER];
    memcpy(header, in_peek(r->in, JFR_HEADER).p, JFR_HEADER);
    r->bytes = NULL;
    r->block_size = 0;
    r->consumed = r->rest = r->kept = r->ids_held = 0;
    r->size = !has_size || h->size > HELD ? open_file(r, header) : 0;
    if (r->fd < 0)
        hold(r, has_size && h->size < max ? h->size + MAGIC : max);
    r->is_open = !has_size || h->size > r->size || !ends_well(r, h->size);
    if (r->is_open && has_size && h->size < r->size && !h->is_unfinished)
        die_at((struct place){in_name(r->in), PLACE_OFFSET, r->start + h->size},
               "expected another chunk, or the end of the file, found \"%s\"",
               text_shown(jfr_at(r, h->size, MAGIC)));
    if (!r->is_open)
        r->size = h->size;
    else if (r->fd < 0)
        hold(r, max);
    if (r->fd < 0 && r->size > max)
        die_large(r, "a chunk");
}

/* --- where metadata and constants are --- */

/* The size of the event of type WANTED at AT. It must be in front of END, and is called WHAT. */
static uint64_t find_event(struct jfr *r, uint64_t at, uint64_t end, uint64_t wanted,
                           const char *what)
{
    uint64_t size, type;
    r->where.at = r->start;
    if (at < JFR_HEADER || at >= end)
        die_at(r->where,
               "expected %s at an offset from %d to %" PRIu64 " in the chunk, found %" PRIu64, what,
               JFR_HEADER, end - 1, at);
    r->where.at += at;
    if (!jfr_event_at(r, at, &size, &type))
        die_size(r, at, what);
    if (type != wanted)
        die_at(r->where, "expected %s, found an event of type %" PRIu64, what, type);
    if (size > end - at)
        die_at(r->where, "expected %s, of at most %" PRIu64 " bytes, found %" PRIu64, what,
               end - at, size);
    return size;
}

static struct str event_at(struct jfr *r, uint64_t at, uint64_t wanted, const char *what)
{
    return jfr_keep(r, at, (size_t)find_event(r, at, r->size, wanted, what));
}

/* Offsets of checkpoints. */
struct offsets {
    uint64_t *at;
    size_t count, capacity;
};

static void add_offset(struct offsets *o, uint64_t at)
{
    o->at = mem_array(o->at, &o->capacity, o->count + 1, sizeof *o->at);
    o->at[o->count++] = at;
}

/* Bytes of a checkpoint up to where the one before is. */
enum { HEAD = 5 * INTEGER };

/* Finds the checkpoints by their chain, from the last, at AT, to the first. */
static void follow_chain(struct jfr *r, uint64_t at, struct offsets *checkpoints)
{
    int64_t delta;
    uint64_t end = r->size;
    do {
        jfr_at(r, at, HEAD); /* first, as less of it would be read apart */
        const uint64_t size = find_event(r, at, end, JFR_TYPE_CHECKPOINT,
                                         end == r->size ? "the last checkpoint"
                                                        : "a checkpoint in front of the next");
        add_offset(checkpoints, at);
        const struct str head = jfr_at(r, at, size < HEAD ? (size_t)size : HEAD);
        struct jfr_cursor c = {r, head.p, head.p + head.n};
        for (int skipped = 0; skipped < 4; skipped++)
            jfr_integer(&c); /* size, type, when and for how long */
        delta = (int64_t)jfr_integer(&c);
        end = at;
        at += (uint64_t)delta;
    } while (delta != 0);
}

/* Finds the checkpoints and the last metadata of a chunk that was not finished, and ends it behind
 * its last whole event. Returns the offset of the metadata; 0: there are none. */
static uint64_t scan(struct jfr *r, struct offsets *checkpoints)
{
    uint64_t at = JFR_HEADER, metadata = 0, size, type;
    for (; at < r->size && !is_start(jfr_at(r, at, MAGIC)) && jfr_event_at(r, at, &size, &type);
         at += size) {
        if (type == JFR_TYPE_CHECKPOINT)
            add_offset(checkpoints, at);
        else if (type == JFR_TYPE_METADATA)
            metadata = at;
    }
    for (size_t i = 0, k = checkpoints->count; i + 1 < k; i++) { /* as a chain: the last first */
        const uint64_t offset = checkpoints->at[i];
        checkpoints->at[i] = checkpoints->at[--k];
        checkpoints->at[k] = offset;
    }
    r->where.at = r->start + at;
    r->rest = is_start(jfr_at(r, at, MAGIC)) ? 0 : r->size - at;
    r->size = at;
    return metadata;
}

/* Says what is missing of a chunk that was not finished; IS_LOST: all of it. */
static void tell_open(struct jfr *r, bool is_lost)
{
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the chunk that ends here is not finished");
    if (is_lost && r->start == 0)
        die_as(CODE_TORN, r->where,
               "expected the metadata of a chunk, found the end of the file: is it still written?");
    if (is_lost)
        warn_at(CODE_TORN, r->where, "the chunk that ends here has no metadata: skipped");
    else if (r->rest == 0)
        warn_at(CODE_TORN, r->where,
                "the chunk that ends here is not finished: something may be missing");
    else
        warn_at(CODE_TORN, r->where,
                "the last chunk is not finished: its last %" PRIu64 " byte%s no whole event",
                r->rest, r->rest == 1 ? " is" : "s are");
}

/* Reads metadata and constants; false: there are no metadata. */
static bool read_definitions(struct jfr *r, const struct header *h)
{
    struct offsets checkpoints = {0};
    const uint64_t metadata = r->is_open ? scan(r, &checkpoints) : h->metadata;
    if (r->is_open)
        tell_open(r, metadata == 0);
    if (r->is_open && metadata == 0) {
        mem_free(checkpoints.at);
        return false;
    }
    jfr_read_metadata(r, event_at(r, metadata, JFR_TYPE_METADATA, "the metadata of the chunk"));
    if (!r->is_open && h->constants != 0)
        follow_chain(r, h->constants, &checkpoints);
    while (checkpoints.count > 0) /* a number that comes again stands for the same */
        jfr_read_checkpoint(r, event_at(r, checkpoints.at[--checkpoints.count], JFR_TYPE_CHECKPOINT,
                                        "a checkpoint"));
    mem_free(checkpoints.at);
    return true;
}

/* --- events --- */

#define EXPECTED_TIME "expected a time that fits 64 bits of nanoseconds, found "

void jfr_die_time(const struct jfr *r, int64_t number)
{
    die_as(CODE_OVERFLOW, r->where, EXPECTED_TIME "the number %" PRId64, number);
}

int64_t jfr_nanoseconds(const struct jfr *r, int64_t ticks)
{
    const double nanoseconds = (double)ticks / r->ticks_in_nanosecond;
    if (!(nanoseconds > -9.2e18 && nanoseconds < 9.2e18))
        jfr_die_time(r, ticks);
    return (int64_t)nanoseconds;
}

int64_t jfr_time(const struct jfr *r, int64_t ticks)
{
    int64_t since, time;
    if (__builtin_sub_overflow(ticks, r->ticks, &since) ||
        __builtin_sub_overflow(r->nanoseconds, r->source_start, &time) ||
        __builtin_add_overflow(jfr_nanoseconds(r, since), time, &time))
        die_as(CODE_OVERFLOW, r->where,
               EXPECTED_TIME "tick %" PRId64 " of a chunk that begins at tick %" PRId64
                             ", which is %" PRId64 " nanoseconds after 1970-01-01",
               ticks, r->ticks, r->nanoseconds);
    return time;
}

/* The next event at *AT, which becomes that of the one after it; *TYPE is JFR_NONE if the metadata lack
 * its type. False at the end. Skips metadata and checkpoints. */
static bool next_event(struct jfr *r, uint64_t *at, int *type, struct str *bytes)
{
    uint64_t size, id;
    do {
        if (*at >= r->size)
            return false;
        r->where.at = r->start + *at;
        if (!jfr_event_at(r, *at, &size, &id))
            die_size(r, *at, "an event that ends within its chunk");
        *at += size;
    } while (id == JFR_TYPE_METADATA || id == JFR_TYPE_CHECKPOINT);
    *type = jfr_type_of(r, id);
    *bytes = jfr_at(r, *at - size, (size_t)size);
    return true;
}

/* Finds what the chunk says of its process, and begins the source that it belongs to. */
static void find_source(struct jfr *r)
{
    int type;
    struct str bytes;
    bool has_process = false;
    r->has_gathered = 0;
    for (size_t i = 0; i < JFR_FACT_EVENTS; i++)
        r->gathered[i].n = 0;
    for (uint64_t at = JFR_HEADER; next_event(r, &at, &type, &bytes);)
        has_process |= type != JFR_NONE && jfr_gather(r, type, bytes);
    if (has_process || r->source_id == 0) /* else it is that of the chunk before */
        jfr_begin_source(r, r->nanoseconds);
}

static void push_events(struct jfr *r)
{
    int type;
    struct str bytes;
    for (uint64_t at = JFR_HEADER; next_event(r, &at, &type, &bytes);) {
        if (r->bytes == NULL && at - r->consumed > BLOCK)
            consume(r, at);
        if (type == JFR_NONE)
            loss_add(LOSS_JFR_EVENTS, STR("without metadata"), 1);
        else
            jfr_push_event(r, type, bytes);
    }
    jfr_count_others(r);
}

static void close_chunk(struct jfr *r)
{
    jfr_free_plans(r);
    for (size_t i = 0; i < r->type_count; i++) {
        idmap_free(&r->types[i].ids);
        mem_free(r->types[i].constants);
    }
    growth_drop(r->sink->flow, r->ids_held);
    idmap_free(&r->type_ids);
    arena_free(&r->arena);
    arena_free(&r->event_arena);
    r->word_count = r->type_count = r->field_count = r->leaf_count = 0;
    r->text_count = r->stack_count = r->frame_count = r->method_count = 0;
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

static void read_chunk(struct jfr *r)
{
    struct header h;
    const struct str head = in_peek(r->in, JFR_HEADER);
    const bool is_cut = head.n < JFR_HEADER && may_start(head);
    r->where.at = r->start;
    if (is_cut && (r->start == 0 || r->request->strict))
        die_as(CODE_TORN, r->where, "expected the header of a chunk, found the end of the file");
    if (!is_cut && !is_start(head))
        die_at(r->where, "expected a chunk, which begins with \"FLR\", found \"%s\"",
               text_shown(str_first(head, MAGIC)));
    if (is_cut) {
        warn_at(CODE_TORN, r->where, "the last chunk ends within its header: skipped");
        in_consume(r->in, head.n);
        return;
    }
    read_header(r, head.p, &h);
    open_chunk(r, &h);
    if (read_definitions(r, &h)) {
        find_source(r);
        push_events(r);
    }
    consume(r, r->size + r->rest);
    r->start += r->size + r->rest;
    close_chunk(r);
}

static void drop(void *block)
{
    const struct jfr *r = block;
    if (r->fd >= 0)
        close(r->fd);
}

static void read_jfr(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct jfr *r = mem_alloc_holder(sizeof *r, drop);
    memset(r, 0, sizeof *r);
    r->in = in;
    r->request = request;
    r->sink = sink;
    r->where = (struct place){in_name(in), PLACE_OFFSET, 0};
    r->fd = -1;
    jfr_add_types(r);
    while (in_peek(in, 1).n > 0)
        read_chunk(r);
    MEM_FREE(r->block, r->words, r->types, r->fields, r->leaves, r->texts, r->stacks, r->frames,
             r->source_starts, r->methods, r->types_of_values, r->stack);
    INTERN_FREE(&r->sources, &r->functions, &r->locations, &r->mappings, &r->names, &r->settings);
    BUF_FREE(&r->facts, &r->key, &r->name, &r->labels, &r->extra, &r->text);
    for (size_t i = 0; i < JFR_FACT_EVENTS; i++)
        buf_free(&r->gathered[i]);
    bytes_rows_free(&r->rows);
    mem_free(r);
}

static enum bid bid_jfr(struct str head)
{
    return is_start(head) ? BID_SURE : BID_NONE;
}

const struct format format_jfr = {
    .name = "a JFR file",
    .converter = "jfr2ndjson",
    .bid = bid_jfr,
    .read = read_jfr,
    .is_document = true,
    .byte_pays = LIMITS_BYTE_OF_DATABASE, /* twenty bytes stand for a stack of any depth */
};

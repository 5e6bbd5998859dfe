/* Files of DHAT, of Valgrind and of dhat-rs: JSON with the allocations of each stack. See
 * dhat2ndjson(1) for the rules.
 *
 * The list of frames comes last, so that stacks wait in a spool. */
#include "base/mem.h"
#include "base/spool.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "formats/valgrind.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <inttypes.h>

/* The numbers of a stack, as the file calls them, and the type that each is a value of, in the
 * order in which a source lists them: the last is shown. */
static const struct {
    const char *name, *type;
    enum { BYTES, BLOCKS, TIME } unit;
    bool is_gauge; /* those of several stacks were not at one time */
} numbers[] = {
    {"tl", "lifetime", TIME, false},       {"rb", "read_space", BYTES, false},
    {"wb", "written_space", BYTES, false}, {"mbk", "max_objects", BLOCKS, true},
    {"mb", "max_space", BYTES, true},      {"gbk", "peak_objects", BLOCKS, false},
    {"gb", "peak_space", BYTES, false},    {"ebk", "inuse_objects", BLOCKS, false},
    {"eb", "inuse_space", BYTES, false},   {"tbk", "alloc_objects", BLOCKS, false},
    {"tb", "alloc_space", BYTES, false},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers, ACCESSES = NUMBERS, FRAMES, MEMBERS };

/* The unit of time of dhat-rs. */
#define MICROSECONDS STR("\xc2\xb5s")

/* Precedes the accesses and frames of a stack in the spool. */
struct waiting {
    int64_t values[NUMBERS];
    unsigned seen; /* as bits */
    size_t accesses, depth;
    struct tokens_place where;
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct valgrind_frames frames;
    uint32_t *list; /* frames by their place in the file */
    size_t list_count, list_capacity;
    bool has_stacks;
    struct spool *spool;
    uint32_t *indexes;
    int64_t *stack;
    size_t index_capacity, stack_capacity;
    unsigned seen; /* numbers that some stack has */
    struct buf text, extra, facts, accesses;
    struct buf units[3]; /* bytes */
    bool is_heap, is_copy;
};

static void read_frames(struct reader *r)
{
    struct buf text = {0};
    tokens_list(&r->json, "a list of frames");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        if (r->json.token != TOKEN_STRING)
            tokens_unexpected(&r->json, "a frame, a string");
        text.n = 0;
        text_unescape(&text, r->json.text);
        r->list = mem_array(r->list, &r->list_capacity, ++r->list_count, sizeof *r->list);
        r->list[r->list_count - 1] = valgrind_frame(&r->frames, r->sink, buf_str(&text));
    }
    buf_free(&text);
}

/* --- stacks --- */

/* Reads the list of frames of a stack into r->indexes; returns how many there are. */
static size_t read_indexes(struct reader *r)
{
    size_t depth = 0;
    tokens_list(&r->json, "a list of numbers of frames");
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; depth++) {
        int64_t index = tokens_integer(&r->json, 0, "the number of a frame, from 0");
        r->indexes = mem_array(r->indexes, &r->index_capacity, depth + 1, sizeof *r->indexes);
        r->indexes[depth] = index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
    }
    return depth;
}

static void read_stack(struct reader *r)
{
    const char *names[MEMBERS] = {[ACCESSES] = "acc", [FRAMES] = "fs"};
    struct waiting w = {.where = r->json.where};
    unsigned seen = 0, member;
    for (size_t i = 0; i < NUMBERS; i++)
        names[i] = numbers[i].name;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object with the numbers of a stack");
    r->accesses.n = 0;
    while (tokens_next_member(&r->json, names, MEMBERS, &seen, &member))
        switch (member) {
        case ACCESSES: tokens_copy(&r->json, &r->accesses); break;
        case FRAMES: w.depth = read_indexes(r); break;
        default: w.values[member] = tokens_integer(&r->json, 0, "an integer from 0");
        }
    if ((seen & 1u << FRAMES) == 0)
        tokens_die(&r->json, w.where, "the stack has no \"fs\"");
    w.seen = seen & ((1u << NUMBERS) - 1);
    w.accesses = r->accesses.n;
    r->seen |= w.seen;
    spool_write(r->spool, (struct str){(const char *)&w, sizeof w});
    spool_write(r->spool, buf_str(&r->accesses));
    spool_write(r->spool, (struct str){(const char *)r->indexes, w.depth * sizeof *r->indexes});
}

static void read_stacks(struct reader *r)
{
    tokens_list(&r->json, "a list of stacks");
    r->has_stacks = true;
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_stack(r);
}

/* --- rows --- */

/* Appends the type and unit of the number I, bytes, to TYPE and UNIT. What a program counts by
 * itself is called as it says. */
static void type_of(const struct reader *r, size_t i, struct buf *type, struct buf *unit)
{
    static const struct str alloc = STR("alloc_");
    struct str name = str_of(numbers[i].type);
    bool is_total = str_take(&name, alloc);
    if (numbers[i].unit == TIME) {
        buf_add(type, STR("lifetime"));
        buf_add(unit, buf_str(&r->units[TIME]));
    } else if (!r->is_heap && !r->is_copy && is_total) {
        buf_add(type, buf_str(&r->units[numbers[i].unit]));
        buf_add(unit, STR("count"));
    } else {
        buf_add(type, !is_total ? STR("") : r->is_copy ? STR("copied_") : alloc);
        buf_add(type, name);
        buf_add(unit, numbers[i].unit == BYTES ? STR("bytes") : STR("count"));
    }
}

static void push_source(struct reader *r, const char *uri)
{
    struct buf type = {0}, unit = {0};
    r->extra.n = 0;
    listed_begin(&r->extra);
    for (size_t i = 0; i < NUMBERS; i++) {
        if ((r->seen & 1u << i) == 0)
            continue;
        type.n = unit.n = 0;
        type_of(r, i, &type, &unit);
        listed_add_bytes(&r->extra, &r->text, buf_str(&type), buf_str(&unit),
                         numbers[i].is_gauge ? LISTED_GAUGE : LISTED_SUM);
    }
    listed_end(&r->extra);
    emit_object(&r->extra, STR(".dhat"), buf_str(&r->facts));
    bytes_rows_source(&r->frames.rows, r->sink, 1, STR("dhat"), uri, r->request->timestamp,
                      &r->extra);
    buf_free(&type);
    buf_free(&unit);
}

/* Sets r->stack to the locations of r->indexes. */
static void take_stack(struct reader *r, const struct waiting *w)
{
    for (size_t i = 0; i < w->depth; i++) {
        if (r->indexes[i] >= r->list_count)
            tokens_die(&r->json, w->where,
                       "expected one of the %zu frames, which are numbered from 0, found %" PRIu32,
                       r->list_count, r->indexes[i]);
        r->indexes[i] = r->list[r->indexes[i]];
    }
    r->stack = mem_array(r->stack, &r->stack_capacity, w->depth + 1, sizeof *r->stack);
    valgrind_stack(&r->frames, r->sink, r->indexes, w->depth, r->stack);
}

static void push_stack(struct reader *r, const struct waiting *w, const uint32_t *types,
                       int64_t sample_id)
{
    struct sample_value values[NUMBERS];
    size_t count = 0;
    for (size_t i = 0; i < NUMBERS; i++)
        if ((w->seen & 1u << i) != 0)
            values[count++] = (struct sample_value){types[i], number_of(w->values[i]), STR("")};
    r->extra.n = 0;
    if (w->accesses > 0) {
        emit_member(&r->extra, STR(".dhat_accesses"));
        buf_add(&r->extra, STR("\""));
        text_escape(&r->extra, buf_str(&r->accesses));
        buf_add(&r->extra, STR("\""));
    }
    sink_sample(r->sink, &(struct sample){.sample_id = sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = w->depth});
}

static void push_stacks(struct reader *r)
{
    struct waiting w;
    struct buf type = {0}, unit = {0};
    uint32_t types[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i++) {
        type.n = unit.n = 0;
        type_of(r, i, &type, &unit);
        types[i] = value_types_add_bytes(&r->sink->flow->types, buf_str(&type), buf_str(&unit));
        for (size_t k = 0; k < i; k++)
            if (types[k] == types[i])
                die_at(r->sink->flow->where, "two kinds of values have one name and unit: \"%.*s\"",
                       STR_ARG(buf_str(&type)));
    }
    spool_rewind(r->spool);
    for (int64_t id = 1; spool_read(r->spool, &w, sizeof w); id++) {
        r->accesses.n = 0;
        spool_read(r->spool, buf_reserve(&r->accesses, w.accesses), w.accesses);
        r->accesses.n = w.accesses;
        r->indexes = mem_array(r->indexes, &r->index_capacity, w.depth + 1, sizeof *r->indexes);
        spool_read(r->spool, r->indexes, w.depth * sizeof *r->indexes);
        take_stack(r, &w);
        push_stack(r, &w, types, id);
    }
    buf_free(&type);
    buf_free(&unit);
}

/* --- the file --- */

/* The current token, a string, as bytes in TO. */
static void read_string(struct reader *r, struct buf *to)
{
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    to->n = 0;
    text_unescape(to, r->json.text);
}

/* Keeps the current token as the member NAME of what the source says. */
static void keep_string(struct reader *r, const char *name)
{
    struct buf value = {0};
    read_string(r, &value);
    emit_member(&r->facts, str_of(name));
    emit_inner_string(&r->facts, &r->text, buf_str(&value));
    buf_free(&value);
}

static void keep_integer(struct reader *r, const char *name)
{
    emit_member(&r->facts, str_of(name));
    emit_number(&r->facts, tokens_integer(&r->json, 0, "an integer from 0"));
}

static void read_mode(struct reader *r)
{
    keep_string(r, "mode");
    r->is_heap = str_equal(r->json.text, STR("heap")) || str_equal(r->json.text, STR("rust-heap"));
    r->is_copy = str_equal(r->json.text, STR("copy"));
}

/* What the file calls things for people, and bklt, bkacc, which its numbers show. */
static const char *const names[] = {"dhatFileVersion",
                                    "mode",
                                    "cmd",
                                    "pid",
                                    "te",
                                    "tg",
                                    "tu",
                                    "bsu",
                                    "bksu",
                                    "pps",
                                    "ftbl",
                                    "verb",
                                    "bklt",
                                    "bkacc",
                                    "bu",
                                    "Mtu",
                                    "tuth"};

static void read_member(struct reader *r, unsigned member)
{
    switch (member) {
    case 0:
        if (!str_equal(r->json.text, STR("2")))
            tokens_unexpected(&r->json, "version 2");
        break;
    case 1: read_mode(r); break;
    case 2: keep_string(r, "command"); break;
    case 3: keep_integer(r, "pid"); break;
    case 4: keep_integer(r, "end"); break;
    case 5: keep_integer(r, "peak"); break;
    case 6:
        keep_string(r, "time_unit");
        read_string(r, &r->units[TIME]);
        if (str_equal(buf_str(&r->units[TIME]), MICROSECONDS)) {
            r->units[TIME].n = 0;
            buf_add(&r->units[TIME], STR("microseconds"));
        }
        break;
    case 7: read_string(r, &r->units[BYTES]); break;
    case 8: read_string(r, &r->units[BLOCKS]); break;
    case 9: read_stacks(r); break;
    case 10: read_frames(r); break;
    default: tokens_skip(&r->json);
    }
}

static void read_file(struct reader *r)
{
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        read_member(r, member);
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if ((seen & 2) == 0)
        tokens_die(&r->json, end, "the file has no mode");
    if (!r->has_stacks)
        tokens_die(&r->json, end, "the file has no stacks");
}

static void read_dhat(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .spool = spool_open()};
    buf_add(&r.units[BYTES], STR("units"));
    buf_add(&r.units[BLOCKS], STR("events"));
    tokens_open(&r.json, in);
    read_file(&r);
    push_source(&r, format_source_uri(request, in));
    push_stacks(&r);
    tokens_close(&r.json);
    spool_close(r.spool);
    valgrind_free(&r.frames);
    mem_free(r.list);
    mem_free(r.indexes);
    mem_free(r.stack);
    BUF_FREE(&r.text, &r.extra, &r.facts, &r.accesses, &r.units[0], &r.units[1], &r.units[2]);
}

static enum bid bid_dhat(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_has(head, STR("\"dhatFileVersion\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

void dhat_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf unit = {0};
    int64_t end = 0;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_DHAT_COMMAND: text_inner_bytes(&to->command, m.value); break;
        case MEMBER_ID_DHAT_TIME_UNIT: text_inner_bytes(&unit, m.value); break;
        case MEMBER_ID_DHAT_END: end = m.integer; break;
        default: break;
        }
    /* Valgrind counts instructions, dhat-rs time */
    if (!str_equal(buf_str(&unit), MICROSECONDS) ||
        __builtin_mul_overflow(end, 1000, &to->duration))
        to->duration = 0;
    buf_free(&unit);
}

const struct format format_dhat = {
    .name = "a DHAT file",
    .converter = "dhat2ndjson",
    .bid = bid_dhat,
    .read = read_dhat,
    .is_document = true,
};

/* Files of Perun to rows.  See perun2ndjson(1) for the rules.
 *
 * The header explains the values but mostly comes last. A resource and its entry in the map are far
 * apart. So nothing is written before the end: data per resource waits in a spool, the rest in
 * memory, as text without white space. */
#include "formats/perun/perun_read.h"

#include "base/mem.h"
#include "rows/text.h"

#include <inttypes.h>

enum member { RESOURCES, MAP, MODELS, SNAPSHOTS, GLOBAL, CHUNKS, MEMBER_COUNT };

static const char *const names[] = {
    "resources", "resource_type_map", "models", "snapshots", "global", "chunks"};

/* The member named by the current token; MEMBER_COUNT if it is not known. *SEEN has a bit for each
 * member seen so far. */
static enum member member_of(const struct perun_reader *r, unsigned *seen)
{
    unsigned i = 0;
    while (i < MEMBER_COUNT && !str_equal(r->json.text, str_of(names[i])))
        i++;
    if (i == MEMBER_COUNT)
        return MEMBER_COUNT;
    if ((*seen & 1u << i) != 0)
        tokens_die(&r->json, r->json.where, "\"%s\" stands there twice", names[i]);
    *seen |= 1u << i;
    return (enum member)i;
}

static void read_member(struct perun_reader *r, enum member member, struct buf *to)
{
    switch (member) {
    case RESOURCES: perun_read_resources(r, to); break;
    case MAP: perun_read_map(r, to); break;
    case MODELS: perun_read_items(r, to, (struct perun_item){.kind = PERUN_MODEL}); break;
    case SNAPSHOTS: perun_read_snapshots(r, to); break;
    case GLOBAL: perun_read_global(r, to); break;
    case CHUNKS: perun_read_items(r, to, (struct perun_item){.kind = PERUN_CHUNK}); break;
    default: perun_copy_value(r, to);
    }
}

static void read_file(struct perun_reader *r)
{
    unsigned seen = 0;
    uint64_t line = r->json.line;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    line = r->json.where.line;
    buf_add(&r->members, STR("{"));
    while (tokens_next(&r->json) == TOKEN_NAME) {
        if (r->members.n == 1)
            r->is_indented = r->json.where.line != line;
        enum member member = member_of(r, &seen);
        perun_copy_name(r, &r->members);
        tokens_next(&r->json);
        read_member(r, member, &r->members);
    }
    buf_add(&r->members, STR("}"));
    if ((seen & (1u << RESOURCES | 1u << SNAPSHOTS | 1u << GLOBAL)) == 0)
        tokens_die(&r->json, r->json.where, "the file has no resources, snapshots or global");
    tokens_next(&r->json); /* nothing may follow */
}

/* --- stored objects: `profile TYPE LENGTH`, NUL, and the text of LENGTH characters --- */

/* Reads the head of a stored object from the input; sets *LENGTH. */
static void read_head(struct perun_reader *r, struct in *in, uint64_t *length)
{
    enum { MAX = 64 };
    static const struct str types[] = {STR("memory"), STR("mixed"), STR("time")};
    struct str head = in_peek(in, MAX);
    const char *nul = memchr(head.p, '\0', head.n < MAX ? head.n : MAX);
    if (!str_take(&head, STR("profile ")) || nul == NULL)
        return;
    size_t size = sizeof "profile " + (size_t)(nul - head.p);
    const char *space = memchr(head.p, ' ', (size_t)(nul - head.p));
    struct str type = {head.p, (size_t)((space == NULL ? nul : space) - head.p)};
    r->json.before = sizeof "profile " - 1;
    struct tokens_place where = {1, sizeof "profile "};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_equal(type, types[i]))
            r->stored = types[i];
    if (r->stored.p == NULL)
        tokens_die(&r->json, where,
                   "expected a profile of the type memory, mixed or time, found another");
    where.column += type.n + 1;
    struct str digits = {space == NULL ? nul : space + 1, 0};
    digits.n = (size_t)(nul - digits.p);
    int64_t said;
    if (!text_is_integer(digits, &said) || said < 0)
        tokens_die(&r->json, where, "expected the length of the profile in characters");
    *length = (uint64_t)said;
    in_consume(in, size);
    r->json.before = size;
}

/* At the end: checks that the text has LENGTH characters. */
static void check_length(const struct perun_reader *r, uint64_t head, uint64_t length)
{
    uint64_t characters =
        r->json.before + (uint64_t)(r->json.p - r->json.start) - head - r->json.continued;
    if (characters != length)
        tokens_die(&r->json, (struct tokens_place){1, sizeof "profile " + r->stored.n + 1},
                   "expected %" PRIu64 " characters, as the object says, found %" PRIu64, length,
                   characters);
}

#define UNEVEN                                                                                     \
    "lists of one resource differ in length (so of %" PRIu64                                       \
    "): what stands behind the shortest is no sample"

static void free_reader(struct perun_reader *r)
{
    struct buf *bufs[] = {&r->members, &r->text, &r->items_text, &r->name, &r->extra};
    struct intern *tables[] = {&r->keys,    &r->shared,    &r->names,
                               &r->columns, &r->functions, &r->locations};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        intern_free(tables[i]);
    bytes_rows_free(&r->rows);
    mem_free(r->seen);
    mem_free(r->types);
    mem_free(r->shared_types);
    mem_free(r->items);
    perun_stack_free(&r->stack);
    arena_free(&r->arena);
    spool_close(r->spool);
}

void perun_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct perun_reader r = {.request = request, .sink = sink, .spool = spool_open()};
    uint64_t length = 0;
    tokens_open(&r.json, in);
    r.json.takes_nan = true;
    read_head(&r, in, &length);
    uint64_t head = r.json.before;
    read_file(&r);
    if (r.stored.p != NULL)
        check_length(&r, head, length);
    if (r.uneven > 0 && request->strict)
        tokens_die(&r.json, r.uneven_where, UNEVEN, r.uneven);
    if (r.uneven > 0)
        tokens_warn(&r.json, r.uneven_where, UNEVEN, r.uneven);
    tokens_close(&r.json);
    perun_push_rows(&r, format_source_uri(request, in));
    free_reader(&r);
}

/* The CPU profiles of gperftools: words of the machine that wrote them.  Five are the head, 0, 3, the
 * language, the period in microseconds, 0.  Samples follow, each a count, a depth and addresses, innermost
 * first; then 0, 1, 0, and the map of memory as text, or of Java the names. */
#include "formats/legacy/legacy.h"
#include "stream/growth.h"

enum { HEAD_WORDS = 5 };

/* How a file spells words. */
struct spelling {
    unsigned size; /* bytes */
    bool is_big;   /* the high byte comes first */
};

static const struct spelling spellings[] = {{4, false}, {4, true}, {8, false}, {8, true}};

static uint64_t word_at(struct spelling s, const char *p)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < s.size; i++)
        word = word << 8 | (unsigned char)p[s.is_big ? i : s.size - 1 - i];
    return word;
}

/* The spelling of the file that begins with HEAD; NULL: it is no such file. */
static const struct spelling *spelling_of(struct str head)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const struct spelling s = spellings[i];
        uint64_t words[HEAD_WORDS];
        if (head.n < HEAD_WORDS * s.size)
            continue;
        for (size_t w = 0; w < HEAD_WORDS; w++)
            words[w] = word_at(s, head.p + w * s.size);
        if (words[0] == 0 && words[1] == 3 && words[2] < 2 && words[3] > 0 && words[4] == 0)
            return &spellings[i];
    }
    return NULL;
}

bool legacy_is_cpu(struct str head)
{
    return spelling_of(head) != NULL;
}

struct cpu_reader {
    struct legacy *l;
    struct spelling spelling;
    struct place where; /* of the next word */
};

static uint64_t read_word(struct cpu_reader *r)
{
    const struct str bytes = in_peek(r->l->in, r->spelling.size);
    if (bytes.n < r->spelling.size)
        die_at(r->where, "expected a number of %u bytes, found the end of the file",
               r->spelling.size);
    const uint64_t word = word_at(r->spelling, bytes.p);
    in_consume(r->l->in, r->spelling.size);
    r->where.at += r->spelling.size;
    return word;
}

/* Reads a sample; false: it was the end of them.  Of all but Java each address but the innermost is that of
 * the instruction behind a call. */
static bool read_sample(struct cpu_reader *r, bool is_java)
{
    struct legacy *l = r->l;
    const uint64_t count = read_word(r), depth = read_word(r);
    int64_t nanoseconds;
    growth_check_depth(depth, r->where);
    uint64_t address = depth > 0 ? read_word(r) : 0;
    if (count == 0 && depth == 1 && address == 0)
        return false;
    if (count > INT64_MAX || __builtin_mul_overflow((int64_t)count, l->period, &nanoseconds))
        die_at(r->where, "the count times the period does not fit into 64 bits");
    legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){(int64_t)count, nanoseconds});
    for (uint64_t i = 0; i < depth; i++) {
        legacy_add_address(l, address - (i > 0 && !is_java));
        address = i + 1 < depth ? read_word(r) : 0;
    }
    return true;
}

void legacy_read_cpu(struct legacy *l)
{
    static const struct legacy_type types[] = {
        {.name = STR("samples"), .unit = STR("count")},
        {.name = STR("cpu"), .unit = STR("nanoseconds")},
    };
    struct cpu_reader r = {.l = l, .where = {l->where.file, PLACE_OFFSET, 0}};
    r.spelling = *spelling_of(in_peek(l->in, HEAD_WORDS * sizeof(uint64_t)));
    uint64_t head[HEAD_WORDS];
    for (size_t i = 0; i < HEAD_WORDS; i++)
        head[i] = read_word(&r);
    if (head[3] > INT64_MAX / 1000)
        die_at(r.where, "the period does not fit into 64 bits of nanoseconds");
    legacy_set_types(l, types, 2);
    l->period_type = types[1];
    l->period = (int64_t)head[3] * 1000;
    while (read_sample(&r, head[2] == 1))
        ;
    if (head[2] == 1)
        legacy_read_java_names(l);
    else
        legacy_read_maps(l);
}

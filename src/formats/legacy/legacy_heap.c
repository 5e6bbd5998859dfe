/* Heap profiles of tcmalloc and Go as text: "heap profile: 1: 96 [2: 192] @ heap_v2/524288". */
#include "formats/legacy/legacy_go.h"

#define LEGACY_COUNT STR("count")
#define LEGACY_BYTES STR("bytes")

const struct legacy_type legacy_heap_types[LEGACY_VALUES] = {
    {.name = STR("alloc_objects"), .unit = LEGACY_COUNT},
    {.name = STR("alloc_space"), .unit = LEGACY_BYTES},
    {.name = STR("inuse_objects"), .unit = LEGACY_COUNT},
    {.name = STR("inuse_space"), .unit = LEGACY_BYTES},
};

bool legacy_take_counts(struct str *line, struct legacy_counts *c)
{
    return legacy_take_number(line, &c->in_use) && legacy_take(line, STR(":")) &&
           legacy_take_number(line, &c->in_use_bytes) && legacy_take(line, STR("[")) &&
           legacy_take_number(line, &c->all) && legacy_take(line, STR(":")) &&
           legacy_take_number(line, &c->all_bytes) && legacy_take(line, STR("]"));
}

int64_t legacy_each(const struct legacy_counts *c)
{
    const int64_t count = c->in_use != 0 ? c->in_use : c->all;
    const int64_t bytes = c->in_use != 0 ? c->in_use_bytes : c->all_bytes;
    return count == 0 || (count == -1 && bytes == INT64_MIN) ? 0 : bytes / count;
}

/* Reads "1: 96 [2: 192] @" off *LINE. */
static bool take_counts(struct str *line, struct legacy_counts *c)
{
    return legacy_take_counts(line, c) && legacy_take(line, STR("@"));
}

/* Reads the kind of the profile: stores its rate in *RATE, and whether samples are to be scaled. */
static bool take_kind(struct str line, int64_t *rate, bool *is_sampled)
{
    const struct str word = legacy_take_word(&line);
    const char *slash = word.n == 0 ? NULL : memchr(word.p, '/', word.n);
    const struct str kind = {word.p, slash == NULL ? word.n : (size_t)(slash - word.p)};
    struct str number = {kind.p + kind.n, word.n - kind.n};
    int64_t given = 0;
    if (str_take(&number, STR("/")) && number.n > 0 &&
        (!legacy_take_number(&number, &given) || number.n > 0 || given < 0))
        return false;
    const bool is_second = str_equal(kind, STR("heapz_v2")) || str_equal(kind, STR("heap_v2"));
    const bool is_go = str_equal(kind, STR("heap")); /* it writes twice its rate */
    const bool is_whole = str_equal(kind, STR("heapprofile")) || str_starts(kind, STR("growth")) ||
                          str_starts(kind, STR("fragmentation"));
    *rate = is_second ? given : is_go ? given / 2 : 1;
    *is_sampled = is_second || is_go;
    return is_second || is_go || is_whole;
}

/* Begins a sample with the counts C, whose bytes for each object become a label. */
static void begin_sample(struct legacy *l, struct legacy_counts c, int64_t rate, bool is_sampled)
{
    if ((c.in_use == 0 && c.in_use_bytes != 0) || (c.all == 0 && c.all_bytes != 0))
        legacy_unexpected(l, "no bytes where there is no object");
    const int64_t each = legacy_each(&c);
    if (is_sampled) {
        legacy_unsample(l, &c.all, &c.all_bytes, rate, false);
        legacy_unsample(l, &c.in_use, &c.in_use_bytes, rate, false);
    }
    if (l->value_count == LEGACY_VALUES)
        legacy_begin_sample(l, (int64_t[]){c.all, c.all_bytes, c.in_use, c.in_use_bytes});
    else
        legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){c.in_use, c.in_use_bytes});
    legacy_label(l, STR("bytes"), (struct str){NULL, 0}, each, STR(""));
}

/* Allocations count where they are others than what is in use. */
static void set_types(struct legacy *l, const struct legacy_counts *sum)
{
    static const struct legacy_type two[] = {
        {.name = STR("objects"), .unit = LEGACY_COUNT},
        {.name = STR("space"), .unit = LEGACY_BYTES},
    };
    if ((sum->all != sum->in_use && sum->all != 0) ||
        (sum->all_bytes != sum->in_use_bytes && sum->all_bytes != 0))
        legacy_set_types(l, legacy_heap_types, LEGACY_VALUES);
    else
        legacy_set_types(l, two, 2);
}

void legacy_read_heap(struct legacy *l)
{
    struct str line = STR(""); /* even the first one may be torn */
    struct legacy_counts c;
    int64_t rate;
    bool is_sampled;
    legacy_next_line(l, &line);
    if (!legacy_take(&line, STR("heap profile:")) || !take_counts(&line, &c) ||
        !take_kind(line, &rate, &is_sampled))
        legacy_unexpected(l, "\"heap profile: N: BYTES [N: BYTES] @ heap\" or another kind");
    set_types(l, &c);
    l->period_type = (struct legacy_type){.name = STR("space"), .unit = LEGACY_BYTES};
    l->period = rate;
    while (legacy_next_line(l, &line) && !legacy_is_map(line)) {
        if (line.n == 0 || legacy_go_comment(l, line))
            continue;
        if (!take_counts(&line, &c))
            legacy_unexpected(l, "N: BYTES [N: BYTES] @ and addresses");
        begin_sample(l, c, rate, is_sampled);
        legacy_go_addresses(l, line);
    }
    legacy_read_maps(l);
}

/* The lists of samples of a file of the Firefox Profiler, of threads and of counters. */
#include "base/mem.h"
#include "formats/firefox/firefox_read.h"

struct decimal firefox_read_decimal(struct firefox_reader *r)
{
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    if (!tokens_is_double(&r->json))
        tokens_unexpected(&r->json, "a number that a double can hold");
    return decimal_read(r->json.text);
}

/* The current token, a number; most have few digits. */
static struct decimal read_quick_decimal(struct firefox_reader *r)
{
    const char *p = r->json.text.p, *end = p + r->json.text.n;
    bool is_negative = p < end && *p == '-';
    int64_t digits = 0;
    int exponent = 0;
    bool has_point = false;
    if (r->json.token != TOKEN_NUMBER || r->json.text.n > 18)
        return firefox_read_decimal(r);
    for (p += is_negative; p < end; p++) {
        if (str_is_digit(*p))
            digits = digits * 10 + (*p - '0');
        else if (*p == '.')
            has_point = true;
        else
            return firefox_read_decimal(r);
        exponent -= has_point && *p != '.';
    }
    for (; exponent < 0 && digits % 10 == 0; digits /= 10)
        exponent = digits == 0 ? 0 : exponent + 1;
    return (struct decimal){wide_of(is_negative ? -digits : digits), exponent};
}

static void put(struct firefox_reader *r, struct firefox_track *t, int strand, const void *value,
                size_t size)
{
    spools_write(r->spools, t->strands[strand], (struct str){value, size});
    t->counts[strand]++;
}

static void begin_list(struct firefox_reader *r, struct firefox_track *t, int strand)
{
    tokens_list(&r->json, "a list");
    if (t->has[strand])
        tokens_die(&r->json, r->json.where,
                   "this list stands there twice: times and timeDeltas, or weights and counts");
    t->has[strand] = true;
    t->strands[strand] = spools_begin(r->spools);
    firefox_hold(r, SPOOLS_STRAND);
}

/* Reads stacks: indexes plus 1, 0 for none. */
static void read_stacks(struct firefox_reader *r, struct firefox_track *t)
{
    uint32_t numbers[FIREFOX_BATCH];
    size_t count;
    for (begin_list(r, t, FIREFOX_STACKS);;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, FIREFOX_BATCH)) > 0) {
            for (size_t i = 0; i < count; i++)
                numbers[i]++;
            spools_write(r->spools, t->strands[FIREFOX_STACKS],
                         (struct str){(const char *)numbers, count * sizeof *numbers});
            t->counts[FIREFOX_STACKS] += count;
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        int64_t index = r->json.token == TOKEN_NULL
                            ? -1
                            : tokens_integer(&r->json, 0, "the index of a stack, or null");
        if (index >= UINT32_MAX)
            tokens_unexpected(&r->json, "the index of a stack");
        numbers[0] = (uint32_t)(index + 1);
        put(r, t, FIREFOX_STACKS, numbers, sizeof *numbers);
    }
}

/* Reads times in milliseconds: from the start, or ARE_DELTAS from one to the next. Fractions of a
 * nanosecond are what doubles cannot hold. */
static void read_times(struct firefox_reader *r, struct firefox_track *t, bool are_deltas)
{
    struct decimal time = decimal_of(0);
    int64_t nanoseconds;
    for (begin_list(r, t, FIREFOX_TIMES); tokens_next(&r->json) != TOKEN_ARRAY_END;) {
        struct decimal given = read_quick_decimal(r);
        if (are_deltas)
            decimal_add(&time, given);
        else
            time = given;
        struct decimal exact = time;
        exact.exponent += decimal_sign(exact) == 0 ? 0 : 6;
        if (!decimal_is_integer(exact, &nanoseconds) && !decimal_round(exact, &nanoseconds) &&
            t->late.line == 0)
            t->late = r->json.where; /* those that we have made up may be any */
        put(r, t, FIREFOX_TIMES, &nanoseconds, sizeof nanoseconds);
    }
}

/* Reads numbers. Null, where MAY_BE_NULL, is FIREFOX_NULL_EXPONENT. */
static void read_numbers(struct firefox_reader *r, struct firefox_track *t, int strand,
                         bool may_be_null)
{
    uint32_t numbers[FIREFOX_BATCH];
    struct decimal batch[FIREFOX_BATCH];
    size_t count;
    for (begin_list(r, t, strand);;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, FIREFOX_BATCH)) > 0) {
            for (size_t i = 0; i < count; i++)
                batch[i] = decimal_of(numbers[i]);
            spools_write(r->spools, t->strands[strand],
                         (struct str){(const char *)batch, count * sizeof *batch});
            t->counts[strand] += count;
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        struct decimal number = {wide_of(0), FIREFOX_NULL_EXPONENT};
        if (r->json.token != TOKEN_NULL || !may_be_null)
            number = read_quick_decimal(r);
        put(r, t, strand, &number, sizeof number);
    }
}

static void read_weight_type(struct firefox_reader *r, struct firefox_track *t)
{
    if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("samples")))
        t->weight_type = FIREFOX_WEIGHT_SAMPLES;
    else if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("tracing-ms")))
        t->weight_type = FIREFOX_WEIGHT_MS;
    else if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("bytes")))
        t->weight_type = FIREFOX_WEIGHT_BYTES;
    else if (r->json.token != TOKEN_NULL)
        tokens_unexpected(&r->json, "\"samples\", \"tracing-ms\" or \"bytes\"");
}

void firefox_read_samples(struct firefox_reader *r, struct firefox_track t)
{
    static const char *const names[] = {
        "stack",      "time",           "timeDeltas", "weight",   "count",
        "weightType", "threadCPUDelta", "length",     "number",   "responsiveness",
        "eventDelay", "argumentValues", "className",  "typeName", "coarseType",
        "inNursery",  "memoryAddress",  "threadId"};
    unsigned seen = 0, member;
    int64_t length = -1;
    t.where = r->json.where;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "samples, an object of lists");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_stacks(r, &t); break;
        case 1:
        case 2: read_times(r, &t, member == 2); break;
        case 3:
        case 4:
            if (r->json.token != TOKEN_NULL)
                read_numbers(r, &t, FIREFOX_WEIGHTS, false);
            break;
        case 5: read_weight_type(r, &t); break;
        case 6: read_numbers(r, &t, FIREFOX_CPU, true); break;
        case 7: length = tokens_integer(&r->json, 0, "an integer from 0"); break;
        default: firefox_drop(r, names[member]);
        }
    if (t.kind == FIREFOX_TRACK_COUNTER && !t.has[FIREFOX_WEIGHTS] &&
        (t.counts[FIREFOX_TIMES] > 0 || length > 0))
        tokens_die(&r->json, t.where, "the samples of this counter have no \"count\"");
    if (t.kind == FIREFOX_TRACK_COUNTER && !t.has[FIREFOX_STACKS])
        t.counts[FIREFOX_STACKS] = t.counts[FIREFOX_WEIGHTS];
    for (int i = 0; i < FIREFOX_STRANDS; i++)
        if ((t.has[i] && t.counts[i] != t.counts[FIREFOX_STACKS]) ||
            (length >= 0 && (uint64_t)length != t.counts[FIREFOX_STACKS]))
            tokens_die(&r->json, t.where, "the lists of these samples have different lengths");
    firefox_hold(r, sizeof t);
    r->tracks = mem_array(r->tracks, &r->track_capacity, r->track_count + 1, sizeof *r->tracks);
    r->tracks[r->track_count++] = t;
}

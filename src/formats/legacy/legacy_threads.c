/* Lines of threads and of locks: "--- threadz 1 ---", "--- contentionz 1 ---" and Go's "--- mutex:". */
#include "formats/legacy/legacy_go.h"

#include <math.h>

/* --- locks --- */

/* What is in front of the samples. */
struct contention {
    int64_t cycles_per_second; /* 0: unknown */
    int64_t period;            /* of so many each is sampled */
};

/* Takes LINE, as "cycles/second = 3201000000"; false: it sets nothing. */
static bool take_setting(struct legacy *l, struct contention *c, struct str line)
{
    const char *equal = line.n == 0 ? NULL : memchr(line.p, '=', line.n);
    if (equal == NULL)
        return false;
    const struct str name = str_trim((struct str){line.p, (size_t)(equal - line.p)});
    struct str value = {equal + 1, line.n - (size_t)(equal - line.p) - 1};
    int64_t number;
    if (!legacy_take_number(&value, &number) || str_trim(value).n > 0 || number < 0)
        legacy_unexpected(l, "an integer from 0 behind =");
    if (str_equal(name, STR("cycles/second")))
        c->cycles_per_second = number;
    else if (str_equal(name, STR("sampling period")))
        c->period = number;
    else if (str_equal(name, STR("ms since reset")) && number < INT64_MAX / 1000000)
        l->duration = number * 1000000;
    else
        legacy_keep_line(l, line);
    return true;
}

/* Begins a sample of COUNT waits, which took CYCLES. */
static void begin_wait(struct legacy *l, const struct contention *c, int64_t cycles, int64_t count)
{
    double delay = (double)cycles;
    if (c->period > 0) {
        if (c->cycles_per_second > 0)
            delay = delay * (double)c->period / ((double)c->cycles_per_second / 1e9);
        if (__builtin_mul_overflow(count, c->period, &count))
            legacy_unexpected(l, "a count that times the period fits 64 bits");
    }
    if (!(fabs(delay) < 0x1p63))
        legacy_unexpected(l, "a time that fits 64 bits in nanoseconds");
    const bool is_scaled = c->period > 0 && c->cycles_per_second > 0;
    legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){count, is_scaled ? (int64_t)delay : cycles});
}

void legacy_read_contention(struct legacy *l)
{
    static const struct legacy_type types[] = {
        {.name = STR("contentions"), .unit = STR("count")},
        {.name = STR("delay"), .unit = STR("nanoseconds")},
    };
    struct contention c = {.period = 1};
    struct str line;
    legacy_next_line(l, &line); /* what it is */
    legacy_set_types(l, types, 2);
    while (legacy_next_line(l, &line) && !str_starts(line, STR("---")) && !legacy_is_map(line)) {
        int64_t cycles, count;
        struct str rest = line;
        if (line.n == 0 || legacy_go_comment(l, line) ||
            (l->sample_count == 0 && take_setting(l, &c, line)))
            continue;
        if (!legacy_take_number(&rest, &cycles) || !legacy_take_number(&rest, &count) ||
            !legacy_take(&rest, STR("@")))
            legacy_unexpected(l, "CYCLES N @ and addresses");
        begin_wait(l, &c, cycles, count);
        legacy_go_addresses(l, rest);
    }
    l->period_type = types[0];
    l->period = c.period;
    while (!legacy_is_map(l->line) && legacy_next_line(l, &line))
        ;
    legacy_read_maps(l);
}

/* --- threads --- */

/* Reads "--- Thread 7f79 (name: main/14748) stack: ---"; stores its name. */
static bool take_thread(struct str line, struct str *name)
{
    uint64_t number;
    if (!str_take(&line, STR("--- Thread ")) || !legacy_take_address(&line, &number) ||
        !legacy_take(&line, STR("(name: ")) || !str_ends(line, STR(") stack: ---")))
        return false;
    *name = (struct str){line.p, line.n - STR(") stack: ---").n};
    return true;
}

/* Adds ADDRESS: that of the instruction behind a call, but for the innermost. Returns the step's. */
static uint64_t add_address(struct legacy *l, uint64_t address)
{
    address -= l->stack.n > 0;
    legacy_add_address(l, address);
    return address;
}

/* Reads "PC: 0xbc8f1c: f(int)", "0x40be31: main", or several addresses. */
static void read_frames(struct legacy *l, struct str line)
{
    uint64_t address;
    legacy_take(&line, STR("PC:"));
    legacy_take(&line, STR("creator:"));
    while (legacy_take_address(&line, &address)) {
        address = add_address(l, address);
        if (str_take(&line, STR(":"))) {
            legacy_name(l, address, str_trim(line), STR(""), 0);
            return;
        }
    }
    if (str_trim(line).n > 0)
        legacy_unexpected(l, "addresses of a stack");
}

/* Reads the stack of a thread, up to the next: *LINE is its line.  Where the stack is that of the thread
 * before, only COPY is made of it. */
static bool read_stack(struct legacy *l, struct str *line, struct buf *last)
{
    bool is_same = false, more;
    while ((more = legacy_next_line(l, line)) && !str_starts(*line, STR("---"))) {
        if (str_equal(*line, STR("[same as previous thread]")))
            is_same = true;
        else if (line->n > 0)
            read_frames(l, *line);
    }
    if (is_same) {
        l->stack.n = 0;
        buf_add(&l->stack, buf_str(last));
    }
    last->n = 0;
    buf_add(last, buf_str(&l->stack));
    return more;
}

void legacy_read_threads(struct legacy *l)
{
    static const struct legacy_type type = {.name = STR("thread"), .unit = STR("count")};
    struct buf last = {0};
    struct str line = STR(""), name;
    bool more;
    legacy_set_types(l, &type, 1);
    l->period_type = type;
    l->period = 1;
    while ((more = legacy_next_line(l, &line)) &&
           (!str_starts(line, STR("---")) || str_starts(line, STR("--- threadz"))))
        if (line.n > 0 && line.p[0] != '-')
            legacy_keep_line(l, line);
    while (more && take_thread(line, &name)) {
        legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){1});
        legacy_label(l, STR("thread"), name, 0, STR(""));
        more = read_stack(l, &line, &last);
    }
    if (more && !legacy_is_map(line) && !str_starts(line, STR("---- no stack trace for")))
        legacy_unexpected(l, "\"--- Thread ID (name: NAME) stack: ---\"");
    while (!legacy_is_map(l->line) && legacy_next_line(l, &line))
        ;
    legacy_read_maps(l);
    buf_free(&last);
}

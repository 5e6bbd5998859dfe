/* What a JVM wrote in the format of gperftools: samples of numbers, and behind them what each number
 * names. */
#include "formats/legacy/legacy.h"

/* The rate that JVMs have used for heaps, in bytes. */
enum { HEAP_RATE = 512 << 10 };

/* Reads "7048 1 @ 0x3 0x4", in which bytes or a time come first; false: it is something else. */
static bool read_sample(struct legacy *l, struct str line, bool is_heap)
{
    int64_t count, size;
    uint64_t number;
    if (!legacy_take_number(&line, &size) || !legacy_take_number(&line, &count) ||
        !legacy_take(&line, STR("@")))
        return false;
    if (is_heap && count == 0)
        legacy_unexpected(l, "a count that is not 0");
    const int64_t each = legacy_each(&(struct legacy_counts){count, size, 0, 0});
    if (is_heap) {
        legacy_unsample(l, &count, &size, HEAP_RATE, false);
    } else if (l->period != 0 && (__builtin_mul_overflow(count, l->period, &count) ||
                                  __builtin_mul_overflow(size, l->period, &size))) {
        legacy_unexpected(l, "numbers that times the period fit 64 bits");
    }
    legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){count, size});
    if (is_heap)
        legacy_label(l, STR("bytes"), (struct str){NULL, 0}, each, STR(""));
    while (legacy_take_address(&line, &number))
        legacy_add_address(l, number);
    return true;
}

/* Takes NAME = VALUE in front of the samples; false: LINE is something else. */
static bool take_setting(struct legacy *l, struct str line, bool is_heap)
{
    const char *equal = line.n == 0 ? NULL : memchr(line.p, '=', line.n);
    if (equal == NULL)
        return false;
    const struct str name = str_trim((struct str){line.p, (size_t)(equal - line.p)});
    const struct str value =
        str_trim((struct str){equal + 1, line.n - (size_t)(equal - line.p) - 1});
    struct str rest = value;
    int64_t number;
    const bool is_number = legacy_take_number(&rest, &number) && rest.n == 0 && number >= 0;
    if (str_equal(name, STR("resolution"))) {
        l->types[1].unit = legacy_canonical(l, value);
    } else if (str_equal(name, STR("sampling period")) && is_number && !is_heap) {
        l->period_type = l->types[0];
        l->period = number;
    } else if (str_equal(name, STR("ms since reset")) && is_number &&
               number <= INT64_MAX / 1000000) {
        l->duration = number * 1000000;
    } else if (!str_equal(name, STR("format")) || !str_equal(value, STR("java"))) {
        legacy_keep_line(l, line);
    }
    return true;
}

void legacy_read_java(struct legacy *l)
{
    static const struct legacy_type types[2][2] = {
        {{.name = STR("contentions"), .unit = STR("count")},
         {.name = STR("delay"), .unit = STR("nanoseconds")}},
        {{.name = STR("inuse_objects"), .unit = STR("count")},
         {.name = STR("inuse_space"), .unit = STR("bytes")}},
    };
    struct str line = STR("");
    legacy_next_line(l, &line);
    const bool is_heap = str_starts(line, STR("--- heapz"));
    legacy_set_types(l, types[is_heap], 2);
    while (legacy_next_line(l, &line)) {
        if (line.n == 0 || (l->sample_count == 0 && take_setting(l, line, is_heap)))
            continue;
        if (!read_sample(l, line, is_heap)) {
            legacy_unread(l);
            break;
        }
    }
    legacy_read_java_names(l);
}

/* --- names --- */

/* The part of TEXT in front of the brackets at its end; what is in them is stored in *INSIDE, empty if
 * there are none. */
static struct str before_brackets(struct str text, struct str *inside)
{
    *inside = STR("");
    if (!str_ends(text, STR(")")))
        return text;
    size_t i = text.n;
    while (i-- > 1)
        if (text.p[i] == '(' && text.p[i - 1] == ' ') {
            *inside = (struct str){text.p + i + 1, text.n - i - 2};
            return str_trim((struct str){text.p, i});
        }
    return text;
}

/* The last part of the path TEXT. */
static struct str base_of(struct str text)
{
    size_t n = text.n;
    while (n > 0 && text.p[n - 1] != '/')
        n--;
    return (struct str){text.p + n, text.n - n};
}

void legacy_read_java_names(struct legacy *l)
{
    struct str line;
    l->keeps_no_address = true;
    while (legacy_next_line(l, &line)) {
        uint64_t number;
        struct str inside, file, rest = line;
        if (!str_starts(line, STR("0x")) || !legacy_take_address(&rest, &number)) {
            if (line.n > 0)
                legacy_keep_line(l, line);
            continue;
        }
        const struct str name = before_brackets(str_trim(rest), &inside);
        const char *colon = inside.n == 0 ? NULL : memchr(inside.p, ':', inside.n);
        int64_t at = 0;
        file = base_of(inside);
        if (colon != NULL) { /* FILE:LINE, where LINE may be -1 */
            file = (struct str){inside.p, (size_t)(colon - inside.p)};
            struct str after = {colon + 1, inside.n - file.n - 1};
            if (!legacy_take_number(&after, &at) || at < 0)
                at = 0;
        }
        legacy_name(l, number, name, file, at);
    }
}

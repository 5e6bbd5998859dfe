/* Whatever scan_row accepts, jansson must accept with the same row: over all samples, rows of every
 * table, and mutations of both. */
#include "handmade.h"
#include "job.h"
#include "rowcheck.h"
#include "rows/text.h"
#include "tap.h"

#include <stdlib.h>

enum { HANDMADE = sizeof handmade / sizeof *handmade, SEEDS = 16, MUTATIONS = 10000 };

static void complain(struct str line, const char *why)
{
    printf("# %s: %.*s\n", why, STR_ARG(line));
}

/* --- canonical rows --- */

static bool is_taken(struct str line)
{
    const char *why = "scan_row leaves a canonical row to jansson";
    if (rowcheck(line, &why) == ROWCHECK_SAME)
        return true;
    complain(line, why);
    return false;
}

/* Takes the next line off *TEXT, which ends in LF. */
static struct str take_line(struct str *text)
{
    const char *lf = memchr(text->p, '\n', text->n);
    struct str line = {text->p, (size_t)(lf - text->p)};
    text->p = lf + 1;
    text->n -= line.n + 1;
    return line;
}

static void test_canonical(void)
{
    size_t count;
    const struct sample_file *all = samples(&count);
    for (size_t i = 0; i < count; i++) {
        size_t refused = 0;
        for (struct str rest = all[i].rows; rest.n > 0 && refused < 5;)
            refused += !is_taken(take_line(&rest));
        ok(refused == 0, "all rows of %s are taken", all[i].name);
    }
    size_t refused = 0;
    for (size_t i = 0; i < HANDMADE; i++)
        refused += !is_taken(str_of(handmade[i]));
    ok(refused == 0, "all hand-made rows are taken");
}

/* --- rows that only jansson may take, or nobody --- */

static void test_refused(void)
{
    static const char *const lines[] = {
        "",
        "{}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1} ",
        "{\"table\":\"samples\", \"sample_id\":1,\"source_id\":1}",
        "{\"table\":\"samples\",\"source_id\":1,\"sample_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":0,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":-1,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":01,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":1.0,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":1e0,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":9007199254740992,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":18446744073709551617,\"source_id\":1}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":null}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\"x\":1}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":1,\".x\":1}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":{\"a\":1,\"a\":1}}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":01}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":-0}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":1e999}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\\/\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\\u0009\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\\u001F\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\\u0000\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\\u0020\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\xc0\x80\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\xed\xa0\x80\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"\xf4\x90\x80\x80\"}",
        "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".x\":\"a\tb\"}",
        "{\"table\":\"functions\",\"function_id\":1,\"name\":\"\",\"system_name\":\"f\","
        "\"filename\":\"\",\"start_line\":0}",
        "{\"table\":\"functions\",\"function_id\":1,\"name\":\"f\",\"system_name\":\"f\","
        "\"filename\":null,\"start_line\":0}",
        "{\"table\":\"functions\",\"function_id\":1,\"name\":\"f\",\"system_name\":\"f\","
        "\"filename\":\"\",\"start_line\":9223372036854775808}",
        "{\"table\":\"locations\",\"location_id\":1,\"function_id\":0,\"line\":null}",
        "{\"table\":\"locations\",\"location_id\":1,\"function_id\":nul,\"line\":null}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
        "9223372036854775808}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
        "-9223372036854775809}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
        "null}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":1.}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":1e}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":.5}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":+1}",
        "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":-}",
        "{\"table\":\"samples\",\"value\":0,\"locations\":[]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[1]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":0}]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":1},]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":1} ]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":1,\"x\":1}]}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":1}}",
        "{\"table\":\"samples\",\"value\":1,\"locations\":null}",
        "{\"table\":\".mappings\",\"mapping_id\":1,\"mapping_id\":1}",
        "{\"table\":\".mappings\",\"mapping_id\":1,\"table\":1}",
        "{\"table\":\".mappings\",\"x\":1,\"mapping_id\":1}",
        "{\"table\":\".x\",\"table\":1}",
        "{\"table\":\".x\",\"a\":1,\"a\":2}",
        "{\"table\":\"other\",\"a\":1}",
        "{\"table\":\"\"}",
    };
    size_t taken = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *why = "";
        if (rowcheck(str_of(lines[i]), &why) != ROWCHECK_REFUSED) {
            taken++;
            complain(str_of(lines[i]), "scan_row takes what is not canonical");
        }
    }
    ok(taken == 0, "rows that are not canonical or not valid are left to jansson");
}

/* --- mutations --- */

struct mutant {
    char bytes[4096];
    size_t n;
};

static size_t pick(uint64_t *state, size_t below)
{
    return (size_t)(random_next(state) % below);
}

/* Puts S in place of the REMOVED bytes at AT, if there is room. */
static void splice(struct mutant *m, size_t at, size_t removed, struct str s)
{
    if (at > m->n || removed > m->n - at || m->n - removed + s.n > sizeof m->bytes)
        return;
    char copy[sizeof m->bytes]; /* S may stand in the bytes that move */
    memcpy(copy, s.p, s.n);
    memmove(m->bytes + at + s.n, m->bytes + at + removed, m->n - at - removed);
    memcpy(m->bytes + at, copy, s.n);
    m->n += s.n - removed;
}

static void change_byte(struct mutant *m, uint64_t *state)
{
    m->bytes[pick(state, m->n)] = (char)random_next(state);
}

static void insert_token(struct mutant *m, uint64_t *state)
{
    static const struct str tokens[] = {
        STR("\""),
        STR("\\"),
        STR("{"),
        STR("}"),
        STR("["),
        STR("]"),
        STR(","),
        STR(":"),
        STR(" "),
        STR("\r"),
        STR("\t"),
        STR("0"),
        STR("-"),
        STR("."),
        STR("e"),
        STR("1e5"),
        STR("null"),
        STR("true"),
        STR("\\u0041"),
        STR("\\u0000"),
        STR("\\ud83d"),
        STR("\\u001a"),
        STR("\\u001A"),
        STR("\\/"),
        STR("\\n"),
        STR("\xc3\xa4"),
        STR("\xff"),
        STR("\xf0\x9f\x98\x80"),
        STR("\xe2\x82"),
        STR("\x7f"),
        STR("\0"),
        STR(",\".x\":1"),
        STR(",\".x\":\"\""),
        STR(",\"y\":{}"),
        STR("\xed\xa0\x80"),
        STR(",\"table\":\".x\""),
        STR(",\".\":[]"),
        STR(",\"\":0"),
        STR("{\"a\":1,\"a\":2}"),
    };
    splice(m, pick(state, m->n + 1), 0, tokens[pick(state, sizeof tokens / sizeof *tokens)]);
}

static void remove_bytes(struct mutant *m, uint64_t *state)
{
    splice(m, pick(state, m->n), 1 + pick(state, 4), STR(""));
}

static void cut(struct mutant *m, uint64_t *state)
{
    m->n = pick(state, m->n);
}

/* The name and value of a random member of the object M, with the quotes and colon of the name. */
static struct str pick_member(struct mutant *m, uint64_t *state)
{
    struct str found[32], rest = {m->bytes + 1, m->n - 2}, name, value;
    size_t count = 0;
    while (count < 32 && text_next_member(&rest, &name, &value))
        found[count++] = (struct str){name.p - 1, (size_t)(value.p + value.n - name.p) + 1};
    return count == 0 ? (struct str){m->bytes + 1, 0} : found[pick(state, count)];
}

static void repeat_member(struct mutant *m, uint64_t *state)
{
    struct str one = pick_member(m, state);
    char text[sizeof m->bytes];
    text[0] = ',';
    memcpy(text + 1, one.p, one.n);
    splice(m, (size_t)(one.p + one.n - m->bytes), 0, (struct str){text, one.n + 1});
}

static void swap_members(struct mutant *m, uint64_t *state)
{
    struct str a = pick_member(m, state), b = pick_member(m, state);
    if (a.p == b.p)
        return;
    if (a.p > b.p) {
        struct str c = a;
        a = b;
        b = c;
    }
    char text[sizeof m->bytes];
    size_t between = (size_t)(b.p - a.p) - a.n;
    memcpy(text, b.p, b.n);
    memcpy(text + b.n, a.p + a.n, between);
    memcpy(text + b.n + between, a.p, a.n);
    memcpy(m->bytes + (a.p - m->bytes), text, a.n + between + b.n);
}

static void change_number(struct mutant *m, uint64_t *state)
{
    static const struct str numbers[] = {
        STR("0"),
        STR("-0"),
        STR("1"),
        STR("-1"),
        STR("01"),
        STR("7654321"),
        STR("12345678"),
        STR("123456789"),
        STR("9007199254740991"),
        STR("9007199254740992"),
        STR("9223372036854775807"),
        STR("9223372036854775808"),
        STR("-9223372036854775808"),
        STR("-9223372036854775809"),
        STR("18446744073709551615"),
        STR("18446744073709551616"),
        STR("36893488147419103233"),
        STR("1.0"),
        STR("1e3"),
        STR("1E+3"),
        STR("1e-400"),
        STR("1e400"),
        STR("-1.5"),
        STR("0.1"),
        STR("00"),
        STR("null"),
        STR("true"),
        STR("\"1\""),
        STR("[1]"),
        STR("1."),
        STR(".1"),
        STR("1e"),
        STR("99999999999999999999.0"),
    };
    size_t at = pick(state, m->n);
    while (at < m->n && (m->bytes[at] < '0' || m->bytes[at] > '9'))
        at++;
    size_t n = 0;
    while (at + n < m->n && m->bytes[at + n] >= '0' && m->bytes[at + n] <= '9')
        n++;
    if (n > 0)
        splice(m, at, n, numbers[pick(state, sizeof numbers / sizeof *numbers)]);
}

/* Inside the last member's value or behind it, where dotted columns are. */
static void append_member(struct mutant *m, uint64_t *state)
{
    static const struct str members[] = {
        STR(",\".a\":[1,-2,3.5,1e9]"),
        STR(",\".b\":{\"x\":{\"y\":[true,false,null]}}"),
        STR(",\".c\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\xc3\xa4\""),
        STR(",\".d\":123456789012345678"),
        STR(",\".d\":-12345678"),
        STR(",\".e\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"),
        STR(",\"plain\":0"),
        STR(",\"mapping_id\":2"),
        STR(",\"sample_id\":2"),
    };
    if (m->n > 0)
        splice(m, m->n - 1, 0, members[pick(state, sizeof members / sizeof *members)]);
}

static void mutate(struct mutant *m, uint64_t *state)
{
    static void (*const ways[])(struct mutant *, uint64_t *) = {
        repeat_member, swap_members,  append_member,
        change_number, change_number, /* of a valid row */
        change_number, change_byte,   insert_token,
        remove_bytes,  cut,
    };
    enum { WAYS = sizeof ways / sizeof *ways, OF_VALID = 5 };
    ways[pick(state, WAYS)](m, state);
    for (size_t more = pick(state, 3); more > 0 && m->n > 2; more--)
        ways[OF_VALID + pick(state, WAYS - OF_VALID)](m, state);
    /* a line holds no LF */
    for (size_t i = 0; i < m->n; i++)
        if (m->bytes[i] == '\n')
            m->bytes[i] = ' ';
}

/* All rows that are mutated. */
static struct str *pool;
static size_t pool_count;

static void fill_pool(void)
{
    enum { PER_SAMPLE = 2000 };
    size_t count;
    const struct sample_file *all = samples(&count);
    pool = calloc(HANDMADE * 50 + count * PER_SAMPLE, sizeof *pool);
    for (size_t i = 0; i < HANDMADE * 50; i++) /* they hold more than the samples' */
        pool[pool_count++] = str_of(handmade[i % HANDMADE]);
    for (size_t i = 0; i < count; i++) {
        struct str rest = all[i].rows;
        for (size_t n = 0; rest.n > 0 && n < PER_SAMPLE; n++)
            pool[pool_count++] = take_line(&rest);
    }
}

static void test_seed(uint64_t seed)
{
    uint64_t state = seed;
    size_t taken = 0, wrong = 0;
    for (size_t i = 0; i < MUTATIONS; i++) {
        struct mutant m;
        struct str row = pool[pick(&state, pool_count)];
        m.n = row.n < sizeof m.bytes ? row.n : sizeof m.bytes;
        memcpy(m.bytes, row.p, m.n);
        mutate(&m, &state);
        const char *why;
        enum rowcheck result = rowcheck((struct str){m.bytes, m.n}, &why);
        taken += result == ROWCHECK_SAME;
        if (result == ROWCHECK_DIFFERS && wrong++ < 5)
            complain((struct str){m.bytes, m.n}, why);
    }
    ok(wrong == 0, "seed %" PRIu64 ": what scan_row takes of %d mutations jansson takes alike",
       seed, MUTATIONS);
    /* or the mutations would test nothing */
    ok(taken > MUTATIONS / 50 && taken < MUTATIONS / 2, "seed %" PRIu64 ": it takes %zu of them",
       seed, taken);
}

int main(void)
{
    test_canonical();
    test_refused();
    fill_pool();
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        test_seed(seed);
    free(pool);
    return tap_done();
}

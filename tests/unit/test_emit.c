/* Rows become lines: the canonical form of every table, and the keys of equality. */
#include "base/buf.h"
#include "base/mem.h"
#include "job.h"
#include "rows/emit.h"
#include "rows/site.h"
#include "tap.h"

#include <stdio.h>

/* The line that ROW becomes, until tidy(). */
static struct str line_of(const struct row *row)
{
    struct buf bytes = {0};
    struct out *out = out_open_buf(&bytes);
    emit_row(out, row);
    out_close(out);
    return buf_str(&bytes);
}

static struct str key_of(const struct row *row)
{
    struct buf key = {0};
    emit_key(&key, row);
    return buf_str(&key);
}

static void test_rows(void)
{
    const struct str x = STR(",\".x\":1");
    is(line_of(&(struct row){TABLE_META, .meta = {STR("version"), STR("2.0")}}),
       STR("{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}\n"), "meta");
    is(line_of(
           &(struct row){TABLE_SOURCES, .source = {1, STR("t"), {NULL, 0}, {.kind = NUMBER_NULL}}}),
       STR("{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"t\",\"source_uri\":null,"
           "\"source_timestamp\":null}\n"),
       "sources, nulls");
    struct number real = {.kind = NUMBER_REAL, .real = STR("1.50")};
    is(line_of(&(struct row){TABLE_SOURCES, .source = {1, STR(""), STR(""), real}, .extra = x}),
       STR("{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"\",\"source_uri\":\"\","
           "\"source_timestamp\":1.50,\".x\":1}\n"),
       "sources, an empty string is not null");
    is(line_of(&(struct row){TABLE_FUNCTIONS, .function = {7, STR("a\\n"), STR("b"), STR(""), 3}}),
       STR("{\"table\":\"functions\",\"function_id\":7,\"name\":\"a\\n\",\"system_name\":\"b\","
           "\"filename\":\"\",\"start_line\":3}\n"),
       "functions");
    is(line_of(&(struct row){TABLE_LOCATIONS, .location = {7, ROW_NULL, ROW_NULL}, .extra = x}),
       STR("{\"table\":\"locations\",\"location_id\":7,\"function_id\":null,\"line\":null,"
           "\".x\":1}\n"),
       "locations, nulls");
    is(line_of(&(struct row){TABLE_LOCATIONS, .location = {SCHEMA_ID_MAX, 1, INT64_MAX}}),
       STR("{\"table\":\"locations\",\"location_id\":9007199254740991,\"function_id\":1,\"line\":"
           "9223372036854775807}\n"),
       "locations, the largest numbers");
    is(line_of(&(struct row){TABLE_SAMPLES, .sample = {10, 100}}),
       STR("{\"table\":\"samples\",\"sample_id\":10,\"source_id\":100}\n"), "samples");
    is(line_of(&(struct row){TABLE_SAMPLE_VALUES,
                             .sample_value = {1, STR("t"), STR("u"), number_of(INT64_MIN)}}),
       STR("{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"t\",\"unit\":\"u\",\"value\":"
           "-9223372036854775808}\n"),
       "sample_values");
    is(line_of(&(struct row){TABLE_SAMPLE_LOCATIONS, .sample_location = {1, 2, 3}}),
       STR("{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":2,\"location_id\":3}\n"),
       "sample_locations");
    is(line_of(&(struct row){TABLE_MAPPINGS, .mapping = {4}, .extra = x}),
       STR("{\"table\":\".mappings\",\"mapping_id\":4,\".x\":1}\n"), ".mappings");
    is(line_of(&(struct row){TABLE_DOTTED, .dotted = {STR(".y")}, .extra = x}),
       STR("{\"table\":\".y\",\".x\":1}\n"), "a dotted table");
    tidy();
}

static void test_borders(void)
{
    struct buf bytes = {0};
    struct out *out = out_open_buf(&bytes);
    emit_begin(out);
    emit_end(out, true);
    emit_end(out, false);
    out_close(out);
    is(buf_str(&bytes),
       STR("{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true}\n"
           "{\"table\":\".end\",\"more\":true}\n{\"table\":\".end\"}\n"),
       "the borders of a profile");
    tidy();
}

/* Integers of every length, as printf spells them; and the same as addresses. */
static void test_lengths(void)
{
    struct buf text = {0};
    size_t wrong = 0;
    for (uint64_t base = 10; base <= 16; base += 6) {
        uint64_t power = 1;
        for (unsigned digits = 1; digits < (base == 10 ? 20u : 17u); digits++, power *= base)
            for (int sign = -1; sign <= 1; sign += 2)
                for (int more = -1; more <= 1; more++) {
                    char expected[40];
                    int64_t v = sign * (int64_t)(power + (uint64_t)(int64_t)more);
                    text.n = 0;
                    if (base == 10) {
                        emit_number(&text, v);
                        snprintf(expected, sizeof expected, "%" PRId64, v);
                    } else {
                        emit_address(&text, (uint64_t)v);
                        snprintf(expected, sizeof expected, "0x%" PRIx64, (uint64_t)v);
                    }
                    wrong += !each(str_equal(buf_str(&text), str_of(expected)), "%.*s for %s",
                                   STR_ARG(buf_str(&text)), expected);
                }
    }
    ok(wrong == 0, "integers of every length");
    buf_free(&text);
}

static void test_keys(void)
{
    struct row a = {TABLE_LOCATIONS, .location = {1, 2, 3}}, b = a;
    b.location.location_id = 9;
    ok(str_equal(key_of(&a), key_of(&b)), "the row's own id does not tell rows apart");
    b.location.line = ROW_NULL;
    ok(!str_equal(key_of(&a), key_of(&b)), "a column does");
    b = a;
    b.extra = STR(",\".x\":1");
    ok(!str_equal(key_of(&a), key_of(&b)), "and a dotted one");
    struct row f = {TABLE_FUNCTIONS, .function = {1, STR("a"), STR("b"), STR("c"), 0}}, g = f;
    g.function.name = STR("a\\\",\\\"system_name\\\":\\\"b");
    ok(!str_equal(key_of(&f), key_of(&g)), "strings cannot run together");
    tidy();
}

/* A row larger than the output's buffer. */
static void test_large(void)
{
    enum { SIZE = 1 << 20 };
    char *name = mem_alloc(SIZE);
    memset(name, 'n', SIZE);
    struct str line = line_of(
        &(struct row){TABLE_FUNCTIONS, .function = {1, {name, SIZE}, STR("s"), STR(""), 0}});
    ok(line.n > SIZE && memcmp(line.p + 49, name, SIZE - 8) == 0 && line.p[line.n - 1] == '\n',
       "a row of a megabyte");
    tidy();
}

/* Whether EXTRA, the dotted columns of a location, is EXTRA again once its site has been taken, which leaves
 * REST as text. */
static bool comes_back(struct str extra, struct str rest)
{
    struct row row = {TABLE_LOCATIONS, .location = {1, 1, 1}, .extra = extra};
    struct str text = line_of(&row);
    site_take(&row);
    bool good = each(str_equal(row.extra, rest), "left as text: %.*s", STR_ARG(row.extra));
    good &= each(str_equal(line_of(&row), text), "comes back as %.*s", STR_ARG(line_of(&row)));
    return good;
}

static void test_sites(void)
{
    static const struct str whole[] = {
        STR(""),
        STR(",\".mapping_id\":1"),
        STR(",\".mapping_id\":4294967295,\".address\":\"0xffffffffffffffff\",\".column\":"
            "-9223372036854775808,\".is_folded\":true,\".inlined_into\":4294967295"),
        STR(",\".address\":\"0x1\",\".column\":9223372036854775807"),
        STR(",\".is_folded\":true"),
        STR(",\".column\":-1,\".inlined_into\":10"),
    };
    static const struct str not_site[] = {
        STR(",\".mapping_id\":null"),
        STR(",\".mapping_id\":0"),
        STR(",\".mapping_id\":-1"),
        STR(",\".mapping_id\":01"),
        STR(",\".mapping_id\":1.5"),
        STR(",\".mapping_id\":1e3"),
        STR(",\".mapping_id\":99999999999999999999"),
        STR(",\".mapping_id\":{}"),
        STR(",\".mapping_ids\":1"),
        STR(",\".address\":\"0x0\""),
        STR(",\".address\":\"0x01\""),
        STR(",\".address\":\"0xA\""),
        STR(",\".address\":\"0x\""),
        STR(",\".address\":\"0x12345678901234567\""),
        STR(",\".address\":\"0x1g\""),
        STR(",\".column\":0"),
        STR(",\".column\":-0"),
        STR(",\".column\":9223372036854775808"),
        STR(",\".column\":-9223372036854775809"),
        STR(",\".is_folded\":false"),
        STR(",\".x\":1,\".mapping_id\":1"),
    };
    bool good = true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        good &= comes_back(whole[i], STR(""));
    ok(good, "dotted columns of locations as numbers");
    good = true;
    for (size_t i = 0; i < sizeof not_site / sizeof *not_site; i++)
        good &= comes_back(not_site[i], not_site[i]);
    ok(good, "and those that stay text");
    good = comes_back(STR(",\".column\":5,\".mapping_id\":1"), STR(",\".mapping_id\":1"));
    good &= comes_back(STR(",\".address\":\"0xa\",\".x\":1"), STR(",\".x\":1"));
    ok(good, "what comes in another order stays text");

    struct row text = {TABLE_LOCATIONS, .location = {1, 1, 1},
                       .extra = STR(",\".mapping_id\":1,\".column\":2,\".x\":3")};
    struct row number = {TABLE_LOCATIONS, .location = {1, 1, 1}, .extra = STR(",\".x\":3"),
                         .site = {.mapping_id = 1, .column = 2}};
    site_take(&text);
    is(key_of(&text), key_of(&number), "one key, however the row came");
    number.site.is_folded = true;
    ok(!str_equal(key_of(&text), key_of(&number)), "another site, another key");
    tidy();
}

int main(void)
{
    test_rows();
    test_borders();
    test_lengths();
    test_keys();
    test_large();
    test_sites();
    return tap_done();
}

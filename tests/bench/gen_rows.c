/* gen_rows - a profile of about so many megabytes, for benchmarks:
 *
 *   gen_rows MEGABYTES SEED [labels | distinct]
 *
 * 4,000 stacks of 10 to 30 frames over 3,000 functions.  Functions are numbered in an order that
 * depends on SEED, and half of those of one seed are those of the next, so that a merge has ids to
 * change.  With "labels" every sample has three labels, with escapes, non-ASCII text and numbers
 * of 19 digits, each stack in four sets; with "distinct" in 2,000, so that hardly a sample repeats
 * another. */
#include "rows/emit.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 3000, STACKS = 4000, DEPTH_MIN = 10, DEPTH_MAX = 30, SETS = 2000 };

static uint64_t state;

/* xorshift64*: the same on every machine. */
static uint64_t next_random(uint64_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 2685821657736338717u >> 33) % below;
}

static void emit_functions(struct out *out, unsigned seed)
{
    int order[FUNCTIONS];
    for (int i = 0; i < FUNCTIONS; i++)
        order[i] = (int)seed * FUNCTIONS / 2 + i;
    for (int i = FUNCTIONS - 1; i > 0; i--) {
        int j = (int)next_random((uint64_t)i + 1), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[64], file[64];
        snprintf(name, sizeof name, "package%d::function_%d", order[i] % 40, order[i]);
        snprintf(file, sizeof file, "R/file%d.R", order[i] % 200);
        emit_row(out, &(struct row){.table = TABLE_FUNCTIONS,
                                    .function = {i + 1, str_of(name), str_of(name), str_of(file),
                                                 order[i] % 900}});
        emit_row(out, &(struct row){.table = TABLE_LOCATIONS,
                                    .location = {i + 1, i + 1, order[i] % 900 + 1}});
    }
}

static char *label_set(int number)
{
    enum { SIZE = 400 };
    char *text = malloc(SIZE);
    if (text == NULL)
        exit(3);
    snprintf(text, SIZE,
             ",\".labels\":[{\"key\":\"request\",\"str\":\"GET \\\"/caf\xc3\xa9/%d\\\"\\t"
             "\xd0\xb7\xd0\xb0\xd0\xbf\xd1\x80\xd0\xbe\xd1\x81 \\\\ %d\"},"
             "{\"key\":\"trace\",\"num\":%" PRId64 ",\"unit\":\"id\"},"
             "{\"key\":\"span\",\"num\":-%" PRId64 "}]",
             number, number % 7, INT64_C(1000000000000000000) + number * INT64_C(3567891234567891),
             INT64_C(9000000000000000000) - number * INT64_C(1234567891234567));
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    uint64_t size = strtoull(argv[1], NULL, 10) * 1000000;
    unsigned seed = (unsigned)strtoul(argv[2], NULL, 10);
    bool labels = argc > 3, distinct = labels && strcmp(argv[3], "distinct") == 0;
    state = seed * 7919 + 88172645463325252u;

    struct out *out = out_open(NULL);
    emit_begin(out);
    emit_row(out, &(struct row){.table = TABLE_SOURCES,
                                .source = {1, STR("rprof"), STR("bench.out"), number_of(seed)},
                                .extra = STR(",\".period\":{\"type\":\"cpu\",\"unit\":"
                                             "\"nanoseconds\",\"value\":20000000}")});
    emit_functions(out, seed);
    static int stacks[STACKS][DEPTH_MAX], depths[STACKS];
    for (int i = 0; i < STACKS; i++) {
        depths[i] = DEPTH_MIN + (int)next_random(DEPTH_MAX - DEPTH_MIN + 1);
        for (int j = 0; j < depths[i]; j++)
            stacks[i][j] = 1 + (int)next_random(FUNCTIONS);
    }
    char *sets[SETS];
    for (int i = 0; i < SETS; i++)
        sets[i] = label_set(i);

    for (int64_t id = 1; out_total(out) < size; id++) {
        int stack = (int)next_random(STACKS);
        uint64_t set = distinct ? next_random(SETS) : ((uint64_t)stack * 4 + next_random(4)) % SETS;
        emit_row(out, &(struct row){.table = TABLE_SAMPLES,
                                    .sample = {id, 1},
                                    .extra = labels ? str_of(sets[set]) : STR("")});
        emit_row(out,
                 &(struct row){.table = TABLE_SAMPLE_VALUES,
                               .sample_value = {id, STR("samples"), STR("count"), number_of(1)}});
        for (int j = 0; j < depths[stack]; j++)
            emit_row(out, &(struct row){.table = TABLE_SAMPLE_LOCATIONS,
                                        .sample_location = {id, j + 1, stacks[stack][j]}});
    }
    emit_end(out, false);
    out_close(out);
    return 0;
}

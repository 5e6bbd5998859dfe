#include "stream.h"

#include "inputs.h"
#include "members.h"

static struct place file_place(const struct stream *s)
{
    return (struct place){in_name(s->in), PLACE_FILE, 0};
}

/* The current profile, if there is one, is over. */
static void check_whole(const struct stream *s, struct place where)
{
    if (s->open && s->version == VERSION_1 && !s->sample_types)
        die_at(where, "sample_types: expected one row, samples and count, found none");
}

/* The current profile stops here without an .end row; WHERE is what follows it. */
static void check_ended(const struct stream *s, struct place where, const char *found)
{
    check_whole(s, where);
    if (s->open && s->promised_end)
        die_at(where, "the profile is truncated: expected its .end row, found %s", found);
}

static void start_input(struct stream *s)
{
    rows_start(&s->rows, s->in);
    s->rows.versions = VERSION_2;
    s->open = s->promised_end = s->promised_more = s->any = false;
}

static void end_input(struct stream *s)
{
    check_ended(s, file_place(s), "the end of the input");
    if (s->promised_more)
        die_at(file_place(s), "the stream is truncated: another profile was promised, found the "
                              "end of the input");
    if (!s->any && !s->allow_empty)
        die_at(file_place(s), "expected a profile, found nothing (--allow-empty accepts that)");
    in_close(s->in);
    s->in = NULL;
}

/* --- order --- */

#define OUT_OF_ORDER "out of order (profsort puts rows in order)"

unsigned stream_version(struct str value)
{
    if (str_equal(value, STR("2.0")))
        return VERSION_2;
    bool good = str_take(&value, STR("1")) && value.n > 0;
    while (good && value.n > 0) {
        good = *value.p == '.' || *value.p == '-';
        size_t digits = 1;
        while (digits < value.n && value.p[digits] >= '0' && value.p[digits] <= '9')
            digits++;
        good = good && digits > 1;
        value.p += digits;
        value.n -= digits;
    }
    return good ? VERSION_1 : 0;
}

unsigned stream_rank(enum table table)
{
    switch (table) {
    case TABLE_META: return 0;
    case TABLE_SAMPLE_TYPES: return 2;
    case TABLE_FUNCTIONS: return 3;
    case TABLE_LOCATIONS: return 4;
    case TABLE_RUNS: return 5;
    default: return 1; /* dotted */
    }
}

const char *stream_rank_name(unsigned rank)
{
    static const char *const names[] = {"meta",      "dotted tables", "sample_types",
                                        "functions", "locations",     "samples"};
    return names[rank];
}

bool stream_flag(const struct row *row, enum member_id id, struct place where)
{
    struct members walk = members_of(row, where, NULL);
    struct member m;
    bool flag = false;
    while (members_next(&walk, &m))
        if (m.id == id)
            flag = m.flag;
    return flag;
}

static void check_meta(struct stream *s, const struct row *row)
{
    if (!str_equal(row->meta.key, STR("version")))
        die_at(s->rows.where, "meta.key: expected \"version\", found \"%.*s\"",
               STR_ARG(row->meta.key));
    unsigned version = stream_version(row->meta.value);
    if (version == 0)
        die_at(s->rows.where, "expected a profile of version 2.0 or 1.x, found version \"%.*s\"",
               STR_ARG(row->meta.value));
    check_ended(s, s->rows.where, "the version row of another one");
    s->version = version;
    s->rows.versions = version;
    s->promised_end = stream_flag(row, MEMBER_ID_ENDS, s->rows.where);
    s->open = s->any = true;
    s->promised_more = false;
    s->group = GROUP_NONE;
    s->sample_id = s->last_sample_id = 0;
    s->rank = 0;
    s->sample_types = false;
}

static void check_end_row(struct stream *s, const struct row *row)
{
    check_whole(s, s->rows.where);
    s->promised_more = stream_flag(row, MEMBER_ID_MORE, s->rows.where);
    s->open = false;
    s->group = GROUP_NONE;
}

static void check_sample(struct stream *s, const struct row *row)
{
    if (row->sample.sample_id <= s->last_sample_id)
        die_at(s->rows.where,
               "samples.sample_id: expected more than %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->last_sample_id, (long long)row->sample.sample_id);
    s->sample_id = s->last_sample_id = row->sample.sample_id;
    s->depth = 0;
    s->group = GROUP_SAMPLE;
}

static void check_of_sample(const struct stream *s, struct str table, int64_t sample_id)
{
    if (s->group == GROUP_NONE)
        die_at(s->rows.where,
               "%.*s.sample_id: sample %lld is not the one being read: " OUT_OF_ORDER,
               STR_ARG(table), (long long)sample_id);
    if (sample_id != s->sample_id)
        die_at(s->rows.where,
               "%.*s.sample_id: expected %lld, the sample being read, found %lld: " OUT_OF_ORDER,
               STR_ARG(table), (long long)s->sample_id, (long long)sample_id);
}

static void check_value(struct stream *s, const struct row *row)
{
    check_of_sample(s, STR("sample_values"), row->sample_value.sample_id);
    if (s->group == GROUP_LOCATIONS)
        die_at(s->rows.where,
               "sample_values: values stand before the locations of a sample: " OUT_OF_ORDER);
    s->group = GROUP_VALUES;
}

static inline void check_location(struct stream *s, const struct row *row)
{
    if (__builtin_expect(s->group == GROUP_NONE || row->sample_location.sample_id != s->sample_id,
                         0))
        check_of_sample(s, STR("sample_locations"), row->sample_location.sample_id);
    s->depth++;
    if (__builtin_expect(row->sample_location.depth != s->depth, 0))
        die_at(s->rows.where, "sample_locations.depth: expected %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->depth, (long long)row->sample_location.depth);
    s->group = GROUP_LOCATIONS;
}

/* The order of version 1.0, and its one row of sample_types. */
static void check_rank(struct stream *s, const struct row *row)
{
    unsigned rank = stream_rank(row->table);
    if (rank < s->rank)
        die_at(s->rows.where, "%.*s: expected before the rows of %s: " OUT_OF_ORDER,
               STR_ARG(row_table_name(row)), stream_rank_name(s->rank));
    s->rank = rank;
    if (row->table == TABLE_SAMPLE_TYPES) {
        if (s->sample_types || !str_equal(row->sample_type.type, STR("samples")) ||
            !str_equal(row->sample_type.unit, STR("count")))
            die_at(s->rows.where, "sample_types: expected one row, samples and count");
        s->sample_types = true;
    }
    if (row->table == TABLE_RUNS && !s->sample_types)
        die_at(s->rows.where, "samples: expected a row of sample_types before the samples");
}

static void check_row(struct stream *s, const struct row *row)
{
    if (__builtin_expect(!s->open, 0) && row->table != TABLE_META)
        die_at(s->rows.where,
               s->any ? "expected the version row of another profile after an .end row, "
                        "found a row of \"%.*s\""
                      : "expected the version row of a profile first, found a row of "
                        "\"%.*s\"",
               STR_ARG(row_table_name(row)));
    if (__builtin_expect(s->version == VERSION_1, 0) && row->table != TABLE_META &&
        !row_is_end(row))
        check_rank(s, row);
    switch (row->table) {
    case TABLE_SAMPLE_LOCATIONS: check_location(s, row); break;
    case TABLE_SAMPLE_VALUES: check_value(s, row); break;
    case TABLE_SAMPLES: check_sample(s, row); break;
    case TABLE_META: check_meta(s, row); break;
    case TABLE_DOTTED:
        if (row_is_end(row))
            check_end_row(s, row);
        s->group = GROUP_NONE;
        break;
    default: s->group = GROUP_NONE;
    }
}

bool stream_next(struct stream *s, struct row *row)
{
    for (;;) {
        if (s->in == NULL) {
            s->in = inputs_next(s->inputs);
            if (s->in == NULL && !s->begun && !s->allow_empty)
                die(STATUS_INPUT, "expected an input, found none (--allow-empty accepts that)");
            if (s->in == NULL)
                return false;
            s->begun = true;
            start_input(s);
        }
        if (rows_next(&s->rows, row)) {
            check_row(s, row);
            return true;
        }
        end_input(s);
    }
}

void stream_free(struct stream *s)
{
    if (s->in != NULL)
        in_close(s->in);
    rows_free(&s->rows);
    *s = (struct stream){0};
}

#include "stream/stream.h"

#include "base/buf.h"
#include "base/follow.h"
#include "base/mem.h"
#include "rows/members.h"
#include "rows/scan.h"

/* One input being read. */
struct stream {
    struct in *in;
    struct sink *sink;
    struct rows rows; /* rows.where is the place of the current row */

    /* The current profile. */
    enum version version;
    bool open;          /* its version row was read, its end not yet */
    bool promised_end;  /* the version row promised an end */
    bool promised_more; /* the last .end row promised another profile */
    bool any;           /* there was a profile */
    unsigned rank;      /* version 1.0: the current position in the order of tables */
    bool sample_types;  /* version 1.0: the row of sample_types was read */
    int64_t last_sample_id;

    /* The current sample, which is pushed when the next row is not part of it. */
    enum { GROUP_NONE, GROUP_SAMPLE, GROUP_VALUES, GROUP_LOCATIONS } group;
    struct sample sample;
    struct place where; /* of its row of samples */
    size_t value_capacity, location_capacity, extra_capacity, line_capacity;
    uint64_t *lines;    /* of the rows after that */
    struct str *extras; /* dotted columns of its locations */
    struct buf extra;   /* of its row of samples */
    struct arena texts; /* of other rows, and of values that are not integers */
};

static struct place file_place(const struct stream *s)
{
    return (struct place){in_name(s->in), PLACE_FILE, 0};
}

/* Checks that the current profile, if there is one, is complete; WHERE is what follows it. */
static void check_whole(const struct stream *s, struct place where)
{
    if (s->open && s->version == VERSION_1 && !s->sample_types)
        die_at(where, "sample_types: expected one row, samples and count, found none");
}

/* Checks a current profile that ends without an .end row; FOUND, at WHERE, follows it. */
static void check_ended(const struct stream *s, struct place where, const char *found)
{
    check_whole(s, where);
    if (s->open && s->promised_end)
        die_as(CODE_TORN, where, "the profile is truncated: expected its .end row, found %s",
               found);
}

static void end_input(const struct stream *s, bool allow_empty)
{
    check_ended(s, file_place(s), "the end of the input");
    if (s->promised_more)
        die_as(CODE_TORN, file_place(s),
               "the stream is truncated: another profile was promised, found the "
               "end of the input");
    if (!s->any && !allow_empty && !follow_is_over())
        die_as(CODE_NO_INPUT, file_place(s),
               "expected a profile, found nothing" HINT "--allow-empty accepts that");
}

/* --- order --- */

#define OUT_OF_ORDER "out of order" HINT "profsort puts rows in order"

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

unsigned stream_declared(const struct row *row, struct place where)
{
    if (!str_equal(row->meta.key, STR("version")))
        die_at(where, "meta.key: expected \"version\", found \"%.*s\"", STR_ARG(row->meta.key));
    unsigned version = stream_version(row->meta.value);
    if (version == 0)
        die_at(where, "expected a profile of version 2.0 or 1.x, found version \"%.*s\"",
               STR_ARG(row->meta.value));
    return version;
}

unsigned stream_rank(enum table table)
{
    enum schema_order order = row_order(table);
    return order == ORDER_DOTTED || order == ORDER_MAPPINGS ? ORDER_MAPPED : order;
}

const char *stream_rank_name(unsigned rank)
{
    static const char *const names[] = {
        [ORDER_META] = "meta",
        [ORDER_MAPPED] = "dotted tables",
        [ORDER_SOURCES] = "sample_types",
        [ORDER_FUNCTIONS] = "functions",
        [ORDER_LOCATIONS] = "locations",
        [ORDER_SAMPLES] = "samples",
    };
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
    unsigned version = stream_declared(row, s->rows.where);
    check_ended(s, s->rows.where, "the version row of another one");
    s->version = version;
    s->rows.versions = version;
    s->promised_end = stream_flag(row, MEMBER_ID_ENDS, s->rows.where);
    s->open = s->any = true;
    s->promised_more = false;
    s->last_sample_id = 0;
    s->rank = 0;
    s->sample_types = false;
}

static void check_end_row(struct stream *s, const struct row *row)
{
    check_whole(s, s->rows.where);
    s->promised_more = stream_flag(row, MEMBER_ID_MORE, s->rows.where);
    s->open = false;
}

/* Checks the order of version 1.0, and its one row of sample_types. */
static void check_rank(struct stream *s, const struct row *row)
{
    unsigned rank = stream_rank(row->table);
    if (rank < s->rank)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "%.*s: expected before the rows of %s: " OUT_OF_ORDER, STR_ARG(row_table_name(row)),
               stream_rank_name(s->rank));
    s->rank = rank;
    if (row->table == TABLE_SAMPLE_TYPES) {
        if (s->sample_types || !str_equal(row->sample_type.type, STR("samples")) ||
            !str_equal(row->sample_type.unit, STR("count")))
            die_at(s->rows.where, "sample_types: expected one row, samples and count");
        s->sample_types = true;
    }
    if (row->table == TABLE_STREAKS && !s->sample_types)
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
    if (row->table == TABLE_META)
        check_meta(s, row);
    else if (row_is_end(row))
        check_end_row(s, row);
}

/* --- samples --- */

static void push_sample(struct stream *s)
{
    if (s->group == GROUP_NONE)
        return;
    s->group = GROUP_NONE;
    s->sample.lines = s->lines;
    s->sink->flow->where = s->where;
    sink_sample(s->sink, &s->sample);
}

static void begin_sample(struct stream *s, const struct row *row)
{
    if (row->sample.sample_id <= s->last_sample_id)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "samples.sample_id: expected more than %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->last_sample_id, (long long)row->sample.sample_id);
    s->last_sample_id = row->sample.sample_id;
    s->where = s->rows.where;
    s->extra.n = 0;
    buf_add(&s->extra, row->extra);
    arena_clear(&s->texts);
    s->sample.sample_id = row->sample.sample_id;
    s->sample.source_id = row->sample.source_id;
    s->sample.extra = buf_str(&s->extra);
    s->sample.value_count = s->sample.depth = 0;
    s->sample.location_extras = NULL;
    s->sample.lines = NULL;
    s->group = GROUP_SAMPLE;
}

static void check_of_sample(const struct stream *s, struct str table, int64_t sample_id)
{
    if (s->group == GROUP_NONE)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "%.*s.sample_id: sample %lld is not the one being read: " OUT_OF_ORDER,
               STR_ARG(table), (long long)sample_id);
    if (sample_id != s->sample.sample_id)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "%.*s.sample_id: expected %lld, the sample being read, found %lld: " OUT_OF_ORDER,
               STR_ARG(table), (long long)s->sample.sample_id, (long long)sample_id);
}

/* Stores the line of the next row of the sample. */
static inline void note_line(struct stream *s, uint64_t line)
{
    size_t i = s->sample.value_count + s->sample.depth;
    if (__builtin_expect(i >= s->line_capacity, 0))
        s->lines = mem_array(s->lines, &s->line_capacity, i + 1, sizeof *s->lines);
    s->lines[i] = line;
}

/* Copies TEXT until the sample is pushed. */
static struct str keep(struct stream *s, struct str text)
{
    return text.n == 0 ? STR("") : arena_copy(&s->texts, text);
}

/* Makes room for one more value.  It still holds the value at the same place of an earlier
 * sample, whose type is a good guess: most samples have the same types in the same order. */
static inline struct sample_value *next_value(struct stream *s)
{
    size_t i = s->sample.value_count;
    if (__builtin_expect(i >= s->value_capacity, 0))
        s->sample.values =
            mem_array_zeroed(s->sample.values, &s->value_capacity, i + 1, sizeof *s->sample.values);
    return &s->sample.values[i];
}

static void add_value(struct stream *s, const struct row *row)
{
    check_of_sample(s, STR("sample_values"), row->sample_value.sample_id);
    if (s->group == GROUP_LOCATIONS)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "sample_values: values stand before the locations of a sample: " OUT_OF_ORDER);
    s->group = GROUP_VALUES;
    note_line(s, s->rows.where.at);
    struct sample_value *v = next_value(s);
    struct value_types *types = &s->sink->flow->types;
    if (v->type == 0 || !str_equal(value_types_get(types, v->type)->type, row->sample_value.type) ||
        !str_equal(value_types_get(types, v->type)->unit, row->sample_value.unit))
        v->type = value_types_add(types, row->sample_value.type, row->sample_value.unit);
    v->value = row->sample_value.value;
    if (v->value.kind == NUMBER_REAL)
        v->value.real = arena_copy(&s->texts, v->value.real);
    v->extra = keep(s, row->extra);
    s->sample.value_count++;
}

/* Stores EXTRA, the dotted columns of the next location.  Without location_extras none of those
 * before had any. */
static void add_location_extra(struct stream *s, struct str extra)
{
    size_t i = s->sample.depth;
    if (s->sample.location_extras == NULL && extra.n == 0)
        return;
    s->extras = mem_array(s->extras, &s->extra_capacity, i + 1, sizeof *s->extras);
    for (size_t j = 0; s->sample.location_extras == NULL && j < i; j++)
        s->extras[j] = STR("");
    s->extras[i] = keep(s, extra);
    s->sample.location_extras = s->extras;
}

/* Makes room for one more location. */
static inline int64_t *next_location(struct stream *s)
{
    if (__builtin_expect(s->sample.depth >= s->location_capacity, 0))
        s->sample.locations = mem_array(s->sample.locations, &s->location_capacity,
                                        s->sample.depth + 1, sizeof *s->sample.locations);
    return &s->sample.locations[s->sample.depth];
}

static void add_location(struct stream *s, const struct row *row)
{
    check_of_sample(s, STR("sample_locations"), row->sample_location.sample_id);
    if (row->sample_location.depth != (int64_t)s->sample.depth + 1)
        die_as(CODE_OUT_OF_ORDER, s->rows.where,
               "sample_locations.depth: expected %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->sample.depth + 1, (long long)row->sample_location.depth);
    s->group = GROUP_LOCATIONS;
    note_line(s, s->rows.where.at);
    add_location_extra(s, row->extra);
    *next_location(s) = row->sample_location.location_id;
    s->sample.depth++;
}

/* Reads the following rows of the sample that are certainly in our own canonical form, as most
 * are: that needs no detection of the table. */
static void take_ahead(struct stream *s)
{
    struct str ahead = rows_ahead(&s->rows);
    const char *p = ahead.p, *end = ahead.p + ahead.n, *next;
    const struct value_types *types = &s->sink->flow->types;
    struct scan_sample heads;
    uint64_t lines = 0;
    int64_t number;
    scan_sample(s->sample.sample_id, &heads);
    for (;; p = next) {
        struct sample_value *v = next_value(s);
        if (v->type == 0 ||
            (next = scan_value(p, (size_t)(end - p), heads.value,
                               value_types_get(types, v->type)->lead, &number)) == NULL)
            break;
        note_line(s, s->rows.where.at + ++lines);
        v->value = number_of(number);
        v->extra = STR("");
        s->sample.value_count++;
        s->group = GROUP_VALUES;
    }
    while ((next = scan_location(p, (size_t)(end - p), heads.location, (int64_t)s->sample.depth + 1,
                                 &number)) != NULL) {
        note_line(s, s->rows.where.at + ++lines);
        *next_location(s) = number;
        s->sample.depth++;
        s->group = GROUP_LOCATIONS;
        p = next;
    }
    rows_skip(&s->rows, p, lines);
}

/* --- the whole input --- */

static void take_row(struct stream *s, struct row *row)
{
    check_row(s, row);
    switch (row->table) {
    case TABLE_SAMPLE_LOCATIONS: add_location(s, row); return;
    case TABLE_SAMPLE_VALUES: add_value(s, row); return;
    default: push_sample(s);
    }
    if (row->table == TABLE_SAMPLES) {
        begin_sample(s, row);
        take_ahead(s);
        return;
    }
    s->sink->flow->where = s->rows.where;
    sink_row(s->sink, row);
}

static void close_stream(struct stream *s)
{
    rows_free(&s->rows);
    mem_free(s->sample.values);
    mem_free(s->sample.locations);
    mem_free(s->lines);
    mem_free(s->extras);
    buf_free(&s->extra);
    arena_free(&s->texts);
}

void stream_read(struct in *in, bool allow_empty, struct sink *sink)
{
    struct stream s = {.in = in, .sink = sink};
    struct row row;
    rows_start(&s.rows, in);
    s.rows.versions = VERSION_2;
    while (rows_next(&s.rows, &row)) {
        take_row(&s, &row);
    }
    push_sample(&s);
    sink->flow->where = file_place(&s);
    end_input(&s, allow_empty);
    close_stream(&s);
}

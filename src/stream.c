#include "stream.h"

#include "formats.h"
#include "inputs.h"
#include "parse.h"
#include "scan.h"
#include "text.h"

static struct place file_place(const struct stream *s)
{
    return (struct place){in_name(s->in), PLACE_FILE, 0};
}

/* The current profile stops here without an .end row; WHERE is what follows it. */
static void check_ended(const struct stream *s, struct place where, const char *found)
{
    if (s->open && s->promised_end)
        die_at(where, "the profile is truncated: expected its .end row, found %s", found);
}

static void start_input(struct stream *s)
{
    s->where = (struct place){in_name(s->in), PLACE_LINE, 0};
    s->lines = STR("");
    s->next = s->lines.p;
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

/* --- the rows of one input --- */

/* Says what the input is when its first line is no row. */
static void name_format(const struct stream *s)
{
    const struct format *f = format_detect(in_peek_line(s->in, 512));
    if (f != NULL && f != &format_rows)
        format_die_unexpected(file_place(s), "profile rows", f);
}

/* Reads the next line that is not blank; false at the end of the input. */
static bool next_line(struct stream *s, struct row *row)
{
    for (;;) {
        if (s->next == s->lines.p + s->lines.n) {
            in_consume(s->in, s->lines.n);
            s->lines = in_lines(s->in, 0, s->where.at + 1);
            s->next = s->lines.p;
            if (s->lines.n == 0)
                return false;
        }
        s->where.at++;
        const char *end = scan_row(s->next, row);
        if (__builtin_expect(end != NULL, 1)) {
            s->next = end;
            return true;
        }
        size_t left = (size_t)(s->lines.p + s->lines.n - s->next);
        const char *lf = memchr(s->next, '\n', left);
        struct str line = {s->next, (size_t)(lf - s->next)};
        s->next = lf + 1;
        if (parse_is_blank(line))
            continue;
        if (!s->any)
            name_format(s);
        arena_clear(&s->arena);
        parse_row(line, s->where, &s->arena, row);
        return true;
    }
}

/* --- order --- */

#define OUT_OF_ORDER "out of order (profsort puts rows in order)"

static void check_meta(struct stream *s, const struct row *row)
{
    if (!str_equal(row->meta.key, STR("version")))
        die_at(s->where, "meta.key: expected \"version\", found \"%.*s\"", STR_ARG(row->meta.key));
    if (!str_equal(row->meta.value, STR("2.0")))
        die_at(s->where, "expected a profile of version 2.0, found version \"%.*s\"",
               STR_ARG(row->meta.value));
    check_ended(s, s->where, "the version row of another one");
    s->promised_end = false;
    struct str rest = row->extra, name, value;
    while (text_next_member(&rest, &name, &value))
        if (str_equal(name, STR(".ends")))
            s->promised_end = str_equal(value, STR("true"));
    s->open = s->any = true;
    s->promised_more = false;
    s->group = GROUP_NONE;
    s->sample_id = s->last_sample_id = 0;
}

static void check_end_row(struct stream *s, const struct row *row)
{
    struct str rest = row->extra, name, value;
    while (text_next_member(&rest, &name, &value))
        if (str_equal(name, STR("more")))
            s->promised_more = str_equal(value, STR("true"));
    s->open = false;
    s->group = GROUP_NONE;
}

static void check_sample(struct stream *s, const struct row *row)
{
    if (row->sample.sample_id <= s->last_sample_id)
        die_at(s->where, "samples.sample_id: expected more than %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->last_sample_id, (long long)row->sample.sample_id);
    s->sample_id = s->last_sample_id = row->sample.sample_id;
    s->depth = 0;
    s->group = GROUP_SAMPLE;
}

static void check_of_sample(const struct stream *s, struct str table, int64_t sample_id)
{
    if (s->group == GROUP_NONE)
        die_at(s->where, "%.*s.sample_id: sample %lld is not the one being read: " OUT_OF_ORDER,
               STR_ARG(table), (long long)sample_id);
    if (sample_id != s->sample_id)
        die_at(s->where,
               "%.*s.sample_id: expected %lld, the sample being read, found %lld: " OUT_OF_ORDER,
               STR_ARG(table), (long long)s->sample_id, (long long)sample_id);
}

static void check_value(struct stream *s, const struct row *row)
{
    check_of_sample(s, STR("sample_values"), row->sample_value.sample_id);
    if (s->group == GROUP_LOCATIONS)
        die_at(s->where,
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
        die_at(s->where, "sample_locations.depth: expected %lld, found %lld: " OUT_OF_ORDER,
               (long long)s->depth, (long long)row->sample_location.depth);
    s->group = GROUP_LOCATIONS;
}

static void check_row(struct stream *s, const struct row *row)
{
    if (__builtin_expect(!s->open, 0) && row->table != TABLE_META)
        die_at(s->where,
               s->any ? "expected the version row of another profile after an .end row, "
                        "found a row of \"%.*s\""
                      : "expected the version row of a profile first, found a row of "
                        "\"%.*s\"",
               STR_ARG(row_table_name(row)));
    switch (row->table) {
    case TABLE_SAMPLE_LOCATIONS: check_location(s, row); break;
    case TABLE_SAMPLE_VALUES: check_value(s, row); break;
    case TABLE_SAMPLES: check_sample(s, row); break;
    case TABLE_META: check_meta(s, row); break;
    case TABLE_DOTTED:
        if (str_equal(row->dotted.name, STR(".end")))
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
        if (next_line(s, row)) {
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
    arena_free(&s->arena);
    *s = (struct stream){0};
}

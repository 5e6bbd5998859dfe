#include "filters/validator.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/stack.h"
#include "stream/stream.h"
#include "stream/unfold.h"

#include <inttypes.h>

/* --- version 1.0 --- */

static void check_rank(struct validator *v, const struct row *row)
{
    unsigned rank = stream_rank(row->table);
    if (rank < v->rank && !v->request->any_order)
        FOUND(v, ORDER, row_table_name(row), STR(""),
              "expected before the rows of %s: profsort puts rows in order",
              stream_rank_name(v->rank));
    else
        v->rank = rank;
}

static void check_sample_types(struct validator *v, const struct row *row)
{
    static const struct str table = STR("sample_types");
    if (v->sample_types++ > 0)
        FOUND(v, SAMPLE_TYPES, table, STR(""), "expected one row, found another");
    if ((v->bad & 1) == 0 && !str_equal(row->sample_type.type, STR("samples")))
        FOUND(v, SAMPLE_TYPES, table, STR("type"), "expected \"samples\", found \"%.*s\"",
              STR_ARG(row->sample_type.type));
    if ((v->bad & 2) == 0 && !str_equal(row->sample_type.unit, STR("count")))
        FOUND(v, SAMPLE_TYPES, table, STR("unit"), "expected \"count\", found \"%.*s\"",
              STR_ARG(row->sample_type.unit));
}

static void check_stack(struct validator *v, const struct row *row)
{
    struct column_place at = {v->where, STR("samples"), STR("locations")};
    struct str rest = row->streak.locations;
    int64_t before = 0, id = 0, after = 0;
    bool more = stack_next(&rest, &id);
    while (more) {
        relations_refer(&v->relations, &at, TABLE_LOCATIONS, id);
        more = stack_next(&rest, &after);
        int64_t into = v->inlined.used == 0 ? 0 : validator_outer(v, id);
        if (into != 0 && before == into && (!more || after != into))
            FOUND(v, INNER_FIRST, at.table, at.column,
                  "location %" PRId64 " stands behind %" PRId64
                  ", which it is inlined into: expected the innermost first",
                  id, into);
        else if (into != 0 && more && after != into)
            FOUND(v, INLINED, at.table, at.column,
                  "expected %" PRId64 " behind location %" PRId64
                  ", which is inlined into it, found %" PRId64,
                  into, id, after);
        before = id;
        id = more ? after : 0;
    }
}

void validator_found_circle(const struct validator *v, uint64_t line, int64_t id)
{
    struct place where = {v->where.file, line > 0 ? PLACE_LINE : PLACE_FILE, line};
    finding_add(v->findings, where, RULE_REFERENCE, STR("locations"), STR(".inlined_into"),
                "location %" PRId64 " is inlined into itself", id);
}

static void note_inlined(struct validator *v, int64_t id, int64_t into)
{
    if (idmap_get(&v->inlined, (uint64_t)id) != 0)
        return;
    v->into = mem_array(v->into, &v->into_capacity, v->into_count + 1, sizeof *v->into);
    v->into[v->into_count++] = into;
    idmap_put(&v->inlined, (uint64_t)id, (uint32_t)v->into_count);
}

/* --- ids and references of a row --- */

/* A cache of members found to be valid: most samples repeat one of a few sets of labels. */
enum { MEMO_COUNT = 1024, MEMO_TEXT_MAX = 1024 };

/* Checks the values of members of ROW that are not columns. */
void validator_members(struct validator *v, const struct row *row)
{
    struct members walk = members_of(row, v->where, v->findings);
    if (row->table != TABLE_SAMPLES || row->extra.n > MEMO_TEXT_MAX) {
        members_check(&walk);
        return;
    }
    if (v->memo == NULL)
        v->memo = mem_alloc_zeroed(MEMO_COUNT * sizeof *v->memo);
    struct buf *memo = &v->memo[hash_bytes(row->extra) % MEMO_COUNT];
    if (str_equal(buf_str(memo), row->extra))
        return;
    uint64_t before = v->counts->findings;
    members_check(&walk);
    if (v->counts->findings != before)
        return;
    memo->n = 0;
    buf_add(memo, row->extra);
}

/* Checks references in those members. */
static void check_member_references(struct validator *v, const struct row *row)
{
    /* check_members has reported invalid references */
    struct members walk = members_references(row, v->where, &findings_ignored);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_OTHER || m.integer == ROW_NULL)
            continue;
        struct column_place at = {v->where, row_table_name(row), m.name};
        relations_refer(&v->relations, &at, m.refers, m.integer);
        if (m.id != MEMBER_ID_INLINED_INTO || (v->bad & 1) != 0)
            continue;
        if (m.integer == row->location.location_id && !v->request->any_order)
            validator_found_circle(v, v->where.at, m.integer);
        /* otherwise that is reported elsewhere */
        if (relations_has(&v->relations, TABLE_LOCATIONS, m.integer))
            note_inlined(v, row->location.location_id, m.integer);
    }
}

/* Checks the ids that the columns of ROW define and refer to. */
static void check_ids(struct validator *v, const struct row *row)
{
    const struct schema_table *t = &schema_tables[row->table];
    for (unsigned i = 0; i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        if (column->refers == TABLE_NONE || column->kind == KIND_STACK || (v->bad & 1u << i) != 0)
            continue;
        struct column_place at = {v->where, t->name, column->name};
        int64_t id = *row_integer(row, column);
        if (column->kind == KIND_ID)
            relations_define(&v->relations, &at, column->refers, id);
        else if (id != ROW_NULL)
            relations_refer(&v->relations, &at, column->refers, id);
    }
}

/* --- profiles --- */

static void end_profile(struct validator *v)
{
    validator_end_sample(v);
    if (v->open && v->version == VERSION_1 && v->sample_types == 0)
        FOUND(v, SAMPLE_TYPES, STR("sample_types"), STR(""), "expected one row, found none");
    relations_end(&v->relations);
    idmap_clear(&v->inlined);
    v->into_count = 0;
    v->open = false;
}

void validator_open(struct validator *v)
{
    v->open = v->any = true;
    v->promised_end = v->promised_more = v->after_end = v->has_meta = false;
    v->rank = 0;
    v->sample_types = 0;
}

/* Sets the version to that of ROW; 2.0 if it is not known. */
void validator_take_version(struct validator *v, const struct row *row)
{
    unsigned version = stream_version(row->meta.value);
    if ((v->bad & 1) == 0 && !str_equal(row->meta.key, STR("version")))
        FOUND(v, VERSION, STR("meta"), STR("key"), "expected \"version\", found \"%.*s\"",
              STR_ARG(row->meta.key));
    if ((v->bad & 2) == 0 && version == 0)
        FOUND(v, VERSION, STR("meta"), STR("value"), "expected \"2.0\" or \"1.x\", found \"%.*s\"",
              STR_ARG(row->meta.value));
    v->version = version == 0 ? VERSION_2 : version;
    /* do not repeat the finding for each row */
    v->rows.versions = version == 0 ? VERSION_ANY : version;
    v->promised_end = members_flag(row, MEMBER_ID_ENDS);
}

static void check_meta(struct validator *v, const struct row *row)
{
    if (v->open && v->has_meta) {
        if (v->promised_end)
            FOUND(v, END, STR(".end"), STR(""),
                  "expected the row that ends the profile, found the version row of another one");
        end_profile(v);
    }
    if (!v->open)
        validator_open(v);
    v->has_meta = true;
    validator_take_version(v, row);
}

static void check_end_row(struct validator *v, const struct row *row)
{
    end_profile(v);
    v->promised_more = members_flag(row, MEMBER_ID_MORE);
}

/* Whether ROW, which is not a version row, is inside a profile. */
static bool has_profile(struct validator *v, const struct row *row)
{
    if (v->open)
        return true;
    if (!v->any) {
        FOUND(v, VERSION, row->table == TABLE_NONE ? STR("") : row_table_name(row), STR(""),
              "expected the version row of a profile first");
        validator_open(v);
        v->version = VERSION_2;
        return true;
    }
    if (!v->after_end)
        FOUND(v, END, row->table == TABLE_NONE ? STR("") : row_table_name(row), STR(""),
              "expected the version row of another profile after an .end row");
    v->after_end = true;
    return false;
}

void validator_row(struct validator *v, const struct row *row)
{
    enum table table = row->table;
    v->counts->rows[table < TABLE_COUNT ? table : TABLE_COUNT] += table != TABLE_NONE;
    if (table == TABLE_META)
        check_meta(v, row);
    else if (__builtin_expect(!v->open, 0) && !has_profile(v, row))
        return;
    if (row_has_members(row) && !v->request->any_order)
        validator_members(v, row);
    if (table == TABLE_META)
        return;
    if (__builtin_expect(table == TABLE_SAMPLE_LOCATIONS, 1)) {
        validator_location(v, row);
        struct column_place at = {v->where, STR("sample_locations"), STR("location_id")};
        if ((v->bad & 4) == 0)
            relations_refer(&v->relations, &at, TABLE_LOCATIONS, row->sample_location.location_id);
        return;
    }
    if (table == TABLE_SAMPLE_VALUES) {
        validator_value(v, row);
        return;
    }
    if (table == TABLE_NONE) {
        v->doubtful = true;
        return;
    }
    validator_end_sample(v);
    if (v->version == VERSION_1 && !row_is_end(row))
        check_rank(v, row);
    if (table < TABLE_COUNT)
        check_ids(v, row);
    if (table == TABLE_SAMPLES)
        validator_sample(v, row);
    else if (table == TABLE_STREAKS && (v->bad & 2) == 0)
        check_stack(v, row);
    else if (table == TABLE_SAMPLE_TYPES)
        check_sample_types(v, row);
    if (row_has_members(row) &&
        (table == TABLE_LOCATIONS || table == TABLE_MAPPINGS || table == TABLE_DOTTED))
        check_member_references(v, row);
    if (row_is_end(row))
        check_end_row(v, row);
}

/* --- copying --- */

static void pay_end(struct validator *v, bool more)
{
    if (v->owes_end && v->counts->findings == 0)
        emit_end(v->request->pass, more);
    v->owes_end = false;
}

/* Copies the line of ROW while there are no findings. */
static void pass(struct validator *v, const struct row *row)
{
    struct out *out = v->request->pass;
    if (v->counts->findings > 0 || row_is_end(row))
        return;
    if (row->table == TABLE_META) {
        pay_end(v, true);
        v->owes_end = true;
        if (!v->promised_end) {
            struct row meta = *row;
            struct buf extra = {0};
            emit_promise(&extra, row->extra);
            meta.extra = buf_str(&extra);
            emit_row(out, &meta);
            buf_free(&extra);
            out_finish(out);
            return;
        }
    }
    if (v->line.p != NULL) {
        out_write(out, v->line);
        out_write(out, STR("\n"));
    } else {
        emit_row(out, row);
    }
    if (row->table == TABLE_META)
        out_finish(out);
}

/* --- inputs --- */

void validator_found_ends(const struct validator *v, bool no_end, bool no_more)
{
    if (no_end)
        FOUND(
            v, END, STR(".end"), STR(""),
            "the profile is truncated: expected the row that ends it, found the end of the input");
    if (no_more)
        FOUND(v, END, STR(".end"), STR(""),
              "the stream is truncated: another profile was promised, found the end of the input");
}

void validator_rows(struct validator *v, struct in *in, const struct format *format,
                    void (*take)(void *with, const struct row *row), void *with)
{
    struct unfold unfold = unfold_of(&v->flow, take, with);
    struct row row;
    v->where = (struct place){in_name(in), PLACE_FILE, 0};
    v->bad = 0;
    v->line = (struct str){NULL, 0};
    if (format != &format_rows) {
        feed_input(in, format, &v->request->feed, &unfold.sink);
        return;
    }
    rows_start(&v->rows, in);
    v->rows.versions = VERSION_ANY;
    while (rows_next(&v->rows, &row)) {
        v->where = v->rows.where;
        v->bad = v->rows.bad;
        v->line = v->rows.line;
        take(with, &row);
    }
    v->where = (struct place){in_name(in), PLACE_FILE, 0};
}

static void take_row(void *to, const struct row *row)
{
    struct validator *v = to;
    validator_row(v, row);
    if (v->request->pass != NULL)
        pass(v, row);
}

static void check_stream(struct validator *v, struct in *in, const struct format *format)
{
    validator_rows(v, in, format, take_row, v);
    validator_found_ends(v, v->open && v->promised_end, v->promised_more);
}

static void check_input(struct validator *v, struct in *in)
{
    const struct format *format = feed_format(in, &v->request->feed, v->findings);
    v->any = v->open = v->promised_more = v->after_end = false;
    if (format == NULL)
        return;
    if (v->request->any_order)
        validator_unordered(v, in, format);
    else
        check_stream(v, in, format);
    if (!v->any && !v->request->feed.read.allow_empty)
        FOUND(v, END, STR(""), STR(""),
              "expected a profile, found nothing (--allow-empty accepts that)");
    end_profile(v);
}

void validate(struct inputs *inputs, const struct validate_request *request,
              struct findings *findings, struct validate_counts *counts)
{
    struct validator v = {
        .request = request,
        .findings = findings,
        .counts = counts,
        .rows = {.findings = findings},
        .relations = {.findings = findings, .any_order = request->any_order},
    };
    if (request->pass != NULL)
        emit_owe(request->pass);
    feed_check(inputs, &request->feed);
    for (struct in *in; (in = inputs_next(inputs)) != NULL; in_close(in))
        check_input(&v, in);
    loss_report(request->feed.lossless); /* may end the tool, before the last .end row */
    if (request->pass != NULL)
        pay_end(&v, false);
    value_types_free(&v.flow.types);
    rows_free(&v.rows);
    relations_free(&v.relations);
    idmap_free(&v.inlined);
    intern_free(&v.types);
    mem_free(v.into);
    mem_free(v.depths);
    mem_free(v.type_samples);
    for (size_t i = 0; v.memo != NULL && i < MEMO_COUNT; i++)
        buf_free(&v.memo[i]);
    mem_free(v.memo);
}

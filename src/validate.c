#include "validate.h"

#include "emit.h"
#include "hash.h"
#include "intern.h"
#include "members.h"
#include "parse.h"
#include "relations.h"
#include "rows.h"
#include "scan.h"
#include "sort.h"
#include "stack.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>

/* A location of the sample being read that did not follow the one before it. */
struct depth {
    int64_t depth;
    struct place where;
    bool twice;
};

struct validator {
    const struct validate_request *request;
    struct findings *findings;
    struct validate_counts *counts;
    struct rows rows;
    struct place where; /* of the row being checked */
    unsigned bad;       /* its bad columns, as bits */

    /* Of the input. */
    bool any;           /* it has had a profile */
    bool promised_more; /* the last .end row said that another follows */
    bool after_end;     /* rows have been found behind an .end row */

    /* Of the profile. */
    enum version version;
    bool open, promised_end;
    bool has_meta; /* the version row has come */
    struct relations relations;
    unsigned rank; /* version 1.0: how far the order of tables has come */
    uint64_t sample_types;
    struct idmap inlined; /* version 1.0: location -> place in the next, from 1 */
    int64_t *into;
    size_t into_count, into_capacity;

    /* Of the sample. */
    bool in_sample;
    int64_t sample_id; /* 0: its row had none that could be read */
    bool in_locations;
    bool doubtful;        /* a line in it could not be read */
    int64_t depth;        /* its locations have come from 1 to here */
    struct depth *depths; /* and then these, in whatever order */
    size_t depth_count, depth_capacity;
    uint64_t sample_number; /* of all, to tell its value types from those of others */
    struct intern types;
    uint64_t *type_samples; /* by type: the last sample that has it */
    size_t type_capacity;
    struct buf *memo; /* see check_members */

    bool owes_end; /* what is passed has been promised an end */
};

#define FOUND(v, rule, table, column, ...)                                                         \
    finding_add((v)->findings, (v)->where, RULE_##rule, table, column, __VA_ARGS__)

/* --- samples --- */

static int by_line(const void *a, const void *b)
{
    const struct depth *x = a, *y = b;
    return (x->where.at > y->where.at) - (x->where.at < y->where.at);
}

static int by_depth(const void *a, const void *b)
{
    const struct depth *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth ? -1 : 1) : by_line(a, b);
}

static void found_depth(const struct validator *v, enum rule rule, const struct depth *at,
                        int64_t expected)
{
    struct str table = STR("sample_locations"), column = STR("depth");
    if (rule == RULE_UNIQUE)
        finding_add(v->findings, at->where, rule, table, column,
                    "%" PRId64 " comes twice in sample %" PRId64, at->depth, v->sample_id);
    else if (rule == RULE_DEPTH)
        finding_add(v->findings, at->where, rule, table, column,
                    "expected %" PRId64 ", found %" PRId64 ": depths have no gaps", expected,
                    at->depth);
    else
        finding_add(v->findings, at->where, rule, table, column,
                    "%" PRId64 " comes after a greater one: profsort puts rows in order",
                    at->depth);
}

/* Of depths that are not 1, 2, 3 ...: those that are there twice, and what is missing. */
static void check_gaps(struct validator *v)
{
    int64_t last = v->depth;
    qsort(v->depths, v->depth_count, sizeof *v->depths, by_depth);
    for (size_t i = 0; i < v->depth_count; i++) {
        struct depth *d = &v->depths[i];
        d->twice = d->depth <= last;
        if (d->twice)
            found_depth(v, RULE_UNIQUE, d, 0);
        else if (d->depth > last + 1 && !v->doubtful)
            found_depth(v, RULE_DEPTH, d, last + 1);
        last = d->twice ? last : d->depth;
    }
}

/* And those that only stand in the wrong place. */
static void check_depth_order(struct validator *v)
{
    int64_t greatest = v->depth;
    qsort(v->depths, v->depth_count, sizeof *v->depths, by_line);
    for (size_t i = 0; i < v->depth_count; i++) {
        struct depth *d = &v->depths[i];
        if (d->depth < greatest && !d->twice)
            found_depth(v, RULE_ORDER, d, 0);
        greatest = d->depth > greatest ? d->depth : greatest;
    }
}

static void check_depths(struct validator *v)
{
    if (v->depth_count == 0)
        return;
    check_gaps(v);
    if (!v->request->any_order)
        check_depth_order(v);
    v->depth_count = 0;
}

static void end_sample(struct validator *v)
{
    check_depths(v);
    v->in_sample = false;
}

static void check_sample(struct validator *v, const struct row *row)
{
    end_sample(v);
    v->in_sample = true;
    v->in_locations = v->doubtful = false;
    v->depth = 0;
    v->sample_number++;
    v->sample_id = row->sample.sample_id;
}

/* Whether a row of TABLE belongs to the sample being read, whose id it says is ID. */
static bool is_of_sample(struct validator *v, struct str table, int64_t id)
{
    if ((v->bad & 1) != 0) /* it does not say which */
        return v->in_sample;
    if (v->in_sample && v->sample_id == 0)
        v->sample_id = id;
    if (v->in_sample && v->sample_id == id)
        return true;
    struct column_place at = {v->where, table, STR("sample_id")};
    if (!relations_has(&v->relations, TABLE_SAMPLES, id))
        relations_wait(&v->relations, &at, TABLE_SAMPLES, id);
    else if (!v->request->any_order)
        FOUND(v, ORDER, table, STR("sample_id"),
              "sample %" PRId64 " is not the one being read: profsort puts rows in order", id);
    return false;
}

static void check_value(struct validator *v, const struct row *row)
{
    static const struct str table = STR("sample_values");
    if (!is_of_sample(v, table, row->sample_value.sample_id))
        return;
    if (v->in_locations)
        FOUND(v, ORDER, table, STR(""),
              "values stand before the locations of a sample: profsort puts rows in order");
    if ((v->bad & 2) != 0)
        return;
    bool is_new;
    uint32_t type = intern_add(&v->types, row->sample_value.type, &is_new);
    v->type_samples = mem_array(v->type_samples, &v->type_capacity, type, sizeof *v->type_samples);
    if (is_new)
        v->type_samples[type - 1] = 0;
    if (v->type_samples[type - 1] == v->sample_number)
        FOUND(v, UNIQUE, table, STR("type"), "\"%.*s\" comes twice in sample %" PRId64,
              STR_ARG(row->sample_value.type), v->sample_id);
    v->type_samples[type - 1] = v->sample_number;
}

static void check_other_depth(struct validator *v, int64_t depth)
{
    if ((v->bad & 2) != 0) {
        v->doubtful = true;
        return;
    }
    v->depths = mem_array(v->depths, &v->depth_capacity, v->depth_count + 1, sizeof *v->depths);
    v->depths[v->depth_count++] = (struct depth){depth, v->where, false};
}

static inline void check_location_of(struct validator *v, const struct row *row)
{
    int64_t depth = row->sample_location.depth;
    if (__builtin_expect(!v->in_sample || row->sample_location.sample_id != v->sample_id, 0) &&
        !is_of_sample(v, STR("sample_locations"), row->sample_location.sample_id))
        return;
    v->in_locations = true;
    if (__builtin_expect(depth == v->depth + 1 && v->depth_count == 0, 1))
        v->depth = depth;
    else
        check_other_depth(v, depth);
}

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

/* The location that ID is inlined into, or 0. */
static int64_t inlined_into(const struct validator *v, int64_t id)
{
    uint32_t place = idmap_get(&v->inlined, (uint64_t)id);
    return place == 0 ? 0 : v->into[place - 1];
}

static void check_stack(struct validator *v, const struct row *row)
{
    struct column_place at = {v->where, STR("samples"), STR("locations")};
    struct str rest = row->run.locations;
    int64_t before = 0, id = 0, after = 0;
    bool more = stack_next(&rest, &id);
    while (more) {
        relations_refer(&v->relations, &at, TABLE_LOCATIONS, id);
        more = stack_next(&rest, &after);
        int64_t into = v->inlined.used == 0 ? 0 : inlined_into(v, id);
        if (into != 0 && before == into && (!more || after != into))
            FOUND(v, INNER_FIRST, at.table, at.column,
                  "location %" PRId64 " stands behind %" PRId64
                  ", which it is inlined into: expected the innermost first",
                  id, into);
        before = id;
        id = more ? after : 0;
    }
}

static void found_circle(const struct validator *v, uint64_t line, int64_t id)
{
    struct place where = {v->where.file, PLACE_LINE, line};
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

/* The text of members that were found well-formed: most samples repeat one of a few sets of labels. */
enum { MEMO_COUNT = 1024, MEMO_TEXT_MAX = 1024 };

/* What the members of ROW that are no columns hold. */
static void check_members(struct validator *v, const struct row *row)
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

/* References among them. */
static void check_member_references(struct validator *v, const struct row *row)
{
    /* check_members finds what is no reference */
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
            found_circle(v, v->where.at, m.integer);
        if (v->version == VERSION_1)
            note_inlined(v, row->location.location_id, m.integer);
    }
}

/* What the columns of ROW define and refer to. */
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
    end_sample(v);
    if (v->open && v->version == VERSION_1 && v->sample_types == 0)
        FOUND(v, SAMPLE_TYPES, STR("sample_types"), STR(""), "expected one row, found none");
    relations_end(&v->relations);
    idmap_clear(&v->inlined);
    v->into_count = 0;
    v->open = false;
}

static void open_profile(struct validator *v)
{
    v->open = v->any = true;
    v->promised_end = v->promised_more = v->after_end = v->has_meta = false;
    v->rank = 0;
    v->sample_types = 0;
}

/* Sets the version that ROW declares; 2.0 where it is none that is known. */
static void take_version(struct validator *v, const struct row *row)
{
    unsigned version = stream_version(row->meta.value);
    if ((v->bad & 1) == 0 && !str_equal(row->meta.key, STR("version")))
        FOUND(v, VERSION, STR("meta"), STR("key"), "expected \"version\", found \"%.*s\"",
              STR_ARG(row->meta.key));
    if ((v->bad & 2) == 0 && version == 0)
        FOUND(v, VERSION, STR("meta"), STR("value"), "expected \"2.0\" or \"1.x\", found \"%.*s\"",
              STR_ARG(row->meta.value));
    v->version = version == 0 ? VERSION_2 : version;
    v->rows.versions = version == 0 ? VERSION_ANY : version; /* one finding is enough */
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
        open_profile(v);
    v->has_meta = true;
    take_version(v, row);
}

static void check_end_row(struct validator *v, const struct row *row)
{
    end_profile(v);
    v->promised_more = members_flag(row, MEMBER_ID_MORE);
}

/* Whether a row other than a version row has a profile to be in. */
static bool has_profile(struct validator *v, const struct row *row)
{
    if (v->open)
        return true;
    if (!v->any) {
        FOUND(v, VERSION, row->table == TABLE_NONE ? STR("") : row_table_name(row), STR(""),
              "expected the version row of a profile first");
        open_profile(v);
        v->version = VERSION_2;
        return true;
    }
    if (!v->after_end)
        FOUND(v, END, row->table == TABLE_NONE ? STR("") : row_table_name(row), STR(""),
              "expected the version row of another profile after an .end row");
    v->after_end = true;
    return false;
}

static void check_row(struct validator *v, const struct row *row)
{
    enum table table = row->table;
    v->counts->rows[table < TABLE_COUNT ? table : TABLE_COUNT] += table != TABLE_NONE;
    if (table == TABLE_META)
        check_meta(v, row);
    else if (__builtin_expect(!v->open, 0) && !has_profile(v, row))
        return;
    if (row->extra.n > 0 && !v->request->any_order)
        check_members(v, row);
    if (table == TABLE_META)
        return;
    if (__builtin_expect(table == TABLE_SAMPLE_LOCATIONS, 1)) {
        check_location_of(v, row);
        struct column_place at = {v->where, STR("sample_locations"), STR("location_id")};
        if ((v->bad & 4) == 0)
            relations_refer(&v->relations, &at, TABLE_LOCATIONS, row->sample_location.location_id);
        return;
    }
    if (table == TABLE_SAMPLE_VALUES) {
        check_value(v, row);
        return;
    }
    if (table == TABLE_NONE) {
        v->doubtful = true;
        return;
    }
    end_sample(v);
    if (v->version == VERSION_1 && !row_is_end(row))
        check_rank(v, row);
    if (table < TABLE_COUNT)
        check_ids(v, row);
    if (table == TABLE_SAMPLES)
        check_sample(v, row);
    else if (table == TABLE_RUNS && (v->bad & 2) == 0)
        check_stack(v, row);
    else if (table == TABLE_SAMPLE_TYPES)
        check_sample_types(v, row);
    if (row->extra.n > 0 &&
        (table == TABLE_LOCATIONS || table == TABLE_MAPPINGS || table == TABLE_DOTTED))
        check_member_references(v, row);
    if (row_is_end(row))
        check_end_row(v, row);
}

/* --- passing --- */

static void pay_end(struct validator *v, bool more)
{
    if (v->owes_end && v->counts->findings == 0)
        emit_end(v->request->pass, more);
    v->owes_end = false;
}

/* Copies the line of ROW while all is well. */
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
            return;
        }
    }
    out_write(out, v->rows.line);
    out_write(out, STR("\n"));
}

/* --- inputs --- */

static void check_stream(struct validator *v)
{
    struct row row;
    v->rows.versions = VERSION_ANY;
    while (rows_next(&v->rows, &row)) {
        v->where = v->rows.where;
        v->bad = v->rows.bad;
        check_row(v, &row);
        if (v->request->pass != NULL)
            pass(v, &row);
    }
    v->where = (struct place){in_name(v->rows.in), PLACE_FILE, 0};
    if (v->open && v->promised_end)
        FOUND(
            v, END, STR(".end"), STR(""),
            "the profile is truncated: expected the row that ends it, found the end of the input");
    if (v->promised_more)
        FOUND(v, END, STR(".end"), STR(""),
              "the stream is truncated: another profile was promised, found the end of the input");
}

/* Whether ROW has all that sorting needs. */
static bool can_sort(const struct row *row, unsigned bad)
{
    if (row->table == TABLE_NONE || row_is_end(row) ||
        (row->table == TABLE_SAMPLE_VALUES && (bad & 2) != 0)) /* a type is part of a key */
        return false;
    if (row->table == TABLE_DOTTED)
        return true;
    const struct schema_table *t = &schema_tables[row->table];
    for (unsigned i = 0; i < t->column_count; i++)
        if ((bad & 1u << i) != 0 &&
            (t->columns[i].refers != TABLE_NONE || t->columns[i].kind == KIND_DEPTH))
            return false;
    return true;
}

/* Reads all rows of the input to SORT, and the version row.  False if it has another. */
static bool read_all(struct validator *v, struct sort *sort)
{
    struct row row;
    bool one = true;
    v->rows.versions = VERSION_ANY;
    while (rows_next(&v->rows, &row)) {
        v->where = v->rows.where;
        v->bad = v->rows.bad;
        if (row.extra.n > 0)
            check_members(v, &row);
        if (row.table != TABLE_META) {
            if (can_sort(&row, v->bad))
                sort_add(sort, &row, v->where.at);
            continue;
        }
        v->counts->rows[TABLE_META]++;
        if (v->any) {
            FOUND(v, VERSION, STR("meta"), STR(""), "expected one version row, found another");
            one = false;
            continue;
        }
        open_profile(v);
        take_version(v, &row);
    }
    return one;
}

static void check_sorted(struct validator *v, struct sort *sort)
{
    struct arena arena = {0};
    struct str text;
    struct row row;
    while (sort_next(sort, &text, &v->where.at)) {
        v->where.kind = PLACE_LINE;
        v->bad = 0;
        arena_clear(&arena);
        if (scan_row(text.p, v->version, &row) == NULL)
            /* what is wrong with a row by itself has been found */
            v->bad = parse_row((struct str){text.p, text.n - 1}, v->where, v->version,
                               &findings_ignored, &arena, &row);
        check_row(v, &row);
    }
    arena_free(&arena);
}

static void check_unordered(struct validator *v)
{
    struct sort sort = {0};
    bool one = read_all(v, &sort);
    v->where = (struct place){in_name(v->rows.in), PLACE_FILE, 0};
    if (!v->any && v->rows.any) {
        FOUND(v, VERSION, STR("meta"), STR(""), "expected a version row, found none");
        open_profile(v);
        v->version = VERSION_2;
    }
    v->open = v->open && one; /* ids of several profiles have nothing to do with each other */
    if (v->open) {
        struct sort_circle circle = sort_finish(&sort);
        check_sorted(v, &sort);
        if (circle.line != 0)
            found_circle(v, circle.line, circle.location_id);
    }
    v->where = (struct place){in_name(v->rows.in), PLACE_FILE, 0};
    sort_free(&sort);
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
    if (!inputs_more(inputs) && !request->allow_empty)
        die(STATUS_INPUT, "expected an input, found none");
    while (inputs_more(inputs)) {
        struct in *in = inputs_next(inputs);
        rows_start(&v.rows, in);
        v.any = v.open = v.promised_more = v.after_end = false;
        if (request->any_order)
            check_unordered(&v);
        else
            check_stream(&v);
        if (!v.any && !v.rows.foreign && !request->allow_empty)
            FOUND(&v, END, STR(""), STR(""),
                  "expected a profile, found nothing (--allow-empty accepts that)");
        end_profile(&v);
        in_close(in);
    }
    if (request->pass != NULL)
        pay_end(&v, false);
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

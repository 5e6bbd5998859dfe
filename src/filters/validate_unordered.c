/* Rows in any order: sorts the rows of one profile, then checks them as a stream. */
#include "filters/validator.h"

#include "filters/sort.h"
#include "formats/formats.h"
#include "rows/members.h"
#include "rows/parse.h"
#include "rows/scan.h"

/* State of an input. */
struct dump {
    struct validator *validator;
    struct sort sort;
    bool any;           /* there was a row */
    bool is_one;        /* it has only one version row */
    bool ends, has_end; /* an .end row is promised; there was one */
    bool more;          /* it promises another profile */

    /* Before the version row, rows of all versions are read. */
    unsigned tables;                 /* tables seen there, as bits */
    struct place where[TABLE_COUNT]; /* of the first row of each */
};

/* Whether ROW has valid keys for sorting. */
static bool can_sort(const struct row *row, unsigned bad)
{
    if (row->table == TABLE_NONE || row_is_end(row) ||
        (row->table == TABLE_SAMPLE_VALUES && (bad & 2) != 0)) /* the type is part of the key */
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

static void read_meta(struct validator *v, struct dump *dump, const struct row *row)
{
    v->counts->rows[TABLE_META]++;
    if (v->any) {
        FOUND(v, VERSION, STR("meta"), STR(""), "expected one version row, found another");
        dump->is_one = false;
        return;
    }
    validator_open(v);
    validator_take_version(v, row);
    dump->ends = v->promised_end;
}

static void take_row(void *to, const struct row *row)
{
    struct dump *dump = to;
    struct validator *v = dump->validator;
    dump->any = true;
    if (row_has_members(row))
        validator_members(v, row);
    if (!v->any && row->table < TABLE_COUNT && (dump->tables & 1u << row->table) == 0) {
        dump->tables |= 1u << row->table;
        dump->where[row->table] = v->where;
    }
    if (row->table == TABLE_META)
        read_meta(v, dump, row);
    else if (can_sort(row, v->bad))
        sort_add(&dump->sort, row, v->where.at);
    if (row->table == TABLE_DOTTED && row_is_end(row)) {
        dump->has_end = true;
        dump->more = dump->more || members_flag(row, MEMBER_ID_MORE);
    }
}

/* Reports tables before the version row that do not exist in its version. */
static void check_versions(struct validator *v, const struct dump *dump)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        if ((dump->tables & 1u << t) == 0 || (schema_tables[t].versions & v->rows.versions) != 0)
            continue;
        v->where = dump->where[t];
        FOUND(v, TABLE, schema_tables[t].name, STR(""), "its columns are not those of version %s",
              v->version == VERSION_1 ? "1.0" : "2.0");
    }
}

/* KIND is the kind of the places of rows. */
static void check_sorted(struct validator *v, struct sort *sort, int kind)
{
    struct arena arena = {0};
    struct str text;
    struct row row;
    v->where.kind = kind;
    while (sort_next(sort, &text, &v->where.at)) {
        v->bad = 0;
        arena_clear(&arena);
        if (scan_row(text.p, v->version, &row) == NULL)
            /* errors within a row have been reported already */
            v->bad = parse_row((struct str){text.p, text.n - 1}, v->where, v->version,
                               &findings_ignored, &arena, &row);
        validator_row(v, &row);
    }
    arena_free(&arena);
}

void validator_unordered(struct validator *v, struct in *in, const struct format *format)
{
    struct dump dump = {.validator = v, .is_one = true};
    validator_rows(v, in, format, take_row, &dump);
    if (v->any)
        check_versions(v, &dump);
    v->where = (struct place){in_name(in), PLACE_FILE, 0};
    if (!v->any && dump.any) {
        FOUND(v, VERSION, STR("meta"), STR(""), "expected a version row, found none");
        validator_open(v);
        v->version = VERSION_2;
    }
    validator_found_ends(v, dump.ends && !dump.has_end, dump.more);
    v->open = v->open && dump.is_one; /* ids of different profiles are unrelated */
    if (v->open) {
        struct sort_circle circle = sort_finish(&dump.sort);
        check_sorted(v, &dump.sort, format == &format_rows ? PLACE_LINE : PLACE_FILE);
        if (circle.location_id != 0)
            validator_found_circle(v, circle.line, circle.location_id);
    }
    v->where = (struct place){in_name(in), PLACE_FILE, 0};
    sort_free(&dump.sort);
}

/* Dumps: the rows of one profile in any order are sorted, and then checked as a stream. */
#include "validator.h"

#include "members.h"
#include "parse.h"
#include "scan.h"
#include "sort.h"

/* What was read of an input. */
struct dump {
    struct sort sort;
    bool is_one;        /* it has no second version row */
    bool ends, has_end; /* an .end row is promised, and there */
    bool more;          /* and promises another profile */
};

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

static void read_all(struct validator *v, struct dump *dump)
{
    struct row row;
    v->rows.versions = VERSION_ANY;
    while (rows_next(&v->rows, &row)) {
        v->where = v->rows.where;
        v->bad = v->rows.bad;
        if (row.extra.n > 0)
            validator_members(v, &row);
        if (row.table == TABLE_META)
            read_meta(v, dump, &row);
        else if (can_sort(&row, v->bad))
            sort_add(&dump->sort, &row, v->where.at);
        if (row.table == TABLE_DOTTED && row_is_end(&row)) {
            dump->has_end = true;
            dump->more = dump->more || members_flag(&row, MEMBER_ID_MORE);
        }
    }
    v->where = (struct place){in_name(v->rows.in), PLACE_FILE, 0};
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
        validator_row(v, &row);
    }
    arena_free(&arena);
}

void validator_unordered(struct validator *v)
{
    struct dump dump = {.is_one = true};
    read_all(v, &dump);
    if (!v->any && v->rows.any) {
        FOUND(v, VERSION, STR("meta"), STR(""), "expected a version row, found none");
        validator_open(v);
        v->version = VERSION_2;
    }
    validator_found_ends(v, dump.ends && !dump.has_end, dump.more);
    v->open =
        v->open && dump.is_one; /* ids of several profiles have nothing to do with each other */
    if (v->open) {
        struct sort_circle circle = sort_finish(&dump.sort);
        check_sorted(v, &dump.sort);
        if (circle.line != 0)
            validator_found_circle(v, circle.line, circle.location_id);
    }
    v->where = (struct place){in_name(v->rows.in), PLACE_FILE, 0};
    sort_free(&dump.sort);
}

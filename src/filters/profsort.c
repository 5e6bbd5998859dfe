#include "filters/profsort.h"

#include "base/buf.h"
#include "filters/sort.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/rows.h"
#include "stream/stream.h"
#include "stream/unfold.h"

#include <inttypes.h>

struct profile {
    struct rows rows;   /* used if the input is rows */
    struct place place; /* of the row being read */
    struct sort sort;
    unsigned tables;                 /* tables seen so far, as bits */
    struct place where[TABLE_COUNT]; /* of the first row of each */
    unsigned version;
    struct buf version_text;
    struct buf meta;    /* dotted columns of the version row, except .ends */
    bool ends, has_end; /* an .end row is promised; there was one */
    bool more;          /* it promises another profile */
};

static void take_meta(struct profile *p, const struct row *row)
{
    unsigned version = stream_declared(row, p->place);
    if (p->version != 0)
        die_at(p->place, "a second version row: expected one profile in each input");
    p->version = version;
    p->rows.versions = p->version;
    buf_add(&p->version_text, row->meta.value);
    emit_others(&p->meta, row->extra, STR(".ends"));
    p->ends = stream_flag(row, MEMBER_ID_ENDS, p->place);
}

/* Rows before the version row may have the wrong version. */
static void check_versions(const struct profile *p)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++)
        if ((p->tables & 1u << t) != 0 && (schema_tables[t].versions & p->version) == 0)
            die_at(p->where[t], "the columns of \"%.*s\" are not those of version %.*s",
                   STR_ARG(schema_tables[t].name), STR_ARG(buf_str(&p->version_text)));
}

/* An .end row may be anywhere, but a promised one must exist. Otherwise the end written here would
 * hide that the input is cut. */
static void check_ends(const struct profile *p)
{
    struct place file = {p->place.file, PLACE_FILE, 0};
    if (p->ends && !p->has_end)
        die_as(CODE_TORN, file, "the profile is truncated: expected its .end row, found none");
    if (p->more)
        die_as(CODE_TORN, file,
               "the stream is truncated: another profile was promised, found none");
}

/* For struct unfold, too. */
static void take_row(void *to, const struct row *row)
{
    struct profile *p = to;
    if (row->table == TABLE_META) {
        take_meta(p, row);
        return;
    }
    if (row_is_end(row)) {
        p->has_end = true;
        p->more = stream_flag(row, MEMBER_ID_MORE, p->place) || p->more;
        return;
    }
    if (row->table < TABLE_COUNT && (p->tables & 1u << row->table) == 0) {
        p->tables |= 1u << row->table;
        p->where[row->table] = p->place;
    }
    sort_add(&p->sort, row, p->place.at);
}

static void read_rows(struct profile *p, struct in *in)
{
    struct row row;
    rows_start(&p->rows, in);
    p->rows.versions = VERSION_ANY;
    while (rows_next(&p->rows, &row)) {
        p->place = p->rows.where;
        take_row(p, &row);
    }
    rows_free(&p->rows);
}

static void read_profile(struct profile *p, struct in *in, const struct feed_request *request)
{
    const struct format *format = feed_format(in, request, NULL);
    struct flow flow = {0};
    struct unfold unfold = unfold_of(&flow, take_row, p);
    p->place = (struct place){in_name(in), PLACE_FILE, 0};
    if (format == &format_rows)
        read_rows(p, in);
    else
        feed_input(in, format, request, &unfold.sink);
    value_types_free(&flow.types);
    if (p->version == 0)
        die_at((struct place){in_name(in), PLACE_FILE, 0}, "expected a version row, found none");
    check_versions(p);
    check_ends(p);
}

static void write_profile(struct profile *p, struct out *out)
{
    struct row row = row_begin();
    struct buf extra = {0};
    struct str text;
    uint64_t line;
    buf_add(&extra, row.extra);
    buf_add(&extra, buf_str(&p->meta));
    row.extra = buf_str(&extra);
    row.meta.value = buf_str(&p->version_text);
    emit_row(out, &row);
    out_finish(out);
    buf_free(&extra);
    while (sort_next(&p->sort, &text, &line))
        out_write(out, text);
}

void profsort(struct inputs *inputs, const struct feed_request *request, uint64_t memory,
              struct out *out)
{
    emit_owe(out);
    feed_check(inputs, request);
    while (inputs_more(inputs)) {
        struct in *in = inputs_next(inputs);
        struct profile p = {.sort = {.memory = memory}};
        read_profile(&p, in, request);
        struct sort_circle circle = sort_finish(&p.sort);
        if (circle.location_id != 0)
            die_at((struct place){in_name(in), p.place.kind, circle.line},
                   "locations..inlined_into: location %" PRId64 " is inlined into itself",
                   circle.location_id);
        bool more = inputs_more(inputs);
        write_profile(&p, out);
        if (!more)
            loss_report(request->lossless); /* may end the tool, before the last .end row */
        emit_end(out, more);
        sort_free(&p.sort);
        buf_free(&p.version_text);
        buf_free(&p.meta);
        in_close(in);
    }
}

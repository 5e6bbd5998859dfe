/* A database of SQLite to profile rows.  See sqlite2ndjson(1).
 *
 * Anybody may have made the database, so nothing in it is trusted. Each row is checked for what it
 * holds and refers to. Rows are pushed after the rows that they refer to, in whatever order the
 * database has them. */
#include "base/arena.h"
#include "base/idmap.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "formats/sqlite/sqlite.h"
#include "formats/sqlite/sqlite_db.h"
#include "formats/sqlite/sqlite_labels.h"
#include "formats/sqlite/sqlite_write.h"
#include "model/model.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/parse.h"
#include "rows/site.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A table that is read from its first to its last row. */
struct sqlite_table {
    sqlite3_stmt *all; /* NULL: the table does not exist */
    sqlite3_stmt *one; /* finds rows by id; only for tables that others refer to */
    struct str place;  /* the name of a row in messages, before its number; ends in NUL */
    bool has_row;      /* ALL is at a row that has not been read */
    bool at_end;
    uint64_t row; /* number of that row, or of the last one; 0: none yet */
    bool has_rowid;
    int64_t last;        /* the last id read */
    struct idmap pushed; /* ids that have been pushed */
};

struct sqlite_value {
    struct sample_value value;
    uint64_t order; /* its order in the sample */
};

/* For a value name: the last sample that had it, and its index in the values of that sample. */
struct sqlite_name {
    int64_t sample;
    size_t value;
};

struct sqlite_reader {
    struct sink *sink;
    const struct read_request *request;
    struct sqlite_db *db;
    bool has_stacks;          /* each stack is stored once, as nodes */
    bool has_types, has_runs; /* the tables of those names exist */

    struct sqlite_table tables[TABLE_COUNT + 1]; /* of the model; dotted_rows is TABLE_DOTTED */
    struct sqlite_table values_dotted, locations_dotted, stored_dotted, stored_labels;
    struct buf texts[COLUMNS_MAX], extra, members, labels, inexact, bytes, line;
    struct arena arena; /* for rows that were not canonical, and for names of places */
    struct arena sample_arena;

    int64_t *chain; /* locations that wait for the ones they are inlined into */
    size_t chain_capacity;
    struct idmap waiting;

    struct sqlite_node_row *nodes; /* by id - 1 */
    size_t node_count, node_capacity;
    uint32_t *types; /* by id in the database - 1: the type in the flow */
    size_t type_count, type_capacity;
    struct idmap type_orders; /* by type in the flow */

    struct sqlite_value *values; /* of the current sample */
    struct sample_value *sorted;
    struct sqlite_name *names; /* by name of a type - 1 */
    int64_t *locations;
    struct str *location_extras;
    size_t value_capacity, sorted_capacity, name_capacity, location_capacity, extra_capacity;
};

/* Rows are pushed in turn with the samples between them. */
static void push_samples(struct sqlite_reader *r, int64_t last);

/* === rows of the database === */

/* The row of T being read, for messages. */
static struct place row_place(const struct sqlite_table *t, sqlite3_stmt *at)
{
    int last = sqlite3_column_count(at) - 1;
    int64_t number = sqlite3_column_int64(at, t->has_rowid ? last : 0);
    return (struct place){t->place.p, PLACE_ROW, (uint64_t)number};
}

/* Ends the tool with the error in the row after the last one of T. */
static _Noreturn void die_behind(const struct sqlite_reader *r, const struct sqlite_table *t)
{
    if (sqlite_db_is_failed(r->db))
        sqlite_db_die(r->db);
    die_at((struct place){t->place.p, PLACE_ROW, t->row},
           "the row behind this one cannot be read: %s", sqlite3_errmsg(r->db->handle));
}

/* Moves T to its next row if it is not at one; false after the last. */
static bool has_row_of(struct sqlite_reader *r, struct sqlite_table *t)
{
    if (t->all == NULL || t->at_end)
        return false;
    if (t->has_row)
        return true;
    int code = sqlite3_step(t->all);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        die_behind(r, t);
    t->at_end = code == SQLITE_DONE;
    t->has_row = !t->at_end;
    if (t->has_row)
        t->row = row_place(t, t->all).at;
    return t->has_row;
}

/* === rows that define something === */

/* --- single values --- */

/* Ends the tool (STATUS_INPUT): COLUMN of the row WHERE should hold EXPECTED, but holds the value
 * in column AT of S. */
static void die_column(struct place where, const char *column, const char *expected,
                       sqlite3_stmt *s, int at)
{
    enum { SHOWN = 60 };
    struct str text =
        sqlite3_column_type(s, at) == SQLITE_BLOB || sqlite3_column_type(s, at) == SQLITE_NULL
            ? STR("")
            : sqlite_db_text(s, at);
    struct buf shown = {0};
    text_escape(&shown, str_first(text, SHOWN));
    switch (sqlite3_column_type(s, at)) {
    case SQLITE_NULL: die_at(where, "%s: expected %s, found null", column, expected);
    case SQLITE_BLOB: die_at(where, "%s: expected %s, found a blob", column, expected);
    case SQLITE_TEXT:
        die_at(where, "%s: expected %s, found \"%.*s\"", column, expected,
               STR_ARG(buf_str(&shown)));
    default:
        die_at(where, "%s: expected %s, found %.*s", column, expected, STR_ARG(buf_str(&shown)));
    }
}

/* The integer in column AT of S, which must be in the range of KIND. ROW_NULL for null if KIND
 * allows it. Any other value ends the tool (die_column). */
static int64_t sqlite_integer(sqlite3_stmt *s, int at, struct place where, const char *column,
                              const struct schema_kind *kind)
{
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_NULL && kind->nullable)
        return ROW_NULL;
    int64_t value = sqlite3_column_int64(s, at);
    if (type != SQLITE_INTEGER || value < kind->min || value > kind->max)
        die_column(where, column, kind->expected, s, at);
    return value;
}

/* The text in column AT of S as canonical text, in TO, valid until TO changes. If it cannot show
 * all bytes, that is noted in r->inexact. */
static struct str sqlite_text(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                              struct place where, const char *column)
{
    if (sqlite3_column_type(s, at) != SQLITE_TEXT)
        die_column(where, column, "a string", s, at);
    to->n = 0;
    return emit_text(to, &r->inexact, str_of(column), sqlite_db_text(s, at));
}

/* The digits for VALUE in DOTTED, the members of a row; null p if there are none. */
static struct str sqlite_digits(struct sqlite_reader *r, struct str dotted, double value)
{
    struct str name, text;
    struct number spelled;
    for (struct str rest = dotted; rest.n > 0 && text_next_member(&rest, &name, &text);) {
        if (!str_equal(name, SQLITE_DIGITS) || !text_is_string(text, &text))
            continue;
        if (!parse_number(text, &spelled) || spelled.kind != NUMBER_REAL)
            continue;
        r->line.n = 0;
        buf_add(&r->line, text);
        buf_add(&r->line, (struct str){"", 1});
        if (strtod(r->line.p, NULL) == value) /* otherwise the value was changed later */
            return text;
    }
    return (struct str){NULL, 0};
}

/* The number in column AT of S. DOTTED, the members of the row, may have its digits. A real is text
 * in TO followed by NUL, valid until TO changes. */
static struct number sqlite_number(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                                   struct place where, const char *column, struct str dotted)
{
    int type = sqlite3_column_type(s, at);
    double value = sqlite3_column_double(s, at);
    if (type == SQLITE_INTEGER)
        return number_of(sqlite3_column_int64(s, at));
    if (type != SQLITE_FLOAT || !isfinite(value))
        die_column(where, column, "a finite number", s, at);
    to->n = 0;
    struct str digits = sqlite_digits(r, dotted, value);
    if (digits.p != NULL)
        buf_add(to, digits);
    else
        sqlite_add_real(to, value);
    buf_add(to, (struct str){"", 1});
    return (struct number){.kind = NUMBER_REAL, .real = {to->p, to->n - 1}};
}

/* --- members --- */

/* Sets TO to the members of the object TEXT, which is not trusted. */
static struct str parse_members(struct sqlite_reader *r, struct buf *to, struct str text,
                                struct place where, enum table table)
{
    static const struct row none;
    struct row row = none;
    struct str rest, name, value;
    r->line.n = 0;
    buf_add(&r->line, STR("{\"table\":\".x\""));
    if (text.n < 2 || text.p[0] != '{' || text.p[text.n - 1] != '}' || !parse_is_value(text))
        die_at(where, "%.*s: expected an object of JSON", STR_ARG(model_dotted_column(table)));
    if (memchr(text.p, '\n', text.n) != NULL || memchr(text.p, '\r', text.n) != NULL) {
        r->bytes.n = 0; /* rows are single lines */
        text_canonicalize(&r->bytes, text);
        text = buf_str(&r->bytes);
    }
    rest = text_inside(text);
    buf_add(&r->line, parse_is_blank(rest) ? STR("") : STR(","));
    buf_add(&r->line, rest);
    buf_add(&r->line, STR("}"));
    size_t n = r->line.n;
    memset(buf_reserve(&r->line, INPUT_PADDING), '\n', INPUT_PADDING);
    parse_row((struct str){r->line.p, n}, where, VERSION_2, NULL, &r->sample_arena, &row);
    to->n = 0;
    for (rest = row.extra; rest.n > 0 && text_next_member(&rest, &name, &value);) {
        if (table < TABLE_COUNT && table != TABLE_MAPPINGS && (name.n == 0 || name.p[0] != '.'))
            die_at(where, "dotted: expected names that begin with a dot, found \"%.*s\"",
                   STR_ARG(name));
        if (table == TABLE_MAPPINGS && str_equal(name, schema_tables[table].columns[0].name))
            die_at(where, "members: \"%.*s\" is a column", STR_ARG(name));
    }
    buf_add(to, row.extra);
    return buf_str(to);
}

/* The members in column AT of S, a JSON object, for a row of TABLE: a list of members in TO, valid
 * until the next row. */
static struct str sqlite_members(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                                 struct place where, enum table table)
{
    int type = sqlite3_column_type(s, at);
    bool is_all = table == TABLE_MAPPINGS || table == TABLE_DOTTED;
    to->n = 0;
    if (type == SQLITE_NULL)
        return buf_str(to);
    struct str text = sqlite_db_text(s, at);
    if (type != SQLITE_TEXT)
        die_column(where, model_dotted_column(table).p, "an object of JSON", s, at);
    if (text.n == 2 && text.p[0] == '{' && text.p[1] == '}')
        return buf_str(to);
    buf_add(to, text);
    memset(buf_reserve(to, INPUT_PADDING), '\n', INPUT_PADDING);
    if (text.n > 2 && text.p[0] == '{') {
        to->p[0] = ',';
        const char *end = text_scan_members(
            to->p, is_all ? '\0' : '.',
            table == TABLE_MAPPINGS ? schema_tables[table].columns[0].name : STR("table"));
        if (end == to->p + text.n - 1 && *end == '}') {
            to->n = text.n - 1;
            return buf_str(to);
        }
    }
    return parse_members(r, to, text, where, table);
}

/* Appends to TO the members EXTRA, except our own, and the bytes noted in r->inexact. */
static void add_extra(struct sqlite_reader *r, struct buf *to, struct str extra, struct place where)
{
    struct str name, value;
    to->n = 0;
    for (struct str rest = extra; rest.n > 0;) {
        const char *from = rest.p;
        if (!text_next_member(&rest, &name, &value))
            break;
        if (str_equal(name, SQLITE_DIGITS) || str_equal(name, SQLITE_POSITION))
            continue;
        if (r->inexact.n > 0 && str_equal(name, STR(".bytes")))
            die_at(where, ".bytes is there, and a string that is not UTF-8 as well");
        buf_add(to, (struct str){from, (size_t)(value.p + value.n - from)});
    }
    emit_bytes_column(to, &r->inexact);
}

/* --- rows --- */

/* Whether HEX has other bytes than TEXT (canonical) shows. */
static bool is_stale(struct str hex, struct str text)
{
    struct buf bytes = {0}, shown = {0};
    bool is_other = false;
    if (text_unhex(&bytes, hex)) {
        text_escape(&shown, buf_str(&bytes));
        is_other = !str_equal(buf_str(&shown), text);
    }
    buf_free(&bytes);
    buf_free(&shown);
    return is_other;
}

/* The string COLUMN of ROW, whose dotted columns are EXTRA; null p if there is none. */
static struct str shown_text(struct row *row, struct str extra, struct str column)
{
    const struct schema_table *t = &schema_tables[row->table];
    struct str name, value, text;
    for (unsigned i = 0; i < t->column_count; i++)
        if (str_equal(t->columns[i].name, column) &&
            schema_kinds[t->columns[i].kind].shape == SHAPE_STRING)
            return *row_string(row, &t->columns[i]);
    while (extra.n > 0 && text_next_member(&extra, &name, &value))
        if (str_equal(name, column) && text_is_string(value, &text))
            return text;
    return (struct str){NULL, 0};
}

/* Checks that `.bytes` in EXTRA, the dotted columns of ROW, fits its strings: whoever changes a
 * string may forget its bytes. */
static void check_bytes(struct sqlite_reader *r, struct str extra, struct row *row,
                        struct place where)
{
    struct str name, value, bytes = {NULL, 0}, hex;
    for (struct str rest = extra; rest.n > 0 && text_next_member(&rest, &name, &value);)
        if (str_equal(name, STR(".bytes")) && value.p[0] == '{')
            bytes = text_inside(value);
    for (struct str rest = bytes; rest.n > 0 && text_next_member(&rest, &name, &value);) {
        struct str text = shown_text(row, extra, name);
        if (text.p == NULL || !text_is_string(value, &hex) || !is_stale(hex, text))
            continue;
        if (r->request->strict)
            die_at(where, "--strict: %.*s: .bytes has other bytes than it shows", STR_ARG(name));
        warn_at(CODE_INVALID, where, "%.*s: .bytes has other bytes than it shows", STR_ARG(name));
    }
}

/* Adds to ROW, of locations, the dotted columns that are stored as columns. */
static void read_references(sqlite3_stmt *s, struct place where, struct row *row)
{
    int at = (int)schema_tables[TABLE_LOCATIONS].column_count;
    site_take(row);
    for (enum member_id id = 0; model_next_column(TABLE_LOCATIONS, &id); id++) {
        const char *name = members_known(id)->name.p;
        struct member ignored;
        int64_t *to = site_reference(&row->site, id);
        int64_t found = sqlite_integer(s, ++at, where, name, &schema_kinds[KIND_REF_NULL]);
        if (found == ROW_NULL)
            continue;
        if (members_get(row, id, &ignored))
            die_at(where, "%s: it is in dotted as well", name);
        *to = found;
    }
}

/* Sets ROW to the current row of S, of TABLE, without checking its references. */
static void read_row(struct sqlite_reader *r, enum table table, sqlite3_stmt *s, struct place where,
                     struct row *row)
{
    const struct schema_table *t = &schema_tables[table];
    *row = (struct row){.table = table};
    struct str extra = sqlite_members(r, &r->members, s, (int)t->column_count, where, table);
    for (unsigned i = 0; i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        const struct schema_kind *kind = &schema_kinds[column->kind];
        bool is_null = kind->nullable && sqlite3_column_type(s, (int)i) == SQLITE_NULL;
        if (is_null)
            row_set_null(row, column);
        else if (kind->shape == SHAPE_INTEGER)
            *row_integer(row, column) = sqlite_integer(s, (int)i, where, column->name.p, kind);
        else if (kind->shape == SHAPE_NUMBER)
            *row_number(row, column) =
                sqlite_number(r, &r->texts[i], s, (int)i, where, column->name.p, extra);
        else
            *row_string(row, column) =
                sqlite_text(r, &r->texts[i], s, (int)i, where, column->name.p);
        if (kind->shape == SHAPE_STRING && kind->min > 0 && row_string(row, column)->n == 0)
            die_column(where, column->name.p, kind->expected, s, (int)i);
    }
    check_bytes(r, extra, row, where);
    add_extra(r, &r->extra, extra, where);
    row->extra = buf_str(&r->extra);
    if (table == TABLE_LOCATIONS)
        read_references(s, where, row);
}

/* The same for a row of a dotted table. */
static void read_dotted(struct sqlite_reader *r, sqlite3_stmt *s, struct place where,
                        struct row *row)
{
    enum { TABLE_NAME = 1, MEMBERS_AT = 2 };
    *row = (struct row){.table = TABLE_DOTTED};
    row->dotted.name = sqlite_text(r, &r->texts[0], s, TABLE_NAME, where, "table_name");
    struct str name = row->dotted.name;
    if (name.n < 2 || name.p[0] != '.' || str_equal(name, STR(".end")) ||
        str_equal(name, STR(".mappings")) || r->inexact.n > 0)
        die_column(where, "table_name", "the name of a dotted table", s, TABLE_NAME);
    row->extra = sqlite_members(r, &r->extra, s, MEMBERS_AT, where, TABLE_DOTTED);
}

static void read_any(struct sqlite_reader *r, enum table table, sqlite3_stmt *s, struct place where,
                     struct row *row)
{
    if (table == TABLE_DOTTED)
        read_dotted(r, s, where, row);
    else
        read_row(r, table, s, where, row);
}

/* --- rows that other rows refer to --- */

static bool is_pushed(const struct sqlite_reader *r, enum table table, int64_t id)
{
    return idmap_get(&r->tables[table].pushed, (uint64_t)id) != 0;
}

/* Finds the first row that ROW refers to and that was not pushed; false if there is none. *ID is
 * ROW_NULL for a dotted row that waits for a sample. */
static bool find_missing(struct sqlite_reader *r, const struct row *row, struct place where,
                         enum table *table, int64_t *id, const char **column)
{
    if (row->table == TABLE_LOCATIONS && row->location.function_id != ROW_NULL &&
        !is_pushed(r, TABLE_FUNCTIONS, row->location.function_id)) {
        *table = TABLE_FUNCTIONS;
        *id = row->location.function_id;
        *column = "function_id";
        return true;
    }
    struct members walk = members_references(row, where, NULL);
    struct member m;
    while (row_has_members(row) && members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_REF || m.integer == ROW_NULL)
            continue;
        bool is_there = m.refers == TABLE_SAMPLES ? m.integer <= r->tables[TABLE_SAMPLES].last
                                                  : is_pushed(r, m.refers, m.integer);
        if (is_there)
            continue;
        *table = m.refers;
        *id = m.integer;
        *column = members_known(m.id)->name.p;
        return true;
    }
    return false;
}

static void push(struct sqlite_reader *r, enum table table, int64_t id, struct row *row,
                 struct place where)
{
    struct buf uri = {0};
    r->sink->flow->where = where;
    if (table == TABLE_SOURCES && r->request->source_uri != NULL) {
        text_escape(&uri, str_of(r->request->source_uri));
        row->source.source_uri = buf_str(&uri);
    }
    if (table == TABLE_SOURCES && r->request->timestamp.kind != NUMBER_NULL)
        row->source.source_timestamp = r->request->timestamp;
    sink_row(r->sink, row);
    idmap_put(&r->tables[table].pushed, (uint64_t)id, 1);
    buf_free(&uri);
}

/* Reads row ID of TABLE on its own: COLUMN of the row WHERE refers to it. Returns its place. */
static struct place read_one(struct sqlite_reader *r, enum table table, int64_t id,
                             struct place where, const char *column, struct row *row)
{
    struct sqlite_table *t = &r->tables[table];
    bool is_there = t->one != NULL;
    if (is_there) {
        sqlite3_reset(t->one);
        sqlite3_bind_int64(t->one, 1, id);
        is_there = sqlite_db_step(r->db, t->one);
    }
    if (!is_there)
        die_at(where, "%s: there is no %s %lld", column, schema_nouns[table], (long long)id);
    struct place found = row_place(t, t->one);
    read_any(r, table, t->one, found, row);
    return found;
}

/* Reads row ID of TABLE, which COLUMN of the row WHERE refers to, into ROW, and pushes rows of
 * other tables that it refers to; WHERE and COLUMN then name its last reference. Returns the id in
 * its own table that it waits for, or 0. */
static int64_t push_others(struct sqlite_reader *r, enum table table, int64_t id,
                           struct place *where, const char **column, struct row *row)
{
    enum table missing;
    int64_t missing_id;
    *where = read_one(r, table, id, *where, *column, row);
    while (find_missing(r, row, *where, &missing, &missing_id, column)) {
        if (missing == table)
            return missing_id;
        struct row other;
        struct place at = read_one(r, missing, missing_id, *where, *column, &other);
        push(r, missing, missing_id, &other, at);
        *where = read_one(r, table, id, *where, *column, row);
    }
    return 0;
}

/* Only locations refer to rows of their own table, so one chain of waiting rows is enough. */
static void sqlite_need(struct sqlite_reader *r, enum table table, int64_t id, struct place where,
                        const char *column)
{
    size_t depth = 0;
    idmap_clear(&r->waiting);
    for (int64_t next = is_pushed(r, table, id) ? 0 : id; next != 0 || depth > 0;) {
        struct row row;
        if (next != 0) {
            if (idmap_get(&r->waiting, (uint64_t)next) != 0)
                die_at(where, "%s: a location is inlined into itself", column);
            idmap_put(&r->waiting, (uint64_t)next, 1);
            r->chain = mem_array(r->chain, &r->chain_capacity, depth + 1, sizeof *r->chain);
            r->chain[depth++] = next;
        }
        id = r->chain[depth - 1];
        next = push_others(r, table, id, &where, &column, &row);
        if (next != 0)
            continue;
        push(r, table, id, &row, where);
        depth--;
    }
}

/* --- tables --- */

/* Pushes the current row of T, which is TABLE, after the rows it refers to. */
static void push_current(struct sqlite_reader *r, enum table table, int64_t id, struct place where)
{
    struct sqlite_table *t = &r->tables[table];
    struct row row;
    enum table missing;
    int64_t missing_id;
    const char *column;
    read_any(r, table, t->all, where, &row);
    while (find_missing(r, &row, where, &missing, &missing_id, &column)) {
        if (missing == TABLE_SAMPLES)
            push_samples(r, missing_id);
        if (missing == TABLE_SAMPLES && r->tables[TABLE_SAMPLES].last < missing_id)
            die_at(where, "%s: there is no sample %lld", column, (long long)missing_id);
        if (missing != TABLE_SAMPLES)
            sqlite_need(r, missing, missing_id, where, column);
        read_any(r, table, t->all, where, &row);
    }
    if (!is_pushed(r, table, id))
        push(r, table, id, &row, where);
}

/* Pushes the rows of TABLE up to id LAST. */
static void push_rows(struct sqlite_reader *r, enum table table, int64_t last)
{
    struct sqlite_table *t = &r->tables[table];
    while (has_row_of(r, t)) {
        struct place where = row_place(t, t->all);
        const char *name =
            table == TABLE_DOTTED ? "row_id" : schema_tables[table].columns[0].name.p;
        int64_t id = sqlite_integer(t->all, 0, where, name, &schema_kinds[KIND_ID]);
        if (id > last)
            return;
        if (id == t->last)
            die_at(where, "%s: %lld is defined twice", name, (long long)id);
        if (!is_pushed(r, table, id))
            push_current(r, table, id, where);
        t->last = id;
        t->has_row = false;
    }
}

/* Pushes the version row. */
static void push_meta(struct sqlite_reader *r)
{
    struct sqlite_table *t = &r->tables[TABLE_META];
    struct buf promise = {0};
    struct row row;
    struct place where = {r->db->name, PLACE_FILE, 0};
    if (!has_row_of(r, t))
        die_at(where, "meta: expected one row, found none");
    where = row_place(t, t->all);
    read_row(r, TABLE_META, t->all, where, &row);
    if (!str_equal(row.meta.key, STR("version")) || !str_equal(row.meta.value, STR("2.0")))
        die_at(where, "expected the version 2.0, found \"%.*s\" \"%.*s\"", STR_ARG(row.meta.key),
               STR_ARG(row.meta.value));
    emit_promise(&promise, row.extra);
    row.extra = buf_str(&promise);
    r->sink->flow->where = where;
    sink_row(r->sink, &row);
    buf_free(&promise);
    t->has_row = false;
    if (has_row_of(r, t))
        die_at(row_place(t, t->all), "meta: expected one row, found another");
}

/* === samples === */

/* A node, and its parent: 0 for a root. */
struct sqlite_node_row {
    uint64_t parent;
    int64_t location;
};

/* --- types and nodes --- */

static uint32_t add_type(struct sqlite_reader *r, sqlite3_stmt *s, int at, struct place where)
{
    struct str type = sqlite_text(r, &r->texts[1], s, at, where, "type");
    struct str unit = sqlite_text(r, &r->texts[2], s, at + 1, where, "unit");
    return value_types_add(&r->sink->flow->types, type, unit);
}

/* Reads the value types, in the order that samples have them. */
static void read_types(struct sqlite_reader *r)
{
    sqlite3_stmt *s =
        sqlite_db_prepare(r->db, "SELECT type_id, type, unit FROM value_types ORDER BY type_id");
    while (sqlite_db_step(r->db, s)) {
        struct place where = {r->db->name, PLACE_FILE, 0};
        int64_t id = sqlite_integer(s, 0, where, "value_types.type_id", &schema_kinds[KIND_ID]);
        uint32_t type = add_type(r, s, 1, where);
        r->inexact.n = 0; /* recorded per value instead */
        if (id != (int64_t)r->type_count + 1)
            die_at(where, "value_types.type_id: expected %zu, found %lld", r->type_count + 1,
                   (long long)id);
        r->types = mem_array(r->types, &r->type_capacity, (size_t)id, sizeof *r->types);
        r->types[r->type_count++] = type;
        if (idmap_get(&r->type_orders, type) == 0)
            idmap_put(&r->type_orders, type, (uint32_t)id);
    }
    sqlite_db_finalize(r->db, s);
}

static void read_nodes(struct sqlite_reader *r)
{
    static const struct schema_kind parent = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "a smaller id, or null"};
    sqlite3_stmt *s = sqlite_db_prepare(
        r->db, "SELECT node_id, parent_id, location_id FROM nodes ORDER BY node_id");
    struct buf name = {0};
    buf_add(&name, str_of(r->db->name));
    buf_add(&name, (struct str){": nodes rowid", 14});
    struct str file = arena_copy(&r->arena, buf_str(&name));
    buf_free(&name);
    while (sqlite_db_step(r->db, s)) {
        struct place where = {file.p, PLACE_ROW, (uint64_t)sqlite3_column_int64(s, 0)};
        int64_t id = sqlite_integer(s, 0, where, "node_id", &schema_kinds[KIND_ID]);
        int64_t outer = sqlite_integer(s, 1, where, "parent_id", &parent);
        if (id != (int64_t)r->node_count + 1)
            die_at(where, "node_id: expected %zu: nodes have no gaps", r->node_count + 1);
        if (outer >= id)
            die_column(where, "parent_id", parent.expected, s, 1);
        r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count + 1, sizeof *r->nodes);
        r->nodes[r->node_count++] = (struct sqlite_node_row){
            outer == ROW_NULL ? 0 : (uint64_t)outer,
            sqlite_integer(s, 2, where, "location_id", &schema_kinds[KIND_REF])};
    }
    sqlite_db_finalize(r->db, s);
}

/* Reads value types and nodes. */
static void begin_samples(struct sqlite_reader *r)
{
    if (r->has_types)
        read_types(r);
    if (r->has_stacks)
        read_nodes(r);
}

/* --- rows of a sample --- */

/* Whether T is at a row of sample ID. A row of an earlier sample has no sample: ends the tool. */
static bool is_of_sample(struct sqlite_reader *r, struct sqlite_table *t, int64_t id)
{
    if (!has_row_of(r, t))
        return false;
    struct place where = row_place(t, t->all);
    int64_t of = sqlite_integer(t->all, 0, where, "sample_id", &schema_kinds[KIND_REF]);
    if (of < id)
        die_at(where, "sample_id: there is no sample %lld", (long long)of);
    return of == id;
}

/* The type of the value in the current row of S. */
static uint32_t type_of(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { TYPE = 1 };
    if (!r->has_stacks)
        return add_type(r, s, TYPE, where);
    int64_t id = sqlite_integer(s, TYPE, where, "type_id", &schema_kinds[KIND_REF]);
    if (id > (int64_t)r->type_count)
        die_at(where, "type_id: there is no type %lld", (long long)id);
    return r->types[id - 1];
}

/* Records that the value at index PLACE in r->values has TYPE: a sample has at most one value per
 * name. */
static void note_type(struct sqlite_reader *r, uint32_t type, int64_t sample, size_t place,
                      struct place where)
{
    const struct value_type *t = value_types_get(&r->sink->flow->types, type);
    if (t->name > r->name_capacity)
        r->names = mem_array_zeroed(r->names, &r->name_capacity, t->name, sizeof *r->names);
    if (r->names[t->name - 1].sample == sample)
        die_at(where, "type: \"%.*s\" comes twice in sample %lld", STR_ARG(t->type),
               (long long)sample);
    r->names[t->name - 1] = (struct sqlite_name){sample, place};
}

/* Reads the values of sample ID; returns their number. */
static size_t read_values(struct sqlite_reader *r, int64_t id)
{
    struct sqlite_table *t = &r->tables[TABLE_SAMPLE_VALUES];
    size_t count = 0;
    int at = r->has_stacks ? 2 : 3;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = row_place(t, t->all);
        uint32_t type = type_of(r, t->all, where), order = idmap_get(&r->type_orders, type);
        note_type(r, type, id, count, where);
        struct sample_value v = {.type = type};
        v.value = sqlite_number(r, &r->texts[3], t->all, at, where, "value", STR(""));
        if (v.value.kind == NUMBER_REAL)
            v.value.real = arena_copy(&r->sample_arena, v.value.real);
        if (r->inexact.n > 0) {
            add_extra(r, &r->extra, STR(""), where);
            v.extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
        }
        r->values = mem_array(r->values, &r->value_capacity, count + 1, sizeof *r->values);
        uint64_t place = t->has_rowid || order == 0 ? UINT32_MAX + (uint64_t)count : order;
        r->values[count++] = (struct sqlite_value){v, place};
    }
    return count;
}

/* Whether the list MEMBERS has a member NAME. */
static bool has_member(struct str members, struct str name)
{
    struct str found, value;
    while (members.n > 0 && text_next_member(&members, &found, &value))
        if (str_equal(found, name))
            return true;
    return false;
}

/* Adds the dotted columns in DOTTED to V, and removes our own from them. */
static void take_dotted(struct sqlite_reader *r, struct sqlite_value *v, struct str dotted,
                        struct place where)
{
    struct str name, value;
    int64_t position;
    for (struct str rest = dotted; rest.n > 0 && text_next_member(&rest, &name, &value);)
        if (str_equal(name, SQLITE_POSITION) && text_is_integer(value, &position) && position >= 1)
            v->order = (uint64_t)position;
    if (v->value.value.kind == NUMBER_REAL) {
        struct str digits = sqlite_digits(r, dotted, strtod(v->value.value.real.p, NULL));
        if (digits.p != NULL)
            v->value.value.real = arena_copy(&r->sample_arena, digits);
    }
    if (v->value.extra.n > 0 && has_member(dotted, STR(".bytes")))
        die_at(where, ".bytes is there, and a string that is not UTF-8 as well");
    add_extra(r, &r->extra, dotted, where);
    buf_add(&r->extra, v->value.extra);
    v->value.extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
}

/* Reads the dotted columns of the values of sample ID in r->values. */
static void read_dotted_values(struct sqlite_reader *r, int64_t id)
{
    enum { TYPE = 1, DOTTED = 2 };
    struct sqlite_table *t = &r->values_dotted;
    uint32_t last = 0;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = row_place(t, t->all);
        struct str type = sqlite_text(r, &r->texts[1], t->all, TYPE, where, "type");
        struct str dotted =
            sqlite_members(r, &r->members, t->all, DOTTED, where, TABLE_SAMPLE_VALUES);
        r->inexact.n = 0;
        uint32_t name = intern_find(&r->sink->flow->types.names, type);
        if (name == 0 || name > r->name_capacity || r->names[name - 1].sample != id)
            die_at(where, "type: the sample has no value of \"%.*s\"", STR_ARG(type));
        if (name == last)
            die_at(where, "type: \"%.*s\" comes twice in sample %lld", STR_ARG(type),
                   (long long)id);
        last = name;
        take_dotted(r, &r->values[r->names[name - 1].value], dotted, where);
    }
}

static int compare_values(const void *a, const void *b)
{
    const struct sqlite_value *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* --- stacks --- */

static size_t read_stack(struct sqlite_reader *r, int64_t id)
{
    enum { DEPTH = 1, LOCATION = 2 };
    struct sqlite_table *t = &r->tables[TABLE_SAMPLE_LOCATIONS];
    size_t depth = 0;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = row_place(t, t->all);
        int64_t at = sqlite_integer(t->all, DEPTH, where, "depth", &schema_kinds[KIND_DEPTH]);
        int64_t location =
            sqlite_integer(t->all, LOCATION, where, "location_id", &schema_kinds[KIND_REF]);
        if (at != (int64_t)depth + 1)
            die_at(where, "depth: expected %zu in sample %lld, found %lld", depth + 1,
                   (long long)id, (long long)at);
        sqlite_need(r, TABLE_LOCATIONS, location, where, "location_id");
        r->locations =
            mem_array(r->locations, &r->location_capacity, depth + 1, sizeof *r->locations);
        r->locations[depth++] = location;
    }
    return depth;
}

/* Reads the stack that ends in NODE; 0: an empty one. */
static size_t climb(struct sqlite_reader *r, uint64_t node, struct place where)
{
    size_t depth = 0;
    for (; node != 0; node = r->nodes[node - 1].parent) {
        int64_t location = r->nodes[node - 1].location;
        sqlite_need(r, TABLE_LOCATIONS, location, where, "location_id");
        r->locations =
            mem_array(r->locations, &r->location_capacity, depth + 1, sizeof *r->locations);
        r->locations[depth++] = location;
    }
    return depth;
}

/* Reads the dotted columns of the locations of SAMPLE, if there are any. */
static void read_dotted_locations(struct sqlite_reader *r, struct sample *sample)
{
    enum { DEPTH = 1, DOTTED = 2 };
    struct sqlite_table *t = &r->locations_dotted;
    int64_t last = 0;
    for (; is_of_sample(r, t, sample->sample_id); t->has_row = false) {
        struct place where = row_place(t, t->all);
        int64_t at = sqlite_integer(t->all, DEPTH, where, "depth", &schema_kinds[KIND_DEPTH]);
        if (at == last)
            die_at(where, "depth: %lld comes twice in sample %lld", (long long)at,
                   (long long)sample->sample_id);
        last = at;
        struct str dotted =
            sqlite_members(r, &r->members, t->all, DOTTED, where, TABLE_SAMPLE_LOCATIONS);
        if (at > (int64_t)sample->depth)
            die_at(where, "depth: the sample has no location at %lld", (long long)at);
        if (sample->location_extras == NULL) {
            r->location_extras = mem_array(r->location_extras, &r->extra_capacity, sample->depth,
                                           sizeof *r->location_extras);
            memset(r->location_extras, 0, sample->depth * sizeof *r->location_extras);
            sample->location_extras = r->location_extras;
        }
        add_extra(r, &r->extra, dotted, where);
        sample->location_extras[at - 1] = arena_copy(&r->sample_arena, buf_str(&r->extra));
    }
}

/* --- samples --- */

/* The bytes of the text in column AT of S; a null p for null, which must be ALLOWED. */
static struct str label_text(sqlite3_stmt *s, int at, struct place where, const char *column,
                             bool allowed)
{
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_NULL && allowed)
        return (struct str){NULL, 0};
    if (type != SQLITE_TEXT)
        die_column(where, column, "a string", s, at);
    return sqlite_db_text(s, at);
}

/* Appends the label in the current row of S to r->labels. */
static void read_label(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { KEY = 2, STRING, NUMBER, UNIT };
    static const struct schema_kind number = {SHAPE_INTEGER, true, INT64_MIN, INT64_MAX,
                                              "an integer, or null"};
    struct sqlite_label l = {
        .key = label_text(s, KEY, where, "key", false),
        .string = label_text(s, STRING, where, "str", true),
        .unit = label_text(s, UNIT, where, "unit", true),
        .has_number = sqlite3_column_type(s, NUMBER) != SQLITE_NULL,
    };
    if (l.has_number)
        l.number = sqlite_integer(s, NUMBER, where, "num", &number);
    if (l.string.p == NULL && !l.has_number)
        die_at(where, "expected a label with str or num, found neither");
    if (!sqlite_labels_emit(&r->labels, &l))
        die_at(where, "expected text of UTF-8 without NUL in the label");
}

/* Sets r->labels to `.labels` with the set ID, of the sample WHERE. */
static void read_labels(struct sqlite_reader *r, int64_t id, struct place where)
{
    enum { POSITION = 1 };
    struct sqlite_table *t = &r->stored_labels;
    int64_t last = 0;
    r->labels.n = 0;
    if (t->one != NULL)
        sqlite3_bind_int64(t->one, 1, id);
    for (; t->one != NULL && sqlite_db_step(r->db, t->one);) {
        struct place at = row_place(t, t->one);
        int64_t position =
            sqlite_integer(t->one, POSITION, at, "position", &schema_kinds[KIND_DEPTH]);
        if (position == last)
            die_at(at, "position: %lld comes twice", (long long)position);
        last = position;
        read_label(r, t->one, at);
    }
    if (last == 0)
        die_at(where, "labels_id: there is no row %lld of stored_labels", (long long)id);
    sqlite3_reset(t->one);
    buf_add(&r->labels, STR("]"));
}

/* The dotted columns of the current sample of S that are not stored as labels: stored with it, or
 * elsewhere under their id. */
static struct str read_sample_dotted(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { DOTTED_ID = 4, DOTTED = 5, STORED = 1 };
    static const struct schema_kind number = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "an id of stored_dotted, or null"};
    struct sqlite_table *t = &r->stored_dotted;
    int64_t id = sqlite_integer(s, DOTTED_ID, where, "dotted_id", &number);
    if (id == ROW_NULL)
        return sqlite_members(r, &r->members, s, DOTTED, where, TABLE_SAMPLES);
    if (sqlite3_column_type(s, DOTTED) != SQLITE_NULL)
        die_at(where, "dotted: expected null beside a dotted_id");
    if (t->one != NULL)
        sqlite3_bind_int64(t->one, 1, id);
    if (t->one == NULL || !sqlite_db_step(r->db, t->one))
        die_at(where, "dotted_id: there is no row %lld of stored_dotted", (long long)id);
    struct str dotted =
        sqlite_members(r, &r->members, t->one, STORED, row_place(t, t->one), TABLE_SAMPLES);
    sqlite3_reset(t->one);
    return dotted;
}

/* Puts r->members before r->extra. */
static void put_first(struct sqlite_reader *r)
{
    buf_add(&r->members, buf_str(&r->extra));
    struct buf members = r->extra;
    r->extra = r->members;
    r->members = members;
}

/* Puts the time in column AT of S, a sample, before r->extra, unless it is there already. */
static void read_time(struct sqlite_reader *r, sqlite3_stmt *s, int at, struct place where)
{
    static const struct schema_kind any = {SHAPE_INTEGER, true, INT64_MIN, INT64_MAX,
                                           "an integer, or null"};
    const struct str name = members_known(MEMBER_ID_TIME)->name;
    const int64_t time = sqlite_integer(s, at, where, name.p, &any);
    if (sqlite3_column_type(s, at) == SQLITE_NULL || has_member(buf_str(&r->extra), name))
        return;
    r->members.n = 0;
    emit_member(&r->members, name);
    emit_number(&r->members, time);
    put_first(r);
}

/* Sets r->extra to the dotted columns of the current sample of S. Labels come first, unless they
 * are among the others, which then have all that they say. */
static void read_stored(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { LABELS_ID = 3 };
    static const struct schema_kind number = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "an id of stored_labels, or null"};
    struct str dotted = read_sample_dotted(r, s, where);
    add_extra(r, &r->extra, dotted, where);
    int64_t id = sqlite_integer(s, LABELS_ID, where, "labels_id", &number);
    if (id == ROW_NULL || has_member(dotted, STR(".labels")))
        return;
    read_labels(r, id, where);
    r->members.n = 0;
    emit_member(&r->members, STR(".labels"));
    buf_add(&r->members, buf_str(&r->labels));
    put_first(r);
}

/* Reads the current sample of S into *SAMPLE. */
static void read_sample(struct sqlite_reader *r, sqlite3_stmt *s, struct place where,
                        struct sample *sample)
{
    enum { SOURCE = 1, NODE = 2, STORED_TIME = 6, TIME = 3 };
    static const struct schema_kind node = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                            "the id of a node, or null"};
    int64_t of = ROW_NULL;
    sample->source_id = sqlite_integer(s, SOURCE, where, "source_id", &schema_kinds[KIND_REF]);
    sqlite_need(r, TABLE_SOURCES, sample->source_id, where, "source_id");
    if (r->has_stacks)
        of = sqlite_integer(s, NODE, where, "node_id", &node);
    if (of > (int64_t)r->node_count)
        die_at(where, "node_id: there is no node %lld", (long long)of);
    if (r->has_stacks)
        read_stored(r, s, where);
    else
        add_extra(r, &r->extra, sqlite_members(r, &r->members, s, NODE, where, TABLE_SAMPLES),
                  where);
    read_time(r, s, r->has_stacks ? STORED_TIME : TIME, where);
    sample->extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
    sample->value_count = read_values(r, sample->sample_id);
    read_dotted_values(r, sample->sample_id);
    order_items(r->values, sample->value_count, sizeof *r->values, compare_values);
    r->sorted = mem_array(r->sorted, &r->sorted_capacity, sample->value_count, sizeof *r->sorted);
    for (size_t i = 0; i < sample->value_count; i++)
        r->sorted[i] = r->values[i].value;
    sample->values = r->sorted;
    sample->depth = r->has_stacks ? climb(r, of == ROW_NULL ? 0 : (uint64_t)of, where)
                                  : read_stack(r, sample->sample_id);
    sample->locations = r->locations;
    read_dotted_locations(r, sample);
}

/* Pushes samples up to id LAST. */
static void push_samples(struct sqlite_reader *r, int64_t last)
{
    struct sqlite_table *t = &r->tables[TABLE_SAMPLES];
    while (has_row_of(r, t)) {
        struct place where = row_place(t, t->all);
        struct sample sample = {0};
        sample.sample_id = sqlite_integer(t->all, 0, where, "sample_id", &schema_kinds[KIND_ID]);
        if (sample.sample_id > last)
            return;
        if (sample.sample_id == t->last)
            die_at(where, "sample_id: %lld is defined twice", (long long)sample.sample_id);
        arena_clear(&r->sample_arena);
        read_sample(r, t->all, where, &sample);
        t->last = sample.sample_id;
        t->has_row = false;
        r->sink->flow->where = where;
        sink_sample(r->sink, &sample);
    }
}

/* Ends the tool (STATUS_INPUT) if rows are left that belong to a sample. */
static void end_samples(struct sqlite_reader *r)
{
    struct sqlite_table *tables[] = {&r->tables[TABLE_SAMPLE_VALUES],
                                     &r->tables[TABLE_SAMPLE_LOCATIONS], &r->values_dotted,
                                     &r->locations_dotted};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        is_of_sample(r, tables[i], INT64_MAX);
}

/* Frees what the functions above have allocated. */
static void free_samples(struct sqlite_reader *r)
{
    void *blocks[] = {r->nodes, r->types,     r->values,         r->sorted,
                      r->names, r->locations, r->location_extras};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    idmap_free(&r->type_orders);
}

/* === the database === */

/* --- opening --- */

/* Opens the database in IN: by name if it is a file, else from memory. */
static struct sqlite_db *open_input(struct in *in, const struct read_request *request)
{
    const char *path = in_path(in);
    /* only SQLite may open and close a locked one: closing drops its locks */
    if (path != NULL && in_is_locked(in))
        return sqlite_db_open_file(path, SQLITE_OPEN_READONLY, in_name(in));
    if (path != NULL && sqlite_is_file(path))
        return sqlite_open_to_read(path, in_name(in));
    struct str bytes = format_whole(in, request);
    struct sqlite_db *d = sqlite_db_open_bytes(bytes, in_name(in));
    in_consume(in, bytes.n);
    return d;
}

/* --- tables and columns --- */

/* The name of the table or view with the rows of TABLE. */
static struct str name_of(enum table table)
{
    return table == TABLE_DOTTED ? STR("dotted_rows") : schema_tables[table].name;
}

static _Noreturn void die_no_column(const struct sqlite_db *d, struct str table, struct str column)
{
    die_at((struct place){d->name, PLACE_FILE, 0}, "table \"%.*s\": expected a column \"%.*s\"",
           STR_ARG(table), STR_ARG(column));
}

/* Columns to read from a table, and whether they exist. */
struct wanted {
    struct str names[COLUMNS_MAX + 5]; /* nodes has the most */
    bool found[COLUMNS_MAX + 5];
    unsigned count;
};

static void want(struct wanted *w, struct str name)
{
    w->names[w->count++] = name;
}

/* Finds which columns of W the table NAME has. Other columns are losses, except computed ones. */
static void find_columns(struct sqlite_db *d, struct str name, struct wanted *w)
{
    enum { NAME = 1, HIDDEN = 6 };
    struct buf sql = {0};
    buf_add(&sql, STR("PRAGMA table_xinfo(\""));
    buf_add(&sql, name);
    buf_add(&sql, (struct str){"\")", 3});
    sqlite3_stmt *s = sqlite_db_prepare(d, sql.p);
    while (sqlite_db_step(d, s)) {
        struct str column = sqlite_db_text(s, NAME);
        bool is_known = false, is_hidden = sqlite3_column_int(s, HIDDEN) != 0;
        for (unsigned i = 0; i < w->count && !is_known; i++)
            if (str_equal(w->names[i], column))
                is_known = w->found[i] = !is_hidden;
        if (!is_known && !is_hidden) {
            sql.n = 0;
            buf_add(&sql, name);
            buf_add(&sql, STR("."));
            text_escape(&sql, column);
            loss_add(LOSS_COLUMNS, buf_str(&sql), 1);
        }
    }
    sqlite_db_finalize(d, s);
    buf_free(&sql);
}

/* Ends the tool unless the table NAME has the first NEEDED columns of W. */
static void need_columns(struct sqlite_db *d, struct str name, struct wanted *w, unsigned needed)
{
    find_columns(d, name, w);
    for (unsigned i = 0; i < needed; i++)
        if (!w->found[i])
            die_no_column(d, name, w->names[i]);
}

/* Whether the table NAME has row ids. */
static bool has_rowid(struct sqlite_db *d, struct str name)
{
    struct buf sql = {0};
    sqlite3_stmt *s;
    buf_add(&sql, STR("SELECT rowid FROM \""));
    buf_add(&sql, name);
    buf_add(&sql, STR("\""));
    bool is_done = sqlite_db_try(d, buf_str(&sql), &s, NULL) == SQLITE_OK;
    buf_free(&sql);
    if (!is_done)
        return false;
    bool is_id = strcmp(sqlite3_column_name(s, 0), "rowid") == 0 ||
                 sqlite3_column_decltype(s, 0) != NULL; /* an alias of the key */
    sqlite_db_finalize(d, s);
    return is_id;
}

/* --- statements --- */

/* Appends the columns of W to SQL; null for those that do not exist. */
static void add_columns(struct buf *sql, const struct wanted *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        buf_add(sql, w->found[i] ? STR("\"") : STR("NULL AS \""));
        buf_add(sql, w->names[i]);
        buf_add(sql, STR("\", "));
    }
}

/* Opens T, the table NAME. Its columns are those WANTED, of which the first NEEDED must exist, then
 * the row id. Rows are sorted by KEY, then by row id. */
static void open_table(struct sqlite_reader *r, struct sqlite_table *t, struct str name,
                       struct wanted *w, unsigned needed, struct str key)
{
    struct buf sql = {0};
    need_columns(r->db, name, w, needed);
    t->has_rowid = has_rowid(r->db, name);
    buf_add(&sql, STR("SELECT "));
    add_columns(&sql, w);
    buf_add(&sql, t->has_rowid ? STR("rowid FROM \"") : STR("NULL FROM \""));
    buf_add(&sql, name);
    size_t front = sql.n;
    buf_add(&sql, STR("\" ORDER BY "));
    buf_add(&sql, key);
    buf_add(&sql, t->has_rowid ? STR(", rowid") : STR(""));
    buf_add(&sql, (struct str){"", 1});
    t->all = sqlite_db_prepare(r->db, sql.p);
    sql.n = front;
    buf_add(&sql, STR("\" WHERE "));
    buf_add(&sql, w->names[0]);
    buf_add(&sql, STR(" = ?1 ORDER BY "));
    buf_add(&sql, key);
    buf_add(&sql, (struct str){"", 1});
    t->one = sqlite_db_prepare(r->db, sql.p);
    sql.n = 0;
    buf_add(&sql, str_of(r->db->name));
    buf_add(&sql, STR(": "));
    buf_add(&sql, name);
    struct str of = {w->names[0].p, w->names[0].n - 3}; /* without "_id" */
    buf_add(&sql, t->has_rowid ? STR(" rowid") : STR(" of "));
    buf_add(&sql, t->has_rowid ? STR("") : of);
    buf_add(&sql, (struct str){"", 1});
    t->place = arena_copy(&r->arena, buf_str(&sql));
    buf_free(&sql);
}

/* Opens the table for the rows of TABLE, which must exist if it IS_NEEDED. */
static void open_model_table(struct sqlite_reader *r, enum table table, bool is_needed)
{
    const struct schema_table *s = &schema_tables[table];
    struct wanted w = {0};
    bool is_stored = table == TABLE_SAMPLE_VALUES && r->has_stacks;
    struct str name = is_stored ? STR("stored_values") : s->name;
    if (!sqlite_db_has_table(r->db, name)) {
        if (is_needed)
            die_at((struct place){r->db->name, PLACE_FILE, 0},
                   "expected a database of profiles, found no table \"%.*s\"", STR_ARG(name));
        return;
    }
    for (unsigned i = 0; i < s->column_count; i++)
        want(&w, is_stored && i == 1 ? STR("type_id") : s->columns[i].name);
    if (is_stored) { /* by the number of the type, which has the unit */
        w.names[2] = w.names[3];
        w.count--;
    }
    unsigned needed = w.count;
    if (table == TABLE_SAMPLES && r->has_stacks) {
        want(&w, STR("node_id"));
        want(&w, STR("labels_id"));
        want(&w, STR("dotted_id"));
    }
    if (!is_stored)
        want(&w, model_dotted_column(table));
    for (enum member_id id = 0; model_next_column(table, &id); id++)
        want(&w, members_known(id)->name);
    bool is_sorted = is_stored || table == TABLE_SAMPLE_LOCATIONS;
    struct buf key = {0};
    buf_add(&key, w.names[0]);
    if (is_sorted) {
        buf_add(&key, STR(", "));
        buf_add(&key, w.names[1]);
    }
    open_table(r, &r->tables[table], name, &w, needed, buf_str(&key));
    buf_free(&key);
}

/* Opens the tables without a list of columns. */
static void open_other_tables(struct sqlite_reader *r)
{
    struct wanted dotted = {.names = {STR("row_id"), STR("table_name"), STR("members")},
                            .count = 3};
    struct wanted values = {.names = {STR("sample_id"), STR("type"), STR("dotted")}, .count = 3};
    struct wanted locations = {.names = {STR("sample_id"), STR("depth"), STR("dotted")},
                               .count = 3};
    struct wanted once = {.names = {STR("dotted_id"), STR("dotted")}, .count = 2};
    struct wanted labels = {.names = {STR("labels_id"), STR("position"), STR("key"), STR("str"),
                                      STR("num"), STR("unit")},
                            .count = 6};
    if (sqlite_db_has_table(r->db, STR("dotted_rows")))
        open_table(r, &r->tables[TABLE_DOTTED], STR("dotted_rows"), &dotted, 3, STR("row_id"));
    if (sqlite_db_has_table(r->db, STR("sample_values_dotted")))
        open_table(r, &r->values_dotted, STR("sample_values_dotted"), &values, 3,
                   STR("sample_id, type"));
    if (sqlite_db_has_table(r->db, STR("sample_locations_dotted")))
        open_table(r, &r->locations_dotted, STR("sample_locations_dotted"), &locations, 3,
                   STR("sample_id, depth"));
    if (r->has_stacks && sqlite_db_has_table(r->db, STR("stored_dotted")))
        open_table(r, &r->stored_dotted, STR("stored_dotted"), &once, 2, STR("dotted_id"));
    if (r->has_stacks && sqlite_db_has_table(r->db, STR("stored_labels")))
        open_table(r, &r->stored_labels, STR("stored_labels"), &labels, 6,
                   STR("labels_id, position"));
}

/* Whether D has the table NAME. It must have the first NEEDED of the COUNT columns COLUMNS. */
static bool has_columns(struct sqlite_db *d, struct str name, const struct str *columns,
                        unsigned count, unsigned needed)
{
    struct wanted w = {0};
    if (!sqlite_db_has_table(d, name))
        return false;
    for (unsigned i = 0; i < count; i++)
        want(&w, columns[i]);
    need_columns(d, name, &w, needed);
    return true;
}

/* Finds the tables that define how rows are stored, and in what order. */
static void find_other_tables(struct sqlite_reader *r)
{
    enum { NODES_NEEDED = 3 };
    /* an earlier version had is_outermost, and neither names nor repetitions */
    static const struct str nodes[] = {STR("node_id"),      STR("parent_id"),
                                       STR("location_id"),  STR("level"),
                                       STR("sums_id"),      STR("caller_id"),
                                       STR("name_id"),      STR("repetition"),
                                       STR("is_outermost"), STR("is_outermost_call")},
                            types[] = {STR("type_id"), STR("type"), STR("unit")},
                            runs[] = {STR("run_id"), STR("table_name"), STR("last")};
    r->has_stacks =
        has_columns(r->db, STR("nodes"), nodes, sizeof nodes / sizeof *nodes, NODES_NEEDED);
    r->has_types = has_columns(r->db, STR("value_types"), types, 3, 3);
    r->has_runs = has_columns(r->db, STR("row_runs"), runs, 3, 3);
    if (r->has_stacks && !r->has_types)
        die_at((struct place){r->db->name, PLACE_FILE, 0},
               "expected a database of profiles, found no table \"value_types\"");
}

/* --- the whole --- */

/* Whether table NAME holds only derived data, or is SQLite's own. */
static bool is_derived(struct str name)
{
    static const struct str names[] = {STR("value_types"),
                                       STR("row_runs"),
                                       STR("nodes"),
                                       STR("stored_values"),
                                       STR("stored_dotted"),
                                       STR("stored_labels"),
                                       STR("stored_sums"),
                                       STR("stored_names"),
                                       STR("stored_packages"),
                                       STR("name_sums"),
                                       STR("dotted_rows"),
                                       STR("sample_values_dotted"),
                                       STR("sample_locations_dotted")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_equal(name, names[i]))
            return true;
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        if (str_equal(name, schema_tables[model_tables[i]].name))
            return true;
    return str_starts(name, STR("sqlite_"));
}

/* Counts the tables that rows cannot hold. */
static void drop_tables(struct sqlite_reader *r)
{
    sqlite3_stmt *s = sqlite_db_prepare(
        r->db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    while (sqlite_db_step(r->db, s)) {
        struct str name = sqlite_db_text(s, 0);
        r->line.n = 0;
        text_escape(&r->line, name);
        if (!is_derived(name))
            loss_add(LOSS_TABLES, buf_str(&r->line), 1);
    }
    sqlite_db_finalize(r->db, s);
}

/* Allows reading tables and columns and asking for their definitions, nothing else. */
static int authorize(void *with, int action, const char *what, const char *more, const char *schema,
                     const char *inside)
{
    (void)with, (void)more, (void)schema, (void)inside;
    bool is_info = action == SQLITE_PRAGMA && sqlite3_stricmp(what, "table_xinfo") == 0;
    return action == SQLITE_SELECT || action == SQLITE_READ || is_info ? SQLITE_OK : SQLITE_DENY;
}

/* Pushes rows in the order of row_runs. */
static void push_runs(struct sqlite_reader *r)
{
    enum { TABLE_NAME = 1, LAST = 2 };
    static const enum table tables[] = {TABLE_SOURCES, TABLE_MAPPINGS, TABLE_FUNCTIONS,
                                        TABLE_LOCATIONS, TABLE_DOTTED};
    if (!r->has_runs)
        return;
    sqlite3_stmt *s =
        sqlite_db_prepare(r->db, "SELECT run_id, table_name, last FROM row_runs ORDER BY run_id");
    while (sqlite_db_step(r->db, s)) {
        struct str name = sqlite_db_text(s, TABLE_NAME);
        int64_t last = sqlite3_column_int64(s, LAST);
        if (str_equal(name, name_of(TABLE_SAMPLES)))
            push_samples(r, last);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            if (str_equal(name, name_of(tables[i])))
                push_rows(r, tables[i], last);
    }
    sqlite_db_finalize(r->db, s);
}

static void open_reader(struct sqlite_reader *r)
{
    static const enum table needed[] = {TABLE_META,      TABLE_SOURCES, TABLE_FUNCTIONS,
                                        TABLE_LOCATIONS, TABLE_SAMPLES, TABLE_SAMPLE_VALUES};
    sqlite_db_distrust(r->db);
    /* Sorting is done in memory, where it is counted. The transaction makes all tables a snapshot,
     * even if others write. */
    sqlite_db_run(r->db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; BEGIN");
    uint64_t size = sqlite_db_size(r->db);
    sqlite_db_limit(r->db, LIMITS_STEPS + LIMITS_STEPS_BYTE * size,
                    LIMITS_DATABASE + LIMITS_DATABASE_BYTE * size);
    sqlite3_set_authorizer(r->db->handle, authorize, NULL);
    find_other_tables(r);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        open_model_table(r, needed[i], true);
    open_model_table(r, TABLE_MAPPINGS, false);
    if (!r->has_stacks)
        open_model_table(r, TABLE_SAMPLE_LOCATIONS, true);
    open_other_tables(r);
}

static void close_reader(struct sqlite_reader *r)
{
    sqlite_db_close(r->db);
    free_samples(r);
    for (size_t i = 0; i <= TABLE_COUNT; i++)
        idmap_free(&r->tables[i].pushed);
    for (size_t i = 0; i < COLUMNS_MAX; i++)
        buf_free(&r->texts[i]);
    struct buf *bufs[] = {&r->extra, &r->members, &r->labels, &r->inexact, &r->bytes, &r->line};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    mem_free(r->chain);
    idmap_free(&r->waiting);
    arena_free(&r->arena);
    arena_free(&r->sample_arena);
}

void sqlite_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    static const enum table defined[] = {TABLE_SOURCES, TABLE_MAPPINGS, TABLE_FUNCTIONS,
                                         TABLE_LOCATIONS};
    struct sqlite_reader r = {.sink = sink, .request = request};
    struct place before = sink->flow->where;
    r.db = open_input(in, request);
    open_reader(&r);
    push_meta(&r);
    begin_samples(&r);
    push_runs(&r);
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++)
        push_rows(&r, defined[i], INT64_MAX);
    push_samples(&r, INT64_MAX);
    push_rows(&r, TABLE_DOTTED, INT64_MAX);
    end_samples(&r);
    drop_tables(&r);
    sink->flow->where = before;
    sqlite_db_check(r.db);
    sink_end(sink, false);
    close_reader(&r);
}

/* Rows that define something. They are pushed after the rows that they refer to, in whatever
 * order the database has them. */
#include "base/mem.h"
#include "formats/sqlite/sqlite_read.h"
#include "model/model.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/site.h"
#include "rows/text.h"

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
            sqlite_die_column(where, column->name.p, kind->expected, s, (int)i);
    }
    check_bytes(r, extra, row, where);
    sqlite_add_extra(r, &r->extra, extra, where);
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
        sqlite_die_column(where, "table_name", "the name of a dotted table", s, TABLE_NAME);
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
    struct place found = sqlite_row_place(t, t->one);
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
void sqlite_need(struct sqlite_reader *r, enum table table, int64_t id, struct place where,
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
            sqlite_push_samples(r, missing_id);
        if (missing == TABLE_SAMPLES && r->tables[TABLE_SAMPLES].last < missing_id)
            die_at(where, "%s: there is no sample %lld", column, (long long)missing_id);
        if (missing != TABLE_SAMPLES)
            sqlite_need(r, missing, missing_id, where, column);
        read_any(r, table, t->all, where, &row);
    }
    if (!is_pushed(r, table, id))
        push(r, table, id, &row, where);
}

void sqlite_push_rows(struct sqlite_reader *r, enum table table, int64_t last)
{
    struct sqlite_table *t = &r->tables[table];
    while (sqlite_has_row(r, t)) {
        struct place where = sqlite_row_place(t, t->all);
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

void sqlite_push_meta(struct sqlite_reader *r)
{
    struct sqlite_table *t = &r->tables[TABLE_META];
    struct buf promise = {0};
    struct row row;
    struct place where = {r->db->name, PLACE_FILE, 0};
    if (!sqlite_has_row(r, t))
        die_at(where, "meta: expected one row, found none");
    where = sqlite_row_place(t, t->all);
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
    if (sqlite_has_row(r, t))
        die_at(sqlite_row_place(t, t->all), "meta: expected one row, found another");
}

#include "base/decimal.h"
#include "base/mem.h"
#include "base/port.h"
#include "formats/sqlite/sqlite_write.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/site.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <stdlib.h>

/* --- the order of rows --- */

static void end_run(struct sqlite_writer *w)
{
    if (w->run_table.n == 0)
        return;
    sqlite_batch_integer(&w->runs, ++w->run_count);
    sqlite_batch_text(&w->runs, w->run_table);
    sqlite_batch_integer(&w->runs, w->run_last);
    sqlite_batch_end(&w->runs);
}

/* Records that the next row is ID of TABLE. */
static void note_row(struct sqlite_writer *w, struct str table, int64_t id)
{
    if (!str_equal(table, w->run_table)) {
        end_run(w);
        w->run_table = table;
    }
    w->run_last = id;
}

/* --- values of columns --- */

/* The bytes of TEXT (canonical), valid until the next call. */
static struct str bytes_of(struct sqlite_writer *w, struct str text)
{
    if (memchr(text.p, '\\', text.n) == NULL)
        return text;
    w->text.n = 0;
    text_unescape(&w->text, text);
    return buf_str(&w->text);
}

static void put_string(struct sqlite_writer *w, struct sqlite_batch *b, struct str text)
{
    if (text.p == NULL)
        sqlite_batch_null(b);
    else
        sqlite_batch_text(b, bytes_of(w, text));
}

static void put_id(struct sqlite_batch *b, int64_t id)
{
    if (id == ROW_NULL)
        sqlite_batch_null(b);
    else
        sqlite_batch_integer(b, id);
}

/* The double spelled by TEXT. */
static double real_of(struct sqlite_writer *w, struct str text)
{
    w->text.n = 0;
    buf_add(&w->text, text);
    buf_add(&w->text, (struct str){"", 1});
    return strtod(w->text.p, NULL);
}

/* Puts NUMBER. If its digits would not come back the same, they go to w->object. */
static void put_number(struct sqlite_writer *w, struct sqlite_batch *b, const struct number *number)
{
    double value;
    switch (number->kind) {
    case NUMBER_NULL: sqlite_batch_null(b); return;
    case NUMBER_INTEGER: sqlite_batch_integer(b, number->integer); return;
    default: break;
    }
    value = real_of(w, number->real);
    sqlite_batch_real(b, value);
    w->digits.n = 0;
    decimal_write_double(&w->digits, value);
    if (!str_equal(buf_str(&w->digits), number->real)) {
        emit_member(&w->object, SQLITE_DIGITS);
        emit_string(&w->object, number->real);
    }
}

/* --- dotted columns --- */

/* Sets w->object to the members EXTRA of a row of TABLE, without our own: these describe how an
 * earlier database stored the row. */
static void take_extra(struct sqlite_writer *w, enum table table, struct str extra)
{
    static const struct str own[] = {SQLITE_DIGITS, SQLITE_POSITION};
    struct str name, value;
    w->object.n = 0;
    struct str rest = extra;
    bool may_have = extra.n > 0 && port_memmem(extra.p, extra.n, ".sqlite_", 8) != NULL;
    while (may_have && rest.n > 0 && text_next_member(&rest, &name, &value))
        for (size_t i = 0; table < TABLE_COUNT && i < sizeof own / sizeof *own; i++)
            if (str_equal(name, own[i])) {
                struct buf left = {0};
                struct row row = {.table = table};
                loss_add_column(&row, name);
                emit_others(&left, extra, name);
                take_extra(w, table, buf_str(&left));
                buf_free(&left);
                return;
            }
    buf_add(&w->object, extra);
}

/* Turns w->object, a list of members, into an object and returns it. */
static struct str end_object(struct sqlite_writer *w)
{
    emit_make_object(&w->object, 0);
    return buf_str(&w->object);
}

/* Puts w->object, a list of members, as an object; null if it is empty, unless ALWAYS. */
static void put_object(struct sqlite_writer *w, struct sqlite_batch *b, bool always)
{
    if (w->object.n == 0 && !always)
        sqlite_batch_null(b);
    else
        sqlite_batch_text(b, end_object(w));
}

/* The id of the object DOTTED in stored_dotted. What is known is stored once. */
static uint32_t store_dotted(struct sqlite_writer *w, struct str dotted)
{
    enum { MAX = 2 << 20 }; /* bytes */
    uint32_t number = intern_find(&w->dotted, dotted);
    if (number != 0)
        return w->dotted_ids[number - 1];
    sqlite_batch_integer(&w->stored_dotted, ++w->stored_count);
    sqlite_batch_text(&w->stored_dotted, dotted);
    sqlite_batch_end(&w->stored_dotted);
    if (w->dotted_size + dotted.n > MAX)
        return w->stored_count;
    w->dotted_size += dotted.n;
    number = intern_add(&w->dotted, dotted, NULL);
    w->dotted_ids = mem_array(w->dotted_ids, &w->dotted_capacity, number, sizeof *w->dotted_ids);
    return w->dotted_ids[number - 1] = w->stored_count;
}

/* Stores the labels in w->object, the members of a sample, and removes them from there if the
 * reader can put them back: they are the first member, as all our readers write it. Returns the id
 * of their set; 0: there are none. */
static uint32_t take_labels(struct sqlite_writer *w)
{
    struct str rest = buf_str(&w->object), name, value;
    for (bool is_first = true; text_next_member(&rest, &name, &value); is_first = false) {
        if (!str_equal(name, STR(".labels")))
            continue;
        struct sqlite_label_set set = sqlite_labels_add(&w->labels, value);
        if (set.is_exact && is_first) {
            memmove(w->object.p, rest.p, rest.n);
            w->object.n = rest.n;
        }
        return set.id;
    }
    return 0;
}

/* Puts the time of a sample with the dotted columns EXTRA, and takes it off if the reader can put
 * it back: it is the first of them, as all our readers write it. */
static void put_time(struct sqlite_batch *b, struct str *extra)
{
    int64_t time;
    if (sample_take_time(extra, &time) || sample_time(*extra, &time))
        sqlite_batch_integer(b, time);
    else
        sqlite_batch_null(b);
}

/* Puts w->object, the members of a sample: the ids of its labels, and of the rest. */
static void put_sample_members(struct sqlite_writer *w, struct sqlite_batch *b)
{
    uint32_t labels = w->object.n == 0 ? 0 : take_labels(w),
             dotted = w->object.n == 0 ? 0 : store_dotted(w, end_object(w));
    put_id(b, labels == 0 ? ROW_NULL : labels);
    put_id(b, dotted == 0 ? ROW_NULL : dotted);
}

/* --- rows --- */

static void put_column(struct sqlite_writer *w, struct sqlite_batch *b, const struct row *row,
                       const struct schema_column *column)
{
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER: put_id(b, *row_integer(row, column)); break;
    case SHAPE_NUMBER: put_number(w, b, row_number(row, column)); break;
    default: put_string(w, b, *row_string(row, column));
    }
}

static void take_dotted(struct sqlite_writer *w, const struct row *row)
{
    struct sqlite_batch *b = &w->dotted_rows;
    note_row(w, STR("dotted_rows"), ++w->dotted_count);
    sqlite_batch_integer(b, w->dotted_count);
    put_string(w, b, row->dotted.name);
    take_extra(w, TABLE_DOTTED, row->extra);
    put_object(w, b, true);
    sqlite_batch_end(b);
}

/* Sets w->object to the dotted columns of ROW that have no column of their own. */
static void take_members(struct sqlite_writer *w, const struct row *row)
{
    struct row_site site = row->site;
    site.mapping_id = site.inlined_into = 0;
    take_extra(w, row->table, row->extra);
    if (!row_has_site(row))
        return;
    w->text.n = 0;
    emit_site(&w->text, &site);
    buf_add(&w->text, buf_str(&w->object));
    struct buf members = w->text;
    w->text = w->object;
    w->object = members;
}

/* Puts the references in dotted columns of a row of locations, in the order of
 * model_next_column. */
static void put_references(struct sqlite_batch *b, struct row *row)
{
    for (enum member_id id = 0; model_next_column(TABLE_LOCATIONS, &id); id++) {
        int64_t to = *site_reference(&row->site, id);
        put_id(b, to == 0 ? ROW_NULL : to);
    }
}

/* The key of type NUMBER of the flow in SOURCE. */
static uint64_t level_key(int64_t source, uint32_t number)
{
    return (uint64_t)source << 32 | number;
}

/* Records which types of the source ROW are levels or inclusive: they are not added up. */
static void note_levels(struct sqlite_writer *w, const struct row *row)
{
    struct members walk = members_of(row, w->sink.flow->where, NULL);
    struct member column;
    if (row->extra.n == 0)
        return;
    while (members_next(&walk, &column)) {
        if (column.id != MEMBER_ID_VALUE_TYPES)
            continue;
        struct listed types = listed_of(&walk, &column);
        while (listed_next(&types)) {
            uint32_t number = value_types_add_bytes(&w->sink.flow->types, buf_str(&types.type),
                                                    buf_str(&types.unit));
            uint64_t key = level_key(row->source.source_id, number);
            if ((types.gauge || types.inclusive) && idmap_get(&w->levels, key) == 0)
                idmap_put(&w->levels, key, 1);
        }
        listed_free(&types);
    }
}

void sqlite_take_row(struct sink *to, struct row *row)
{
    struct sqlite_writer *w = (struct sqlite_writer *)to;
    if (row->table == TABLE_DOTTED) {
        take_dotted(w, row);
        return;
    }
    const struct schema_table *t = &schema_tables[row->table];
    struct sqlite_batch *b = &w->rows[row->table];
    struct buf promise = {0};
    if (row->table == TABLE_META) {
        w->has_meta = true;
        emit_others(&promise, row->extra, STR(".ends"));
        row->extra = buf_str(&promise);
    } else {
        note_row(w, t->name, *row_integer(row, &t->columns[0]));
    }
    if (row->table == TABLE_SOURCES && !w->options.plain)
        note_levels(w, row);
    take_members(w, row);
    for (unsigned i = 0; i < t->column_count; i++)
        put_column(w, b, row, &t->columns[i]);
    if (row->table == TABLE_LOCATIONS)
        put_references(b, row);
    put_object(w, b, row->table == TABLE_MAPPINGS);
    sqlite_batch_end(b);
    buf_free(&promise);
}

/* --- samples --- */

/* The type of V in the database. */
static const struct sqlite_type *type_of(struct sqlite_writer *w, const struct sample_value *v)
{
    if (v->type > w->type_capacity)
        w->types = mem_array_zeroed(w->types, &w->type_capacity, v->type, sizeof *w->types);
    struct sqlite_type *type = &w->types[v->type - 1];
    if (type->id == 0) {
        const struct value_type *t = value_types_get(&w->sink.flow->types, v->type);
        type->id = ++w->type_count;
        type->type = arena_copy(&w->arena, bytes_of(w, t->type));
        type->unit = arena_copy(&w->arena, bytes_of(w, t->unit));
    }
    return type;
}

/* Whether the values of SAMPLE are in the order of their types, as they are stored. */
static bool is_ordered(struct sqlite_writer *w, const struct sample *sample)
{
    uint32_t last = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        uint32_t id = type_of(w, &sample->values[i])->id;
        if (id < last)
            return false;
        last = id;
    }
    return true;
}

static void take_value(struct sqlite_writer *w, int64_t sample_id, const struct sample_value *v,
                       size_t position)
{
    const struct sqlite_type *type = type_of(w, v);
    struct sqlite_batch *b = &w->rows[TABLE_SAMPLE_VALUES];
    take_extra(w, TABLE_SAMPLE_VALUES, v->extra);
    sqlite_batch_integer(b, sample_id);
    if (w->options.plain) {
        sqlite_batch_text(b, type->type);
        sqlite_batch_text(b, type->unit);
    } else {
        sqlite_batch_integer(b, type->id);
    }
    put_number(w, b, &v->value);
    sqlite_batch_end(b);
    if (position > 0) {
        emit_member(&w->object, SQLITE_POSITION);
        emit_number(&w->object, (int64_t)position);
    }
    if (w->object.n == 0)
        return;
    sqlite_batch_integer(&w->values_dotted, sample_id);
    sqlite_batch_text(&w->values_dotted, type->type);
    put_object(w, &w->values_dotted, true);
    sqlite_batch_end(&w->values_dotted);
}

static void sum_up(struct sqlite_writer *w, const struct sample *sample, uint32_t node)
{
    uint32_t end = w->stacks.end_of[node - 1];
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        uint32_t type = type_of(w, v)->id, source = (uint32_t)sample->source_id;
        if (idmap_get(&w->levels, level_key(sample->source_id, v->type)) != 0)
            continue;
        if (v->value.kind == NUMBER_INTEGER)
            sqlite_sums_add(&w->sums, end, type, source, v->value.integer);
        else
            sqlite_sums_add_real(&w->sums, end, type, source, real_of(w, v->value.real));
    }
}

static void take_stack(struct sqlite_writer *w, const struct sample *sample)
{
    struct sqlite_batch *b = &w->rows[TABLE_SAMPLE_LOCATIONS];
    for (size_t i = 0; i < sample->depth && w->options.plain; i++) {
        sqlite_batch_integer(b, sample->sample_id);
        sqlite_batch_integer(b, (int64_t)i + 1);
        sqlite_batch_integer(b, sample->locations[i]);
        sqlite_batch_end(b);
    }
    for (size_t i = 0; i < sample->depth && sample->location_extras != NULL; i++) {
        take_extra(w, TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
        if (w->object.n == 0)
            continue;
        sqlite_batch_integer(&w->locations_dotted, sample->sample_id);
        sqlite_batch_integer(&w->locations_dotted, (int64_t)i + 1);
        put_object(w, &w->locations_dotted, true);
        sqlite_batch_end(&w->locations_dotted);
    }
}

/* The node in which the stack of SAMPLE ends; 0: none. New nodes count as growth. */
static uint32_t add_stack(struct sqlite_writer *w, const struct sample *sample)
{
    uint32_t before = w->stacks.tree.count;
    growth_hold(w->sink.flow, LIMITS_NODE * (uint64_t)sample->depth); /* before nodes are made */
    uint32_t node = sqlite_stacks_add(&w->stacks, sample->locations, sample->depth);
    growth_drop(w->sink.flow,
                LIMITS_NODE * (sample->depth - (uint64_t)(w->stacks.tree.count - before)));
    return node;
}

void sqlite_take_sample(struct sink *to, struct sample *sample)
{
    struct sqlite_writer *w = (struct sqlite_writer *)to;
    struct sqlite_batch *b = &w->rows[TABLE_SAMPLES];
    note_row(w, schema_tables[TABLE_SAMPLES].name, sample->sample_id);
    sqlite_batch_integer(b, sample->sample_id);
    sqlite_batch_integer(b, sample->source_id);
    if (!w->options.plain) {
        uint32_t node = add_stack(w, sample);
        put_id(b, node == 0 ? ROW_NULL : node);
        if (node != 0)
            sum_up(w, sample, node);
    }
    struct str extra = sample->extra;
    put_time(b, &extra);
    take_extra(w, TABLE_SAMPLES, extra);
    if (w->options.plain)
        put_object(w, b, false);
    else
        put_sample_members(w, b);
    sqlite_batch_end(b);
    bool ordered = is_ordered(w, sample);
    for (size_t i = 0; i < sample->value_count; i++)
        take_value(w, sample->sample_id, &sample->values[i], ordered ? 0 : i + 1);
    take_stack(w, sample);
}

/* --- batches --- */

static void open_batch(struct sqlite_writer *w, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    struct buf columns = {0};
    unsigned count = t->column_count;
    for (unsigned i = 0; i < t->column_count; i++) {
        buf_add(&columns, t->columns[i].name);
        buf_add(&columns, STR(", "));
    }
    if (table == TABLE_SAMPLES && !w->options.plain) {
        buf_add(&columns, STR("node_id, "));
        count++;
    }
    for (enum member_id id = 0; model_next_column(table, &id); id++) {
        buf_add(&columns, STR("\""));
        buf_add(&columns, members_known(id)->name);
        buf_add(&columns, STR("\", "));
        count++;
    }
    if (table == TABLE_SAMPLES && !w->options.plain) {
        buf_add(&columns, STR("labels_id, dotted_id"));
        count++;
    } else {
        buf_add(&columns, model_dotted_column(table));
    }
    buf_add(&columns, (struct str){"", 1});
    sqlite_batch_open(&w->rows[table], w->db, t->name.p, columns.p, count + 1);
    buf_free(&columns);
}

void sqlite_open_rows(struct sqlite_writer *w)
{
    static const char values[] = "sample_id, type, unit, value";
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        if (model_has_dotted(model_tables[i]))
            open_batch(w, model_tables[i]);
    if (w->options.plain) {
        sqlite_batch_open(&w->rows[TABLE_SAMPLE_VALUES], w->db, "sample_values", values, 4);
        sqlite_batch_open(&w->rows[TABLE_SAMPLE_LOCATIONS], w->db, "sample_locations",
                          "sample_id, depth, location_id", 3);
    } else {
        sqlite_batch_open(&w->rows[TABLE_SAMPLE_VALUES], w->db, "stored_values",
                          "sample_id, type_id, value", 3);
        sqlite_batch_open(&w->stored_dotted, w->db, "stored_dotted", "dotted_id, dotted", 2);
        sqlite_labels_open(&w->labels, w->db);
    }
    sqlite_batch_open(&w->dotted_rows, w->db, "dotted_rows", "row_id, table_name, members", 3);
    sqlite_batch_open(&w->values_dotted, w->db, "sample_values_dotted", "sample_id, type, dotted",
                      3);
    sqlite_batch_open(&w->locations_dotted, w->db, "sample_locations_dotted",
                      "sample_id, depth, dotted", 3);
    sqlite_batch_open(&w->runs, w->db, "row_runs", "run_id, table_name, last", 3);
}

/* Types, in the order of their ids: that of the flow depends on what a reader knows first, and bytes
 * of the database should not. */
static void write_types(struct sqlite_writer *w)
{
    struct sqlite_batch b;
    const struct sqlite_type **by_id = mem_alloc_zeroed((w->type_capacity + 1) * sizeof *by_id);
    for (size_t i = 0; i < w->type_capacity; i++)
        if (w->types[i].id != 0)
            by_id[w->types[i].id - 1] = &w->types[i];
    sqlite_batch_open(&b, w->db, "value_types", "type_id, type, unit", 3);
    for (size_t i = 0; by_id[i] != NULL; i++) {
        sqlite_batch_integer(&b, by_id[i]->id);
        sqlite_batch_text(&b, by_id[i]->type);
        sqlite_batch_text(&b, by_id[i]->unit);
        sqlite_batch_end(&b);
    }
    sqlite_batch_close(&b);
    mem_free(by_id);
}

void sqlite_close_rows(struct sqlite_writer *w)
{
    struct row begin = row_begin();
    if (!w->has_meta) /* there was no input */
        sqlite_take_row(&w->sink, &begin);
    end_run(w);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        sqlite_batch_close(&w->rows[i]);
    struct sqlite_batch *others[] = {&w->dotted_rows, &w->values_dotted, &w->locations_dotted,
                                     &w->stored_dotted, &w->runs};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        sqlite_batch_close(others[i]);
    sqlite_labels_close(&w->labels);
    write_types(w);
    intern_free(&w->dotted);
    mem_free(w->dotted_ids);
}

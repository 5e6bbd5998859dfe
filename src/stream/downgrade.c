#include "stream/downgrade.h"

#include "rows/emit.h"
#include "rows/hidden.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/stack.h"
#include "rows/text.h"

/* --- spooled rows --- */

static void keep(struct downgrade *d, struct spool **spool, const struct row *row)
{
    if (*spool == NULL)
        *spool = spool_open();
    if (d->line_out == NULL)
        d->line_out = out_open_buf(&d->line);
    emit_row(d->line_out, row);
    out_flush(d->line_out);
    spool_write(*spool, buf_str(&d->line));
    d->line.n = 0;
}

static void release(struct downgrade *d, struct spool **spool)
{
    if (*spool == NULL)
        return;
    spool_copy(*spool, d->out);
    spool_close(*spool);
    *spool = NULL;
}

/* --- samples --- */

static void end_streak(struct downgrade *d)
{
    if (d->streak == 0)
        return;
    stack_end(&d->streak_stack);
    keep(d, &d->streaks,
         &(struct row){.table = TABLE_STREAKS,
                       .streak = {d->streak, buf_str(&d->streak_stack)},
                       .extra = buf_str(&d->streak_extra)});
    d->streak = 0;
}

static void swap(struct buf *a, struct buf *b)
{
    struct buf c = *a;
    *a = *b;
    *b = c;
}

/* Adds the current sample to the streak before it, or starts another streak. */
static void end_sample(struct downgrade *d)
{
    int64_t count = d->has_count ? d->count : 1;
    if (count == 0)
        return;
    if (d->streak > 0 && d->streak <= INT64_MAX - count &&
        str_equal(buf_str(&d->stack), buf_str(&d->streak_stack)) &&
        str_equal(buf_str(&d->extra), buf_str(&d->streak_extra))) {
        d->streak += count;
        return;
    }
    end_streak(d);
    d->streak = count;
    swap(&d->stack, &d->streak_stack);
    swap(&d->extra, &d->streak_extra);
}

/* samples/count is how many samples it stands for; 1.0 has no other values. */
static void take_value(struct downgrade *d, const struct sample_value *v)
{
    const struct value_type *type = value_types_get(&d->sink.flow->types, v->type);
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (d->has_count || !str_equal(type->type, STR("samples")) ||
        !str_equal(type->unit, STR("count"))) {
        loss_add(LOSS_VALUES, type->type, 1);
        return;
    }
    d->has_count = true;
    d->count = v->value.kind == NUMBER_INTEGER && v->value.integer > 0 ? v->value.integer : 0;
    if (d->count == 0)
        loss_add(LOSS_COUNTS, STR(""), 1);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct downgrade *d = (struct downgrade *)to;
    d->has_count = false;
    d->stack.n = d->extra.n = 0;
    buf_add(&d->extra, sample->extra);
    for (size_t i = 0; i < sample->value_count; i++)
        take_value(d, &sample->values[i]);
    emit_check_length(schema_tables[TABLE_STREAKS].name, sample->depth * STACK_ITEM_MIN);
    for (size_t i = 0; i < sample->depth; i++) {
        stack_add(&d->stack, sample->locations[i]);
        if (sample->location_extras != NULL)
            loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    }
    end_sample(d);
}

/* --- sources and dotted tables --- */

static void drop(const char *column, bool dropped)
{
    if (dropped)
        loss_add(LOSS_FACTS, str_of(column), 1);
}

/* Whether TYPES, a `.value_types`, says nothing that version 1.0 cannot hold. */
static bool is_samples_alone(struct str types)
{
    struct str rest = text_inside(types), item, name, value;
    while (text_next_item(&rest, &item)) {
        struct str members = text_inside(item);
        while (text_next_member(&members, &name, &value))
            if (!(str_equal(name, STR("type")) && str_equal(value, STR("\"samples\""))) &&
                !(str_equal(name, STR("unit")) && str_equal(value, STR("\"count\""))))
                return false;
    }
    return true;
}

/* Version 1.0 has one source, without a row: a hidden table may show its format. */
static void take_source(struct downgrade *d, const struct row *row)
{
    struct str type = row->source.source_type, rest = row->extra, name, value;
    bool first = d->source_count++ == 0;
    if (first && hidden_of(type) != NULL)
        d->wanted = hidden_of(type)->name;
    drop("source_uri", row->source.source_uri.p != NULL);
    drop("source_timestamp", row->source.source_timestamp.kind != NUMBER_NULL);
    drop("source_type", !first || (d->wanted.n == 0 && !str_equal(type, STR("manual"))) ||
                            (d->hidden.n > 0 && !str_equal(d->hidden, d->wanted)));
    while (text_next_member(&rest, &name, &value)) {
        if (!first || (str_equal(name, STR(".value_types")) && !is_samples_alone(value))) {
            loss_add(LOSS_FACTS, name, 1);
            continue;
        }
        emit_member(&d->type_extra, name);
        buf_add(&d->type_extra, value);
    }
}

/* Whether ROW, of a dotted table, refers to rows that version 1.0 does not number or defines
 * later. */
static bool refers(const struct row *row)
{
    struct members walk = members_references(row, (struct place){0}, &findings_ignored);
    struct member m;
    while (members_next(&walk, &m))
        if (m.id != MEMBER_ID_OTHER && m.refers != TABLE_MAPPINGS && m.integer != ROW_NULL)
            return true;
    return false;
}

static void take_dotted(struct downgrade *d, const struct row *row)
{
    if (refers(row)) {
        loss_add_row(row);
        return;
    }
    const struct hidden_table *hidden = hidden_named(row->dotted.name);
    if (hidden != NULL) {
        d->hidden = hidden->name;
        drop("source_type", d->source_count > 0 && !str_equal(d->hidden, d->wanted));
    }
    emit_row(d->out, row);
}

/* --- profiles --- */

/* Writes everything that was spooled. */
static void end_profile(struct downgrade *d)
{
    end_streak(d);
    if (d->wanted.n > 0 && d->hidden.n == 0)
        emit_row(d->out, &(struct row){.table = TABLE_DOTTED, .dotted = {d->wanted}});
    if (d->open)
        emit_row(d->out, &(struct row){.table = TABLE_SAMPLE_TYPES,
                                       .sample_type = {STR("samples"), STR("count")},
                                       .extra = buf_str(&d->type_extra)});
    release(d, &d->functions);
    release(d, &d->locations);
    release(d, &d->streaks);
    d->source_count = 0;
    d->open = false;
    d->wanted = d->hidden = STR("");
    d->type_extra.n = 0;
}

static void take_row(struct sink *to, struct row *row)
{
    struct downgrade *d = (struct downgrade *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: keep(d, &d->locations, row); break;
    case TABLE_FUNCTIONS: keep(d, &d->functions, row); break;
    case TABLE_SOURCES: take_source(d, row); break;
    case TABLE_MAPPINGS: emit_row(d->out, row); break;
    case TABLE_META: {
        struct row meta = *row;
        end_profile(d);
        meta.meta.value = STR("1.0");
        emit_row(d->out, &meta);
        out_finish(d->out);
        d->open = true;
        break;
    }
    default:
        if (row_is_end(row)) {
            end_profile(d);
            emit_row(d->out, row);
        } else {
            take_dotted(d, row);
        }
    }
}

struct downgrade downgrade_of(struct flow *flow, struct out *out)
{
    return (struct downgrade){.sink = {flow, take_row, take_sample}, .out = out};
}

void downgrade_end(struct downgrade *d)
{
    end_profile(d);
    if (d->line_out != NULL)
        out_close(d->line_out);
    BUF_FREE(&d->type_extra, &d->stack, &d->streak_stack, &d->extra, &d->streak_extra, &d->line);
}

#include "tools/report.h"

#include "base/buf.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "table/columns.h"
#include "tools/tool.h"

#include <inttypes.h>
#include <stdio.h>

/* --- rows --- */

/* What the columns of a row say, in their order; p NULL: nothing. */
struct report_row {
    struct str file, line, rule, table, column, message, count;
};

static void add_cell(struct buf *row, enum column_id id, struct str bytes, bool is_number)
{
    struct buf text = {0};
    buf_add(row, row->n > 1 ? STR(",") : STR(""));
    emit_string(row, columns_known[id].name);
    buf_add(row, STR(":"));
    if (bytes.p == NULL) {
        buf_add(row, STR("null"));
    } else if (is_number) {
        buf_add(row, bytes);
    } else {
        text_escape(&text, bytes);
        emit_string(row, buf_str(&text));
    }
    buf_free(&text);
}

static void write_row(struct out *out, const struct report_row *r)
{
    struct buf row = {0};
    buf_add(&row, STR("{"));
    add_cell(&row, COLUMN_FILE, r->file, false);
    add_cell(&row, COLUMN_LINE, r->line, true);
    add_cell(&row, COLUMN_RULE, r->rule, false);
    add_cell(&row, COLUMN_IN_TABLE, r->table, false);
    add_cell(&row, COLUMN_COLUMN, r->column, false);
    add_cell(&row, COLUMN_MESSAGE, r->message, false);
    add_cell(&row, COLUMN_COUNT, r->count, true);
    buf_add(&row, STR("}\n"));
    out_write(out, buf_str(&row));
    buf_free(&row);
}

/* TEXT, or nothing if it is empty. */
static struct str some(struct str text)
{
    return text.n > 0 ? text : (struct str){NULL, 0};
}

static void write_finding(struct out *out, const struct finding *f)
{
    struct buf line = {0};
    if (f->where.kind == PLACE_LINE)
        emit_number(&line, (int64_t)f->where.at);
    write_row(out, &(struct report_row){.file = str_of(f->where.file),
                                        .line = some(buf_str(&line)),
                                        .rule = finding_rule(f->rule),
                                        .table = some(f->table),
                                        .column = some(f->column),
                                        .message = str_of(f->message)});
    buf_free(&line);
}

/* --- lines --- */

static void print_finding(const struct finding *f)
{
    struct str rule = finding_rule(f->rule);
    diag_report(f->where, "%.*s%s%.*s%s%s [%.*s]", STR_ARG(f->table), f->column.n > 0 ? "." : "",
                STR_ARG(f->column), f->table.n > 0 ? ": " : "", f->message, STR_ARG(rule));
}

static _Noreturn void die_counts(const struct report *r)
{
    struct buf line = {0};
    for (unsigned rule = 0; rule < RULE_COUNT; rule++) {
        char count[32];
        if (r->by_rule[rule] == 0)
            continue;
        snprintf(count, sizeof count, " (%" PRIu64 ")", r->by_rule[rule]);
        buf_add(&line, line.n > 0 ? STR(", ") : STR(""));
        buf_add(&line, finding_rule((enum rule)rule));
        buf_add(&line, str_of(count));
    }
    if (r->counts.findings > r->max)
        die(CODE_FINDING, "findings: %.*s; the first %" PRIu64 " are shown",
            STR_ARG(buf_str(&line)), r->max);
    die(CODE_FINDING, "findings: %.*s", STR_ARG(buf_str(&line)));
}

/* --- both --- */

void report_found(struct findings *to, const struct finding *finding)
{
    struct report *r = (struct report *)to;
    if ((r->rules & 1u << finding->rule) == 0)
        return;
    r->by_rule[finding->rule]++;
    if (++r->counts.findings > r->max)
        return;
    if (r->rows != NULL) {
        write_finding(r->rows, finding);
        out_flush(r->rows); /* a later error must not discard these rows */
    } else {
        print_finding(finding);
    }
}

static void write_counts(const struct report *r)
{
    for (unsigned rule = 0; rule < RULE_COUNT; rule++) {
        struct buf count = {0};
        if (r->by_rule[rule] == 0)
            continue;
        emit_number(&count, (int64_t)r->by_rule[rule]);
        write_row(r->rows, &(struct report_row){.rule = finding_rule((enum rule)rule),
                                                .count = buf_str(&count)});
        buf_free(&count);
    }
}

void report_end(const struct report *r)
{
    for (unsigned t = 0; t <= TABLE_COUNT; t++) {
        struct str name = t < TABLE_COUNT ? schema_tables[t].name : STR("other dotted tables");
        if (r->counts.rows[t] > 0)
            note("%.*s%s: %" PRIu64 " rows", STR_ARG(name),
                 t == TABLE_STREAKS ? " of version 1.0" : "", r->counts.rows[t]);
    }
    if (r->counts.findings == 0)
        return;
    if (r->rows == NULL)
        die_counts(r);
    write_counts(r);
    diag_fail(STATUS_INPUT);
}

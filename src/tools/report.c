#include "tools/report.h"

#include "base/buf.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "tools/tool.h"

#include <inttypes.h>
#include <stdio.h>

/* --- rows --- */

static void add_text(struct buf *row, struct str name, struct str text)
{
    emit_member(row, name);
    emit_string(row, text);
}

static void add_bytes(struct buf *row, struct str name, struct str bytes)
{
    struct buf text = {0};
    text_escape(&text, bytes);
    add_text(row, name, buf_str(&text));
    buf_free(&text);
}

static void write_row(struct out *out, struct str table, struct buf *row)
{
    out_write(out, STR("{\"table\":\""));
    out_write(out, table);
    out_write(out, STR("\""));
    out_write(out, buf_str(row));
    out_write(out, STR("}\n"));
    buf_free(row);
}

static void write_finding(struct out *out, const struct finding *f)
{
    struct buf row = {0};
    add_bytes(&row, STR("file"), str_of(f->where.file));
    emit_member(&row, STR("line"));
    if (f->where.kind == PLACE_LINE)
        emit_number(&row, (int64_t)f->where.at);
    else
        buf_add(&row, STR("null"));
    add_text(&row, STR("rule"), finding_rule(f->rule));
    add_text(&row, STR("in_table"), f->table);
    add_text(&row, STR("column"), f->column);
    add_bytes(&row, STR("message"), str_of(f->message));
    write_row(out, STR("findings"), &row);
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
        die(STATUS_INPUT, "findings: %.*s; the first %" PRIu64 " are shown",
            STR_ARG(buf_str(&line)), r->max);
    die(STATUS_INPUT, "findings: %.*s", STR_ARG(buf_str(&line)));
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
        struct buf row = {0};
        if (r->by_rule[rule] == 0)
            continue;
        add_text(&row, STR("rule"), finding_rule((enum rule)rule));
        emit_member(&row, STR("count"));
        emit_number(&row, (int64_t)r->by_rule[rule]);
        write_row(r->rows, STR("finding_counts"), &row);
    }
}

void report_end(const struct report *r)
{
    for (unsigned t = 0; t <= TABLE_COUNT; t++) {
        struct str name = t < TABLE_COUNT ? schema_tables[t].name : STR("other dotted tables");
        if (r->counts.rows[t] > 0)
            note("%.*s%s: %" PRIu64 " rows", STR_ARG(name),
                 t == TABLE_RUNS ? " of version 1.0" : "", r->counts.rows[t]);
    }
    if (r->counts.findings == 0)
        return;
    if (r->rows == NULL)
        die_counts(r);
    write_counts(r);
    tool_fail();
}

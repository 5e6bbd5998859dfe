/* A description for people: a line for each fact, with a heading before it. */
#include "base/width.h"
#include "info/info_parts.h"
#include "profile/naming.h"
#include "profile/source_date.h"
#include "rows/text.h"
#include "table/sheet_printer.h"

#include <math.h>
#include <stdio.h>

/* The width of headings, what stands before the text of a line, by how much more it is indented
 * where it goes on, and the values of a label that are shown. */
enum { HEADING = 11, BEFORE = HEADING + 3, INDENT = 2, FREQUENT = 5 };

struct page {
    const struct gather *g;
    struct out *out;
    size_t max;
    size_t columns;     /* of the terminal; 0: none */
    struct str heading; /* of the next line */
    struct buf line, scratch;
};

/* --- parts of a line --- */

static void add(struct page *p, struct str words)
{
    buf_add(&p->line, words);
}

static void add_bytes(struct page *p, struct str bytes)
{
    sheet_printer_add_name(&p->line, &p->scratch, bytes, false);
}

/* The same for BYTES that may be empty. */
static void add_given(struct page *p, struct str bytes)
{
    add_bytes(p, bytes.n > 0 ? bytes : STR("\"\""));
}

/* The same for TEXT, canonical text. */
static void add_text(struct page *p, struct str text)
{
    struct buf bytes = {0};
    text_unescape(&bytes, text);
    add_bytes(p, buf_str(&bytes));
    buf_free(&bytes);
}

/* Appends N and ONE or MANY. */
static void add_count(struct page *p, uint64_t n, const char *one, const char *many)
{
    sheet_add_grouped_count(&p->line, n);
    add(p, STR(" "));
    add(p, str_of(n == 1 ? one : many));
}

static void add_double(struct page *p, const char *format, double x)
{
    char text[64];
    add(p, (struct str){text, (size_t)snprintf(text, sizeof text, format, x)});
}

/* Appends X, in UNIT, as people read it. */
static void add_amount(struct page *p, struct decimal x, struct str unit)
{
    enum { FINEST = -12 };
    struct wide digits = x.digits;
    int power = x.exponent;
    for (; power > 0 && wide_multiply_fits(digits, wide_of(10), &digits); power--)
        continue;
    if (power > 0 || power < FINEST) {
        decimal_write(&p->line, x);
        add(p, unit.n > 0 ? STR(" ") : STR(""));
        add_text(p, unit);
        return;
    }
    const struct sheet_scale scale = sheet_scale_of(unit, power, wide_size(digits));
    sheet_add_scaled(&p->line, digits, &scale);
    add(p, scale.unit.n > 0 ? STR(" ") : STR(""));
    add_text(p, scale.unit);
}

static void add_number(struct page *p, double x, struct str unit)
{
    char text[64];
    snprintf(text, sizeof text, "%.15g", x);
    add_amount(p, decimal_read(str_of(text)), unit);
}

/* How many bytes of TEXT a line of COLUMNS has: up to a blank, if there is one, which follows a
 * comma or a semicolon where it can. */
static size_t fitting(struct str text, size_t columns)
{
    size_t fits, blank = 0;
    width_of(text, columns, &fits);
    if (fits == text.n)
        return fits;
    for (size_t n = fits; n > 0; n--) {
        if (text.p[n] != ' ')
            continue;
        if (text.p[n - 1] == ',' || text.p[n - 1] == ';')
            return n;
        blank = blank == 0 ? n : blank;
    }
    if (blank > 0)
        return blank;
    const char *next = memchr(text.p + fits, ' ', text.n - fits);
    return next != NULL ? (size_t)(next - text.p) : text.n;
}

/* Writes the line, in as many as the terminal wants. */
static void write_lines(struct page *p)
{
    static const char indent[BEFORE + INDENT + 1] = "                ";
    const bool is_narrow = p->columns > 2 * BEFORE;
    size_t room = is_narrow ? p->columns - BEFORE : SIZE_MAX;
    for (struct str rest = buf_str(&p->line); rest.n > 0; room = p->columns - BEFORE - INDENT) {
        const size_t n = fitting(rest, room);
        out_write(p->out, rest.p == p->line.p ? STR("") : str_of(indent));
        out_write(p->out, (struct str){rest.p, n});
        out_write(p->out, STR("\n"));
        rest = n == rest.n ? STR("") : (struct str){rest.p + n + 1, rest.n - n - 1};
    }
}

/* Ends the line, if it has anything. */
static void end_line(struct page *p)
{
    char start[32];
    if (p->line.n == 0)
        return;
    out_write(p->out, (struct str){start, (size_t)snprintf(start, sizeof start, "  %-*.*s ",
                                                           HEADING, STR_ARG(p->heading))});
    write_lines(p);
    p->line.n = 0;
    p->heading = STR("");
}

static void begin(struct page *p, struct str heading)
{
    p->heading = heading;
}

/* A line of BYTES, if there are any. */
static void write_fact(struct page *p, struct str heading, struct str bytes)
{
    begin(p, heading);
    add_bytes(p, bytes);
    end_line(p);
}

static void write_comments(struct page *p, struct str lines)
{
    struct str line;
    begin(p, STR("comments"));
    while (describe_next_comment(&lines, &line)) {
        add_bytes(p, line);
        end_line(p);
    }
}

/* That COUNT were left out of a list. */
static void write_more(struct page *p, uint64_t count)
{
    if (count == 0)
        return;
    add(p, STR("... and "));
    sheet_add_grouped_count(&p->line, count);
    add(p, STR(" more"));
    end_line(p);
}

/* What was left out of a list of COUNT. */
static void write_rest(struct page *p, size_t count)
{
    write_more(p, count <= p->max ? 0 : count - p->max);
}

/* --- sources --- */

/* Appends the date of SOURCE. */
static void add_date(struct page *p, size_t source)
{
    struct buf date = {0};
    source_date_add(&date, &p->g->profile.sources[source], true);
    add_bytes(p, buf_str(&date));
    buf_free(&date);
}

static void add_duration(struct page *p, size_t source)
{
    const struct profile_source *of = &p->g->profile.sources[source];
    const double busy = describe_busy(p->g, source);
    if (of->duration <= 0)
        return;
    add_amount(p, decimal_of(of->duration), STR("nanoseconds"));
    if (!(busy > 0))
        return;
    add_double(p, ", %.2f", busy);
    if (of->cores > 0) {
        add(p, STR(" of "));
        sheet_add_grouped_count(&p->line, (uint64_t)of->cores);
        add_double(p, " cores busy (%.1f %%)", 100 * busy / (double)of->cores);
    } else {
        add(p, STR(" cores busy"));
    }
}

static void add_period(struct page *p, const struct profile_source *of)
{
    struct buf unit = {0};
    text_escape(&unit, of->period_unit);
    add_amount(p, decimal_of(of->period), buf_str(&unit));
    add(p, of->period_type.n > 0 ? STR(" of ") : STR(""));
    add_bytes(p, of->period_type);
    buf_free(&unit);
}

/* The sources that were merged into OF, their names, and their digest. */
static void write_merged(struct page *p, const struct profile_source *of)
{
    const struct provenance *merged = describe_merged(of);
    struct str names = merged == NULL ? STR("") : buf_str(&merged->names), name;
    struct buf bytes = {0};
    uint64_t left = merged == NULL ? 0 : merged->count, times;
    begin(p, STR("merged"));
    if (merged == NULL && of->provenance != NULL) {
        add(p, STR("not known: its comments have "));
        add(p, str_of(provenance_wrong(of->provenance)));
        end_line(p);
    }
    if (merged == NULL)
        return;
    add_count(p, merged->count, "source", "sources");
    end_line(p);
    for (size_t i = 0; i < p->max && provenance_next(&names, &name, &times); i++) {
        bytes.n = 0;
        text_unescape_tabs(&bytes, name);
        add_bytes(p, buf_str(&bytes));
        if (times > 1)
            add_double(p, " (%.0f times)", (double)times);
        end_line(p);
        left -= times;
    }
    write_more(p, left);
    begin(p, STR("digest"));
    if (merged->undigested < merged->count)
        provenance_add_digest(&p->line, merged->digest);
    else if (merged->count > 0)
        add(p, STR("none"));
    if (merged->undigested > 0 && merged->undigested < merged->count) {
        add(p, STR(", without "));
        add_count(p, merged->undigested, "source", "sources");
    }
    end_line(p);
    buf_free(&bytes);
}

/* The facts of the only source. */
static void write_source(struct page *p)
{
    const struct profile_source *of = &p->g->profile.sources[0];
    if (of->uri.p != NULL && !str_equal(of->uri, p->g->input))
        write_fact(p, STR("source"), of->uri);
    if (!str_equal(of->kind, p->g->format))
        write_fact(p, STR("source type"), of->kind);
    write_fact(p, STR("producer"), of->producer);
    begin(p, STR("date"));
    add_date(p, 0);
    end_line(p);
    begin(p, STR("duration"));
    add_duration(p, 0);
    end_line(p);
    write_fact(p, STR("host"), of->host);
    write_fact(p, STR("command"), of->command);
    write_comments(p, of->comments);
    write_merged(p, of);
    begin(p, STR("period"));
    if (of->has_period)
        add_period(p, of);
    end_line(p);
}

static void write_sources(struct page *p)
{
    const struct gather *g = p->g;
    struct naming_sources names = {0};
    begin(p, STR("sources"));
    sheet_add_grouped_count(&p->line, g->profile.source_count);
    end_line(p);
    for (size_t i = 0; i < g->profile.source_count && i < p->max; i++) {
        const struct profile_source *of = &g->profile.sources[i];
        const struct str name = of->uri.p == NULL ? NAMING_UNKNOWN : of->uri;
        add_bytes(p, name);
        naming_add_number(&p->line, naming_number(&names, name));
        add(p, STR(": "));
        add_bytes(p, of->kind);
        const size_t before = p->line.n;
        add(p, STR(", "));
        add_date(p, i);
        if (p->line.n == before + 2)
            p->line.n = before;
        if (of->duration > 0) {
            add(p, STR(", "));
            add_duration(p, i);
        }
        add(p, STR(", "));
        add_count(p, gather_samples(g, &g->sources[i].count), "sample", "samples");
        if (of->has_period) {
            add(p, STR(", each "));
            add_period(p, of);
        }
        if (describe_merged(of) != NULL) {
            add(p, STR(", merged from "));
            sheet_add_grouped_count(&p->line, describe_merged(of)->count);
        }
        end_line(p);
    }
    write_rest(p, g->profile.source_count);
    naming_free_sources(&names);
}

/* --- samples and what they have --- */

/* Appends how many samples, COUNT, are WHAT, if any. */
static void add_some(struct page *p, const struct gather_count *count, struct str what)
{
    const uint64_t some = gather_samples(p->g, count), all = gather_samples(p->g, &p->g->all);
    if (some == 0)
        return;
    add(p, STR(", "));
    sheet_add_grouped_count(&p->line, some);
    add(p, STR(" "));
    add(p, what);
    add_double(p, " (%.1f %%)", 100 * (double)some / (double)all);
}

static void write_samples(struct page *p)
{
    const struct gather *g = p->g;
    begin(p, STR("samples"));
    sheet_add_grouped_count(&p->line, gather_samples(g, &g->all));
    if (gather_samples(g, &g->all) != g->all.rows) {
        add(p, STR(" in "));
        add_count(p, g->all.rows, "row", "rows");
    }
    add_some(p, &g->no_stack, STR("without a stack"));
    add_some(p, &g->no_name, STR("without a name"));
    add_some(p, &g->cut, STR("without their outer frames"));
    end_line(p);
    begin(p, STR("stacks"));
    sheet_add_grouped_count(&p->line, g->profile.stacks.count);
    if (g->deepest > 0) {
        add(p, STR("; "));
        add_count(p, gather_depth(g, 50), "frame", "frames");
        add(p, STR(" deep (median), "));
        sheet_add_grouped_count(&p->line, gather_depth(g, 95));
        add(p, STR(" (95 %), "));
        sheet_add_grouped_count(&p->line, g->deepest);
        add(p, STR(" (deepest)"));
    }
    end_line(p);
    begin(p, STR("functions"));
    sheet_add_grouped_count(&p->line, g->function_count);
    add(p, STR(" in "));
    add_count(p, g->location_count, "location", "locations");
    end_line(p);
}

static void add_spread(struct page *p, struct gather_type *t, struct str unit)
{
    add_number(p, spread_percentile(&t->spread, 50), unit);
    add(p, STR(" (median), "));
    add_number(p, spread_percentile(&t->spread, 95), unit);
    add(p, STR(" (95 %), "));
    add_amount(p, t->max, unit);
    add(p, STR(" (highest)"));
}

static void write_types(struct page *p)
{
    const struct gather *g = p->g;
    begin(p, STR("types"));
    for (size_t i = 0; i < g->type_count && i < p->max; i++) {
        const struct value_type *type = value_types_get(&g->flow->types, g->type_order[i]);
        struct gather_type *t = &g->types[g->type_order[i] - 1];
        add_text(p, type->type);
        add(p, STR(": "));
        const bool is_sum = !t->is_gauge && !t->is_inclusive;
        if (is_sum)
            add_amount(p, gather_sum(t), type->unit);
        else
            add(p, t->is_gauge ? STR("a level") : STR("with what was called"));
        if (t->spread.count > 0 && g->type_order[i] != g->counts &&
            (!is_sum || t->spread.min < t->spread.max)) {
            add(p, t->is_gauge       ? STR(", ")
                   : t->is_inclusive ? STR("; a row has ")
                                     : STR(" in all; a row has "));
            add_spread(p, t, type->unit);
        }
        end_line(p);
    }
    write_rest(p, g->type_count);
}

static void write_labels(struct page *p)
{
    const struct gather *g = p->g;
    begin(p, STR("labels"));
    for (size_t i = 0; i < g->key_count && i < p->max; i++) {
        const struct gather_key *key = &g->keys[i];
        add_given(p, profile_string_of(&g->profile, key->key));
        if (key->unit != 0) {
            add(p, STR(" ("));
            add_bytes(p, profile_string_of(&g->profile, key->unit));
            add(p, STR(")"));
        }
        add(p, STR(": "));
        add_count(p, key->value_count, "value", "values");
        add(p, STR(" in "));
        add_count(p, gather_samples(g, &key->count), "sample", "samples");
        for (size_t k = 0; k < key->value_count && k < FREQUENT; k++) {
            const struct gather_value *value = &g->values[key->first + k];
            struct buf text = {0};
            describe_add_value(&text, g, &value->label);
            add(p, k == 0 ? STR(": ") : STR(", "));
            add_given(p, buf_str(&text));
            add(p, STR(" ("));
            sheet_add_grouped_count(&p->line, gather_samples(g, &value->count));
            add(p, STR(")"));
            buf_free(&text);
        }
        add(p, key->value_count > FREQUENT ? STR(", ...") : STR(""));
        end_line(p);
    }
    write_rest(p, g->key_count);
}

static void write_mappings(struct page *p)
{
    const struct gather *g = p->g;
    begin(p, STR("mappings"));
    for (size_t i = 0; i < g->mapping_count && i < p->max; i++) {
        const struct profile_mapping *m = &g->profile.mappings[i];
        add_bytes(p, m->filename == 0 ? STR("<unknown>")
                                      : profile_string_of(&g->profile, m->filename));
        if (m->build_id != 0) {
            add(p, STR(", build id "));
            add_bytes(p, profile_string_of(&g->profile, m->build_id));
        }
        end_line(p);
    }
    write_rest(p, g->mapping_count);
}

void info_write_text(const struct gather *g, size_t max, struct out *out)
{
    struct page p = {.g = g, .out = out, .max = max, .columns = out_window(out).columns};
    add_bytes(&p, g->input);
    add(&p, STR("\n"));
    out_write(out, buf_str(&p.line));
    p.line.n = 0;
    write_fact(&p, STR("format"), g->format);
    if (g->profile.source_count == 1)
        write_source(&p);
    else if (g->profile.source_count > 1)
        write_sources(&p);
    write_samples(&p);
    write_types(&p);
    write_labels(&p);
    write_mappings(&p);
    buf_free(&p.line);
    buf_free(&p.scratch);
}

#include "summary/sheet.h"

#include "base/decimal.h"
#include "base/units.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>

const char *const sheet_formats[SHEET_FORMAT_COUNT] = {
    [SHEET_FORMAT_TEXT] = "text",     [SHEET_FORMAT_TSV] = "tsv",
    [SHEET_FORMAT_CSV] = "csv",       [SHEET_FORMAT_JSON] = "json",
    [SHEET_FORMAT_NDJSON] = "ndjson", [SHEET_FORMAT_MARKDOWN] = "markdown",
    [SHEET_FORMAT_HTML] = "html",
};

bool sheet_is_for_humans(enum sheet_format format)
{
    return format == SHEET_FORMAT_TEXT || format == SHEET_FORMAT_MARKDOWN ||
           format == SHEET_FORMAT_HTML;
}

bool sheet_is_json(enum sheet_format format)
{
    return format == SHEET_FORMAT_JSON || format == SHEET_FORMAT_NDJSON;
}

/* --- numbers --- */

enum { SECOND = 1000000000 };

void sheet_add_number(struct buf *to, struct wide n)
{
    char digits[WIDE_DIGITS];
    buf_add(to, (struct str){digits, wide_spell(n, digits)});
}

/* 10 to the power N, 0 <= N <= 18. */
static int64_t power_of_ten(int n)
{
    int64_t power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

/* Appends N, with DIGITS decimals (at most 18), to TO. If IS_SHORT, trailing zeros are not
 * written. */
static void add_fixed(struct buf *to, struct wide n, int digits, bool is_short)
{
    enum { MAX = 24 };
    const struct wide one = wide_of(power_of_ten(digits));
    char fraction[MAX];
    buf_add(to, wide_sign(n) < 0 ? STR("-") : STR(""));
    n = wide_size(n);
    sheet_add_number(to, wide_divide(n, one));
    int size = snprintf(fraction, sizeof fraction, ".%0*lld", digits,
                        (long long)wide_low(wide_rest(n, one)));
    while (is_short && fraction[size - 1] == '0')
        size--;
    if (size > 1)
        buf_add(to, (struct str){fraction, (size_t)size});
}

void sheet_add_plain(struct buf *to, struct wide value, int power, struct str unit)
{
    const int64_t nanoseconds = units_nanoseconds(unit);
    enum { NANO = 9 };
    if (nanoseconds == 0 && power == 0) {
        sheet_add_number(to, value);
    } else if (nanoseconds == 0) {
        add_fixed(to, value, -power, true);
    } else if (power == 0) {
        add_fixed(to, wide_multiply(value, wide_of(nanoseconds)), NANO, true);
    } else {
        struct decimal seconds =
            decimal_multiply((struct decimal){value, power - NANO}, decimal_of(nanoseconds));
        decimal_write(to, seconds);
    }
}

/* The number of decimals that people see of LARGEST in units of SCALE: two, or as many as show its
 * first two digits other than 0. */
static int digits_of(const struct sheet_scale *scale, struct wide largest)
{
    enum { FEW = 2, MAX = 18 };
    struct wide one = wide_multiply(wide_of(scale->size), wide_of(scale->parts));
    struct wide n = wide_multiply(wide_size(largest), wide_of(scale->times));
    int digits = FEW;
    if (wide_sign(n) == 0)
        return digits;
    for (n = wide_multiply(n, wide_of(10)); digits < MAX && wide_compare(n, one) < 0; digits++)
        n = wide_multiply(n, wide_of(10));
    return digits;
}

struct sheet_scale sheet_scale_of(struct str unit, int power, struct wide largest)
{
    static const struct sheet_scale times[] = {{STR("s"), .size = SECOND},
                                               {STR("ms"), .size = 1000000},
                                               {STR("us"), .size = 1000},
                                               {STR("ns"), .size = 1}};
    static const struct sheet_scale sizes[] = {{STR("GB"), .size = 1 << 30},
                                               {STR("MB"), .size = 1 << 20},
                                               {STR("kB"), .size = 1 << 10},
                                               {STR("B"), .size = 1}};
    int64_t nanoseconds = units_nanoseconds(unit), bytes = units_in(unit, STR("bytes"));
    struct sheet_scale found = {str_equal(unit, STR("count")) ? STR("") : unit, .size = 1};
    if (nanoseconds != 0 || bytes != 0) {
        const struct sheet_scale *scale = nanoseconds != 0 ? times : sizes;
        int64_t one = nanoseconds != 0 ? nanoseconds : bytes;
        struct wide size = wide_multiply(wide_size(largest), wide_of(one));
        size = wide_divide(size, wide_of(power_of_ten(-power)));
        while (wide_compare(wide_of(scale->size), size) > 0 && scale->size > 1)
            scale++;
        found = *scale;
        found.times = one;
    } else {
        found.times = 1;
    }
    found.parts = power_of_ten(-power);
    found.digits = digits_of(&found, largest);
    return found;
}

void sheet_add_scaled(struct buf *to, struct wide value, const struct sheet_scale *scale)
{
    if (scale->size == 1 && scale->parts == 1) {
        sheet_add_number(to, wide_multiply(value, wide_of(scale->times)));
        return;
    }
    const struct wide one = wide_multiply(wide_of(scale->size), wide_of(scale->parts));
    struct wide n = wide_multiply(wide_size(value), wide_of(2 * power_of_ten(scale->digits)));
    n = wide_add(wide_multiply(n, wide_of(scale->times)), one);
    n = wide_divide(n, wide_multiply(one, wide_of(2)));
    add_fixed(to, wide_sign(value) < 0 ? wide_negative(n) : n, scale->digits, false);
}

/* --- for programs --- */

/* Appends BYTES to TO as a TSV field; control characters are escaped as in C. */
static void add_tsv(struct buf *to, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++)
        switch (bytes.p[i]) {
        case '\t': buf_add(to, STR("\\t")); break;
        case '\n': buf_add(to, STR("\\n")); break;
        case '\r': buf_add(to, STR("\\r")); break;
        case '\\': buf_add(to, STR("\\\\")); break;
        default: buf_add(to, (struct str){bytes.p + i, 1});
        }
}

/* The same for CSV (RFC 4180): quoted if necessary. */
static void add_csv(struct buf *to, struct str bytes)
{
    bool quotes = false;
    for (size_t i = 0; i < bytes.n; i++)
        quotes |=
            bytes.p[i] == ',' || bytes.p[i] == '"' || bytes.p[i] == '\n' || bytes.p[i] == '\r';
    buf_add(to, quotes ? STR("\"") : STR(""));
    for (size_t i = 0; i < bytes.n; i++)
        buf_add(to, bytes.p[i] == '"' ? STR("\"\"") : (struct str){bytes.p + i, 1});
    buf_add(to, quotes ? STR("\"") : STR(""));
}

static void add_text(struct buf *to, struct str bytes, enum sheet_format format)
{
    struct buf text = {0};
    if (format == SHEET_FORMAT_TSV) {
        add_tsv(to, bytes);
    } else if (format == SHEET_FORMAT_CSV) {
        add_csv(to, bytes);
    } else {
        text_escape(&text, bytes);
        emit_string(to, buf_str(&text));
        buf_free(&text);
    }
}

static void add_cell(struct buf *to, const struct sheet *t, enum sheet_kind kind,
                     const struct sheet_cell *cell, enum sheet_format format)
{
    bool is_json = sheet_is_json(format);
    char text[32];
    if (cell->is_none || (kind == SHEET_SHARE && isnan(cell->share))) {
        buf_add(to, is_json ? STR("null") : STR(""));
        return;
    }
    switch (kind) {
    case SHEET_MIXED:
    case SHEET_TEXT:
        if (is_json && cell->is_json)
            buf_add(to, cell->text);
        else
            add_text(to, cell->text, format);
        break;
    case SHEET_GIVEN: buf_add(to, cell->text); break;
    case SHEET_VALUE: sheet_add_plain(to, cell->number, t->power, t->unit); break;
    case SHEET_COUNT: sheet_add_number(to, cell->number); break;
    case SHEET_FLAG: buf_add(to, wide_sign(cell->number) != 0 ? STR("true") : STR("false")); break;
    case SHEET_SHARE:
        buf_add(to, (struct str){text,
                                 (size_t)snprintf(text, sizeof text, "%.10g", 100 * cell->share)});
    }
}

bool sheet_keeps(const struct sheet *t, const struct sheet_request *request, size_t row,
                 size_t kept)
{
    if (kept >= request->max)
        return false;
    return request->min_share <= 0 ||
           fabs(t->cell(t->from, row, t->judged).share) >= request->min_share;
}

/* The line of ROW in LINE. */
static void make_line(struct buf *line, const struct sheet *t, size_t row, enum sheet_format format)
{
    bool is_json = sheet_is_json(format);
    line->n = 0;
    buf_add(line, is_json ? STR("{") : STR(""));
    for (size_t i = 0; i < t->column_count; i++) {
        struct sheet_cell cell = t->cell(t->from, row, i);
        if (i > 0)
            buf_add(line, format == SHEET_FORMAT_TSV ? STR("\t") : STR(","));
        if (is_json) {
            add_text(line, t->columns[i].name, format);
            buf_add(line, STR(":"));
        }
        add_cell(line, t, t->columns[i].kind, &cell, format);
    }
    buf_add(line, is_json ? STR("}") : STR(""));
}

static void write_headings(const struct sheet *t, enum sheet_format format, struct out *out)
{
    struct buf line = {0};
    for (size_t i = 0; i < t->column_count; i++) {
        if (i > 0)
            buf_add(&line, format == SHEET_FORMAT_TSV ? STR("\t") : STR(","));
        add_text(&line, t->columns[i].name, format);
    }
    out_write(out, buf_str(&line));
    out_write(out, STR("\n"));
    buf_free(&line);
}

static bool has_row(const struct sheet *t, size_t row)
{
    return t->has_row != NULL ? t->has_row(t->from, row) : row < t->row_count;
}

/* The first row is made before anything is written: if that fails there is no output. */
static void write_data(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    bool is_list = request->format == SHEET_FORMAT_JSON, is_there = has_row(t, 0);
    struct buf line = {0};
    size_t kept = 0;
    if (request->format == SHEET_FORMAT_TSV || request->format == SHEET_FORMAT_CSV)
        write_headings(t, request->format, out);
    out_write(out, is_list ? STR("[") : STR(""));
    for (size_t row = 0; is_there && kept < request->max;) {
        if (sheet_keeps(t, request, row, kept)) {
            out_write(out, !is_list ? STR("") : kept == 0 ? STR("\n") : STR(",\n"));
            make_line(&line, t, row, request->format);
            out_write(out, buf_str(&line));
            out_write(out, is_list ? STR("") : STR("\n"));
            kept++;
        }
        is_there = kept < request->max && has_row(t, ++row);
    }
    out_write(out, is_list ? STR("\n]\n") : STR(""));
    buf_free(&line);
}

void sheet_write(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    switch (request->format) {
    case SHEET_FORMAT_TEXT: sheet_write_text(t, request, out); break;
    case SHEET_FORMAT_MARKDOWN: sheet_write_markdown(t, request, out); break;
    case SHEET_FORMAT_HTML: sheet_write_html(t, request, out); break;
    default: write_data(t, request, out);
    }
}

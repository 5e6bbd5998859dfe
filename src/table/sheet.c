#include "table/sheet.h"

#include "base/units.h"
#include "table/about.h"

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

bool sheet_is_human(const struct sheet_request *request)
{
    return sheet_is_for_humans(request->format) && !request->is_about;
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

void sheet_add_grouped(struct buf *to, struct wide n)
{
    enum { GROUP = 3, UNGROUPED = 4 };
    char digits[WIDE_DIGITS];
    const size_t size = wide_spell(n, digits), sign = wide_sign(n) < 0;
    for (size_t i = 0; i < size; i++) {
        const bool begins = i > sign && (size - i) % GROUP == 0;
        buf_add(to, begins && size - sign > UNGROUPED ? STR("\xe2\x80\xaf") : STR(""));
        buf_add(to, (struct str){digits + i, 1});
    }
}

/* 10 to the power N, 0 <= N <= 18. */
static int64_t power_of_ten(int n)
{
    int64_t power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

/* Appends N, with DIGITS decimals (at most 18), to TO: for people, or for a program, which gets no
 * trailing zeros. */
static void add_fixed(struct buf *to, struct wide n, int digits, bool is_for_people)
{
    enum { MAX = 24 };
    const struct wide one = wide_of(power_of_ten(digits));
    char fraction[MAX];
    buf_add(to, wide_sign(n) < 0 ? STR("-") : STR(""));
    n = wide_size(n);
    (is_for_people ? sheet_add_grouped : sheet_add_number)(to, wide_divide(n, one));
    int size = snprintf(fraction, sizeof fraction, ".%0*lld", digits,
                        (long long)wide_low(wide_rest(n, one)));
    while (!is_for_people && fraction[size - 1] == '0')
        size--;
    if (size > 1)
        buf_add(to, (struct str){fraction, (size_t)size});
}

void sheet_add_value(struct buf *to, struct wide value, struct str unit, int power)
{
    const struct sheet_scale scale = sheet_scale_of(unit, power, value);
    sheet_add_scaled(to, value, &scale);
    if (scale.unit.n > 0 && wide_sign(value) != 0) {
        buf_add(to, STR(" "));
        buf_add(to, scale.unit);
    }
}

void sheet_add_plain(struct buf *to, struct wide value, int power)
{
    if (power == 0)
        sheet_add_number(to, value);
    else
        add_fixed(to, value, -power, false);
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
        sheet_add_grouped(to, wide_multiply(value, wide_of(scale->times)));
        return;
    }
    const struct wide one = wide_multiply(wide_of(scale->size), wide_of(scale->parts));
    const int enough = digits_of(scale, value) - 1; /* for the first digit other than 0 */
    const int digits = scale->digits > enough ? scale->digits : enough;
    struct wide n = wide_multiply(wide_size(value), wide_of(2 * power_of_ten(digits)));
    n = wide_add(wide_multiply(n, wide_of(scale->times)), one);
    n = wide_divide(n, wide_multiply(one, wide_of(2)));
    add_fixed(to, wide_sign(value) < 0 ? wide_negative(n) : n, digits, true);
}

/* --- the whole --- */

void sheet_add_name(struct buf *to, const struct sheet_column *column)
{
    if (column->id == COLUMN_FOREIGN)
        buf_add(to, column->words);
    else if (columns_known[column->id].kind == COLUMNS_FAMILY)
        columns_add_name(to, column->id, column->words);
    else
        buf_add(to, columns_known[column->id].name);
}

bool sheet_keeps(const struct sheet *t, const struct sheet_request *request, size_t row,
                 size_t kept)
{
    if (kept >= request->max)
        return false;
    return t->is_cut || request->min_share <= 0 ||
           fabs(t->cell(t->from, row, t->judged).share) >= request->min_share;
}

void sheet_write(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    if (request->is_about) {
        about_write_sheet(t, request, out);
        return;
    }
    switch (request->format) {
    case SHEET_FORMAT_TEXT: sheet_write_text(t, request, out); break;
    case SHEET_FORMAT_MARKDOWN: sheet_write_markdown(t, request, out); break;
    case SHEET_FORMAT_HTML: sheet_write_html(t, request, out); break;
    default: sheet_write_data(t, request, out);
    }
}

/* The text of a file of the Firefox Profiler. */
#include "formats/firefox/firefox_write.h"
#include "rows/emit.h"
#include "rows/loss.h"

/* The Profiler's numbers are doubles: integers above this may not be exact. */
#define EXACT_MAX (INT64_C(1) << 53)

void firefox_flush(struct firefox_writer *w, size_t above)
{
    if (w->text.n <= above)
        return;
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

void firefox_add_string(struct firefox_writer *w, struct str bytes)
{
    size_t start = w->text.n + 1;
    firefox_add(w, STR("\""));
    if (!text_escape_all(&w->text, bytes))
        loss_add(LOSS_FIREFOX_NAMES, (struct str){w->text.p + start, w->text.n - start}, 1);
    firefox_add(w, STR("\""));
}

void firefox_add_string_member(struct firefox_writer *w, struct str name, struct str bytes)
{
    emit_member(&w->text, name);
    firefox_add_string(w, bytes);
}

void firefox_add_number_member(struct firefox_writer *w, struct str name, int64_t number)
{
    emit_member(&w->text, name);
    emit_number(&w->text, number);
}

void firefox_add_decimal(struct firefox_writer *w, struct decimal x, struct str what)
{
    int64_t digits;
    if (!decimal_is_double(x))
        die(CODE_OVERFLOW, "the values of \"%.*s\" are more than a double can hold", STR_ARG(what));
    if (!wide_fits(x.digits, &digits)) {
        decimal_write(&w->text, x);
        w->inexact++;
        return;
    }
    for (x.exponent = digits == 0 ? 0 : x.exponent; x.exponent < 0 && digits % 10 == 0;
         digits /= 10)
        x.exponent++;
    w->inexact += digits > EXACT_MAX || digits < -EXACT_MAX;
    if (x.exponent == 0)
        emit_number(&w->text, digits);
    else
        decimal_write(&w->text, (struct decimal){wide_of(digits), x.exponent});
}

void firefox_add_or_null(struct firefox_writer *w, int64_t number, bool is_there)
{
    if (is_there)
        emit_number(&w->text, number);
    else
        firefox_add(w, STR("null"));
}

void firefox_add_flag(struct firefox_writer *w, struct str name, bool is_set)
{
    if (!is_set)
        return;
    emit_member(&w->text, name);
    firefox_add(w, STR("true"));
}

#include "formats/bad_lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void bad_lines_note(struct bad_lines *b, struct place where, const char *format, ...)
{
    char text[1024]; /* longer ones are cut */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (b->request->bad_lines != READ_BAD_LINES_SKIP)
        die_at(where, "%s" HINT "%s", text,
               b->request->bad_lines == READ_BAD_LINES_CAN_SKIP ? "-k skips bad lines" : "");
    if (b->count++ > 0)
        return;
    b->first = where;
    buf_add(&b->text, str_of(text));
}

void bad_lines_end(struct bad_lines *b, bool has_others)
{
    struct str text = buf_str(&b->text);
    if (b->count > 0 && !has_others)
        die_at(b->first, "%.*s", STR_ARG(text));
    if (b->count == 1)
        diag_error_at(CODE_BAD_LINE, b->first, "bad line skipped: %.*s", STR_ARG(text));
    else if (b->count > 1)
        diag_error_at(CODE_BAD_LINE, b->first, "first of %" PRIu64 " bad lines, all skipped: %.*s",
                      b->count, STR_ARG(text));
    if (b->count > 0)
        diag_fail(STATUS_INPUT);
    buf_free(&b->text);
}

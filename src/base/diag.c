#include "base/diag.h"

#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int diag_level = DIAG_NORMAL;
const char *diag_tool = "profpipe";
void (*diag_before)(void);
void (*diag_finish)(void);
void (*diag_cleanup)(enum status status);
jmp_buf *diag_catch, *diag_skip;

/* Writes TEXT, of N bytes, with `?` for every character from names or input that a terminal
 * would obey. */
static void print_harmless(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned length = utf8_obeyed((struct str){text + i, n - i});
        for (unsigned k = 0; k < length; k++)
            text[i + k] = '?';
    }
    fprintf(stderr, "%s\n", text);
}

static void say(const char *tool, const struct place *where, const char *format, va_list args)
{
    if (diag_finish != NULL)
        diag_finish();
    if (diag_catch != NULL)
        return;
    if (diag_before != NULL)
        diag_before();
    char text[4096]; /* longer ones are cut */
    size_t n = tool == NULL ? 0 : (size_t)snprintf(text, sizeof text / 2, "%s: ", tool);
    if (where != NULL) {
        const char *kind = where->kind == PLACE_LINE     ? "%s:%" PRIu64 ": "
                           : where->kind == PLACE_OFFSET ? "%s: offset %" PRIu64 ": "
                           : where->kind == PLACE_ROW    ? "%s %" PRId64 ": "
                                                         : "%s: ";
        n += (size_t)snprintf(text + n, sizeof text / 2 - n, kind, where->file, where->at);
        if (n > sizeof text / 2 - 1)
            n = sizeof text / 2 - 1;
    }
    vsnprintf(text + n, sizeof text - n, format, args);
    print_harmless(text, strlen(text));
}

static _Noreturn void end(enum status status, bool of_input)
{
    if (diag_skip != NULL && of_input)
        longjmp(*diag_skip, 1);
    if (diag_cleanup != NULL)
        diag_cleanup(status);
    if (diag_catch != NULL)
        longjmp(*diag_catch, (int)status + 1);
    exit((int)status);
}

void die(enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(diag_tool, NULL, format, args);
    va_end(args);
    end(status, status == STATUS_INPUT);
}

void die_at(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(diag_tool, &where, format, args);
    va_end(args);
    end(STATUS_INPUT, true);
}

/* NAME as messages show it: an empty name would be invisible. */
static const char *shown(const char *name)
{
    return *name == '\0' ? "\"\"" : name;
}

void die_errno(const char *action, const char *name)
{
    die(STATUS_SYSTEM, "%s %s: %s", action, shown(name), strerror(errno));
}

void die_unreadable(const char *action, const char *name)
{
    diag_error("%s %s: %s", action, shown(name), strerror(errno));
    end(STATUS_SYSTEM, true);
}

void diag_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(diag_tool, NULL, format, args);
    va_end(args);
}

void diag_error_at(struct place where, const char *format, ...)
{
    if (diag_skip != NULL)
        return;
    va_list args;
    va_start(args, format);
    say(diag_tool, &where, format, args);
    va_end(args);
}

void warn(const char *format, ...)
{
    if (diag_level <= DIAG_QUIET)
        return;
    va_list args;
    va_start(args, format);
    say(diag_tool, NULL, format, args);
    va_end(args);
}

void warn_at(struct place where, const char *format, ...)
{
    if (diag_level <= DIAG_QUIET)
        return;
    va_list args;
    va_start(args, format);
    say(diag_tool, &where, format, args);
    va_end(args);
}

void note(const char *format, ...)
{
    if (diag_level < DIAG_VERBOSE)
        return;
    va_list args;
    va_start(args, format);
    say(diag_tool, NULL, format, args);
    va_end(args);
}

void diag_report(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(NULL, &where, format, args);
    va_end(args);
}

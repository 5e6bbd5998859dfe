#include "diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int diag_level = DIAG_NORMAL;
const char *diag_tool = "profpipe";
void (*diag_before)(void);
void (*diag_cleanup)(void);
jmp_buf *diag_catch;

static void say(const struct place *where, const char *format, va_list args)
{
    if (diag_catch != NULL)
        return;
    if (diag_before != NULL)
        diag_before();
    flockfile(stderr);
    fprintf(stderr, "%s: ", diag_tool);
    if (where != NULL) {
        if (where->kind == PLACE_LINE)
            fprintf(stderr, "%s:%" PRIu64 ": ", where->file, where->at);
        else if (where->kind == PLACE_OFFSET)
            fprintf(stderr, "%s: offset %" PRIu64 ": ", where->file, where->at);
        else
            fprintf(stderr, "%s: ", where->file);
    }
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

static _Noreturn void end(enum status status)
{
    if (diag_cleanup != NULL)
        diag_cleanup();
    if (diag_catch != NULL)
        longjmp(*diag_catch, (int)status + 1);
    exit((int)status);
}

void die(enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(NULL, format, args);
    va_end(args);
    end(status);
}

void die_at(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(&where, format, args);
    va_end(args);
    end(STATUS_INPUT);
}

void die_errno(const char *action, const char *name)
{
    die(STATUS_SYSTEM, "%s %s: %s", action, name, strerror(errno));
}

void warn(const char *format, ...)
{
    if (diag_level <= DIAG_QUIET)
        return;
    va_list args;
    va_start(args, format);
    say(NULL, format, args);
    va_end(args);
}

void warn_at(struct place where, const char *format, ...)
{
    if (diag_level <= DIAG_QUIET)
        return;
    va_list args;
    va_start(args, format);
    say(&where, format, args);
    va_end(args);
}

void note(const char *format, ...)
{
    if (diag_level < DIAG_VERBOSE)
        return;
    va_list args;
    va_start(args, format);
    say(NULL, format, args);
    va_end(args);
}

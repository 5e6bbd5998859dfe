/* diag.h - messages on standard error.
 *
 * An error ends the tool at once: die() removes an unfinished output file, prints what is wrong
 * and exits.  Names and strings from the input appear in messages as JSON text, so that no
 * control byte of a file reaches the terminal.
 *
 * A message is one line of text, or with --errors=json one object of JSON, written at once. */
#ifndef PROFPIPE_DIAG_H
#define PROFPIPE_DIAG_H

#include "base/code.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdint.h>

/* A place in an input. */
struct place {
    const char *file;
    enum { PLACE_FILE, PLACE_LINE, PLACE_OFFSET, PLACE_ROW } kind;
    uint64_t at; /* line from 1, byte offset from 0, or the number of a row, printed after FILE */
};

/* Separates a message, in its format, from a hint: what the user can do.  Text shows a hint in
 * parentheses, and none where it is empty. */
#define HINT "\n"

/* The code of the last error, printed or not; CODE_DETAIL, the code of no error, if there was none
 * since a caller set it to that. */
extern enum code diag_last;

/* The level of messages, set by -q and -v. At DIAG_SILENT not even errors of an input that is only
 * tried (diag_skip) are printed. */
enum { DIAG_SILENT = -2, DIAG_QUIET = -1, DIAG_NORMAL = 0, DIAG_VERBOSE = 1 };
extern int diag_level;

/* The severities of messages, as --errors=json has them. */
enum { DIAG_ERROR, DIAG_WARNING, DIAG_DETAIL, DIAG_SEVERITIES };
extern const char *const diag_severities[DIAG_SEVERITIES];

/* Whether messages are objects of JSON; set once, before the first. */
extern bool diag_is_json;

/* The name that every message starts with; set once. */
extern const char *diag_tool;

/* Called before a message is written, to clear a progress bar; may be NULL. */
extern void (*diag_before)(void);

/* Called before a message is written; may be NULL.  It waits for other threads, which may have
 * met an error that comes first. */
extern void (*diag_finish)(void);

/* Called when the tool dies, to clean up; may be NULL. */
extern void (*diag_cleanup)(enum status status);

/* Prints `tool: message` and ends the process with the status of CODE. */
_Noreturn void die(enum code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints `tool: file:line: message` (or `file: offset N:`) and ends with the status of CODE. */
_Noreturn void die_as(enum code code, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same at COLUMN, in bytes from 1, of a line. */
_Noreturn void die_at_column(enum code code, struct place where, uint64_t column,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* die_as() for input that breaks a rule of its format (CODE_INVALID). */
_Noreturn void die_at(struct place where, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints `tool: ACTION NAME:` and the text of errno, and ends with STATUS_SYSTEM.  NAME is that of
 * a file. */
_Noreturn void die_errno(const char *action, const char *name);

/* The same for an input; --keep-going may skip that input instead (diag_skip). */
_Noreturn void die_unreadable(const char *action, const char *name);

/* Notes that the tool fails with STATUS when it ends, unless a more important one applies. */
void diag_fail(enum status status);

/* The most important status noted so far. */
enum status diag_status(void);

/* Prints an error that does not end the tool. diag_error_at prints nothing while an input is
 * only tried (diag_skip). */
void diag_error(enum code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_error_at(enum code code, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a warning, unless -q. */
void warn(enum code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints `tool: file:line: message`, unless -q. */
void warn_at(enum code code, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same at COLUMN, in bytes from 1, of a line. */
void warn_at_column(enum code code, struct place where, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Prints a detail (CODE_DETAIL), only with -v. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a finding (CODE_FINDING) as `file:line: message`, like compilers do, at every level of
 * messages. */
void diag_report(struct place where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The maximum size of a line that a message is written as. */
enum { DIAG_LINE = 40960 };

/* Writes to LINE the error CODE with the message TEXT, as above, with its line feed; returns the
 * size.  May be called by a signal handler. */
size_t diag_spell(char line[DIAG_LINE], enum code code, const char *text);

/* While set, an error of the input (STATUS_INPUT, or die_unreadable) is reported and jumps here
 * instead of ending the tool: see attempt.h. */
extern jmp_buf *diag_skip;

/* While set, this thread, which reads some of the inputs beside others (feed/parts.h), jumps here
 * instead of reporting anything: the main thread will meet it again. */
extern _Thread_local jmp_buf *diag_leave;

/* Jumps there, if that is set: for what the main thread alone can do. */
static inline void diag_main_only(void)
{
    if (diag_leave != NULL)
        longjmp(*diag_leave, 1);
}

/* The name of that input, for errors without a place; NULL: not known so far. */
extern const char *diag_skipped;

/* For tests and fuzzers, which must survive errors.  While set, die() prints nothing and jumps
 * here with the status + 1 instead of exiting. */
extern jmp_buf *diag_catch;

#endif

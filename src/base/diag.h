/* diag.h - messages on standard error, and exit statuses.
 *
 * An error ends the tool at once: die() removes an unfinished output file, prints what is wrong
 * and exits.  Names and strings from the input appear in messages as JSON text, so that no
 * control byte of a file reaches the terminal. */
#ifndef PROFPIPE_DIAG_H
#define PROFPIPE_DIAG_H

#include "base/str.h"

#include <setjmp.h>
#include <stdint.h>

/* The exit status of every tool. */
enum status {
    STATUS_OK = 0,
    STATUS_INPUT = 1,  /* the input is invalid or truncated, or a check asked for failed */
    STATUS_USAGE = 2,  /* the command line is wrong */
    STATUS_SYSTEM = 3, /* open, read, write, disk or memory failed */
};

/* A place in an input. */
struct place {
    const char *file;
    enum { PLACE_FILE, PLACE_LINE, PLACE_OFFSET, PLACE_ROW } kind;
    uint64_t at; /* line from 1, byte offset from 0, or the number of a row, printed after FILE */
};

/* The level of messages, set by -q and -v. */
enum { DIAG_QUIET = -1, DIAG_NORMAL = 0, DIAG_VERBOSE = 1 };
extern int diag_level;

/* The name that every message starts with; set once. */
extern const char *diag_tool;

/* Called before a message is written, to clear a progress bar; may be NULL. */
extern void (*diag_before)(void);

/* Called before a message is written; may be NULL.  It waits for other threads, which may have
 * met an error that comes first. */
extern void (*diag_finish)(void);

/* Called when the tool dies, to clean up; may be NULL. */
extern void (*diag_cleanup)(enum status status);

/* Prints `tool: message` and ends the process with STATUS. */
_Noreturn void die(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints `tool: file:line: message` (or `file: offset N:`) and ends with STATUS_INPUT. */
_Noreturn void die_at(struct place where, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints `tool: ACTION NAME:` and the text of errno, and ends with STATUS_SYSTEM. */
_Noreturn void die_errno(const char *action, const char *name);

/* The same for an input; --keep-going may skip that input instead (diag_skip). */
_Noreturn void die_unreadable(const char *action, const char *name);

/* Prints an error that does not end the tool. diag_error_at prints nothing while an input is
 * only tried (diag_skip). */
void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_error_at(struct place where, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a warning, unless -q. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints `tool: file:line: message`, unless -q. */
void warn_at(struct place where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a detail, only with -v. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a finding as `file:line: message`, like compilers do, at every level of messages. */
void diag_report(struct place where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* While set, an error of the input (STATUS_INPUT, or die_unreadable) is reported and jumps here
 * instead of ending the tool: see attempt.h. */
extern jmp_buf *diag_skip;

/* For tests and fuzzers, which must survive errors.  While set, die() prints nothing and jumps
 * here with the status + 1 instead of exiting. */
extern jmp_buf *diag_catch;

#endif

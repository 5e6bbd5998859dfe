/* out.h - the last stage: writes bytes to standard output, or to a file that ends up either
 * complete or unchanged.  The first error ends the tool (STATUS_SYSTEM). */
#ifndef PROFPIPE_OUT_H
#define PROFPIPE_OUT_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

/* Where the next byte goes, and the end of the buffer.  The rest is private to out.c. */
struct out {
    char *p, *end;
};

/* How the names of temporary files beside outputs begin; six characters follow. */
#define OUT_BESIDE ".profpipe."

/* Opens an output to the file PATH, or to standard output if PATH is NULL or "-".  A regular or
 * new file is written to a temporary file beside it, which out_close renames; symlinks are
 * followed and the mode is kept.  There can be two such outputs at a time. */
struct out *out_open(const char *path);

/* An output that appends to TO, for tests and fuzzers. */
struct out *out_open_buf(struct buf *to);

/* An output that discards everything. */
struct out *out_open_nowhere(void);

/* The name of the temporary file that out_close will rename, for callers that write that file by
 * name and nothing to OUT; NULL if there is none. */
const char *out_unfinished(const struct out *out);

/* Allows, for confine(), use of the folder of the file that an output to PATH replaces. */
void out_use_beside(const char *path);

/* Allows, for confine(), what OUT still needs. */
void out_keep(const struct out *out);

/* The file that OUT replaces, for callers that write it in another way; out_unfinished must not
 * be NULL. */
const char *out_target(const struct out *out);

/* Notes that the tool has created the file out_target, still empty: after an error it is
 * removed, like the unfinished file. */
void out_made_target(struct out *out);

/* The same for the file whose name is that of the target plus SUFFIX; NULL: no such file from
 * now on. */
void out_made_beside(struct out *out, const char *suffix);

/* Notes that the target has been written in another way: out_close leaves it as it is. */
void out_leave_target(struct out *out);

/* Whether OUT goes to a terminal. */
bool out_is_terminal(const struct out *out);

/* The size of a terminal in characters. */
struct out_window {
    unsigned columns, lines;
};

/* The size of the terminal that OUT goes to; all zero if it goes to none, or its size is
 * unknown. */
struct out_window out_window(const struct out *out);

/* The number of colours of a terminal with 24-bit colour. */
enum { OUT_ALL_COLORS = 1 << 24 };

/* The number of colours that the terminal of OUT has: 8, 256 or OUT_ALL_COLORS; 0 if it has none
 * or the user wants none. */
unsigned out_colors(const struct out *out);

/* Compresses everything written from now on; LEVEL is zlib's, 1 to 9. */
void out_gzip(struct out *out, int level);

/* For out_reserve. */
char *out_make_room(struct out *out, size_t n);

/* Makes room for N bytes and returns where they go; the caller writes them and calls
 * out_advance. */
static inline char *out_reserve(struct out *out, size_t n)
{
    return (size_t)(out->end - out->p) >= n ? out->p : out_make_room(out, n);
}

/* Marks the bytes up to P as written. */
static inline void out_advance(struct out *out, char *p)
{
    out->p = p;
}

/* Writes the bytes of S. */
void out_write(struct out *out, struct str s);

/* Passes everything written so far on to the file or pipe (compressed output stays buffered). */
void out_flush(struct out *out);

/* The number of bytes written so far, before compression. */
uint64_t out_total(const struct out *out);

/* Ends the output: writes the remaining bytes and the gzip trailer, reports any error, and
 * renames the temporary file.  Frees OUT. */
void out_close(struct out *out);

/* If the tool ends before it has written anything else, TEXT, which is short, is written to OUT,
 * so that a reader of a pipe sees it.  Not needed for a file that is renamed at its end. */
void out_owe(struct out *out, struct str text);

/* Tells OUT that what was written includes what was owed.  If OUT still owed that, the output is
 * flushed. */
void out_finish(struct out *out);

/* For diag_cleanup: removes the unfinished file, or writes what is owed unless STATUS is
 * STATUS_USAGE. */
void out_abandon(enum status status);

#endif

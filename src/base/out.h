/* out.h - the last stage: bytes out, to standard output or to a file that is whole or untouched.
 * The first error ends the tool (STATUS_SYSTEM). */
#ifndef PROFPIPE_OUT_H
#define PROFPIPE_OUT_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

/* Where the next byte goes, and where the buffer ends.  The rest is out.c's own. */
struct out {
    char *p, *end;
};

/* An output to the file PATH, or to standard output when PATH is NULL or "-".  A regular or new file is
 * written beside itself and renamed by out_close; symlinks are followed and the mode kept.  One
 * such output at a time. */
struct out *out_open(const char *path);

/* An output that appends to TO, for tests and fuzzers. */
struct out *out_open_buf(struct buf *to);

/* An output that goes nowhere. */
struct out *out_open_nowhere(void);

/* The name of the file that will be put in its place by out_close, for who writes it by name and nothing to OUT; NULL
 * where there is none. */
const char *out_unfinished(const struct out *out);

/* Names for confine() the folder of the file that an output to PATH replaces: it is used. */
void out_use_beside(const char *path);

/* Names for confine() what OUT will still need. */
void out_keep(const struct out *out);

/* The file that OUT replaces, for who writes it otherwise; out_unfinished must not be NULL. */
const char *out_target(const struct out *out);

/* The tool has made that file, without a byte: it is removed with the unfinished one. */
void out_made_target(struct out *out);

/* The same of the file whose name has SUFFIX behind that; NULL: of none from here on. */
void out_made_beside(struct out *out, const char *suffix);

/* The file that OUT would replace has been written otherwise: it stays, and out_close puts nothing in its place. */
void out_leave_target(struct out *out);

/* Whether OUT goes to a terminal. */
bool out_is_terminal(const struct out *out);

/* The size of a terminal, in characters. */
struct out_window {
    unsigned columns, lines;
};

/* That of the terminal that OUT goes to; all zero where it goes to none, or that does not say. */
struct out_window out_window(const struct out *out);

/* How many colours a terminal has that shows each of 24 bits. */
enum { OUT_ALL_COLORS = 1 << 24 };

/* How many colours the terminal that OUT goes to says that it has, if its user wants any: 8, 256 or OUT_ALL_COLORS;
 * 0 for none. */
unsigned out_colors(const struct out *out);

/* Compresses what is written from here on; LEVEL is zlib's, 1 to 9. */
void out_gzip(struct out *out, int level);

/* For out_reserve. */
char *out_make_room(struct out *out, size_t n);

/* Room for N bytes; the caller writes them and calls out_advance. */
static inline char *out_reserve(struct out *out, size_t n)
{
    return (size_t)(out->end - out->p) >= n ? out->p : out_make_room(out, n);
}

/* Says that bytes have been written up to P. */
static inline void out_advance(struct out *out, char *p)
{
    out->p = p;
}

/* Writes the bytes of S. */
void out_write(struct out *out, struct str s);

/* Hands everything written so far to the reader (compressed output stays buffered). */
void out_flush(struct out *out);

/* The number of bytes written so far, before compression. */
uint64_t out_total(const struct out *out);

/* Ends the output: writes what is left and the gzip trailer, reports any error, and puts the file
 * in its place.  Frees OUT. */
void out_close(struct out *out);

/* TEXT, which is short, goes to OUT if the tool ends before anything else has; it is for what others read as
 * it comes, so a file that is renamed at its end owes nothing. */
void out_owe(struct out *out, struct str text);

/* What has been written says what was owed: hands it on, if OUT still owes something. */
void out_finish(struct out *out);

/* For diag_cleanup: removes the unfinished file, or writes what is owed unless the STATUS is
 * STATUS_USAGE. */
void out_abandon(enum status status);

#endif

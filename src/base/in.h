/* in.h - the first stage: bytes.  Readers look ahead into a window onto one input and consume
 * what they have used; gzip is inflated on the way. */
#ifndef PROFPIPE_IN_H
#define PROFPIPE_IN_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/sha.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/stat.h>

struct child;
struct in;

/* Opens the file PATH, "-" for standard input.  Ends the tool (STATUS_SYSTEM) when it cannot. */
struct in *in_open(const char *path);

/* Opens PATH now for the in_open that comes later, which then reads the file that PATH is now, even
 * if it has been replaced.  PATH must stay valid.  Does nothing if PATH is no regular file or
 * cannot be opened, after 16 files, or if few descriptors are left. */
void in_open_early(const char *path);

/* The in_open of PATH that comes next lets PROGRAM, from child_open (child.h), run, and reads its
 * output in place of the file. If that fails, it ends the tool (STATUS_INPUT). PATH must stay valid.
 * in_has_instead says whether there is such an in_open still to come. */
void in_read_instead(const char *path, struct child *program);
bool in_has_instead(const char *path);

/* From now on refuses to open the regular file that FD writes to: reading the own output would
 * never end. */
void in_forbid(int fd);

/* Notes that the output will replace the regular file FILE. in_is_replaced says whether an input
 * is that file. */
void in_guard(const struct stat *file);
bool in_is_replaced(const struct in *in);

/* Notes that this process has locked the regular file FILE. in_close then keeps descriptors of
 * that file open: under POSIX, closing any one of them would release all locks that the process
 * holds on it. */
void in_lock(const struct stat *file);
bool in_is_locked(const struct in *in);

/* An input that reads BYTES, which must outlive it, in blocks of at most BLOCK bytes: for
 * fuzzers, and for tests of tiny reads. */
struct in *in_open_bytes(const char *name, struct str bytes, size_t block);

/* Prepares IN, which has just been opened, for a second reading: what is read is kept in memory
 * or in a temporary file.  The next in_close ends the first reading and does not close IN. */
void in_hold(struct in *in);

/* Rewinds IN, which is held, for the second reading. */
void in_again(struct in *in);

/* Closes and frees IN. */
void in_close(struct in *in);

/* What messages call the input: its path, or <stdin>. */
const char *in_name(const struct in *in);

/* Whether the input is standard input. */
bool in_is_stdin(const struct in *in);

/* The name under which another program can open the file of IN; NULL if IN is held or no regular
 * file. */
const char *in_path(const struct in *in);

/* For --follow (follow.h): waits until IN, if it is a regular file, has a line, or anything but
 * text; and has IN go on at its end, which is found only when the user interrupts.  The latter does
 * nothing where IN is compressed, or no regular file, which waits in any case. */
void in_await(struct in *in);
void in_go_on(struct in *in);

/* Fills the window with at least WANT bytes, or up to the end of the input, and returns its
 * contents.  Pointers from earlier calls become invalid. */
struct str in_peek(struct in *in, size_t want);

/* How many bytes at the start of an input a first look has. */
enum { IN_START = 512 };

/* The same for detecting formats: returns the first MAX bytes or a few more.  In text it stops
 * after the first line that is not blank and does not begin with '#', if that ends within IN_START
 * bytes: a live input may have no more yet. */
struct str in_peek_start(struct in *in, size_t max);

/* Returns all whole lines in the window, each with its LF, after reading until these are more
 * than HAVE bytes or the input ends.  HAVE is 0, or the size that an earlier call returned if
 * nothing has been consumed since.  A last line without LF gets one (see in_torn).  Empty at the
 * end of the input.  A line longer than LIMITS_LINE ends the tool; LINE, its number from 1, is
 * for that message.  Pointers from earlier calls become invalid. */
struct str in_lines(struct in *in, size_t have, uint64_t line);

/* Whether the last line that in_lines returned had no LF in the input. */
bool in_torn(const struct in *in);

/* Removes N bytes from the start of the window. */
void in_consume(struct in *in, size_t n);

/* From now on, before the first look, takes the SHA-256 of what is read, decompressed; in_digest
 * reads IN to its end and writes that to DIGEST. */
void in_digest_begin(struct in *in);
void in_digest(struct in *in, unsigned char digest[SHA256_SIZE]);

/* Called with the number of raw bytes after each read; may be NULL. */
extern void (*in_on_read)(size_t n);

/* How many bytes of IN have been read so far, decompressed; or the bytes read of its file if
 * these are more: a reader may open the file by its name. */
uint64_t in_seen(const struct in *in);

/* The modification time of the file, in seconds since 1970-01-01 UTC; false if it has none. */
bool in_mtime(const struct in *in, int64_t *seconds);

#endif

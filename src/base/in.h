/* in.h - the first stage: bytes.  A window onto one input that readers look into and consume;
 * gzip is recognised and undone inside. */
#ifndef PROFPIPE_IN_H
#define PROFPIPE_IN_H

#include "base/diag.h"
#include "base/limits.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/stat.h>

struct in;

/* Opens the file PATH, "-" for standard input.  Ends the tool (STATUS_SYSTEM) when it cannot. */
struct in *in_open(const char *path);

/* Refuses, from here on, to open the regular file that FD writes to: what is written would be read
 * without end. */
void in_forbid(int fd);

/* The regular file that FILE describes will be replaced by the output: in_is_replaced tells of an input
 * whether it is that. */
void in_guard(const struct stat *file);
bool in_is_replaced(const struct in *in);

/* This process has locked the regular file that FILE describes: in_close closes no descriptor of it, as POSIX gives all
 * locks that a process has on a file back with the first one that it closes. */
void in_lock(const struct stat *file);
bool in_is_locked(const struct in *in);

/* An input over BYTES, which must outlive it, read in blocks of at most BLOCK bytes: for tests,
 * which force tiny reads with it, and for fuzzers. */
struct in *in_open_bytes(const char *name, struct str bytes, size_t block);

/* Keeps what is read of IN, which has just been opened, in memory or in a temporary file.  The next
 * in_close does not close it: it ends the first reading. */
void in_hold(struct in *in);

/* Goes back to the start of IN, which is held, for the second reading. */
void in_again(struct in *in);

/* Closes and frees IN. */
void in_close(struct in *in);

/* What messages call the input: its path, or <stdin>. */
const char *in_name(const struct in *in);

/* Whether the input is standard input. */
bool in_is_stdin(const struct in *in);

/* The name by which another program could open the file of IN; NULL where it has none, being no regular file or one
 * that is held. */
const char *in_path(const struct in *in);

/* Sees to it that at least WANT bytes stand in the window, unless the input ends before; returns
 * what stands there.  Pointers from earlier calls are no longer valid. */
struct str in_peek(struct in *in, size_t want);

/* The same for what tells formats apart: the first MAX bytes or a few more; where that is text only up to the
 * end of its first line that is neither blank nor begins with '#', for a live input may have no more. */
struct str in_peek_start(struct in *in, size_t max);

/* Sees to it that whole lines of more than HAVE bytes stand in the window, unless the input ends
 * before, and returns all whole lines there, each with its LF; HAVE is 0 or what an earlier call
 * returned and nothing has been consumed of.  A last line without LF gets one (in_torn tells).
 * Empty at the end of the input.  A line longer than LIMITS_LINE ends the tool; LINE, its number
 * from 1, is for that message.  Pointers from earlier calls are no longer valid. */
struct str in_lines(struct in *in, size_t have, uint64_t line);

/* Whether the last of the lines that in_lines returned had no LF. */
bool in_torn(const struct in *in);

/* Steps over N bytes of the window. */
void in_consume(struct in *in, size_t n);

/* Called with the number of raw bytes after each read; may be NULL. */
extern void (*in_on_read)(size_t n);

/* How many bytes of IN have been looked into so far, decompressed; or those of its file, where these are more: it may be
 * read by its name. */
uint64_t in_seen(const struct in *in);

/* The file's time of last change in seconds since 1970-01-01 UTC; false where it has none. */
bool in_mtime(const struct in *in, int64_t *seconds);

#endif

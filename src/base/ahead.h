/* ahead.h - another thread opens files that will be read next, and reads and inflates them while what came
 * before is still being worked on.
 *
 * It goes no further than a fixed number of bytes and of files, takes regular files alone, and leaves what
 * is small and not gzip to who reads it.  Whatever goes wrong with a file shows when that is read (origin.h);
 * where the system gives no thread or no memory, nothing is read ahead. */
#ifndef PROFPIPE_AHEAD_H
#define PROFPIPE_AHEAD_H

#include "base/origin.h"

/* So many files may be announced and not taken. */
enum { AHEAD_FILES = 16 };

struct ahead_file;

/* Whether another file may be announced now: there are threads, and room for it.  Once there is none, there
 * is none until half of those that were announced have been taken. */
bool ahead_has_room(void);

/* Says that PATH, which must stay valid, will be opened after all that have been announced before. */
void ahead_announce(const char *path);

/* The file PATH, if it is the first of those that were announced, and could be opened; or else NULL, and
 * the caller opens it. */
struct ahead_file *ahead_take(const char *path);

/* What F is read from.  Its `stat` may be looked at, nothing else. */
const struct origin *ahead_origin(const struct ahead_file *f);

/* Reads at most N bytes of F to TO, as origin_read does; *RAW grows by the raw bytes that they come
 * from. */
size_t ahead_read(struct ahead_file *f, char *to, size_t n, uint64_t *raw);

/* Closes and frees F. */
void ahead_close(struct ahead_file *f);

/* Ends the thread, forgets what was announced, and frees what only served to read whole files. */
void ahead_stop(void);

#endif

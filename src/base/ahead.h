/* ahead.h - a second thread opens, reads and inflates the next input files while the current one
 * is being processed.
 *
 * It reads ahead a limited number of bytes and files, and only regular files.  Small files that
 * are not gzip are only opened: their reader reads them.  An error in a file is reported when
 * the file is read (origin.h).  Without a thread or memory to spare, nothing is read ahead. */
#ifndef PROFPIPE_AHEAD_H
#define PROFPIPE_AHEAD_H

#include "base/origin.h"

/* How many files may be announced but not yet taken. */
enum { AHEAD_FILES = 16 };

struct ahead_file;

/* Whether another file may be announced now: the tool has threads, and the queue has room.  Once
 * the queue is full, this is false until half of the announced files have been taken. */
bool ahead_has_room(void);

/* Announces that PATH will be opened after all files announced before.  PATH must stay valid. */
void ahead_announce(const char *path);

/* Returns the file PATH if it is the first one in the queue and could be opened; otherwise NULL,
 * and the caller opens it. */
struct ahead_file *ahead_take(const char *path);

/* The origin that F is read from.  Callers may only look at its `stat`. */
const struct origin *ahead_origin(const struct ahead_file *f);

/* Reads at most N bytes of F to TO, as origin_read does, and adds the number of raw bytes
 * consumed to *RAW. */
size_t ahead_read(struct ahead_file *f, char *to, size_t n, uint64_t *raw);

/* Closes and frees F. */
void ahead_close(struct ahead_file *f);

/* Whether nothing is announced from now on: the cores have other work. */
void ahead_pause(bool pauses);

/* Ends the thread, empties the queue, and frees the memory used to read whole files.  Does nothing
 * on a thread that reads beside the main one. */
void ahead_stop(void);

#endif

/* origin.h - where the bytes of an input come from: a file, standard input or memory; gzip is undone, and so is
 * zlib where a format says what begins in it (own.h).
 *
 * Nothing here ends the tool or uses memory that mem.h knows of, so another thread may read, too
 * (ahead.h): what goes wrong is noted, and who wants the bytes says it (origin_die). */
#ifndef PROFPIPE_ORIGIN_H
#define PROFPIPE_ORIGIN_H

#include "base/spool.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/stat.h>
#include <zlib.h>

struct origin {
    int fd; /* -1: memory, read in blocks of at most BLOCK bytes */
    struct str memory;
    size_t block;
    struct stat stat; /* of the file */

    /* Raw bytes that have been read: of plain data only those that told it from packed. */
    unsigned char *raw;
    size_t raw_start, raw_end;
    uint64_t raw_total; /* all that have been read so far */
    bool at_end;        /* nothing comes behind them */

    enum { ORIGIN_PLAIN, ORIGIN_GZIP, ORIGIN_ZLIB } packing;
    bool in_member; /* inside a member of gzip, not between two, or in zlib data, not behind it */
    bool inflates;  /* z is set up */
    z_stream z;

    struct str whole; /* see origin_whole; or a null p */

    struct spool *held; /* what has been read, for origin_again */
    bool again;         /* and is being read again */

    /* What went wrong: from there on no byte comes. */
    enum { ORIGIN_GOOD, ORIGIN_UNREADABLE, ORIGIN_DAMAGED, ORIGIN_NO_MEMORY } error;
    int error_number;         /* of ORIGIN_UNREADABLE: errno */
    const char *error_text;   /* of ORIGIN_DAMAGED: what is wrong at the raw byte ERROR_AT */
    const char *error_reason; /* and why, or NULL */
    uint64_t error_at;        /* of ORIGIN_NO_MEMORY: so many bytes were refused */
};

/* Called when a origin that is no regular file is about to wait for bytes; may be NULL. */
extern void (*origin_on_pause)(void);

/* Begins to read FD, which is S's from here on, or BYTES, which must outlive it.  Looks at the first
 * bytes, which may wait for them. */
void origin_open(struct origin *s, int fd);
void origin_open_bytes(struct origin *s, struct str bytes, size_t block);

/* All that S holds, inflated at once, with INPUT_PADDING zeros behind it, if S is a gzip file that is
 * small and good; nothing must be read then.  Or else a null p, and S is as it was. */
struct str origin_whole(struct origin *s);

/* Reads at most N bytes, N from 1, to TO: what was packed, or what is there.  0 at the end, or
 * where something is wrong; bytes in front of that have all been handed out. */
size_t origin_read(struct origin *s, char *to, size_t n);

/* Ends the tool with what is wrong with S, which NAME calls; where nothing is, returns. */
void origin_die(const struct origin *s, const char *name);

/* Keeps what is read of S, which has just been opened, in memory or in a temporary file. */
void origin_hold(struct origin *s);

/* Goes back to the start of S, which is held, for a second and last reading. */
void origin_again(struct origin *s);

/* Frees what S holds, and closes its file but for standard input. */
void origin_close(struct origin *s);

#endif

/* origin.h - the source of an input's bytes: a file, standard input or memory. gzip is inflated,
 * and so is zlib data whose content a format declares (own.h).
 *
 * No function here ends the tool, except origin_die, or uses memory from mem.h, so other threads
 * may read too (ahead.h).  Errors are stored, and the consumer of the bytes reports them
 * (origin_die). */
#ifndef PROFPIPE_ORIGIN_H
#define PROFPIPE_ORIGIN_H

#include "base/spool.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/stat.h>
#include <zlib.h>

/* The option that reads names of files from a list, for advice. */
extern const char *origin_list_options;

struct origin {
    int fd; /* -1: memory, read in blocks of at most BLOCK bytes */
    struct str memory;
    size_t block;
    struct stat stat; /* of the file */

    /* Raw bytes that have been read: of plain data only the first ones, which were read to
     * detect gzip. */
    unsigned char *raw;
    size_t raw_start, raw_end;
    uint64_t raw_total; /* all that have been read so far */
    bool at_end;        /* there are no more */

    enum { ORIGIN_PLAIN, ORIGIN_GZIP, ORIGIN_ZLIB } packing;
    bool in_member; /* inside a gzip member or zlib data, not after it */
    bool inflates;  /* z is set up */
    z_stream z;

    struct str whole; /* the result of origin_whole; or a null p */

    bool goes_on; /* a file at whose end more is waited for (follow.h) */

    struct spool *held; /* what has been read, for origin_again */
    bool again;         /* it is being read again */

    /* The error, after which no more bytes are returned. */
    enum { ORIGIN_GOOD, ORIGIN_UNREADABLE, ORIGIN_DAMAGED, ORIGIN_TORN, ORIGIN_NO_MEMORY } error;
    int error_number;         /* of ORIGIN_UNREADABLE: errno */
    const char *error_text;   /* of both of these: what is wrong at the raw byte ERROR_AT */
    const char *error_reason; /* the reason, or NULL */
    uint64_t error_at;        /* of ORIGIN_NO_MEMORY: how many bytes were refused */
};

/* Called when an origin that is no regular file is about to wait for bytes; may be NULL. */
extern void (*origin_on_pause)(void);

/* Starts reading FD, which S then owns, or BYTES, which must outlive S.  Both look at the first
 * bytes, and may block until those arrive. */
void origin_open(struct origin *s, int fd);
void origin_open_bytes(struct origin *s, struct str bytes, size_t block);

/* The whole content of S, inflated at once, followed by INPUT_PADDING zeros, if S is a small and
 * valid gzip file.  Nothing may have been read from S yet.  Otherwise returns a null p and
 * leaves S as it was. */
struct str origin_whole(struct origin *s);

/* Reads at most N bytes, at least 1, of content to TO, inflated if it was compressed.  Returns 0
 * at the end or after an error; all bytes before an error are returned first. */
size_t origin_read(struct origin *s, char *to, size_t n);

/* Ends the tool with the error of S, called NAME in the message; returns if there is none. */
void origin_die(const struct origin *s, const char *name);

/* Keeps all bytes that are read from S, which has just been opened, in memory or in a temporary
 * file. */
void origin_hold(struct origin *s);

/* Rewinds S, which is held, for a second and last reading. */
void origin_again(struct origin *s);

/* Frees what S holds and closes its file, unless that is standard input. */
void origin_close(struct origin *s);

#endif

/* port.h - what POSIX does not have: that of the system, or what does without it. */
#ifndef PROFPIPE_PORT_H
#define PROFPIPE_PORT_H

#ifdef PORT_PLAIN /* a test may ask for a system that has nothing */
#    define HAVE_MEMRCHR 0
#    define HAVE_MEMMEM 0
#    define HAVE_MKOSTEMP 0
#    define HAVE_GETRANDOM 0
#    define HAVE_SCHED_GETAFFINITY 0
#    define HAVE_ST_MTIM 0
#    define HAVE_MALLOPT 0
#else
#    include "base/port_config.h"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

/* The last byte C of the SIZE bytes at P, or NULL. */
const void *port_memrchr_plain(const void *p, int c, size_t size);
static inline const void *port_memrchr(const void *p, int c, size_t size)
{
#if HAVE_MEMRCHR
    return memrchr(p, c, size);
#else
    return port_memrchr_plain(p, c, size);
#endif
}

/* The first of the SIZE bytes at P from which on the LENGTH bytes at WHAT stand there, or NULL. */
const void *port_memmem_plain(const void *p, size_t size, const void *what, size_t length);
static inline const void *port_memmem(const void *p, size_t size, const void *what, size_t length)
{
#if HAVE_MEMMEM
    return memmem(p, size, what, length);
#else
    return port_memmem_plain(p, size, what, length);
#endif
}

/* Has malloc take blocks of up to LARGEST bytes from what it has, and keep twice that of what is freed. */
void port_keep_memory(size_t largest);

/* Gives the system what malloc keeps. */
void port_trim_memory(void);

/* Has all threads share what malloc keeps: another arena would reserve addresses beyond any need. */
void port_share_memory(void);

/* How many threads of this process run at once; 1 where that is not known. */
unsigned port_cores(void);

/* Makes the SIZE bytes at TO random without waiting for that; false where there are none yet. */
bool port_random(void *to, size_t size);

/* Makes a new file whose name ends as mkstemp(3) has it, in PATH, and which no other program inherits; -1 with errno
 * where that cannot be done. */
int port_make_file(char *path);

/* A new file in FOLDER that has no name, so that nothing is left of it however the tool ends; -1 where the system or
 * the folder has none. */
int port_make_nameless(const char *folder);

/* Whether a file has been written, as far as can be seen, that was BEFORE and is NOW. */
bool port_is_written(const struct stat *before, const struct stat *now);

/* Asks for 1 MiB between the two ends when FD is a pipe.  A refusal is of no consequence. */
void port_enlarge_pipe(int fd);

#endif

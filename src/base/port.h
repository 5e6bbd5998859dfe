/* port.h - functions that POSIX lacks: those of the system, or replacements. */
#ifndef PROFPIPE_PORT_H
#define PROFPIPE_PORT_H

#ifdef PORT_PLAIN /* for tests of the replacements */
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
#include <sys/types.h>

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

/* The first place in the SIZE bytes at P where the LENGTH bytes at WHAT occur, or NULL. */
const void *port_memmem_plain(const void *p, size_t size, const void *what, size_t length);
static inline const void *port_memmem(const void *p, size_t size, const void *what, size_t length)
{
#if HAVE_MEMMEM
    return memmem(p, size, what, length);
#else
    return port_memmem_plain(p, size, what, length);
#endif
}

/* Makes malloc keep freed blocks of up to LARGEST bytes for reuse, and up to twice that in
 * total. */
void port_keep_memory(size_t largest);

/* Returns memory that malloc keeps to the system. */
void port_trim_memory(void);

/* Makes all threads share so many ARENAS of malloc, at least one.  Threads that share one wait for
 * each other at every block; each further one reserves 64 MiB of addresses. */
void port_share_memory(unsigned arenas);

/* How many threads of this process can run at once; 1 if that is unknown. */
unsigned port_cores(void);

/* Fills the SIZE bytes at TO with random bytes without blocking; false if there are none yet. */
bool port_random(void *to, size_t size);

/* Creates a file whose name is made from PATH, written back to it, as mkstemp(3) does; other
 * programs do not inherit it.  Returns -1 with errno if that fails. */
int port_make_file(char *path);

/* Creates a file without a name in FOLDER, so that nothing is left of it however the tool ends;
 * -1 if the system or the file system cannot. */
int port_make_nameless(const char *folder);

/* Whether a file appears to have been written between BEFORE and NOW. */
bool port_is_written(const struct stat *before, const struct stat *now);

/* If FD is a pipe, asks for a buffer of 1 MiB.  A refusal is ignored. */
void port_enlarge_pipe(int fd);

/* Closes all descriptors from FIRST on. */
void port_close_from(int first);

/* From now on this process ends when its parent does, also if it becomes another program; nothing
 * where the system cannot.  Ends it now if PARENT is its parent no longer. */
void port_end_with(pid_t parent);

#endif

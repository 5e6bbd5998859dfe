#include "base/port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#    include <signal.h>
#    include <sys/prctl.h>
#    include <sys/syscall.h>
#endif
#if HAVE_MALLOPT
#    include <malloc.h>
#endif
#if HAVE_SCHED_GETAFFINITY
#    include <sched.h>
#endif
#if HAVE_GETRANDOM
#    include <sys/random.h>
#endif

/* --- bytes --- */

const void *port_memrchr_plain(const void *p, int c, size_t size)
{
    const unsigned char *bytes = p;
    while (size > 0)
        if (bytes[--size] == (unsigned char)c)
            return bytes + size;
    return NULL;
}

const void *port_memmem_plain(const void *p, size_t size, const void *what, size_t length)
{
    const char *from = p, *end = from + size;
    if (length == 0)
        return p;
    for (; (size_t)(end - from) >= length; from++) {
        from = memchr(from, *(const unsigned char *)what, (size_t)(end - from) - length + 1);
        if (from == NULL || memcmp(from, what, length) == 0)
            return from;
    }
    return NULL;
}

/* --- memory --- */

void port_keep_memory(size_t largest)
{
#if HAVE_MALLOPT
    mallopt(M_MMAP_THRESHOLD, (int)largest);
    mallopt(M_TRIM_THRESHOLD, 2 * (int)largest);
#else
    (void)largest;
#endif
}

void port_trim_memory(void)
{
#if HAVE_MALLOPT
    malloc_trim(0);
#endif
}

void port_share_memory(unsigned arenas)
{
#if HAVE_MALLOPT
    mallopt(M_ARENA_MAX, arenas < INT_MAX ? (int)arenas : INT_MAX);
#else
    (void)arenas;
#endif
}

/* --- the machine --- */

unsigned port_cores(void)
{
#if HAVE_SCHED_GETAFFINITY
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        return (unsigned)CPU_COUNT(&cores);
#elif defined _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > 0)
        return (unsigned)cores;
#endif
    return 1;
}

bool port_random(void *to, size_t size)
{
#if HAVE_GETRANDOM
    return getrandom(to, size, GRND_NONBLOCK) == (ssize_t)size;
#else
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && read(fd, to, size) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    return good;
#endif
}

/* --- files --- */

int port_make_file(char *path)
{
#if HAVE_MKOSTEMP
    return mkostemp(path, O_CLOEXEC);
#else
    int fd = mkstemp(path);
    if (fd >= 0)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
#endif
}

int port_make_nameless(const char *folder)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    (void)folder;
    errno = ENOTSUP;
    return -1;
#endif
}

bool port_is_written(const struct stat *before, const struct stat *now)
{
#if HAVE_ST_MTIM
    if (before->st_mtim.tv_nsec != now->st_mtim.tv_nsec)
        return true;
#endif
    return before->st_mtime != now->st_mtime || before->st_size != now->st_size;
}

void port_enlarge_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
    (void)fcntl(fd, F_SETPIPE_SZ, 1 << 20);
#else
    (void)fd;
#endif
}

void port_close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0)
        return;
#endif
    for (long fd = first, end = sysconf(_SC_OPEN_MAX); fd < end; fd++)
        close((int)fd);
}

/* --- processes --- */

void port_end_with(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(0);
}

/* trace.c - marks which blocks of a program have run; see tests/mutants.
 *
 * Linked to programs that are compiled with -fsanitize-coverage=trace-pc.  Beside the program stands a
 * file PROGRAM.blocks, as long as its code, or nothing is marked: each byte is that of an address, and
 * becomes 1 when a block that begins there runs.  It is mapped, so that what has run is known
 * of a process that was killed, too, and all processes of a test mark one file. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The linker's. There is none where this is linked to a shared library, which is not marked. */
extern char __executable_start __attribute__((weak));
extern char etext;
void __sanitizer_cov_trace_pc(void);

static unsigned char *blocks;

__attribute__((constructor(101))) static void open_blocks(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof ".blocks");
    if (n <= 0 || &__executable_start == NULL)
        return;
    strcpy(path + n, ".blocks");
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    size_t size = (size_t)(&etext - &__executable_start);
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        blocks = map;
}

void __sanitizer_cov_trace_pc(void)
{
    if (blocks != NULL)
        blocks[(char *)__builtin_return_address(0) - &__executable_start] = 1;
}

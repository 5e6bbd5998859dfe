/* traced.c - which lines have run, from the marks of trace.c; see tests/mutants.
 *
 *   traced PROGRAM...
 *
 * PROGRAM.blocks are the marks, PROGRAM.lines says what they stand for: address (hexadecimal, from the
 * start of the program) and number of a line, in a line each.  Prints the numbers of the lines that have
 * run, and clears the marks. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void print_lines(const char *program)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.blocks", program);
    struct stat about;
    int fd = open(path, O_RDWR);
    if (fd < 0 || fstat(fd, &about) != 0)
        fail(path);
    size_t size = (size_t)about.st_size;
    unsigned char *blocks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (blocks == MAP_FAILED)
        fail(path);
    close(fd);
    if (memchr(blocks, 1, size) != NULL) {
        snprintf(path, sizeof path, "%s.lines", program);
        FILE *lines = fopen(path, "r");
        if (lines == NULL)
            fail(path);
        size_t address, line;
        while (fscanf(lines, "%zx %zu", &address, &line) == 2) {
            if (address < size && blocks[address] != 0)
                printf("%zu\n", line);
        }
        fclose(lines);
        memset(blocks, 0, size);
    }
    munmap(blocks, size);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        print_lines(argv[i]);
    if (fflush(stdout) != 0)
        fail("traced");
    return 0;
}

#include "spool.h"

#include "diag.h"
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct spool {
    FILE *file;
};

struct spool *spool_open(void)
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    struct buf path = {0};
    buf_add(&path, str_of(folder));
    buf_add(&path, STR("/profpipe.XXXXXX\0"));
    int fd = mkstemp(path.p);
    if (fd < 0)
        die_errno("cannot make a temporary file in", folder);
    unlink(path.p);
    buf_free(&path);
    struct spool *s = mem_alloc(sizeof *s);
    s->file = fdopen(fd, "w+");
    if (s->file == NULL)
        die_errno("cannot open", "the temporary file");
    setvbuf(s->file, NULL, _IOFBF, 256 << 10);
    return s;
}

void spool_write(struct spool *s, struct str bytes)
{
    if (bytes.n > 0 && fwrite(bytes.p, 1, bytes.n, s->file) != bytes.n)
        die_errno("cannot write", "the temporary file");
}

void spool_rewind(struct spool *s)
{
    if (fflush(s->file) != 0 || fseek(s->file, 0, SEEK_SET) != 0)
        die_errno("cannot write", "the temporary file");
}

bool spool_read(struct spool *s, void *to, size_t n)
{
    if (n == 0 || fread(to, 1, n, s->file) == n)
        return true;
    if (ferror(s->file))
        die_errno("cannot read", "the temporary file");
    return false;
}

void spool_close(struct spool *s)
{
    fclose(s->file);
    mem_free(s);
}

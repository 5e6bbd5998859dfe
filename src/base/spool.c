#include "base/spool.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What is more than this goes to a file, unless the caller sets another limit. */
enum { LITTLE = 256 << 10 };

struct spool {
    size_t most;       /* in memory */
    struct buf memory; /* what has been written, as long as there is no file */
    size_t read;       /* how much of that has been read */
    FILE *file;
};

static void drop(void *spool)
{
    struct spool *s = spool;
    if (s->file != NULL)
        fclose(s->file);
}

struct spool *spool_open_in(size_t memory)
{
    struct spool *s = mem_alloc_holder(sizeof *s, drop);
    s->most = memory;
    return s;
}

struct spool *spool_open(void)
{
    return spool_open_in(LITTLE);
}

/* Makes a file in FOLDER and takes its name away before a signal can end the tool; -1 where that cannot be done. */
static int make_file(const char *folder)
{
    struct buf path = {0};
    sigset_t all, before;
    buf_add(&path, str_of(folder));
    buf_add(&path, STR("/profpipe.XXXXXX\0"));
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int fd = port_make_file(path.p);
    if (fd >= 0)
        unlink(path.p);
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    buf_free(&path);
    errno = error;
    return fd;
}

static void open_file(struct spool *s)
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    int fd = port_make_nameless(folder);
    if (fd < 0) /* not all file systems know this */
        fd = make_file(folder);
    if (fd < 0)
        die_errno("cannot make a temporary file in", folder);
    s->file = fdopen(fd, "w+");
    if (s->file == NULL)
        die_errno("cannot open", "the temporary file");
    setvbuf(s->file, NULL, _IOFBF, LITTLE);
}

static void write_file(struct spool *s, struct str bytes)
{
    if (bytes.n > 0 && fwrite(bytes.p, 1, bytes.n, s->file) != bytes.n)
        die_errno("cannot write", "the temporary file");
}

void spool_write(struct spool *s, struct str bytes)
{
    if (s->file == NULL && bytes.n <= s->most - s->memory.n) {
        buf_add(&s->memory, bytes);
        return;
    }
    if (s->file == NULL) {
        open_file(s);
        write_file(s, buf_str(&s->memory));
        buf_free(&s->memory);
    }
    write_file(s, bytes);
}

void spool_seek(struct spool *s, uint64_t at)
{
    s->read = at;
    if (s->file != NULL && (fflush(s->file) != 0 || fseeko(s->file, (off_t)at, SEEK_SET) != 0))
        die_errno("cannot write", "the temporary file");
}

void spool_rewind(struct spool *s)
{
    spool_seek(s, 0);
}

size_t spool_read_some(struct spool *s, void *to, size_t n)
{
    if (s->file == NULL) {
        size_t left = s->memory.n - s->read;
        n = n < left ? n : left;
        if (n > 0)
            memcpy(to, s->memory.p + s->read, n);
        s->read += n;
        return n;
    }
    n = fread(to, 1, n, s->file);
    if (ferror(s->file))
        die_errno("cannot read", "the temporary file");
    return n;
}

bool spool_read(struct spool *s, void *to, size_t n)
{
    return n == 0 || spool_read_some(s, to, n) == n;
}

void spool_copy(struct spool *s, struct out *out)
{
    enum { BLOCK = 64 << 10 };
    spool_rewind(s);
    for (;;) {
        char *p = out_reserve(out, BLOCK);
        size_t n = spool_read_some(s, p, BLOCK);
        if (n == 0)
            return;
        out_advance(out, p + n);
    }
}

void spool_close(struct spool *s)
{
    drop(s);
    buf_free(&s->memory);
    mem_free(s);
}

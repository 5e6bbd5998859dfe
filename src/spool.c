#include "spool.h"

#include "diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct spool {
    FILE *file;
};

/* In front of each record. */
struct head {
    uint32_t size, number;
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

void spool_add(struct spool *s, struct str bytes, uint32_t number)
{
    struct head head = {(uint32_t)bytes.n, number};
    if (bytes.n > UINT32_MAX)
        die(STATUS_INPUT, "a sample is larger than 4 GiB");
    if (fwrite(&head, sizeof head, 1, s->file) != 1 ||
        fwrite(bytes.p, 1, bytes.n, s->file) != bytes.n)
        die_errno("cannot write", "the temporary file");
}

void spool_rewind(struct spool *s)
{
    if (fflush(s->file) != 0 || fseek(s->file, 0, SEEK_SET) != 0)
        die_errno("cannot write", "the temporary file");
}

bool spool_next(struct spool *s, struct buf *record, uint32_t *number)
{
    struct head head;
    if (fread(&head, sizeof head, 1, s->file) != 1) {
        if (ferror(s->file))
            die_errno("cannot read", "the temporary file");
        return false;
    }
    record->n = 0;
    if (fread(buf_reserve(record, head.size), 1, head.size, s->file) != head.size)
        die_errno("cannot read", "the temporary file");
    record->n = head.size;
    *number = head.number;
    return true;
}

void spool_close(struct spool *s)
{
    fclose(s->file);
    mem_free(s);
}

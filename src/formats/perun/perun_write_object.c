/* Stores a profile as an object in a repository of Perun. */
#include "base/mem.h"
#include "base/sha.h"
#include "formats/perun/perun_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

/* The number of digits of the name that form the folder. */
enum { FOLDER_DIGITS = 2 };

/* Writes BYTES, compressed, to OUT. */
static void write_packed(struct out *out, struct str bytes)
{
    enum { PIECE = 1 << 16 };
    z_stream z = {.zalloc = mem_zlib_alloc, .zfree = mem_zlib_free};
    unsigned char *piece = mem_alloc(PIECE);
    if (deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
        die(CODE_MEMORY, "zlib refuses to compress");
    z.next_in = (unsigned char *)(uintptr_t)bytes.p;
    for (int result = Z_OK; result == Z_OK;) {
        enum { MAX = 1 << 30 }; /* zlib counts in unsigned int */
        size_t left = bytes.n - (size_t)((char *)z.next_in - bytes.p);
        z.avail_in = (uInt)(left < MAX ? left : MAX);
        z.next_out = piece;
        z.avail_out = PIECE;
        result = deflate(&z, left <= MAX ? Z_FINISH : Z_NO_FLUSH);
        out_write(out, (struct str){(char *)piece, PIECE - z.avail_out});
    }
    deflateEnd(&z);
    mem_free(piece);
}

/* The number of characters in TEXT, which is UTF-8: the length in the head of an object. */
static size_t characters_in(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.p[i] & 0xc0) != 0x80;
    return n;
}

void perun_store(struct perun_writer *w, struct str text)
{
    struct buf object = {0}, path = {0};
    char head[64], name[SHA1_DIGITS + 1];
    int n = snprintf(head, sizeof head, "profile %.*s %zu", STR_ARG(w->kind), characters_in(text));
    buf_add(&object, (struct str){head, (size_t)n + 1});
    buf_add(&object, text);
    sha1(buf_str(&object), name);
    buf_add(&path, str_of(w->options.store_path));
    buf_add(&path, STR("/"));
    buf_add(&path, (struct str){name, FOLDER_DIGITS + 1}); /* the last '/' becomes the end */
    path.p[path.n - 1] = '\0';
    if (mkdir(path.p, 0777) < 0 && errno != EEXIST)
        die_errno("cannot make the folder", path.p);
    path.p[path.n - 1] = '/';
    buf_add(&path, str_of(name + FOLDER_DIGITS));
    buf_add(&path, (struct str){"", 1});
    struct out *out = out_open(path.p);
    write_packed(out, buf_str(&object));
    out_close(out);
    out_write(w->out, str_of(name));
    out_write(w->out, STR("\n"));
    buf_free(&object);
    buf_free(&path);
}

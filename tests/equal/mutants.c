/* mutants.c - makes files that each differ from a good one by a few mutations of its bytes.
 *
 *   mutants SEED COUNT SHARE DIRECTORY FILE...
 *
 * Writes those of the mutants 1 to COUNT whose number SHARE divides to DIRECTORY/FORMAT/NUMBER, where
 * FORMAT is the folder that the FILE stands in.  Of what is in gzip mostly the bytes inside are changed.  The
 * same seed makes the same mutants, whatever the share. */
#include "../random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Few files are longer; those are cut. */
enum { BYTES_MAX = 1 << 20 };

struct bytes {
    char p[BYTES_MAX];
    size_t n;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Reads PATH to B; with INFLATE what stands inside gzip, if that is what it is. */
static void read_bytes(struct bytes *b, const char *path, int inflate)
{
    gzFile in = inflate ? gzopen(path, "rb") : NULL;
    FILE *file = inflate ? NULL : fopen(path, "rb");
    if (in == NULL && file == NULL)
        fail(path);
    int n = inflate ? gzread(in, b->p, BYTES_MAX) : (int)fread(b->p, 1, BYTES_MAX, file);
    if (n < 0)
        fail(path);
    b->n = (size_t)n;
    if (inflate)
        gzclose(in);
    else
        fclose(file);
}

static void write_bytes(const struct bytes *b, const char *path, int deflate)
{
    /* "T" writes bytes as they are */
    gzFile out = gzopen(path, deflate ? "wb1" : "wbT");
    if (out == NULL || (b->n > 0 && gzwrite(out, b->p, (unsigned)b->n) == 0) ||
        gzclose(out) != Z_OK)
        fail(path);
}

/* Puts the TEXT of N bytes in place of the OLD bytes at AT. */
static void replace(struct bytes *b, size_t at, size_t old, const char *text, size_t n)
{
    if (b->n - old + n > BYTES_MAX)
        return;
    memmove(b->p + at + n, b->p + at + old, b->n - at - old);
    memcpy(b->p + at, text, n);
    b->n += n - old;
}

#define REPLACE(b, at, old, text) replace(b, at, old, text, sizeof(text) - 1)

/* A place in B, often near its start: formats are told by that. */
static size_t place(const struct bytes *b)
{
    size_t n = pick(8) == 0 && b->n > 16 ? 16 : b->n;
    return n == 0 ? 0 : pick(n);
}

/* A few bytes of what is left behind AT, rarely many. */
static size_t stretch(const struct bytes *b, size_t at)
{
    size_t left = b->n - at, most = pick(4) == 0 ? left : 8;
    return left == 0 ? 0 : 1 + pick(most < left ? most : left);
}

/* --- bytes --- */

static void flip(struct bytes *b)
{
    if (b->n > 0)
        b->p[place(b)] ^= (char)(1 << pick(8));
}

static void set(struct bytes *b)
{
    static const char bytes[] = {0, 1, '\n', '\r', ' ', '"', '#', ':', '{', '\x7f', '\x80', '\xff'};
    if (b->n > 0)
        b->p[place(b)] = PICK(bytes);
}

static void cut(struct bytes *b)
{
    size_t at = place(b);
    replace(b, at, stretch(b, at), "", 0);
}

static void end_early(struct bytes *b)
{
    b->n = place(b);
}

/* Copies a stretch to another place. */
static void repeat(struct bytes *b)
{
    size_t at = place(b), n = stretch(b, at);
    char *copy = malloc(n + 1);
    if (copy == NULL)
        fail("mutants");
    memcpy(copy, b->p + at, n);
    replace(b, pick(2) == 0 ? at : place(b), 0, copy, n);
    free(copy);
}

static void blank(struct bytes *b)
{
    size_t at = place(b);
    memset(b->p + at, pick(2) == 0 ? 0 : ' ', stretch(b, at));
}

/* What other files begin with, and what formats use. */
static void add(struct bytes *b)
{
    size_t at = pick(4) == 0 ? 0 : place(b);
    switch (pick(9)) {
    case 0: REPLACE(b, at, 0, "\xef\xbb\xbf"); break;
    case 1:
        REPLACE(b, at, 0, "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}\n");
        break;
    case 2: REPLACE(b, at, 0, "sample.interval=20000\n"); break;
    case 3: REPLACE(b, at, 0, "48 :\"f\" \n"); break;
    case 4: REPLACE(b, at, 0, "\n\n"); break;
    case 5: REPLACE(b, at, 0, "\"<GC>\" \"\\\"\" 1#2 \n"); break;
    case 6: REPLACE(b, at, 0, "\x1f\x8b\x08"); break;
    case 7: REPLACE(b, at, 0, "heap profile: 1: 2 [3: 4] @ heap/1\n"); break;
    default: REPLACE(b, at, 0, "\x0a\x04\x08\x01\x10\x02\x32\0"); break;
    }
}

/* --- numbers --- */

/* Gives a number, of digits or a varint, another value. */
static void exceed(struct bytes *b)
{
    size_t at = place(b), n = 0;
    while (at < b->n && strchr("0123456789", b->p[at]) == NULL && n++ < 1000)
        at++;
    n = 0;
    while (at + n < b->n && b->p[at + n] >= '0' && b->p[at + n] <= '9')
        n++;
    switch (pick(7)) {
    case 0: REPLACE(b, at, n, "0"); break;
    case 1: REPLACE(b, at, n, "-1"); break;
    case 2: REPLACE(b, at, n, "4294967296"); break;
    case 3: REPLACE(b, at, n, "9223372036854775807"); break;
    case 4: REPLACE(b, at, n, "9223372036854775808"); break;
    case 5: REPLACE(b, at, n, "123456789012345678901234567890"); break;
    default: REPLACE(b, at, n, "1e9"); break;
    }
}

static void exceed_varint(struct bytes *b)
{
    size_t at = place(b), n = b->n > 0;
    switch (pick(4)) {
    case 0: REPLACE(b, at, n, "\0"); break;
    case 1: REPLACE(b, at, n, "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"); break;
    case 2: REPLACE(b, at, n, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"); break;
    default: REPLACE(b, at, n, "\x80\x80\x80\x80\x10"); break;
    }
}

/* --- lines --- */

/* The start of a line, and its length with its LF in *N. */
static size_t line(const struct bytes *b, size_t *n)
{
    size_t at = place(b);
    while (at > 0 && b->p[at - 1] != '\n')
        at--;
    const char *lf = memchr(b->p + at, '\n', b->n - at);
    *n = lf == NULL ? b->n - at : (size_t)(lf - b->p) - at + 1;
    return at;
}

static void drop_line(struct bytes *b)
{
    size_t n, at = line(b, &n);
    replace(b, at, n, "", 0);
}

/* Puts a line elsewhere, or there, too. */
static void move_line(struct bytes *b)
{
    size_t n, other, at = line(b, &n);
    char *copy = malloc(n + 1);
    if (copy == NULL)
        fail("mutants");
    memcpy(copy, b->p + at, n);
    if (pick(2) == 0)
        replace(b, at, n, "", 0);
    at = line(b, &other);
    replace(b, at, 0, copy, n);
    free(copy);
}

static void (*const mutations[])(struct bytes *) = {
    flip, set, cut, end_early, repeat, blank, add, set, exceed, exceed_varint, drop_line, move_line,
};

/* --- mutants --- */

/* The name of the folder that PATH stands in, in TEXT. */
static const char *format_of(const char *path, char *text, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash;
    while (name != NULL && name > path && name[-1] != '/')
        name--;
    snprintf(text, size, "%.*s", slash == NULL ? 1 : (int)(slash - name),
             slash == NULL ? "." : name);
    return text;
}

static void make(const char *directory, unsigned number, const char *from)
{
    static struct bytes b;
    char path[4096], format[64];
    int inflate = pick(6) > 0, deflate = inflate && pick(3) == 0;
    read_bytes(&b, from, inflate);
    for (size_t i = 1 + (pick(2) == 0 ? 0 : pick(4)); i > 0; i--)
        PICK(mutations)(&b);
    snprintf(path, sizeof path, "%s/%s/%u", directory, format_of(from, format, sizeof format),
             number);
    write_bytes(&b, path, deflate);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: mutants SEED COUNT SHARE DIRECTORY FILE...\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    unsigned count = (unsigned)atoi(argv[2]), share = (unsigned)atoi(argv[3]);
    for (unsigned number = share; number <= count; number += share) {
        random_state = seed << 32 ^ number;
        make(argv[4], number, argv[5 + pick((size_t)argc - 5)]);
    }
    return 0;
}

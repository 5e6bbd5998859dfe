#include "formats/foreign.h"

#include "base/port.h"
#include "rows/text.h"

#include <stdio.h>
#include <strings.h>

/* A row of the table: what an input begins with, its name (NULL: what it begins with says enough), and
 * what to do. */
struct foreign {
    struct str magic;
    const char *name, *hint;
    struct str also; /* stands somewhere in the first bytes, too; empty: nothing */
};

#define UNPACK(command) "\"" command "\" decompresses it"
#define PPROF_CONVERTS "\"go tool pprof -proto FILE\" converts it"
#define DEBUG_1 "a profile in pprof's old text (debug=1 in Go)"
#define OLD_CPU "an old binary CPU profile"

static const struct foreign table[] = {
    /* compressed and packed: gzip is undone before anybody looks, so this is the second layer */
    {STR("\x1f\x8b"), "gzip data inside gzip", UNPACK("gzip -d") " once", STR("")},
    {STR("\x28\xb5\x2f\xfd"), "zstd data", UNPACK("zstd -d"), STR("")},
    {STR("\xfd"
         "7zXZ"),
     "xz data", UNPACK("xz -d"), STR("")},
    {STR("BZh"), "bzip2 data", UNPACK("bzip2 -d"), STR("1AY&SY")},
    {STR("\x04\x22\x4d\x18"), "lz4 data", UNPACK("lz4 -d"), STR("")},
    {STR("PK\3\4"), "a zip archive", "\"unzip\" unpacks it", STR("")},

    /* profilers' own */
    {STR("FLR\0"), "a recording of Java Flight Recorder",
     "\"jfrconv -o pprof\" of async-profiler converts it", STR("")},
    {STR("PERFILE2"), "a perf.data file", "\"perf script\" prints what perf2ndjson reads", STR("")},
    {STR("go 1."), "an execution trace of Go",
     "\"go tool trace -pprof=TYPE FILE\" makes a pprof file of it", STR(" trace\0")},
    {STR("goroutine "), "the stacks of goroutines (debug=2 in Go)",
     "without debug=2 Go writes a pprof file", STR(" [")},
    {STR("heap profile:"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("heapz"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("growthz"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("threads:"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("--- mutex"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("--- contention"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("--- heapz"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("--- threadz"), DEBUG_1, PPROF_CONVERTS, STR("")},
    {STR("--- Memory map"), DEBUG_1, PPROF_CONVERTS, STR("")},
    /* words of 8 or 4 bytes, of either order: 0, 3, 0, or 1 where Java wrote it */
    {STR("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0"), OLD_CPU " of Java", PPROF_CONVERTS, STR("")},
    {STR("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), OLD_CPU,
     "\"go tool pprof -proto PROGRAM FILE\" converts it", STR("")},
    {STR("\0\0\0\0\3\0\0\0\1\0\0\0"), OLD_CPU " of Java", PPROF_CONVERTS, STR("")},
    {STR("\0\0\0\0\3\0\0\0\0\0\0\0"), OLD_CPU, "\"go tool pprof -proto PROGRAM FILE\" converts it",
     STR("")},
    {STR("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"), OLD_CPU, PPROF_CONVERTS, STR("")},
    {STR("\0\0\0\0\0\0\0\3"), OLD_CPU, PPROF_CONVERTS, STR("")},

    /* other files */
    {STR("\x7f"
         "ELF"),
     "a program (ELF)", "a profile of it is another file", STR("")},
    {STR("\xef\xbb\xbf"), "UTF-8 with a byte order mark", "\"tail -c +4\" takes that off", STR("")},
    {STR("\xff\xfe"), "UTF-16", "\"iconv -f UTF-16 -t UTF-8\" converts it", STR("")},
    {STR("\xfe\xff"), "UTF-16", "\"iconv -f UTF-16 -t UTF-8\" converts it", STR("")},
    {STR("<!DOCTYPE html"), NULL, "a web page, perhaps of an error or a login", STR("")},
    {STR("<html"), NULL, "a web page, perhaps of an error or a login", STR("")},
    /* of goroutines, threads, and what programs count themselves */
    {STR(""), DEBUG_1, PPROF_CONVERTS, STR(" profile: total ")},
};

/* HEAD from where it is not blank. */
static struct str skip_blanks(struct str head)
{
    while (head.n > 0 && memchr(" \t\r\n", *head.p, 4) != NULL)
        head.p++, head.n--;
    return head;
}

static const struct foreign *find(struct str head)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct foreign *f = &table[i];
        /* of web pages either case will do, and they may begin with blanks */
        struct str from = f->name == NULL ? skip_blanks(head) : head;
        bool begins = from.n >= f->magic.n &&
                      (f->name == NULL ? strncasecmp(from.p, f->magic.p, f->magic.n) == 0
                                       : memcmp(from.p, f->magic.p, f->magic.n) == 0);
        size_t near = from.n < 64 ? from.n : 64;
        if (begins && (f->also.n == 0 || port_memmem(from.p, near, f->also.p, f->also.n) != NULL))
            return f;
    }
    return NULL;
}

bool foreign_is_known(struct str head)
{
    return find(head) != NULL;
}

bool foreign_is_text(struct str head)
{
    for (size_t i = 0; i < head.n && i < 512; i++)
        if (!str_is_text(head.p[i]))
            return false;
    return true;
}

/* `text that begins "..."`, with the start of the first line that is not blank. */
static void describe_text(struct buf *to, struct str head)
{
    enum { SHOWN = 40 };
    head = skip_blanks(head);
    bool is_json = head.n > 0 && (*head.p == '{' || *head.p == '[');
    size_t n = head.n < SHOWN ? head.n : SHOWN;
    const char *lf = memchr(head.p, '\n', n);
    if (lf != NULL)
        n = (size_t)(lf - head.p);
    else
        while (n == SHOWN && n > SHOWN - 4 && n < head.n && (head.p[n] & 0xc0) == 0x80)
            n--; /* not inside a character */
    if (lf != NULL && n > 0 && head.p[n - 1] == '\r')
        n--;
    buf_add(to, is_json ? STR("JSON that begins \"") : STR("text that begins \""));
    text_escape(to, (struct str){head.p, n});
    buf_add(to, STR("\""));
}

static void describe_bytes(struct buf *to, struct str head)
{
    buf_add(to, STR("bytes that begin"));
    for (size_t i = 0; i < head.n && i < 8; i++) {
        char hex[8];
        snprintf(hex, sizeof hex, " %02x", (unsigned char)head.p[i]);
        buf_add(to, str_of(hex));
    }
}

void foreign_describe(struct buf *to, struct str head)
{
    const struct foreign *f = find(head);
    if (head.n == 0)
        buf_add(to, STR("an empty file"));
    else if (f != NULL && f->name != NULL)
        buf_add(to, str_of(f->name));
    else if (foreign_is_text(head))
        describe_text(to, head);
    else
        describe_bytes(to, head);
    if (f != NULL) {
        buf_add(to, STR(" ("));
        buf_add(to, str_of(f->hint));
        buf_add(to, STR(")"));
    }
}

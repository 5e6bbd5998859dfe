#include "formats/foreign.h"

#include "base/port.h"
#include "base/utf8.h"
#include "formats/format.h"
#include "formats/json_head.h"
#include "rows/text.h"

#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

/* A kind of input that no tool reads, and what to do with it. */
struct foreign {
    struct str magic; /* the input begins with this */
    struct str also;  /* must also occur in the first NEAR bytes; empty: nothing */
    /* NAME NULL: the message quotes the start of the input instead */
    const char *name, *hint;
    size_t at;      /* offset of MAGIC */
    size_t bits_at; /* offset of BITS bytes, of which one must not be 0; 0: nothing */
    size_t near;    /* 0: NEAR */
    bool is_markup; /* may begin with blanks; upper or lower case */
    bool is_json;   /* MAGIC is what it begins with but for blanks */
};

enum {
    NEAR = 64,
    FAR = 4096,
    BITS = 16,
};

/* Where the header of a recording has a bit for each section from 128 on: these are
 * simpleperf's. */
enum { SIMPLEPERF_BITS = 88 };

/* How many bytes of unknown text a message shows. */
enum { SHOWN = 40 };

/* Initialisers for the table. */
#define BEGINS(text) .magic = STR(text)
#define BEGINS_HAS(text, more) .magic = STR(text), .also = STR(more)
#define BEGINS_FAR(text, more) .near = FAR, .magic = STR(text), .also = STR(more)
#define BEGINS_TABLE(title) .near = 128, .magic = STR(""), .also = STR(title)
#define JSON(text) .is_json = true, .magic = STR(text)
#define JSON_FAR(first, more) .is_markup = true, .near = FAR, .magic = STR(first), .also = STR(more)

/* Names and hints used several times. */
#define UNPACK(command) "\"" command "\" decompresses it"
#define SPEEDSCOPE "speedscope opens it, and what it exports can be read here"
#define WITH_PROGRAM "\"go tool pprof -proto PROGRAM FILE\" converts it"
#define OLD_TEXT "a profile in pprof's old text", WITH_PROGRAM
#define PPROF_TEXT(option) "what pprof printed (" option ")", "give the profile that pprof had read"
#define FIREFOX                                                                                    \
    "an unprocessed profile of Firefox", "profiler.firefox.com opens it, and saves it processed"
#define MEMRAY "\"memray transform speedscope\" writes what speedscope2ndjson reads"
#define RECORDING "a recording of Instruments"
#define PROGRAM(kind) "a program (" kind ")", "give a profile of it instead"
#define PROTOCOL                                                                                   \
    "a log of the DevTools protocol", "the result of Profiler.stop in it is a .cpuprofile"
#define UTF16 "UTF-16", "\"iconv -f UTF-16 -t UTF-8\" converts it"
#define PAGE NULL, "a web page, perhaps of an error or a login"
#define JFR_PRINTED "what jfr printed", "give the recording that jfr had read"
#define PICTURE "an SVG picture", "give the profile that it shows"
#define REPORT_SAMPLE                                                                              \
    "\"simpleperf report-sample --protobuf --show-callchain\" writes what can be read here"
#define SIMPLEPERF "text of simpleperf", REPORT_SAMPLE
#define CPROFILE "\"python3 -m cProfile -o OUT\" writes what can be read here"
#define CPROFILE_TABLE "a table of Python's cProfile", CPROFILE
#define MARSHAL                                                                                    \
    "other marshal data of Python", "what Profile.dump_stats and cProfile -o write can be read "   \
                                    "here"
#define PICKLE "a pickle of Python", CPROFILE
#define COMPILED "a module that Python has compiled", "give a profile of it instead"
#define GPROF_HINT "\"perf record -g\" records what can be read here"
#define ANNOTATED(program) "what " program " printed", "give the file that " program " had read"
#define METHOD_TRACE                                                                               \
    "a method trace of Android", "profiler.firefox.com opens it, and saves it processed"

static const struct foreign table[] = {
    /* compressed files and archives: one layer of gzip has been removed already */
    {BEGINS("\x1f\x8b"), .name = "gzip data inside gzip", UNPACK("gzip -d") " once"},
    {BEGINS("\x28\xb5\x2f\xfd"), .name = "zstd data", UNPACK("zstd -d")},
    {BEGINS("\xfd\x37zXZ"), .name = "xz data", UNPACK("xz -d")},
    {BEGINS_HAS("BZh", "1AY&SY"), "bzip2 data", UNPACK("bzip2 -d")},
    {BEGINS("\x04\x22\x4d\x18"), .name = "lz4 data", UNPACK("lz4 -d")},
    {BEGINS_HAS("PK\3\4", ".trace/"), RECORDING " in a zip archive", "\"unzip\" unpacks it"},
    {BEGINS("PK\3\4"), .name = "a zip archive", "\"unzip\" unpacks it"},
    {.at = 257, BEGINS("ustar"), .name = "a tar archive", "\"tar -xf\" unpacks it"},

    /* Go and pprof */
    {BEGINS_HAS("go 1.", " trace\0"), "an execution trace of Go",
     "\"go tool trace -pprof=TYPE FILE\" makes a pprof file of it"},
    {BEGINS("heapz"), .name = OLD_TEXT},
    {BEGINS("growthz"), .name = OLD_TEXT},
    {BEGINS("threads:"), .name = OLD_TEXT},
    {BEGINS("--- Memory map"), .name = OLD_TEXT},
    {BEGINS_FAR("File: ", "Showing nodes"), PPROF_TEXT("-top or -tree")},
    {BEGINS_FAR("Type: ", "Showing nodes"), PPROF_TEXT("-top or -tree")},
    {BEGINS("Showing nodes "), .name = PPROF_TEXT("-top or -tree")},
    {BEGINS_FAR("File: ", "-----------+-"), PPROF_TEXT("-traces")},
    {BEGINS_FAR("Type: ", "-----------+-"), PPROF_TEXT("-traces")},
    {BEGINS("PeriodType: "), .name = PPROF_TEXT("-raw")},
    {BEGINS("digraph "), .name = PPROF_TEXT("-dot")},

    /* other profilers: JSON */
    {JSON_FAR("{", "\"processType\""), FIREFOX},
    {JSON_FAR("{\"label\":", "\"markers\":["), "a recording of Firefox's old performance panel",
     SPEEDSCOPE},
    {JSON("{\"version\":0,\"costs\":["), .name = "JSON for gprof2dot",
     "if memray wrote it, " MEMRAY},
    {JSON("{\"costs\":["), .name = "JSON for gprof2dot", "if memray wrote it, " MEMRAY},
    {JSON("{\"version\":1,\"recording\":"), .name = "a recording of Safari", SPEEDSCOPE},
    {JSON_FAR("[", "\"method\":"), PROTOCOL},
    {JSON_FAR("{\"method\":", "\"params\":"), PROTOCOL},

    /* other profilers: text */
    {BEGINS_FAR("v 1", "\nX "), "a file of heaptrack",
     "\"heaptrack_print -F OUT FILE\" makes folded stacks of it"},
    {BEGINS("Bytes Used\tCount"), .name = "a table of Instruments", SPEEDSCOPE},
    {.is_markup = true,
     BEGINS_FAR("<?xml", "<trace-toc"),
     "a list of the tables of Instruments",
     "xctrace export --xpath exports one of them"},
    {BEGINS("TRACE START ["), .name = "a trace of Xdebug for people to read",
     "with xdebug.trace_format=1 xdebug2ndjson reads it"},
    {BEGINS_FAR("sample:\n", "  event_type: "), SIMPLEPERF},
    {BEGINS("magic: SIMPLEPERF\n"), .name = SIMPLEPERF},
    {BEGINS("*version\n"), .name = METHOD_TRACE},
    {BEGINS("v8-version,"), .name = "a log of V8",
     "\"node --cpu-prof\" records what can be read here"},
    {BEGINS_HAS("@ ", " samples]\n"), "call graphs of pmcstat", SPEEDSCOPE},
    {BEGINS("gmon\1\0\0\0"), .name = "a recording of gprof", GPROF_HINT},
    {BEGINS("gmon\0\0\0\1"), .name = "a recording of gprof", GPROF_HINT},
    {BEGINS("Flat profile:"), .name = "what gprof printed", GPROF_HINT},
    {BEGINS_FAR("----------", "\nI1 cache:         "), ANNOTATED("cg_annotate")},
    {BEGINS_FAR("----------", "\nMassif arguments:"), ANNOTATED("ms_print")},
    {BEGINS_FAR("----------", "\nProfile data file '"), ANNOTATED("callgrind_annotate")},
    {BEGINS_FAR("JOB \"", "\nDATE \""), "a heap profile of GHC",
     "\"hp2ps\" draws it; +RTS -pj records what can be read here"},
    {BEGINS("import time: self [us] | cumulative |"), .name = "import times of Python", CPROFILE},
    {BEGINS_TABLE(" function calls in "), CPROFILE_TABLE},
    {BEGINS_TABLE(" primitive calls) in "), CPROFILE_TABLE},
    {BEGINS_HAS("", " Time and Allocation Profiling Report"), "a profile of GHC without numbers",
     "+RTS -pj and -P record what can be read here"},

    /* Java */
    {BEGINS_FAR("jdk.", " {\n  startTime = "), JFR_PRINTED},
    {JSON("{\"recording\":{\"events\":["), .name = JFR_PRINTED},
    {.is_markup = true, BEGINS_FAR("<?xml", "<recording "), JFR_PRINTED},
    {.is_markup = true,
     BEGINS_FAR("<?xml", "<configuration version="),
     "settings of Java Flight Recorder",
     "give a recording that was made with them"},
    {BEGINS_HAS("[", "][info"), "a log of a JVM",
     "-XX:StartFlightRecording makes a recording, which can be read here"},
    {.is_markup = true,
     BEGINS_FAR("<!DOCTYPE html", "async-profiler"),
     "a picture of async-profiler",
     "with \"-o jfr\" or \"-o collapsed\" it writes what can be read here"},
    {BEGINS("JAVA PROFILE 1.0"), .name = "a heap dump of Java",
     "VisualVM and Eclipse MAT open it; a recording of allocations can be read here"},

    /* other profilers: bytes */
    {BEGINS("PERFILE2"), .bits_at = SIMPLEPERF_BITS, .name = "a recording of simpleperf",
     REPORT_SAMPLE},
    {BEGINS("PERFILE2"), .name = "a perf.data file",
     "\"perf script\" prints what perf2ndjson reads"},
    {BEGINS("memray\0"), .name = "a capture of memray", MEMRAY},
    {BEGINS_HAS("MOJ", "\1"), "a MOJO file of Austin", "\"mojo2austin\" converts it"},
    {BEGINS("\4\b{"), .name = "a dump of Ruby",
     "if stackprof wrote it, \"stackprof --json FILE\" prints what stackprof2ndjson reads"},
    {BEGINS_HAS("SLOW", "\0"), METHOD_TRACE},
    {BEGINS("{\xda"), .name = MARSHAL}, /* a dict, whose first key is a string or a number */
    {BEGINS("{\xfa"), .name = MARSHAL},
    {BEGINS("{\xe9"), .name = MARSHAL},
    {BEGINS("\xfb\xda"), .name = MARSHAL},
    {BEGINS("\xfb\xfa"), .name = MARSHAL},
    {BEGINS("\xfb\xe9"), .name = MARSHAL},
    {BEGINS("\x80\3"), .name = PICKLE},
    {BEGINS("\x80\4\x95"), .name = PICKLE},
    {BEGINS("\x80\5\x95"), .name = PICKLE},
    {.at = 1, BEGINS("\r\r\n"), .name = COMPILED}, /* the second byte of its version is 13, 14 */
    {.at = 1, BEGINS("\16\r\n"), .name = COMPILED},
    {BEGINS_HAS("Nettrace", "\0"), "a trace of .NET",
     "\"dotnet-trace convert --format Speedscope\" converts it"},

    /* other files */
    {BEGINS("\x7f\x45LF"), .name = PROGRAM("ELF")},
    {BEGINS("\xcf\xfa\xed\xfe"), .name = PROGRAM("Mach-O")},
    {BEGINS("\xce\xfa\xed\xfe"), .name = PROGRAM("Mach-O")},
    {BEGINS("\xca\xfe\xba\xbe\0\0\0\1"), .name = PROGRAM("Mach-O")},
    {BEGINS("\xca\xfe\xba\xbe\0\0\0\2"), .name = PROGRAM("Mach-O")},
    {BEGINS("\xca\xfe\xba\xbe\0\0\0\3"), .name = PROGRAM("Mach-O")},
    {BEGINS("\xca\xfe\xba\xbe"), .name = "a class of Java", "give a profile of it instead"},
    {BEGINS_HAS("MZ", "\0\0"), PROGRAM("PE")},
    {BEGINS("\xef\xbb\xbf"), .name = "UTF-8 with a byte order mark",
     "\"tail -c +4\" takes that off"},
    {BEGINS("\xff\xfe"), .name = UTF16},
    {BEGINS("\xfe\xff"), .name = UTF16},
    {.is_markup = true, BEGINS("<!DOCTYPE html"), .name = PAGE},
    {.is_markup = true, BEGINS("<html"), .name = PAGE},
    {.is_markup = true, BEGINS("<svg"), .name = PICTURE},
    {.is_markup = true, BEGINS_FAR("<?xml", "<svg"), PICTURE},
};

static bool begins(const struct foreign *f, struct str head)
{
    if (f->is_json)
        return json_head_begins(head, f->magic);
    if (head.n < f->at + f->magic.n)
        return false;
    return f->is_markup ? strncasecmp(head.p, f->magic.p, f->magic.n) == 0
                        : memcmp(head.p + f->at, f->magic.p, f->magic.n) == 0;
}

/* Whether one of the BITS bytes at AT is not 0. */
static bool has_bits(struct str head, size_t at)
{
    for (size_t i = at; i < at + BITS && i < head.n; i++)
        if (head.p[i] != 0)
            return true;
    return false;
}

static bool is(const struct foreign *f, struct str head)
{
    struct str from = f->is_markup ? json_head_skip_blanks(head) : head;
    size_t near = f->near > 0 ? f->near : NEAR;
    near = from.n < near ? from.n : near;
    return begins(f, from) && (f->bits_at == 0 || has_bits(head, f->bits_at)) &&
           (f->also.n == 0 || port_memmem(from.p, near, f->also.p, f->also.n) != NULL);
}

static const struct foreign *find(struct str head)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is(&table[i], head))
            return &table[i];
    return NULL;
}

bool foreign_is_known(struct str head)
{
    return find(head) != NULL;
}

bool foreign_is_simpleperf(struct str head)
{
    const struct foreign *f = find(head);
    return f != NULL && f->bits_at == SIMPLEPERF_BITS;
}

const char *foreign_folder(const char *path)
{
    struct stat file;
    size_t n = strlen(path);
    while (n > 0 && path[n - 1] == '/')
        n--;
    bool is_recording = str_ends((struct str){path, n}, STR(".trace")) && stat(path, &file) == 0 &&
                        S_ISDIR(file.st_mode);
    return is_recording ? RECORDING
               " (\"xctrace export --xpath\" writes XML, which xctrace2ndjson reads)"
                        : NULL;
}

bool foreign_is_open(struct str head)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct foreign *f = &table[i];
        if (is(f, head))
            return false;
        if (f->near == FAR && begins(f, f->is_markup ? json_head_skip_blanks(head) : head))
            return true;
    }
    return head.n > 0 && *head.p == '\n'; /* bytes that may precede it, too */
}

bool foreign_is_text(struct str head)
{
    for (size_t i = 0; i < head.n && i < FORMAT_HEAD; i++)
        if (!str_is_text(head.p[i]))
            return false;
    return true;
}

/* Appends WHAT and the start of it, TEXT. */
static void quote(struct buf *to, struct str what, struct str text)
{
    buf_add(to, what);
    buf_add(to, STR(" that begins \""));
    text_escape(to, text);
    buf_add(to, STR("\""));
}

/* `text that begins "..."`, quoting the start of the first line that is not blank. */
static void describe_text(struct buf *to, struct str head)
{
    head = json_head_skip_blanks(head);
    size_t n = utf8_cut(head, SHOWN);
    const char *lf = memchr(head.p, '\n', n);
    if (lf != NULL)
        n = (size_t)(lf - head.p);
    if (lf != NULL && n > 0 && head.p[n - 1] == '\r')
        n--;
    quote(to, STR("text"), (struct str){head.p, n});
}

/* The same of JSON, where blanks and line ends outside of strings mean nothing: one blank for several. */
static void describe_json(struct buf *to, struct str head)
{
    struct buf start = {0};
    bool is_in_string = false;
    head = json_head_skip_blanks(head);
    while (start.n < SHOWN + 4) { /* with the rest of the last character */
        const struct str rest = is_in_string ? head : json_head_skip_blanks(head);
        if (rest.n == 0)
            break;
        if (rest.n < head.n)
            buf_add(&start, STR(" "));
        head = rest;
        buf_add(&start, (struct str){head.p, 1});
        if (*head.p == '"' && (!is_in_string || head.p[-1] != '\\'))
            is_in_string = !is_in_string;
        head.p++, head.n--;
    }
    quote(to, STR("JSON"), (struct str){start.p, utf8_cut(buf_str(&start), SHOWN)});
    buf_free(&start);
}

static bool is_json(struct str head)
{
    head = json_head_skip_blanks(head);
    return head.n > 0 && (*head.p == '{' || *head.p == '[');
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
    else if (foreign_is_text(head) && is_json(head))
        describe_json(to, head);
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

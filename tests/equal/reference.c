#include "reference.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char *const formats[] = {
#define FORMAT(name) #name,
#include "formats/list.h"
#undef FORMAT
};

static const struct renamed nothing[] = {{NULL, NULL, false}};

/* Whether FILE begins as rows may, in the eyes of who knows no format better; and whether it IS_EMPTY. */
static bool may_be_rows(const char *file, bool *is_empty)
{
    char head[512];
    gzFile in = gzopen(file, "rb");
    int n = in == NULL ? 0 : gzread(in, head, sizeof head), i = 0;
    *is_empty = in != NULL && n == 0;
    if (in != NULL)
        gzclose(in);
    while (i < n && memchr(" \t\r\n", head[i], 4) != NULL)
        i++;
    return i >= n || head[i] == '{';
}

/* Whether FILE is one that only the converter of folded stacks reads: no line that could be one, as far as
 * they stand at its start, has more than one frame and no control characters. */
static bool is_folded_alone(const char *file)
{
    static char head[64 << 10];
    gzFile in = gzopen(file, "rb");
    int n = in == NULL ? 0 : gzread(in, head, sizeof head);
    if (in != NULL)
        gzclose(in);
    if (n > 1 && (memcmp(head, "\xff\xfe", 2) == 0 || memcmp(head, "\xfe\xff", 2) == 0))
        return false;
    if (n > 9 && memcmp(head, "# austin:", 9) == 0)
        return false;
    char *start = n > 2 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? head + 3 : head;
    for (char *p = start, *lf; p < head + n; p = lf + 1) {
        bool has_frames = false, has_control = false, is_comment = *p == '#';
        lf = memchr(p, '\n', (size_t)(head + n - p));
        lf = lf == NULL ? head + n : lf;
        char *end = lf, *digits;
        while (end > p && strchr(" \t\r", end[-1]) != NULL && end[-1] != '\0')
            end--;
        for (char *c = p; c < end; c++) {
            has_frames |= *c == ';';
            has_control |= (unsigned char)*c < ' ' && memchr("\t\n\r\f\x1b", *c, 5) == NULL;
        }
        for (digits = end;
             digits > p && strchr("0123456789.", digits[-1]) != NULL && digits[-1] != 0;)
            digits--;
        if (is_comment || end == p)
            continue;
        const char *dot = memchr(digits, '.', (size_t)(end - digits));
        bool has_dots =
            dot != NULL && (dot == digits || memchr(dot + 1, '.', (size_t)(end - dot) - 1) != NULL);
        if (has_dots || digits == end || digits == p || (digits[-1] != ' ' && digits[-1] != '\t'))
            return true;
        if (has_frames && !has_control)
            return false;
    }
    return true;
}

/* The first byte at or behind P that is not blank. */
static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && memchr(" \t\r\n", *p, 4) != NULL)
        p++;
    return p;
}

static bool begins(const char *p, const char *end, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

/* Whether the N bytes at TEXT have a member "$schema" with the name of speedscope's. */
static bool has_schema(const char *text, size_t n)
{
    static const char member[] = "\"$schema\"";
    const char *end = text + n;
    for (const char *p = text; (p = memmem(p, (size_t)(end - p), member, strlen(member))) != NULL;
         p++) {
        const char *value = skip_blanks(p + strlen(member), end);
        if (!begins(value, end, ":"))
            continue;
        value = skip_blanks(value + 1, end);
        if (begins(value, end, "\"https://www.speedscope.app/file-format-schema.json\"") ||
            begins(value, end, "\"https:\\/\\/www.speedscope.app\\/file-format-schema.json\""))
            return true;
    }
    return false;
}

/* Whether the N bytes at TEXT have the name of a member of a file of Perun first, and another such behind it. */
static bool has_perun(const char *text, size_t n)
{
    static const char *const first[] = {
        "resources", "resource_type_map", "models",         "snapshots", "global",  "header",
        "origin",    "collector_info",    "postprocessors", "chunks",    "machine", "metadata"};
    static const char *const others[] = {"\"resource_type_map\"", "\"collector_info\"",
                                         "\"postprocessors\"", "\"amount\""};
    const char *name = memchr(text, '"', n), *end = text + n;
    bool is_first = false, has_other = false;
    for (size_t i = 0; name != NULL && i < sizeof first / sizeof *first; i++) {
        size_t length = strlen(first[i]);
        is_first |= (size_t)(end - name) > length + 1 && name[length + 1] == '"' &&
                    memcmp(name + 1, first[i], length) == 0;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        has_other |= memmem(text, n, others[i], strlen(others[i])) != NULL;
    return is_first && has_other;
}

/* Whether the N bytes at TEXT have the name of the member that tells a file of the Firefox Profiler. */
static bool has_firefox_version(const char *text, size_t n)
{
    static const char member[] = "\"preprocessedProfileVersion\"";
    return memmem(text, n, member, strlen(member)) != NULL;
}

/* Whether FILE, JSON, is one that only one converter reads, if any does: its first line, or 512 bytes of it, has
 * not what HAS looks for, and what follows has it only where that line does not end what it begins. */
static bool is_json_alone(const char *file, bool (*has)(const char *text, size_t n))
{
    static char head[64 << 10];
    gzFile in = gzopen(file, "rb");
    int n = in == NULL ? 0 : gzread(in, head, sizeof head), start = 0;
    if (in != NULL)
        gzclose(in);
    while (start < n && memchr(" \t\r\n", head[start], 4) != NULL)
        start++;
    if (start == n || head[start] != '{' || strncmp(head + start, "{\"table\":", 9) == 0)
        return true;
    const char *lf = memchr(head + start, '\n', (size_t)(n - start));
    bool is_short = lf != NULL && lf - head < 512;
    int first = is_short ? (int)(lf - head) + 1 : n < 512 ? n : 512;
    for (int i = 0; i < first; i++)
        if ((unsigned char)head[i] < ' ' && memchr("\t\n\r\f\x1b", head[i], 5) == NULL)
            return true;
    if (has(head + start, (size_t)(first - start)))
        return false;
    const char *end = lf;
    while (is_short && memchr(" \t\r", end[-1], 3) != NULL)
        end--;
    bool is_open = is_short ? end[-1] != '}' : n >= 512;
    for (int i = 0; i < n && i < 512; i++)
        if ((unsigned char)head[i] < ' ' && memchr("\t\n\r\f\x1b", head[i], 5) == NULL)
            return true;
    return !is_open || !has(head + start, (size_t)(n - start));
}

/* The same of a file of Perun, which may be a stored object: of that all tools say the same. */
static bool is_perun_alone(const char *file)
{
    char head[8];
    gzFile in = gzopen(file, "rb");
    int n = in == NULL ? 0 : gzread(in, head, sizeof head);
    if (in != NULL)
        gzclose(in);
    if (n == sizeof head &&
        (memcmp(head, "\x78\x9c", 2) == 0 || memcmp(head, "profile ", sizeof head) == 0))
        return false;
    return is_json_alone(file, has_perun);
}

/* Whether the converter of FORMAT, which reads no file that is torn, does not know --strict. */
static bool is_whole(const char *format)
{
    static const char *const names[] = {"pprof", "vsprof", "vtune", "xctrace"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && strcmp(format, names[i]) != 0)
        i++;
    return i < sizeof names / sizeof *names;
}

static void run_converter(struct reference *r, const char *format)
{
    char options[64];
    struct command c = {.words = {r->converter}, .count = 1};
    snprintf(r->format, sizeof r->format, "%s", format);
    snprintf(r->converter, sizeof r->converter, "%s2ndjson", format);
    snprintf(options, sizeof options, "%s %s", is_whole(format) ? r->mode->whole : r->mode->text,
             r->mode->limit);
    command_add(&c, options);
    c.words[c.count++] = r->mode->by_stdin ? "-" : r->file;
    command_run(&c, r->input, &r->converted);
}

/* Whether profcat knows no format that the file has.  Its converter may read it all the same: which files are
 * of that kind the tests of that format say, and here they must be to all tools. */
static bool is_unknown(struct reference *r)
{
    struct command c = {.words = {"profcat", "-q", r->file}, .count = 3};
    command_run(&c, r->input, &r->known);
    return r->known.status == 1 &&
           strstr(r->known.err_text, ": expected a profile, found ") != NULL;
}

/* Whether R's file is none of FORMAT, or only that one's converter reads it, which nothing in it shows to
 * others; UNKNOWN: it is unknown to profcat. */
static bool is_alone(const struct reference *r, const char *format, bool unknown)
{
    return (strcmp(format, "folded") == 0 && is_folded_alone(r->file)) ||
           (strcmp(format, "perf") == 0 && unknown) || (strcmp(format, "bench") == 0 && unknown) ||
           (strcmp(format, "trace") == 0 && unknown) ||
           (strcmp(format, "xctrace") == 0 && unknown) ||
           (strcmp(format, "perun") == 0 && is_perun_alone(r->file)) ||
           (strcmp(format, "firefox") == 0 && is_json_alone(r->file, has_firefox_version)) ||
           (strcmp(format, "speedscope") == 0 && is_json_alone(r->file, has_schema));
}

/* Where the converter says that it expected its format, a name that ends in "file", and found another: the *LENGTH bytes up
 * to what it found; NULL where it says no such thing. */
static const char *refusal(const struct reference *r, size_t *length)
{
    static const char end[] = " file, found ";
    const char *expected = strstr(r->converted.err_text, ": expected a");
    const char *found = strstr(r->converted.err_text, end);
    if (r->converted.status != 1 || found == NULL || expected == NULL || expected > found)
        return NULL;
    expected += strlen(": ");
    *length = (size_t)(found - expected) + strlen(end);
    return expected;
}

static bool is_refused(const struct reference *r)
{
    size_t length;
    return refusal(r, &length) != NULL;
}

void reference_open(struct reference *r, const char *file, const char *format,
                    const struct mode *mode)
{
    bool is_empty, is_rows = may_be_rows(file, &is_empty);
    r->file = file;
    r->mode = mode;
    r->input = open(file, O_RDONLY | O_CLOEXEC);
    if (r->input < 0)
        command_fail(file);
    /* what some converters alone would read is unknown to others */
    bool unknown = is_unknown(r);
    run_converter(r, is_alone(r, format, unknown) ? "rprof" : format);
    for (size_t i = 0; is_refused(r) && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i], "rows") != 0 && !is_alone(r, formats[i], unknown))
            run_converter(r, formats[i]);
    /* of an empty file converters alone can say what it is of */
    r->is_rows = is_empty || (is_refused(r) && is_rows);
    if (r->is_rows || is_refused(r))
        snprintf(r->format, sizeof r->format, "%s", r->is_rows ? "rows" : "unknown");
}

bool reference_lacks_lines(const struct reference *r)
{
    return !r->is_rows && r->converted.status == 1 &&
           strstr(r->converted.err_text, " skipped: ") != NULL &&
           strstr(r->converted.err_text, ": bad inputs left out: ") == NULL;
}

bool reference_has_rows(const struct reference *r)
{
    return r->is_rows || r->converted.status == 0 || reference_lacks_lines(r);
}

bool reference_is_unknown(const struct reference *r)
{
    return !r->is_rows && is_refused(r);
}

void reference_say(const struct reference *r, struct said *said)
{
    if (r->is_rows)
        return;
    said_add(said, r->converted.err_text, r->converter, nothing);
    size_t length;
    const char *expected = refusal(r, &length);
    char old[256];
    if (expected == NULL)
        return;
    snprintf(old, sizeof old, "%.*s", (int)length, expected);
    said_replace(said, old, "expected a profile, found ");
}

void reference_close(struct reference *r)
{
    close(r->input);
}

/* The formats that pprof had before its own, and still reads: text of Go (debug=1 and 2), heaps, locks and
 * threads of C++ and Java, CPU profiles of gperftools, heaps of jemalloc.  See legacy2ndjson(1) for the
 * rules. */
#include "formats/legacy/legacy.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* --- which it is --- */

/* Whether LINE has TEXT. */
static bool has(struct str line, struct str text)
{
    for (size_t i = 0; i + text.n <= line.n; i++)
        if (memcmp(line.p + i, text.p, text.n) == 0)
            return true;
    return false;
}

/* Whether LINE is as "goroutine profile: total 5". */
static bool is_count(struct str line)
{
    int64_t total;
    return legacy_take_word(&line).n > 0 && str_take(&line, STR(" profile: total ")) &&
           legacy_take_number(&line, &total) && str_trim(line).n == 0;
}

/* Whether LINE is what Go says first when a program fails, or gets a signal. */
static bool is_failure(struct str line)
{
    return str_starts(line, STR("panic: ")) || str_starts(line, STR("fatal error: ")) ||
           str_starts(line, STR("SIGQUIT: ")) || str_starts(line, STR("SIGABRT: "));
}

/* Whether a line of HEAD is as "goroutine 7 [running]:". *IS_ONE: there is only one line. */
static bool has_goroutine(struct str head, bool *is_one)
{
    struct str line;
    size_t lines = 0;
    for (; str_next_line(&head, &line); lines++)
        if (legacy_is_goroutine(str_trim(line)))
            return true;
    *is_one = lines == 1;
    return false;
}

static bool is_jemalloc(struct str line)
{
    int64_t rate;
    return str_take(&line, STR("heap_v2/")) && legacy_take_number(&line, &rate) && line.n == 0;
}

typedef void reader(struct legacy *l);

/* The reader of the file in which LINE is the first that is no comment, and HEAD begins; NULL: it is another
 * file. */
static reader *reader_of(struct str line, struct str head)
{
    if (str_starts(line, STR("heap profile:")))
        return legacy_read_heap;
    if (is_jemalloc(line))
        return legacy_read_jemalloc;
    if (str_starts(line, STR("--- heapz")))
        return legacy_read_java;
    if (str_starts(line, STR("--- contentionz")))
        return has(head, STR("format = java")) ? legacy_read_java : legacy_read_contention;
    if (str_starts(line, STR("--- mutex:")) || str_starts(line, STR("--- contention:")))
        return legacy_read_contention;
    return legacy_is_goroutine(line) || is_failure(line) ? legacy_read_goroutines : NULL;
}

/* The same of a file in which LINE is the first that is no comment: pprof lets none stand in front of
 * others. */
static reader *reader_behind(struct str line)
{
    if (str_starts(line, STR("--- threadz")) || str_starts(line, STR("--- Thread ")))
        return legacy_read_threads;
    return is_count(line) ? legacy_read_counts : NULL;
}

static reader *find_reader(struct str head)
{
    struct str rest = head, line = STR("");
    if (legacy_is_cpu(head))
        return legacy_read_cpu;
    for (bool is_first = true; str_next_line(&rest, &line); is_first = false) {
        line = str_trim(line);
        reader *found = is_first ? reader_of(line, head) : NULL;
        if (found != NULL || (line.n > 0 && line.p[0] != '#'))
            return found != NULL ? found : reader_behind(line);
    }
    return NULL;
}

/* A failure is enough for a first look alone. */
static enum bid bid_legacy(struct str head)
{
    bool is_one = false;
    reader *const found = find_reader(head);
    if (found != legacy_read_goroutines || has_goroutine(head, &is_one))
        return found != NULL ? BID_SURE : BID_NONE;
    return is_one ? BID_LIKELY : BID_NONE;
}

/* --- reading --- */

static void read_legacy(struct in *in, const struct read_request *request, struct sink *sink)
{
    enum { HEAD = 4096 };
    struct legacy l = {.in = in,
                       .request = request,
                       .sink = sink,
                       .where = {in_name(in), PLACE_LINE, 0},
                       .samples = spool_open()};
    /* how much more there is depends on how it comes */
    reader *const found = find_reader(str_first(in_peek(in, HEAD), HEAD));
    if (found == NULL) /* the line that a bid has seen goes on */
        die_at((struct place){in_name(in), PLACE_FILE, 0}, "expected an old pprof file");
    found(&l);
    legacy_push(&l);
    intern_free(&l.texts);
    intern_free(&l.functions);
    intern_free(&l.steps);
    intern_free(&l.locations);
    mem_free(l.step);
    mem_free(l.frames);
    mem_free(l.maps);
    mem_free(l.named);
    arena_free(&l.arena);
    buf_free(&l.lines);
    buf_free(&l.scratch);
    buf_free(&l.text);
    buf_free(&l.stack);
    buf_free(&l.labels);
    spool_close(l.samples);
}

void legacy_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_LEGACY_DURATION)
            text_is_integer(m.value, &to->duration);
}

const struct format format_legacy = {
    .name = "an old pprof file",
    .converter = "legacy2ndjson",
    .bid = bid_legacy,
    .read = read_legacy,
    .is_document = true,
};

/* What `sample` of macOS prints: a tree of calls for each thread, with inclusive counts.
 *
 *     Call graph:
 *         825 Thread_15758523   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 825 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *         +   825 main  (in rg) + 41  [0x10384b549]  main.c:12
 *
 * Two columns in front of the count are one level.  What the children of a call do not have is its
 * own.  Names of mapped files come after the tree, so the whole file is read first. */
#include "base/mem.h"
#include "formats/stacks/stacks.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdlib.h>

/* The count of a thread, on level 0, is in this column. */
enum { INDENT = 4 };

/* The nanoseconds of a sample, unless the report says otherwise. */
enum { DEFAULT_PERIOD = 1000000 };

struct image {
    uint64_t start, last; /* the last address is in it */
    struct str path, uuid;
    uint32_t mapping;
};

/* A call whose children are being read. */
struct call {
    int64_t count, of_children;
    uint32_t location; /* 0: a thread */
    struct place where;
};

struct reader {
    struct stacks_reader *s;
    struct str rest; /* of the report */
    struct call *calls;
    size_t depth, call_capacity;
    struct image *images;
    size_t image_count, image_capacity;
    struct buf thread; /* the line of it */
    int64_t period;    /* in nanoseconds */
};

static bool next_line(struct reader *r, struct str *line)
{
    if (!str_next_line(&r->rest, line))
        return false;
    r->s->where.at++;
    if (line->n > 0 && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

/* --- mapped files --- */

static int compare_images(const void *a, const void *b)
{
    const struct image *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Reads "0x103746000 - 0x103ab8ff7 +rg (0) <UUID> /usr/local/bin/rg"; false: LINE is none. */
static bool take_image(struct str line, struct image *image)
{
    stacks_skip_blanks(&line);
    if (!str_take(&line, STR("0x")) || !text_take_hex(&line, &image->start))
        return false;
    stacks_skip_blanks(&line);
    if (!str_take(&line, STR("-")))
        return false;
    stacks_skip_blanks(&line);
    if (!str_take(&line, STR("0x")) || !text_take_hex(&line, &image->last))
        return false;
    image->path = str_trim(line);
    image->uuid = STR("");
    const size_t open = stacks_find(line, STR(" <"));
    if (open < line.n) {
        image->path = (struct str){line.p + open + 2, line.n - open - 2};
        image->uuid = stacks_take_until(&image->path, STR(">"));
        image->path = str_trim(image->path);
    }
    return true;
}

/* Adds IMAGE. The limit of one that ends at 2^64-1 is that, since rows have 64 bits. */
static void add_image(struct reader *r, struct image image)
{
    image.mapping = stacks_mapping(r->s, image.path, image.uuid, image.start,
                                   image.last + (image.last < UINT64_MAX));
    r->images = mem_array(r->images, &r->image_capacity, ++r->image_count, sizeof *r->images);
    r->images[r->image_count - 1] = image;
}

/* Pushes the mappings, which stand at the end of the report. */
static void read_images(struct reader *r)
{
    static const struct str title = STR("\nBinary Images:");
    struct str rest = r->rest, line;
    struct image image;
    r->image_count = 0;
    stacks_take_until(&rest, title);
    while (str_next_line(&rest, &line))
        if (take_image(line, &image))
            add_image(r, image);
    if (r->image_count > 0)
        qsort(r->images, r->image_count, sizeof *r->images, compare_images);
}

/* The mapping that ADDRESS is in; 0: none. */
static uint32_t mapping_of(const struct reader *r, uint64_t address)
{
    size_t from = 0, to = r->image_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (r->images[middle].start <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 && address <= r->images[from - 1].last ? r->images[from - 1].mapping : 0;
}

/* --- calls --- */

/* Moves the addresses "  [0x1,0x2,...]" and what follows them off *TEXT to *FRAME.  A call at several
 * places is one line: the first place counts. */
static void take_address(struct str *text, struct stacks_call *frame)
{
    const size_t at = stacks_find_last(*text, STR("  [0x"));
    struct str rest = {text->p + at, text->n - at};
    if (!str_take(&rest, STR("  [0x")) || !text_take_hex(&rest, &frame->address))
        return;
    if (str_starts(rest, STR(",")))
        loss_add(LOSS_OWN, STR("further addresses of calls"), 1);
    stacks_take_until(&rest, STR("]"));
    frame->file = str_trim(rest);
    frame->line = stacks_take_line(&frame->file);
    text->n = at;
}

/* Moves "  (in rg) + 41,52" off *TEXT to *FRAME. */
static void take_binary(struct str *text, struct stacks_call *frame)
{
    const size_t at = stacks_find_last(*text, STR("  (in "));
    struct str rest = {text->p + at, text->n - at};
    int64_t offset;
    if (!str_take(&rest, STR("  (in ")))
        return;
    const size_t end = stacks_find_last(rest, STR(")"));
    frame->binary = (struct str){rest.p, end};
    if (str_equal(frame->binary, STR("<unknown binary>")))
        frame->binary.n = 0;
    rest.p += end;
    rest.n -= end;
    if (str_take(&rest, STR(") + ")) && text_take_number(&rest, &offset)) {
        frame->offset = (uint64_t)offset;
        frame->has_offset = true;
    }
    text->n = at;
}

static uint32_t read_frame(struct reader *r, struct str text)
{
    struct stacks_call frame = {.file = STR(""), .binary = STR("")};
    take_address(&text, &frame);
    take_binary(&text, &frame);
    frame.name = str_equal(text, STR("???")) ? STR("") : text;
    frame.mapping_id = frame.address != 0 ? mapping_of(r, frame.address) : 0;
    return stacks_location(r->s, &frame);
}

/* Adds labels for "Thread_15758523   DispatchQueue_1: com.apple.main-thread  (serial)" or
 * "Thread_1086631: PortServerThread". */
static void label_thread(struct stacks_reader *s, struct str text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ' && text.p[n] != ':')
        n++;
    const struct str id = {text.p, n};
    struct str rest = {text.p + n, text.n - n};
    const bool has_name = str_take(&rest, STR(":"));
    rest = str_trim(rest);
    const size_t queue = has_name ? stacks_find(rest, STR("   DispatchQueue_")) : 0;
    const struct str name = {rest.p, queue};
    rest.p += queue;
    rest.n -= queue;
    stacks_label(s, "thread", has_name && name.n > 0 ? name : id, 0);
    if (has_name && name.n > 0)
        stacks_label(s, "id", id, 0);
    rest = str_trim(rest);
    if (rest.n > 0)
        stacks_label(s, "queue", rest, 0);
}

/* Pushes what the innermost open call has of its own. */
static void push_own(struct reader *r, int64_t own)
{
    struct stacks_reader *s = r->s;
    int64_t values[STACKS_VALUES] = {own};
    if (__builtin_mul_overflow(own, r->period, &values[1]))
        die_at(s->where, "the time of %" PRId64 " samples does not fit into 64 bits", own);
    for (size_t i = r->depth; i-- > 1;)
        stacks_push(s, r->calls[i].location);
    label_thread(s, buf_str(&r->thread));
    stacks_end_sample(s, values);
}

/* Ends calls until DEPTH are open. */
static void close_calls(struct reader *r, size_t depth)
{
    while (r->depth > depth) {
        const struct call *call = &r->calls[r->depth - 1];
        const int64_t own = call->count - call->of_children;
        if (own < 0)
            die_at(call->where, "%" PRId64 " samples, but %" PRId64 " in what it calls",
                   call->count, call->of_children);
        if (own > 0)
            push_own(r, own);
        r->depth--;
    }
}

static void open_call(struct reader *r, struct str text, int64_t count)
{
    struct call call = {.count = count, .where = r->s->where};
    if (r->depth == 0) {
        r->thread.n = 0;
        buf_add(&r->thread, text);
    } else {
        struct call *caller = &r->calls[r->depth - 1];
        if (__builtin_add_overflow(caller->of_children, count, &caller->of_children))
            die_at(call.where, "the samples of these calls do not fit into 64 bits");
        call.location = read_frame(r, text);
    }
    growth_check_depth(r->depth + 1, call.where);
    r->calls = mem_array(r->calls, &r->call_capacity, r->depth + 1, sizeof *r->calls);
    r->calls[r->depth++] = call;
}

/* Reads a line of the tree; false: it is none. */
static bool read_call(struct reader *r, struct str line)
{
    size_t column = 0;
    int64_t count;
    while (column < line.n && memchr(" +!:|", line.p[column], 5) != NULL)
        column++;
    struct str text = {line.p + column, line.n - column};
    if (column < INDENT || !text_take_number(&text, &count) || !str_take(&text, STR(" ")))
        return false;
    const size_t level = (column - INDENT) / 2;
    if (level > r->depth || (column - INDENT) % 2 != 0)
        die_at(r->s->where, "expected a call on level %zu at most, found column %zu", r->depth,
               column + 1);
    close_calls(r, level);
    open_call(r, text, count);
    return true;
}

static void read_calls(struct reader *r)
{
    static const struct str end = STR("Total number in stack");
    struct stacks_reader *s = r->s;
    for (struct str line; next_line(r, &line);) {
        if (line.n == 0 || read_call(r, line))
            continue;
        if (!str_starts(line, end))
            die_at(s->where, "expected a call, or \"%.*s\", found \"%.*s\"", STR_ARG(end),
                   STR_ARG(line));
        close_calls(r, 0);
        return;
    }
    close_calls(r, 0);
    if (s->request->strict)
        die_as(CODE_CUT, s->where, "--strict: the report ends in its tree of calls");
    warn_at(CODE_CUT, s->where, "the report ends in its tree of calls: samples may be missing");
}

/* --- reports --- */

/* Stores the nanoseconds of TEXT, as "1 millisecond"; false if it is no such time. */
static bool take_period(struct str text, int64_t *period)
{
    static const struct {
        const char *name;
        int64_t nanoseconds;
    } units[] = {{"microsecond", 1000}, {"millisecond", 1000000}, {"second", 1000000000}};
    int64_t number;
    if (!text_take_number(&text, &number) || number == 0 || stacks_skip_blanks(&text) == 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_starts(text, str_of(units[i].name)))
            return !__builtin_mul_overflow(number, units[i].nanoseconds, period);
    return false;
}

/* Takes the fact NAME of the header off LINE, if that begins with TITLE. */
static void take_fact(struct stacks_reader *s, struct str line, struct str title, const char *name)
{
    if (str_take(&line, title))
        stacks_fact(s, name, str_trim(line));
}

/* Takes the date off LINE, if it has it: without its fraction and zone. */
static void take_date(struct stacks_reader *s, struct str line)
{
    static const size_t length = sizeof "2019-07-04 10:21:28" - 1;
    if (!str_take(&line, STR("Date/Time:")))
        return;
    line = str_trim(line);
    line.n = line.n < length ? line.n : length;
    stacks_fact(s, "date", line);
}

/* Reads what stands in front of the tree; false: there is none. */
static bool read_header(struct reader *r)
{
    struct stacks_reader *s = r->s;
    for (struct str line; next_line(r, &line);) {
        if (str_starts(line, STR("Call graph:")))
            return true;
        struct str rest = line;
        if (str_take(&rest, STR("Analysis of sampling "))) {
            stacks_take_until(&rest, STR(") every "));
            if (!take_period(rest, &r->period))
                r->period = DEFAULT_PERIOD;
        }
        take_fact(s, line, STR("Path:"), "command");
        take_date(s, line);
        take_fact(s, line, STR("Analysis Tool:"), "producer");
        stacks_keep_line(s, line);
    }
    return false;
}

/* Reads the report in r->rest. */
static void read_report(struct reader *r)
{
    struct stacks_reader *s = r->s;
    struct str line;
    r->period = DEFAULT_PERIOD;
    s->source_id = 0; /* lines in front of the tree are the next source's */
    read_images(r);
    const bool has_tree = read_header(r);
    const struct stacks_type types[] = {{STR("samples"), STR("count"), 0},
                                        {STR("wall"), STR("nanoseconds"), r->period}};
    stacks_begin_source(s, types, 2);
    if (has_tree)
        read_calls(r);
    struct image image;
    for (bool is_image = false; next_line(r, &line);)
        if (str_starts(line, STR("Binary Images:")))
            is_image = true;
        else if (!is_image && line.n > 0)
            loss_add(LOSS_OWN, STR("lines of sums"), 1);
        else if (is_image && !take_image(line, &image))
            stacks_keep_line(s, line);
}

static void read_sample(struct stacks_reader *s)
{
    static const struct str title = STR("\nAnalysis of sampling ");
    struct reader r = {.s = s};
    struct str whole = format_whole(s->in, s->request);
    stacks_drop_torn(s, &whole);
    while (whole.n > 0) {
        const size_t end = stacks_find(whole, title);
        const size_t n = end < whole.n ? end + 1 : end;
        r.rest = (struct str){whole.p, n};
        whole.p += n;
        whole.n -= n;
        read_report(&r);
    }
    mem_free(r.calls);
    mem_free(r.images);
    buf_free(&r.thread);
}

static enum bid bid_sample(struct str head)
{
    return str_starts(head, STR("Analysis of sampling ")) ? BID_SURE : BID_NONE;
}

const struct stacks_dialect stacks_sample = {STR("sample"), false, bid_sample, read_sample};

/* perf script output to rows. See perf2ndjson(1) for the rules.
 *
 * A sample is a header and frames: one frame on the same line, or one per line up to an empty line.
 * Frames repeat a lot, so the text of a line is looked up before it is parsed. */
#include "formats/perf/perf_read.h"
#include "base/mem.h"
#include "base/port.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- messages --- */

/* Reports the bad line LINE: EXPECTED was required. */
static void note_bad(struct perf_reader *r, const char *expected, struct str line)
{
    enum { SHOWN = 60 };
    struct buf shown = {0};
    text_escape(&shown, (struct str){line.p, line.n < SHOWN ? line.n : SHOWN});
    bad_lines_note(&r->bad, r->where, "expected %s, found \"%.*s%s\"", expected,
                   STR_ARG(buf_str(&shown)), line.n > SHOWN ? "..." : "");
    buf_free(&shown);
}

static void leave_out(const char *what)
{
    loss_add(LOSS_PERF_LINES, str_of(what), 1);
}

/* --- lines --- */

/* Whether LINE is a message that perf prints to standard error, which may end up in the same
 * file. */
static bool is_message(struct str line)
{
    static const struct str starts[] = {
        STR("Warning:"),
        STR("Processed "),
        STR("Check IO/CPU overload!"),
        STR("Failed to open "),
        STR("addr2line: "),
        STR("cmd__addr2line"),
        STR("[ perf record: "),
        STR("BFD: "),
        STR("Can't provide "),
        STR("no symbols found in "),
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(line, starts[i]))
            return true;
    return false;
}

/* Begins a sample if LINE is a header; false if it is not. */
static bool take_header(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    struct perf_rest rest;
    if (!perf_take_header(line, &h))
        return false;
    struct str record = perf_record(&h);
    if (record.n > 0) {
        perf_end_sample(r);
        loss_add(LOSS_PERF_LINES, record, 1);
        return true;
    }
    bool has_frame = perf_find_frame(h.rest, &rest);
    if (h.seconds.n == 0 && perf_is_weak(&h) &&
        (is_message(line) || !(has_frame || perf_is_bare(&h))))
        return false;
    perf_begin_headed(r, &h, has_frame);
    return true;
}

/* Adds the source line in LINE to the last frame; false if LINE has none, or there is no frame. */
static bool take_srcline(struct perf_reader *r, struct str line)
{
    struct perf_srcline at;
    if (r->state == PERF_NO_SAMPLE || !perf_take_srcline(line, &at))
        return false;
    perf_finish_rest(r, false);
    if (r->depth == 0)
        return false;
    struct perf_step *step = &r->steps[r->depth - 1];
    if (step->srcline != 0)
        return false;
    step->srcline = intern_add(&r->srclines, line, NULL);
    step->is_inlined |= at.is_inlined;
    return true;
}

/* Frames follow, so the end of the header is not a frame. */
static void begin_chain(struct perf_reader *r)
{
    if (r->rest.n == 0)
        return;
    perf_finish_rest(r, true);
    r->state = PERF_CHAIN;
}

/* A line that begins with a tab: a frame. */
static void take_frame(struct perf_reader *r, struct str line)
{
    begin_chain(r);
    if (r->state != PERF_CHAIN) {
        perf_begin_sample(r);
        r->state = PERF_CHAIN;
    }
    if (!perf_push_frame(r, line))
        note_bad(r, "a frame (an address and what is there)", line);
}

/* A line that begins with a blank, after frames of a chain: a frame, if tabs were converted to
 * blanks, or text that belongs to a frame. */
static void take_indented(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    if (take_srcline(r, line))
        return;
    if (perf_take_frame(line, &frame))
        perf_push_frame(r, line);
    else
        leave_out("lines inside of samples");
}

/* A line that begins with a blank and is not a header. */
static bool take_lone_frame(struct perf_reader *r, struct str line)
{
    struct perf_rest rest;
    if (*line.p != ' ' || !perf_find_frame(line, &rest) || rest.front.n > 0)
        return false;
    if (r->state != PERF_CHAIN) {
        perf_begin_sample(r);
        r->state = PERF_ONE_LINE;
    }
    perf_push_frame(r, line);
    return true;
}

/* Any line other than a frame that begins with a tab. */
static void take_other(struct perf_reader *r, struct str line)
{
    if (r->state == PERF_CHAIN && r->depth > 0 && *line.p == ' ')
        take_indented(r, line);
    else if (take_header(r, line) || take_srcline(r, line) || take_lone_frame(r, line))
        return;
    else if (is_message(line))
        leave_out("messages of perf");
    else if (r->state != PERF_NO_SAMPLE && *line.p == ' ')
        leave_out("lines inside of samples");
    else
        note_bad(r, "a sample, its frames, or a comment", line);
}

/* Takes the event named by LINE of the header; false if it names none, or one that counts
 * nothing. */
static bool take_event_name(struct str line, struct str *event)
{
    static const struct str start = STR("# event : name = ");
    if (!str_starts(line, start))
        return false;
    *event = (struct str){line.p + start.n, line.n - start.n};
    const char *end = port_memmem(event->p, event->n, ", ", 2);
    if (end != NULL)
        event->n = (size_t)(end - event->p);
    return !str_starts(*event, STR("dummy"));
}

/* A line that begins with '#'. Before the samples such lines describe the recording. */
static void take_comment(struct perf_reader *r, struct str line)
{
    struct str event;
    if (r->has_source) {
        loss_add(LOSS_OWN, STR("comment lines"), 1);
        return;
    }
    buf_add(&r->comments, r->comments.n > 0 ? STR(",") : STR(""));
    emit_inner_string(&r->comments, &r->name, line);
    if (take_event_name(line, &event))
        intern_add(&r->headed, event, NULL);
}

/* Whether LINE is a comment. The name of a thread may also be '#'. */
static bool is_comment(struct str line)
{
    struct perf_header h;
    return *line.p == '#' && !(perf_take_header(line, &h) && h.seconds.n > 0 && !perf_is_weak(&h));
}

static void take_line(struct perf_reader *r, struct str line)
{
    if (line.n == 0)
        perf_end_sample(r);
    else if (*line.p == '\t')
        take_frame(r, line);
    else if (is_comment(line))
        take_comment(r, line);
    else
        take_other(r, line);
}

/* --- the end --- */

/* Whether FRAME may be complete: it has its last parenthesis. */
static bool is_whole(const struct perf_frame *frame)
{
    size_t depth = 0;
    for (size_t i = 0; i < frame->dso.n; i++)
        depth += (frame->dso.p[i] == '(') - (frame->dso.p[i] == ')');
    return (frame->has_dso || frame->is_inlined) && depth == 0;
}

/* Whether LINE, which has no line feed, can be used. */
static bool is_readable(struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    struct perf_rest rest;
    if (*line.p == '#')
        return true;
    if (*line.p == '\t')
        return perf_take_frame(line, &frame) && is_whole(&frame);
    if (!perf_take_header(line, &h) || (h.seconds.n == 0 && perf_is_weak(&h)))
        return false;
    if (!perf_find_frame(h.rest, &rest))
        return h.event.n > 0;
    return perf_take_frame(rest.frame, &frame) && is_whole(&frame);
}

/* Takes LINE, the last one, without a line feed. */
static void take_torn(struct perf_reader *r, struct str line)
{
    if (r->request->strict)
        die_at(r->where, "--strict: the last line is torn (no line feed)");
    if (is_readable(line)) {
        warn_at(r->where, "the last line has no line feed: its sample may be cut");
        take_line(r, line);
    } else {
        warn_at(r->where, "the last line is torn (no line feed): skipped");
        if (*line.p == '\t')
            begin_chain(r);
        r->is_truncated = r->state == PERF_CHAIN;
    }
    perf_end_sample(r);
}

/* Ends the last sample of the input. Frames may be missing if no empty line follows. */
static void end_input(struct perf_reader *r)
{
    if (r->state == PERF_CHAIN && !(r->is_whole && r->depth == 0)) {
        if (r->request->strict)
            die_at(r->where, "--strict: expected an empty line behind the last sample");
        warn_at(r->where, "no empty line behind the last sample: its outer frames may be missing");
    }
    perf_end_sample(r);
    if (!r->has_source)
        perf_emit_source(r);
}

/* --- looking ahead --- */

/* Finds from LINE whether clocks have periods: they do if another event has, and the first sample
 * of a clock decides. *IS_OVER is set once no more lines are needed: if no comment before the first
 * sample names a clock (*HAS_CLOCK). */
static void look_at(struct perf_reader *r, struct str line, bool *has_clock, bool *is_over)
{
    struct perf_header h;
    struct str event;
    if (line.n == 0 || *line.p == '\t')
        return;
    if (is_comment(line)) {
        *has_clock |= take_event_name(line, &event) && perf_is_clock(event);
        return;
    }
    if (*has_clock && perf_take_header(line, &h) && (h.period.n > 0 || perf_is_clock(h.event)))
        r->clocks = h.period.n > 0 ? PERF_TIMED : PERF_COUNTED;
    *is_over = !*has_clock || r->clocks != PERF_UNTOLD;
}

/* Finds the unit of the clocks named in the header. It is needed for the row of the source, which
 * comes before all samples. Reads no further ahead than necessary. */
static void look_ahead(struct perf_reader *r)
{
    enum { MAX = 1 << 20 };
    bool has_clock = false, is_over = false;
    for (size_t at = 0, want = 1; !is_over && at < MAX;) {
        struct str text = in_peek(r->in, want);
        const char *lf = text.n == at ? NULL : memchr(text.p + at, '\n', text.n - at);
        if (lf == NULL && (text.n < want || text.n >= MAX))
            return;
        if (lf == NULL) {
            want = text.n + 1;
            continue;
        }
        struct str line = {text.p + at, (size_t)(lf - text.p) - at};
        look_at(r, line, &has_clock, &is_over);
        at += line.n + 1;
    }
}

static void read_lines(struct perf_reader *r)
{
    struct str lines;
    while ((lines = in_lines(r->in, 0, r->where.at + 1)).n > 0) {
        const char *p = lines.p, *end = p + lines.n, *lf;
        for (; p < end; p = lf + 1) {
            lf = memchr(p, '\n', (size_t)(end - p));
            struct str line = {p, (size_t)(lf - p)};
            if (line.n > 0 && p[line.n - 1] == '\r')
                line.n--;
            r->where.at++;
            if (lf + 1 == end && in_torn(r->in) && line.n > 0)
                take_torn(r, line);
            else
                take_line(r, line);
        }
        in_consume(r->in, lines.n);
    }
}

static void close_reader(struct perf_reader *r)
{
    struct intern *interns[] = {&r->frames,    &r->srclines,  &r->files,       &r->places,
                                &r->functions, &r->locations, &r->event_names, &r->headed};
    struct buf *bufs[] = {&r->comments, &r->labels,  &r->rest, &r->name,
                          &r->extra,    &r->inexact, &r->key};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    mem_free(r->items);
    mem_free(r->place_locations);
    mem_free(r->events);
    mem_free(r->steps);
    mem_free(r->stack);
    arena_free(&r->extras);
}

void perf_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct perf_reader r = {
        .request = request,
        .in = in,
        .sink = sink,
        .bad = {.request = request},
        .where = {in_name(in), PLACE_LINE, 0},
        .count_type = value_types_add(&sink->flow->types, STR("samples"), STR("count")),
    };
    look_ahead(&r);
    read_lines(&r);
    end_input(&r);
    bad_lines_end(&r.bad, r.sample_id > 0);
    close_reader(&r);
}

/* perf script output to rows. See perf2ndjson(1) for the rules.
 *
 * A sample is a header and frames: one frame on the same line, or one per line up to an empty line.
 * Frames repeat a lot, so the text of a line is looked up before it is parsed. */
#include "formats/perf/perf_read.h"

#include "base/mem.h"
#include "formats/perf/perf.h"

#include <inttypes.h>

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
static bool is_readable(const struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    if (*line.p == '#')
        return true;
    if (*line.p == '\t')
        return perf_take_frame(line, &frame) && is_whole(&frame);
    if (r->fields.kind == PERF_PLAIN
            ? !perf_take_plain(line, &h)
            : !perf_take_header(line, &h) || (h.seconds.n == 0 && perf_is_weak(&h)))
        return false;
    size_t at = perf_find_frame(h.rest);
    if (at == h.rest.n)
        return h.event.n > 0;
    return perf_take_frame(perf_split(h.rest, at).frame, &frame) && is_whole(&frame);
}

/* Takes LINE, the last one, without a line feed. */
static void take_torn(struct perf_reader *r, struct str line)
{
    line = perf_untab(r, line);
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    if (is_readable(r, line)) {
        warn_at(CODE_CUT, r->where, "the last line has no line feed: its sample may be cut");
        perf_take_line(r, line);
    } else {
        warn_at(CODE_TORN, r->where, "the last line is torn (no line feed): skipped");
        if (*line.p == '\t')
            perf_begin_chain(r);
        r->is_truncated = r->state == PERF_CHAIN;
    }
    perf_end_sample(r);
}

/* Says why self of functions is not that of perf report. */
static void explain_inlined(const struct perf_reader *r)
{
    if (r->inlined > 0)
        note("%s: perf report counts samples in inlined functions (%" PRIu64 ") for the function "
             "around these, as profagg --no-inlines does",
             in_name(r->in), r->inlined);
}

/* Ends the last sample of the input. Frames may be missing if no empty line follows. */
static void end_input(struct perf_reader *r)
{
    if (r->state == PERF_CHAIN && !(r->is_whole && r->depth == 0)) {
        if (r->request->strict)
            die_as(CODE_CUT, r->where, "--strict: expected an empty line behind the last sample");
        warn_at(CODE_CUT, r->where,
                "no empty line behind the last sample: its outer frames may be missing");
    }
    perf_end_sample(r);
    if (!r->has_source && r->has_blank && r->comments.n == 0)
        die_at((struct place){in_name(r->in), PLACE_FILE, 0},
               "expected samples, found only empty lines: " PERF_PRINT_FRAMES);
    if (!r->has_source)
        perf_push_source(r);
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
    if (perf_is_comment(line)) {
        *has_clock |= perf_take_event_name(line, &event) && perf_is_clock(event);
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
                perf_take_line(r, perf_untab(r, line));
        }
        in_consume(r->in, lines.n);
    }
}

static void close_reader(struct perf_reader *r)
{
    struct intern *interns[] = {&r->built,     &r->frames,      &r->srclines,
                                &r->files,     &r->places,      &r->functions,
                                &r->locations, &r->event_names, &r->headed};
    struct buf *bufs[] = {&r->comments, &r->columns, &r->rest,  &r->tail,    &r->trace,
                          &r->untabbed, &r->name,    &r->extra, &r->inexact, &r->key};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    mem_free(r->items);
    mem_free(r->build_ids);
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
    const struct perf_read_options *options = request->options;
    if (options != NULL && options->off_cpu) {
        r.off_cpu = perf_off_cpu_open();
        r.wait_type = value_types_add(&sink->flow->types, STR("off_cpu"), STR("nanoseconds"));
    }
    look_ahead(&r);
    read_lines(&r);
    end_input(&r);
    if (r.off_cpu != NULL)
        perf_off_cpu_close(r.off_cpu, in, r.event_names.count > 0);
    explain_inlined(&r);
    bad_lines_end(&r.bad, r.sample_id > 0);
    close_reader(&r);
}

/* Lines of perf script: what each one is. */
#include "base/mem.h"
#include "base/port.h"
#include "formats/perf/perf_read.h"
#include "formats/perf/perf_run.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- messages --- */

/* Reports the bad line LINE: EXPECTED was required. */
static void note_bad(struct perf_reader *r, const char *expected, struct str line)
{
    enum { SHOWN = 60 };
    struct buf shown = {0};
    text_escape(&shown, str_first(line, SHOWN));
    bad_lines_note(&r->bad, r->where, "expected %s, found \"%.*s%s\"", expected,
                   STR_ARG(buf_str(&shown)), line.n > SHOWN ? "..." : "");
    buf_free(&shown);
}

static void leave_out(const char *what)
{
    loss_add(LOSS_PERF_LINES, str_of(what), 1);
}

/* --- lines --- */

/* Parses LINE as a header with a time or an event; false if it is not certainly one. */
static bool take_event_header(const struct perf_reader *r, struct str line, struct perf_header *h)
{
    if (!perf_take_header(line, h))
        return false;
    if (r->fields.kind == PERF_PLAIN && !(perf_has_usual_time(h) && h->tid.n > 0))
        return false;
    return h->seconds.n > 0 || !perf_is_weak(h) ||
           (!perf_is_message(line) && (perf_ends_event(h) || perf_find_frame(h->rest) < h->rest.n));
}

/* Parses LINE as a header without time and event, if the file may have such; it has a frame, or
 * frames follow. False if it is none. */
static bool take_plain_header(const struct perf_reader *r, struct str line, struct perf_header *h)
{
    bool may_begin = r->state == PERF_NO_SAMPLE || *line.p != ' ';
    return r->fields.kind != PERF_EVENTS && !perf_is_message(line) && perf_take_plain(line, h) &&
           (may_begin || perf_find_frame(h->rest) < h->rest.n);
}

/* Names of threads may end in a number. That of H is a thread id if the first header has one. False
 * if the first header's may not have been one: that is reported. */
static bool settle_thread(struct perf_reader *r, struct perf_header *h)
{
    struct perf_fields *f = &r->fields;
    if (!f->has_first) {
        f->has_first = true;
        f->has_thread = h->tid.n > 0;
        f->is_loose = h->is_loose;
    }
    if (h->tid.n > 0 && !f->has_thread && h->is_loose)
        perf_join_thread(h);
    if (h->tid.n > 0 || !f->is_loose || h->comm.n == 0)
        return true;
    bad_lines_note(&r->bad, r->where,
                   "expected a thread id, as in the first sample, where it may be the end of a "
                   "name: perf script -F comm,pid,tid,time,event,ip,sym,dso tells them apart");
    return false;
}

/* Counts what TEXT of a line names as lost if that is a record other than a sample; false if it is
 * not. */
static bool take_record(struct perf_reader *r, struct str text)
{
    struct str record = perf_record(text);
    if (record.n == 0)
        return false;
    perf_end_sample(r);
    loss_add(LOSS_PERF_LINES, record, 1);
    return true;
}

/* Begins the sample of the header H, unless that is not sure. */
static void begin_sure(struct perf_reader *r, struct perf_header *h)
{
    if (settle_thread(r, h))
        perf_begin_headed(r, h, perf_find_frame(h->rest));
    else
        perf_end_sample(r);
}

/* Begins a sample if LINE is a header with a time or an event; false if it is not. */
static bool take_header(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    if (!take_event_header(r, line, &h))
        return false;
    if (!take_record(r, h.event.n > 0 ? h.event : h.rest))
        begin_sure(r, &h);
    return true;
}

/* The same for a header without time and event. */
static bool take_plain(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    if (take_record(r, line))
        return true;
    if (!take_plain_header(r, line, &h))
        return false;
    begin_sure(r, &h);
    return true;
}

/* Adds the source line in LINE to the last frame; false if LINE has none, or there is no frame. */
static bool take_srcline(struct perf_reader *r, struct str line)
{
    struct perf_srcline at;
    if (r->state == PERF_NO_SAMPLE || !perf_take_srcline(line, &at) ||
        perf_find_address(line) < line.n)
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

void perf_begin_chain(struct perf_reader *r)
{
    if (r->rest.n == 0)
        return;
    perf_finish_rest(r, true);
    r->state = PERF_CHAIN;
}

/* Takes LINE if it is one of those that report_sample.py prints behind the frames of a tracepoint:
 * "tracing data:", and then lines "KEY : VALUE". They are kept as perf prints them, "KEY=VALUE". */
static bool take_tracing(struct perf_reader *r, struct str line)
{
    static const struct str colon = STR(" : ");
    if (r->state != PERF_CHAIN || r->depth == 0)
        return false;
    if (str_equal(line, STR("\ttracing data:")))
        return r->is_tracing = true;
    if (!r->is_tracing || !str_take(&line, STR("\t\t")))
        return false;
    const char *found = line.n == 0 ? NULL : port_memmem(line.p, line.n, colon.p, colon.n);
    if (found == NULL)
        return false;
    buf_add(&r->trace, r->trace.n > 0 ? STR(" ") : STR(""));
    buf_add(&r->trace, (struct str){line.p, (size_t)(found - line.p)});
    buf_add(&r->trace, STR("="));
    buf_add(&r->trace, (struct str){found + colon.n, (size_t)(line.p + line.n - found) - colon.n});
    return true;
}

/* A line that begins with a tab: a frame. */
static void take_frame(struct perf_reader *r, struct str line)
{
    if (take_tracing(r, line))
        return;
    perf_begin_chain(r);
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

/* What perf prints after the frames of a chain, in place of an empty line. False if LINE is not
 * that. */
static bool take_tail(struct perf_reader *r, struct str line)
{
    if (r->state != PERF_CHAIN || !perf_is_tail(line))
        return false;
    buf_add(&r->tail, perf_trim(line));
    perf_end_sample(r);
    return true;
}

/* A frame that begins its line: perf prints one blank before it where it has neither a header nor a
 * chain. In a chain there are more blanks if tabs were converted to blanks. */
static bool take_lone_frame(struct perf_reader *r, struct str line)
{
    size_t columns = *line.p == ' ' ? perf_address_columns(line) : 0;
    if (columns != 1 + PERF_ADDRESS_WIDTH &&
        !(r->state == PERF_CHAIN && columns > PERF_ADDRESS_WIDTH))
        return false;
    if (r->state != PERF_CHAIN) {
        perf_begin_sample(r);
        r->state = PERF_ONE_LINE;
    }
    size_t n = perf_find_tail(line);
    perf_push_frame(r, (struct str){line.p, n});
    buf_add(&r->tail, perf_trim((struct str){line.p + n, line.n - n}));
    return true;
}

/* A frame without the blanks before it. */
static bool take_bare_frame(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    if (r->state != PERF_CHAIN || *line.p == ' ' || !perf_take_frame(line, &frame) ||
        frame.symbol.n == 0 || (perf_take_header(line, &h) && perf_has_usual_time(&h)))
        return false;
    if (!frame.has_dso && !frame.is_inlined && take_event_header(r, line, &h))
        return false;
    perf_begin_chain(r);
    return perf_push_frame(r, line);
}

/* Whether LINE is a line of source code, as -F srccode prints it. */
static bool is_source(struct str line)
{
    return line.n > 1 && line.p[0] == '|' && str_is_digit(line.p[1]);
}

/* Any line other than a frame that begins with a tab. */
static void take_other(struct perf_reader *r, struct str line)
{
    if (take_tail(r, line) || take_bare_frame(r, line))
        return;
    if (r->state == PERF_CHAIN && r->depth > 0 && *line.p == ' ')
        take_indented(r, line);
    else if (is_source(line))
        leave_out("source code");
    else if (take_lone_frame(r, line) || take_header(r, line) || take_srcline(r, line) ||
             take_plain(r, line))
        return;
    else if (perf_is_message(line))
        leave_out("messages of perf");
    else if (r->state != PERF_NO_SAMPLE && *line.p == ' ')
        leave_out("lines inside of samples");
    else
        note_bad(r, "a sample, its frames, or a comment", line);
}

bool perf_take_event_name(struct str line, struct str *event)
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

/* Takes the build id in LINE, a comment: hexadecimal digits and the name of a file. False if it has
 * none. */
static bool take_build_id(struct perf_reader *r, struct str line)
{
    bool is_new;
    size_t n = 0;
    if (!str_take(&line, PERF_BUILD_ID))
        return false;
    while (n < line.n && text_hex_value(line.p[n]) < 16)
        n++;
    const struct str id = {line.p, n}, file = perf_trim((struct str){line.p + n, line.n - n});
    if (n == 0 || file.n == 0)
        return false;
    intern_add(&r->built, file, &is_new);
    if (is_new) {
        r->build_ids =
            mem_array(r->build_ids, &r->build_id_capacity, r->built.count, sizeof *r->build_ids);
        r->build_ids[r->built.count - 1] = arena_copy(&r->extras, id);
    }
    return true;
}

/* A line that begins with '#'. Before the samples such lines describe the recording. */
static void take_comment(struct perf_reader *r, struct str line)
{
    struct str event;
    if (r->has_source) {
        loss_add(LOSS_OWN, STR("comment lines"), 1);
        return;
    }
    if (take_build_id(r, line))
        return;
    buf_add(&r->comments, r->comments.n > 0 ? STR(",") : STR(""));
    emit_inner_string(&r->comments, &r->name, line);
    if (perf_take_event_name(line, &event))
        intern_add(&r->headed, event, NULL);
}

bool perf_is_comment(struct str line)
{
    struct perf_header h;
    return *line.p == '#' && !(perf_take_header(line, &h) && h.seconds.n > 0 && !perf_is_weak(&h));
}

struct str perf_untab(struct perf_reader *r, struct str line)
{
    if (r->state == PERF_NO_SAMPLE || !perf_is_tabbed_frame(line))
        return line;
    r->untabbed.n = 0;
    buf_add(&r->untabbed, STR("\t"));
    buf_add(&r->untabbed, line);
    r->untabbed.p[1 + PERF_ADDRESS_WIDTH] = ' ';
    return buf_str(&r->untabbed);
}

/* Whether LINE, which begins with a tab, is a header: the thread has no name. */
static bool is_nameless(struct str line)
{
    struct perf_header h;
    return perf_take_report(line, &h);
}

void perf_take_line(struct perf_reader *r, struct str line)
{
    if (line.n == 0) {
        perf_end_sample(r);
        r->has_blank = true;
    } else if (*line.p == '\t' && !is_nameless(line))
        take_frame(r, line);
    else if (perf_is_comment(line))
        take_comment(r, line);
    else
        take_other(r, line);
}

/* What perf script prints to rows.  See perf2ndjson(1) for the rules.
 *
 * A sample is a header, and frames: on the same line, or each on one of its own up to an empty line.  The
 * same frames come again and again, so the text of a line is looked up before it is taken apart. */
#include "formats/perf/perf_read.h"
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- messages --- */

static _Noreturn void die_line(struct place where, const char *expected, struct str line)
{
    enum { SHOWN = 60 };
    struct buf shown = {0};
    text_escape(&shown, (struct str){line.p, line.n < SHOWN ? line.n : SHOWN});
    die_at(where, "expected %s, found \"%.*s%s\"", expected, STR_ARG(buf_str(&shown)),
           line.n > SHOWN ? "..." : "");
}

static void leave_out(const char *what)
{
    loss_add(LOSS_PERF_LINES, str_of(what), 1);
}

/* --- numbers --- */

/* The number that the DIGITS of WHAT are. */
static int64_t number_of_digits(const struct perf_reader *r, struct str digits, const char *what)
{
    int64_t n = 0;
    for (size_t i = 0; i < digits.n; i++)
        if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
            __builtin_add_overflow(n, (int64_t)(digits.p[i] - '0'), &n))
            die_at(r->where, "expected a %s of 64 bits, found %.*s", what, STR_ARG(digits));
    return n;
}

/* The time of HEADER in nanoseconds. */
static int64_t time_of(const struct perf_reader *r, const struct perf_header *header)
{
    static const int64_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                     10000,      1000,      100,      10,      1};
    int64_t seconds = number_of_digits(r, header->seconds, "time"), nanoseconds;
    int64_t fraction = number_of_digits(r, header->fraction, "time") * powers[header->fraction.n];
    if (__builtin_mul_overflow(seconds, powers[0], &nanoseconds) ||
        __builtin_add_overflow(nanoseconds, fraction, &nanoseconds))
        die_at(r->where, "expected a time of 64 bits in nanoseconds, found %.*s.%.*s",
               STR_ARG(header->seconds), STR_ARG(header->fraction));
    return nanoseconds;
}

/* --- labels --- */

static void open_label(struct perf_reader *r, struct str key)
{
    buf_add(&r->labels, r->labels.n == 0 ? STR(",\".labels\":[{\"key\":\"") : STR(",{\"key\":\""));
    buf_add(&r->labels, key);
}

static void add_text(struct perf_reader *r, struct str key, struct str text)
{
    if (text.n == 0)
        return;
    open_label(r, key);
    buf_add(&r->labels, STR("\",\"str\":"));
    perf_add_string(r, &r->labels, text);
    buf_add(&r->labels, STR("}"));
}

/* DIGITS may begin with a '-', or be none at all. */
static void add_number(struct perf_reader *r, struct str key, struct str digits)
{
    if (digits.n == 0)
        return;
    bool is_negative = str_take(&digits, STR("-"));
    int64_t n = number_of_digits(r, digits, "number");
    open_label(r, key);
    buf_add(&r->labels, STR("\",\"num\":"));
    emit_number(&r->labels, is_negative ? -n : n);
    buf_add(&r->labels, STR("}"));
}

static void add_labels(struct perf_reader *r, const struct perf_header *h, struct str trace)
{
    while (trace.n > 0 && *trace.p == ' ')
        trace.p++, trace.n--;
    while (trace.n > 0 && trace.p[trace.n - 1] == ' ')
        trace.n--;
    r->labels.n = 0;
    add_text(r, STR("comm"), h->comm);
    add_number(r, STR("pid"), h->pid);
    add_number(r, STR("tid"), h->tid);
    add_number(r, STR("cpu"), h->cpu);
    add_text(r, STR("misc"), h->misc);
    if (h->seconds.n > 0) {
        int64_t time = time_of(r, h);
        open_label(r, STR("time"));
        buf_add(&r->labels, STR("\",\"num\":"));
        emit_number(&r->labels, time);
        buf_add(&r->labels, STR(",\"unit\":\"nanoseconds\"}"));
    }
    add_text(r, STR("trace"), trace);
    if (r->labels.n > 0)
        buf_add(&r->labels, STR("]"));
}

/* --- samples --- */

/* Writes the sample that is being read, if one is. */
static void end_sample(struct perf_reader *r)
{
    if (r->state == PERF_NO_SAMPLE)
        return;
    if (r->is_weak && r->depth == 0)
        die_at(r->began, "expected a sample, found a line that no frames follow");
    r->state = PERF_NO_SAMPLE;
    perf_settle_stack(r);
    if (r->is_truncated)
        buf_add(&r->labels, STR(",\".truncated\":true"));
    struct sample_value values[2];
    size_t count = 0;
    if (r->event == NULL || r->event->is_counted)
        values[count++] = (struct sample_value){r->count_type, number_of(1), STR("")};
    if (r->event != NULL && r->event->type != 0)
        values[count++] =
            (struct sample_value){r->event->type, number_of(r->period), r->event->extra};
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->labels),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = r->depth});
}

/* Begins a sample without a header. */
static void begin_sample(struct perf_reader *r)
{
    end_sample(r);
    if (!r->has_source)
        perf_emit_source(r, NULL);
    r->began = r->where;
    r->labels.n = r->depth = 0;
    r->event = NULL;
    r->is_weak = r->is_whole = r->is_truncated = false;
}

/* The number of the frame TEXT, as FRAME says it. */
static uint32_t number_frame(struct perf_reader *r, struct str text)
{
    bool is_new;
    while (text.n > 0 && (*text.p == ' ' || *text.p == '\t'))
        text.p++, text.n--;
    uint32_t id = intern_add(&r->frames, text, &is_new);
    if (!is_new)
        return id;
    r->items = mem_array(r->items, &r->item_capacity, id, sizeof *r->items);
    struct perf_item *item = &r->items[id - 1];
    *item = (struct perf_item){.location = 0};
    item->is_frame = perf_take_frame(intern_get(&r->frames, id), &item->frame);
    if (item->is_frame)
        item->mapping = perf_mapping_of(r, item->frame.dso);
    return id;
}

/* Adds the frame that stands in TEXT to the sample; false where none stands there. */
static bool push_frame(struct perf_reader *r, struct str text)
{
    uint32_t id = number_frame(r, text);
    const struct perf_item *item = &r->items[id - 1];
    if (!item->is_frame)
        return false;
    if (r->depth == r->step_capacity)
        r->steps = mem_array(r->steps, &r->step_capacity, r->depth + 1, sizeof *r->steps);
    r->steps[r->depth++] = (struct perf_step){.frame = id, .is_inlined = item->frame.is_inlined};
    return true;
}

/* Begins the sample of HEADER; its frame may stand there, too. */
static void begin_headed(struct perf_reader *r, const struct perf_header *header, bool has_frame)
{
    end_sample(r);
    if (!r->has_source)
        perf_emit_source(r, header);
    begin_sample(r);
    r->is_weak = header->seconds.n == 0 && perf_is_weak(header);
    r->event = perf_event_of(r, header);
    r->period = header->period.n > 0 ? number_of_digits(r, header->period, "period") : 1;
    add_labels(r, header, has_frame ? STR("") : header->rest);
    r->state = has_frame ? PERF_ONE_LINE : PERF_CHAIN;
    r->is_whole = !perf_is_bare(header);
    if (has_frame)
        push_frame(r, header->rest);
}

/* --- lines --- */

/* Whether LINE is what perf says beside samples, on standard error, that may stand in the same file. */
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

/* Begins a sample where LINE is a header; false where it is none. */
static bool take_header(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    struct perf_frame frame;
    if (!perf_take_header(line, &h))
        return false;
    struct str record = perf_record(&h);
    if (record.n > 0) {
        end_sample(r);
        loss_add(LOSS_PERF_LINES, record, 1);
        return true;
    }
    bool has_frame = perf_take_frame_behind(h.rest, &frame);
    if (h.seconds.n == 0 && perf_is_weak(&h) &&
        (is_message(line) || !(has_frame || perf_is_bare(&h))))
        return false;
    begin_headed(r, &h, has_frame);
    return true;
}

/* Adds the place that LINE says to the last frame; false where it says none, or there is no frame. */
static bool take_srcline(struct perf_reader *r, struct str line)
{
    struct perf_srcline at;
    if (r->state == PERF_NO_SAMPLE || r->depth == 0 || !perf_take_srcline(line, &at))
        return false;
    struct perf_step *step = &r->steps[r->depth - 1];
    if (step->srcline != 0)
        return false;
    step->srcline = intern_add(&r->srclines, line, NULL);
    step->is_inlined |= at.is_inlined;
    return true;
}

/* A line that begins with a tab: a frame. */
static void take_frame(struct perf_reader *r, struct str line)
{
    if (r->state != PERF_CHAIN) {
        begin_sample(r);
        r->state = PERF_CHAIN;
    }
    if (!push_frame(r, line))
        die_line(r->where, "a frame (an address and what is there)", line);
}

/* A line that begins with a blank, behind frames of a chain: a frame, if somebody has made blanks of tabs,
 * or what is printed with it. */
static void take_indented(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    if (take_srcline(r, line))
        return;
    if (perf_take_frame(line, &frame))
        push_frame(r, line);
    else
        leave_out("lines inside of samples");
}

/* A line that begins with a blank, and is no header. */
static bool take_lone_frame(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    if (*line.p != ' ' || !perf_take_frame_behind(line, &frame))
        return false;
    if (r->state != PERF_CHAIN) {
        begin_sample(r);
        r->state = PERF_ONE_LINE;
    }
    push_frame(r, line);
    return true;
}

/* A line that may be anything but a frame that begins with a tab. */
static void take_other(struct perf_reader *r, struct str line)
{
    if (r->state == PERF_CHAIN && r->depth > 0 && *line.p == ' ')
        take_indented(r, line);
    else if (take_header(r, line) || take_srcline(r, line) || take_lone_frame(r, line))
        return;
    else if (is_message(line))
        leave_out("messages of perf");
    else
        die_line(r->where, "a sample, its frames, or a comment", line);
}

/* A line that begins with '#': in front of samples it says where they come from. */
static void take_comment(struct perf_reader *r, struct str line)
{
    static const struct str event = STR("# event : name = ");
    if (r->has_source) {
        loss_add(LOSS_OWN, STR("comment lines"), 1);
        return;
    }
    buf_add(&r->comments, r->comments.n > 0 ? STR(",") : STR(""));
    perf_add_string(r, &r->comments, line);
    if (!str_starts(line, event) || r->first_event.n > 0)
        return;
    struct str name = {line.p + event.n, line.n - event.n};
    const char *end = memmem(name.p, name.n, ", ", 2);
    if (end != NULL)
        name.n = (size_t)(end - name.p);
    if (!str_starts(name, STR("dummy"))) /* counts nothing */
        buf_add(&r->first_event, name);
}

/* Whether LINE is a comment.  A thread may be called '#', too. */
static bool is_comment(struct str line)
{
    struct perf_header h;
    return *line.p == '#' && !(perf_take_header(line, &h) && h.seconds.n > 0 && !perf_is_weak(&h));
}

static void take_line(struct perf_reader *r, struct str line)
{
    if (line.n == 0)
        end_sample(r);
    else if (*line.p == '\t')
        take_frame(r, line);
    else if (is_comment(line))
        take_comment(r, line);
    else
        take_other(r, line);
}

/* --- the end --- */

/* Whether FRAME may be all that was printed: its last parenthesis is there. */
static bool is_whole(const struct perf_frame *frame)
{
    size_t depth = 0;
    for (size_t i = 0; i < frame->dso.n; i++)
        depth += (frame->dso.p[i] == '(') - (frame->dso.p[i] == ')');
    return (frame->has_dso || frame->is_inlined) && depth == 0;
}

/* Whether LINE, which has no line feed, says something all the same. */
static bool is_readable(struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    if (*line.p == '#')
        return true;
    if (*line.p == '\t')
        return perf_take_frame(line, &frame) && is_whole(&frame);
    if (!perf_take_header(line, &h) || (h.seconds.n == 0 && perf_is_weak(&h)))
        return false;
    return perf_take_frame_behind(h.rest, &frame) ? is_whole(&frame) : h.event.n > 0;
}

/* Takes LINE, the last one, which has no line feed. */
static void take_torn(struct perf_reader *r, struct str line)
{
    if (r->request->strict)
        die_at(r->where, "--strict: the last line is torn (no line feed)");
    if (is_readable(line)) {
        warn_at(r->where, "the last line has no line feed: its sample may be cut");
        take_line(r, line);
    } else {
        warn_at(r->where, "the last line is torn (no line feed): skipped");
        r->is_truncated = r->state == PERF_CHAIN;
    }
    end_sample(r);
}

/* Ends the sample behind which the input ends: in front of an empty line frames may be missing. */
static void end_input(struct perf_reader *r)
{
    if (r->state == PERF_CHAIN && !(r->is_whole && r->depth == 0)) {
        if (r->request->strict)
            die_at(r->where, "--strict: expected an empty line behind the last sample");
        warn_at(r->where, "no empty line behind the last sample: its outer frames may be missing");
    }
    end_sample(r);
    if (!r->has_source)
        perf_emit_source(r, NULL);
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
    struct intern *interns[] = {&r->frames,    &r->srclines,  &r->files,      &r->places,
                                &r->functions, &r->locations, &r->event_names};
    struct buf *bufs[] = {&r->comments, &r->first_event, &r->labels, &r->name,
                          &r->extra,    &r->inexact,     &r->key};
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
        .where = {in_name(in), PLACE_LINE, 0},
        .count_type = value_types_add(&sink->flow->types, STR("samples"), STR("count")),
    };
    read_lines(&r);
    end_input(&r);
    close_reader(&r);
}

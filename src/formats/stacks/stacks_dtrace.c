/* Sums of DTrace by stack() and ustack(), and the stacks that it prints at each probe.
 *
 *     CPU     ID                    FUNCTION:NAME
 *       8  35077                        :tick-60s
 *
 *       bash                              other parts of the key
 *                   genunix`pwrite+0x172
 *     (an empty line)                     between stack() and ustack()
 *                   libc.so.1`__pwrite+0xa
 *       1234          7                   other parts of the key may stand here, too
 *
 * Without an aggregation no count follows: each stack is one of the probe above it. */
#include "formats/stacks/stacks.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>

/* How far frames are indented at least: parts of keys are less, counts as wide as their digits. */
enum { FRAME_INDENT = 10 };

struct reader {
    struct stacks_reader *s;
    struct buf probe;  /* the last line of a probe; empty: it was kept */
    uint64_t probe_at; /* its number */
    bool has_counts;   /* a stack had one */
};

/* Whether TEXT is a count, be it too large or below 0. */
static bool is_digits(struct str text)
{
    str_take(&text, STR("-"));
    size_t i = 0;
    while (i < text.n && str_is_digit(text.p[i]))
        i++;
    return i > 0 && i == text.n;
}

/* Whether LINE, without blanks around it, is of a histogram: its head, or as ">= 128 |@@@ 7". */
static bool is_histogram(struct str line)
{
    int64_t n;
    if (stacks_find(line, STR("- Distribution -")) < line.n)
        return true;
    if (!str_take(&line, STR(">= ")))
        str_take(&line, STR("< "));
    return stacks_take_value(&line, &n) && str_starts(line, STR(" |"));
}

/* Splits LINE, as "1234          7", into the last parts of a key and the count behind them: frames have
 * a file, or no blanks. False if it is none. */
static bool split_count(struct str line, struct str *parts, struct str *count)
{
    size_t n = line.n;
    while (n > 0 && line.p[n - 1] != ' ')
        n--;
    *count = (struct str){line.p + n, line.n - n};
    *parts = str_trim((struct str){line.p, n});
    return parts->n > 0 && is_digits(*count) && memchr(line.p, '`', line.n) == NULL;
}

/* Whether LINE is as "  8  35077     read:entry"; if so stores its parts. */
static bool take_probe(struct str line, int64_t *cpu, struct str *probe)
{
    int64_t id;
    stacks_skip_blanks(&line);
    if (!text_take_number(&line, cpu) || stacks_skip_blanks(&line) == 0 ||
        !text_take_number(&line, &id) || stacks_skip_blanks(&line) == 0)
        return false;
    *probe = str_trim(line);
    return probe->n > 0 && memchr(probe->p, ':', probe->n) != NULL;
}

static bool is_header(struct str line)
{
    return str_starts(line, STR("CPU ")) && stacks_find(line, STR("FUNCTION:NAME")) < line.n;
}

static bool is_frame(struct str line)
{
    struct str parts, count;
    const bool is_indented = stacks_skip_blanks(&line) >= FRAME_INDENT;
    line = str_trim(line);
    return is_indented && !is_digits(line) && !is_histogram(line) &&
           !split_count(line, &parts, &count);
}

/* Moves "+0x1f" off the end of f->name. */
static void take_offset(struct stacks_call *f)
{
    const size_t at = stacks_find_last(f->name, STR("+"));
    struct str digits = {f->name.p + at, f->name.n - at};
    if (at == 0 || !str_take(&digits, STR("+0x")) || !text_take_hex(&digits, &f->offset) ||
        digits.n > 0)
        return;
    f->has_offset = true;
    f->name.n = at;
}

/* Reads "libc.so.1`read+0xa", "libc.so.1`0x1234" or "0x1234"; other names are those of jstack(). */
static uint32_t read_frame(struct stacks_reader *s, struct str line)
{
    struct stacks_call f = {.name = line, .file = STR(""), .binary = STR("")};
    const size_t tick = stacks_find(line, STR("`"));
    if (tick < line.n) {
        f.binary = (struct str){line.p, tick};
        f.name = (struct str){line.p + tick + 1, line.n - tick - 1};
    }
    struct str rest = f.name;
    if (str_take(&rest, STR("0x")) && text_take_hex(&rest, &f.address) && rest.n == 0)
        f.name.n = 0;
    else
        f.address = 0;
    take_offset(&f);
    return stacks_location(s, &f);
}

static void push_frame(struct stacks_reader *s, struct str line)
{
    uint32_t *location;
    line = str_trim(line);
    stacks_recall(s, line, &location);
    if (*location == 0)
        *location = read_frame(s, line);
    stacks_push(s, *location);
}

/* Keeps the last line of a probe, unless samples had it. */
static void keep_probe(struct reader *r)
{
    const struct place here = r->s->where;
    r->s->where.at = r->probe_at;
    stacks_keep_line(r->s, buf_str(&r->probe));
    r->s->where = here;
    r->probe.n = 0;
}

/* Ends a stack that no count follows. Where others have one, its end is missing. */
static void end_uncounted(struct reader *r)
{
    struct stacks_reader *s = r->s;
    int64_t cpu;
    struct str probe;
    if (s->depth == 0)
        return;
    if (r->has_counts) {
        if (s->request->strict)
            die_as(CODE_CUT, s->where, "--strict: the last stack has no count");
        warn_at(CODE_CUT, s->where, "the last stack has no count: skipped");
        stacks_drop_sample(s);
        return;
    }
    if (take_probe(buf_str(&r->probe), &cpu, &probe)) {
        stacks_label(s, "cpu", (struct str){NULL, 0}, cpu);
        stacks_label(s, "probe", probe, 0);
    }
    s->is_cut = s->is_torn;
    stacks_end_sample(s, (int64_t[STACKS_VALUES]){1});
    r->probe.n = 0;
}

static void begin_probe(struct reader *r, struct str line)
{
    end_uncounted(r);
    keep_probe(r);
    buf_add(&r->probe, line);
    r->probe_at = r->s->where.at;
}

/* Whether the next line is a frame of a new stack. It may move what was read before. */
static bool is_in_front(struct stacks_reader *s)
{
    struct str line;
    if (s->depth > 0 || !stacks_next_line(s, &line))
        return false;
    stacks_unread(s);
    return is_frame(line);
}

/* Reads a line that is no frame: in front of one it is a part of the key. */
static void read_text(struct reader *r, struct str line)
{
    struct stacks_reader *s = r->s;
    const struct place here = s->where;
    s->scratch.n = 0;
    buf_add(&s->scratch, line);
    if (is_in_front(s)) {
        stacks_label(s, "key", str_trim(buf_str(&s->scratch)), 0);
        return;
    }
    const struct place next = s->where;
    s->where = here;
    stacks_keep_line(r->s, buf_str(&s->scratch));
    s->where = next;
}

/* A number alone is a count; in front of frames it is a part of the key. */
static void read_number(struct reader *r, struct str text)
{
    struct stacks_reader *s = r->s;
    int64_t n;
    if (!stacks_take_value(&text, &n) || text.n > 0)
        die_at(s->where, "expected a count of 64 bits, found \"%.*s\"", STR_ARG(text));
    if (is_in_front(s)) {
        stacks_label(s, "key", (struct str){NULL, 0}, n);
        return;
    }
    keep_probe(r);
    r->has_counts = true;
    stacks_end_sample(s, &n);
}

/* Adds labels for PARTS of a key that stand in one line, with two blanks or more between them. */
static void read_parts(struct stacks_reader *s, struct str parts)
{
    while (parts.n > 0) {
        const struct str part = str_trim(stacks_take_until(&parts, STR("  ")));
        struct str rest = part;
        int64_t n;
        const bool is_number = stacks_take_value(&rest, &n) && rest.n == 0;
        stacks_label(s, "key", is_number ? (struct str){NULL, 0} : part, n);
        parts = str_trim(parts);
    }
}

/* Reads a line of a histogram: the value of the stack is no number. */
static void read_histogram(struct reader *r)
{
    if (r->s->depth == 0)
        return;
    loss_add(LOSS_STACKS_VALUES, STR(""), 1);
    keep_probe(r);
    r->has_counts = true;
    stacks_drop_sample(r->s);
}

static void read_line(struct reader *r, struct str line)
{
    struct stacks_reader *s = r->s;
    const struct str text = str_trim(line);
    int64_t cpu;
    struct str probe, parts, count;
    if (text.n == 0)
        return;
    if (is_header(line)) {
        end_uncounted(r);
        stacks_keep_line(s, line);
    } else if (take_probe(line, &cpu, &probe)) {
        begin_probe(r, line);
    } else if (is_digits(text)) {
        read_number(r, text);
    } else if (is_histogram(text)) {
        read_histogram(r);
    } else if (s->depth > 0 && split_count(text, &parts, &count)) {
        read_parts(s, parts);
        read_number(r, count);
    } else if (is_frame(line)) {
        push_frame(s, line);
    } else {
        read_text(r, line);
    }
}

static void read_dtrace(struct stacks_reader *s)
{
    struct reader r = {.s = s};
    for (struct str line; stacks_next_line(s, &line);)
        read_line(&r, line);
    end_uncounted(&r);
    keep_probe(&r);
    stacks_drop_sample(s);
    buf_free(&r.probe);
}

/* With -q there is no header: then the first frame decides. */
static enum bid bid_dtrace(struct str head)
{
    struct str line;
    while (str_next_line(&head, &line)) {
        if (is_header(line))
            return BID_SURE;
        if (str_trim(line).n > 0)
            return is_frame(line) && stacks_find(line, STR("`")) < line.n ? BID_SURE : BID_NONE;
    }
    return BID_NONE;
}

const struct stacks_dialect stacks_dtrace = {STR("dtrace"), false, bid_dtrace, read_dtrace};

/* What gdb prints for "bt" and "thread apply all bt".
 *
 *     Thread 1 (Thread 0x7f16dfed3740 (LWP 22338) "m"):
 *     #0  0x00005640b1f44213 in burn (n=n@entry=200000000) at m.c:8
 *     #1  main () at m.c:9
 *     #2  0x00007f0000000001 in ?? () from /lib/libc.so.6 */
#include "formats/stacks/stacks.h"
#include "rows/loss.h"
#include "rows/text.h"

struct reader {
    struct stacks_reader *s;
    bool is_in_thread;
    bool is_switched;   /* it was chosen, which shows its innermost frame */
    int64_t last;       /* the number of its last frame */
    struct intern seen; /* threads of this dump */
    int64_t dump;
    uint64_t arguments; /* frames that have some */
    struct buf frame;   /* its lines */
};

/* Takes "Thread 1 ", or where there are several programs "Thread 2.1 ", off *LINE. */
static bool take_thread(struct str *line)
{
    int64_t number;
    if (!text_take_number(line, &number))
        return false;
    return (!str_take(line, STR(".")) || text_take_number(line, &number)) &&
           str_starts(*line, STR(" ("));
}

static bool is_thread(struct str line)
{
    return str_take(&line, STR("Thread ")) && take_thread(&line) && str_ends(line, STR("):"));
}

/* Whether LINE is as "[Switching to thread 1 (Thread 0x7f01 (LWP 7))]". */
static bool is_switch(struct str line)
{
    return str_take(&line, STR("[Switching to thread ")) && take_thread(&line) &&
           str_ends(line, STR(")]"));
}

/* Whether LINE is as "#12 main () at m.c:9"; if so *TEXT is what follows the number. */
static bool take_frame(struct str line, int64_t *number, struct str *text)
{
    if (!str_take(&line, STR("#")) || !text_take_number(&line, number) ||
        stacks_skip_blanks(&line) == 0)
        return false;
    *text = line;
    return true;
}

static void end_thread(struct reader *r)
{
    if (r->is_in_thread)
        stacks_end_sample(r->s, (int64_t[STACKS_VALUES]){1});
    r->is_in_thread = false;
}

/* Begins a thread of the next dump, if this one has the thread TEXT. */
static void begin_thread(struct reader *r, struct str text)
{
    bool is_new;
    end_thread(r);
    intern_add(&r->seen, text, &is_new);
    if (!is_new || r->dump == 0) {
        intern_free(&r->seen);
        intern_add(&r->seen, text, NULL);
        r->dump++;
    }
    r->is_in_thread = true;
    r->is_switched = false;
    r->last = -1;
}

/* Adds labels for TEXT, as "Thread 1 (Thread 0x7f16dfed3740 (LWP 22338) "m")". */
static void read_thread(struct reader *r, struct str text)
{
    struct stacks_reader *s = r->s;
    struct str rest = text, system = text;
    int64_t tid;
    begin_thread(r, text);
    stacks_take_until(&rest, STR(" \""));
    const size_t quote = stacks_find_last(rest, STR("\""));
    const struct str number = {text.p, stacks_find(text, STR(" ("))};
    stacks_label(s, "thread", quote < rest.n ? (struct str){rest.p, quote} : number, 0);
    stacks_take_until(&system, STR("(LWP "));
    if (text_take_number(&system, &tid))
        stacks_label(s, "tid", (struct str){NULL, 0}, tid);
    stacks_label(s, "dump", (struct str){NULL, 0}, r->dump);
    stacks_set_thread(s, text);
}

/* Moves " at m.c:9" or " from /lib/libc.so.6" off the end of f->name. */
static void take_place(struct stacks_call *f)
{
    static const struct str at = STR(") at "), from = STR(") from ");
    const struct str text = f->name;
    const size_t file = stacks_find_last(text, at), binary = stacks_find_last(text, from);
    if (file < text.n && (binary == text.n || binary < file)) {
        f->file = (struct str){text.p + file + at.n, text.n - file - at.n};
        f->line = stacks_take_line(&f->file);
        f->name.n = file + 1;
    } else if (binary < text.n) {
        f->binary = (struct str){text.p + binary + from.n, text.n - binary - from.n};
        f->name.n = binary + 1;
    }
}

/* The index of the blank in front of the arguments in TEXT: the first bracket after a blank that is in
 * no list of a template, as in "f<void (int)> (x=1)". Such a list may have arrows. */
static size_t find_arguments(struct str text)
{
    size_t depth = 0;
    for (size_t i = 0; i + 1 < text.n; i++) {
        depth += text.p[i] == '<';
        depth -= text.p[i] == '>' && depth > 0 && text.p[i - 1] != '-';
        if (depth == 0 && text.p[i] == ' ' && text.p[i + 1] == '(')
            return i;
    }
    return stacks_find(text, STR(" (")); /* operator< has one alone */
}

static void push_frame(struct reader *r, struct str text)
{
    struct stacks_call f = {.file = STR(""), .binary = STR("")};
    struct str rest = text;
    if (str_take(&rest, STR("0x")) && text_take_hex(&rest, &f.address) &&
        str_take(&rest, STR(" in ")))
        text = rest;
    else
        f.address = 0;
    f.name = text;
    take_place(&f);
    const size_t arguments = find_arguments(f.name);
    r->arguments += f.name.n - arguments > 3; /* more than " ()" */
    f.name.n = arguments;
    if (str_equal(f.name, STR("??")))
        f.name.n = 0;
    stacks_push(r->s, stacks_location(r->s, &f));
}

/* Whether LINE goes on with a frame that was too wide for the terminal. */
static bool is_continued(struct str line)
{
    return stacks_skip_blanks(&line) == 4 && line.n > 0;
}

/* Reads the frame NUMBER with the text TEXT. */
static void read_frame(struct reader *r, int64_t number, struct str text)
{
    struct stacks_reader *s = r->s;
    struct str line;
    if (r->is_switched && number == 0 && s->depth == 1) {
        s->depth = 0; /* it was shown before "bt" */
    } else if (!r->is_in_thread ||
               (number <= r->last && s->depth > 0)) { /* "bt" alone has no line of a thread */
        begin_thread(r, STR(""));
        stacks_label(s, "dump", (struct str){NULL, 0}, r->dump);
    }
    r->last = number;
    r->frame.n = 0;
    buf_add(&r->frame, str_trim(text));
    while (stacks_next_line(s, &line)) {
        if (!is_continued(line)) {
            stacks_unread(s);
            break;
        }
        buf_add(&r->frame, STR(" "));
        buf_add(&r->frame, str_trim(line));
    }
    push_frame(r, buf_str(&r->frame));
}

/* Whether TEXT is what "bt full" prints where it has no variables. */
static bool is_of_full(struct str text)
{
    return str_equal(text, STR("No locals.")) ||
           str_equal(text, STR("No symbol table info available."));
}

/* Reads a line that is no frame. */
static void read_other(struct reader *r, struct str line)
{
    struct stacks_reader *s = r->s;
    const struct str text = str_trim(line);
    const bool is_indented = text.n > 0 && text.p > line.p;
    if (text.n == 0) {
        end_thread(r);
    } else if (r->is_in_thread && (str_starts(text, STR("Backtrace stopped:")) ||
                                   str_starts(text, STR("(More stack frames follow")))) {
        s->is_cut = true;
        stacks_note(s, text);
    } else if (r->is_in_thread && is_indented) {
        loss_add(LOSS_STACKS_VARIABLES, STR(""), 1); /* "bt full" prints them */
    } else if (!r->is_in_thread || !is_of_full(text)) {
        stacks_keep_line(s, line); /* as gdb asks for RET: more frames may follow */
    }
}

static void read_gdb(struct stacks_reader *s)
{
    struct reader r = {.s = s};
    int64_t number;
    for (struct str line, text; stacks_next_line(s, &line);) {
        if (is_thread(line)) {
            read_thread(&r, (struct str){line.p, line.n - 1});
        } else if (is_switch(line)) {
            stacks_take_until(&line, STR("[Switching to "));
            read_thread(&r, (struct str){line.p, line.n - 1});
            r.is_switched = true;
        } else if (take_frame(line, &number, &text)) {
            read_frame(&r, number, text);
        } else {
            read_other(&r, line);
        }
    }
    s->is_cut |= s->is_torn && s->depth > 0;
    end_thread(&r);
    if (r.arguments > 0)
        loss_add(LOSS_OWN, STR("arguments of frames"), r.arguments);
    intern_free(&r.seen);
    buf_free(&r.frame);
}

/* Whether LINE is among what gdb says before it prints a stack. */
static bool is_greeting(struct str line)
{
    static const char *const starts[] = {"[Thread debugging using",
                                         "[New LWP ",
                                         "[New Thread ",
                                         "[Current thread is ",
                                         "[Switching to thread ",
                                         "GNU gdb ",
                                         "Reading symbols from ",
                                         "Attaching to process ",
                                         "Core was generated by ",
                                         "Program terminated with signal "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(line, str_of(starts[i])))
            return true;
    return false;
}

static enum bid bid_gdb(struct str head)
{
    struct str line, text;
    int64_t number;
    enum bid bid = BID_NONE;
    size_t warnings = 0, lines = 0;
    for (; str_next_line(&head, &line); lines++) {
        line = str_trim(line);
        if (is_thread(line) || (take_frame(line, &number, &text) && number == 0 &&
                                stacks_find(text, STR(" (")) < text.n))
            return BID_SURE;
        if (str_starts(line, STR("warning: "))) {
            warnings++;
            continue;
        }
        if (bid == BID_NONE && line.n > 0 && !is_greeting(line))
            return BID_NONE;
        bid = line.n > 0 ? BID_LIKELY : bid;
    }
    /* other programs warn, too: what follows must tell */
    return warnings > 0 && lines == 1 ? BID_LIKELY : bid;
}

const struct stacks_dialect stacks_gdb = {STR("gdb"), true, bid_gdb, read_gdb};

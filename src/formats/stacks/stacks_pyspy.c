/* Threads of Python, as "py-spy dump" prints them.
 *
 *     Process 1234: python3 work.py
 *     Python v3.11.2 (/usr/bin/python3.11)
 *
 *     Thread 1234 (active+gil): "MainThread"
 *         work (work.py:3)
 *             Locals:
 *                 i: 7
 *         <module> (work.py:10) */
#include "formats/stacks/stacks.h"
#include "rows/loss.h"
#include "rows/text.h"

struct reader {
    struct stacks_reader *s;
    bool is_in_thread;
    struct intern seen; /* processes of this dump */
    int64_t dump, pid;
};

enum { FRAME_INDENT = 4 };

static void end_thread(struct reader *r)
{
    if (r->is_in_thread)
        stacks_end_sample(r->s, (int64_t[STACKS_VALUES]){1});
    r->is_in_thread = false;
}

/* Reads "Process 1234: python3 work.py". A process that this dump has is the next dump's. */
static bool read_process(struct reader *r, struct str line)
{
    struct str number;
    bool is_new;
    if (!str_take(&line, STR("Process ")))
        return false;
    number = line;
    if (!text_take_number(&line, &r->pid) || !str_take(&line, STR(": ")))
        return false;
    end_thread(r);
    number.n -= line.n;
    intern_add(&r->seen, number, &is_new);
    if (!is_new || r->dump == 0) {
        intern_free(&r->seen);
        intern_add(&r->seen, number, NULL);
        r->dump++;
    }
    if ((r->s->source_id != 0 || !stacks_fact(r->s, "command", line)) && is_new)
        stacks_keep_line(r->s, r->s->line);
    return true;
}

/* Reads "Thread 1234 (idle): "name"", where the number may be hexadecimal and the rest missing. */
static bool read_thread(struct reader *r, struct str line)
{
    struct stacks_reader *s = r->s;
    int64_t number;
    if (!str_take(&line, STR("Thread ")))
        return false;
    end_thread(r);
    r->is_in_thread = true;
    struct str id = stacks_take_until(&line, STR(" (")), digits = id;
    const size_t close = stacks_find(line, STR(")"));
    const struct str state = {line.p, close};
    line.p += close;
    line.n -= close;
    const bool has_name = str_take(&line, STR("): \"")) && str_ends(line, STR("\""));
    stacks_label(s, "thread", has_name ? (struct str){line.p, line.n - 1} : id, 0);
    if (text_take_number(&digits, &number) && digits.n == 0)
        stacks_label(s, "tid", (struct str){NULL, 0}, number);
    else if (has_name)
        stacks_label(s, "id", id, 0);
    if (state.n > 0)
        stacks_label(s, "state", state, 0);
    if (r->dump > 0) {
        stacks_label(s, "pid", (struct str){NULL, 0}, r->pid);
        stacks_label(s, "dump", (struct str){NULL, 0}, r->dump);
    }
    return true;
}

/* Reads "work (work.py:3)". */
static void push_frame(struct stacks_reader *s, struct str text)
{
    uint32_t *location;
    stacks_recall(s, text, &location);
    if (*location == 0) {
        struct stacks_call f = {.name = text, .file = STR(""), .binary = STR("")};
        const size_t open = str_last_bracket(text); /* names of C++ and folders may have others */
        if (open > 1 && open < text.n && text.p[open - 1] == ' ') {
            f.name.n = open - 1;
            f.file = (struct str){text.p + open + 1, text.n - open - 2};
            f.line = stacks_take_line(&f.file);
        }
        *location = stacks_location(s, &f);
    }
    stacks_push(s, *location);
}

static void read_line(struct reader *r, struct str line)
{
    struct str text = line;
    const size_t indent = stacks_skip_blanks(&text);
    if (text.n == 0 || (indent == 0 && (read_process(r, line) || read_thread(r, line))))
        return;
    if (r->is_in_thread && indent == FRAME_INDENT) {
        push_frame(r->s, text);
    } else if (r->is_in_thread && indent > FRAME_INDENT) {
        loss_add(LOSS_STACKS_VARIABLES, STR(""), 1); /* --locals prints them */
    } else {
        end_thread(r);
        stacks_keep_line(r->s, line);
    }
}

static void read_pyspy(struct stacks_reader *s)
{
    struct reader r = {.s = s};
    for (struct str line; stacks_next_line(s, &line);)
        read_line(&r, line);
    s->is_cut = s->is_torn && s->depth > 0;
    end_thread(&r);
    intern_free(&r.seen);
}

static enum bid bid_pyspy(struct str head)
{
    struct str line;
    int64_t pid;
    if (!str_next_line(&head, &line) || !str_take(&line, STR("Process ")) ||
        !text_take_number(&line, &pid) || !str_take(&line, STR(": ")))
        return BID_NONE;
    if (head.n == 0)
        return BID_LIKELY;
    return str_starts(head, STR("Python v")) ? BID_SURE : BID_NONE;
}

const struct stacks_dialect stacks_pyspy = {STR("py-spy"), true, bid_pyspy, read_pyspy};

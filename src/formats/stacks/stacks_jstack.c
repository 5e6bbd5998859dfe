/* Threads of Java, as jstack, jcmd (Thread.print) and a JVM at SIGQUIT print them.
 *
 *     2026-11-22 18:37:24
 *     Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *     "main" #1 daemon prio=5 os_prio=0 cpu=9.8ms tid=0x7f nid=0x27ae runnable  [0x7f]
 *        java.lang.Thread.State: RUNNABLE
 *     <TAB>at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)
 *     <TAB>- locked <0xff> (a java.lang.Class) */
#include "formats/stacks/stacks.h"
#include "rows/text.h"

#include <stdio.h>

struct reader {
    struct stacks_reader *s;
    bool is_in_thread;
    struct buf name;       /* of the thread */
    int64_t dump;          /* their number, from 1 */
    int64_t seconds;       /* of the last date; 0: none */
    int64_t first_seconds; /* of the first dump */
};

static const struct str title = STR("Full thread dump ");

/* The seconds from 1970 to the date that LINE is, as "2026-11-22 18:37:24"; 0: it is none. */
static int64_t seconds_of(struct str line)
{
    char text[20] = "";
    unsigned year, month, day, hour, minute, second;
    int taken = 0;
    if (line.n != sizeof text - 1)
        return 0;
    memcpy(text, line.p, line.n);
    if (sscanf(text, "%4u-%2u-%2u %2u:%2u:%2u%n", &year, &month, &day, &hour, &minute, &second,
               &taken) != 6 ||
        taken != (int)line.n || year < 1970 || month < 1 || month > 12)
        return 0;
    const unsigned from_march = (month + 9) % 12, years = year - (month < 3);
    const int64_t days = (int64_t)years * 365 + years / 4 - years / 100 + years / 400 +
                         (from_march * 306 + 5) / 10 + day - 1 - 719468;
    return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

/* The bytes of LINE, a thread's first, that its name takes with its quotes; 0: it is no thread. Names
 * may have quotes, too; deadlocks have names and a colon. */
static size_t name_length(struct str line)
{
    if (!str_starts(line, STR("\"")))
        return 0;
    const size_t quote = stacks_find_last(line, STR("\""));
    const struct str rest = {line.p + quote, line.n - quote};
    const bool has_thread =
        stacks_find(rest, STR("prio=")) < rest.n || stacks_find(rest, STR(" tid=0x")) < rest.n;
    return quote > 0 && has_thread ? quote + 1 : 0;
}

static void end_thread(struct reader *r)
{
    if (r->is_in_thread)
        stacks_end_sample(r->s, (int64_t[STACKS_VALUES]){1});
    r->is_in_thread = false;
}

/* Adds the label for "nid=0x27ae" or, since Java 22, "nid=10158": the thread of the system. Later ones
 * have it behind the number of the thread alone, "#27 [42755]". */
static void label_number(struct stacks_reader *s, struct str rest)
{
    int64_t number;
    uint64_t address;
    if (stacks_find(rest, STR(" nid=")) < rest.n)
        stacks_take_until(&rest, STR(" nid="));
    else if (!str_take(&rest, STR("#")) || !text_take_number(&rest, &number) ||
             !str_take(&rest, STR(" [")))
        return;
    if (str_take(&rest, STR("0x")) && text_take_hex(&rest, &address) && address <= INT64_MAX)
        stacks_label(s, "tid", (struct str){NULL, 0}, (int64_t)address);
    else if (text_take_number(&rest, &number))
        stacks_label(s, "tid", (struct str){NULL, 0}, number);
}

static void begin_thread(struct reader *r, struct str line, size_t name)
{
    struct stacks_reader *s = r->s;
    const struct str rest = str_trim((struct str){line.p + name, line.n - name});
    end_thread(r);
    r->is_in_thread = true;
    s->has_time = r->first_seconds != 0 && r->seconds != 0;
    if (s->has_time &&
        __builtin_mul_overflow(r->seconds - r->first_seconds, INT64_C(1000000000), &s->time))
        s->has_time = false;
    r->name.n = 0;
    buf_add(&r->name, (struct str){line.p + 1, name - 2});
    stacks_label(s, "thread", buf_str(&r->name), 0);
    label_number(s, rest);
    if (stacks_find(rest, STR("daemon ")) < rest.n)
        stacks_label(s, "is", STR("daemon"), 0);
    if (r->dump > 0)
        stacks_label(s, "dump", (struct str){NULL, 0}, r->dump);
    stacks_set_thread(s, rest);
}

/* Reads TEXT, as "Mounted virtual thread #21", behind the stack of a thread: that of the virtual thread
 * which it carries follows. */
static void begin_mounted(struct reader *r, struct str text)
{
    struct stacks_reader *s = r->s;
    const size_t number = stacks_find(text, STR("#"));
    end_thread(r);
    r->is_in_thread = true;
    stacks_label(s, "thread", (struct str){text.p + number, text.n - number}, 0);
    stacks_label(s, "is", STR("virtual"), 0);
    stacks_label(s, "carrier", buf_str(&r->name), 0);
    if (r->dump > 0)
        stacks_label(s, "dump", (struct str){NULL, 0}, r->dump);
}

/* Reads "java.lang.Object.wait(java.base@17.0.15/Object.java:12)". */
static uint32_t read_frame(struct stacks_reader *s, struct str text)
{
    struct stacks_call f = {.name = text, .file = STR(""), .binary = STR("")};
    const size_t open = stacks_find_last(text, STR("("));
    if (open < text.n && str_ends(text, STR(")"))) {
        f.name.n = open;
        f.file = (struct str){text.p + open + 1, text.n - open - 2};
        const size_t slash = stacks_find_last(f.file, STR("/"));
        if (slash < f.file.n) {
            f.binary = (struct str){f.file.p, slash};
            f.binary.n -= str_ends(f.binary, STR("/")); /* app//Main.java: a loader, no module */
            f.file.p += slash + 1;
            f.file.n -= slash + 1;
        }
        f.line = stacks_take_line(&f.file);
        f.is_native = str_equal(f.file, STR("Native Method"));
        if (f.is_native || str_equal(f.file, STR("Unknown Source")))
            f.file.n = 0;
    }
    return stacks_location(s, &f);
}

static void push_frame(struct stacks_reader *s, struct str text)
{
    uint32_t *location;
    stacks_recall(s, text, &location);
    if (*location == 0)
        *location = read_frame(s, text);
    stacks_push(s, *location);
}

/* Reads a line of a thread behind the first. */
static void read_part(struct reader *r, struct str line)
{
    struct stacks_reader *s = r->s;
    struct str text = str_trim(line);
    if (str_take(&text, STR("at ")))
        push_frame(s, text);
    else if (str_take(&text, STR("java.lang.Thread.State: ")))
        stacks_label(s, "state", text, 0);
    else if (str_starts(text, STR("Mounted virtual thread #")))
        begin_mounted(r, text);
    else if (!str_equal(text, STR("Locked ownable synchronizers:")) &&
             !str_equal(text, STR("- None")))
        stacks_note(s, text);
}

static void begin_dump(struct reader *r, struct str line)
{
    if (++r->dump > 1) {
        stacks_keep_line(r->s, line);
        return;
    }
    r->first_seconds = r->seconds;
    line.p += title.n;
    line.n -= title.n;
    if (str_ends(line, STR(":")))
        line.n--;
    stacks_fact(r->s, "producer", line);
}

/* Reads a line that is not indented. */
static void read_head(struct reader *r, struct str line)
{
    const int64_t seconds = seconds_of(line);
    end_thread(r);
    if (str_starts(line, title)) {
        begin_dump(r, line);
    } else if (seconds == 0) {
        stacks_keep_line(r->s, line);
    } else {
        if (r->s->source_id == 0 && r->seconds == 0)
            stacks_fact(r->s, "date", line);
        r->seconds = seconds;
    }
}

static void read_jstack(struct stacks_reader *s)
{
    struct reader r = {.s = s};
    for (struct str line; stacks_next_line(s, &line);) {
        const size_t name = name_length(line);
        const bool is_indented = line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t');
        if (name > 0)
            begin_thread(&r, line, name);
        else if (r.is_in_thread && is_indented)
            read_part(&r, line);
        else if (str_trim(line).n > 0)
            read_head(&r, line);
    }
    s->is_cut = s->is_torn && s->depth > 0;
    end_thread(&r);
    buf_free(&r.name);
}

/* Whether LINE is as "10145:", which jcmd prints first: the number of the process. */
static bool is_process(struct str line)
{
    int64_t number;
    return text_take_number(&line, &number) && str_equal(line, STR(":"));
}

/* What a program has printed may stand in front. */
static enum bid bid_jstack(struct str head)
{
    struct str line;
    bool is_open = true, has_start = false; /* whether nothing else was in front */
    while (str_next_line(&head, &line)) {
        line = str_trim(line);
        if (str_starts(line, title))
            return BID_SURE;
        if (is_open && name_length(line) > 0 && stacks_find(line, STR(" tid=0x")) < line.n)
            return BID_SURE;
        const bool is_start = is_process(line) || seconds_of(line) != 0;
        is_open &= line.n == 0 || is_start;
        has_start |= is_start;
    }
    return is_open && has_start ? BID_LIKELY : BID_NONE;
}

const struct stacks_dialect stacks_jstack = {STR("jstack"), true, bid_jstack, read_jstack};

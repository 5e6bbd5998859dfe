/* The first line of a sample. */
#include "base/port.h"
#include "formats/perf/perf_text.h"

enum { DIGITS_MAX = 18, FRACTION_MAX = 9 };

/* Max bytes of a line in which the end of an event is searched. */
enum { FRONT_MAX = 1024 };

/* Max length of the text between thread and time: letters, or the time of day. */
enum { MISC_MAX = 40 };

/* The max result of `likeness`. */
enum { LIKENESS_MAX = 5 };

/* The min width of a printed period; the min width of a thread name if no call chain follows; max
 * digits of a thread id. */
enum { PERIOD_WIDTH = 10, COMM_WIDTH = 16, TID_DIGITS = 7 };

struct str perf_trim(struct str s)
{
    while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t'))
        s.p++, s.n--;
    while (s.n > 0 && s.p[s.n - 1] == ' ')
        s.n--;
    return s;
}

static struct str before(struct str s, const char *p)
{
    return (struct str){s.p, (size_t)(p - s.p)};
}

static struct str behind(struct str s, const char *p)
{
    return (struct str){p, (size_t)(s.p + s.n - p)};
}

/* --- words --- */

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_digit(s.p[i]))
            return false;
    return s.n > 0;
}

/* The number of a process, thread or processor; perf prints -1 for none. */
static bool is_number(struct str s)
{
    str_take(&s, STR("-"));
    return is_digits(s) && s.n <= DIGITS_MAX;
}

/* The last word of S. S does not end in a blank. */
static struct str last_word(struct str s)
{
    const char *blank = s.n == 0 ? NULL : port_memrchr(s.p, ' ', s.n);
    return blank == NULL ? s : behind(s, blank + 1);
}

/* Parses WORD, "PID/TID" or "TID", into H. */
static bool take_ids(struct str word, struct perf_header *h)
{
    const char *slash = word.n == 0 ? NULL : memchr(word.p, '/', word.n);
    struct str tid = slash == NULL ? word : behind(word, slash + 1);
    struct str pid = slash == NULL ? STR("") : before(word, slash);
    if (!is_number(tid) || (slash != NULL && !is_number(pid)))
        return false;
    h->pid = pid;
    h->tid = tid;
    return true;
}

static bool take_cpu(struct str word, struct perf_header *h)
{
    if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']')
        return false;
    struct str cpu = {word.p + 1, word.n - 2};
    if (!is_number(cpu))
        return false;
    h->cpu = cpu;
    return true;
}

/* Whether S may be between thread and time: letters, as printed by -F misc, or the time of day. */
static bool is_misc(struct str s)
{
    size_t letters = 0, others = 0;
    for (size_t i = 0; i < s.n; i++) {
        letters += (s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= 'a' && s.p[i] <= 'z');
        others += str_is_digit(s.p[i]) || memchr("-:. ", s.p[i], 4) != NULL;
    }
    return letters == s.n || (others == s.n && str_is_digit(s.p[0]));
}

/* Parses LEFT, the text before the time. The last word that can be a thread or processor is taken
 * for that. What follows it is MISC, what precedes it is COMM, even if it is digits. */
static void take_thread(struct str left, struct perf_header *h)
{
    left = perf_trim(left);
    for (struct str rest = left; rest.n > 0;) {
        struct str word = last_word(rest);
        struct str front = perf_trim(before(rest, word.p));
        bool is_cpu;
        struct str misc = perf_trim(behind(left, word.p + word.n));
        if (misc.n > MISC_MAX)
            break;
        if (is_misc(misc) && ((is_cpu = take_cpu(word, h)) || take_ids(word, h))) {
            h->misc = misc;
            word = last_word(front);
            if (is_cpu && take_ids(word, h))
                front = perf_trim(before(front, word.p));
            h->comm = front;
            return;
        }
        rest = front;
    }
    h->comm = left;
}

/* --- with a time --- */

/* The first ':' in S that is followed by a blank or the end; NULL if there is none. */
static const char *find_colon(struct str s)
{
    const char *end = s.p + s.n;
    for (const char *p = s.p; p < end && (p = memchr(p, ':', (size_t)(end - p))) != NULL; p++)
        if (p + 1 == end || p[1] == ' ')
            return p;
    return NULL;
}

/* Parses the time before COLON in LINE; *START is set to its beginning. */
static bool take_time(struct str line, const char *colon, struct perf_header *h, const char **start)
{
    const char *p = colon, *point;
    while (p > line.p && str_is_digit(p[-1]))
        p--;
    point = p - 1;
    if (p == line.p || p == colon || *point != '.' || colon - p > FRACTION_MAX)
        return false;
    h->fraction = (struct str){p, (size_t)(colon - p)};
    p = point;
    while (p > line.p && str_is_digit(p[-1]))
        p--;
    h->seconds = (struct str){p, (size_t)(point - p)};
    *start = p;
    return p < point && (p == line.p || p[-1] == ' ');
}

/* Parses RIGHT, the text after the time. The event ends at the first ':' before a blank; other
 * colons belong to it. Even without an event perf may print a period. */
static void take_event(struct str right, struct perf_header *h)
{
    const char *colon = find_colon(right);
    struct str text = perf_trim(colon == NULL ? right : before(right, colon));
    const char *blank = text.n == 0 ? NULL : memchr(text.p, ' ', text.n);
    struct str first = blank == NULL ? text : before(text, blank);
    struct perf_rest rest;
    h->rest = colon == NULL ? right : behind(right, colon + 1);
    h->event = colon == NULL ? STR("") : text;
    if (!is_digits(first) || (colon == NULL && perf_find_frame(right, &rest)) ||
        (colon != NULL && blank == NULL))
        return;
    h->period = first;
    if (colon == NULL)
        h->rest = behind(right, first.p + first.n);
    else
        h->event = perf_trim(behind(text, blank));
}

/* --- without a time --- */

/* Whether WORD, a number at the end of WORDS, the text before an event, is a period and not a
 * thread: perf prints periods wider. */
static bool is_period(struct str words, struct str word)
{
    struct str front = perf_trim(before(words, word.p));
    const char *start = front.n > 0 ? front.p + front.n : words.p;
    size_t width = (size_t)(word.p + word.n - start);
    if (front.n == 0 && width > COMM_WIDTH) /* the name of the thread is empty */
        width -= COMM_WIDTH;
    return is_digits(word) && (width >= PERIOD_WIDTH || word.n > TID_DIGITS);
}

/* Parses LINE, which has no time. COLON is the end of its event. */
static bool take_untimed(struct str line, const char *colon, struct perf_header *h)
{
    if (colon == line.p || colon[-1] == ' ')
        return false;
    struct str words = before(line, colon);
    h->event = last_word(words);
    h->rest = behind(line, colon + 1);
    words = before(words, h->event.p);
    struct str word = last_word(perf_trim(words));
    if (str_equal(word, STR("raw"))) { /* the only event name with a blank */
        h->event = (struct str){word.p, (size_t)(colon - word.p)};
        words = before(words, word.p);
        word = last_word(perf_trim(words));
    }
    if (is_period(words, word)) {
        h->period = word;
        words = before(words, word.p);
    }
    take_thread(words, h);
    return h->misc.n == 0;
}

/* --- both --- */

/* How much H looks like perf's output, at most LIKENESS_MAX. */
static unsigned likeness(const struct perf_header *h)
{
    if (h->seconds.n > 0)
        return 2 + 2 * (h->tid.n > 0) + perf_has_usual_time(h);
    return h->tid.n > 0 ? 3 + (h->pid.n > 0) : 1;
}

/* A line is split at a time, or at the end of its event. Both may occur several times, since the
 * name of a thread and the text after the event may contain them. Of the possible splits the one
 * that looks most like perf's output is taken; of equal ones the first. */
bool perf_take_header(struct str line, struct perf_header *header)
{
    unsigned max = 0;
    const char *colon;
    *header = (struct perf_header){.comm = STR("")};
    struct str front = {line.p, line.n < FRONT_MAX ? line.n : FRONT_MAX};
    for (struct str rest = front; max < LIKENESS_MAX && (colon = find_colon(rest)) != NULL;
         rest = behind(rest, colon + 1)) {
        struct perf_header timed = {.comm = STR("")}, untimed = timed;
        const char *start;
        if (take_time(line, colon, &timed, &start)) {
            take_thread(before(line, start), &timed);
            take_event(behind(line, colon + 1), &timed);
            if (likeness(&timed) > max) {
                max = likeness(&timed);
                *header = timed;
            }
        } else if (take_untimed(line, colon, &untimed) && likeness(&untimed) > max) {
            max = likeness(&untimed);
            *header = untimed;
        }
    }
    return max > 0;
}

bool perf_has_usual_time(const struct perf_header *header)
{
    return header->fraction.n == 6 || header->fraction.n == 9;
}

bool perf_is_weak(const struct perf_header *header)
{
    return header->tid.n == 0 && header->cpu.n == 0;
}

bool perf_is_bare(const struct perf_header *header)
{
    return perf_trim(header->rest).n == 0;
}

struct str perf_record(const struct perf_header *header)
{
    struct str name = header->event.n > 0 ? header->event : perf_trim(header->rest);
    if (!str_starts(name, STR("PERF_RECORD_")))
        return STR("");
    size_t n = 0;
    while (n < name.n &&
           (name.p[n] == '_' || (name.p[n] >= 'A' && name.p[n] <= 'Z') || str_is_digit(name.p[n])))
        n++;
    return (struct str){name.p, n};
}

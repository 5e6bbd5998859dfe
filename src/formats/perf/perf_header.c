/* The first line of a sample. */
#include "base/port.h"
#include "formats/perf/perf_text.h"

enum { DIGITS_MAX = 18, FRACTION_MAX = 9 };

/* Max bytes of a line in which the end of an event is searched. */
enum { FRONT_MAX = 1024 };

/* Max letters that -F misc prints. */
enum { MISC_MAX = 6 };

/* The max result of `likeness`. */
enum { LIKENESS_MAX = 5 };

/* The min width of a printed period; the width of a thread name if no call chain follows; max
 * digits of a thread id; the min width of one; the width of a processor that -L prints. */
enum { PERIOD_WIDTH = 10, COMM_WIDTH = 16, TID_DIGITS = 7, TID_WIDTH = 5, CPU_WIDTH = 3 };

static struct str trim_end(struct str s)
{
    while (s.n > 0 && s.p[s.n - 1] == ' ')
        s.n--;
    return s;
}

struct str perf_trim(struct str s)
{
    while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t'))
        s.p++, s.n--;
    return trim_end(s);
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

/* The columns of WORD and of the blanks that separate it from what precedes it in TEXT. */
static size_t columns_of(struct str text, struct str word)
{
    struct str front = trim_end(before(text, word.p));
    return (size_t)(word.p + word.n - front.p) - front.n;
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

/* Whether S is what -F misc prints of the state of the processor. */
static bool is_misc(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("KUHGgMESp", s.p[i], 9) == NULL)
            return false;
    return s.n > 0 && s.n < MISC_MAX;
}

/* Cuts the time of day that -F tod prints off the end of *LEFT: "2026-11-21 18:00:00.000001". */
static void take_date(struct str *left, struct perf_header *h)
{
    static const struct str form = STR("0000-00-00 00:00:00");
    size_t digits = 0, n = form.n;
    while (digits < left->n && str_is_digit(left->p[left->n - digits - 1]))
        digits++;
    if (digits == 0 || left->n <= n + digits || left->p[left->n - digits - 1] != '.')
        return;
    const char *start = left->p + left->n - digits - 1 - n;
    for (size_t i = 0; i < n; i++)
        if (form.p[i] == '0' ? !str_is_digit(start[i]) : start[i] != form.p[i])
            return;
    if (start > left->p && start[-1] != ' ')
        return;
    h->date = behind(*left, start);
    *left = trim_end(before(*left, start));
}

/* Whether WORD at the end of WORDS is a processor as -L prints it: a number without brackets, which
 * is narrower than a thread id, behind a thread id. */
static bool is_bare_cpu(struct str words, struct str word)
{
    struct perf_header ids = {.pid = STR("")};
    struct str front = trim_end(before(words, word.p));
    if (word.n > CPU_WIDTH || front.n == 0 || !str_is_digit(front.p[front.n - 1]))
        return false;
    struct str id = last_word(front);
    size_t columns = columns_of(words, word);
    return columns > CPU_WIDTH && is_digits(word) && take_ids(id, &ids) &&
           (ids.pid.n > 0 ||
            (columns == 1 + CPU_WIDTH && (columns_of(front, id) > TID_WIDTH || id.n == front.n)));
}

/* Cuts the processor off the end of *LEFT, whose last word is *WORD. */
static void take_any_cpu(struct str *left, struct str *word, struct perf_header *h)
{
    if (!take_cpu(*word, h)) {
        if (!is_bare_cpu(*left, *word))
            return;
        h->cpu = *word;
    }
    *left = trim_end(before(*left, word->p));
    *word = last_word(*left);
}

/* Parses LEFT, the text before the time, from its end. What precedes the numbers is COMM, even if
 * it is digits. Without a call chain COMM has a width, which shows where it is alone. */
static void take_thread(struct str left, struct perf_header *h)
{
    left = trim_end(left);
    take_date(&left, h);
    struct str front = left, word = last_word(left), misc = STR("");
    h->comm = left;
    if (left.n != COMM_WIDTH || *left.p != ' ') {
        if (is_misc(word)) {
            misc = word;
            front = trim_end(before(front, word.p));
            word = last_word(front);
        }
        take_any_cpu(&front, &word, h);
        bool has_ids = take_ids(word, h);
        size_t at = (size_t)(word.p - front.p);
        if (has_ids || h->cpu.n > 0) {
            h->misc = misc;
            h->is_loose = has_ids && h->pid.n == 0 && at > 1 && word.p[-2] != ' ';
            h->comm = has_ids ? before(front, word.p) : front;
        }
    }
    h->comm = perf_trim(h->comm);
}

void perf_join_thread(struct perf_header *header)
{
    const char *end = header->tid.p + header->tid.n;
    header->comm.n = (size_t)(end - header->comm.p);
    header->tid = STR("");
    header->is_loose = false;
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
    h->rest = colon == NULL ? right : behind(right, colon + 1);
    h->event = colon == NULL ? STR("") : text;
    bool is_address = colon == NULL && perf_address_columns(right) >= PERF_ADDRESS_WIDTH;
    if (!is_digits(first) || is_address || (colon != NULL && blank == NULL))
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
    size_t columns = columns_of(words, word);
    bool is_first = columns == (size_t)(word.p + word.n - words.p);
    if (is_first && columns > COMM_WIDTH) /* the name of the thread is empty */
        columns -= COMM_WIDTH;
    return is_digits(word) && (columns >= PERIOD_WIDTH || word.n > TID_DIGITS);
}

/* Cuts the period off the end of *WORDS. */
static void take_period(struct str *words, struct perf_header *h)
{
    struct str word = last_word(perf_trim(*words));
    if (!is_period(*words, word))
        return;
    h->period = word;
    *words = before(*words, word.p);
}

/* Parses LINE, which has no time. COLON is the end of its event. */
static bool take_untimed(struct str line, const char *colon, struct perf_header *h)
{
    struct str words = before(line, colon);
    if (colon == line.p || colon[-1] == ' ' || perf_find_tail(before(line, colon + 1)) < words.n)
        return false;
    h->event = last_word(words);
    h->rest = behind(line, colon + 1);
    words = before(words, h->event.p);
    struct str word = last_word(perf_trim(words));
    if (str_equal(word, STR("raw"))) { /* the only event name with a blank */
        h->event = (struct str){word.p, (size_t)(colon - word.p)};
        words = before(words, word.p);
    }
    take_period(&words, h);
    take_thread(words, h);
    return h->misc.n == 0;
}

/* --- both --- */

/* How much H looks like perf's output, at most LIKENESS_MAX. */
static unsigned likeness(const struct perf_header *h)
{
    bool has_thread = h->tid.n > 0;
    if (h->seconds.n > 0)
        return (has_thread ? 4 : 1) + (perf_has_usual_time(h) ? (has_thread ? 1 : 2) : 0);
    return has_thread ? 3 + (h->pid.n > 0) : 1 + perf_ends_event(h);
}

/* --- simpleperf --- */

/* Takes the digits at the start of *S; false if there are none, or more than MAX. */
static bool take_number(struct str *s, size_t max, struct str *digits)
{
    size_t n = 0;
    while (n < s->n && str_is_digit(s->p[n]))
        n++;
    *digits = (struct str){s->p, n};
    s->p += n;
    s->n -= n;
    return n > 0 && n <= max;
}

/* Parses REST, which follows the name and its tab: `PID/TID [CPU] SECONDS.MICROSECONDS: PERIOD
 * EVENT:`. Older versions print no PID, two tabs instead of the blank behind the time, and the
 * oldest of them no zeros in front of the microseconds. */
static bool take_report(struct str rest, struct perf_header *h)
{
    bool has_tid = take_number(&rest, DIGITS_MAX, &h->tid);
    if (has_tid && str_take(&rest, STR("/"))) {
        h->pid = h->tid;
        has_tid = take_number(&rest, DIGITS_MAX, &h->tid);
    }
    if (!has_tid || !str_take(&rest, STR(" [")) || !take_number(&rest, DIGITS_MAX, &h->cpu) ||
        !str_take(&rest, STR("] ")) || !take_number(&rest, SIZE_MAX, &h->seconds) ||
        !str_take(&rest, STR(".")) || !take_number(&rest, 6, &h->fraction) ||
        !(str_take(&rest, STR(": ")) || str_take(&rest, STR(":\t\t"))) ||
        !take_number(&rest, SIZE_MAX, &h->period) || !str_take(&rest, STR(" ")))
        return false;
    h->is_micros = true;
    h->event = (struct str){rest.p, rest.n - 1};
    h->rest = behind(rest, rest.p + rest.n);
    return h->event.n > 0;
}

bool perf_take_report(struct str line, struct perf_header *header)
{
    const char *end = line.p + line.n;
    if (line.n == 0 || end[-1] != ':') /* perf prints a blank behind the event */
        return false;
    for (const char *tab = line.p; (tab = memchr(tab, '\t', (size_t)(end - tab))) != NULL; tab++) {
        struct perf_header h = {.comm = before(line, tab)};
        if (!take_report(behind(line, tab + 1), &h))
            continue;
        *header = h;
        return true;
    }
    return false;
}

/* --- all --- */

/* A line is split at a time, or at the end of its event. Both may occur several times, since the
 * name of a thread and the text after the event may contain them. Of the possible splits the one
 * that looks most like perf's output is taken; of equal ones the first. */
bool perf_take_header(struct str line, struct perf_header *header)
{
    unsigned max = 0;
    const char *colon;
    *header = (struct perf_header){.comm = STR("")};
    struct str front = str_first(line, FRONT_MAX);
    if (perf_take_report(front, header))
        return true;
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

bool perf_take_plain(struct str line, struct perf_header *header)
{
    size_t start = perf_find_address(line);
    struct str words = {line.p, start};
    *header = (struct perf_header){.comm = STR(""), .rest = behind(line, line.p + start)};
    take_period(&words, header);
    take_thread(words, header);
    return perf_trim(line).n > 0;
}

bool perf_has_usual_time(const struct perf_header *header)
{
    return header->is_micros || header->fraction.n == 6 || header->fraction.n == 9;
}

bool perf_is_weak(const struct perf_header *header)
{
    return header->tid.n == 0 && header->cpu.n == 0;
}

bool perf_is_bare(const struct perf_header *header)
{
    const struct str rest =
        header->rest; /* a line may have many ends of events: no look at its end */
    size_t i = 0;
    while (i < rest.n && (rest.p[i] == ' ' || rest.p[i] == '\t'))
        i++;
    return i == rest.n;
}

bool perf_ends_event(const struct perf_header *header)
{
    return perf_is_bare(header) || perf_address_columns(header->rest) >= PERF_ADDRESS_WIDTH;
}

struct str perf_record(struct str line)
{
    static const struct str start = STR("PERF_RECORD_");
    struct str name = line;
    while (!str_starts(name, start) || (name.p > line.p && name.p[-1] != ' ')) {
        const char *next = name.n < 2 ? NULL : memchr(name.p + 1, *start.p, name.n - 1);
        if (next == NULL)
            return STR("");
        name = behind(line, next);
    }
    size_t n = 0;
    while (n < name.n &&
           (name.p[n] == '_' || (name.p[n] >= 'A' && name.p[n] <= 'Z') || str_is_digit(name.p[n])))
        n++;
    return (struct str){name.p, n};
}

bool perf_is_message(struct str line)
{
    static const struct str starts[] = {
        STR("Warning:"),
        STR("WARNING:"),
        STR("Processed "),
        STR("Check IO/CPU overload!"),
        STR("Failed to open "),
        STR("addr2line: "),
        STR("cmd__addr2line"),
        STR("[ perf record: "),
        STR("BFD: "),
        STR("Can't provide "),
        STR("Couldn't "),
        STR("Symbol resolution may be skewed"),
        STR("check /proc/sys/kernel/"),
        STR("Samples in kernel "),
        STR("file is not found in the buildid cache"),
        STR("If some relocation was applied"),
        STR("even with a suitable vmlinux"),
        STR("no symbols found in "),
    };
    static const struct str ends[] = {
        STR(", continuing without symbols"),
        STR(" out of order events recorded."),
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(line, starts[i]))
            return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(line, ends[i]))
            return true;
    return false;
}

#include "formats/perf/perf_off_cpu.h"

#include "base/diag.h"
#include "base/intern.h"
#include "base/mem.h"

#include <inttypes.h>

struct perf_off_cpu {
    struct intern threads;
    struct perf_wait *waits; /* by the number of the thread - 1 */
    size_t capacity;
    uint64_t events, unfinished;
};

/* --- the text of events --- */

/* Takes what follows the last MARK off the end of *TEXT, and MARK; false if there is none. */
static bool take_last(struct str *text, struct str mark, struct str *rest)
{
    for (size_t at = text->n; at-- > 0;) {
        struct str found = {text->p + at, text->n - at};
        if (!str_take(&found, mark))
            continue;
        *rest = found;
        text->n = at;
        return true;
    }
    return false;
}

/* Whether TEXT begins with a number, which ends at a blank or with the text. */
static bool take_number(struct str text, int64_t *number)
{
    size_t n = 0;
    for (*number = 0; n < text.n && n < 18 && str_is_digit(text.p[n]); n++)
        *number = 10 * *number + (text.p[n] - '0');
    return n > 0 && (n == text.n || text.p[n] == ' ');
}

/* The number after the last MARK of TEXT. */
static bool take_field(struct str text, struct str mark, int64_t *number)
{
    struct str rest;
    return take_last(&text, mark, &rest) && take_number(rest, number);
}

/* "NAME:PID [PRIORITY]" and what follows, as perf prints it with the plugins of libtraceevent. */
static bool take_plugin(struct str text, int64_t *thread)
{
    struct str priority, rest;
    return take_last(&text, STR(" ["), &priority) && take_last(&text, STR(":"), &rest) &&
           take_number(rest, thread);
}

static bool take_waking(struct str text, struct perf_switch *s)
{
    s->is_waking = true;
    return take_field(text, STR(" pid="), &s->to) || take_plugin(text, &s->to);
}

/* The word of TEXT up to a blank. */
static struct str first_word(struct str text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ')
        n++;
    return (struct str){text.p, n};
}

bool perf_take_switch(struct str event, struct str text, struct perf_switch *s)
{
    struct str to, state;
    *s = (struct perf_switch){.from = 0};
    if (str_take(&event, STR("sched:sched_waking")))
        return (event.n == 0 || *event.p == ':') && take_waking(text, s);
    if (!str_take(&event, STR("sched:sched_switch")) || (event.n > 0 && *event.p != ':') ||
        !take_last(&text, STR(" ==> "), &to))
        return false;
    if (take_field(to, STR(" next_pid="), &s->to)) {
        if (!take_field(text, STR(" prev_pid="), &s->from) ||
            !take_last(&text, STR(" prev_state="), &state))
            return false;
        s->state = first_word(state);
        return s->state.n > 0;
    }
    if (!take_plugin(to, &s->to) || !take_plugin(text, &s->from) ||
        !take_last(&text, STR("] "), &state))
        return false;
    s->state = first_word(state);
    return s->state.n > 0;
}

/* --- waits --- */

struct perf_off_cpu *perf_off_cpu_open(void)
{
    return mem_alloc_zeroed(sizeof(struct perf_off_cpu));
}

void perf_off_cpu_count(struct perf_off_cpu *o)
{
    o->events++;
}

static struct str key_of(const int64_t *thread)
{
    return (struct str){(const char *)thread, sizeof *thread};
}

struct perf_wait *perf_off_cpu_begin(struct perf_off_cpu *o, int64_t thread)
{
    const uint32_t number = intern_add(&o->threads, key_of(&thread), NULL);
    o->waits = mem_array_zeroed(o->waits, &o->capacity, number, sizeof *o->waits);
    struct perf_wait *wait = &o->waits[number - 1];
    o->unfinished += wait->is_open;
    wait->is_open = true;
    wait->columns.n = wait->waker.n = wait->depth = 0;
    return wait;
}

struct perf_wait *perf_off_cpu_find(struct perf_off_cpu *o, int64_t thread)
{
    const uint32_t number = intern_find(&o->threads, key_of(&thread));
    return number != 0 && o->waits[number - 1].is_open ? &o->waits[number - 1] : NULL;
}

void perf_off_cpu_close(struct perf_off_cpu *o, const struct in *in, bool has_samples)
{
    const struct place where = {in_name(in), PLACE_FILE, 0};
    if (has_samples && o->events == 0)
        die_at(where, "expected samples of sched:sched_switch, found others: " PERF_OFF_CPU_RECORD
                      " records them");
    for (size_t i = 0; i < o->threads.count; i++) {
        o->unfinished += o->waits[i].is_open;
        buf_free(&o->waits[i].columns);
        buf_free(&o->waits[i].waker);
        mem_free(o->waits[i].stack);
    }
    if (o->unfinished > 0)
        warn_at(CODE_CUT, where,
                "left out: waits whose end is not in the recording (%" PRIu64
                "): " PERF_OFF_CPU_RECORD " records all but the last one of each thread",
                o->unfinished);
    intern_free(&o->threads);
    mem_free(o->waits);
    mem_free(o);
}

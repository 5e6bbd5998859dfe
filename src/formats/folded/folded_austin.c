#include "formats/folded/folded_austin.h"

#include "base/port.h"
#include "rows/emit.h"
#include "rows/text.h"

bool folded_austin_begins(struct str line)
{
    return str_starts(line, STR("# austin: "));
}

bool folded_austin_take(struct folded_austin *a, struct str line)
{
    static const char *const modes[] = {"wall", "cpu", "memory", "full"};
    struct str value = line;
    a->is_on |= folded_austin_begins(line);
    if (!a->is_on)
        return false;
    if (str_take(&value, STR("# interval: ")) && !text_take_number(&value, &a->interval))
        a->interval = 0;
    if (str_take(&value, STR("# mode: ")))
        for (int mode = AUSTIN_WALL; mode <= AUSTIN_FULL; mode++)
            if (str_equal(value, str_of(modes[mode])))
                a->mode = mode;
    if (a->header.n > 0)
        buf_add(&a->header, STR(","));
    emit_inner_string(&a->header, &a->scratch, line);
    return true;
}

const struct folded_austin_type *folded_austin_types(const struct folded_austin *a, size_t *count)
{
    static const struct folded_austin_type types[] = {{STR("wall"), STR("microseconds")},
                                                      {STR("cpu"), STR("microseconds")},
                                                      {STR("memory"), STR("bytes")}};
    *count = a->mode == AUSTIN_FULL ? FOLDED_AUSTIN_VALUES : 1;
    return a->mode == AUSTIN_FULL ? types : &types[a->mode];
}

/* The same for a number that may be below 0. */
static bool take_signed(struct str *s, int64_t *n)
{
    const bool is_negative = str_take(s, STR("-"));
    if (!text_take_number(s, n))
        return false;
    *n = is_negative ? -*n : *n;
    return true;
}

bool folded_austin_take_values(const struct folded_austin *a, struct str *line,
                               int64_t values[FOLDED_AUSTIN_VALUES])
{
    int64_t idle;
    const char *blank = line->n == 0 ? NULL : port_memrchr(line->p, ' ', line->n);
    if (blank == NULL)
        return false;
    const size_t n = (size_t)(blank - line->p);
    struct str metric = {blank + 1, line->n - n - 1};
    if (!take_signed(&metric, &values[0]))
        return false;
    if (a->mode == AUSTIN_FULL) {
        if (!str_take(&metric, STR(",")) || !text_take_number(&metric, &idle) || idle > 1 ||
            !str_take(&metric, STR(",")) || !take_signed(&metric, &values[2]))
            return false;
        values[1] = idle != 0 ? 0 : values[0];
    }
    line->n = n;
    return metric.n == 0;
}

void folded_austin_take_thread(struct str *stack, struct str *thread)
{
    *thread = (struct str){stack->p, 0};
    for (const char *mark = "PT"; *mark != '\0'; mark++) {
        const char *end = stack->n == 0 ? NULL : memchr(stack->p, ';', stack->n);
        const size_t n = end == NULL ? stack->n : (size_t)(end - stack->p);
        if (n < 2 || stack->p[0] != *mark || !str_is_digit(stack->p[1]))
            return;
        thread->n = (size_t)(stack->p - thread->p) + n;
        stack->p += n + (end != NULL);
        stack->n -= n + (end != NULL);
    }
}

static void add_label(struct folded_austin *a, const char *key, struct str text, struct buf *to)
{
    struct str rest = text;
    int64_t number;
    const bool is_number = text_take_number(&rest, &number) && rest.n == 0;
    buf_add(to, to->n == 0 ? STR(",\".labels\":[{\"key\":\"") : STR(",{\"key\":\""));
    buf_add(to, str_of(key));
    buf_add(to, is_number ? STR("\",\"num\":") : STR("\",\"str\":"));
    if (is_number)
        emit_number(to, number);
    else
        emit_inner_string(to, &a->scratch, text);
    buf_add(to, STR("}"));
}

void folded_austin_add_labels(struct folded_austin *a, struct str thread, struct buf *to)
{
    while (thread.n > 0) {
        const char *end = memchr(thread.p, ';', thread.n);
        struct str part = {thread.p + 1, (end == NULL ? thread.n : (size_t)(end - thread.p)) - 1};
        const bool is_process = thread.p[0] == 'P';
        const char *colon = is_process ? NULL : memchr(part.p, ':', part.n);
        thread.p += part.n + 1 + (end != NULL);
        thread.n -= part.n + 1 + (end != NULL);
        if (colon != NULL) {
            const size_t n = (size_t)(colon - part.p);
            add_label(a, "interpreter", (struct str){part.p, n}, to);
            part = (struct str){colon + 1, part.n - n - 1};
        }
        add_label(a, is_process ? "pid" : "tid", part, to);
    }
    if (to->n > 0)
        buf_add(to, STR("]"));
}

bool folded_austin_split(struct str frame, struct str *file, struct str *function, int64_t *line)
{
    const char *last = frame.n == 0 ? NULL : port_memrchr(frame.p, ':', frame.n);
    const size_t n = last == NULL ? 0 : (size_t)(last - frame.p);
    const char *colon = n == 0 ? NULL : port_memrchr(frame.p, ':', n);
    if (colon == NULL || colon == frame.p)
        return false;
    struct str digits = {last + 1, frame.n - n - 1};
    *file = (struct str){frame.p, (size_t)(colon - frame.p)};
    *function = (struct str){colon + 1, n - file->n - 1};
    return function->n > 0 && text_take_number(&digits, line) && digits.n == 0;
}

void folded_austin_free(struct folded_austin *a)
{
    buf_free(&a->header);
    buf_free(&a->scratch);
}

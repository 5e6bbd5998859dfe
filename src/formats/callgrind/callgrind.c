/* Files of Callgrind, a tool of Valgrind, which others write for KCachegrind: what functions cost
 * themselves, line by line, and what their calls cost. */
#include "formats/callgrind/callgrind.h"

#include "base/port.h"
#include "formats/formats.h"
#include "rows/source_kind.h"
#include "rows/text.h"

struct str callgrind_word(struct str *text)
{
    while (text->n > 0 && str_is_blank(*text->p))
        text->p++, text->n--;
    struct str word = {text->p, 0};
    while (word.n < text->n && !str_is_blank(word.p[word.n]))
        word.n++;
    text->p += word.n;
    text->n -= word.n;
    return word;
}

/* The names of units of time in files and in rows. */
static const struct {
    struct str given, unit;
    int64_t factor;
} units[] = {
    {STR("ns"), STR("nanoseconds"), 1},  {STR("10ns"), STR("nanoseconds"), 10},
    {STR("us"), STR("microseconds"), 1}, {STR("ms"), STR("milliseconds"), 1},
    {STR("s"), STR("seconds"), 1},
};

struct callgrind_type callgrind_type(struct str name)
{
    struct callgrind_type type = {name, STR("count"), 1};
    const char *open = memchr(name.p, '(', name.n);
    if (open == NULL || open == name.p || !str_ends(name, STR(")")))
        return type;
    struct str unit = {open + 1, (size_t)(name.p + name.n - open) - 2};
    struct str before = {name.p, (size_t)(open - name.p)};
    if (str_ends(before, STR("_")))
        before.n--;
    if (before.n == 0 || unit.n == 0)
        return type;
    type.name = before;
    type.unit = unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_equal(unit, units[i].given)) {
            type.unit = units[i].unit;
            type.factor = units[i].factor;
        }
    return type;
}

/* Reads the line LINE of the head of a file. */
static void take_line(struct source_facts *to, struct str line)
{
    if (str_take(&line, STR("cmd:"))) {
        to->command.n = 0;
        buf_add(&to->command, str_trim(line));
    } else if (str_take(&line, STR("creator:"))) {
        to->producer.n = 0;
        buf_add(&to->producer, str_trim(line));
    } else if (str_take(&line, STR("events:"))) {
        to->default_type.n = 0;
        text_escape(&to->default_type, callgrind_type(callgrind_word(&line)).name);
    }
}

void callgrind_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct str item;
    struct buf text = {0};
    while (members_next(&walk, &m)) {
        struct str lines = m.id == MEMBER_ID_CALLGRIND_LINES ? text_inside(m.value) : STR("");
        while (text_next_item(&lines, &item)) {
            text.n = 0;
            text_inner_bytes(&text, item);
            take_line(to, buf_str(&text));
        }
    }
    buf_free(&text);
}

/* Most files have a comment that says it; in others any line of the head may be first. */
static enum bid bid_callgrind(struct str head)
{
    static const struct str starts[] = {STR("version: 1\n"), STR("creator:"), STR("pid:"),
                                        STR("cmd:"),         STR("part:"),    STR("event:"),
                                        STR("positions:"),   STR("events:")};
    if (str_starts(head, STR("# callgrind format")))
        return BID_SURE;
    bool has_events = port_memmem(head.p, head.n, "events:", 7) != NULL;
    struct str line;
    while (head.n > 0 && (*head.p == '#' || *head.p == '\n'))
        str_next_line(&head, &line);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(head, starts[i]))
            return has_events ? BID_SURE : BID_LIKELY;
    return BID_NONE;
}

const struct format format_callgrind = {
    .name = "a callgrind file",
    .converter = "callgrind2ndjson",
    .target = "callgrind",
    .suffixes = ".callgrind",
    .bid = bid_callgrind,
    .read = callgrind_read,
    .is_document = true, /* a number stands for a name of any length */
    .writer = &callgrind_writer,
};

/* Files of Callgrind, a tool of Valgrind, which others write for KCachegrind: what functions cost
 * themselves, line by line, and what their calls cost. */
#include "formats/callgrind/callgrind.h"

#include "base/port.h"
#include "formats/formats.h"
#include "rows/source_kind.h"

void callgrind_own_facts(const struct members *facts, struct source_facts *to)
{
    callgrind_text_facts(facts, MEMBER_ID_CALLGRIND_LINES, callgrind_text_fact, to);
}

/* Most files have a comment that says it; in others any line of the head may be first. */
static enum bid bid_callgrind(struct str head)
{
    static const struct str starts[] = {STR("version: 1\n"), STR("creator:"),
                                        STR("pid:"),         STR("cmd:"),
                                        STR("part:"),        STR("event:"),
                                        STR("positions:"),   STR("events:"),
                                        STR("desc:")}; /* of Cachegrind; Massif has no events */
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
    .suffixes = ".callgrind callgrind.out* cachegrind.out*",
    .bid = bid_callgrind,
    .read = callgrind_read,
    .is_document = true, /* a number stands for a name of any length */
    .writer = &callgrind_writer,
};

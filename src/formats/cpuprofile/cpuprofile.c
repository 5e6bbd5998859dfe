/* Profiles of V8, which Chrome, Node.js and others write: JSON with a tree of nodes, and samples
 * that name them. */
#include "formats/cpuprofile/cpuprofile.h"

#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* Nodes say so. What V8 writes of memory, and traces, have the same frames. */
static enum bid bid_cpuprofile(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open) || json_head_has(head, STR("\"selfSize\"")) ||
        json_head_has(head, STR("\"traceEvents\"")))
        return BID_NONE;
    bool has_frame = json_head_has(head, STR("\"callFrame\""));
    if (json_head_has(head, STR("\"hitCount\"")) ||
        (has_frame && (!is_open || json_head_lists(head, STR("nodes")))))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

/* Start and end say how long it was recorded: in microseconds, or in seconds in old files. */
void cpuprofile_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf start = {0}, end = {0};
    bool is_old = false;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_CPUPROFILE_START: text_unescape(&start, m.text); break;
        case MEMBER_ID_CPUPROFILE_END: text_unescape(&end, m.text); break;
        case MEMBER_ID_CPUPROFILE_OLD: is_old = m.flag; break;
        default: break;
        }
    to->duration = source_kind_span(buf_str(&start), buf_str(&end),
                                    is_old ? STR("seconds") : STR("microseconds"));
    buf_free(&start);
    buf_free(&end);
}

const struct format format_cpuprofile = {
    .name = "a .cpuprofile file",
    .converter = "cpuprofile2ndjson",
    .target = "a .cpuprofile",
    .suffixes = ".cpuprofile",
    .bid = bid_cpuprofile,
    .read = cpuprofile_read,
    .is_document = true,
    .byte_pays =
        LIMITS_BYTE_OF_DATABASE, /* a few bytes of a sample stand for a whole stack, here too */
    .writer = &cpuprofile_writer,
};

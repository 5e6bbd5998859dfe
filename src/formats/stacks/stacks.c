/* Stacks as programs print them for people.  See stacks2ndjson(1) for the rules. */
#include "formats/stacks/stacks.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "rows/source_kind.h"
#include "rows/text.h"

static const struct stacks_dialect *const dialects[] = {
    &stacks_bpftrace, &stacks_bpftrace_json, &stacks_dtrace, &stacks_sample,
    &stacks_jstack,   &stacks_gdb,           &stacks_pyspy,
};

static enum bid find_dialect(struct str head, const struct stacks_dialect **found)
{
    enum bid highest = BID_NONE;
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        const enum bid bid = dialects[i]->bid(head);
        if (bid <= highest)
            continue;
        highest = bid;
        *found = dialects[i];
    }
    return highest;
}

static enum bid bid_stacks(struct str head)
{
    const struct stacks_dialect *found;
    return find_dialect(head, &found);
}

static void read_stacks(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct stacks_reader s = {
        .in = in, .request = request, .sink = sink, .where = {in_name(in), PLACE_LINE, 0}};
    struct str head = in_peek(in, FORMAT_LONG_HEAD);
    find_dialect(str_first(head, FORMAT_LONG_HEAD), &s.dialect);
    if (s.dialect == NULL)
        find_dialect(str_first(head, FORMAT_HEAD), &s.dialect);
    if (s.dialect == NULL)
        die_at(s.where, "expected stacks of a known program");
    s.dialect->read(&s);
    stacks_end_source(&s);
    INTERN_FREE(&s.functions, &s.locations, &s.binaries, &s.mappings, &s.memo);
    MEM_FREE(s.mapping_of_binary, s.memo_location, s.stack);
    BUF_FREE(&s.facts, &s.held, &s.labels, &s.notes, &s.thread, &s.text, &s.extra, &s.scratch);
    bytes_rows_free(&s.rows);
}

void stacks_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m)) {
        struct buf *text = m.id == MEMBER_ID_STACKS_COMMAND    ? &to->command
                           : m.id == MEMBER_ID_STACKS_DATE     ? &to->date
                           : m.id == MEMBER_ID_STACKS_PRODUCER ? &to->producer
                                                               : NULL;
        if (text != NULL)
            text_inner_bytes(text, m.value);
    }
}

const struct format format_stacks = {
    .name = "a printed stacks file",
    .converter = "stacks2ndjson",
    .bid = bid_stacks,
    .read = read_stacks,
    .is_document = true,
};

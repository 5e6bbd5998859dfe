/* pprof: protobuf messages (profile.proto), mostly inside gzip. */
#include "formats/foreign.h"
#include "formats/formats.h"
#include "formats/pprof/pprof_read.h"

/* Takes a field of a profile off *HEAD; false where there is none. */
static bool take_field(struct str *head)
{
    uint64_t key, value;
    if (!pprof_wire_take_varint(head, &key) || !pprof_wire_take_varint(head, &value))
        return false;
    uint64_t number = key >> 3;
    if (number == 0 || number >= FIELD_COUNT || (key & 7) != pprof_reader_fields[number].type)
        return false;
    if (pprof_reader_fields[number].type != WIRE_BYTES)
        return true;
    /* blank lines look like value types, but for what stands in those */
    if (value > head->n ||
        (number == FIELD_SAMPLE_TYPE && value > 0 && *head->p != 0x08 && *head->p != 0x10))
        return false;
    head->p += value;
    head->n -= value;
    return true;
}

/* Whether HEAD begins with what only stands in front of a field of a profile. */
static bool begins_field(struct str head)
{
    uint64_t key;
    return pprof_wire_take_varint(&head, &key) && key >> 3 > 0 && key >> 3 < FIELD_COUNT &&
           (key & 7) == pprof_reader_fields[key >> 3].type;
}

/* There is no magic number: the first fields must be right.  Damaged rows may look like fields, but they
 * have none of the control characters that messages are full of. */
static enum bid bid_pprof(struct str head)
{
    struct str rest = head;
    int count = 0;
    if (foreign_is_text(head))
        return BID_NONE;
    while (count < 3 && rest.n > 0 && take_field(&rest))
        count++;
    return count >= 2 ? BID_SURE : begins_field(head) ? BID_WEAK : BID_NONE;
}

const struct format format_pprof = {
    .name = "a pprof file",
    .converter = "pprof2ndjson",
    .bid = bid_pprof,
    .read = pprof_read,
    .writer = &pprof_writer,
};

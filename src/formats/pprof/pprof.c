/* pprof: protobuf messages (profile.proto), mostly inside gzip. */
#include "formats/pprof/pprof.h"
#include "formats/foreign.h"
#include "formats/formats.h"
#include "formats/pprof/pprof_read.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* Takes the start of a field off *HEAD, up to its content: NUMBER, and its length or VALUE. False
 * if that is not a field of a profile. */
static bool take_front(struct str *head, uint64_t *number, uint64_t *value)
{
    uint64_t key;
    if (!wire_take_varint(head, &key) || !wire_take_varint(head, value))
        return false;
    *number = key >> 3;
    if (*number == 0 || *number >= FIELD_COUNT || (key & 7) != pprof_field_kinds[*number].type)
        return false;
    /* blank lines look like value types, except for the content */
    return *number != FIELD_SAMPLE_TYPE || *value == 0 || head->n == 0 || *head->p == 0x08 ||
           *head->p == 0x10;
}

/* Takes a field of a profile off *HEAD; false if there is none, or not a whole one. */
static bool take_field(struct str *head)
{
    struct str rest = *head;
    uint64_t number, value;
    if (!take_front(&rest, &number, &value))
        return false;
    if (pprof_field_kinds[number].type != WIRE_BYTES)
        value = 0;
    if (value > rest.n)
        return false;
    /* a message of OTLP that begins with its dictionary */
    if (number == FIELD_SAMPLE && wire_has_number((struct str){rest.p, (size_t)value}, 4, 7))
        return false;
    *head = (struct str){rest.p + value, rest.n - (size_t)value};
    return true;
}

/* Whether HEAD begins with the start of a field of a profile. */
static bool begins_field(struct str head)
{
    uint64_t key;
    return wire_take_varint(&head, &key) && key >> 3 > 0 && key >> 3 < FIELD_COUNT &&
           (key & 7) == pprof_field_kinds[key >> 3].type;
}

/* There is no magic number, so the first fields must be valid. Damaged rows may look like fields,
 * but lack the control characters that messages have. */
static enum bid bid_pprof(struct str head)
{
    struct str rest = head;
    uint64_t number, value;
    int count = 0;
    if (foreign_is_text(head) || foreign_is_known(head))
        return BID_NONE;
    while (count < 3 && rest.n > 0 && take_field(&rest))
        count++;
    if (count >= 2)
        return BID_SURE;
    if (!begins_field(head))
        return BID_NONE;
    /* a long field follows, or something does not match */
    return take_front(&rest, &number, &value) ? BID_WEAK : BID_LAST;
}

/* Of `.pprof` only the type shown first is useful to other formats. */
void pprof_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct buf bytes = {0};
    struct str items, item;
    to->used = STR("default_sample_type");
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE:
            to->default_type.n = bytes.n = 0;
            text_inner_bytes(&bytes, m.value);
            text_escape(&to->default_type, buf_str(&bytes));
            break;
        case MEMBER_ID_DURATION_NANOS: to->duration = m.integer; break;
        case MEMBER_ID_COMMENT:
            for (items = text_inside(m.value); text_next_item(&items, &item);) {
                bytes.n = 0;
                text_inner_bytes(&bytes, item);
                if (provenance_take(&to->provenance, buf_str(&bytes)))
                    continue;
                buf_add(&to->comments, to->comments.n > 0 ? STR("\n") : STR(""));
                buf_add(&to->comments, buf_str(&bytes));
            }
            break;
        default: break;
        }
    buf_free(&bytes);
}

const struct format format_pprof = {
    .name = "a pprof file",
    .converter = "pprof2ndjson",
    .target = "pprof",
    .suffixes = ".pb.gz .pb .pprof",
    .bid = bid_pprof,
    .read = pprof_read,
    .is_document = true,
    .writer = &pprof_writer,
};

/* Profiles of OpenTelemetry: protobuf messages or JSON. */
#include "formats/foreign.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "formats/otlp/otlp_format.h"
#include "formats/otlp/otlp_messages.h"

/* Takes a field of bytes off *HEAD: its NUMBER, and as much of its content as is shown. Its LENGTH
 * may be more than that. False if there is none. */
static bool take_field(struct str *head, uint64_t *number, struct str *content, uint64_t *length)
{
    uint64_t key;
    if (head->n == 0 || !wire_take_varint(head, &key) || (key & 7) != WIRE_BYTES ||
        !wire_take_varint(head, length))
        return false;
    *number = key >> 3;
    *content = (struct str){head->p, *length < head->n ? (size_t)*length : head->n};
    head->p += content->n;
    head->n -= content->n;
    return true;
}

/* The numbers of fields in a message, as bits. */
struct parts {
    unsigned seen, repeated;
};

/* Whether all of CONTENT that is shown, of a message of LENGTH bytes, is fields of bytes whose
 * numbers are up to LAST. */
static bool has_parts(struct str content, uint64_t length, uint64_t last, struct parts *parts)
{
    struct str inside;
    uint64_t number, inner;
    *parts = (struct parts){0, 0};
    while (content.n >= 2) {
        const size_t before = content.n;
        if (!take_field(&content, &number, &inside, &inner) || number == 0 || number > last)
            return false;
        const size_t front = before - content.n - inside.n;
        if (front > length || inner > length - front)
            return false;
        length -= front + inside.n;
        parts->repeated |= parts->seen & 1u << number;
        parts->seen |= 1u << number;
    }
    return true;
}

/* Whether HEAD begins with resources or a dictionary. Where those have messages, pprof has numbers
 * alone: in its types of values, which are its first field. Its second, samples, has three fields, of
 * which two are lists of numbers that are packed, so once each. */
static bool is_message(struct str head)
{
    struct str content;
    struct parts parts;
    uint64_t number, length;
    while (take_field(&head, &number, &content, &length)) {
        if (length == 0)
            continue;
        if (number == OTLP_DATA_RESOURCES)
            return has_parts(content, length, OTLP_RESOURCE_PROFILES_SCHEMA, &parts) &&
                   parts.seen != 0;
        return number == OTLP_DATA_DICTIONARY &&
               has_parts(content, length, OTLP_DICTIONARY_STACKS, &parts) &&
               (parts.seen >= 1u << OTLP_DICTIONARY_LINKS ||
                (parts.repeated & ((1u << OTLP_DICTIONARY_FUNCTIONS) - 1)) != 0);
    }
    return false;
}

static enum bid bid_otlp(struct str head)
{
    struct str text = head;
    bool is_open;
    if (json_head_is_object(&text, &is_open)) {
        if (json_head_lists(text, STR("resourceProfiles")) ||
            (json_head_has(text, STR("\"dictionary\"")) &&
             json_head_lists(text, STR("stringTable"))))
            return BID_SURE;
        return is_open ? BID_LIKELY : BID_NONE;
    }
    if (foreign_is_text(head) || head.n < 4)
        return BID_NONE;
    if ((unsigned char)*head.p < 8) /* a length: see otlp_read.c */
        head = (struct str){head.p + 4, head.n - 4};
    return is_message(head) ? BID_SURE : BID_NONE;
}

const struct format format_otlp = {
    .name = "an OTLP file",
    .converter = "otlp2ndjson",
    .target = "OTLP",
    .suffixes = ".otlp .otlp.json",
    .bid = bid_otlp,
    .read = otlp_read,
    .is_document = true,
    .writer = &otlp_writer,
    .byte_pays = LIMITS_BYTE_OF_DATABASE, /* a time in 8 bytes stands for a whole stack */
};

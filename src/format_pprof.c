/* pprof: protobuf messages (profile.proto), mostly inside gzip. */
#include "pprof.h"
#include "pprof_read.h"

/* Takes a field of a profile off *HEAD; false where there is none. */
static bool take_field(struct str *head)
{
    uint64_t key, value;
    if (!wire_take_varint(head, &key) || !wire_take_varint(head, &value))
        return false;
    uint64_t number = key >> 3;
    if (number == 0 || number >= FIELD_COUNT || (key & 7) != reader_fields[number].type)
        return false;
    if (reader_fields[number].type != WIRE_BYTES)
        return true;
    /* blank lines look like value types, but for what stands in those */
    if (value > head->n ||
        (number == FIELD_SAMPLE_TYPE && value > 0 && *head->p != 0x08 && *head->p != 0x10))
        return false;
    head->p += value;
    head->n -= value;
    return true;
}

/* Damaged rows may look like fields, but they have none of the numbers that messages are full of. */
static bool is_text(struct str head)
{
    for (size_t i = 0; i < head.n; i++)
        if ((unsigned char)head.p[i] < ' ' && memchr("\t\n\r", head.p[i], 3) == NULL)
            return false;
    return true;
}

/* There is no magic number: the first fields must be right. */
static bool detect_pprof(struct str head)
{
    int count = 0;
    if (is_text(head))
        return false;
    while (count < 3 && head.n > 0 && take_field(&head))
        count++;
    return count >= 2;
}

const struct format format_pprof = {
    .name = "a pprof file",
    .converter = "pprof2ndjson",
    .detect = detect_pprof,
    .read = pprof_read,
    .write = pprof_write,
    .finish = pprof_finish,
    .adds_up = true,
};

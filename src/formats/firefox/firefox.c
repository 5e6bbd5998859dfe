/* Processed profiles of the Firefox Profiler, which samply, vernier and others write, too: JSON
 * with tables of stacks, frames and functions, and threads that have samples. */
#include "formats/firefox/firefox.h"

#include "base/units.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* The version of the processed form is among the members of `meta`, mostly the first: an input that
 * cannot be rows gets a longer look. Firefox's own form has a version, too, but no such member. */
static enum bid bid_firefox(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_has(head, STR("\"preprocessedProfileVersion\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_ASKED;
}

int firefox_power(struct str unit)
{
    int power = 0;
    int64_t nanoseconds = units_nanoseconds(unit);
    for (; nanoseconds > 1 && nanoseconds % 10 == 0; nanoseconds /= 10)
        power++;
    return nanoseconds == 1 ? power : -1;
}

/* Stores the program that wrote the file, by META, its JSON in canonical text. */
static void take_producer(struct str meta, struct source_facts *to)
{
    struct buf json = {0};
    struct str text;
    text_unescape(&json, meta);
    if (text_is_string(text_member(buf_str(&json), STR("importedFrom")), &text) ||
        text_is_string(text_member(buf_str(&json), STR("product")), &text))
        text_unescape(&to->producer, text);
    buf_free(&json);
}

void firefox_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m)) {
        struct str text;
        if (m.id == MEMBER_ID_FIREFOX_META)
            take_producer(m.text, to);
        if (m.id == MEMBER_ID_FIREFOX_SHOWN && text_is_string(m.value, &text)) {
            to->default_type.n = 0;
            buf_add(&to->default_type, text);
        }
    }
}

const struct format format_firefox = {
    .name = "a Firefox Profiler file",
    .converter = "firefox2ndjson",
    .target = "the Firefox Profiler",
    .suffixes = ".firefox.json",
    .bid = bid_firefox,
    .read = firefox_read,
    .is_document = true,
    .byte_pays =
        LIMITS_BYTE_OF_DATABASE, /* a few bytes of a sample stand for a whole stack, here too */
    .writer = &firefox_writer,
};

/* Processed profiles of the Firefox Profiler, which samply, vernier and others write, too: JSON
 * with tables of stacks, frames and functions, and threads that have samples. */
#include "formats/firefox/firefox.h"

#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/source_kind.h"
#include "rows/text.h"

static enum bid bid_firefox(struct str head)
{
    (void)head;
    return BID_NONE;
}

/* What was profiled, and the program that wrote it. */
void firefox_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id != MEMBER_ID_FIREFOX_META)
            continue;
        struct buf meta = {0};
        struct str text;
        text_unescape(&meta, m.text);
        if (text_is_string(text_member(buf_str(&meta), STR("importedFrom")), &text) ||
            text_is_string(text_member(buf_str(&meta), STR("product")), &text))
            text_unescape(&to->producer, text);
        buf_free(&meta);
    }
}

const struct format format_firefox = {
    .name = "a Firefox Profiler file",
    .target = "the Firefox Profiler",
    .suffixes = ".firefox.json",
    .bid = bid_firefox,
    .is_document = true,
    .writer = &firefox_writer,
};

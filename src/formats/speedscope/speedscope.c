/* The files of speedscope, a viewer that runs in the browser: JSON. See profstream(5) for the rows,
 * speedscope2ndjson(1) and ndjson2speedscope(1) for the rules. */
#include "formats/speedscope/speedscope.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "formats/speedscope/speedscope_text.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* The name of the schema identifies the format. It may be missing, or come after much else; then
 * the user must name the format. An input that cannot be rows gets a longer look. */
static enum bid bid_speedscope(struct str head)
{
    /* some producers write / in a string as \/ */
    static const struct str escaped =
        STR("https:\\/\\/www.speedscope.app\\/file-format-schema.json");
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_says(head, STR("$schema"), SPEEDSCOPE_SCHEMA) ||
        json_head_says(head, STR("$schema"), escaped))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_ASKED;
}

/* Stores in *DURATION how long PROFILE was recorded, if that is longer. */
static void take_span(struct members profile, int64_t *duration)
{
    struct member m;
    struct str start = STR(""), end = STR("");
    struct buf unit = {0}, text = {0};
    while (members_next(&profile, &m))
        switch (m.id) {
        case MEMBER_ID_START: start = m.text; break;
        case MEMBER_ID_END: end = m.text; break;
        case MEMBER_ID_SPEEDSCOPE_UNIT:
            text.n = unit.n = 0;
            text_inner_bytes(&text, m.value);
            text_escape(&unit, buf_str(&text));
            break;
        default: break;
        }
    const int64_t span = source_kind_span(start, end, buf_str(&unit));
    *duration = span > *duration ? span : *duration;
    buf_free(&unit);
    buf_free(&text);
}

/* The profiles of a file are mostly the threads of a program. */
void speedscope_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    while (members_next(&walk, &m)) {
        struct str items = m.id == MEMBER_ID_PROFILES ? text_inside(m.value) : STR(""), item;
        if (m.id == MEMBER_ID_EXPORTER && to->producer.n == 0)
            text_inner_bytes(&to->producer, m.value);
        while (text_next_item(&items, &item))
            take_span(members_inside(&walk, &m, item), &to->duration);
    }
}

const struct format format_speedscope = {
    .name = "a speedscope file",
    .converter = "speedscope2ndjson",
    .target = "speedscope",
    .suffixes = ".speedscope.json",
    .bid = bid_speedscope,
    .read = speedscope_read,
    .is_document = true,
    .writer = &speedscope_writer,
};

/* The files of speedscope, a viewer that runs in the browser: JSON. See profstream(5) for the rows,
 * speedscope2ndjson(1) and ndjson2speedscope(1) for the rules. */
#include "formats/speedscope/speedscope.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "formats/speedscope/speedscope_text.h"

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

#include "formats/formats.h"

#include "base/buf.h"
#include "base/limits.h"
#include "formats/foreign.h"

#include <inttypes.h>

static const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "formats/list.h"
#undef FORMAT
};

const struct format *formats_at(size_t index)
{
    return index < sizeof formats / sizeof *formats ? formats[index] : NULL;
}

struct str format_word(const struct format *format)
{
    if (format->converter == NULL)
        return STR("ndjson");
    return (struct str){format->converter, strcspn(format->converter, "2")};
}

const char *format_source_uri(const struct read_request *request, const struct in *in)
{
    if (request->source_uri != NULL)
        return request->source_uri;
    return in_is_stdin(in) ? NULL : in_name(in);
}

uint64_t format_max_size(const struct read_request *request)
{
    return request->max_size == 0 ? LIMITS_HELD : request->max_size;
}

struct str format_whole(struct in *in, const struct read_request *request)
{
    uint64_t limit = format_max_size(request);
    struct str whole = in_peek(in, limit < SIZE_MAX ? (size_t)limit + 1 : SIZE_MAX);
    if (whole.n > limit)
        die_as(CODE_TOO_LARGE, (struct place){in_name(in), PLACE_FILE, 0},
               "more than %" PRIu64 " bytes, decompressed" HINT "--max-size sets the limit", limit);
    return whole;
}

enum bid formats_detect(struct str head, const struct format **found)
{
    enum bid highest = BID_NONE;
    *found = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        enum bid bid = formats[i]->bid(head);
        if (bid <= highest)
            continue;
        highest = bid;
        *found = formats[i];
    }
    return highest;
}

void formats_unexpected(struct findings *to, struct place where, const char *expected,
                        struct str head)
{
    static const struct str none = STR("");
    const struct format *found;
    struct buf text = {0};
    if (formats_detect(head, &found) == BID_SURE) {
        buf_add(&text, str_of(found->name));
        buf_add(&text, found->converter != NULL ? STR(": ") : STR(""));
        buf_add(&text, str_of(found->converter != NULL ? found->converter : ""));
        buf_add(&text, found->converter != NULL ? STR(" reads it") : STR(""));
    } else {
        foreign_describe(&text, head);
    }
    if (to == NULL)
        die_as(CODE_NOT_A_PROFILE, where, "expected %s, found %.*s", expected,
               STR_ARG(buf_str(&text)));
    finding_add(to, where, RULE_JSON, none, none, "expected %s, found %.*s", expected,
                STR_ARG(buf_str(&text)));
    buf_free(&text);
}

#include "formats/formats.h"

#include "base/buf.h"
#include "formats/foreign.h"

static const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "formats/list.h"
#undef FORMAT
};

const char *format_source_uri(const struct read_request *request, const struct in *in)
{
    if (request->source_uri != NULL)
        return request->source_uri;
    return in_is_stdin(in) ? NULL : in_name(in);
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
    finding_add(to, where, RULE_JSON, none, none, "expected %s, found %.*s", expected,
                STR_ARG(buf_str(&text)));
    buf_free(&text);
}

#include "feed.h"

#include "stream.h"

void feed(struct inputs *inputs, const struct feed_request *request, struct sink *sink)
{
    struct upgrade upgrade = upgrade_of(sink, &request->upgrade);
    if (!inputs_more(inputs) && !request->allow_empty)
        die(STATUS_INPUT, "expected an input, found none (--allow-empty accepts that)");
    for (struct in *in; (in = inputs_next(inputs)) != NULL; in_close(in))
        stream_read(in, request->allow_empty, request->as_is ? sink : &upgrade.sink);
    upgrade_free(&upgrade);
}

/* Traces of Chrome: JSON with events, such as spans of time, samples, counters, and profiles of V8
 * in pieces. Many programs write them. */
#include "formats/trace/trace.h"

#include "base/mem.h"
#include "formats/formats.h"
#include "formats/json_head.h"

static void read_trace(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct trace t = {.request = request, .sink = sink, .spools = spools_open()};
    tokens_open(&t.json, in);
    trace_read_events(&t);
    trace_finish_v8(&t);
    trace_nest(&t);
    trace_push(&t, format_source_uri(request, in));
    tokens_close(&t.json);
    for (size_t i = 0; i < t.profile_count; i++)
        v8_profile_free(&t.profiles[i].v8);
    spools_close(t.spools);
    v8_frames_free(&t.v8);
    INTERN_FREE(&t.texts, &t.places, &t.threads, &t.types, &t.frame_ids, &t.profile_ids);
    MEM_FREE(t.events, t.thread, t.process, t.process_labels, t.frames, t.profiles);
    BUF_FREE(&t.text, &t.scratch, &t.extra, &t.others);
}

/* How sure HEAD is a list of events. */
static enum bid bid_list(struct str head)
{
    size_t lists = 0, i = 0;
    for (; i < head.n && memchr(" \t\r\n[", head.p[i], 5) != NULL; i++)
        lists += head.p[i] == '[';
    if (lists != 1)
        return BID_NONE;
    if (i < head.n && head.p[i] == ']')
        return BID_ASKED;
    if (i < head.n && head.p[i] != '{')
        return BID_NONE;
    if (json_head_has(head, STR("\"ph\"")))
        return BID_SURE;
    /* logs of the DevTools protocol are such lists, too */
    return json_head_has(head, STR("\"method\"")) ? BID_NONE : BID_LIKELY;
}

/* A file is a list of events, or an object with one. Events say their kind. */
static enum bid bid_trace(struct str head)
{
    bool is_open = true;
    if (!json_head_is_object(&head, &is_open))
        return bid_list(head);
    if (json_head_lists(head, STR("traceEvents")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

const struct format format_trace = {
    .name = "a Chrome trace file",
    .converter = "trace2ndjson",
    .bid = bid_trace,
    .read = read_trace,
    .is_document = true,
    .byte_pays = LIMITS_BYTE_OF_DATABASE, /* an event stands for its whole stack */
};

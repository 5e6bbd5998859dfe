/* Files of Xdebug, an extension of PHP: profiles, which look like those of Callgrind and have all
 * calls, and traces, which have these in the order of time. */
#include "formats/xdebug/xdebug.h"

#include "base/mem.h"
#include "base/port.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"
#include "stream/growth.h"

void xdebug_keep_line(struct xdebug *x, struct str line)
{
    if (x->lines.n > 0)
        buf_add(&x->lines, STR(","));
    emit_inner_string(&x->lines, &x->scratch, line);
    emit_check_length(STR("sources"), x->lines.n);
    growth_hold(x->sink->flow, line.n);
}

void xdebug_push_source(struct xdebug *x, struct str types)
{
    x->extra.n = 0;
    listed_begin(&x->extra);
    buf_add(&x->extra, types);
    listed_end(&x->extra);
    buf_add(&x->extra, STR(",\".xdebug\":{\"lines\":["));
    buf_add(&x->extra, buf_str(&x->lines));
    buf_add(&x->extra, STR("]}"));
    growth_hold(x->sink->flow, XDEBUG_RUN_HELD);
    bytes_rows_source(&x->rows, x->sink, ++x->source_id, STR("xdebug"),
                      format_source_uri(x->from.request, x->from.in), x->from.request->timestamp,
                      &x->extra);
    x->lines.n = 0;
}

uint32_t xdebug_function(struct xdebug *x, uint32_t name, uint32_t file, int64_t line)
{
    struct str name_bytes = callgrind_text_name_at(&x->from, CALLGRIND_FUNCTIONS, name);
    struct str file_bytes = callgrind_text_name_at(&x->from, CALLGRIND_FILES, file);
    /* "" may have a number, and none means the same */
    name = name_bytes.n == 0 ? 0 : name;
    file = file_bytes.n == 0 ? 0 : file;
    int64_t key[] = {(int64_t)((uint64_t)name << 32 | file), line};
    bool is_new;
    uint32_t id = intern_add(&x->functions, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    x->own_files = mem_array(x->own_files, &x->own_file_capacity, id, sizeof *x->own_files);
    x->own_files[id - 1] = file;
    bytes_rows_function(&x->rows, x->sink, id, name_bytes, file_bytes, line, STR(""));
    return id;
}

uint32_t xdebug_location(struct xdebug *x, uint32_t function, int64_t line, uint32_t file)
{
    uint32_t other = file == x->own_files[function - 1] ? 0 : file;
    int64_t key[] = {(int64_t)((uint64_t)function << 32 | other), line};
    bool is_new;
    uint32_t id = intern_add(&x->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    x->extra.n = 0;
    if (other != 0) {
        emit_member(&x->extra, STR(".xdebug_file"));
        emit_inner_string(&x->extra, &x->scratch,
                          callgrind_text_name_at(&x->from, CALLGRIND_FILES, other));
    }
    sink_row(x->sink, &(struct row){.table = TABLE_LOCATIONS,
                                    .location = {id, function, line},
                                    .extra = buf_str(&x->extra)});
    return id;
}

int64_t xdebug_take_line(const struct xdebug *x, struct str *text)
{
    uint64_t line;
    struct str start = *text;
    callgrind_text_more(text);
    if (!callgrind_text_number(text, &line) || line > INT64_MAX)
        callgrind_text_die(&x->from, "the number of a line", start);
    return (int64_t)line;
}

static void read_xdebug(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct xdebug x = {.from = callgrind_text_open(in, request, sink->flow), .sink = sink};
    x.from.is_whole = x.from.may_be_negative = true;
    if (str_starts(in_peek_start(in, 9), STR("Version: ")))
        xdebug_read_trace(&x);
    else
        xdebug_read_profile(&x);
    callgrind_text_close(&x.from);
    struct intern *interns[] = {&x.functions, &x.locations};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    struct buf *bufs[] = {&x.name, &x.scratch, &x.extra, &x.lines};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    bytes_rows_free(&x.rows);
    mem_free(x.own_files);
    mem_free(x.stack);
}

static void take_fact(struct source_facts *to, struct str line)
{
    if (str_take(&line, STR("Version:"))) {
        to->producer.n = 0;
        buf_add(&to->producer, STR("xdebug"));
        buf_add(&to->producer, line);
        to->default_type.n = 0;
        buf_add(&to->default_type, STR("Time")); /* of a trace */
    } else if (str_take(&line, STR("TRACE START [")) && line.n >= 19) {
        to->date.n = 0;
        buf_add(&to->date, (struct str){line.p, 19}); /* without fractions */
    } else {
        callgrind_text_fact(to, line);
    }
}

void xdebug_own_facts(const struct members *facts, struct source_facts *to)
{
    callgrind_text_facts(facts, MEMBER_ID_XDEBUG_LINES, take_fact, to);
}

static bool has(struct str head, struct str text)
{
    return port_memmem(head.p, head.n, text.p, text.n) != NULL;
}

/* Takes the line TEXT off *HEAD; false if it begins with another. */
static bool take_line(struct str *head, struct str text)
{
    struct str rest = *head, line;
    if (!str_next_line(&rest, &line) || !str_equal(str_trim(line), text))
        return false;
    *head = rest;
    return true;
}

/* Callgrind claims profiles too; so in the list Xdebug comes before it. */
static enum bid bid_xdebug(struct str head)
{
    struct str line;
    if (str_starts(head, STR("Version: ")))
        return has(head, STR("\nFile format: ")) || has(head, STR("\nTRACE START [")) ? BID_SURE
                                                                                      : BID_LIKELY;
    take_line(&head, STR(""));
    bool begins = str_starts(head, STR("==== NEW PROFILING FILE")) && str_next_line(&head, &line);
    const bool is_old = take_line(&head, STR("version: 0.9.6")); /* it names no creator */
    begins |= is_old || take_line(&head, STR("version: 1"));
    if (str_starts(head, STR("creator: xdebug")) ||
        (is_old && str_starts(head, STR("cmd: ")) && has(head, STR("\nevents: Time"))))
        return BID_SURE;
    return begins && head.n == 0 ? BID_LIKELY : BID_NONE;
}

const struct format format_xdebug = {
    .name = "an Xdebug file",
    .converter = "xdebug2ndjson",
    .bid = bid_xdebug,
    .read = read_xdebug,
    .is_document = true, /* a number stands for a name of any length */
};

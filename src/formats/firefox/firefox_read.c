/* Reads processed profiles of the Firefox Profiler. See firefox2ndjson(1) for the rules. */
#include "formats/firefox/firefox_read.h"

#include "base/mem.h"
#include "rows/loss.h"
#include "stream/growth.h"

#include <inttypes.h>

void firefox_hold(struct firefox_reader *r, size_t size)
{
    growth_hold(r->sink->flow, 8 * (uint64_t)size);
}

uint32_t firefox_read_text(struct firefox_reader *r, const char *what)
{
    if (r->json.token == TOKEN_NULL)
        return 0;
    if (r->json.token != TOKEN_STRING && r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, what);
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return intern_add(&r->texts, buf_str(&r->text), NULL);
}

/* Ends the tool if the version is none of those that are read. */
static void check_version(const struct firefox_reader *r, struct tokens_place where)
{
    if (r->version == 0)
        tokens_die(&r->json, where,
                   "the file does not say which version of processed profiles it is: "
                   "profiler.firefox.com opens it, and saves it in a version that is read");
    if (r->version < FIREFOX_OLDEST)
        tokens_die(&r->json, where,
                   "expected version %d to %d of processed profiles, found %" PRId64
                   ": profiler.firefox.com opens it, and saves it in a newer version",
                   FIREFOX_OLDEST, FIREFOX_NEWEST, r->version);
    if (r->version > FIREFOX_NEWEST)
        tokens_die(&r->json, where,
                   "expected version %d to %d of processed profiles, found %" PRId64,
                   FIREFOX_OLDEST, FIREFOX_NEWEST, r->version);
}

static void read_category(struct firefox_reader *r)
{
    static const char *const names[] = {"name", "color", "subcategories"};
    unsigned seen = 0, member;
    struct firefox_category c = {.first = r->part_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a category, an object");
    while (tokens_next_member(&r->json, names, 3, &seen, &member)) {
        if (member == 0)
            c.name = firefox_read_text(r, "a string");
        if (member == 1)
            tokens_skip(&r->json);
        if (member != 2)
            continue;
        tokens_list(&r->json, "a list of names");
        while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
            uint32_t name = firefox_read_text(r, "a string");
            r->parts = mem_array(r->parts, &r->part_capacity, r->part_count + 1, sizeof *r->parts);
            r->parts[r->part_count++] = name;
        }
    }
    c.count = r->part_count - c.first;
    r->categories = mem_array(r->categories, &r->category_capacity, r->category_count + 1,
                              sizeof *r->categories);
    r->categories[r->category_count++] = c;
}

static void read_meta(struct firefox_reader *r)
{
    static const char *const names[] = {FIREFOX_META_MEMBERS, "sampleUnits"};
    static const char *const units[] = {"threadCPUDelta", "time", "eventDelay"};
    unsigned seen = 0, member, seen_unit = 0, unit;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member_or(&r->json, names, sizeof names / sizeof *names, &seen, &member,
                                 &r->meta))
        switch (member) {
        case 0:
            r->version = tokens_integer(&r->json, 1, "a version");
            check_version(r, r->json.where);
            break;
        case 1: r->start = firefox_read_decimal(r); break;
        case 2:
            tokens_list(&r->json, "a list of categories");
            while (tokens_next(&r->json) != TOKEN_ARRAY_END)
                read_category(r);
            break;
        case 8:
            if (r->json.token != TOKEN_OBJECT) {
                tokens_skip(&r->json);
                break;
            }
            while (tokens_next_member(&r->json, units, 3, &seen_unit, &unit))
                if (unit == 0)
                    r->cpu_unit = firefox_text(r, firefox_read_text(r, "a string"));
                else
                    tokens_skip(&r->json);
            break;
        default: tokens_skip(&r->json);
        }
}

static void read_lib(struct firefox_reader *r)
{
    static const char *const names[] = {"name",      "path",      "codeId",     "profpipe",
                                        "debugName", "debugPath", "breakpadId", "arch"};
    unsigned seen = 0, member;
    struct firefox_lib lib = {0};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a library, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: lib.name = firefox_read_text(r, "a string"); break;
        case 1: lib.path = firefox_read_text(r, "a string"); break;
        case 2: lib.build = firefox_read_text(r, "a string or null"); break;
        case 3: firefox_read_lib_mark(r, &lib); break;
        case 4:
        case 5: tokens_skip(&r->json); break; /* mostly as name and path */
        default: firefox_drop(r, names[member]);
        }
    r->libs = mem_array(r->libs, &r->lib_capacity, r->lib_count + 1, sizeof *r->libs);
    r->libs[r->lib_count++] = lib;
}

/* Skips the current value. Returns how many items it has; 0 if it is no list. */
static uint64_t skip_list(struct firefox_reader *r)
{
    uint64_t count = 0;
    if (r->json.token != TOKEN_ARRAY) {
        tokens_skip(&r->json);
        return 0;
    }
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; count++)
        tokens_skip(&r->json);
    return count;
}

/* Counts the markers that are the current value: as many as it says, or as its longest list has. */
static void read_markers(struct firefox_reader *r)
{
    uint64_t count = 0, n;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next(&r->json) != TOKEN_OBJECT_END) {
        bool is_length = str_equal(r->json.text, STR("length"));
        tokens_next(&r->json);
        n = is_length ? (uint64_t)tokens_integer(&r->json, 0, "an integer from 0") : skip_list(r);
        count = n > count ? n : count;
    }
    if (count > 0)
        loss_add(LOSS_FIREFOX_MARKERS, STR(""), count);
}

/* The members of a thread that are read; those behind are counted. */
enum {
    TH_NAME = FIREFOX_TABLE_COUNT,
    TH_PROCESS,
    TH_PID,
    TH_TID,
    TH_SAMPLES,
    TH_JS,
    TH_NATIVE,
    TH_MARKERS,
    TH_MARK,
    TH_DROPPED
};

static void read_thread(struct firefox_reader *r)
{
    static const char *const names[] = {FIREFOX_TABLE_MEMBERS,
                                        "name",
                                        "processName",
                                        "pid",
                                        "tid",
                                        "samples",
                                        "jsAllocations",
                                        "nativeAllocations",
                                        "markers",
                                        "profpipe",
                                        "processType",
                                        "processStartupTime",
                                        "processShutdownTime",
                                        "registerTime",
                                        "unregisterTime",
                                        "pausedRanges",
                                        "isMainThread",
                                        "eTLD+1",
                                        "isJsTracer",
                                        "jsTracer",
                                        "isPrivateBrowsing",
                                        "userContextId",
                                        "usedInnerWindowIDs",
                                        "showMarkersInTimeline",
                                        "tracedValuesBuffer"};
    unsigned seen = 0, member;
    struct firefox_thread t = {0};
    struct firefox_mark mark = {0};
    size_t first = r->track_count;
    uint64_t dropped[sizeof names / sizeof *names] = {0};
    struct firefox_track track = {.thread = r->thread_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a thread, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case TH_NAME: t.name = firefox_read_text(r, "a string"); break;
        case TH_PROCESS: t.process = firefox_read_text(r, "a string"); break;
        case TH_PID: t.pid = firefox_read_text(r, "a string or a number"); break;
        case TH_TID: t.tid = firefox_read_text(r, "a string or a number"); break;
        case TH_SAMPLES:
        case TH_JS:
        case TH_NATIVE:
            track.kind = FIREFOX_TRACK_SAMPLES + (member - TH_SAMPLES);
            firefox_read_samples(r, track);
            break;
        case TH_MARKERS: read_markers(r); break;
        case TH_MARK: mark = firefox_read_mark(r); break;
        default:
            if (member >= TH_DROPPED) {
                dropped[member] = firefox_skip(r);
            } else {
                if (t.tables == 0)
                    t.tables = firefox_add_tables(r);
                firefox_read_tables(r, &r->tables[t.tables], member);
            }
        }
    for (size_t i = TH_DROPPED; i < sizeof names / sizeof *names && !mark.is_there; i++)
        if (dropped[i] > 0)
            loss_add(LOSS_OWN, str_of(names[i]), dropped[i]);
    for (size_t i = first; i < r->track_count; i++)
        r->tracks[i].mark = mark;
    r->threads =
        mem_array(r->threads, &r->thread_capacity, r->thread_count + 1, sizeof *r->threads);
    r->threads[r->thread_count++] = t;
    firefox_hold(r, sizeof t);
}

static void read_display(struct firefox_reader *r, struct firefox_track *t)
{
    static const char *const names[] = {"graphType", "unit"};
    struct buf others = {0};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member_or(&r->json, names, 2, &seen, &member, &others))
        if (member == 0)
            t->is_level =
                r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("line-accumulated"));
        else
            t->unit = firefox_read_text(r, "a string");
    buf_free(&others);
}

static void read_counter(struct firefox_reader *r)
{
    static const char *const names[] = {"name",        "category",        "pid",
                                        "display",     "samples",         "profpipe",
                                        "description", "mainThreadIndex", "color"};
    unsigned seen = 0, member;
    struct firefox_track t = {.kind = FIREFOX_TRACK_COUNTER};
    size_t at = r->track_count;
    bool has_display = false;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a counter, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: t.name = firefox_read_text(r, "a string"); break;
        case 1: t.category = firefox_read_text(r, "a string"); break;
        case 2: t.pid = firefox_read_text(r, "a string or a number"); break;
        case 3:
            read_display(r, &t);
            has_display = true;
            break;
        case 4: firefox_read_samples(r, t); break;
        case 5: t.mark = firefox_read_mark(r); break;
        default: tokens_skip(&r->json);
        }
    if (r->track_count == at)
        return;
    struct firefox_track *to = &r->tracks[at];
    bool is_memory = str_equal(firefox_text(r, t.category), STR("Memory"));
    to->name = t.name;
    to->pid = t.pid;
    to->mark = t.mark;
    to->unit = t.unit;
    to->is_level = has_display ? t.is_level : is_memory;
    if (t.unit == 0)
        to->unit = intern_add(&r->texts,
                              is_memory || str_equal(firefox_text(r, t.category), STR("Bandwidth"))
                                  ? STR("bytes")
                              : str_equal(firefox_text(r, t.category), STR("power")) ? STR("pWh")
                                                                                     : STR("count"),
                              NULL);
}

/* Reads the items of the list that is the current value, each with ONE. */
static void read_each(struct firefox_reader *r, const char *what,
                      void (*one)(struct firefox_reader *r))
{
    tokens_list(&r->json, what);
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        one(r);
}

static void read_file(struct firefox_reader *r)
{
    static const char *const names[] = {
        "meta",     "libs",  "shared",           "threads",      "counters",
        "profpipe", "pages", "profilerOverhead", "profilingLog", "profileGatheringLog"};
    static const char *const shared[] = {FIREFOX_TABLE_MEMBERS};
    unsigned seen = 0, member, seen_table = 0, table;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_meta(r); break;
        case 1: read_each(r, "a list of libraries", read_lib); break;
        case 2:
            if (r->json.token != TOKEN_OBJECT)
                tokens_unexpected(&r->json, "an object");
            while (tokens_next_member(&r->json, shared, FIREFOX_TABLE_COUNT, &seen_table, &table))
                firefox_read_tables(r, &r->tables[0], table);
            break;
        case 3: read_each(r, "a list of threads", read_thread); break;
        case 4:
            if (r->json.token != TOKEN_NULL)
                read_each(r, "a list of counters", read_counter);
            break;
        case 5: firefox_read_file_mark(r); break;
        default: firefox_drop(r, names[member]);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (r->version == 0)
        check_version(r, end);
    if ((seen & 1u << 3) == 0)
        tokens_die(&r->json, end, "the file has no threads");
}

void firefox_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct firefox_reader r = {.request = request, .sink = sink, .spools = spools_open()};
    firefox_add_tables(&r);
    tokens_open(&r.json, in);
    read_file(&r);
    firefox_push(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    for (size_t i = 0; i < r.table_count; i++) {
        for (int c = 0; c < FIREFOX_COLUMNS; c++)
            mem_free(r.tables[i].columns[c].values);
        mem_free(r.tables[i].strings);
        mem_free(r.tables[i].stacks);
    }
    INTERN_FREE(&r.texts, &r.functions, &r.locations, &r.type_names);
    BUF_FREE(&r.meta, &r.extra, &r.text, &r.inexact, &r.numbers);
    MEM_FREE(r.tables, r.threads, r.tracks, r.types, r.categories, r.parts, r.libs, r.sources,
             r.stack, r.values, r.is_listed);
    bytes_rows_free(&r.rows);
    arena_free(&r.arena);
}

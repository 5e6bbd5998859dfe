/* Files of speedscope to rows.  See speedscope2ndjson(1) for the rules.
 *
 * Members may come in any order, so stacks and weights wait in a spool. Frames become rows at
 * once. */
#include "formats/speedscope/speedscope_read.h"

#include "base/mem.h"
#include "formats/speedscope/speedscope_text.h"
#include "rows/loss.h"

#include <inttypes.h>

static void read_shared(struct speedscope_reader *r)
{
    static const char *const names[] = {"frames"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object with frames");
    while (tokens_next_member(&r->json, names, 1, &seen, &member))
        speedscope_read_frames(r);
}

static void read_profiles(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of profiles");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        speedscope_read_profile(r);
    r->has_profiles = true;
}

static void read_active(struct speedscope_reader *r)
{
    r->active_where = r->json.where;
    if (r->json.token != TOKEN_NULL && (!tokens_is_integer(&r->json, &r->active) || r->active < 0))
        tokens_unexpected(&r->json, "the number of a profile");
}

static void read_file(struct speedscope_reader *r)
{
    static const char *const names[] = {"$schema", "shared",   "profiles",
                                        "name",    "exporter", "activeProfileIndex"};
    enum { COUNT = sizeof names / sizeof *names };
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, COUNT, &seen, &member))
        switch (member) {
        case 0: speedscope_read_string(r); break;
        case 1: read_shared(r); break;
        case 2: read_profiles(r); break;
        case 3: r->file_name = speedscope_read_string(r); break;
        case 4: r->exporter = speedscope_read_string(r); break;
        default: read_active(r);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (!r->has_frames || !r->has_profiles)
        tokens_die(&r->json, end, "the file has no %s", r->has_frames ? "profiles" : "frames");
    if (r->active >= 0 && (size_t)r->active >= r->profile_count)
        tokens_die(&r->json, r->active_where,
                   "expected one of the %zu profiles, which are numbered from 0, found %" PRId64,
                   r->profile_count, r->active);
}

void speedscope_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct speedscope_reader r = {
        .request = request, .sink = sink, .active = -1, .highest = -1, .spools = spools_open()};
    tokens_open(&r.json, in);
    read_file(&r);
    speedscope_push_rows(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    intern_free(&r.functions);
    intern_free(&r.locations);
    mem_free(r.copies);
    mem_free(r.stack.frames);
    mem_free(r.last.frames);
    mem_free(r.profiles);
    bytes_rows_free(&r.rows);
    BUF_FREE(&r.text, &r.extra, &r.frame_name, &r.frame_file);
    arena_free(&r.arena);
}

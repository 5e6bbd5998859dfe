/* Profiles of V8 to rows. See cpuprofile2ndjson(1) for the rules. */
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "formats/v8_profile.h"

static const char *const file_members[FILE_MEMBERS] = {CPUPROFILE_FILE_MEMBERS};

static void read_member(struct v8_profile *p, unsigned member)
{
    bool is_time = member == FILE_DELTAS || member == FILE_TIMESTAMPS;
    if (p->has_tree && (member == FILE_NODES || member == FILE_HEAD))
        tokens_die(p->json, p->json->where, "nodes stand there twice");
    if (p->has_times && is_time)
        tokens_die(p->json, p->json->where, "times stand there twice");
    switch (member) {
    case FILE_NODES:
    case FILE_HEAD: v8_profile_tree(p, member == FILE_HEAD); break;
    case FILE_SAMPLES: v8_profile_samples(p); break;
    case FILE_DELTAS:
    case FILE_TIMESTAMPS: v8_profile_times(p, member == FILE_TIMESTAMPS); break;
    default: v8_profile_end(p, member == FILE_END);
    }
}

static void read_file(struct v8_profile *p)
{
    unsigned seen = 0, member;
    struct buf others = {0};
    tokens_expect(p->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member_or(p->json, file_members, FILE_MEMBERS, &seen, &member, &others))
        read_member(p, member);
    struct tokens_place end = p->json->where;
    tokens_next(p->json); /* nothing may follow */
    if (!p->has_tree)
        tokens_die(p->json, end, "the file has no nodes");
    p->other_members = v8_profile_kept(p, buf_str(&others), file_members, FILE_MEMBERS, end);
    v8_frames_finish(p->frames, v8_profile_first_line(p));
    v8_profile_finish(p, end, (seen & 1u << FILE_TIMESTAMPS) != 0);
    buf_free(&others);
}

void cpuprofile_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct tokens json;
    struct v8_frames frames = {0};
    struct v8_profile profile = {0};
    struct spools *spools = spools_open();
    int64_t sample_id = 0;
    struct v8_target target = {sink, 1, &sample_id, STR("")};
    tokens_open(&json, in);
    v8_profile_begin(&profile, &json, &frames, spools, request->strict);
    read_file(&profile);
    v8_frames_push(&frames, sink);
    v8_profile_push_locations(&profile, sink);
    v8_profile_push_source(&profile, &target, format_source_uri(request, in), request->timestamp);
    v8_profile_push(&profile, &target);
    tokens_close(&json);
    spools_close(spools);
    v8_profile_free(&profile);
    v8_frames_free(&frames);
}

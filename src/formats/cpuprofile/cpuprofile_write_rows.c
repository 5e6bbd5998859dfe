/* Reads sources, functions and locations for a profile of V8. */
#include "base/mem.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "formats/cpuprofile/cpuprofile_write.h"
#include "profile/naming.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <stdio.h>

/* The JSON in MEMBER, a text, kept until the end: it goes into the file as it is. Ends the tool if
 * it does not begin with one of FIRST, which EXPECTED names. */
static struct str kept_json(struct cpuprofile_writer *w, const struct member *member,
                            const char *first, const char *expected)
{
    char name[64];
    struct buf json = {0};
    w->scratch.n = 0;
    text_unescape(&w->scratch, member->text);
    snprintf(name, sizeof name, "\"%.*s\"", STR_ARG(member->name));
    tokens_copy_text(&json, buf_str(&w->scratch), false, cpuprofile_place(w), name);
    if (strchr(first, *json.p) == NULL)
        die_at(cpuprofile_place(w), "%s: expected %s", name, expected);
    struct str kept = arena_copy(&w->arena, buf_str(&json));
    buf_free(&json);
    return kept;
}

static struct str kept_number(struct cpuprofile_writer *w, const struct member *member)
{
    return kept_json(w, member, "-0123456789", "a number");
}

/* The members of the object in MEMBER, a text, each behind a comma. Ends the tool if one stands
 * there twice or is one of the COUNT at TAKEN, which are written besides. */
static struct str kept_members(struct cpuprofile_writer *w, const struct member *member,
                               const char *const *taken, size_t count)
{
    struct str inside = text_inside(kept_json(w, member, "{", "an object"));
    w->scratch.n = 0;
    struct str twice = v8_add_members(&w->scratch, inside, taken, count);
    if (twice.p != NULL)
        die_at(cpuprofile_place(w), "\"%.*s\": \"%.*s\" stands there twice", STR_ARG(member->name),
               STR_ARG(twice));
    return arena_copy(&w->arena, buf_str(&w->scratch));
}

/* The same for `frame`, which has members of a frame only: in old files it is inside the node. */
static struct str kept_frame(struct cpuprofile_writer *w, const struct member *member)
{
    static const char *const names[] = {V8_FRAME_MEMBERS};
    struct str kept = kept_members(w, member, NULL, 0), rest = kept, name, value;
    while (text_next_member(&rest, &name, &value)) {
        size_t i = 0;
        while (i < V8_MEMBERS && !str_equal(name, str_of(names[i])))
            i++;
        if (i == V8_MEMBERS)
            die_at(cpuprofile_place(w), "\"frame\": \"%.*s\" is no member of a frame",
                   STR_ARG(name));
    }
    return kept;
}

/* Keeps what MEMBER, `.cpuprofile` of ROW, says. */
static void read_facts(struct cpuprofile_writer *w, const struct row *row,
                       const struct member *member)
{
    static const char *const taken[] = {CPUPROFILE_FILE_MEMBERS};
    struct members walk = members_of(row, cpuprofile_place(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    struct cpuprofile_facts *f = &w->facts;
    struct member m;
    f->is_there = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_CPUPROFILE_START: f->start = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_END: f->end = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_ZERO: f->zero = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_OTHERS:
            f->others = kept_members(w, &m, taken, FILE_MEMBERS);
            break;
        case MEMBER_ID_CPUPROFILE_SAMPLES: f->samples = m.integer; break;
        case MEMBER_ID_CPUPROFILE_NODES: f->nodes = m.integer; break;
        case MEMBER_ID_CPUPROFILE_FIRST_LINE: f->first_line = m.integer; break;
        case MEMBER_ID_CPUPROFILE_TIMED: f->is_timed = m.flag; break;
        case MEMBER_ID_CPUPROFILE_OLD: f->is_old = m.flag; break;
        case MEMBER_ID_CPUPROFILE_ZERO_LISTED: f->lists_zero = m.flag; break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

bool cpuprofile_keep(void *writer, const struct row *row, const struct member *member,
                     uint32_t *other)
{
    struct cpuprofile_writer *w = writer;
    (void)other;
    if (row->table == TABLE_FUNCTIONS && member->id == MEMBER_ID_CPUPROFILE_COLUMN) {
        w->own.column = member->integer;
        return true;
    }
    if (row->table == TABLE_FUNCTIONS && member->id == MEMBER_ID_CPUPROFILE_SCRIPT) {
        w->own.script =
            profile_string(&w->profile, profile_inner_bytes(&w->profile, member->value));
        return true;
    }
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_CPUPROFILE ||
        w->profile.source_count > 1)
        return false;
    read_facts(w, row, member);
    return true;
}

void cpuprofile_read_source(struct cpuprofile_writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, cpuprofile_place(w));
    choice_add_source(&w->choice, of);
    profile_drop_source(row, of, STR("cpuprofile"));
    w->is_whole = w->profile.source_count == 1 && w->facts.is_there;
}

void cpuprofile_read_function(struct cpuprofile_writer *w, const struct row *row)
{
    w->own = (struct cpuprofile_own){0};
    const struct profile_function *f = profile_add_function(&w->profile, row, cpuprofile_place(w));
    size_t id = (size_t)row->function.function_id;
    profile_drop_function(f, true);
    w->owns = mem_array(w->owns, &w->own_capacity, id, sizeof *w->owns);
    w->owns[id - 1] = w->own;
}

/* The frame for L, which has no function. */
static uint32_t nameless(struct cpuprofile_writer *w, const struct profile_location *l)
{
    w->scratch.n = 0;
    naming_add_stand_in(&w->scratch, &w->profile, l);
    loss_add(LOSS_FRAMES, buf_str(&w->scratch), 1);
    return CPUPROFILE_NAMELESS + profile_string(&w->profile, buf_str(&w->scratch));
}

void cpuprofile_read_location(struct cpuprofile_writer *w, const struct row *row)
{
    const struct profile_location *l = profile_add_location(&w->profile, row, cpuprofile_place(w));
    const struct {
        bool is_there;
        struct str name;
    } lost[] = {{l->mapping != 0, STR(".mapping_id")},
                {l->address != 0 && l->function != 0, STR(".address")},
                {l->column != 0, STR(".column")},
                {l->into != 0, STR(".inlined_into")},
                {l->is_folded, STR(".is_folded")}};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        if (lost[i].is_there)
            loss_add_column(row, lost[i].name);
    size_t id = (size_t)row->location.location_id;
    w->places = mem_array(w->places, &w->place_capacity, id, sizeof *w->places);
    w->places[id - 1] =
        (struct cpuprofile_location){.frame = l->function != 0 ? l->function : nameless(w, l),
                                     .line = l->line > 0 ? l->line : 0};
}

void cpuprofile_read_node(struct cpuprofile_writer *w, const struct row *row)
{
    static const char *const taken[] = {V8_NODE_MEMBERS};
    struct members walk = members_of(row, cpuprofile_place(w), NULL);
    struct member m;
    struct cpuprofile_kept node = {.parent_id = -1, .hits = -1, .samples = -1};
    int64_t source = 0;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_OF_SOURCE: source = m.integer; break;
        case MEMBER_ID_OF_FUNCTION: node.frame = m.integer > 0 ? (uint32_t)m.integer : 0; break;
        case MEMBER_ID_CPUPROFILE_ID: node.id = m.integer; break;
        case MEMBER_ID_CPUPROFILE_PARENT: node.parent_id = m.integer; break;
        case MEMBER_ID_CPUPROFILE_HITS: node.hits = m.integer; break;
        case MEMBER_ID_CPUPROFILE_SAMPLES: node.samples = m.integer; break;
        case MEMBER_ID_CPUPROFILE_CALL_FRAME: node.has_call_frame = m.flag; break;
        case MEMBER_ID_CPUPROFILE_FRAME: node.frame_text = kept_frame(w, &m); break;
        case MEMBER_ID_CPUPROFILE_OTHERS:
            node.others = kept_members(w, &m, taken, NODE_COLUMNS);
            break;
        default: loss_add_column(row, m.name);
        }
    bool is_wrong = source != 1 || node.frame == 0 || node.id < 0 || node.id == INT64_MAX ||
                    w->is_linked || idmap_get(&w->kept_ids, (uint64_t)node.id + 1) != 0;
    if (is_wrong) {
        w->is_whole = false;
        loss_add_row(row);
        return;
    }
    idmap_put(&w->kept_ids, (uint64_t)node.id + 1, (uint32_t)w->kept_count + 1);
    w->kept = mem_array(w->kept, &w->kept_capacity, ++w->kept_count, sizeof *w->kept);
    w->kept[w->kept_count - 1] = node;
}

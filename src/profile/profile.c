#include "profile/profile.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- strings --- */

struct str profile_bytes(struct profile *p, struct str name, struct str text, struct str bytes)
{
    p->scratch.n = 0;
    text_exact(&p->scratch, text, bytes, name);
    return buf_str(&p->scratch);
}

struct str profile_inner_bytes(struct profile *p, struct str value)
{
    p->scratch.n = 0;
    text_inner_bytes(&p->scratch, value);
    return buf_str(&p->scratch);
}

/* The number of the string TEXT in the column NAME, and of the string of MEMBER. */
static uint32_t column_string(struct profile *p, struct str name, struct str text, struct str bytes)
{
    return profile_string(p, profile_bytes(p, name, text, bytes));
}

static uint32_t inner_string(struct profile *p, const struct member *member)
{
    return profile_string(p, profile_inner_bytes(p, member->value));
}

/* --- rows --- */

/* Passes MEMBER of ROW to the user of P. */
static void keep(struct profile *p, const struct row *row, const struct member *member)
{
    if (p->keep == NULL || !p->keep(p->user, row, member, NULL))
        loss_add_column(row, member->name);
}

const struct profile_mapping *profile_add_mapping(struct profile *p, const struct row *row,
                                                  struct place where)
{
    struct members walk = members_of(row, where, NULL);
    struct member x;
    struct profile_mapping m = {0};
    while (members_next(&walk, &x))
        switch (x.id) {
        case MEMBER_ID_MEMORY_START: m.start = x.address; break;
        case MEMBER_ID_MEMORY_LIMIT: m.limit = x.address; break;
        case MEMBER_ID_FILE_OFFSET: m.offset = x.address; break;
        case MEMBER_ID_MAPPED_FILE: m.filename = inner_string(p, &x); break;
        case MEMBER_ID_BUILD_ID: m.build_id = inner_string(p, &x); break;
        case MEMBER_ID_HAS_FUNCTIONS: m.has_functions = x.flag; break;
        case MEMBER_ID_HAS_FILENAMES: m.has_filenames = x.flag; break;
        case MEMBER_ID_HAS_LINE_NUMBERS: m.has_line_numbers = x.flag; break;
        case MEMBER_ID_HAS_INLINE_FRAMES: m.has_inline_frames = x.flag; break;
        default: keep(p, row, &x);
        }
    size_t id = (size_t)row->mapping.mapping_id;
    p->mappings = mem_array(p->mappings, &p->mapping_capacity, id, sizeof *p->mappings);
    p->mappings[id - 1] = m;
    return &p->mappings[id - 1];
}

const struct profile_function *profile_add_function(struct profile *p, const struct row *row,
                                                    struct place where)
{
    struct members walk = members_of(row, where, NULL);
    struct member x;
    struct profile_function f = {.start_line = row->function.start_line};
    struct str bytes = {NULL, 0};
    bool unmangled = false, no_name = false;
    while (members_next(&walk, &x))
        switch (x.id) {
        case MEMBER_ID_UNMANGLED: unmangled = x.flag; break;
        case MEMBER_ID_NO_NAME: no_name = x.flag; break;
        case MEMBER_ID_BYTES:
            bytes = x.value;
            loss_add_bytes(row, bytes);
            break;
        default:
            if (!members_has_role(x.id, ROLE_BINARY)) /* its locations say the same */
                keep(p, row, &x);
        }
    if (!no_name)
        f.name = column_string(p, STR("name"), row->function.name, bytes);
    if (!unmangled)
        f.system_name = column_string(p, STR("system_name"), row->function.system_name, bytes);
    f.filename = column_string(p, STR("filename"), row->function.filename, bytes);
    size_t id = (size_t)row->function.function_id;
    p->functions = mem_array(p->functions, &p->function_capacity, id, sizeof *p->functions);
    p->functions[id - 1] = f;
    return &p->functions[id - 1];
}

void profile_drop_function(const struct profile_function *f, bool has_line)
{
    if (f->system_name != 0 && f->system_name != f->name)
        loss_add(LOSS_COLUMNS, STR("functions.system_name"), 1);
    if (f->start_line != 0 && !has_line)
        loss_add(LOSS_COLUMNS, STR("functions.start_line"), 1);
}

/* A reference of a location; 0 if ID is null. */
static uint32_t reference(int64_t id)
{
    return id == ROW_NULL ? 0 : (uint32_t)id;
}

const struct profile_location *profile_add_location(struct profile *p, const struct row *row,
                                                    struct place where)
{
    struct members walk = members_of(row, where, NULL);
    struct member x;
    struct str filename = STR(""), group = STR(""), bytes = {NULL, 0};
    struct profile_location l = {
        .line = row->location.line,
        .function = reference(row->location.function_id),
    };
    while (members_next(&walk, &x))
        switch (x.id) {
        case MEMBER_ID_FILENAME: filename = x.text; break;
        case MEMBER_ID_BYTES:
            bytes = x.value;
            loss_add_bytes(row, bytes);
            break;
        case MEMBER_ID_MAPPING: l.mapping = reference(x.integer); break;
        case MEMBER_ID_INLINED_INTO: l.into = reference(x.integer); break;
        case MEMBER_ID_ADDRESS: l.address = x.address; break;
        case MEMBER_ID_IS_FOLDED: l.is_folded = x.flag; break;
        case MEMBER_ID_COLUMN: l.column = x.integer; break;
        case MEMBER_ID_GROUP: /* only summaries use it */
            group = x.text;
            keep(p, row, &x);
            break;
        default: keep(p, row, &x);
        }
    if (l.function == 0)
        l.filename = column_string(p, STR(".filename"), filename, bytes);
    else if (filename.n > 0)
        loss_add_column(row, STR(".filename"));
    l.group = column_string(p, STR(".group"), group, bytes);
    size_t id = (size_t)row->location.location_id;
    p->locations = mem_array(p->locations, &p->location_capacity, id, sizeof *p->locations);
    p->locations[id - 1] = l;
    return &p->locations[id - 1];
}

bool profile_keep_all(void *user, const struct row *row, const struct member *member,
                      uint32_t *other)
{
    (void)user, (void)row, (void)member, (void)other;
    return true;
}

void profile_free(struct profile *p)
{
    intern_free(&p->strings);
    profile_free_sources(p);
    mem_free(p->mappings);
    mem_free(p->functions);
    mem_free(p->locations);
    labels_free(&p->labels);
    profile_free_memo(p);
    stacks_free(&p->stacks);
    arena_free(&p->arena);
    buf_free(&p->scratch);
    *p = (struct profile){0};
}

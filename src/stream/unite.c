#include "stream/unite.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/site.h"

/* --- mappings --- */

/* Where a mapping is, and what identifies its program. */
struct mapping {
    uint64_t start, limit, offset;
    struct str file, build; /* canonical text with quotes; empty: none */
};

/* What a mapping is known by besides its name. */
struct extent {
    uint64_t pages, offset;
    bool has_build;
};

static struct str text_of(const struct member *m)
{
    return str_equal(m->value, STR("\"\"")) ? STR("") : m->value;
}

/* Reads ROW; sets u->rest to the members that must agree, whatever the program. */
static struct mapping read_mapping(struct unite *u, const struct row *row)
{
    struct members walk = members_of(row, u->sink.flow->where, NULL);
    struct member x;
    struct mapping m = {0};
    u->rest.n = 0;
    while (members_next(&walk, &x))
        switch (x.id) {
        case MEMBER_ID_MEMORY_START: m.start = x.address; break;
        case MEMBER_ID_MEMORY_LIMIT: m.limit = x.address; break;
        case MEMBER_ID_FILE_OFFSET: m.offset = x.address; break;
        case MEMBER_ID_MAPPED_FILE: m.file = text_of(&x); break;
        case MEMBER_ID_BUILD_ID: m.build = text_of(&x); break;
        case MEMBER_ID_HAS_FUNCTIONS:
        case MEMBER_ID_HAS_FILENAMES:
        case MEMBER_ID_HAS_LINE_NUMBERS:
        case MEMBER_ID_HAS_INLINE_FRAMES: break; /* what the profiler has found out */
        default: emit_member(&u->rest, x.name); buf_add(&u->rest, x.value);
        }
    return m;
}

static void set_key(struct unite *u, const struct mapping *m)
{
    enum { PAGE = 4096 };
    struct extent extent;
    memset(&extent, 0, sizeof extent); /* padding is part of the key */
    extent.pages = (m->limit - m->start + PAGE - 1) / PAGE;
    extent.offset = m->offset;
    extent.has_build = m->build.n > 0;
    u->text.n = 0;
    buf_add(&u->text, (struct str){(const char *)&extent, sizeof extent});
    buf_add(&u->text, extent.has_build ? m->build : m->file);
    buf_add(&u->text, buf_str(&u->rest));
}

/* The row of a mapping: if its program is known, it becomes that of the first one. */
static void take_mapping(struct unite *u, struct row *row)
{
    struct mapping m = read_mapping(u, row);
    bool is_new;
    if (m.file.n == 0 && m.build.n == 0)
        return;
    set_key(u, &m);
    uint32_t number = intern_add(&u->keys, buf_str(&u->text), &is_new);
    u->programs = mem_array(u->programs, &u->program_capacity, number, sizeof *u->programs);
    struct unite_program *program = &u->programs[number - 1];
    if (is_new)
        *program = (struct unite_program){m.start, arena_copy(&u->arena, row->extra)};
    row->extra = program->columns;
    if (program->start == m.start)
        return;
    u->shifts = mem_array(u->shifts, &u->shift_capacity, u->shift_count + 1, sizeof *u->shifts);
    u->shifts[u->shift_count++] = program->start - m.start;
    idmap_put(&u->moved, (uint64_t)row->mapping.mapping_id, (uint32_t)u->shift_count);
}

/* --- locations --- */

static void take_location(struct unite *u, struct row *row)
{
    struct member mapping, address;
    if (row->extra.n != 0 && !row_has_site(row))
        site_take(row);
    if (u->shift_count == 0 || !members_get(row, MEMBER_ID_MAPPING, &mapping) ||
        mapping.integer == ROW_NULL || !members_get(row, MEMBER_ID_ADDRESS, &address))
        return;
    uint32_t number = idmap_get(&u->moved, (uint64_t)mapping.integer);
    uint64_t moved = number == 0 ? 0 : address.address + u->shifts[number - 1];
    if (moved == 0 || address.address == 0) /* 0 says that there is none */
        return;
    if (row->site.address == 0) {
        u->rest.n = 0;
        emit_others(&u->rest, row->extra, STR(".address"));
        row->extra = buf_str(&u->rest);
    }
    row->site.address = moved;
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct unite *u = (struct unite *)to;
    switch (row->table) {
    case TABLE_META:
        idmap_clear(&u->moved);
        u->shift_count = 0;
        break;
    case TABLE_MAPPINGS: take_mapping(u, row); break;
    case TABLE_LOCATIONS: take_location(u, row); break;
    default: break;
    }
    sink_row(u->next, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(((struct unite *)to)->next, sample);
}

struct unite unite_of(struct sink *next)
{
    return (struct unite){.sink = {next->flow, take_row, take_sample}, .next = next};
}

void unite_free(struct unite *u)
{
    intern_free(&u->keys);
    idmap_free(&u->moved);
    arena_free(&u->arena);
    mem_free(u->programs);
    mem_free(u->shifts);
    buf_free(&u->text);
    buf_free(&u->rest);
}

#include "stream/prune.h"

#include "base/mem.h"
#include "rows/members.h"
#include "stream/references.h"

struct prune_source {
    bool is_out;   /* it was dropped */
    bool had_some; /* it had a sample */
    int64_t id;    /* its new id; 0: it waits, or was dropped */
};

struct prune_waiting {
    int64_t source; /* the source that it waits for; 0: it was pushed */
    struct row row; /* its text is in an arena */
};

/* --- dotted tables --- */

static int64_t use_source(struct prune *p, int64_t id);

/* The new id of a reference in a member; 0 for a sample that was dropped. */
static int64_t map_reference(void *with, const struct row *row, struct str column,
                             enum table refers, int64_t id)
{
    struct prune *p = with;
    if (refers == TABLE_SOURCES)
        return use_source(p, id);
    if (refers == TABLE_FUNCTIONS || refers == TABLE_LOCATIONS)
        return define_use(&p->define, refers, id);
    if (refers == TABLE_MAPPINGS)
        return id;
    int64_t to = samplemap_find(&p->samples, id);
    if (to == 0 && p->samples.dropped && id < p->samples.ranges[0].from)
        die_at(p->sink.flow->where,
               "%.*s.%.*s: the sample was more than %d gaps in what is left ago",
               STR_ARG(row_table_name(row)), STR_ARG(column), SAMPLEMAP_RANGES / 2);
    return to;
}

/* Whether the rows that ROW, of a dotted table, refers to are still there; pushes no definitions
 * for rows that are dropped.  Stores the source that it refers to in *WAITS if that source
 * waits; 0: none. */
static bool is_left(struct prune *p, const struct row *row, int64_t *waits)
{
    struct members walk = members_references(row, p->sink.flow->where, NULL);
    struct member m;
    *waits = 0;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_OTHER || m.integer == ROW_NULL)
            continue;
        if (m.refers == TABLE_SAMPLES && map_reference(p, row, m.name, m.refers, m.integer) == 0)
            return false;
        if (m.refers == TABLE_SOURCES && p->sources[m.integer - 1].is_out)
            return false;
        if (m.refers == TABLE_SOURCES && p->sources[m.integer - 1].id == 0)
            *waits = m.integer;
    }
    return true;
}

static void push_dotted(struct prune *p, struct row *row)
{
    p->extra.n = 0;
    references_map(&p->extra, row, p->sink.flow->where, map_reference, p);
    row->extra = buf_str(&p->extra);
    sink_row(p->next, row);
}

static void take_dotted(struct prune *p, struct row *row)
{
    int64_t waits;
    if (!is_left(p, row, &waits))
        return;
    if (waits == 0) {
        push_dotted(p, row);
        return;
    }
    p->waiting =
        mem_array(p->waiting, &p->waiting_capacity, p->waiting_count + 1, sizeof *p->waiting);
    struct prune_waiting *w = &p->waiting[p->waiting_count++];
    *w = (struct prune_waiting){waits, *row};
    define_own(&w->row, &p->waiting_texts);
}

/* --- sources --- */

/* The new id of the source ID.  Pushes it first if needed, and the rows about it. */
static int64_t use_source(struct prune *p, int64_t id)
{
    struct prune_source *of = &p->sources[id - 1];
    if (of->id != 0)
        return of->id;
    of->id = define_use(&p->define, TABLE_SOURCES, id);
    for (size_t i = 0; i < p->waiting_count; i++) {
        if (p->waiting[i].source != id)
            continue;
        p->waiting[i].source = 0;
        push_dotted(p, &p->waiting[i].row);
    }
    return p->sources[id - 1].id;
}

static void take_source(struct prune *p, const struct row *row)
{
    p->sources =
        mem_array(p->sources, &p->source_capacity, p->source_count + 1, sizeof *p->sources);
    p->sources[p->source_count++] = (struct prune_source){0};
    define_keep(&p->define, row);
}

void prune_leave_out_source(struct prune *p)
{
    p->sources[p->source_count - 1].is_out = true;
}

void prune_keep_source(struct prune *p)
{
    use_source(p, (int64_t)p->source_count);
}

/* Pushes the sources that never had a sample. */
static void end_profile(struct prune *p)
{
    for (size_t i = 0; i < p->source_count; i++)
        if (!p->sources[i].is_out && !p->sources[i].had_some)
            use_source(p, (int64_t)i + 1);
}

/* --- the stage --- */

static void begin_profile(struct prune *p)
{
    define_clear(&p->define);
    samplemap_clear(&p->samples);
    p->samples.to = 0;
    p->source_count = 0;
    p->waiting_count = 0;
    arena_clear(&p->waiting_texts);
}

static void take_row(struct sink *to, struct row *row)
{
    struct prune *p = (struct prune *)to;
    switch (row->table) {
    case TABLE_SOURCES: take_source(p, row); return;
    case TABLE_FUNCTIONS:
    case TABLE_LOCATIONS: define_keep(&p->define, row); return;
    case TABLE_DOTTED:
        if (!row_is_end(row)) {
            take_dotted(p, row);
            return;
        }
        end_profile(p);
        break;
    case TABLE_META: begin_profile(p); break;
    default: break;
    }
    sink_row(p->next, row);
}

void prune_leave_out(struct prune *p, const struct sample *sample)
{
    p->sources[sample->source_id - 1].had_some = true;
}

void prune_sample(struct prune *p, struct sample *sample, const uint32_t *positions, size_t count)
{
    int64_t source = use_source(p, sample->source_id);
    if (count == sample->depth)
        define_use_all(&p->define, sample->locations, count);
    else
        define_use_left(&p->define, sample, positions, count);
    samplemap_add(&p->samples, sample->sample_id);
    sample->sample_id = p->samples.to;
    sample->source_id = source;
    sink_sample(p->next, sample);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    prune_sample((struct prune *)to, sample, NULL, sample->depth);
}

struct prune prune_of(struct sink *next)
{
    return (struct prune){
        .sink = {next->flow, take_row, take_sample}, .next = next, .define = define_of(next)};
}

const struct row *prune_row(const struct prune *p, enum table table, int64_t id)
{
    return define_row(&p->define, table, id);
}

void prune_free(struct prune *p)
{
    define_free(&p->define);
    samplemap_free(&p->samples);
    mem_free(p->sources);
    mem_free(p->waiting);
    arena_free(&p->waiting_texts);
    buf_free(&p->extra);
}

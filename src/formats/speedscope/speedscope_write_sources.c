/* Reads sources, and makes a profile of the file for each type of values in a source. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_write.h"
#include "rows/members.h"
#include "rows/parse.h"
#include "rows/text.h"

/* BYTES as the text of a JSON string, kept until the end. */
static struct str kept(struct speedscope_writer *w, struct str bytes)
{
    w->scratch.n = 0;
    if (!text_escape_all(&w->scratch, bytes))
        loss_add(LOSS_SPEEDSCOPE_NAMES, buf_str(&w->scratch), 1);
    return arena_copy(&w->arena, buf_str(&w->scratch));
}

static struct str inner_kept(struct speedscope_writer *w, const struct member *m)
{
    return kept(w, profile_inner_bytes(&w->profile, m->value));
}

/* --- rows --- */

/* The text of M, a number in ROW, kept until the end; anything else is counted as a loss. */
static struct str kept_number(struct speedscope_writer *w, const struct row *row,
                              const struct member *m)
{
    struct number number;
    if (parse_number(m->text, &number))
        return arena_copy(&w->arena, m->text);
    loss_add_inside(row, STR(".speedscope"), m->name);
    return (struct str){NULL, 0};
}

/* Reads FACTS about one profile from the source ROW. */
static void read_profile(struct speedscope_writer *w, const struct row *row, struct members facts)
{
    struct speedscope_source *s = &w->read;
    struct speedscope_facts f = {0};
    struct member m;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_NAME: f.name = inner_kept(w, &m); break;
        case MEMBER_ID_SPEEDSCOPE_UNIT: f.unit = inner_kept(w, &m); break;
        case MEMBER_ID_START: f.start = kept_number(w, row, &m); break;
        case MEMBER_ID_END: f.end = kept_number(w, row, &m); break;
        case MEMBER_ID_ACTIVE: f.active = m.flag; break;
        case MEMBER_ID_EVENTED: f.evented = m.flag; break;
        case MEMBER_ID_MARKED: f.marked = m.integer; break;
        default: loss_add_inside(row, STR(".speedscope"), m.name);
        }
    s->facts = mem_array(s->facts, &s->facts_capacity, s->facts_count + 1, sizeof *s->facts);
    s->facts[s->facts_count++] = f;
}

/* Reads `.speedscope` of ROW. */
static void read_own(struct speedscope_writer *w, const struct row *row, struct members own)
{
    struct member m;
    w->read.is_own = true;
    while (members_next(&own, &m))
        if (m.id == MEMBER_ID_NAME) {
            w->read.name = inner_kept(w, &m);
        } else if (m.id == MEMBER_ID_EXPORTER) {
            w->read.exporter = inner_kept(w, &m);
        } else if (m.id == MEMBER_ID_PROFILES) {
            struct str items = text_inside(m.value), item;
            while (text_next_item(&items, &item))
                read_profile(w, row, members_inside(&own, &m, item));
        } else {
            loss_add_inside(row, own.column, m.name);
        }
}

bool speedscope_keep_of_source(struct speedscope_writer *w, const struct row *row,
                               const struct member *member)
{
    if (member->id != MEMBER_ID_SPEEDSCOPE)
        return false;
    struct members walk = members_of(row, speedscope_place(w), NULL);
    read_own(w, row, members_inside(&walk, member, member->value));
    return true;
}

/* --- entries --- */

/* The index of the entry of TYPE in source number SOURCE; *IS_NEW if it does not exist yet. */
static size_t find_entry(struct speedscope_writer *w, size_t source, uint32_t type, bool *is_new)
{
    uint64_t key[2] = {source, type};
    return intern_add(&w->entry_keys, (struct str){(const char *)key, sizeof key}, is_new) - 1;
}

static struct decimal number_of_text(struct str text)
{
    return text.p == NULL ? decimal_of(0) : decimal_read(text);
}

/* Adds an entry of TYPE in source number SOURCE at index AT, with FACTS if the source has any. */
static void add_entry(struct speedscope_writer *w, size_t source, uint32_t type,
                      enum loss dropped_as, const struct speedscope_facts *facts)
{
    bool is_gauge = dropped_as != LOSS_BELOW_ZERO;
    struct speedscope_entry entry = {
        .source = source, .type = type, .is_gauge = is_gauge, .dropped_as = dropped_as};
    if (facts != NULL) {
        entry.is_known = true;
        entry.facts = *facts;
        entry.at = number_of_text(facts->start);
    }
    if (!is_gauge) {
        entry.samples = spools_begin(w->spools);
        entry.weights = spools_begin(w->spools);
    }
    w->entries = mem_array(w->entries, &w->entry_capacity, w->entry_count + 1, sizeof *w->entries);
    w->entries[w->entry_count++] = entry;
}

struct speedscope_entry *speedscope_entry_of(struct speedscope_writer *w, size_t source,
                                             uint32_t type)
{
    if (type > w->known_capacity)
        w->known = mem_array_zeroed(w->known, &w->known_capacity, type, sizeof *w->known);
    struct speedscope_known *known = &w->known[type - 1];
    if (known->source != source) {
        bool is_new;
        *known = (struct speedscope_known){source, (uint32_t)find_entry(w, source, type, &is_new)};
        if (is_new)
            add_entry(w, source, type, LOSS_BELOW_ZERO, NULL);
    }
    return &w->entries[known->entry];
}

/* Adds entries for the types listed by the source OF, also for types without samples. */
static void add_types(struct speedscope_writer *w, const struct profile_source *of)
{
    const struct speedscope_source *s = &w->sources[w->source_count - 1];
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t number = profile_list_type(&w->sink.flow->types, t);
        bool is_new;
        if (number == w->counts && s->time != 0)
            number = s->time;
        size_t entry = find_entry(w, w->source_count, number, &is_new);
        if (is_new)
            add_entry(w, w->source_count, number,
                      t->gauge       ? LOSS_GAUGES
                      : t->inclusive ? LOSS_INCLUSIVE
                                     : LOSS_BELOW_ZERO,
                      i < s->facts_count ? &s->facts[i] : NULL);
        w->entries[entry].is_listed = true;
    }
    if (s->facts_count > of->type_count) /* facts about types that the source no longer has */
        loss_add(LOSS_OWN, STR("sources..speedscope.profiles"), s->facts_count - of->type_count);
}

void speedscope_read_source(struct speedscope_writer *w, const struct row *row)
{
    w->read = (struct speedscope_source){0};
    const struct profile_source *of = profile_add_source(&w->profile, row, speedscope_place(w));
    struct speedscope_source *s = &w->read;
    s->shown = default_type_says(of);
    if (s->shown.has_time && of->period > 0) {
        s->time = value_types_add_bytes(&w->sink.flow->types, of->period_type, of->period_unit);
        s->period = of->period;
        if (s->shown.default_type.n == 0)
            s->shown.default_type = value_types_get(&w->sink.flow->types, s->time)->type;
    }
    s->kind = kept(w, of->kind);
    if (of->uri.p != NULL)
        s->uri = kept(w, of->uri);
    profile_drop_source(row, of, STR("speedscope"));
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    w->sources[w->source_count++] = *s;
    add_types(w, of);
}

#include "filters/relations.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>

/* Max number of missing ids that are stored; further ones are reported at once. */
enum { PENDING_MAX = 1 << 20 };

struct relations_pending {
    struct column_place at; /* first reference to it */
    enum table table;
    int64_t id;
    uint64_t more; /* number of other references */
    bool defined;  /* defined in the meantime */
};

static void found(const struct relations *r, const struct relations_pending *p, enum rule rule)
{
    char others[64] = "";
    if (p->more > 0)
        snprintf(others, sizeof others, " (and %" PRIu64 " more rows refer to it)", p->more);
    if (rule == RULE_ORDER)
        finding_add(r->findings, p->at.where, rule, p->at.table, p->at.column,
                    "%s %" PRId64 " is defined later%s: profsort puts rows in order",
                    schema_nouns[p->table], p->id, others);
    else if (p->table == TABLE_SAMPLES && r->samples.dropped)
        finding_add(r->findings, p->at.where, rule, p->at.table, p->at.column,
                    "sample %" PRId64
                    " is not defined, or more than %d gaps in the numbering ago%s",
                    p->id, SAMPLEMAP_RANGES / 2, others);
    else
        finding_add(r->findings, p->at.where, rule, p->at.table, p->at.column,
                    "no %s %" PRId64 "%s", schema_nouns[p->table], p->id, others);
}

static void resolve(struct relations *r, enum table table, int64_t id)
{
    uint32_t position = idmap_get(&r->pending_of[table], (uint64_t)id);
    if (position == 0 || r->pending[position - 1].defined)
        return;
    r->pending[position - 1].defined = true;
    if (!r->any_order)
        found(r, &r->pending[position - 1], RULE_ORDER);
}

static void define_sample(struct relations *r, const struct column_place *at, int64_t id)
{
    if (r->samples.range_count == 0 || id > r->samples.from)
        samplemap_add(&r->samples, id);
    else if (relations_has(r, TABLE_SAMPLES, id))
        finding_add(r->findings, at->where, RULE_UNIQUE, at->table, at->column,
                    "%" PRId64 " is defined twice", id);
    else {
        finding_add(r->findings, at->where, RULE_ORDER, at->table, at->column,
                    "expected more than %" PRId64 ", found %" PRId64
                    ": profsort puts rows in order",
                    r->samples.from, id);
        if (r->defined[TABLE_SAMPLES].used < PENDING_MAX)
            idmap_put(&r->defined[TABLE_SAMPLES], (uint64_t)id, 1);
    }
}

void relations_define(struct relations *r, const struct column_place *at, enum table table,
                      int64_t id)
{
    if (table == TABLE_SAMPLES)
        define_sample(r, at, id);
    else if (idmap_get(&r->defined[table], (uint64_t)id) != 0)
        finding_add(r->findings, at->where, RULE_UNIQUE, at->table, at->column,
                    "%" PRId64 " is defined twice", id);
    else
        idmap_put(&r->defined[table], (uint64_t)id, 1);
    if (r->pending_count > 0)
        resolve(r, table, id);
}

void relations_wait(struct relations *r, const struct column_place *at, enum table table,
                    int64_t id)
{
    struct relations_pending p = {.at = *at, .table = table, .id = id};
    uint32_t position = idmap_get(&r->pending_of[table], (uint64_t)id);
    if (position != 0 && !r->pending[position - 1].defined) {
        r->pending[position - 1].more++;
        return;
    }
    if (position != 0 || r->pending_count == PENDING_MAX) {
        found(r, &p, RULE_REFERENCE);
        return;
    }
    p.at.table = arena_copy(&r->names, at->table);
    p.at.column = arena_copy(&r->names, at->column);
    r->pending =
        mem_array(r->pending, &r->pending_capacity, r->pending_count + 1, sizeof *r->pending);
    r->pending[r->pending_count++] = p;
    idmap_put(&r->pending_of[table], (uint64_t)id, (uint32_t)r->pending_count);
}

void relations_end(struct relations *r)
{
    for (size_t i = 0; i < r->pending_count; i++)
        if (!r->pending[i].defined)
            found(r, &r->pending[i], RULE_REFERENCE);
    r->pending_count = 0;
    arena_clear(&r->names);
    samplemap_clear(&r->samples);
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        idmap_clear(&r->defined[t]);
        idmap_clear(&r->pending_of[t]);
    }
}

void relations_free(struct relations *r)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        idmap_free(&r->defined[t]);
        idmap_free(&r->pending_of[t]);
    }
    samplemap_free(&r->samples);
    mem_free(r->pending);
    arena_free(&r->names);
}

#include "upgrade.h"

#include "stack.h"

#include <inttypes.h>

static struct str source_type(const struct upgrade *u)
{
    return u->source_type.n > 0   ? u->source_type
           : u->hidden_type.n > 0 ? u->hidden_type
                                  : STR("manual");
}

/* Takes the next row of the samples that are being repeated. */
static void repeat(struct upgrade *u, struct row *row)
{
    switch (u->next) {
    case UPGRADE_SAMPLE:
        *row = (struct row){
            .table = TABLE_SAMPLES, .sample = {++u->sample_id, 1}, .extra = u->run.extra};
        u->next = UPGRADE_VALUE;
        return;
    case UPGRADE_VALUE:
        *row = (struct row){.table = TABLE_SAMPLE_VALUES,
                            .sample_value = {u->sample_id, STR("samples"), STR("count"),
                                             number_of(u->adds_up ? u->run.run.value : 1)}};
        u->next = UPGRADE_LOCATIONS;
        u->rest = u->run.run.locations;
        u->depth = 0;
        break;
    case UPGRADE_LOCATIONS: {
        *row = (struct row){.table = TABLE_SAMPLE_LOCATIONS,
                            .sample_location = {u->sample_id, ++u->depth, 0}};
        stack_next(&u->rest, &row->sample_location.location_id);
    }
    }
    if (!stack_more(u->rest)) {
        u->left--;
        u->next = UPGRADE_SAMPLE;
    }
}

/* Begins to repeat the samples of ROW.  A few bytes can stand for any number of them: there is a limit. */
static void start_run(struct upgrade *u, const struct row *row)
{
    uint64_t most = u->max_samples != 0 ? u->max_samples : UPGRADE_SAMPLES_MAX;
    u->run = *row;
    u->left = u->adds_up ? 1 : row->run.value;
    u->next = UPGRADE_SAMPLE;
    if (u->adds_up)
        return;
    if ((uint64_t)u->left > most - u->samples)
        die_at(u->stream->rows.where,
               "samples.value: more than %" PRIu64
               " samples in rows of version 1.x (--max-samples sets the limit)",
               most);
    u->samples += (uint64_t)u->left;
}

bool upgrade_old(struct upgrade *u, struct row *row)
{
    if (u->left > 0) {
        repeat(u, row);
        return true;
    }
    switch (row->table) {
    case TABLE_META:
        u->hidden_type = STR("");
        u->sample_id = 0;
        row->meta.value = STR("2.0");
        break;
    case TABLE_SAMPLE_TYPES: {
        struct str extra = row->extra;
        *row = (struct row){.table = TABLE_SOURCES,
                            .source = {.source_id = 1, .source_type = source_type(u)},
                            .extra = extra};
        break;
    }
    case TABLE_RUNS:
        start_run(u, row);
        repeat(u, row);
        break;
    case TABLE_DOTTED:
        if (str_equal(row->dotted.name, STR(".rprof")))
            u->hidden_type = STR("rprof");
        else if (str_equal(row->dotted.name, STR(".msg")))
            u->hidden_type = STR("pprof");
        break;
    default: break;
    }
    return true;
}

#include "filters/agg_names.h"

#include "base/mem.h"
#include "profile/naming.h"

static void take_row(struct sink *to, struct row *row)
{
    struct agg_names *n = (struct agg_names *)to;
    if (row->table == TABLE_FUNCTIONS) {
        size_t id = (size_t)row->function.function_id;
        n->functions = mem_array(n->functions, &n->function_capacity, id, sizeof *n->functions);
        n->function_count = id;
        n->functions[id - 1] = arena_copy(&n->arena, row->function.name);
    } else if (row->table == TABLE_LOCATIONS) {
        size_t id = (size_t)row->location.location_id;
        int64_t function = row->location.function_id;
        n->locations = mem_array(n->locations, &n->location_capacity, id, sizeof *n->locations);
        n->location_count = id;
        n->locations[id - 1] = function == ROW_NULL ? 0 : (uint32_t)function;
    }
    sink_row(n->next, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(((struct agg_names *)to)->next, sample);
}

struct agg_names agg_names_of(struct sink *next)
{
    return (struct agg_names){.sink = {next->flow, take_row, take_sample}, .next = next};
}

struct str agg_names_get(const struct agg_names *n, int64_t location)
{
    uint32_t function = n->locations[location - 1];
    return function == 0 ? NAMING_UNKNOWN : n->functions[function - 1];
}

void agg_names_free(struct agg_names *n)
{
    arena_free(&n->arena);
    mem_free(n->functions);
    mem_free(n->locations);
}

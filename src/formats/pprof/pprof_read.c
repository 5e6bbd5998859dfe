/* pprof to profile rows. See pprof2ndjson(1) for the rules.
 *
 * The file is decompressed as a whole and walked twice, field by field. The first pass reads
 * strings, types, mappings, functions and locations; their rows are written in the order of the
 * file. The second pass reads samples. Only one sub-message is unpacked at a time. */
#include "formats/pprof/pprof_read.h"

#include "base/mem.h"
#include "formats/pprof/pprof.h"

static void close_reader(struct pprof_reader *r)
{
    struct pprof_parts *parts[] = {&r->types,     &r->mappings,     &r->functions,
                                   &r->locations, &r->period_types, &r->comments};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(parts[i]->items);
    pprof_free_messages(r);
    mem_free(r->strings);
    mem_free(r->type_numbers);
    mem_free(r->values);
    mem_free(r->stack);
    mem_free(r->type_extras);
    mem_free(r->spans);
    mem_free(r->rows);
    mem_free(r->pairs);
    idmap_free(&r->mapping_ids);
    idmap_free(&r->function_ids);
    idmap_free(&r->location_ids);
    arena_free(&r->messages);
    arena_free(&r->texts);
    buf_free(&r->unknown);
    buf_free(&r->extra);
    buf_free(&r->inexact);
    buf_free(&r->key);
}

void pprof_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    const struct pprof_read_options *options = request->options;
    struct pprof_reader r = {
        .in = in, .request = request, .expand = options != NULL && options->expand, .sink = sink};
    r.data = format_whole(in, request);
    pprof_collect_parts(&r);
    pprof_push_source(&r);
    pprof_push_definitions(&r);
    pprof_push_samples(&r);
    close_reader(&r);
}

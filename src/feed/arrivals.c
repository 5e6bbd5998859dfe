#include "feed/arrivals.h"

#include "profile/naming.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* --- sources --- */

static struct place place_of(const struct arrivals *a)
{
    return (struct place){a->sink.flow->where.file, PLACE_FILE, 0};
}

/* The name of the source of ROW, in a->name: its URI, or else its type, as tables have it. */
static struct str name_of(struct arrivals *a, const struct row *row)
{
    const struct str uri = row->source.source_uri, kind = row->source.source_type;
    a->name.n = 0;
    text_unescape(&a->name, uri.n > 0 ? uri : kind);
    return a->name.n > 0 ? buf_str(&a->name) : NAMING_UNKNOWN;
}

/* A source that was not merged. */
static void take_one(struct arrivals *a, const struct row *row)
{
    const struct str name = name_of(a, row);
    a->sources++;
    if (a->expect != NULL)
        expect_source(a->expect, a->sink.flow->where, name);
    if (a->provenance == NULL)
        return;
    text_escape_tabs(&a->waiting, name);
    buf_add(&a->waiting, STR("\n"));
}

/* One that was, of those that MERGED says. */
static void take_merged(struct arrivals *a, const struct row *row, const struct provenance *merged)
{
    if (__builtin_add_overflow(a->sources, merged->count, &a->sources) ||
        (a->provenance != NULL && !provenance_add_all(a->provenance, merged)))
        die_as(CODE_OVERFLOW, place_of(a), "the numbers of sources add up to more than 63 bits");
    if (a->expect != NULL)
        expect_merged(a->expect, place_of(a), name_of(a, row), merged);
}

static void take_source(struct arrivals *a, const struct row *row)
{
    struct provenance merged = {0};
    source_kind_provenance(&merged, row);
    const char *wrong = provenance_is_there(&merged) ? provenance_wrong(&merged) : NULL;
    if (wrong != NULL)
        warn_at(CODE_INVALID, place_of(a), "counts as one source: its comments of profpipe have %s",
                wrong);
    if (wrong != NULL && a->provenance != NULL)
        loss_add(LOSS_FACTS, STR("provenance"), 1);
    if (wrong == NULL && provenance_is_there(&merged))
        take_merged(a, row, &merged);
    else
        take_one(a, row);
    provenance_free(&merged);
}

static void take_row(struct sink *to, struct row *row)
{
    struct arrivals *a = (struct arrivals *)to;
    if (row->table == TABLE_SOURCES)
        take_source(a, row);
    sink_row(a->next, row);
}

/* --- samples --- */

/* Whether V is samples/count. */
static bool is_count(struct arrivals *a, const struct sample_value *v)
{
    if (a->count_type == 0) {
        const struct value_type *type = value_types_get(&a->sink.flow->types, v->type);
        if (str_equal(type->type, STR("samples")) && str_equal(type->unit, STR("count")))
            a->count_type = v->type;
    }
    return v->type == a->count_type;
}

static void count_sample(struct arrivals *a, const struct sample *sample)
{
    a->rows++;
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct number *n = &sample->values[i].value;
        if (!is_count(a, &sample->values[i]) || n->kind != NUMBER_INTEGER || n->integer < 0)
            continue;
        a->counted += (uint64_t)n->integer;
        return;
    }
    a->is_uncounted = true;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct arrivals *a = (struct arrivals *)to;
    if (a->manifest != NULL)
        count_sample(a, sample);
    sink_sample(a->next, sample);
}

/* --- inputs --- */

/* Whether the bytes of inputs have to be digested. */
static bool needs_digest(const struct arrivals *a)
{
    return a->provenance != NULL || a->manifest != NULL ||
           (a->expect != NULL && a->expect->options->is_unique);
}

void arrivals_begin(struct arrivals *a, struct in *in)
{
    if (needs_digest(a))
        in_digest_begin(in);
    a->sources = a->rows = a->counted = 0;
    a->is_uncounted = false;
    diag_last = CODE_DETAIL;
    if (a->manifest != NULL)
        manifest_begin(a->manifest, a->sink.flow->input);
}

/* Passes on the sources that wait for DIGEST, that of their bytes; NULL: not known. */
static void pass_sources(struct arrivals *a, const unsigned char *digest)
{
    struct str lines = buf_str(&a->waiting), line;
    while (str_next_line(&lines, &line)) {
        a->name.n = 0;
        text_unescape_tabs(&a->name, line);
        provenance_add(a->provenance, buf_str(&a->name), digest);
    }
    a->waiting.n = 0;
}

void arrivals_end(struct arrivals *a, struct in *in, const struct format *format)
{
    struct manifest_input input = {
        in_name(in), diag_last, a->sources, a->is_uncounted ? a->rows : a->counted, {0}};
    if (needs_digest(a))
        in_digest(in, input.digest);
    if (a->expect != NULL)
        expect_input(a->expect, in_name(in), input.digest);
    /* rows and databases hold what was made of the bytes of their sources */
    pass_sources(a, format->has_borders ? NULL : input.digest);
    if (a->manifest != NULL)
        manifest_end(a->manifest, &input);
}

struct arrivals arrivals_of(struct sink *next, struct expect *expect,
                            struct provenance_sum *provenance, struct manifest *manifest)
{
    return (struct arrivals){
        .sink = {next->flow, take_row, take_sample},
        .next = next,
        .expect = expect,
        .provenance = provenance,
        .manifest = manifest,
    };
}

void arrivals_free(struct arrivals *a)
{
    buf_free(&a->waiting);
    buf_free(&a->name);
}

#include "filters/agg_labels.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/text.h"

static struct agg_label label_of(struct str word)
{
    if (str_equal(word, STR("source")))
        return (struct agg_label){.kind = AGG_LABEL_SOURCE};
    if (str_equal(word, STR("type")))
        return (struct agg_label){.kind = AGG_LABEL_TYPE};
    str_take(&word, STR("label:"));
    return (struct agg_label){.kind = AGG_LABEL_KEY, .key.key = word};
}

void agg_labels_open(struct agg_labels *l, const struct agg_keys *roots,
                     const struct agg_keys *leaves)
{
    l->root_count = roots->count;
    l->count = roots->count + leaves->count;
    l->profile.keep = profile_keep_all;
    if (l->count == 0)
        return;
    l->items = mem_alloc(l->count * sizeof *l->items);
    for (size_t i = 0; i < l->count; i++) {
        l->items[i] =
            label_of(i < roots->count ? roots->items[i] : leaves->items[i - roots->count]);
        l->has_type |= l->items[i].kind == AGG_LABEL_TYPE;
    }
}

void agg_labels_source(struct agg_labels *l, const struct row *row, struct place where)
{
    if (l->count == 0)
        return;
    const struct profile_source *of = profile_add_source(&l->profile, row, where);
    const size_t id = l->profile.source_count;
    l->sources = mem_array(l->sources, &l->source_capacity, id, sizeof *l->sources);
    l->sources[id - 1] = naming_numbered_source(&l->names, &l->profile, of);
}

/* The frame of LABEL for SAMPLE, whose labels are SET. */
static int64_t frame_of(struct agg_labels *l, struct agg_label *label, const struct sample *sample,
                        struct str set, struct str type)
{
    l->text.n = 0;
    switch (label->kind) {
    case AGG_LABEL_SOURCE:
        buf_add(&l->text, profile_string_of(&l->profile, l->sources[sample->source_id - 1]));
        break;
    case AGG_LABEL_TYPE: text_unescape(&l->text, type); break;
    default:
        if (!label_key_add(&label->key, &l->profile, set, &l->text))
            buf_add(&l->text, NAMING_UNKNOWN);
    }
    return UINT32_MAX - (intern_add(&l->frames, buf_str(&l->text), NULL) - 1);
}

size_t agg_labels_wrap(struct agg_labels *l, const struct sample *sample, struct str type,
                       struct place where, int64_t *frames, size_t depth)
{
    const struct str set = profile_labels(&l->profile, sample->extra, where);
    const size_t leaves = l->count - l->root_count;
    for (size_t i = 0; i < l->count; i++) {
        /* the last of either list is the innermost */
        const size_t at =
            i < l->root_count ? leaves + depth + l->root_count - 1 - i : l->count - 1 - i;
        frames[at] = frame_of(l, &l->items[i], sample, set, type);
    }
    return depth + l->count;
}

void agg_labels_push(struct agg_labels *l, struct agg_names *names)
{
    const int64_t before = names->function_count;
    struct buf name = {0}, system = {0}, extra = {0}, inexact = {0};
    l->base = names->location_count;
    for (uint32_t i = 1; i <= l->frames.count; i++) {
        struct row row = {.table = TABLE_FUNCTIONS, .function = {.function_id = before + i}};
        extra.n = 0;
        buf_add(&extra, STR(",\".unmangled\":true"));
        row.function.name = emit_text(&name, &inexact, STR("name"), intern_get(&l->frames, i));
        row.function.filename = STR("");
        row.function.system_name =
            emit_text(&system, &inexact, STR("system_name"), intern_get(&l->frames, i));
        emit_bytes_column(&extra, &inexact);
        row.extra = buf_str(&extra);
        sink_row(&names->sink, &row);
        row = (struct row){.table = TABLE_LOCATIONS, .location = {l->base + i, before + i, 0}};
        sink_row(&names->sink, &row);
    }
    buf_free(&name);
    buf_free(&system);
    buf_free(&extra);
    buf_free(&inexact);
}

void agg_labels_finish(const struct agg_labels *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].kind == AGG_LABEL_KEY)
            label_key_warn(&l->items[i].key);
}

void agg_labels_free(struct agg_labels *l)
{
    for (size_t i = 0; i < l->count; i++)
        label_key_free(&l->items[i].key);
    mem_free(l->items);
    profile_free(&l->profile);
    naming_free_sources(&l->names);
    mem_free(l->sources);
    intern_free(&l->frames);
    buf_free(&l->text);
}

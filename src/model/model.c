#include "model/model.h"

#include "rows/members.h"

const char *const model_formats[MODEL_FORMAT_COUNT] = {
    [MODEL_TEXT] = "text",
    [MODEL_DOT] = "dot",
    [MODEL_MERMAID] = "mermaid",
    [MODEL_SQL] = "sql",
    [MODEL_JSONSCHEMA] = "jsonschema",
};

const enum table model_tables[MODEL_TABLE_COUNT] = {
    TABLE_META,      TABLE_SOURCES, TABLE_MAPPINGS,      TABLE_FUNCTIONS,
    TABLE_LOCATIONS, TABLE_SAMPLES, TABLE_SAMPLE_VALUES, TABLE_SAMPLE_LOCATIONS,
};

struct str model_dotted_column(enum table table)
{
    return table == TABLE_MAPPINGS || table == TABLE_DOTTED ? STR("members") : STR("dotted");
}

bool model_has_dotted(enum table table)
{
    return table != TABLE_SAMPLE_VALUES && table != TABLE_SAMPLE_LOCATIONS;
}

bool model_next_column(enum table table, enum member_id *id)
{
    for (; table != TABLE_MAPPINGS && table < TABLE_COUNT && *id < MEMBER_ID_COUNT; ++*id) {
        const struct schema_member *m = members_known(*id);
        if ((m->kind == MEMBER_REF || *id == MEMBER_ID_TIME) &&
            (m->in & UINT64_C(1) << members_object(table)) != 0)
            return true;
    }
    return false;
}

void model_add(struct buf *to, const struct model_request *request)
{
    switch (request->format) {
    case MODEL_TEXT:
        model_add_text(to, request->counts);
        if (request->counts == NULL) /* views are for who asks what there can be */
            model_add_text_views(to);
        break;
    case MODEL_DOT: model_add_dot(to, request->counts); break;
    case MODEL_MERMAID: model_add_mermaid(to, request->counts); break;
    case MODEL_SQL:
        request->checks ? model_add_checks(to) : model_add_sql(to, request->plain);
        break;
    case MODEL_JSONSCHEMA: model_add_jsonschema(to); break;
    case MODEL_FORMAT_COUNT: break;
    }
}

/* --- how many rows there are --- */

struct counter {
    struct sink sink;
    const struct model_request *request;
    struct out *out;
    uint64_t counts[TABLE_COUNT];
};

static void count_row(struct sink *to, struct row *row)
{
    struct counter *c = (struct counter *)to;
    if (row->table < TABLE_COUNT)
        c->counts[row->table]++;
}

static void count_sample(struct sink *to, struct sample *sample)
{
    struct counter *c = (struct counter *)to;
    c->counts[TABLE_SAMPLES]++;
    c->counts[TABLE_SAMPLE_VALUES] += sample->value_count;
    c->counts[TABLE_SAMPLE_LOCATIONS] += sample->depth;
}

static void open_counter(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct counter *c = to;
    c->sink = (struct sink){flow, count_row, count_sample};
    c->request = options;
    c->out = out;
}

static void close_counter(void *to)
{
    struct counter *c = to;
    struct model_request request = *c->request;
    struct buf text = {0};
    request.counts = c->counts;
    model_add(&text, &request);
    out_write(c->out, buf_str(&text));
    buf_free(&text);
}

const struct stage model_counter = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct counter),
    .open = open_counter,
    .close = close_counter,
};

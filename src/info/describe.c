#include "info/describe.h"

#include "base/decimal.h"
#include "profile/source_date.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <math.h>

/* The most frequent values of a label that are listed. */
enum { FREQUENT = 10 };

static const enum column_id of_input[] = {
    COLUMN_INPUT,     COLUMN_SAMPLES,    COLUMN_FORMAT,      COLUMN_SOURCES,    COLUMN_DATE,
    COLUMN_DURATION,  COLUMN_CORES_BUSY, COLUMN_SAMPLE_ROWS, COLUMN_STACKS,     COLUMN_DEPTH_P50,
    COLUMN_DEPTH_P95, COLUMN_DEPTH_MAX,  COLUMN_FUNCTIONS,   COLUMN_LOCATIONS,  COLUMN_MAPPINGS,
    COLUMN_NO_NAME,   COLUMN_CUT,        COLUMN_VALUE_TYPES, COLUMN_LABEL_KEYS, COLUMN_NO_STACK,
    COLUMN_NONE,
};

static const enum column_id of_sources[] = {
    COLUMN_SOURCE,      COLUMN_SAMPLES,       COLUMN_SOURCE_TYPE,
    COLUMN_PRODUCER,    COLUMN_DATE,          COLUMN_DURATION,
    COLUMN_CORES_BUSY,  COLUMN_CORES,         COLUMN_UTILISATION_PCT,
    COLUMN_HOST,        COLUMN_COMMAND,       COLUMN_COMMENTS,
    COLUMN_MERGED,      COLUMN_MERGED_DIGEST, COLUMN_MERGED_NAMES,
    COLUMN_PERIOD,      COLUMN_PERIOD_TYPE,   COLUMN_PERIOD_UNIT,
    COLUMN_SAMPLE_ROWS, COLUMN_NONE,
};

static const enum column_id of_types[] = {
    COLUMN_VALUE, COLUMN_MAX,  COLUMN_IS_GAUGE, COLUMN_NONZERO, COLUMN_P50,
    COLUMN_P95,   COLUMN_TYPE, COLUMN_UNIT,     COLUMN_NONE,
};

static const enum column_id of_labels[] = {
    COLUMN_SAMPLES,  COLUMN_KEY,  COLUMN_IS_NUMBER, COLUMN_DISTINCT,
    COLUMN_FREQUENT, COLUMN_UNIT, COLUMN_NONE,
};

static const enum column_id of_mappings[] = {COLUMN_MAPPING, COLUMN_BUILD_ID, COLUMN_NONE};

const struct describe_columns describe_columns[DESCRIBE_LISTS] = {
    [DESCRIBE_INPUT] = {STR("file"), of_input},
    [DESCRIBE_SOURCES] = {STR("sources"), of_sources},
    [DESCRIBE_TYPES] = {STR("types"), of_types},
    [DESCRIBE_LABELS] = {STR("labels"), of_labels},
    [DESCRIBE_MAPPINGS] = {STR("mappings"), of_mappings},
};

/* --- what is known --- */

double describe_busy(const struct gather *g, size_t source)
{
    const int64_t duration = g->profile.sources[source].duration;
    if (duration <= 0 || !g->sources[source].has_cpu)
        return 0;
    return decimal_to_double(g->sources[source].cpu) / (double)duration;
}

/* The duration of all sources of G; 0 if one does not say it. *BUSY is that of all. */
static int64_t duration_of_all(const struct gather *g, double *busy)
{
    const int64_t duration = source_date_duration(&g->profile);
    struct decimal cpu = decimal_of(0);
    bool has_cpu = duration > 0;
    for (size_t i = 0; i < g->profile.source_count; i++) {
        decimal_add(&cpu, g->sources[i].cpu);
        has_cpu &= g->sources[i].has_cpu;
    }
    *busy = has_cpu ? decimal_to_double(cpu) / (double)duration : 0;
    return duration;
}

const struct provenance *describe_merged(const struct profile_source *of)
{
    const struct provenance *p = of->provenance;
    return p != NULL && provenance_wrong(p) == NULL ? p : NULL;
}

bool describe_next_comment(struct str *lines, struct str *line)
{
    const char *end = lines->n == 0 ? NULL : memchr(lines->p, '\n', lines->n);
    if (lines->n == 0)
        return false;
    *line = (struct str){lines->p, end == NULL ? lines->n : (size_t)(end - lines->p)};
    *lines = end == NULL ? STR("") : (struct str){end + 1, lines->n - line->n - 1};
    return true;
}

void describe_add_value(struct buf *to, const struct gather *g, const struct label *label)
{
    if (label->string != 0)
        buf_add(to, profile_string_of(&g->profile, label->string));
    else
        emit_number(to, label->number);
}

/* --- cells --- */

static struct sheet_cell none(void)
{
    return (struct sheet_cell){.is_none = true};
}

static struct sheet_cell text_of(struct str text)
{
    return (struct sheet_cell){.text = text, .is_none = text.n == 0};
}

static struct sheet_cell count_of(uint64_t count)
{
    return (struct sheet_cell){.number = wide_of_unsigned(count)};
}

static struct sheet_cell duration_of(int64_t duration)
{
    return duration <= 0 ? none() : count_of((uint64_t)duration);
}

/* The cell of the text of D, which is JSON. */
static struct sheet_cell json_of(const struct describe *d)
{
    return (struct sheet_cell){.text = buf_str(&d->text), .is_json = true};
}

/* The cell of X, with the digits that it has. */
static struct sheet_cell number_of_double(struct describe *d, double x)
{
    decimal_write(&d->text, decimal_of_double(x));
    return json_of(d);
}

static void begin_list(struct describe *d)
{
    buf_add(&d->text, d->is_json ? STR("[") : STR(""));
}

/* Appends the item of D, bytes, to the list in its text. */
static void add_item(struct describe *d)
{
    struct str bytes = buf_str(&d->item);
    if (d->text.n > d->is_json)
        buf_add(&d->text, d->is_json ? STR(",") : d->is_human ? STR(", ") : STR(";"));
    if (d->is_json) {
        struct buf text = {0};
        text_escape(&text, bytes);
        emit_string(&d->text, buf_str(&text));
        buf_free(&text);
    } else if (d->is_human) {
        buf_add(&d->text, bytes);
    } else {
        for (size_t i = 0; i < bytes.n; i++) {
            buf_add(&d->text, bytes.p[i] == ';' || bytes.p[i] == '\\' ? STR("\\") : STR(""));
            buf_add(&d->text, (struct str){bytes.p + i, 1});
        }
    }
    d->item.n = 0;
}

static struct sheet_cell end_list(struct describe *d)
{
    buf_add(&d->text, d->is_json ? STR("]") : STR(""));
    return (struct sheet_cell){.text = buf_str(&d->text), .is_json = d->is_json};
}

static struct sheet_cell list_types(struct describe *d)
{
    const struct gather *g = d->gather;
    begin_list(d);
    for (size_t i = 0; i < g->type_count; i++) {
        const struct value_type *type = value_types_get(&g->flow->types, g->type_order[i]);
        text_unescape(&d->item, type->type);
        if (!d->is_human) {
            buf_add(&d->item, STR("/"));
            text_unescape(&d->item, type->unit);
        }
        add_item(d);
    }
    return end_list(d);
}

static struct sheet_cell list_keys(struct describe *d)
{
    const struct gather *g = d->gather;
    begin_list(d);
    for (size_t i = 0; i < g->key_count; i++) {
        buf_add(&d->item, profile_string_of(&g->profile, g->keys[i].key));
        if (g->keys[i].unit != 0) {
            buf_add(&d->item, STR("/"));
            buf_add(&d->item, profile_string_of(&g->profile, g->keys[i].unit));
        }
        add_item(d);
    }
    return end_list(d);
}

static struct sheet_cell list_comments(struct describe *d, struct str lines)
{
    struct str line;
    begin_list(d);
    while (describe_next_comment(&lines, &line)) {
        buf_add(&d->item, line);
        add_item(d);
    }
    return end_list(d);
}

static struct sheet_cell list_names(struct describe *d, const struct provenance *merged)
{
    struct str names = merged == NULL ? STR("") : buf_str(&merged->names), name;
    uint64_t times;
    begin_list(d);
    while (provenance_next(&names, &name, &times)) {
        text_unescape_tabs(&d->item, name);
        add_item(d);
    }
    return end_list(d);
}

static struct sheet_cell digest_of(struct describe *d, const struct provenance *merged)
{
    if (merged->undigested < merged->count)
        provenance_add_digest(&d->text, merged->digest);
    return text_of(buf_str(&d->text));
}

/* Always JSON: tables have no such list. */
static struct sheet_cell list_frequent(struct describe *d, const struct gather_key *key)
{
    const struct gather *g = d->gather;
    buf_add(&d->text, STR("["));
    for (size_t i = 0; i < key->value_count && i < FREQUENT; i++) {
        const struct gather_value *value = &g->values[key->first + i];
        buf_add(&d->text, i > 0 ? STR(",{\"value\":") : STR("{\"value\":"));
        if (key->is_number) {
            emit_number(&d->text, value->label.number);
        } else {
            d->item.n = 0;
            text_escape(&d->item, profile_string_of(&g->profile, value->label.string));
            emit_string(&d->text, buf_str(&d->item));
        }
        buf_add(&d->text, STR(",\"samples\":"));
        sheet_add_count(&d->text, gather_samples(g, &value->count));
        buf_add(&d->text, STR("}"));
    }
    d->item.n = 0;
    buf_add(&d->text, STR("]"));
    return json_of(d);
}

/* The earliest date with a zone, else that of the only source. */
static struct sheet_cell first_date(struct describe *d)
{
    const struct profile_source *first = source_date_first(&d->gather->profile);
    if (first != NULL)
        source_date_add(&d->text, first, d->is_human);
    return text_of(buf_str(&d->text));
}

static struct sheet_cell cell_of_input(struct describe *d, enum column_id id)
{
    const struct gather *g = d->gather;
    double busy;
    switch (id) {
    case COLUMN_INPUT: return text_of(g->input);
    case COLUMN_FORMAT: return text_of(g->format);
    case COLUMN_SOURCES: return count_of(g->profile.source_count);
    case COLUMN_DATE: return first_date(d);
    case COLUMN_DURATION: return duration_of(duration_of_all(g, &busy));
    case COLUMN_CORES_BUSY:
        return duration_of_all(g, &busy) > 0 && busy > 0 ? number_of_double(d, busy) : none();
    case COLUMN_SAMPLES: return count_of(gather_samples(g, &g->all));
    case COLUMN_SAMPLE_ROWS: return count_of(g->all.rows);
    case COLUMN_STACKS: return count_of(g->profile.stacks.count);
    case COLUMN_DEPTH_P50: return g->deepest == 0 ? none() : count_of(gather_depth(g, 50));
    case COLUMN_DEPTH_P95: return g->deepest == 0 ? none() : count_of(gather_depth(g, 95));
    case COLUMN_DEPTH_MAX: return g->deepest == 0 ? none() : count_of(g->deepest);
    case COLUMN_FUNCTIONS: return count_of(g->function_count);
    case COLUMN_LOCATIONS: return count_of(g->location_count);
    case COLUMN_MAPPINGS: return count_of(g->mapping_count);
    case COLUMN_NO_STACK: return count_of(gather_samples(g, &g->no_stack));
    case COLUMN_NO_NAME: return count_of(gather_samples(g, &g->no_name));
    case COLUMN_CUT: return count_of(gather_samples(g, &g->cut));
    case COLUMN_VALUE_TYPES: return list_types(d);
    case COLUMN_LABEL_KEYS: return list_keys(d);
    default: return none();
    }
}

static struct sheet_cell cell_of_source(struct describe *d, size_t row, enum column_id id)
{
    const struct gather *g = d->gather;
    const struct profile_source *of = &g->profile.sources[row];
    const double busy = describe_busy(g, row);
    const struct provenance *merged = describe_merged(of);
    switch (id) {
    case COLUMN_SOURCE: return text_of(of->uri.p == NULL ? STR("") : of->uri);
    case COLUMN_SOURCE_TYPE: return text_of(of->kind);
    case COLUMN_PRODUCER: return text_of(of->producer);
    case COLUMN_HOST: return text_of(of->host);
    case COLUMN_COMMAND: return text_of(of->command);
    case COLUMN_COMMENTS: return list_comments(d, of->comments);
    case COLUMN_MERGED: return merged == NULL ? none() : count_of(merged->count);
    case COLUMN_MERGED_DIGEST: return merged == NULL ? none() : digest_of(d, merged);
    case COLUMN_MERGED_NAMES: return list_names(d, merged);
    case COLUMN_DATE: source_date_add(&d->text, of, d->is_human); return text_of(buf_str(&d->text));
    case COLUMN_DURATION: return duration_of(of->duration);
    case COLUMN_CORES_BUSY: return busy > 0 ? number_of_double(d, busy) : none();
    case COLUMN_CORES: return of->cores <= 0 ? none() : count_of((uint64_t)of->cores);
    case COLUMN_UTILISATION_PCT:
        return busy > 0 && of->cores > 0 ? (struct sheet_cell){.share = busy / (double)of->cores}
                                         : none();
    case COLUMN_PERIOD:
        return of->has_period ? (struct sheet_cell){.number = wide_of(of->period)} : none();
    case COLUMN_PERIOD_TYPE: return of->has_period ? text_of(of->period_type) : none();
    case COLUMN_PERIOD_UNIT: return of->has_period ? text_of(of->period_unit) : none();
    case COLUMN_SAMPLES: return count_of(gather_samples(g, &g->sources[row].count));
    case COLUMN_SAMPLE_ROWS: return count_of(g->sources[row].count.rows);
    default: return none();
    }
}

static struct sheet_cell cell_of_type(struct describe *d, size_t row, enum column_id id)
{
    const struct gather *g = d->gather;
    const uint32_t number = g->type_order[row];
    const struct value_type *type = value_types_get(&g->flow->types, number);
    struct gather_type *t = &g->types[number - 1];
    switch (id) {
    case COLUMN_TYPE: text_unescape(&d->text, type->type); return text_of(buf_str(&d->text));
    case COLUMN_UNIT: text_unescape(&d->text, type->unit); return text_of(buf_str(&d->text));
    case COLUMN_IS_GAUGE: return count_of(t->is_gauge);
    case COLUMN_NONZERO: return count_of(t->spread.count);
    case COLUMN_VALUE:
        if (t->is_gauge || t->is_inclusive)
            return none();
        decimal_write(&d->text, gather_sum(t));
        return json_of(d);
    case COLUMN_P50:
        return t->spread.count == 0 ? none()
                                    : number_of_double(d, spread_percentile(&t->spread, 50));
    case COLUMN_P95:
        return t->spread.count == 0 ? none()
                                    : number_of_double(d, spread_percentile(&t->spread, 95));
    case COLUMN_MAX:
        if (t->spread.count == 0)
            return none();
        decimal_write(&d->text, t->max);
        return json_of(d);
    default: return none();
    }
}

static struct sheet_cell cell_of_label(struct describe *d, size_t row, enum column_id id)
{
    const struct gather *g = d->gather;
    const struct gather_key *key = &g->keys[row];
    switch (id) {
    case COLUMN_KEY: return (struct sheet_cell){.text = profile_string_of(&g->profile, key->key)};
    case COLUMN_UNIT: return text_of(profile_string_of(&g->profile, key->unit));
    case COLUMN_IS_NUMBER: return count_of(key->is_number);
    case COLUMN_SAMPLES: return count_of(gather_samples(g, &key->count));
    case COLUMN_DISTINCT: return count_of(key->value_count);
    case COLUMN_FREQUENT: return list_frequent(d, key);
    default: return none();
    }
}

static struct sheet_cell cell_of_mapping(struct describe *d, size_t row, enum column_id id)
{
    const struct profile *p = &d->gather->profile;
    const struct profile_mapping *m = &p->mappings[row];
    return text_of(profile_string_of(p, id == COLUMN_MAPPING ? m->filename : m->build_id));
}

size_t describe_count(const struct describe *d, enum describe_list list)
{
    const struct gather *g = d->gather;
    const size_t counts[DESCRIBE_LISTS] = {
        [DESCRIBE_INPUT] = 1,
        [DESCRIBE_SOURCES] = g->profile.source_count,
        [DESCRIBE_TYPES] = g->type_count,
        [DESCRIBE_LABELS] = g->key_count,
        [DESCRIBE_MAPPINGS] = g->mapping_count,
    };
    return counts[list];
}

struct sheet_cell describe_cell(struct describe *d, enum describe_list list, size_t row,
                                enum column_id id)
{
    d->text.n = d->item.n = 0;
    switch (list) {
    case DESCRIBE_INPUT: return cell_of_input(d, id);
    case DESCRIBE_SOURCES: return cell_of_source(d, row, id);
    case DESCRIBE_TYPES: return cell_of_type(d, row, id);
    case DESCRIBE_LABELS: return cell_of_label(d, row, id);
    case DESCRIBE_MAPPINGS: return cell_of_mapping(d, row, id);
    case DESCRIBE_LISTS: break;
    }
    return none();
}

enum sheet_kind describe_kind(enum column_id id)
{
    switch (columns_known[id].type) {
    case COLUMN_TYPE_INTEGER:
    case COLUMN_TYPE_TIME: return SHEET_COUNT;
    case COLUMN_TYPE_PERCENT: return SHEET_SHARE;
    case COLUMN_TYPE_FLAG: return SHEET_FLAG;
    default: return SHEET_MIXED;
    }
}

void describe_free(struct describe *d)
{
    buf_free(&d->text);
    buf_free(&d->item);
}

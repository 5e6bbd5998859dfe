/* Rows of a file of the Firefox Profiler. */
#include "base/mem.h"
#include "formats/firefox/firefox_read.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "stream/growth.h"

#include <inttypes.h>

/* --- definitions --- */

static void push_libs(struct firefox_reader *r)
{
    static const struct str flags[] = {STR("has_functions"), STR("has_filenames"),
                                       STR("has_line_numbers"), STR("has_inline_frames")};
    for (size_t i = 0; i < r->lib_count; i++) {
        const struct firefox_lib *lib = &r->libs[i];
        const struct {
            struct str name;
            uint64_t address;
        } addresses[] = {{STR("memory_start"), lib->start},
                         {STR("memory_limit"), lib->limit},
                         {STR("file_offset"), lib->offset}};
        r->extra.n = 0;
        for (size_t a = 0; a < 3; a++) {
            emit_member(&r->extra, addresses[a].name);
            buf_add(&r->extra, STR("\""));
            emit_address(&r->extra, addresses[a].address);
            buf_add(&r->extra, STR("\""));
        }
        emit_member(&r->extra, STR("filename"));
        emit_inner_string(&r->extra, &r->text,
                          firefox_text(r, lib->path != 0 ? lib->path : lib->name));
        emit_member(&r->extra, STR("build_id"));
        emit_inner_string(&r->extra, &r->text, firefox_text(r, lib->build));
        for (size_t f = 0; f < 4; f++)
            if (lib->flags[f]) {
                emit_member(&r->extra, flags[f]);
                buf_add(&r->extra, STR("true"));
            }
        sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                        .mapping = {.mapping_id = (int64_t)i + 1},
                                        .extra = buf_str(&r->extra)});
    }
}

/* The number of the source of what has no mark: the only one, or the one behind ours. */
static uint32_t foreign_source(const struct firefox_reader *r)
{
    return r->has_mark ? (uint32_t)r->source_count + 1 : 1;
}

/* Lists the type of T, or of its threadCPUDelta, for the source that has no list of its own. */
static void list_type(struct firefox_reader *r, uint32_t type, bool is_gauge)
{
    if (type > r->listed_capacity)
        r->is_listed =
            mem_array_zeroed(r->is_listed, &r->listed_capacity, type, sizeof *r->is_listed);
    if (!r->is_listed[type - 1])
        firefox_add_type(r, (struct firefox_type){
                                .source = foreign_source(r), .type = type, .is_gauge = is_gauge});
    r->is_listed[type - 1] = true;
}

/* The type of T, which is not ours. */
static uint32_t foreign_type(struct firefox_reader *r, struct firefox_track *t)
{
    struct value_types *types = &r->sink->flow->types;
    switch (t->kind) {
    case FIREFOX_TRACK_JS: return value_types_add(types, STR("js_allocations"), STR("bytes"));
    case FIREFOX_TRACK_NATIVE:
        return value_types_add(types, STR("native_allocations"), STR("bytes"));
    case FIREFOX_TRACK_COUNTER:
        return value_types_add_bytes(types, firefox_text(r, t->name), firefox_text(r, t->unit));
    default: break;
    }
    t->power = t->weight_type == FIREFOX_WEIGHT_MS ? 6 : 0;
    return t->weight_type == FIREFOX_WEIGHT_SAMPLES
               ? value_types_add(types, STR("samples"), STR("count"))
           : t->weight_type == FIREFOX_WEIGHT_MS
               ? value_types_add(types, STR("time"), STR("nanoseconds"))
               : value_types_add(types, STR("bytes"), STR("bytes"));
}

static uint32_t cpu_type(struct firefox_reader *r)
{
    struct value_types *types = &r->sink->flow->types;
    if (r->cpu_unit.p == NULL || str_equal(r->cpu_unit, STR("ns")))
        return value_types_add(types, STR("cpu"), STR("nanoseconds"));
    if (str_equal(r->cpu_unit, STR("\xc2\xb5s")))
        return value_types_add(types, STR("cpu"), STR("microseconds"));
    return value_types_add(types, STR("cpu_cycles"), STR("count"));
}

/* Gives T, which is ours, the type that its mark says. */
static void take_mark(struct firefox_reader *r, struct firefox_track *t)
{
    const struct firefox_mark *m = &t->mark;
    if (m->source == 0 && m->type == 0 && t->counts[FIREFOX_STACKS] == 0)
        return;
    if (m->source < 1 || (uint64_t)m->source > r->source_count)
        tokens_die(&r->json, t->where, "\"profpipe\": there is no source %" PRId64, m->source);
    const struct firefox_source *s = &r->sources[m->source - 1];
    if (m->type < 1 || m->type > s->type_count)
        tokens_die(&r->json, t->where, "\"profpipe\": its source has no type %" PRId64, m->type);
    const struct firefox_type *type = &r->types[s->first_type + (size_t)m->type - 1];
    int power = firefox_power(value_types_get(&r->sink->flow->types, type->type)->unit);
    t->source = (uint32_t)m->source;
    t->type = type->type;
    t->is_level = t->kind == FIREFOX_TRACK_COUNTER;
    t->power = t->kind != FIREFOX_TRACK_COUNTER && power >= 0 ? 6 - power : 0;
    if (t->has[FIREFOX_CPU])
        loss_add(LOSS_OWN, STR("threadCPUDelta"), t->counts[FIREFOX_CPU]);
    t->has[FIREFOX_CPU] = false;
}

/* Finds the sources and types of all tracks. Types are listed so that the last one is what the
 * Profiler shows. */
static void find_types(struct firefox_reader *r)
{
    static const int order[] = {FIREFOX_TRACK_NATIVE, FIREFOX_TRACK_JS, FIREFOX_TRACK_COUNTER,
                                FIREFOX_TRACK_SAMPLES};
    for (size_t k = 0; k < FIREFOX_TRACK_KINDS; k++)
        for (size_t i = 0; i < r->track_count; i++) {
            struct firefox_track *t = &r->tracks[i];
            if ((int)t->kind != order[k])
                continue;
            if (r->has_mark && t->mark.is_there) {
                take_mark(r, t);
                continue;
            }
            t->mark = (struct firefox_mark){.is_timed = true};
            t->source = foreign_source(r);
            r->has_foreign = true;
            if (t->has[FIREFOX_CPU])
                list_type(r, t->cpu = cpu_type(r), false);
            t->type = foreign_type(r, t);
            if (t->kind != FIREFOX_TRACK_SAMPLES)
                list_type(r, t->type, t->is_level);
        }
    for (size_t i = 0; i < r->track_count; i++)
        if (r->tracks[i].kind == FIREFOX_TRACK_SAMPLES && !r->tracks[i].mark.is_there)
            list_type(r, r->tracks[i].type, false);
}

/* X as a number of a row, kept until the end. */
static struct number kept_number(struct firefox_reader *r, struct decimal x)
{
    int64_t integer;
    if (decimal_is_integer(x, &integer))
        return number_of(integer);
    r->numbers.n = 0;
    decimal_write_real(&r->numbers, x);
    return (struct number){.kind = NUMBER_REAL,
                           .real =
                               arena_copy(&r->arena, (struct str){r->numbers.p, r->numbers.n - 1})};
}

/* When a source started: OURS, or, if it is null, the file. */
static struct number start_of(struct firefox_reader *r, const struct firefox_source *ours)
{
    struct decimal start = r->start;
    if (ours != NULL)
        return ours->has_timestamp ? kept_number(r, ours->timestamp) : (struct number){0};
    if (decimal_sign(start) == 0)
        return (struct number){0};
    start.exponent -= 3;
    return kept_number(r, start);
}

/* Appends `.value_types` of source number I to r->extra. */
static void add_types(struct firefox_reader *r, uint32_t i, size_t *next)
{
    if (*next == r->type_count || r->types[*next].source != i)
        return;
    listed_begin(&r->extra);
    for (; *next < r->type_count && r->types[*next].source == i; ++*next) {
        const struct value_type *t = value_types_get(&r->sink->flow->types, r->types[*next].type);
        listed_add(&r->extra, t->type, t->unit,
                   r->types[*next].is_gauge ? LISTED_GAUGE : LISTED_SUM);
    }
    listed_end(&r->extra);
}

static void push_sources(struct firefox_reader *r, const char *uri)
{
    size_t count = r->has_mark ? r->source_count + r->has_foreign : 1, next = 0;
    for (size_t i = 0; i < count; i++) {
        const struct firefox_source *ours = i < r->source_count ? &r->sources[i] : NULL;
        struct number timestamp = r->request->timestamp;
        if (timestamp.kind == NUMBER_NULL)
            timestamp = start_of(r, ours);
        r->extra.n = 0;
        add_types(r, (uint32_t)i + 1, &next);
        emit_member(&r->extra, STR(".firefox"));
        size_t start = r->extra.n;
        if (ours != NULL) {
            emit_member(&r->extra, STR("name"));
            emit_inner_string(&r->extra, &r->text, firefox_text(r, ours->name));
        }
        if (ours != NULL && ours->shown != 0) {
            emit_member(&r->extra, STR("shown"));
            emit_inner_string(&r->extra, &r->text, firefox_text(r, ours->shown));
        }
        if (i == 0 && r->meta.n > 0) {
            emit_member(&r->extra, STR("meta"));
            buf_add(&r->extra, STR("\"{"));
            text_escape(&r->extra, (struct str){r->meta.p + 1, r->meta.n - 1});
            buf_add(&r->extra, STR("}\""));
        }
        emit_make_object(&r->extra, start);
        bytes_rows_source(&r->rows, r->sink, (int64_t)i + 1, STR("firefox"), uri, timestamp,
                          &r->extra);
    }
}

/* --- samples --- */

static void add_label(struct firefox_reader *r, const char *key, uint32_t text)
{
    struct str value = firefox_text(r, text);
    int64_t number;
    if (text == 0)
        return;
    buf_add(&r->extra, r->extra.n == 0 ? STR(",\".labels\":[{\"key\":") : STR(",{\"key\":"));
    emit_string(&r->extra, str_of(key));
    emit_member(&r->extra, text_is_integer(value, &number) ? STR("num") : STR("str"));
    if (text_is_integer(value, &number))
        emit_number(&r->extra, number);
    else
        emit_inner_string(&r->extra, &r->text, value);
    buf_add(&r->extra, STR("}"));
}

/* The labels of the samples of T, as a column: the names of its thread, or what our mark says. */
static struct str labels_of(struct firefox_reader *r, const struct firefox_track *t)
{
    r->extra.n = 0;
    if (t->mark.is_there && t->mark.labels.p != NULL) {
        emit_member(&r->extra, STR(".labels"));
        buf_add(&r->extra, t->mark.labels);
    } else if (!t->mark.is_there) {
        const struct firefox_thread none = {.pid = t->pid};
        const struct firefox_thread *of =
            t->kind == FIREFOX_TRACK_COUNTER ? &none : &r->threads[t->thread];
        add_label(r, "process", of->process);
        add_label(r, "pid", of->pid);
        add_label(r, "thread", of->name);
        add_label(r, "tid", of->tid);
        buf_add(&r->extra, r->extra.n > 0 ? STR("]") : STR(""));
    }
    return arena_copy(&r->arena, buf_str(&r->extra));
}

/* Whether the strand of A is that of B, byte for byte; both have as many values. */
static bool are_equal(struct firefox_reader *r, const struct firefox_track *a,
                      const struct firefox_track *b, int strand, size_t size)
{
    if (a->has[strand] != b->has[strand])
        return false;
    if (!a->has[strand])
        return true;
    struct spools_walk x = {.strand = a->strands[strand]}, y = {.strand = b->strands[strand]};
    char of_x[8], of_y[8];
    bool is_equal = true;
    while (is_equal && spools_read(r->spools, &x, of_x, size))
        is_equal = spools_read(r->spools, &y, of_y, size) && memcmp(of_x, of_y, size) == 0;
    spools_leave(&x);
    spools_leave(&y);
    return is_equal;
}

static bool is_double(const struct firefox_reader *r, const struct firefox_track *t)
{
    return r->types[r->sources[t->source - 1].first_type + (size_t)t->mark.type - 1].is_double;
}

/* Whether B, which follows A, has another value of the same samples: those of all types of a sample
 * were written one track after the other. */
static bool is_joined(struct firefox_reader *r, const struct firefox_track *a,
                      const struct firefox_track *b)
{
    const struct firefox_mark *x = &a->mark, *y = &b->mark;
    return x->is_there && y->is_there && a->kind == FIREFOX_TRACK_SAMPLES &&
           b->kind == FIREFOX_TRACK_SAMPLES && x->source == y->source && x->source != 0 &&
           x->type < y->type && a->counts[FIREFOX_STACKS] == b->counts[FIREFOX_STACKS] &&
           x->is_timed == y->is_timed && (x->labels.p == NULL) == (y->labels.p == NULL) &&
           str_equal(x->labels, y->labels) && !is_double(r, a) && !is_double(r, b) &&
           are_equal(r, a, b, FIREFOX_STACKS, sizeof(uint32_t)) &&
           (!x->is_timed || are_equal(r, a, b, FIREFOX_TIMES, sizeof(int64_t)));
}

/* Ends the tool: value I of T cannot be a value of a row. */
static _Noreturn void die_value(const struct firefox_reader *r, const struct firefox_track *t,
                                uint64_t i)
{
    if (t->is_level)
        tokens_die(&r->json, t->where,
                   "\"count\"[%" PRIu64 "]: the changes add up to more than a double can hold", i);
    tokens_die(&r->json, t->where,
               "\"weight\"[%" PRIu64 "]: the weight in %.*s is more than a double can hold", i,
               STR_ARG(value_types_get(&r->sink->flow->types, t->type)->unit));
}

/* Sets value number I of the sample. */
static void set_value(struct firefox_reader *r, size_t i, uint32_t type, struct decimal x)
{
    struct sample_value *v = &r->values[i];
    int64_t integer;
    *v = (struct sample_value){.type = type, .extra = STR("")};
    if (decimal_is_integer(x, &integer)) {
        v->value = number_of(integer);
        return;
    }
    v->value.kind = NUMBER_REAL;
    v->value.real.n = r->numbers.n; /* where it begins, until all are there */
    decimal_write_real(&r->numbers, x);
}

/* Sets the texts of the COUNT values of the sample. */
static void finish_values(struct firefox_reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct number *n = &r->values[i].value;
        if (n->kind != NUMBER_REAL)
            continue;
        n->real.p = r->numbers.p + n->real.n;
        n->real.n = strlen(n->real.p);
    }
}

/* Sets r->stack to STACK of T, which is from 1 or 0; returns its depth. */
static size_t set_stack(struct firefox_reader *r, const struct firefox_tables *t, uint32_t stack)
{
    size_t depth = t->stacks[stack].depth, i = 0;
    growth_check_depth(depth, r->sink->flow->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, depth, sizeof *r->stack);
    for (uint32_t n = stack; n != 0; n = t->stacks[n].above)
        r->stack[i++] = t->stacks[n].location;
    return depth;
}

/* Pushes the samples of the COUNT tracks from T on, which have the same ones. */
static void push_tracks(struct firefox_reader *r, struct firefox_track *t, size_t count)
{
    struct firefox_tables *tables =
        &r->tables[t->kind == FIREFOX_TRACK_COUNTER ? 0 : r->threads[t->thread].tables];
    struct str labels = labels_of(r, t);
    struct spools_walk stacks = {.strand = t->strands[FIREFOX_STACKS]},
                       times = {.strand = t->strands[FIREFOX_TIMES]},
                       cpus = {.strand = t->strands[FIREFOX_CPU]};
    struct spools_walk *weights = mem_alloc_zeroed(count * sizeof *weights);
    struct decimal level = decimal_of(0), x;
    uint32_t stack = 0;
    int64_t time;
    size_t depth = 0;
    for (size_t i = 0; i < count; i++)
        weights[i].strand = t[i].strands[FIREFOX_WEIGHTS];
    bool is_timed = t->has[FIREFOX_TIMES] && (t->mark.is_timed || !t->mark.is_there);
    if (is_timed && t->late.line != 0)
        tokens_die(&r->json, t->late, "expected a time of less than 292 years, in milliseconds");
    if (!tables->is_linked)
        firefox_link_stacks(r, tables);
    r->values = mem_array(r->values, &r->value_capacity, count + 1, sizeof *r->values);
    for (uint64_t i = 0; i < t->counts[FIREFOX_STACKS]; i++) {
        uint32_t before = stack;
        size_t value_count = 0;
        if (t->has[FIREFOX_STACKS])
            spools_read(r->spools, &stacks, &stack, sizeof stack);
        if (stack > tables->columns[FIREFOX_STACK_FRAME].count)
            tokens_die(&r->json, t->where, "\"stack\"[%" PRIu64 "]: there is no stack %" PRIu32, i,
                       stack - 1);
        if (stack != before || i == 0)
            depth = set_stack(r, tables, stack);
        r->numbers.n = r->extra.n = 0;
        if (is_timed && spools_read(r->spools, &times, &time, sizeof time)) {
            emit_member(&r->extra, STR(".time"));
            emit_number(&r->extra, time);
        }
        buf_add(&r->extra, labels);
        /* the first says nothing: there is no sample before it */
        if (t->has[FIREFOX_CPU] && spools_read(r->spools, &cpus, &x, sizeof x) && i > 0 &&
            x.exponent != FIREFOX_NULL_EXPONENT)
            set_value(r, value_count++, t->cpu, x);
        for (size_t j = 0; j < count; j++) {
            x = decimal_of(1);
            if (t[j].has[FIREFOX_WEIGHTS])
                spools_read(r->spools, &weights[j], &x, sizeof x);
            x.exponent += decimal_sign(x) == 0 ? 0 : t[j].power;
            if (t[j].is_level) {
                decimal_add(&level, x);
                x = level;
            }
            if (!decimal_is_double(x))
                die_value(r, &t[j], i);
            set_value(r, value_count++, t[j].type, x);
        }
        finish_values(r, value_count);
        struct sample sample = {.sample_id = (int64_t)++r->sample_count,
                                .source_id = t->source,
                                .extra = buf_str(&r->extra),
                                .values = r->values,
                                .value_count = value_count,
                                .locations = r->stack,
                                .depth = depth};
        sink_sample(r->sink, &sample);
    }
    for (size_t i = 0; i < count; i++)
        spools_leave(&weights[i]);
    spools_leave(&stacks);
    spools_leave(&times);
    spools_leave(&cpus);
    mem_free(weights);
}

void firefox_push(struct firefox_reader *r, const char *uri)
{
    find_types(r);
    push_libs(r);
    push_sources(r, uri);
    for (size_t i = 0, n; i < r->track_count; i += n) {
        for (n = 1;
             i + n < r->track_count && is_joined(r, &r->tracks[i + n - 1], &r->tracks[i + n]);)
            n++;
        if (r->tracks[i].source != 0)
            push_tracks(r, &r->tracks[i], n);
    }
}

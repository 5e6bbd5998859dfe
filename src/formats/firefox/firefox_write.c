/* Takes rows for a file of the Firefox Profiler. See ndjson2firefox(1) for the rules. */
#include "formats/firefox/firefox_write.h"

#include "base/amount.h"
#include "base/mem.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/tokens.h"

static const char *const thread_keys[FIREFOX_KEYS] = {"pid", "tid", "thread", "comm", "process"};

static struct place place_of(const struct firefox_writer *w)
{
    return w->sink.flow->where;
}

/* The number of the string that is spelled TEXT. */
static uint32_t text_string(struct firefox_writer *w, struct str text)
{
    w->scratch.n = 0;
    text_unescape(&w->scratch, text);
    return profile_string(&w->profile, buf_str(&w->scratch));
}

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct firefox_writer *w = writer;
    (void)other;
    switch (member->id) {
    case MEMBER_ID_TIME: return row->table == TABLE_SAMPLES;
    case MEMBER_ID_FIREFOX_JS: w->own.is_js = member->flag; return true;
    case MEMBER_ID_FIREFOX_COLUMN: w->own.column = member->integer; return true;
    case MEMBER_ID_FIREFOX_CATEGORY: w->own.category = text_string(w, member->text); return true;
    case MEMBER_ID_FIREFOX_SUBCATEGORY: w->own.part = text_string(w, member->text); return true;
    default: return false;
    }
}

/* --- sources --- */

/* The JSON of MEMBER, `meta`, kept until the end. */
static struct str kept_meta(struct firefox_writer *w, const struct member *member)
{
    struct buf json = {0};
    w->scratch.n = 0;
    text_unescape(&w->scratch, member->text);
    tokens_copy_text(&json, buf_str(&w->scratch), false, place_of(w), "\"meta\"");
    if (*json.p != '{')
        die_at(place_of(w), "\"meta\": expected an object");
    struct str kept = arena_copy(&w->arena, buf_str(&json));
    buf_free(&json);
    return kept;
}

/* Keeps MEMBER of the row of sources being read (profile.h). */
static bool keep_of_source(void *writer, const struct row *row, const struct member *member,
                           uint32_t *other)
{
    struct firefox_writer *w = writer;
    struct member m;
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_FIREFOX)
        return keep(writer, row, member, other);
    struct members walk = members_of(row, place_of(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    while (members_next(&facts, &m))
        if (m.id == MEMBER_ID_FIREFOX_SHOWN)
            continue; /* the default of the source */
        else if (m.id == MEMBER_ID_FIREFOX_NAME)
            w->read.name = arena_copy(&w->arena, profile_inner_bytes(&w->profile, m.value));
        else if (m.id == MEMBER_ID_FIREFOX_META && w->source_count == 0)
            w->read.meta = kept_meta(w, &m);
        else
            loss_add_inside(row, facts.column, m.name);
    return true;
}

/* The entry of TYPE in SOURCE, from 1; valid until the next call. */
static struct firefox_entry *entry_of(struct firefox_writer *w, uint32_t source, uint32_t type)
{
    if (type > w->known_capacity)
        w->known = mem_array_zeroed(w->known, &w->known_capacity, type, sizeof *w->known);
    uint32_t known = w->known[type - 1];
    if (known != 0 && w->entries[known - 1].source == source)
        return &w->entries[known - 1];
    bool is_new;
    uint32_t id = w->known[type - 1] = firefox_key_of(&w->entry_keys, source, type, &is_new);
    w->entries = mem_array(w->entries, &w->entry_capacity, id, sizeof *w->entries);
    if (is_new) {
        w->entry_count = id;
        w->entries[id - 1] = (struct firefox_entry){
            .source = source, .type = type, .number = ++w->sources[source - 1].types};
    }
    return &w->entries[id - 1];
}

static void read_source(struct firefox_writer *w, const struct row *row)
{
    w->read = (struct firefox_out_source){.earliest = FIREFOX_NO_TIME};
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    struct firefox_out_source *s = &w->read;
    bool is_own = str_equal(of->kind, STR("firefox"));
    clock_add(&w->clock, of);
    s->shown = default_type_says(of);
    s->timestamp = of->timestamp.n > 0 ? of->timestamp : (struct str){NULL, 0};
    if (s->shown.has_time && of->period > 0) {
        s->time = value_types_add_bytes(&w->sink.flow->types, of->period_type, of->period_unit);
        s->period = of->period;
        if (s->shown.default_type.n == 0)
            s->shown.default_type = value_types_get(&w->sink.flow->types, s->time)->type;
    } else if (of->has_period) {
        loss_add(LOSS_FACTS, STR(".period"), 1);
    }
    if (s->name.p == NULL)
        s->name = of->uri.n > 0 ? naming_base_name(of->uri) : of->kind;
    loss_add(LOSS_OWN, STR("source_type"), !is_own);
    loss_add(LOSS_FACTS, STR("source_uri"), !is_own && of->uri.n > s->name.n);
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    w->sources[w->source_count++] = *s;
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t type = profile_list_type(&w->sink.flow->types, t);
        struct firefox_entry *entry = entry_of(w, (uint32_t)w->source_count,
                                               type == w->counts && s->time != 0 ? s->time : type);
        entry->is_listed = true;
        entry->is_gauge = t->gauge;
        entry->is_inclusive = t->inclusive;
    }
}

/* --- functions and frames --- */

static void read_function(struct firefox_writer *w, const struct row *row)
{
    w->own = (struct firefox_own_row){0};
    const struct profile_function *f = profile_add_function(&w->profile, row, place_of(w));
    profile_drop_function(f, true);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = (struct firefox_func){
        .name = f->name,
        .file = f->filename == 0 ? 0 : f->filename + 1,
        .is_js = w->own.is_js,
        .line = f->start_line,
        .column = w->own.column,
    };
}

/* The address of L, a location, in the file that it is mapped from: modulo 2^64, so that it can be
 * computed back. */
static uint64_t address_in_file(const struct firefox_writer *w, const struct profile_location *l)
{
    if (l->mapping == 0)
        return l->address;
    const struct profile_mapping *m = &w->profile.mappings[l->mapping - 1];
    return l->address - m->start + m->offset;
}

/* The function for L, which has none: the Profiler calls code by its address where it knows no
 * function. */
static struct firefox_func stand_in(struct firefox_writer *w, const struct profile_location *l)
{
    w->scratch.n = 0;
    if (l->address != 0) {
        emit_address(&w->scratch, address_in_file(w, l));
    } else {
        naming_add_stand_in(&w->scratch, &w->profile, l);
        loss_add(LOSS_FRAMES, buf_str(&w->scratch), 1);
    }
    return (struct firefox_func){.name = profile_string(&w->profile, buf_str(&w->scratch)),
                                 .file = l->filename == 0 ? 0 : l->filename + 1};
}

/* The function of L. One without a name is called by its address, too, and a file, even if its name
 * is empty, tells it from none. */
static struct firefox_func func_of(struct firefox_writer *w, const struct profile_location *l)
{
    if (l->function == 0)
        return stand_in(w, l);
    struct firefox_func func = w->functions[l->function - 1];
    if (func.name == 0 && l->address != 0) {
        func.name = stand_in(w, l).name;
        func.file = func.file == 0 ? 1 : func.file;
    }
    return func;
}

static void read_location(struct firefox_writer *w, const struct row *row)
{
    w->own = (struct firefox_own_row){0};
    const struct profile_location *l = profile_add_location(&w->profile, row, place_of(w));
    if (l->is_folded)
        loss_add_column(row, STR(".is_folded"));
    struct firefox_func func = func_of(w, l);
    func.mapping = l->mapping;
    uint32_t into = l->into == 0 ? 0 : w->frame_of[l->into - 1];
    struct firefox_frame frame = {
        .func = intern_add(&w->funcs, (struct str){(const char *)&func, sizeof func}, NULL),
        .into = into,
        .depth = into == 0 ? 0 : firefox_frame_at(w, into)->depth + 1,
        .has_address = l->address != 0,
        .address = l->address != 0 ? address_in_file(w, l) : 0,
        .category = w->own.category,
        .part = w->own.part,
        .line = l->line > 0 ? l->line : 0,
        .column = l->column,
    };
    size_t id = (size_t)row->location.location_id;
    w->frame_of = mem_array(w->frame_of, &w->frame_of_capacity, id, sizeof *w->frame_of);
    w->frame_of[id - 1] =
        intern_add(&w->frames, (struct str){(const char *)&frame, sizeof frame}, NULL);
}

/* --- samples --- */

/* The stack of SAMPLE; 0: none. */
static uint32_t read_stack(struct firefox_writer *w, const struct sample *sample)
{
    size_t depth = sample->depth, same = 0;
    w->open = mem_array(w->open, &w->open_capacity, depth, sizeof *w->open);
    w->open_stacks =
        mem_array(w->open_stacks, &w->open_stacks_capacity, depth, sizeof *w->open_stacks);
    while (same < depth && same < w->depth &&
           w->open[same] == w->frame_of[sample->locations[depth - 1 - same] - 1])
        same++;
    for (size_t i = same; i < depth; i++) {
        w->open[i] = w->frame_of[sample->locations[depth - 1 - i] - 1];
        w->open_stacks[i] =
            stack_tree_add(&w->stacks, i == 0 ? 0 : w->open_stacks[i - 1], w->open[i], NULL);
    }
    w->depth = depth;
    return depth == 0 ? 0 : w->open_stacks[depth - 1];
}

size_t firefox_key_index(const struct firefox_writer *w, const struct label *l)
{
    size_t i = 0;
    while (i < FIREFOX_KEYS &&
           !str_equal(profile_string_of(&w->profile, l->key), str_of(thread_keys[i])))
        i++;
    return i;
}

/* As firefox_key_index, but FIREFOX_KEYS for all but the first label of a key. *SEEN, 0 at first,
 * has the keys so far, as bits. */
static size_t thread_key(const struct firefox_writer *w, const struct label *l, unsigned *seen)
{
    size_t key = firefox_key_index(w, l);
    if (key == FIREFOX_KEYS || (*seen & 1u << key) != 0)
        return FIREFOX_KEYS;
    *seen |= 1u << key;
    return key;
}

/* The lane, from 1, of samples of SOURCE with the set of labels ALL. */
static uint32_t find_lane(struct firefox_writer *w, uint32_t source, uint32_t all)
{
    size_t count;
    const struct label *labels = labels_get(&w->profile.labels, all, &count);
    unsigned seen = 0;
    w->labels.n = 0;
    for (size_t i = 0; i < count; i++)
        if (thread_key(w, &labels[i], &seen) < FIREFOX_KEYS)
            buf_add(&w->labels, (struct str){(const char *)&labels[i], sizeof labels[i]});
    bool is_new;
    uint32_t set = labels_add(&w->lane_labels, buf_str(&w->labels));
    uint32_t lane = firefox_key_of(&w->lane_keys, source, set, &is_new);
    w->lanes = mem_array(w->lanes, &w->lane_capacity, lane, sizeof *w->lanes);
    if (is_new)
        w->lanes[lane - 1] = (struct firefox_lane){.source = source, .labels = set};
    return lane;
}

static uint32_t lane_of(struct firefox_writer *w, const struct sample *sample)
{
    bool is_new;
    uint32_t source = (uint32_t)sample->source_id,
             all = profile_label_set(&w->profile, sample->extra, place_of(w)),
             id = firefox_key_of(&w->set_keys, source, all, &is_new);
    w->sets = mem_array(w->sets, &w->set_capacity, id, sizeof *w->sets);
    if (is_new)
        w->sets[id - 1] = (struct firefox_label_set){find_lane(w, source, all), all, 0};
    w->sets[id - 1].uses++;
    return w->sets[id - 1].lane;
}

/* The track, which ENTRY remembers, of its values in LANE. */
static struct firefox_out_track *track_of(struct firefox_writer *w, struct firefox_entry *entry,
                                          uint32_t lane)
{
    if (entry->track != 0 && entry->lane == lane)
        return &w->tracks[entry->track - 1];
    bool is_new;
    uint32_t index = (uint32_t)(entry - w->entries),
             id = firefox_key_of(&w->track_keys, index, lane, &is_new);
    w->tracks = mem_array(w->tracks, &w->track_capacity, id, sizeof *w->tracks);
    if (is_new) {
        w->track_count = id;
        w->tracks[id - 1] = (struct firefox_out_track){.entry = index,
                                                       .lane = lane,
                                                       .strand = spools_begin(w->spools),
                                                       .last = FIREFOX_NO_TIME};
    }
    entry->lane = lane;
    entry->track = id;
    return &w->tracks[id - 1];
}

static void add_record(struct firefox_writer *w, struct firefox_out_track *t,
                       struct firefox_record record)
{
    t->falls |= record.time < t->last;
    t->last = record.time > t->last ? record.time : t->last;
    t->count++;
    spools_write(w->spools, t->strand, (struct str){(const char *)&record, sizeof record});
}

/* Adds X, a level at TIME, to T: those of one time are parts of one level. */
static void add_level(struct firefox_writer *w, struct firefox_out_track *t, int64_t time,
                      struct decimal x)
{
    if (t->is_timed && t->last != time) {
        int64_t last = t->last;
        add_record(w, t, (struct firefox_record){.time = last, .weight = t->sum});
        t->falls |= time < last;
        t->sum = decimal_of(0);
    }
    t->is_timed = true;
    t->last = time;
    decimal_add(&t->sum, x);
}

/* Takes V, a value of a sample in LANE with STACK at TIME. Returns whether it shows STACK. */
static bool take_value(struct firefox_writer *w, uint32_t lane, uint32_t stack, int64_t time,
                       const struct sample_value *v)
{
    uint32_t source = w->lanes[lane - 1].source;
    const struct firefox_out_source *of = &w->sources[source - 1];
    bool is_time = v->type == w->counts && of->time != 0;
    struct firefox_entry *entry = entry_of(w, source, is_time ? of->time : v->type);
    struct decimal x = sample_value_exact(v);
    if (is_time)
        x = amount_times(x, of->period);
    if (!decimal_is_double(x))
        die_as(CODE_OVERFLOW, w->sink.flow->where,
               "the value times the period is more than a double can hold");
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    entry->count += decimal_sign(x) != 0;
    if (entry->is_inclusive) {
        loss_add(LOSS_INCLUSIVE, value_types_get(&w->sink.flow->types, v->type)->type, 1);
        return true;
    }
    if (entry->is_gauge && entry->track == 0)
        entry->is_counter = time != FIREFOX_NO_TIME;
    struct firefox_out_track *t = track_of(w, entry, entry->is_counter ? 0 : lane);
    if (time == FIREFOX_NO_TIME)
        time = t->last;
    if (entry->is_counter) {
        add_level(w, t, time, x);
        return false;
    }
    t->is_timed = time != FIREFOX_NO_TIME;
    add_record(w, t, (struct firefox_record){stack, time, x});
    return true;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct firefox_writer *w = (struct firefox_writer *)to;
    struct place where = to->flow->where;
    uint32_t lane = lane_of(w, sample), stack = read_stack(w, sample);
    struct firefox_out_source *of = &w->sources[sample->source_id - 1];
    bool is_shown = sample->depth == 0;
    int64_t time, since;
    bool has_time = sample_time(sample->extra, &time),
         has_clock = clock_read(&w->clock, sample, &since);
    time = has_time ? time : has_clock ? since : FIREFOX_NO_TIME;
    time += time == FIREFOX_NO_TIME && has_time; /* so far back that it may be one more */
    if (time != FIREFOX_NO_TIME && (of->earliest == FIREFOX_NO_TIME || time < of->earliest))
        of->earliest = time;
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    if (sample->value_count == 0)
        loss_add(LOSS_NO_COUNT, STR(""), 1);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        is_shown |= take_value(w, lane, stack, time, &sample->values[i]);
    }
    to->flow->where = where;
    if (!is_shown && sample->value_count > 0)
        loss_add(LOSS_FIREFOX_STACKS, STR(""), 1);
}

/* Adds the last level of each counter. */
static void end_levels(struct firefox_writer *w)
{
    for (size_t i = 0; i < w->track_count; i++) {
        struct firefox_out_track *t = &w->tracks[i];
        if (firefox_is_counter(t))
            add_record(w, t, (struct firefox_record){.time = t->last, .weight = t->sum});
    }
}

/* Counts what the file has no place for: when sources started but for the first, and labels that do
 * not name threads, each in all samples that have it. */
static void count_losses(struct firefox_writer *w)
{
    struct buf text = {0};
    for (size_t i = 1; i < w->source_count; i++)
        loss_add(LOSS_FACTS, STR("source_timestamp"), w->sources[i].timestamp.p != NULL);
    for (size_t s = 0; s < w->set_keys.count; s++) {
        size_t count;
        unsigned seen = 0;
        const struct label *labels = labels_get(&w->profile.labels, w->sets[s].all, &count);
        for (size_t i = 0; i < count; i++) {
            if (thread_key(w, &labels[i], &seen) < FIREFOX_KEYS)
                continue;
            text.n = 0;
            text_escape(&text, profile_string_of(&w->profile, labels[i].key));
            loss_add(LOSS_FIREFOX_LABELS, buf_str(&text), w->sets[s].uses);
        }
    }
    buf_free(&text);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct firefox_writer *w = (struct firefox_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_MAPPINGS: profile_add_mapping(&w->profile, row, place_of(w)); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct firefox_writer *w = to;
    (void)with;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    w->profile.stacks.flow = flow;
    w->profile.keep = keep_of_source;
    w->profile.user = w;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->clock.counts = w->counts;
    w->spools = spools_open();
}

static void free_list(struct firefox_list *list)
{
    idmap_free(&list->numbers);
    mem_free(list->items);
}

static void close_writer(void *to)
{
    struct firefox_writer *w = to;
    end_levels(w);
    firefox_list(w);
    count_losses(w);
    firefox_write_file(w);
    spools_close(w->spools);
    clock_free(&w->clock);
    INTERN_FREE(&w->entry_keys, &w->track_keys, &w->lane_keys, &w->set_keys, &w->funcs, &w->frames,
                &w->category_keys, &w->part_keys);
    stack_tree_free(&w->stacks);
    struct firefox_list *lists[] = {&w->out_stacks, &w->out_frames, &w->out_funcs,
                                    &w->out_files,  &w->out_libs,   &w->out_strings};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free_list(lists[i]);
    MEM_FREE(w->sources, w->entries, w->tracks, w->order, w->known, w->lanes, w->sets, w->frame_of,
             w->functions, w->open, w->open_stacks, w->categories, w->parts);
    labels_free(&w->lane_labels);
    arena_free(&w->arena);
    profile_free(&w->profile);
    buf_free(&w->labels);
    buf_free(&w->text);
    buf_free(&w->scratch);
}

const struct stage firefox_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct firefox_writer),
    .open = open_writer,
    .close = close_writer,
};

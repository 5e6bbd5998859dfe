/* Profile rows to a processed profile of the Firefox Profiler. See ndjson2firefox(1) for the rules.
 *
 * Tables of stacks come first in such a file, then threads with their samples. So samples wait in
 * spools, one strand for each track: the values of one type, of one source and thread. What is
 * written is numbered at the end, track by track: the numbers depend on what is written only, not
 * on the order in which it came. */
#include "base/amount.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/spools.h"
#include "base/units.h"
#include "formats/firefox/firefox.h"
#include "profile/clock.h"
#include "profile/default_type.h"
#include "profile/naming.h"
#include "profile/stack_tree.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <inttypes.h>

/* The Profiler's numbers are doubles: integers above this may not be exact. */
#define EXACT_MAX (INT64_C(1) << 53)

/* Text of more bytes than this is passed on. */
enum { FLUSH = 1 << 16 };

/* The time of a sample that has none. */
#define NO_TIME INT64_MIN

/* The labels that say in which thread a sample was, as perf and other readers call them. */
static const char *const thread_keys[] = {"pid", "tid", "thread", "comm", "process"};
enum { KEY_PID, KEY_TID, KEY_THREAD, KEY_COMM, KEY_PROCESS, KEYS };

struct source {
    struct str name;            /* bytes, kept until the end */
    struct str meta, timestamp; /* JSON; null p: not given */
    struct default_type shown;
    uint32_t time;    /* the type derived from samples/count and written instead; 0: none */
    int64_t period;   /* the amount of it per sample */
    uint32_t types;   /* how many it has so far */
    size_t first;     /* of these in w->order */
    int64_t earliest; /* the first time of its samples, in nanoseconds; NO_TIME: none has one */
};

/* The values of one type in one source. */
struct entry {
    uint32_t source, type; /* the source from 1; the number of the type in the flow */
    uint32_t number;       /* of the type in the source, from 1 */
    bool is_gauge, is_inclusive, is_listed;
    bool is_counter;      /* a gauge of samples that have times */
    uint64_t count;       /* how many values other than 0 it has */
    uint32_t lane, track; /* of its last value; 0: none so far */
};

/* A thread of a source: samples with the same labels of thread_keys. */
struct lane {
    uint32_t source, labels; /* the number of the set */
    uint32_t tracks;         /* how many it has */
    uint32_t number;         /* in the file, from 1 */
};

/* What is written as one thread, or as one counter. */
struct track {
    uint32_t entry, lane; /* from 0; from 1, and 0 for a counter */
    uint32_t strand;
    uint64_t count;
    int64_t last;       /* the time of its last sample */
    bool is_timed;      /* its samples have times, */
    bool falls;         /* which are not in order */
    struct decimal sum; /* of a counter: the values of the last time */
};

/* A sample in a strand. */
struct record {
    uint32_t stack; /* 0: none */
    int64_t time;   /* in nanoseconds, or NO_TIME */
    struct decimal weight;
};

/* The distinct contents of the tables. All are numbered in the order of rows first, from 1. There
 * is no padding, so that they can be keys. */
struct func {
    uint32_t name; /* a string of the profile */
    uint32_t file; /* the same plus 1: 1 is an empty name, and 0 no file */
    uint32_t mapping, is_js;
    int64_t line, column;
};

struct frame {
    uint32_t func, into; /* the frame that it is inlined into; 0: none */
    uint64_t address;
    uint32_t has_address, depth; /* how many frames it is inlined into */
    uint32_t category, part;     /* strings of the profile */
    int64_t line, column;
};

/* A category of frames, and those of its parts that are used: a list. Strings of the profile. */
struct category {
    uint32_t name, first, last, count;
};

struct part {
    uint32_t name, number, next; /* the number in its category, from 1; the next one, 0: none */
};

/* What is written of such a table, in order. */
struct list {
    struct idmap numbers; /* from 1, by the number in the order of rows */
    uint32_t *items;      /* numbers in the order of rows */
    size_t count, capacity;
};

struct writer {
    struct sink sink;
    struct out *out;
    struct profile profile;
    struct clock clock;
    struct arena arena;
    struct spools *spools;

    struct source *sources;
    size_t source_count, source_capacity;
    struct source read; /* of the row being read */
    struct entry *entries;
    uint32_t *order; /* of entries: by source and number */
    size_t entry_count, entry_capacity;
    struct intern entry_keys, track_keys; /* the numbers are indexes + 1 */
    struct track *tracks;
    size_t track_count, track_capacity;
    uint32_t *known; /* the last entry, from 1, by type - 1 */
    size_t known_capacity;
    uint32_t counts; /* the type samples/count */

    struct lane *lanes;
    size_t lane_capacity;
    struct labels lane_labels;
    struct intern lane_keys, set_keys; /* by source and set: of labels of threads, of all labels */
    struct set {
        uint32_t lane, all;
        uint64_t uses; /* by samples */
    } * sets;
    size_t set_capacity;
    struct buf labels;

    struct intern funcs, frames;
    struct stack_tree stacks;
    uint32_t *frame_of; /* by location - 1 */
    size_t frame_of_capacity;
    struct func *functions; /* without a mapping, by function - 1 */
    size_t function_capacity;
    struct own { /* of the row being read */
        uint32_t category, part;
        bool is_js;
        int64_t column;
    } own;
    uint32_t *open, *open_stacks; /* frames of the last sample, outermost first, and their stacks */
    size_t depth, open_capacity, open_stacks_capacity;

    struct list out_stacks, out_frames, out_funcs, out_files, out_libs, out_strings;
    struct intern category_keys, part_keys; /* by name; by category and name */
    struct category *categories; /* by number - 1; the first is that of all other frames, */
    uint32_t other;              /* which has this name */
    struct part *parts;
    size_t category_capacity, part_capacity;
    struct buf text, scratch;
    uint64_t inexact;
};

static struct place place_of(const struct writer *w)
{
    return w->sink.flow->where;
}

static uint32_t key_of(struct intern *t, uint32_t a, uint32_t b, bool *is_new)
{
    uint32_t key[] = {a, b};
    return intern_add(t, (struct str){(const char *)key, sizeof key}, is_new);
}

static const struct func *func_at(const struct writer *w, uint32_t number)
{
    return (const struct func *)(const void *)intern_get(&w->funcs, number).p;
}

static const struct frame *frame_at(const struct writer *w, uint32_t number)
{
    return (const struct frame *)(const void *)intern_get(&w->frames, number).p;
}

static const struct stack_node *stack_at(const struct writer *w, uint32_t number)
{
    return &w->stacks.nodes[number - 1];
}

/* === rows === */

/* The number of the string that is spelled TEXT. */
static uint32_t text_string(struct writer *w, struct str text)
{
    w->scratch.n = 0;
    text_unescape(&w->scratch, text);
    return profile_string(&w->profile, buf_str(&w->scratch));
}

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct writer *w = writer;
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
static struct str kept_meta(struct writer *w, const struct member *member)
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
    struct writer *w = writer;
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
static struct entry *entry_of(struct writer *w, uint32_t source, uint32_t type)
{
    if (type > w->known_capacity)
        w->known = mem_array_zeroed(w->known, &w->known_capacity, type, sizeof *w->known);
    uint32_t known = w->known[type - 1];
    if (known != 0 && w->entries[known - 1].source == source)
        return &w->entries[known - 1];
    bool is_new;
    uint32_t id = w->known[type - 1] = key_of(&w->entry_keys, source, type, &is_new);
    w->entries = mem_array(w->entries, &w->entry_capacity, id, sizeof *w->entries);
    if (is_new) {
        w->entry_count = id;
        w->entries[id - 1] = (struct entry){
            .source = source, .type = type, .number = ++w->sources[source - 1].types};
    }
    return &w->entries[id - 1];
}

static void read_source(struct writer *w, const struct row *row)
{
    w->read = (struct source){.earliest = NO_TIME};
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    struct source *s = &w->read;
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
        struct entry *entry = entry_of(w, (uint32_t)w->source_count,
                                       type == w->counts && s->time != 0 ? s->time : type);
        entry->is_listed = true;
        entry->is_gauge = t->gauge;
        entry->is_inclusive = t->inclusive;
    }
}

/* --- functions and frames --- */

static void read_function(struct writer *w, const struct row *row)
{
    w->own = (struct own){0};
    const struct profile_function *f = profile_add_function(&w->profile, row, place_of(w));
    profile_drop_function(f, true);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = (struct func){
        .name = f->name,
        .file = f->filename == 0 ? 0 : f->filename + 1,
        .is_js = w->own.is_js,
        .line = f->start_line,
        .column = w->own.column,
    };
}

/* The address of L, a location, in the file that it is mapped from: modulo 2^64, so that it can be
 * computed back. */
static uint64_t address_in_file(const struct writer *w, const struct profile_location *l)
{
    if (l->mapping == 0)
        return l->address;
    const struct profile_mapping *m = &w->profile.mappings[l->mapping - 1];
    return l->address - m->start + m->offset;
}

/* The function for L, which has none: the Profiler calls code by its address where it knows no
 * function. */
static struct func stand_in(struct writer *w, const struct profile_location *l)
{
    w->scratch.n = 0;
    if (l->address != 0) {
        emit_address(&w->scratch, address_in_file(w, l));
    } else {
        naming_add_stand_in(&w->scratch, &w->profile, l);
        loss_add(LOSS_FRAMES, buf_str(&w->scratch), 1);
    }
    return (struct func){.name = profile_string(&w->profile, buf_str(&w->scratch)),
                         .file = l->filename == 0 ? 0 : l->filename + 1};
}

/* The function of L. One without a name is called by its address, too, and a file, even if its name
 * is empty, tells it from none. */
static struct func func_of(struct writer *w, const struct profile_location *l)
{
    if (l->function == 0)
        return stand_in(w, l);
    struct func func = w->functions[l->function - 1];
    if (func.name == 0 && l->address != 0) {
        func.name = stand_in(w, l).name;
        func.file = func.file == 0 ? 1 : func.file;
    }
    return func;
}

static void read_location(struct writer *w, const struct row *row)
{
    w->own = (struct own){0};
    const struct profile_location *l = profile_add_location(&w->profile, row, place_of(w));
    if (l->is_folded)
        loss_add_column(row, STR(".is_folded"));
    struct func func = func_of(w, l);
    func.mapping = l->mapping;
    uint32_t into = l->into == 0 ? 0 : w->frame_of[l->into - 1];
    struct frame frame = {
        .func = intern_add(&w->funcs, (struct str){(const char *)&func, sizeof func}, NULL),
        .into = into,
        .depth = into == 0 ? 0 : frame_at(w, into)->depth + 1,
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
static uint32_t read_stack(struct writer *w, const struct sample *sample)
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

/* The index in thread_keys of L, or KEYS. */
static size_t key_index(const struct writer *w, const struct label *l)
{
    size_t i = 0;
    while (i < KEYS && !str_equal(profile_string_of(&w->profile, l->key), str_of(thread_keys[i])))
        i++;
    return i;
}

/* The same, but KEYS for all but the first label of a key. *SEEN, 0 at first, has the keys so far,
 * as bits. */
static size_t thread_key(const struct writer *w, const struct label *l, unsigned *seen)
{
    size_t key = key_index(w, l);
    if (key == KEYS || (*seen & 1u << key) != 0)
        return KEYS;
    *seen |= 1u << key;
    return key;
}

/* The lane, from 1, of samples of SOURCE with the set of labels ALL. */
static uint32_t find_lane(struct writer *w, uint32_t source, uint32_t all)
{
    size_t count;
    const struct label *labels = labels_get(&w->profile.labels, all, &count);
    unsigned seen = 0;
    w->labels.n = 0;
    for (size_t i = 0; i < count; i++)
        if (thread_key(w, &labels[i], &seen) < KEYS)
            buf_add(&w->labels, (struct str){(const char *)&labels[i], sizeof labels[i]});
    bool is_new;
    uint32_t set = labels_add(&w->lane_labels, buf_str(&w->labels));
    uint32_t lane = key_of(&w->lane_keys, source, set, &is_new);
    w->lanes = mem_array(w->lanes, &w->lane_capacity, lane, sizeof *w->lanes);
    if (is_new)
        w->lanes[lane - 1] = (struct lane){.source = source, .labels = set};
    return lane;
}

static uint32_t lane_of(struct writer *w, const struct sample *sample)
{
    bool is_new;
    uint32_t source = (uint32_t)sample->source_id,
             all = profile_label_set(&w->profile, sample->extra, place_of(w)),
             id = key_of(&w->set_keys, source, all, &is_new);
    w->sets = mem_array(w->sets, &w->set_capacity, id, sizeof *w->sets);
    if (is_new)
        w->sets[id - 1] = (struct set){find_lane(w, source, all), all, 0};
    w->sets[id - 1].uses++;
    return w->sets[id - 1].lane;
}

/* The track, which ENTRY remembers, of its values in LANE. */
static struct track *track_of(struct writer *w, struct entry *entry, uint32_t lane)
{
    if (entry->track != 0 && entry->lane == lane)
        return &w->tracks[entry->track - 1];
    bool is_new;
    uint32_t index = (uint32_t)(entry - w->entries),
             id = key_of(&w->track_keys, index, lane, &is_new);
    w->tracks = mem_array(w->tracks, &w->track_capacity, id, sizeof *w->tracks);
    if (is_new) {
        w->track_count = id;
        w->tracks[id - 1] = (struct track){
            .entry = index, .lane = lane, .strand = spools_begin(w->spools), .last = NO_TIME};
    }
    entry->lane = lane;
    entry->track = id;
    return &w->tracks[id - 1];
}

static void add_record(struct writer *w, struct track *t, struct record record)
{
    t->falls |= record.time < t->last;
    t->last = record.time > t->last ? record.time : t->last;
    t->count++;
    spools_write(w->spools, t->strand, (struct str){(const char *)&record, sizeof record});
}

/* Adds X, a level at TIME, to T: those of one time are parts of one level. */
static void add_level(struct writer *w, struct track *t, int64_t time, struct decimal x)
{
    if (t->is_timed && t->last != time) {
        int64_t last = t->last;
        add_record(w, t, (struct record){.time = last, .weight = t->sum});
        t->falls |= time < last;
        t->sum = decimal_of(0);
    }
    t->is_timed = true;
    t->last = time;
    decimal_add(&t->sum, x);
}

/* Takes V, a value of a sample in LANE with STACK at TIME. Returns whether it shows STACK. */
static bool take_value(struct writer *w, uint32_t lane, uint32_t stack, int64_t time,
                       const struct sample_value *v)
{
    uint32_t source = w->lanes[lane - 1].source;
    const struct source *of = &w->sources[source - 1];
    bool is_time = v->type == w->counts && of->time != 0;
    struct entry *entry = entry_of(w, source, is_time ? of->time : v->type);
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
        entry->is_counter = time != NO_TIME;
    struct track *t = track_of(w, entry, entry->is_counter ? 0 : lane);
    if (time == NO_TIME)
        time = t->last;
    if (entry->is_counter) {
        add_level(w, t, time, x);
        return false;
    }
    t->is_timed = time != NO_TIME;
    add_record(w, t, (struct record){stack, time, x});
    return true;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct writer *w = (struct writer *)to;
    struct place where = to->flow->where;
    uint32_t lane = lane_of(w, sample), stack = read_stack(w, sample);
    struct source *of = &w->sources[sample->source_id - 1];
    bool is_shown = sample->depth == 0;
    int64_t time, since;
    bool has_time = sample_time(sample->extra, &time),
         has_clock = clock_read(&w->clock, sample, &since);
    time = has_time ? time : has_clock ? since : NO_TIME;
    time += time == NO_TIME && has_time; /* so far back that it may be one more */
    if (time != NO_TIME && (of->earliest == NO_TIME || time < of->earliest))
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

/* === what is written === */

/* The position of ITEM, a number from 1 in the order of rows, in LIST; it is appended if it is not
 * there. */
static uint32_t listed(struct list *list, uint32_t item, bool *is_new)
{
    uint32_t number = idmap_get(&list->numbers, item);
    *is_new = number == 0;
    if (number == 0) {
        list->items = mem_array(list->items, &list->capacity, list->count + 1, sizeof *list->items);
        list->items[list->count++] = item;
        number = (uint32_t)list->count;
        idmap_put(&list->numbers, item, number);
    }
    return number - 1;
}

/* The position of ITEM, which is there. */
static int64_t position(const struct list *list, uint32_t item)
{
    return (int64_t)idmap_get(&list->numbers, item) - 1;
}

/* Strings are listed with their number plus 1: 0 is the empty string. */
static void list_string(struct writer *w, uint32_t string)
{
    bool is_new;
    listed(&w->out_strings, string + 1, &is_new);
}

/* Lists the category and the part of FRAME. */
static void list_category(struct writer *w, const struct frame *frame)
{
    bool is_new;
    uint32_t name = frame->category == 0 ? w->other : frame->category,
             id = key_of(&w->category_keys, name, 0, &is_new);
    w->categories = mem_array(w->categories, &w->category_capacity, id, sizeof *w->categories);
    struct category *c = &w->categories[id - 1];
    if (is_new)
        *c = (struct category){.name = name};
    uint32_t part = frame->part == 0 ? 0 : key_of(&w->part_keys, id, frame->part, &is_new);
    if (part == 0 || !is_new)
        return;
    w->parts = mem_array(w->parts, &w->part_capacity, part, sizeof *w->parts);
    w->parts[part - 1] = (struct part){.name = frame->part, .number = ++c->count};
    *(c->last == 0 ? &c->first : &w->parts[c->last - 1].next) = part;
    c->last = part;
}

static void list_frame(struct writer *w, uint32_t number)
{
    bool is_new;
    const struct frame *frame = frame_at(w, number);
    listed(&w->out_frames, number, &is_new);
    if (!is_new)
        return;
    list_category(w, frame);
    const struct func *func = func_at(w, frame->func);
    listed(&w->out_funcs, frame->func, &is_new);
    if (!is_new)
        return;
    list_string(w, func->name);
    if (func->file != 0) {
        listed(&w->out_files, func->file, &is_new);
        list_string(w, func->file - 1);
    }
    if (func->mapping != 0) {
        listed(&w->out_libs, func->mapping, &is_new);
        list_string(
            w, profile_string(&w->profile,
                              naming_base_name(profile_string_of(
                                  &w->profile, w->profile.mappings[func->mapping - 1].filename))));
    }
}

/* Lists the stack NUMBER, after those above it. */
static void list_stack(struct writer *w, uint32_t number)
{
    size_t count = 0;
    bool is_new;
    for (uint32_t n = number; n != 0 && idmap_get(&w->out_stacks.numbers, n) == 0;
         n = stack_at(w, n)->parent) {
        w->open = mem_array(w->open, &w->open_capacity, count + 1, sizeof *w->open);
        w->open[count++] = n;
    }
    while (count > 0) {
        uint32_t n = w->open[--count];
        listed(&w->out_stacks, n, &is_new);
        list_frame(w, stack_at(w, n)->frame);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

static bool is_counter(const struct track *t)
{
    return t->lane == 0;
}

/* Adds up the RECORDS of T that have one time: they are parts of one level. */
static void add_equal_times(struct record *records, struct track *t)
{
    size_t count = 1;
    for (size_t i = 1; i < t->count; i++)
        if (records[i].time == records[count - 1].time)
            decimal_add(&records[count - 1].weight, records[i].weight);
        else
            records[count++] = records[i];
    t->count = count;
}

/* Puts the samples of T in the order of their times: the Profiler skips those that go back. */
static void sort_track(struct writer *w, struct track *t)
{
    struct record *records = mem_alloc(t->count * sizeof *records);
    struct spools_walk walk = {.strand = t->strand};
    spools_read(w->spools, &walk, records, t->count * sizeof *records);
    spools_leave(&walk);
    order_items(records, t->count, sizeof *records, by_time);
    if (is_counter(t))
        add_equal_times(records, t);
    t->strand = spools_begin(w->spools);
    spools_write(w->spools, t->strand,
                 (struct str){(const char *)records, t->count * sizeof *records});
    mem_free(records);
    t->falls = false;
}

static int by_place(const void *a, const void *b, void *with)
{
    const struct writer *w = with;
    const struct track *x = a, *y = b;
    const struct entry *of_x = &w->entries[x->entry], *of_y = &w->entries[y->entry];
    if (of_x->source != of_y->source)
        return of_x->source < of_y->source ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (of_x->number > of_y->number) - (of_x->number < of_y->number);
}

/* Orders the entries of each source by their numbers. */
static void order_entries(struct writer *w)
{
    size_t first = 0;
    w->order = mem_alloc((w->entry_count + 1) * sizeof *w->order);
    for (size_t i = 0; i < w->source_count; i++) {
        w->sources[i].first = first;
        first += w->sources[i].types;
    }
    for (uint32_t i = 0; i < w->entry_count; i++)
        w->order[w->sources[w->entries[i].source - 1].first + w->entries[i].number - 1] = i;
}

/* Orders the tracks and lists what is in their samples. */
static void list_all(struct writer *w)
{
    uint32_t lanes = 0;
    struct record record;
    w->other = profile_string(&w->profile, STR("Other"));
    list_category(w, &(struct frame){0});
    for (size_t i = 0; i < w->track_count; i++) {
        struct track *t = &w->tracks[i];
        if (is_counter(t))
            add_record(w, t, (struct record){.time = t->last, .weight = t->sum});
        if (t->falls)
            sort_track(w, t);
    }
    order_items_with(w->tracks, w->track_count, sizeof *w->tracks, by_place, w);
    for (size_t i = 0; i < w->track_count; i++) {
        struct spools_walk walk = {.strand = w->tracks[i].strand};
        struct lane *lane = is_counter(&w->tracks[i]) ? NULL : &w->lanes[w->tracks[i].lane - 1];
        if (lane != NULL && lane->tracks++ == 0)
            lane->number = ++lanes;
        while (!is_counter(&w->tracks[i]) && spools_read(w->spools, &walk, &record, sizeof record))
            list_stack(w, record.stack);
        spools_leave(&walk);
    }
}

/* --- text --- */

static void add(struct writer *w, struct str text)
{
    buf_add(&w->text, text);
}

static void flush(struct writer *w, size_t above)
{
    if (w->text.n <= above)
        return;
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Appends the string BYTES, in quotes. */
static void add_string(struct writer *w, struct str bytes)
{
    size_t start = w->text.n + 1;
    add(w, STR("\""));
    if (!text_escape_all(&w->text, bytes))
        loss_add(LOSS_FIREFOX_NAMES, (struct str){w->text.p + start, w->text.n - start}, 1);
    add(w, STR("\""));
}

static void add_string_member(struct writer *w, struct str name, struct str bytes)
{
    emit_member(&w->text, name);
    add_string(w, bytes);
}

static void add_number_member(struct writer *w, struct str name, int64_t number)
{
    emit_member(&w->text, name);
    emit_number(&w->text, number);
}

/* Appends X, one of WHAT, with no more digits than it needs. */
static void add_decimal(struct writer *w, struct decimal x, struct str what)
{
    int64_t digits;
    if (!decimal_is_double(x))
        die(CODE_OVERFLOW, "the values of \"%.*s\" are more than a double can hold", STR_ARG(what));
    if (!wide_fits(x.digits, &digits)) {
        decimal_write(&w->text, x);
        w->inexact++;
        return;
    }
    for (x.exponent = digits == 0 ? 0 : x.exponent; x.exponent < 0 && digits % 10 == 0;
         digits /= 10)
        x.exponent++;
    w->inexact += digits > EXACT_MAX || digits < -EXACT_MAX;
    if (x.exponent == 0)
        emit_number(&w->text, digits);
    else
        decimal_write(&w->text, (struct decimal){wide_of(digits), x.exponent});
}

/* X, in nanoseconds, in milliseconds. */
static struct decimal in_ms(struct decimal x)
{
    x.exponent -= 6;
    return x;
}

static void add_or_null(struct writer *w, int64_t number, bool is_there)
{
    if (is_there)
        emit_number(&w->text, number);
    else
        add(w, STR("null"));
}

/* --- tables --- */

/* A column of a table: appends the value of row I. */
struct column {
    struct str name;
    void (*add)(struct writer *w, size_t i);
};

/* Appends the table NAME of COUNT rows. */
static void add_table(struct writer *w, struct str name, size_t count, const struct column *columns,
                      size_t column_count)
{
    add(w, str_equal(name, STR("stackTable")) ? STR("\"") : STR(",\n\""));
    add(w, name);
    add(w, STR("\":{"));
    for (size_t c = 0; c < column_count; c++) {
        add(w, STR("\""));
        add(w, columns[c].name);
        add(w, STR("\":["));
        for (size_t i = 0; i < count; i++) {
            add(w, i == 0 ? STR("") : STR(","));
            if (columns[c].add == NULL)
                add(w, STR("null"));
            else
                columns[c].add(w, i);
            flush(w, FLUSH);
        }
        add(w, STR("],"));
    }
    add(w, STR("\"length\":"));
    emit_number(&w->text, (int64_t)count);
    add(w, STR("}"));
}

static const struct stack_node *out_stack(const struct writer *w, size_t i)
{
    return stack_at(w, w->out_stacks.items[i]);
}

static const struct frame *out_frame(const struct writer *w, size_t i)
{
    return frame_at(w, w->out_frames.items[i]);
}

static const struct func *out_func(const struct writer *w, size_t i)
{
    return func_at(w, w->out_funcs.items[i]);
}

static const struct profile_mapping *out_lib(const struct writer *w, size_t i)
{
    return &w->profile.mappings[w->out_libs.items[i] - 1];
}

static struct str lib_name(const struct writer *w, size_t i)
{
    return naming_base_name(profile_string_of(&w->profile, out_lib(w, i)->filename));
}

static int64_t string_position(const struct writer *w, uint32_t string)
{
    return position(&w->out_strings, string + 1);
}

static void stack_frame(struct writer *w, size_t i)
{
    emit_number(&w->text, position(&w->out_frames, out_stack(w, i)->frame));
}

static void stack_offset(struct writer *w, size_t i)
{
    uint32_t above = out_stack(w, i)->parent;
    emit_number(&w->text, above == 0 ? 0 : (int64_t)i - position(&w->out_stacks, above));
}

static void frame_address(struct writer *w, size_t i)
{
    const struct frame *frame = out_frame(w, i);
    if (frame->has_address)
        decimal_write(&w->text, (struct decimal){wide_of_unsigned(frame->address), 0});
    else
        add(w, STR("-1"));
}

static void frame_depth(struct writer *w, size_t i)
{
    emit_number(&w->text, out_frame(w, i)->depth);
}

static uint32_t category_number(const struct writer *w, const struct frame *frame)
{
    uint32_t key[] = {frame->category == 0 ? w->other : frame->category, 0};
    return intern_find(&w->category_keys, (struct str){(const char *)key, sizeof key});
}

static void frame_category(struct writer *w, size_t i)
{
    emit_number(&w->text, category_number(w, out_frame(w, i)) - 1);
}

static void frame_part(struct writer *w, size_t i)
{
    const struct frame *frame = out_frame(w, i);
    uint32_t key[] = {category_number(w, frame), frame->part};
    uint32_t part = frame->part == 0
                        ? 0
                        : intern_find(&w->part_keys, (struct str){(const char *)key, sizeof key});
    emit_number(&w->text, part == 0 ? 0 : w->parts[part - 1].number);
}

static void frame_func(struct writer *w, size_t i)
{
    emit_number(&w->text, position(&w->out_funcs, out_frame(w, i)->func));
}

static void frame_line(struct writer *w, size_t i)
{
    add_or_null(w, out_frame(w, i)->line, out_frame(w, i)->line != 0);
}

static void frame_column(struct writer *w, size_t i)
{
    add_or_null(w, out_frame(w, i)->column, out_frame(w, i)->column != 0);
}

static void func_name(struct writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, out_func(w, i)->name));
}

static void func_is_js(struct writer *w, size_t i)
{
    add(w, out_func(w, i)->is_js ? STR("true") : STR("false"));
}

static void func_resource(struct writer *w, size_t i)
{
    uint32_t mapping = out_func(w, i)->mapping;
    emit_number(&w->text, mapping == 0 ? -1 : position(&w->out_libs, mapping));
}

static void func_source(struct writer *w, size_t i)
{
    uint32_t file = out_func(w, i)->file;
    add_or_null(w, file == 0 ? 0 : position(&w->out_files, file), file != 0);
}

static void func_line(struct writer *w, size_t i)
{
    add_or_null(w, out_func(w, i)->line, out_func(w, i)->line != 0);
}

static void func_column(struct writer *w, size_t i)
{
    add_or_null(w, out_func(w, i)->column, out_func(w, i)->column != 0);
}

static void own_index(struct writer *w, size_t i)
{
    emit_number(&w->text, (int64_t)i);
}

static void resource_name(struct writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, profile_string(&w->profile, lib_name(w, i))));
}

static void file_name(struct writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, w->out_files.items[i] - 1));
}

static void zero(struct writer *w, size_t i)
{
    (void)i;
    add(w, STR("0"));
}

static void one(struct writer *w, size_t i)
{
    (void)i;
    add(w, STR("1"));
}

static void no(struct writer *w, size_t i)
{
    (void)i;
    add(w, STR("false"));
}

/* Writes what all threads share. */
static void write_shared(struct writer *w)
{
#define TABLE(name, count, ...)                                                                    \
    do {                                                                                           \
        static const struct column columns[] = {__VA_ARGS__};                                      \
        add_table(w, STR(name), count, columns, sizeof columns / sizeof *columns);                 \
    } while (0)
    add(w, STR(",\n\"shared\":{"));
    TABLE("stackTable", w->out_stacks.count, {STR("frame"), stack_frame},
          {STR("prefixOffset"), stack_offset});
    TABLE("frameTable", w->out_frames.count, {STR("address"), frame_address},
          {STR("inlineDepth"), frame_depth}, {STR("category"), frame_category},
          {STR("subcategory"), frame_part}, {STR("func"), frame_func}, {STR("nativeSymbol"), NULL},
          {STR("innerWindowID"), zero}, {STR("line"), frame_line}, {STR("column"), frame_column},
          {STR("originalLocation"), NULL});
    TABLE("funcTable", w->out_funcs.count, {STR("name"), func_name}, {STR("isJS"), func_is_js},
          {STR("relevantForJS"), no}, {STR("resource"), func_resource},
          {STR("source"), func_source}, {STR("lineNumber"), func_line},
          {STR("columnNumber"), func_column}, {STR("originalLocation"), NULL});
    TABLE("resourceTable", w->out_libs.count, {STR("lib"), own_index}, {STR("name"), resource_name},
          {STR("host"), NULL}, {STR("type"), one});
    TABLE("nativeSymbols", 0, {STR("libIndex"), NULL}, {STR("address"), NULL}, {STR("name"), NULL},
          {STR("functionSize"), NULL});
    TABLE("sources", w->out_files.count, {STR("id"), NULL}, {STR("filename"), file_name},
          {STR("startLine"), one}, {STR("startColumn"), one}, {STR("sourceMapURL"), NULL},
          {STR("content"), NULL});
    TABLE("sourceLocationTable", 0, {STR("source"), NULL}, {STR("line"), NULL},
          {STR("column"), NULL});
#undef TABLE
    add(w, STR(",\n\"stringArray\":["));
    for (size_t i = 0; i < w->out_strings.count; i++) {
        add(w, i == 0 ? STR("") : STR(","));
        add_string(w, profile_string_of(&w->profile, w->out_strings.items[i] - 1));
        flush(w, FLUSH);
    }
    add(w, STR("]}"));
}

/* --- what is in front of the tables --- */

/* The colours of categories that Firefox and samply have. */
static struct str colour_of(struct str category)
{
    static const struct {
        struct str category, colour;
    } known[] = {
        {STR("Other"), STR("grey")},     {STR("Idle"), STR("transparent")},
        {STR("Layout"), STR("purple")},  {STR("JavaScript"), STR("yellow")},
        {STR("User"), STR("yellow")},    {STR("GC / CC"), STR("orange")},
        {STR("Kernel"), STR("orange")},  {STR("Network"), STR("lightblue")},
        {STR("Graphics"), STR("green")},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(known[i].category, category))
            return known[i].colour;
    return STR("blue");
}

static void add_categories(struct writer *w)
{
    add(w, STR("\"categories\":["));
    for (size_t i = 0; i < w->category_keys.count; i++) {
        struct str name = profile_string_of(&w->profile, w->categories[i].name);
        add(w, i == 0 ? STR("{\"name\":") : STR(",{\"name\":"));
        add_string(w, name);
        add_string_member(w, STR("color"), colour_of(name));
        add(w, STR(",\"subcategories\":[\"Other\""));
        for (uint32_t p = w->categories[i].first; p != 0; p = w->parts[p - 1].next) {
            add(w, STR(","));
            add_string(w, profile_string_of(&w->profile, w->parts[p - 1].name));
        }
        add(w, STR("]}"));
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* The entry, from 0, that is shown of source number I by default; entry_count if there is none. */
static size_t shown_of(const struct writer *w, size_t i)
{
    const struct source *s = &w->sources[i];
    struct default_type_entry *types = mem_alloc((s->types + 1) * sizeof *types);
    uint32_t *entries = mem_alloc((s->types + 1) * sizeof *entries);
    size_t count = 0;
    for (size_t k = 0; k < s->types; k++) {
        const struct entry *e = &w->entries[w->order[s->first + k]];
        const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
        if (e->is_counter || e->is_inclusive)
            continue;
        types[count] = (struct default_type_entry){t->type, t->unit, e->is_listed, e->count};
        entries[count++] = w->order[s->first + k];
    }
    size_t at = default_type_choose(&s->shown, types, count),
           shown = at < count ? entries[at] : w->entry_count;
    mem_free(types);
    mem_free(entries);
    return shown;
}

/* The thread to show first, from 0: the first one with the default type of its source. */
static size_t shown_first(const struct writer *w)
{
    size_t first = 0, thread = 0;
    while (first < w->track_count && is_counter(&w->tracks[first]))
        first++;
    if (first == w->track_count)
        return 0;
    size_t shown = shown_of(w, w->entries[w->tracks[first].entry].source - 1);
    for (size_t i = first; i < w->track_count; i++) {
        if (w->tracks[i].entry == shown)
            return thread;
        thread += !is_counter(&w->tracks[i]);
    }
    return 0;
}

/* The name of the whole. */
static struct str product(const struct writer *w)
{
    return w->source_count == 1 ? w->sources[0].name : STR("profpipe");
}

/* Appends MEMBERS of `meta` in the file that was read, but for those that are written in any
 * case. */
static void add_kept_meta(struct writer *w, struct str members)
{
    static const char *const ours[] = {FIREFOX_META_MEMBERS};
    struct str name, value;
    while (text_next_member(&members, &name, &value)) {
        size_t i = 0;
        while (i < sizeof ours / sizeof *ours && !str_equal(name, str_of(ours[i])))
            i++;
        if (i < sizeof ours / sizeof *ours)
            continue;
        emit_string(&w->text, name);
        add(w, STR(":"));
        add(w, value);
        add(w, STR(","));
    }
}

/* Appends what the file says of itself: as the file that was read did, or else what there is. */
static void add_meta(struct writer *w)
{
    const struct source *first = w->source_count > 0 ? &w->sources[0] : NULL;
    const struct profile_source *of = w->profile.sources;
    if (first != NULL && first->meta.p != NULL) {
        add_kept_meta(w, text_inside(first->meta));
        return;
    }
    struct decimal interval = decimal_of(1);
    if (first != NULL && of->has_period && of->period > 0 &&
        units_nanoseconds(of->period_unit) != 0)
        interval = in_ms(amount_times(decimal_of(of->period), units_nanoseconds(of->period_unit)));
    add(w, STR("\"interval\":"));
    add_decimal(w, interval, STR("interval"));
    add_string_member(w, STR("product"), product(w));
    add(w, STR(",\"importedFrom\":\"profpipe\",\"processType\":0,\"stackwalk\":1,"
               "\"debug\":false,\"usesOnlyOneStackType\":true,"
               "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,"));
}

static void add_start_time(struct writer *w)
{
    struct str timestamp = w->source_count > 0 ? w->sources[0].timestamp : STR("");
    struct decimal start = timestamp.n > 0 ? decimal_read(timestamp) : decimal_of(0);
    start.exponent += decimal_sign(start) == 0 ? 0 : 3;
    emit_member(&w->text, STR("startTime"));
    if (!decimal_is_double(start))
        die(CODE_OVERFLOW, "source_timestamp in milliseconds is more than a double can hold");
    decimal_write(&w->text, start);
}

static void write_head(struct writer *w)
{
    size_t threads = 0;
    for (size_t i = 0; i < w->track_count; i++)
        threads += !is_counter(&w->tracks[i]);
    add(w, STR("{\"meta\":{\"preprocessedProfileVersion\":"));
    emit_number(&w->text, FIREFOX_VERSION);
    add(w, STR(","));
    add_meta(w);
    add_categories(w);
    add_start_time(w);
    add(w, STR(",\"markerSchema\":[],\"symbolicated\":true,\"version\":31,"
               "\"initialVisibleThreads\":["));
    for (size_t i = 0; i < threads || i == 0; i++) {
        add(w, i == 0 ? STR("") : STR(","));
        emit_number(&w->text, (int64_t)i);
    }
    add(w, STR("],\"initialSelectedThreads\":["));
    emit_number(&w->text, (int64_t)shown_first(w));
    add(w, STR("]},\n\"libs\":["));
}

static void add_flag(struct writer *w, struct str name, bool is_set)
{
    if (!is_set)
        return;
    emit_member(&w->text, name);
    add(w, STR("true"));
}

static void add_address(struct writer *w, struct str name, uint64_t address)
{
    emit_member(&w->text, name);
    add(w, STR("\""));
    emit_address(&w->text, address);
    add(w, STR("\""));
}

/* Writes the files that frames are mapped from. What a mapping has besides is ours. */
static void write_libs(struct writer *w)
{
    for (size_t i = 0; i < w->out_libs.count; i++) {
        const struct profile_mapping *m = out_lib(w, i);
        struct str path = profile_string_of(&w->profile, m->filename),
                   build = profile_string_of(&w->profile, m->build_id);
        add(w, i == 0 ? STR("\n{\"arch\":\"\"") : STR(",\n{\"arch\":\"\""));
        add_string_member(w, STR("name"), lib_name(w, i));
        add_string_member(w, STR("path"), path);
        add_string_member(w, STR("debugName"), lib_name(w, i));
        add_string_member(w, STR("debugPath"), path);
        add(w, STR(",\"breakpadId\":\"\",\"codeId\":"));
        if (build.n > 0)
            add_string(w, build);
        else
            add(w, STR("null"));
        emit_member(&w->text, FIREFOX_MARK);
        size_t start = w->text.n;
        add_address(w, STR("memory_start"), m->start);
        add_address(w, STR("memory_limit"), m->limit);
        add_address(w, STR("file_offset"), m->offset);
        add_flag(w, STR("has_functions"), m->has_functions);
        add_flag(w, STR("has_filenames"), m->has_filenames);
        add_flag(w, STR("has_line_numbers"), m->has_line_numbers);
        add_flag(w, STR("has_inline_frames"), m->has_inline_frames);
        w->text.p[start] = '{';
        add(w, STR("}}"));
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* --- threads --- */

static const struct value_type *type_of(const struct writer *w, const struct track *t)
{
    return value_types_get(&w->sink.flow->types, w->entries[t->entry].type);
}

/* The weight in the file of X, in UNIT. */
static struct decimal weight_of(struct decimal x, struct str unit)
{
    int power = firefox_power(unit);
    if (power >= 0)
        x.exponent += power - 6;
    return x;
}

/* The time of RECORD of T, in milliseconds. Without one it begins where the one before has ended,
 * at *END. */
static struct decimal time_of(const struct writer *w, const struct track *t,
                              const struct record *record, struct decimal *end)
{
    const struct entry *entry = &w->entries[t->entry];
    int64_t zero = w->source_count > 1 ? w->sources[entry->source - 1].earliest : 0;
    struct str unit = type_of(w, t)->unit;
    struct decimal start = *end;
    if (record->time != NO_TIME && zero != NO_TIME)
        return in_ms((struct decimal){wide_subtract(wide_of(record->time), wide_of(zero)), 0});
    if (firefox_power(unit) < 0)
        decimal_add(end, decimal_of(1));
    else if (decimal_sign(record->weight) > 0)
        decimal_add(end, weight_of(record->weight, unit));
    return start;
}

/* Appends `,"NAME":` and the values of T that ADD appends. */
static void add_samples(struct writer *w, const struct track *t, struct str name,
                        void (*add_one)(struct writer *w, const struct track *t,
                                        const struct record *record, struct decimal *state))
{
    struct spools_walk walk = {.strand = t->strand};
    struct record record;
    struct decimal state = decimal_of(0);
    emit_member(&w->text, name);
    add(w, STR("["));
    for (bool is_first = true; spools_read(w->spools, &walk, &record, sizeof record);
         is_first = false) {
        add(w, is_first ? STR("") : STR(","));
        add_one(w, t, &record, &state);
        flush(w, FLUSH);
    }
    spools_leave(&walk);
    add(w, STR("]"));
}

static void add_stack(struct writer *w, const struct track *t, const struct record *record,
                      struct decimal *state)
{
    (void)t, (void)state;
    add_or_null(w, position(&w->out_stacks, record->stack), record->stack != 0);
}

static void add_time(struct writer *w, const struct track *t, const struct record *record,
                     struct decimal *state)
{
    add_decimal(w, time_of(w, t, record, state), type_of(w, t)->type);
}

static void add_weight(struct writer *w, const struct track *t, const struct record *record,
                       struct decimal *state)
{
    (void)state;
    const struct value_type *type = type_of(w, t);
    add_decimal(w, weight_of(record->weight, type->unit), type->type);
}

/* Appends how much a level is above the one before, which is in STATE. */
static void add_change(struct writer *w, const struct track *t, const struct record *record,
                       struct decimal *state)
{
    struct decimal change = record->weight;
    decimal_subtract(&change, *state);
    *state = record->weight;
    add_decimal(w, change, type_of(w, t)->type);
}

/* Appends the value of the label L: text, or a number with its unit. */
static void add_label(struct writer *w, const struct label *l)
{
    add(w, STR("{\"key\":"));
    add_string(w, profile_string_of(&w->profile, l->key));
    if (l->string != 0)
        add_string_member(w, STR("str"), profile_string_of(&w->profile, l->string));
    if (l->string == 0 || l->number != 0)
        add_number_member(w, STR("num"), l->number);
    if (l->unit != 0)
        add_string_member(w, STR("unit"), profile_string_of(&w->profile, l->unit));
    add(w, STR("}"));
}

/* Sets TO to the value of the label of LANE with that key; false if it has none. */
static bool label_value(const struct writer *w, const struct lane *lane, size_t key, struct buf *to)
{
    size_t count;
    const struct label *labels = labels_get(&w->lane_labels, lane->labels, &count);
    to->n = 0;
    for (size_t i = 0; i < count; i++) {
        if (key_index(w, &labels[i]) != key)
            continue;
        if (labels[i].string != 0)
            buf_add(to, profile_string_of(&w->profile, labels[i].string));
        else
            emit_number(to, labels[i].number);
        return true;
    }
    return false;
}

/* Appends the names and numbers of the thread of T, and its source. */
static void add_thread_names(struct writer *w, const struct track *t)
{
    const struct lane *lane = &w->lanes[t->lane - 1];
    struct str source = w->sources[lane->source - 1].name;
    struct buf *value = &w->scratch;
    if (!label_value(w, lane, KEY_THREAD, value) && !label_value(w, lane, KEY_COMM, value))
        buf_add(value, source);
    if (lane->tracks > 1) {
        buf_add(value, STR(" ("));
        text_unescape(value, type_of(w, t)->type);
        buf_add(value, STR(")"));
    }
    add_string_member(w, STR("name"), buf_str(value));
    if (!label_value(w, lane, KEY_PROCESS, value))
        buf_add(value, source);
    add_string_member(w, STR("processName"), buf_str(value));
    if (!label_value(w, lane, KEY_PID, value))
        emit_number(value, lane->source);
    add_string_member(w, STR("pid"), buf_str(value));
    if (!label_value(w, lane, KEY_TID, value))
        emit_number(value, lane->number);
    add_string_member(w, STR("tid"), buf_str(value));
}

/* Appends our member of T. */
static void add_mark(struct writer *w, const struct track *t)
{
    const struct entry *entry = &w->entries[t->entry];
    size_t count = 0;
    const struct label *labels =
        is_counter(t) ? NULL : labels_get(&w->lane_labels, w->lanes[t->lane - 1].labels, &count);
    emit_member(&w->text, FIREFOX_MARK);
    add(w, STR("{\"source\":"));
    emit_number(&w->text, entry->source);
    add_number_member(w, STR("type"), entry->number);
    add_flag(w, STR("timed"), t->is_timed);
    if (count > 0)
        add(w, STR(",\"labels\":["));
    for (size_t i = 0; i < count; i++) {
        add(w, i == 0 ? STR("") : STR(","));
        add_label(w, &labels[i]);
    }
    add(w, count > 0 ? STR("]}") : STR("}"));
}

/* Writes T; IS_MAIN: it is the first of its process. */
static void write_thread(struct writer *w, const struct track *t, bool is_main)
{
    struct str unit = type_of(w, t)->unit;
    add(w, STR("{\"processType\":\"default\",\"processStartupTime\":0,"
               "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
               "\"pausedRanges\":[]"));
    add_thread_names(w, t);
    add(w, is_main ? STR(",\"isMainThread\":true") : STR(",\"isMainThread\":false"));
    add_mark(w, t);
    add(w, STR(",\"samples\":{\"weightType\":"));
    add_string(w, firefox_power(unit) >= 0        ? STR("tracing-ms")
                  : str_equal(unit, STR("bytes")) ? STR("bytes")
                                                  : STR("samples"));
    add_number_member(w, STR("length"), (int64_t)t->count);
    add_samples(w, t, STR("stack"), add_stack);
    add_samples(w, t, STR("time"), add_time);
    add_samples(w, t, STR("weight"), add_weight);
    add(w, STR("},\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
               "\"phase\":[],\"category\":[],\"length\":0}}"));
}

/* Writes a thread without samples: the Profiler needs one. */
static void write_no_thread(struct writer *w)
{
    add(w, STR("\n{\"processType\":\"default\",\"processStartupTime\":0,"
               "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
               "\"pausedRanges\":[]"));
    add_string_member(w, STR("name"), product(w));
    add(w, STR(",\"pid\":\"1\",\"tid\":\"1\",\"isMainThread\":true,\"profpipe\":{},\"samples\":{"
               "\"weightType\":\"samples\",\"length\":0,\"stack\":[],\"time\":[],"
               "\"weight\":null},\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],"
               "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}}"));
}

static void write_threads(struct writer *w)
{
    struct intern processes = {0};
    size_t count = 0;
    add(w, STR(",\n\"threads\":["));
    for (size_t i = 0; i < w->track_count; i++) {
        const struct track *t = &w->tracks[i];
        bool is_main;
        if (is_counter(t))
            continue;
        if (!label_value(w, &w->lanes[t->lane - 1], KEY_PID, &w->scratch))
            emit_number(&w->scratch, w->lanes[t->lane - 1].source);
        intern_add(&processes, buf_str(&w->scratch), &is_main);
        add(w, count++ == 0 ? STR("\n") : STR(",\n"));
        write_thread(w, t, is_main);
    }
    if (count == 0)
        write_no_thread(w);
    add(w, STR("]"));
    intern_free(&processes);
}

/* Writes the counter T; FIRST is the index of the first thread of its source. */
static void write_counter(struct writer *w, const struct track *t, int64_t first)
{
    const struct value_type *type = type_of(w, t);
    bool is_memory = str_equal(type->unit, STR("bytes"));
    struct str unit = is_memory ? STR("bytes") : STR("number");
    w->scratch.n = 0;
    text_unescape(&w->scratch, type->type);
    add(w, STR("{\"name\":"));
    add_string(w, buf_str(&w->scratch));
    add_string_member(w, STR("category"), is_memory ? STR("Memory") : STR("Other"));
    add_string_member(w, STR("description"), w->sources[w->entries[t->entry].source - 1].name);
    w->scratch.n = 0;
    emit_number(&w->scratch, w->entries[t->entry].source);
    add_string_member(w, STR("pid"), buf_str(&w->scratch));
    add_number_member(w, STR("mainThreadIndex"), first);
    add(w, STR(",\"display\":{\"graphType\":\"line-accumulated\""));
    emit_member(&w->text, STR("unit"));
    emit_string(&w->text, type->unit);
    add_string_member(w, STR("color"), is_memory ? STR("orange") : STR("grey"));
    add(w, STR(",\"markerSchemaLocation\":null,\"sortWeight\":20"));
    emit_member(&w->text, STR("label"));
    emit_string(&w->text, type->type);
    add(w, STR(",\"tooltipRows\":[{\"type\":\"value\",\"source\":\"accumulated\",\"format\":{"
               "\"unit\":"));
    add_string(w, unit);
    add(w, STR("}"));
    emit_member(&w->text, STR("label"));
    emit_string(&w->text, type->type);
    add(w, STR("}]}"));
    add_mark(w, t);
    add(w, STR(",\"samples\":{\"length\":"));
    emit_number(&w->text, (int64_t)t->count);
    add_samples(w, t, STR("time"), add_time);
    add_samples(w, t, STR("count"), add_change);
    add(w, STR("}}"));
}

static void write_counters(struct writer *w)
{
    int64_t thread = 0, first = 0;
    uint32_t source = 0;
    bool is_first = true;
    add(w, STR(",\n\"counters\":["));
    /* the counters of a source stand before its threads */
    for (size_t i = 0; i < w->track_count; i++) {
        const struct track *t = &w->tracks[i];
        if (w->entries[t->entry].source != source)
            first = thread;
        source = w->entries[t->entry].source;
        thread += !is_counter(t);
        if (!is_counter(t))
            continue;
        add(w, is_first ? STR("\n") : STR(",\n"));
        write_counter(w, t, first);
        is_first = false;
    }
    add(w, STR("]"));
}

/* Writes our member of the file: its sources, with their types. */
static void write_sources(struct writer *w)
{
    emit_member(&w->text, FIREFOX_MARK);
    add(w, STR("{\"sources\":["));
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        size_t shown = shown_of(w, i);
        add(w, i == 0 ? STR("{\"name\":") : STR(",{\"name\":"));
        add_string(w, s->name);
        if (s->timestamp.p != NULL) {
            emit_member(&w->text, STR("timestamp"));
            add(w, s->timestamp);
        }
        if (shown < w->entry_count) {
            emit_member(&w->text, STR("shown"));
            emit_string(&w->text,
                        value_types_get(&w->sink.flow->types, w->entries[shown].type)->type);
        }
        add(w, STR(",\"types\":["));
        for (size_t j = 0; j < s->types; j++) {
            const struct entry *e = &w->entries[w->order[s->first + j]];
            const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
            add(w, j == 0 ? STR("{\"type\":") : STR(",{\"type\":"));
            emit_string(&w->text, t->type);
            emit_member(&w->text, STR("unit"));
            emit_string(&w->text, t->unit);
            add_flag(w, STR("gauge"), e->is_gauge);
            add(w, STR("}"));
        }
        add(w, STR("]}"));
        flush(w, FLUSH);
    }
    add(w, STR("]}}\n"));
}

/* Counts the labels that do not name threads, each in all samples that have it. */
static void count_labels(struct writer *w)
{
    struct buf text = {0};
    for (size_t s = 0; s < w->set_keys.count; s++) {
        size_t count;
        unsigned seen = 0;
        const struct label *labels = labels_get(&w->profile.labels, w->sets[s].all, &count);
        for (size_t i = 0; i < count; i++) {
            if (thread_key(w, &labels[i], &seen) < KEYS)
                continue;
            text.n = 0;
            text_escape(&text, profile_string_of(&w->profile, labels[i].key));
            loss_add(LOSS_FIREFOX_LABELS, buf_str(&text), w->sets[s].uses);
        }
    }
    buf_free(&text);
}

static void write_file(struct writer *w)
{
    order_entries(w);
    list_all(w);
    for (size_t i = 1; i < w->source_count; i++)
        loss_add(LOSS_FACTS, STR("source_timestamp"), w->sources[i].timestamp.p != NULL);
    count_labels(w);
    write_head(w);
    write_libs(w);
    write_shared(w);
    write_threads(w);
    write_counters(w);
    write_sources(w);
    flush(w, 0);
    if (w->inexact > 0)
        warn(CODE_LOST_VALUES,
             "numbers of more than 53 bits (%" PRIu64
             "): they are written exactly, but the Firefox Profiler rounds them",
             w->inexact);
}

/* === the stage === */

static void take_row(struct sink *to, struct row *row)
{
    struct writer *w = (struct writer *)to;
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
    struct writer *w = to;
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

static void free_list(struct list *list)
{
    idmap_free(&list->numbers);
    mem_free(list->items);
}

static void close_writer(void *to)
{
    struct writer *w = to;
    write_file(w);
    spools_close(w->spools);
    clock_free(&w->clock);
    struct intern *tables[] = {&w->entry_keys, &w->track_keys, &w->lane_keys,     &w->set_keys,
                               &w->funcs,      &w->frames,     &w->category_keys, &w->part_keys};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        intern_free(tables[i]);
    stack_tree_free(&w->stacks);
    struct list *lists[] = {&w->out_stacks, &w->out_frames, &w->out_funcs,
                            &w->out_files,  &w->out_libs,   &w->out_strings};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free_list(lists[i]);
    void *blocks[] = {w->sources,     w->entries,    w->tracks,   w->order,     w->known,
                      w->lanes,       w->sets,       w->frame_of, w->functions, w->open,
                      w->open_stacks, w->categories, w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
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
    .state_size = sizeof(struct writer),
    .open = open_writer,
    .close = close_writer,
};

/* Profile rows to the format of speedscope. See ndjson2speedscope(1) for the rules.
 *
 * A file has all frames first; then, for each profile, all samples and after them all weights. So
 * their text waits in a spool, two runs per profile, until the last row has come. Memory grows with
 * distinct frames and stacks only. */
#include "base/amount.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/spools.h"
#include "base/wide.h"
#include "formats/speedscope/speedscope.h"
#include "formats/speedscope/speedscope_text.h"
#include "profile/default_type.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/parse.h"
#include "rows/text.h"

#include <inttypes.h>

/* speedscope's numbers are doubles: integers above this may not be exact. */
#define SPEEDSCOPE_EXACT_MAX (INT64_C(1) << 53)

/* What is known of a profile in the speedscope file that a source was read from. */
struct speedscope_facts {
    struct str name, unit; /* text of a JSON string; null p: not given */
    struct str start, end; /* numbers; null p: not given */
    bool active;           /* the profile shown first */
    bool evented;          /* it had events, from which the samples were made */
    int64_t marked;        /* the number of its source, if it has our mark; 0: no mark */
};

/* A profile of the file: the values of one type in one source. */
struct speedscope_entry {
    size_t source;        /* from 1 */
    uint32_t type;        /* number in the flow */
    bool is_listed;       /* the source lists it in `.value_types` */
    uint64_t count;       /* number of values other than 0 */
    bool is_gauge;        /* its values must not be added up, so it is not written; */
    enum loss dropped_as; /* they are counted as this loss, as are values below 0 of other types */
    bool is_known;        /* its source comes from a speedscope file with FACTS about it */
    struct speedscope_facts facts;
    uint32_t samples, weights; /* their runs; with events the first holds the events */
    uint64_t left_out;         /* number of values not written: of a gauge, or below 0 */

    struct wide whole;    /* sum of its integers */
    struct decimal parts; /* sum of its other values */

    /* For events: the stack of the sample before, frames outermost first. */
    uint32_t *open;
    size_t depth, open_capacity;
    struct decimal at; /* end of its events so far */

    struct amount sum; /* of a stack, while sums are written */
    bool is_summed;
};

struct speedscope_source {
    struct str kind, uri; /* text of a JSON string; null p: none */
    /* it was read from a speedscope file, which gives name and exporter */
    bool is_own;
    struct str name, exporter;      /* text of a JSON string; null p: none */
    struct speedscope_facts *facts; /* by its types, in the order of its `.value_types` */
    size_t facts_count, facts_capacity;
    struct default_type shown;
    uint32_t time;  /* the type derived from samples/count and written instead; 0: none */
    int64_t period; /* the amount of it per sample */
};

/* A frame. NAME and FILE are strings of the profile. All else is zero until the frame is read. */
struct speedscope_frame {
    uint32_t name, file;
    int64_t line, col;                 /* 0: none, or several */
    bool has_file, has_line, has_col;  /* write it even if empty or 0 */
    bool is_read;                      /* a location uses this frame */
    bool is_split;                     /* its locations differ in line or column */
    uint64_t line_count, column_count; /* number of its locations that have one */
};

/* The entry of the last value of a type. */
struct speedscope_known {
    size_t source;
    uint32_t entry; /* from 0 */
};

struct speedscope_writer {
    struct sink sink;
    struct speedscope_write_options options;
    struct out *out;
    struct profile profile;
    struct arena arena;
    struct spools *spools;

    struct speedscope_source *sources;
    size_t source_count, source_capacity;
    struct speedscope_entry *entries;
    size_t entry_count, entry_capacity;
    struct intern entry_keys;       /* source and type; the number is the index in entries + 1 */
    struct speedscope_known *known; /* by type - 1 */
    size_t known_capacity;
    struct speedscope_source read; /* the part of the row of sources being read that is kept */

    struct speedscope_frame *frames;
    size_t frame_count, frame_capacity;
    struct intern frame_keys; /* the number is the index in frames + 1 */
    uint32_t *frame_of;       /* by location - 1 */
    size_t frame_of_capacity;
    struct speedscope_own { /* the part of the row of locations being read that is kept */
        int64_t copy, line, col;
        bool has_file, has_line, has_col;
    } own;

    /* The stack of the sample: frames, outermost first, and its text. ENDS are the offsets at which
     * frames end in the text. */
    uint32_t *stack;
    size_t depth, stack_capacity;
    struct buf text;
    size_t *ends;
    size_t end_capacity;
    bool has_text;
    uint32_t counts; /* the type samples/count */
    struct buf number, scratch;
    uint64_t inexact; /* number of values that speedscope rounds */

    /* Sums, if requested. */
    struct amount_columns digits;
    struct sums_part *parts;
    size_t part_count, part_capacity;
};

static inline struct place place_of(const struct speedscope_writer *w)
{
    return w->sink.flow->where;
}

/* Whether ENTRY is written as events. */
static inline bool speedscope_is_evented(const struct speedscope_writer *w,
                                         const struct speedscope_entry *entry)
{
    return entry->facts.evented && !w->options.aggregate;
}

/* === samples as text === */

/* Sets w->text to the text of w->stack, DEPTH frames. The text of the first SAME frames is already
 * there. */
static void spell_stack(struct speedscope_writer *w, size_t same, size_t depth)
{
    w->ends = mem_array(w->ends, &w->end_capacity, depth, sizeof *w->ends);
    w->text.n = same == 0 ? 0 : w->ends[same - 1];
    if (same == 0)
        buf_add(&w->text, STR("["));
    for (size_t i = same; i < depth; i++) {
        if (i > 0)
            buf_add(&w->text, STR(","));
        emit_number(&w->text, w->stack[i]);
        w->ends[i] = w->text.n;
    }
    buf_add(&w->text, STR("]"));
    w->has_text = true;
}

/* Appends to ENTRY the sample in w->text with the weight WEIGHT, text. */
static void add_sample(struct speedscope_writer *w, struct speedscope_entry *entry,
                       struct str weight)
{
    if (spools_size(w->spools, entry->weights) > 0) {
        spools_write(w->spools, entry->samples, STR(","));
        spools_write(w->spools, entry->weights, STR(","));
    }
    spools_write(w->spools, entry->samples, buf_str(&w->text));
    spools_write(w->spools, entry->weights, weight);
}

/* === sources === */

/* Reads sources, and makes a profile of the file for each type of values in a source. */

/* BYTES as the text of a JSON string, kept until the end. */
static struct str kept(struct speedscope_writer *w, struct str bytes)
{
    w->scratch.n = 0;
    if (!text_escape_all(&w->scratch, bytes))
        loss_add(LOSS_SPEEDSCOPE_NAMES, buf_str(&w->scratch), 1);
    return arena_copy(&w->arena, buf_str(&w->scratch));
}

static struct str inner_kept(struct speedscope_writer *w, const struct member *m)
{
    return kept(w, profile_inner_bytes(&w->profile, m->value));
}

/* --- rows --- */

/* The text of M, a number in ROW, kept until the end; anything else is counted as a loss. */
static struct str kept_number(struct speedscope_writer *w, const struct row *row,
                              const struct member *m)
{
    struct number number;
    if (parse_number(m->text, &number))
        return arena_copy(&w->arena, m->text);
    loss_add_inside(row, STR(".speedscope"), m->name);
    return (struct str){NULL, 0};
}

/* Reads FACTS about one profile from the source ROW. */
static void read_profile(struct speedscope_writer *w, const struct row *row, struct members facts)
{
    struct speedscope_source *s = &w->read;
    struct speedscope_facts f = {0};
    struct member m;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_NAME: f.name = inner_kept(w, &m); break;
        case MEMBER_ID_SPEEDSCOPE_UNIT: f.unit = inner_kept(w, &m); break;
        case MEMBER_ID_START: f.start = kept_number(w, row, &m); break;
        case MEMBER_ID_END: f.end = kept_number(w, row, &m); break;
        case MEMBER_ID_ACTIVE: f.active = m.flag; break;
        case MEMBER_ID_EVENTED: f.evented = m.flag; break;
        case MEMBER_ID_MARKED: f.marked = m.integer; break;
        default: loss_add_inside(row, STR(".speedscope"), m.name);
        }
    s->facts = mem_array(s->facts, &s->facts_capacity, s->facts_count + 1, sizeof *s->facts);
    s->facts[s->facts_count++] = f;
}

/* Reads `.speedscope` of ROW. */
static void read_own(struct speedscope_writer *w, const struct row *row, struct members own)
{
    struct member m;
    w->read.is_own = true;
    while (members_next(&own, &m))
        if (m.id == MEMBER_ID_NAME) {
            w->read.name = inner_kept(w, &m);
        } else if (m.id == MEMBER_ID_EXPORTER) {
            w->read.exporter = inner_kept(w, &m);
        } else if (m.id == MEMBER_ID_PROFILES) {
            struct str items = text_inside(m.value), item;
            while (text_next_item(&items, &item))
                read_profile(w, row, members_inside(&own, &m, item));
        } else {
            loss_add_inside(row, own.column, m.name);
        }
}

/* Keeps MEMBER of the row of sources being read (profile.h). */
static bool keep_of_source(struct speedscope_writer *w, const struct row *row,
                           const struct member *member)
{
    if (member->id != MEMBER_ID_SPEEDSCOPE)
        return false;
    struct members walk = members_of(row, place_of(w), NULL);
    read_own(w, row, members_inside(&walk, member, member->value));
    return true;
}

/* --- entries --- */

/* The index of the entry of TYPE in source number SOURCE; *IS_NEW if it does not exist yet. */
static size_t find_entry(struct speedscope_writer *w, size_t source, uint32_t type, bool *is_new)
{
    uint64_t key[2] = {source, type};
    return intern_add(&w->entry_keys, (struct str){(const char *)key, sizeof key}, is_new) - 1;
}

static struct decimal number_of_text(struct str text)
{
    return text.p == NULL ? decimal_of(0) : decimal_read(text);
}

/* Adds an entry of TYPE in source number SOURCE at index AT, with FACTS if the source has any. */
static void add_entry(struct speedscope_writer *w, size_t source, uint32_t type,
                      enum loss dropped_as, const struct speedscope_facts *facts)
{
    bool is_gauge = dropped_as != LOSS_BELOW_ZERO;
    struct speedscope_entry entry = {
        .source = source, .type = type, .is_gauge = is_gauge, .dropped_as = dropped_as};
    if (facts != NULL) {
        entry.is_known = true;
        entry.facts = *facts;
        entry.at = number_of_text(facts->start);
    }
    if (!is_gauge) {
        entry.samples = spools_begin(w->spools);
        entry.weights = spools_begin(w->spools);
    }
    w->entries = mem_array(w->entries, &w->entry_capacity, w->entry_count + 1, sizeof *w->entries);
    w->entries[w->entry_count++] = entry;
}

/* The entry for values of TYPE, a number in the flow, in source number SOURCE; valid until the next
 * call. */
static struct speedscope_entry *entry_of(struct speedscope_writer *w, size_t source, uint32_t type)
{
    if (type > w->known_capacity)
        w->known = mem_array_zeroed(w->known, &w->known_capacity, type, sizeof *w->known);
    struct speedscope_known *known = &w->known[type - 1];
    if (known->source != source) {
        bool is_new;
        *known = (struct speedscope_known){source, (uint32_t)find_entry(w, source, type, &is_new)};
        if (is_new)
            add_entry(w, source, type, LOSS_BELOW_ZERO, NULL);
    }
    return &w->entries[known->entry];
}

/* Adds entries for the types listed by the source OF, also for types without samples. */
static void add_types(struct speedscope_writer *w, const struct profile_source *of)
{
    const struct speedscope_source *s = &w->sources[w->source_count - 1];
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t number = profile_list_type(&w->sink.flow->types, t);
        bool is_new;
        if (number == w->counts && s->time != 0)
            number = s->time;
        size_t entry = find_entry(w, w->source_count, number, &is_new);
        if (is_new)
            add_entry(w, w->source_count, number,
                      t->gauge       ? LOSS_GAUGES
                      : t->inclusive ? LOSS_INCLUSIVE
                                     : LOSS_BELOW_ZERO,
                      i < s->facts_count ? &s->facts[i] : NULL);
        w->entries[entry].is_listed = true;
    }
    if (s->facts_count > of->type_count) /* facts about types that the source no longer has */
        loss_add(LOSS_OWN, STR("sources..speedscope.profiles"), s->facts_count - of->type_count);
}

/* Reads a row of sources. */
static void read_source(struct speedscope_writer *w, const struct row *row)
{
    w->read = (struct speedscope_source){0};
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    struct speedscope_source *s = &w->read;
    s->shown = default_type_says(of);
    if (s->shown.has_time && of->period > 0) {
        s->time = value_types_add_bytes(&w->sink.flow->types, of->period_type, of->period_unit);
        s->period = of->period;
        if (s->shown.default_type.n == 0)
            s->shown.default_type = value_types_get(&w->sink.flow->types, s->time)->type;
    }
    s->kind = kept(w, of->kind);
    if (of->uri.p != NULL)
        s->uri = kept(w, of->uri);
    profile_drop_source(row, of, STR("speedscope"));
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    w->sources[w->source_count++] = *s;
    add_types(w, of);
}

/* === frames === */

/* Frames. Speedscope identifies a frame by its position in the list, and shows each on its own. So
 * all locations of a function become one frame, except those that were separate frames in a
 * speedscope file. */

/* Identifies a frame. */
struct key {
    uint32_t name, file;
    int64_t line, col, copy; /* 0, except for frames from speedscope files */
    uint64_t has;
};

/* --- rows --- */

/* Keeps MEMBER of the row of locations being read (profile.h). */
static bool keep_of_location(struct speedscope_writer *w, const struct member *member)
{
    switch (member->id) {
    case MEMBER_ID_SPEEDSCOPE_FRAME: w->own.copy = member->integer; return true;
    case MEMBER_ID_SPEEDSCOPE_FILE: w->own.has_file = member->flag; return true;
    case MEMBER_ID_SPEEDSCOPE_LINE:
        w->own.line = member->integer;
        w->own.has_line = true;
        return true;
    case MEMBER_ID_SPEEDSCOPE_COL:
        w->own.col = member->integer;
        w->own.has_col = true;
        return true;
    default: return false;
    }
}

/* Read a row of functions, locations. */
static void read_function(struct speedscope_writer *w, const struct row *row)
{
    profile_drop_function(profile_add_function(&w->profile, row, place_of(w)), false);
}

/* The frame with KEY. */
static uint32_t frame_of(struct speedscope_writer *w, const struct key *key)
{
    bool is_new;
    uint32_t frame =
        intern_add(&w->frame_keys, (struct str){(const char *)key, sizeof *key}, &is_new) - 1;
    if (!is_new)
        return frame;
    w->frames = mem_array(w->frames, &w->frame_capacity, frame + 1, sizeof *w->frames);
    w->frames[frame] = (struct speedscope_frame){.name = key->name, .file = key->file};
    w->frame_count = frame + 1;
    return frame;
}

/* Gives the frame LINE and COL if all its locations have the same. */
static void add_position(struct speedscope_frame *f, int64_t line, int64_t col)
{
    f->is_split |= f->is_read && (f->line != line || f->col != col);
    f->is_read = true;
    f->line = line;
    f->col = col;
    f->has_line = line != 0;
    f->has_col = col != 0;
    f->line_count += line != 0;
    f->column_count += col != 0;
}

/* The frame for location L, which was a separate frame. */
static uint32_t own_frame(struct speedscope_writer *w, struct key *key)
{
    key->line = w->own.has_line ? w->own.line : key->line;
    key->col = w->own.has_col ? w->own.col : key->col;
    key->copy = w->own.copy;
    key->has =
        (unsigned)w->own.has_line | (unsigned)w->own.has_col << 1 | (unsigned)w->own.has_file << 2;
    uint32_t frame = frame_of(w, key);
    struct speedscope_frame *f = &w->frames[frame];
    f->is_read = false;
    add_position(f, key->line, key->col);
    f->has_file = w->own.has_file;
    f->has_line |= w->own.has_line;
    f->has_col |= w->own.has_col;
    return frame;
}

/* Counts data of the location ROW, at L, that frames cannot hold. */
static void count_location(const struct row *row, const struct profile_location *l)
{
    if (l->address != 0 && (l->function != 0 || l->filename != 0 || l->line > 0))
        loss_add_column(row, STR(".address"));
    if (l->is_folded)
        loss_add_column(row, STR(".is_folded"));
    if (l->mapping != 0)
        loss_add_column(row, STR(".mapping_id"));
    if (l->into != 0)
        loss_add_column(row, STR(".inlined_into"));
}

/* The placeholder name for L, which has no function. */
static uint32_t nameless(struct speedscope_writer *w, const struct profile_location *l)
{
    w->scratch.n = 0;
    naming_add_stand_in(&w->scratch, &w->profile, l);
    loss_add(LOSS_FRAMES, buf_str(&w->scratch), 1);
    return profile_string(&w->profile, buf_str(&w->scratch));
}

static void read_location(struct speedscope_writer *w, const struct row *row)
{
    w->own = (struct speedscope_own){0};
    const struct profile_location *l = profile_add_location(&w->profile, row, place_of(w));
    const struct profile_function *f =
        l->function == 0 ? NULL : &w->profile.functions[l->function - 1];
    struct key key;
    memset(&key, 0, sizeof key); /* including padding */
    count_location(row, l);
    key.name = f == NULL ? nameless(w, l) : f->name;
    key.file = f == NULL ? l->filename : f->filename;
    int64_t line = l->line == ROW_NULL ? 0 : l->line;
    uint32_t frame;
    if (w->own.copy > 0) {
        key.line = line;
        key.col = l->column;
        frame = own_frame(w, &key);
    } else {
        frame = frame_of(w, &key);
        add_position(&w->frames[frame], line, l->column);
    }
    size_t id = (size_t)row->location.location_id;
    w->frame_of = mem_array(w->frame_of, &w->frame_of_capacity, id, sizeof *w->frame_of);
    w->frame_of[id - 1] = frame;
}

/* --- stacks --- */

/* Sets the stack of the sample to the DEPTH locations IDS, innermost first. Sets its text too if
 * NEEDED. */
static void read_stack(struct speedscope_writer *w, const int64_t *ids, size_t depth, bool needed)
{
    size_t shorter = depth < w->depth ? depth : w->depth, same = 0;
    w->stack = mem_array(w->stack, &w->stack_capacity, depth, sizeof *w->stack);
    while (same < shorter && w->stack[same] == w->frame_of[ids[depth - 1 - same] - 1])
        same++;
    if (needed && w->has_text && same == depth && same == w->depth)
        return;
    for (size_t i = same; i < depth; i++)
        w->stack[i] = w->frame_of[ids[depth - 1 - i] - 1];
    w->depth = depth;
    if (needed)
        spell_stack(w, w->has_text ? same : 0, depth);
}

/* --- the list --- */

/* Counts the lines and columns of locations that F cannot show. */
static void count_positions(struct speedscope_frame *f)
{
    if (!f->is_split)
        return;
    f->has_line = f->has_col = false;
    if (f->line_count > 0)
        loss_add(LOSS_COLUMNS, STR("locations.line"), f->line_count);
    if (f->column_count > 0)
        loss_add(LOSS_DOTTED_COLUMNS, STR("locations..column"), f->column_count);
}

static void add_string(struct speedscope_writer *w, struct buf *to, uint32_t string)
{
    size_t n = to->n;
    if (!text_escape_all(to, profile_string_of(&w->profile, string)))
        loss_add(LOSS_SPEEDSCOPE_NAMES, (struct str){to->p + n, to->n - n}, 1);
}

/* Writes the list of frames. */
static void write_frames(struct speedscope_writer *w)
{
    struct buf *text = &w->scratch;
    for (size_t i = 0; i < w->frame_count; i++) {
        struct speedscope_frame *f = &w->frames[i];
        count_positions(f);
        text->n = 0;
        buf_add(text, i > 0 ? STR(",\n{\"name\":\"") : STR("\n{\"name\":\""));
        add_string(w, text, f->name);
        if (f->file != 0 || f->has_file) {
            buf_add(text, STR("\",\"file\":\""));
            add_string(w, text, f->file);
        }
        buf_add(text, STR("\""));
        if (f->has_line) {
            buf_add(text, STR(",\"line\":"));
            emit_number(text, f->line);
        }
        if (f->has_col) {
            buf_add(text, STR(",\"col\":"));
            emit_number(text, f->col);
        }
        buf_add(text, STR("}"));
        out_write(w->out, buf_str(text));
    }
}

/* === sums by stack === */

/* Columns of sums, two per entry: its values, and a count of values that are 0, so that a stack
 * with only zeros is written too. */
enum { VALUES, ZEROS, COLUMNS };

/* --- samples --- */

/* Adds X, a value of ENTRY, to the sample that keep_sample will add up. */
static void speedscope_add_part(struct speedscope_writer *w, const struct speedscope_entry *entry,
                                struct decimal x)
{
    uint32_t column = (uint32_t)(entry - w->entries) * COLUMNS;
    w->parts =
        mem_array(w->parts, &w->part_capacity, w->part_count + AMOUNT_PARTS, sizeof *w->parts);
    if (decimal_sign(x) != 0)
        w->part_count += amount_split(&w->digits, column + VALUES, x, w->parts + w->part_count);
    else
        w->parts[w->part_count++] = (struct sums_part){.column = column + ZEROS, .n = 1};
}

/* Adds the sample to the sums. */
static void keep_sample(struct speedscope_writer *w)
{
    stacks_add(&w->profile.stacks, 0, w->stack, w->depth, w->parts, w->part_count);
    w->part_count = 0;
}

/* --- order --- */

struct order {
    const struct speedscope_writer *w;
    uint32_t *ranks; /* of frames */
};

static int by_name(const void *a, const void *b, void *with)
{
    const struct speedscope_writer *w = with;
    const struct speedscope_frame *x = &w->frames[*(const uint32_t *)a],
                                  *y = &w->frames[*(const uint32_t *)b];
    int order = str_compare(profile_string_of(&w->profile, x->name),
                            profile_string_of(&w->profile, y->name));
    if (order == 0)
        order = str_compare(profile_string_of(&w->profile, x->file),
                            profile_string_of(&w->profile, y->file));
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = (x->col > y->col) - (x->col < y->col);
    return order != 0 ? order : (x > y) - (x < y);
}

static void rank_frames(struct speedscope_writer *w, struct order *order)
{
    uint32_t *frames = mem_alloc((w->frame_count + 1) * sizeof *frames);
    order->ranks = mem_alloc((w->frame_count + 1) * sizeof *order->ranks);
    for (uint32_t i = 0; i < w->frame_count; i++)
        frames[i] = i;
    order_items_with(frames, w->frame_count, sizeof *frames, by_name, w);
    for (uint32_t i = 0; i < w->frame_count; i++)
        order->ranks[frames[i]] = i;
    mem_free(frames);
}

static int by_frames(const void *a, const void *b, void *with)
{
    const struct order *order = with;
    const struct stacks *stacks = &order->w->profile.stacks;
    struct stacks_stack x = stacks_at(stacks, *(const stacks_offset *)a);
    struct stacks_stack y = stacks_at(stacks, *(const stacks_offset *)b);
    for (size_t i = 0; i < x.depth && i < y.depth; i++) {
        uint32_t of_x = order->ranks[stacks_frame(&x, i)], of_y = order->ranks[stacks_frame(&y, i)];
        if (of_x != of_y)
            return of_x < of_y ? -1 : 1;
    }
    return (x.depth > y.depth) - (x.depth < y.depth);
}

/* --- sums --- */

/* Adds PART to the sum of its entry, and returns the entry. */
static struct speedscope_entry *add_part(struct speedscope_writer *w, const struct sums_part *part)
{
    uint32_t column = amount_column(&w->digits, part);
    struct speedscope_entry *entry = &w->entries[column / COLUMNS];
    if (!entry->is_summed)
        entry->sum = (struct amount){0};
    if (column % COLUMNS == VALUES)
        amount_add(&entry->sum, &w->digits, part, 1);
    return entry;
}

/* Writes the sum of ENTRY for the current stack. */
static void write_sum(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    int64_t integer;
    struct decimal sum = amount_decimal(&entry->sum);
    entry->is_summed = false;
    if (decimal_sign(sum) < 0) {
        entry->left_out++;
        return;
    }
    w->inexact += decimal_is_integer(sum, &integer) && integer > SPEEDSCOPE_EXACT_MAX;
    decimal_add(&entry->parts, sum);
    w->number.n = 0;
    decimal_write(&w->number, sum);
    add_sample(w, entry, buf_str(&w->number));
}

/* Writes the sums of STACK. SUMMED has room for all numbers of entries. */
static void write_stack(struct speedscope_writer *w, const struct stacks_stack *stack,
                        uint32_t *summed)
{
    struct sums_walk walk = {.row = stack->number};
    struct sums_part part;
    size_t count = 0, same = 0;
    while (sums_next(&w->profile.stacks.sums, &walk, &part)) {
        struct speedscope_entry *entry = add_part(w, &part);
        if (!entry->is_summed)
            summed[count++] = (uint32_t)(entry - w->entries);
        entry->is_summed = true;
    }
    w->stack = mem_array(w->stack, &w->stack_capacity, stack->depth, sizeof *w->stack);
    while (w->has_text && same < stack->depth && same < w->depth &&
           w->stack[same] == stacks_frame(stack, same))
        same++;
    for (size_t i = same; i < stack->depth; i++)
        w->stack[i] = stacks_frame(stack, i);
    w->depth = stack->depth;
    spell_stack(w, same, stack->depth);
    for (size_t i = 0; i < count; i++)
        write_sum(w, &w->entries[summed[i]]);
}

/* After the last row: turns the sums into samples, ordered by the names of their frames. */
static void finish_sums(struct speedscope_writer *w)
{
    struct order order = {.w = w};
    struct stacks *stacks = &w->profile.stacks;
    stacks_finish(stacks);
    rank_frames(w, &order);
    stacks_offset *offsets = mem_alloc(((size_t)stacks->count + 1) * sizeof *offsets);
    uint32_t *summed = mem_alloc((w->entry_count + 1) * sizeof *summed);
    struct stacks_pass pass = {0};
    size_t count = 0;
    while (stacks_next(stacks, &pass, &offsets[count]))
        count++;
    order_items_with(offsets, count, sizeof *offsets, by_frames, &order);
    for (size_t i = 0; i < count; i++) {
        struct stacks_stack stack = stacks_at(stacks, offsets[i]);
        write_stack(w, &stack, summed);
    }
    mem_free(summed);
    mem_free(offsets);
    mem_free(order.ranks);
}

/* === the file === */

/* --- text --- */

static void add(struct speedscope_writer *w, struct str text)
{
    buf_add(&w->text, text);
}

/* Writes what has been added. */
static void flush(struct speedscope_writer *w)
{
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Adds the member NAME with the string TEXT. */
static void add_member(struct speedscope_writer *w, struct str name, struct str text)
{
    emit_member(&w->text, name);
    emit_string(&w->text, text);
}

static void add_decimal(struct speedscope_writer *w, struct str name, struct decimal value)
{
    emit_member(&w->text, name);
    decimal_write(&w->text, value);
}

/* --- profiles --- */

static const struct value_type *type_of(const struct speedscope_writer *w,
                                        const struct speedscope_entry *entry)
{
    return value_types_get(&w->sink.flow->types, entry->type);
}

/* Whether speedscope's WORD says as much as the unit of T. */
static bool is_said(const struct value_type *t, struct str word)
{
    return !str_equal(word, STR("none")) || t->unit.n == 0 || str_equal(t->unit, STR("count")) ||
           str_equal(t->unit, STR("none"));
}

/* The name that users select a profile by: its source, and its type. */
static void add_name(struct speedscope_writer *w, const struct speedscope_entry *entry,
                     struct str word)
{
    const struct speedscope_source *s = &w->sources[entry->source - 1];
    const struct value_type *t = type_of(w, entry);
    emit_member(&w->text, STR("name"));
    add(w, STR("\""));
    add(w, s->uri.p != NULL ? s->uri : s->kind);
    add(w, STR(" "));
    add(w, t->type);
    if (!is_said(t, word)) {
        add(w, STR("/"));
        add(w, t->unit);
    }
    add(w, STR("\""));
}

/* Whether the value type of ENTRY need not be written. */
static bool is_plain(const struct speedscope_entry *entry, const struct value_type *t)
{
    struct str unit,
        type =
            speedscope_type(entry->facts.unit.p == NULL ? STR("none") : entry->facts.unit, &unit);
    return entry->is_known && entry->facts.marked == 0 && str_equal(type, t->type) &&
           str_equal(unit, t->unit);
}

static void add_mark(struct speedscope_writer *w, const struct value_type *t, uint64_t source)
{
    emit_member(&w->text, SPEEDSCOPE_MARK);
    add(w, STR("{\"source\":"));
    emit_number(&w->text, (int64_t)source);
    add_member(w, STR("type"), t->type);
    add_member(w, STR("unit"), t->unit);
    add(w, STR("}"));
}

static _Noreturn void die_large(const struct speedscope_writer *w,
                                const struct speedscope_entry *entry)
{
    die(CODE_OVERFLOW, "the values of \"%.*s\" add up to more than a double can hold",
        STR_ARG(type_of(w, entry)->type));
}

/* Adds start and end of the values of ENTRY. The end is at least the sum of the values. */
static void add_range(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    struct decimal end = speedscope_is_evented(w, entry) ? entry->at : entry->parts;
    if (!speedscope_is_evented(w, entry)) {
        decimal_add(&end, (struct decimal){entry->whole, 0});
        if (entry->facts.start.p != NULL)
            decimal_add(&end, decimal_read(entry->facts.start));
    }
    if (!decimal_is_double(end))
        die_large(w, entry);
    emit_member(&w->text, STR("startValue"));
    add(w, entry->facts.start.p != NULL ? entry->facts.start : STR("0"));
    if (entry->facts.end.p != NULL) {
        emit_member(&w->text, STR("endValue"));
        add(w, entry->facts.end);
    } else {
        add_decimal(w, STR("endValue"), end);
    }
}

/* Writes ENTRY; its source has number SOURCE in the file. */
static void write_entry(struct speedscope_writer *w, struct speedscope_entry *entry,
                        uint64_t source)
{
    const struct value_type *t = type_of(w, entry);
    bool is_evented = speedscope_is_evented(w, entry);
    struct str word = entry->facts.unit.p != NULL ? entry->facts.unit : speedscope_unit(t->unit);
    add(w, is_evented ? STR("{\"type\":\"evented\"") : STR("{\"type\":\"sampled\""));
    if (entry->facts.name.p != NULL)
        add_member(w, STR("name"), entry->facts.name);
    else
        add_name(w, entry, word);
    add_member(w, STR("unit"), word);
    add_range(w, entry);
    if (!is_plain(entry, t))
        add_mark(w, t, source);
    add(w, is_evented ? STR(",\"events\":[") : STR(",\"samples\":["));
    flush(w);
    spools_copy(w->spools, entry->samples, w->out);
    if (!is_evented) {
        out_write(w->out, STR("],\"weights\":["));
        spools_copy(w->spools, entry->weights, w->out);
    }
    out_write(w->out, STR("]}"));
}

static int by_source(const void *a, const void *b)
{
    const struct speedscope_entry *x = *(struct speedscope_entry *const *)a,
                                  *y = *(struct speedscope_entry *const *)b;
    return x->source != y->source ? (x->source < y->source ? -1 : 1) : (x > y) - (x < y);
}

/* --- the file --- */

/* Whether all sources come from speedscope files. */
static bool are_own(const struct speedscope_writer *w)
{
    bool is_own = w->source_count > 0;
    for (size_t i = 0; i < w->source_count; i++)
        is_own = is_own && w->sources[i].is_own;
    return is_own;
}

/* Whether all sources come from one speedscope file, so that the numbers it gave them are still
 * unique. */
static bool are_of_one_file(const struct speedscope_writer *w)
{
    bool is_one = are_own(w);
    for (size_t i = 1; is_one && i < w->source_count; i++)
        is_one = str_equal(w->sources[i].uri, w->sources[0].uri);
    return is_one;
}

/* The entry to show first among the COUNT entries LIST, ordered by source: that of the first source
 * which has values of its shown type; else that of the first source; NULL if there is none. */
static const struct speedscope_entry *shown_first(const struct speedscope_writer *w,
                                                  struct speedscope_entry **list, size_t count)
{
    const struct speedscope_entry *first = NULL;
    struct default_type_entry *types = mem_alloc((count + 1) * sizeof *types);
    for (size_t i = 0, n; i < count && (first == NULL || first->count == 0); i += n) {
        size_t source = list[i]->source;
        for (n = 0; i + n < count && list[i + n]->source == source; n++) {
            const struct speedscope_entry *e = list[i + n];
            const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
            types[n] = (struct default_type_entry){t->type, t->unit, e->is_listed, e->count};
        }
        size_t at = default_type_choose(&w->sources[source - 1].shown, types, n);
        if (at < n && (first == NULL || list[i + at]->count > 0))
            first = list[i + at];
    }
    mem_free(types);
    return first;
}

/* Returns the entries to write, in order; sets *COUNT. *SHOWN is the index of the one shown first,
 * or -1 if it need not be written. */
static struct speedscope_entry **order_entries(struct speedscope_writer *w, size_t *count,
                                               int64_t *shown)
{
    struct speedscope_entry **list = mem_alloc((w->entry_count + 1) * sizeof *list);
    const struct speedscope_entry *first = NULL;
    bool is_own = are_own(w);
    *count = 0;
    for (size_t i = 0; i < w->entry_count; i++)
        if (!w->entries[i].is_gauge)
            list[(*count)++] = &w->entries[i];
    order_items(list, *count, sizeof *list, by_source);
    for (size_t i = 0; first == NULL && i < *count; i++)
        first = list[i]->facts.active ? list[i] : NULL;
    if (first == NULL && !is_own)
        first = shown_first(w, list, *count);
    *shown = -1;
    for (size_t i = 0; first != NULL && i < *count; i++)
        if (list[i] == first)
            *shown = (int64_t)i;
    return list;
}

/* The value of FIELD if all sources have the same; else a null p. */
static struct str agreed(const struct speedscope_writer *w, size_t field)
{
    const struct str none = {NULL, 0};
    for (size_t i = 0; i < w->source_count; i++) {
        struct str text, first;
        memcpy(&text, (const char *)&w->sources[i] + field, sizeof text);
        memcpy(&first, (const char *)&w->sources[0] + field, sizeof first);
        if (text.p == NULL || !str_equal(text, first))
            return none;
        if (i + 1 == w->source_count)
            return text;
    }
    return none;
}

/* Counts the values of FIELD, called NAME, that cannot be written. */
static void count_unsaid(const struct speedscope_writer *w, size_t field, struct str name)
{
    for (size_t i = 0; i < w->source_count; i++) {
        struct str text;
        memcpy(&text, (const char *)&w->sources[i] + field, sizeof text);
        if (text.p != NULL)
            loss_add(LOSS_OWN, name, 1);
    }
}

/* Writes everything before the frames. There are COUNT profiles; number SHOWN is shown first. */
static void write_head(struct speedscope_writer *w, size_t count, int64_t shown)
{
    size_t name_field = offsetof(struct speedscope_source, name);
    size_t exporter_field = offsetof(struct speedscope_source, exporter);
    struct str name = agreed(w, name_field), exporter = agreed(w, exporter_field);
    if (name.p == NULL)
        count_unsaid(w, name_field, STR("sources..speedscope.name"));
    if (exporter.p == NULL)
        count_unsaid(w, exporter_field, STR("sources..speedscope.exporter"));
    if (name.p == NULL && count == 0)
        name = STR("profile"); /* speedscope requires a name */
    w->text.n = 0;
    add(w, STR("{\"$schema\":\""));
    add(w, SPEEDSCOPE_SCHEMA);
    add(w, STR("\""));
    if (name.p != NULL)
        add_member(w, STR("name"), name);
    if (shown >= 0) {
        emit_member(&w->text, STR("activeProfileIndex"));
        emit_number(&w->text, shown);
    }
    bool is_own = are_own(w);
    if (exporter.p != NULL || !is_own)
        add_member(w, STR("exporter"), exporter.p != NULL ? exporter : STR("profpipe"));
    add(w, STR(",\"shared\":{\"frames\":["));
    flush(w);
}

/* Writes the file. */
static void write_file(struct speedscope_writer *w)
{
    size_t count, source = 0;
    int64_t shown;
    uint64_t number = 0;
    bool is_one = are_of_one_file(w);
    struct speedscope_entry **list = order_entries(w, &count, &shown);
    write_head(w, count, shown);
    write_frames(w);
    out_write(w->out, STR("]},\"profiles\":["));
    for (size_t i = 0; i < count; i++) {
        number += list[i]->source != source;
        source = list[i]->source;
        out_write(w->out, i > 0 ? STR(",\n") : STR("\n"));
        write_entry(w, list[i],
                    is_one && list[i]->facts.marked != 0 ? (uint64_t)list[i]->facts.marked
                                                         : number);
    }
    out_write(w->out, STR("]}\n"));
    mem_free(list);
}

/* === samples and the stage === */

/* --- values --- */

/* The text of X. */
static struct str text_of(struct speedscope_writer *w, struct decimal x)
{
    int64_t integer;
    w->number.n = 0;
    if (x.exponent != 0 || !wide_fits(x.digits, &integer)) {
        decimal_write(&w->number, x);
        return buf_str(&w->number);
    }
    w->inexact += integer > SPEEDSCOPE_EXACT_MAX;
    emit_number(&w->number, integer);
    return buf_str(&w->number);
}

static void add_to_sum(struct speedscope_entry *entry, struct decimal x)
{
    if (x.exponent == 0)
        entry->whole = wide_add(entry->whole, x.digits);
    else
        decimal_add(&entry->parts, x);
}

/* --- events --- */

static void add_event(struct speedscope_writer *w, struct speedscope_entry *entry, char type,
                      uint32_t frame)
{
    struct buf *text = &w->scratch;
    text->n = 0;
    if (spools_size(w->spools, entry->samples) > 0)
        buf_add(text, STR(","));
    buf_add(text, STR("{\"type\":\""));
    buf_add(text, (struct str){&type, 1});
    buf_add(text, STR("\",\"frame\":"));
    emit_number(text, frame);
    buf_add(text, STR(",\"at\":"));
    decimal_write(text, entry->at);
    buf_add(text, STR("}"));
    spools_write(w->spools, entry->samples, buf_str(text));
}

/* Goes from the previous stack to the DEPTH frames of STACK: closes frames that are gone and opens
 * new ones. */
static void change_stack(struct speedscope_writer *w, struct speedscope_entry *entry,
                         const uint32_t *stack, size_t depth)
{
    size_t same = 0;
    while (same < depth && same < entry->depth && stack[same] == entry->open[same])
        same++;
    while (entry->depth > same) {
        entry->depth--;
        add_event(w, entry, 'C', entry->open[entry->depth]);
    }
    entry->open = mem_array(entry->open, &entry->open_capacity, depth, sizeof *entry->open);
    for (; entry->depth < depth; entry->depth++) {
        entry->open[entry->depth] = stack[entry->depth];
        add_event(w, entry, 'O', stack[entry->depth]);
    }
}

/* --- samples --- */

/* Takes V, a value of the sample, from source number SOURCE. */
static void take_value(struct speedscope_writer *w, size_t source, const struct sample_value *v)
{
    const struct speedscope_source *of = &w->sources[source - 1];
    bool is_time = v->type == w->counts && of->time != 0;
    struct speedscope_entry *entry = entry_of(w, source, is_time ? of->time : v->type);
    struct decimal x = sample_value_exact(v);
    if (is_time)
        x = amount_times(x, of->period);
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    entry->count += decimal_sign(x) != 0;
    if (entry->is_gauge) {
        entry->left_out++;
    } else if (w->options.aggregate) {
        speedscope_add_part(w, entry, x);
    } else if (decimal_sign(x) < 0) {
        entry->left_out++;
    } else if (speedscope_is_evented(w, entry)) {
        change_stack(w, entry, w->stack, w->depth);
        decimal_add(&entry->at, x);
    } else {
        add_to_sum(entry, x);
        add_sample(w, entry,
                   v->value.kind == NUMBER_REAL && !is_time ? v->value.real : text_of(w, x));
    }
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct speedscope_writer *w = (struct speedscope_writer *)to;
    struct place where = to->flow->where;
    loss_add_sample(sample, where);
    if (sample->value_count == 0) {
        loss_add(LOSS_NO_COUNT, STR(""), 1);
        return;
    }
    read_stack(w, sample->locations, sample->depth, !w->options.aggregate);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        take_value(w, (size_t)sample->source_id, &sample->values[i]);
    }
    to->flow->where = where;
    if (w->options.aggregate)
        keep_sample(w);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct speedscope_writer *w = (struct speedscope_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&w->profile, row, place_of(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default: loss_add_row(row);
    }
}

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    (void)other;
    if (row->table == TABLE_SOURCES)
        return keep_of_source(writer, row, member);
    return row->table == TABLE_LOCATIONS && keep_of_location(writer, member);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct speedscope_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct speedscope_write_options *)with;
    flow->adds_up = w->options.aggregate;
    w->profile.stacks.flow = flow;
    w->profile.keep = keep;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->profile.user = w;
    w->spools = spools_open();
}

/* Closes the frames still open at the end of the events of ENTRY. */
static void end_entry(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    struct str type = value_types_get(&w->sink.flow->types, entry->type)->type;
    if (speedscope_is_evented(w, entry))
        change_stack(w, entry, NULL, 0);
    if (entry->left_out > 0)
        loss_add(entry->dropped_as, type, entry->left_out);
}

static void free_writer(struct speedscope_writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        mem_free(w->sources[i].facts);
    for (size_t i = 0; i < w->entry_count; i++)
        mem_free(w->entries[i].open);
    void *blocks[] = {w->sources,  w->entries, w->known, w->frames,
                      w->frame_of, w->stack,   w->ends,  w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&w->text);
    buf_free(&w->number);
    buf_free(&w->scratch);
    intern_free(&w->entry_keys);
    intern_free(&w->frame_keys);
    amount_free(&w->digits);
    arena_free(&w->arena);
    profile_free(&w->profile);
    spools_close(w->spools);
}

static void close_writer(void *to)
{
    struct speedscope_writer *w = to;
    if (w->options.aggregate)
        finish_sums(w);
    for (size_t i = 0; i < w->entry_count; i++)
        end_entry(w, &w->entries[i]);
    write_file(w);
    if (w->inexact > 0)
        warn(CODE_LOST_VALUES,
             "values above 2^53 (%" PRIu64
             "): they are written exactly, but speedscope rounds them",
             w->inexact);
    free_writer(w);
}

const struct stage speedscope_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct speedscope_writer),
    .open = open_writer,
    .close = close_writer,
};

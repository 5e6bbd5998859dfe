/* Profile rows to a file of Perun.  See ndjson2perun(1) for the rules.
 *
 * Only at the end is it known whether there is a single, unchanged source from Perun. So the writer
 * keeps both: sums by stack, and the text of each sample in a spool, until the rows differ from the
 * file. */
#include "base/amount.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/sha.h"
#include "base/spool.h"
#include "base/units.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "formats/perun/perun_facts.h"
#include "formats/perun/perun_print.h"
#include "profile/choice.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

/* A row of .perun_types. Texts are as spelled in the file. */
struct perun_own_type {
    struct str key;                     /* with quotes; null p: of resources in lists */
    struct str members, columns, tails; /* null p: none */
    uint32_t place;
    uint32_t kinds[2]; /* value types of a sample: amount, exclusive; 0: none */
    bool is_checked;   /* LOCATIONS have been checked against its stack */
    uint32_t depth;
    uint32_t *locations;
};

/* A row of .perun_snapshots. The first is the file itself. */
struct perun_own_snapshot {
    struct str members;
    bool is_global;
    uint32_t rank;             /* its index among all snapshots of the file */
    uint64_t samples;          /* samples read so far */
    size_t model, model_count; /* index of its first model; its models are adjacent */
};

/* A row of .perun_models or .perun_chunks. */
struct perun_own_item {
    uint32_t snapshot;
    struct str key, value;
};

/* Finds members of an object by name. Mostly they are asked for in their order. All zero is
 * none. */
struct perun_own_lookup {
    struct str members, rest; /* null p: no members; the part after the last one found */
    bool is_indexed;          /* set at the first request out of order */
    struct intern names;      /* the number is the index in VALUES + 1 */
    struct str *values;
    size_t capacity;
};

struct perun_own_items {
    struct perun_own_item *items;
    size_t count, capacity;
};

/* What a file of Perun said. */
struct perun_own {
    bool is_there; /* the first source comes from such a file, and so far nothing else was seen */
    bool is_indented;
    struct str layout, stored; /* null p: none */
    struct str members;
    int64_t samples; /* number of samples in the file */

    struct perun_own_type *types; /* by number - 1; a missing row has no members */
    size_t type_count, type_capacity;
    struct perun_own_snapshot *snapshots; /* by number; 0 is the file */
    size_t snapshot_count, snapshot_capacity;
    struct perun_own_items models, chunks;
    uint32_t *by_place; /* numbers of types */
    size_t place_count, place_capacity;
    uint64_t rows; /* rows of dotted tables of all sources */

    struct perun_file file;
    bool is_finished;     /* FILE is complete, since the first sample has come */
    uint32_t rank, place; /* of the last sample */
    uint64_t taken;
    struct spool *spool;
    struct buf text;                /* members of one sample */
    struct perun_own_lookup lookup; /* in TEXT */
};

/* Precedes the text of each sample in the spool. The text is that of each column, each after a line
 * feed, or that of an object. */
struct perun_own_sample {
    uint32_t type, snapshot;
    uint64_t size;
};

/* What is kept of a location besides the profile. */
struct perun_location {
    struct str others; /* members of a frame of Perun, each after a comma; null p: none */
    uint32_t frame;    /* text when not innermost: a number in w->frames; 0: not known yet */
    uint32_t leaf;     /* text when innermost; the same */
};

struct perun_writer {
    struct sink sink;
    struct perun_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice;
    struct arena arena;
    struct perun_own own;

    struct perun_location *places; /* by location - 1 */
    size_t place_capacity;
    struct str others; /* of the row of locations being read */
    struct intern frames;

    /* The sample being read: numbers of frames, innermost first, and parts of sums. The columns of
     * the sums are numbers of KINDS: pairs of a source and a type. */
    uint32_t *stack;
    size_t stack_capacity;
    struct intern kinds;
    uint32_t counts; /* the type samples/count */
    struct amount_columns digits;
    struct sums_part *parts;
    size_t part_count, part_capacity;

    uint64_t own_samples; /* samples that came from a file of Perun */
    uint64_t nameless;    /* locations without a function, written with a placeholder name */
    /* innermost locations with a file, or a line, that is not written */
    uint64_t leaf_files, leaf_lines;
    struct str kind; /* of the file that was written: memory, mixed or time */
    struct buf text, scratch;
};

static inline struct place place_of(const struct perun_writer *w)
{
    return w->sink.flow->where;
}

/* === functions, locations, frames === */

/* Functions and locations. A frame is text. The innermost frame is just a name: with a line it
 * would differ between versions of a program. */

/* --- rows --- */

/* Keeps MEMBER of the row of locations being read (profile.h). */
static bool keep_of_location(struct perun_writer *w, const struct member *member)
{
    if (member->id != MEMBER_ID_PERUN_FRAME)
        return false;
    w->text.n = 0;
    perun_spell(&w->text, member->value, place_of(w), "locations..perun_frame");
    struct str members = text_inside(buf_str(&w->text));
    w->scratch.n = 0;
    buf_add(&w->scratch, STR(","));
    buf_add(&w->scratch, members);
    if (members.n > 0 && w->text.p[0] == '{')
        w->others = arena_copy(&w->arena, buf_str(&w->scratch));
    return true;
}

/* Read a row of functions, locations. */
static void read_function(struct perun_writer *w, const struct row *row)
{
    profile_drop_function(profile_add_function(&w->profile, row, place_of(w)), false);
}

static void read_location(struct perun_writer *w, const struct row *row)
{
    w->others = (struct str){NULL, 0};
    const struct profile_location *l = profile_add_location(&w->profile, row, place_of(w));
    size_t id = (size_t)row->location.location_id;
    w->places = mem_array(w->places, &w->place_capacity, id, sizeof *w->places);
    w->places[id - 1] = (struct perun_location){.others = w->others};
    if (l->address != 0 && l->function != 0)
        loss_add_column(row, STR(".address"));
    if (l->mapping != 0)
        loss_add_column(row, STR(".mapping_id"));
    if (l->into != 0)
        loss_add_column(row, STR(".inlined_into"));
    w->nameless += l->function == 0;
    if (l->is_folded)
        loss_add_column(row, STR(".is_folded"));
}

/* --- frames as text --- */

/* Appends the string BYTES to TO in quotes. What Perun cannot hold is counted as a loss
 * (loss.h). */
static void add_string(struct buf *to, struct str bytes)
{
    size_t start = to->n;
    buf_add(to, STR("\""));
    if (!perun_escape(to, bytes))
        loss_add(LOSS_PERUN_NAMES, (struct str){to->p + start + 1, to->n - start - 1}, 1);
    buf_add(to, STR("\""));
}

static uint32_t file_of(const struct perun_writer *w, const struct profile_location *l)
{
    return l->function == 0 ? l->filename : w->profile.functions[l->function - 1].filename;
}

/* Appends the name of L to TO, in quotes. */
static void add_name(struct perun_writer *w, struct buf *to, const struct profile_location *l)
{
    struct buf bytes = {0};
    const struct profile_function *f =
        l->function == 0 ? NULL : &w->profile.functions[l->function - 1];
    if (f == NULL)
        naming_add_stand_in(&bytes, &w->profile, l);
    else
        buf_add(&bytes, f->name == 0 ? ROW_NO_NAME : profile_string_of(&w->profile, f->name));
    add_string(to, buf_str(&bytes));
    buf_free(&bytes);
}

/* The number of location ID when not innermost. */
static uint32_t frame_of(struct perun_writer *w, uint32_t id)
{
    const struct profile_location *l = &w->profile.locations[id - 1];
    struct perun_location *place = &w->places[id - 1];
    struct buf *to = &w->text;
    if (place->frame != 0)
        return place->frame;
    to->n = 0;
    buf_add(to, STR("{\"func\":"));
    add_name(w, to, l);
    uint32_t file = file_of(w, l);
    if (file != 0) {
        buf_add(to, STR(",\"source\":"));
        add_string(to, profile_string_of(&w->profile, file));
    }
    if (l->line > 0) {
        emit_member(to, STR("line"));
        emit_number(to, l->line);
    }
    if (l->column > 0) {
        emit_member(to, STR("column"));
        emit_number(to, l->column);
    }
    if (place->others.p != NULL)
        buf_add(to, place->others);
    buf_add(to, STR("}"));
    place->frame = intern_add(&w->frames, buf_str(to), NULL);
    return place->frame;
}

/* The number of location ID when innermost. */
static uint32_t leaf_of(struct perun_writer *w, uint32_t id)
{
    const struct profile_location *l = &w->profile.locations[id - 1];
    struct perun_location *place = &w->places[id - 1];
    if (place->leaf != 0)
        return place->leaf;
    w->leaf_files += file_of(w, l) != 0;
    w->leaf_lines += l->line > 0;
    w->text.n = 0;
    add_name(w, &w->text, l);
    place->leaf = intern_add(&w->frames, buf_str(&w->text), NULL);
    return place->leaf;
}

/* Sets w->stack to the frames of the DEPTH locations IDS. */
static void read_stack(struct perun_writer *w, const int64_t *ids, size_t depth)
{
    w->stack = mem_array(w->stack, &w->stack_capacity, depth + 1, sizeof *w->stack);
    for (size_t i = 0; i < depth; i++)
        w->stack[i] = i == 0 ? leaf_of(w, (uint32_t)ids[i]) : frame_of(w, (uint32_t)ids[i]);
}

/* --- frames of a file of Perun --- */

/* Whether location ID is the frame F of a file of Perun. */
static bool is_frame(const struct perun_writer *w, uint32_t id, const struct perun_frame *f)
{
    const struct profile_location *l = &w->profile.locations[id - 1];
    struct str others = w->places[id - 1].others;
    bool has_function = f->function.p != NULL;
    if (has_function != (l->function != 0) || l->line != f->line || l->column != f->column ||
        !str_equal(others, f->others))
        return false;
    if (has_function) {
        const struct profile_function *function = &w->profile.functions[l->function - 1];
        struct str name = profile_string_of(&w->profile, function->name);
        if (!str_equal(name, f->function) || function->system_name != 0)
            return false;
    }
    return str_equal(profile_string_of(&w->profile, file_of(w, l)), f->file);
}

/* === members by name === */

/* Finds members by name. Rows mostly have them in the order of the requests, so the next one is
 * tried first. If another tool has changed the order of a large object, a table avoids searching it
 * each time. */

/* Opens LOOKUP on the object MEMBERS, which must stay valid while it is used. A null p has no
 * members. */
static void own_look(struct perun_own_lookup *lookup, struct str members)
{
    lookup->members = members;
    lookup->rest = members.p == NULL ? members : text_inside(members);
    if (lookup->is_indexed)
        intern_free(&lookup->names);
    lookup->is_indexed = false;
}

static void make_index(struct perun_own_lookup *lookup)
{
    struct str rest = text_inside(lookup->members), name, value;
    bool is_new;
    lookup->is_indexed = true;
    while (text_next_member(&rest, &name, &value)) {
        uint32_t id = intern_add(&lookup->names, name, &is_new);
        lookup->values = mem_array(lookup->values, &lookup->capacity, id, sizeof *lookup->values);
        if (is_new)
            lookup->values[id - 1] = value;
    }
}

/* The value of the member NAME; null p if there is none. The time does not grow with the number of
 * members. */
static struct str own_find(struct perun_own_lookup *lookup, struct str name)
{
    enum { FEW = 512 }; /* max bytes that are searched as fast as a table is built */
    struct str rest = lookup->rest, next, value;
    if (lookup->members.p == NULL)
        return lookup->members;
    if (text_next_member(&rest, &next, &value) && str_equal(next, name)) {
        lookup->rest = rest;
        return value;
    }
    if (lookup->members.n <= FEW)
        return text_member(lookup->members, name);
    if (!lookup->is_indexed)
        make_index(lookup);
    uint32_t id = intern_find(&lookup->names, name);
    return id == 0 ? (struct str){NULL, 0} : lookup->values[id - 1];
}

/* Frees what LOOKUP holds. */
static void own_lookup_free(struct perun_own_lookup *lookup)
{
    intern_free(&lookup->names);
    mem_free(lookup->values);
}

/* Whether the value NAME of MEMBERS is null because other rows hold it. */
static bool own_has_hole(struct str members, struct str name)
{
    struct str value = members.p == NULL ? members : text_member(members, name);
    return value.p != NULL && str_equal(value, STR("null"));
}

/* === what a file of Perun said === */

/* Restores a file of Perun. Its rows may have passed filters. So each sample must still have the
 * stack, values and place that the reader gave it, and none may be missing. */

/* --- rows --- */

/* The file's spelling of VALUE, from COLUMN of a row, kept until the end. */
static struct str spelled(struct perun_writer *w, struct str value, const char *column)
{
    w->text.n = 0;
    perun_spell(&w->text, value, place_of(w), column);
    return arena_copy(&w->arena, buf_str(&w->text));
}

/* The bytes of M, a string, kept until the end. */
static struct str kept_text(struct perun_writer *w, const struct member *m)
{
    w->text.n = 0;
    text_unescape(&w->text, m->text);
    return arena_copy(&w->arena, buf_str(&w->text));
}

static struct perun_own_snapshot *snapshot_at(struct perun_own *own, size_t number)
{
    if (number >= own->snapshot_capacity)
        own->snapshots = mem_array_zeroed(own->snapshots, &own->snapshot_capacity, number + 1,
                                          sizeof *own->snapshots);
    if (number >= own->snapshot_count)
        own->snapshot_count = number + 1;
    return &own->snapshots[number];
}

/* Keeps MEMBER, the `.perun` of the first source. */
static void own_begin(struct perun_writer *w, const struct row *row, const struct member *member)
{
    struct perun_own *own = &w->own;
    struct members walk = members_of(row, place_of(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    struct member m;
    own->is_there = true;
    own->samples = -1;
    while (members_next(&facts, &m))
        if (m.id == MEMBER_ID_PERUN_LAYOUT) {
            own->layout = kept_text(w, &m);
        } else if (m.id == MEMBER_ID_PERUN_STORED) {
            own->stored = kept_text(w, &m);
        } else if (m.id == MEMBER_ID_PERUN_INDENTED) {
            own->is_indented = m.flag;
        } else if (m.id == MEMBER_ID_PERUN_SAMPLES) {
            own->samples = m.integer;
        } else if (str_equal(m.name, STR("members"))) {
            w->text.n = 0;
            perun_spell_members(&w->text, m.value, place_of(w), "sources..perun.members");
            own->members = arena_copy(&w->arena, buf_str(&w->text));
        }
    snapshot_at(own, 0)->members = own->members;
    own->is_there = own->members.n > 0 && *own->members.p == '{';
}

/* Whether COLUMNS is a list of names. */
static bool are_columns(struct str columns)
{
    struct str rest = text_inside(columns), item, name;
    bool good = *columns.p == '[';
    while (good && text_next_item(&rest, &item))
        good = text_is_string(item, &name);
    return good;
}

/* Whether TAILS is an object of lists, none of them empty. */
static bool are_tails(struct str tails)
{
    struct str rest = text_inside(tails), name, value;
    bool good = *tails.p == '{';
    while (good && text_next_member(&rest, &name, &value))
        good = *value.p == '[' && text_inside(value).n > 0;
    return good;
}

/* Numbers begin at 1 and rise by one, so a row cannot make us allocate more than its own size.
 * Returns false if this number does not. */
static bool read_type(struct perun_writer *w, const struct perun_facts *f)
{
    struct perun_own *own = &w->own;
    if (f->number != (int64_t)own->type_count + 1)
        return false;
    own->types =
        mem_array(own->types, &own->type_capacity, own->type_count + 1, sizeof *own->types);
    struct perun_own_type *type = &own->types[own->type_count++];
    *type = (struct perun_own_type){
        .key = {NULL, 0}, .columns = {NULL, 0}, .tails = {NULL, 0}, .place = (uint32_t)f->place};
    type->members = spelled(w, f->value, ".perun_types.members");
    if (f->key.p != NULL)
        type->key = spelled(w, f->key, ".perun_types.key");
    if (f->columns.p != NULL)
        type->columns = spelled(w, f->columns, ".perun_types.columns");
    if (f->tails.p != NULL)
        type->tails = spelled(w, f->tails, ".perun_types.tails");
    own->place_count += f->place > 0;
    return (type->columns.p == NULL || are_columns(type->columns)) &&
           (type->tails.p == NULL || are_tails(type->tails));
}

static bool read_snapshot(struct perun_writer *w, const struct perun_facts *f)
{
    if (f->number != (int64_t)w->own.snapshot_count)
        return false;
    struct perun_own_snapshot *s = snapshot_at(&w->own, (size_t)f->number);
    s->is_global = f->is_global;
    s->members = spelled(w, f->value, ".perun_snapshots.members");
    return true;
}

static bool read_item(struct perun_writer *w, const struct perun_facts *f,
                      struct perun_own_items *to, const char *column)
{
    if (f->number != (int64_t)to->count + 1)
        return false;
    struct perun_own_item item = {(uint32_t)f->snapshot, {NULL, 0}, spelled(w, f->value, column)};
    if (f->key.p != NULL)
        item.key = spelled(w, f->key, column);
    to->items = mem_array(to->items, &to->capacity, to->count + 1, sizeof *to->items);
    to->items[to->count++] = item;
    return true;
}

/* Keeps ROW; false if it is not of a dotted table of Perun. */
static bool own_row(struct perun_writer *w, const struct row *row)
{
    const enum perun_table table = perun_table_of(row);
    struct perun_facts f;
    bool good = false;
    if (table == PERUN_TABLES)
        return false;
    w->own.rows++;
    if (!w->own.is_there)
        return true;
    if (perun_facts_read(row, table, &f) && f.source == 1 && !w->own.is_finished)
        switch (table) {
        case PERUN_TYPES: good = read_type(w, &f); break;
        case PERUN_SNAPSHOTS: good = read_snapshot(w, &f); break;
        case PERUN_MODELS: good = read_item(w, &f, &w->own.models, ".perun_models.model"); break;
        default: good = read_item(w, &f, &w->own.chunks, ".perun_chunks.chunk");
        }
    w->own.is_there = good;
    return true;
}

/* --- what the reader made of the file --- */

static bool has_own(const struct perun_own_type *type, struct str name)
{
    return perun_has_own(type->members, type->columns, name);
}

/* The value types of samples of TYPE. */
static void finish_kinds(struct perun_writer *w, struct perun_own_type *type)
{
    struct value_types *types = &w->sink.flow->types;
    struct perun_kind kind = {0};
    perun_kind_read(&kind, &w->own.file, type->members);
    if (has_own(type, STR("amount")))
        type->kinds[0] = value_types_add(types, buf_str(&kind.type), buf_str(&kind.unit));
    if (has_own(type, PERUN_EXCLUSIVE) && !str_equal(buf_str(&kind.type), PERUN_EXCLUSIVE))
        type->kinds[1] = value_types_add(types, PERUN_EXCLUSIVE, buf_str(&kind.unit));
    buf_free(&kind.type);
    buf_free(&kind.unit);
}

/* Orders the types that have resources; false if they have no valid order. */
static bool finish_places(struct perun_own *own)
{
    own->by_place = mem_alloc_zeroed((own->place_count + 1) * sizeof *own->by_place);
    for (size_t i = 0; i < own->type_count; i++) {
        uint32_t place = own->types[i].place;
        bool is_mapped = own->types[i].key.p != NULL;
        if (place == 0)
            continue;
        if (!is_mapped || place > own->place_count || own->by_place[place - 1] != 0 ||
            own->types[i].columns.p == NULL)
            return false;
        own->by_place[place - 1] = (uint32_t)i + 1;
    }
    return true;
}

/* Ranks the snapshots that are global (or not), after RANK others; returns the number ranked so
 * far. */
static uint32_t rank_snapshots(struct perun_own *own, uint32_t rank, bool is_global)
{
    for (size_t i = 1; i < own->snapshot_count; i++)
        if (own->snapshots[i].is_global == is_global)
            own->snapshots[i].rank = ++rank;
    return rank;
}

/* Orders the file itself, whose resources are somewhere in it, and its snapshots. */
static void finish_ranks(struct perun_own *own)
{
    struct str rest = text_inside(own->members), name, value;
    uint32_t rank = 0;
    while (text_next_member(&rest, &name, &value))
        if (str_equal(name, STR("resources")))
            own->snapshots[0].rank = ++rank;
        else if (str_equal(name, STR("snapshots")))
            rank = rank_snapshots(own, rank, false);
        else if (str_equal(name, STR("global")))
            rank = rank_snapshots(own, rank, true);
}

/* Called when all rows before the samples have come. */
static void finish(struct perun_writer *w)
{
    struct perun_own *own = &w->own;
    own->is_finished = true;
    own->file = perun_file_of(own->members);
    for (size_t i = 0; i < own->type_count; i++)
        own->file.has_exclusive |= (own->types[i].key.p == NULL || own->types[i].place != 0) &&
                                   has_own(&own->types[i], PERUN_EXCLUSIVE);
    for (size_t i = 0; i < own->type_count; i++)
        finish_kinds(w, &own->types[i]);
    finish_ranks(own);
    own->is_there = own->is_there && finish_places(own);
}

/* --- samples --- */

/* The place of a sample in the file, from its columns. */
struct own_sample {
    int64_t type, snapshot;
    struct perun_own_lookup *members; /* as spelled in the file */
};

static bool read_columns(struct perun_writer *w, const struct sample *sample, struct own_sample *to)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, place_of(w), NULL);
    struct member m;
    *to = (struct own_sample){.members = &w->own.lookup};
    own_look(to->members, (struct str){NULL, 0});
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_PERUN_TYPE) {
            to->type = m.integer;
        } else if (m.id == MEMBER_ID_PERUN_SNAPSHOT) {
            to->snapshot = m.integer;
        } else if (m.id == MEMBER_ID_PERUN_MEMBERS) {
            w->own.text.n = 0;
            perun_spell(&w->own.text, m.value, place_of(w), "samples..perun_members");
            own_look(to->members, buf_str(&w->own.text));
        } else {
            return false;
        }
    return true;
}

/* Whether SAMPLE has the stack of TYPE. */
static bool has_stack(struct perun_writer *w, struct perun_own_type *type,
                      const struct sample *sample)
{
    if (!type->is_checked) {
        struct perun_stack stack = {0};
        perun_stack_read(&stack, &w->own.file, type->members);
        bool same = stack.depth == sample->depth;
        for (size_t i = 0; same && i < stack.depth; i++)
            same = is_frame(w, (uint32_t)sample->locations[i], &stack.frames[i]);
        perun_stack_free(&stack);
        if (!same)
            return false;
        type->is_checked = true;
        type->depth = (uint32_t)sample->depth;
        type->locations = arena_alloc(&w->arena, sample->depth * sizeof *type->locations + 1);
        for (size_t i = 0; i < sample->depth; i++)
            type->locations[i] = (uint32_t)sample->locations[i];
    }
    for (size_t i = 0; i < type->depth && type->depth == sample->depth; i++)
        if (type->locations[i] != sample->locations[i])
            return false;
    return type->depth == sample->depth;
}

static bool same_number(const struct number *a, const struct number *b)
{
    return a->kind == b->kind &&
           (a->kind == NUMBER_INTEGER ? a->integer == b->integer : str_equal(a->real, b->real));
}

/* Sets *TEXT to the member NAME of SAMPLE: from its columns, or the value of type KIND, which must
 * be what the reader makes of that text. *USED counts such values. */
static bool text_of(struct perun_writer *w, const struct sample *sample,
                    const struct own_sample *own, struct str name, uint32_t kind, struct str *text,
                    size_t *used)
{
    const struct sample_value *v = NULL;
    struct number number;
    bool is_reported;
    for (size_t i = 0; kind != 0 && i < sample->value_count; i++)
        if (sample->values[i].type == kind && sample->values[i].extra.n == 0)
            v = &sample->values[i];
    *used += v != NULL;
    *text = own_find(own->members, name);
    if (text->p != NULL && kind != 0) {
        struct str unit = value_types_get(&w->sink.flow->types, kind)->unit;
        bool is_value = perun_value(*text, unit, &w->scratch, &number, &is_reported);
        return is_value == (v != NULL) && (v == NULL || same_number(&number, &v->value));
    }
    if (text->p == NULL && v != NULL) {
        w->scratch.n = 0;
        if (v->value.kind == NUMBER_INTEGER)
            emit_number(&w->scratch, v->value.integer);
        *text = v->value.kind == NUMBER_INTEGER ? buf_str(&w->scratch) : v->value.real;
    }
    return text->p != NULL;
}

/* The value type of the member NAME in a resource of TYPE; 0: none. */
static uint32_t type_number_of(const struct perun_own_type *type, struct str name)
{
    return str_equal(name, STR("amount"))     ? type->kinds[0]
           : str_equal(name, PERUN_EXCLUSIVE) ? type->kinds[1]
                                              : 0;
}

/* Sets w->text to the text of SAMPLE, for an entry of the map: each of its columns after a line
 * feed. */
static bool add_columns(struct perun_writer *w, const struct perun_own_type *type,
                        const struct sample *sample, const struct own_sample *own)
{
    struct str rest = text_inside(type->columns), item, text;
    size_t used = 0;
    while (text_next_item(&rest, &item)) {
        struct str name = text_inside(item);
        if (!text_of(w, sample, own, name, type_number_of(type, name), &text, &used))
            return false;
        buf_add(&w->text, STR("\n"));
        buf_add(&w->text, text);
    }
    return used == sample->value_count;
}

/* The same for a resource in a list: all its members. */
static bool add_members(struct perun_writer *w, const struct perun_own_type *type,
                        const struct sample *sample, const struct own_sample *own)
{
    struct str rest = text_inside(type->members), name, value, text;
    size_t used = 0;
    if (*type->members.p != '{') {
        buf_add(&w->text, type->members);
        return sample->value_count == 0;
    }
    for (bool more = false; text_next_member(&rest, &name, &value); more = true) {
        uint32_t kind = type_number_of(type, name);
        bool is_own =
            str_equal(value, STR("null")) && text_of(w, sample, own, name, kind, &text, &used);
        if (kind != 0 && !is_own)
            return false;
        buf_add(&w->text, more ? STR(",\"") : STR("{\""));
        buf_add(&w->text, name);
        buf_add(&w->text, STR("\":"));
        buf_add(&w->text, is_own ? text : value);
    }
    if (w->text.n == 0)
        buf_add(&w->text, STR("{"));
    buf_add(&w->text, STR("}"));
    return used == sample->value_count;
}

/* Whether a sample of TYPE in SNAPSHOT may come next. */
static bool is_next(const struct perun_own *own, const struct perun_own_type *type,
                    int64_t snapshot)
{
    bool is_mapped = type->key.p != NULL;
    if (snapshot >= (int64_t)own->snapshot_count || own->snapshots[snapshot].rank < own->rank)
        return false;
    if (is_mapped != (snapshot == 0 && str_equal(own->layout, STR("map"))))
        return false;
    return !is_mapped || type->place >= own->place;
}

static bool take(struct perun_writer *w, const struct sample *sample)
{
    struct perun_own *own = &w->own;
    struct own_sample read;
    if (!read_columns(w, sample, &read) || read.type < 1 || read.type > (int64_t)own->type_count ||
        sample->location_extras != NULL)
        return false;
    struct perun_own_type *type = &own->types[read.type - 1];
    if (!is_next(own, type, read.snapshot) || !has_stack(w, type, sample))
        return false;
    w->text.n = 0;
    bool is_mapped = type->key.p != NULL;
    if (!(is_mapped ? type->place != 0 && add_columns(w, type, sample, &read)
                    : add_members(w, type, sample, &read)))
        return false;
    struct perun_own_sample head = {(uint32_t)read.type, (uint32_t)read.snapshot, w->text.n};
    spool_write(own->spool, (struct str){(const char *)&head, sizeof head});
    spool_write(own->spool, buf_str(&w->text));
    own->rank = own->snapshots[read.snapshot].rank;
    own->place = is_mapped ? type->place : own->place;
    own->snapshots[read.snapshot].samples++;
    own->taken++;
    return true;
}

/* Takes SAMPLE, with its locations as they were pushed. If it differs from the file, the file is
 * given up and sums are written instead. */
static void own_take(struct perun_writer *w, const struct sample *sample)
{
    if (!w->own.is_finished)
        finish(w);
    w->own.is_there = w->own.is_there && take(w, sample);
}

/* Finds the models of each snapshot; false if some are not in a snapshot, or not adjacent. */
static bool finish_models(struct perun_own *own)
{
    for (size_t i = 0; i < own->models.count; i++) {
        uint32_t number = own->models.items[i].snapshot;
        if (number >= own->snapshot_count)
            return false;
        struct perun_own_snapshot *s = &own->snapshots[number];
        if (s->model_count == 0 && !own_has_hole(s->members, STR("models")))
            return false;
        if (s->model_count == 0)
            s->model = i;
        if (s->model + s->model_count++ != i)
            return false;
    }
    return true;
}

/* Whether all rows belong somewhere in the file. */
static bool has_places(struct perun_own *own)
{
    size_t mapped = 0, snapshots = 0, globals = 0;
    struct str members = own->members, global = text_member(members, STR("global"));
    for (size_t i = 0; i < own->type_count; i++)
        mapped += own->types[i].key.p != NULL;
    for (size_t i = 1; i < own->snapshot_count; i++)
        *(own->snapshots[i].is_global ? &globals : &snapshots) += 1;
    for (size_t i = 0; i < own->snapshot_count; i++)
        if (own->snapshots[i].samples > 0 &&
            !own_has_hole(own->snapshots[i].members, STR("resources")))
            return false;
    if (!finish_models(own))
        return false;
    bool is_one = global.p != NULL && str_equal(global, STR("{}"));
    return (own->place_count == 0 || own_has_hole(members, STR("resources"))) &&
           (mapped == 0 || own_has_hole(members, STR("resource_type_map"))) &&
           (own->chunks.count == 0 || own_has_hole(members, STR("chunks"))) &&
           (snapshots == 0 || own_has_hole(members, STR("snapshots"))) &&
           (is_one ? globals == 1 : globals == 0 || own_has_hole(members, STR("global")));
}

/* Whether all samples of the file have come, in their places. */
static bool own_is_whole(struct perun_writer *w)
{
    struct perun_own *own = &w->own;
    if (own->is_there && !own->is_finished)
        finish(w);
    return own->is_there && own->samples == (int64_t)own->taken && has_places(own);
}

/* Frees what W holds of the file. */
static void own_free(struct perun_writer *w)
{
    struct perun_own *own = &w->own;
    void *blocks[] = {own->types, own->snapshots, own->models.items, own->chunks.items,
                      own->by_place};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&own->text);
    own_lookup_free(&own->lookup);
    spool_close(own->spool);
}

/* === that file again === */

/* The file being written. */
struct file {
    struct perun_writer *w;
    struct perun_own *own;
    struct perun_printer *p;

    struct perun_own_sample next; /* in the spool, if HAS_NEXT */
    bool has_next;
    struct buf text;     /* of a sample that has been read */
    struct buf *columns; /* of the current resources, as text separated by commas */
    size_t column_capacity;
    struct perun_own_lookup tails; /* of these */
};

static void print(struct file *f, struct str text)
{
    perun_print(f->p, text);
}

/* Prints a comma if *MORE is set, then sets *MORE. */
static void separate(struct file *f, bool *more)
{
    if (*more)
        print(f, STR(","));
    *more = true;
}

/* --- samples --- */

static void read_head(struct file *f)
{
    f->has_next = spool_read(f->own->spool, &f->next, sizeof f->next);
}

/* Returns the text of the next sample and moves on. */
static struct str read_text(struct file *f)
{
    f->text.n = 0;
    spool_read(f->own->spool, buf_reserve(&f->text, f->next.size + 1), f->next.size);
    f->text.n = f->next.size;
    read_head(f);
    return buf_str(&f->text);
}

/* Prints COUNT resources as a list. */
static void print_list(struct file *f, uint64_t count)
{
    bool more = false;
    print(f, STR("["));
    for (; count > 0; count--) {
        separate(f, &more);
        print(f, read_text(f));
    }
    print(f, STR("]"));
}

/* Appends the values of the next sample to each of COUNT lists. */
static void add_items(struct file *f, size_t count)
{
    struct str rest = read_text(f);
    for (size_t i = 0; i < count && rest.n > 0; i++) {
        const char *end = memchr(rest.p + 1, '\n', rest.n - 1);
        size_t n = end == NULL ? rest.n : (size_t)(end - rest.p);
        buf_add(&f->columns[i], f->columns[i].n > 0 ? STR(",") : STR(""));
        buf_add(&f->columns[i], (struct str){rest.p + 1, n - 1});
        rest.p += n;
        rest.n -= n;
    }
}

/* Prints the lists of the resources of TYPE, which has number NUMBER. */
static void print_lists(struct file *f, const struct perun_own_type *type, uint32_t number)
{
    struct str rest = text_inside(type->columns), name;
    size_t count = 0;
    bool more = false;
    for (; text_next_item(&rest, &name); count++) {
        f->columns =
            mem_array_zeroed(f->columns, &f->column_capacity, count + 1, sizeof *f->columns);
        f->columns[count].n = 0;
    }
    while (f->has_next && f->next.type == number)
        add_items(f, count);
    print(f, STR("{"));
    rest = text_inside(type->columns);
    own_look(&f->tails, type->tails);
    for (size_t i = 0; text_next_item(&rest, &name); i++) {
        struct str tail = own_find(&f->tails, text_inside(name));
        separate(f, &more);
        print(f, name);
        print(f, STR(":["));
        print(f, buf_str(&f->columns[i]));
        if (tail.p != NULL && f->columns[i].n > 0)
            print(f, STR(","));
        if (tail.p != NULL)
            print(f, text_inside(tail));
        print(f, STR("]"));
    }
    print(f, STR("}"));
}

static void print_map(struct file *f)
{
    bool more = false;
    print(f, STR("{"));
    for (size_t i = 0; i < f->own->place_count; i++) {
        const struct perun_own_type *type = &f->own->types[f->own->by_place[i] - 1];
        separate(f, &more);
        print(f, type->key);
        print(f, STR(":"));
        print_lists(f, type, f->own->by_place[i]);
    }
    print(f, STR("}"));
}

static void print_types(struct file *f)
{
    bool more = false;
    print(f, STR("{"));
    for (size_t i = 0; i < f->own->type_count; i++) {
        const struct perun_own_type *type = &f->own->types[i];
        if (type->key.p == NULL)
            continue;
        separate(f, &more);
        print(f, type->key);
        print(f, STR(":"));
        print(f, type->members);
    }
    print(f, STR("}"));
}

/* --- items --- */

/* Prints COUNT of ITEMS from number FIRST on, as an object if they have keys; false if there are
 * none. */
static bool print_items(struct file *f, const struct perun_own_items *items, size_t first,
                        size_t count)
{
    bool more = false, is_object = count > 0 && items->items[first].key.p != NULL;
    if (count == 0)
        return false;
    print(f, is_object ? STR("{") : STR("["));
    for (size_t i = first; i < first + count; i++) {
        const struct perun_own_item *item = &items->items[i];
        separate(f, &more);
        if (is_object) {
            print(f, item->key.p == NULL ? STR("\"\"") : item->key);
            print(f, STR(":"));
        }
        print(f, item->value);
    }
    print(f, is_object ? STR("}") : STR("]"));
    return true;
}

/* Prints the value NAME of a snapshot, which is null in its members; false if no row has it. */
static bool print_of_snapshot(struct file *f, struct str name, uint32_t number)
{
    const struct perun_own_snapshot *s = &f->own->snapshots[number];
    if (str_equal(name, STR("models")))
        return print_items(f, &f->own->models, s->model, s->model_count);
    if (!str_equal(name, STR("resources")) || s->samples == 0)
        return false;
    print_list(f, s->samples);
    return true;
}

static void print_snapshot(struct file *f, uint32_t number)
{
    struct str members = f->own->snapshots[number].members, rest = text_inside(members), name,
               value;
    bool more = false;
    if (members.n == 0 || *members.p != '{') {
        print(f, members);
        return;
    }
    print(f, STR("{"));
    while (text_next_member(&rest, &name, &value)) {
        separate(f, &more);
        print(f, (struct str){name.p - 1, name.n + 2}); /* with its quotes */
        print(f, STR(":"));
        if (!str_equal(value, STR("null")) || !print_of_snapshot(f, name, number))
            print(f, value);
    }
    print(f, STR("}"));
}

/* Prints the snapshots that are global (or not) as a list, or as a single value if IS_ONE; false if
 * there are none. */
static bool print_snapshots(struct file *f, bool is_global, bool is_one)
{
    bool more = false;
    for (uint32_t i = 1; i < f->own->snapshot_count; i++) {
        if (f->own->snapshots[i].is_global != is_global)
            continue;
        if (!more)
            print(f, is_one ? STR("") : STR("["));
        separate(f, &more);
        print_snapshot(f, i);
    }
    if (more)
        print(f, is_one ? STR("") : STR("]"));
    return more;
}

/* --- the file --- */

/* Prints the rows that replace the value of NAME; false if the value is not replaced. */
static bool print_hole(struct file *f, struct str name, struct str value)
{
    const struct perun_own *own = f->own;
    if (str_equal(name, STR("global")) && str_equal(value, STR("{}")))
        return print_snapshots(f, true, true);
    if (!str_equal(value, STR("null")))
        return false;
    if (str_equal(name, STR("resources")) && own->place_count > 0) {
        print_map(f);
        return true;
    }
    if (str_equal(name, STR("resource_type_map")) && own->type_count > 0) {
        print_types(f);
        return true;
    }
    if (str_equal(name, STR("snapshots")) || str_equal(name, STR("global")))
        return print_snapshots(f, str_equal(name, STR("global")), false);
    if (str_equal(name, STR("chunks")))
        return print_items(f, &own->chunks, 0, own->chunks.count);
    return print_of_snapshot(f, name, 0);
}

/* The type in the head of a stored object. */
static struct str stored_kind_of(const struct perun_own *own)
{
    static const struct str kinds[] = {STR("memory"), STR("time")};
    struct str type;
    if (own->file.type.p != NULL && text_is_string(own->file.type, &type))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (str_equal(type, kinds[i]))
                return kinds[i];
    return STR("mixed");
}

/* Prints the member NAME, with its quotes, after a comma if *MORE. */
static void print_member(struct file *f, struct str name, struct str value, bool *more)
{
    separate(f, more);
    print(f, name);
    print(f, STR(":"));
    if (!print_hole(f, text_inside(name), value))
        print(f, value);
}

/* The members that Perun puts first when it stores a map, even if they are empty. */
static const struct perun_first {
    struct str name, empty; /* with quotes; the value if there are none */
} first_members[] = {
    {STR("\"resources\""), STR("{}")},
    {STR("\"resource_type_map\""), STR("{}")},
    {STR("\"models\""), STR("[]")},
};

enum { FIRST_COUNT = sizeof first_members / sizeof *first_members };

/* Whether Perun would order the members of the stored file this way. It converts older layouts to a
 * map, which this writer does not do; what it has already stored is in order. */
static bool has_first(const struct perun_writer *w)
{
    const struct perun_own *own = &w->own;
    return w->options.store && own->stored.p == NULL && str_equal(own->layout, STR("map")) &&
           text_member(own->members, STR("snapshots")).p == NULL &&
           text_member(own->members, STR("global")).p == NULL;
}

/* Whether NAME, with quotes, was printed already, or is a member that Perun does not store. */
static bool is_left_out(const struct perun_writer *w, struct str name, bool after_first)
{
    if (w->options.store && str_equal(name, STR("\"origin\"")))
        return true;
    for (size_t i = 0; after_first && i < FIRST_COUNT; i++)
        if (str_equal(name, first_members[i].name))
            return true;
    return false;
}

/* Writes the file to P. */
static void own_write(struct perun_writer *w, struct perun_printer *p)
{
    struct file f = {.w = w, .own = &w->own, .p = p};
    struct str rest = text_inside(w->own.members), name, value;
    bool more = false, after_first = has_first(w);
    spool_rewind(w->own.spool);
    read_head(&f);
    w->kind = stored_kind_of(&w->own);
    print(&f, STR("{"));
    for (size_t i = 0; after_first && i < FIRST_COUNT; i++) {
        value = text_member(w->own.members, text_inside(first_members[i].name));
        print_member(&f, first_members[i].name, value.p == NULL ? first_members[i].empty : value,
                     &more);
    }
    while (text_next_member(&rest, &name, &value)) {
        struct str quoted = {name.p - 1, name.n + 2};
        if (!is_left_out(w, quoted, after_first))
            print_member(&f, quoted, value, &more);
    }
    print(&f, STR("}"));
    for (size_t i = 0; i < f.column_capacity; i++)
        buf_free(&f.columns[i]);
    mem_free(f.columns);
    own_lookup_free(&f.tails);
    buf_free(&f.text);
}

/* === sums === */

/* Sums by stack, in the form of Perun's collector kperf: each list has one item for each source
 * (run) that has the stack. */

/* A column of sums. */
struct column {
    uint32_t source, type;
};

/* --- samples --- */

/* Adds X, a value of TYPE in SOURCE, to the parts of the sample. */
static void add_part(struct perun_writer *w, uint32_t source, uint32_t type, struct decimal x)
{
    struct column column = {source, type};
    uint32_t number =
        intern_add(&w->kinds, (struct str){(const char *)&column, sizeof column}, NULL) - 1;
    w->parts =
        mem_array(w->parts, &w->part_capacity, w->part_count + AMOUNT_PARTS, sizeof *w->parts);
    w->part_count += amount_split(&w->digits, number, x, w->parts + w->part_count);
}

/* The same, and the time it stands for. */
static void add_value(struct perun_writer *w, uint32_t source, uint32_t type, struct decimal x)
{
    const struct choice_source *of = &w->choice.sources[source - 1];
    add_part(w, source, type, x);
    if (type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(x) == 0, 1);
    add_part(w, source, of->time, amount_times(x, of->period));
}

/* Adds up SAMPLE, whose stack has been read. */
static void sums_take(struct perun_writer *w, struct sample *sample)
{
    struct decimal exact;
    w->part_count = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
        if (choice_admit(&w->choice, (size_t)sample->source_id, v, &exact, 1))
            add_value(w, (uint32_t)sample->source_id, v->type, exact);
    }
    if (w->part_count > 0)
        stacks_add(&w->profile.stacks, 0, w->stack, sample->depth, w->parts, w->part_count);
}

/* --- sums --- */

struct sum {
    struct amount amount;
    struct decimal value; /* the value of the sum */
};

struct summer {
    struct perun_writer *w;
    struct perun_printer *p;
    struct sum *sums; /* of the current stack, by source - 1 */
    uint32_t *there;  /* indexes of the THERE_COUNT sums in use, sorted */
    size_t there_count;
    uint64_t *counts; /* by number of a leaf (0: no stack): number of stacks with its key so far */
};

/* The sum of source number I, from 0; marks it as in use. */
static struct amount *sum_of(struct summer *s, uint32_t i)
{
    if (!s->sums[i].amount.is_there)
        s->there[s->there_count++] = i;
    return &s->sums[i].amount;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the sums in use. */
static void finish_sums(struct summer *s)
{
    order_items(s->there, s->there_count, sizeof *s->there, by_number);
    for (size_t i = 0; i < s->there_count; i++) {
        struct sum *sum = &s->sums[s->there[i]];
        int64_t integer;
        sum->value = amount_decimal(&sum->amount);
        if (decimal_sign(sum->amount.digits) == 0 &&
            !sums_total_fits(&sum->amount.integers, &integer))
            die(CODE_OVERFLOW, "the sum of \"%.*s\" in a stack does not fit 64 bits",
                STR_ARG(value_types_get(s->w->choice.names, s->w->choice.chosen)->type));
    }
}

/* Sets the sums to those of STACK; false if all its values are 0. */
static bool add_up(struct summer *s, const struct stacks_stack *stack)
{
    struct perun_writer *w = s->w;
    struct sums_walk walk = {.row = stack->number};
    struct sums_part part;
    for (size_t i = 0; i < s->there_count; i++)
        s->sums[s->there[i]] = (struct sum){0};
    s->there_count = 0;
    while (sums_next(&w->profile.stacks.sums, &walk, &part)) {
        struct column column;
        uint32_t number = amount_column(&w->digits, &part) + 1;
        memcpy(&column, intern_get(&w->kinds, number).p, sizeof column);
        int64_t times = w->choice.types[column.type - 1].times;
        if (times != 0)
            amount_add(sum_of(s, column.source - 1), &w->digits, &part, times);
    }
    finish_sums(s);
    return s->there_count > 0;
}

/* --- text --- */

/* Prints the bytes TEXT as a string. */
static void print_string(struct summer *s, struct str bytes)
{
    s->w->text.n = 0;
    add_string(&s->w->text, bytes);
    perun_print(s->p, buf_str(&s->w->text));
}

/* The same of canonical text. */
static void print_text(struct summer *s, struct str text)
{
    s->w->scratch.n = 0;
    text_unescape(&s->w->scratch, text);
    print_string(s, buf_str(&s->w->scratch));
}

static void print_sum(struct summer *s, struct decimal sum)
{
    s->w->text.n = 0;
    decimal_write(&s->w->text, sum);
    perun_print(s->p, buf_str(&s->w->text));
}

/* The leaf of STACK, in quotes. */
static struct str quoted_leaf_of(const struct summer *s, const struct stacks_stack *stack)
{
    return stack->depth == 0 ? STR("\"[unknown]\"")
                             : intern_get(&s->w->frames, stacks_frame(stack, 0));
}

/* Prints the next key for the leaf of STACK, and a colon. */
static void print_key(struct summer *s, const struct stacks_stack *stack)
{
    struct str leaf = quoted_leaf_of(s, stack);
    struct buf *to = &s->w->text;
    uint64_t *count = &s->counts[stack->depth == 0 ? 0 : stacks_frame(stack, 0)];
    to->n = 0;
    buf_add(to, (struct str){leaf.p, leaf.n - 1});
    buf_add(to, STR("#"));
    emit_number(to, (int64_t)(*count)++);
    buf_add(to, STR("\":"));
    perun_print(s->p, buf_str(to));
}

/* Prints STACK as members of a resource. */
static void print_stack(struct summer *s, const struct stacks_stack *stack)
{
    perun_print(s->p, STR("\"uid\":"));
    perun_print(s->p, quoted_leaf_of(s, stack));
    perun_print(s->p, STR(",\"trace\":["));
    for (size_t i = stack->depth; i > 1; i--) {
        perun_print(s->p, i < stack->depth ? STR(",") : STR(""));
        perun_print(s->p, intern_get(&s->w->frames, stacks_frame(stack, i - 1)));
    }
    perun_print(s->p, STR("]"));
}

/* --- resources --- */

/* Prints the sums of a resource as a list. */
static void print_amounts(struct summer *s)
{
    perun_print(s->p, STR("{\"amount\":["));
    for (size_t i = 0; i < s->there_count; i++) {
        perun_print(s->p, i > 0 ? STR(",") : STR(""));
        print_sum(s, s->sums[s->there[i]].value);
    }
    perun_print(s->p, STR("]}"));
}

/* Prints an entry for each stack: its members if IS_TYPE, else its lists. */
static void print_entries(struct summer *s, bool is_type)
{
    const struct stacks *stacks = &s->w->profile.stacks;
    struct stacks_pass pass = {0};
    stacks_offset place;
    bool more = false;
    memset(s->counts, 0, ((size_t)s->w->frames.count + 1) * sizeof *s->counts);
    perun_print(s->p, is_type ? STR("\"resource_type_map\":{") : STR("\"resources\":{"));
    while (stacks_next(stacks, &pass, &place)) {
        struct stacks_stack stack = stacks_at(stacks, place);
        if (!add_up(s, &stack))
            continue;
        perun_print(s->p, more ? STR(",") : STR(""));
        more = true;
        print_key(s, &stack);
        if (is_type) {
            perun_print(s->p, STR("{"));
            print_stack(s, &stack);
            perun_print(s->p, STR("}"));
        } else {
            print_amounts(s);
        }
    }
    perun_print(s->p, STR("},"));
}

/* --- the header --- */

static bool is_samples(struct str type, struct str unit)
{
    return str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
}

/* Perun's word for values of TYPE in UNIT: samples are taken as time. */
static struct str file_kind_of(struct str type, struct str unit)
{
    return is_samples(type, unit)              ? STR("time")
           : units_nanoseconds(unit) != 0      ? STR("time")
           : units_in(unit, STR("bytes")) != 0 ? STR("memory")
                                               : STR("mixed");
}

/* The word for UNIT in Perun's files. */
static struct str word_of(struct str type, struct str unit)
{
    static const struct str words[] = {STR("ns"), STR("us"), STR("ms"), STR("s"), STR("B")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (units_in(unit, words[i]) == 1)
            return words[i];
    return is_samples(type, unit) ? STR("sample") : unit;
}

/* The string NAME of OBJECT in the original file; null p if the only source has no such file, or
 * there is no such string. */
static struct str own_string(const struct summer *s, struct str object, struct str name)
{
    struct str value = {NULL, 0}, text;
    if (s->w->profile.source_count == 1 && object.p != NULL)
        value = text_member(object, name);
    return value.p != NULL && text_is_string(value, &text) ? value : (struct str){NULL, 0};
}

/* Prints the member NAME: OPTION if given, else the value in OBJECT of the original file, else
 * USUAL. */
static void print_option(struct summer *s, struct str object, struct str name, const char *option,
                         const char *usual)
{
    struct str own = own_string(s, object, name);
    print_string(s, name);
    perun_print(s->p, STR(":"));
    if (option == NULL && own.p != NULL)
        perun_print(s->p, own);
    else
        print_string(s, str_of(option != NULL ? option : usual));
}

static void print_header(struct summer *s, struct str kind, struct str word)
{
    const struct perun_write_options *o = &s->w->options;
    struct str header = text_member(s->w->own.members, STR("header"));
    perun_print(s->p, STR("\"header\":{\"type\":"));
    print_text(s, kind);
    perun_print(s->p, STR(","));
    print_option(s, header, STR("cmd"), o->cmd, "unknown");
    perun_print(s->p, STR(","));
    print_option(s, header, STR("args"), o->args, "");
    perun_print(s->p, STR(","));
    print_option(s, header, STR("workload"), o->workload, "");
    perun_print(s->p, STR(",\"units\":{"));
    print_text(s, kind);
    perun_print(s->p, STR(":"));
    print_text(s, word);
    perun_print(s->p, STR("}},"));
}

static void print_file(struct summer *s, struct str type, struct str unit)
{
    static const char no_commit[] = "0000000000000000000000000000000000000000";
    const struct perun_write_options *o = &s->w->options;
    struct str kind = s->w->kind = file_kind_of(type, unit);
    perun_print(s->p, STR("{"));
    print_entries(s, false);
    print_entries(s, true);
    perun_print(s->p, STR("\"models\":[],"));
    if (!o->store)
        print_option(s, s->w->own.members, STR("origin"), o->origin, no_commit);
    perun_print(s->p, o->store ? STR("") : STR(","));
    print_header(s, kind, word_of(type, unit));
    perun_print(s->p, STR("\"machine\":{\"host\":\"unknown\"},\"collector_info\":{\"name\":"));
    perun_print(s->p, PERUN_OWN);
    perun_print(s->p, STR(",\"params\":{\"type\":"));
    print_text(s, type);
    perun_print(s->p, STR(",\"unit\":"));
    print_text(s, unit);
    /* Perun's index turns an empty list into one with an empty name, and such profiles are never
     * compared */
    perun_print(s->p, STR("}},\"postprocessors\":[{\"name\":"));
    perun_print(s->p, PERUN_OWN);
    perun_print(s->p, STR(",\"params\":{}}]}"));
}

/* Writes all sums to P. */
static void sums_write(struct perun_writer *w, struct perun_printer *p)
{
    struct choice *c = &w->choice;
    struct str type = STR("samples"), unit = STR("count");
    stacks_finish(&w->profile.stacks);
    choice_finish(c);
    if (w->options.type == NULL && choice_is_time(c))
        choice_take_counts(c); /* if all samples stand for the same time; else use the time */
    choice_count_others(c);
    choice_warn(c);
    if (c->chosen != 0) {
        type = value_types_get(&w->sink.flow->types, c->chosen)->type;
        unit = c->unit;
    }
    struct summer s = {.w = w, .p = p};
    s.sums = mem_alloc_zeroed((w->profile.source_count + 1) * sizeof *s.sums);
    s.there = mem_alloc_zeroed((w->profile.source_count + 1) * sizeof *s.there);
    s.counts = mem_alloc_zeroed(((size_t)w->frames.count + 1) * sizeof *s.counts);
    print_file(&s, type, unit);
    mem_free(s.sums);
    mem_free(s.there);
    mem_free(s.counts);
}

/* === objects === */

/* Stores profiles as objects in Perun's repository, named by the checksum of their content. */

/* The number of digits of the name that form the folder. */
enum { FOLDER_DIGITS = 2 };

/* Writes BYTES, compressed, to OUT. */
static void write_packed(struct out *out, struct str bytes)
{
    enum { PIECE = 1 << 16 };
    z_stream z = {.zalloc = mem_zlib_alloc, .zfree = mem_zlib_free};
    unsigned char *piece = mem_alloc(PIECE);
    if (deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
        die(CODE_MEMORY, "zlib refuses to compress");
    z.next_in = (unsigned char *)(uintptr_t)bytes.p;
    for (int result = Z_OK; result == Z_OK;) {
        enum { MAX = 1 << 30 }; /* zlib counts in unsigned int */
        size_t left = bytes.n - (size_t)((char *)z.next_in - bytes.p);
        z.avail_in = (uInt)(left < MAX ? left : MAX);
        z.next_out = piece;
        z.avail_out = PIECE;
        result = deflate(&z, left <= MAX ? Z_FINISH : Z_NO_FLUSH);
        out_write(out, (struct str){(char *)piece, PIECE - z.avail_out});
    }
    deflateEnd(&z);
    mem_free(piece);
}

/* The number of characters in TEXT, which is UTF-8: the length in the head of an object. */
static size_t characters_in(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.p[i] & 0xc0) != 0x80;
    return n;
}

/* Stores TEXT as an object and writes its name to w->out. TEXT is a profile of w->kind, in one
 * line, without origin. */
static void perun_store(struct perun_writer *w, struct str text)
{
    struct buf object = {0}, path = {0};
    char head[64], name[SHA1_DIGITS + 1];
    int n = snprintf(head, sizeof head, "profile %.*s %zu", STR_ARG(w->kind), characters_in(text));
    buf_add(&object, (struct str){head, (size_t)n + 1});
    buf_add(&object, text);
    sha1(buf_str(&object), name);
    buf_add(&path, str_of(w->options.store_path));
    buf_add(&path, STR("/"));
    buf_add(&path, (struct str){name, FOLDER_DIGITS + 1}); /* the last '/' becomes the end */
    path.p[path.n - 1] = '\0';
    if (mkdir(path.p, 0777) < 0 && errno != EEXIST)
        die_errno("cannot make the folder", path.p);
    path.p[path.n - 1] = '/';
    buf_add(&path, str_of(name + FOLDER_DIGITS));
    buf_add(&path, (struct str){"", 1});
    struct out *out = out_open(path.p);
    write_packed(out, buf_str(&object));
    out_close(out);
    out_write(w->out, str_of(name));
    out_write(w->out, STR("\n"));
    buf_free(&object);
    buf_free(&path);
}

/* === the stage === */

/* --- rows --- */

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct perun_writer *w = writer;
    (void)other;
    if (row->table == TABLE_LOCATIONS)
        return keep_of_location(w, member);
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_PERUN)
        return false;
    if (w->profile.source_count == 1)
        own_begin(w, row, member);
    w->own.rows++;
    return true;
}

static void read_source(struct perun_writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    choice_add_source(&w->choice, of);
    w->own.is_there = w->own.is_there && w->profile.source_count == 1;
    profile_drop_source(row, of, STR("perun"));
}

static void take_row(struct sink *to, struct row *row)
{
    struct perun_writer *w = (struct perun_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&w->profile, row, place_of(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default:
        if (!own_row(w, row))
            loss_add_row(row);
    }
}

static bool is_own_member(enum member_id id)
{
    return id == MEMBER_ID_PERUN_TYPE || id == MEMBER_ID_PERUN_SNAPSHOT ||
           id == MEMBER_ID_PERUN_MEMBERS;
}

/* Counts dotted columns of SAMPLE that cannot be written. */
static void drop_columns(struct perun_writer *w, const struct sample *sample)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, place_of(w), NULL);
    struct member m;
    bool is_own = false;
    while (walk.rest.n > 0 && members_next(&walk, &m)) {
        is_own |= is_own_member(m.id);
        if (!is_own_member(m.id) && (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag))
            loss_add_column(&row, m.name);
    }
    w->own_samples += is_own;
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct perun_writer *w = (struct perun_writer *)to;
    drop_columns(w, sample);
    if (w->own.is_there)
        own_take(w, sample);
    read_stack(w, sample->locations, sample->depth);
    sums_take(w, sample);
}

/* --- the stage --- */

void perun_check_write_options(const struct perun_write_options *options)
{
    choice_check(options->type);
    if (options->store_path != NULL && *options->store_path == '\0')
        die(CODE_BAD_ARGUMENT, "--store: expected a folder, found an empty name");
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct perun_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct perun_write_options *)with;
    w->profile.stacks.flow = flow;
    w->profile.keep = keep;
    w->profile.user = w;
    w->own.spool = spool_open();
    w->choice.keeps_fractions = w->choice.takes_times = true;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    choice_open(&w->choice, w->options.type, &flow->types);
}

/* For a new file: counts what only a file of Perun could use, and the files and lines of innermost
 * frames. */
static void drop_own(const struct perun_writer *w)
{
    if (w->own.rows > 0)
        loss_add(LOSS_OWN, STR(".perun"), w->own.rows);
    if (w->own_samples > 0)
        loss_add(LOSS_OWN, STR("samples..perun"), w->own_samples);
    if (w->nameless > 0)
        loss_add(LOSS_FRAMES, STR(""), w->nameless);
    if (w->leaf_files > 0)
        loss_add(LOSS_COLUMNS, STR("functions.filename"), w->leaf_files);
    if (w->leaf_lines > 0)
        loss_add(LOSS_COLUMNS, STR("locations.line"), w->leaf_lines);
}

/* Writes the file to OUT: the original one again, or a new one. */
static void write_file(struct perun_writer *w, struct out *out)
{
    /* the options ask for something that the original file does not have */
    const struct perun_write_options *o = &w->options;
    bool is_anew = o->type != NULL || o->cmd != NULL || o->args != NULL || o->workload != NULL ||
                   o->origin != NULL;
    bool is_own = !is_anew && own_is_whole(w);
    struct perun_printer p = {.out = out, .is_indented = !o->store};
    if (is_own) {
        p.is_indented = p.is_indented && w->own.is_indented;
        p.is_respelled = o->store && w->own.stored.p == NULL;
        own_write(w, &p);
    } else {
        drop_own(w);
        sums_write(w, &p);
    }
    perun_printer_free(&p);
}

static void close_writer(void *to)
{
    struct perun_writer *w = to;
    if (!w->options.store) {
        write_file(w, w->out);
    } else {
        struct buf text = {0};
        struct out *out = out_open_buf(&text);
        write_file(w, out);
        out_close(out);
        loss_report(w->options.lossless); /* may end the tool, before an object is written */
        perun_store(w, buf_str(&text));
        buf_free(&text);
    }
    own_free(w);
    void *blocks[] = {w->places, w->stack, w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&w->text);
    buf_free(&w->scratch);
    intern_free(&w->frames);
    intern_free(&w->kinds);
    amount_free(&w->digits);
    choice_free(&w->choice);
    profile_free(&w->profile);
    arena_free(&w->arena);
}

const struct stage perun_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct perun_writer),
    .open = open_writer,
    .close = close_writer,
};

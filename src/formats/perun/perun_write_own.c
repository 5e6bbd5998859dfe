/* What a file of Perun said, from its rows. */
#include "base/mem.h"
#include "formats/perun/perun_facts.h"
#include "formats/perun/perun_write.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

/* --- rows --- */

/* The file's spelling of VALUE, from COLUMN of a row, kept until the end. */
static struct str spelled(struct perun_writer *w, struct str value, const char *column)
{
    w->text.n = 0;
    perun_spell(&w->text, value, perun_place(w), column);
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

void perun_own_begin(struct perun_writer *w, const struct row *row, const struct member *member)
{
    struct perun_own *own = &w->own;
    struct members walk = members_of(row, perun_place(w), NULL);
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
            perun_spell_members(&w->text, m.value, perun_place(w), "sources..perun.members");
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

bool perun_own_row(struct perun_writer *w, const struct row *row)
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
    struct perun_lookup *members; /* as spelled in the file */
};

static bool read_columns(struct perun_writer *w, const struct sample *sample, struct own_sample *to)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, perun_place(w), NULL);
    struct member m;
    *to = (struct own_sample){.members = &w->own.lookup};
    perun_look(to->members, (struct str){NULL, 0});
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_PERUN_TYPE) {
            to->type = m.integer;
        } else if (m.id == MEMBER_ID_PERUN_SNAPSHOT) {
            to->snapshot = m.integer;
        } else if (m.id == MEMBER_ID_PERUN_MEMBERS) {
            w->own.text.n = 0;
            perun_spell(&w->own.text, m.value, perun_place(w), "samples..perun_members");
            perun_look(to->members, buf_str(&w->own.text));
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
            same = perun_is_frame(w, (uint32_t)sample->locations[i], &stack.frames[i]);
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
    *text = perun_find(own->members, name);
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

void perun_own_take(struct perun_writer *w, const struct sample *sample)
{
    if (!w->own.is_finished)
        finish(w);
    w->own.is_there = w->own.is_there && take(w, sample);
}

/* --- the end --- */

/* Whether the value NAME of MEMBERS is null because other rows hold it. */
static bool has_hole(struct str members, struct str name)
{
    struct str value = members.p == NULL ? members : text_member(members, name);
    return value.p != NULL && str_equal(value, STR("null"));
}

/* Finds the models of each snapshot; false if some are not in a snapshot, or not adjacent. */
static bool finish_models(struct perun_own *own)
{
    for (size_t i = 0; i < own->models.count; i++) {
        uint32_t number = own->models.items[i].snapshot;
        if (number >= own->snapshot_count)
            return false;
        struct perun_own_snapshot *s = &own->snapshots[number];
        if (s->model_count == 0 && !has_hole(s->members, STR("models")))
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
        if (own->snapshots[i].samples > 0 && !has_hole(own->snapshots[i].members, STR("resources")))
            return false;
    if (!finish_models(own))
        return false;
    bool is_one = global.p != NULL && str_equal(global, STR("{}"));
    return (own->place_count == 0 || has_hole(members, STR("resources"))) &&
           (mapped == 0 || has_hole(members, STR("resource_type_map"))) &&
           (own->chunks.count == 0 || has_hole(members, STR("chunks"))) &&
           (snapshots == 0 || has_hole(members, STR("snapshots"))) &&
           (is_one ? globals == 1 : globals == 0 || has_hole(members, STR("global")));
}

bool perun_own_is_whole(struct perun_writer *w)
{
    struct perun_own *own = &w->own;
    if (own->is_there && !own->is_finished)
        finish(w);
    return own->is_there && own->samples == (int64_t)own->taken && has_places(own);
}

void perun_own_free(struct perun_writer *w)
{
    struct perun_own *own = &w->own;
    MEM_FREE(own->types, own->snapshots, own->models.items, own->chunks.items, own->by_place);
    buf_free(&own->text);
    perun_lookup_free(&own->lookup);
    spool_close(own->spool);
}

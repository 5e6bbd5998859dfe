/* Takes rows for a file of Perun. See ndjson2perun(1) for the rules. */
#include "formats/perun/perun_write.h"

#include "base/mem.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

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
    perun_spell(&w->text, member->value, perun_place(w), "locations..perun_frame");
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
    profile_drop_function(profile_add_function(&w->profile, row, perun_place(w)), false);
}

static void read_location(struct perun_writer *w, const struct row *row)
{
    w->others = (struct str){NULL, 0};
    const struct profile_location *l = profile_add_location(&w->profile, row, perun_place(w));
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

void perun_add_string(struct buf *to, struct str bytes)
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
    perun_add_string(to, buf_str(&bytes));
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
        perun_add_string(to, profile_string_of(&w->profile, file));
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

bool perun_is_frame(const struct perun_writer *w, uint32_t id, const struct perun_frame *f)
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

/* === the stage === */

/* --- rows and samples --- */

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
        perun_own_begin(w, row, member);
    w->own.rows++;
    return true;
}

static void read_source(struct perun_writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, perun_place(w));
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
        profile_add_mapping(&w->profile, row,
                            perun_place(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default:
        if (!perun_own_row(w, row))
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
    struct members walk = members_of(&row, perun_place(w), NULL);
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
        perun_own_take(w, sample);
    read_stack(w, sample->locations, sample->depth);
    perun_sums_take(w, sample);
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
    bool is_own = !is_anew && perun_own_is_whole(w);
    struct perun_printer p = {.out = out, .is_indented = !o->store};
    if (is_own) {
        p.is_indented = p.is_indented && w->own.is_indented;
        p.is_respelled = o->store && w->own.stored.p == NULL;
        perun_own_write(w, &p);
    } else {
        drop_own(w);
        perun_sums_write(w, &p);
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
    perun_own_free(w);
    MEM_FREE(w->places, w->stack, w->parts);
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

/* Functions and locations. A frame is text. The innermost frame is just a name: with a line it
 * would differ between versions of a program. */
#include "base/mem.h"
#include "formats/perun/perun_write.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* --- rows --- */

bool perun_keep_of_location(struct perun_writer *w, const struct member *member)
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

void perun_read_function(struct perun_writer *w, const struct row *row)
{
    const struct profile_function *f = profile_add_function(&w->profile, row, perun_place(w));
    if (f->system_name != 0 && f->system_name != f->name)
        loss_add(LOSS_COLUMNS, STR("functions.system_name"), 1);
    if (f->start_line != 0)
        loss_add(LOSS_COLUMNS, STR("functions.start_line"), 1);
}

void perun_read_location(struct perun_writer *w, const struct row *row)
{
    w->others = (struct str){NULL, 0};
    const struct profile_location *l = profile_add_location(&w->profile, row, perun_place(w));
    size_t id = (size_t)row->location.location_id;
    w->places = mem_array(w->places, &w->place_capacity, id, sizeof *w->places);
    w->places[id - 1] = (struct perun_place){.others = w->others};
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
        profile_add_stand_in(&bytes, l);
    else
        buf_add(&bytes, f->name == 0 ? ROW_NO_NAME : profile_string_of(&w->profile, f->name));
    perun_add_string(to, buf_str(&bytes));
    buf_free(&bytes);
}

/* The number of location ID when not innermost. */
static uint32_t frame_of(struct perun_writer *w, uint32_t id)
{
    const struct profile_location *l = &w->profile.locations[id - 1];
    struct perun_place *place = &w->places[id - 1];
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
    struct perun_place *place = &w->places[id - 1];
    if (place->leaf != 0)
        return place->leaf;
    w->leaf_files += file_of(w, l) != 0;
    w->leaf_lines += l->line > 0;
    w->text.n = 0;
    add_name(w, &w->text, l);
    place->leaf = intern_add(&w->frames, buf_str(&w->text), NULL);
    return place->leaf;
}

void perun_read_stack(struct perun_writer *w, const int64_t *ids, size_t depth)
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

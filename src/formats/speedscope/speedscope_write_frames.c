/* Frames. Speedscope identifies a frame by its position in the list, and shows each on its own. So
 * all locations of a function become one frame, except those that were separate frames in a
 * speedscope file. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_write.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

/* Identifies a frame. */
struct key {
    uint32_t name, file;
    int64_t line, col, copy; /* 0, except for frames from speedscope files */
    uint64_t has;
};

/* --- rows --- */

bool speedscope_keep_of_location(struct speedscope_writer *w, const struct member *member)
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

void speedscope_read_function(struct speedscope_writer *w, const struct row *row)
{
    profile_drop_function(profile_add_function(&w->profile, row, speedscope_place(w)), false);
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

void speedscope_read_location(struct speedscope_writer *w, const struct row *row)
{
    w->own = (struct speedscope_own){0};
    const struct profile_location *l = profile_add_location(&w->profile, row, speedscope_place(w));
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

void speedscope_write_frames(struct speedscope_writer *w)
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

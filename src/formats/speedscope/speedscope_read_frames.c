/* Frames, which become functions and locations. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "rows/emit.h"
#include "rows/text.h"

/* A frame as in the file. */
struct frame {
    struct str name, file;
    int64_t line, col;
    bool has_line, has_col;
};

/* The number of earlier frames that are equal to F. FUNCTION is its function. */
static uint32_t copy_of(struct speedscope_reader *r, const struct frame *f, uint32_t function)
{
    int64_t key[4] = {function, f->line, f->col,
                      f->has_line | f->has_col << 1 | (f->file.p != NULL) << 2};
    bool is_new;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    r->copies = mem_array(r->copies, &r->copy_capacity, id, sizeof *r->copies);
    r->copies[id - 1] = is_new ? 1 : r->copies[id - 1] + 1;
    return r->copies[id - 1];
}

static void add_number(struct buf *extra, struct str name, int64_t number)
{
    emit_member(extra, name);
    emit_number(extra, number);
}

/* Writes the rows of F, the next frame. */
static void push_frame(struct speedscope_reader *r, const struct frame *f)
{
    uint32_t function =
        bytes_rows_find_function(&r->rows, r->sink, &r->functions, f->name, f->file, 0, NULL);
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {++r->frame_count, function, f->line > 0 ? f->line : 0}};
    row.site.column = f->col;
    r->extra.n = 0;
    add_number(&r->extra, STR(".speedscope_frame"), copy_of(r, f, function));
    if (f->file.p != NULL && f->file.n == 0)
        buf_add(&r->extra, STR(",\".speedscope_file\":true"));
    if (f->has_line && f->line <= 0)
        add_number(&r->extra, STR(".speedscope_line"), f->line);
    if (f->has_col && f->col == 0)
        add_number(&r->extra, STR(".speedscope_col"), f->col);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* Reads a line or column, which may be null. */
static void read_position(struct speedscope_reader *r, int64_t *to, bool *has)
{
    if (r->json.token == TOKEN_NULL)
        return;
    if (!tokens_is_integer(&r->json, to))
        tokens_unexpected(&r->json, "an integer");
    *has = true;
}

/* The same for a string; its bytes go to TO. */
static struct str read_text(struct speedscope_reader *r, struct buf *to)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    to->n = 0;
    text_unescape(to, r->json.text);
    return buf_str(to);
}

/* Reads the frame that begins with the current token. */
static void read_frame(struct speedscope_reader *r)
{
    static const char *const names[] = {"name", "file", "line", "col"};
    struct frame f = {.name = {NULL, 0}, .file = {NULL, 0}};
    struct tokens_place where = r->json.where;
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a frame");
    while (tokens_next_member(&r->json, names, 4, &seen, &member))
        switch (member) {
        case 0: f.name = read_text(r, &r->frame_name); break;
        case 1: f.file = read_text(r, &r->frame_file); break;
        case 2: read_position(r, &f.line, &f.has_line); break;
        default: read_position(r, &f.col, &f.has_col);
        }
    if (f.name.p == NULL)
        tokens_die(&r->json, where, "the frame has no name");
    push_frame(r, &f);
}

void speedscope_read_frames(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of frames");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_frame(r);
    r->has_frames = true;
    if (r->highest >= r->frame_count)
        speedscope_die_index(r, r->highest_where, (uint64_t)r->highest);
}

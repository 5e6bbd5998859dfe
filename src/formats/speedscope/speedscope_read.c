/* Files of speedscope to rows.  See speedscope2ndjson(1) for the rules. */
#include "formats/speedscope/speedscope_read.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- members --- */

struct str speedscope_read_string(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return arena_copy(&r->arena, buf_str(&r->text));
}

struct str speedscope_read_number(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    if (!speedscope_is_double(r))
        tokens_unexpected(&r->json, "a number that a double can hold");
    return arena_copy(&r->arena, r->json.text);
}

bool speedscope_is_double(struct speedscope_reader *r)
{
    enum { SHORT = 300 };
    struct str text = r->json.text;
    bool has_exponent = memchr(text.p, 'e', text.n) != NULL || memchr(text.p, 'E', text.n) != NULL;
    if (!has_exponent && text.n < SHORT)
        return true;
    r->text.n = 0;
    buf_add(&r->text, text);
    buf_add(&r->text, (struct str){"", 1});
    return isfinite(strtod(r->text.p, NULL));
}

/* --- frames --- */

static _Noreturn void die_index(const struct speedscope_reader *r, struct tokens_place where,
                                uint64_t index)
{
    tokens_die(&r->json, where,
               "expected one of the %" PRIu32 " frames, which are numbered from 0, found %" PRIu64,
               r->frame_count, index);
}

uint32_t speedscope_read_index(struct speedscope_reader *r)
{
    struct str text = r->json.text;
    uint32_t index = 0;
    if (r->json.token != TOKEN_NUMBER || text.n > TOKENS_INDEX_MAX)
        tokens_unexpected(&r->json, "the number of a frame");
    for (size_t i = 0; i < text.n; i++) {
        if (!str_is_digit(text.p[i]))
            tokens_unexpected(&r->json, "the number of a frame");
        index = index * 10 + (uint32_t)(text.p[i] - '0');
    }
    if (r->has_frames && index >= r->frame_count)
        die_index(r, r->json.where, index);
    if (!r->has_frames && index > r->highest) {
        r->highest = index;
        r->highest_where = r->json.where;
    }
    return index;
}

/* A frame as in the file. */
struct frame {
    struct str name, file;
    int64_t line, col;
    bool has_line, has_col;
};

/* The id of the function of F. Writes the row of a new one. */
static uint32_t function_of(struct speedscope_reader *r, const struct frame *f)
{
    bool is_new;
    r->text.n = 0;
    buf_add(&r->text, (struct str){(const char *)&f->name.n, sizeof f->name.n});
    buf_add(&r->text, f->name);
    buf_add(&r->text, f->file);
    uint32_t id = intern_add(&r->functions, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, f->name, f->file);
    return id;
}

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
    uint32_t function = function_of(r, f);
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

static void read_frames(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of frames");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_frame(r);
    r->has_frames = true;
    if (r->highest >= r->frame_count)
        die_index(r, r->highest_where, (uint64_t)r->highest);
}

/* --- the file --- */

static void read_shared(struct speedscope_reader *r)
{
    static const char *const names[] = {"frames"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object with frames");
    while (tokens_next_member(&r->json, names, 1, &seen, &member))
        read_frames(r);
}

static void read_profiles(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of profiles");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        speedscope_read_profile(r);
    r->has_profiles = true;
}

static void read_active(struct speedscope_reader *r)
{
    r->active_where = r->json.where;
    if (r->json.token != TOKEN_NULL && (!tokens_is_integer(&r->json, &r->active) || r->active < 0))
        tokens_unexpected(&r->json, "the number of a profile");
}

static void read_file(struct speedscope_reader *r)
{
    static const char *const names[] = {"$schema", "shared",   "profiles",
                                        "name",    "exporter", "activeProfileIndex"};
    enum { COUNT = sizeof names / sizeof *names };
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, COUNT, &seen, &member))
        switch (member) {
        case 0: speedscope_read_string(r); break;
        case 1: read_shared(r); break;
        case 2: read_profiles(r); break;
        case 3: r->file_name = speedscope_read_string(r); break;
        case 4: r->exporter = speedscope_read_string(r); break;
        default: read_active(r);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (!r->has_frames || !r->has_profiles)
        tokens_die(&r->json, end, "the file has no %s", r->has_frames ? "profiles" : "frames");
    if (r->active >= 0 && (size_t)r->active >= r->profile_count)
        tokens_die(&r->json, r->active_where,
                   "expected one of the %zu profiles, which are numbered from 0, found %" PRId64,
                   r->profile_count, r->active);
}

void speedscope_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct speedscope_reader r = {
        .request = request, .sink = sink, .active = -1, .highest = -1, .spools = spools_open()};
    tokens_open(&r.json, in);
    read_file(&r);
    speedscope_push_rows(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    intern_free(&r.functions);
    intern_free(&r.locations);
    mem_free(r.copies);
    mem_free(r.stack.frames);
    mem_free(r.last.frames);
    mem_free(r.profiles);
    bytes_rows_free(&r.rows);
    struct buf *bufs[] = {&r.text, &r.extra, &r.frame_name, &r.frame_file};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    arena_free(&r.arena);
}

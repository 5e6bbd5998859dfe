/* Parses stacks in the text of R's profilers, and writes their functions and locations. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/rprof/rprof_read.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

void rprof_open_reader(struct rprof_reader *r, struct in *in, const struct read_request *request,
                       struct sink *sink)
{
    r->in = in;
    r->request = request;
    r->sink = sink;
    r->bad.request = request;
    r->where = (struct place){in_name(in), PLACE_LINE, 1};
    const struct rprof_read_options *options = request->options;
    r->from_code = options == NULL ? NULL : options->from_code;
    rprof_style_from_code(&r->style, r->from_code);
}

void rprof_close_reader(struct rprof_reader *r)
{
    if (r->rows.odd_names > 0)
        warn_at(CODE_GUESSED, (struct place){r->where.file, PLACE_FILE, 0},
                "names that are not UTF-8: %" PRIu64 HINT
                "if they are Latin-1, use %s2ndjson --from-code=latin1",
                r->rows.odd_names, r->has_positions ? "rprof" : "rprofmem");
    rprof_style_free(&r->style);
    rprof_files_free(&r->files);
    intern_free(&r->paths);
    intern_free(&r->functions);
    intern_free(&r->locations);
    rprof_forget_frames(r);
    mem_free(r->frame_locations);
    mem_free(r->stack);
    bytes_rows_free(&r->rows);
    BUF_FREE(&r->key, &r->text, &r->extra, &r->inexact, &r->name, &r->spelled);
}

/* --- strings --- */

void rprof_check_options(const struct rprof_read_options *options)
{
    struct rprof_style style = {0};
    rprof_style_from_code(&style, options->from_code);
    rprof_style_free(&style);
}

void rprof_check_encoding(const struct rprof_reader *r, bool good)
{
    if (!good && r->request->strict)
        die_at(r->where, "--strict: a name is not in the encoding %s", r->from_code);
}

void rprof_add_text(struct rprof_reader *r, struct str name, struct str bytes)
{
    emit_member(&r->extra, name);
    emit_string(&r->extra, emit_text(&r->text, &r->inexact, name, bytes));
}

/* --- rows --- */

void rprof_emit_source(struct rprof_reader *r, struct str type)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = ++r->source_id,
                                 .source_type = type,
                                 .source_timestamp = r->request->timestamp}};
    const char *uri = format_source_uri(r->request, r->in);
    if (uri != NULL)
        row.source.source_uri = emit_text(&r->text, &r->inexact, STR("source_uri"), str_of(uri));
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

void rprof_add_value(struct rprof_reader *r, enum rprof_value_type type, int64_t value)
{
    if (r->types[type] == 0)
        r->types[type] = value_types_add(&r->sink->flow->types, rprof_value_names[type].type,
                                         rprof_value_names[type].unit);
    r->values[r->value_count++] = (struct sample_value){r->types[type], number_of(value), STR("")};
}

void rprof_emit_sample(struct rprof_reader *r)
{
    growth_check_depth(r->depth, r->where);
    sink_sample(r->sink, &(struct sample){
                             .sample_id = ++r->sample_id,
                             .source_id = r->source_id,
                             .extra = buf_str(&r->extra),
                             .values = r->values,
                             .value_count = r->value_count,
                             .locations = r->stack,
                             .depth = r->depth,
                         });
    r->value_count = 0;
}

/* --- functions and locations --- */

/* The bytes of file name PATH for a row. Many rows may share one name of the input, so this counts
 * as growth. */
static struct str path_bytes(const struct rprof_reader *r, uint32_t path)
{
    struct str bytes = path == 0 ? STR("") : intern_get(&r->paths, path);
    growth_add(r->sink->flow, bytes.n);
    return bytes;
}

/* Sets r->key to SIZE bytes of NUMBERS followed by TEXT. */
static struct str key_of(struct rprof_reader *r, const void *numbers, size_t size, struct str text)
{
    r->key.n = 0;
    buf_add(&r->key, (struct str){numbers, size});
    buf_add(&r->key, text);
    return buf_str(&r->key);
}

/* The id of the function NAME in the file PATH. Writes the row of a new one. */
static int64_t function_id(struct rprof_reader *r, uint32_t path, struct str name)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, key_of(r, &path, sizeof path, name), &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, name, path_bytes(r, path), 0, STR(""));
    return id;
}

/* Writes the row of location ID, for FRAME. ODD is its spelling if that does not follow from the
 * row. */
static void define_location(struct rprof_reader *r, int64_t id, const struct rprof_frame *frame,
                            struct str odd)
{
    struct row row = {.table = TABLE_LOCATIONS, .location = {id, ROW_NULL, frame->line}};
    if (frame->has_name)
        row.location.function_id = function_id(r, frame->path, frame->name);
    r->extra.n = 0;
    if (!frame->has_name)
        rprof_add_text(r, STR(".filename"), path_bytes(r, frame->path));
    if (odd.n > 0)
        rprof_add_text(r, STR(".rprof_text"), odd);
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The id of the location of FRAME, which is spelled TEXT. Writes the row of a new one. */
static int64_t location_id(struct rprof_reader *r, const struct rprof_frame *frame, struct str text)
{
    r->spelled.n = 0;
    bool is_usual = rprof_spell_frame(&r->style, &r->files, frame, &r->spelled) &&
                    str_equal(buf_str(&r->spelled), text);
    struct {
        int64_t line;
        uint32_t path;
        uint16_t has_name, is_usual;
    } key = {frame->line, frame->path, frame->has_name, is_usual};
    bool is_new;
    uint32_t id = intern_add(&r->locations,
                             key_of(r, &key, sizeof key, is_usual ? frame->name : text), &is_new);
    if (is_new)
        define_location(r, id, frame, is_usual ? STR("") : text);
    return id;
}

/* Puts FRAME, with its name as in the file, on the stack. TEXT is its spelling: most frames were
 * seen before, and then only TEXT is looked up. */
static void push(struct rprof_reader *r, struct str text, struct rprof_frame frame)
{
    bool is_new;
    uint32_t id = intern_add(&r->frames, text, &is_new);
    if (is_new) {
        r->name.n = 0;
        rprof_check_encoding(r, rprof_decode_name(&r->style, frame.name, &r->name));
        frame.name = buf_str(&r->name);
        r->frame_locations =
            mem_array(r->frame_locations, &r->frame_capacity, id, sizeof *r->frame_locations);
        r->frame_locations[id - 1] = location_id(r, &frame, text);
    }
    if (r->depth == r->stack_capacity)
        r->stack = mem_array(r->stack, &r->stack_capacity, r->depth + 1, sizeof *r->stack);
    r->stack[r->depth++] = r->frame_locations[id - 1];
}

/* --- lines --- */

bool rprof_next_line(struct rprof_reader *r, struct str *text)
{
    if (r->lines.n == 0)
        r->lines = in_lines(r->in, 0, r->where.at);
    if (r->lines.n == 0)
        return false;
    const char *lf = memchr(r->lines.p, '\n', r->lines.n);
    *text = (struct str){r->lines.p, (size_t)(lf - r->lines.p)};
    r->line_count = 1;
    return true;
}

void rprof_consume(struct rprof_reader *r, struct str text, bool with_lf)
{
    size_t read = text.n + with_lf;
    in_consume(r->in, read);
    r->lines.p += read;
    r->lines.n -= read;
    r->where.at += with_lf ? r->line_count : r->line_count - 1;
}

bool rprof_is_torn(const struct rprof_reader *r, struct str text)
{
    return in_torn(r->in) && text.n + 1 == r->lines.n;
}

void rprof_skip_torn(const struct rprof_reader *r, const char *what)
{
    if (what == NULL)
        what = "the last line is torn (no line feed)";
    if (r->request->strict)
        die_at(r->where, "--strict: %s", what);
    warn_at(CODE_BAD_LINE, r->where, "%s: skipped", what);
}

void rprof_bad_garbage(struct rprof_reader *r, const char *expected, struct str rest)
{
    if (rest.n > 0 && *rest.p == ' ')
        rest.p++, rest.n--;
    struct buf shown = {0};
    text_escape(&shown, (struct str){rest.p, rest.n < 40 ? rest.n : 40});
    bad_lines_note(&r->bad, r->where, "expected %s, found %s%.*s%s", expected,
                   rest.n == 0 ? "an empty line" : "'", STR_ARG(buf_str(&shown)),
                   rest.n == 0 ? "" : "'");
    buf_free(&shown);
}

void rprof_take_first(struct rprof_reader *r, struct str *text)
{
    const char *lf = text->n == 0 ? NULL : memchr(text->p, '\n', text->n);
    if (lf == NULL)
        return;
    text->n = (size_t)(lf - text->p);
    r->line_count = 1;
}

/* --- stacks --- */

/* Sets *PATH to the path of FILE in the position FILE#LINE; false if it has none, which is
 * reported. */
static bool find_path(struct rprof_reader *r, int64_t file, int64_t line, uint32_t *path)
{
    bool found = rprof_files_get(&r->files, file, path);
    if (!found)
        bad_lines_note(&r->bad, r->where,
                       "position %" PRId64 "#%" PRId64 ": no \"#File %" PRId64
                       "\" line stands before it",
                       file, line, file);
    return found;
}

/* Puts the frames at the start of *S, the end of TEXT, on the stack; *S becomes what follows the
 * last one. The first SKIP bytes of the first name are known not to close it. */
static enum rprof_frames take_frames(struct rprof_reader *r, struct str text, size_t skip,
                                     struct str *s)
{
    bool is_full = text.n >= (size_t)RPROF_CUT_AT + r->style.crlf;
    for (;; skip = 0) {
        struct str rest = *s;
        struct rprof_frame frame = {.has_name = true, .name = STR("")};
        int64_t file;
        if (rprof_ends_frames(rest))
            return RPROF_FRAMES_WHOLE;
        if (r->depth > 0 && !str_take(&rest, STR(" ")))
            return RPROF_FRAMES_GARBAGE;
        const char *start = rest.p;
        if (*rest.p != '"' && r->has_positions) {
            if (!rprof_take_position(&rest, &file, &frame.line))
                return rprof_is_cut_position(rest) ? RPROF_FRAMES_CUT : RPROF_FRAMES_GARBAGE;
            if (!find_path(r, file, frame.line, &frame.path))
                return RPROF_FRAMES_NO_FILE;
            frame.has_name = !rprof_ends_frames(rest);
            if (!frame.has_name && is_full)
                return RPROF_FRAMES_CUT; /* cut before the name */
            if (frame.has_name)
                str_take(&rest, STR(" "));
        }
        if (frame.has_name && !str_take(&rest, STR("\"")))
            return RPROF_FRAMES_GARBAGE;
        if (frame.has_name && !rprof_take_name(&rest, skip, &frame.name)) {
            r->open = rest.n;
            return RPROF_FRAMES_IN_NAME;
        }
        push(r, (struct str){start, (size_t)(rest.p - start)}, frame);
        *s = rest;
    }
}

/* Extends *TEXT, the lines of a sample from the start of r->lines without the last LF, by the next
 * line, if that can continue a name. */
static bool extend_sample(struct rprof_reader *r, struct str *text)
{
    size_t from = text->n + 1;
    if (from == r->lines.n)
        r->lines = in_lines(r->in, from, r->where.at + r->line_count);
    text->p = r->lines.p;
    if (from == r->lines.n)
        return false;
    const char *lf = memchr(r->lines.p + from, '\n', r->lines.n - from);
    struct str next = {r->lines.p + from, (size_t)(lf - r->lines.p) - from};
    if (r->begins_line(next))
        return false;
    if (from + next.n > LIMITS_LINE)
        die_as(CODE_TOO_LARGE, r->where, "the sample is longer than %zu MiB", LIMITS_LINE >> 20);
    text->n = from + next.n;
    r->line_count++;
    return true;
}

void rprof_forget_frames(struct rprof_reader *r)
{
    intern_free(&r->frames);
    rprof_known_forget(&r->known);
}

/* Looks up *REST, and puts its frames on the stack if it is known. What followed those frames was
 * usual. */
static bool recall(struct rprof_reader *r, struct str *rest)
{
    r->stack = mem_array(r->stack, &r->stack_capacity, RPROF_KNOWN_MAX / 2, sizeof *r->stack);
    r->depth = rprof_known_find(&r->known, *rest, r->stack);
    if (r->depth == 0)
        return false;
    size_t frames = rest->n - rprof_usual_tail(r->depth, r->style.crlf).n;
    rest->p += frames;
    rest->n -= frames;
    return true;
}

enum rprof_frames rprof_read_frames(struct rprof_reader *r, struct str *text, struct str *rest)
{
    const struct str line = *rest;
    bool is_short = line.n <= RPROF_KNOWN_MAX;
    if (is_short && recall(r, rest))
        return RPROF_FRAMES_WHOLE;
    r->depth = 0;
    enum rprof_frames frames = take_frames(r, *text, 0, rest);
    if (is_short && frames == RPROF_FRAMES_WHOLE && r->depth > 0 &&
        str_equal(*rest, rprof_usual_tail(r->depth, r->style.crlf)))
        rprof_known_add(&r->known, line, r->stack, r->depth);
    while (frames == RPROF_FRAMES_IN_NAME && r->open < RPROF_OPEN_NAME_MAX) {
        size_t done = text->n - rest->n, header;
        if (!extend_sample(r, text)) {
            if (text->n + 1 == r->lines.n)
                frames = RPROF_FRAMES_ENDED;
            break;
        }
        if (rprof_is_torn(r, *text) || rprof_ends_in_header(*text, &header))
            return RPROF_FRAMES_TORN;
        *rest = (struct str){text->p + done, text->n - done};
        frames = take_frames(r, *text, r->open + 1, rest);
    }
    /* TEXT may have moved */
    rest->p = text->p + text->n - rest->n;
    return frames;
}

/* Rprof text to rows.  See rprof2ndjson(1) for the rules. */
#include "emit.h"
#include "intern.h"
#include "loss.h"
#include "mem.h"
#include "rprof.h"
#include "rprof_spell.h"
#include "rprof_text.h"
#include "text.h"

#include <inttypes.h>

struct reader {
    struct in *in;
    const struct read_request *request;
    const struct sink *sink;
    struct place where;  /* of the sample or line being read */
    struct str lines;    /* whole lines, from the one being read */
    uint64_t line_count; /* of the lines of that sample */

    struct rprof_header header;
    int64_t source_id; /* 0: no header yet */
    bool has_previous;
    struct rprof_memory previous;
    struct rprof_style style; /* of this source */
    struct rprof_files files; /* their meanings are numbers of paths */

    /* Paths and names are as in rows, in UTF-8 and with LF, if they were in the encoding. */
    struct intern paths;      /* file names, but for the empty one, which is 0 */
    struct intern functions;  /* path number and name */
    struct intern locations;  /* position and name, or odd text */
    struct intern frames;     /* the text of frames, of this source since its last #File line */
    int64_t *frame_locations; /* by number of a frame: its location */
    size_t frame_capacity;
    int64_t sample_id;
    int64_t *stack; /* location ids, innermost first */
    size_t depth, stack_capacity;
    size_t open; /* bytes of the name that the text ends in */

    struct buf key, text[2], extra, inexact, name, spelled;
    uint64_t cut;
    bool header_follows; /* in the line that is being read */
};

/* --- strings --- */

/* Under --strict every name is in the encoding. */
static void check_encoding(struct reader *r, bool good)
{
    if (!good && r->request->strict)
        die_at(r->where, "--strict: a name is not in the encoding %s", r->request->from_code);
}

/* BYTES as canonical text in TO.  Where that is not exact, emit_bytes_column will give them to COLUMN. */
static struct str text_of(struct reader *r, struct buf *to, struct str column, struct str bytes)
{
    to->n = 0;
    if (!text_escape(to, bytes))
        emit_bytes(&r->inexact, column, bytes);
    return buf_str(to);
}

/* Adds the column NAME with the text BYTES to the row's. */
static void add_text(struct reader *r, struct str name, struct str bytes)
{
    emit_member(&r->extra, name);
    emit_string(&r->extra, text_of(r, &r->text[0], name, bytes));
}

/* --- sources --- */

static void parse_header(struct reader *r, struct str line)
{
    struct rprof_header h;
    if (!rprof_take_header(&line, &h))
        die_at(r->where, "expected \"sample.interval=\" and microseconds after the flags of an "
                         "Rprof header, found other text");
    h.crlf = str_take(&line, STR("\r"));
    if (line.n > 0)
        die_at(r->where, "expected the end of the line after the sampling interval");
    r->header = h;
}

static void add_flag(struct buf *to, const char *name, bool flag)
{
    if (!flag)
        return;
    buf_add(to, STR("\""));
    buf_add(to, str_of(name));
    buf_add(to, STR("\":true,"));
}

/* The dotted columns of the source: what its header says, and what its values are. */
static void add_source_columns(struct reader *r)
{
    struct buf *to = &r->extra;
    buf_add(to, STR(",\".value_types\":[{\"type\":\"samples\",\"unit\":\"count\"}"));
    if (r->header.memory)
        buf_add(to, STR(",{\"type\":\"vsize_small\",\"unit\":\"bytes\",\"gauge\":true}"
                        ",{\"type\":\"vsize_large\",\"unit\":\"bytes\",\"gauge\":true}"
                        ",{\"type\":\"nodes\",\"unit\":\"bytes\",\"gauge\":true}"
                        ",{\"type\":\"duplications\",\"unit\":\"count\"}"
                        ",{\"type\":\"alloc_size\",\"unit\":\"bytes\"}"
                        ",{\"type\":\"dealloc_size\",\"unit\":\"bytes\"}"));
    buf_add(to, STR("],\".period\":{\"type\":\"cpu\",\"unit\":\"nanoseconds\",\"value\":"));
    emit_number(to, r->header.interval * 1000);
    buf_add(to, STR("},\".rprof\":{"));
    add_flag(to, "memory", r->header.memory);
    add_flag(to, "gc", r->header.gc);
    add_flag(to, "lines", r->header.lines);
    add_flag(to, "crlf", r->header.crlf);
    if (r->request->from_code != NULL) {
        buf_add(to, STR("\"encoding\":\""));
        text_escape(to, str_of(r->request->from_code));
        buf_add(to, STR("\","));
    }
    buf_add(to, STR("\"interval\":"));
    emit_number(to, r->header.interval);
    buf_add(to, STR("}"));
}

static void read_header(struct reader *r, struct str line)
{
    parse_header(r, line);
    r->source_id++;
    r->has_previous = false;
    r->style.crlf = r->header.crlf;
    intern_free(&r->frames);
    rprof_files_clear(&r->files);
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = r->source_id,
                                 .source_type = STR("rprof"),
                                 .source_timestamp = r->request->timestamp}};
    const char *uri = read_source_uri(r->request, r->in);
    if (uri != NULL)
        row.source.source_uri = text_of(r, &r->text[0], STR("source_uri"), str_of(uri));
    r->extra.n = 0;
    add_source_columns(r);
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* A `#File N: path` line. */
static void read_file(struct reader *r, struct str line)
{
    int64_t number;
    struct str path = line, end = r->header.crlf ? STR("\r") : STR("");
    if (!rprof_take_file(&path, r->header.crlf, &number) || number > UINT32_MAX)
        die_at(r->where, "expected \"#File\", a number and a colon, found other text");
    if ((size_t)number > r->files.count + RPROF_FILE_GAP_MAX)
        die_at(r->where, "file number %" PRId64 " is far beyond the number of files", number);
    r->name.n = r->spelled.n = 0;
    check_encoding(r, rprof_decode(&r->style, path, &r->name));
    path = buf_str(&r->name);
    rprof_files_set(&r->files, (uint32_t)number,
                    path.n == 0 ? 0 : intern_add(&r->paths, path, NULL));
    intern_free(&r->frames); /* their positions may mean something else now */

    r->extra.n = 0;
    emit_member(&r->extra, STR("source_id"));
    emit_number(&r->extra, r->source_id);
    emit_member(&r->extra, STR("number"));
    emit_number(&r->extra, number);
    emit_member(&r->extra, STR("path"));
    emit_string(&r->extra, text_of(r, &r->text[0], STR("path"), path));
    rprof_spell_file(&r->style, number, path, &r->spelled);
    buf_add(&r->spelled, end);
    if (!str_equal(line, buf_str(&r->spelled)))
        add_text(r, STR("text"), line);
    emit_bytes_column(&r->extra, &r->inexact);
    sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {.name = STR(".rprof_files")},
                                    .extra = buf_str(&r->extra)});
}

/* --- functions and locations --- */

/* The bytes of file name PATH. */
static struct str path_bytes(const struct reader *r, uint32_t path)
{
    return path == 0 ? STR("") : intern_get(&r->paths, path);
}

/* The bytes of SIZE at NUMBERS and then TEXT, in r->key. */
static struct str key_of(struct reader *r, const void *numbers, size_t size, struct str text)
{
    r->key.n = 0;
    buf_add(&r->key, (struct str){numbers, size});
    buf_add(&r->key, text);
    return buf_str(&r->key);
}

/* The id of the function NAME whose code stands in PATH; writes its row when it is new. */
static int64_t function_id(struct reader *r, uint32_t path, struct str name)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, key_of(r, &path, sizeof path, name), &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".unmangled\":true"));
    struct str text = name.n == 0 ? STR("<?>") : text_of(r, &r->text[0], STR("name"), name);
    if (name.n == 0)
        buf_add(&r->extra, STR(",\".no_name\":true"));
    else if (r->inexact.n != 0)
        text_of(r, &r->text[0], STR("system_name"), name);
    struct str filename = text_of(r, &r->text[1], STR("filename"), path_bytes(r, path));
    emit_bytes_column(&r->extra, &r->inexact);
    sink_row(r->sink, &(struct row){.table = TABLE_FUNCTIONS,
                                    .function = {id, text, text, filename, 0},
                                    .extra = buf_str(&r->extra)});
    return id;
}

/* Writes the row of location ID, of FRAME.  ODD is how that is spelled, if the row does not say. */
static void define_location(struct reader *r, int64_t id, const struct rprof_frame *frame,
                            struct str odd)
{
    struct row row = {.table = TABLE_LOCATIONS, .location = {id, ROW_NULL, frame->line}};
    if (frame->has_name)
        row.location.function_id = function_id(r, frame->path, frame->name);
    r->extra.n = 0;
    if (!frame->has_name)
        add_text(r, STR(".filename"), path_bytes(r, frame->path));
    if (odd.n > 0)
        add_text(r, STR(".rprof_text"), odd);
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The id of the location of FRAME, which is spelled TEXT; writes its row when it is new. */
static int64_t location_id(struct reader *r, const struct rprof_frame *frame, struct str text)
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

/* Puts FRAME, whose name is still as in the file, on the stack.  TEXT is how it is spelled: most
 * frames have been seen before, and then that is all that is looked at. */
static void push(struct reader *r, struct str text, struct rprof_frame frame)
{
    bool is_new;
    uint32_t id = intern_add(&r->frames, text, &is_new);
    if (is_new) {
        r->name.n = 0;
        check_encoding(r, rprof_decode_name(&r->style, frame.name, &r->name));
        frame.name = buf_str(&r->name);
        r->frame_locations =
            mem_array(r->frame_locations, &r->frame_capacity, id, sizeof *r->frame_locations);
        r->frame_locations[id - 1] = location_id(r, &frame, text);
    }
    if (r->depth == r->stack_capacity)
        r->stack = mem_array(r->stack, &r->stack_capacity, r->depth + 1, sizeof *r->stack);
    r->stack[r->depth++] = r->frame_locations[id - 1];
}

/* --- samples --- */

/* The path of FILE in the position FILE#LINE. */
static uint32_t path_of(const struct reader *r, int64_t file, int64_t line)
{
    uint32_t path;
    if (!rprof_files_get(&r->files, file, &path))
        die_at(r->where,
               "position %" PRId64 "#%" PRId64 ": no \"#File %" PRId64 "\" line stands before it",
               file, line, file);
    return path;
}

enum frames {
    FRAMES_WHOLE,   /* to the end */
    FRAMES_IN_NAME, /* the text ends inside a name */
    FRAMES_CUT,     /* the text ends inside a position */
    FRAMES_GARBAGE, /* something else stands there */
};

/* Puts the frames at the start of *S on the stack; *S is then what stands behind the last. */
static enum frames take_frames(struct reader *r, struct str *s)
{
    for (;;) {
        struct str rest = *s;
        struct rprof_frame frame = {.has_name = true, .name = STR("")};
        int64_t file;
        if (rprof_ends_frames(rest))
            return FRAMES_WHOLE;
        if (r->depth > 0 && !str_take(&rest, STR(" ")))
            return FRAMES_GARBAGE;
        const char *text = rest.p;
        if (*rest.p != '"') {
            if (!rprof_take_position(&rest, &file, &frame.line))
                return rprof_is_cut_position(rest) ? FRAMES_CUT : FRAMES_GARBAGE;
            frame.path = path_of(r, file, frame.line);
            frame.has_name = !rprof_ends_frames(rest);
            if (frame.has_name)
                str_take(&rest, STR(" "));
        }
        if (frame.has_name && !str_take(&rest, STR("\"")))
            return FRAMES_GARBAGE;
        if (frame.has_name && !rprof_take_name(&rest, &frame.name)) {
            r->open = rest.n;
            return FRAMES_IN_NAME;
        }
        push(r, (struct str){text, (size_t)(rest.p - text)}, frame);
        *s = rest;
    }
}

static void emit_value(struct reader *r, struct str type, struct str unit, int64_t value)
{
    sink_row(r->sink, &(struct row){.table = TABLE_SAMPLE_VALUES,
                                    .sample_value = {r->sample_id, type, unit, number_of(value)}});
}

/* The memory numbers as values: the levels as they are, and what was allocated and freed since
 * the sample before. */
static void emit_memory(struct reader *r, struct rprof_memory m)
{
    struct rprof_memory p = r->has_previous ? r->previous : m;
    emit_value(r, STR("vsize_small"), STR("bytes"), 8 * m.small);
    emit_value(r, STR("vsize_large"), STR("bytes"), 8 * m.large);
    emit_value(r, STR("nodes"), STR("bytes"), m.nodes);
    emit_value(r, STR("duplications"), STR("count"), m.duplications);
    emit_value(r, STR("alloc_size"), STR("bytes"), rprof_rise(&p, &m));
    emit_value(r, STR("dealloc_size"), STR("bytes"), rprof_rise(&m, &p));
    r->previous = m;
    r->has_previous = true;
}

/* Writes the sample whose frames are on the stack.  TAIL is the text behind the last of them. */
static void emit_sample(struct reader *r, const struct rprof_memory *m, bool cut, struct str tail)
{
    r->sample_id++;
    r->extra.n = 0;
    if (cut)
        buf_add(&r->extra, STR(",\".truncated\":true"));
    if (!str_equal(tail, rprof_usual_tail(r->depth, r->header.crlf))) {
        add_text(r, STR(".rprof_tail"), tail);
        emit_bytes_column(&r->extra, &r->inexact);
    }
    sink_row(r->sink, &(struct row){.table = TABLE_SAMPLES,
                                    .sample = {r->sample_id, r->source_id},
                                    .extra = buf_str(&r->extra)});
    emit_value(r, STR("samples"), STR("count"), 1);
    if (m != NULL)
        emit_memory(r, *m);
    struct row row = {.table = TABLE_SAMPLE_LOCATIONS, .sample_location = {r->sample_id, 0, 0}};
    for (size_t i = 0; i < r->depth; i++) {
        row.sample_location.depth = (int64_t)i + 1;
        row.sample_location.location_id = r->stack[i];
        sink_row(r->sink, &row);
    }
}

/* Lets *TEXT, the lines of a sample from the start of r->lines without the last LF, grow by the
 * next line, if there is one that is the rest of a name. */
static bool extend_sample(struct reader *r, struct str *text)
{
    size_t from = text->n + 1;
    if (from == r->lines.n)
        r->lines = in_lines(r->in, from, r->where.at + r->line_count);
    text->p = r->lines.p;
    if (from == r->lines.n)
        return false;
    const char *lf = memchr(r->lines.p + from, '\n', r->lines.n - from);
    struct str next = {r->lines.p + from, (size_t)(lf - r->lines.p) - from};
    if (rprof_begins_line(next))
        return false;
    if (from + next.n > IN_LINE_MAX)
        die_at(r->where, "the sample is longer than %zu MiB", IN_LINE_MAX >> 20);
    text->n = from + next.n;
    r->line_count++;
    return true;
}

/* Whether TEXT, at the start of r->lines, ends without LF at the end of the input. */
static bool is_torn(const struct reader *r, struct str text)
{
    return in_torn(r->in) && text.n + 1 == r->lines.n;
}

static const char no_line_feed[] = "the last line is torn (no line feed)";

/* Skips what a killed run left of a line; WHAT says how it shows. */
static void skip_torn(struct reader *r, const char *what)
{
    if (r->request->strict)
        die_at(r->where, "--strict: %s", what);
    warn_at(r->where, "%s: skipped", what);
}

static _Noreturn void die_garbage(struct reader *r, struct str rest)
{
    if (r->depth > 0 && rest.n > 0 && *rest.p == ' ')
        rest.p++, rest.n--;
    struct buf shown = {0};
    text_escape(&shown, (struct str){rest.p, rest.n < 40 ? rest.n : 40});
    die_at(r->where, "expected a frame (\"name\" or FILE#LINE), found %s%.*s%s",
           rest.n == 0 ? "an empty line" : "'", STR_ARG(buf_str(&shown)), rest.n == 0 ? "" : "'");
}

/* A run that was killed leaves a torn line; where another run is appended, its header goes on in
 * that line.  If one does in *TEXT, ends it there and skips what is in front. */
static bool end_at_header(struct reader *r, struct str *text)
{
    const struct str *starts[] = {&rprof_flag_memory, &rprof_flag_gc, &rprof_flag_lines,
                                  &rprof_interval};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *p = memmem(text->p, text->n, starts[i]->p, starts[i]->n);
        if (p != NULL && (first == NULL || p < first))
            first = p;
    }
    if (first == NULL)
        return false;
    struct str header = {first, (size_t)(text->p + text->n - first)};
    struct rprof_header ignored;
    if (!rprof_take_header(&header, &ignored) || !rprof_at_end(header))
        return false;
    skip_torn(r, "the line is torn (another header begins in it)");
    text->n = (size_t)(first - text->p);
    r->header_follows = true;
    return true;
}

/* Reads the sample that begins with the line *TEXT, which grows over the lines that it goes on
 * in. */
static void read_sample(struct reader *r, struct str *text)
{
    struct rprof_memory memory;
    struct str rest = *text;
    if (is_torn(r, *text)) {
        skip_torn(r, no_line_feed);
        return;
    }
    r->depth = 0;
    if (r->header.memory && !rprof_take_memory(&rest, &memory))
        die_at(r->where, "expected \":small:large:nodes:duplications:\" in front of a sample, as "
                         "the header announces");
    enum frames frames = take_frames(r, &rest);
    while (frames == FRAMES_IN_NAME && r->open < RPROF_OPEN_NAME_MAX) {
        size_t done = text->n - rest.n;
        if (!extend_sample(r, text))
            break;
        if (is_torn(r, *text)) {
            skip_torn(r, no_line_feed);
            return;
        }
        rest = (struct str){text->p + done, text->n - done};
        frames = take_frames(r, &rest);
    }

    if (frames != FRAMES_WHOLE && end_at_header(r, text))
        return;
    if (frames == FRAMES_GARBAGE || (text->n == 0 && !r->header.memory))
        die_garbage(r, rest);
    bool cut = frames != FRAMES_WHOLE || text->n - r->header.crlf >= RPROF_CUT_AT;
    if (cut && r->request->strict)
        die_at(r->where, "--strict: the sample is cut: its outer frames are missing");
    r->cut += cut;
    /* the text may have moved since REST was taken */
    struct str tail = {text->p + text->n - rest.n, rest.n};
    emit_sample(r, r->header.memory ? &memory : NULL, cut, tail);
}

static void read_line(struct reader *r, struct str *text)
{
    bool torn = is_torn(r, *text);
    if (rprof_is_header(*text) || r->source_id == 0) {
        if (torn && r->source_id > 0)
            skip_torn(r, no_line_feed);
        else if (torn)
            die_at(r->where, "the Rprof header is torn: expected a line feed, found the end");
        else
            read_header(r, *text);
    } else if (str_starts(*text, rprof_file)) {
        if (torn)
            skip_torn(r, no_line_feed);
        else
            read_file(r, *text);
    } else {
        read_sample(r, text);
    }
}

static void check_format(struct reader *r)
{
    struct str head = in_peek_line(r->in, 512);
    struct place where = {in_name(r->in), PLACE_FILE, 0};
    if (rprof_is_header(head))
        return;
    const struct format *found = format_detect(head);
    if (found != NULL)
        format_unexpected(NULL, where, "Rprof text", found);
    if (head.n == 0)
        die_at(where, "expected Rprof text, found an empty file");
    die_at(
        (struct place){in_name(r->in), PLACE_LINE, 1},
        "expected an Rprof header (\"sample.interval=\" after optional flags), found other text");
}

static void close_reader(struct reader *r)
{
    if (r->cut > 0)
        warn_at((struct place){in_name(r->in), PLACE_FILE, 0},
                "samples cut, their outer frames missing: %" PRIu64, r->cut);
    rprof_style_free(&r->style);
    rprof_files_free(&r->files);
    intern_free(&r->paths);
    intern_free(&r->functions);
    intern_free(&r->locations);
    intern_free(&r->frames);
    mem_free(r->frame_locations);
    mem_free(r->stack);
    struct buf *bufs[] = {&r->key,     &r->text[0], &r->text[1], &r->extra,
                          &r->inexact, &r->name,    &r->spelled};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

void rprof_read(struct in *in, const struct read_request *request, const struct sink *sink)
{
    struct reader r = {
        .in = in,
        .request = request,
        .sink = sink,
        .where = {in_name(in), PLACE_LINE, 1},
    };
    if (request->from_code != NULL && !rprof_style_encoding(&r.style, request->from_code))
        die(STATUS_USAGE, "--from-code: no encoding \"%s\" is known", request->from_code);
    check_format(&r);
    sink_begin(sink);
    for (;;) {
        if (r.lines.n == 0)
            r.lines = in_lines(in, 0, r.where.at);
        if (r.lines.n == 0)
            break;
        const char *lf = memchr(r.lines.p, '\n', r.lines.n);
        struct str text = {r.lines.p, (size_t)(lf - r.lines.p)};
        r.line_count = 1;
        read_line(&r, &text);
        size_t read = text.n + !r.header_follows; /* the LF is the header's then */
        in_consume(in, read);
        r.lines.p += read;
        r.lines.n -= read;
        r.where.at += r.header_follows ? r.line_count - 1 : r.line_count;
        r.header_follows = false;
    }
    close_reader(&r);
    loss_report(request->lossless); /* of what version 1.0 has no place for */
    sink_end(sink, request->more);
}

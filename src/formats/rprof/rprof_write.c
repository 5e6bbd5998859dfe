/* Profile rows to Rprof text. See ndjson2rprof(1) for the rules.
 *
 * A run is a header and the lines after it, all of one source. A frame is spelled once per run,
 * then copied. */
#include "base/buf.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/units.h"
#include "formats/rprof/rprof.h"
#include "formats/rprof/rprof_encoding.h"
#include "formats/rprof/rprof_spell.h"
#include "formats/rprof/rprof_text.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* A #File line that is written when its run begins. */
struct rprof_waiting {
    struct rprof_waiting *next;
    int64_t number;
    uint32_t path;
    struct str line;
};

/* A style of earlier runs. It is kept because sources may alternate. */
struct rprof_used_style {
    struct rprof_used_style *next;
    const char *encoding;
    struct rprof_style style;
};

/* What is known of a source. */
struct rprof_source {
    bool is_rprof;    /* it has a `.rprof`: each of its samples is one line */
    bool is_appended; /* to the previous run in its file */
    struct str uri;   /* canonical text; null p: none */
    struct rprof_header header;
    const char *encoding;                    /* from rprof_encoding; NULL: UTF-8 */
    struct rprof_style *style;               /* of its runs; NULL: no run so far */
    bool is_timed;                           /* its period is a time */
    bool begun;                              /* its header has been written */
    struct rprof_waiting *files, *last_file; /* the first is NULL: none */
};

/* The meaning of a value type here. */
struct rprof_type {
    struct str type; /* canonical text */
    enum rprof_role {
        ROLE_UNKNOWN, /* no value has come yet */
        ROLE_SAMPLES, /* samples/count */
        ROLE_SMALL,   /* the levels of a memory profile, in this order */
        ROLE_LARGE,
        ROLE_NODES,
        ROLE_DUPLICATIONS,
        ROLE_ALLOC, /* derived from the levels */
        ROLE_DEALLOC,
        ROLE_TIME,
        ROLE_COUNT, /* a count of something else */
        ROLE_OTHER,
    } role;
    int64_t nanoseconds; /* per unit of a ROLE_TIME */
    uint64_t dropped;    /* values that are not written */
};

/* A value of the sample being read. */
struct rprof_value {
    uint32_t type; /* index in types */
    bool is_rounded;
    int64_t value;
    struct decimal exact; /* if it is not an integer */
};

/* A row of functions, a row of locations. Their bytes are in the arena. */
struct rprof_function {
    struct str name;
    uint32_t path;
};
struct rprof_location {
    struct rprof_frame frame;
    struct str odd; /* `.rprof_text`; empty: none */

    /* The last spelling, with a space after it. It is still valid in the same style if its file
     * still has the same number. */
    char *text;
    uint32_t n, capacity;
    const struct rprof_style *style;
    int64_t number; /* 0: no position */
    bool is_odd;    /* spelled as ODD */
    uint64_t epoch; /* when the spelling was last checked */
};

struct rprof_writer {
    struct sink sink;
    struct rprof_write_options options;
    struct out *out;
    struct arena arena;
    struct buf scratch, raw, spelled;

    struct rprof_source *sources;
    size_t source_count, source_capacity;
    bool assumes_interval; /* for a source without an interval */
    size_t headed;         /* sources up to this number need no header of their own */

    /* The run being written. */
    size_t run;     /* number of its source; 0: none yet */
    bool is_shared; /* its header is also used for runs of other sources */
    struct rprof_style *style;
    struct rprof_files files;
    bool has_previous;
    struct rprof_memory previous;
    uint64_t epoch; /* changes when spellings may become invalid */
    struct rprof_used_style *styles;

    /* By id in the rows. */
    struct rprof_function *functions;
    size_t function_capacity;
    struct rprof_location *locations;
    size_t location_capacity;
    struct intern paths; /* the empty path is 0 */

    struct rprof_type *types; /* by number in the flow, from 0 */
    size_t type_capacity;

    /* The sample being read. */
    struct rprof_source *source; /* NULL: none */
    struct rprof_value *values;
    size_t value_count, value_capacity;
    bool truncated, has_tail;
    struct buf tail, line, prefix;
    size_t depth;
    bool ends_unnamed; /* the outermost frame read so far has no name */
};

/* The place of the row being read. */
static inline struct place place_of(const struct rprof_writer *w)
{
    return w->sink.flow->where;
}

static void rprof_write_file(struct rprof_writer *w, int64_t number, uint32_t path,
                             struct str line);

/* === frames === */

/* Functions, locations, and their spelling in a run. */

/* The bytes of TEXT, a string in the column NAME, in w->scratch, valid until the next call. BYTES
 * is the value of `.bytes`. */
static struct str rprof_bytes(struct rprof_writer *w, struct str name, struct str text,
                              struct str bytes)
{
    w->scratch.n = 0;
    text_exact(&w->scratch, text, bytes, name);
    return buf_str(&w->scratch);
}

/* --- rows --- */

/* The number of the path BYTES. */
static uint32_t rprof_path(struct rprof_writer *w, struct str bytes)
{
    return bytes.n == 0 ? 0 : intern_add(&w->paths, bytes, NULL);
}

/* Read a row of functions, locations. */
static void read_function(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, place_of(w), NULL);
    struct member m;
    struct str bytes = {NULL, 0};
    bool unmangled = false, no_name = false;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_UNMANGLED: unmangled = m.flag; break;
        case MEMBER_ID_NO_NAME: no_name = m.flag; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    if (!unmangled && !str_equal(row->function.name, row->function.system_name))
        loss_add(LOSS_COLUMNS, STR("functions.system_name"), 1);
    if (row->function.start_line != 0)
        loss_add(LOSS_COLUMNS, STR("functions.start_line"), 1);
    size_t id = (size_t)row->function.function_id; /* dense, in order of appearance */
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    struct rprof_function *f = &w->functions[id - 1];
    f->name = no_name
                  ? STR("")
                  : arena_copy(&w->arena, rprof_bytes(w, STR("name"), row->function.name, bytes));
    f->path = rprof_path(w, rprof_bytes(w, STR("filename"), row->function.filename, bytes));
}

/* The text of the address M; may be in TO. */
static struct str spell_address(struct buf *to, const struct member *m)
{
    if (m->value.p != NULL)
        return text_inside(m->value);
    emit_address(to, m->address);
    return buf_str(to);
}

static void read_location(struct rprof_writer *w, const struct row *row)
{
    static const struct str unknown = STR("<unknown>");
    bool has_name = row->location.function_id != ROW_NULL;
    struct members walk = members_of(row, place_of(w), NULL);
    struct member m;
    struct str filename = {NULL, 0}, bytes = {NULL, 0}, odd = STR(""), address = unknown;
    struct buf digits = {0};
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_FILENAME && !has_name)
            filename = m.text;
        else if (m.id == MEMBER_ID_RPROF_TEXT)
            odd = m.text;
        else if (m.id == MEMBER_ID_BYTES) {
            bytes = m.value;
            loss_add_bytes(row, bytes);
        } else {
            if (m.id == MEMBER_ID_ADDRESS)
                address = spell_address(&digits, &m);
            loss_add_column(row, m.name);
        }
    }
    size_t id = (size_t)row->location.location_id;
    w->locations = mem_array(w->locations, &w->location_capacity, id, sizeof *w->locations);
    struct rprof_location *l = &w->locations[id - 1];
    *l = (struct rprof_location){.frame = {.has_name = has_name, .name = STR("")}};
    l->frame.line = row->location.line == ROW_NULL ? 0 : row->location.line;
    if (l->frame.line > RPROF_NUMBER_MAX) {
        loss_add(LOSS_COLUMNS, STR("locations.line"), 1);
        l->frame.line = 0;
    }
    if (has_name) {
        const struct rprof_function *f = &w->functions[row->location.function_id - 1];
        l->frame.name = f->name;
        l->frame.path = f->path;
    } else if (filename.p != NULL) {
        l->frame.path = rprof_path(w, rprof_bytes(w, STR(".filename"), filename, bytes));
    } else if (l->frame.line == 0) { /* an address, or nothing at all */
        l->frame.has_name = true;
        l->frame.name = arena_copy(&w->arena, rprof_bytes(w, STR(".address"), address, bytes));
        loss_add(LOSS_FRAMES, address, 1);
    }
    if (odd.n > 0)
        l->odd = arena_copy(&w->arena, rprof_bytes(w, STR(".rprof_text"), odd, bytes));
    buf_free(&digits);
}

/* --- spelling --- */

/* Whether TEXT, a `.rprof_text`, is read as FRAME in this run. *NUMBER is then the number of its
 * file; 0: it has no position. */
static bool is_spelling(struct rprof_writer *w, struct str text, const struct rprof_frame *frame,
                        int64_t *number)
{
    int64_t line = 0;
    uint32_t path = 0;
    struct str raw, rest = text;
    *number = 0;
    if (rprof_take_position(&rest, number, &line)) {
        if (!rprof_files_get(&w->files, *number, &path))
            return false;
        if (rest.n == 0)
            return !frame->has_name && path == frame->path && line == frame->line;
        str_take(&rest, STR(" "));
    }
    if (!frame->has_name || path != frame->path || line != frame->line ||
        !str_take(&rest, STR("\"")) || rest.n == 0 || rest.p[rest.n - 1] != '"')
        return false;
    w->raw.n = 0;
    buf_add(&w->raw, rest);
    buf_add(&w->raw, STR(" \""));
    if (rprof_read_name(buf_str(&w->raw), &raw) != RPROF_NAME_CLOSED || raw.n != rest.n - 1)
        return false;
    w->scratch.n = 0;
    rprof_decode_name(w->style, (struct str){rest.p, raw.n}, &w->scratch);
    return str_equal(buf_str(&w->scratch), frame->name);
}

/* Whether the frame SPELLED is read back with the name NAME. */
static bool reads_back(struct rprof_writer *w, struct str spelled, struct str name)
{
    struct str raw;
    const char *quote = memchr(spelled.p, '"', spelled.n);
    struct str behind = {quote + 1, (size_t)(spelled.p + spelled.n - quote) - 1};
    w->raw.n = 0;
    buf_add(&w->raw, behind);
    buf_add(&w->raw, STR(" \""));
    if (rprof_read_name(buf_str(&w->raw), &raw) != RPROF_NAME_CLOSED || raw.n != behind.n - 1)
        return false;
    w->scratch.n = 0;
    rprof_decode_name(w->style, raw, &w->scratch);
    return str_equal(buf_str(&w->scratch), name);
}

/* Counts the name or path BYTES, which is written differently. */
static void count_name(struct str bytes)
{
    struct buf text = {0};
    text_escape(&text, bytes);
    loss_add(LOSS_NAMES, buf_str(&text), 1);
    buf_free(&text);
}

/* Appends the spelling of FRAME to TO. A name that would be read differently is changed so that it
 * does not end too early. */
static void spell_frame(struct rprof_writer *w, const struct rprof_frame *frame, struct buf *to)
{
    size_t before = to->n;
    rprof_spell_frame(w->style, &w->files, frame, to);
    struct str spelled = {to->p + before, to->n - before};
    if (!frame->has_name || reads_back(w, spelled, frame->name))
        return;
    count_name(frame->name);
    char *p = memchr(spelled.p, '"', spelled.n);
    for (char *end = to->p + to->n - 1; ++p < end;)
        if (*p == '"')
            *p = '\'';
        else if (*p == '\n' || *p == '\r')
            *p = ' ';
}

/* The number of the file of FRAME; 0: it has no position. */
static int64_t number_file(struct rprof_writer *w, const struct rprof_frame *frame)
{
    if (frame->has_name && frame->path == 0 && frame->line == 0)
        return 0;
    if (rprof_files_number(&w->files, frame->path) == 0)
        rprof_write_file(w, rprof_files_unused(&w->files), frame->path, STR(""));
    return rprof_files_number(&w->files, frame->path);
}

/* Whether the last spelling of L is valid in this run. */
static bool is_spelled(struct rprof_writer *w, const struct rprof_location *l)
{
    uint32_t path;
    if (l->style != w->style || (l->odd.n > 0 && !l->is_odd))
        return false;
    if (l->is_odd)
        return l->number == 0 ||
               (rprof_files_get(&w->files, l->number, &path) && path == l->frame.path);
    return number_file(w, &l->frame) == l->number;
}

/* Stores w->spelled as the spelling of L. */
static void keep_spelling(struct rprof_writer *w, struct rprof_location *l)
{
    struct str text = buf_str(&w->spelled);
    if (text.n > l->capacity) { /* a little more room, since file numbers differ between runs */
        size_t room = text.n + (l->capacity == 0 ? 8 : text.n);
        if (room > UINT32_MAX)
            die_as(CODE_TOO_LARGE, place_of(w), "a name is too long");
        l->text = arena_alloc(&w->arena, room);
        l->capacity = (uint32_t)room;
    }
    memcpy(l->text, text.p, text.n);
    l->n = (uint32_t)text.n;
    l->style = w->style;
}

/* Makes sure that the spelling of L is valid in the run being written. May write a `#File` line. */
static void rprof_spell(struct rprof_writer *w, struct rprof_location *l)
{
    if (!is_spelled(w, l)) {
        w->spelled.n = 0;
        l->is_odd = l->odd.n > 0 && is_spelling(w, l->odd, &l->frame, &l->number);
        if (l->is_odd) {
            buf_add(&w->spelled, l->odd);
        } else {
            l->number = number_file(w, &l->frame);
            spell_frame(w, &l->frame, &w->spelled);
        }
        buf_add(&w->spelled, STR(" "));
        keep_spelling(w, l);
    }
    l->epoch = w->epoch;
}

/* Whether LINE is read in this run as a #File line for NUMBER and PATH. */
static bool is_file_line(struct rprof_writer *w, struct str line, int64_t number, struct str path)
{
    int64_t found;
    size_t header;
    if (memchr(line.p, '\n', line.n) != NULL || rprof_ends_in_header(line, &header) ||
        !rprof_take_file(&line, w->style->crlf, &found) || found != number)
        return false;
    w->scratch.n = 0;
    rprof_decode(w->style, line, &w->scratch);
    return str_equal(buf_str(&w->scratch), path);
}

/* Sets w->raw to the #File line for NUMBER and PATH. A path that would be read differently is
 * changed so that it does not end too early or begin another run. */
static void spell_file(struct rprof_writer *w, int64_t number, struct str path)
{
    struct buf *line = &w->raw;
    size_t header;
    line->n = 0;
    rprof_spell_file(w->style, number, path, line);
    buf_add(line, w->style->crlf ? STR("\r") : STR(""));
    if (is_file_line(w, buf_str(line), number, path))
        return;
    count_name(path);
    for (char *p = line->p; (p = memchr(p, '\n', (size_t)(line->p + line->n - p))) != NULL;)
        *p = ' ';
    if (rprof_ends_in_header(buf_str(line), &header))
        line->p[(const char *)port_memrchr(line->p, '=', line->n) - line->p] = '-';
}

/* Writes a `#File` line that assigns PATH to NUMBER. */
static void rprof_write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line)
{
    struct str bytes = path == 0 ? STR("") : intern_get(&w->paths, path);
    uint32_t meaning;
    /* spelled frames may now have another meaning or need another spelling */
    w->epoch +=
        rprof_files_get(&w->files, number, &meaning) || rprof_files_number(&w->files, path) != 0;
    rprof_files_set(&w->files, number, path);
    if (!is_file_line(w, line, number, bytes)) {
        spell_file(w, number, bytes);
        line = buf_str(&w->raw);
    }
    out_write(w->out, line);
    out_write(w->out, STR("\n"));
}

/* Whether the sample's tail can be read again after its frames: an unusual line end, or a cut
 * frame; *IS_CUT says which. In a line that IS_FULL the cut frame may be a whole position. */
static bool check_tail(struct rprof_writer *w, bool is_full, bool *is_cut)
{
    int64_t number, line;
    uint32_t path;
    size_t header;
    struct str tail = buf_str(&w->tail), name;
    *is_cut = false;
    if (rprof_ends_frames(tail))
        return true;
    *is_cut = true;
    if ((w->depth > 0 && !str_take(&tail, STR(" "))) || tail.n == 0 ||
        rprof_ends_in_header(tail, &header))
        return false;
    if (*tail.p != '"') {
        if (rprof_is_cut_position(tail))
            return memchr(tail.p, '\n', tail.n) == NULL;
        if (!rprof_take_position(&tail, &number, &line) ||
            !rprof_files_get(&w->files, number, &path))
            return false;
        if (rprof_ends_frames(tail))
            return is_full;
        str_take(&tail, STR(" "));
    }
    return str_take(&tail, STR("\"")) && rprof_read_name(tail, &name) == RPROF_NAME_OPEN;
}

/* === values === */

/* Values of samples: in Rprof a sample is a line, and a memory profile has four numbers at its
 * start. See ndjson2rprof(1), Samples. */

/* Max lines of a sample: two and a half days at 20 milliseconds. */
enum { LINES_MAX = 10000000 };

static enum rprof_role role_of(struct str type, struct str unit)
{
    static const struct {
        struct str type, unit;
        enum rprof_role role;
    } known[] = {
        {STR("samples"), STR("count"), ROLE_SAMPLES},
        {STR("vsize_small"), STR("bytes"), ROLE_SMALL},
        {STR("vsize_large"), STR("bytes"), ROLE_LARGE},
        {STR("nodes"), STR("bytes"), ROLE_NODES},
        {STR("duplications"), STR("count"), ROLE_DUPLICATIONS},
        {STR("alloc_size"), STR("bytes"), ROLE_ALLOC},
        {STR("dealloc_size"), STR("bytes"), ROLE_DEALLOC},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(known[i].type, type) && str_equal(known[i].unit, unit))
            return known[i].role;
    if (units_nanoseconds(unit) != 0)
        return ROLE_TIME;
    return str_equal(unit, STR("count")) ? ROLE_COUNT : ROLE_OTHER;
}

/* The meaning of the type with this NUMBER in the flow. */
static struct rprof_type *type_of(struct rprof_writer *w, uint32_t number)
{
    if (number > w->type_capacity)
        w->types = mem_array_zeroed(w->types, &w->type_capacity, number, sizeof *w->types);
    struct rprof_type *t = &w->types[number - 1];
    if (t->role == ROLE_UNKNOWN) {
        const struct value_type *type = value_types_get(&w->sink.flow->types, number);
        *t = (struct rprof_type){.type = type->type,
                                 .role = role_of(type->type, type->unit),
                                 .nanoseconds = units_nanoseconds(type->unit)};
    }
    return t;
}

/* Reads a value of the sample. */
static void read_value(struct rprof_writer *w, const struct sample_value *v)
{
    type_of(w, v->type);
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    w->values = mem_array(w->values, &w->value_capacity, w->value_count + 1, sizeof *w->values);
    struct rprof_value *value = &w->values[w->value_count++];
    *value = (struct rprof_value){.type = v->type - 1, .value = v->value.integer};
    if (__builtin_expect(v->value.kind == NUMBER_INTEGER, 1))
        return;
    value->exact = decimal_read(v->value.real);
    value->is_rounded = !decimal_is_integer(value->exact, &value->value);
    if (!decimal_round(value->exact, &value->value))
        die_as(CODE_OVERFLOW, place_of(w),
               "sample_values.value: %.*s does not fit a 64-bit integer", STR_ARG(v->value.real));
}

/* The sample's first unused value of ROLE; NULL if there is none. */
static struct rprof_value *find(const struct rprof_writer *w, enum rprof_role role)
{
    for (size_t i = 0; i < w->value_count; i++)
        if (w->types[w->values[i].type].role == role)
            return &w->values[i];
    return NULL;
}

/* Marks the sample's value of ROLE as used if Rprof's own numbers imply it. */
static void take_if(struct rprof_writer *w, enum rprof_role role, int64_t implied)
{
    struct rprof_value *v = find(w, role);
    if (v != NULL && v->value == implied && !v->is_rounded)
        *v = w->values[--w->value_count];
}

/* Removes the value V from the sample and returns it. */
static struct rprof_value take(struct rprof_writer *w, struct rprof_value *v)
{
    struct rprof_value value = *v;
    *v = w->values[--w->value_count];
    return value;
}

/* The same, as a number of lines. */
static int64_t take_count(struct rprof_writer *w, struct rprof_value *v)
{
    struct rprof_value value = take(w, v);
    struct decimal more = decimal_of(value.value);
    if (value.is_rounded) {
        decimal_subtract(&more, value.exact);
        loss_add_fraction(w->types[value.type].type, more);
    }
    return value.value;
}

/* --- memory --- */

/* The level of ROLE in units of SIZE bytes, limited to what Rprof can hold. */
static int64_t level(struct rprof_writer *w, enum rprof_role role, int64_t size)
{
    const struct rprof_value *v = find(w, role);
    if (v == NULL) {
        loss_add(LOSS_MEMORY, STR(""), 1);
        return 0;
    }
    int64_t number = v->value < 0 ? 0 : v->value / size;
    if (number > RPROF_NUMBER_MAX)
        number = RPROF_NUMBER_MAX;
    take_if(w, role, number * size);
    return number;
}

static void read_memory(struct rprof_writer *w, struct rprof_memory *m)
{
    m->small = level(w, ROLE_SMALL, 8);
    m->large = level(w, ROLE_LARGE, 8);
    m->nodes = level(w, ROLE_NODES, 1);
    m->duplications = level(w, ROLE_DUPLICATIONS, 1);
    struct rprof_memory p = w->has_previous ? w->previous : *m;
    take_if(w, ROLE_ALLOC, rprof_rise(&p, m));
    take_if(w, ROLE_DEALLOC, rprof_rise(m, &p));
    w->previous = *m;
    w->has_previous = true;
}

/* --- lines --- */

/* VALUE, a time, in sampling intervals. */
static int64_t intervals_in(struct rprof_writer *w, const struct rprof_value *value)
{
    const struct rprof_type *t = &w->types[value->type];
    const int64_t interval = w->source->header.interval * 1000;
    int64_t nanoseconds, lines;
    if (!value->is_rounded && !__builtin_mul_overflow(value->value, t->nanoseconds, &nanoseconds) &&
        nanoseconds % interval == 0)
        return nanoseconds / interval;
    struct decimal time = value->is_rounded ? value->exact : decimal_of(value->value);
    time = decimal_multiply(time, decimal_of(t->nanoseconds));
    if (!decimal_round(time, &nanoseconds) ||
        !decimal_round(decimal_divide(time, wide_of(interval)), &lines))
        die_as(CODE_OVERFLOW, place_of(w),
               "the time of a sample does not fit 64 bits of nanoseconds");
    struct decimal more = decimal_multiply(decimal_of(lines), decimal_of(interval));
    decimal_subtract(&more, time);
    if (decimal_sign(more) != 0)
        loss_add_fraction(t->type, decimal_divide(more, wide_of(t->nanoseconds)));
    return lines;
}

/* The number of lines of the sample. It is the first of these that exists: its count of samples;
 * its time in intervals, if the period is a time; another count; another time; one. The value used
 * is removed. */
static int64_t line_count(struct rprof_writer *w)
{
    struct rprof_value *samples = find(w, ROLE_SAMPLES), *time = find(w, ROLE_TIME),
                       *other = find(w, ROLE_COUNT);
    if (samples != NULL)
        return take_count(w, samples);
    if (time != NULL && (w->source->is_timed || other == NULL)) {
        struct rprof_value value = take(w, time);
        return intervals_in(w, &value);
    }
    return other != NULL ? take_count(w, other) : 1;
}

/* Removes the times that COUNT lines imply. */
static void take_times(struct rprof_writer *w, int64_t count)
{
    int64_t implied, interval = w->source->header.interval * 1000;
    for (size_t i = 0; i < w->value_count; i++) {
        const struct rprof_type *t = &w->types[w->values[i].type];
        if (t->role == ROLE_TIME && !__builtin_mul_overflow(count, interval, &implied) &&
            !w->values[i].is_rounded && implied % t->nanoseconds == 0 &&
            w->values[i].value == implied / t->nanoseconds)
            w->values[i--] = w->values[--w->value_count];
    }
}

/* Computes from the values of the sample how many lines it becomes. For a memory profile also sets
 * *MEMORY, the numbers at the start of the first line. Values that cannot be written are
 * counted. */
static uint64_t rprof_weigh(struct rprof_writer *w, struct rprof_memory *memory)
{
    int64_t count = line_count(w);
    if (w->value_count > 0)
        take_times(w, count);
    if (w->source->header.memory && count > 0)
        read_memory(w, memory);
    for (size_t i = 0; i < w->value_count; i++)
        w->types[w->values[i].type].dropped++;
    if (count <= 0)
        loss_add(LOSS_NO_COUNT, STR(""), 1);
    if (count > LINES_MAX)
        die_as(CODE_TOO_LARGE, place_of(w), "a sample counts %lld: more than %d lines",
               (long long)count, LINES_MAX);
    return count < 0 ? 0 : (uint64_t)count;
}

/* Reports the values counted by rprof_weigh. */
static void count_losses(const struct rprof_writer *w)
{
    for (size_t i = 0; i < w->type_capacity; i++)
        if (w->types[i].dropped > 0)
            loss_add(LOSS_VALUES, w->types[i].type, w->types[i].dropped);
}

/* === samples and the stage === */

/* R's default, in microseconds. */
enum { INTERVAL_DEFAULT = 20000 };

/* The max interval in microseconds: in nanoseconds it must fit in 64 bits. */
#define INTERVAL_MAX (INT64_MAX / 1000)

/* --- sources --- */

/* `.period`: if it is a time, it is the interval. */
static void read_period(struct rprof_source *source, struct members period)
{
    struct member m;
    int64_t value = 0, unit = 0, nanoseconds;
    while (members_next(&period, &m))
        if (m.id == MEMBER_ID_UNIT)
            unit = units_nanoseconds(text_inside(m.value));
        else if (m.id == MEMBER_ID_VALUE)
            value = m.integer;
    bool is_time = value > 0 && unit != 0 && !__builtin_mul_overflow(value, unit, &nanoseconds);
    source->is_timed = is_time;
    int64_t interval = is_time && nanoseconds >= 1000 ? nanoseconds / 1000 : 1;
    if (is_time && source->header.interval == 0)
        source->header.interval = interval;
    if (!is_time || interval * 1000 != nanoseconds || interval != source->header.interval)
        loss_add(LOSS_FACTS, STR(".period"), 1);
}

/* `.rprof`: the header of the file that the source was read from. */
static void read_header(struct rprof_writer *w, const struct row *row, struct rprof_source *source,
                        struct members facts)
{
    struct rprof_header *h = &source->header;
    struct member m;
    source->is_rprof = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_MEMORY: h->memory = m.flag; break;
        case MEMBER_ID_GC: h->gc = m.flag; break;
        case MEMBER_ID_LINES: h->lines = m.flag; break;
        case MEMBER_ID_CRLF: h->crlf = m.flag; break;
        case MEMBER_ID_APPENDED: source->is_appended = m.flag; break;
        case MEMBER_ID_ENCODING:
            w->scratch.n = 0;
            text_unescape(&w->scratch, m.text);
            source->encoding = rprof_encoding(buf_str(&w->scratch));
            if (source->encoding == NULL)
                die_at(place_of(w),
                       "sources..rprof.encoding: expected one that R runs in, found \"%.*s\"",
                       STR_ARG(m.text));
            break;
        case MEMBER_ID_INTERVAL:
            if (w->options.interval == 0 && m.integer <= INTERVAL_MAX)
                h->interval = m.integer;
            else if (h->interval != m.integer)
                loss_add_inside(row, facts.column, m.name);
            break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

static void read_source(struct rprof_writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct rprof_source *source = &w->sources[w->source_count++];
    *source = (struct rprof_source){.header.interval = w->options.interval};
    if (row->source.source_uri.p != NULL)
        source->uri = arena_copy(&w->arena, row->source.source_uri);
    struct members walk = members_of(row, place_of(w), NULL), period;
    struct member m;
    bool has_period = false;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_RPROF:
            read_header(w, row, source, members_inside(&walk, &m, m.value));
            break;
        case MEMBER_ID_PERIOD: /* less exact than the header, which may follow */
            period = members_inside(&walk, &m, m.value);
            has_period = true;
            break;
        case MEMBER_ID_BYTES: loss_add_bytes(row, m.value); break;
        case MEMBER_ID_VALUE_TYPES: break;
        default: loss_add_column(row, m.name);
        }
    if (has_period)
        read_period(source, period);
    if (source->header.interval == 0) {
        source->header.interval = INTERVAL_DEFAULT;
        w->assumes_interval = true;
    }
    if (row->source.source_timestamp.kind != NUMBER_NULL)
        loss_add(LOSS_FACTS, STR("source_timestamp"), 1);
    if (source->is_rprof)
        return;
    source->header.lines = true; /* known only later */
    loss_add(LOSS_OWN, STR("source_type"), 1);
    if (row->source.source_uri.p != NULL)
        loss_add(LOSS_FACTS, STR("source_uri"), 1);
}

/* --- runs --- */

static void write_header(struct out *out, const struct rprof_header *h)
{
    struct buf interval = {0};
    emit_number(&interval, h->interval);
    out_write(out, h->memory ? rprof_flag_memory : STR(""));
    out_write(out, h->gc ? rprof_flag_gc : STR(""));
    out_write(out, h->lines ? rprof_flag_lines : STR(""));
    out_write(out, rprof_interval);
    out_write(out, buf_str(&interval));
    out_write(out, h->crlf ? STR("\r\n") : STR("\n"));
    buf_free(&interval);
}

/* The style of SOURCE, shared with sources of the same style. */
static struct rprof_style *style_of(struct rprof_writer *w, const struct rprof_source *source)
{
    struct rprof_used_style *s = w->styles;
    while (s != NULL && (s->style.crlf != source->header.crlf || s->encoding != source->encoding))
        s = s->next;
    if (s != NULL)
        return &s->style;
    s = arena_alloc(&w->arena, sizeof *s);
    *s = (struct rprof_used_style){w->styles, source->encoding, {.crlf = source->header.crlf}};
    if (s->encoding != NULL && !rprof_style_encoding(&s->style, s->encoding))
        die_at(place_of(w), "sources..rprof.encoding: expected an encoding that is known here");
    w->styles = s;
    return &s->style;
}

/* Whether samples of source S may follow those of LAST without a new header, which R's own tools
 * would take for a function. Runs of one file keep their headers, so that the file is restored.
 * Runs with memory do too: allocation is the difference to the previous sample. */
static bool shares_header(const struct rprof_source *s, const struct rprof_source *last)
{
    const struct rprof_header *a = &s->header, *b = &last->header;
    bool is_same_uri = s->uri.p == NULL ? last->uri.p == NULL
                                        : last->uri.p != NULL && str_equal(s->uri, last->uri);
    bool is_same_file = is_same_uri && (s->is_appended || last->is_appended);
    return !is_same_file && !a->memory && !b->memory && a->gc == b->gc && a->lines == b->lines &&
           a->interval == b->interval && s->style == last->style;
}

/* Writes the `#File` line of a row of .rprof_files with NUMBER, PATH and LINE. In a run with a
 * shared header the path may already have a number, and the number another path. */
static void write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line)
{
    uint32_t meaning;
    if (w->is_shared && rprof_files_number(&w->files, path) != 0)
        return;
    if (w->is_shared && rprof_files_get(&w->files, number, &meaning))
        number = rprof_files_unused(&w->files);
    rprof_write_file(w, number, path, line);
}

/* Begins a run of source number ID. */
static void begin_run(struct rprof_writer *w, size_t id)
{
    struct rprof_source *source = &w->sources[id - 1];
    if (source->style == NULL)
        source->style = style_of(w, source);
    w->is_shared = w->run != 0 && shares_header(source, &w->sources[w->run - 1]);
    w->run = id;
    w->style = source->style;
    if (!w->is_shared) {
        rprof_files_clear(&w->files);
        w->has_previous = false;
        w->epoch++;
        write_header(w->out, &source->header);
    } else if (!source->begun && source->is_rprof) {
        loss_add(LOSS_FACTS, STR("where a run begins"), 1);
    }
    source->begun = true;
    for (const struct rprof_waiting *f = source->files; f != NULL; f = f->next)
        write_file(w, f->number, f->path, f->line);
    source->files = NULL;
}

/* Makes the current run one of source number ID. Runs of Rprof that had only a header are written
 * first. */
static void enter_run(struct rprof_writer *w, size_t id)
{
    if (w->run == id)
        return;
    for (; w->headed < id; w->headed++)
        if (w->headed + 1 < id && w->sources[w->headed].is_rprof && !w->sources[w->headed].begun)
            begin_run(w, w->headed + 1);
    begin_run(w, id);
}

/* Keeps a #File line until its source has a run: sorted rows have the files of all sources
 * first. */
static void add_waiting(struct rprof_writer *w, struct rprof_source *source, int64_t number,
                        uint32_t path, struct str line)
{
    struct rprof_waiting *f = arena_alloc(&w->arena, sizeof *f);
    *f = (struct rprof_waiting){NULL, number, path, line};
    if (source->files == NULL)
        source->files = f;
    else
        source->last_file->next = f;
    source->last_file = f;
}

/* A row of .rprof_files. */
static void read_file(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, place_of(w), NULL);
    struct member m;
    struct str path = STR(""), text = STR(""), bytes = {NULL, 0};
    int64_t source = 0, number = 0;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_OF_SOURCE: source = m.integer; break;
        case MEMBER_ID_NUMBER: number = m.integer; break;
        case MEMBER_ID_PATH: path = m.text; break;
        case MEMBER_ID_TEXT_OF_LINE: text = m.text; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    if (source == ROW_NULL || number > RPROF_NUMBER_MAX) {
        loss_add_row(row);
        return;
    }
    uint32_t id = rprof_path(w, rprof_bytes(w, STR("path"), path, bytes));
    struct str line = arena_copy(&w->arena, rprof_bytes(w, STR("text"), text, bytes));
    if (w->run == (size_t)source)
        write_file(w, number, id, line);
    else
        add_waiting(w, &w->sources[source - 1], number, id, line);
}

/* --- samples --- */

static void read_sample_columns(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, place_of(w), NULL);
    struct member m;
    struct str tail = {NULL, 0}, bytes = {NULL, 0};
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_TRUNCATED: w->truncated = m.flag; break;
        case MEMBER_ID_RPROF_TAIL: tail = m.text; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    w->has_tail = tail.p != NULL;
    if (w->has_tail)
        buf_add(&w->tail, rprof_bytes(w, STR(".rprof_tail"), tail, bytes));
}

static void begin_sample(struct rprof_writer *w, const struct sample *sample)
{
    enter_run(w, (size_t)sample->source_id);
    w->source = &w->sources[sample->source_id - 1];
    w->truncated = w->has_tail = false;
    w->tail.n = w->line.n = 0;
    w->value_count = w->depth = 0;
    w->ends_unnamed = false;
    if (sample->extra.n != 0)
        read_sample_columns(w, &(struct row){.table = TABLE_SAMPLES, .extra = sample->extra});
}

static inline void add_text(struct buf *line, const char *p, size_t n)
{
    if (__builtin_expect(line->capacity - line->n < n, 0))
        buf_reserve(line, n);
    memcpy(line->p + line->n, p, n);
    line->n += n;
}

/* The last frame has no name but others follow. Only the outermost frame may have no name. */
static void name_last(struct rprof_writer *w)
{
    static const struct str name = STR("<toplevel>");
    loss_add(LOSS_FRAMES, name, 1);
    buf_add(&w->line, STR("\""));
    buf_add(&w->line, name);
    buf_add(&w->line, STR("\" "));
    w->ends_unnamed = false;
}

static inline void add_frame(struct rprof_writer *w, size_t id)
{
    struct rprof_location *l = &w->locations[id - 1];
    if (__builtin_expect(l->epoch != w->epoch, 0))
        rprof_spell(w, l);
    if (__builtin_expect(w->ends_unnamed, 0))
        name_last(w);
    add_text(&w->line, l->text, l->n);
    w->depth++;
    w->ends_unnamed = !l->frame.has_name;
}

/* Whether the line with a tail of N bytes is so long that R would cut it; a CR at the end does not
 * count. */
static bool is_full(const struct rprof_writer *w, size_t n)
{
    size_t frames = w->line.n - (w->depth > 0); /* without its space */
    return w->prefix.n + frames + n >= (size_t)RPROF_CUT_AT + w->style->crlf;
}

/* Appends the text after the frames: from the row, or the usual one. */
static void add_tail(struct rprof_writer *w)
{
    bool is_cut = false;
    if (w->has_tail && !check_tail(w, is_full(w, w->tail.n), &is_cut)) {
        loss_add(LOSS_OWN, STR("samples..rprof_tail"), 1);
        w->has_tail = is_cut = false;
    }
    if (is_cut && w->ends_unnamed)
        name_last(w); /* otherwise the cut name would follow the position */
    struct str tail = w->has_tail ? buf_str(&w->tail) : rprof_usual_tail(w->depth, w->style->crlf);
    bool reads_cut = is_cut || is_full(w, tail.n);
    if (w->truncated && !reads_cut)
        loss_add(LOSS_DOTTED_COLUMNS, STR("samples..truncated"), 1);
    else if (reads_cut && (!w->truncated || w->ends_unnamed))
        loss_add(LOSS_SEEMS_CUT, STR(""), 1);
    if (w->depth > 0)
        w->line.n--;
    buf_add(&w->line, tail);
    buf_add(&w->line, STR("\n"));
}

static void set_prefix(struct rprof_writer *w, const struct rprof_memory *m)
{
    int64_t numbers[] = {m->small, m->large, m->nodes, m->duplications};
    w->prefix.n = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        buf_add(&w->prefix, STR(":"));
        emit_number(&w->prefix, numbers[i]);
    }
    buf_add(&w->prefix, STR(":"));
}

static void end_sample(struct rprof_writer *w)
{
    struct rprof_memory memory = {0};
    bool has_memory = w->source->header.memory;
    uint64_t count = rprof_weigh(w, &memory);
    w->prefix.n = 0;
    if (has_memory)
        set_prefix(w, &memory);
    add_tail(w);
    if (w->prefix.n == 0 && w->line.n == 1) {
        loss_add(LOSS_NO_STACK, STR(""), 1);
        count = 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        out_write(w->out, buf_str(&w->prefix));
        out_write(w->out, buf_str(&w->line));
        if (i == 0 && has_memory) { /* only the first line has the duplications */
            memory.duplications = 0;
            set_prefix(w, &memory);
        }
    }
    w->source = NULL;
}

/* --- the whole file --- */

static void take_sample(struct sink *to, struct sample *sample)
{
    struct rprof_writer *w = (struct rprof_writer *)to;
    struct place where = to->flow->where;
    begin_sample(w, sample);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, &sample->values[i]);
    }
    to->flow->where = where;
    for (size_t i = 0; i < sample->depth; i++) {
        add_frame(w, (size_t)sample->locations[i]);
        if (sample->location_extras != NULL)
            loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    }
    end_sample(w);
}

static void take_row(struct sink *to, struct row *row)
{
    struct rprof_writer *w = (struct rprof_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_DOTTED:
        if (str_equal(row->dotted.name, STR(".rprof_files"))) {
            read_file(w, row);
            break;
        } /* fall through */
    default: loss_add_row(row);
    }
}

/* Runs with only a header come last. A file always has a header. */
static void end_runs(struct rprof_writer *w)
{
    for (; w->headed < w->source_count; w->headed++)
        if (w->sources[w->headed].is_rprof && !w->sources[w->headed].begun)
            begin_run(w, w->headed + 1);
    if (w->run == 0 && w->source_count > 0)
        begin_run(w, 1);
    else if (w->run == 0)
        write_header(w->out, &(struct rprof_header){.interval = w->options.interval > 0
                                                                    ? w->options.interval
                                                                    : INTERVAL_DEFAULT});
}

static void free_writer(struct rprof_writer *w)
{
    void *blocks[] = {w->sources, w->functions, w->locations, w->types, w->values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    struct buf *bufs[] = {&w->scratch, &w->raw, &w->spelled, &w->tail, &w->line, &w->prefix};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    intern_free(&w->paths);
    for (struct rprof_used_style *s = w->styles; s != NULL; s = s->next)
        rprof_style_free(&s->style);
    rprof_files_free(&w->files);
    arena_free(&w->arena);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct rprof_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct rprof_write_options *)with;
}

static void close_writer(void *to)
{
    struct rprof_writer *w = to;
    end_runs(w);
    count_losses(w);
    if (w->assumes_interval)
        warn(CODE_GUESSED,
             "no interval is known: each line stands for %d microseconds" HINT
             "--interval sets this",
             INTERVAL_DEFAULT);
    free_writer(w);
}

const struct stage rprof_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct rprof_writer),
    .open = open_writer,
    .close = close_writer,
};

/* Mappings, functions and locations, and the stacks of samples.
 *
 * A pprof location is a list of lines, each inlined into the next. In rows each line is a location
 * of its own, with the next in its column `.inlined_into`. Where such rows follow each other in a
 * stack they become one location again. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_write.h"
#include "formats/pprof/profile.pb-c.h"
#include "rows/loss.h"

/* Max number of lines in all locations: far more than any program has. */
enum { LINES_MAX = 1 << 24 };

/* A number that keeps equal things apart, for --no-aggregate; else 0. */
static uint32_t next_serial(struct writer *w)
{
    return w->options.each ? ++w->serial : 0;
}

/* --- columns that only pprof has --- */

/* The message type for rows of TABLE. */
static const ProtobufCMessageDescriptor *message_of(enum table table)
{
    switch (table) {
    case TABLE_MAPPINGS: return &pprof__mapping__descriptor;
    case TABLE_FUNCTIONS: return &pprof__function__descriptor;
    default: return &pprof__location__descriptor;
    }
}

/* For a sample, or one of its labels. */
static bool keep_of_sample(struct writer *w, const struct member *m, uint32_t *other)
{
    if (m->id == MEMBER_ID_UNKNOWN)
        *other = pprof_writer_unknown(w, m->text, &pprof__label__descriptor);
    else if (m->id == MEMBER_ID_PPROF_UNKNOWN)
        *other = pprof_writer_unknown(w, m->text, &pprof__sample__descriptor);
    return m->id == MEMBER_ID_UNKNOWN || m->id == MEMBER_ID_PPROF_UNKNOWN;
}

static bool keep_own(void *user, const struct row *row, const struct member *m, uint32_t *other)
{
    struct writer *w = user;
    if (row->table == TABLE_SAMPLES)
        return keep_of_sample(w, m, other);
    if (row->table == TABLE_SOURCES)
        return pprof_writer_keep_of_source(w, row, m, other);
    switch (m->id) {
    case MEMBER_ID_UNKNOWN:
    case MEMBER_ID_PPROF_UNKNOWN:
        w->own.unknown = pprof_writer_unknown(w, m->text, message_of(row->table));
        return true;
    case MEMBER_ID_PPROF_LINE_UNKNOWN:
        w->own.line_unknown = pprof_writer_unknown(w, m->text, &pprof__line__descriptor);
        return true;
    case MEMBER_ID_PPROF_START_LINE:
    case MEMBER_ID_PPROF_LINE:
        w->own.has_number = true;
        w->own.number = m->integer;
        return true;
    case MEMBER_ID_PPROF_OUTER: w->own.is_outer = m->flag; return true;
    case MEMBER_ID_PPROF_NO_LINES: w->own.no_lines = m->flag; return true;
    case MEMBER_ID_PPROF_COPY: return true;
    default: return false;
    }
}

void pprof_writer_keep_own(struct writer *w)
{
    w->file.profile.keep = keep_own;
    w->file.profile.user = w;
}

/* --- mappings and functions --- */

void pprof_writer_mapping(struct writer *w, const struct row *row)
{
    w->own = (struct row_own){0};
    const struct profile_mapping *of =
        profile_add_mapping(&w->file.profile, row, pprof_writer_place(w));
    struct pprof_mapping m;
    memset(&m, 0, sizeof m);
    m.memory_start = of->start;
    m.memory_limit = of->limit;
    m.file_offset = of->offset;
    m.filename = of->filename;
    m.build_id = of->build_id;
    m.has_functions = of->has_functions;
    m.has_filenames = of->has_filenames;
    m.has_line_numbers = of->has_line_numbers;
    m.has_inline_frames = of->has_inline_frames;
    m.unknown = w->own.unknown;
    m.serial = next_serial(w);
    size_t id = (size_t)row->mapping.mapping_id; /* dense, in order of appearance */
    w->mappings = mem_array(w->mappings, &w->mapping_capacity, id, sizeof *w->mappings);
    w->mappings[id - 1] = pprof_add_mapping(&w->file, &m);
}

void pprof_writer_function(struct writer *w, const struct row *row)
{
    w->own = (struct row_own){0};
    const struct profile_function *of =
        profile_add_function(&w->file.profile, row, pprof_writer_place(w));
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = of->name;
    f.system_name = of->system_name; /* without a system name pprof does not demangle the name */
    f.filename = of->filename;
    f.start_line = w->own.has_number ? w->own.number : of->start_line;
    f.unknown = w->own.unknown;
    f.serial = next_serial(w);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* The function for code outside of functions in FILENAME. */
static uint32_t toplevel(struct writer *w, string_id filename)
{
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = pprof_string(&w->file, STR("<toplevel>"));
    f.filename = filename;
    return intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* --- locations --- */

/* The location of the file that begins with the row FIRST and has COUNT rows; 0: all rows of the
 * chain. */
static uint32_t location_of(struct writer *w, uint32_t first, uint32_t count, uint32_t serial)
{
    const struct profile *p = &w->file.profile;
    const struct profile_location *head = &p->locations[first - 1];
    struct pprof_location l;
    memset(&l, 0, sizeof l);
    l.address = head->address;
    if (head->mapping != 0) {
        l.mapping = w->mappings[head->mapping - 1];
        l.address -= w->file.unite != PPROF_UNITE_NOT ? p->mappings[head->mapping - 1].start : 0;
    }
    l.is_folded = head->is_folded;
    l.unknown = w->lines[first - 1].unknown;
    l.serial = serial;
    w->key.n = 0;
    buf_add(&w->key, (struct str){(char *)&l, sizeof l});
    uint32_t n = 0;
    /* rows may share the lines that they are inlined into; locations of the file may not */
    for (uint32_t row = first;
         row != 0 && w->lines[first - 1].has_line && (count == 0 || n < count); n++) {
        const struct profile_location *at = &p->locations[row - 1];
        const struct row_line *own = &w->lines[row - 1];
        struct pprof_line line = {own->function, own->line_unknown, own->line, at->column};
        buf_add(&w->key, (struct str){(char *)&line, sizeof line});
        row = w->frames[row - 1].into;
    }
    memcpy(w->key.p + offsetof(struct pprof_location, line_count), &n, sizeof n);
    bool is_new;
    uint32_t id = intern_add(&w->file.locations, buf_str(&w->key), &is_new);
    w->line_total += is_new ? n : 0;
    if (w->line_total > LINES_MAX)
        die_at(pprof_writer_place(w), "locations inlined into each other: more than %d lines",
               LINES_MAX);
    return id;
}

/* Counts data of the location ROW, at AT, that cannot be written because it has no line. */
static void count_dropped(const struct writer *w, const struct row *row,
                          const struct profile_location *at)
{
    if (at->column != 0)
        loss_add_column(row, STR(".column"));
    if (w->own.line_unknown != 0)
        loss_add_column(row, STR(".pprof_line_unknown"));
    if (w->own.number != 0)
        loss_add_column(row, STR(".pprof_line"));
}

/* The fields that W itself keeps for the location ROW, at AT. */
static struct row_line line_of(struct writer *w, const struct row *row,
                               const struct profile_location *at)
{
    struct row_line line = {.unknown = w->own.unknown, .line_unknown = w->own.line_unknown};
    if (w->own.has_number || at->line != ROW_NULL)
        line.line = w->own.has_number ? w->own.number : at->line;
    /* only an address, or code outside of any function */
    line.has_line = at->function != 0 || at->line != ROW_NULL || at->filename != 0 ||
                    !(at->address != 0 || at->mapping != 0 || w->own.no_lines);
    if (!line.has_line)
        count_dropped(w, row, at);
    if (at->function != 0)
        line.function = w->functions[at->function - 1];
    else if (line.has_line)
        line.function = toplevel(w, at->filename);
    return line;
}

/* Whether row A can be in the same location of the file as the row INTO that it is inlined into. */
static bool same_place(const struct writer *w, const struct profile_location *a, uint32_t into)
{
    const struct profile_location *b = &w->file.profile.locations[into - 1];
    return a->address == b->address && a->mapping == b->mapping && a->is_folded == b->is_folded &&
           w->lines[into - 1].has_line;
}

void pprof_writer_location(struct writer *w, const struct row *row)
{
    size_t id = (size_t)row->location.location_id;
    w->own = (struct row_own){0};
    const struct profile_location *at =
        profile_add_location(&w->file.profile, row, pprof_writer_place(w));
    w->frames = mem_array(w->frames, &w->frame_capacity, id, sizeof *w->frames);
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    struct row_line *line = &w->lines[id - 1];
    *line = line_of(w, row, at);
    struct row_frame *frame = &w->frames[id - 1];
    frame->into = at->into != 0 && line->has_line && same_place(w, at, at->into) ? at->into : 0;
    if (frame->into != at->into)
        loss_add_column(row, STR(".inlined_into"));
    frame->location = w->own.is_outer ? 0 : location_of(w, (uint32_t)id, 0, next_serial(w));
}

/* --- stacks --- */

/* Sets w->stack to the locations of the rows IDS. Returns false in the rare case that one is not
 * made yet or is cut; make_stack then handles the stack. Which rows begin a location cannot be
 * predicted, so only the count in the loop depends on it. */
static bool find_stack(struct writer *w, const int64_t *ids, size_t depth)
{
    const struct row_frame *frames = w->frames;
    uint32_t *stack = w->stack;
    uint32_t into = 0; /* the row that the last one is inlined into; 0: none */
    bool is_cut = false, is_new = false;
    size_t count = 0;
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[i];
        struct row_frame frame = frames[id - 1];
        bool begins = id != into;
        is_cut |= begins & (into != 0);
        is_new |= begins & (frame.location == 0);
        /* overwritten by the next, unless this row begins a location */
        stack[count] = frame.location;
        count += begins;
        into = frame.into;
    }
    w->depth = count;
    return !is_cut && !is_new && into == 0;
}

/* The same, making new locations. If the last one is cut, it contains only the rows that are in the
 * stack. */
static void make_stack(struct writer *w, const int64_t *ids, size_t depth)
{
    uint32_t into = 0;
    size_t count = 0, last = 0; /* number of locations so far; start of the last one */
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[i];
        if (id != into) {
            if (into != 0)
                w->stack[count - 1] = location_of(w, (uint32_t)ids[last], (uint32_t)(i - last), 0);
            if (w->frames[id - 1].location == 0)
                w->frames[id - 1].location = location_of(w, id, 0, 0);
            w->stack[count++] = w->frames[id - 1].location;
            last = i;
        }
        into = w->frames[id - 1].into;
    }
    if (into != 0)
        w->stack[count - 1] = location_of(w, (uint32_t)ids[last], (uint32_t)(depth - last), 0);
    w->depth = count;
}

void pprof_writer_stack(struct writer *w, const int64_t *ids, size_t depth)
{
    w->stack = mem_array(w->stack, &w->stack_capacity, depth + 1, sizeof *w->stack);
    if (!find_stack(w, ids, depth))
        make_stack(w, ids, depth);
}

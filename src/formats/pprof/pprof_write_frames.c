/* Mappings, functions and locations, and the stacks of samples.
 *
 * A location of pprof is a list of lines, each inlined into the next.  In rows each line is a
 * location of its own that says which one it is `.inlined_into`.  Where a stack has such rows one
 * behind the other they are folded back. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_write.h"
#include "formats/pprof/profile.pb-c.h"
#include "rows/loss.h"

/* A location row. */
struct frame_line {
    uint64_t address;
    uint32_t mapping;  /* its row; 0: none */
    uint32_t function; /* of the file; 0: none */
    int64_t line, column;
    bool has_line, is_folded;
    unknown_id unknown, line_unknown; /* of the location, if it begins here, and of the line */
};

struct row_mapping {
    uint32_t number; /* in the file */
    uint64_t start;
};

/* All lines of all locations together: far beyond what a program has. */
enum { LINES_MAX = 1 << 24 };

/* Where --no-aggregate keeps what stands in the file apart, a number that makes a thing differ from
 * its equals. */
static uint32_t next_serial(struct writer *w)
{
    return w->options.each ? ++w->serial : 0;
}

void pprof_writer_mapping(struct writer *w, const struct row *row)
{
    struct members walk = members_of(row, pprof_writer_place(w), NULL);
    struct member x;
    struct pprof_mapping m;
    memset(&m, 0, sizeof m);
    while (members_next(&walk, &x))
        switch (x.id) {
        case MEMBER_ID_MEMORY_START: m.memory_start = x.address; break;
        case MEMBER_ID_MEMORY_LIMIT: m.memory_limit = x.address; break;
        case MEMBER_ID_FILE_OFFSET: m.file_offset = x.address; break;
        case MEMBER_ID_MAPPED_FILE: m.filename = pprof_writer_inner_string(w, &x); break;
        case MEMBER_ID_BUILD_ID: m.build_id = pprof_writer_inner_string(w, &x); break;
        case MEMBER_ID_HAS_FUNCTIONS: m.has_functions = x.flag; break;
        case MEMBER_ID_HAS_FILENAMES: m.has_filenames = x.flag; break;
        case MEMBER_ID_HAS_LINE_NUMBERS: m.has_line_numbers = x.flag; break;
        case MEMBER_ID_HAS_INLINE_FRAMES: m.has_inline_frames = x.flag; break;
        case MEMBER_ID_UNKNOWN:
            m.unknown = pprof_writer_unknown(w, x.text, &pprof__mapping__descriptor);
            break;
        case MEMBER_ID_PPROF_COPY: break;
        default: loss_add_column(row, x.name);
        }
    m.serial = next_serial(w);
    size_t id = (size_t)row->mapping.mapping_id; /* dense, in order of appearance */
    w->mappings = mem_array(w->mappings, &w->mapping_capacity, id, sizeof *w->mappings);
    w->mappings[id - 1] = (struct row_mapping){pprof_add_mapping(&w->file, &m), m.memory_start};
}

void pprof_writer_function(struct writer *w, const struct row *row)
{
    struct members walk = members_of(row, pprof_writer_place(w), NULL);
    struct member m;
    struct pprof_function f;
    struct str bytes = {NULL, 0};
    bool unmangled = false, no_name = false;
    memset(&f, 0, sizeof f);
    f.start_line = row->function.start_line;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_UNMANGLED: unmangled = m.flag; break;
        case MEMBER_ID_NO_NAME: no_name = m.flag; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        case MEMBER_ID_PPROF_START_LINE: f.start_line = m.integer; break;
        case MEMBER_ID_PPROF_UNKNOWN:
            f.unknown = pprof_writer_unknown(w, m.text, &pprof__function__descriptor);
            break;
        case MEMBER_ID_PPROF_COPY: break;
        default: loss_add_column(row, m.name);
        }
    /* Where the system name is left out pprof shows the name as it stands, without demangling. */
    if (!no_name)
        f.name = pprof_writer_string(w, STR("name"), row->function.name, bytes);
    if (!unmangled)
        f.system_name =
            pprof_writer_string(w, STR("system_name"), row->function.system_name, bytes);
    f.filename = pprof_writer_string(w, STR("filename"), row->function.filename, bytes);
    f.serial = next_serial(w);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* The function that stands for code outside of any, in FILENAME. */
static uint32_t toplevel(struct writer *w, string_id filename)
{
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = pprof_string(&w->file, STR("<toplevel>"));
    f.filename = filename;
    return intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* --- locations --- */

/* The location of the file that begins with the row FIRST and has COUNT rows, or as many as there
 * are (0). */
static uint32_t location_of(struct writer *w, uint32_t first, uint32_t count, uint32_t serial)
{
    const struct frame_line *head = &w->lines[first - 1];
    struct pprof_location l;
    memset(&l, 0, sizeof l);
    l.address = head->address;
    if (head->mapping != 0) {
        const struct row_mapping *mapping = &w->mappings[head->mapping - 1];
        l.mapping = mapping->number;
        l.address -= w->file.unite != PPROF_UNITE_NOT ? mapping->start : 0;
    }
    l.is_folded = head->is_folded;
    l.unknown = head->unknown;
    l.serial = serial;
    w->key.n = 0;
    buf_add(&w->key, (struct str){(char *)&l, sizeof l});
    uint32_t n = 0;
    /* rows may share the lines that they are inlined into; locations of the file do not */
    for (uint32_t row = first; row != 0 && head->has_line && (count == 0 || n < count); n++) {
        const struct frame_line *at = &w->lines[row - 1];
        struct pprof_line line = {at->function, at->line_unknown, at->line, at->column};
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

/* What the dotted columns of a location row say, beyond its struct frame_line. */
struct location_columns {
    struct str filename, bytes;
    int64_t into;
    bool is_outer, no_lines;
};

static void read_columns(struct writer *w, const struct row *row, struct frame_line *at,
                         struct location_columns *c)
{
    struct members walk = members_of(row, pprof_writer_place(w), NULL);
    struct member m;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_FILENAME: c->filename = m.text; break;
        case MEMBER_ID_BYTES:
            c->bytes = m.value;
            loss_add_bytes(row, m.value);
            break;
        case MEMBER_ID_MAPPING:
            at->mapping = m.integer == ROW_NULL ? 0 : (uint32_t)m.integer;
            break;
        case MEMBER_ID_INLINED_INTO: c->into = m.integer == ROW_NULL ? 0 : m.integer; break;
        case MEMBER_ID_ADDRESS: at->address = m.address; break;
        case MEMBER_ID_IS_FOLDED: at->is_folded = m.flag; break;
        case MEMBER_ID_PPROF_UNKNOWN:
            at->unknown = pprof_writer_unknown(w, m.text, &pprof__location__descriptor);
            break;
        case MEMBER_ID_PPROF_LINE_UNKNOWN:
            at->line_unknown = pprof_writer_unknown(w, m.text, &pprof__line__descriptor);
            break;
        case MEMBER_ID_PPROF_OUTER: c->is_outer = m.flag; break;
        case MEMBER_ID_PPROF_NO_LINES: c->no_lines = m.flag; break;
        case MEMBER_ID_COLUMN: at->column = m.integer; break;
        case MEMBER_ID_PPROF_LINE: at->line = m.integer; break;
        case MEMBER_ID_PPROF_COPY: break;
        default: loss_add_column(row, m.name);
        }
}

/* Counts what was read of a location that has no place in the file. */
static void count_lost(const struct row *row, const struct frame_line *at,
                       const struct location_columns *c)
{
    if (!at->has_line && at->column != 0)
        loss_add_column(row, STR(".column"));
    if (!at->has_line && at->line_unknown != 0)
        loss_add_column(row, STR(".pprof_line_unknown"));
    if (!at->has_line && at->line != 0)
        loss_add_column(row, STR(".pprof_line"));
    if (row->location.function_id != ROW_NULL && c->filename.n > 0)
        loss_add_column(row, STR(".filename"));
}

/* Whether a line at A that is inlined into one at B can share a location of the file with it. */
static bool same_place(const struct frame_line *a, const struct frame_line *b)
{
    return a->address == b->address && a->mapping == b->mapping && a->is_folded == b->is_folded &&
           b->has_line;
}

void pprof_writer_location(struct writer *w, const struct row *row)
{
    size_t id = (size_t)row->location.location_id;
    w->frames = mem_array(w->frames, &w->frame_capacity, id, sizeof *w->frames);
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    struct frame_line *at = &w->lines[id - 1];
    *at = (struct frame_line){.line = row->location.line == ROW_NULL ? 0 : row->location.line};
    struct location_columns columns = {.filename = STR("")};
    read_columns(w, row, at, &columns);
    /* a place in memory of which nothing else is known, or code outside of any function */
    at->has_line = row->location.function_id != ROW_NULL || row->location.line != ROW_NULL ||
                   columns.filename.n > 0 ||
                   !(at->address != 0 || at->mapping != 0 || columns.no_lines);
    count_lost(row, at, &columns);
    if (row->location.function_id != ROW_NULL)
        at->function = w->functions[row->location.function_id - 1];
    else if (at->has_line)
        at->function =
            toplevel(w, pprof_writer_string(w, STR(".filename"), columns.filename, columns.bytes));
    uint32_t into = (uint32_t)columns.into;
    struct row_frame *frame = &w->frames[id - 1];
    frame->into = into != 0 && at->has_line && same_place(at, &w->lines[into - 1]) ? into : 0;
    if (frame->into != into)
        loss_add_column(row, STR(".inlined_into"));
    frame->location = columns.is_outer ? 0 : location_of(w, (uint32_t)id, 0, next_serial(w));
}

/* --- stacks --- */

/* A location of the file that begins with the row ID, whose location has not been needed before. */
static uint32_t make_location(struct writer *w, uint32_t id)
{
    return w->frames[id - 1].location = location_of(w, id, 0, 0);
}

void pprof_writer_stack(struct writer *w, const int64_t *ids, size_t depth)
{
    w->stack = mem_array(w->stack, &w->stack_capacity, depth + 1, sizeof *w->stack);
    const struct row_frame *frames = w->frames;
    uint32_t *stack = w->stack;
    uint32_t into = 0;          /* the row that the last one is inlined into, 0: none */
    size_t count = 0, last = 0; /* locations so far; where the last one begins */
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[i], location = frames[id - 1].location;
        bool begins = id != into;
        /* of the last location only the rows that came are part: those outside of them did not */
        if (__builtin_expect(begins & (into != 0), 0))
            stack[count - 1] = location_of(w, (uint32_t)ids[last], (uint32_t)(i - last), 0);
        if (__builtin_expect(begins & (location == 0), 0))
            location = make_location(w, id);
        stack[count] = location; /* overwritten by the next, unless this one begins */
        count += begins;
        last = begins ? i : last;
        into = frames[id - 1].into;
    }
    if (into != 0)
        stack[count - 1] = location_of(w, (uint32_t)ids[last], (uint32_t)(depth - last), 0);
    w->depth = count;
}

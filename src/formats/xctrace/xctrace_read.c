/* Tables that xctrace exports, to rows. An element may have an id, by which later ones that are the
 * same refer to it: so all with an id are kept. */
#include "base/arena.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "formats/xctrace/xctrace.h"
#include "formats/xctrace/xctrace_xml.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* The elements that are known, in rows and inside of those. */
enum element_kind {
    OTHER,
    SENTINEL, /* stands for what is missing */
    SAMPLE_TIME,
    WEIGHT,
    CYCLE_WEIGHT,
    THREAD,
    PROCESS,
    CORE,
    THREAD_STATE,
    BACKTRACE,
    TAGGED_BACKTRACE,
    KPERF_BT,
    TID,
    PID,
    FRAME,
    BINARY,
    SOURCE,
    PATH,
    TEXT_ADDRESS,
    TEXT_ADDRESSES,
    KINDS
};

static const struct str kinds[KINDS] = {[SENTINEL] = STR("sentinel"),
                                        [SAMPLE_TIME] = STR("sample-time"),
                                        [WEIGHT] = STR("weight"),
                                        [CYCLE_WEIGHT] = STR("cycle-weight"),
                                        [THREAD] = STR("thread"),
                                        [PROCESS] = STR("process"),
                                        [CORE] = STR("core"),
                                        [THREAD_STATE] = STR("thread-state"),
                                        [BACKTRACE] = STR("backtrace"),
                                        [TAGGED_BACKTRACE] = STR("tagged-backtrace"),
                                        [KPERF_BT] = STR("kperf-bt"),
                                        [TID] = STR("tid"),
                                        [PID] = STR("pid"),
                                        [FRAME] = STR("frame"),
                                        [BINARY] = STR("binary"),
                                        [SOURCE] = STR("source"),
                                        [PATH] = STR("path"),
                                        [TEXT_ADDRESS] = STR("text-address"),
                                        [TEXT_ADDRESSES] = STR("text-addresses")};

/* An element in a row. Numbers of elements and links count from 1; 0 is none. */
struct element {
    struct str name, attributes, text; /* as in the file */
    uint64_t line;
    uint32_t first, last; /* links to the elements inside */
    uint32_t made;        /* the number of what was made of it */
    uint32_t process;     /* the first such element inside */
    int64_t number;       /* its text, or the line of a source; -1: not read so far */
    enum element_kind kind;
};

struct link {
    uint32_t element, next;
};

/* An element whose end has not come. */
struct level {
    struct str name;
    uint32_t element; /* 0: it is not in a row */
};

struct stack {
    size_t first, depth; /* in r->frames */
};

struct reader {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct xml xml;
    struct level *levels;
    size_t level_count, level_capacity;
    struct element *elements;
    size_t element_count, element_capacity;
    struct link *links;
    size_t link_count, link_capacity;
    struct idmap ids; /* plus 1 */
    uint32_t *cells;  /* the elements of the row */
    size_t cell_count, cell_capacity;
    struct stack *stacks;
    size_t stack_count, stack_capacity;
    int64_t *frames;
    size_t frame_count, frame_capacity;
    int64_t *copy; /* of a stack, which who takes the sample may change */
    size_t copy_capacity;
    struct str *texts; /* labels */
    size_t text_count, text_capacity;
    struct intern files, functions, mappings, locations;
    struct arena arena;
    struct bytes_rows rows;
    struct buf facts, extra, scratch, text, other, key;
    uint32_t samples_type, cpu_type, cycles_type;
    int64_t source_id, sample_id;
    bool has_source, has_schema, is_in_row, has_row;
    uint64_t row_line;
};

static struct place place_of(const struct reader *r, uint64_t line)
{
    return (struct place){in_name(r->in), PLACE_LINE, line};
}

/* --- elements --- */

static enum element_kind kind_of(struct str name)
{
    for (enum element_kind i = SENTINEL; i < KINDS; i++)
        if (str_equal(kinds[i], name))
            return i;
    return OTHER;
}

static struct element *element_at(const struct reader *r, uint32_t number)
{
    return &r->elements[number - 1];
}

/* The digits of TEXT as a number; false if there are others, or it is MAX or more. */
static bool read_number(struct str text, unsigned base, uint64_t max, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char lower = (char)(text.p[i] | 0x20);
        const unsigned digit = str_is_digit(text.p[i])        ? (unsigned)(text.p[i] - '0')
                               : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10
                                                              : 16;
        if (digit >= base || *number > (max - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return text.n > 0;
}

/* The number in the attribute NAME of the element that has just begun; false if it has none. */
static bool number_in(struct reader *r, struct str name, uint64_t *number)
{
    const struct str text = xml_attribute(r->xml.attributes, name);
    if (text.p != NULL && !read_number(text, 10, UINT64_MAX - 1, number))
        text_die(r->xml.where, r->xml.name,
                 str_equal(name, STR("id")) ? "a number as id" : "a number as ref", text);
    return text.p != NULL;
}

/* Puts the element NUMBER, which is complete, into the one around it, or into the row. */
static void attach(struct reader *r, uint32_t number)
{
    const uint32_t around = r->levels[r->level_count - 1].element;
    if (around == 0) {
        r->cells = mem_array(r->cells, &r->cell_capacity, r->cell_count + 1, sizeof *r->cells);
        r->cells[r->cell_count++] = number;
        return;
    }
    r->links = mem_array(r->links, &r->link_capacity, r->link_count + 1, sizeof *r->links);
    r->links[r->link_count++] = (struct link){number, 0};
    struct element *to = element_at(r, around);
    if (to->process == 0 && element_at(r, number)->kind == PROCESS)
        to->process = number;
    if (to->last == 0)
        to->first = (uint32_t)r->link_count;
    else
        r->links[to->last - 1].next = (uint32_t)r->link_count;
    to->last = (uint32_t)r->link_count;
}

/* Ends the element NUMBER. Only now can others refer to it: so none is inside of itself. */
static void finish(struct reader *r, uint32_t number)
{
    const struct element *e = element_at(r, number);
    const struct str id = xml_attribute(e->attributes, STR("id"));
    uint64_t key;
    if (id.p != NULL && read_number(id, 10, UINT64_MAX - 1, &key)) {
        if (idmap_get(&r->ids, key + 1) != 0)
            die_at(place_of(r, e->line), "id %" PRIu64 " stands there twice", key);
        idmap_put(&r->ids, key + 1, number);
    }
    attach(r, number);
}

/* Begins an element in a row; returns its number, or 0 for one that was a reference. */
static uint32_t begin(struct reader *r, bool is_empty)
{
    uint64_t id;
    if (number_in(r, STR("ref"), &id)) {
        const uint32_t number = idmap_get(&r->ids, id + 1);
        if (number == 0)
            die_at(r->xml.where, "%s: no element before has the id %" PRIu64,
                   text_shown(r->xml.name), id);
        if (!str_equal(element_at(r, number)->name, r->xml.name))
            die_at(r->xml.where, "%s: the element with the id %" PRIu64 " is a %s",
                   text_shown(r->xml.name), id, text_shown(element_at(r, number)->name));
        if (!is_empty)
            die_at(r->xml.where, "%s: expected nothing inside of a reference",
                   text_shown(r->xml.name));
        attach(r, number);
        return 0;
    }
    number_in(r, STR("id"), &id);
    r->elements =
        mem_array(r->elements, &r->element_capacity, r->element_count + 1, sizeof *r->elements);
    r->elements[r->element_count++] = (struct element){.name = r->xml.name,
                                                       .attributes = r->xml.attributes,
                                                       .text = STR(""),
                                                       .line = r->xml.where.at,
                                                       .number = -1,
                                                       .kind = kind_of(r->xml.name)};
    return (uint32_t)r->element_count;
}

/* --- what an element says --- */

/* The first element of KIND inside of E; NULL: none. */
static struct element *inside(const struct reader *r, const struct element *e,
                              enum element_kind kind)
{
    for (uint32_t l = e->first; l != 0; l = r->links[l - 1].next)
        if (element_at(r, r->links[l - 1].element)->kind == kind)
            return element_at(r, r->links[l - 1].element);
    return NULL;
}

/* TEXT of the file with characters for its entities, until the next call. */
static struct str unescaped(struct reader *r, struct str text)
{
    r->text.n = 0;
    xml_unescape(&r->text, text);
    return buf_str(&r->text);
}

static struct str attribute(struct reader *r, const struct element *e, const char *name)
{
    return unescaped(r, xml_attribute(e->attributes, str_of(name)));
}

/* The number that is the text of E. It is kept, as all that is made of an element: many may refer to
 * it, and it may be long. */
static int64_t integer_of(const struct reader *r, struct element *e)
{
    uint64_t number;
    if (e->number >= 0)
        return e->number;
    if (!read_number(str_trim(e->text), 10, INT64_MAX, &number))
        text_die(place_of(r, e->line), e->name, "an integer from 0", e->text);
    e->number = (int64_t)number;
    return e->number;
}

/* The address TEXT, of an element E; 0 where it is missing. */
static uint64_t address_of(const struct reader *r, const struct element *e, struct str text)
{
    uint64_t number = 0;
    if (text.n > 0 && !(str_take(&text, STR("0x")) && read_number(text, 16, UINT64_MAX, &number)))
        text_die(place_of(r, e->line), e->name, "an address, as 0x1f", text);
    return number;
}

/* Counts an element called NAME, bytes, as lost. */
static void lose_element(struct reader *r, struct str name)
{
    r->text.n = 0;
    text_escape(&r->text, name);
    loss_add(LOSS_XCTRACE_ELEMENTS, buf_str(&r->text), 1);
}

/* --- labels --- */

static void add_key(struct reader *r, struct buf *to, struct str key)
{
    buf_add(to, STR(",{\"key\":"));
    emit_inner_string(to, &r->scratch, key);
}

static void add_text(struct reader *r, struct buf *to, struct str key, struct str text)
{
    if (text.n == 0)
        return;
    add_key(r, to, key);
    buf_add(to, STR(",\"str\":"));
    emit_inner_string(to, &r->scratch, text);
    buf_add(to, STR("}"));
}

static void add_number(struct reader *r, struct buf *to, struct str key, struct element *e)
{
    if (e == NULL)
        return;
    add_key(r, to, key);
    buf_add(to, STR(",\"num\":"));
    emit_number(to, integer_of(r, e));
    buf_add(to, STR("}"));
}

/* TEXT up to the last TAIL in it, which people see behind a name, without blanks at its end. */
static struct str without(struct str text, struct str tail)
{
    for (size_t i = text.n; i-- > 0;)
        if (str_starts((struct str){text.p + i, text.n - i}, tail))
            return str_trim((struct str){text.p, i});
    return text;
}

/* The labels of E, of any kind but times, weights and stacks, each behind a comma. */
static struct str labels_of(struct reader *r, struct element *e)
{
    struct str text;
    if (e->made != 0)
        return r->texts[e->made - 1];
    r->other.n = 0;
    switch (e->kind) {
    case THREAD:
        /* "name 0x1f (process, pid: 7)" */
        add_text(r, &r->other, STR("thread"), without(attribute(r, e, "fmt"), STR(" 0x")));
        add_number(r, &r->other, STR("tid"), inside(r, e, TID));
        break;
    case PROCESS: /* "name (7)" */
        add_text(r, &r->other, STR("process"), without(attribute(r, e, "fmt"), STR(" (")));
        add_number(r, &r->other, STR("pid"), inside(r, e, PID));
        break;
    case CORE: add_number(r, &r->other, STR("cpu"), e); break;
    case THREAD_STATE: add_text(r, &r->other, STR("state"), unescaped(r, e->text)); break;
    default:
        text = unescaped(r, e->text);
        add_text(r, &r->other, e->name, text.n > 0 ? text : attribute(r, e, "fmt"));
    }
    for (uint32_t l = e->first; l != 0; l = r->links[l - 1].next) {
        const struct element *part = element_at(r, r->links[l - 1].element);
        if (part->kind != TID && part->kind != PID && part->kind != PROCESS)
            lose_element(r, part->name);
    }
    r->texts = mem_array(r->texts, &r->text_capacity, r->text_count + 1, sizeof *r->texts);
    r->texts[r->text_count++] = arena_copy(&r->arena, buf_str(&r->other));
    e->made = (uint32_t)r->text_count;
    return r->texts[e->made - 1];
}

/* --- functions, mappings, locations --- */

static uint32_t mapping_of(struct reader *r, struct element *e)
{
    bool is_new;
    if (e == NULL || e->made != 0)
        return e == NULL ? 0 : e->made;
    r->extra.n = 0;
    const uint64_t start = address_of(r, e, attribute(r, e, "load-addr"));
    if (start != 0) {
        buf_add(&r->extra, STR(",\"memory_start\":\""));
        emit_address(&r->extra, start);
        buf_add(&r->extra, STR("\""));
    }
    struct str path = attribute(r, e, "path");
    if (path.n == 0)
        path = attribute(r, e, "name");
    emit_member(&r->extra, STR("filename"));
    emit_inner_string(&r->extra, &r->scratch, path);
    const struct str id = attribute(r, e, "UUID");
    if (id.n > 0) {
        emit_member(&r->extra, STR("build_id"));
        emit_inner_string(&r->extra, &r->scratch, id);
    }
    const struct str arch = attribute(r, e, "arch");
    if (arch.n > 0) {
        emit_member(&r->extra, STR(".xctrace_arch"));
        emit_inner_string(&r->extra, &r->scratch, arch);
    }
    e->made = intern_add(&r->mappings, buf_str(&r->extra), &is_new);
    if (is_new)
        sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                        .mapping = {e->made},
                                        .extra = buf_str(&r->extra)});
    return e->made;
}

/* The number in r->files of E, a path. */
static uint32_t file_of(struct reader *r, struct element *e)
{
    if (e->made == 0)
        e->made = intern_add(&r->files, unescaped(r, e->text), NULL);
    return e->made;
}

/* Reads E, the source of a function: its line, and its file, which is made of it. */
static void read_source(struct reader *r, struct element *e)
{
    uint64_t line = 0;
    if (e->made != 0)
        return;
    struct element *path = inside(r, e, PATH);
    const struct str text = xml_attribute(e->attributes, STR("line"));
    if (text.p != NULL && !read_number(text, 10, INT64_MAX, &line))
        die_at(place_of(r, e->line), "source: expected an integer from 0 as line, found \"%s\"",
               text_shown(text));
    e->number = (int64_t)line;
    e->made = path != NULL ? file_of(r, path) : intern_add(&r->files, STR(""), NULL);
}

/* The function NAME of FILE, a number in r->files; 0: unknown. */
static uint32_t function_of(struct reader *r, struct str name, uint32_t file)
{
    const struct str path = file == 0 ? STR("") : intern_get(&r->files, file);
    bool is_new;
    file = path.n == 0 ? 0 : file;
    r->key.n = 0;
    buf_add(&r->key, (struct str){(const char *)&file, sizeof file});
    buf_add(&r->key, name);
    const uint32_t id = intern_add(&r->functions, buf_str(&r->key), &is_new);
    if (is_new)
        bytes_rows_function(&r->rows, r->sink, id, name, path, 0, STR(""));
    return id;
}

/* What a location is, without gaps: a key. */
struct spot {
    uint64_t address;
    int64_t line;
    uint32_t function, mapping; /* 0: none */
};

static uint32_t push_spot(struct reader *r, const struct spot *spot)
{
    bool is_new;
    const uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)spot, sizeof *spot}, &is_new);
    const bool has_function = spot->function != 0;
    if (is_new)
        sink_row(r->sink,
                 &(struct row){.table = TABLE_LOCATIONS,
                               .location = {id, has_function ? spot->function : ROW_NULL,
                                            has_function ? spot->line : ROW_NULL},
                               .site = {.mapping_id = spot->mapping, .address = spot->address}});
    return id;
}

/* The location of the frame E. One whose name is its address has no function. */
static uint32_t location_of(struct reader *r, struct element *e)
{
    if (e->made != 0)
        return e->made;
    struct spot spot = {.mapping = mapping_of(r, inside(r, e, BINARY))};
    const struct str addr = xml_attribute(e->attributes, STR("addr"));
    const struct str raw = xml_attribute(e->attributes, STR("name"));
    spot.address = address_of(r, e, addr);
    if (!str_equal(addr, raw)) {
        struct element *source = inside(r, e, SOURCE);
        if (source != NULL) {
            read_source(r, source);
            spot.line = source->number;
        }
        spot.function = function_of(r, unescaped(r, raw), source == NULL ? 0 : source->made);
    }
    e->made = push_spot(r, &spot);
    return e->made;
}

/* --- stacks --- */

static void add_frame(struct reader *r, const struct element *e, size_t first, uint32_t location)
{
    growth_check_depth(r->frame_count + 1 - first, place_of(r, e->line));
    r->frames = mem_array(r->frames, &r->frame_capacity, r->frame_count + 1, sizeof *r->frames);
    r->frames[r->frame_count++] = location;
}

/* Makes E a stack, of the frames from FIRST on. */
static struct stack keep_stack(struct reader *r, struct element *e, size_t first)
{
    r->stacks = mem_array(r->stacks, &r->stack_capacity, r->stack_count + 1, sizeof *r->stacks);
    r->stacks[r->stack_count++] = (struct stack){first, r->frame_count - first};
    e->made = (uint32_t)r->stack_count;
    return r->stacks[e->made - 1];
}

/* The stack that E is, addresses in decimal with blanks between; 0 is none. */
static struct stack addresses_of(struct reader *r, struct element *e)
{
    const char *p = e->text.p, *end = p + e->text.n;
    const size_t first = r->frame_count;
    if (e->made != 0)
        return r->stacks[e->made - 1];
    while (p < end) {
        const char *start = p;
        uint64_t address;
        while (p < end && !str_is_blank(*p) && *p != '\n')
            p++;
        if (p == start) {
            p++;
            continue;
        }
        if (!read_number((struct str){start, (size_t)(p - start)}, 10, UINT64_MAX, &address))
            text_die(place_of(r, e->line), e->name, "addresses, decimal", e->text);
        if (address != 0)
            add_frame(r, e, first, push_spot(r, &(struct spot){.address = address}));
    }
    return keep_stack(r, e, first);
}

/* Adds the frames of STACK, which the element E is. A reference to them is short. */
static void add_stack(struct reader *r, const struct element *e, size_t first, struct stack stack)
{
    growth_hold(r->sink->flow, stack.depth * sizeof *r->frames);
    for (size_t i = 0; i < stack.depth; i++)
        add_frame(r, e, first, (uint32_t)r->frames[stack.first + i]);
}

/* The stack of E, the parts of a backtrace. That of the kernel's sampler has the innermost address
 * apart from the callers', which several stacks share. */
static struct stack frames_of(struct reader *r, struct element *e)
{
    if (e->made != 0)
        return r->stacks[e->made - 1];
    struct element *inner = e->kind == KPERF_BT ? inside(r, e, TEXT_ADDRESS) : NULL;
    if (inner != NULL)
        addresses_of(r, inner);
    for (uint32_t l = e->first; l != 0; l = r->links[l - 1].next)
        if (element_at(r, r->links[l - 1].element)->kind == TEXT_ADDRESSES)
            addresses_of(r, element_at(r, r->links[l - 1].element));
    const size_t first = r->frame_count; /* behind those of the parts */
    if (inner != NULL)
        add_stack(r, inner, first, addresses_of(r, inner));
    for (uint32_t l = e->first; l != 0; l = r->links[l - 1].next) {
        struct element *part = element_at(r, r->links[l - 1].element);
        if (part->kind == FRAME)
            add_frame(r, part, first, location_of(r, part));
        else if (part->kind == TEXT_ADDRESSES)
            add_stack(r, part, first, addresses_of(r, part));
        else if (part->kind != TEXT_ADDRESS && part->kind != PROCESS)
            lose_element(r, part->name);
    }
    return keep_stack(r, e, first);
}

/* The stack of E, which may be inside of it. */
static struct stack stack_of(struct reader *r, struct element *e)
{
    struct element *inner;
    if (e->made == 0 && e->kind == TAGGED_BACKTRACE && (inner = inside(r, e, BACKTRACE)) != NULL) {
        frames_of(r, inner);
        e->made = inner->made;
    }
    return frames_of(r, e);
}

/* --- rows --- */

/* The cell of KIND in the row; NULL: none. */
static struct element *cell(const struct reader *r, enum element_kind kind)
{
    for (size_t i = 0; i < r->cell_count; i++)
        if (element_at(r, r->cells[i])->kind == kind)
            return element_at(r, r->cells[i]);
    return NULL;
}

static void push_source(struct reader *r)
{
    r->has_source = true;
    r->extra.n = 0;
    listed_begin(&r->extra);
    listed_add(&r->extra, STR("samples"), STR("count"), LISTED_SUM);
    if (cell(r, CYCLE_WEIGHT) != NULL)
        listed_add(&r->extra, STR("cycles"), STR("count"), LISTED_SUM);
    if (cell(r, WEIGHT) != NULL)
        listed_add(&r->extra, STR("cpu"), STR("nanoseconds"), LISTED_SUM);
    listed_end(&r->extra);
    emit_object(&r->extra, STR(".xctrace"), buf_str(&r->facts));
    bytes_rows_source(&r->rows, r->sink, ++r->source_id, STR("xctrace"),
                      format_source_uri(r->request, r->in), r->request->timestamp, &r->extra);
}

/* The columns of the sample: its time, and its labels in the order of their cells. */
static struct str columns_of(struct reader *r, struct buf *columns, struct buf *labels)
{
    struct element *time = cell(r, SAMPLE_TIME);
    const struct element *thread = cell(r, THREAD);
    for (size_t i = 0; i < r->cell_count; i++) {
        struct element *e = element_at(r, r->cells[i]);
        if (e->kind == OTHER || (e->kind >= THREAD && e->kind <= THREAD_STATE))
            buf_add(labels, labels_of(r, e));
        else if (e->kind > KPERF_BT)
            lose_element(r, e->name);
    }
    if (cell(r, PROCESS) == NULL && thread != NULL && thread->process != 0)
        buf_add(labels, labels_of(r, element_at(r, thread->process)));
    if (time != NULL) {
        buf_add(columns, STR(",\".time\":"));
        emit_number(columns, integer_of(r, time));
    }
    if (labels->n > 0) {
        buf_add(columns, STR(",\".labels\":["));
        buf_add(columns, (struct str){labels->p + 1, labels->n - 1}); /* without a comma */
        buf_add(columns, STR("]"));
    }
    return buf_str(columns);
}

static void push_row(struct reader *r)
{
    static const enum element_kind with_stack[] = {BACKTRACE, TAGGED_BACKTRACE, KPERF_BT};
    struct element *from = NULL, *weight = cell(r, WEIGHT), *cycles = cell(r, CYCLE_WEIGHT);
    struct sample_value values[3];
    struct stack stack = {0, 0};
    struct buf columns = {0}, labels = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof with_stack / sizeof *with_stack && from == NULL; i++)
        from = cell(r, with_stack[i]);
    if (from == NULL && weight == NULL && cycles == NULL && cell(r, SAMPLE_TIME) == NULL) {
        loss_add(LOSS_XCTRACE_ROWS, STR(""), 1);
        return;
    }
    r->sink->flow->where = place_of(r, r->row_line);
    if (!r->has_source)
        push_source(r);
    if (from != NULL)
        stack = stack_of(r, from);
    values[count++] = (struct sample_value){r->samples_type, number_of(1), STR("")};
    if (cycles != NULL)
        values[count++] =
            (struct sample_value){r->cycles_type, number_of(integer_of(r, cycles)), STR("")};
    if (weight != NULL)
        values[count++] =
            (struct sample_value){r->cpu_type, number_of(integer_of(r, weight)), STR("")};
    r->copy = mem_array(r->copy, &r->copy_capacity, stack.depth + 1, sizeof *r->copy);
    if (stack.depth > 0)
        memcpy(r->copy, r->frames + stack.first, stack.depth * sizeof *r->copy);
    const struct str extra = columns_of(r, &columns, &labels);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = r->source_id,
                                          .extra = extra,
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->copy,
                                          .depth = stack.depth});
    buf_free(&columns);
    buf_free(&labels);
}

/* --- the file --- */

/* The levels above those in a row, and the names there. */
enum { IN_FILE, IN_RESULT, IN_NODE };

static void keep_fact(struct reader *r, const char *attribute_name, const char *name)
{
    const struct str text = unescaped(r, xml_attribute(r->xml.attributes, str_of(attribute_name)));
    if (text.n == 0)
        return;
    emit_member(&r->facts, str_of(name));
    emit_inner_string(&r->facts, &r->scratch, text);
}

/* Begins an element that is in no row. */
static void begin_outside(struct reader *r, bool is_empty)
{
    static const struct str names[] = {STR("trace-query-result"), STR("node")};
    const size_t level = r->level_count;
    if (level < IN_NODE && !str_equal(r->xml.name, names[level]))
        die_at(r->xml.where, "expected <%.*s>, found <%s>", STR_ARG(names[level]),
               text_shown(r->xml.name));
    if (level == IN_RESULT) {
        r->facts.n = 0;
        r->has_source = r->has_schema = false;
        keep_fact(r, "xpath", "xpath");
    } else if (level == IN_NODE && !r->has_schema && str_equal(r->xml.name, STR("schema"))) {
        r->has_schema = true;
        keep_fact(r, "name", "schema");
    } else if (level == IN_NODE && str_equal(r->xml.name, STR("row"))) {
        r->is_in_row = !is_empty;
        r->row_line = r->xml.where.at;
        r->has_row = true;
        r->cell_count = 0;
        if (is_empty)
            push_row(r);
    } else if (level == IN_NODE) {
        lose_element(r, r->xml.name);
    }
}

static void enter(struct reader *r, bool is_empty)
{
    uint32_t element = 0;
    if (r->is_in_row) {
        const size_t before = r->element_count;
        element = begin(r, is_empty);
        if (element == 0)
            return;
        if (is_empty)
            finish(r, element);
        growth_hold(r->sink->flow, (r->element_count - before) * sizeof *r->elements);
    } else {
        begin_outside(r, is_empty);
    }
    if (is_empty)
        return;
    if (r->level_count == LIMITS_NESTING)
        die_at(r->xml.where, "more than %d elements in each other", LIMITS_NESTING);
    r->levels = mem_array(r->levels, &r->level_capacity, r->level_count + 1, sizeof *r->levels);
    r->levels[r->level_count++] = (struct level){r->xml.name, element};
}

static void leave(struct reader *r)
{
    if (r->level_count == 0)
        die_at(r->xml.where, "</%s> ends what has not begun", text_shown(r->xml.name));
    const struct level level = r->levels[--r->level_count];
    if (!str_equal(level.name, r->xml.name))
        die_at(r->xml.where, "expected </%s>, found </%s>", text_shown(level.name),
               text_shown(r->xml.name));
    if (level.element != 0) {
        finish(r, level.element);
    } else if (r->level_count == IN_NODE && r->is_in_row) {
        r->is_in_row = false;
        push_row(r);
    }
}

/* Text in an element of a row is its value; elsewhere it describes the table to people. */
static void take_text(struct reader *r)
{
    const uint32_t number = r->level_count == 0 ? 0 : r->levels[r->level_count - 1].element;
    if (number == 0 && (r->is_in_row || r->level_count <= IN_NODE))
        die_at(r->xml.where, "expected an element, found text");
    if (number != 0)
        element_at(r, number)->text = r->xml.text;
}

static void read_file(struct reader *r)
{
    bool has_root = false;
    for (enum xml_token token; (token = xml_next(&r->xml)) != XML_END;) {
        if (has_root && r->level_count == 0)
            die_at(r->xml.where, "expected the end of the file behind </trace-query-result>");
        switch (token) {
        case XML_OPEN:
        case XML_EMPTY:
            has_root = true;
            enter(r, token == XML_EMPTY);
            break;
        case XML_CLOSE: leave(r); break;
        default: take_text(r);
        }
    }
    if (r->level_count > 0)
        die_as(CODE_TORN, r->xml.where, "expected </%s>, found the end of the file",
               text_shown(r->levels[r->level_count - 1].name));
    if (!has_root)
        die_as(CODE_TORN, r->xml.where, "expected <trace-query-result>, found the end of the file");
    if (!r->has_row)
        warn_at(CODE_NO_INPUT, r->xml.where, "the export has no rows");
    if (r->source_id == 0) {
        r->cell_count = 0;
        push_source(r);
    }
}

void xctrace_read(struct in *in, struct str whole, const struct read_request *request,
                  struct sink *sink)
{
    struct value_types *types = &sink->flow->types;
    struct reader r = {
        .in = in, .request = request, .sink = sink, .xml = xml_open(in_name(in), whole)};
    r.samples_type = value_types_add(types, STR("samples"), STR("count"));
    r.cycles_type = value_types_add(types, STR("cycles"), STR("count"));
    r.cpu_type = value_types_add(types, STR("cpu"), STR("nanoseconds"));
    read_file(&r);
    mem_free(r.levels);
    mem_free(r.elements);
    mem_free(r.links);
    mem_free(r.cells);
    mem_free(r.stacks);
    mem_free(r.frames);
    mem_free(r.copy);
    mem_free(r.texts);
    idmap_free(&r.ids);
    intern_free(&r.files);
    intern_free(&r.functions);
    intern_free(&r.mappings);
    intern_free(&r.locations);
    arena_free(&r.arena);
    bytes_rows_free(&r.rows);
    struct buf *bufs[] = {&r.facts, &r.extra, &r.scratch, &r.text, &r.other, &r.key};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
}

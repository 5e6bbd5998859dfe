/* See perun2ndjson(1), ROWS, for the rules. */
#include "formats/perun/perun_entry.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/units.h"
#include "rows/text.h"

/* --- the file --- */

/* The string member NAME of the object VALUE, with quotes; null p if it is not a string. */
static struct str string_member(struct str value, struct str name)
{
    struct str found = text_member(value, name), text;
    return found.p != NULL && text_is_string(found, &text) ? found : (struct str){NULL, 0};
}

/* Stores UNITS, from the header, in OF. */
static void read_units(struct perun_file *of, struct str units)
{
    struct str rest = text_inside(units), name, value;
    if (units.p == NULL || *units.p != '{')
        return;
    for (int i = 0; i < PERUN_UNITS && text_next_member(&rest, &name, &value); i++)
        if (name.n <= PERUN_UNIT_KEY)
            of->units[of->unit_count++] = (struct perun_unit){name, value};
}

struct perun_file perun_file_of(struct str members)
{
    static const struct str names[] = {[PERUN_OF_MEMORY] = STR("\"memory\""),
                                       [PERUN_OF_KPERF] = STR("\"kperf\""),
                                       [PERUN_OF_TRACE] = STR("\"trace\""),
                                       [PERUN_OF_OURS] = PERUN_OWN};
    struct perun_file of = {0};
    struct str header = text_member(members, STR("header"));
    struct str collector = text_member(members, STR("collector_info"));
    struct str name = string_member(collector, STR("name"));
    struct str params = text_member(collector, STR("params"));
    for (unsigned i = 1; i < sizeof names / sizeof *names; i++)
        if (str_equal(name, names[i]))
            of.producer = i;
    of.type = string_member(header, STR("type"));
    read_units(&of, text_member(header, STR("units")));
    of.own_type = string_member(params, STR("type"));
    of.own_unit = string_member(params, STR("unit"));
    if (of.producer == PERUN_OF_OURS && (of.own_type.p == NULL || of.own_unit.p == NULL))
        of.producer = PERUN_OF_OTHER;
    return of;
}

bool perun_has_own(struct str members, struct str columns, struct str name)
{
    struct str rest = text_inside(columns), item, text;
    if (columns.p == NULL) {
        struct str value = text_member(members, name);
        return value.p != NULL && str_equal(value, STR("null"));
    }
    while (text_next_item(&rest, &item))
        if (text_is_string(item, &text) && str_equal(text, name))
            return true;
    return false;
}

/* --- frames --- */

/* The bytes of VALUE, a string as spelled in the file, kept with STACK. */
static struct str kept_bytes(struct perun_stack *stack, struct str value)
{
    struct buf bytes = {0};
    struct str kept = {NULL, 0};
    if (perun_bytes(&bytes, value))
        kept = arena_copy(&stack->arena, buf_str(&bytes));
    buf_free(&bytes);
    return kept;
}

static struct perun_frame *add_frame(struct perun_stack *stack)
{
    stack->frames =
        mem_array(stack->frames, &stack->capacity, stack->depth + 1, sizeof *stack->frames);
    stack->frames[stack->depth] = (struct perun_frame){0};
    return &stack->frames[stack->depth++];
}

/* Whether VALUE is a line or column number; sets *NUMBER. */
static bool is_position(struct str value, int64_t *number)
{
    int64_t found;
    if (!text_is_integer(value, &found) || found < 0)
        return false;
    *number = found;
    return true;
}

/* Stores VALUE, the member NAME of a frame, in F; false if F has no field for it. */
static bool take_member(struct perun_stack *stack, struct perun_frame *f, struct str name,
                        struct str value)
{
    bool is_name = str_equal(name, STR("func")) || str_equal(name, STR("function"));
    if (is_name && f->function.p == NULL)
        return (f->function = kept_bytes(stack, value)).p != NULL;
    if (str_equal(name, STR("source")) && f->file.p == NULL)
        return (f->file = kept_bytes(stack, value)).p != NULL;
    if (str_equal(name, STR("line")) && f->line == 0)
        return is_position(value, &f->line);
    if (str_equal(name, STR("column")) && f->column == 0)
        return is_position(value, &f->column);
    return false;
}

/* Adds the frame VALUE, an object or a string; anything else is ignored. */
static void read_frame(struct perun_stack *stack, struct str value)
{
    struct str rest = text_inside(value), name, member;
    if (value.n == 0 || (*value.p != '"' && *value.p != '{'))
        return;
    struct perun_frame *f = add_frame(stack);
    if (*value.p == '"') {
        f->function = kept_bytes(stack, value);
        return;
    }
    struct buf others = {0};
    while (text_next_member(&rest, &name, &member)) {
        if (take_member(stack, f, name, member))
            continue;
        buf_add(&others, STR(",\""));
        buf_add(&others, name);
        buf_add(&others, STR("\":"));
        buf_add(&others, member);
    }
    if (others.n > 0)
        f->others = arena_copy(&stack->arena, buf_str(&others));
    buf_free(&others);
}

static void turn(struct perun_stack *stack)
{
    for (size_t i = 0, j = stack->depth; i + 1 < j; i++) {
        struct perun_frame f = stack->frames[i];
        stack->frames[i] = stack->frames[--j];
        stack->frames[j] = f;
    }
}

/* VALUE, a string, holds a whole folded stack. */
static void read_folded(struct perun_stack *stack, struct str value)
{
    struct str bytes = kept_bytes(stack, value);
    while (bytes.n > 0) {
        const char *end = memchr(bytes.p, ';', bytes.n);
        size_t n = end == NULL ? bytes.n : (size_t)(end - bytes.p);
        add_frame(stack)->function = (struct str){bytes.p, n};
        n += end != NULL;
        bytes.p += n;
        bytes.n -= n;
    }
    turn(stack);
}

/* Whether the list TRACE is innermost first and includes the leaf. Only the memory collector writes
 * such lists. */
static bool is_inner_first(const struct perun_file *of, struct str trace)
{
    struct str items = text_inside(trace), item;
    if (of->producer == PERUN_OF_MEMORY)
        return true;
    return of->producer == PERUN_OF_OTHER && text_next_item(&items, &item) &&
           text_member(item, STR("function")).p != NULL;
}

void perun_stack_read(struct perun_stack *stack, const struct perun_file *of, struct str entry)
{
    struct str uid = text_member(entry, STR("uid")), trace = text_member(entry, STR("trace"));
    struct str items = text_inside(trace), item, text;
    arena_clear(&stack->arena);
    stack->depth = 0;
    bool has_trace = trace.p != NULL && *trace.p == '[';
    while (has_trace && text_next_item(&items, &item))
        read_frame(stack, item);
    if (stack->depth > 0 && is_inner_first(of, trace))
        return;
    if (!has_trace && of->producer == PERUN_OF_KPERF && uid.p != NULL &&
        text_is_string(uid, &text)) {
        read_folded(stack, uid);
        return;
    }
    if (uid.p != NULL)
        read_frame(stack, uid);
    turn(stack);
}

void perun_stack_free(struct perun_stack *stack)
{
    mem_free(stack->frames);
    arena_free(&stack->arena);
    *stack = (struct perun_stack){0};
}

/* --- amounts --- */

/* Appends the canonical text of VALUE, a string as the file spells it, to TO. */
static void add_text(struct buf *to, struct str value)
{
    struct buf bytes = {0};
    if (perun_bytes(&bytes, value))
        text_escape(to, buf_str(&bytes));
    buf_free(&bytes);
}

/* The header's unit for TYPE, a string as spelled in the file: of that key, or of the first key
 * that contains it. As spelled in the file; null p if there is none. */
static struct str unit_of(const struct perun_file *of, struct str type)
{
    struct str text, found = {NULL, 0};
    if (!text_is_string(type, &text))
        return found;
    for (size_t i = 0; i < of->unit_count; i++) {
        const struct perun_unit *unit = &of->units[i];
        if (str_equal(unit->key, text))
            return unit->value;
        if (found.p == NULL && port_memmem(unit->key.p, unit->key.n, text.p, text.n) != NULL)
            found = unit->value;
    }
    return found;
}

/* Appends UNIT, a value as spelled in the file, to TO, with the unit names of rows. */
static void add_unit(struct buf *to, struct str unit)
{
    static const struct str words[] = {STR("nanoseconds"), STR("microseconds"), STR("milliseconds"),
                                       STR("seconds"), STR("bytes")};
    struct buf text = {0};
    add_text(&text, unit);
    struct str word = buf_str(&text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (units_in(word, words[i]) == 1)
            word = words[i];
    buf_add(to, word);
    buf_free(&text);
}

/* Sets KIND to that of an allocation, or of freed memory if SUBTYPE says so. */
static void set_memory(struct perun_kind *kind, struct str unit, struct str subtype)
{
    buf_add(&kind->type, str_equal(subtype, STR("\"free\"")) ? PERUN_FREED : STR("alloc_size"));
    add_unit(&kind->unit, unit);
    if (kind->unit.n == 0)
        buf_add(&kind->unit, STR("bytes"));
}

void perun_kind_read(struct perun_kind *kind, const struct perun_file *of, struct str entry)
{
    struct str type = string_member(entry, STR("type"));
    struct str subtype = string_member(entry, STR("subtype"));
    kind->type.n = kind->unit.n = 0;
    if (type.p == NULL && of->producer == PERUN_OF_KPERF) {
        buf_add(&kind->type, STR("samples"));
        buf_add(&kind->unit, STR("count"));
        return;
    }
    if (of->producer == PERUN_OF_OURS) {
        add_text(&kind->type, of->own_type);
        add_text(&kind->unit, of->own_unit);
        return;
    }
    type = type.p == NULL ? of->type : type;
    struct str unit = unit_of(of, type);
    if (str_equal(type, STR("\"memory\""))) {
        set_memory(kind, unit, subtype);
        return;
    }
    add_text(&kind->type, type);
    if (kind->type.n == 0)
        buf_add(&kind->type, STR("amount"));
    if (subtype.n > 2) {
        buf_add(&kind->type, STR("("));
        add_text(&kind->type, subtype);
        buf_add(&kind->type, STR(")"));
    }
    /* the trace collector says microseconds but writes nanoseconds */
    bool is_finer =
        of->has_exclusive && of->producer == PERUN_OF_TRACE && str_equal(unit, STR("\"us\""));
    add_unit(&kind->unit, is_finer ? STR("\"ns\"") : unit);
}

/* Whether TEXT is a number that rows can hold. */
static bool is_number(struct str text)
{
    enum { LONG = 40 };
    char copy[LONG + 1 + INPUT_PADDING] = {0};
    if (text.n == 0 || text.n > LONG)
        return false;
    memcpy(copy, text.p, text.n);
    return text_scan_value(copy) == copy + text.n;
}

bool perun_value(struct str value, struct str unit, struct buf *scratch, struct number *number,
                 bool *is_reported)
{
    struct str text = value;
    size_t n = 0;
    if (!text_is_string(value, &text))
        return perun_number(value, scratch, number, is_reported);
    while (n < text.n && memchr("+-.0123456789eE", text.p[n], 15) != NULL)
        n++;
    struct str said = {text.p + n, text.n - n};
    text.n = n;
    bool is_value = (said.n == 0 || units_in(said, unit) == 1) && is_number(text) &&
                    perun_number(text, scratch, number, is_reported);
    *is_reported = false;
    return is_value;
}

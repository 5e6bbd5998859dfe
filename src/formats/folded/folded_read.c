/* Folded stacks to rows. See folded2ndjson(1) for the rules.
 *
 * Lines are mostly sorted and share their outer frames with the line before; these are not parsed
 * again. All other frames are looked up by their text. */
#include "base/bits.h"
#include "base/mem.h"
#include "base/spool.h"
#include "formats/bad_lines.h"
#include "formats/bytes_rows.h"
#include "formats/folded/folded.h"
#include "formats/folded/folded_austin.h"
#include "formats/folded/folded_lines.h"
#include "formats/folded/folded_text.h"
#include "profile/choice.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_COLUMNS = 2 };

/* The parsed text of a frame. */
struct frame {
    enum folded_kind kind;
    uint32_t inlined;  /* the function of FOLDED_INLINED; 0: not made yet */
    uint32_t location; /* its location when outermost or not inlined; 0: not made yet */
};

/* Identifies a location. */
struct site {
    int64_t line; /* 0: unknown */
    uint32_t function, into;
    enum folded_kind code; /* the kind of mapped file it is in */
    uint32_t unused;
};

struct reader {
    const struct read_request *request;
    struct sink *sink;
    struct folded_lines lines;
    struct place where; /* of the line being read */
    struct bad_lines bad;
    unsigned columns;   /* counts per line; 0: not known yet */
    struct spool *held; /* lines, until COLUMNS is known */
    uint64_t held_count;

    struct str type, unit; /* canonical text */
    uint32_t type_number;

    struct folded_austin austin;
    bool has_type; /* --type is given */
    uint32_t austin_types[FOLDED_AUSTIN_VALUES];
    size_t austin_count;
    struct buf thread, labels; /* of the line before: text, and the column made of it */

    struct intern frames; /* text; number - 1 is the index in the next four */
    struct frame *items;
    size_t item_capacity;
    struct intern functions; /* names */
    struct intern locations; /* struct site */
    uint32_t mappings[FOLDED_KIND_COUNT];
    uint32_t mapping_count;
    int64_t sample_id;

    /* The stack of the previous line, then of this one: outermost first. */
    struct buf text;
    struct step {
        size_t end; /* offset in the text after the frame and its ';' */
        uint32_t location;
        enum folded_kind code;
    } * steps;
    size_t depth, step_capacity;
    int64_t *stack; /* of the sample: innermost first */
    size_t stack_capacity;

    struct bytes_rows rows; /* for functions and the source */
    struct buf extra, number[MAX_COLUMNS], scratch;
};

/* --- options --- */

void folded_check_options(const struct folded_read_options *options)
{
    struct str type, unit;
    const char *columns = options->columns;
    if (options->type != NULL &&
        (!choice_split(str_of(options->type), &type, &unit) || unit.n == 0))
        die(CODE_BAD_ARGUMENT, "--type: expected TYPE/UNIT, found \"%s\"", options->type);
    if (columns != NULL && strcmp(columns, "1") != 0 && strcmp(columns, "2") != 0)
        die(CODE_BAD_ARGUMENT, "--columns: expected 1 or 2, found \"%s\"", columns);
}

static void set_options(struct reader *r, const struct folded_read_options *options)
{
    r->type = STR("samples");
    r->unit = STR("count");
    if (options == NULL)
        return;
    r->has_type = options->type != NULL;
    if (r->has_type)
        choice_split(str_of(options->type), &r->type, &r->unit);
    if (options->columns != NULL)
        r->columns = *options->columns == '1' ? 1 : 2;
}

/* --- rows --- */

/* Appends the types of Austin, and what else it says of the file. */
static void add_austin(struct reader *r)
{
    const struct folded_austin_type *types = folded_austin_types(&r->austin, &r->austin_count);
    listed_begin(&r->extra);
    for (size_t i = 0; i < r->austin_count; i++) {
        const bool is_asked = r->has_type && r->austin_count == 1;
        const struct str name = is_asked ? r->type : types[i].name;
        const struct str unit = is_asked ? r->unit : types[i].unit;
        r->austin_types[i] = value_types_add(&r->sink->flow->types, name, unit);
        listed_add(&r->extra, name, unit, LISTED_SUM);
    }
    listed_end(&r->extra);
    if (r->austin.interval > 0 && r->austin.mode != AUSTIN_MEMORY && !r->has_type)
        listed_period(&r->extra, types[0].name, types[0].unit, r->austin.interval);
    buf_add(&r->extra, STR(",\".folded\":{\"austin\":["));
    buf_add(&r->extra, buf_str(&r->austin.header));
    buf_add(&r->extra, STR("]}"));
}

static void emit_source(struct reader *r, unsigned column)
{
    r->extra.n = 0;
    if (r->austin.is_on) {
        add_austin(r);
    } else {
        listed_begin(&r->extra);
        listed_add(&r->extra, r->type, r->unit, LISTED_SUM);
        listed_end(&r->extra);
    }
    if (r->columns > 1) {
        buf_add(&r->extra, STR(",\".folded\":{\"column\":"));
        emit_number(&r->extra, column);
        buf_add(&r->extra, STR("}"));
    }
    bytes_rows_source(&r->rows, r->sink, column, STR("folded"),
                      format_source_uri(r->request, r->lines.in), r->request->timestamp, &r->extra);
}

/* The id of the function that KEY tells from others: NAME in FILE, which may be empty. Writes the row of
 * a new one. */
static uint32_t function_in(struct reader *r, struct str key, struct str name, struct str file)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, key, &is_new);
    if (is_new)
        bytes_rows_function(&r->rows, r->sink, id, name, file, 0, STR(""));
    return id;
}

static uint32_t function_of(struct reader *r, struct str name)
{
    return function_in(r, name, name, STR(""));
}

/* The id of the mapping for code of kind CODE; 0: none. */
static uint32_t mapping_of(struct reader *r, enum folded_kind code)
{
    struct str file = folded_mapped_file(code);
    if (file.n == 0 || r->mappings[code] != 0)
        return r->mappings[code];
    uint32_t id = r->mappings[code] = ++r->mapping_count;
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"memory_start\":\"0x0\",\"memory_limit\":\"0x0\","
                           "\"file_offset\":\"0x0\",\"filename\":\""));
    buf_add(&r->extra, file);
    buf_add(&r->extra, STR("\",\"build_id\":\"\""));
    sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                    .mapping = {.mapping_id = id},
                                    .extra = buf_str(&r->extra)});
    return id;
}

/* The id of the location SITE. Writes the row of a new one. */
static uint32_t location_of(struct reader *r, struct site site)
{
    bool is_new;
    uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)&site, sizeof site}, &is_new);
    if (!is_new)
        return id;
    uint32_t mapping = mapping_of(r, site.code);
    sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS,
                                    .location = {id, site.function, site.line},
                                    .site = {.mapping_id = mapping, .inlined_into = site.into}});
    return id;
}

/* --- stacks --- */

/* Parses TEXT, a frame. */
static struct frame *frame_of(struct reader *r, struct str text)
{
    bool is_new;
    uint32_t id = intern_add(&r->frames, text, &is_new);
    if (is_new) {
        struct str name;
        r->items = mem_array(r->items, &r->item_capacity, id, sizeof *r->items);
        r->items[id - 1] = (struct frame){.kind = folded_split(text, &name)};
    }
    return &r->items[id - 1];
}

/* The location of TEXT, a frame of Austin; 0: it names no file and line. */
static uint32_t austin_location(struct reader *r, struct str text)
{
    struct str file, name;
    struct site site = {.code = FOLDED_PLAIN};
    if (!r->austin.is_on || !folded_austin_split(text, &file, &name, &site.line))
        return 0;
    site.function = function_in(r, (struct str){text.p, file.n + 1 + name.n}, name, file);
    return location_of(r, site);
}

/* Adds TEXT, the next frame, to the stack. A frame that is marked as inlined but is outermost is
 * taken as a plain name. */
static void push(struct reader *r, struct str text, size_t end)
{
    struct frame *f = frame_of(r, text);
    struct str name;
    if (r->depth == r->step_capacity)
        r->steps = mem_array(r->steps, &r->step_capacity, r->depth + 1, sizeof *r->steps);
    struct step *step = &r->steps[r->depth++];
    step->end = end;
    if (f->kind == FOLDED_INLINED && step != r->steps) {
        folded_split(text, &name);
        if (f->inlined == 0)
            f->inlined = function_of(r, name);
        step->code = step[-1].code;
        step->location =
            location_of(r, (struct site){0, f->inlined, step[-1].location, step->code, 0});
        return;
    }
    step->code = f->kind == FOLDED_INLINED ? FOLDED_PLAIN : f->kind;
    if (f->location == 0)
        f->location = austin_location(r, text);
    if (f->location == 0) {
        if (f->kind == FOLDED_INLINED)
            name = text;
        else
            folded_split(text, &name);
        f->location = location_of(r, (struct site){0, function_of(r, name), 0, step->code, 0});
    }
    step->location = f->location;
}

/* The length of the common prefix of A and B. */
static size_t common(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n, i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t differ = bits_load(a.p + i) ^ bits_load(b.p + i);
        if (differ != 0)
            return i + (unsigned)__builtin_ctzll(differ) / 8;
    }
    while (i < n && a.p[i] == b.p[i])
        i++;
    return i;
}

/* Sets the steps to those of the stack TEXT. */
static void read_stack(struct reader *r, struct str text)
{
    size_t same = common(text, buf_str(&r->text));
    if (r->depth > 0 && same == text.n && same == r->text.n)
        return;
    while (r->depth > 0 && r->steps[r->depth - 1].end > same)
        r->depth--;
    size_t at = r->depth == 0 ? 0 : r->steps[r->depth - 1].end;
    r->text.n = same;
    buf_add(&r->text, (struct str){text.p + same, text.n - same});
    for (const char *semicolon;; at = (size_t)(semicolon - text.p) + 1) {
        semicolon = at == text.n ? NULL : memchr(text.p + at, ';', text.n - at);
        size_t end = semicolon == NULL ? text.n : (size_t)(semicolon - text.p);
        push(r, (struct str){text.p + at, end - at}, end + 1);
        if (semicolon == NULL)
            return;
    }
}

/* --- samples --- */

/* Converts COUNT to a double in *VALUE, with its text in TO: JSON needs a digit on both sides of
 * the point, and no leading zeros. Returns false if it is not valid, and reports that. */
static bool read_real(struct reader *r, struct str count, struct buf *to, struct number *value)
{
    while (count.n > 1 && count.p[0] == '0' && count.p[1] != '.')
        count.p++, count.n--;
    to->n = 0;
    buf_add(to, count);
    if (count.p[count.n - 1] == '.')
        buf_add(to, STR("0"));
    buf_add(to, (struct str){"", 1});
    *value = (struct number){.kind = NUMBER_REAL, .real = {to->p, to->n - 1}};
    if (isfinite(strtod(to->p, NULL)))
        return true;
    bad_lines_note(&r->bad, r->where, "expected a count that a double can hold, found %.*s",
                   STR_ARG(count));
    return false;
}

/* Converts COUNT to *VALUE; if it has a fraction, its text is in TO. Returns false if it is too
 * large, and reports that. */
static bool read_count(struct reader *r, struct str count, struct buf *to, struct number *value)
{
    if (!folded_is_whole(count))
        return read_real(r, count, to, value);
    int64_t n = 0;
    for (size_t i = 0; i < count.n; i++)
        if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
            __builtin_add_overflow(n, (int64_t)(count.p[i] - '0'), &n)) {
            bad_lines_note(&r->bad, r->where, "expected a count of 64 bits, found %.*s",
                           STR_ARG(count));
            return false;
        }
    *value = number_of(n);
    return true;
}

/* Pushes a sample of the source SOURCE with the current stack, the dotted columns EXTRA, and COUNT
 * VALUES. */
static void push_values(struct reader *r, unsigned source, struct str extra,
                        struct sample_value *values, size_t count)
{
    growth_check_depth(r->depth, r->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth, sizeof *r->stack);
    for (size_t i = 0; i < r->depth; i++)
        r->stack[i] = r->steps[r->depth - 1 - i].location;
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = source,
                                          .extra = extra,
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = r->depth});
}

/* Pushes a sample with the current stack and VALUE in COLUMN. */
static void push_sample(struct reader *r, unsigned column, struct number value)
{
    push_values(r, column, STR(""), &(struct sample_value){r->type_number, value, STR("")}, 1);
}

/* --- lines --- */

/* Reports that LINE is not a stack with counts. */
static void note_bad(struct reader *r, struct str line)
{
    enum { SHOWN = 40 };
    struct buf shown = {0};
    text_escape(&shown, str_first(line, SHOWN));
    bad_lines_note(&r->bad, r->where, "expected a stack, a blank and %s, found \"%.*s%s\"",
                   r->columns == 2 ? "two counts" : "a count", STR_ARG(buf_str(&shown)),
                   line.n > SHOWN ? "..." : "");
    buf_free(&shown);
}

/* Reads LINE, which must have r->columns counts. */
static void read_line(struct reader *r, struct str line)
{
    struct str stack = line, counts[MAX_COLUMNS];
    for (unsigned i = r->columns; i > 0; i--)
        if (!folded_take_count(&stack, &counts[i - 1])) {
            note_bad(r, line);
            return;
        }
    struct number values[MAX_COLUMNS];
    for (unsigned i = 0; i < r->columns; i++)
        if (!read_count(r, counts[i], &r->number[i], &values[i]))
            return;
    read_stack(r, stack);
    for (unsigned i = 0; i < r->columns; i++)
        push_sample(r, i + 1, values[i]);
}

/* --- lines of Austin --- */

/* Sets r->labels to those of THREAD, which most lines share with the one before. */
static void read_thread(struct reader *r, struct str thread)
{
    if (str_equal(thread, buf_str(&r->thread)))
        return;
    r->thread.n = r->labels.n = 0;
    buf_add(&r->thread, thread);
    folded_austin_add_labels(&r->austin, thread, &r->labels);
}

static void read_austin(struct reader *r, struct str line)
{
    struct str stack = line, thread;
    int64_t numbers[FOLDED_AUSTIN_VALUES];
    struct sample_value values[FOLDED_AUSTIN_VALUES];
    if (!folded_austin_take_values(&r->austin, &stack, numbers)) {
        note_bad(r, line);
        return;
    }
    folded_austin_take_thread(&stack, &thread);
    read_thread(r, thread);
    if (stack.n > 0)
        read_stack(r, stack);
    else
        r->depth = r->text.n = 0; /* no Python code ran */
    for (size_t i = 0; i < r->austin_count; i++)
        values[i] = (struct sample_value){r->austin_types[i], number_of(numbers[i]), STR("")};
    push_values(r, 1, buf_str(&r->labels), values, r->austin_count);
}

/* Keeps LINE, a comment behind the first stack. */
static void keep_comment(struct reader *r, struct str line)
{
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"source_id\":1,\"line\":"));
    emit_number(&r->extra, (int64_t)r->where.at);
    buf_add(&r->extra, STR(",\"text\":"));
    emit_inner_string(&r->extra, &r->scratch, line);
    sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {.name = STR(".folded_austin")},
                                    .extra = buf_str(&r->extra)});
}

static void take_comment(struct reader *r, struct str line)
{
    if (line.n == 0)
        return;
    if (r->columns == 0 && r->held_count == 0 && folded_austin_take(&r->austin, line))
        return;
    if (r->austin.is_on && r->columns != 0)
        keep_comment(r, line);
    else
        loss_add(LOSS_OWN, STR("comment lines"), 1);
}

/* Precedes each held line in the spool. */
struct held {
    uint64_t at, size;
};

static void hold(struct reader *r, struct str line)
{
    struct held head = {r->where.at, line.n};
    if (r->held == NULL)
        r->held = spool_open();
    spool_write(r->held, (struct str){(const char *)&head, sizeof head});
    spool_write(r->held, line);
    r->held_count++;
}

/* Called once the number of counts per line, COLUMNS, is known: writes the sources, and the samples
 * of the held lines, all of which have two. */
static void begin(struct reader *r, unsigned columns)
{
    struct held head;
    r->columns = columns;
    for (unsigned i = 1; i <= columns; i++)
        emit_source(r, i);
    if (r->held == NULL)
        return;
    struct place where = r->where;
    spool_rewind(r->held);
    while (spool_read(r->held, &head, sizeof head)) {
        r->scratch.n = 0;
        char *p = buf_reserve(&r->scratch, head.size);
        spool_read(r->held, p, head.size);
        r->where.at = head.at;
        read_line(r, (struct str){p, head.size});
    }
    spool_close(r->held);
    r->held = NULL;
    r->where = where;
}

/* Whether LINE ends in two integers. */
static bool has_two(struct str line)
{
    struct str count;
    return folded_take_count(&line, &count) && folded_is_whole(count) &&
           folded_take_count(&line, &count) && folded_is_whole(count);
}

/* Whether LINE, which has no line feed, has as many counts as the lines before. Such a line does
 * not decide that number. */
static bool has_counts(const struct reader *r, struct str line)
{
    struct str count;
    if (r->columns == 0 && r->held_count > 0)
        return has_two(line);
    for (unsigned i = 0; i < r->columns || i == 0; i++)
        if (!folded_take_count(&line, &count))
            return false;
    return true;
}

/* Whether nothing of the file says that it has stacks. */
static bool is_nothing(const struct reader *r)
{
    return !r->austin.is_on && r->columns == 0 && r->held_count == 0;
}

/* Whether LINE, the last one, can be used though it has no line feed: its end may be missing. */
static bool admit_torn(struct reader *r, struct str line)
{
    int64_t values[FOLDED_AUSTIN_VALUES];
    struct str stack = line;
    bool good = r->austin.is_on ? folded_austin_take_values(&r->austin, &stack, values)
                                : has_counts(r, line);
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    if (good)
        warn_at(CODE_CUT, r->where, "the last line has no line feed: its count may be cut");
    else if (is_nothing(r)) /* then it is no file whose end is missing */
        note_bad(r, line);
    else
        warn_at(CODE_TORN, r->where, "the last line is torn (no line feed): skipped");
    return good;
}

static void take_line(struct reader *r, struct str line)
{
    if (folded_is_comment(line)) {
        take_comment(r, line);
        return;
    }
    if (r->lines.torn && !admit_torn(r, line))
        return;
    if (r->austin.is_on) {
        if (r->columns == 0)
            begin(r, 1);
        read_austin(r, line);
        return;
    }
    if (r->columns == 0 && has_two(line)) {
        hold(r, line);
        return;
    }
    struct str stack = line, count;
    if (r->columns == 0 && !folded_take_count(&stack, &count)) {
        note_bad(r, line); /* it does not tell how many counts other lines have */
        return;
    }
    if (r->columns == 0)
        begin(r, 1);
    read_line(r, line);
}

static void close_reader(struct reader *r)
{
    folded_close_lines(&r->lines);
    intern_free(&r->frames);
    intern_free(&r->functions);
    intern_free(&r->locations);
    mem_free(r->items);
    mem_free(r->steps);
    mem_free(r->stack);
    bytes_rows_free(&r->rows);
    folded_austin_free(&r->austin);
    BUF_FREE(&r->text, &r->extra, &r->number[0], &r->number[1], &r->scratch, &r->thread,
             &r->labels);
}

/* Converts type and unit to canonical text and adds the type to the flow. */
static void finish_type(struct reader *r, struct buf *type, struct buf *unit)
{
    text_escape(type, r->type);
    text_escape(unit, r->unit);
    r->type = buf_str(type);
    r->unit = buf_str(unit);
    r->type_number = value_types_add(&r->sink->flow->types, r->type, r->unit);
}

void folded_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .bad = {.request = request}};
    struct buf type = {0}, unit = {0};
    struct str line;
    set_options(&r, request->options);
    finish_type(&r, &type, &unit);
    folded_open_lines(&r.lines, in);
    r.where = r.lines.where;
    if (r.columns != 0)
        begin(&r, r.columns);
    while (folded_next_line(&r.lines, &line)) {
        r.where = r.lines.where;
        take_line(&r, folded_trim(line));
    }
    if (r.columns == 0)
        begin(&r, r.held_count > 0 ? 2 : 1);
    bad_lines_end(&r.bad, r.sample_id > 0);
    close_reader(&r);
    buf_free(&type);
    buf_free(&unit);
}

/* Processed profiles of the Firefox Profiler to rows. See firefox2ndjson(1) for the rules.
 *
 * A file has tables, as lists of columns, for stacks, frames, functions and strings: for all
 * threads, or in old versions for each of its own. Members come in any order, so tables stay in
 * memory until the end, and samples wait in spools. */
#include "base/mem.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/firefox/firefox.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>

/* No number, in a column. */
#define NONE INT64_MIN

/* A column of a table. Numbers as they are, flags as 0 and 1. */
struct column {
    int64_t *values;
    size_t count, capacity;
    struct tokens_place where;
};

/* The columns that rows are made of. */
enum {
    STACK_FRAME,
    STACK_PREFIX,
    STACK_OFFSET,
    FRAME_ADDRESS,
    FRAME_LIB,
    FRAME_DEPTH,
    FRAME_CATEGORY,
    FRAME_PART,
    FRAME_FUNC,
    FRAME_LINE,
    FRAME_COLUMN,
    FUNC_NAME,
    FUNC_JS,
    FUNC_RESOURCE,
    FUNC_SOURCE,
    FUNC_FILE,
    FUNC_LINE,
    FUNC_COLUMN,
    RESOURCE_LIB,
    SOURCE_FILE,
    COLUMNS,
    DROPPED = COLUMNS, /* rows have no place for it: what it says is counted */
    LENGTH,
};

/* The tables of all threads, or of one. */
struct tables {
    struct column columns[COLUMNS];
    uint32_t *strings; /* numbers in r->texts */
    size_t string_count, string_capacity;
    struct tokens_place where;
    struct link {
        uint32_t above, location, depth; /* above 0: none */
    } * stacks;                          /* by index + 1 */
    bool is_linked;
};

/* A thread. Texts by their numbers in r->texts, 0: none. */
struct thread {
    uint32_t name, process, pid, tid;
    size_t tables;     /* the index of its own; 0: those that are shared */
    struct str labels; /* `,".labels":…`, or empty */
};

/* What our member says. */
struct mark {
    bool is_there, is_timed;
    int64_t source, type; /* from 1; 0: not said */
    struct str labels;    /* a list; null p: none */
};

/* Columns of samples: strands. */
enum { S_STACK, S_TIME, S_WEIGHT, S_CPU, STRANDS };

/* Samples of a thread, or a counter. */
struct track {
    enum { TRACK_SAMPLES, TRACK_JS, TRACK_NATIVE, TRACK_COUNTER, TRACK_KINDS } kind;
    size_t thread; /* its index; of a counter its own */
    struct mark mark;
    uint32_t strands[STRANDS];
    uint64_t counts[STRANDS];
    bool has[STRANDS];
    enum { WEIGHT_SAMPLES, WEIGHT_MS, WEIGHT_BYTES } weight_type;
    uint32_t name, unit, category; /* of a counter */
    uint32_t pid;
    bool is_level;
    struct tokens_place where, late; /* of the first time beyond 64 bits; line 0: none */
    uint32_t source, type, cpu;      /* numbers of a source, and of types in the flow */
    int power;                       /* of ten: what a weight is multiplied by */
};

/* A type of values of a source. */
struct source_type {
    uint32_t source, type;
    bool is_gauge;
    bool is_double; /* the source has another of its name */
};

/* A category, and the names of its parts. */
struct category {
    uint32_t name;
    size_t first, count;
};

struct lib {
    uint32_t name, path, build;
    uint64_t start, limit, offset;
    bool flags[4];
    bool is_marked;
};

struct source {
    uint32_t name, shown; /* the type that is shown by default */
    struct number timestamp;
    size_t first_type; /* of its types, which stand together */
    int64_t type_count;
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct arena arena;
    struct spools *spools;
    struct intern texts;
    struct tables *tables; /* the first are shared */
    size_t table_count, table_capacity;
    struct thread *threads;
    size_t thread_count, thread_capacity;
    struct track *tracks;
    size_t track_count, track_capacity;
    struct source_type *types;
    size_t type_count, type_capacity;
    struct category *categories;
    uint32_t *parts;
    size_t category_count, category_capacity, part_count, part_capacity;
    struct lib *libs;
    size_t lib_count, lib_capacity;
    struct source *sources; /* as our member says */
    size_t source_count, source_capacity;
    bool has_mark;

    int64_t version;      /* 0: not said */
    struct decimal start; /* in milliseconds since 1970; 0: not said */
    struct str cpu_unit;  /* null p: not said */
    struct buf meta;      /* other members, each behind a comma */

    struct intern functions, locations, type_names;
    bool has_foreign; /* tracks without a mark */
    bool *is_listed;  /* by type - 1: their source has it */
    size_t listed_capacity;
    struct bytes_rows rows;
    struct buf extra, text, inexact, numbers;
    uint64_t sample_count;
    int64_t *stack;
    size_t stack_capacity;
    struct sample_value *values;
    size_t value_capacity;
};

/* Counts SIZE bytes that a part of the file takes in memory, however short it is, as growth: eight
 * times, so that a file may take as many times its size. */
static void hold(struct reader *r, size_t size)
{
    growth_hold(r->sink->flow, 8 * (uint64_t)size);
}

static struct str text_of(const struct reader *r, uint32_t text)
{
    return text == 0 ? STR("") : intern_get(&r->texts, text);
}

/* The number of the string that is the current token, or of the digits of a number; 0 for null. */
static uint32_t read_text(struct reader *r, const char *what)
{
    if (r->json.token == TOKEN_NULL)
        return 0;
    if (r->json.token != TOKEN_STRING && r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, what);
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return intern_add(&r->texts, buf_str(&r->text), NULL);
}

/* --- columns --- */

enum { BATCH = 256 };

static void add_value(struct column *c, int64_t value)
{
    c->values = mem_array(c->values, &c->capacity, c->count + 1, sizeof *c->values);
    c->values[c->count++] = value;
}

/* The current token, an address of 64 bits; NONE for null and -1. That of 2^63, which NONE stands
 * for, is refused. */
static int64_t address_of(struct reader *r)
{
    int64_t small;
    uint64_t address = 0;
    struct str text = r->json.token == TOKEN_NUMBER ? r->json.text : STR("?");
    if (r->json.token == TOKEN_NULL)
        return NONE;
    if (tokens_is_integer(&r->json, &small) && small >= -1)
        return small == -1 ? NONE : small;
    for (size_t i = 0; i < text.n; i++)
        if (!str_is_digit(text.p[i]) || __builtin_mul_overflow(address, 10, &address) ||
            __builtin_add_overflow(address, (uint64_t)(text.p[i] - '0'), &address))
            tokens_unexpected(&r->json, "an address, -1 or null");
    if ((int64_t)address == NONE)
        tokens_unexpected(&r->json, "an address other than 2^63");
    return (int64_t)address;
}

/* The current token as a value of a column. */
static int64_t value_of(struct reader *r)
{
    int64_t value;
    if (r->json.token == TOKEN_NULL)
        return NONE;
    if (r->json.token == TOKEN_TRUE || r->json.token == TOKEN_FALSE)
        return r->json.token == TOKEN_TRUE;
    if (!tokens_is_integer(&r->json, &value) || value == NONE)
        tokens_unexpected(&r->json, "an integer or null");
    return value;
}

static void read_column(struct reader *r, struct column *c, int64_t (*value)(struct reader *r))
{
    uint32_t numbers[BATCH];
    size_t count;
    c->where = r->json.where;
    if (r->json.token == TOKEN_NULL) /* as vernier writes columns that it has not */
        return;
    tokens_list(&r->json, "a list");
    for (;;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, BATCH)) > 0) {
            c->values = mem_array(c->values, &c->capacity, c->count + count, sizeof *c->values);
            for (size_t i = 0; i < count; i++)
                c->values[c->count++] = numbers[i];
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        add_value(c, value(r));
    }
}

/* Whether the current token says nothing: what stands where there is nothing to say. */
static bool is_void(const struct reader *r)
{
    const struct str text = r->json.text;
    switch (r->json.token) {
    case TOKEN_NULL:
    case TOKEN_FALSE: return true;
    case TOKEN_STRING: return text.n == 0 || str_equal(text, STR("default"));
    case TOKEN_NUMBER:
        return str_equal(text, STR("0")) || str_equal(text, STR("-1")) || str_equal(text, STR("1"));
    default: return false;
    }
}

/* Skips the current value. Returns how many of its values, those inside of it included, say
 * something. */
static uint64_t skip(struct reader *r)
{
    size_t depth = 0;
    uint64_t count = 0;
    do {
        switch (r->json.token) {
        case TOKEN_OBJECT:
        case TOKEN_ARRAY: depth++; break;
        case TOKEN_OBJECT_END:
        case TOKEN_ARRAY_END: depth--; break;
        case TOKEN_NAME: break;
        default: count += !is_void(r);
        }
    } while (depth > 0 && tokens_next(&r->json) != TOKEN_END);
    return count;
}

/* Skips the current value, of a member NAME that rows have no place for. */
static void drop(struct reader *r, const char *name)
{
    uint64_t count = skip(r);
    if (count > 0)
        loss_add(LOSS_OWN, str_of(name), count);
}

/* A member of a table: its column. */
struct member_of {
    const char *name;
    int column;
};

/* Reads the table NAME, whose COUNT MEMBERS are known, into T. */
static void read_table(struct reader *r, struct tables *t, const char *name,
                       const struct member_of *members, unsigned count)
{
    const char *names[16];
    unsigned seen = 0, member;
    for (unsigned i = 0; i < count; i++)
        names[i] = members[i].name;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a table, an object of lists");
    while (tokens_next_member(&r->json, names, count, &seen, &member))
        if (members[member].column == LENGTH)
            tokens_skip(&r->json);
        else if (members[member].column == DROPPED)
            drop(r, name);
        else
            read_column(r, &t->columns[members[member].column],
                        members[member].column == FRAME_ADDRESS ? address_of : value_of);
}

static void read_strings(struct reader *r, struct tables *t)
{
    tokens_list(&r->json, "a list of strings");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        if (r->json.token != TOKEN_STRING)
            tokens_unexpected(&r->json, "a string");
        t->strings =
            mem_array(t->strings, &t->string_capacity, t->string_count + 1, sizeof *t->strings);
        t->strings[t->string_count++] = read_text(r, "a string");
    }
}

/* The tables of a file, which were in threads in old versions. */
#define SHARED_TABLES                                                                              \
    "stringArray", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols",      \
        "sources", "sourceLocationTable"
enum {
    T_STRINGS,
    T_STACKS,
    T_FRAMES,
    T_FUNCS,
    T_RESOURCES,
    T_SYMBOLS,
    T_SOURCES,
    T_PLACES,
    T_COUNT
};

/* Reads the table MEMBER, one of these, into T. */
static void read_tables(struct reader *r, struct tables *t, unsigned member)
{
#define TABLE(name, ...)                                                                           \
    do {                                                                                           \
        static const struct member_of members[] = {__VA_ARGS__, {"length", LENGTH}};               \
        read_table(r, t, name, members, sizeof members / sizeof *members);                         \
    } while (0)
    t->where = r->json.where;
    switch (member) {
    case T_STRINGS: read_strings(r, t); break;
    case T_STACKS:
        TABLE("stackTable", {"frame", STACK_FRAME}, {"prefix", STACK_PREFIX},
              {"prefixOffset", STACK_OFFSET}, {"category", DROPPED}, {"subcategory", DROPPED});
        break;
    case T_FRAMES:
        TABLE("frameTable", {"address", FRAME_ADDRESS}, {"lib", FRAME_LIB},
              {"inlineDepth", FRAME_DEPTH}, {"category", FRAME_CATEGORY},
              {"subcategory", FRAME_PART}, {"func", FRAME_FUNC}, {"line", FRAME_LINE},
              {"column", FRAME_COLUMN}, {"nativeSymbol", DROPPED}, {"innerWindowID", DROPPED},
              {"implementation", DROPPED}, {"originalLocation", DROPPED});
        break;
    case T_FUNCS:
        TABLE("funcTable", {"name", FUNC_NAME}, {"isJS", FUNC_JS}, {"resource", FUNC_RESOURCE},
              {"source", FUNC_SOURCE}, {"fileName", FUNC_FILE}, {"lineNumber", FUNC_LINE},
              {"columnNumber", FUNC_COLUMN}, {"relevantForJS", DROPPED},
              {"originalLocation", DROPPED});
        break;
    case T_RESOURCES:
        TABLE("resourceTable", {"lib", RESOURCE_LIB}, {"name", LENGTH}, {"host", DROPPED},
              {"type", LENGTH});
        break;
    case T_SYMBOLS:
        TABLE("nativeSymbols", {"name", DROPPED}, {"address", LENGTH}, {"libIndex", LENGTH},
              {"functionSize", DROPPED});
        break;
    case T_SOURCES:
        TABLE("sources", {"filename", SOURCE_FILE}, {"id", DROPPED}, {"uuid", DROPPED},
              {"startLine", DROPPED}, {"startColumn", DROPPED}, {"sourceMapURL", DROPPED},
              {"content", DROPPED});
        break;
    default:
        TABLE("sourceLocationTable", {"source", LENGTH}, {"line", DROPPED}, {"column", LENGTH});
    }
#undef TABLE
}

/* --- samples --- */

/* The current token, a number in the range of doubles, in any spelling. */
static struct decimal read_any_decimal(struct reader *r)
{
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    if (!tokens_is_double(&r->json))
        tokens_unexpected(&r->json, "a number that a double can hold");
    return decimal_read(r->json.text);
}

/* The same. Most have few digits. */
static struct decimal read_decimal(struct reader *r)
{
    const char *p = r->json.text.p, *end = p + r->json.text.n;
    bool is_negative = p < end && *p == '-';
    int64_t digits = 0;
    int exponent = 0;
    bool has_point = false;
    if (r->json.token != TOKEN_NUMBER || r->json.text.n > 18)
        return read_any_decimal(r);
    for (p += is_negative; p < end; p++) {
        if (str_is_digit(*p))
            digits = digits * 10 + (*p - '0');
        else if (*p == '.')
            has_point = true;
        else
            return read_any_decimal(r);
        exponent -= has_point && *p != '.';
    }
    for (; exponent < 0 && digits % 10 == 0; digits /= 10)
        exponent = digits == 0 ? 0 : exponent + 1;
    return (struct decimal){wide_of(is_negative ? -digits : digits), exponent};
}

/* Whether X is an integer of 64 bits; if so it is stored in *INTEGER. Fast for what files have. */
static bool is_integer(struct decimal x, int64_t *integer)
{
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    if (x.exponent >= 0 && x.exponent <= 6 && wide_fits(x.digits, integer) &&
        !__builtin_mul_overflow(*integer, powers[x.exponent], integer))
        return true;
    return decimal_is_integer(x, integer);
}

static void put(struct reader *r, struct track *t, int strand, const void *value, size_t size)
{
    spools_write(r->spools, t->strands[strand], (struct str){value, size});
    t->counts[strand]++;
}

static void begin_list(struct reader *r, struct track *t, int strand)
{
    tokens_list(&r->json, "a list");
    if (t->has[strand])
        tokens_die(&r->json, r->json.where,
                   "this list stands there twice: times and timeDeltas, or weights and counts");
    t->has[strand] = true;
    t->strands[strand] = spools_begin(r->spools);
    hold(r, SPOOLS_STRAND);
}

/* Reads stacks: indexes plus 1, 0 for none. */
static void read_stacks(struct reader *r, struct track *t)
{
    uint32_t numbers[BATCH];
    size_t count;
    for (begin_list(r, t, S_STACK);;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, BATCH)) > 0) {
            for (size_t i = 0; i < count; i++)
                numbers[i]++;
            spools_write(r->spools, t->strands[S_STACK],
                         (struct str){(const char *)numbers, count * sizeof *numbers});
            t->counts[S_STACK] += count;
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        int64_t index = r->json.token == TOKEN_NULL
                            ? -1
                            : tokens_integer(&r->json, 0, "the index of a stack, or null");
        if (index >= UINT32_MAX)
            tokens_unexpected(&r->json, "the index of a stack");
        numbers[0] = (uint32_t)(index + 1);
        put(r, t, S_STACK, numbers, sizeof *numbers);
    }
}

/* Reads times in milliseconds: from the start, or ARE_DELTAS from one to the next. Fractions of a
 * nanosecond are what doubles cannot hold. */
static void read_times(struct reader *r, struct track *t, bool are_deltas)
{
    struct decimal time = decimal_of(0);
    int64_t nanoseconds;
    for (begin_list(r, t, S_TIME); tokens_next(&r->json) != TOKEN_ARRAY_END;) {
        struct decimal given = read_decimal(r);
        if (are_deltas)
            decimal_add(&time, given);
        else
            time = given;
        struct decimal exact = time;
        exact.exponent += decimal_sign(exact) == 0 ? 0 : 6;
        if (!is_integer(exact, &nanoseconds) && !decimal_round(exact, &nanoseconds) &&
            t->late.line == 0)
            t->late = r->json.where; /* those that we have made up may be any */
        put(r, t, S_TIME, &nanoseconds, sizeof nanoseconds);
    }
}

/* Reads numbers. A null, where MAY_BE_NULL, is one with an exponent that no number has. */
enum { NULL_EXPONENT = INT16_MAX };
static void read_numbers(struct reader *r, struct track *t, int strand, bool may_be_null)
{
    uint32_t numbers[BATCH];
    struct decimal batch[BATCH];
    size_t count;
    for (begin_list(r, t, strand);;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, BATCH)) > 0) {
            for (size_t i = 0; i < count; i++)
                batch[i] = decimal_of(numbers[i]);
            spools_write(r->spools, t->strands[strand],
                         (struct str){(const char *)batch, count * sizeof *batch});
            t->counts[strand] += count;
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        struct decimal number = {wide_of(0), NULL_EXPONENT};
        if (r->json.token != TOKEN_NULL || !may_be_null)
            number = read_decimal(r);
        put(r, t, strand, &number, sizeof number);
    }
}

static void read_weight_type(struct reader *r, struct track *t)
{
    if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("samples")))
        t->weight_type = WEIGHT_SAMPLES;
    else if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("tracing-ms")))
        t->weight_type = WEIGHT_MS;
    else if (r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("bytes")))
        t->weight_type = WEIGHT_BYTES;
    else if (r->json.token != TOKEN_NULL)
        tokens_unexpected(&r->json, "\"samples\", \"tracing-ms\" or \"bytes\"");
}

/* Reads the samples that are the current value: adds a track that begins as T. */
static void read_samples(struct reader *r, struct track t)
{
    static const char *const names[] = {
        "stack",      "time",           "timeDeltas", "weight",   "count",
        "weightType", "threadCPUDelta", "length",     "number",   "responsiveness",
        "eventDelay", "argumentValues", "className",  "typeName", "coarseType",
        "inNursery",  "memoryAddress",  "threadId"};
    unsigned seen = 0, member;
    int64_t length = -1;
    t.where = r->json.where;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "samples, an object of lists");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_stacks(r, &t); break;
        case 1:
        case 2: read_times(r, &t, member == 2); break;
        case 3:
        case 4:
            if (r->json.token != TOKEN_NULL)
                read_numbers(r, &t, S_WEIGHT, false);
            break;
        case 5: read_weight_type(r, &t); break;
        case 6: read_numbers(r, &t, S_CPU, true); break;
        case 7: length = tokens_integer(&r->json, 0, "an integer from 0"); break;
        default: drop(r, names[member]);
        }
    if (t.kind == TRACK_COUNTER && !t.has[S_WEIGHT] && (t.counts[S_TIME] > 0 || length > 0))
        tokens_die(&r->json, t.where, "the samples of this counter have no \"count\"");
    if (t.kind == TRACK_COUNTER && !t.has[S_STACK])
        t.counts[S_STACK] = t.counts[S_WEIGHT];
    for (int i = 0; i < STRANDS; i++)
        if ((t.has[i] && t.counts[i] != t.counts[S_STACK]) ||
            (length >= 0 && (uint64_t)length != t.counts[S_STACK]))
            tokens_die(&r->json, t.where, "the lists of these samples have different lengths");
    hold(r, sizeof t);
    r->tracks = mem_array(r->tracks, &r->track_capacity, r->track_count + 1, sizeof *r->tracks);
    r->tracks[r->track_count++] = t;
}

/* --- our own member --- */

/* X as a number of a row, kept until the end. */
static struct number kept_number(struct reader *r, struct decimal x)
{
    int64_t integer;
    if (decimal_is_integer(x, &integer))
        return number_of(integer);
    r->numbers.n = 0;
    decimal_write_real(&r->numbers, x);
    return (struct number){.kind = NUMBER_REAL,
                           .real =
                               arena_copy(&r->arena, (struct str){r->numbers.p, r->numbers.n - 1})};
}

/* Keeps the list of labels that is the current value. */
static struct str read_labels(struct reader *r)
{
    static const char *const names[] = {"key", "str", "num", "unit"};
    struct buf *to = &r->extra;
    to->n = 0;
    tokens_list(&r->json, "a list of labels");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        unsigned seen = 0, member;
        if (r->json.token != TOKEN_OBJECT)
            tokens_unexpected(&r->json, "a label, an object");
        buf_add(to, to->n == 0 ? STR("[") : STR(","));
        size_t start = to->n;
        while (tokens_next_member(&r->json, names, 4, &seen, &member)) {
            emit_member(to, str_of(names[member]));
            int64_t number;
            if (member == 2 && !tokens_is_integer(&r->json, &number))
                tokens_unexpected(&r->json, "an integer");
            if (member == 2) {
                emit_number(to, number);
            } else {
                struct str text = text_of(r, read_text(r, "a string"));
                emit_inner_string(to, &r->text, text);
            }
        }
        if ((seen & 1) == 0 || (seen & 6) == 0)
            tokens_die(&r->json, r->json.where, "the label has no key or no value");
        to->p[start] = '{';
        buf_add(to, STR("}"));
    }
    if (to->n == 0)
        return (struct str){NULL, 0};
    buf_add(to, STR("]"));
    return arena_copy(&r->arena, buf_str(to));
}

static struct mark read_mark(struct reader *r)
{
    static const char *const names[] = {"source", "type", "timed", "labels"};
    unsigned seen = 0, member;
    struct mark mark = {.is_there = true};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member(&r->json, names, 4, &seen, &member))
        switch (member) {
        case 0: mark.source = tokens_integer(&r->json, 1, "the number of a source"); break;
        case 1: mark.type = tokens_integer(&r->json, 1, "the number of a type"); break;
        case 2: mark.is_timed = r->json.token == TOKEN_TRUE; break;
        default: mark.labels = read_labels(r);
        }
    return mark;
}

static void add_type(struct reader *r, struct source_type t)
{
    r->types = mem_array(r->types, &r->type_capacity, r->type_count + 1, sizeof *r->types);
    r->types[r->type_count++] = t;
}

static void read_type(struct reader *r)
{
    static const char *const names[] = {"type", "unit", "gauge"};
    unsigned seen = 0, member;
    uint32_t texts[2] = {0};
    struct source_type t = {.source = (uint32_t)r->source_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a type, an object");
    while (tokens_next_member(&r->json, names, 3, &seen, &member))
        if (member == 2)
            t.is_gauge = r->json.token == TOKEN_TRUE;
        else
            texts[member] = read_text(r, "a string");
    t.type =
        value_types_add_bytes(&r->sink->flow->types, text_of(r, texts[0]), text_of(r, texts[1]));
    uint32_t key[] = {t.source, value_types_get(&r->sink->flow->types, t.type)->name};
    bool is_new;
    intern_add(&r->type_names, (struct str){(const char *)key, sizeof key}, &is_new);
    t.is_double = !is_new;
    add_type(r, t);
}

static void read_source(struct reader *r)
{
    static const char *const names[] = {"name", "timestamp", "types", "shown"};
    unsigned seen = 0, member;
    struct source s = {.first_type = r->type_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a source, an object");
    r->source_count++;
    while (tokens_next_member(&r->json, names, 4, &seen, &member)) {
        if (member == 0 || member == 3) {
            *(member == 0 ? &s.name : &s.shown) = read_text(r, "a string");
        } else if (member == 1) {
            s.timestamp = kept_number(r, read_any_decimal(r));
        } else {
            tokens_list(&r->json, "a list of types");
            while (tokens_next(&r->json) != TOKEN_ARRAY_END)
                read_type(r);
        }
    }
    s.type_count = (int64_t)(r->type_count - s.first_type);
    r->sources = mem_array(r->sources, &r->source_capacity, r->source_count, sizeof *r->sources);
    r->sources[r->source_count - 1] = s;
}

static void read_file_mark(struct reader *r)
{
    static const char *const names[] = {"sources"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    r->has_mark = true;
    while (tokens_next_member(&r->json, names, 1, &seen, &member)) {
        tokens_list(&r->json, "a list of sources");
        while (tokens_next(&r->json) != TOKEN_ARRAY_END)
            read_source(r);
    }
}

/* --- the other parts of the file --- */

/* Ends the tool if the version is none of those that are read. */
static void check_version(const struct reader *r, struct tokens_place where)
{
    if (r->version == 0)
        tokens_die(&r->json, where,
                   "the file does not say which version of processed profiles it is: "
                   "profiler.firefox.com opens it, and saves it in a version that is read");
    if (r->version < FIREFOX_OLDEST)
        tokens_die(&r->json, where,
                   "expected version %d to %d of processed profiles, found %" PRId64
                   ": profiler.firefox.com opens it, and saves it in a newer version",
                   FIREFOX_OLDEST, FIREFOX_NEWEST, r->version);
    if (r->version > FIREFOX_NEWEST)
        tokens_die(&r->json, where,
                   "expected version %d to %d of processed profiles, found %" PRId64,
                   FIREFOX_OLDEST, FIREFOX_NEWEST, r->version);
}

static void read_category(struct reader *r)
{
    static const char *const names[] = {"name", "color", "subcategories"};
    unsigned seen = 0, member;
    struct category c = {.first = r->part_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a category, an object");
    while (tokens_next_member(&r->json, names, 3, &seen, &member)) {
        if (member == 0)
            c.name = read_text(r, "a string");
        if (member == 1)
            tokens_skip(&r->json);
        if (member != 2)
            continue;
        tokens_list(&r->json, "a list of names");
        while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
            uint32_t name = read_text(r, "a string");
            r->parts = mem_array(r->parts, &r->part_capacity, r->part_count + 1, sizeof *r->parts);
            r->parts[r->part_count++] = name;
        }
    }
    c.count = r->part_count - c.first;
    r->categories = mem_array(r->categories, &r->category_capacity, r->category_count + 1,
                              sizeof *r->categories);
    r->categories[r->category_count++] = c;
}

static void read_meta(struct reader *r)
{
    static const char *const names[] = {FIREFOX_META_MEMBERS, "sampleUnits"};
    static const char *const units[] = {"threadCPUDelta", "time", "eventDelay"};
    unsigned seen = 0, member, seen_unit = 0, unit;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member_or(&r->json, names, sizeof names / sizeof *names, &seen, &member,
                                 &r->meta))
        switch (member) {
        case 0:
            r->version = tokens_integer(&r->json, 1, "a version");
            check_version(r, r->json.where);
            break;
        case 1: r->start = read_any_decimal(r); break;
        case 2:
            tokens_list(&r->json, "a list of categories");
            while (tokens_next(&r->json) != TOKEN_ARRAY_END)
                read_category(r);
            break;
        case 8:
            if (r->json.token != TOKEN_OBJECT) {
                tokens_skip(&r->json);
                break;
            }
            while (tokens_next_member(&r->json, units, 3, &seen_unit, &unit))
                if (unit == 0)
                    r->cpu_unit = text_of(r, read_text(r, "a string"));
                else
                    tokens_skip(&r->json);
            break;
        default: tokens_skip(&r->json);
        }
}

/* Reads an address that is spelled as in rows. */
static uint64_t read_address(struct reader *r)
{
    struct str text = r->json.text;
    uint64_t address = 0;
    if (r->json.token != TOKEN_STRING || !str_take(&text, STR("0x")) || text.n == 0 || text.n > 16)
        tokens_unexpected(&r->json, "an address");
    for (size_t i = 0; i < text.n; i++) {
        if (text_hex_value(text.p[i]) > 15)
            tokens_unexpected(&r->json, "an address");
        address = address << 4 | text_hex_value(text.p[i]);
    }
    return address;
}

static void read_lib_mark(struct reader *r, struct lib *lib)
{
    static const char *const names[] = {"memory_start",     "memory_limit",  "file_offset",
                                        "has_functions",    "has_filenames", "has_line_numbers",
                                        "has_inline_frames"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    lib->is_marked = true;
    while (tokens_next_member(&r->json, names, 7, &seen, &member))
        switch (member) {
        case 0: lib->start = read_address(r); break;
        case 1: lib->limit = read_address(r); break;
        case 2: lib->offset = read_address(r); break;
        default: lib->flags[member - 3] = r->json.token == TOKEN_TRUE;
        }
}

static void read_lib(struct reader *r)
{
    static const char *const names[] = {"name",      "path",      "codeId",     "profpipe",
                                        "debugName", "debugPath", "breakpadId", "arch"};
    unsigned seen = 0, member;
    struct lib lib = {0};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a library, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: lib.name = read_text(r, "a string"); break;
        case 1: lib.path = read_text(r, "a string"); break;
        case 2: lib.build = read_text(r, "a string or null"); break;
        case 3: read_lib_mark(r, &lib); break;
        case 4:
        case 5: tokens_skip(&r->json); break; /* mostly as name and path */
        default: drop(r, names[member]);
        }
    r->libs = mem_array(r->libs, &r->lib_capacity, r->lib_count + 1, sizeof *r->libs);
    r->libs[r->lib_count++] = lib;
}

/* Adds a set of tables; returns its index. */
static size_t add_tables(struct reader *r)
{
    r->tables = mem_array(r->tables, &r->table_capacity, r->table_count + 1, sizeof *r->tables);
    r->tables[r->table_count] = (struct tables){0};
    hold(r, sizeof *r->tables);
    return r->table_count++;
}

/* Skips the current value. Returns how many items it has; 0 if it is no list. */
static uint64_t skip_list(struct reader *r)
{
    uint64_t count = 0;
    if (r->json.token != TOKEN_ARRAY) {
        tokens_skip(&r->json);
        return 0;
    }
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; count++)
        tokens_skip(&r->json);
    return count;
}

/* Counts the markers that are the current value: as many as it says, or as its longest list has. */
static void read_markers(struct reader *r)
{
    uint64_t count = 0, n;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next(&r->json) != TOKEN_OBJECT_END) {
        bool is_length = str_equal(r->json.text, STR("length"));
        tokens_next(&r->json);
        n = is_length ? (uint64_t)tokens_integer(&r->json, 0, "an integer from 0") : skip_list(r);
        count = n > count ? n : count;
    }
    if (count > 0)
        loss_add(LOSS_FIREFOX_MARKERS, STR(""), count);
}

/* The members of a thread that are read; those behind are counted. */
enum {
    TH_NAME = T_COUNT,
    TH_PROCESS,
    TH_PID,
    TH_TID,
    TH_SAMPLES,
    TH_JS,
    TH_NATIVE,
    TH_MARKERS,
    TH_MARK,
    TH_DROPPED
};

static void read_thread(struct reader *r)
{
    static const char *const names[] = {SHARED_TABLES,
                                        "name",
                                        "processName",
                                        "pid",
                                        "tid",
                                        "samples",
                                        "jsAllocations",
                                        "nativeAllocations",
                                        "markers",
                                        "profpipe",
                                        "processType",
                                        "processStartupTime",
                                        "processShutdownTime",
                                        "registerTime",
                                        "unregisterTime",
                                        "pausedRanges",
                                        "isMainThread",
                                        "eTLD+1",
                                        "isJsTracer",
                                        "jsTracer",
                                        "isPrivateBrowsing",
                                        "userContextId",
                                        "usedInnerWindowIDs",
                                        "showMarkersInTimeline",
                                        "tracedValuesBuffer"};
    unsigned seen = 0, member;
    struct thread t = {0};
    struct mark mark = {0};
    size_t first = r->track_count;
    uint64_t dropped[sizeof names / sizeof *names] = {0};
    struct track track = {.thread = r->thread_count};
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a thread, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case TH_NAME: t.name = read_text(r, "a string"); break;
        case TH_PROCESS: t.process = read_text(r, "a string"); break;
        case TH_PID: t.pid = read_text(r, "a string or a number"); break;
        case TH_TID: t.tid = read_text(r, "a string or a number"); break;
        case TH_SAMPLES:
        case TH_JS:
        case TH_NATIVE:
            track.kind = TRACK_SAMPLES + (member - TH_SAMPLES);
            read_samples(r, track);
            break;
        case TH_MARKERS: read_markers(r); break;
        case TH_MARK: mark = read_mark(r); break;
        default:
            if (member >= TH_DROPPED) {
                dropped[member] = skip(r);
            } else {
                if (t.tables == 0)
                    t.tables = add_tables(r);
                read_tables(r, &r->tables[t.tables], member);
            }
        }
    for (size_t i = TH_DROPPED; i < sizeof names / sizeof *names && !mark.is_there; i++)
        if (dropped[i] > 0)
            loss_add(LOSS_OWN, str_of(names[i]), dropped[i]);
    for (size_t i = first; i < r->track_count; i++)
        r->tracks[i].mark = mark;
    r->threads =
        mem_array(r->threads, &r->thread_capacity, r->thread_count + 1, sizeof *r->threads);
    r->threads[r->thread_count++] = t;
    hold(r, sizeof t);
}

static void read_display(struct reader *r, struct track *t)
{
    static const char *const names[] = {"graphType", "unit"};
    struct buf others = {0};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object");
    while (tokens_next_member_or(&r->json, names, 2, &seen, &member, &others))
        if (member == 0)
            t->is_level =
                r->json.token == TOKEN_STRING && str_equal(r->json.text, STR("line-accumulated"));
        else
            t->unit = read_text(r, "a string");
    buf_free(&others);
}

static void read_counter(struct reader *r)
{
    static const char *const names[] = {"name",        "category",        "pid",
                                        "display",     "samples",         "profpipe",
                                        "description", "mainThreadIndex", "color"};
    unsigned seen = 0, member;
    struct track t = {.kind = TRACK_COUNTER};
    size_t at = r->track_count;
    bool has_display = false;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a counter, an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: t.name = read_text(r, "a string"); break;
        case 1: t.category = read_text(r, "a string"); break;
        case 2: t.pid = read_text(r, "a string or a number"); break;
        case 3:
            read_display(r, &t);
            has_display = true;
            break;
        case 4: read_samples(r, t); break;
        case 5: t.mark = read_mark(r); break;
        default: tokens_skip(&r->json);
        }
    if (r->track_count == at)
        return;
    struct track *to = &r->tracks[at];
    bool is_memory = str_equal(text_of(r, t.category), STR("Memory"));
    to->name = t.name;
    to->pid = t.pid;
    to->mark = t.mark;
    to->unit = t.unit;
    to->is_level = has_display ? t.is_level : is_memory;
    if (t.unit == 0)
        to->unit = intern_add(&r->texts,
                              is_memory || str_equal(text_of(r, t.category), STR("Bandwidth"))
                                  ? STR("bytes")
                              : str_equal(text_of(r, t.category), STR("power")) ? STR("pWh")
                                                                                : STR("count"),
                              NULL);
}

/* Reads the items of the list that is the current value, each with ONE. */
static void read_each(struct reader *r, const char *what, void (*one)(struct reader *r))
{
    tokens_list(&r->json, what);
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        one(r);
}

static void read_file(struct reader *r)
{
    static const char *const names[] = {
        "meta",     "libs",  "shared",           "threads",      "counters",
        "profpipe", "pages", "profilerOverhead", "profilingLog", "profileGatheringLog"};
    static const char *const shared[] = {SHARED_TABLES};
    unsigned seen = 0, member, seen_table = 0, table;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: read_meta(r); break;
        case 1: read_each(r, "a list of libraries", read_lib); break;
        case 2:
            if (r->json.token != TOKEN_OBJECT)
                tokens_unexpected(&r->json, "an object");
            while (tokens_next_member(&r->json, shared, T_COUNT, &seen_table, &table))
                read_tables(r, &r->tables[0], table);
            break;
        case 3: read_each(r, "a list of threads", read_thread); break;
        case 4:
            if (r->json.token != TOKEN_NULL)
                read_each(r, "a list of counters", read_counter);
            break;
        case 5: read_file_mark(r); break;
        default: drop(r, names[member]);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (r->version == 0)
        check_version(r, end);
    if ((seen & 1u << 3) == 0)
        tokens_die(&r->json, end, "the file has no threads");
}

/* === rows === */

/* --- frames and stacks --- */

struct function {
    uint32_t name, file;
    int64_t line, column, is_js;
};

/* A location. There is no padding, so that it can be a key. */
struct spot {
    uint32_t function, mapping, into;
    uint32_t category, part;
    uint32_t zero;
    uint64_t address;
    int64_t line, column;
};

/* Ends the tool: INDEX in the column NAME, at I, is none of a WHAT. */
static _Noreturn void die_index(const struct reader *r, const struct column *c, size_t i,
                                const char *what)
{
    tokens_die(&r->json, c->where, "[%zu]: there is no %s %" PRId64, i, what, c->values[i]);
}

/* The value I of the COLUMN of T; NONE if it has no such column. */
static int64_t at(const struct tables *t, int column, size_t i)
{
    const struct column *c = &t->columns[column];
    return i < c->count ? c->values[i] : NONE;
}

/* The same for an index below COUNT of a WHAT; ends the tool if it is another. IS_OPTIONAL: NONE
 * and -1 are none, which is NONE. */
static int64_t index_at(const struct reader *r, const struct tables *t, int column, size_t i,
                        size_t count, const char *what, bool is_optional)
{
    int64_t index = at(t, column, i);
    if (is_optional && (index == NONE || index == -1))
        return NONE;
    if (index == NONE && i < t->columns[column].count)
        tokens_die(&r->json, t->columns[column].where, "[%zu]: expected a %s, found null", i, what);
    if (index == NONE)
        tokens_die(&r->json, t->where, "a table has no list of indexes of a %s", what);
    if (index < 0 || (uint64_t)index >= count)
        die_index(r, &t->columns[column], i, what);
    return index;
}

/* The string, a number in r->texts, that the value I of the COLUMN of T names; 0: none. */
static uint32_t string_at(const struct reader *r, const struct tables *t, int column, size_t i,
                          bool is_optional)
{
    const struct tables *of = t->string_count > 0 ? t : &r->tables[0];
    int64_t index = index_at(r, t, column, i, of->string_count, "string", is_optional);
    return index == NONE ? 0 : of->strings[index];
}

/* The library, from 1, of frame I of T whose function is FUNC; 0: none. */
static uint32_t lib_of(const struct reader *r, const struct tables *t, size_t i, size_t func)
{
    int64_t lib = at(t, FRAME_LIB, i) == NONE
                      ? NONE
                      : index_at(r, t, FRAME_LIB, i, r->lib_count, "library", true);
    if (t->columns[FRAME_LIB].count == 0 && t->columns[RESOURCE_LIB].count > 0) {
        int64_t resource =
            index_at(r, t, FUNC_RESOURCE, func, t->columns[RESOURCE_LIB].count, "resource", true);
        if (resource != NONE)
            lib = index_at(r, t, RESOURCE_LIB, (size_t)resource, r->lib_count, "library", true);
    }
    return lib == NONE ? 0 : (uint32_t)(lib + 1);
}

/* Appends the columns that PLACE has no fields of rows for to r->extra. */
static void add_place(struct reader *r, const struct spot *place)
{
    const struct {
        struct str name;
        uint32_t text;
    } columns[] = {{STR(".firefox_category"), place->category},
                   {STR(".firefox_subcategory"), place->part}};
    r->extra.n = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (columns[i].text == 0)
            continue;
        struct str text =
            emit_text(&r->text, &r->inexact, columns[i].name, text_of(r, columns[i].text));
        emit_member(&r->extra, columns[i].name);
        emit_string(&r->extra, text);
    }
    emit_bytes_column(&r->extra, &r->inexact);
}

/* The id of the location PLACE, whose row is pushed if it is new. */
static uint32_t location_of(struct reader *r, const struct spot *place)
{
    bool is_new;
    uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)place, sizeof *place}, &is_new);
    if (!is_new)
        return id;
    add_place(r, place);
    sink_row(r->sink,
             &(struct row){
                 .table = TABLE_LOCATIONS,
                 .location = {id, place->function == 0 ? ROW_NULL : place->function,
                              place->function == 0 && place->line == 0 ? ROW_NULL : place->line},
                 .extra = buf_str(&r->extra),
                 .site = {.mapping_id = place->mapping,
                          .address = place->address,
                          .column = place->column,
                          .inlined_into = place->into}});
    return id;
}

/* The id of the function F, whose row is pushed if it is new. */
static uint32_t function_of(struct reader *r, const struct function *f)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, (struct str){(const char *)f, sizeof *f}, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    if (f->is_js)
        buf_add(&r->extra, STR(",\".firefox_js\":true"));
    if (f->column != 0) {
        emit_member(&r->extra, STR(".firefox_column"));
        emit_number(&r->extra, f->column);
    }
    bytes_rows_function(&r->rows, r->sink, id, text_of(r, f->name), text_of(r, f->file), f->line,
                        buf_str(&r->extra));
    return id;
}

/* The value I, a line or a column of text, of the COLUMN of T, whose name is NAME; 0: not known. One
 * below 0 is none; -1 is how some say that. */
static int64_t line_at(const struct tables *t, int column, size_t i, const char *name)
{
    int64_t line = at(t, column, i);
    if (line != NONE && line < -1)
        loss_add(LOSS_OWN, str_of(name), 1);
    return line == NONE || line < 0 ? 0 : line;
}

/* The function I of T. */
static struct function read_function(const struct reader *r, const struct tables *t, size_t i)
{
    const struct tables *sources = t->columns[SOURCE_FILE].count > 0 ? t : &r->tables[0];
    struct function f = {
        .name = string_at(r, t, FUNC_NAME, i, false),
        .line = line_at(t, FUNC_LINE, i, "lineNumber"),
        .column = line_at(t, FUNC_COLUMN, i, "columnNumber"),
        .is_js = at(t, FUNC_JS, i) == 1,
    };
    int64_t source =
        index_at(r, t, FUNC_SOURCE, i, sources->columns[SOURCE_FILE].count, "source", true);
    if (source != NONE)
        f.file = string_at(r, sources, SOURCE_FILE, (size_t)source, true);
    else
        f.file = string_at(r, t, FUNC_FILE, i, true);
    return f;
}

/* Stores the category of frame I of T in PLACE: none for the one that all others have. */
static void read_category_of(const struct reader *r, const struct tables *t, size_t i,
                             struct spot *place)
{
    int64_t index = index_at(r, t, FRAME_CATEGORY, i, r->category_count, "category", true);
    if (index == NONE)
        return;
    const struct category *c = &r->categories[index];
    int64_t part = index_at(r, t, FRAME_PART, i, c->count > 0 ? c->count : 1, "subcategory", true);
    place->part = part == NONE || part == 0 ? 0 : r->parts[c->first + (size_t)part];
    if (place->part != 0 || !str_equal(text_of(r, c->name), STR("Other")))
        place->category = c->name;
}

/* The location of frame I of T, as if it were not inlined. */
static struct spot read_frame(struct reader *r, const struct tables *t, size_t i)
{
    size_t func =
        (size_t)index_at(r, t, FRAME_FUNC, i, t->columns[FUNC_NAME].count, "function", false);
    struct function f = read_function(r, t, func);
    struct spot place = {
        .mapping = lib_of(r, t, i, func),
        .line = line_at(t, FRAME_LINE, i, "line"),
        .column = line_at(t, FRAME_COLUMN, i, "column"),
    };
    int64_t address = at(t, FRAME_ADDRESS, i);
    bool has_address = address != NONE;
    read_category_of(r, t, i, &place);
    r->text.n = 0;
    if (has_address) {
        place.address = (uint64_t)address;
        emit_address(&r->text, place.address);
    }
    if (has_address && place.mapping != 0)
        place.address += r->libs[place.mapping - 1].start - r->libs[place.mapping - 1].offset;
    /* the Profiler names code by its address where it knows no function, or no name of it */
    bool is_nameless = has_address && str_equal(buf_str(&r->text), text_of(r, f.name));
    bool has_function = !is_nameless || f.file != 0;
    if (is_nameless)
        f.name = intern_add(&r->texts, STR(""), NULL);
    if (text_of(r, f.file).n == 0)
        f.file = 0;
    if (has_function)
        place.function = function_of(r, &f);
    return place;
}

/* Checks that the columns from FIRST to LAST have as many values as KEY, if any. */
static void check_lengths(const struct reader *r, const struct tables *t, int key, int first,
                          int last)
{
    for (int i = first; i <= last; i++)
        if (t->columns[i].count != 0 && t->columns[i].count != t->columns[key].count)
            tokens_die(&r->json, t->columns[i].where,
                       "expected a list of %zu, as others of this table, found %zu",
                       t->columns[key].count, t->columns[i].count);
}

/* The stack above I in T, from 1; 0: none. */
static uint32_t above_of(const struct reader *r, const struct tables *t, size_t i)
{
    int column = t->columns[STACK_OFFSET].count > 0 ? STACK_OFFSET : STACK_PREFIX;
    int64_t value = at(t, column, i);
    if (value == NONE || (column == STACK_OFFSET && value == 0))
        return 0;
    if (value < 0 || (uint64_t)value > i || (column == STACK_PREFIX && (uint64_t)value == i))
        tokens_die(&r->json, t->columns[column].where,
                   "[%zu]: expected a stack before this one, found %" PRId64, i, value);
    return (uint32_t)(column == STACK_OFFSET ? i - (size_t)value : (size_t)value) + 1;
}

/* Finds the locations of all stacks of T. */
static void link_stacks(struct reader *r, struct tables *t)
{
    size_t count = t->columns[STACK_FRAME].count, frames = t->columns[FRAME_FUNC].count;
    uint32_t *plain = mem_alloc_zeroed((frames + 1) * sizeof *plain);
    struct spot *places = mem_alloc((frames + 1) * sizeof *places);
    check_lengths(r, t, STACK_FRAME, STACK_FRAME, STACK_OFFSET);
    check_lengths(r, t, FRAME_FUNC, FRAME_ADDRESS, FRAME_COLUMN);
    check_lengths(r, t, FUNC_NAME, FUNC_NAME, FUNC_COLUMN);
    for (size_t i = 0; i < frames; i++)
        places[i] = read_frame(r, t, i);
    t->stacks = mem_alloc((count + 1) * sizeof *t->stacks);
    t->stacks[0] = (struct link){0};
    for (size_t i = 0; i < count; i++) {
        size_t frame = (size_t)index_at(r, t, STACK_FRAME, i, frames, "frame", false);
        uint32_t above = above_of(r, t, i);
        struct link *link = &t->stacks[i + 1];
        *link = (struct link){.above = above, .depth = t->stacks[above].depth + 1};
        int64_t depth = at(t, FRAME_DEPTH, frame);
        if (depth > 0 && above != 0 &&
            at(t, FRAME_DEPTH, (size_t)t->columns[STACK_FRAME].values[above - 1]) == depth - 1) {
            struct spot place = places[frame];
            place.into = t->stacks[above].location;
            link->location = location_of(r, &place);
        } else {
            if (plain[frame] == 0)
                plain[frame] = location_of(r, &places[frame]);
            link->location = plain[frame];
        }
    }
    mem_free(plain);
    mem_free(places);
    t->is_linked = true;
}

/* --- definitions --- */

static void push_libs(struct reader *r)
{
    static const struct str flags[] = {STR("has_functions"), STR("has_filenames"),
                                       STR("has_line_numbers"), STR("has_inline_frames")};
    for (size_t i = 0; i < r->lib_count; i++) {
        const struct lib *lib = &r->libs[i];
        const struct {
            struct str name;
            uint64_t address;
        } addresses[] = {{STR("memory_start"), lib->start},
                         {STR("memory_limit"), lib->limit},
                         {STR("file_offset"), lib->offset}};
        r->extra.n = 0;
        for (size_t a = 0; a < 3; a++) {
            emit_member(&r->extra, addresses[a].name);
            buf_add(&r->extra, STR("\""));
            emit_address(&r->extra, addresses[a].address);
            buf_add(&r->extra, STR("\""));
        }
        emit_member(&r->extra, STR("filename"));
        emit_inner_string(&r->extra, &r->text, text_of(r, lib->path != 0 ? lib->path : lib->name));
        emit_member(&r->extra, STR("build_id"));
        emit_inner_string(&r->extra, &r->text, text_of(r, lib->build));
        for (size_t f = 0; f < 4; f++)
            if (lib->flags[f]) {
                emit_member(&r->extra, flags[f]);
                buf_add(&r->extra, STR("true"));
            }
        sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                        .mapping = {.mapping_id = (int64_t)i + 1},
                                        .extra = buf_str(&r->extra)});
    }
}

/* The number of the source of what has no mark: the only one, or the one behind ours. */
static uint32_t foreign_source(const struct reader *r)
{
    return r->has_mark ? (uint32_t)r->source_count + 1 : 1;
}

/* Lists the type of T, or of its threadCPUDelta, for the source that has no list of its own. */
static void list_type(struct reader *r, uint32_t type, bool is_gauge)
{
    if (type > r->listed_capacity)
        r->is_listed =
            mem_array_zeroed(r->is_listed, &r->listed_capacity, type, sizeof *r->is_listed);
    if (!r->is_listed[type - 1])
        add_type(r, (struct source_type){
                        .source = foreign_source(r), .type = type, .is_gauge = is_gauge});
    r->is_listed[type - 1] = true;
}

/* The type of T, which is not ours. */
static uint32_t foreign_type(struct reader *r, struct track *t)
{
    struct value_types *types = &r->sink->flow->types;
    switch (t->kind) {
    case TRACK_JS: return value_types_add(types, STR("js_allocations"), STR("bytes"));
    case TRACK_NATIVE: return value_types_add(types, STR("native_allocations"), STR("bytes"));
    case TRACK_COUNTER:
        return value_types_add_bytes(types, text_of(r, t->name), text_of(r, t->unit));
    default: break;
    }
    t->power = t->weight_type == WEIGHT_MS ? 6 : 0;
    return t->weight_type == WEIGHT_SAMPLES ? value_types_add(types, STR("samples"), STR("count"))
           : t->weight_type == WEIGHT_MS ? value_types_add(types, STR("time"), STR("nanoseconds"))
                                         : value_types_add(types, STR("bytes"), STR("bytes"));
}

static uint32_t cpu_type(struct reader *r)
{
    struct value_types *types = &r->sink->flow->types;
    if (r->cpu_unit.p == NULL || str_equal(r->cpu_unit, STR("ns")))
        return value_types_add(types, STR("cpu"), STR("nanoseconds"));
    if (str_equal(r->cpu_unit, STR("\xc2\xb5s")))
        return value_types_add(types, STR("cpu"), STR("microseconds"));
    return value_types_add(types, STR("cpu_cycles"), STR("count"));
}

/* Gives T, which is ours, the type that its mark says. */
static void take_mark(struct reader *r, struct track *t)
{
    const struct mark *m = &t->mark;
    if (m->source == 0 && m->type == 0 && t->counts[S_STACK] == 0)
        return;
    if (m->source < 1 || (uint64_t)m->source > r->source_count)
        tokens_die(&r->json, t->where, "\"profpipe\": there is no source %" PRId64, m->source);
    const struct source *s = &r->sources[m->source - 1];
    if (m->type < 1 || m->type > s->type_count)
        tokens_die(&r->json, t->where, "\"profpipe\": its source has no type %" PRId64, m->type);
    const struct source_type *type = &r->types[s->first_type + (size_t)m->type - 1];
    int power = firefox_power(value_types_get(&r->sink->flow->types, type->type)->unit);
    t->source = (uint32_t)m->source;
    t->type = type->type;
    t->is_level = t->kind == TRACK_COUNTER;
    t->power = t->kind != TRACK_COUNTER && power >= 0 ? 6 - power : 0;
    if (t->has[S_CPU])
        loss_add(LOSS_OWN, STR("threadCPUDelta"), t->counts[S_CPU]);
    t->has[S_CPU] = false;
}

/* Finds the sources and types of all tracks. Types are listed so that the last one is what the
 * Profiler shows. */
static void find_types(struct reader *r)
{
    static const int order[] = {TRACK_NATIVE, TRACK_JS, TRACK_COUNTER, TRACK_SAMPLES};
    for (size_t k = 0; k < TRACK_KINDS; k++)
        for (size_t i = 0; i < r->track_count; i++) {
            struct track *t = &r->tracks[i];
            if ((int)t->kind != order[k])
                continue;
            if (r->has_mark && t->mark.is_there) {
                take_mark(r, t);
                continue;
            }
            t->mark = (struct mark){.is_timed = true};
            t->source = foreign_source(r);
            r->has_foreign = true;
            if (t->has[S_CPU])
                list_type(r, t->cpu = cpu_type(r), false);
            t->type = foreign_type(r, t);
            if (t->kind != TRACK_SAMPLES)
                list_type(r, t->type, t->is_level);
        }
    for (size_t i = 0; i < r->track_count; i++)
        if (r->tracks[i].kind == TRACK_SAMPLES && !r->tracks[i].mark.is_there)
            list_type(r, r->tracks[i].type, false);
}

/* When the file says that it starts. */
static struct number start_of(struct reader *r)
{
    struct decimal start = r->start;
    if (decimal_sign(start) == 0)
        return (struct number){0};
    start.exponent -= 3;
    return kept_number(r, start);
}

/* Appends `.value_types` of source number I to r->extra. */
static void add_types(struct reader *r, uint32_t i, size_t *next)
{
    const char *separator = ",\".value_types\":[";
    for (; *next < r->type_count && r->types[*next].source == i; ++*next) {
        const struct value_type *t = value_types_get(&r->sink->flow->types, r->types[*next].type);
        buf_add(&r->extra, str_of(separator));
        buf_add(&r->extra, STR("{\"type\":"));
        emit_string(&r->extra, t->type);
        emit_member(&r->extra, STR("unit"));
        emit_string(&r->extra, t->unit);
        buf_add(&r->extra, r->types[*next].is_gauge ? STR(",\"gauge\":true}") : STR("}"));
        separator = ",";
    }
    buf_add(&r->extra, *separator == ',' && separator[1] == '\0' ? STR("]") : STR(""));
}

static void push_sources(struct reader *r, const char *uri)
{
    size_t count = r->has_mark ? r->source_count + r->has_foreign : 1, next = 0;
    for (size_t i = 0; i < count; i++) {
        const struct source *ours = i < r->source_count ? &r->sources[i] : NULL;
        struct row row = {.table = TABLE_SOURCES,
                          .source = {.source_id = (int64_t)i + 1,
                                     .source_type = STR("firefox"),
                                     .source_timestamp = r->request->timestamp}};
        if (row.source.source_timestamp.kind == NUMBER_NULL)
            row.source.source_timestamp = ours != NULL ? ours->timestamp : start_of(r);
        r->extra.n = 0;
        add_types(r, (uint32_t)i + 1, &next);
        emit_member(&r->extra, STR(".firefox"));
        size_t start = r->extra.n;
        if (ours != NULL) {
            emit_member(&r->extra, STR("name"));
            emit_inner_string(&r->extra, &r->text, text_of(r, ours->name));
        }
        if (ours != NULL && ours->shown != 0) {
            emit_member(&r->extra, STR("shown"));
            emit_inner_string(&r->extra, &r->text, text_of(r, ours->shown));
        }
        if (i == 0 && r->meta.n > 0) {
            emit_member(&r->extra, STR("meta"));
            buf_add(&r->extra, STR("\"{"));
            text_escape(&r->extra, (struct str){r->meta.p + 1, r->meta.n - 1});
            buf_add(&r->extra, STR("}\""));
        }
        buf_add(&r->extra, r->extra.n == start ? STR("{}") : STR("}"));
        r->extra.p[start] = '{';
        row.source.source_uri = bytes_rows_uri(&r->rows, uri, &r->extra);
        row.extra = buf_str(&r->extra);
        sink_row(r->sink, &row);
    }
}

/* --- samples --- */

static void add_label(struct reader *r, const char *key, uint32_t text)
{
    struct str value = text_of(r, text);
    int64_t number;
    if (text == 0)
        return;
    buf_add(&r->extra, r->extra.n == 0 ? STR(",\".labels\":[{\"key\":") : STR(",{\"key\":"));
    emit_string(&r->extra, str_of(key));
    emit_member(&r->extra, text_is_integer(value, &number) ? STR("num") : STR("str"));
    if (text_is_integer(value, &number))
        emit_number(&r->extra, number);
    else
        emit_inner_string(&r->extra, &r->text, value);
    buf_add(&r->extra, STR("}"));
}

/* The labels of the samples of T, as a column: the names of its thread, or what our mark says. */
static struct str labels_of(struct reader *r, const struct track *t)
{
    r->extra.n = 0;
    if (t->mark.is_there && t->mark.labels.p != NULL) {
        emit_member(&r->extra, STR(".labels"));
        buf_add(&r->extra, t->mark.labels);
    } else if (!t->mark.is_there) {
        const struct thread none = {.pid = t->pid};
        const struct thread *of = t->kind == TRACK_COUNTER ? &none : &r->threads[t->thread];
        add_label(r, "process", of->process);
        add_label(r, "pid", of->pid);
        add_label(r, "thread", of->name);
        add_label(r, "tid", of->tid);
        buf_add(&r->extra, r->extra.n > 0 ? STR("]") : STR(""));
    }
    return arena_copy(&r->arena, buf_str(&r->extra));
}

/* Whether the strand of A is that of B, byte for byte; both have as many values. */
static bool are_equal(struct reader *r, const struct track *a, const struct track *b, int strand,
                      size_t size)
{
    if (a->has[strand] != b->has[strand])
        return false;
    if (!a->has[strand])
        return true;
    struct spools_walk x = {.strand = a->strands[strand]}, y = {.strand = b->strands[strand]};
    char of_x[8], of_y[8];
    bool is_equal = true;
    while (is_equal && spools_read(r->spools, &x, of_x, size))
        is_equal = spools_read(r->spools, &y, of_y, size) && memcmp(of_x, of_y, size) == 0;
    spools_leave(&x);
    spools_leave(&y);
    return is_equal;
}

static bool is_double(const struct reader *r, const struct track *t)
{
    return r->types[r->sources[t->source - 1].first_type + (size_t)t->mark.type - 1].is_double;
}

/* Whether B, which follows A, has another value of the same samples: those of all types of a sample
 * were written one track after the other. */
static bool is_joined(struct reader *r, const struct track *a, const struct track *b)
{
    const struct mark *x = &a->mark, *y = &b->mark;
    return x->is_there && y->is_there && a->kind == TRACK_SAMPLES && b->kind == TRACK_SAMPLES &&
           x->source == y->source && x->source != 0 && x->type < y->type &&
           a->counts[S_STACK] == b->counts[S_STACK] && x->is_timed == y->is_timed &&
           (x->labels.p == NULL) == (y->labels.p == NULL) && str_equal(x->labels, y->labels) &&
           !is_double(r, a) && !is_double(r, b) && are_equal(r, a, b, S_STACK, sizeof(uint32_t)) &&
           (!x->is_timed || are_equal(r, a, b, S_TIME, sizeof(int64_t)));
}

/* Ends the tool: value I of T cannot be a value of a row. */
static _Noreturn void die_value(const struct reader *r, const struct track *t, uint64_t i)
{
    if (t->is_level)
        tokens_die(&r->json, t->where,
                   "\"count\"[%" PRIu64 "]: the changes add up to more than a double can hold", i);
    tokens_die(&r->json, t->where,
               "\"weight\"[%" PRIu64 "]: the weight in %.*s is more than a double can hold", i,
               STR_ARG(value_types_get(&r->sink->flow->types, t->type)->unit));
}

/* Sets value number I of the sample. */
static void set_value(struct reader *r, size_t i, uint32_t type, struct decimal x)
{
    struct sample_value *v = &r->values[i];
    int64_t integer;
    *v = (struct sample_value){.type = type, .extra = STR("")};
    if (is_integer(x, &integer)) {
        v->value = number_of(integer);
        return;
    }
    v->value.kind = NUMBER_REAL;
    v->value.real.n = r->numbers.n; /* where it begins, until all are there */
    decimal_write_real(&r->numbers, x);
}

/* Sets the texts of the COUNT values of the sample. */
static void finish_values(struct reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct number *n = &r->values[i].value;
        if (n->kind != NUMBER_REAL)
            continue;
        n->real.p = r->numbers.p + n->real.n;
        n->real.n = strlen(n->real.p);
    }
}

/* Sets r->stack to STACK of T, which is from 1 or 0; returns its depth. */
static size_t set_stack(struct reader *r, const struct tables *t, uint32_t stack)
{
    size_t depth = t->stacks[stack].depth, i = 0;
    growth_check_depth(depth, r->sink->flow->where);
    r->stack = mem_array(r->stack, &r->stack_capacity, depth, sizeof *r->stack);
    for (uint32_t n = stack; n != 0; n = t->stacks[n].above)
        r->stack[i++] = t->stacks[n].location;
    return depth;
}

/* Pushes the samples of the COUNT tracks from T on, which have the same ones. */
static void push_tracks(struct reader *r, struct track *t, size_t count)
{
    struct tables *tables = &r->tables[t->kind == TRACK_COUNTER ? 0 : r->threads[t->thread].tables];
    struct str labels = labels_of(r, t);
    struct spools_walk stacks = {.strand = t->strands[S_STACK]},
                       times = {.strand = t->strands[S_TIME]}, cpus = {.strand = t->strands[S_CPU]};
    struct spools_walk *weights = mem_alloc_zeroed(count * sizeof *weights);
    struct decimal level = decimal_of(0), x;
    uint32_t stack = 0;
    int64_t time;
    size_t depth = 0;
    for (size_t i = 0; i < count; i++)
        weights[i].strand = t[i].strands[S_WEIGHT];
    bool is_timed = t->has[S_TIME] && (t->mark.is_timed || !t->mark.is_there);
    if (is_timed && t->late.line != 0)
        tokens_die(&r->json, t->late, "expected a time of less than 292 years, in milliseconds");
    if (!tables->is_linked)
        link_stacks(r, tables);
    r->values = mem_array(r->values, &r->value_capacity, count + 1, sizeof *r->values);
    for (uint64_t i = 0; i < t->counts[S_STACK]; i++) {
        uint32_t before = stack;
        size_t value_count = 0;
        if (t->has[S_STACK])
            spools_read(r->spools, &stacks, &stack, sizeof stack);
        if (stack > tables->columns[STACK_FRAME].count)
            tokens_die(&r->json, t->where, "\"stack\"[%" PRIu64 "]: there is no stack %" PRIu32, i,
                       stack - 1);
        if (stack != before || i == 0)
            depth = set_stack(r, tables, stack);
        r->numbers.n = r->extra.n = 0;
        if (is_timed && spools_read(r->spools, &times, &time, sizeof time)) {
            emit_member(&r->extra, STR(".time"));
            emit_number(&r->extra, time);
        }
        buf_add(&r->extra, labels);
        /* the first says nothing: there is no sample before it */
        if (t->has[S_CPU] && spools_read(r->spools, &cpus, &x, sizeof x) && i > 0 &&
            x.exponent != NULL_EXPONENT)
            set_value(r, value_count++, t->cpu, x);
        for (size_t j = 0; j < count; j++) {
            x = decimal_of(1);
            if (t[j].has[S_WEIGHT])
                spools_read(r->spools, &weights[j], &x, sizeof x);
            x.exponent += decimal_sign(x) == 0 ? 0 : t[j].power;
            if (t[j].is_level) {
                decimal_add(&level, x);
                x = level;
            }
            if (!decimal_is_double(x))
                die_value(r, &t[j], i);
            set_value(r, value_count++, t[j].type, x);
        }
        finish_values(r, value_count);
        struct sample sample = {.sample_id = (int64_t)++r->sample_count,
                                .source_id = t->source,
                                .extra = buf_str(&r->extra),
                                .values = r->values,
                                .value_count = value_count,
                                .locations = r->stack,
                                .depth = depth};
        sink_sample(r->sink, &sample);
    }
    for (size_t i = 0; i < count; i++)
        spools_leave(&weights[i]);
    spools_leave(&stacks);
    spools_leave(&times);
    spools_leave(&cpus);
    mem_free(weights);
}

static void push_file(struct reader *r, const char *uri)
{
    find_types(r);
    push_libs(r);
    push_sources(r, uri);
    for (size_t i = 0, n; i < r->track_count; i += n) {
        for (n = 1;
             i + n < r->track_count && is_joined(r, &r->tracks[i + n - 1], &r->tracks[i + n]);)
            n++;
        if (r->tracks[i].source != 0)
            push_tracks(r, &r->tracks[i], n);
    }
}

void firefox_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .spools = spools_open()};
    add_tables(&r);
    tokens_open(&r.json, in);
    read_file(&r);
    push_file(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    for (size_t i = 0; i < r.table_count; i++) {
        for (int c = 0; c < COLUMNS; c++)
            mem_free(r.tables[i].columns[c].values);
        mem_free(r.tables[i].strings);
        mem_free(r.tables[i].stacks);
    }
    struct intern *interns[] = {&r.texts, &r.functions, &r.locations, &r.type_names};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    struct buf *bufs[] = {&r.meta, &r.extra, &r.text, &r.inexact, &r.numbers};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    void *blocks[] = {r.tables, r.threads, r.tracks, r.types,  r.categories, r.parts,
                      r.libs,   r.sources, r.stack,  r.values, r.is_listed};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    bytes_rows_free(&r.rows);
    arena_free(&r.arena);
}

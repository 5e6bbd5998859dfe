/* firefox_read.h - a file of the Firefox Profiler that is being read: firefox_read.c reads its
 * members, firefox_read_tables.c tables, firefox_read_samples.c the lists of samples, and
 * firefox_read_mark.c what ndjson2firefox has written about them; firefox_read_frames.c finds the
 * locations of stacks, firefox_read_rows.c pushes rows. See firefox2ndjson(1) for the rules.
 *
 * A file has tables, as lists of columns, for stacks, frames, functions and strings: for all
 * threads, or in old versions for each of its own. Members come in any order, so tables stay in
 * memory until the end, and samples wait in spools. */
#ifndef PROFPIPE_FIREFOX_READ_H
#define PROFPIPE_FIREFOX_READ_H

#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/firefox/firefox.h"
#include "rows/text.h"
#include "rows/tokens.h"

/* No number, in a column. */
#define FIREFOX_NONE INT64_MIN

/* A column of a table. Numbers as they are, flags as 0 and 1. */
struct firefox_column {
    int64_t *values;
    size_t count, capacity;
    struct tokens_place where;
};

/* The columns that rows are made of. */
enum {
    FIREFOX_STACK_FRAME,
    FIREFOX_STACK_PREFIX,
    FIREFOX_STACK_OFFSET,
    FIREFOX_FRAME_ADDRESS,
    FIREFOX_FRAME_LIB,
    FIREFOX_FRAME_DEPTH,
    FIREFOX_FRAME_CATEGORY,
    FIREFOX_FRAME_PART,
    FIREFOX_FRAME_FUNC,
    FIREFOX_FRAME_LINE,
    FIREFOX_FRAME_COLUMN,
    FIREFOX_FUNC_NAME,
    FIREFOX_FUNC_JS,
    FIREFOX_FUNC_RESOURCE,
    FIREFOX_FUNC_SOURCE,
    FIREFOX_FUNC_FILE,
    FIREFOX_FUNC_LINE,
    FIREFOX_FUNC_COLUMN,
    FIREFOX_RESOURCE_LIB,
    FIREFOX_SOURCE_FILE,
    FIREFOX_COLUMNS,
};

/* The tables of all threads, or of one. */
struct firefox_tables {
    struct firefox_column columns[FIREFOX_COLUMNS];
    uint32_t *strings; /* numbers in r->texts */
    size_t string_count, string_capacity;
    struct tokens_place where;
    struct firefox_link {
        uint32_t above, location, depth; /* above 0: none */
    } * stacks;                          /* by index + 1 */
    bool is_linked;
};

/* A thread. Texts by their numbers in r->texts, 0: none. */
struct firefox_thread {
    uint32_t name, process, pid, tid;
    size_t tables; /* the index of its own; 0: those that are shared */
};

/* What our member says. */
struct firefox_mark {
    bool is_there, is_timed;
    int64_t source, type; /* from 1; 0: not said */
    struct str labels;    /* a list; null p: none */
};

/* Columns of samples: strands. */
enum { FIREFOX_STACKS, FIREFOX_TIMES, FIREFOX_WEIGHTS, FIREFOX_CPU, FIREFOX_STRANDS };

/* Samples of a thread, or a counter. */
struct firefox_track {
    enum {
        FIREFOX_TRACK_SAMPLES,
        FIREFOX_TRACK_JS,
        FIREFOX_TRACK_NATIVE,
        FIREFOX_TRACK_COUNTER,
        FIREFOX_TRACK_KINDS
    } kind;
    size_t thread; /* its index; of a counter its own */
    struct firefox_mark mark;
    uint32_t strands[FIREFOX_STRANDS];
    uint64_t counts[FIREFOX_STRANDS];
    bool has[FIREFOX_STRANDS];
    enum { FIREFOX_WEIGHT_SAMPLES, FIREFOX_WEIGHT_MS, FIREFOX_WEIGHT_BYTES } weight_type;
    uint32_t name, unit, category; /* of a counter */
    uint32_t pid;
    bool is_level;
    struct tokens_place where, late; /* of the first time beyond 64 bits; line 0: none */
    uint32_t source, type, cpu;      /* numbers of a source, and of types in the flow */
    int power;                       /* of ten: what a weight is multiplied by */
};

/* A type of values of a source. */
struct firefox_type {
    uint32_t source, type;
    bool is_gauge;
    bool is_double; /* the source has another of its name */
};

/* A category, and the names of its parts. */
struct firefox_category {
    uint32_t name;
    size_t first, count;
};

struct firefox_lib {
    uint32_t name, path, build;
    uint64_t start, limit, offset;
    bool flags[4];
    bool is_marked;
};

struct firefox_source {
    uint32_t name, shown; /* the type that is shown by default */
    bool has_timestamp;
    struct decimal timestamp;
    size_t first_type; /* of its types, which stand together */
    int64_t type_count;
};

struct firefox_reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct arena arena;
    struct spools *spools;
    struct intern texts;
    struct firefox_tables *tables; /* the first are shared */
    size_t table_count, table_capacity;
    struct firefox_thread *threads;
    size_t thread_count, thread_capacity;
    struct firefox_track *tracks;
    size_t track_count, track_capacity;
    struct firefox_type *types;
    size_t type_count, type_capacity;
    struct firefox_category *categories;
    uint32_t *parts;
    size_t category_count, category_capacity, part_count, part_capacity;
    struct firefox_lib *libs;
    size_t lib_count, lib_capacity;
    struct firefox_source *sources; /* as our member says */
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

/* The most numbers of a list that are read at a time. */
enum { FIREFOX_BATCH = 256 };

/* The exponent of a number of a strand that stands for null; no number has it. */
enum { FIREFOX_NULL_EXPONENT = INT16_MAX };

/* The tables of a file, which were in threads in old versions. */
#define FIREFOX_TABLE_MEMBERS                                                                      \
    "stringArray", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols",      \
        "sources", "sourceLocationTable"
enum {
    FIREFOX_TABLE_STRINGS,
    FIREFOX_TABLE_STACKS,
    FIREFOX_TABLE_FRAMES,
    FIREFOX_TABLE_FUNCS,
    FIREFOX_TABLE_RESOURCES,
    FIREFOX_TABLE_SYMBOLS,
    FIREFOX_TABLE_SOURCES,
    FIREFOX_TABLE_PLACES,
    FIREFOX_TABLE_COUNT
};

/* The text number TEXT; empty for 0. It is valid until the next one is added. */
static inline struct str firefox_text(const struct firefox_reader *r, uint32_t text)
{
    return text == 0 ? STR("") : intern_get(&r->texts, text);
}

/* All that follow end the tool with a message if the file is not as they expect. The current value
 * is that which begins with the current token of r->json. */

/* Counts SIZE bytes that a part of the file takes in memory, however short it is, as growth: eight
 * times, so that a file may take as many times its size. */
void firefox_hold(struct firefox_reader *r, size_t size);

/* The number of the string that is the current token, or of the digits of a number; 0 for null.
 * WHAT is expected there, as a message says it. */
uint32_t firefox_read_text(struct firefox_reader *r, const char *what);

/* Skips the current value. Returns how many of its values, those inside of it included, say
 * something. */
uint64_t firefox_skip(struct firefox_reader *r);

/* Skips the current value, of a member NAME that rows have no place for, and counts it as lost. */
void firefox_drop(struct firefox_reader *r, const char *name);

/* Adds a set of tables, empty; returns its index in r->tables, whose items may move. */
size_t firefox_add_tables(struct firefox_reader *r);

/* Reads the table MEMBER, which is the current value, into T. */
void firefox_read_tables(struct firefox_reader *r, struct firefox_tables *t, unsigned member);

/* The current token, a number in the range of doubles, in any spelling. */
struct decimal firefox_read_decimal(struct firefox_reader *r);

/* Reads the samples that are the current value: adds a track that begins as T. */
void firefox_read_samples(struct firefox_reader *r, struct firefox_track t);

/* Read FIREFOX_MARK of a thread or a counter, of the file, and of a library. */
struct firefox_mark firefox_read_mark(struct firefox_reader *r);
void firefox_read_file_mark(struct firefox_reader *r);
void firefox_read_lib_mark(struct firefox_reader *r, struct firefox_lib *lib);

/* Adds T behind the other types, of which those of a source stand together. */
void firefox_add_type(struct firefox_reader *r, struct firefox_type t);

/* Finds the locations of all stacks of T, and pushes the rows of those that are new. */
void firefox_link_stacks(struct firefox_reader *r, struct firefox_tables *t);

/* Pushes all rows of the file, which has been read. URI is that of its sources. */
void firefox_push(struct firefox_reader *r, const char *uri);

#endif

/* firefox_write.h - a file of the Firefox Profiler that is being written: firefox_write.c takes
 * rows, firefox_write_list.c finds what is written and its order, firefox_write_file.c writes it,
 * with firefox_write_tables.c and firefox_write_threads.c; firefox_write_text.c has what they all
 * need.
 * See ndjson2firefox(1) for the rules.
 *
 * Tables of stacks come first in such a file, then threads with their samples. So samples wait in
 * spools, one strand for each track: the values of one type, of one source and thread. What is
 * written is numbered at the end, track by track: the numbers depend on what is written only, not
 * on the order in which it came. */
#ifndef PROFPIPE_FIREFOX_WRITE_H
#define PROFPIPE_FIREFOX_WRITE_H

#include "base/idmap.h"
#include "base/spools.h"
#include "formats/firefox/firefox.h"
#include "profile/clock.h"
#include "profile/default_type.h"
#include "profile/stack_tree.h"
#include "rows/text.h"

/* Text of more bytes than this is passed on. */
enum { FIREFOX_FLUSH = 1 << 16 };

/* The time of a sample that has none. */
#define FIREFOX_NO_TIME INT64_MIN

/* The labels that say in which thread a sample was, as perf and other readers call them: the keys
 * of firefox_write.c, in this order. */
enum {
    FIREFOX_KEY_PID,
    FIREFOX_KEY_TID,
    FIREFOX_KEY_THREAD,
    FIREFOX_KEY_COMM,
    FIREFOX_KEY_PROCESS,
    FIREFOX_KEYS
};

struct firefox_out_source {
    struct str name;            /* bytes, kept until the end */
    struct str meta, timestamp; /* JSON; null p: not given */
    struct default_type shown;
    uint32_t time;    /* the type derived from samples/count and written instead; 0: none */
    int64_t period;   /* the amount of it per sample */
    uint32_t types;   /* how many it has so far */
    size_t first;     /* of these in w->order */
    int64_t earliest; /* the first time of its samples, in nanoseconds; FIREFOX_NO_TIME: none has */
};

/* The values of one type in one source. */
struct firefox_entry {
    uint32_t source, type; /* the source from 1; the number of the type in the flow */
    uint32_t number;       /* of the type in the source, from 1 */
    bool is_gauge, is_inclusive, is_listed;
    bool is_counter;      /* a gauge of samples that have times */
    uint64_t count;       /* how many values other than 0 it has */
    uint32_t lane, track; /* of its last value; 0: none so far */
};

/* A thread of a source: samples with the same labels of those keys. */
struct firefox_lane {
    uint32_t source, labels; /* the number of the set */
    uint32_t tracks;         /* how many it has */
    uint32_t number;         /* in the file, from 1 */
};

/* What is written as one thread, or as one counter. */
struct firefox_out_track {
    uint32_t entry, lane; /* from 0; from 1, and 0 for a counter */
    uint32_t strand;
    uint64_t count;
    int64_t last;       /* the time of its last sample */
    bool is_timed;      /* its samples have times, */
    bool falls;         /* which are not in order */
    struct decimal sum; /* of a counter: the values of the last time */
};

/* A sample in a strand. */
struct firefox_record {
    uint32_t stack; /* 0: none */
    int64_t time;   /* in nanoseconds, or FIREFOX_NO_TIME */
    struct decimal weight;
};

/* The distinct contents of the tables. All are numbered in the order of rows first, from 1. There
 * is no padding, so that they can be keys. */
struct firefox_func {
    uint32_t name; /* a string of the profile */
    uint32_t file; /* the same plus 1: 1 is an empty name, and 0 no file */
    uint32_t mapping, is_js;
    int64_t line, column;
};

struct firefox_frame {
    uint32_t func, into; /* the frame that it is inlined into; 0: none */
    uint64_t address;
    uint32_t has_address, depth; /* how many frames it is inlined into */
    uint32_t category, part;     /* strings of the profile */
    int64_t line, column;
};

/* A category of frames, and those of its parts that are used: a list. Strings of the profile. */
struct firefox_out_category {
    uint32_t name, first, last, count;
};

struct firefox_part {
    uint32_t name, number, next; /* the number in its category, from 1; the next one, 0: none */
};

/* What is written of such a table, in order. */
struct firefox_list {
    struct idmap numbers; /* from 1, by the number in the order of rows */
    uint32_t *items;      /* numbers in the order of rows */
    size_t count, capacity;
};

struct firefox_writer {
    struct sink sink;
    struct out *out;
    struct profile profile;
    struct clock clock;
    struct arena arena;
    struct spools *spools;

    struct firefox_out_source *sources;
    size_t source_count, source_capacity;
    struct firefox_out_source read; /* of the row being read */
    struct firefox_entry *entries;
    uint32_t *order; /* of entries: by source and number */
    size_t entry_count, entry_capacity;
    struct intern entry_keys, track_keys; /* the numbers are indexes + 1 */
    struct firefox_out_track *tracks;
    size_t track_count, track_capacity;
    uint32_t *known; /* the last entry, from 1, by type - 1 */
    size_t known_capacity;
    uint32_t counts; /* the type samples/count */

    struct firefox_lane *lanes;
    size_t lane_capacity;
    struct labels lane_labels;
    struct intern lane_keys, set_keys; /* by source and set: of labels of threads, of all labels */
    struct firefox_label_set {
        uint32_t lane, all;
        uint64_t uses; /* by samples */
    } * sets;
    size_t set_capacity;
    struct buf labels;

    struct intern funcs, frames;
    struct stack_tree stacks;
    uint32_t *frame_of; /* by location - 1 */
    size_t frame_of_capacity;
    struct firefox_func *functions; /* without a mapping, by function - 1 */
    size_t function_capacity;
    struct firefox_own_row { /* of the row being read */
        uint32_t category, part;
        bool is_js;
        int64_t column;
    } own;
    uint32_t *open, *open_stacks; /* frames of the last sample, outermost first, and their stacks */
    size_t depth, open_capacity, open_stacks_capacity;

    struct firefox_list out_stacks, out_frames, out_funcs, out_files, out_libs, out_strings;
    struct intern category_keys, part_keys; /* by name; by category and name */
    struct firefox_out_category
        *categories; /* by number - 1; the first is that of all other frames, */
    uint32_t other;  /* which has this name */
    struct firefox_part *parts;
    size_t category_capacity, part_capacity;
    struct buf text, scratch;
    uint64_t inexact;
};

/* The number of the pair A, B in T, to which it is added if it is not there. */
static inline uint32_t firefox_key_of(struct intern *t, uint32_t a, uint32_t b, bool *is_new)
{
    uint32_t key[] = {a, b};
    return intern_add(t, (struct str){(const char *)key, sizeof key}, is_new);
}

/* The function, the frame and the stack NUMBER; the first two are valid until the next is added. */
static inline const struct firefox_func *firefox_func_at(const struct firefox_writer *w,
                                                         uint32_t number)
{
    return (const struct firefox_func *)(const void *)intern_get(&w->funcs, number).p;
}

static inline const struct firefox_frame *firefox_frame_at(const struct firefox_writer *w,
                                                           uint32_t number)
{
    return (const struct firefox_frame *)(const void *)intern_get(&w->frames, number).p;
}

static inline const struct stack_node *firefox_stack_at(const struct firefox_writer *w,
                                                        uint32_t number)
{
    return &w->stacks.nodes[number - 1];
}

static inline bool firefox_is_counter(const struct firefox_out_track *t)
{
    return t->lane == 0;
}

/* The position in the file of ITEM, a number from 1 in the order of rows, which is in LIST. */
static inline int64_t firefox_position(const struct firefox_list *list, uint32_t item)
{
    return (int64_t)idmap_get(&list->numbers, item) - 1;
}

/* The name of the whole. */
static inline struct str firefox_product(const struct firefox_writer *w)
{
    return w->source_count == 1 ? w->sources[0].name : STR("profpipe");
}

/* Which FIREFOX_KEY L has; FIREFOX_KEYS: none of them. */
size_t firefox_key_index(const struct firefox_writer *w, const struct label *l);

/* --- what is written --- */

/* Lists what is in the samples of all tracks, and orders these. */
void firefox_list(struct firefox_writer *w);

/* Writes the whole file, which has been listed. */
void firefox_write_file(struct firefox_writer *w);

/* Write parts of it: the files that frames are mapped from, the tables that threads share, all
 * threads, and all counters. */
void firefox_write_libs(struct firefox_writer *w);
void firefox_write_shared(struct firefox_writer *w);
void firefox_write_threads(struct firefox_writer *w);
void firefox_write_counters(struct firefox_writer *w);

/* --- text --- */

static inline void firefox_add(struct firefox_writer *w, struct str text)
{
    buf_add(&w->text, text);
}

/* Writes the text so far if it has more than ABOVE bytes. */
void firefox_flush(struct firefox_writer *w, size_t above);

/* Appends the string BYTES, in quotes. What is not UTF-8 is replaced, and counted as lost. */
void firefox_add_string(struct firefox_writer *w, struct str bytes);

/* Append a member NAME behind a comma: a string, a number, and `true`, which is left out unless it
 * IS_SET. */
void firefox_add_string_member(struct firefox_writer *w, struct str name, struct str bytes);
void firefox_add_number_member(struct firefox_writer *w, struct str name, int64_t number);
void firefox_add_flag(struct firefox_writer *w, struct str name, bool is_set);

/* Appends X, one of WHAT, with no more digits than it needs. Counts those of more than 53 bits in
 * w->inexact; ends the tool if no double is as large. */
void firefox_add_decimal(struct firefox_writer *w, struct decimal x, struct str what);

/* Appends NUMBER, or null if it is not there. */
void firefox_add_or_null(struct firefox_writer *w, int64_t number, bool is_there);

/* X, in nanoseconds, in milliseconds. */
static inline struct decimal firefox_in_ms(struct decimal x)
{
    x.exponent -= 6;
    return x;
}

#endif

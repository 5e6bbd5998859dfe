/* speedscope_read.h - files of speedscope to profile rows: see speedscope2ndjson(1). */
#ifndef PROFPIPE_SPEEDSCOPE_READ_H
#define PROFPIPE_SPEEDSCOPE_READ_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/speedscope/speedscope.h"
#include "rows/tokens.h"

/* Numbers of frames, outermost first. All zero is an empty stack. */
struct speedscope_stack {
    uint32_t *frames;
    size_t depth, capacity;
};

/* A profile of the file. Strings are bytes; a missing one has a null p. */
struct speedscope_profile {
    struct tokens_place where, type_where; /* of the profile, of its type */
    struct str type, name, unit;
    struct str start, end; /* numbers, as spelled */

    bool is_marked; /* the next three are set: */
    int64_t mark;   /* number of its source, */
    struct str mark_type, mark_unit;

    /* Its samples: the strand of stacks, the strand of weights. */
    bool has_samples, has_weights, has_events;
    uint32_t stacks, weights;
    uint64_t stack_count, weight_count;
    struct decimal sum;

    /* The same for samples built from events. */
    uint32_t event_stacks, event_weights;
    struct decimal first, last; /* times of the first and last event */
    struct tokens_place first_where;

    bool is_evented;
    /* same stacks as the profile before, another type of values: both become one source */
    bool joins;
};

struct speedscope_reader {
    const struct read_request *request;
    struct sink *sink;
    struct tokens json;
    struct arena arena;
    struct bytes_rows rows;
    struct buf text, extra;
    struct buf frame_name, frame_file; /* of the frame being read */

    struct str file_name, exporter;
    int64_t active; /* index of a profile; -1: not given */
    struct tokens_place active_where;

    /* Frames are numbered from 0, as in the file; locations from 1. */
    bool has_frames, has_profiles;
    uint32_t frame_count;
    struct intern functions, locations; /* keys of rows */
    uint32_t *copies;                   /* by location - 1: number of equal frames */
    size_t copy_capacity;
    int64_t highest; /* the highest frame used before the list of frames; -1: none */
    struct tokens_place highest_where;

    struct speedscope_stack stack; /* the one being read */
    struct speedscope_stack last;  /* the previous one in its strand */
    struct spools *spools;
    struct speedscope_profile *profiles;
    size_t profile_count, profile_capacity;
};

/* The start time of P. */
static inline struct decimal speedscope_start(const struct speedscope_profile *p)
{
    return p->start.p == NULL ? decimal_of(0) : decimal_read(p->start);
}

/* Starts an entry of a strand of weights that is text; any other 64-bit integer is the weight
 * itself. */
#define SPEEDSCOPE_TEXT INT64_MIN

/* --- values and stacks (speedscope_read_values.c) --- */

/* The current token, a string, as bytes kept until the end; null p for null. Ends the tool if it is
 * neither. */
struct str speedscope_read_string(struct speedscope_reader *r);

/* The same for a number, as spelled. Also ends the tool if it exceeds the range of a double. */
struct str speedscope_read_number(struct speedscope_reader *r);

/* Ends the tool (STATUS_INPUT): WHERE refers to frame INDEX, which the list of frames does not
 * have. */
_Noreturn void speedscope_die_index(const struct speedscope_reader *r, struct tokens_place where,
                                    uint64_t index);

/* The frame number in the current token. Ends the tool if there is no such frame. */
uint32_t speedscope_read_index(struct speedscope_reader *r);

/* Whether TEXT is an integer in the range of rows; sets *INTEGER. */
bool speedscope_is_integer(struct str text, int64_t *integer);

/* Appends the weight TEXT, a number >= 0, to a strand. */
void speedscope_write_weight(struct speedscope_reader *r, uint32_t strand, struct str text);

/* Makes room for COUNT more frames in STACK; returns where they go. */
uint32_t *speedscope_reserve(struct speedscope_stack *stack, size_t count);

/* Starts a new strand of stacks and returns its number. From now on only this one may be
 * written. */
uint32_t speedscope_begin_stacks(struct speedscope_reader *r);

/* Appends the stack being read to STRAND. */
void speedscope_write_stack(struct speedscope_reader *r, uint32_t strand);

/* Reads the next stack of the strand of WALK into STACK, which holds the previous one (at first an
 * empty one). False after the last. */
bool speedscope_next_stack(struct spools *spools, struct spools_walk *walk,
                           struct speedscope_stack *stack);

/* Whether strands A and B have the same stacks. */
bool speedscope_same_stacks(struct spools *spools, uint32_t a, uint32_t b);

/* --- profiles (speedscope_read_profiles.c) --- */

/* Reads the profile that begins with the current token. */
void speedscope_read_profile(struct speedscope_reader *r);

/* --- rows, once all of the file has been read (speedscope_read_rows.c) --- */

/* Pushes sources and samples. */
void speedscope_push_rows(struct speedscope_reader *r, const char *uri);

/* --- frames (speedscope_read_frames.c) --- */

/* Reads the list of frames, the current token, and pushes their rows. */
void speedscope_read_frames(struct speedscope_reader *r);

#endif

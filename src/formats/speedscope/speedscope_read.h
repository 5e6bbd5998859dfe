/* speedscope_read.h - what the parts of the reader of speedscope's files share: speedscope_read.c reads the file
 * and its frames, speedscope_read_profile.c profiles with samples, speedscope_read_events.c those with events,
 * speedscope_read_stacks.c keeps their stacks, and speedscope_read_rows.c writes sources and samples once all
 * is read.
 *
 * Members come in any order, so stacks and weights wait in a spool.  Frames become rows at once. */
#ifndef PROFPIPE_SPEEDSCOPE_READ_H
#define PROFPIPE_SPEEDSCOPE_READ_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/speedscope/speedscope.h"
#include "rows/tokens.h"

/* Frames by their numbers, the outermost first.  All zero is a stack of none. */
struct speedscope_stack {
    uint32_t *frames;
    size_t depth, capacity;
};

/* A profile of the file.  Strings are bytes; p is NULL where there is none. */
struct speedscope_profile {
    struct tokens_place where, type_where; /* of it, and of its type */
    struct str type, name, unit;
    struct str start, end; /* numbers, as they are spelled */

    bool is_marked; /* it says what its values are: */
    int64_t mark;   /* the number of its source, */
    struct str mark_type, mark_unit;

    /* Its samples: strands of stacks, and of weights. */
    bool has_samples, has_weights, has_events;
    uint32_t stacks, weights;
    uint64_t stack_count, weight_count;
    struct decimal sum;

    /* The same of samples that have been made of events. */
    uint32_t event_stacks, event_weights;
    struct decimal first, last; /* when the first event is, and the last */
    struct tokens_place first_where;

    bool is_evented;
    bool
        joins; /* it has the stacks of the profile before, and another type of values: one source */
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
    int64_t active; /* the place of a profile, -1: none is said */
    struct tokens_place active_where;

    /* Frames are numbers from 0, as in the file; locations those from 1. */
    bool has_frames, has_profiles;
    uint32_t frame_count;
    struct intern functions, locations; /* what tells them apart */
    uint32_t *copies;                   /* by location - 1: how many frames are the same */
    size_t copy_capacity;
    int64_t highest; /* the highest frame that was seen before the list of frames, -1: none */
    struct tokens_place highest_where;

    struct speedscope_stack stack; /* the one being read */
    struct speedscope_stack last;  /* the one before it in its strand */
    struct spools *spools;
    struct speedscope_profile *profiles;
    size_t profile_count, profile_capacity;
};

/* Where the values of P start. */
static inline struct decimal speedscope_start(const struct speedscope_profile *p)
{
    return p->start.p == NULL ? decimal_of(0) : decimal_read(p->start);
}

/* --- speedscope_read.c --- */

/* The bytes of the string that is the last token, kept until the end; p is NULL for null.  Ends the tool where it
 * is neither. */
struct str speedscope_read_string(struct speedscope_reader *r);

/* The same of a number, as it is spelled; one that is larger than doubles are ends the tool, too. */
struct str speedscope_read_number(struct speedscope_reader *r);

/* Whether the last token, a number, is no larger than doubles are. */
bool speedscope_is_double(struct speedscope_reader *r);

/* The number of the frame that is the last token; ends the tool where there is no such frame. */
uint32_t speedscope_read_index(struct speedscope_reader *r);

/* --- speedscope_read_profile.c --- */

/* Reads the profile whose first token was the last one. */
void speedscope_read_profile(struct speedscope_reader *r);

/* Appends the weight TEXT, a number from 0, and WEIGHT, which is the same, to a strand. */
void speedscope_write_weight(struct speedscope_reader *r, uint32_t strand, struct str text);

/* What a strand of weights begins each with: an integer of 64 bits, or that some bytes of text follow. */
#define SPEEDSCOPE_TEXT INT64_MIN

/* --- speedscope_read_events.c --- */

/* Reads the list of events of P, whose first token was the last one. */
void speedscope_read_events(struct speedscope_reader *r, struct speedscope_profile *p);

/* --- speedscope_read_stacks.c --- */

/* Makes room for COUNT more frames in STACK; returns where they go. */
uint32_t *speedscope_reserve(struct speedscope_stack *stack, size_t count);

/* Begins another strand of stacks, the only one that is written to from now on; returns its number. */
uint32_t speedscope_begin_stacks(struct speedscope_reader *r);

/* Appends the stack being read to STRAND. */
void speedscope_write_stack(struct speedscope_reader *r, uint32_t strand);

/* Takes the next stack of the strand that WALK reads to STACK, which has the one before, at first none; false behind
 * the last. */
bool speedscope_next_stack(struct spools *spools, struct spools_walk *walk,
                           struct speedscope_stack *stack);

/* Whether the strands A and B hold the same stacks. */
bool speedscope_same_stacks(struct spools *spools, uint32_t a, uint32_t b);

/* --- speedscope_read_rows.c --- */

/* Pushes sources and samples. */
void speedscope_push_rows(struct speedscope_reader *r, const char *uri);

#endif

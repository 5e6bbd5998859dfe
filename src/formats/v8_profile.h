/* v8_profile.h - a profile of V8 that is being read: the tree of its nodes, its samples and their
 * times. A file has these as lists of its own, a trace has pieces of them in its events.
 *
 * Members come in any order: the tree stays in memory until the end, and samples and their times
 * wait in spools. */
#ifndef PROFPIPE_V8_PROFILE_H
#define PROFPIPE_V8_PROFILE_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/idmap.h"
#include "base/spools.h"
#include "formats/v8.h"
#include "profile/stack_tree.h"

struct v8_node {
    int64_t id;                /* as in the file */
    struct tokens_place where; /* where it is first named */
    uint32_t parent;           /* its number, 0: none */
    uint32_t frame;            /* then its function; 0: the node has not been read so far */
    uint32_t depth;            /* of its stack; 0: not known so far */
    uint32_t path;             /* the same for nodes with equal stacks */
    bool is_twin;              /* a node before it has the same stack */
    bool names_parent;         /* itself, so the parent does not list it */
    bool is_misordered;        /* its children are listed in another order than nodes */
    bool has_call_frame;       /* its frame is an object of its own, as in all but old files */
    int64_t hits;              /* below 0: the file does not say */
    size_t tick, tick_end;
    uint32_t line, line_location; /* of the last sample with a line: the next has it most often */
    size_t child, child_end, child_next; /* its list; the next one in the order of nodes */
    struct str odd_frame, others;        /* members, each behind a comma; null p: none */
};

/* The same as in a node, packed: samples follow these a lot. */
struct v8_link {
    uint32_t parent, frame;
};

/* So many samples of a node were on one line. */
struct v8_tick {
    int64_t line, count; /* from 1 */
    uint32_t location;
};

struct v8_profile {
    /* What v8_profile_begin was given. */
    struct tokens *json;
    struct v8_frames *frames;
    struct spools *spools;
    bool strict;
    /* May be set: how nodes are spelled and ordered is not kept, and nodes may be missing. */
    bool is_trace;

    struct arena arena;
    struct buf extra, others, frame_text, members;
    struct stack_tree paths;

    struct idmap ids; /* of nodes, plus 1 */
    struct v8_node *nodes;
    struct v8_link *links; /* by number; from 1 */
    uint32_t *order;       /* of nodes in the file */
    struct v8_tick *ticks;
    uint32_t *listed;   /* as children being read */
    uint32_t *children; /* of all nodes */
    int64_t *stack;
    size_t node_count, order_count, tick_count, listed_count, child_count;
    size_t node_capacity, order_capacity, tick_capacity, listed_capacity, child_capacity;
    size_t stack_capacity;

    /* Strands: numbers of nodes; nanoseconds after the start; lines, where a trace has them. */
    uint32_t samples, times, lines;
    bool has_tree, has_samples, has_times, has_lines, is_old;
    int64_t first_line; /* the number of the first line in the file */
    uint64_t *taken;    /* samples, by number of the node */
    size_t taken_capacity;
    uint64_t sample_count, time_count, line_count; /* as the file has them */
    struct decimal zero;                           /* microseconds: the first of absolute times */
    int64_t time, peak;                            /* the last time, and the highest so far */
    struct str ends[2];       /* start and end; numbers as spelled; null p: none */
    struct str zero_text;     /* the same for ZERO */
    struct str other_members; /* of the file, each behind a comma */
};

/* Where the rows of a profile go. */
struct v8_target {
    struct sink *sink;
    int64_t source_id;
    int64_t *sample_id; /* the last one so far */
    struct str labels;  /* a dotted column of each sample, `,".labels":[...]`; or empty */
};

/* Begins P, all zero, for tokens of JSON. FRAMES and SPOOLS are shared by all profiles of an
 * input; STRICT: times that go back are errors. */
void v8_profile_begin(struct v8_profile *p, struct tokens *json, struct v8_frames *frames,
                      struct spools *spools, bool strict);

/* Each reads the value that starts with the current token, and adds it to what P has: a list of
 * nodes, or IS_OLD the outermost one, which has all others; a list of ids of nodes, one for each
 * sample; their times in microseconds, each after the one before, or IS_ABSOLUTE; the lines that
 * samples from number FIRST on, from 0, were on: from 1, or 0. Ends the tool (STATUS_INPUT) if it is something else. */
void v8_profile_tree(struct v8_profile *p, bool is_old);
void v8_profile_samples(struct v8_profile *p);
void v8_profile_times(struct v8_profile *p, bool is_absolute);
void v8_profile_lines(struct v8_profile *p, uint64_t first);

/* Reads the start, or IS_END, of P: a number of microseconds. */
void v8_profile_end(struct v8_profile *p, bool is_end);

/* MEMBERS of the object at WHERE, as rows keep them. Ends the tool if one stands there twice or is
 * one of the COUNT at TAKEN. */
struct str v8_profile_kept(struct v8_profile *p, struct str members, const char *const *taken,
                           size_t count, struct tokens_place where);

/* What the first line of P is counted as: 0 or 1, for v8_frames_finish. */
int64_t v8_profile_first_line(const struct v8_profile *p);

/* Checks the whole profile, whose end is at END, after v8_frames_finish. HAVE_START: the start of
 * the profile may stand in front of the times of samples. Then the functions below may be called,
 * in their order. */
void v8_profile_finish(struct v8_profile *p, struct tokens_place end, bool have_start);

/* Pushes the locations in lines that P has, after v8_frames_push. */
void v8_profile_push_locations(struct v8_profile *p, struct sink *sink);

/* Pushes the source of P to TARGET, of the file URI and with that TIMESTAMP. */
void v8_profile_push_source(struct v8_profile *p, const struct v8_target *target, const char *uri,
                            struct number timestamp);

/* Pushes the nodes and samples of P to TARGET. */
void v8_profile_push(struct v8_profile *p, const struct v8_target *target);

/* Frees what P holds. */
void v8_profile_free(struct v8_profile *p);

#endif

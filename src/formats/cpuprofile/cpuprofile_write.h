/* cpuprofile_write.h - profile rows to a profile of V8: see ndjson2cpuprofile(1). */
#ifndef PROFPIPE_CPUPROFILE_WRITE_H
#define PROFPIPE_CPUPROFILE_WRITE_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/spool.h"
#include "formats/cpuprofile/cpuprofile.h"
#include "profile/choice.h"
#include "profile/profile.h"
#include "profile/stack_tree.h"

/* Frames without a function are told apart by name: their numbers are at least this. */
#define CPUPROFILE_NAMELESS (UINT32_C(1) << 31)

/* A node of the file that was read. */
struct cpuprofile_kept {
    int64_t id, parent_id, hits;   /* ids from 0; below 0: none */
    struct str frame_text, others; /* members, each behind a comma; null p: none */
    int64_t samples;               /* how many the file had; below 0: as many as hits */
    uint64_t taken;                /* how many there are now */
    uint32_t parent;               /* the number of a node; 0: none */
    uint32_t frame, stack;         /* of the tree of stacks; 0: not linked so far */
    bool is_listed;                /* its parent lists it in `others` */
    bool has_call_frame;           /* in an old file: its frame is an object of its own */
    bool has_children, has_parent; /* `others` has the list, the id */
    bool is_met;                   /* it is on the way that is being linked */
};

/* A node of the file to write. Numbers are from 1: those of kept nodes, in their order; then one
 * for each stack that none of these has; then a root, if one is missing. */
struct cpuprofile_node {
    uint32_t child, next; /* its first child, the next one of its parent; 0: none */
    uint32_t order;       /* 0: it is not written, since neither it nor one below has samples */
    uint32_t tally;       /* of its samples; 0: it has none */
};

/* The samples of a node that are written. */
struct cpuprofile_tally {
    uint64_t samples;
    uint32_t lines; /* the first of its lines; 0: none */
};

/* A line where the innermost frame of a node was. */
struct cpuprofile_line {
    int64_t line;
    uint64_t samples;
    uint32_t next; /* of the node; 0: none */
};

/* What `.cpuprofile` of the first source says; null p, or below 0: nothing. */
struct cpuprofile_facts {
    bool is_there, is_timed, is_old, lists_zero;
    int64_t samples, nodes, first_line;
    struct str start, end, zero, others;
};

/* What a function has of its own besides the columns of profile.h. */
struct cpuprofile_own {
    int64_t column;
    uint32_t script; /* a string of the profile */
};

struct cpuprofile_location {
    uint32_t frame;
    int64_t line; /* 0: none */
    bool is_lost; /* it was counted that this line cannot be written */
};

/* Precedes the values of a sample in the spool. */
struct cpuprofile_waiting {
    uint32_t node, values;
    int64_t line, time; /* line 0: none */
};

struct cpuprofile_value {
    uint32_t type;
    struct decimal amount;
};

struct cpuprofile_writer {
    struct sink sink;
    struct cpuprofile_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the type to write */
    struct arena arena;
    struct cpuprofile_facts facts;
    struct cpuprofile_own own, *owns; /* of the function being read; by id - 1 */
    size_t own_capacity;
    struct cpuprofile_location *places; /* by id - 1 */
    size_t place_capacity;

    struct stack_tree
        stacks; /* of ids of functions, or CPUPROFILE_NAMELESS plus the number of a name */
    struct cpuprofile_kept *kept;
    size_t kept_count, kept_capacity;
    uint32_t *firsts; /* of each stack of kept nodes, which are the first stacks: its first node */
    size_t first_capacity;
    uint32_t kept_stacks;
    struct idmap kept_ids;         /* ids plus 1 */
    bool is_linked;                /* kept nodes have their parents */
    struct cpuprofile_node *nodes; /* once all samples have been read */
    size_t node_count;
    struct cpuprofile_tally *tallies;
    size_t tally_count, tally_capacity;
    uint32_t root;
    uint64_t root_samples; /* without a stack */
    struct decimal length; /* of all samples, in microseconds */
    int64_t next_id;
    uint32_t *above; /* nodes */
    size_t above_capacity;

    struct cpuprofile_line *lines;
    size_t line_count, line_capacity;
    struct intern line_keys; /* node and line */

    struct spool *spool;
    bool is_whole; /* so far all is as in the file that was read */
    uint64_t sample_count, count_sum;
    uint64_t timed;  /* samples with a time of their own */
    uint32_t counts; /* the type samples/count */
    struct cpuprofile_value *values;
    size_t value_capacity;
    struct buf text, scratch;
};

/* Where the tool is in its input, for messages. */
static inline struct place cpuprofile_place(const struct cpuprofile_writer *w)
{
    return w->sink.flow->where;
}

/* --- nodes by number --- */

/* The node NUMBER, once all samples have been read. */
static inline struct cpuprofile_node *cpuprofile_node_at(const struct cpuprofile_writer *w,
                                                         uint32_t number)
{
    return &w->nodes[number - 1];
}

/* What the node NUMBER has of the file that was read; NULL if it is not of it. */
static inline struct cpuprofile_kept *cpuprofile_kept_at(const struct cpuprofile_writer *w,
                                                         uint32_t number)
{
    return number <= w->kept_count ? &w->kept[number - 1] : NULL;
}

/* The first node with STACK; 0: none. */
static inline uint32_t cpuprofile_node_on(const struct cpuprofile_writer *w, uint32_t stack)
{
    if (stack == 0)
        return 0;
    return stack <= w->kept_stacks ? w->firsts[stack - 1]
                                   : (uint32_t)w->kept_count + stack - w->kept_stacks;
}

/* The node of the tree of stacks for the node NUMBER, which is not kept; NULL: it is a root. */
static inline const struct stack_node *cpuprofile_stack_of(const struct cpuprofile_writer *w,
                                                           uint32_t number)
{
    size_t stack = number - w->kept_count + w->kept_stacks;
    return stack <= w->stacks.count ? &w->stacks.nodes[stack - 1] : NULL;
}

/* The number of the parent of the node NUMBER; 0: it is a root. */
static inline uint32_t cpuprofile_parent_of(const struct cpuprofile_writer *w, uint32_t number)
{
    if (number <= w->kept_count)
        return cpuprofile_kept_at(w, number)->parent;
    const struct stack_node *stack = cpuprofile_stack_of(w, number);
    return stack == NULL ? 0 : cpuprofile_node_on(w, stack->parent);
}

/* The frame of the node NUMBER: the id of a function, or CPUPROFILE_NAMELESS plus the number of a
 * name; 0: it is a root that was missing. */
static inline uint32_t cpuprofile_frame_of(const struct cpuprofile_writer *w, uint32_t number)
{
    if (number <= w->kept_count)
        return cpuprofile_kept_at(w, number)->frame;
    const struct stack_node *stack = cpuprofile_stack_of(w, number);
    return stack == NULL ? 0 : stack->frame;
}

/* The id of the node NUMBER in the file. */
static inline int64_t cpuprofile_id_of(const struct cpuprofile_writer *w, uint32_t number)
{
    const struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    return kept != NULL ? kept->id : w->next_id - 1 + cpuprofile_node_at(w, number)->order;
}

/* --- rows that samples refer to (cpuprofile_write_rows.c) --- */

/* Keeps MEMBER of ROW where it is ours: `keep` of struct profile (profile.h). */
bool cpuprofile_keep(void *writer, const struct row *row, const struct member *member,
                     uint32_t *other);

/* Reads a row of sources. */
void cpuprofile_read_source(struct cpuprofile_writer *w, const struct row *row);

/* Reads a row of functions. */
void cpuprofile_read_function(struct cpuprofile_writer *w, const struct row *row);

/* Reads a row of locations. */
void cpuprofile_read_location(struct cpuprofile_writer *w, const struct row *row);

/* Keeps ROW, a node of a file. Those of further files have ids of their own. */
void cpuprofile_read_node(struct cpuprofile_writer *w, const struct row *row);

/* --- the tree (cpuprofile_write_tree.c) --- */

/* Links the kept nodes; once all have been read. */
void cpuprofile_link_nodes(struct cpuprofile_writer *w);

/* The kept node with the id that SAMPLE names, if its stack is that of SAMPLE; 0: none. */
uint32_t cpuprofile_named_node(const struct cpuprofile_writer *w, const struct sample *sample,
                               int64_t id);

/* The node of SAMPLE; 0, for the root, if it has no stack. */
uint32_t cpuprofile_node_of(struct cpuprofile_writer *w, const struct sample *sample);

/* Counts a sample of the node NUMBER at LINE. */
void cpuprofile_count_sample(struct cpuprofile_writer *w, uint32_t number, int64_t line);

/* Whether the rows are all that their file said, and can be written as it was. */
bool cpuprofile_is_whole(struct cpuprofile_writer *w);

/* Sets w->root. In a whole file that is the first node without a parent. Else the first of those
 * that is called so, or a new one; all others without a parent are below it. */
void cpuprofile_find_root(struct cpuprofile_writer *w);

/* Marks what is written, numbers it, and lists children. */
void cpuprofile_finish_tree(struct cpuprofile_writer *w);

/* --- samples (cpuprofile_write.c) --- */

/* How long the sample HEAD with the values w->values takes, in microseconds: a value that is no
 * time counts as so many. False if it has no value of the chosen type, or one below 0. */
bool cpuprofile_length_of(const struct cpuprofile_writer *w, const struct cpuprofile_waiting *head,
                          struct decimal *length);

/* Reads the next sample from the spool into *HEAD and w->values; false at the end. */
bool cpuprofile_next_sample(struct cpuprofile_writer *w, struct cpuprofile_waiting *head);

/* The same for the next one that is written, and how long it takes. */
bool cpuprofile_next_written(struct cpuprofile_writer *w, struct cpuprofile_waiting *head,
                             struct decimal *length);

/* --- the file (cpuprofile_write_file.c) --- */

/* Writes the file, once all rows have come. */
void cpuprofile_write_file(struct cpuprofile_writer *w);

#endif

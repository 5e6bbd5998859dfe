/* collect.h - a profile as summaries see it: distinct stacks of entries, with their sums.
 *
 * An entry is what a row of a table is about: a function, a line, a file, a mapping, a source or the value of a
 * label.  Each frame of a stack is one, or none; of sources and labels each sample has one. */
#ifndef PROFPIPE_COLLECT_H
#define PROFPIPE_COLLECT_H

#include "base/amount.h"
#include "profile/choice.h"
#include "profile/naming.h"
#include "stream/sink.h"
#include "summary/tally.h"

enum collect_by {
    COLLECT_BY_FUNCTION, /* by name alone, whatever the file */
    COLLECT_BY_GROUP,    /* or by name where there is none */
    COLLECT_BY_LINE,
    COLLECT_BY_FILE,
    COLLECT_BY_MAPPING,
    COLLECT_BY_LABEL,
    COLLECT_BY_SOURCE,
    COLLECT_BY_PLACE, /* a line of a function in a file; no line where there is none */
    COLLECT_BY_FRAME, /* a function in a file, and the line where it starts */
};

/* What tells one entry from another.  There is no padding: equal entries are equal bytes. */
struct collect_key {
    uint32_t string; /* in the profile; 0: none */
    uint32_t
        number; /* of equal names of sources, from 0; of places and frames: the string of the file */
    int64_t line; /* 0: none */
};

/* Whose samples they are, and which labels they have.  There is no padding: equal sets are equal bytes. */
struct collect_set {
    uint32_t source, labels; /* a set of the labels of the profile, 0: none */
};

/* What is known of a source. */
struct collect_source {
    bool has_samples;      /* that are not left out */
    bool leaves_stackless; /* samples without a stack are left out, as R itself does it */
};

/* The function that a line is in: the first that was seen there. */
struct collect_owner {
    uint32_t function; /* its name, a string of the profile; 0: it is in none */
    uint32_t others;   /* how many further ones there are */
};

struct collect {
    struct flow *flow;
    enum collect_by by;
    struct str label;           /* of COLLECT_BY_LABEL, bytes */
    bool has_label;             /* some sample has it */
    struct intern other_labels; /* until then: some keys that samples have */
    bool names_sources;         /* sources have entries whatever rows are about */
    bool
        counts_samples; /* what is summed up is how many samples there are, whatever values they have */
    bool
        keeps_counts; /* with that: COUNT is how many samples the last one stands for, and so a whole number */
    bool keeps_runs; /* a stack is that of one source, whose id is its set of labels */
    bool
        keeps_labels; /* a stack is that of a struct collect_set, whose number it has as its labels */
    struct profile profile;
    struct choice choice; /* of the type that is summed up */
    int power; /* once settled: sums are in units of 10 to this, 0 at most, of choice.unit */
    struct collect_source *sources; /* by id - 1 */
    size_t sources_capacity;
    struct tally all;      /* of all samples, */
    struct tally *tallies; /* and by number of a type - 1 of those that have it */
    size_t tally_capacity;
    uint64_t stackless_count; /* these, for want of a stack: so many samples */

    struct intern entries; /* struct collect_key */
    struct intern sets;    /* struct collect_set, with keeps_labels */
    uint32_t none;         /* the entry of stacks that have none; 0: not needed so far */
    uint32_t no_stack;     /* the same of samples that have no stack */
    uint32_t *frames;      /* by location - 1: its entry; 0: it is none */
    size_t location_count;
    uint32_t *source_entries; /* by source - 1 */
    size_t frame_capacity, source_capacity;
    struct naming_sources names;
    uint32_t counts; /* the type samples/count */

    struct intern line_functions; /* entry and string: the functions that lines are in */
    struct collect_owner *owners; /* by entry - 1 */
    size_t owner_capacity;

    struct intern file_names; /* what stands behind the last '/' of the files of lines */
    uint32_t *file_of_name;   /* by number - 1: the file called so, 0: there are several */
    size_t file_name_capacity;

    uint32_t *stack; /* of the sample in hand, and what it counts with counts_samples */
    size_t depth;
    int64_t count;
    struct sums_part *parts;
    struct amount_columns digits; /* of fractions: columns of sums are numbers of types - 1 */
    size_t stack_capacity, part_count, part_capacity;
    struct buf text;
};

/* Makes C, all zero but for by, label, names_sources, counts_samples, keeps_runs and keeps_labels, an empty one of the profiles of
 * FLOW.  TYPE is the argument of --type, or NULL. */
void collect_open(struct collect *c, struct flow *flow, const char *type);

/* Take a row of definitions, and a sample, merged (merge.h).  False where the sample has no stack, and is left
 * out, as Rprof does it; others without one have an entry for that. */
void collect_row(struct collect *c, const struct row *row);
bool collect_sample(struct collect *c, struct sample *sample);

/* Settles which type is summed up, of what there is so far: see choice_finish.  Ends the tool (STATUS_INPUT) where the one that was
 * asked for is not there. */
void collect_finish(struct collect *c);

/* Gives every stack that had a value which is not 0 to ADD, with the sum of them.  Returns what they had together, signs left
 * aside: shares are of that.  Ends the tool (STATUS_INPUT) where a sum passes 64 bits. */
struct wide collect_each_stack(const struct collect *c,
                               void (*add)(void *to, const struct stacks_stack *stack, int64_t sum),
                               void *to);

/* The stack of SAMPLE in c->stack, valid until the next one; returns how many entries it has. */
size_t collect_stack(struct collect *c, const struct sample *sample);

/* How many samples SAMPLE stands for: one, unless it says otherwise. */
int64_t collect_count(const struct collect *c, const struct sample *sample);

/* What tells ENTRY from others. */
struct collect_key collect_key_of(const struct collect *c, uint32_t entry);

/* What tells the samples of STACK from those of others with the same frames; the source is 0 where nothing does. */
struct collect_set collect_set_of(const struct collect *c, const struct stacks_stack *stack);

/* Appends the name of ENTRY, which is neither place nor frame, bytes, to TO. */
void collect_add_name(const struct collect *c, uint32_t entry, struct buf *to);

/* Appends the name of the function that the line ENTRY is in to TO, and how many others are there; nothing where it is
 * in none. */
void collect_add_function(const struct collect *c, uint32_t entry, struct buf *to);

/* Frees what C holds. */
void collect_free(struct collect *c);

#endif

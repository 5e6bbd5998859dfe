/* collect.h - collects a profile for summaries: distinct stacks of entries, with their sums.
 *
 * An entry is what a table has one row for: a function, line, file, mapping, stack, source, or
 * value of a label. Each frame of a stack has at most one entry. With stacks, sources and labels
 * each sample has one.
 *
 * With levels an entry stands for those of a frame at each level, such as its package and its
 * function: collect_levels_of takes it apart. With keeps_runs, where stacks are kept apart by run and
 * not by what samples have, it also stands for those of the sample, such as a label. */
#ifndef PROFPIPE_COLLECT_H
#define PROFPIPE_COLLECT_H

#include "base/amount.h"
#include "profile/choice.h"
#include "profile/clock.h"
#include "profile/label_key.h"
#include "profile/naming.h"
#include "rows/left_out.h"
#include "stream/sink.h"
#include "summary/tally.h"
#include "table/columns.h"

enum collect_by {
    COLLECT_BY_FUNCTION,     /* by name only, in any file */
    COLLECT_BY_GROUP,        /* by group, or by name if there is none */
    COLLECT_BY_PACKAGE,      /* as naming_package says */
    COLLECT_BY_FILEFUNCTION, /* by name and file */
    COLLECT_BY_LINE,
    COLLECT_BY_ADDRESS, /* of an instruction, with its function, file and line */
    COLLECT_BY_FILE,
    COLLECT_BY_MAPPING,
    COLLECT_BY_LABEL,
    COLLECT_BY_STACK, /* all functions of a sample, by name only */
    COLLECT_BY_SOURCE,
    COLLECT_BY_TIME,        /* as a level: when it was taken, in intervals */
    COLLECT_BY_SOURCE_LINE, /* a line of a function in a file, or no line if it is not known */
    COLLECT_BY_FRAME,       /* a function in a file, with its start line */
    COLLECT_BY_SITE, /* as COLLECT_BY_SOURCE_LINE, but code outside of functions has no name */
    COLLECT_BY_KEY,  /* as a level, before COLLECT_BY_ANY: the key of a label */
    COLLECT_BY_ANY,  /* the value of a label of any key */
    COLLECT_BY_LEVELS,
};

/* One of the levels of a table: rows of a level stand below one of the level before. */
struct collect_level {
    enum collect_by by;
    struct label_key label; /* for COLLECT_BY_LABEL */
    int64_t span;           /* for COLLECT_BY_TIME: the length of an interval in nanoseconds */
    struct str unit;        /* and the unit of its name */
};
enum { COLLECT_LEVELS = 3 }; /* at most */

/* Identifies an entry. No padding: equal entries are equal bytes. */
struct collect_key {
    uint32_t string; /* string number in the profile; 0: none */
    /* for sources: counts equal names, from 0; for functions in files, source lines and frames:
     * string number of the file; for addresses: number of the struct collect_at in the paths; for
     * stacks and levels: number of the path, and no string; for levels with keeps_runs: the entry
     * of the frame, and no string */
    uint32_t number;
    /* 0: none; for times: the nanoseconds at which the interval starts; for levels with keeps_runs:
     * the set of the sample + 1 */
    int64_t line;
};

/* Where an instruction is. No padding: equal ones are equal bytes. */
struct collect_at {
    uint64_t address; /* 0: unknown */
    int64_t line;     /* 0: none */
    uint32_t file;    /* string number in the profile; 0: none */
    uint32_t unused;
};

/* Run and labels of samples. No padding: equal sets are equal bytes. */
struct collect_set {
    uint32_t run;    /* number of the source, or with keeps_runs what the user says */
    uint32_t labels; /* set of labels in the profile; 0: none */
};

/* The functions of the frames that an entry stands for. */
struct collect_joined {
    uint32_t first; /* a function + 1; 0: there is no frame */
    bool has_others;
};

/* What is known of a source. */
struct collect_source {
    bool has_samples;      /* samples that are not skipped */
    bool leaves_stackless; /* samples without a stack are skipped, as R does */
    bool counts_calls;     /* see profile_counts_calls */
    bool has_functions;    /* inclusive values of functions, */
    bool has_calls;        /* and of calls */
};

/* The function that a line belongs to: the first one seen there. */
struct collect_owner {
    uint32_t function; /* its name, a string of the profile; 0: none */
    uint32_t others;   /* number of further functions */
};

/* A total, and a bound of it. What several entries have in common is added to each, and where an entry
 * joins functions, its total may have it several times. A profile of functions and calls (inclusive.h)
 * adds up in two ways, and neither is too low: the totals of functions, and what they cost
 * themselves with what calls from them cost. */
struct collect_total {
    int64_t value, bound;
};

/* Sums of them, and of self. */
struct collect_wides {
    struct wide self, total, bound;
};

/* What a stack adds to sums. A profile of whole stacks says all by its values: then all are the value. One
 * of functions and calls has inclusive values: a stack is a function alone, or the callee and the
 * caller of a call. */
struct collect_sum {
    int64_t self;                   /* to the innermost entry as its own */
    struct collect_total innermost; /* to the total of the innermost entry, */
    struct collect_total outer;     /* and to that of each other entry */
    int64_t call;                   /* to each call in it */
    bool has_self;                  /* it has a value of its own, which may be 0 */
};

/* That of a stack without inclusive values, which has VALUE. */
static inline struct collect_sum collect_sum_of(int64_t value, bool has_self)
{
    const struct collect_total total = {value, value};
    return (struct collect_sum){value, total, total, value, has_self};
}

/* What the values of a type are to the sums of the chosen one: by how much they are multiplied, and as
 * what. */
struct collect_role {
    enum { COLLECT_NONE, COLLECT_OF_FRAMES, COLLECT_OF_CALLS, COLLECT_ROLES } role;
    int64_t times;
};

struct collect {
    struct flow *flow;
    enum collect_by by;
    struct label_key label;                      /* for COLLECT_BY_LABEL */
    struct collect_level levels[COLLECT_LEVELS]; /* for COLLECT_BY_LEVELS */
    size_t level_count;
    const struct collect_level *time_level; /* the one by time; NULL: none. Set by collect_open */
    struct clock clock;                     /* for it */
    bool found_time;                        /* a sample had a time */
    bool has_time;                          /* the current sample has a time, */
    int64_t time;                           /* as clock_read says */
    bool names_sources;                     /* sources get entries in any case */
    bool counts_samples;                    /* add up the number of samples instead of values */
    /* with counts_samples: COUNT is the number of samples that the last one stands for, a whole
     * number */
    bool keeps_counts;
    bool keeps_runs;   /* a stack belongs to one run, whose number is its set of labels */
    uint32_t run;      /* with keeps_runs: that of the next sample, set by the user */
    bool keeps_labels; /* a stack has a struct collect_set, whose number is its set of labels */
    bool has_frames;   /* entries are about frames; set by collect_open */
    struct profile profile;
    struct choice choice; /* of the type to add up */
    /* after collect_finish: sums are in units of choice.unit times 10 to this power, which is 0 or
     * less */
    int power;
    struct collect_role *roles; /* by number of a type - 1, set by collect_finish: */
    size_t role_capacity;
    bool has_inclusive;             /* some type has a role */
    bool has_bounds;                /* calls have inclusive values wherever functions have */
    struct collect_source *sources; /* by id - 1 */
    size_t sources_capacity;
    struct left_out left_out; /* what filters have left out */
    struct tally all;         /* over all samples */
    struct tally *tallies;    /* by number of a type - 1: over the samples that have it */
    size_t tally_capacity;
    uint64_t stackless_count; /* number of samples skipped because they have no stack */
    uint64_t no_stack_count;  /* the same, and those that are not skipped */
    uint64_t cut_count;       /* samples whose outer frames the profiler has left out */

    struct intern entries; /* struct collect_key */
    struct intern sets;    /* struct collect_set, if keeps_labels; entries of levels of samples */
    uint32_t none;         /* entry for stacks without entries; 0: not needed yet */
    uint32_t aside;        /* entry for samples put aside; 0: there are none */
    uint32_t no_stack;     /* entry for samples without a stack; 0: not needed yet */
    uint32_t *frames;      /* by location - 1: its entry; 0: none */
    uint32_t *functions;   /* by location - 1, for stacks: a string of the profile; 0: none */
    struct intern paths;   /* of stacks: such strings, as uint32_t, innermost first; of levels: the
                            * entries of a frame */
    size_t location_count;
    uint32_t *source_entries; /* by source - 1 */
    size_t frame_capacity, function_capacity, source_capacity;
    struct naming_sources names;
    uint32_t counts; /* the type samples/count */

    struct collect_joined *joined; /* by entry - 1 */
    size_t joined_capacity;
    uint32_t *included; /* by number of an inclusive type - 1: what it includes; 0: not looked up */
    size_t *places;     /* by number of a type - 1: its value in the current sample + 1 */
    size_t included_capacity, place_capacity;
    struct intern line_functions; /* entry and string: the functions of lines */
    struct collect_owner *owners; /* by entry - 1 */
    size_t owner_capacity;

    uint32_t *stack; /* of the current sample; COUNT is set if counts_samples */
    size_t depth;
    int64_t count;
    struct sums_part *parts;
    struct amount_columns digits; /* of fractions; columns of sums are numbers of types - 1 */
    size_t stack_capacity, part_count, part_capacity;
    struct buf text;
};

/* Opens C for the profiles of FLOW. C is all zero except by, label, levels, names_sources,
 * counts_samples, keeps_runs and keeps_labels. TYPE is the argument of --type, or NULL. */
void collect_open(struct collect *c, struct flow *flow, const char *type);

/* Take a row of a definition, and a sample, both merged (merge.h). collect_sample returns false if
 * the sample has no stack and is skipped, as Rprof does. Other samples without a stack get an entry
 * for that. */
void collect_row(struct collect *c, const struct row *row);
bool collect_sample(struct collect *c, struct sample *sample);

/* Whether samples may come in two parts (struct sample) to C, which is open: stacks of several
 * sources are one. */
bool collect_takes_sums(const struct collect *c);

/* Adds to ALL, the sum of the chosen type, what filters have left out of it, and stores the sum in
 * *BEFORE. False if they have left out nothing, as far as rows say, or more than 64 bits hold. */
bool collect_before(const struct collect *c, struct wide all, struct wide *before);

/* Adds SAMPLE to what shares refer to, but under the entry c->aside and no other. */
void collect_aside(struct collect *c, struct sample *sample);

/* Chooses the type to add up from the types seen so far (choice_finish). Ends the tool
 * (STATUS_INPUT) if the requested type is missing. */
void collect_finish(struct collect *c);

/* Chooses TYPE instead, an argument of --type, after collect_finish. */
void collect_again(struct collect *c, struct str type);

/* Calls ADD(TO, stack, sum) for every stack with a value other than 0, or with an inclusive one. Returns
 * the sum of the absolute values of their own, which shares refer to. Ends the tool (STATUS_INPUT) if
 * a sum exceeds 64 bits. */
typedef void collect_add(void *to, const struct stacks_stack *stack, const struct collect_sum *sum);
struct wide collect_each_stack(const struct collect *c, collect_add *add, void *to);

/* Whether ENTRY, of a stack or a level, stands for frames of several functions. */
bool collect_joins(const struct collect *c, uint32_t entry);

/* The total of what has SUMS where ALL is spent: not more than ALL, nor than its bound if
 * ENTRY, which it is about, joins functions; but not less than SELF. ENTRY may be 0: it is about none.
 * TOTAL where values are of whole stacks. */
struct wide collect_limit(const struct collect *c, uint32_t entry, struct collect_wides sums,
                          struct wide all);

/* Calls ADD(TO, stack, value) for every stack with a value, for levels: of several the sum. */
void collect_each_level(const struct collect *c,
                        void (*add)(void *to, const struct stacks_stack *stack, double value),
                        void *to);

/* Sets c->stack to the stack of SAMPLE, valid until the next call; returns its number of
 * entries. */
size_t collect_stack(struct collect *c, const struct sample *sample);

/* The number of samples that SAMPLE stands for: one by default. */
int64_t collect_count(const struct collect *c, const struct sample *sample);

/* Whether entries of BY are about whole samples, not about frames. */
bool collect_is_of_samples(enum collect_by by);

/* The key of ENTRY. */
struct collect_key collect_key_of(const struct collect *c, uint32_t entry);

/* The run and labels of STACK. The run is 0 if stacks are not kept apart by it. */
struct collect_set collect_set_of(const struct collect *c, const struct stacks_stack *stack);

/* Sets ITEMS to the entries of frame I of STACK, one a level, for COLLECT_BY_LEVELS without
 * keeps_runs. 0: it has none at this level, and so at none that follows. */
void collect_levels_of(const struct collect *c, const struct stacks_stack *stack, size_t i,
                       uint32_t items[COLLECT_LEVELS]);

/* The same of ENTRY, of a stack, with keeps_runs. */
void collect_levels_at(const struct collect *c, uint32_t entry, uint32_t items[COLLECT_LEVELS]);

/* Whether ENTRY is of stacks: with levels and keeps_runs some are only what others stand for. And the
 * entry of ENTRY, which is of stacks, in c->frames. */
bool collect_is_of_stacks(const struct collect *c, uint32_t entry);
uint32_t collect_frame_of(const struct collect *c, uint32_t entry);

/* The columns that name the entries of BY for programs, ending in COLUMN_NONE. None for source
 * lines, frames, sites and levels. */
enum { COLLECT_PARTS = 5 };
const enum column_id *collect_columns(enum collect_by by);

/* A column that names entries for programs. */
struct collect_column {
    enum column_id id;
    struct str words; /* the key of a label; else empty */
    unsigned levels;  /* those that it is about, as bits; 0 without levels */
};

/* Sets COLUMNS to those that name the entries of C, and returns how many these are. Several levels
 * may share one, such as the file of a line below that file. */
enum { COLLECT_COLUMNS = (COLLECT_PARTS - 1) * COLLECT_LEVELS };
size_t collect_name_columns(const struct collect *c,
                            struct collect_column columns[COLLECT_COLUMNS]);

/* Appends to TO what COLUMN, one of these but COLUMN_STACK, says of ENTRY: bytes, or for COLUMN_LINE
 * and COLUMN_TIME a number. Nothing if there is none. With levels C must have keeps_runs. */
void collect_add_column(const struct collect *c, uint32_t entry,
                        const struct collect_column *column, struct buf *to);

/* Appends to TO what COLUMN, one of these but COLUMN_STACK, says of ENTRY, which is by BY:
 * bytes, or for COLUMN_LINE a number. Nothing if there is none. */
void collect_add_part(const struct collect *c, enum collect_by by, uint32_t entry,
                      enum column_id column, struct buf *to);

/* Appends the name of ENTRY, bytes, to TO; that of a line is FILE:LINE, as editors and compilers
 * have it; names in a stack have ';' between, outermost first; names at levels, for which C must have
 * keeps_runs, ", ". ENTRY must not be a source line, frame or site. */
void collect_add_name(const struct collect *c, uint32_t entry, struct buf *to);

/* The same of an entry by BY, which is one of the levels. */
void collect_add_name_by(const struct collect *c, enum collect_by by, uint32_t entry,
                         struct buf *to);

/* The functions of ENTRY, a stack: strings of the profile as uint32_t, innermost first. Empty for
 * any other entry, such as <no stack>. */
struct str collect_path(const struct collect *c, uint32_t entry);

/* The string I of PATH, from collect_path. */
static inline struct str collect_path_name(const struct collect *c, struct str path, size_t i)
{
    uint32_t string;
    memcpy(&string, path.p + i * sizeof string, sizeof string);
    return profile_string_of(&c->profile, string);
}

/* The name of the function of ENTRY, a line, the first one seen there: a string of the profile; 0:
 * none. */
uint32_t collect_function(const struct collect *c, uint32_t entry);

/* Appends to TO that name and, for people, the number of further functions there; nothing if there
 * is none. */
void collect_add_function(const struct collect *c, uint32_t entry, struct buf *to);

/* Frees what C holds. */
void collect_free(struct collect *c);

#endif

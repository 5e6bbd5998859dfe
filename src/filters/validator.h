/* validator.h - the parts of the validator to each other: validate.c reads streams and checks what rows
 * say of each other, validate_samples.c the rows of a sample, validate_unordered.c dumps. */
#ifndef PROFPIPE_VALIDATOR_H
#define PROFPIPE_VALIDATOR_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/limits.h"
#include "filters/relations.h"
#include "filters/validate.h"
#include "rows/rows.h"

struct validator_depth;

struct validator {
    const struct validate_request *request;
    struct findings *findings;
    struct validate_counts *counts;
    struct rows rows;
    struct place where; /* of the row being checked */
    struct str line;    /* its text, where that has been read */
    struct flow flow;   /* of inputs that are no rows */
    unsigned bad;       /* its bad columns, as bits */

    /* Of the input. */
    bool any;           /* it has had a profile */
    bool promised_more; /* the last .end row said that another follows */
    bool after_end;     /* rows have been found behind an .end row */

    /* Of the profile. */
    enum version version;
    bool open, promised_end;
    bool has_meta; /* the version row has come */
    struct relations relations;
    unsigned rank; /* version 1.0: how far the order of tables has come */
    uint64_t sample_types;
    struct idmap inlined; /* location -> place in the next, from 1 */
    int64_t *into;
    size_t into_count, into_capacity;

    /* Of the sample. */
    bool in_sample;
    int64_t sample_id; /* 0: its row had none that could be read */
    bool in_locations;
    int64_t outer; /* what the location read last is inlined into; 0: nothing, or not known */
    bool doubtful; /* a line in it could not be read */
    int64_t depth; /* its locations have come from 1 to here */
    struct validator_depth *depths; /* and then these, in whatever order */
    size_t depth_count, depth_capacity;
    bool has_judged;        /* there were too many: what was missing up to depth is known */
    uint64_t sample_number; /* of all, to tell its value types from those of others */
    struct intern types;
    uint64_t *type_samples; /* by type: the last sample that has it */
    size_t type_capacity;
    struct buf *memo; /* see check_members */

    bool owes_end; /* what is passed has been promised an end */
};

#define FOUND(v, rule, table, column, ...)                                                         \
    finding_add((v)->findings, (v)->where, RULE_##rule, table, column, __VA_ARGS__)

/* --- validate.c --- */

/* Calls TAKE(WITH, row) for each row of IN, which is of FORMAT: v->where is its place then, and v->bad
 * its bad columns. */
void validator_rows(struct validator *v, struct in *in, const struct format *format,
                    void (*take)(void *with, const struct row *row), void *with);

/* Opens a profile, of which nothing is known yet. */
void validator_open(struct validator *v);

/* Checks the version row ROW and takes the version that it declares; 2.0 where it is none that is
 * known. */
void validator_take_version(struct validator *v, const struct row *row);

/* Checks ROW, which stands at v->where and has the bad columns v->bad, against those before it. */
void validator_row(struct validator *v, const struct row *row);

/* Checks what the members of ROW that are no columns hold. */
void validator_members(struct validator *v, const struct row *row);

/* Finds (end) what is missing at the end of the input: the .end row of its profile, or another
 * profile. */
void validator_found_ends(const struct validator *v, bool no_end, bool no_more);

/* Finds (reference) that the location ID, which line LINE defines, is inlined into itself. */
void validator_found_circle(const struct validator *v, uint64_t line, int64_t id);

/* --- validate_samples.c --- */

/* Takes a row of samples: another sample begins. */
void validator_sample(struct validator *v, const struct row *row);

/* Takes a row of sample_values. */
void validator_value(struct validator *v, const struct row *row);

/* The location that ID is inlined into, or 0. */
static inline int64_t validator_outer(const struct validator *v, int64_t id)
{
    uint32_t place = idmap_get(&v->inlined, (uint64_t)id);
    return place == 0 ? 0 : v->into[place - 1];
}

/* For validator_location. */
void validator_found_apart(struct validator *v, const struct row *row);
void validator_other_location(struct validator *v, const struct row *row);

/* Takes a row of sample_locations. */
static inline void validator_location(struct validator *v, const struct row *row)
{
    if (__builtin_expect(v->in_sample && row->sample_location.sample_id == v->sample_id &&
                             row->sample_location.depth - 1 == v->depth && v->depth_count == 0 &&
                             v->depth != (int64_t)LIMITS_FRAMES,
                         1)) {
        v->in_locations = true;
        v->depth++;
        if (v->inlined.used == 0)
            return;
        if (__builtin_expect(v->outer != 0 && row->sample_location.location_id != v->outer, 0))
            validator_found_apart(v, row);
        v->outer = validator_outer(v, row->sample_location.location_id);
    } else {
        validator_other_location(v, row);
    }
}

/* The sample ends, if there is one. */
void validator_end_sample(struct validator *v);

/* --- validate_unordered.c --- */

/* Checks IN, of FORMAT, the rows of one profile in any order. */
void validator_unordered(struct validator *v, struct in *in, const struct format *format);

#endif

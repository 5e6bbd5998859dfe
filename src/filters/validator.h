/* validator.h - shared by the parts of the validator: validate.c reads streams and checks rows
 * against each other, validate_samples.c checks the rows of a sample, validate_unordered.c checks
 * rows in any order. */
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
    struct str line;    /* text of the row, if read */
    struct flow flow;   /* of inputs that are not rows */
    unsigned bad;       /* bad columns of the row, as bits */

    /* State of the input. */
    bool any;           /* it had a profile */
    bool promised_more; /* the last .end row promised another profile */
    bool after_end;     /* rows came after an .end row */

    /* State of the profile. */
    enum version version;
    bool open, promised_end;
    bool has_meta; /* the version row has come */
    struct relations relations;
    unsigned rank; /* version 1.0: position in the order of tables */
    uint64_t sample_types;
    struct idmap inlined; /* location -> index in INTO, from 1 */
    int64_t *into;
    size_t into_count, into_capacity;

    /* State of the sample. */
    bool in_sample;
    int64_t sample_id; /* 0: its row had no valid id */
    bool in_locations;
    int64_t outer; /* the location that the last one is inlined into; 0: none or not known */
    bool doubtful; /* one of its lines could not be read */
    int64_t depth; /* locations 1 to DEPTH have come */
    struct validator_depth *depths; /* further locations, in any order */
    size_t depth_count, depth_capacity;
    bool has_judged; /* there were too many: gaps up to DEPTH have been reported */
    /* over all profiles, to separate its value types from those of other samples */
    uint64_t sample_number;
    struct intern types;
    uint64_t *type_samples; /* by type: the last sample that has it */
    size_t type_capacity;
    struct buf *memo; /* see check_members */

    bool owes_end; /* the copy has promised an end */
};

#define FOUND(v, rule, table, column, ...)                                                         \
    finding_add((v)->findings, (v)->where, RULE_##rule, table, column, __VA_ARGS__)

/* --- validate.c --- */

/* Calls TAKE(WITH, row) for each row of IN, which is of FORMAT. During the call v->where is its
 * place, and v->bad its bad columns. */
void validator_rows(struct validator *v, struct in *in, const struct format *format,
                    void (*take)(void *with, const struct row *row), void *with);

/* Starts a profile. */
void validator_open(struct validator *v);

/* Checks ROW, the version row, and stores its version; 2.0 if it is not known. */
void validator_take_version(struct validator *v, const struct row *row);

/* Checks ROW, at v->where and with the bad columns v->bad, against the rows before it. */
void validator_row(struct validator *v, const struct row *row);

/* Checks the values of members of ROW that are not columns. */
void validator_members(struct validator *v, const struct row *row);

/* Reports (rule end) what is missing at the end of the input: the .end row of its profile, or
 * another profile. */
void validator_found_ends(const struct validator *v, bool no_end, bool no_more);

/* Reports (rule reference) that location ID, defined in line LINE, is inlined into itself. */
void validator_found_circle(const struct validator *v, uint64_t line, int64_t id);

/* --- validate_samples.c --- */

/* Takes a row of samples: starts another sample. */
void validator_sample(struct validator *v, const struct row *row);

/* Takes a row of sample_values. */
void validator_value(struct validator *v, const struct row *row);

/* The location that ID is inlined into, or 0. */
static inline int64_t validator_outer(const struct validator *v, int64_t id)
{
    uint32_t position = idmap_get(&v->inlined, (uint64_t)id);
    return position == 0 ? 0 : v->into[position - 1];
}

/* Slow paths of validator_location. */
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

/* Ends the sample, if there is one. */
void validator_end_sample(struct validator *v);

/* --- validate_unordered.c --- */

/* Checks IN, of FORMAT, the rows of one profile in any order. */
void validator_unordered(struct validator *v, struct in *in, const struct format *format);

#endif

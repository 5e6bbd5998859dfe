/* loss.h - the count of what had no place in the output.  One tally per process. */
#ifndef PROFPIPE_LOSS_H
#define PROFPIPE_LOSS_H

#include "base/decimal.h"
#include "base/own.h"
#include "rows/sample.h"

/* LOSS(constant, what messages call it, whether it is reported without being asked for).  What people have
 * no use for, unless they want the same file back, is reported under -v and by --lossless alone. */
#define LOSSES(LOSS)                                                                               \
    LOSS(VALUES, "values", true)                                                                   \
    LOSS(BELOW_ZERO, "values below 0", true)                                                       \
    LOSS(GAUGES, "levels", true)                                                         \
    LOSS(INCLUSIVE, "inclusive values", true)                                                      \
    LOSS(TYPES, "value types", true)                                                           \
    LOSS(FRACTIONS, "fractions of values", true)                                                   \
    LOSS(MEMORY, "missing memory numbers", true)                                          \
    LOSS(COUNTS, "samples with a count below 1 or no integer", true)                               \
    LOSS(NO_COUNT, "samples without a count", true)                                             \
    LOSS(NO_STACK, "samples without a stack", true)                                                \
    LOSS(SEEMS_CUT, "samples that look cut", true)                                              \
    LOSS(FRAMES, "frames without a function", true)                                                \
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, LOSS, OWN_NONE, OWN_NONE)                \
    LOSS(NEGATIVE, "lines with a sum below 0", true)                                               \
    LOSS(COLUMNS, "columns", true)                                                                 \
    LOSS(DOTTED_COLUMNS, "extra columns", true)                                                   \
    LOSS(DOTTED_ROWS, "rows of extra tables", true)                                               \
    LOSS(TABLES, "unknown tables", true)                                        \
    LOSS(REFERENCES, "references to nothing", true)                                                \
    LOSS(UNKNOWN_FIELDS, "unknown fields", true)                                                   \
    LOSS(FACTS, "facts about sources", false)                                                      \
    LOSS(OWN, "details for its own format alone", false)

enum loss {
#define LOSS(constant, what, is_reported) LOSS_##constant,
    LOSSES(LOSS)
#undef LOSS
        LOSS_COUNT
};

/* Says that the output is TARGET, the name of a format, for messages; NULL: "the output". */
void loss_name_target(const char *target);

/* Counts COUNT things of the kind LOSS; NAME, canonical text, is which of them. */
void loss_add(enum loss loss, struct str name, uint64_t count);

/* Counts a value of the type NAME that was rounded: what was written is MORE than what it was, or less. */
void loss_add_fraction(struct str name, struct decimal more);

/* Counts the dotted column NAME of ROW. */
void loss_add_column(const struct row *row, struct str name);

/* Counts the member NAME of an object in COLUMN of ROW. */
void loss_add_inside(const struct row *row, struct str column, struct str name);

/* Counts all dotted columns of ROW, but for the promise of an end. */
void loss_add_columns(const struct row *row);

/* The same for EXTRA, the dotted columns of a row of TABLE. */
void loss_add_extra(enum table table, struct str extra);

/* Counts the dotted columns of SAMPLE, at WHERE, and of its rows of locations, but for flags that are false. */
void loss_add_sample(const struct sample *sample, struct place where);

/* Counts those members of BYTES, a `.bytes` of ROW, that are of no string that ROW has. */
void loss_add_bytes(const struct row *row, struct str bytes);

/* Counts ROW, of a dotted table. */
void loss_add_row(const struct row *row);

/* How much has been counted so far. */
uint64_t loss_total(void);

/* Says in one line what was counted, if anything was that is reported: in the words of people, else by kind; and each
 * by name under -v.
 * With LOSSLESS anything that was counted is an error which ends the tool (STATUS_INPUT).  Forgets
 * the counts. */
void loss_report(bool lossless);

/* Puts the counts aside, and begins from none. */
void loss_put_aside(void);

/* Forgets what has been counted since, and goes on with what was put aside. */
void loss_take_back(void);

/* Forgets the counts, for callers that survive die(). */
void loss_forget(void);

#endif

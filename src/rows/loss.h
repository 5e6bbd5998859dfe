/* loss.h - counts what the output cannot hold.  There is one set of counts per process. */
#ifndef PROFPIPE_LOSS_H
#define PROFPIPE_LOSS_H

#include "base/decimal.h"
#include "base/own.h"
#include "rows/sample.h"

/* LOSS(constant, words in messages for one and for many, whether it is reported by default).
 * Losses that only matter to users who want the same file back are reported with -v and --lossless
 * only. */
#define LOSSES(LOSS)                                                                               \
    LOSS(VALUES, "value of another type", "values of other types", true)                           \
    LOSS(BELOW_ZERO, "value below 0", "values below 0", true)                                      \
    LOSS(GAUGES, "level such as memory in use", "levels such as memory in use", true)              \
    LOSS(INCLUSIVE, "inclusive value", "inclusive values", true)                                   \
    LOSS(TYPES, "value type", "value types", true)                                                 \
    LOSS(FRACTIONS, "fraction of a value", "fractions of values", true)                            \
    LOSS(MEMORY, "sample without memory numbers", "samples without memory numbers", true)          \
    LOSS(COUNTS, "sample whose count is no whole number from 1",                                   \
         "samples whose count is no whole number from 1", true)                                    \
    LOSS(NO_COUNT, "sample without a count", "samples without a count", true)                      \
    LOSS(NO_STACK, "sample without a stack", "samples without a stack", true)                      \
    LOSS(SEEMS_CUT, "sample that looks cut", "samples that look cut", true)                        \
    LOSS(FRAMES, "frame without a function", "frames without a function", true)                    \
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, LOSS, OWN_NONE, OWN_NONE)                \
    LOSS(NEGATIVE, "line with a sum below 0", "lines with a sum below 0", true)                    \
    LOSS(COLUMNS, "column", "columns", true)                                                       \
    LOSS(DOTTED_COLUMNS, "value of an extra column", "values of extra columns", true)              \
    LOSS(DOTTED_ROWS, "row of an extra table", "rows of extra tables", true)                       \
    LOSS(TABLES, "unknown table", "unknown tables", true)                                          \
    LOSS(REFERENCES, "reference to a missing entry", "references to missing entries", true)        \
    LOSS(UNKNOWN_FIELDS, "unknown field", "unknown fields", true)                                  \
    LOSS(LABEL_VALUES, "label with too many values to choose from",                                \
         "labels with too many values to choose from", false)                                      \
    LOSS(FACTS, "fact about a source", "facts about sources", false)                               \
    LOSS(OWN, "format detail", "format details", false)

enum loss {
#define LOSS(constant, one, many, is_reported) LOSS_##constant,
    LOSSES(LOSS)
#undef LOSS
        LOSS_COUNT
};

/* Sets the name of the output format for messages; NULL: "the output". */
void loss_name_target(const char *target);

/* Adds COUNT to the losses of the kind LOSS; NAME, canonical text, says which of that kind.  It is
 * empty for a kind whose words say it all. */
void loss_add(enum loss loss, struct str name, uint64_t count);

/* From now on the losses that this thread counts are added to TO instead, in the order in which
 * they come; NULL: no longer.  TO is called with what loss_add is, or for a fraction with MORE. */
struct loss_diversion {
    void (*add)(struct loss_diversion *to, enum loss loss, struct str name, uint64_t count,
                const struct decimal *more);
    uint64_t total; /* of the counts so far, for loss_total */
};
void loss_divert(struct loss_diversion *to);

/* From now on all losses of this thread, but fractions, count TIMES; 1 at first.  At 0 they still
 * change loss_total. */
void loss_repeat(uint64_t times);

/* Counts a value of the type NAME that was rounded.  MORE is the rounded minus the exact value. */
void loss_add_fraction(struct str name, struct decimal more);

/* Rounds EXACT, a value of the type NAME, once, to the nearest integer, halves away from 0, and
 * counts it if that changes it.  Returns whether it fits 64 bits; if so it is stored in
 * *ROUNDED. */
bool loss_round(struct str name, struct decimal exact, int64_t *rounded);

/* Counts the dotted column NAME of ROW. */
void loss_add_column(const struct row *row, struct str name);

/* Counts the member NAME of an object in COLUMN of ROW. */
void loss_add_inside(const struct row *row, struct str column, struct str name);

/* Counts all dotted columns of ROW, except the promise of an end. */
void loss_add_columns(const struct row *row);

/* The same for EXTRA, the dotted columns of a row of TABLE. */
void loss_add_extra(enum table table, struct str extra);

/* Counts the dotted columns of SAMPLE, at WHERE, and of its rows of locations, except flags that
 * are false. */
void loss_add_sample(const struct sample *sample, struct place where);

/* Counts those members of BYTES, the `.bytes` of ROW, that belong to no string of ROW. */
void loss_add_bytes(const struct row *row, struct str bytes);

/* Counts ROW, of a dotted table. */
void loss_add_row(const struct row *row);

/* The sum of all counts so far, or more: it changes with every loss. */
uint64_t loss_total(void);

/* Reports all losses that are reported by default, in a line for each kind: its count and the first
 * few names.  -v adds the other kinds, and writes a line for each name.  With LOSSLESS any loss is
 * an error, which ends the tool (STATUS_INPUT).  Resets the counts. */
void loss_report(bool lossless);

/* Saves the counts and starts again from zero. */
void loss_put_aside(void);

/* Drops the counts since loss_put_aside and restores the saved ones. */
void loss_take_back(void);

/* Resets the counts, for callers that survive die(). */
void loss_forget(void);

#endif

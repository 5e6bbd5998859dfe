/* gate.h - the limits of --fail-if. For one profile a limit is a budget, such as "total(^json) > 5
 * points". For two sides it limits growth, such as "self > 10 % and significant". */
#ifndef PROFPIPE_GATE_H
#define PROFPIPE_GATE_H

#include "base/needles.h"
#include "profile/match.h"

struct view_totals;

/* The arguments of --fail-if, in order, borrowed. */
struct gate_texts {
    const char **items;
    size_t count, capacity;
};

void gate_texts_add(struct gate_texts *t, const char *text);

struct gate {
    const char *text; /* as given */
    enum { GATE_SELF, GATE_TOTAL, GATE_COST } of;
    bool is_growth;  /* LIMIT is relative to the base; false: a share of all, or an amount */
    bool is_amount;  /* LIMIT is an amount in UNIT */
    struct str unit; /* of values, "ns/op" or "time/ns/op", where their self is limited */
    bool is_significant;
    double limit; /* a fraction, or in UNIT */
    bool has_match;
    struct match match; /* of names, if given */
    struct str word;    /* contained in all matching names; n is 0 if there is none */

    uint32_t *named; /* if there is a match: numbers of matching items (gates_take), ascending */
    size_t named_count, named_capacity;
};

/* Reports that no name matches G: a warning if ABSENT_OK, else an error. Returns true if it was an
 * error. */
bool gate_misses_all(const struct gate *g, bool absent_ok);

/* A list of gates; all are judged. All zero is empty. */
struct gates {
    struct gate *items;
    size_t count;

    /* To select the gates whose expression may match a name: the words of all others are not in
     * it. */
    struct needles words;
    uint32_t *asked, *wordless; /* indexes in ITEMS */
    size_t asked_count, wordless_count;
    /* number of the current name; the last name each gate was checked for */
    uint64_t round, *rounds;
};

/* Opens G, all zero, with the gates of TEXTS. A gate is: self or total, optionally an expression
 * for names in parentheses, >, a number, points. If COMPARES (two sides): also cost, or a unit
 * with a '/', which is self in that unit; % instead of points, or for a unit nothing; and "and
 * significant" at the end. Ends the tool (STATUS_USAGE) if a text is not valid. */
void gates_open(struct gates *g, const struct gate_texts *texts, bool compares);

/* Matches item NUMBER, called NAME (bytes), against the expressions in G. NUMBER must not decrease
 * from call to call. The time grows with the length of NAME and the number of gates that may
 * match. */
void gates_take(struct gates *g, uint32_t number, struct str name);

/* Forgets which items were named: what follows are others. */
void gates_forget(struct gates *g);

/* Whether a gate in G has an expression for names. */
bool gates_need_names(const struct gates *g);

/* Reports the functions of T that exceed a gate in G. Returns true if there was one, if T has only
 * zeros and cannot be judged, or if a gate matches no name and ABSENT_OK is false. */
bool gates_find(struct gates *g, const struct view_totals *t, bool absent_ok);

void gates_free(struct gates *g);

#endif

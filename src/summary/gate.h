/* gate.h - what must not be: an expression of --fail-if.  Of one profile it is a budget, such as
 * "total(^json) > 5 points", of two sides a growth, such as "self > 10 % and significant". */
#ifndef PROFPIPE_GATE_H
#define PROFPIPE_GATE_H

#include "base/needles.h"
#include "profile/match.h"

struct view_totals;

/* The arguments of --fail-if, in their order, borrowed. */
struct gate_texts {
    const char **items;
    size_t count, capacity;
};

void gate_texts_add(struct gate_texts *t, const char *text);

struct gate {
    const char *text; /* as it was given */
    enum { GATE_SELF, GATE_TOTAL, GATE_COST } of;
    bool is_growth; /* LIMIT is of what it was before; else it is a share of all */
    bool is_significant;
    double limit;
    bool has_match;
    struct match match; /* of names, if there is one */
    struct str word;    /* that is in all of them; or n is 0 */

    uint32_t *named; /* if there is one: what it judges, by gates_take, in rising order */
    size_t named_count, named_capacity;
};

/* Says that no name is one that G judges: as a warning if that is ABSENT_OK, or else as an error.  True where it is that. */
bool gate_misses_all(const struct gate *g, bool absent_ok);

/* Gates, all of which are judged.  All zero is none. */
struct gates {
    struct gate *items;
    size_t count;

    /* Which of those with an expression a name is looked at with: the others' words are not in it. */
    struct needles words;
    uint32_t *asked, *wordless; /* by place in ITEMS */
    size_t asked_count, wordless_count;
    uint64_t round, *rounds; /* of names; in which each gate was asked last */
};

/* Makes G, all zero, the gates of TEXTS, each of which is self or total, perhaps an expression for names in parentheses, >, a
 * number, and points.  Where they COMPARE two sides there are cost, and % for points, too, and all may end
 * in "and significant".  Ends the tool (STATUS_USAGE) where one is none. */
void gates_open(struct gates *g, const struct gate_texts *texts, bool compares);

/* The item NUMBER, which rises from call to call or stays, is called NAME, bytes: those of G whose expression is in that
 * take it.  Takes time for the length of NAME, and for the gates whose expression may be in it. */
void gates_take(struct gates *g, uint32_t number, struct str name);

/* Whether there is an expression for names in G. */
bool gates_need_names(const struct gates *g);

/* Says which of the functions of T have more than G allow, if any; true if there was one, if T, of nothing but
 * zeros, has none that could be judged, or if one of G judges no name and that is not ABSENT_OK. */
bool gates_find(struct gates *g, const struct view_totals *t, bool absent_ok);

void gates_free(struct gates *g);

#endif

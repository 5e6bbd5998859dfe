/* source_kind.h - properties of sources by their source_type, which says the format or tool that
 * they come from. */
#ifndef PROFPIPE_SOURCE_KIND_H
#define PROFPIPE_SOURCE_KIND_H

#include "base/buf.h"
#include "rows/members.h"
#include "rows/provenance.h"

/* Facts in the object of a format, in the row of a source, that others can use; empty or 0:
 * unknown.  All but the first are bytes. */
struct source_facts {
    struct buf default_type; /* canonical text: the value type to show */
    struct buf host;         /* where it was recorded */
    struct buf producer;     /* the program that wrote it */
    struct buf command;      /* what was run or recorded */
    struct buf date;     /* when it was recorded, as "2026-11-22 02:53:11" by that host's clock */
    struct buf comments; /* one in a line, without those of its provenance */
    struct provenance provenance; /* what those say */
    int64_t duration;             /* how long it was recorded, in nanoseconds */
    int64_t cores;                /* of the host */
    /* The member that the facts were read from, or a null p; all other members are counted as
     * lost. */
    struct str used;
};

struct source_kind {
    /* The source_type.  The kind owns the columns and tables named by a dot and this name, alone
     * or followed by '_'. */
    struct str name;

    /* Whether the samples of such a source are in the order in which they were taken.  Each kind
     * must say.  Those of a scattered one are in none, and their times count from when the source
     * began: the first sample may be any. */
    enum { SOURCE_SAYS_NOTHING, SOURCE_IN_ORDER, SOURCE_UNORDERED, SOURCE_SCATTERED } order;

    bool leaves_stackless; /* samples without a stack are not in sums and shares: nothing ran */
    bool lists_types;      /* all its value types are listed: a period implies no further type */
    bool counts_calls;     /* where types are inclusive, it has functions and calls: no stacks */

    /* Reads the members FACTS of its object into TO, which is empty; NULL: there are no such
     * facts. */
    void (*facts)(const struct members *facts, struct source_facts *to);
};

/* The nanoseconds from START to END, numbers in UNIT of time, for a duration; an empty START is 0.
 * 0 if they are below 0, far too long, or not known. */
int64_t source_kind_span(struct str start, struct str end, struct str unit);

/* NANOSECONDS since 1970-01-01 UTC in seconds, for a source_timestamp.  DIGITS is overwritten, and may hold the text. */
struct number source_kind_seconds(struct buf *digits, int64_t nanoseconds);

/* The inverse: stores SECONDS, a source_timestamp that is not null, in *NANOSECONDS, rounded if that is
 * not *IS_EXACT. False if they do not fit 64 bits. */
bool source_kind_nanoseconds(const struct number *seconds, int64_t *nanoseconds, bool *is_exact);

/* Appends the date in TEXT to TO as in struct source_facts: C's, as "Sun Nov 22 02:53:11 2026", of which the
 * seconds may be missing. Appends nothing if it is none. */
void source_kind_date(struct buf *to, struct str text);

/* Stores what the source of ROW says of its provenance in TO, which is empty and belongs to the
 * caller then. */
void source_kind_provenance(struct provenance *to, const struct row *row);

/* Frees the texts of FACTS. */
void source_kind_free_facts(struct source_facts *facts);

/* The kind of sources of TYPE, bytes; NULL if it is not known. */
const struct source_kind *source_kind_find(struct str type);

/* The kind that owns the dotted column or table NAME; NULL: none. */
const struct source_kind *source_kind_owner(struct str name);

/* The kind whose object is the dotted column NAME of a source; NULL: none. */
const struct source_kind *source_kind_object(struct str name);

#endif

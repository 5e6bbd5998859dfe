/* source_kind.h - properties of sources by their source_type, which says the format or tool that
 * they come from. */
#ifndef PROFPIPE_SOURCE_KIND_H
#define PROFPIPE_SOURCE_KIND_H

#include "base/buf.h"
#include "rows/members.h"

/* Facts in the object of a format, in the row of a source, that other formats can use; empty:
 * unknown. */
struct source_facts {
    struct buf default_type; /* canonical text: the value type to show */
    struct buf host;         /* the host where it was recorded, bytes */
    /* The member that the facts were read from, or a null p; all other members are counted as
     * lost. */
    struct str used;
};

struct source_kind {
    /* The source_type.  The kind owns the columns and tables named by a dot and this name, alone
     * or followed by '_'. */
    struct str name;

    /* Whether the samples of such a source are in the order in which they were taken.  Each kind
     * must say. */
    enum { SOURCE_SAYS_NOTHING, SOURCE_IN_ORDER, SOURCE_UNORDERED } order;

    bool leaves_stackless; /* samples without a stack are not in sums and shares: nothing ran */
    bool lists_types;      /* all its value types are listed: a period implies no further type */

    /* Reads the members FACTS of its object into TO, which is empty; NULL: there are no such
     * facts. */
    void (*facts)(const struct members *facts, struct source_facts *to);
};

/* The kind of sources of TYPE, bytes; NULL if it is not known. */
const struct source_kind *source_kind_find(struct str type);

/* The kind that owns the dotted column or table NAME; NULL: none. */
const struct source_kind *source_kind_owner(struct str name);

/* The kind whose object is the dotted column NAME of a source; NULL: none. */
const struct source_kind *source_kind_object(struct str name);

#endif

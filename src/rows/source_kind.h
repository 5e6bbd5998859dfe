/* source_kind.h - what is known of sources by their source_type: by the format, or the tool, that they come from. */
#ifndef PROFPIPE_SOURCE_KIND_H
#define PROFPIPE_SOURCE_KIND_H

#include "base/buf.h"
#include "rows/members.h"

/* What the object of a format in the row of a source says that is of use beyond that format; empty: nothing. */
struct source_facts {
    struct buf default_type; /* canonical text: the type of values to be shown */
    struct buf host;         /* where the source was taken, bytes */
    struct str
        used; /* a null p, or the member that has been used: the others are of use to nobody */
};

struct source_kind {
    struct str
        name; /* the source_type; columns and tables called by a dot and it, or so and '_', are its own */

    /* Whether samples of such a source stand in the order in which they were taken.  Each kind says so. */
    enum { SOURCE_SAYS_NOTHING, SOURCE_IN_ORDER, SOURCE_UNORDERED } order;

    bool leaves_stackless; /* samples without a stack are no part of sums and shares: nothing ran */
    bool lists_types;      /* its types are all listed: a period stands for none of its own */

    /* Reads its object, the members FACTS, to TO, which is empty; NULL: it says nothing to others. */
    void (*facts)(const struct members *facts, struct source_facts *to);
};

/* What is known of sources of TYPE, bytes; NULL: nothing. */
const struct source_kind *source_kind_find(struct str type);

/* Whose own the dotted column or table NAME is; NULL: nobody's. */
const struct source_kind *source_kind_owner(struct str name);

/* The kind whose object the dotted column NAME of a source is; NULL: it is none. */
const struct source_kind *source_kind_object(struct str name);

#endif

/* upgrade.h - the stage behind the reader of rows: profiles of version 1.x become profiles of version
 * 2.0 (profstream(5), VERSION 1.0).  Those of version 2.0 pass untouched. */
#ifndef PROFPIPE_UPGRADE_H
#define PROFPIPE_UPGRADE_H

#include "stream/sink.h"

/* What may be asked for. */
struct upgrade_request {
    /* Of the one source that a profile of 1.x becomes.  NULL: a hidden table decides (hidden.h), or else it is
     * "manual". */
    const char *source_type;
};

struct upgrade {
    struct sink sink;
    struct sink *next;
    struct upgrade_request request;
    uint32_t count_type; /* the type of all values */

    /* Of the profile being read. */
    bool is_old;
    struct str hidden_type;
    int64_t sample_id;
    int64_t *stack;
    size_t stack_capacity;
};

/* A stage in front of NEXT. */
struct upgrade upgrade_of(struct sink *next, const struct upgrade_request *request);

/* Frees what U holds. */
void upgrade_free(struct upgrade *u);

#endif

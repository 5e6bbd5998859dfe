/* upgrade.h - the stage after the reader of rows: converts profiles of version 1.x to version
 * 2.0 (profstream(5), VERSION 1.0).  Profiles of version 2.0 pass unchanged. */
#ifndef PROFPIPE_UPGRADE_H
#define PROFPIPE_UPGRADE_H

#include "stream/sink.h"

/* Options. */
struct upgrade_request {
    /* The source_type of the one source that a profile of 1.x gets.  NULL: that of its hidden
     * table (hidden.h), or "manual" if it has none. */
    const char *source_type;
};

struct upgrade {
    struct sink sink;
    struct sink *next;
    struct upgrade_request request;
    uint32_t count_type; /* the type of all values */

    /* The current profile. */
    bool is_old;
    struct str hidden_type;
    int64_t sample_id;
    int64_t *stack;
    size_t stack_capacity;
};

/* A stage that pushes to NEXT. */
struct upgrade upgrade_of(struct sink *next, const struct upgrade_request *request);

/* Frees what U holds. */
void upgrade_free(struct upgrade *u);

#endif

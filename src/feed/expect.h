/* expect.h - the check that the inputs are what was expected: so many sources, or those of a list,
 * and none twice. */
#ifndef PROFPIPE_EXPECT_H
#define PROFPIPE_EXPECT_H

#include "base/in.h"
#include "base/intern.h"
#include "stream/sink.h"

/* What is expected. All zero: nothing. */
struct expect_options {
    bool has_count, is_unique;
    uint64_t count;      /* of sources, if has_count */
    const char *list;    /* the file with their names; NULL: none */
    struct intern names; /* of that list, once it is read */
};

static inline bool expect_is_asked(const struct expect_options *o)
{
    return o->has_count || o->is_unique || o->list != NULL;
}

/* Reads the list of O, if it has one: names in lines, or ended by NUL if NUL_ENDED (list.h). */
void expect_read(struct expect_options *o, bool nul_ended);

/* A stage that notes the names of sources. */
struct expect {
    struct sink sink;
    struct sink *next;
    const struct expect_options *options;
    uint64_t count;        /* of sources */
    uint32_t *counts;      /* by number in the list - 1: of sources with that name */
    struct intern others;  /* names of other sources: URI, or else type, as --by=source has them */
    struct intern digests; /* of inputs */
    const char **files;    /* by digest - 1 */
    size_t file_capacity;
    struct buf name;
};

/* Such a stage, which pushes all to NEXT; that and OPTIONS must outlive it. */
struct expect expect_of(struct sink *next, const struct expect_options *options);

/* Call these before and after reading the input IN. The latter ends the tool (STATUS_CHECK) if no
 * input may come twice, and one with the same bytes has been read. */
void expect_begin_input(struct expect *e, struct in *in);
void expect_end_input(struct expect *e, struct in *in);

/* Once all inputs have been read: ends the tool (STATUS_CHECK) if the sources are not those that
 * were expected. A name of the list stands for the source with this name, or for one whose last
 * parts, behind a "/", it is. */
void expect_check(const struct expect *e);

/* Frees what E holds. */
void expect_free(struct expect *e);

#endif

/* expect.h - the check that the inputs are what was expected: so many sources, or those of a list,
 * and none twice. */
#ifndef PROFPIPE_EXPECT_H
#define PROFPIPE_EXPECT_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/sha.h"
#include "rows/provenance.h"

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

/* What has come. */
struct expect {
    const struct expect_options *options;
    uint64_t count;        /* of sources */
    uint32_t *counts;      /* by number in the list - 1: of sources with that name */
    struct intern others;  /* names of other sources: URI, or else type, as --by=source has them */
    struct intern names;   /* of all sources, if none may come twice */
    struct intern digests; /* of inputs */
    const char **files;    /* by digest - 1 */
    size_t file_capacity;
    uint64_t unnamed; /* sources whose names a merged file does not keep */
    const char *cut;  /* the first such file */
    struct buf name;  /* working memory */
};

/* Such a check; OPTIONS must outlive it. */
struct expect expect_of(const struct expect_options *options);

/* Notes that a source with NAME, bytes, has come from WHERE.  Ends the tool (STATUS_CHECK) if no source
 * may come twice, and one with that name has come. */
void expect_source(struct expect *e, struct place where, struct str name);

/* The same for the sources of MERGED, which the source NAME says it was merged from.  Where the list
 * has NAME itself, it stands for all of them. */
void expect_merged(struct expect *e, struct place where, struct str name,
                   const struct provenance *merged);

/* Notes the DIGEST of the bytes of FILE.  Ends the tool (STATUS_CHECK) if no input may come twice, and
 * one with the same has come. */
void expect_input(struct expect *e, const char *file, const unsigned char digest[SHA256_SIZE]);

/* Once all inputs have been read: ends the tool (STATUS_CHECK) if the sources are not those that
 * were expected. A name of the list stands for the source with this name, or for one whose last
 * parts, behind a "/", it is. */
void expect_check(const struct expect *e);

/* Frees what E holds. */
void expect_free(struct expect *e);

#endif

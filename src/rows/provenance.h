/* provenance.h - where a merged file came from, as its comments keep it: a fact in each, in any
 * order.
 *
 *     profpipe/1 sources N        how many sources were merged into it
 *     profpipe/1 digest HEX       their digest
 *     profpipe/1 undigested N     how many of them are not in that; left out for 0
 *     profpipe/1 source NAME      one of them; a NAME that N have comes once, as source*N
 *     profpipe/1 unnamed N        how many others there are, whose names were cut off; left out for 0
 *
 * The digest is the sum, modulo 2^256, of a SHA-256 for each source, so it does not depend on their
 * order.  That is taken of the line which sha256sum(1) prints for a file: the SHA-256 of the bytes of
 * the input, decompressed, in lower-case digits, two blanks, the name, and a line feed.  A source
 * that came in rows is not digested, since its bytes are not known.  A file without a digested
 * source has no digest.
 *
 * Names are as in tables with tabs (text_escape_tabs).  Where some are cut off, those that sort first
 * by bytes are kept.  So all trees of merges with one limit keep the same. */
#ifndef PROFPIPE_PROVENANCE_H
#define PROFPIPE_PROVENANCE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/sha.h"

/* Whether COMMENT has this form, whatever it says. */
bool provenance_is(struct str comment);

/* --- what the comments of one file say --- */

/* All zero: nothing. */
struct provenance {
    uint64_t count, unnamed, undigested; /* of sources */
    unsigned char digest[SHA256_SIZE];   /* the highest byte first */
    struct buf names;                    /* for provenance_next */
    uint64_t named;                      /* how many sources these are */
    unsigned seen;                       /* facts that have come, as bits */
    const char *wrong; /* what is wrong with the first comment that is; NULL: none is */
};

/* Takes a comment into P; false if it does not have this form. */
bool provenance_take(struct provenance *p, struct str comment);

static inline bool provenance_is_there(const struct provenance *p)
{
    return p->seen != 0 || p->wrong != NULL;
}

/* What is wrong with P, all of whose comments have been taken; NULL: nothing. */
const char *provenance_wrong(const struct provenance *p);

/* Takes the next name off *NAMES, of p->names; *TIMES sources have it.  It is spelled as in the
 * comment; text_unescape_tabs gives its bytes.  False after the last. */
bool provenance_next(struct str *names, struct str *name, uint64_t *times);

/* Frees what P holds. */
void provenance_free(struct provenance *p);

/* Appends DIGEST to TO in lower-case digits. */
void provenance_add_digest(struct buf *to, const unsigned char digest[SHA256_SIZE]);

/* --- of a file that is written --- */

struct provenance_name {
    struct str name; /* as in the comment */
    uint64_t times;
};

/* All zero except MAX is empty. */
struct provenance_sum {
    size_t max; /* names to keep */
    uint64_t count, undigested;
    uint64_t unnamed; /* after provenance_end */
    unsigned char digest[SHA256_SIZE];
    struct provenance_name *names;
    size_t name_count, name_capacity;
    struct arena texts;
    bool is_cut;     /* names from LAST on are no longer kept, except LAST itself */
    struct str last; /* a null p: no name is kept */
};

/* Adds a source with NAME, its bytes, and the SHA-256 of the bytes of its input; NULL: not known. */
void provenance_add(struct provenance_sum *s, struct str name, const unsigned char *input);

/* Adds the sources of P, with which nothing is wrong.  False, and no change, if their number would
 * pass 63 bits. */
bool provenance_add_all(struct provenance_sum *s, const struct provenance *p);

/* Call this after the last source.  Returns how many comments S makes. */
size_t provenance_end(struct provenance_sum *s);

/* Appends comment I, from 0, to TO. */
void provenance_spell(struct buf *to, const struct provenance_sum *s, size_t i);

/* Frees what S holds. */
void provenance_free_sum(struct provenance_sum *s);

#endif

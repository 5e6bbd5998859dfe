/* shorten.h - shortens names for people so that what tells them apart stays.
 *
 * One rule for boxes, bars, legends and tables; shorten.js has the same for the page of a flame
 * graph.  A name that does not fit loses in this order, until it does:
 *   1. the host of a package path, then all folders
 *   2. generic and template arguments
 *   3. lists of arguments, and the return type before a name that has one
 *   4. outer packages, up to the last one
 *   5. that one too, if a class follows; "…" replaces it
 *   6. its middle; "…" replaces that
 * The forms of names of many languages are told apart by their characters alone. */
#ifndef PROFPIPE_SHORTEN_H
#define PROFPIPE_SHORTEN_H

#include "base/buf.h"

/* Narrower text says nothing: nothing is appended then. In columns. */
enum { SHORTEN_MIN = 3 };

/* Appends NAME to TO in at most MAX columns. It must be valid UTF-8 without control characters
 * (visible.h, or what a table has made safe). */
void shorten_add_name(struct buf *to, struct str name, size_t max);

/* The same for TEXT, which is not a name: it loses its end. */
void shorten_add_text(struct buf *to, struct str text, size_t max);

/* Names that are shown together. All zero is empty. To add one, append it to TEXT, and call
 * shorten_end. */
struct shorten_list {
    struct buf text;
    size_t *ends; /* of the names in TEXT */
    size_t count, capacity;
};

/* Ends a name of L, which has been appended to its text. */
void shorten_end(struct shorten_list *l);

/* Shortens the names of L to at most MAX columns each, at least SHORTEN_MIN, with HOW, one of the
 * above, so that those that differ look different. Where they would look alike it shows other parts
 * of them, and numbers them if nothing else helps, which may take more columns. */
void shorten_all(struct shorten_list *l, size_t max,
                 void (*how)(struct buf *to, struct str name, size_t max));

/* Name I of L, from 0; valid until L changes. */
struct str shorten_at(const struct shorten_list *l, size_t i);

/* Frees what L holds and empties it. */
void shorten_free(struct shorten_list *l);

#endif

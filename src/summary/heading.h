/* heading.h - the heading of tables and pictures: what they show, and the total. */
#ifndef PROFPIPE_HEADING_H
#define PROFPIPE_HEADING_H

#include "base/wide.h"
#include "summary/collect.h"

/* Appends to TO the chosen type of C (after collect_finish), the total ALL and the number of
 * samples, for people. The number of samples is the sum of samples/count. If some samples lack that
 * type, rows are counted and called records. */
void heading_add(struct buf *to, const struct collect *c, struct wide all);

/* The end of the heading: appends to TO how many samples of C have no stack, if there are any. */
void heading_add_stackless(struct buf *to, const struct collect *c);

/* Appends to TO, canonical text, the line before the heading: the name of the source of P or how
 * many there are, when it was recorded, the first of several, and how long, all together. What
 * is not known is left out; nothing if nothing is known. */
void heading_add_origin(struct buf *to, const struct profile *p);

/* Appends to TO what a picture of P is called if nobody says: the name of its source, or, if
 * there are several names, how many sources there are. */
void heading_add_sources(struct buf *to, const struct profile *p);

/* The same of the sources for which IS_IN (NULL: all) is true: WITH is passed on, SOURCE is from
 * 0. */
void heading_add_sources_of(struct buf *to, const struct profile *p,
                            bool (*is_in)(const void *with, size_t source), const void *with);

/* Warns about sources without values of the shown type, and about such a type if it would be shown
 * by default. */
void heading_warn(const struct collect *c);

#endif

/* pairs.h - functions whose names a compiler or a runtime has numbered: main.func1, lambda$5, $$Lambda$733/0x80.
 *
 * One closure more renumbers all behind it, so their names say little of what they are.  Names that are equal but for
 * such a part are a family.  Where the names of a family are not the same on both sides, its functions of base and of
 * new are paired one to one: by what calls them and what they call, then by the nearest line in a file of the same
 * name, then by cost, then by name. */
#ifndef PROFPIPE_PAIRS_H
#define PROFPIPE_PAIRS_H

#include "compare/sides.h"

/* Makes the items of S, whose runs have been admitted: each entry is one, unless it is paired with another.  With NO_PAIRS none is.
 *
 * Functions are no pair where their files have other names, where nothing that calls them or is called by them is the
 * same, or where one is hot and costs many times what the other does: what is new and hot shows as new. */
void pairs_make_items(struct sides *s, bool no_pairs);

/* Appends NAME to TO with a byte 1 for each generated part; false where it has none, and nothing is appended. */
bool pairs_add_shape(struct str name, struct buf *to);

#endif

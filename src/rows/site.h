/* site.h - dotted columns of locations that rows hold as numbers (struct row_site), and as text. */
#ifndef PROFPIPE_SITE_H
#define PROFPIPE_SITE_H

#include "rows/row.h"

#include <assert.h>

/* How each begins in a canonical row, in this order. */
#define SITE_MAPPING STR(",\".mapping_id\":")
#define SITE_ADDRESS STR(",\".address\":\"0x")
#define SITE_COLUMN STR(",\".column\":")
#define SITE_FOLDED STR(",\".is_folded\":true")
#define SITE_INTO STR(",\".inlined_into\":")

/* The most bytes that all of them take: these, four numbers and a quote. */
enum {
    SITE_MAX = sizeof(",\".mapping_id\":,\".address\":\"0x,\".column\":,\".is_folded\":true"
                      ",\".inlined_into\":") +
               4 * 20 + 1
};

/* Moves the dotted columns of ROW, of TABLE_LOCATIONS and without a site, from its text to that, as long as
 * they come in this order and are spelled as they are written (emit.h); what follows stays text.  So
 * locations whose text is equal are equal, however they came. */
void site_take(struct row *row);

/* Where SITE has the reference ID; 0 stands there for none. */
static inline int64_t *site_reference(struct row_site *site, enum member_id id)
{
    assert(id == MEMBER_ID_MAPPING || id == MEMBER_ID_INLINED_INTO);
    return id == MEMBER_ID_MAPPING ? &site->mapping_id : &site->inlined_into;
}

#endif

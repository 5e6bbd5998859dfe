/* site.h - converts dotted columns of locations between text and numbers (struct row_site). */
#ifndef PROFPIPE_SITE_H
#define PROFPIPE_SITE_H

#include "rows/row.h"

#include <assert.h>

/* How each starts in a canonical row, in this order. */
#define SITE_MAPPING STR(",\".mapping_id\":")
#define SITE_ADDRESS STR(",\".address\":\"0x")
#define SITE_COLUMN STR(",\".column\":")
#define SITE_FOLDED STR(",\".is_folded\":true")
#define SITE_INTO STR(",\".inlined_into\":")

/* The maximum size in bytes of all together: these, four numbers and a quote. */
enum {
    SITE_MAX = sizeof(",\".mapping_id\":,\".address\":\"0x,\".column\":,\".is_folded\":true"
                      ",\".inlined_into\":") +
               4 * 20 + 1
};

/* Moves the dotted columns of ROW, of TABLE_LOCATIONS and with an empty site, from its text to
 * the site, as long as they come in this order and in the spelling of emit.h; the rest stays
 * text.  So locations with the same text are equal, however they were made. */
void site_take(struct row *row);

/* Where SITE holds the reference ID; the value 0 means none. */
static inline int64_t *site_reference(struct row_site *site, enum member_id id)
{
    assert(id == MEMBER_ID_MAPPING || id == MEMBER_ID_INLINED_INTO);
    return id == MEMBER_ID_MAPPING ? &site->mapping_id : &site->inlined_into;
}

#endif

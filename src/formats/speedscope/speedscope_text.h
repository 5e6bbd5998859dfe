/* speedscope_text.h - what both halves of the format know of its words. */
#ifndef PROFPIPE_SPEEDSCOPE_TEXT_H
#define PROFPIPE_SPEEDSCOPE_TEXT_H

#include "base/buf.h"

#include <stdint.h>

/* What says in a file that it is one; speedscope takes it in no other spelling. */
#define SPEEDSCOPE_SCHEMA STR("https://www.speedscope.app/file-format-schema.json")

/* The member of a profile that says what its values are, for what speedscope has no words: the number of its
 * source, and the type and the unit.  Speedscope passes over what it does not know. */
#define SPEEDSCOPE_MARK STR("profpipe")

/* The unit of speedscope for values in UNIT, canonical text, which are written as they are: "none" where
 * it has none of that size. */
struct str speedscope_unit(struct str unit);

/* The type that values of a profile in speedscope's UNIT, canonical text, have where nothing else is said, and
 * in *AS the unit of it. */
struct str speedscope_type(struct str unit, struct str *as);

/* Appends BYTES to TO as the text of a JSON string: with what JSON can spell though UTF-8 cannot.  False
 * where there was something else that is no UTF-8, which becomes U+FFFD. */
bool speedscope_escape(struct buf *to, struct str bytes);

#endif

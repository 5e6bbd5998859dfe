/* speedscope_text.h - names and units of the format, for reader and writer. */
#ifndef PROFPIPE_SPEEDSCOPE_TEXT_H
#define PROFPIPE_SPEEDSCOPE_TEXT_H

#include "base/buf.h"

#include <stdint.h>

/* The schema that marks a file of this format. speedscope accepts no other spelling. */
#define SPEEDSCOPE_SCHEMA STR("https://www.speedscope.app/file-format-schema.json")

/* A member of our own in profiles. For values that speedscope has no words for it holds the number
 * of the source, the type and the unit. Speedscope ignores unknown members. */
#define SPEEDSCOPE_MARK STR("profpipe")

/* speedscope's unit for values in UNIT (canonical text), which are written unchanged; "none" if it
 * has no such unit. */
struct str speedscope_unit(struct str unit);

/* The default type of values in speedscope's UNIT (canonical text). *AS is set to the unit of that
 * type. */
struct str speedscope_type(struct str unit, struct str *as);

#endif

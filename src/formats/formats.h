/* formats.h - the list of formats. */
#ifndef PROFPIPE_FORMATS_H
#define PROFPIPE_FORMATS_H

#include "formats/format.h"
#include "rows/finding.h"

#define FORMAT(name) extern const struct format format_##name;
#include "formats/list.h"
FORMAT(skeleton) /* not a real format, but a start for a new one */
#undef FORMAT

/* The format at INDEX in the list, from 0; NULL after the last one. */
const struct format *formats_at(size_t index);

/* The word for FORMAT that the names of its converters have. */
struct str format_word(const struct format *format);

/* Returns the highest bid for HEAD, the start of an input. Sets *FOUND to the format that made it:
 * the first in the list if several bid the same, NULL if none bids. */
enum bid formats_detect(struct str head, const struct format **found);

/* Reports (rule json) that the input at WHERE is not EXPECTED. The message says what HEAD, its
 * start, is instead, and which tool reads it or what else can be done (foreign.h). If TO is NULL,
 * ends the tool (STATUS_INPUT). */
void formats_unexpected(struct findings *to, struct place where, const char *expected,
                        struct str head);

#endif

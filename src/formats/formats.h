/* formats.h - the list of formats. */
#ifndef PROFPIPE_FORMATS_H
#define PROFPIPE_FORMATS_H

#include "formats/format.h"
#include "rows/finding.h"

#define FORMAT(name) extern const struct format format_##name;
#include "formats/list.h"
FORMAT(skeleton) /* which is no format, but the beginning of one */
#undef FORMAT

/* The format at INDEX, from 0, in the list; NULL behind the last one. */
const struct format *formats_at(size_t index);

/* The highest bid for HEAD, the start of an input, and in *FOUND whose it is: the first in the list where
 * two are equal, NULL where there is none. */
enum bid formats_detect(struct str head, const struct format **found);

/* Finds (json) that EXPECTED was to stand in the input at WHERE, and says what its start, HEAD, is
 * instead: which tool reads that, or what else can be done (foreign.h).  Where TO is NULL the tool
 * ends (STATUS_INPUT). */
void formats_unexpected(struct findings *to, struct place where, const char *expected,
                        struct str head);

#endif

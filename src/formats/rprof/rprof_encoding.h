/* rprof_encoding.h - the encodings that R runs in.
 *
 * iconv loads modules by the names it is asked for.  What a user asks for is his own affair; a name
 * that stands in rows, which anybody may have written, goes to iconv only if it stands here too. */
#ifndef PROFPIPE_RPROF_ENCODING_H
#define PROFPIPE_RPROF_ENCODING_H

#include "base/str.h"

/* The name by which iconv knows the encoding CODE, or NULL where R runs in none of that name.  All of
 * them have quotes, spaces and line feeds where ASCII has them.  Names are compared as those that
 * iconv knows are spelled: in any case, with or without - and _, and before a suffix such as
 * //TRANSLIT, which says only what to do with characters that an encoding lacks. */
const char *rprof_encoding(struct str code);

#endif

/* rprof_encoding.h - the encodings that R supports.
 *
 * iconv loads a module by the name it is given. A user may name any encoding. But a name in rows
 * may come from a stranger, so it is passed to iconv only if it is listed here. */
#ifndef PROFPIPE_RPROF_ENCODING_H
#define PROFPIPE_RPROF_ENCODING_H

#include "base/str.h"

/* iconv's name of the encoding CODE, or NULL if R does not support it. In all of these encodings
 * quotes, spaces and line feeds are as in ASCII. Names are compared as iconv does: in any case,
 * with or without - and _, and without a suffix such as //TRANSLIT, which only says what to do with
 * characters that the encoding lacks. */
const char *rprof_encoding(struct str code);

#endif

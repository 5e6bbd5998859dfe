/* bytes_rows.h - rows whose strings a format has as bytes, which text may not be able to show. */
#ifndef PROFPIPE_BYTES_ROWS_H
#define PROFPIPE_BYTES_ROWS_H

#include "base/buf.h"
#include "stream/sink.h"

/* What rows borrow until the next one.  All zero is an empty one. */
struct bytes_rows {
    struct buf name, file, extra, inexact;
};

/* Pushes the row of function ID, which has no mangled name, to SINK; NAME may be empty or have a null p. */
void bytes_rows_function(struct bytes_rows *b, struct sink *sink, uint32_t id, struct str name,
                         struct str file);

/* The source_uri of a source whose dotted columns are EXTRA so far, to which its bytes are added where it needs them;
 * URI may be NULL. */
struct str bytes_rows_uri(struct bytes_rows *b, const char *uri, struct buf *extra);

/* Frees what B holds. */
void bytes_rows_free(struct bytes_rows *b);

#endif

/* bytes_rows.h - rows for formats whose strings are bytes, which may not be valid text. */
#ifndef PROFPIPE_BYTES_ROWS_H
#define PROFPIPE_BYTES_ROWS_H

#include "base/buf.h"
#include "base/intern.h"
#include "stream/sink.h"

/* Buffers that a row borrows until the next one. All zero is empty. */
struct bytes_rows {
    struct buf name, file, extra, inexact;
    uint64_t odd_names; /* how many names of functions so far are no UTF-8 */
};

/* Pushes the row of function ID to SINK. The function has no mangled name. NAME may be empty or
 * have a null p. START_LINE counts from 1; 0 means unknown. EXTRA holds its other dotted columns. */
void bytes_rows_function(struct bytes_rows *b, struct sink *sink, uint32_t id, struct str name,
                         struct str file, int64_t start_line, struct str extra);

/* The number of the function NAME in FILE that starts at START_LINE, a key of FUNCTIONS; pushes the row
 * of a new one, as bytes_rows_function does. Stores whether it was new in *IS_NEW, unless NULL. NAME
 * and FILE must not be long where few bytes of an input refer to them: all of both is looked up. */
uint32_t bytes_rows_find_function(struct bytes_rows *b, struct sink *sink, struct intern *functions,
                                  struct str name, struct str file, int64_t start_line,
                                  bool *is_new);

/* Pushes the row of source ID, of TYPE, to SINK. URI may be NULL (format_source_uri). EXTRA holds
 * the dotted columns of the source; where URI is not valid text its bytes are added there. */
void bytes_rows_source(struct bytes_rows *b, struct sink *sink, int64_t id, struct str type,
                       const char *uri, struct number timestamp, struct buf *extra);

/* Returns the source_uri of a source, for readers that push its row themselves. URI and EXTRA are
 * as above. */
struct str bytes_rows_uri(struct bytes_rows *b, const char *uri, struct buf *extra);

/* Frees what B holds. */
void bytes_rows_free(struct bytes_rows *b);

#endif

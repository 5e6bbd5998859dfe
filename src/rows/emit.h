/* emit.h - the stage before the last: rows become canonical lines (profstream(5), CANONICAL
 * FORM). */
#ifndef PROFPIPE_EMIT_H
#define PROFPIPE_EMIT_H

#include "base/buf.h"
#include "base/out.h"
#include "rows/sample.h"

/* Writes ROW as one line. */
void emit_row(struct out *out, const struct row *row);

/* Ends the tool (STATUS_INPUT) if N bytes, all or part of a row of TABLE, are more than LIMITS_LINE: no reader takes
 * longer lines.  For what is made before its row, so that it does not grow further. */
void emit_check_length(struct str table, size_t n);

/* Writes the rows of SAMPLE, whose types are numbers of TYPES. */
void emit_sample(struct out *out, const struct value_types *types, const struct sample *sample);

/* Writes the row that opens a profile of version 2.0 with a promised end. */
void emit_begin(struct out *out);

/* OUT owes that row (out_owe): for what only knows its own version row when it has read its
 * input. */
void emit_owe(struct out *out);

/* Writes the row that ends a profile; MORE promises that another one follows. */
void emit_end(struct out *out, bool more);

/* Appends to TO bytes that tell ROW, of a known table, from others of that: they hold all but its own id
 * (profstream(5), EQUALITY). */
void emit_key(struct buf *to, const struct row *row);

/* Appends `,"NAME":` to TO.  NAME is canonical text. */
void emit_member(struct buf *to, struct str name);

/* Appends the string TEXT, canonical text, in quotes to TO. */
void emit_string(struct buf *to, struct str text);

/* Appends V in decimal to TO. */
void emit_number(struct buf *to, int64_t v);

/* Appends the address V as rows spell it, 0x and lower-case hexadecimal digits, without quotes, to TO. */
void emit_address(struct buf *to, uint64_t v);

/* Appends the dotted columns that SITE holds to TO, as they stand in a row. */
void emit_site(struct buf *to, const struct row_site *site);

/* Notes in INEXACT, for emit_bytes_column, that COLUMN holds BYTES which its text cannot show. */
void emit_bytes(struct buf *inexact, struct str column, struct str bytes);

/* Makes TO the canonical text of BYTES, and returns it; where it cannot show them that is noted in INEXACT, for
 * COLUMN. */
struct str emit_text(struct buf *to, struct buf *inexact, struct str column, struct str bytes);

/* Appends `{"bytes":"HEX"}` to TO: a string inside of a dotted column that text cannot show. */
void emit_bytes_object(struct buf *to, struct str bytes);

/* Appends BYTES as such a string to TO, in quotes where text can show them.  SCRATCH is overwritten. */
void emit_inner_string(struct buf *to, struct buf *scratch, struct str bytes);

/* Adds the `.bytes` column to EXTRA if anything was noted in INEXACT, and empties that. */
void emit_bytes_column(struct buf *extra, struct buf *inexact);

/* Appends COLUMNS, a run of `,"name":value`, to TO, but for the one that is called BUT. */
void emit_others(struct buf *to, struct str columns, struct str but);

/* Appends to TO the promise of an end, and then COLUMNS, the dotted columns of a version row, but for
 * what they say of an end themselves (profstream(5), COMPLETENESS). */
void emit_promise(struct buf *to, struct str columns);

#endif

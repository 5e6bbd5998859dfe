/* emit.h - the last stage but one: turns rows into canonical lines (profstream(5), CANONICAL
 * FORM). */
#ifndef PROFPIPE_EMIT_H
#define PROFPIPE_EMIT_H

#include "base/buf.h"
#include "base/out.h"
#include "rows/sample.h"

/* Writes ROW as one line. */
void emit_row(struct out *out, const struct row *row);

/* Ends the tool (STATUS_INPUT) if N, the size so far of a row of TABLE, is above LIMITS_LINE: no
 * reader accepts longer lines.  For text that is built before its row, so that it stops growing. */
void emit_check_length(struct str table, size_t n);

/* Writes the rows of SAMPLE; its types are numbers of TYPES. */
void emit_sample(struct out *out, const struct value_types *types, const struct sample *sample);

/* Writes the first row of a profile of version 2.0, which promises an end. */
void emit_begin(struct out *out);

/* Makes OUT owe that row (out_owe): for callers that know their version row only after reading
 * input. */
void emit_owe(struct out *out);

/* Writes the last row of a profile; MORE promises that another profile follows. */
void emit_end(struct out *out, bool more);

/* Appends a key to TO that identifies ROW, of a known table, among the rows of that table: all
 * columns but its own id (profstream(5), EQUALITY). */
void emit_key(struct buf *to, const struct row *row);

/* Appends `,"NAME":` to TO.  NAME is canonical text. */
void emit_member(struct buf *to, struct str name);

/* Appends `,"NAME":{MEMBERS}` to TO.  MEMBERS are empty, or `,"name":value` each. */
void emit_object(struct buf *to, struct str name, struct str members);

/* Makes an object of the members, `,"name":value` each or none, that TO has from AT on. */
void emit_make_object(struct buf *to, size_t at);

/* Appends TEXT, canonical text, in quotes to TO. */
void emit_string(struct buf *to, struct str text);

/* Appends V in decimal to TO. */
void emit_number(struct buf *to, int64_t v);

/* Appends the address V to TO as rows spell it: 0x and lower-case hexadecimal digits, without
 * quotes. */
void emit_address(struct buf *to, uint64_t v);

/* Appends the dotted columns in SITE to TO, as a row spells them. */
void emit_site(struct buf *to, const struct row_site *site);

/* Adds to INEXACT, for emit_bytes_column, that the text of COLUMN cannot show BYTES exactly. */
void emit_bytes(struct buf *inexact, struct str column, struct str bytes);

/* Sets TO to the canonical text of BYTES and returns it.  If text cannot show BYTES exactly,
 * adds COLUMN to INEXACT. */
struct str emit_text(struct buf *to, struct buf *inexact, struct str column, struct str bytes);

/* Appends `{"bytes":"HEX"}` to TO: a string inside a dotted column that text cannot show
 * exactly. */
void emit_bytes_object(struct buf *to, struct str bytes);

/* Appends BYTES to TO as a string inside a dotted column: in quotes if text can show them,
 * otherwise as such an object.  SCRATCH is overwritten. */
void emit_inner_string(struct buf *to, struct buf *scratch, struct str bytes);

/* Adds the `.bytes` column to EXTRA if INEXACT has entries, and empties INEXACT. */
void emit_bytes_column(struct buf *extra, struct buf *inexact);

/* Appends COLUMNS, members like `,"name":value`, to TO, except the one named BUT. */
void emit_others(struct buf *to, struct str columns, struct str but);

/* Appends to TO the promise of an end, and then COLUMNS, the dotted columns of a version row,
 * without any promise of theirs (profstream(5), COMPLETENESS). */
void emit_promise(struct buf *to, struct str columns);

#endif

/* perun_text.h - converts JSON between the spelling of Perun's files, without white space, and its
 * form in rows.
 *
 * A row holds the plain value if the original spelling can be found again: Python writes strings in
 * ASCII, and numbers as digits. Any other value becomes {"json":"TEXT"} in the row: NaN, integers
 * beyond 64 bits, half a surrogate pair, duplicate members, deep nesting. */
#ifndef PROFPIPE_PERUN_TEXT_H
#define PROFPIPE_PERUN_TEXT_H

#include "base/buf.h"
#include "base/diag.h"
#include "rows/row.h"
#include "rows/tokens.h"

/* Appends TEXT to TO in the form for rows. TEXT is a value as spelled in the file, without white
 * space. */
void perun_carry(struct buf *to, struct str text);

/* The same for MEMBERS, an object. Each of its values is converted on its own where possible. Such
 * a value may be an object with more members, which makes rows slow to read. */
void perun_carry_members(struct buf *to, struct str members);

/* The same for a value of any kind, always as text. */
void perun_carry_text(struct buf *to, struct str text);

/* Whether rows are quick to read with the value in BUF from START on. Slow rows may only hold a
 * limited number of values. */
bool perun_is_quick(struct buf *buf, size_t start);

/* The reverse: appends to TO the file's spelling of VALUE, which is in COLUMN of the row at WHERE.
 * Ends the tool (STATUS_INPUT) where the text in it is not JSON. */
void perun_spell(struct buf *to, struct str value, struct place where, const char *column);

/* The same for the result of perun_carry_members. */
void perun_spell_members(struct buf *to, struct str value, struct place where, const char *column);

/* Appends BYTES to TO as Python spells a string, without quotes. Invalid UTF-8 becomes U+FFFD,
 * except half a surrogate pair in three bytes. Returns false if anything was replaced. */
bool perun_escape(struct buf *to, struct str bytes);

/* The code point at the start of BYTES, which must not be empty. Sets *LENGTH to its length in
 * bytes. Half a surrogate pair counts as a code point; an invalid byte is U+FFFD. */
unsigned perun_code(struct str bytes, size_t *length);

/* Appends to TO the bytes of VALUE, a string as spelled in the file; false if it is not a
 * string. */
bool perun_bytes(struct buf *to, struct str value);

/* Whether TEXT, any text in the file, is a number that rows can hold. Then *NUMBER is set; its text
 * may be in SCRATCH. *IS_REPORTED: the row keeps the spelling of the file. */
bool perun_number(struct str text, struct buf *scratch, struct number *number, bool *is_reported);

/* Fast checks for the usual case, in which rows keep the spelling: TEXT is an integer of at most 18
 * digits; NAME is a simple member name. */
bool perun_is_plain(struct str text);
bool perun_is_plain_name(struct str name);

#endif

/* perun_text.h - JSON as a file of Perun spells it, without white space, and as rows carry it.
 *
 * A value stands in a row as what it is wherever the row tells how it was spelled: Python writes strings in
 * ASCII, and numbers come as their digits.  Whatever rows cannot hold, or would spell otherwise, stands there as
 * {"json":"TEXT"}: NaN, integers beyond 64 bits, half a surrogate pair, a member that is there twice, what nests
 * deep. */
#ifndef PROFPIPE_PERUN_TEXT_H
#define PROFPIPE_PERUN_TEXT_H

#include "base/buf.h"
#include "base/diag.h"
#include "rows/row.h"
#include "rows/tokens.h"

/* Appends TEXT, a value as the file spells it, without white space, to TO as rows carry it. */
void perun_carry(struct buf *to, struct str text);

/* The same of MEMBERS, an object, whose values are carried each by itself, wherever that can be: these may be wider,
 * which makes rows slow to read. */
void perun_carry_members(struct buf *to, struct str members);

/* The same of a value that is carried as text, whatever it is. */
void perun_carry_text(struct buf *to, struct str text);

/* Whether rows are quick to read with the value that stands in BUF from START on; those that are not may not hold
 * very many values. */
bool perun_is_quick(struct buf *buf, size_t start);

/* Appends the value whose first token was the last one to TO, as it is spelled, without white space. */
void perun_copy(struct tokens *json, struct buf *to);

/* The way back: appends to TO what VALUE, as rows carry it in COLUMN at WHERE, is in the file.  Ends the tool
 * (STATUS_INPUT) where the text in it is no JSON. */
void perun_spell(struct buf *to, struct str value, struct place where, const char *column);

/* The same of what perun_carry_members has made. */
void perun_spell_members(struct buf *to, struct str value, struct place where, const char *column);

/* Appends the text of the string BYTES as Python spells it, without quotes, to TO.  What is no UTF-8 becomes
 * U+FFFD, but for half a surrogate pair in three bytes; false where there was such. */
bool perun_escape(struct buf *to, struct str bytes);

/* The code of the character that BYTES, which are not empty, begin with, of *LENGTH bytes: half a surrogate pair counts as one, and
 * a byte that is no UTF-8 as U+FFFD. */
unsigned perun_code(struct str bytes, size_t *length);

/* Appends the bytes that VALUE, a string as the file spells it, stands for to TO; false where it is no string. */
bool perun_bytes(struct buf *to, struct str value);

/* Whether TEXT, a number as the file spells it or anything else, is a number that rows can hold: it is *NUMBER
 * then, whose text may go to SCRATCH.  *IS_REPORTED: the row spells it as the file does. */
bool perun_number(struct str text, struct buf *scratch, struct number *number, bool *is_reported);

/* Whether rows hold the value TEXT as it is spelled, because it is an integer of at most 18 digits, as most are; and
 * the name of a member, likewise. */
bool perun_is_plain(struct str text);
bool perun_is_plain_name(struct str name);

#endif

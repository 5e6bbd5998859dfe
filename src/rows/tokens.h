/* tokens.h - a tokenizer for JSON files of other tools, which may be long: it reads in one pass,
 * piece by piece.
 *
 *     struct tokens j;
 *     tokens_open(&j, in);
 *     while (tokens_next(&j) != TOKEN_END) ...
 *     tokens_close(&j);
 *
 * Strings and numbers are returned as they are spelled.  Invalid JSON ends the tool
 * (STATUS_INPUT) with its line and column.  So does nesting deeper than LIMITS_NESTING, a token
 * longer than LIMITS_LINE bytes, and text after the value, unless takes_more says that there may be
 * others.  Memory is proportional to the
 * longest token.  See text.h for rows. */
#ifndef PROFPIPE_TOKENS_H
#define PROFPIPE_TOKENS_H

#include "base/buf.h"
#include "base/in.h"
#include "base/limits.h"

#include <stdint.h>

enum token {
    TOKEN_END, /* of the text */
    TOKEN_OBJECT,
    TOKEN_OBJECT_END,
    TOKEN_ARRAY,
    TOKEN_ARRAY_END,
    TOKEN_NAME, /* of a member, whose value is next */
    TOKEN_STRING,
    TOKEN_NUMBER,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
};

/* Line and column in bytes, both from 1. */
struct tokens_place {
    uint64_t line, column;
};

struct tokens {
    struct in *in;
    bool takes_nan; /* may be set: accept NaN, Infinity and -Infinity, as Python writes */
    /* may be set: so many of the outermost values may lack their end, and lists among them may have
     * a comma behind their last item, as in traces that are written while they are recorded */
    size_t loose;
    bool takes_more; /* may be set: other values may follow the first, as in lines of JSON */
    bool is_torn;    /* such an end was missing */
    const char *start, *p, *end; /* the window: its start, the position in it, and its end */
    bool at_end;                 /* nothing follows the window */
    uint64_t before;             /* bytes before the window */
    uint64_t line, line_start;   /* the current line, from 1, and the offset of its start */
    uint64_t continued;          /* UTF-8 continuation bytes in the strings so far */

    /* The current token, its place, and its text, which is valid until the next: for TOKEN_NAME
     * and TOKEN_STRING what is between the quotes, in valid UTF-8 with valid escapes; for
     * TOKEN_NUMBER the number. */
    enum token token;
    struct tokens_place where;
    struct str text;
    bool has_escapes; /* TOKEN_NAME, TOKEN_STRING: the text has some */

    enum { TOKENS_WANTS_VALUE, TOKENS_WANTS_ITEM, TOKENS_WANTS_NAME, TOKENS_WANTS_COMMA } wants;
    bool is_first; /* the first in an object or list, which may end here */
    size_t depth;  /* open values, and a bit for each: whether it is an object */
    uint64_t objects[LIMITS_NESTING / 64];
};

/* Starts reading IN. */
void tokens_open(struct tokens *j, struct in *in);

/* Reads the next token into j->token and the fields after it; returns it. */
enum token tokens_next(struct tokens *j);

/* The maximum number of digits of a number that tokens_take_indexes reads. */
enum { TOKENS_INDEX_MAX = 9 };

/* Reads up to COUNT small integers below LIMIT that come next in a list into NUMBERS; the last
 * of them becomes the current token.  Returns how many it read. 0 means that something else
 * comes next, or might, and nothing was read. */
size_t tokens_take_indexes(struct tokens *j, uint32_t limit, uint32_t *numbers, size_t count);

/* The bytes of the current token, a name, a string or a number: its text, or a copy in ROOM, which
 * the caller frees, if that has escapes. Valid as long as both. */
struct str tokens_bytes(const struct tokens *j, struct buf *room);

/* Like tokens_next where a value must follow that is of the kind TOKEN.  Otherwise ends the tool
 * and says that WHAT was expected. */
void tokens_expect(struct tokens *j, enum token token, const char *what);

/* Moves to the next member of the current object whose name is one of the COUNT, at most 32, at
 * NAMES.  Stores its index in *MEMBER; the current token is the first of its value. *SEEN, 0 at
 * first, gets a bit for each member; one that occurs twice ends the tool.  Other members are
 * counted as unknown fields (loss.h) and skipped.  False after the last. */
bool tokens_next_member(struct tokens *j, const char *const *names, unsigned count, unsigned *seen,
                        unsigned *member);

/* The same, but appends other members to OTHERS as `,"name":value`, as spelled and without white
 * space; NULL: they are counted and skipped. */
bool tokens_next_member_or(struct tokens *j, const char *const *names, unsigned count,
                           unsigned *seen, unsigned *member, struct buf *others);

/* Counts the member whose name is the current token as an unknown field, and skips its value. */
void tokens_other_member(struct tokens *j);

/* Appends the value that starts with the current token to TO, as spelled and without white space;
 * its last token becomes the current one. */
void tokens_copy(struct tokens *j, struct buf *to);

/* The same for TEXT, a value in COLUMN of the row at WHERE. Ends the tool if it is not valid JSON,
 * with NaN and infinities if TAKES_NAN. */
void tokens_copy_text(struct buf *to, struct str text, bool takes_nan, struct place where,
                      const char *column);

/* Whether the current token is an integer of 64 bits, even if spelled with a fraction or an
 * exponent; if so it is stored in *INTEGER. */
bool tokens_is_integer(const struct tokens *j, int64_t *integer);

/* Whether the current token, a number, is in the range of doubles. */
bool tokens_is_double(const struct tokens *j);

/* The current token, an integer from MIN to 2^63-2.  Ends the tool if it is none, and says that WHAT
 * was expected; so does the next one, unless the current token begins a list. */
int64_t tokens_integer(const struct tokens *j, int64_t min, const char *what);
void tokens_list(const struct tokens *j, const char *what);

/* Skips the value that starts with the current token. */
void tokens_skip(struct tokens *j);

/* Ends the tool: `file:line: column N: message`. */
_Noreturn void tokens_die(const struct tokens *j, struct tokens_place where, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* Warns: `file:line: column N: message`. */
void tokens_warn(const struct tokens *j, struct tokens_place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the tool: EXPECTED was expected instead of the current token. */
_Noreturn void tokens_unexpected(const struct tokens *j, const char *expected);

/* Ends J: what its input gives next is what follows the current token. */
void tokens_close(struct tokens *j);

#endif

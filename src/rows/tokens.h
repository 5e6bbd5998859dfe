/* tokens.h - the tokens of one JSON text, read once and in pieces: files of other tools are JSON, and long.
 *
 *     struct tokens j;
 *     tokens_open(&j, in);
 *     while (tokens_next(&j) != TOKEN_END) ...
 *     tokens_close(&j);
 *
 * Strings and numbers come as they are spelled.  What is no JSON ends the tool (STATUS_INPUT) with its line
 * and column: so does what nests deeper than LIMITS_NESTING, a token of more than LIMITS_LINE bytes,
 * and text behind the value.  Memory is what one token needs.  See text.h for the lines of rows. */
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
    bool takes_nan; /* may be set: NaN, Infinity and -Infinity are numbers, as Python writes them */
    const char *start, *p, *end; /* the window: what has been read of it, and its end */
    bool at_end;                 /* nothing follows the window */
    uint64_t before;             /* bytes in front of the window */
    uint64_t line, line_start;   /* of what is read: from 1, and where it starts in the input */
    uint64_t continued;          /* bytes that go on a character in the strings so far */

    /* The last token; where it stands; and its text, valid until the next: of TOKEN_NAME and TOKEN_STRING what
     * stands between the quotes, in valid UTF-8 with valid escapes, of TOKEN_NUMBER all of it. */
    enum token token;
    struct tokens_place where;
    struct str text;

    enum { TOKENS_WANTS_VALUE, TOKENS_WANTS_ITEM, TOKENS_WANTS_NAME, TOKENS_WANTS_COMMA } wants;
    bool is_first; /* of an object or a list: that may end here */
    size_t depth;  /* of open values, and a bit for each: whether it is an object */
    uint64_t objects[LIMITS_NESTING / 64];
};

/* Begins to read IN. */
void tokens_open(struct tokens *j, struct in *in);

/* Reads the next token, to j->token and the fields behind it; returns it. */
enum token tokens_next(struct tokens *j);

/* The most digits of a number that this takes: */
enum { TOKENS_INDEX_MAX = 9 };

/* Reads small integers below LIMIT that stand next in a list, to NUMBERS, at most COUNT; the last of them is then
 * the last token.  Returns how many there are: 0 where something else is next, or may be, and nothing has been
 * read. */
size_t tokens_take_indexes(struct tokens *j, uint32_t limit, uint32_t *numbers, size_t count);

/* The same as tokens_next where a value is next that must be of the kind TOKEN; or else the tool ends, with WHAT, which was
 * expected. */
void tokens_expect(struct tokens *j, enum token token, const char *what);

/* Takes the next member of the object that is being read and whose name is one of the COUNT, at most 32, at NAMES:
 * *MEMBER is which, and the first token of its value the last.  *SEEN, 0 before the first, has a bit for each that
 * has come; one that comes twice ends the tool.  All others are counted as unknown fields (loss.h), and
 * stepped over.  False behind the last. */
bool tokens_next_member(struct tokens *j, const char *const *names, unsigned count, unsigned *seen,
                        unsigned *member);

/* Whether the last token is an integer of 64 bits, be it spelled as another number; if so *INTEGER is that. */
bool tokens_is_integer(const struct tokens *j, int64_t *integer);

/* Steps over the value whose first token was the last one. */
void tokens_skip(struct tokens *j);

/* Ends the tool: `file:line: column N: message`. */
_Noreturn void tokens_die(const struct tokens *j, struct tokens_place where, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* Warns: `file:line: column N: message`. */
void tokens_warn(const struct tokens *j, struct tokens_place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the tool: EXPECTED was to stand where the last token does. */
_Noreturn void tokens_unexpected(const struct tokens *j, const char *expected);

/* Frees what J holds. */
void tokens_close(struct tokens *j);

#endif

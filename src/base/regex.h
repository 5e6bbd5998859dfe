/* regex.h - regular expressions of PCRE2 over text in UTF-8, the same on every machine, within limits.
 *
 * `\d`, `\w`, `\s` and `\b` are of ASCII unless the expression begins with (*UCP); `$` is the end of the text
 * and nothing else; `.` is any character but a line feed.  `\<` and `\>`, which mean the borders of a word
 * elsewhere, and themselves to PCRE2, are refused.
 *
 * The compiled form runs as code of the machine where the system allows that, and is interpreted elsewhere. Where
 * the first reaches a limit the second decides, so that answers are the same. */
#ifndef PROFPIPE_REGEX_H
#define PROFPIPE_REGEX_H

#include "base/limits.h"
#include "base/str.h"

/* How an expression is meant. */
struct regex_how {
    bool ignores_case;
    bool is_fixed; /* it is text, in which no character means anything else */
};

/* A place in a text, in bytes; BEGIN is SIZE_MAX where a part in parentheses took part in nothing. */
struct regex_part {
    size_t begin, end;
};

/* The most parts that are told of what is found, itself included. */
enum { REGEX_PARTS = 10 };

/* What searches need of memory: for any number of expressions that one thread looks for, one after the other. */
struct regex_room;

/* Ends the tool where there is no memory for it.  To be given to regex_room_free. */
struct regex_room *regex_room_open(void);

void regex_room_free(struct regex_room *room);

struct regex;

/* The expression TEXT, which ASKER gave (an option, or a line of a file), for messages.  NULL where it is none: WHY,
 * SIZE bytes, then says what is wrong.  Ends the tool (STATUS_SYSTEM) where there is no memory for it.  To be given
 * to regex_free. */
struct regex *regex_open(const char *text, struct regex_how how, const char *asker, char *why,
                         size_t size);

/* How many parts in parentheses it has. */
size_t regex_part_count(const struct regex *r);

/* Whether R is found in TEXT, valid UTF-8, at FROM bytes or later; that is the first place, and there what the
 * first alternative makes of it.  The place is PARTS[0], those of its parts in parentheses are behind it, COUNT
 * in all, at most REGEX_PARTS.  Ends the tool (STATUS_SYSTEM) where that takes more steps or memory than the limits allow. */
bool regex_find(struct regex *r, struct regex_room *room, struct str text, size_t from,
                struct regex_part *parts, size_t count);

/* The longest text of ASCII that is found to be in whatever the expression TEXT is found in, as a part of TEXT; n is 0
 * where none is sure. */
struct str regex_word(struct str text);

void regex_free(struct regex *r);

#endif

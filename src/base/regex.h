/* regex.h - regular expressions of PCRE2 over UTF-8 text, the same on every machine, within
 * limits.
 *
 * `\d`, `\w`, `\s` and `\b` match ASCII only, unless the expression begins with (*UCP).  `$`
 * matches only at the end of the text.  `.` matches any character but a line feed.  `\<` and
 * `\>` are refused: elsewhere they match the borders of a word, but PCRE2 takes them as plain
 * characters.
 *
 * Expressions are compiled to machine code if the system allows that, and interpreted otherwise.
 * If machine code reaches a limit, the interpreter decides, so that the answers are always the
 * same. */
#ifndef PROFPIPE_REGEX_H
#define PROFPIPE_REGEX_H

#include "base/limits.h"
#include "base/str.h"

/* How to read an expression. */
struct regex_how {
    bool ignores_case;
    bool is_fixed; /* it is plain text without special characters */
};

/* A range of a text, in bytes; BEGIN is SIZE_MAX for a group that did not take part in the
 * match. */
struct regex_part {
    size_t begin, end;
};

/* The maximum number of ranges that a search returns: the match and its groups. */
enum { REGEX_PARTS = 10 };

/* Memory for searches.  One serves any number of expressions that one thread searches for in
 * turn. */
struct regex_room;

/* Ends the tool if memory is refused.  Free it with regex_room_free. */
struct regex_room *regex_room_open(void);

void regex_room_free(struct regex_room *room);

struct regex;

/* Compiles TEXT.  ASKER, an option or a line of a file, names its origin in messages.  If TEXT
 * is not valid, writes the reason to WHY, of SIZE bytes, and returns NULL.  Ends the tool
 * (STATUS_SYSTEM) if memory is refused.  Free it with regex_free. */
struct regex *regex_open(const char *text, struct regex_how how, const char *asker, char *why,
                         size_t size);

/* How many groups in parentheses it has. */
size_t regex_part_count(const struct regex *r);

/* The name of the group PART, from 1; empty: it has none.  Valid until regex_free. */
struct str regex_part_name(const struct regex *r, size_t part);

/* Its text. */
const char *regex_text(const struct regex *r);

/* Searches TEXT, valid UTF-8, for R from byte FROM on, and returns whether it was found.  Takes
 * the first match, and there the first alternative that matches.  Stores the match in PARTS[0]
 * and its groups after it, COUNT in all, at most REGEX_PARTS.  Ends the tool (STATUS_SYSTEM) if
 * that needs more steps or memory than the limits allow. */
bool regex_find(struct regex *r, struct regex_room *room, struct str text, size_t from,
                struct regex_part *parts, size_t count);

/* The longest ASCII word that every match of the expression TEXT is certain to contain, as a
 * part of TEXT; n is 0 if there is none. */
struct str regex_word(struct str text);

/* Whether R is anywhere in TEXT, valid UTF-8: 1 or 0; -1 if that needs more steps or memory than
 * the limits allow. */
int regex_try(struct regex *r, struct regex_room *room, struct str text);

void regex_free(struct regex *r);

#endif

/* match.h - selects frames by an expression that the user gives in an option: a regular
 * expression (base/regex.h), searched for in the texts of rows.
 *
 * It is searched for in the name of a frame's function, in its file, and in the file that it is
 * mapped from.  With the prefix `name:`, `file:`, `mapping:` or `line:` it is searched for only
 * there.  The line of a frame is FILE:LINE, or FILE#LINE.
 *
 * Each function, mapping and location is searched once, when it is defined.  Ids are those of
 * the merge (merge.h), dense and in order of appearance. */
#ifndef PROFPIPE_MATCH_H
#define PROFPIPE_MATCH_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/regex.h"

#include <stdint.h>

/* The texts of a frame, in bytes; p is NULL if there is none. */
struct match_texts {
    struct str name, file; /* of its function, or its own */
    struct str mapping;    /* the file that it is mapped from */
    int64_t line;          /* below 1: unknown */
};

/* Whether each row of one table matches, by id - 1. */
struct match_found {
    bool *items;
    size_t count, capacity;
};

/* One expression.  All zero: none. */
struct match {
    enum { MATCH_ANYWHERE, MATCH_NAME, MATCH_FILE, MATCH_MAPPING, MATCH_LINE } where;
    struct regex *regex;     /* NULL: no expression */
    struct regex_room *room; /* NULL: not searched yet */
    bool shares_room;        /* the room belongs to the caller */
    struct match_found functions, mappings, locations;
    struct buf text, shown, line;
};

/* The location of a frame, for matching. */
struct match_frame {
    uint32_t function, mapping; /* ids, 0: none */
    struct str file;            /* of its function, or its own */
    int64_t line;               /* below 1: unknown */
};

/* Opens M, all zero, for the expression TEXT, the argument of OPTION.  TEXT may start with one
 * of the prefixes above, unless another ':' follows it, as in C++.  Ends the tool (STATUS_USAGE)
 * if TEXT is not valid. */
void match_open(struct match *m, const char *option, const char *text, struct regex_how how);

/* The same for an expression without a prefix; OPTION is NULL if no option gave it. */
void match_open_text(struct match *m, const char *option, const char *text, struct regex_how how);

/* The same for TEXT at WHERE, a line of a file; it may have a prefix if IS_FRAME.  Searches use
 * ROOM, which must outlive M; NULL: memory of its own. */
void match_open_line(struct match *m, struct place where, const char *text, bool is_frame,
                     struct regex_room *room);

/* The longest text that every match contains of an expression TEXT as given to match_open_line. */
struct str match_word(const char *text, bool is_frame);

/* Whether BYTES match M.  Bytes that are not UTF-8, and NUL, count as U+FFFD, as in rows. */
bool match_bytes(struct match *m, struct str bytes);

/* The first escape of REPLACEMENT, a backslash and the character after it, that has no meaning
 * for M; p is NULL if there is none. */
struct str match_wrong(const struct match *m, struct str replacement);

/* Appends BYTES to TO with every match of M replaced by REPLACEMENT, like `s///g` of sed(1): `&`
 * is the match, \1 to \9 are its groups, \& and \\ are literal.  Bytes that are not UTF-8 are
 * unchanged.  If nothing matches, appends nothing and returns false.  Ends the tool
 * (STATUS_INPUT, at WHERE) if the result is longer than a line of rows. */
bool match_replace(struct match *m, struct str bytes, struct str replacement, struct place where,
                   struct buf *to);

/* Appends REPLACEMENT, expanded for the first match of M in TEXTS, to TO.  False if nothing
 * matches. */
bool match_expand(struct match *m, const struct match_texts *texts, struct str replacement,
                  struct buf *to);

/* Add the next mapping, function or location. */
void match_add_mapping(struct match *m, struct str file);
void match_add_function(struct match *m, struct str name, struct str file);
void match_add_location(struct match *m, const struct match_frame *frame);

/* Whether M selects the location ID. */
static inline bool match_has(const struct match *m, int64_t id)
{
    return m->locations.items[id - 1];
}

/* Removes all rows; the expression stays. */
void match_clear(struct match *m);

/* Frees what M holds and leaves it all zero. */
void match_free(struct match *m);

#endif

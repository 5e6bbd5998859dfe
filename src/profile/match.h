/* match.h - an expression that picks frames, as people give it to an option: a regular one (base/regex.h), found
 * anywhere in what rows show.
 *
 * A bare one is looked for in the name of a frame's function, in its file, and in the file that it is mapped
 * from; with `name:`, `file:`, `mapping:` or `line:` in front in that alone.  The line of a
 * frame is FILE#LINE.
 *
 * Each function, mapping and location is looked at once, when it is defined; ids are those of the merge
 * (merge.h), dense and in order of appearance. */
#ifndef PROFPIPE_MATCH_H
#define PROFPIPE_MATCH_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/regex.h"

#include <stdint.h>

/* What a frame has, in bytes; p is NULL where there is none. */
struct match_texts {
    struct str name, file; /* of its function, or its own */
    struct str mapping;    /* the file that it is mapped from */
    int64_t line;          /* below 1: unknown */
};

/* What an expression found in the rows of one table, by id - 1. */
struct match_found {
    bool *items;
    size_t count, capacity;
};

/* One expression.  All zero is none. */
struct match {
    enum { MATCH_ANYWHERE, MATCH_NAME, MATCH_FILE, MATCH_MAPPING, MATCH_LINE } where;
    struct regex *regex;     /* NULL: there is none */
    struct regex_room *room; /* NULL: it has not been searched for */
    bool shares_room;        /* which others search with, too */
    struct match_found functions, mappings, locations;
    struct buf text, shown, line;
};

/* A location as expressions see it. */
struct match_frame {
    uint32_t function, mapping; /* ids, 0: none */
    struct str file;            /* of its function, or its own */
    int64_t line;               /* below 1: unknown */
};

/* Makes M, all zero, the expression TEXT, the argument of OPTION, which may begin with one of the words above
 * unless another ':' follows that, as in C++.  Ends the tool (STATUS_USAGE) where it is none. */
void match_open(struct match *m, const char *option, const char *text, struct regex_how how);

/* The same where TEXT is an expression without such a word; OPTION is NULL where nobody gave it. */
void match_open_text(struct match *m, const char *option, const char *text, struct regex_how how);

/* The same of what stands at WHERE, a line of a file; may begin with a word if IS_FRAME.  It is searched with ROOM, which
 * must outlive it; NULL: with its own. */
void match_open_line(struct match *m, struct place where, const char *text, bool is_frame,
                     struct regex_room *room);

/* The longest text that is in all that M is found in, in an expression TEXT that match_open_line was given. */
struct str match_word(const char *text, bool is_frame);

/* Whether M is found in BYTES; those that are not UTF-8, and NUL, are U+FFFD as rows show them. */
bool match_bytes(struct match *m, struct str bytes);

/* The first two characters of REPLACEMENT that mean nothing to M, as a backslash and what stands behind it; p is NULL
 * where all do. */
struct str match_wrong(const struct match *m, struct str replacement);

/* Appends BYTES to TO with REPLACEMENT for each place where M is found, from the left, as `s///g` of sed(1) does it:
 * `&` is what was found, \1 to \9 what its parts in parentheses were, \& and \\ themselves.  Bytes that are not
 * UTF-8 stay what they are.  False, and nothing appended, where M is not found.  Ends the tool (STATUS_INPUT, at
 * WHERE) where that becomes longer than a line of rows. */
bool match_replace(struct match *m, struct str bytes, struct str replacement, struct place where,
                   struct buf *to);

/* Appends REPLACEMENT, as it stands for the first place where M is found in TEXTS, to TO.  False where M is found
 * in none. */
bool match_expand(struct match *m, const struct match_texts *texts, struct str replacement,
                  struct buf *to);

/* Take the next mapping, function or location. */
void match_add_mapping(struct match *m, struct str file);
void match_add_function(struct match *m, struct str name, struct str file);
void match_add_location(struct match *m, const struct match_frame *frame);

/* Whether the location ID is one that M picks. */
static inline bool match_has(const struct match *m, int64_t id)
{
    return m->locations.items[id - 1];
}

/* Forgets all rows; the expression stays. */
void match_clear(struct match *m);

/* Frees what M holds and leaves none. */
void match_free(struct match *m);

#endif

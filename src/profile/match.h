/* match.h - an expression that picks frames, as people give it to an option: a POSIX extended one, found
 * anywhere in what rows show.
 *
 * A bare one is looked for in the name of a frame's function, in its file, and in the file that it is mapped
 * from, as pprof does; with `name:`, `file:`, `mapping:` or `line:` in front in that alone.  The line of a
 * frame is FILE#LINE.
 *
 * Each function, mapping and location is looked at once, when it is defined; ids are those of the merge
 * (merge.h), dense and in order of appearance. */
#ifndef PROFPIPE_MATCH_H
#define PROFPIPE_MATCH_H

#include "base/buf.h"

#include <stdint.h>

/* How all expressions of a tool are meant. */
struct match_how {
    bool ignores_case;
    bool is_fixed; /* they are text, in which no character means anything else */
};

/* What an expression found in the rows of one table, by id - 1. */
struct match_found {
    bool *items;
    size_t count, capacity;
};

struct match_regex;

/* One expression.  All zero is none. */
struct match {
    enum { MATCH_ANYWHERE, MATCH_NAME, MATCH_FILE, MATCH_MAPPING, MATCH_LINE } where;
    struct match_regex *regex; /* NULL: there is none */
    struct match_found functions, mappings, locations;
    struct buf text, line;
};

/* A location as expressions see it. */
struct match_frame {
    uint32_t function, mapping; /* ids, 0: none */
    struct str file;            /* of its function, or its own */
    int64_t line;               /* below 1: unknown */
};

/* Makes M, all zero, the expression TEXT, the argument of OPTION, which may begin with one of the words above
 * unless another ':' follows that, as in C++.  Ends the tool (STATUS_USAGE) where it is none. */
void match_open(struct match *m, const char *option, const char *text, struct match_how how);

/* The same where TEXT is an expression without such a word. */
void match_open_text(struct match *m, const char *option, const char *text, struct match_how how);

/* Whether M is found in BYTES; those that are not UTF-8, and NUL, are U+FFFD as rows show them. */
bool match_bytes(struct match *m, struct str bytes);

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

/* naming.h - what frames and sources are called where rows are about them: a function by its name, a frame
 * without one by the file that it is mapped from. */
#ifndef PROFPIPE_NAMING_H
#define PROFPIPE_NAMING_H

#include "profile/profile.h"

/* What stands for what has no name. */
#define NAMING_UNKNOWN STR("<unknown>")

/* The part of PATH behind its last '/'; all of it where nothing stands there. */
struct str naming_base_name(struct str path);

/* The file of L, of P: that of its function, or its own where it has none.  A string of P; 0: none. */
uint32_t naming_file(const struct profile *p, const struct profile_location *l);

/* The line where the function of L, of P, starts; 0 where that is not known. */
int64_t naming_start_line(const struct profile *p, const struct profile_location *l);

/* Whether L is code outside of functions, such as the top level of a script. */
bool naming_is_toplevel(const struct profile_location *l);

/* The string of P that stands for the function of L, which has none that has a name. */
uint32_t naming_stand_in(struct profile *p, const struct profile_location *l);

/* What sources have been called so far.  All zero is nothing. */
struct naming_sources {
    struct intern names; /* with their numbers, and without */
    struct naming_name *items;
    size_t capacity;
};

struct naming_name {
    uint32_t count; /* the number that the next source called so has */
    bool is_shown;  /* one is shown so */
};

/* What tells the next source of N, which is called NAME, bytes, from those before that are called so: how many these are,
 * and more where another one is called as it would be shown then. */
uint32_t naming_number(struct naming_sources *n, struct str name);

/* The string of P that the source OF, the next one of N, is called by: its URI, or what it is, or what stands for none.
 * *NUMBER is that of naming_number. */
uint32_t naming_source(struct naming_sources *n, struct profile *p, const struct profile_source *of,
                       uint32_t *number);

/* Appends to TO what tells a source that is number NUMBER of its name from those before: nothing, if it is the first. */
void naming_add_number(struct buf *to, uint32_t number);

/* Frees what N holds. */
void naming_free_sources(struct naming_sources *n);

#endif

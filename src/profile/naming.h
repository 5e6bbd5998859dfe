/* naming.h - the names of frames and sources in output about them: a frame is named by its
 * function, and one without a function by the file that it is mapped from. */
#ifndef PROFPIPE_NAMING_H
#define PROFPIPE_NAMING_H

#include "profile/profile.h"

/* The name of things without a name. */
#define NAMING_UNKNOWN STR("<unknown>")

/* The value of a label for samples that do not have it, in tables. */
#define NAMING_NO_LABEL STR("<no label>")

/* The part of PATH after the last '/'; the whole PATH if that part is empty. */
struct str naming_base_name(struct str path);

/* The file of the location L of P: that of its function, otherwise its own.  A string of P; 0:
 * none. */
uint32_t naming_file(const struct profile *p, const struct profile_location *l);

/* The file that L, a location of P, is mapped from.  A string of P; 0: none. */
uint32_t naming_mapped_file(const struct profile *p, const struct profile_location *l);

/* The line where the function of L, a location of P, starts; 0 if unknown. */
int64_t naming_start_line(const struct profile *p, const struct profile_location *l);

/* Whether L is code outside of functions, such as the top level of a script. */
bool naming_is_toplevel(const struct profile_location *l);

/* The name, a string of P, to use for the function of L, which has no function or one without a
 * name: the file that it is mapped from, in brackets, or else where the function begins, as
 * <words.js:38>, or NAMING_UNKNOWN. */
uint32_t naming_stand_in(struct profile *p, const struct profile_location *l);

/* Appends to TO the name to write for the function of L, a location of P, which has no function:
 * that it is code outside of functions, or its file in brackets, or its address, or
 * NAMING_UNKNOWN. */
void naming_add_stand_in(struct buf *to, const struct profile *p, const struct profile_location *l);

/* The package of L, a string of P: the group that rules assign it to, otherwise what its function
 * shows (package.h), otherwise the file that it is mapped from, in brackets, or NAMING_UNKNOWN; 0 for code outside of functions that has neither of
 * the first two. */
uint32_t naming_package(struct profile *p, const struct profile_location *l);

/* The names given to sources so far.  All zero: none. */
struct naming_sources {
    struct intern names; /* both with and without the numbers added to them */
    struct naming_name *items;
    size_t capacity;
};

struct naming_name {
    uint32_t count; /* the number of the next source with this name */
    bool is_shown;  /* a source is shown under this name */
};

/* The number of the next source of N with the name NAME, bytes: how many sources before had that
 * name.  It is larger if a source is already shown under the name with that number. */
uint32_t naming_number(struct naming_sources *n, struct str name);

/* The name, a string of P, of the source OF, the next one of N: its URI, or its type, or
 * NAMING_UNKNOWN.  Stores the number of naming_number in *NUMBER. */
uint32_t naming_source(struct naming_sources *n, struct profile *p, const struct profile_source *of,
                       uint32_t *number);

/* The same name with what naming_add_number appends. */
uint32_t naming_numbered_source(struct naming_sources *n, struct profile *p,
                                const struct profile_source *of);

/* Appends to TO what distinguishes the source NUMBER, from 0, of several with one name: "#2" for
 * the second; nothing for the first. */
void naming_add_number(struct buf *to, uint32_t number);

/* Frees what N holds. */
void naming_free_sources(struct naming_sources *n);

#endif

/* list.h - a file with names, as --files-from and --expect-from have it. */
#ifndef PROFPIPE_LIST_H
#define PROFPIPE_LIST_H

#include "base/arena.h"
#include "base/in.h"

/* The file: one name per line, which may end in CR LF, or names ended by the SEPARATOR NUL. */
struct list {
    struct in *in;
    char separator;     /* '\n' or '\0' */
    struct arena names; /* outlive the reading of the file */
};

/* Opens the list PATH, "-" for standard input. Ends the tool (STATUS_SYSTEM) when it cannot. */
struct list list_open(const char *path, bool nul_ended);

/* The next name in L that is not empty, valid until list_free; NULL after the last. An invalid name
 * ends the tool (STATUS_INPUT). If the caller only LOOKS ahead, reads no more of the file, and
 * leaves what is not certain to be a name. */
const char *list_next(struct list *l, bool looks);

/* Closes the file, if it is open; the names stay. */
void list_close(struct list *l);

/* Frees what L holds. */
void list_free(struct list *l);

#endif

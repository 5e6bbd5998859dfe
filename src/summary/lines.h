/* lines.h - lines of source files. A profile has the paths of the machine that built the program,
 * so files are searched for as in `go tool pprof` (its -source_path and -trim_path). */
#ifndef PROFPIPE_LINES_H
#define PROFPIPE_LINES_H

#include "base/arena.h"
#include "base/intern.h"
#include "profile/profile.h"

/* Where to search. */
struct lines_search {
    struct str folders; /* and zip archives, separated by ':' */
    /* prefixes to remove from names, separated by ':'; empty: remove all up to the name of one of
     * the folders, if the path contains it */
    struct str prefixes;
};

/* Where the options --source-path and --trim-path say, NULL: not given. Without the first, the
 * current directory and the folders of P's sources, whose names are put in HELD, an empty buffer that
 * must outlive the search. */
struct lines_search lines_search_for(const struct profile *p, const char *source_path,
                                     const char *trim_path, struct buf *held);

/* One file.  All zero is an empty one. */
struct lines {
    struct buf text;
    uint32_t *begins; /* of lines, in TEXT, by number - 1; then that of a line behind the last */
    size_t count;     /* of lines */
    size_t capacity;
    uint32_t held;       /* the number of the file; 0: none */
    bool is_binary;      /* it has a NUL, so it is not split into lines */
    struct intern files; /* those that have been found, by archive, device and inode */
    /* archives that have been opened, for the next files */
    struct lines_archive *archives;
    size_t archive_count, archive_capacity;
    size_t unread_count; /* files that lines_try could not read */
    struct buf unread;   /* the name of the first one, and why */
};

/* Reads FILE into L, unless L holds it. Removes the prefixes. If the path is then relative,
 * searches each archive, and each folder and all its parents. Returns NULL, or an error message
 * valid until the next call. Only regular text files of at most 64 MiB are read; those whose size
 * is 0 are taken as empty. SEARCH's folders must stay until lines_free. */
const char *lines_read(struct lines *l, const struct lines_search *search, struct str file);

/* The same for OPTION, such as "--list", but reports a file that cannot be read: each with -v, and all
 * with lines_warn. Returns whether it was read. */
bool lines_try(struct lines *l, const struct lines_search *search, struct str file,
               const char *option);

/* The number of the file that lines_read would read for FILE, the same for all its names; 0: there
 * is none. */
uint32_t lines_number(struct lines *l, const struct lines_search *search, struct str file);

/* Warns of the files that lines_try could not read, if there are any. */
void lines_warn(const struct lines *l, const char *option);

/* Line NUMBER of L, cut to 4096 bytes, valid until L changes; null p if there is no such line. */
struct str lines_get(const struct lines *l, int64_t number);

/* A copy of the same in TO. */
struct str lines_copy(const struct lines *l, int64_t number, struct arena *to);

/* Frees what L holds and empties it. */
void lines_free(struct lines *l);

#endif

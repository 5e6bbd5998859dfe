/* lines.h - the lines of source files.  A profile calls these as the machine did that its program was built on, so
 * they are looked for, as `go tool pprof` does it (its -source_path and -trim_path). */
#ifndef PROFPIPE_LINES_H
#define PROFPIPE_LINES_H

#include "base/arena.h"
#include "base/buf.h"

#include <stdint.h>

/* Where to look. */
struct lines_search {
    struct str folders; /* with ':' between */
    struct str
        prefixes; /* to be taken off the start of names, with ':' between; empty: up to the name of one of the
                          * folders, if that is in the name */
};

/* One file.  All zero is an empty one. */
struct lines {
    struct buf text;
    struct str *items; /* by number - 1, without what ends them */
    size_t count, capacity;
};

/* Makes L the lines of FILE, of which bytes are taken off and which, if it then is not absolute, is looked for in each
 * of the folders and in all that these are in.  Returns NULL, or what is wrong, valid until the next call: only regular
 * files of text, of 64 MiB at most, are read. */
const char *lines_read(struct lines *l, const struct lines_search *search, struct str file);

/* A copy in TO of the line NUMBER of L, as far as its first 4096 bytes go; p is NULL where it has none. */
struct str lines_copy(const struct lines *l, int64_t number, struct arena *to);

/* Frees what L holds and leaves an empty one. */
void lines_free(struct lines *l);

#endif

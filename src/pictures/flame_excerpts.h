/* flame_excerpts.h - the lines of source files around those that frames name, for a page. */
#ifndef PROFPIPE_FLAME_EXCERPTS_H
#define PROFPIPE_FLAME_EXCERPTS_H

#include "base/arena.h"
#include "pictures/flame.h"

/* Lines FIRST and following of FILE, which is bytes. TEXT is UTF-8, where invalid bytes are U+FFFD,
 * with line feeds between lines. */
struct flame_excerpt {
    struct str file, text;
    int64_t first;
};

/* Excerpts by file and line; the file with the largest total comes first. */
struct flame_excerpts {
    struct flame_excerpt *items;
    size_t count, capacity;
    size_t unread_count; /* files that could not be read */
    size_t beyond_count; /* files without room (LIMITS_PICTURE_SOURCE) */
    struct arena texts;
};

/* Sets E, all zero, to excerpts of the files that frames of F name, which must differ by line.
 * SOURCE_PATH and TRIM_PATH are as for lines_search_for. Warns of files that are left out. */
void flame_excerpts_make(struct flame_excerpts *e, const struct flame *f, const char *source_path,
                         const char *trim_path);

/* Frees what E holds. */
void flame_excerpts_free(struct flame_excerpts *e);

#endif

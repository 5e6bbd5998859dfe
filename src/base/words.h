/* words.h - options whose argument is one of a list of words. */
#ifndef PROFPIPE_WORDS_H
#define PROFPIPE_WORDS_H

#include "base/buf.h"

/* Appends the COUNT words WORDS to TEXT, as in "a, b or c". */
void words_add(struct buf *text, const char *const *words, size_t count);

/* The index, from 0, of TEXT, the argument of OPTION, among the COUNT words WORDS, at least two.
 * If it is none of them, ends the tool (STATUS_USAGE) and lists them. */
size_t words_find(const char *option, const char *text, const char *const *words, size_t count);

/* That of the COUNT words WORDS, names of formats, which the name FILE ends in, after a dot: as it
 * is, or as such files are called, such as .md.  NULL: none.  If it is the suffix of another
 * picture, table or text, ends the tool (STATUS_USAGE) and lists those that there are. */
const char *words_of_suffix(const char *file, const char *const *words, size_t count);

/* How well the path NAME fits SUFFIXES, separated by spaces: the length of the longest that it
 * ends in. One with a star, `name.out*`, is a prefix of the last part of the path: it fits by its
 * length if only digits, points and dashes follow, as in name.out.7-01, and else worse than any
 * suffix. 0: not at all. SUFFIXES may be NULL. */
size_t words_match_suffix(const char *name, const char *suffixes);

#endif

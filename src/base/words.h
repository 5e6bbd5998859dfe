/* words.h - the words that an option knows. */
#ifndef PROFPIPE_WORDS_H
#define PROFPIPE_WORDS_H

#include "base/buf.h"

/* Adds the COUNT words WORDS to TEXT, as in "a, b or c". */
void words_add(struct buf *text, const char *const *words, size_t count);

/* The place, from 0, of TEXT, the argument of OPTION, among the COUNT words WORDS, two at least.  Ends the tool
 * (STATUS_USAGE) with all of them where it is none. */
size_t words_find(const char *option, const char *text, const char *const *words, size_t count);

#endif

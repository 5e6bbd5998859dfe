/* folded_text.h - what the text of folded stacks is made of.
 *
 * A line is a stack, one blank and a count, or two; a stack is frames with ';' between, the outermost
 * first.  There are no escapes: flamegraph.pl, difffolded.pl and all others take the last blank for the
 * one in front of the count.  So a stack may have blanks everywhere, and frames may be empty. */
#ifndef PROFPIPE_FOLDED_TEXT_H
#define PROFPIPE_FOLDED_TEXT_H

#include "base/str.h"

/* What the end of a frame says of it, as stackcollapse-perf.pl --all writes it. */
enum folded_kind { FOLDED_PLAIN, FOLDED_KERNEL, FOLDED_JIT, FOLDED_INLINED, FOLDED_KIND_COUNT };

/* What KIND is marked with, nothing for FOLDED_PLAIN; and the file that is mapped where such code
 * stands, as rows say it: empty where that says nothing. */
struct str folded_mark(enum folded_kind kind);
struct str folded_mapped_file(enum folded_kind kind);

/* The kind of code that the mapped file NAME has; FOLDED_PLAIN where nothing marks it. */
enum folded_kind folded_kind_of_file(struct str name);

/* The kind of the frame TEXT, and in *NAME what stands in front of its mark, which is not empty. */
enum folded_kind folded_split(struct str text, struct str *name);

/* LINE without the blanks and the carriage return at its end. */
struct str folded_trim(struct str line);

/* Whether LINE, trimmed, holds no stack: it is blank, or a comment. */
bool folded_is_comment(struct str line);

/* Takes the count at the end of *LINE, and the one blank in front of it, off *LINE to *COUNT: digits,
 * perhaps with a fraction.  False where no such stands there. */
bool folded_take_count(struct str *line, struct str *count);

/* Whether COUNT has no fraction. */
bool folded_is_whole(struct str count);

/* How the text of a file in another encoding than one of bytes begins. */
#define FOLDED_UTF_8 STR("\xef\xbb\xbf")
#define FOLDED_UTF_16LE STR("\xff\xfe")
#define FOLDED_UTF_16BE STR("\xfe\xff")

#endif

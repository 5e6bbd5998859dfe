/* folded_text.h - the syntax of folded stacks.
 *
 * A line is a stack, one blank and a count, or two counts. A stack is a list of frames separated by
 * ';', outermost first. There are no escapes: flamegraph.pl, difffolded.pl and all others take the
 * last blank as the one before the count. So a stack may contain blanks anywhere, and frames may be
 * empty. */
#ifndef PROFPIPE_FOLDED_TEXT_H
#define PROFPIPE_FOLDED_TEXT_H

#include "base/str.h"

/* The kind of code of a frame. stackcollapse-perf.pl --all marks it at the end of the frame. */
enum folded_kind { FOLDED_PLAIN, FOLDED_KERNEL, FOLDED_JIT, FOLDED_INLINED, FOLDED_KIND_COUNT };

/* folded_mark: the mark of KIND, empty for FOLDED_PLAIN. folded_mapped_file: the name of the mapped
 * file that rows give to such code, empty if there is none. */
struct str folded_mark(enum folded_kind kind);
struct str folded_mapped_file(enum folded_kind kind);

/* The kind of code in the mapped file NAME; FOLDED_PLAIN for a file without a mark. */
enum folded_kind folded_kind_of_file(struct str name);

/* Returns the kind of the frame TEXT. Sets *NAME to the text before the mark, which is never
 * empty. */
enum folded_kind folded_split(struct str text, struct str *name);

/* LINE without the blanks and carriage return at its end. */
struct str folded_trim(struct str line);

/* Whether LINE, trimmed, has no stack: it is blank or a comment. */
bool folded_is_comment(struct str line);

/* Moves the count at the end of *LINE to *COUNT, and removes the blank before it. A count is
 * digits, perhaps with a fraction. Returns false if there is no count. */
bool folded_take_count(struct str *line, struct str *count);

/* Whether COUNT has no fraction. */
bool folded_is_whole(struct str count);

/* Byte order marks at the start of a file. */
#define FOLDED_UTF_8 STR("\xef\xbb\xbf")
#define FOLDED_UTF_16LE STR("\xff\xfe")
#define FOLDED_UTF_16BE STR("\xfe\xff")

#endif

/* suggest.h - suggestions for unknown options. */
#ifndef PROFPIPE_SUGGEST_H
#define PROFPIPE_SUGGEST_H

#include "tools/options.h"

/* Appends a suggestion for the unknown option NAME, without its dashes, to TEXT: such as ": did
 * you mean --types?" or ": try proffilter --focus".  KNOWN are the options of TOOL.  Appends
 * nothing if nothing is similar. */
void suggest_add(struct buf *text, const struct tool *tool, const struct options *known,
                 struct str name);

/* Whether WORD, after a single dash, is a whole option name as pprof writes them (-top), not a
 * group of letters: an option of the tool or of another program. */
bool suggest_is_name(const struct options *known, struct str word);

/* Whether NAME is a whole option of another tool or program. Then it is no shortened option, too:
 * whoever writes profsum --label does not mean --label-from-name. */
bool suggest_is_elsewhere(struct str name);

#endif

/* suggest.h - what somebody may have meant by an option that a tool does not have. */
#ifndef PROFPIPE_SUGGEST_H
#define PROFPIPE_SUGGEST_H

#include "tools/options.h"

/* Adds what to do instead of the option NAME, without its dashes, to TEXT: such as ": did you mean --types?" or ": try
 * proffilter --focus".  TOOL has the options KNOWN.  Adds nothing where nothing is like it. */
void suggest_add(struct buf *text, const struct tool *tool, const struct options *known,
                 struct str name);

/* Whether WORD, behind a single dash, is no run of letters but a whole name, as pprof has them (-top): one of TOOL's
 * own, or of another program. */
bool suggest_is_name(const struct options *known, struct str word);

#endif

/* legacy_go.h - lines that several kinds of profiles share: addresses of a stack, and the comments in
 * which Go names them. */
#ifndef PROFPIPE_LEGACY_GO_H
#define PROFPIPE_LEGACY_GO_H

#include "formats/legacy/legacy.h"

/* Adds the addresses in REST, the end of a line, to the sample.  Each is that of the instruction behind a
 * call, so the one before is taken.  Ends the tool (STATUS_INPUT) if something else stands there. */
void legacy_go_addresses(struct legacy *l, struct str rest);

/* Takes LINE if it begins with '#': the name of an address, or a number of Go's memory, which becomes a
 * level; others are kept as they are. */
bool legacy_go_comment(struct legacy *l, struct str line);

/* Splits TEXT, as "/x/y.go:12", at its last colon: *FILE is what is before, and the line is returned.  0
 * if no number follows; *FILE is TEXT then. */
int64_t legacy_go_line(struct str text, struct str *file);

#endif

/* foreign.h - what people give a reader in place of its format: recognised, named in messages, but
 * not read.  What profpipe reads itself stands in formats.h. */
#ifndef PROFPIPE_FOREIGN_H
#define PROFPIPE_FOREIGN_H

#include "base/buf.h"

/* Whether HEAD, the first bytes of an input, is surely something that no tool reads. */
bool foreign_is_known(struct str head);

/* Whether HEAD begins as something does that more of the input would tell. */
bool foreign_is_open(struct str head);

/* Whether HEAD is text: no byte in it that only other files have. */
bool foreign_is_text(struct str head);

/* Appends to TO what HEAD is and what can be done with it, as the end of a sentence: `zstd data
 * ("zstd -d" decompresses it)`; or else how it begins: `text that begins "<!DOCTYPE html>"`.  Text
 * of a file appears as JSON text. */
void foreign_describe(struct buf *to, struct str head);

#endif

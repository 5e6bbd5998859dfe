/* foreign.h - recognises files that no tool reads, so that messages can name them. The formats that
 * the tools do read are in formats.h. */
#ifndef PROFPIPE_FOREIGN_H
#define PROFPIPE_FOREIGN_H

#include "base/buf.h"

/* Whether HEAD, the first bytes of an input, certainly belongs to a file that no tool reads. */
bool foreign_is_known(struct str head);

/* Whether HEAD may be the start of such a file, and more of the input is needed to decide. */
bool foreign_is_open(struct str head);

/* Whether HEAD, the first FOREIGN_RECORDING bytes of a file or all of a shorter one, is that of a
 * recording of simpleperf, which begins as one of perf does. */
enum { FOREIGN_RECORDING = 104 };
bool foreign_is_simpleperf(struct str head);

/* Describes PATH as foreign_describe does, if it is a folder in which another profiler keeps one
 * recording.  NULL: it is not. */
const char *foreign_folder(const char *path);

/* Whether HEAD is text: it has no byte that occurs in binary files only. */
bool foreign_is_text(struct str head);

/* Appends to TO what HEAD is and what to do with it, as the end of a sentence:
 * `zstd data ("zstd -d" decompresses it)`. For an unknown file it appends how it begins:
 * `text that begins "<!DOCTYPE html>"`. Bytes of the file are quoted as JSON text. */
void foreign_describe(struct buf *to, struct str head);

#endif

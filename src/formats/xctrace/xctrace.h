/* xctrace.h - what the parts of the reader of Instruments' files share. */
#ifndef PROFPIPE_XCTRACE_H
#define PROFPIPE_XCTRACE_H

#include "formats/format.h"

/* Reads a table that xctrace has exported: XML, all of which is WHOLE. */
void xctrace_read(struct in *in, struct str whole, const struct read_request *request,
                  struct sink *sink);

/* Reads a tree that was copied from Instruments: text. */
void xctrace_copy_read(struct in *in, struct str whole, const struct read_request *request,
                       struct sink *sink);

/* Whether HEAD begins with the line of names that such text has. */
bool xctrace_copy_is(struct str head);

#endif
